"""Estimates keep their promise: they equal independent references, and intervals cover."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.analysis.statistics.estimates import (
    FEWEST,
    NOTHING,
    ONE_VALUE,
    TOO_FEW,
    WILSON,
    WILSON_RARE,
    Floats,
    cluster_equal,
    clusters_of,
    jackknife_variance,
    mean,
    proportion,
)


def hits(rng: np.random.Generator, sizes: np.ndarray, rate: float, correlation: float) -> Floats:
    """Right and wrong answers in clusters of these sizes, by the beta-binomial model."""
    share = (1 - correlation) / correlation
    rates = rng.beta(rate * share, (1 - rate) * share, len(sizes))
    return np.asarray(rng.random(sizes.sum()) < np.repeat(rates, sizes), dtype=np.float64)


def labels_of(sizes: np.ndarray) -> np.ndarray:
    return np.repeat(np.arange(len(sizes)), sizes)


def test_the_variance_is_that_of_leaving_clusters_out() -> None:
    """It equals the jackknife done by hand: the mean is computed anew without each cluster."""
    rng = np.random.default_rng(3)
    sizes = rng.geometric(0.2, 30)
    labels, values = labels_of(sizes), rng.lognormal(0, 1, sizes.sum())
    left_out = np.array([values[labels != each].mean() for each in range(30)])
    by_hand = 29 / 30 * ((left_out - values.mean()) ** 2).sum()
    assert jackknife_variance(values, clusters_of(labels)) == pytest.approx(by_hand, rel=1e-12)


@pytest.mark.slow
def test_equal_clusters_give_the_cluster_robust_variance() -> None:
    """For clusters of one size the jackknife is the sandwich that statsmodels computes."""
    from statsmodels.regression.linear_model import OLS

    labels = labels_of(np.full(25, 4))
    values = hits(np.random.default_rng(4), np.full(25, 4), 0.6, 0.3)
    fitted = OLS(values, np.ones(100)).fit(cov_type="cluster", cov_kwds={"groups": labels})
    ours = jackknife_variance(values, clusters_of(labels))
    assert ours == pytest.approx(float(fitted.bse[0]) ** 2, rel=1e-9)


@pytest.mark.slow
def test_clusters_of_one_give_wilsons_interval() -> None:
    """Without clustering the interval is close to Wilson's own, as statsmodels computes it."""
    from statsmodels.stats.proportion import proportion_confint

    values = np.repeat([1.0, 0.0], [70, 330])
    ours = proportion(values, np.arange(400))
    low, high = proportion_confint(70, 400, method="wilson")
    assert ours.low == pytest.approx(low, abs=0.001)  # t instead of normal, n - 1 instead of n
    assert ours.high == pytest.approx(high, abs=0.001)


def test_effective_clusters_count_what_large_clusters_cost() -> None:
    """They are (sum n)^2 / sum n^2: equal clusters count in full, one giant leaves few."""
    assert clusters_of(labels_of(np.full(12, 5))).effective == pytest.approx(12)
    giant = clusters_of(labels_of(np.array([100, *[1] * 50])))
    assert giant.count == 51
    assert giant.effective == pytest.approx(150**2 / (100**2 + 50))


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_rates_of_0_and_1_have_sane_intervals(rate: float) -> None:
    """One end is the rate itself, and the other is as wide as one value per cluster makes it."""
    labels = labels_of(np.full(40, 10))
    found = proportion(np.full(400, rate), labels)
    assert found.low is not None
    assert found.high is not None
    assert (found.low, found.high)[round(rate)] == rate
    assert 0.05 < found.high - found.low < 0.12  # 40 observations: 3.8 / 44


def test_hits_of_few_clusters_count_as_few() -> None:
    """Where one cluster has all hits, or all misses, a cluster counts as one observation."""
    labels = labels_of(np.full(40, 10))
    hits = np.zeros(400)
    hits[:8] = 1.0
    rare, spread = proportion(hits, labels), proportion(hits[np.arange(400) * 7 % 400], labels)
    other = proportion(1 - hits, labels)
    assert (rare.method, other.method, spread.method) == (WILSON_RARE, WILSON_RARE, WILSON)
    assert rare.high is not None and other.low is not None and spread.high is not None
    assert rare.high == pytest.approx(1 - other.low)
    assert rare.high > 2 * spread.high


def test_too_few_clusters_are_named() -> None:
    """Below ten effective clusters there is a value and a reason, and no interval."""
    nine = labels_of(np.full(9, 20))
    giant = labels_of(np.array([60, *[1] * 60]))
    for labels in (nine, giant):
        values = (np.arange(len(labels)) % 2).astype(np.float64)
        for found in (proportion(values, labels), mean(values, labels)):
            assert found.value == pytest.approx(values.mean())
            assert (found.low, found.high, found.note) == (None, None, TOO_FEW)
            assert found.effective_clusters < FEWEST


