"""How far two annotators agree: Cohen's kappa, with an interval that resamples whole clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deskcheck.analysis.errors.kinds import KINDS, Kind
from deskcheck.analysis.statistics.estimates import (
    FEWEST,
    LEVEL,
    NOTHING,
    ONE_VALUE,
    TOO_FEW,
    Estimate,
    Floats,
    Labels,
    clusters_of,
)

REPLICATES = 10_000
METHOD = f"percentile bootstrap of whole clusters, {REPLICATES} replicates"

Counts = NDArray[np.float64]
"""A table of kinds: the first annotator's in rows, the second's in columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed:
    """Two judgements of the same items, compared. `table` is in the order of KINDS."""

    kappa: Estimate
    same: int
    table: tuple[tuple[int, ...], ...]


def agreed(
    first: Mapping[str, Kind], second: Mapping[str, Kind], clusters: Mapping[str, str], seed: int
) -> Agreed:
    """The agreement over the ids that all three know, which is not that of all wrong answers.

    A sample that takes rare kinds on purpose has its own rate of agreement by chance.
    """
    ids = sorted(first.keys() & second.keys() & clusters.keys())
    rows = np.array([KINDS.index(first[each]) for each in ids], dtype=np.intp)
    columns = np.array([KINDS.index(second[each]) for each in ids], dtype=np.intp)
    table = _tables(rows, columns, np.zeros(len(ids), np.intp), 1)[0]
    return Agreed(
        kappa=cohens_kappa(rows, columns, [clusters[each] for each in ids], seed),
        same=int(np.trace(table)),
        table=tuple(tuple(int(each) for each in row) for row in table),
    )


def cohens_kappa(
    rows: NDArray[np.intp], columns: NDArray[np.intp], labels: Sequence[str], seed: int
) -> Estimate:
    """Cohen's kappa of two codings as places in KINDS, one label of a cluster for each item.

    The interval resamples whole clusters; replicates in which both say one kind throughout have
    no kappa, and are left out. There is none where more than one in twenty is so, or where all
    are the same, as when both agree throughout.
    """
    named: Labels = np.array(labels, dtype=object)
    groups = clusters_of(named)
    if not len(rows):
        return _estimate(None, None, 0, 0, 0.0, NOTHING)
    tables = _tables(rows, columns, groups.index, groups.count)
    value = float(kappas(tables.sum(axis=0)[None])[0])
    sizes = (len(rows), groups.count, groups.effective)
    if np.isnan(value):
        return _estimate(None, None, *sizes, ONE_VALUE)
    if groups.effective < FEWEST:
        return _estimate(value, None, *sizes, TOO_FEW)
    rng = np.random.Generator(np.random.PCG64(seed))
    weights = rng.multinomial(
        groups.count, np.full(groups.count, 1 / groups.count), size=REPLICATES
    ).astype(np.float64)
    flat = weights @ tables.reshape(groups.count, -1)
    drawn = kappas(flat.reshape(-1, *tables.shape[1:]))
    drawn = drawn[~np.isnan(drawn)]
    if len(drawn) < 0.95 * REPLICATES or np.ptp(drawn) < 1e-12:
        return _estimate(value, None, *sizes, ONE_VALUE)
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return _estimate(value, (float(low), float(high)), *sizes, seed=seed)


def kappas(tables: Counts) -> Floats:
    """Cohen's kappa of each of the tables (count, kinds, kinds); nan where chance alone agrees."""
    totals = tables.sum(axis=(1, 2))
    observed = np.trace(tables, axis1=1, axis2=2) / totals
    chance = (tables.sum(axis=2) * tables.sum(axis=1)).sum(axis=1) / totals**2
    left = np.where(1 - chance > 1e-12, 1 - chance, np.nan)
    return np.asarray((observed - chance) / left, dtype=np.float64)


def _tables(
    rows: NDArray[np.intp], columns: NDArray[np.intp], index: NDArray[np.intp], count: int
) -> Counts:
    tables = np.zeros((count, len(KINDS), len(KINDS)))
    np.add.at(tables, (index, rows, columns), 1.0)
    return tables


def _estimate(
    value: float | None,
    interval: tuple[float, float] | None,
    n: int,
    clusters: int,
    effective: float,
    note: str = "",
    seed: int | None = None,
) -> Estimate:
    return Estimate(
        value=value,
        low=interval[0] if interval else None,
        high=interval[1] if interval else None,
        method=METHOD,
        n=n,
        clusters=clusters,
        effective_clusters=effective,
        note=note,
        seed=seed,
    )
