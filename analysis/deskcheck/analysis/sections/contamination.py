"""Accuracy by day of publication, and on variants of programs against the originals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from deskcheck.analysis.blocks import Block, Column, Section, Table, Text, Value
from deskcheck.analysis.contamination import (
    VariantOf,
    difference,
    periods,
    published,
    variants,
)
from deskcheck.analysis.frames import completed, labels, right
from deskcheck.analysis.results import Results
from deskcheck.analysis.statistics.estimates import mean, proportion

if TYPE_CHECKING:
    import pandas as pd


def section(results: Results) -> Section | None:
    """None where no case has a date or is a variant of another, and no cutoff is asked for."""
    if results.dataset is None:
        return None
    asked = set(results.cells["case_id"])
    cases = [case for case in results.dataset.cases if case.id in asked]
    blocks: list[Block] = []
    days = published(cases)
    cutoff = results.options.cutoff
    if cutoff is not None and not days:
        blocks.append(Text(text=f"No case has a date, so nothing is told apart at {cutoff}."))
    if days:
        by_period = periods(days)
        blocks += [_composition(results, by_period), _by_period(results, by_period)]
        if cutoff is not None:
            blocks.append(
                _cut(results, {each: day.isoformat() >= cutoff for each, day in days.items()})
            )
    declared = variants(cases)
    if declared:
        blocks.append(_variants(results, declared))
    if not blocks:
        return None
    text = Text(
        text="C/R by what a model may have seen in training. Programs of other days are other "
        "programs: a difference may be of difficulty too. A variant differs from its original in "
        "what its kind says and in nothing else, so that is the stronger comparison. Intervals "
        f"are of 95%, clustered by {results.options.cluster}."
    )
    return Section(name="contamination", title="Contamination", blocks=(text, *blocks))


def _composition(results: Results, by_period: Mapping[str, str]) -> Table:
    cells = results.cells.drop_duplicates("case_id")
    of_cells = cells["case_id"].map(by_period.get)
    undated = of_cells.isna()
    rows: list[tuple[Value, ...]] = [
        (period, int((of_cells == period).sum()), cells["cluster"][of_cells == period].nunique())
        for period in sorted(set(by_period.values()))
    ]
    if undated.any():
        rows.append(("no date", int(undated.sum()), cells["cluster"][undated].nunique()))
    return Table(
        name="publication",
        title="Cases by when their programs were published",
        columns=(
            Column(name="period", heading="period"),
            Column(name="cases", heading="cases", kind="count"),
            Column(name="clusters", heading="clusters", kind="count"),
        ),
        rows=tuple(rows),
    )


def _by_period(results: Results, by_period: Mapping[str, str]) -> Table:
    names = sorted(set(by_period.values()))
    rows: list[tuple[Value, ...]] = []
    for named, arm, part in results.parts(results.selected):
        back = completed(part)
        of_cells = _mapped(back, by_period)
        values: list[Value] = []
        for period in names:
            chosen = back[of_cells == period]
            values.append(proportion(right(chosen), labels(chosen, "cluster")))
        rows.append((named.name, arm, *values))
    return Table(
        name="accuracy-by-date",
        title="C/R in percent by when the program was published",
        columns=(
            Column(name="setting", heading="setting"),
            Column(name="arm", heading="arm"),
            *(Column(name=period, heading=period, kind="share") for period in names),
        ),
        rows=tuple(rows),
    )


def _cut(results: Results, after: Mapping[str, bool]) -> Table:
    cutoff = results.options.cutoff
    rows: list[tuple[Value, ...]] = []
    for named, arm, part in results.parts(results.selected):
        back = completed(part)
        of_cells = _mapped(back, after)
        old, new = (back[of_cells == each] for each in (False, True))
        groups = [(right(each), labels(each, "cluster")) for each in (old, new)]
        rows.append(
            (
                named.name,
                arm,
                *(proportion(*group) for group in groups),
                difference(*groups[0], *groups[1]),
            )
        )
    return Table(
        name="cutoff",
        title=f"C/R in percent before {cutoff} and from that day on",
        columns=(
            Column(name="setting", heading="setting"),
            Column(name="arm", heading="arm"),
            Column(name="before", heading="before %", kind="share"),
            Column(name="after", heading="from then on %", kind="share"),
            Column(name="difference", heading="difference, points", kind="share"),
        ),
        rows=tuple(rows),
        note="Programs without a date are on neither side. The difference is the later share less "
        "the earlier one; its n and effective clusters are those of the smaller side. Its variance "
        "leaves out one cluster at a time; a t interval with the fewer effective clusters less "
        "one.",
    )


def _variants(results: Results, declared: Sequence[VariantOf]) -> Table:
    rows: list[tuple[Value, ...]] = []
    kinds = sorted({each.kind for each in declared})
    for named, arm, part in results.parts(results.selected):
        back = completed(part)
        hits = dict(zip(labels(back, "case_id"), right(back), strict=True))
        clusters = dict(zip(labels(back, "case_id"), labels(back, "cluster"), strict=True))
        for kind in kinds:
            pairs = [
                each
                for each in declared
                if each.kind == kind and each.variant in hits and each.original in hits
            ]
            changes = np.array([hits[p.variant] - hits[p.original] for p in pairs], np.float64)
            of_pairs = np.array([clusters[p.original] for p in pairs], object)
            rows.append(
                (
                    named.name,
                    arm,
                    kind,
                    len(pairs),
                    int((changes < 0).sum()),
                    int((changes > 0).sum()),
                    mean(changes, of_pairs),
                )
            )
    return Table(
        name="variants",
        title="Variants of programs against their originals",
        columns=(
            Column(name="setting", heading="setting"),
            Column(name="arm", heading="arm"),
            Column(name="variant", heading="variant"),
            Column(name="pairs", heading="pairs completed", kind="count"),
            Column(name="right_to_wrong", heading="right to wrong", kind="count"),
            Column(name="wrong_to_right", heading="wrong to right", kind="count"),
            Column(name="difference", heading="difference, points", kind="share"),
        ),
        rows=tuple(rows),
        note="Pairs are of a variant and its own original. The difference is the variants' C/R "
        "less the originals' over these pairs, clustered by that of the original.",
    )


def _mapped(cells: pd.DataFrame, by_case: Mapping[str, object]) -> np.ndarray:
    """What is known of each cell's case; None where nothing is."""
    return np.array([by_case.get(each) for each in labels(cells, "case_id")], dtype=object)
