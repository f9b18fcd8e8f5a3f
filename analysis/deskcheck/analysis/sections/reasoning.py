"""What reasoning gains, for models that were asked with and without it."""

from __future__ import annotations

from deskcheck.analysis.blocks import Block, Column, Figure, Section, Table, Text, Value
from deskcheck.analysis.drawing.charts import Dot, forest
from deskcheck.analysis.reasoning import Gain, gains
from deskcheck.analysis.results import Results

ALL = "all arms"


def section(results: Results) -> Section | None:
    """A chart of the gains and the numbers; None where no model was asked in two modes."""
    found = gains(results)
    if not found:
        return None
    blocks: tuple[Block, ...] = (
        Text(
            text="Each pair is one question, put to one model with reasoning and with reasoning "
            "off. The gain is the share of right answers with it less that without, in points, "
            "over questions with a reply on both sides. Intervals are of 95% and draw whole "
            f"clusters ({results.options.cluster}). What a mode asks for and how much computing it "
            "may use differ between providers, so gains of different models do not compare modes."
        ),
        _figure(found),
        _table(found),
    )
    return Section(name="reasoning", title="Gain of reasoning", blocks=blocks)


def _figure(found: list[Gain]) -> Figure:
    drawings = []
    for number, on_off in enumerate(dict.fromkeys((g.on.name, g.off.name) for g in found), start=1):
        dots = [
            Dot(name=gain.arm or ALL, estimate=gain.paired.difference)
            for gain in found
            if (gain.on.name, gain.off.name) == on_off
        ]
        drawings.append(forest(f"reasoning-{number}", f"{on_off[0]} over {on_off[1]}", dots))
    return Figure(
        name="reasoning",
        title="Gain of reasoning by arm",
        caption="Right answers with reasoning less those without, in points with 95% intervals.",
        drawings=tuple(drawings),
    )


def _table(found: list[Gain]) -> Table:
    rows: list[tuple[Value, ...]] = []
    for gain in found:
        paired = gain.paired
        rows.append(
            (
                gain.on.name,
                gain.off.name,
                gain.arm or ALL,
                paired.complete,
                paired.missing,
                paired.first_rate,
                paired.second_rate,
                paired.first_only,
                paired.second_only,
                paired.difference,
                paired.cluster_equal,
                paired.missing_as_wrong,
                paired.tests.exact,
                paired.tests.clustered,
                paired.difference.clusters,
                paired.difference.effective_clusters,
            )
        )
    return Table(
        name="reasoning",
        title="Gain of reasoning by model and arm",
        columns=(
            Column(name="on", heading="with reasoning"),
            Column(name="off", heading="without"),
            Column(name="arm", heading="arm"),
            Column(name="pairs", heading="pairs", kind="count"),
            Column(name="missing", heading="pairs missing", kind="count"),
            Column(name="on_rate", heading="right with %", kind="share"),
            Column(name="off_rate", heading="right without %", kind="share"),
            Column(name="gained", heading="only with", kind="count"),
            Column(name="lost", heading="only without", kind="count"),
            Column(name="gain", heading="gain, points", kind="share"),
            Column(name="cluster_equal", heading="clusters alike", kind="share"),
            Column(name="missing_as_wrong", heading="missing as wrong", kind="share"),
            Column(name="mcnemar_exact", heading="McNemar p, exact", kind="p"),
            Column(name="clustered_p", heading="clustered p", kind="p"),
            Column(name="clusters", heading="clusters", kind="count"),
            Column(name="effective_clusters", heading="effective", kind="number"),
        ),
        rows=tuple(rows),
        note="Rates are of the pairs, so they differ from C/R where a side is missing. McNemar's "
        "test takes questions for independent, which those of one program are not; the clustered "
        "p is Obuchowski's.",
    )
