"""Answers beside the measures of what they are about: one row for each completed, selected cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from deskcheck.analysis.frames import labels, right
from deskcheck.analysis.statistics.estimates import Floats
from deskcheck.evaluate.cells import COMPLETED

if TYPE_CHECKING:
    import pandas as pd

    from deskcheck.analysis.results import Results
    from deskcheck.builder.cases import Measures


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A field of `Measures` as a predictor of errors."""

    name: str
    said: str

    @property
    def exponent(self) -> str:
        """The column of the frame with its log2."""
        return f"log2_{self.name}"


TRACE = Measure(name="trace_length", said="trace length")
PEAK = Measure(name="peak_state", said="peak state")
LOAD = Measure(name="state_load", said="cumulative state load")
EXECUTION = (TRACE, PEAK, LOAD)
"""What is measured by running the program; the others are read off texts."""

MEASURES = (
    *EXECUTION,
    Measure(name="cyclomatic", said="cyclomatic complexity"),
    Measure(name="source_characters", said="source length"),
    Measure(name="nesting", said="nesting depth"),
    Measure(name="data_flow", said="live variables"),
    Measure(name="stdin_characters", said="input length"),
    Measure(name="answer_characters", said="answer length"),
)

UNITS: Mapping[str, Mapping[str, str]] = {
    TRACE.name: {"python": "opcodes", "cpp": "region counts"},
    PEAK.name: {"python": "variables and slots"},
    LOAD.name: {"python": "variables and slots, summed over boundaries"},
}
"""By measure and language, what one of it is, where it is not plain."""

NOT_COMPLETED = "no reply"
NO_STATE = "state not measured"
ZERO = "state of 0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Completed, selected cells of models with the measures of their tasks.

    `frame` has the columns setting, reasoning, study, language, arm, case_id, cluster, error (1.0
    or 0.0), and of each measure its value and its log2, which are nan where it was not measured,
    the log2 of a zero too.
    """

    frame: pd.DataFrame
    left_out: Mapping[str, int]
    """Why cells have no place in a model of all execution measures, and how many have none."""


def measured(results: Results) -> Measured | None:
    """All languages together, sorted by cluster, case, setting and arm; None without a dataset.

    The measures of a task are those of the execution that it asks about.
    """
    import pandas as pd

    if results.dataset is None:
        return None
    known = {each.task_id: each for each in results.dataset.measures}
    reasoning = {each.name: each.setting.reasoning for each in results.models}
    chosen = results.selected
    chosen = chosen[chosen["setting"].isin(list(reasoning))]
    chosen = chosen.sort_values(["cluster", "case_id", "setting", "arm"], kind="stable")
    back = chosen["status"].isin(sorted(COMPLETED)).to_numpy(dtype=bool)
    cells = chosen[back]
    of_tasks = [known[task] for task in labels(cells, "task_id")]
    columns = ("setting", "study", "language", "arm", "case_id", "cluster")
    frame = pd.DataFrame({name: labels(cells, name) for name in columns})
    frame["reasoning"] = [reasoning[name] for name in frame["setting"]]
    frame["error"] = 1.0 - right(cells)
    for measure in MEASURES:
        values = _values(of_tasks, measure.name)
        frame[measure.name] = values
        frame[measure.exponent] = _log2(values)
    reasons = Counter({NOT_COMPLETED: len(chosen) - len(cells)})
    missing = frame[[each.name for each in EXECUTION]].isna().any(axis=1).to_numpy()
    reasons[NO_STATE] = int(missing.sum())
    reasons[ZERO] = int((~missing & ~complete(frame, EXECUTION)).sum())
    return Measured(frame=frame, left_out={why: n for why, n in reasons.items() if n})


def complete(frame: pd.DataFrame, measures: Sequence[Measure]) -> NDArray[np.bool_]:
    """Which rows have the log2 of each of these measures."""
    return frame[[each.exponent for each in measures]].notna().all(axis=1).to_numpy(dtype=bool)


def _values(measures: list[Measures], name: str) -> Floats:
    given = (getattr(each, name) for each in measures)
    return np.array([np.nan if value is None else value for value in given], dtype=np.float64)


def _log2(values: Floats) -> Floats:
    positive = values > 0
    return np.where(positive, np.log2(np.where(positive, values, 1.0)), np.nan)
