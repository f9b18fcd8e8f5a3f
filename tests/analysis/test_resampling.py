"""Whole clusters are drawn as a plain loop would draw them, and intervals keep their promise."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.analysis.statistics.estimates import (
    FEWEST,
    NOTHING,
    ONE_VALUE,
    TOO_FEW,
    Floats,
    clusters_of,
)
from deskcheck.analysis.statistics.resampling import (
    BOOTSTRAP,
    REPLICATES,
    SEED,
    TOO_FEW_IN_STUDY,
    TOO_FEW_UNLIKE,
    WITHIN,
    bootstrap_difference,
    expanded_tail,
    one_stratum,
    resampled_sums,
    strata_of,
)


def changes(
    rng: np.random.Generator, sizes: np.ndarray, gone: float, come: float, correlation: float = 0.3
) -> tuple[Floats, np.ndarray]:
    """Differences 1, -1 and 0 in clusters of these sizes, whose shares are Dirichlet's."""
    means = np.array([gone, come, 1 - gone - come]) * (1 - correlation) / correlation
    shares = rng.gamma(np.tile(np.maximum(means, 1e-12), (len(sizes), 1)))
    shares /= shares.sum(axis=1, keepdims=True)
    values = [
        np.repeat([1.0, -1.0, 0.0], rng.multinomial(size, share))
        for size, share in zip(sizes, shares, strict=True)
    ]
    return np.concatenate(values), np.repeat(np.arange(len(sizes)), sizes)


def by_plain_loop(sums: Floats, sizes: list[int], seed: int, replicates: int) -> Floats:
    """The same draws, one at a time, in Python's own integers."""
    generator, out = np.random.PCG64(seed), []
    for _ in range(replicates):
        total, start = np.zeros(sums.shape[1]), 0
        for size in sizes:
            for _ in range(size):
                raw = int(generator.random_raw())
                total += sums[start + ((raw >> 32) * size >> 32)]
            start += size
        out.append(total)
    return np.array(out)


@pytest.mark.parametrize("sizes", [[7], [1, 4, 2]])
def test_replicates_are_those_of_a_plain_loop(sizes: list[int]) -> None:
    """With the same draws, every replicate is to the last bit what a loop over clusters adds up."""
    sums = np.random.default_rng(2).integers(-9, 9, (7, 3)).astype(np.float64)
    strata = strata_of(np.repeat(np.arange(len(sizes)), sizes))
    ours = resampled_sums(sums, strata, seed=5, replicates=40)
    assert (ours == by_plain_loop(sums, sizes, 5, 40)).all()


@given(st.integers(1, 40), st.integers(1, 60), st.integers(1, 3_000), st.integers(0, 9))
def test_replicates_do_not_depend_on_how_many_are_drawn_at_a_time(
    clusters: int, replicates: int, at_once: int, seed: int
) -> None:
    """Any number of draws at a time, one included, gives the same bytes."""
    sums = np.arange(2.0 * clusters).reshape(clusters, 2)
    strata = one_stratum(clusters)
    whole = resampled_sums(sums, strata, seed=seed, replicates=replicates)
    pieces = resampled_sums(sums, strata, seed=seed, replicates=replicates, at_once=at_once)
    assert whole.tobytes() == pieces.tobytes()


def test_large_numbers_of_draws_are_not_kept() -> None:
    """Where draws are too many to be kept, they are the same when they are made again."""
    sums = np.arange(600.0)[:, None]
    first, again = (resampled_sums(sums, one_stratum(600), seed=3) for _ in range(2))
    assert first.tobytes() == again.tobytes()
    assert len(first) == REPLICATES


