"""The variance of a regression whose rows fall into clusters, with a correction for few clusters.

The sandwich of Liang and Zeger takes residuals for errors, though a fit follows its own rows; so
it is too small where clusters are few or unlike. CR2 (Bell and McCaffrey 2002; Pustejovsky and
Tipton 2018) inflates each cluster's residuals by (I - H)^(-1/2), H being the cluster's part of the
hat matrix: so the variance is unbiased if the working model holds. Its degrees of freedom are
Satterthwaite's under that model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deskcheck.analysis.statistics.estimates import Clusters, Floats

UNDETERMINED = 1e-9
"""A direction of which a cluster holds all but this share; its residuals are zero, and no factor
can inflate them, so it is left out, as clubSandwich does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BiasReduced:
    """CR2 of p coefficients: their covariance (p x p), and for each one degrees of freedom, and
    which share of its variance other clusters bear out: 1.0 unless one cluster alone decides."""

    covariance: Floats
    freedom: Floats
    borne_out: Floats


def bias_reduced(design: Floats, residuals: Floats, groups: Clusters) -> BiasReduced:
    """CR2 of the least-squares fit whose design (n x p, of full rank) and residuals (n) these are.

    For a generalised linear model they are those of its last working fit: rows of the design times
    the root of their working weights, and Pearson residuals. This is vcovCR(type="CR2") of
    clubSandwich for lm on these rows. That of a glm has other matrix roots, and differs slightly.
    """
    basis, triangle = np.linalg.qr(design)
    # H of a cluster is Q_j Q_j', so all of it can be done with Q_j' Q_j, which is p x p.
    parts = _inner(basis, groups)
    values, vectors = np.linalg.eigh(parts)
    values = np.clip(values, 0.0, 1.0)
    rest = 1.0 - values
    factors = np.where(rest > UNDETERMINED, np.maximum(rest, UNDETERMINED) ** -0.5, 0.0)
    summed = np.stack(
        [np.bincount(groups.index, column * residuals, groups.count) for column in basis.T], axis=1
    )
    turned = np.einsum("gij,gi->gj", vectors, summed)
    scores = np.einsum("gij,gj->gi", vectors, factors * turned)
    back = np.linalg.inv(triangle)
    halves = scores @ back.T
    freedom, expected = _freedom(values, vectors, factors, back)
    return BiasReduced(
        covariance=halves.T @ halves,
        freedom=freedom,
        borne_out=expected / (back**2).sum(axis=1),
    )


def _inner(basis: Floats, groups: Clusters) -> Floats:
    """Q_j' Q_j of each cluster (clusters x p x p)."""
    rows = np.argsort(groups.index, kind="stable")
    ends = np.cumsum(groups.sizes).astype(np.intp)
    pieces = np.split(basis[rows], ends[:-1])
    return np.stack([piece.T @ piece for piece in pieces])


def _freedom(
    values: Floats, vectors: Floats, factors: Floats, back: Floats
) -> tuple[Floats, Floats]:
    """2 E(v)^2 / Var(v) and E(v) of each variance v, where errors have mean 0 and variance 1.

    Then v is the sum of squares of one normal score for each cluster, whose covariance matrix is
    diag(d) - T T'; of that the degrees of freedom are the squared trace over the squared norm.
    """
    turned = np.einsum("gij,ci->cgj", vectors, back)
    diagonal = (turned**2 * factors**2 * values).sum(axis=2)
    ties = np.einsum("gij,cgj->cgi", vectors, turned * factors * values)
    lengths = (ties**2).sum(axis=2)
    crossed = np.einsum("cgi,cgj->cij", ties, ties)
    traces = (diagonal - lengths).sum(axis=1)
    norms = (diagonal**2 - 2 * diagonal * lengths).sum(axis=1) + (crossed**2).sum(axis=(1, 2))
    return traces**2 / np.where(norms > 0, norms, 1.0), traces
