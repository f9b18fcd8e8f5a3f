"""CR2 is the formula of Bell and McCaffrey, whatever route it is computed by."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deskcheck.analysis.statistics.cluster_robust import bias_reduced
from deskcheck.analysis.statistics.estimates import Floats, Labels, clusters_of


def rows(seed: int, clusters: int = 14, columns: int = 4) -> tuple[Floats, Floats, Labels]:
    """A design, the residuals of a least-squares fit on it, and labels of uneven clusters."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(clusters), rng.integers(1, 9, clusters))
    design = rng.normal(0, 1, (len(labels), columns)) + rng.normal(0, 1, (clusters, 1))[labels]
    values = rng.normal(0, 1, len(labels)) + rng.normal(0, 1, clusters)[labels]
    residuals = values - design @ np.linalg.lstsq(design, values)[0]
    return design, residuals, labels


def by_hand(design: Floats, residuals: Floats, labels: Labels) -> tuple[Floats, Floats]:
    """Covariance and degrees of freedom with dense n x n matrices, straight from the papers."""
    n = len(design)
    bread = np.linalg.inv(design.T @ design)
    left = np.eye(n) - design @ bread @ design.T
    meat = np.zeros((design.shape[1],) * 2)
    vectors = []
    for each in np.unique(labels):
        own = labels == each
        values, turned = np.linalg.eigh(left[np.ix_(own, own)])
        factor = turned @ np.diag(values**-0.5) @ turned.T
        score = design[own].T @ factor @ residuals[own]
        meat += np.outer(score, score)
        vectors.append(left[:, own] @ factor @ design[own] @ bread)
    stacked = np.stack(vectors)
    freedom = []
    for coefficient in range(design.shape[1]):
        scores = stacked[:, :, coefficient]
        spread = scores @ scores.T
        freedom.append(np.trace(spread) ** 2 / (spread**2).sum())
    return bread @ meat @ bread, np.array(freedom)


@pytest.mark.parametrize("seed", range(4))
def test_it_equals_the_dense_formula(seed: int) -> None:
    """Covariance and Satterthwaite's degrees of freedom, to ten digits."""
    design, residuals, labels = rows(seed)
    found = bias_reduced(design, residuals, clusters_of(labels))
    covariance, freedom = by_hand(design, residuals, labels)
    np.testing.assert_allclose(found.covariance, covariance, rtol=1e-10)
    np.testing.assert_allclose(found.freedom, freedom, rtol=1e-10)
    np.testing.assert_allclose(found.borne_out, 1.0, rtol=1e-10)


def test_it_is_unbiased_where_rows_are_independent() -> None:
    """Its expected value is the variance of the coefficients, unlike that of the plain sandwich,
    which is less. A quadratic form's expectation is the sum over one error at a time."""
    design, _, labels = rows(5, clusters=8)
    groups = clusters_of(labels)
    bread = np.linalg.inv(design.T @ design)
    left = np.eye(len(design)) - design @ bread @ design.T
    reduced, plain = np.zeros((4, 4)), np.zeros((4, 4))
    for residuals in left.T:
        reduced += bias_reduced(design, residuals, groups).covariance
        scores = np.zeros((groups.count, 4))
        np.add.at(scores, groups.index, design * residuals[:, None])
        plain += bread @ scores.T @ scores @ bread
    np.testing.assert_allclose(reduced, bread, rtol=1e-9, atol=1e-12)
    assert (np.diag(plain) < 0.9 * np.diag(bread)).all()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.01, 100))
def test_order_names_and_scale_do_not_matter(seed: int, scale: float) -> None:
    """Rows in another order, clusters of other names, and columns in other units change nothing
    but the units."""
    design, residuals, labels = rows(seed)
    found = bias_reduced(design, residuals, clusters_of(labels))
    rng = np.random.default_rng(seed)
    order, names = rng.permutation(len(labels)), rng.permutation(1000)[: labels.max() + 1]
    units = np.array([1.0, scale, 1.0, 1 / scale])
    again = bias_reduced(
        (design * units)[order], residuals[order], clusters_of(names[labels[order]])
    )
    np.testing.assert_allclose(
        again.covariance * np.outer(units, units), found.covariance, rtol=1e-6, atol=1e-9
    )
    np.testing.assert_allclose(again.freedom, found.freedom, rtol=1e-6)


def test_a_coefficient_of_one_cluster_is_not_borne_out() -> None:
    """A column that only one cluster has leaves no residuals to tell its spread; others are as
    good as without it."""
    design, residuals, labels = rows(3)
    alone = np.where(labels == 2, 1.0, 0.0)
    wide = np.column_stack([design, alone])
    residuals -= wide @ np.linalg.lstsq(wide, residuals)[0]
    found = bias_reduced(wide, residuals, clusters_of(labels))
    assert found.borne_out[-1] < 0.5
    np.testing.assert_allclose(found.borne_out[:-1], 1.0, rtol=1e-9)
