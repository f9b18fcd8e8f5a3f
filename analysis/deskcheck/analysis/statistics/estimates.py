"""Numbers that are estimated: functions of arrays that say how sure the number is, and of what."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.95

FEWEST = 10
"""Effective clusters below which no interval is given: neither the t quantile nor a bootstrap
keeps its promise there."""

Floats = NDArray[np.float64]
Labels = NDArray[Any]
"""One label of a cluster for each value; equal labels are one cluster."""
Ends = tuple[float, float]
"""Of an interval: low, high."""

NOTHING = "nothing to estimate"
TOO_FEW = "too few clusters"
ONE_VALUE = "no spread"
"""All values are the same, so their spread says nothing of what others would be."""

FEW_UNLIKE = 3
"""Effective clusters with the rarer outcome below which each cluster counts as one observation:
the spread among so few says too little of how alike answers are."""

WILSON = "Wilson score at the effective sample size (jackknife over clusters, t quantile)"
WILSON_RARE = "Wilson score at the effective clusters (rarer outcome in fewer than 3, t quantile)"
STUDENT = "Student t (jackknife over clusters)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A number with its interval, or with the reason why it has none.

    `value` is None where there is nothing to estimate; `low` and `high` are None where `note`
    names the reason. `effective_clusters` is (sum n)^2 / sum n^2 over the clusters' sizes n.
    """

    value: float | None
    low: float | None
    high: float | None
    level: float = LEVEL
    method: str
    n: int
    clusters: int
    effective_clusters: float
    note: str = ""
    seed: int | None = None
    """Of the random numbers that the method drew, where it drew any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clusters:
    """How values fall into clusters: `index` per value, `sizes` per cluster."""

    index: NDArray[np.intp]
    sizes: Floats

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.sizes)

    @property
    def effective(self) -> float:
        """As many clusters of equal size would carry about as much; 0 where there are none."""
        return effective(self.sizes)


def effective(weights: Floats) -> float:
    """(sum |w|)^2 / sum w^2: how many equal weights carry as much; 0 where every weight is."""
    squares = float((weights**2).sum())
    return float(np.abs(weights).sum()) ** 2 / squares if squares else 0.0


def clusters_of(labels: Labels) -> Clusters:
    """The clusters that the labels make, one label for each value."""
    found: dict[Any, int] = {}
    index = np.fromiter((found.setdefault(each, len(found)) for each in labels), np.intp)
    return Clusters(index=index, sizes=np.bincount(index).astype(np.float64))


def estimated(
    value: float | None,
    groups: Clusters,
    method: str,
    note: str = "",
    ends: Ends | None = None,
) -> Estimate:
    """An estimate over the values that fall into these clusters."""
    low, high = ends or (None, None)
    return Estimate(
        value=value,
        low=low,
        high=high,
        method=method,
        n=int(groups.sizes.sum()),
        clusters=groups.count,
        effective_clusters=groups.effective,
        note=note,
    )


def proportion(hits: Floats, labels: Labels) -> Estimate:
    """The mean of values in [0, 1], such as the share of answers that are right.

    The variance is that of the ratio of sums over clusters, by leaving out one cluster at a time:
    unlike the linearised one it does not shrink where a single cluster is large. It gives an
    effective sample size p(1 - p) / variance, which enters a Wilson score interval, as Korn and
    Graubard do for surveys: so the interval stays inside [0, 1], is lopsided near its ends, and
    exists for rates of 0 and 1. The t quantile has the effective clusters less one as its degrees
    of freedom. The effective size is never more than the number of values: that clusters seem to
    help is taken for chance. Where the rarer outcome comes from fewer than `FEW_UNLIKE` effective
    clusters, it is never more than the effective clusters either, and the method says so.

    In simulations of rates from 0.02 to 0.98, an intra-cluster correlation of 0.3 and 12 to 314
    clusters, nominal 95% intervals cover 93 to 98%, and 99% for the rarest outcomes of 12 clusters;
    without the last rule as few as 90%. Clopper and Pearson's in Wilson's place covers up to 99%.
    """
    groups = clusters_of(labels)
    named = _without_interval(hits, groups, WILSON)
    if named is not None:
        return named
    value = float(np.clip(hits.mean(), 0.0, 1.0))
    variance = jackknife_variance(hits, groups)
    size, method = float(len(hits)), WILSON
    if variance and 0.0 < value < 1.0:
        size = min(size, value * (1 - value) / variance)
    if min(_having(hits, groups), _having(1 - hits, groups)) < FEW_UNLIKE:
        size, method = min(size, groups.effective), WILSON_RARE
    return estimated(
        value, groups, method, ends=_wilson(value, size, t_quantile(groups.effective - 1))
    )


def mean(values: Floats, labels: Labels) -> Estimate:
    """The mean of values of any range, such as tokens.

    The variance leaves out one cluster at a time; degrees of freedom are the effective clusters
    less one. Far from normal where few values are huge: medians belong beside it.
    """
    groups = clusters_of(labels)
    named = _without_interval(values, groups, STUDENT)
    if named is not None:
        return named
    value = float(values.mean())
    if not np.ptp(values):
        return estimated(value, groups, STUDENT, ONE_VALUE)
    margin = t_quantile(groups.effective - 1) * math.sqrt(jackknife_variance(values, groups))
    return estimated(value, groups, STUDENT, ends=(value - margin, value + margin))


def cluster_equal(hits: Floats, labels: Labels) -> Estimate:
    """The mean of the clusters' own means, so that no large cluster has the say.

    Its n is that of the clusters, each of which counts as one value of `proportion`.
    """
    groups = clusters_of(labels)
    means = np.bincount(groups.index, hits, groups.count) / groups.sizes
    return proportion(means, np.arange(groups.count))


def jackknife_variance(values: Floats, groups: Clusters) -> float:
    """Variance of the mean of `values`, from the means that leave out one cluster each.

    Spread is taken about the mean of all. It needs two clusters.
    """
    n, count = len(values), groups.count
    residuals = np.bincount(groups.index, values, count) - values.mean() * groups.sizes
    changes = residuals / (n - groups.sizes)
    return float((count - 1) / count * (changes**2).sum())


def _having(hits: Floats, groups: Clusters) -> float:
    """Effective number of clusters with hits, each weighed by how many it has; 0 without any."""
    return effective(np.bincount(groups.index, hits, groups.count))


def _without_interval(values: Floats, groups: Clusters, method: str) -> Estimate | None:
    if not len(values):
        return estimated(None, groups, method, NOTHING)
    if groups.effective < FEWEST:
        return estimated(float(values.mean()), groups, method, TOO_FEW)
    return None


def _wilson(value: float, size: float, quantile: float) -> Ends:
    squared = quantile**2
    centre = (value + squared / (2 * size)) / (1 + squared / size)
    margin = quantile * math.sqrt(value * (1 - value) / size + squared / (4 * size**2))
    margin /= 1 + squared / size
    # At rates of 0 and 1 the end that is exactly theirs may miss it by rounding.
    low = 0.0 if value == 0.0 else max(0.0, centre - margin)
    high = 1.0 if value == 1.0 else min(1.0, centre + margin)
    return low, high


def t_quantile(freedom: float) -> float:
    """How many standard errors an interval of LEVEL reaches to either side, by Student's t."""
    from scipy.special import stdtrit  # type: ignore[import-untyped]

    return float(stdtrit(freedom, (1 + LEVEL) / 2))
