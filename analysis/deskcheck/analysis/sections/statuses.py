"""What became of every planned cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deskcheck.analysis.blocks import Column, Section, Table, Text, Value
from deskcheck.analysis.frames import completed, labels
from deskcheck.analysis.results import Results
from deskcheck.analysis.statistics.estimates import Estimate, proportion
from deskcheck.evaluate.cells import STATUSES

if TYPE_CHECKING:
    import pandas as pd


def section(results: Results) -> Section:
    """All statuses by setting and arm, over all repeats, and how well replies kept their form."""
    rows: list[tuple[Value, ...]] = []
    for named, arm, part in results.parts(results.cells):
        counts = part["status"].value_counts()
        back = completed(part)
        cut = back[back["status"] == "truncated"]
        rows.append(
            (
                named.name,
                arm,
                len(part),
                *(int(counts.get(status, 0)) for status in STATUSES),
                _valid(named.floor, back),
                int((back["answers"].fillna(0) > 1).sum()),
                int(cut["answer_correct"].fillna(False).sum()),
            )
        )
    return Section(
        name="statuses",
        title="What became of every question",
        blocks=(
            Text(
                text="All repeats are counted. Correct, wrong, unparsed and truncated make up R; "
                "a right answer counts as correct whatever its envelope."
            ),
            Table(
                name="statuses",
                title="Cells by status",
                columns=(
                    Column(name="setting", heading="setting"),
                    Column(name="arm", heading="arm"),
                    Column(name="planned", heading="N", kind="count"),
                    *(
                        Column(name=status, heading=status.replace("_", " "), kind="count")
                        for status in STATUSES
                    ),
                    Column(name="envelope_valid", heading="envelope valid %", kind="share"),
                    Column(name="several_answers", heading="several answers", kind="count"),
                    Column(name="right_before_cut", heading="right before the cut", kind="count"),
                ),
                rows=tuple(rows),
                note="Envelope valid: completed replies that followed the response contract to the "
                "letter. Right before the cut: truncated replies that had given the right answer "
                "by then; they count as truncated.",
            ),
        ),
    )


def _valid(floor: bool, back: pd.DataFrame) -> Estimate | None:
    if floor:
        return None
    valid = back["envelope_valid"].fillna(False).to_numpy(dtype=np.float64)
    return proportion(valid, labels(back, "cluster"))
