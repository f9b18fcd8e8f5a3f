"""How much predictors share is measured as textbooks say, and total agreement is named."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.outliers_influence import variance_inflation_factor

from deskcheck.analysis.statistics.collinearity import (
    COLLINEAR,
    CONSTANT,
    collinearity,
    independent,
)


def intercepts(rng: np.random.Generator, rows: int) -> np.ndarray:
    levels = rng.integers(0, 3, rows)
    return np.column_stack([np.ones(rows), levels == 1, levels == 2]).astype(np.float64)


def test_inflation_is_that_of_statsmodels() -> None:
    """In the full design, intercepts among its columns, each predictor has the same factor; scale
    and place of predictors change nothing."""
    rng = np.random.default_rng(1)
    base = intercepts(rng, 120)
    first, second = rng.normal(8, 2, 120), rng.normal(5, 1, 120) + base[:, 1]
    predictors = np.column_stack([first, second, first + second + rng.normal(0, 0.4, 120)])
    found = collinearity(predictors, base)
    left = predictors - base @ np.linalg.lstsq(base, predictors)[0]
    for place, value in enumerate(found.inflation):
        assert value == pytest.approx(variance_inflation_factor(left, place), rel=1e-9)
    lengths = np.linalg.norm(left, axis=0)
    assert found.condition == pytest.approx(np.linalg.cond(left / lengths), rel=1e-9)
    again = collinearity(predictors * [1, 100, 0.01] + [5, -3, 0], base)
    assert again.inflation == pytest.approx(found.inflation, rel=1e-6)
    assert again.condition == pytest.approx(found.condition, rel=1e-6)


def test_strangers_have_factors_of_one() -> None:
    """Orthogonal predictors inflate nothing, and their condition number is 1."""
    table = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1).T.astype(np.float64)
    found = collinearity(table, np.ones((8, 1)))
    assert found.inflation == pytest.approx((1, 1, 1))
    assert found.condition == pytest.approx(1)


def test_what_cannot_be_told_apart_is_named() -> None:
    """A predictor without spread, one that levels determine, and one that two others make up."""
    rng = np.random.default_rng(2)
    base = intercepts(rng, 60)
    free = rng.normal(0, 1, (60, 2))
    assert collinearity(np.column_stack([free, np.full(60, 7.3)]), base).note == CONSTANT
    by_level = base @ [1.7, 2.0, -1.0]
    assert collinearity(np.column_stack([free, by_level]), base).note == COLLINEAR
    made_up = 0.1 * free[:, 0] + 3 * free[:, 1] + by_level
    assert collinearity(np.column_stack([free, made_up]), base).note == COLLINEAR


def test_dependent_columns_are_left_out() -> None:
    """What is left spans the same, and is of full rank."""
    rng = np.random.default_rng(3)
    base = intercepts(rng, 40)
    wide = np.column_stack([base, base.sum(axis=1), base[:, 1] - base[:, 2]])
    kept = independent(wide)
    assert kept.shape == (40, 3)
    assert np.linalg.matrix_rank(np.column_stack([kept, wide])) == 3
