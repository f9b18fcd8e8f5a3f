"""How often nominal 95% intervals hold the truth, in studies that are simulated by the thousand.

Answers of one cluster are alike: the cluster's share of right answers is drawn first. So the truth
is known, and how alike they are: `correlation` is that of two answers of one cluster.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deskcheck.analysis.statistics.estimates import FEWEST, Estimate, Floats, mean, proportion
from deskcheck.analysis.statistics.logistic import logistic
from deskcheck.analysis.statistics.resampling import (
    FEWEST_UNLIKE,
    expanded_tail,
    one_stratum,
    resampled_sums,
)

Integers = NDArray[np.int64]

DRAWS = 4_000
"""Of the bootstrap; the report takes 10,000, which costs more and covers alike."""

NORMAL = 1.959964


def _sizes(*parts: tuple[int, int]) -> Integers:
    """So many clusters of such a size, for each part."""
    return np.repeat([size for _, size in parts], [count for count, _ in parts])


DESIGNS: Mapping[str, Integers] = {
    "12 alike": _sizes((12, 20)),
    "40 unlike": np.random.default_rng(7).geometric(0.15, 40),
    "314, one of 210": _sizes((1, 210), (313, 7)),
    "314, one of 30": _sizes((1, 30), (313, 1)),
    "61, one of 100": _sizes((1, 100), (60, 1)),
}
"""Sizes of clusters. The third and fourth are the paper's: a setting's cases, and all pairs."""

RATES = (0.02, 0.1, 0.5, 0.9, 0.98)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What became of a method's intervals in one design."""

    method: str
    covered: float | None
    """Share of the intervals that hold the truth; None where hardly any was given."""
    named: float
    """Share of replicates that have a reason in the place of an interval."""


def shares(
    rng: np.random.Generator, rate: float, correlation: float, shape: tuple[int, int]
) -> Floats:
    """Shares of right answers, one for each replicate and cluster, by the beta distribution."""
    spread = (1 - correlation) / correlation
    return rng.beta(rate * spread, (1 - rate) * spread, shape)


def proportions(
    sizes: Integers, rate: float, correlation: float, replicates: int, seed: int
) -> Iterator[Coverage]:
    """Of a share of right answers: ours, and those that take rows for independent."""
    rng = np.random.default_rng(seed)
    of_cluster = shares(rng, rate, correlation, (replicates, len(sizes)))
    index = np.repeat(np.arange(len(sizes)), sizes)
    hits = (rng.random((replicates, len(index))) < of_cluster[:, index]).astype(np.float64)
    yield _of_estimates("proportion", rate, (proportion(row, index) for row in hits))
    count, value = len(index), hits.mean(axis=1)
    margin = NORMAL * np.sqrt(value * (1 - value) / count)
    yield _naive("Wald by rows", rate, value - margin, value + margin)
    squared = NORMAL**2
    centre = (value + squared / (2 * count)) / (1 + squared / count)
    margin = NORMAL * np.sqrt(value * (1 - value) / count + squared / (4 * count**2))
    margin /= 1 + squared / count
    yield _naive("Wilson by rows", rate, centre - margin, centre + margin)
    from scipy.stats import binom  # type: ignore[import-untyped]

    # Resampling rows of 0 and 1 is drawing from this distribution.
    low, high = (binom.ppf(tail, count, value) / count for tail in (0.025, 0.975))
    yield _naive("row bootstrap", rate, low, high)


def means(sizes: Integers, correlation: float, replicates: int, seed: int) -> Iterator[Coverage]:
    """Of the mean of normal values, whose variance is 1."""
    rng = np.random.default_rng(seed)
    index = np.repeat(np.arange(len(sizes)), sizes)
    of_cluster = rng.normal(0, math.sqrt(correlation), (replicates, len(sizes)))
    values = of_cluster[:, index] + rng.normal(
        0, math.sqrt(1 - correlation), (replicates, len(index))
    )
    yield _of_estimates("mean", 0.0, (mean(row, index) for row in values))
    value = values.mean(axis=1)
    margin = NORMAL * values.std(axis=1, ddof=1) / math.sqrt(len(index))
    yield _naive("normal by rows", 0.0, value - margin, value + margin)


