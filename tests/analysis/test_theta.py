"""Theta and its permutation test against independent references, and what has no result."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

import numpy as np
import pytest
from scipy.stats import (  # type: ignore[import-untyped]
    mannwhitneyu,
    permutation_test,
    rankdata,
)
from scipy.stats import t as student

from deskcheck.analysis.statistics import theta as module
from deskcheck.analysis.statistics.estimates import NOTHING, ONE_VALUE, TOO_FEW, Floats, clusters_of
from deskcheck.analysis.statistics.theta import (
    NO_EXCHANGE,
    ONE_CLUSTER,
    ONE_OUTCOME,
    ONE_SIDE,
    SEPARATED,
    Association,
    associations,
    shuffled_sums,
    theta,
)


def association(
    measure: Sequence[float], failed: Sequence[int], labels: Sequence[object], seed: int = 1
) -> Association:
    """The association of one measure."""
    column = np.array(measure, dtype=np.float64).reshape(-1, 1)
    outcomes = np.array(failed, dtype=np.float64)
    return associations(column, outcomes, np.array(labels, dtype=object), seed)[0]


def clustered(
    rng: np.random.Generator, sizes: np.ndarray, correlation: float = 0.4, shared: float = 1.0
) -> tuple[Floats, Floats, np.ndarray]:
    """Measure, failures and clusters, the former two unrelated.

    Failures follow the beta-binomial model; clusters share so much of the measure's variance.
    """
    labels = np.repeat(np.arange(len(sizes)), sizes)
    share = (1 - correlation) / correlation / 2
    rates = rng.beta(share, share, len(sizes))
    failed = (rng.random(len(labels)) < rates[labels]).astype(np.float64)
    measure = np.sqrt(shared) * rng.normal(size=len(sizes))[labels]
    return measure + np.sqrt(1 - shared) * rng.normal(size=len(labels)), failed, labels


def normalised(failures: Floats, successes: Floats) -> float:
    """U / (n1 n2), by scipy."""
    statistic = np.asarray(mannwhitneyu(failures, successes))[0]
    return float(statistic) / (len(failures) * len(successes))


def test_theta_is_the_normalised_mann_whitney_statistic() -> None:
    """It equals U / (n1 n2) as scipy computes it, with ties, whatever the clusters."""
    rng = np.random.default_rng(1)
    for _ in range(30):
        measure = rng.integers(0, 8, 40).astype(np.float64)
        failed = (rng.random(40) < 0.4).astype(np.float64)
        expected = normalised(measure[failed == 1], measure[failed == 0])
        found = theta(measure, failed, clusters_of(rng.integers(0, 20, 40)))
        assert found.value == pytest.approx(expected, abs=1e-12)


def test_the_interval_leaves_out_one_cluster_at_a_time() -> None:
    """It is Student's on the logit scale, about the jackknife done by hand."""
    rng = np.random.default_rng(2)
    measure, failed, labels = clustered(rng, rng.integers(1, 4, 30), shared=0.5)
    measure = measure.round(1)
    groups = clusters_of(labels)
    found = theta(measure, failed, groups)
    left = []
    for each in range(30):
        keep = labels != each
        left.append(normalised(measure[keep & (failed == 1)], measure[keep & (failed == 0)]))
    value = found.value
    assert value is not None and found.low is not None and found.high is not None
    error = np.sqrt(29 / 30 * ((np.array(left) - value) ** 2).sum()) / (value * (1 - value))
    ends = student.interval(0.95, groups.effective - 1, np.log(value / (1 - value)), error)
    assert (found.low, found.high) == pytest.approx(1 / (1 + np.exp(-np.array(ends))), abs=1e-12)


