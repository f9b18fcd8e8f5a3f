"""Do repeats of one question agree?"""

from __future__ import annotations

from deskcheck.analysis.agreement import agreement
from deskcheck.analysis.blocks import Column, Section, Table, Text, Value
from deskcheck.analysis.rates import rates
from deskcheck.analysis.results import Results


def section(results: Results) -> Section | None:
    """Agreement and flips by setting and arm; None where nothing was asked twice."""
    rows: list[tuple[Value, ...]] = []
    for named, arm, part in results.parts(results.cells):
        if part["repeat"].max() == 0:
            continue
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
    if not rows:
        return None
    return Section(
        name="repeats",
        title="Repeats",
        blocks=(
            Text(
                text="Over questions with two completed repeats or more, each counting alike. Two "
                "answers are the same when both are right or equal as text; a reply without an "
                "answer is like no other. A flip is a pair of repeats of which one is right."
            ),
            Table(
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
            ),
        ),
    )
