"""Odds per doubling: statsmodels' fit, an interval by clusters, and named failures."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from statsmodels.discrete.discrete_model import Logit

from deskcheck.analysis.statistics.estimates import NOTHING, ONE_VALUE, TOO_FEW, Estimate, Floats
from deskcheck.analysis.statistics.slopes import ONE_DECIDES, TOO_WIDE, ZERO, odds_per_doubling
from deskcheck.analysis.statistics.theta import ONE_OUTCOME, ONE_SIDE, SEPARATED


def draw(
    rng: np.random.Generator, sizes: np.ndarray, slope: float
) -> tuple[Floats, Floats, np.ndarray]:
    """Measure, failures and clusters; the slope holds on average over the clusters' effects."""
    from scipy.stats import norm  # type: ignore[import-untyped]

    labels = np.repeat(np.arange(len(sizes)), sizes)
    exponent = rng.normal(10, 1.3, len(labels)) + rng.normal(0, 1.3, len(sizes))[labels]
    latent = math.sqrt(0.6) * rng.normal(size=len(labels))
    latent += math.sqrt(0.4) * rng.normal(size=len(sizes))[labels]
    chance = 1 / (1 + np.exp(-slope * (exponent - 10)))
    return np.exp2(exponent), (norm.cdf(latent) < chance).astype(np.float64), labels


def slope_of(measure: Floats, failed: Floats) -> float:
    design = np.column_stack([np.ones(len(measure)), np.log2(measure)])
    return float(Logit(failed, design).fit(disp=0).params[1])


def margin(found: Estimate) -> float:
    """Half of the interval, in log-odds."""
    assert found.low is not None and found.high is not None
    return math.log(found.high / found.low) / 2


def test_it_is_the_odds_ratio_of_a_logistic_model_of_log2() -> None:
    """As statsmodels fits it; another unit of the measure changes nothing."""
    measure, failed, labels = draw(np.random.default_rng(1), np.full(40, 2), 0.5)
    found = odds_per_doubling(measure, failed, labels)
    assert found.value == pytest.approx(math.exp(slope_of(measure, failed)), rel=1e-8)
    other = odds_per_doubling(measure * 1_000, failed, labels)
    assert (other.value, other.low, other.high) == pytest.approx(
        (found.value, found.low, found.high), rel=1e-6
    )


def test_the_variance_is_close_to_that_of_leaving_clusters_out() -> None:
    """One Newton step stands for a new fit without each cluster, and is within 5% of it here."""
    from scipy.stats import t as student

    measure, failed, labels = draw(np.random.default_rng(2), np.full(60, 4), 0.4)
    whole = slope_of(measure, failed)
    left = [slope_of(measure[labels != each], failed[labels != each]) for each in range(60)]
    error = math.sqrt(59 / 60 * sum((each - whole) ** 2 for each in left))
    found = odds_per_doubling(measure, failed, labels)
    assert margin(found) == pytest.approx(student.ppf(0.975, 59) * error, rel=0.05)


def test_many_clusters_give_the_cluster_sandwich() -> None:
    """With 1,000 clusters the interval is within 3% of that of statsmodels' clustered errors."""
    measure, failed, labels = draw(np.random.default_rng(3), np.full(1_000, 3), 0.3)
    design = np.column_stack([np.ones(len(measure)), np.log2(measure)])
    fitted = Logit(failed, design).fit(disp=0, cov_type="cluster", cov_kwds={"groups": labels})
    found = odds_per_doubling(measure, failed, labels)
    assert margin(found) == pytest.approx(1.96 * float(fitted.bse[1]), rel=0.03)


@pytest.mark.parametrize(
    ("measure", "failed", "labels", "note"),
    [
        ([], [], [], NOTHING),
        ([1, 2], [1, 1], [0, 1], ONE_OUTCOME),
        ([0, 2, 3], [1, 0, 1], [0, 1, 2], ZERO),
        ([4, 4, 4], [1, 0, 1], [0, 1, 2], ONE_VALUE),
        ([1, 2, 3, 4], [0, 0, 1, 1], range(4), SEPARATED),
        ([1, 2, 2, 1], [0, 0, 1, 0], range(4), SEPARATED),
        ([1, 2, 3, 4, 1, 2, 3, 4], [0, 1, 0, 1, 1, 0, 0, 1], range(8), TOO_FEW),
        ([1, 2, 3, 4] * 10, [0, 1, 0, 0] * 9 + [0, 0, 1, 0], range(40), ""),
        ([1, 2, 3, 4] * 10, [0, 1, 0, 0] * 8 + [0] * 7 + [1], range(40), ONE_SIDE),
        ([4] * 38 + [8, 8], [0, 1] * 20, [*range(38), 38, 38], ONE_DECIDES),
        ([10_000, 10_001, 10_002, 10_003] * 10, [0, 1, 0, 1, 1] * 8, range(40), TOO_WIDE),
    ],
)
def test_what_has_no_slope_is_named(
    measure: Sequence[float], failed: Sequence[int], labels: Sequence[int], note: str
) -> None:
    """A slope without bounds, or an interval that would not hold, is never a silent number."""
    found = odds_per_doubling(
        np.array(measure, dtype=np.float64),
        np.array(failed, dtype=np.float64),
        np.array(list(labels)),
    )
    assert found.note == note
    assert (found.low is None) == bool(note)
    assert (found.value is None) == (note not in ("", TOO_FEW, ONE_SIDE, ONE_DECIDES))


@pytest.mark.slow
@pytest.mark.parametrize("slope", [0.0, 0.5])
@pytest.mark.parametrize("sizes", [np.ones(80, int), np.array([1, 2, 3, 4, 5, 6] * 6)])
def test_intervals_cover_what_they_promise(sizes: np.ndarray, slope: float) -> None:
    """Nominal 95% intervals hold the true odds ratio in 93 to 97.5% of made-up series."""
    rng = np.random.default_rng(4)
    held = []
    for _ in range(1_000):
        found = odds_per_doubling(*draw(rng, sizes, slope))
        if found.low is not None and found.high is not None:
            held.append(found.low <= math.exp(slope) <= found.high)
    assert len(held) > 900
    assert 0.93 <= np.mean(held) <= 0.975