def test_nothing_to_estimate_is_named() -> None:
    """No values give no number, and neither an error nor a zero."""
    for found in (proportion(np.empty(0), np.empty(0)), mean(np.empty(0), np.empty(0))):
        assert (found.value, found.low, found.note) == (None, None, NOTHING)
        assert (found.n, found.clusters, found.effective_clusters) == (0, 0, 0.0)


def test_values_that_are_all_alike_have_no_interval_of_the_mean() -> None:
    """A spread of zero is named instead of an interval of no width."""
    found = mean(np.full(40, 20.0), np.arange(40))
    assert (found.value, found.low, found.note) == (20.0, None, ONE_VALUE)


@pytest.mark.slow
def test_the_mean_has_students_interval() -> None:
    """With clusters of one it is the textbook interval of scipy."""
    from scipy import stats  # type: ignore[import-untyped]

    values = np.random.default_rng(8).normal(5, 2, 50)
    found = mean(values, np.arange(50))
    low, high = stats.t.interval(0.95, 49, values.mean(), stats.sem(values))
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)


def test_equal_votes_of_clusters() -> None:
    """A large cluster of right answers moves the pooled rate and hardly the cluster-equal one."""
    labels = labels_of(np.array([60, *[1] * 59]))
    values = np.concatenate([np.ones(60), np.zeros(59)])
    found = cluster_equal(values, labels)
    assert proportion(values, labels).value == pytest.approx(60 / 119)
    assert found.value == pytest.approx(1 / 60)
    assert (found.n, found.clusters) == (60, 60)


def test_clustering_widens_the_interval() -> None:
    """The same answers give a wider interval when they come from fewer programs."""
    values = np.repeat(np.arange(40) % 2, 10).astype(np.float64)
    apart, together = proportion(values, np.arange(400)), proportion(values, np.arange(400) // 10)
    assert apart.low is not None
    assert together.low is not None
    assert together.low < apart.low - 0.05


@given(
    st.lists(st.integers(1, 30), min_size=10, max_size=60),
    st.floats(0.02, 0.98),
    st.integers(0, 1000),
)
def test_intervals_hold_their_value_and_stay_within_bounds(
    sizes: list[int], rate: float, seed: int
) -> None:
    """0 <= low <= value <= high <= 1, and the order of values changes nothing."""
    rng = np.random.default_rng(seed)
    values, labels = hits(rng, np.array(sizes), rate, 0.3), labels_of(np.array(sizes))
    found = proportion(values, labels)
    assert found.value is not None
    if found.low is not None and found.high is not None:
        assert 0 <= found.low <= found.value <= found.high <= 1
        order = rng.permutation(len(values))
        again = proportion(values[order], labels[order])
        assert again.low == pytest.approx(found.low, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [40, 300])
@pytest.mark.parametrize("rate", [0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95])
def test_nominal_intervals_cover(clusters: int, rate: float) -> None:
    """Of 95% intervals of correlated answers 93 to 98% hold the true rate.

    Those that take answers for independent hold it far less often. With 2,000 repetitions the
    coverage is known to about half a point.
    """
    sizes = np.random.default_rng(7).geometric(0.25, clusters)
    labels, rng = labels_of(sizes), np.random.default_rng(round(1000 * rate) + clusters)
    covered = naive = 0
    for _ in range(2_000):
        values = hits(rng, sizes, rate, 0.3)
        ours, independent = proportion(values, labels), proportion(values, np.arange(len(labels)))
        assert ours.low is not None and ours.high is not None
        covered += ours.low <= rate <= ours.high
        assert independent.low is not None and independent.high is not None
        naive += independent.low <= rate <= independent.high
    assert 0.93 <= covered / 2_000 <= 0.98
    assert naive / 2_000 < 0.88


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [[4] * 12, [30, *[1] * 299]], ids=["twelve", "one giant"])
@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_intervals_cover_where_clusters_are_few_or_one_is_large(
    sizes: list[int], rate: float
) -> None:
    """Twelve equal clusters, or a giant among small ones, make intervals no bolder than 93%."""
    array, rng = np.array(sizes), np.random.default_rng(round(100 * rate))
    labels, covered = labels_of(array), 0
    for _ in range(2_000):
        found = proportion(hits(rng, array, rate, 0.3), labels)
        assert found.low is not None and found.high is not None
        covered += found.low <= rate <= found.high
    assert covered / 2_000 >= 0.93