def test_single_rows_give_scipys_permutation_test() -> None:
    """With a cluster for each row, both p-values are those of all arrangements, but for chance."""
    measure = np.array([3.0, 9.0, 4.0, 4.0, 8.0, 1.0, 7.0, 6.0, 2.0, 5.0])
    failed = np.array([0, 1, 0, 1, 1, 0, 0, 1, 0, 0])
    ranks = rankdata(measure)

    def rank_sum(first: Floats, second: Floats, axis: int = -1) -> Floats:
        return np.asarray(first.sum(axis=axis))

    found = association(list(measure), list(failed), range(10))
    for alternative, p in (("greater", found.above), ("two-sided", found.either)):
        exact = permutation_test(
            (ranks[failed == 1], ranks[failed == 0]),
            rank_sum,
            vectorized=True,
            alternative=alternative,
        ).pvalue
        assert p == pytest.approx(exact, abs=0.012)


def test_clusters_of_one_size_exchange_their_outcomes() -> None:
    """P-values are those of all exchanges, enumerated by hand; a cluster without a match stays."""
    measure = [5, 1, 7, 2, 8, 3, 9, 9, 4, 6, 2]
    failed = [1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0]
    labels = [*"aabbccddeee"]
    pairs, single = [(0, 1), (2, 3), (4, 5), (6, 7)], (8, 9, 10)
    ranks, outcomes = rankdata(measure), np.array(failed)
    sums = []
    for order in permutations(pairs):
        placed = np.zeros(11)
        for target, source in zip(pairs, order, strict=True):
            placed[list(target)] = outcomes[list(source)]
        placed[list(single)] = outcomes[list(single)]
        sums.append(placed @ ranks)
    observed = outcomes @ ranks
    above, below = np.mean(np.array(sums) >= observed), np.mean(np.array(sums) <= observed)
    # These are 12 different arrangements, too few for a test at 5%; their sums can be drawn.
    doubled = (2 * ranks).reshape(-1, 1)
    groups = clusters_of(np.array(labels))
    drawn = shuffled_sums(doubled, outcomes.astype(np.float64), groups, 3, 20_000)
    assert np.mean(drawn >= 2 * observed) == pytest.approx(above, abs=0.015)
    assert np.mean(drawn <= 2 * observed) == pytest.approx(below, abs=0.015)
    assert set(np.unique(drawn)) == {2 * each for each in sums}


def test_several_sizes_exchange_apart() -> None:
    """With singles, pairs and triples, the p-value is that of the product of all exchanges."""
    measure = [1, 6, 3, 8, 2, 9, 4, 7, 5, 10, 12, 11, 13, 14, 15, 16]
    failed = [0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 0]
    labels = [*"abcd", *"eeffgg", *"hhhiii"]
    strata: list[list[tuple[int, ...]]] = [
        [(0,), (1,), (2,), (3,)],
        [(4, 5), (6, 7), (8, 9)],
        [(10, 11, 12), (13, 14, 15)],
    ]
    outcomes = np.array(failed)
    sums = []
    for orders in product(*(permutations(each) for each in strata)):
        placed = np.zeros(16)
        for stratum, order in zip(strata, orders, strict=True):
            for target, source in zip(stratum, order, strict=True):
                placed[list(target)] = outcomes[list(source)]
        sums.append(placed @ np.array(measure))
    exact = np.mean(np.array(sums) >= outcomes @ np.array(measure))
    assert association(measure, failed, labels).above == pytest.approx(exact, abs=0.015)


def test_p_is_never_zero() -> None:
    """p = (1 + b) / (1 + 10,000): the observed arrangement is one of them."""
    found = association(range(60), [0] * 30 + [1] * 30, range(60))
    assert found.above == 1 / 10_001
    assert found.either == 2 / 10_001
    assert found.nominal


def test_large_measures_of_successes_are_not_nominal() -> None:
    """The rule is one-sided; the two-sided p still tells of it."""
    found = association(range(60), [1] * 30 + [0] * 30, range(60))
    assert (found.above, found.nominal) == (1.0, False)
    assert found.either == 2 / 10_001


