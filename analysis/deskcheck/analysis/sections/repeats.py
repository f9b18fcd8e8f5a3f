"""Do repeats of one question agree, and what do they bring?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deskcheck.analysis.blocks import Column, Section, Table, Text, Value
from deskcheck.analysis.results import Results
from deskcheck.analysis.statistics.agreement import agreement
from deskcheck.analysis.statistics.pass_at_k import tries
from deskcheck.analysis.statistics.rates import rates
from deskcheck.analysis.statistics.variance_split import variance_split

if TYPE_CHECKING:
    import pandas as pd

    from deskcheck.analysis.results import Named
    from deskcheck.builder.cases import Arm

Parts = list[tuple["Named", "Arm", "pd.DataFrame"]]


def section(results: Results) -> Section | None:
    """Agreement, several tries and variance by setting and arm; None if nothing was asked twice."""
    parts: Parts = [
        (named, arm, part)
        for named, arm, part in results.parts(results.cells)
        if part["repeat"].max() > 0
    ]
    if not parts:
        return None
    return Section(
        name="repeats",
        title="Repeats",
        blocks=(
            Text(
                text="Over questions with two completed repeats or more, each counting alike. Two "
                "answers are the same when both are right or equal as text; a reply without an "
                "answer is like no other. A flip is a pair of repeats of which one is right. "
                f"Intervals are clustered by {results.options.cluster}."
            ),
            _agreement(parts),
            _tries(parts),
            _variance(parts),
        ),
    )


def _agreement(parts: Parts) -> Table:
    rows: list[tuple[Value, ...]] = []
    for named, arm, part in parts:
        found = agreement(part)
        chosen = part[part["selected"].to_numpy(dtype=bool)]
        rows.append(
            (
                named.name,
                arm,
                found.tasks,
                found.replies,
                found.same_answer,
                found.flips,
                rates(chosen).per_completed,
                rates(part).per_completed,
            )
        )
    return Table(
        name="repeats",
        title="Agreement of two repeats of one question",
        columns=(
            Column(name="setting", heading="setting"),
            Column(name="arm", heading="arm"),
            Column(name="tasks", heading="questions", kind="count"),
            Column(name="replies", heading="replies", kind="count"),
            Column(name="same_answer", heading="same answer %", kind="share"),
            Column(name="flips", heading="flips %", kind="share"),
            Column(name="selected", heading="C/R %, repeat 0", kind="share"),
            Column(name="all_repeats", heading="C/R %, all repeats", kind="share"),
        ),
        rows=tuple(rows),
    )


def _tries(parts: Parts) -> Table:
    rows: list[tuple[Value, ...]] = [
        (named.name, arm, str(each.k), each.left_out, each.any_right, each.all_right)
        for named, arm, part in parts
        for each in tries(part)
    ]
    return Table(
        name="tries",
        title="Of k repeats: one at least is right, and all are",
        columns=(
            Column(name="setting", heading="setting"),
            Column(name="arm", heading="arm"),
            Column(name="k", heading="k"),
            Column(name="left_out", heading="questions left out", kind="count"),
            Column(name="any_right", heading="pass@k %", kind="share"),
            Column(name="all_right", heading="all k %", kind="share"),
        ),
        rows=tuple(rows),
        note="Means over questions of the share of all choices of k among its completed repeats, "
        "which estimates both without bias. Questions with fewer completed repeats than k are left "
        "out.",
    )


def _variance(parts: Parts) -> Table:
    rows: list[tuple[Value, ...]] = []
    for named, arm, part in parts:
        found = variance_split(part)
        rows.append(
            (
                named.name,
                arm,
                found.tasks,
                found.programs,
                found.answers,
                found.share,
                found.share_of_mean,
            )
        )
    return Table(
        name="variance",
        title="Where the spread comes from: the programs drawn, or the answers drawn",
        columns=(
            Column(name="setting", heading="setting"),
            Column(name="arm", heading="arm"),
            Column(name="tasks", heading="questions", kind="count"),
            Column(name="programs", heading="variance of programs", kind="number"),
            Column(name="answers", heading="variance of answers", kind="number"),
            Column(name="share", heading="answers, % of one reply's", kind="share"),
            Column(name="share_of_mean", heading="% of all repeats' mean", kind="share"),
        ),
        rows=tuple(rows),
        note="Right is 1 and wrong 0. The variance of answers is that of repeats of one question, "
        "on average; that of programs is the variance of the questions' chances, and may come out "
        "below 0 by chance. More repeats take away what answers add and nothing of what programs "
        "do. Moments (one-way analysis of variance); the interval is Fieller's, leaving out one "
        "cluster at a time.",
    )
