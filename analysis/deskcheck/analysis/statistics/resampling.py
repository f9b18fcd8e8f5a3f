"""Whole-cluster bootstrap: clusters are drawn again with all that is in them, many times over."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from deskcheck.analysis.statistics.estimates import (
    FEWEST,
    NOTHING,
    ONE_VALUE,
    TOO_FEW,
    Clusters,
    Estimate,
    Floats,
    Labels,
    clusters_of,
    effective,
    t_quantile,
)

REPLICATES = 10_000
SEED = 1

FEWEST_UNLIKE = 6
"""Effective clusters that are not all 0, not all 1 and not all -1, below which a mean difference
has no interval: nearly all values are alike, and replicates know only the few that are not. If
five clusters differ, all one way, then replicates exclude 0, and a sign test does not."""

TOO_FEW_UNLIKE = "too few clusters unlike the rest"
TOO_FEW_IN_STUDY = "too few clusters in a study"

BOOTSTRAP = "whole-cluster bootstrap (10,000 replicates, percentiles expanded to t)"
WITHIN = "whole-cluster bootstrap within studies (10,000 replicates, percentiles expanded to t)"

_AT_ONCE = 1 << 17
"""Clusters drawn at a time: their indices take a megabyte."""

_KEPT = 1 << 22
"""Bytes of draws that are kept for the next estimate of as many clusters, of which a report has
many; larger ones are drawn again."""

Counts = NDArray[np.uint8]
"""How often each cluster was drawn: (replicates, clusters). Even one of 10^9 replicates holds no
cluster 256 times, where the expected number is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strata:
    """Which clusters are drawn in each other's place: `order` puts them stratum by stratum."""

    order: NDArray[np.intp]
    sizes: tuple[int, ...]
    """Clusters of each stratum."""


def one_stratum(clusters: int) -> Strata:
    """All clusters are drawn from all of them."""
    return Strata(order=np.arange(clusters), sizes=(clusters,))


def strata_of(labels: Labels) -> Strata:
    """The strata that the labels make, one label for each cluster."""
    groups = clusters_of(labels)
    order = np.argsort(groups.index, kind="stable")
    return Strata(order=order, sizes=tuple(map(int, groups.sizes)))


def resampled_sums(
    sums: Floats,
    strata: Strata,
    *,
    seed: int,
    replicates: int = REPLICATES,
    at_once: int = _AT_ONCE,
) -> Floats:
    """Sums over clusters drawn with replacement, as many from each stratum as it has.

    `sums` is (clusters, quantities) and the result (replicates, quantities). Whole numbers are
    exact, so they depend on the seed alone: not on `at_once`, the clusters drawn at a time.
    """
    ordered = sums[strata.order]
    draws = _kept if replicates * len(ordered) <= _KEPT else _drawn
    return np.concatenate(
        [
            counts.astype(np.float64) @ ordered
            for counts in draws(strata.sizes, seed, replicates, at_once)
        ]
    )


@lru_cache(maxsize=24)
def _kept(sizes: tuple[int, ...], seed: int, replicates: int, at_once: int) -> tuple[Counts, ...]:
    return tuple(_drawn(sizes, seed, replicates, at_once))


