"""Pairs of questions that were put to one setting, or of settings that had one question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from deskcheck.analysis.frames import labels
from deskcheck.analysis.statistics.estimates import (
    FEWEST,
    Estimate,
    Floats,
    Labels,
    clusters_of,
    mean,
)
from deskcheck.analysis.statistics.resampling import (
    TOO_FEW_UNLIKE,
    bootstrap_difference,
    few_unlike,
)
from deskcheck.builder.cases import ARMS, Arm
from deskcheck.evaluate.cells import COMPLETED

if TYPE_CHECKING:
    import pandas as pd

CONTRASTS: tuple[tuple[Arm, Arm], ...] = tuple(combinations(ARMS, 2))
"""Every two arms of a case, the one that is thought to be easier first."""

ABOUT = ["study", "language", "reasoning", "setting", "arm", "cluster"]
"""What a pair is about, as its first side has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tests:
    """P-values, two-sided, of the hypothesis that either change is as likely as the other.

    All are None where there is no pair, and 1 where no pair has changed.
    """

    exact: float | None
    """McNemar's exact test, which takes pairs for independent."""
    chi_square: float | None
    """McNemar's with continuity correction, which takes pairs for independent."""
    clustered: float | None
    """Obuchowski's (1998), which takes clusters for independent; None where they, or those that
    are unlike the rest, are too few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """What became of pairs. All but `missing` and `missing_as_wrong` is about complete pairs."""

    both: int
    first_only: int
    """The first side is right and the second is not."""
    second_only: int
    neither: int
    missing: int
    """Planned pairs with a side to which no reply came back."""
    difference: Estimate
    """Share of right answers on the first side less that on the second."""
    missing_as_wrong: Estimate
    """The same of all planned pairs, where what is missing is wrong."""
    cluster_equal: Estimate
    """The same of complete pairs, where every cluster counts alike."""
    tests: Tests

    @property
    def complete(self) -> int:
        """Pairs with a reply on both sides."""
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def first_rate(self) -> float | None:
        """Share of complete pairs whose first side is right."""
        return (self.both + self.first_only) / self.complete if self.complete else None

    @property
    def second_rate(self) -> float | None:
        """Share of complete pairs whose second side is right."""
        return (self.both + self.second_only) / self.complete if self.complete else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Some of the pairs: those `of` one `name`, such as a study; or without it."""

    of: str
    name: str
    pairs: pd.DataFrame


def arm_pairs(cells: pd.DataFrame, first: Arm, second: Arm) -> pd.DataFrame:
    """One row for each setting and case that both arms were planned for, in the order of cells.

    Columns are those of `ABOUT`, and `first` and `second`: 1 where the side is right, 0 where
    another reply came back, NaN where none did. Cells must be of one repeat each.
    """
    return _joined(
        cells[labels(cells, "arm") == first],
        cells[labels(cells, "arm") == second],
        ["setting", "case_id"],
    )


def setting_pairs(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """One row for each task that both settings were planned for, like those of `arm_pairs`.

    Each frame has the cells of one setting, and of one repeat each.
    """
    return _joined(first, second, ["task_id"])


def _joined(first: pd.DataFrame, second: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    left = first[list(dict.fromkeys([*ABOUT, *by]))].assign(first=_outcomes(first))
    right = second[by].assign(second=_outcomes(second))
    return left.merge(right, on=by, how="inner", validate="one_to_one")[[*ABOUT, "first", "second"]]


def _outcomes(cells: pd.DataFrame) -> Floats:
    statuses = labels(cells, "status")
    back = np.isin(statuses, sorted(COMPLETED))
    return np.where(back, np.where(statuses == "correct", 1.0, 0.0), np.nan)


def paired(pairs: pd.DataFrame) -> Paired:
    """The numbers of some pairs, which may be none."""
    first, second = (pairs[side].to_numpy(dtype=np.float64) for side in ("first", "second"))
    clusters = labels(pairs, "cluster")
    complete = ~(np.isnan(first) | np.isnan(second))
    left, right, own = first[complete], second[complete], clusters[complete]
    difference = bootstrap_difference(left - right, own)
    missing = int((~complete).sum())
    return Paired(
        both=int((left * right).sum()),
        first_only=int((left > right).sum()),
        second_only=int((left < right).sum()),
        neither=int(((1 - left) * (1 - right)).sum()),
        missing=missing,
        difference=difference,
        missing_as_wrong=bootstrap_difference(
            np.nan_to_num(first) - np.nan_to_num(second), clusters
        )
        if missing
        else difference,
        cluster_equal=cluster_equal_difference(left - right, own),
        tests=change_tests(left - right, own),
    )


def within_studies(pairs: pd.DataFrame) -> Estimate:
    """The difference of complete pairs, with clusters drawn within their study."""
    whole = pairs.dropna(subset=["first", "second"])
    differences = (whole["first"] - whole["second"]).to_numpy(dtype=np.float64)
    return bootstrap_difference(differences, labels(whole, "cluster"), labels(whole, "study"))


def cluster_equal_difference(differences: Floats, clusters: Labels) -> Estimate:
    """The mean of the clusters' own mean differences, with Student's interval; n is of clusters."""
    groups = clusters_of(clusters)
    if not groups.count:
        return mean(differences, clusters)
    means = np.bincount(groups.index, differences, groups.count) / groups.sizes
    own = np.arange(groups.count)
    found = mean(means, own)
    if found.low is not None and few_unlike(means, clusters_of(own)):
        return replace(found, low=None, high=None, note=TOO_FEW_UNLIKE)
    return found


def change_tests(differences: Floats, clusters: Labels) -> Tests:
    """McNemar's tests of differences -1, 0 and 1, and the one that lets clusters be alike.

    Obuchowski's statistic is (K - 1)/K (sum d)^2 / sum d^2 over the K clusters' sums d, compared
    with chi-square of one degree of freedom.
    """
    if not len(differences):
        return Tests(exact=None, chi_square=None, clustered=None)
    groups = clusters_of(clusters)
    sums = np.bincount(groups.index, differences, groups.count)
    few = groups.effective < FEWEST
    if not np.any(differences):
        return Tests(exact=1.0, chi_square=1.0, clustered=None if few else 1.0)
    few = few or few_unlike(sums, groups)
    from scipy.special import bdtr, chdtrc  # type: ignore[import-untyped]

    gone, come = int((differences > 0).sum()), int((differences < 0).sum())
    # The correction takes nothing from a difference of nothing.
    corrected = max(abs(gone - come) - 1, 0) ** 2 / (gone + come)
    squares = (sums**2).sum()
    statistic = (groups.count - 1) / groups.count * sums.sum() ** 2 / squares if squares else 0.0
    return Tests(
        exact=min(1.0, 2 * float(bdtr(min(gone, come), gone + come, 0.5))),
        chi_square=float(chdtrc(1, corrected)),
        clustered=None if few else float(chdtrc(1, statistic)),
    )


def parts(pairs: pd.DataFrame) -> Iterator[Part]:
    """All pairs, those of each language, reasoning mode and study, and those without each study.

    A kind of part is left out where there is only one.
    """
    yield Part(of="all", name="", pairs=pairs)
    for column in ("language", "reasoning", "study"):
        names = sorted(set(labels(pairs, column)))
        if len(names) > 1:
            for name in names:
                yield Part(of=column, name=name, pairs=pairs[labels(pairs, column) == name])
    studies = sorted(set(labels(pairs, "study")))
    if len(studies) > 1:
        for name in studies:
            yield Part(of="without study", name=name, pairs=pairs[labels(pairs, "study") != name])