def test_replicates_follow_the_distribution_of_all_resamples() -> None:
    """Of four clusters all 256 resamples are enumerated: means turn up as often as they should."""
    sums = np.array([[2.0, 3.0], [0.0, 1.0], [-1.0, 2.0], [1.0, 5.0]])
    exact: Counter[float] = Counter()
    for chosen in product(range(4), repeat=4):
        total = sums[list(chosen)].sum(axis=0)
        exact[float(total[0] / total[1])] += 1
    drawn = resampled_sums(sums, one_stratum(4), seed=1, replicates=40_000)
    found = Counter((drawn[:, 0] / drawn[:, 1]).tolist())
    assert found.keys() == exact.keys()
    for value, count in exact.items():
        share = count / 256
        error = (share * (1 - share) / 40_000) ** 0.5
        assert abs(found[value] / 40_000 - share) < 4.5 * error


@pytest.mark.slow
def test_percentiles_are_those_of_scipy() -> None:
    """Standard error and percentiles of a ratio over clusters agree with scipy's bootstrap."""
    from scipy.stats import bootstrap  # type: ignore[import-untyped]

    rng = np.random.default_rng(6)
    sizes = rng.geometric(0.3, 60)
    values, labels = changes(rng, sizes, 0.25, 0.1)
    sums = np.bincount(labels, values)

    def ratio(numerators: Floats, denominators: Floats, axis: int) -> Floats:
        return np.asarray(numerators.sum(axis=axis) / denominators.sum(axis=axis))

    theirs = bootstrap(
        (sums, sizes),
        ratio,
        paired=True,
        vectorized=True,
        n_resamples=20_000,
        method="percentile",
        rng=np.random.default_rng(7),
    )
    both = np.column_stack([sums, sizes]).astype(np.float64)
    drawn = resampled_sums(both, one_stratum(60), seed=SEED, replicates=20_000)
    ours = drawn[:, 0] / drawn[:, 1]
    error = float(theirs.standard_error)
    assert ours.std(ddof=1) == pytest.approx(error, rel=0.03)  # each known to about half a percent
    low, high = np.quantile(ours, [0.025, 0.975])
    assert low == pytest.approx(theirs.confidence_interval.low, abs=0.06 * error)
    assert high == pytest.approx(theirs.confidence_interval.high, abs=0.06 * error)


def test_percentiles_are_expanded_to_student_s_interval() -> None:
    """For equal clusters the interval is about mean and t, not mean and normal quantile."""
    rng = np.random.default_rng(9)
    values, labels = changes(rng, np.full(14, 40), 0.4, 0.2)
    found = bootstrap_difference(values, labels)
    means = values.reshape(14, 40).mean(axis=1)
    half = 2.1604 * means.std(ddof=1) / 14**0.5  # t of 13 degrees of freedom
    assert found.low is not None and found.high is not None
    assert (found.high - found.low) / 2 == pytest.approx(half, rel=0.05)
    assert expanded_tail(14) < 0.0125
    assert expanded_tail(1e6) == pytest.approx(0.025, abs=1e-5)


def test_drawing_within_studies_keeps_their_numbers_of_clusters() -> None:
    """Every replicate has as many clusters of each study as there are."""
    labels = np.array(["b", "a", "b", "c", "a", "b"], dtype=object)
    indicators = np.column_stack([labels == each for each in "abc"]).astype(np.float64)
    drawn = resampled_sums(indicators, strata_of(labels), seed=4, replicates=50)
    assert (drawn == [2, 3, 1]).all()


def test_a_study_takes_its_mean_out_of_the_spread() -> None:
    """Where studies differ and their clusters do not, drawing within them gives a narrower one."""
    labels = np.arange(120) // 2
    studies = np.where(labels < 30, "hard", "easy").astype(object)
    values = np.where(
        labels < 30, np.tile([1.0, 1.0, 0.0, 1.0], 30), np.tile([0.0, 0.0, 1.0, 0.0], 30)
    )
    whole, within = (
        bootstrap_difference(values, labels),
        bootstrap_difference(values, labels, studies),
    )
    assert (whole.method, within.method) == (BOOTSTRAP, WITHIN)
    assert whole.value == within.value
    assert whole.low is not None and within.low is not None
    assert whole.high is not None and within.high is not None
    assert within.high - within.low < 0.9 * (whole.high - whole.low)


