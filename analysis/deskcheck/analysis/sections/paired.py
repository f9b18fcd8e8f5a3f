"""The arms of a case compared pair by pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from deskcheck.analysis.blocks import Block, Column, Figure, Section, Table, Text, Value
from deskcheck.analysis.drawing.charts import Dot, forest
from deskcheck.analysis.frames import labels
from deskcheck.analysis.pairs import (
    ABOUT,
    CONTRASTS,
    Paired,
    arm_pairs,
    paired,
    parts,
    within_studies,
)
from deskcheck.analysis.results import Results
from deskcheck.analysis.statistics.estimates import FEWEST
from deskcheck.analysis.statistics.resampling import REPLICATES, SEED

if TYPE_CHECKING:
    import pandas as pd

ALL = "all models"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Contrast:
    """Two arms, and their pairs of all models."""

    first: str
    second: str
    pairs: pd.DataFrame
    by_setting: tuple[tuple[str, Paired], ...]
    """All models together, where there are several, and each by its name."""

    @property
    def name(self) -> str:
        """As the report writes it."""
        return f"{self.first} → {self.second}"


def section(results: Results) -> Section | None:
    """A chart of the differences, the numbers by setting, and with and without each study."""
    if not results.models:
        return None
    contrasts = _contrasts(results)
    blocks: list[Block] = [
        Text(
            text="Each pair is one case and one model, asked in two arms. Only the final arms "
            "short → long have the same source; the others differ in more than one way. The "
            "difference is the share of right answers in the first arm less that in the second, "
            "in points, over pairs with a reply on both sides; counts of changes add up to it. "
            f"Its interval is of 95%, from {REPLICATES:,} replicates (seed {SEED}) that draw "
            f"whole clusters ({results.options.cluster}) with all their cases and models: it "
            "says how far other programs of this kind might give another number, and nothing of "
            "what a model would answer on another day."
        )
    ]
    if contrasts:
        blocks += [_figure(contrasts), _by_setting(contrasts), _by_part(contrasts)]
    else:
        blocks.append(Text(text="No model was asked two arms of one case."))
    return Section(name="paired", title="Paired arms", blocks=tuple(blocks))


def _contrasts(results: Results) -> list[_Contrast]:
    names = [each.name for each in results.models]
    cells = results.selected[[*ABOUT, "case_id", "status"]]
    cells = cells[np.isin(labels(cells, "setting"), names)]
    found = []
    for first, second in CONTRASTS:
        pairs = arm_pairs(cells, first, second)
        settings = labels(pairs, "setting")
        own = [(name, paired(pairs[settings == name])) for name in names if name in settings]
        if len(own) > 1:
            own.insert(0, (ALL, paired(pairs)))
        if own:
            found.append(_Contrast(first=first, second=second, pairs=pairs, by_setting=tuple(own)))
    return found


def _figure(contrasts: list[_Contrast]) -> Figure:
    drawings = []
    for each in contrasts:
        dots = [
            Dot(name=name, estimate=found.difference, second=found.missing_as_wrong.value)
            for name, found in each.by_setting
        ]
        drawings.append(forest(f"paired-{each.first}-{each.second}", each.name, dots))
    return Figure(
        name="paired",
        title="Differences between arms",
        caption="Right answers in the first arm less those in the second, in points with 95% "
        "intervals; to the right of the broken line the second arm is harder. A short upright "
        "stroke is the difference where missing replies count as wrong.",
        drawings=tuple(drawings),
    )


_COUNTS = (
    Column(name="pairs", heading="pairs", kind="count"),
    Column(name="first_only", heading="right → wrong", kind="count"),
    Column(name="second_only", heading="wrong → right", kind="count"),
    Column(name="both", heading="both right", kind="count"),
    Column(name="neither", heading="neither", kind="count"),
)


def _counts(found: Paired) -> tuple[Value, ...]:
    return (
        found.complete,
        found.first_only,
        found.second_only,
        found.both,
        found.neither,
    )


def _by_setting(contrasts: list[_Contrast]) -> Table:
    rows: list[tuple[Value, ...]] = []
    for each in contrasts:
        for name, found in each.by_setting:
            rows.append(
                (
                    each.name,
                    name,
                    *_counts(found),
                    found.difference,
                    found.cluster_equal,
                    found.missing,
                    found.missing_as_wrong,
                    found.tests.exact,
                    found.tests.chi_square,
                    found.tests.clustered,
                    found.difference.clusters,
                    found.difference.effective_clusters,
                )
            )
    return Table(
        name="paired",
        title="Changes from arm to arm, by setting",
        columns=(
            Column(name="arms", heading="arms"),
            Column(name="setting", heading="setting"),
            *_COUNTS,
            Column(name="difference", heading="difference, points", kind="share"),
            Column(name="cluster_equal", heading="clusters alike", kind="share"),
            Column(name="missing", heading="pairs missing", kind="count"),
            Column(name="missing_as_wrong", heading="missing as wrong", kind="share"),
            Column(name="mcnemar_exact", heading="McNemar p, exact", kind="p"),
            Column(name="mcnemar_chi_square", heading="McNemar p, χ²", kind="p"),
            Column(name="clustered_p", heading="clustered p", kind="p"),
            Column(name="clusters", heading="clusters", kind="count"),
            Column(name="effective_clusters", heading="effective", kind="number"),
        ),
        rows=tuple(rows),
        note="Pairs with a missing side are left out, but for “missing as wrong”. “Clusters "
        "alike” gives each cluster one vote, with Student's interval over clusters. McNemar's "
        "tests, exact and with continuity correction, take pairs for independent, which pairs of "
        "one program are not; the clustered p is Obuchowski's, which takes clusters for "
        f"independent. Below {FEWEST} effective clusters there is neither it nor an interval, nor "
        "where nearly all pairs are alike. No p is corrected for their number.",
    )


def _by_part(contrasts: list[_Contrast]) -> Table:
    rows: list[tuple[Value, ...]] = []
    for each in contrasts:
        for part in parts(each.pairs):
            found = paired(part.pairs)
            several = len(set(labels(part.pairs, "study"))) > 1
            rows.append(
                (
                    each.name,
                    part.of,
                    part.name,
                    *_counts(found),
                    found.difference,
                    within_studies(part.pairs) if several else None,
                    found.cluster_equal,
                    found.missing,
                    found.missing_as_wrong,
                    found.difference.clusters,
                    found.difference.effective_clusters,
                )
            )
    return Table(
        name="paired-parts",
        title="The same over all models: by language, mode and study, and without each study",
        columns=(
            Column(name="arms", heading="arms"),
            Column(name="part", heading="part"),
            Column(name="name", heading="which"),
            *_COUNTS,
            Column(name="difference", heading="difference, points", kind="share"),
            Column(name="within_studies", heading="drawn within studies", kind="share"),
            Column(name="cluster_equal", heading="clusters alike", kind="share"),
            Column(name="missing", heading="pairs missing", kind="count"),
            Column(name="missing_as_wrong", heading="missing as wrong", kind="share"),
            Column(name="clusters", heading="clusters", kind="count"),
            Column(name="effective_clusters", heading="effective", kind="number"),
        ),
        rows=tuple(rows),
        note="“Drawn within studies” has the same value, and an interval that takes the number of "
        "clusters of each study as given; the other draws from all clusters together.",
    )
