"""How much predictors tell the same, once intercepts have taken their part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deskcheck.analysis.statistics.estimates import Floats

NEGLIGIBLE = 1e-8
"""Relative size below which a column is taken for rounding."""

CONSTANT = "constant predictor"
COLLINEAR = "collinear predictors"
"""One is a sum of multiples of others and intercepts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collinearity:
    """Of predictors less what a least-squares fit on the intercepts explains of each.

    `inflation` has each predictor's variance inflation factor, 1 / (1 - R^2) of its regression on
    the others. `condition` is the ratio of the largest to the smallest singular value of the
    columns, each scaled to length 1 (Belsley, Kuh and Welsch). Both are 1 where predictors tell
    nothing of each other. `note` says why they cannot be had.
    """

    inflation: tuple[float, ...] = ()
    condition: float | None = None
    note: str = ""


def collinearity(predictors: Floats, intercepts: Floats) -> Collinearity:
    """Of predictors (rows x k), beside intercepts (rows x q) whose columns are independent."""
    if not np.ptp(predictors, axis=0).all():
        return Collinearity(note=CONSTANT)
    centred = predictors - predictors.mean(axis=0)
    basis = np.linalg.qr(intercepts)[0]
    left = centred - basis @ (basis.T @ centred)
    lengths = np.linalg.norm(left, axis=0)
    if (lengths <= NEGLIGIBLE * np.linalg.norm(centred, axis=0)).any():
        return Collinearity(note=COLLINEAR)
    singular, turned = np.linalg.svd(left / lengths, full_matrices=False)[1:]
    if singular[-1] <= NEGLIGIBLE * singular[0]:
        return Collinearity(note=COLLINEAR)
    inflation = ((turned / singular[:, None]) ** 2).sum(axis=0)
    return Collinearity(
        inflation=tuple(float(each) for each in inflation),
        condition=float(singular[0] / singular[-1]),
    )


def independent(columns: Floats) -> Floats:
    """As many of the columns as are linearly independent; they span the same."""
    from scipy.linalg import qr  # type: ignore[import-untyped]

    found = qr(columns, mode="r", pivoting=True)
    sizes, order = np.abs(np.diag(found[0])), np.asarray(found[-1])
    return columns[:, np.sort(order[: len(sizes)][sizes > NEGLIGIBLE * sizes[0]])]
