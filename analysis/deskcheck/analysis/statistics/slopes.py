"""How the odds of a failure change with each doubling of one measure: univariate and clustered."""

from __future__ import annotations

import math
import warnings

import numpy as np

from deskcheck.analysis.statistics.estimates import (
    FEWEST,
    NOTHING,
    ONE_VALUE,
    TOO_FEW,
    Clusters,
    Estimate,
    Floats,
    Labels,
    clusters_of,
    estimated,
    t_quantile,
)
from deskcheck.analysis.statistics.theta import (
    ONE_OUTCOME,
    ONE_SIDE,
    SEPARATED,
    effective_by_outcome,
)

METHOD = "logistic regression, odds ratio per doubling (one-step jackknife over clusters, t)"

ZERO = "measure of 0"
"""Which has no logarithm."""
NOT_CONVERGED = "not converged"
ONE_DECIDES = "hangs on one cluster"
"""Without it the measure has one value."""
TOO_WIDE = "no bounds"
"""The log odds ratio, or an end of its interval, is larger than any that could be of use."""
WIDEST = 100.0
"""On the scale of log odds."""


def odds_per_doubling(measure: Floats, failed: Floats, labels: Labels) -> Estimate:
    """The factor by which the odds of a failure grow when the measure doubles.

    `measure` is positive, `failed` 1.0 or 0.0 and `labels` the cluster of each row. The fit is
    statsmodels'. The variance of its slope leaves out one cluster at a time, by one Newton step
    from the fit (Pregibon's): the sandwich of Liang and Zeger covers 90 to 95% in simulations of
    70 to 150 rows in 14 to 80 clusters, this one 94 to 97%, with a t quantile of effective
    clusters less one. Failures and successes must each come from ten effective clusters.
    """
    groups = clusters_of(labels)
    named = _not_estimable(measure, failed)
    if named:
        return _estimate(None, groups, named)
    exponent = np.log2(measure)
    design = np.column_stack([np.ones(len(exponent)), exponent - exponent.mean()])
    fitted = _fit(design, failed)
    if fitted is None:
        return _estimate(None, groups, NOT_CONVERGED)
    slope = float(fitted[1])
    if groups.effective < FEWEST:
        return _estimate(slope, groups, TOO_FEW)
    if min(effective_by_outcome(failed, groups)) < FEWEST:
        return _estimate(slope, groups, ONE_SIDE)
    variance = _variance(design, failed, fitted, groups)
    if variance is None:
        return _estimate(slope, groups, ONE_DECIDES)
    return _estimate(slope, groups, "", t_quantile(groups.effective - 1) * math.sqrt(variance))


def _not_estimable(measure: Floats, failed: Floats) -> str:
    if not len(measure):
        return NOTHING
    if failed.min() == failed.max():
        return ONE_OUTCOME
    if measure.min() <= 0:
        return ZERO
    if not np.ptp(measure):
        return ONE_VALUE
    of_failures, of_successes = measure[failed == 1], measure[failed == 0]
    # Where both share no more than one value at the border, the slope grows without end too.
    if of_failures.min() >= of_successes.max() or of_failures.max() <= of_successes.min():
        return SEPARATED
    return ""


def _fit(design: Floats, failed: Floats) -> Floats | None:
    from statsmodels.discrete.discrete_model import Logit
    from statsmodels.tools.sm_exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # said by `converged`
        fitted = Logit(failed, design).fit(disp=0, maxiter=100)
    if not fitted.mle_retvals["converged"]:
        return None
    return np.asarray(fitted.params, dtype=np.float64)


def _variance(design: Floats, failed: Floats, fitted: Floats, groups: Clusters) -> float | None:
    """Of the slope; None where leaving out one cluster leaves no slope."""
    share = 1 / (1 + np.exp(-design @ fitted))
    weight, residual = share * (1 - share), failed - share

    def summed(values: Floats) -> Floats:
        return np.bincount(groups.index, values, groups.count)

    scores = np.stack([summed(residual * design[:, i]) for i in (0, 1)], axis=1)
    parts = [[summed(weight * design[:, i] * design[:, j]) for j in (0, 1)] for i in (0, 1)]
    information = np.moveaxis(np.array(parts), 2, 0)
    left = information.sum(axis=0) - information
    if np.linalg.cond(left).max() > 1e12:
        return None
    changes = np.linalg.solve(left, scores[:, :, None])[:, 1, 0]
    return float((groups.count - 1) / groups.count * (changes**2).sum())


def _estimate(
    slope: float | None, groups: Clusters, note: str, margin: float | None = None
) -> Estimate:
    if slope is not None and abs(slope) + (margin or 0.0) > WIDEST:
        slope, note = None, TOO_WIDE
    if slope is None:
        return estimated(None, groups, METHOD, note)
    ends = None if margin is None else (math.exp(slope - margin), math.exp(slope + margin))
    return estimated(math.exp(slope), groups, METHOD, note, ends)
