"""Do errors go with what an execution measures? Series by series, with tests of whole clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from deskcheck.analysis.blocks import Block, Column, Figure, Section, Table, Text, Value
from deskcheck.analysis.drawing.panels import Panel, panel_chart
from deskcheck.analysis.measures import EXECUTION, Measure
from deskcheck.analysis.results import Results
from deskcheck.analysis.series import Count, Finding, Series, all_series, counts, examine
from deskcheck.analysis.statistics.binned import binned
from deskcheck.analysis.statistics.theta import ALPHA, SHUFFLES
from deskcheck.builder.cases import ARMS

BINS = 5


def section(results: Results) -> Section | None:
    """Theta and slope of each series on each measure of its executions."""
    texts = (
        "A series is the selected, completed answers of one model to one arm of one study. Theta "
        "is the share of pairs of a wrong and a right answer in which the wrong one has the larger "
        "measure, ties counted half: 0.5 is no association. Measures are those of the execution "
        "that each question asks about: of a state arm, up to its checkpoint.",
        f"The test makes {SHUFFLES:,} shuffles in which whole clusters "
        f"({results.options.cluster}) exchange their outcomes with others of as many rows, so that "
        "answers to one of them need not be independent; p = (1 + b) / "
        f"{SHUFFLES + 1:,}. The nominal rule is theta > 0.5 with one-sided p < {ALPHA}. With many "
        "series some meet it by chance, so Holm's and Benjamini and Hochberg's p-values stand "
        "beside it; their family is all series tested on the same measure.",
    )
    return series_section(results, "series", "Errors and executions", EXECUTION, texts)


def series_section(
    results: Results, name: str, title: str, measures: Sequence[Measure], texts: Sequence[str]
) -> Section | None:
    """Texts, counts, curves and all series on these measures; None where there are no series.

    `name` begins the names of tables and drawings; the first measure is drawn.
    """
    title = f"{title}, series by series"
    if results.dataset is None:
        why = Text(text="Left out: measures are in the dataset, and this report has none.")
        return Section(name=name, title=title, blocks=(why,))
    every = list(all_series(results, measures))
    if not every:
        return None
    findings = examine(every)
    said = {each.name: each.said for each in measures}
    blocks: tuple[Block, ...] = (
        *(Text(text=each) for each in texts),
        _counts(name, said, list(counts(findings))),
        _figure(results, name, measures[0], every, findings),
        _long(name, said, findings),
    )
    return Section(name=name, title=title, blocks=blocks)


def _counts(name: str, said: Mapping[str, str], found: Sequence[Count]) -> Table:
    return Table(
        name=f"{name}-counts",
        title="How many series were tested, and in how many errors go with larger values",
        columns=(
            Column(name="measure", heading="measure"),
            Column(name="arm", heading="arm"),
            Column(name="series", heading="series", kind="count"),
            Column(name="tested", heading="tested", kind="count"),
            Column(name="nominal", heading="nominal", kind="count"),
            Column(name="expected", heading="expected by chance", kind="number"),
            Column(name="holm", heading="after Holm", kind="count"),
            Column(name="benjamini_hochberg", heading="after B.-H.", kind="count"),
            Column(name="two_sided", heading="two-sided, either way", kind="count"),
            Column(name="not_tested", heading="not tested because"),
        ),
        rows=tuple(
            (
                said[each.measure],
                each.arm or "all arms",
                each.series,
                each.tested,
                each.nominal,
                ALPHA * each.tested,
                each.holm,
                each.benjamini_hochberg,
                each.either,
                ", ".join(f"{why} ({number})" for why, number in each.reasons.items()),
            )
            for each in found
        ),
        note="Nominal: theta > 0.5 and one-sided p < 0.05. After: of the nominal ones, those whose "
        "adjusted p is below 0.05. Two-sided: p < 0.05, so errors go with larger or with smaller "
        "values. Expected by chance: 5% of the series tested.",
    )


def _figure(
    results: Results,
    name: str,
    measure: Measure,
    every: Sequence[Series],
    findings: Sequence[Finding],
) -> Figure:
    by_series = {
        (each.setting, each.study, each.arm): each
        for each in findings
        if each.measure == measure.name
    }
    rows = [each.name for each in results.models]
    drawings = []
    for arm in ARMS:
        panels = {
            (each.setting, each.study): _panel(
                each, measure.name, by_series[each.setting, each.study, arm]
            )
            for each in every
            if each.arm == arm
        }
        if panels:
            columns = [study for study in results.studies if any(study == s for _, s in panels)]
            drawings.append(panel_chart(f"{name}-{arm}", arm, rows, columns, panels))
    return Figure(
        name=name,
        title=f"Share of wrong answers along {measure.said}",
        caption=f"Each box is a series: its answers in up to {BINS} groups of equally many, from "
        f"the smallest {measure.said} on the left to the largest on the right, and the share that "
        "is wrong in each, from 0 below to 100% above. The number is theta; a filled triangle "
        "marks what meets the nominal rule. Curves of few answers jump by chance.",
        drawings=tuple(drawings),
    )


def _panel(series: Series, field: str, finding: Finding) -> Panel:
    there = ~np.isnan(series.measures[field])
    bins = binned(series.measures[field][there], series.failed[there], series.clusters[there], BINS)
    return Panel(
        number=finding.association.theta.value,
        marked=finding.association.nominal,
        shares=tuple(each.estimate.value or 0.0 for each in bins),
    )


def _long(name: str, said: Mapping[str, str], findings: Sequence[Finding]) -> Table:
    place = {measure: number for number, measure in enumerate(said)}
    return Table(
        name=name,
        title="Every series",
        columns=(
            Column(name="measure", heading="measure"),
            Column(name="study", heading="study"),
            Column(name="arm", heading="arm"),
            Column(name="setting", heading="setting"),
            Column(name="wrong", heading="wrong", kind="count"),
            Column(name="right", heading="right", kind="count"),
            Column(name="theta", heading="theta", kind="number"),
            Column(name="p_above", heading="p, one-sided", kind="p"),
            Column(name="p_holm", heading="Holm", kind="p"),
            Column(name="p_benjamini_hochberg", heading="B.-H.", kind="p"),
            Column(name="p_two_sided", heading="p, two-sided", kind="p"),
            Column(name="odds", heading="odds of an error, per doubling", kind="number"),
            Column(name="not_tested", heading="not tested because"),
            Column(name="seed", heading="seed"),
        ),
        rows=tuple(
            _row(said[each.measure], each)
            for each in sorted(findings, key=lambda each: place[each.measure])
        ),
        note="Intervals of theta and of odds ratios are of 95% and leave out one cluster at a "
        "time. There is none where failures, or successes, come from fewer than ten effective "
        "clusters: one outcome is too rare. One-sided tests ask for theta > 0.5; Holm's and "
        "B.-H.'s p-values are of these. Two-sided p-values are twice the smaller one-sided one. "
        "The odds ratio is that of a logistic model with the measure's log2 alone.",
    )


def _row(measure: str, finding: Finding) -> tuple[Value, ...]:
    found, values = finding.association, finding.adjusted
    return (
        measure,
        finding.study,
        finding.arm,
        finding.setting,
        found.failures,
        found.successes,
        found.theta,
        found.above,
        values.holm if values else None,
        values.benjamini_hochberg if values else None,
        found.either,
        finding.odds,
        found.note,
        str(found.seed),
    )
