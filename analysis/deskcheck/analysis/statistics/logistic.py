"""Logistic regression of errors with intercepts by level and intervals that respect clusters.

What cannot be fitted is named, and has no number; statsmodels does the fitting.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deskcheck.analysis.statistics.cluster_robust import bias_reduced
from deskcheck.analysis.statistics.collinearity import Collinearity, collinearity, independent
from deskcheck.analysis.statistics.estimates import (
    FEWEST,
    LEVEL,
    NOTHING,
    TOO_FEW,
    Clusters,
    Estimate,
    Floats,
    Labels,
    clusters_of,
)
from deskcheck.analysis.statistics.slopes import NOT_CONVERGED, ONE_DECIDES, TOO_WIDE, WIDEST
from deskcheck.analysis.statistics.theta import (
    ONE_OUTCOME,
    ONE_SIDE,
    SEPARATED,
    effective_by_outcome,
)

REDUCED = "logistic regression, odds ratio per unit (CR2 variance, t with Satterthwaite's degrees)"
SANDWICH = "logistic regression, odds ratio per unit (CR1 sandwich of statsmodels, normal quantile)"

_WHOLE = 1 - 1e-6
_SURE = 1e-6
"""Fits that put no probability this close to 0 or 1 have converged to a maximum inside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A level whose rows all have one outcome. Its intercept is infinite, whatever the slopes;
    so its rows tell nothing of them, and are left out."""

    factor: str
    level: str
    rows: int
    wrong: bool
    """Their outcome."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slope:
    """What one more of a predictor does to the odds of an error, all others being equal."""

    predictor: str
    reduced: Estimate
    """The odds ratio with its CR2 interval."""
    sandwich: Estimate
    """The same with the interval of the plain sandwich, which is too short for few clusters."""
    freedom: float | None
    """Degrees of freedom of the first."""
    inflation: float | None
    """Variance inflation factor, see `collinearity`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A fit, or the reason why there is none: `note`, which the slopes' estimates have too."""

    slopes: tuple[Slope, ...]
    rows: int
    """That were fitted, without those of dropped levels."""
    errors: int
    clusters: int
    effective_clusters: float
    condition: float | None
    """Of the predictors, see `collinearity`."""
    dropped: tuple[Dropped, ...]
    note: str


