"""Accuracy by setting and arm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deskcheck.analysis.blocks import Block, Column, Figure, Section, Table, Text, Value
from deskcheck.analysis.drawing.charts import Dot, dot_chart
from deskcheck.analysis.frames import completed, labels
from deskcheck.analysis.results import Results
from deskcheck.analysis.statistics.estimates import FEW_UNLIKE, FEWEST, Estimate, proportion
from deskcheck.analysis.statistics.rates import Rates, rates
from deskcheck.builder.cases import ARMS, Arm

if TYPE_CHECKING:
    import pandas as pd

    from deskcheck.analysis.results import Named

Found = dict[tuple[str, Arm], Rates]


def section(results: Results) -> Section:
    """A chart of the rates, the rates as a matrix, and all that stands behind them."""
    parts = list(results.parts(results.selected))
    found: Found = {(named.name, arm): rates(part) for named, arm, part in parts}
    blocks: tuple[Block, ...] = (
        Text(
            text="C/R is the share of completed replies that are right, C/N the share of planned "
            "questions; unparsed and truncated replies are completed, and wrong. Only the reply "
            "that was selected before the run counts, repeat 0. Intervals are of 95%, clustered "
            f"by {results.options.cluster}."
        ),
        _figure(results, found),
        _matrix(results, found),
        _long(parts, found, results.options.cluster),
    )
    return Section(name="accuracy", title="Accuracy", blocks=blocks)


def _figure(results: Results, found: Found) -> Figure:
    drawings = []
    for arm in ARMS:
        dots = [
            Dot(
                name=each.name,
                estimate=rate.per_completed,
                second=rate.per_planned.value,
                floor=each.floor,
            )
            for each in results.settings
            if (rate := found.get((each.name, arm))) is not None
        ]
        if dots:
            floors = [dot.estimate.value for dot in dots if dot.floor and dot.estimate.value]
            drawings.append(dot_chart(f"accuracy-{arm}", arm, dots, max(floors, default=None)))
    return Figure(
        name="accuracy",
        title="Accuracy by arm",
        caption="Dots are models and hollow squares baselines, both C/R in percent with 95% "
        "intervals; a short upright stroke is C/N where it differs. The broken line is the best "
        "baseline of the arm.",
        drawings=tuple(drawings),
    )


def _matrix(results: Results, found: Found) -> Table:
    def value(name: str, arm: Arm) -> Estimate | None:
        rate = found.get((name, arm))
        return rate.per_completed if rate else None

    return Table(
        name="accuracy-matrix",
        title="C/R in percent, by setting and arm",
        columns=(
            Column(name="setting", heading="setting"),
            *(Column(name=arm, heading=arm, kind="share") for arm in ARMS),
        ),
        rows=tuple(
            (each.name, *(value(each.name, arm) for arm in ARMS)) for each in results.settings
        ),
    )


def _long(parts: list[tuple[Named, Arm, pd.DataFrame]], found: Found, cluster: str) -> Table:
    rows: list[tuple[Value, ...]] = []
    for named, arm, part in parts:
        rate = found[named.name, arm]
        estimate = rate.per_completed
        rows.append(
            (
                named.name,
                arm,
                rate.correct,
                rate.completed,
                rate.planned,
                estimate,
                rate.per_planned,
                rate.cluster_equal,
                field_credit(part),
                estimate.clusters,
                estimate.effective_clusters,
            )
        )
    return Table(
        name="accuracy",
        title="Accuracy by setting and arm, with what it rests on",
        columns=(
            Column(name="setting", heading="setting"),
            Column(name="arm", heading="arm"),
            Column(name="correct", heading="C", kind="count"),
            Column(name="completed", heading="R", kind="count"),
            Column(name="planned", heading="N", kind="count"),
            Column(name="per_completed", heading="C/R %", kind="share"),
            Column(name="per_planned", heading="C/N %", kind="share"),
            Column(name="cluster_equal", heading="C/R %, clusters alike", kind="share"),
            Column(name="field_credit", heading="fields right %", kind="share"),
            Column(name="clusters", heading="clusters", kind="count"),
            Column(name="effective_clusters", heading="effective", kind="number"),
        ),
        rows=tuple(rows),
        note="Intervals are Wilson's at the effective sample size, whose variance leaves out one "
        f"cluster ({cluster}) at a time, with the t quantile of effective clusters less one. "
        "Effective clusters are (sum n)² / sum n² over clusters of n replies; below "
        f"{FEWEST} there is no interval. Where replies of one outcome come from fewer than "
        f"{FEW_UNLIKE} effective clusters, these stand for the sample size, and the interval is "
        "wider than it need be. “Clusters alike” gives each cluster one vote. Fields "
        "right is the mean share of right fields over completed replies of the state arms; a "
        "reply without an answer has none.",
    )


def field_credit(part: pd.DataFrame) -> Estimate | None:
    """The mean share of right fields; None for an arm that asks for no fields."""
    back = completed(part)
    if back["field_credit"].isna().all():
        return None
    credit = back["field_credit"].fillna(0.0).to_numpy(dtype=np.float64)
    return proportion(credit, labels(back, "cluster"))
