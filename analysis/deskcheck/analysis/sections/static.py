"""Do errors go with what source, input and answer look like? Series by series, as executions."""

from __future__ import annotations

from deskcheck.analysis.blocks import Section
from deskcheck.analysis.measures import EXECUTION, MEASURES
from deskcheck.analysis.results import Results
from deskcheck.analysis.sections.series import series_section

STATIC = tuple(each for each in MEASURES if each not in EXECUTION)


def section(results: Results) -> Section | None:
    """Theta and slope of each series on each measure of the source that its arm shows."""
    texts = (
        "As for executions. Complexity, length and nesting are those of the source that the arm "
        "shows, so what instrumentation adds is in those of state arms. The length of the input "
        "and of the expected answer stand beside them; lengths are in characters.",
    )
    return series_section(results, "static", "Errors and texts", STATIC, texts)
