"""Two settings, or two versions of a model, on the questions that both were asked."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from deskcheck.analysis.frames import labels
from deskcheck.analysis.pairs import Paired, paired, setting_pairs
from deskcheck.analysis.statistics.estimates import (
    FEWEST,
    NOTHING,
    ONE_VALUE,
    TOO_FEW,
    Floats,
    Labels,
    clusters_of,
    jackknife_variance,
)
from deskcheck.analysis.statistics.resampling import TOO_FEW_UNLIKE, few_unlike
from deskcheck.builder.cases import ARMS

if TYPE_CHECKING:
    import pandas as pd

ALPHA = 0.05
POWER = 0.8
MARGIN = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """What the pairs could have shown. Numbers are None where `note` names the reason.

    The standard error leaves out one cluster at a time, and quantiles are of Student's t with the
    effective clusters less one as degrees of freedom.
    """

    standard_error: float | None
    detectable: float | None
    """The smallest true difference that a two-sided test at 5% finds in 80% of such studies."""
    margin: float
    equivalence_p: float | None
    """The larger p of two one-sided tests: that the difference is not below the margin, and not
    above its negative. Below 5% the settings are equivalent within the margin."""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """The pairs of one part: all of them, those of an arm, or those of a study."""

    of: str
    name: str
    paired: Paired
    sensitivity: Sensitivity

    @property
    def verdict(self) -> str:
        """In words, what the interval and the equivalence test say together."""
        difference, p = self.paired.difference, self.sensitivity.equivalence_p
        differs = (
            difference.low is not None
            and difference.high is not None
            and not difference.low <= 0 <= difference.high
        )
        within = p is not None and p < ALPHA
        if differs:
            return "differs, within the margin" if within else "differs"
        if within:
            return "equivalent"
        return difference.note or self.sensitivity.note or "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two sides, their pairs in parts, and the tasks that only one of them was asked, by id."""

    parts: tuple[Compared, ...]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]


def compare(first: pd.DataFrame, second: pd.DataFrame, margin: float = MARGIN) -> Comparison:
    """Compare the cells of two settings, of one repeat each; differences are first less second.

    Tasks are matched by id, which is the hash of all that they ask; so the two may come from
    different datasets. `margin` is a share, such as 0.05 for five points.
    """
    pairs = setting_pairs(first, second)
    ids = [set(labels(each, "task_id")) for each in (first, second)]
    return Comparison(
        parts=tuple(
            Compared(of=of, name=name, paired=paired(own), sensitivity=_of_pairs(own, margin))
            for of, name, own in _parts(pairs)
        ),
        only_first=tuple(sorted(ids[0] - ids[1])),
        only_second=tuple(sorted(ids[1] - ids[0])),
    )


def _parts(pairs: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    yield "all", "", pairs
    for of, order in (("arm", ARMS), ("study", sorted(set(labels(pairs, "study"))))):
        names = labels(pairs, of)
        for name in order:
            if name in names:
                yield of, name, pairs[names == name]


def _of_pairs(pairs: pd.DataFrame, margin: float) -> Sensitivity:
    whole = pairs.dropna(subset=["first", "second"])
    differences = (whole["first"] - whole["second"]).to_numpy(dtype=np.float64)
    return sensitivity(differences, labels(whole, "cluster"), margin)


def sensitivity(differences: Floats, clusters: Labels, margin: float) -> Sensitivity:
    """What differences -1, 0 and 1 in these clusters could have shown."""
    groups = clusters_of(clusters)
    note = ""
    if not len(differences):
        note = NOTHING
    elif groups.effective < FEWEST:
        note = TOO_FEW
    elif not np.ptp(differences):
        note = ONE_VALUE
    elif few_unlike(np.bincount(groups.index, differences, groups.count), groups):
        note = TOO_FEW_UNLIKE
    if note:
        return Sensitivity(
            standard_error=None, detectable=None, margin=margin, equivalence_p=None, note=note
        )
    from scipy.special import stdtr, stdtrit  # type: ignore[import-untyped]

    error = math.sqrt(jackknife_variance(differences, groups))
    freedom = groups.effective - 1
    quantiles = float(stdtrit(freedom, 1 - ALPHA / 2) + stdtrit(freedom, POWER))
    value = abs(float(differences.mean()))
    # The nearer end of the margin has the larger p.
    p = float(stdtr(freedom, (value - margin) / error))
    return Sensitivity(
        standard_error=error, detectable=quantiles * error, margin=margin, equivalence_p=p
    )
