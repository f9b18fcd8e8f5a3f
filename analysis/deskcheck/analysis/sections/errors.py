"""Of what kind are wrong answers?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from deskcheck.analysis.blocks import Block, Column, Figure, Notice, Section, Table, Text, Value
from deskcheck.analysis.drawing.bars import Bar, stacked_chart
from deskcheck.analysis.errors.kinds import KINDS, MEANINGS, Kind
from deskcheck.analysis.errors.wrong import Error, errors_of
from deskcheck.analysis.results import Results
from deskcheck.analysis.statistics.estimates import proportion
from deskcheck.builder.cases import ARMS


def section(results: Results) -> Section | None:
    """Kinds by setting and arm; None where nothing is wrong, or nothing known of the truth."""
    errors = errors_of(results)
    if not errors:
        return None
    blocks: list[Block] = [
        Text(
            text="Of the selected replies that came back and are not right. A kind is given only "
            "where it can be proved: "
            + "; ".join(f"{kind} is {meaning}" for kind, meaning in MEANINGS.items())
            + ". The first proof that holds gives the kind."
        )
    ]
    blocks += _told(results, errors)
    blocks += [_figure(results, errors), _shares(results, errors), _sub_kinds(results, errors)]
    return Section(name="errors", title="Kinds of errors", blocks=tuple(blocks))


def _told(results: Results, errors: Sequence[Error]) -> list[Block]:
    """What could not be looked for."""
    states = sum(error.cell.rule == "json" for error in errors)
    if not states:
        return []
    if results.moments is None:
        text = (
            "The states at other iterations were not observed, so an off-by-one error is "
            "unclassified here: run builder errors --observe on the run, then this report again."
        )
        return [Notice(text=text, warning=False)]
    unseen = sum(error.cell.case_id in results.moments.unseen for error in errors)
    if not unseen:
        return []
    text = f"{unseen} of {len(errors)} errors are on cases whose programs could not be observed."
    return [Notice(text=text, warning=False)]


def _figure(results: Results, errors: Sequence[Error]) -> Figure:
    counts = Counter((error.setting, error.cell.arm, error.found.kind) for error in errors)
    drawings = []
    for arm in ARMS:
        bars = [
            Bar(name=named.name, counts=tuple(counts[named.name, arm, kind] for kind in KINDS))
            for named in results.models or results.floors
        ]
        if any(sum(bar.counts) for bar in bars):
            drawings.append(stacked_chart(f"errors-{arm}", arm, KINDS, bars))
    return Figure(
        name="errors",
        title="Kinds of wrong answers by arm",
        caption="Each bar is all wrong answers of a setting in percent, with their number behind "
        "it. Parts differ in pattern and bear the letter of their kind.",
        drawings=tuple(drawings),
    )


def _shares(results: Results, errors: Sequence[Error]) -> Table:
    rows: list[tuple[Value, ...]] = []
    for named in results.settings:
        for arm in ARMS:
            part = [
                error for error in errors if (error.setting, error.cell.arm) == (named.name, arm)
            ]
            if part:
                rows.append((named.name, arm, len(part), *(_share(part, kind) for kind in KINDS)))
    return Table(
        name="errors",
        title="Wrong answers by kind, in percent of those of the setting and arm",
        columns=(
            Column(name="setting", heading="setting"),
            Column(name="arm", heading="arm"),
            Column(name="wrong", heading="wrong", kind="count"),
            *(Column(name=kind, heading=f"{kind} %", kind="share") for kind in KINDS),
        ),
        rows=tuple(rows),
        note=f"Intervals are of 95%, clustered by {results.options.cluster}, as those of accuracy.",
    )


def _share(part: Sequence[Error], kind: Kind) -> Value:
    hits = np.array([error.found.kind == kind for error in part], dtype=np.float64)
    return proportion(hits, np.array([error.cluster for error in part], dtype=object))


def _sub_kinds(results: Results, errors: Sequence[Error]) -> Table:
    models = [error for error in errors if not error.floor] if results.models else list(errors)
    counts = Counter((error.found.kind, error.found.sub_kind, error.cell.arm) for error in models)
    examples: dict[tuple[Kind, str], str] = {}
    for error in models:
        examples.setdefault((error.found.kind, error.found.sub_kind), error.found.evidence)
    names = sorted(examples, key=lambda each: (KINDS.index(each[0]), each[1]))
    rows: list[tuple[Value, ...]] = [
        (kind, sub_kind, *(counts[kind, sub_kind, arm] for arm in ARMS), examples[kind, sub_kind])
        for kind, sub_kind in names
    ]
    return Table(
        name="error-sub-kinds",
        title="What was proved, by arm, over all models",
        columns=(
            Column(name="kind", heading="kind"),
            Column(name="sub_kind", heading="what exactly"),
            *(Column(name=arm, heading=arm, kind="count") for arm in ARMS),
            Column(name="example", heading="evidence of one of them"),
        ),
        rows=tuple(rows),
        note="Every wrong answer with its evidence: builder errors RUN -o FILE.",
    )