def test_a_cluster_of_two_studies_is_drawn_among_its_like() -> None:
    """Clusters in both studies are a stratum of their own, and too few of them are named."""
    labels = np.repeat(np.arange(40), 2)
    studies = np.array(["a", "a"] * 19 + ["b", "b"] * 20 + ["a", "b"], dtype=object)
    values = np.tile([1.0, 0.0, -1.0, 1.0], 20)
    assert bootstrap_difference(values, labels, studies).note == TOO_FEW_IN_STUDY
    assert bootstrap_difference(values[:-2], labels[:-2], studies[:-2]).note == ""


def test_what_cannot_be_estimated_is_named() -> None:
    """No value, one cluster, nine, all alike and nearly all alike have a reason and no interval."""
    nothing = bootstrap_difference(np.empty(0), np.empty(0))
    assert (nothing.value, nothing.note, nothing.n) == (None, NOTHING, 0)
    values = np.tile([1.0, 0.0, 0.0, -1.0, 1.0], 18)
    for clusters in (1, FEWEST - 1):
        few = bootstrap_difference(values, np.arange(90) % clusters)
        assert few.value == pytest.approx(0.2)
        assert (few.low, few.note) == (None, TOO_FEW)
    for value in (-1.0, 0.0, 1.0):
        alike = bootstrap_difference(np.full(90, value), np.arange(90))
        assert (alike.value, alike.low, alike.note) == (value, None, ONE_VALUE)
        for others, note in ((5, TOO_FEW_UNLIKE), (6, "")):
            nearly = np.full(90, value)
            nearly[:others] = 1.0 if value == 0.0 else 0.0
            assert bootstrap_difference(nearly, np.arange(90)).note == note


def test_an_estimate_says_how_it_was_made() -> None:
    """It has method, seed, n and clusters; another seed moves its ends a little."""
    values, labels = changes(np.random.default_rng(3), np.full(30, 5), 0.3, 0.1)
    found, again = bootstrap_difference(values, labels), bootstrap_difference(values, labels)
    assert found == again
    assert (found.method, found.seed, found.n, found.clusters) == (BOOTSTRAP, SEED, 150, 30)
    assert found.effective_clusters == pytest.approx(clusters_of(labels).effective)
    assert found.value == pytest.approx(values.mean())
    other = bootstrap_difference(values, labels, seed=SEED + 1)
    assert other.low != found.low
    assert other.low == pytest.approx(found.low, abs=0.01)


SHAPES = {
    "twelve": [6] * 12,
    "forty": list(np.random.default_rng(8).geometric(0.25, 40)),
    "one giant": [30] + [1] * 299,
    "three hundred": list(np.random.default_rng(7).geometric(1 / 7, 300)),
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("shares", [(0.22, 0.06), (0.05, 0.02), (0.1, 0.1), (0.6, 0.02)], ids=str)
def test_nominal_intervals_cover(shape: str, shares: tuple[float, float]) -> None:
    """Of the 95% intervals that are given, 92.5 to 97.5% hold the true difference: 93 to 97%, but
    for the error of 1,000 repetitions. Those that take pairs for independent hold it less often
    where clusters are larger than one pair."""
    sizes, truth = np.array(SHAPES[shape]), shares[0] - shares[1]
    rng = np.random.default_rng(round(1_000 * truth) + len(sizes))
    given_ones = covered = naive = 0
    for _ in range(1_000):
        values, labels = changes(rng, sizes, *shares)
        found = bootstrap_difference(values, labels)
        error = values.std() / len(values) ** 0.5
        if found.low is None or found.high is None:
            assert found.note in (TOO_FEW_UNLIKE, ONE_VALUE)
            continue
        given_ones += 1
        covered += found.low <= truth <= found.high
        naive += abs(values.mean() - truth) <= 1.96 * error
    if given_ones >= 300:
        assert 0.925 <= covered / given_ones <= 0.975
    if given_ones == 1_000 and shape != "one giant":
        assert naive / given_ones < 0.91
