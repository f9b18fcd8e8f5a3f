"""Does accuracy follow from what a model may have seen? By day of publication, and on variants.

Both are tags that a pool gives its cases: `date`, a day as YYYY-MM-DD, and `variant_of`, the
candidate of which a program is a variant, with `variant` for what kind of one it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from deskcheck.analysis.statistics.estimates import (
    FEWEST,
    NOTHING,
    ONE_VALUE,
    TOO_FEW,
    Estimate,
    Floats,
    Labels,
    clusters_of,
    t_quantile,
)
from deskcheck.builder.cases import Case

DATE, VARIANT_OF, VARIANT = "date", "variant_of", "variant"

MOST_QUARTERS = 8
"""Where dates fall into more quarters than these, periods are years."""

DIFFERENCE = "Student t (jackknife over clusters of both groups)"


def published(cases: Iterable[Case]) -> dict[str, date]:
    """By case id: the day of the tag `date`, where there is one that can be read."""
    found = {}
    for case in cases:
        try:
            found[case.id] = date.fromisoformat(case.tags.get(DATE, "")[:10])
        except ValueError:
            continue
    return found


def periods(days: Mapping[str, date]) -> dict[str, str]:
    """By case id: its quarter, such as `2024-Q3`, or its year where quarters would be too many."""
    quarters = {each: f"{day.year}-Q{(day.month + 2) // 3}" for each, day in days.items()}
    if len(set(quarters.values())) <= MOST_QUARTERS:
        return quarters
    return {each: str(day.year) for each, day in days.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantOf:
    """A case that is a variant of another one of the same dataset."""

    variant: str
    original: str
    kind: str
    """What the tag `variant` says, such as `renamed` or `fresh-input`."""


def variants(cases: Sequence[Case]) -> list[VariantOf]:
    """The cases that declare an original which is in the dataset too, by its id or its name there.

    A name is an id without its pool. What is its own variant, or one of a missing case, is none.
    """
    by_name: dict[str, str] = {}
    for case in cases:
        by_name[f"{case.pool} {case.candidate.removeprefix(f'{case.pool}/')}"] = case.id
    by_id = {case.candidate: case.id for case in cases}
    found = []
    for case in cases:
        named = case.tags.get(VARIANT_OF, "")
        original = by_id.get(named) or by_name.get(f"{case.pool} {named}")
        if original is not None and original != case.id:
            kind = case.tags.get(VARIANT, "variant")
            found.append(VariantOf(variant=case.id, original=original, kind=kind))
    return found


def difference(
    before: Floats, labels_before: Labels, after: Floats, labels_after: Labels
) -> Estimate:
    """The mean of `after` less that of `before`; groups of values in [0, 1], clusters as labels.

    The variance leaves out one cluster at a time, in both groups where it is in both. Degrees of
    freedom are the fewer effective clusters of the two less one, which is on the safe side; n,
    and effective clusters, are those of the smaller group.
    """
    if not len(before) or not len(after):
        return _difference(None, None, 0, 0, 0.0, NOTHING)
    first, second = clusters_of(labels_before), clusters_of(labels_after)
    value = float(after.mean() - before.mean())
    smaller = min(len(before), len(after))
    effective = min(first.effective, second.effective)
    both = clusters_of(np.concatenate([labels_before, labels_after]))
    if effective < FEWEST:
        return _difference(value, None, smaller, both.count, effective, TOO_FEW)
    split = len(before)
    changes = _without_each(after, both.index[split:], both.count) - _without_each(
        before, both.index[:split], both.count
    )
    variance = (both.count - 1) / both.count * float(((changes - value) ** 2).sum())
    if not variance:
        return _difference(value, None, smaller, both.count, effective, ONE_VALUE)
    margin = t_quantile(effective - 1) * math.sqrt(variance)
    return _difference(value, margin, smaller, both.count, effective)


def _without_each(values: Floats, index: NDArray[np.intp], count: int) -> Floats:
    """The mean without the values of each cluster in turn."""
    sizes = np.bincount(index, minlength=count)
    sums = np.bincount(index, values, count)
    return np.asarray((values.sum() - sums) / (len(values) - sizes), dtype=np.float64)


def _difference(
    value: float | None,
    margin: float | None,
    n: int,
    clusters: int,
    effective: float,
    note: str = "",
) -> Estimate:
    low = high = None
    if value is not None and margin is not None:
        low, high = value - margin, value + margin
    return Estimate(
        value=value,
        low=low,
        high=high,
        method=DIFFERENCE,
        n=n,
        clusters=clusters,
        effective_clusters=effective,
        note=note,
    )