def differences(
    sizes: Integers, first: float, second: float, replicates: int, seed: int
) -> Iterator[Coverage]:
    """Of a paired difference of two shares of right answers.

    Both sides of a pair are probit models on the cluster's effect and the pair's own, so that their
    shares are exactly `first` and `second`. Of the variance the cluster has half, which makes two
    answers of one cluster correlate at a third where the share is a half.
    """
    from scipy.special import ndtri  # type: ignore[import-untyped]

    rng = np.random.default_rng(seed)
    index = np.repeat(np.arange(len(sizes)), sizes)
    pair = math.sqrt(0.25) * rng.normal(size=(replicates, len(index)))
    values = np.zeros((replicates, len(index)))
    common = rng.normal(size=(replicates, len(sizes)))
    for sign, rate in ((1, first), (-1, second)):
        # Of a cluster's effect most is shared by the sides, and some is not.
        own = math.sqrt(0.35) * common + math.sqrt(0.15) * rng.normal(size=common.shape)
        noise = math.sqrt(0.25) * rng.normal(size=values.shape)
        values += sign * (own[:, index] + pair + noise < float(ndtri(rate)))
    truth = first - second
    sums = np.add.reduceat(values, np.cumsum(sizes) - sizes, axis=1)
    yield _bootstrap("whole-cluster bootstrap", truth, sums, sizes, expanded=True)
    yield _bootstrap("the same, plain percentiles", truth, sums, sizes, expanded=False)
    value = values.mean(axis=1)
    margin = NORMAL * values.std(axis=1) / math.sqrt(len(index))
    yield _naive("Wald by rows", truth, value - margin, value + margin)


def slopes(sizes: Integers, correlation: float, replicates: int, seed: int) -> Iterator[Coverage]:
    """Of the log odds ratio of a measure that is the same for all rows of a cluster.

    Each cluster's share is beta about the logistic curve, so the curve is the marginal one and its
    slope, 0.5, is what a pooled model estimates.
    """
    rng = np.random.default_rng(seed)
    index = np.repeat(np.arange(len(sizes)), sizes)
    found: dict[str, list[Estimate]] = {"logistic, CR2": [], "logistic, CR1 sandwich": []}
    naive: list[tuple[float, float]] = []
    spread = (1 - correlation) / correlation
    for _ in range(replicates):
        measure = rng.normal(0, 1, len(sizes))
        rate = 1 / (1 + np.exp(-(0.5 * measure - 0.3)))
        of_cluster = rng.beta(rate * spread, (1 - rate) * spread)
        errors = (rng.random(len(index)) < of_cluster[index]).astype(np.float64)
        slope = logistic(errors, {"measure": measure[index]}, {}, index).slopes[0]
        found["logistic, CR2"].append(slope.reduced)
        found["logistic, CR1 sandwich"].append(slope.sandwich)
        naive.append(_by_rows(errors, measure[index]))
    for method, estimates in found.items():
        yield _of_estimates(method, math.exp(0.5), iter(estimates))
    low, high = np.array(naive).T
    yield _naive("logistic by rows", 0.5, low, high)


def _by_rows(errors: Floats, measure: Floats) -> tuple[float, float]:
    """The interval of a logistic slope from the information matrix, by Newton's steps."""
    design, fitted = np.column_stack([np.ones(len(errors)), measure]), np.zeros(2)
    information = np.eye(2)
    for _ in range(12):
        share = 1 / (1 + np.exp(-(design @ fitted)))
        information = design.T @ (design * (share * (1 - share))[:, None])
        fitted = fitted + np.linalg.solve(information, design.T @ (errors - share))
    margin = NORMAL * math.sqrt(np.linalg.inv(information)[1, 1])
    return fitted[1] - margin, fitted[1] + margin


def _of_estimates(method: str, truth: float, estimates: Iterator[Estimate]) -> Coverage:
    covered = given = count = 0
    for each in estimates:
        count += 1
        if each.low is None or each.high is None:
            assert each.note
            continue
        given += 1
        covered += each.low <= truth <= each.high
    return _coverage(method, covered, given, count)


def _bootstrap(
    method: str,
    truth: float,
    sums: Floats,
    sizes: Integers,
    *,
    expanded: bool,
) -> Coverage:
    """Every replicate is given the same draws, as those of one seed are; one column for each."""
    weights = sizes.astype(np.float64)
    effective = float(weights.sum() ** 2 / (weights**2).sum())
    if effective < FEWEST:
        return _coverage(method, 0, 0, len(sums))
    drawn = resampled_sums(np.eye(len(sizes)), one_stratum(len(sizes)), seed=1, replicates=DRAWS)
    values = drawn @ sums.T / (drawn @ weights)[:, None]
    tail = expanded_tail(effective) if expanded else 0.025
    low, high = np.quantile(values, [tail, 1 - tail], axis=0)
    known = np.ones(len(sums), dtype=np.bool_)
    for each in (-1, 0, 1):
        apart = np.abs(sums - each * weights)
        known &= apart.sum(axis=1) ** 2 >= FEWEST_UNLIKE * (apart**2).sum(axis=1)
        known &= apart.any(axis=1)
    covered = int(((low <= truth) & (truth <= high))[known].sum())
    return _coverage(method, covered, int(known.sum()), len(sums))


def _naive(method: str, truth: float, low: Floats, high: Floats) -> Coverage:
    covered = int(((low <= truth) & (truth <= high)).sum())
    return _coverage(method, covered, len(low), len(low))


def _coverage(method: str, covered: int, given: int, count: int) -> Coverage:
    return Coverage(
        method=method,
        covered=covered / given if given >= 0.05 * count else None,
        named=1 - given / count,
    )