def logistic(
    error: Floats, predictors: Mapping[str, Floats], factors: Mapping[str, Labels], labels: Labels
) -> Model:
    """Fit errors (1.0 or 0.0) on predictors, with an intercept for each level of each factor.

    All arrays have one value for each row; `labels` are clusters. Factors are coded without their
    first level, beside a common intercept; an intercept that others make up is left out. Errors
    and right answers must each come from ten effective clusters for an interval.
    """
    factors = {name: levels.astype(str) for name, levels in factors.items()}
    kept, dropped = _informative(error, factors)
    outcome = error[kept]
    ground = _Ground(
        names=tuple(predictors),
        rows=len(outcome),
        errors=int(outcome.sum()),
        groups=clusters_of(labels[kept]),
        dropped=dropped,
    )
    if not len(error):
        return _model(ground, NOTHING)
    if not len(outcome):
        return _model(ground, ONE_OUTCOME)
    slopes = np.column_stack([values[kept] for values in predictors.values()])
    columns = [column for levels in factors.values() for column in _columns(levels[kept])]
    intercepts = independent(np.column_stack([np.ones(len(outcome)), *columns]))
    shared = collinearity(slopes, intercepts)
    if shared.note:
        return _model(ground, shared.note)
    # Centred, as conditions the fit and changes nothing but the common intercept.
    design = np.column_stack([intercepts, slopes - slopes.mean(axis=0)])
    return _fitted(ground, outcome, design, shared)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ground:
    """What a model rests on."""

    names: tuple[str, ...]
    rows: int
    errors: int
    groups: Clusters
    dropped: tuple[Dropped, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A slope in log odds, half the widths of its intervals, and degrees of freedom; or why not."""

    note: str = ""
    slope: float | None = None
    reduced: float | None = None
    sandwich: float | None = None
    freedom: float | None = None


def _informative(
    error: Floats, factors: Mapping[str, Labels]
) -> tuple[NDArray[np.bool_], tuple[Dropped, ...]]:
    """The rows that are left when levels of one outcome are dropped until there are none."""
    kept = np.ones(len(error), dtype=np.bool_)
    dropped: list[Dropped] = []
    while kept.any():
        found = [
            (level, each)
            for factor, levels in factors.items()
            for level, each in _of_one_outcome(factor, levels, error, kept)
        ]
        if not found:
            if np.ptp(error[kept]):
                break
            kept[:] = False  # no factor tells what is the same everywhere
        for rows, each in found:
            kept &= ~rows
            dropped.append(each)
    return kept, tuple(dropped)


def _of_one_outcome(
    factor: str, levels: Labels, error: Floats, kept: NDArray[np.bool_]
) -> Iterator[tuple[NDArray[np.bool_], Dropped]]:
    for level in np.unique(levels[kept]):
        rows = kept & (levels == level)
        outcomes = error[rows]
        if not np.ptp(outcomes):
            wrong = bool(outcomes[0])
            yield rows, Dropped(factor=factor, level=str(level), rows=len(outcomes), wrong=wrong)


def _columns(levels: Labels) -> Iterator[Floats]:
    """A column of 1.0 and 0.0 for each level but the first."""
    for level in np.unique(levels)[1:]:
        yield (levels == level).astype(np.float64)


def _fitted(ground: _Ground, error: Floats, design: Floats, shared: Collinearity) -> Model:
    from scipy.special import stdtrit  # type: ignore[import-untyped]
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM
    from statsmodels.stats.sandwich_covariance import cov_cluster

    groups, places = ground.groups, range(design.shape[1] - len(ground.names), design.shape[1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what they say is found out here, and named
        fitted = GLM(error, design, family=Binomial()).fit(maxiter=100)
        share = np.asarray(fitted.fittedvalues, dtype=np.float64)
    slopes = np.asarray(fitted.params, dtype=np.float64)
    sure = np.minimum(share, 1 - share).min() < _SURE
    if (sure or not fitted.converged) and separated(design, error):
        return _model(ground, SEPARATED, shared=shared)
    if not fitted.converged or not np.isfinite(slopes).all():
        return _model(ground, NOT_CONVERGED, shared=shared)
    note = _without_interval(error, groups)
    if note:
        found = [_Found(slope=float(slopes[place])) for place in places]
        return _model(ground, note, found, shared)
    root = np.sqrt(share * (1 - share))
    reduced = bias_reduced(design * root[:, None], (error - share) / root, groups)
    wide = np.sqrt(np.diag(reduced.covariance)) * stdtrit(reduced.freedom, (1 + LEVEL) / 2)
    sandwich = cov_cluster(fitted, groups.index)
    plain = np.sqrt(np.diag(sandwich)) * stdtrit(np.inf, (1 + LEVEL) / 2)
    found = [
        _Found(
            slope=float(slopes[place]),
            reduced=float(wide[place]),
            sandwich=float(plain[place]),
            freedom=float(reduced.freedom[place]),
        )
        if reduced.borne_out[place] > _WHOLE
        else _Found(slope=float(slopes[place]), note=ONE_DECIDES)
        for place in places
    ]
    return _model(ground, "", found, shared)


def _without_interval(error: Floats, groups: Clusters) -> str:
    if groups.effective < FEWEST:
        return TOO_FEW
    return ONE_SIDE if min(effective_by_outcome(error, groups)) < FEWEST else ""


def separated(design: Floats, error: Floats) -> bool:
    """Whether some direction tells errors from right answers, ties allowed, so that the likelihood
    has no maximum; the design must be of full rank. By the linear programme of Konis (2007): a
    direction that puts every error at or above 0, every right answer at or below, and not all of
    them at 0."""
    from scipy.optimize import linprog  # type: ignore[import-untyped]

    # On an orthonormal basis a direction that reaches the bounds has a sum of 1 at least, and one
    # that does not exist has 0: no tolerance of the solver can take one for the other.
    sides = np.linalg.qr(design)[0] * np.where(error == 1, 1.0, -1.0)[:, None]
    found = linprog(
        -sides.sum(axis=0), A_ub=-sides, b_ub=np.zeros(len(sides)), bounds=(-1, 1), method="highs"
    )
    return bool(-found.fun > 0.5)


def _model(
    ground: _Ground,
    note: str,
    found: Sequence[_Found] = (),
    shared: Collinearity | None = None,
) -> Model:
    found = found or [_Found()] * len(ground.names)
    return Model(
        slopes=tuple(
            Slope(
                predictor=name,
                reduced=_ratio(ground, REDUCED, note or each.note, each.slope, each.reduced),
                sandwich=_ratio(ground, SANDWICH, note or each.note, each.slope, each.sandwich),
                freedom=each.freedom,
                inflation=shared.inflation[place] if shared else None,
            )
            for place, (name, each) in enumerate(zip(ground.names, found, strict=True))
        ),
        rows=ground.rows,
        errors=ground.errors,
        clusters=ground.groups.count,
        effective_clusters=ground.groups.effective,
        condition=shared.condition if shared else None,
        dropped=ground.dropped,
        note=note,
    )


def _ratio(
    ground: _Ground, method: str, note: str, slope: float | None, margin: float | None
) -> Estimate:
    low = high = value = None
    if slope is not None and abs(slope) + (margin or 0.0) > WIDEST:
        note = TOO_WIDE
    elif slope is not None:
        value = math.exp(slope)
        if margin is not None:
            low, high = math.exp(slope - margin), math.exp(slope + margin)
    return Estimate(
        value=value,
        low=low,
        high=high,
        method=method,
        n=ground.rows,
        clusters=ground.groups.count,
        effective_clusters=ground.groups.effective,
        note=note,
    )