def _drawn(sizes: tuple[int, ...], seed: int, replicates: int, at_once: int) -> Iterator[Counts]:
    """The draws, some replicates at a time; columns are clusters, stratum by stratum.

    They are made of the generator's raw output, which is the same for every version of numpy. Of
    n clusters some are likelier than others by a share of n / 2^32.
    """
    generator, clusters = np.random.PCG64(seed), sum(sizes)
    first = np.repeat(np.cumsum(sizes) - sizes, sizes).astype(np.uint64)
    of_stratum = np.repeat(sizes, sizes).astype(np.uint64)
    rows = max(1, at_once // clusters)
    for start in range(0, replicates, rows):
        count = min(rows, replicates - start)
        places = generator.random_raw(count * clusters).reshape(count, clusters) >> np.uint64(32)
        places *= of_stratum
        places >>= np.uint64(32)
        places += first + np.arange(count, dtype=np.uint64)[:, None] * np.uint64(clusters)
        flat = places.ravel().astype(np.intp)
        counts = np.bincount(flat, minlength=count * clusters)
        yield counts.astype(np.uint8).reshape(count, clusters)


def bootstrap_difference(
    values: Floats, labels: Labels, studies: Labels | None = None, *, seed: int = SEED
) -> Estimate:
    """The mean of differences in [-1, 1], most of them zero, with a whole-cluster interval.

    `labels` has the cluster of each value. With `studies`, one for each value, clusters are drawn
    within their study, which takes the studies' weights as given; a cluster in several studies is
    drawn among its like. Otherwise they are drawn from all.

    Percentiles are a little too near for few clusters. They are taken further out by the factor
    that makes them Student's t for a normal mean (Hesterberg, 2015), with the effective clusters
    in the place of the observations. In simulations of 12 to 300 clusters, one giant among them,
    with an intra-cluster correlation of 0.3 and 2 to 95% of values that are not zero, those that
    are given cover 93 to 97%, where plain percentiles cover 86 to 95% and BCa's 82 to 94%; with 2%
    of values other than zero, all of one sign, in 300 clusters they cover 90%.
    """
    groups = clusters_of(labels)
    sums = np.bincount(groups.index, values, groups.count) if len(values) else np.empty(0)
    method = BOOTSTRAP if studies is None else WITHIN
    strata = one_stratum(groups.count) if studies is None else _by_study(studies, groups)
    value = float(values.mean()) if len(values) else None
    note = _without(values, sums, groups, strata)
    low, high = (None, None) if note else _interval(sums, groups, strata, seed)
    return Estimate(
        value=value,
        low=low,
        high=high,
        method=method,
        n=len(values),
        clusters=groups.count,
        effective_clusters=groups.effective,
        note=note,
        seed=seed,
    )


def _without(values: Floats, sums: Floats, groups: Clusters, strata: Strata) -> str:
    """Why there is no interval; empty where there is one."""
    if not len(values):
        return NOTHING
    if groups.effective < FEWEST:
        return TOO_FEW
    if not np.ptp(values):
        return ONE_VALUE
    if few_unlike(sums, groups):
        return TOO_FEW_UNLIKE
    if len(strata.sizes) > 1:
        studies = np.split(groups.sizes[strata.order], np.cumsum(strata.sizes)[:-1])
        if any(effective(sizes) < FEWEST for sizes in studies):
            return TOO_FEW_IN_STUDY
    return ""


def few_unlike(sums: Floats, groups: Clusters) -> bool:
    """Whether so few clusters differ from the rest that their spread is not known; `sums` are the
    clusters' sums of differences in [-1, 1]."""
    return any(effective(sums - each * groups.sizes) < FEWEST_UNLIKE for each in (-1, 0, 1))


def _interval(sums: Floats, groups: Clusters, strata: Strata, seed: int) -> tuple[float, float]:
    both = np.column_stack([sums, groups.sizes])
    replicates = resampled_sums(both, strata, seed=seed)
    tail = expanded_tail(groups.effective, len(strata.sizes))
    low, high = np.quantile(replicates[:, 0] / replicates[:, 1], [tail, 1 - tail])
    return float(low), float(high)


def expanded_tail(clusters: float, strata: int = 1) -> float:
    """The share of replicates beyond either end of an interval, for so many effective clusters.

    A replicate's spread lacks a degree of freedom for each stratum, and its normal shape lacks
    the tails of t: for 12 clusters it is 1.1% in the place of 2.5%, for 300 2.4%.
    """
    from scipy.special import ndtr  # type: ignore[import-untyped]

    freedom = clusters - strata
    return float(ndtr(-math.sqrt(clusters / freedom) * t_quantile(freedom)))


def _by_study(studies: Labels, groups: Clusters) -> Strata:
    own: list[set[str]] = [set() for _ in range(groups.count)]
    for study, cluster in zip(studies, groups.index, strict=True):
        own[cluster].add(str(study))
    return strata_of(np.array([" ".join(sorted(each)) for each in own], dtype=object))
