"""What accuracy is worth: how often baselines and guesses hit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deskcheck.analysis.blocks import Block, Column, Section, Table, Text, Value
from deskcheck.analysis.frames import completed, labels, right
from deskcheck.analysis.results import Results
from deskcheck.analysis.statistics.estimates import Estimate, proportion
from deskcheck.analysis.statistics.rates import rates

if TYPE_CHECKING:
    import pandas as pd

    from deskcheck.builder.cases import Arm


COLUMNS = ["setting", "arm", "task_id", "status", "cluster", "guessable"]
"""All that is read here: slices of narrow frames are quick."""


def section(results: Results) -> Section:
    """Each model beside the best baseline on its own questions, and what guesses explain."""
    blocks: list[Block] = [
        Text(
            text="A baseline is no model: it answers by a fixed rule that works nothing out, "
            "such as giving the short input's output for the long one. An answer is guessable when "
            "it is one that a guess may hit, such as Yes, No, 0 or 1."
        )
    ]
    if results.floors and results.models:
        blocks.append(_beside(results))
    elif results.models:
        blocks.append(Text(text="No baseline was run; builder evaluate --floors adds them."))
    if results.cells["guessable"].any():
        blocks.append(_guessable(results))
    else:
        blocks.append(Text(text="No question here has an answer that a guess may hit."))
    return Section(name="floors", title="Floors", blocks=tuple(blocks))


def _beside(results: Results) -> Table:
    by_arm: dict[Arm, list[tuple[str, pd.DataFrame]]] = {}
    models = []
    for named, arm, part in results.parts(results.selected[COLUMNS]):
        if named.floor:
            by_arm.setdefault(arm, []).append((named.name, part))
        else:
            models.append((named, arm, part))
    rows: list[tuple[Value, ...]] = []
    for named, arm, part in models:
        best = best_floor(part, by_arm.get(arm, []))
        name, floor = best if best else ("none", None)
        rows.append((named.name, arm, rates(part).per_planned, floor, name))
    return Table(
        name="floors",
        title="C/N in percent beside the best baseline on the same questions",
        columns=(
            Column(name="setting", heading="setting"),
            Column(name="arm", heading="arm"),
            Column(name="model", heading="model", kind="share"),
            Column(name="floor", heading="best baseline", kind="share"),
            Column(name="baseline", heading="which one"),
        ),
        rows=tuple(rows),
        note="The best one is chosen by its rate on these questions, so it is a little too good.",
    )


def best_floor(
    model: pd.DataFrame, floors: list[tuple[str, pd.DataFrame]]
) -> tuple[str, Estimate] | None:
    """The baseline that is right most often on the model's tasks, and how often it is.

    The first one of equals; None where no baseline was asked any of these tasks.
    """
    best: tuple[str, Estimate] | None = None
    for name, cells in floors:
        shared = cells[cells["task_id"].isin(model["task_id"])]
        estimate = rates(shared).per_planned
        if estimate.value is None:
            continue
        if best is None or best[1].value is None or estimate.value > best[1].value:
            best = name, estimate
    return best


def _guessable(results: Results) -> Table:
    rows: list[tuple[Value, ...]] = []
    for named, arm, part in results.parts(results.selected[COLUMNS]):
        back = completed(part)
        guessable = back["guessable"].to_numpy(dtype=bool)
        hits = back[right(back) == 1.0]
        share = proportion(hits["guessable"].to_numpy(dtype=np.float64), labels(hits, "cluster"))
        rows.append(
            (
                named.name,
                arm,
                int(guessable.sum()),
                len(hits),
                int(hits["guessable"].sum()),
                share,
                rates(back[~guessable]).per_completed,
            )
        )
    return Table(
        name="guessable",
        title="Right answers that a guess may hit",
        columns=(
            Column(name="setting", heading="setting"),
            Column(name="arm", heading="arm"),
            Column(name="guessable", heading="guessable, of R", kind="count"),
            Column(name="correct", heading="C", kind="count"),
            Column(name="correct_guessable", heading="guessable, of C", kind="count"),
            Column(name="share", heading="share of C %", kind="share"),
            Column(name="without", heading="C/R % without them", kind="share"),
        ),
        rows=tuple(rows),
    )