def test_shuffles_follow_from_the_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the portions they are made in nor other measures change a p-value."""
    rng = np.random.default_rng(4)
    measure, failed, labels = clustered(rng, rng.integers(1, 4, 40), shared=0.3)
    both = np.stack([rng.normal(size=len(labels)), measure], axis=1)
    whole = associations(both, failed, labels, 7)[1]
    monkeypatch.setattr(module, "_CELLS", 1_000)
    alone = associations(measure[:, None], failed, labels, 7)[0]
    assert alone == whole
    assert associations(measure[:, None], failed, labels, 8)[0].above != whole.above


@pytest.mark.parametrize(
    ("measure", "failed", "labels", "note", "of_theta"),
    [
        ([], [], [], NOTHING, NOTHING),
        ([1, 2, 3], [1, 1, 1], "abc", ONE_OUTCOME, ONE_OUTCOME),
        ([1, 2, 3], [0, 0, 0], "abc", ONE_OUTCOME, ONE_OUTCOME),
        ([1, 2, 3, 4], [0, 1, 0, 1], "aaaa", ONE_CLUSTER, TOO_FEW),
        ([1, 2, 3, 4, 5, 6], [0, 1, 0, 1, 1, 0], "abbccc", NO_EXCHANGE, TOO_FEW),
        ([1, 2, 3, 4], [0, 1, 0, 1], "aabb", NO_EXCHANGE, TOO_FEW),
        ([5] * 40, [0, 1] * 20, range(40), ONE_VALUE, ONE_VALUE),
        (range(40), [0] * 31 + [1] * 9, range(40), "", ONE_SIDE),
        (range(40), [0] * 20 + [1] * 20, range(40), "", SEPARATED),
    ],
)
def test_what_has_no_result_is_named(
    measure: Sequence[float],
    failed: Sequence[int],
    labels: Sequence[object],
    note: str,
    of_theta: str,
) -> None:
    """There is no p-value without a test and no interval where it would not hold."""
    found = association(measure, failed, list(labels))
    assert (found.note, found.theta.note) == (note, of_theta)
    assert (found.above is None) == (found.either is None) == bool(note)
    assert found.theta.low is None
    assert (found.theta.value is None) == (of_theta in (NOTHING, ONE_OUTCOME))


@pytest.mark.slow
def test_exchanging_clusters_keeps_the_size_and_shuffling_rows_does_not() -> None:
    """Without association, 5% of the tests reject; three times as many where rows are shuffled."""
    rng = np.random.default_rng(5)
    sizes = np.random.default_rng(0).geometric(0.3, 40)
    rejected = np.zeros(2)
    for seed in range(1_500):
        measure, failed, labels = clustered(rng, sizes)
        for place, clusters in enumerate((labels, np.arange(len(labels)))):
            (found,) = associations(measure[:, None], failed, clusters, seed, shuffles=199)
            rejected[place] += found.above is not None and found.above <= 0.05
    assert 0.035 < rejected[0] / 1_500 < 0.065
    assert rejected[1] / 1_500 > 0.13


@pytest.mark.slow
@pytest.mark.parametrize("effect", [0.0, 1.0])
@pytest.mark.parametrize(
    "sizes", [np.ones(80, int), np.full(40, 2), np.array([1, 2, 3, 4, 5, 6] * 6)]
)
def test_intervals_of_theta_cover_what_they_promise(sizes: np.ndarray, effect: float) -> None:
    """Nominal 95% intervals hold the true theta in 93 to 97.5% of made-up series."""
    rng = np.random.default_rng(6)

    def draw(sizes: np.ndarray) -> tuple[Floats, Floats, np.ndarray]:
        labels = np.repeat(np.arange(len(sizes)), sizes)
        measure = rng.normal(size=len(labels)) + rng.normal(size=len(sizes))[labels]
        latent = (
            effect * measure + rng.normal(size=len(labels)) + rng.normal(size=len(sizes))[labels]
        )
        return measure, (latent > 0.5).astype(np.float64), labels

    measure, failed, _ = draw(np.tile(sizes, 2_000))
    truth = normalised(measure[failed == 1], measure[failed == 0])
    held = []
    for _ in range(1_000):
        measure, failed, labels = draw(sizes)
        found = theta(measure, failed, clusters_of(labels))
        if found.low is not None and found.high is not None:
            held.append(found.low <= truth <= found.high)
    assert len(held) > 900
    assert 0.93 <= np.mean(held) <= 0.975
