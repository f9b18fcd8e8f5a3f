"""Which sections a report has: the built-in ones by table, third-party ones by entry point."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import entry_points
from typing import Protocol

from deskcheck.analysis.blocks import Section
from deskcheck.analysis.results import Results
from deskcheck.oracles.errors import RunError
from deskcheck.sources.registry import distribution, load_plugin, plugins

BUILT_IN = {
    "notices": "deskcheck.analysis.sections.notices:section",
    "accuracy": "deskcheck.analysis.sections.accuracy:section",
    "floors": "deskcheck.analysis.sections.floors:section",
    "paired": "deskcheck.analysis.sections.paired:section",
    "reasoning": "deskcheck.analysis.sections.reasoning:section",
    "execution": "deskcheck.analysis.sections.execution:section",
    "studies": "deskcheck.analysis.sections.studies:section",
    "series": "deskcheck.analysis.sections.series:section",
    "static": "deskcheck.analysis.sections.static:section",
    "statuses": "deskcheck.analysis.sections.statuses:section",
    "errors": "deskcheck.analysis.sections.errors:section",
    "contamination": "deskcheck.analysis.sections.contamination:section",
    "effort": "deskcheck.analysis.sections.effort:section",
    "repeats": "deskcheck.analysis.sections.repeats:section",
    "cases": "deskcheck.analysis.sections.cases:section",
    "runs": "deskcheck.analysis.sections.runs:section",
}
"""Section -> the function that makes it, in the order of the report. A built-in wins over a
plugin of its name; plugins come before the last of these, by name."""

LAST = "runs"

GROUP = "deskcheck.report_sections"


class SectionMaker(Protocol):
    """A function of the results that arranges what was estimated.

    It must give the same for the same results. None where there is nothing to say.
    """

    def __call__(self, results: Results, /) -> Section | None: ...


def section_names() -> list[str]:
    """Every section in the order of the report; nothing is imported."""
    third_party = sorted({point.name for point in entry_points(group=GROUP)} - BUILT_IN.keys())
    return [*(name for name in BUILT_IN if name != LAST), *third_party, LAST]


def sections(results: Results) -> Iterator[Section]:
    """All sections that have something to say; RunError where a plugin cannot be used."""
    for name in section_names():
        made = load_section(name)(results)
        if made is not None:
            yield made


def load_section(name: str) -> SectionMaker:
    """The maker of a section of `section_names`; RunError where its plugin cannot be loaded."""
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        maker: SectionMaker = getattr(import_module(module), attribute)
        return maker
    points = plugins(GROUP, name)
    loaded = load_plugin(points, RunError)
    if not callable(loaded):
        raise RunError(
            f"section {name!r} of {distribution(points[0])} is a {type(loaded).__name__}",
            "its entry point must name a function of deskcheck.analysis.results.Results",
        )

    def checked(results: Results, /) -> Section | None:
        made = loaded(results)
        if made is not None and not isinstance(made, Section):
            raise RunError(
                f"section {name!r} of {distribution(points[0])} gave a {type(made).__name__}",
                "it must give a deskcheck.analysis.blocks.Section, or None",
            )
        return made

    return checked


def origins() -> dict[str, str]:
    """By section: `deskcheck`, or the distribution that brings it."""
    return {
        name: "deskcheck" if name in BUILT_IN else distribution(plugins(GROUP, name)[0])
        for name in section_names()
    }
