"""Many tests at once: how many stand when it counts that there are many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjusted:
    """One p-value of a family, beside what it becomes by the family's size."""

    p: float
    holm: float
    """Holm's: at 5%, at most a chance of 5% of any false finding in the family."""
    benjamini_hochberg: float
    """Benjamini and Hochberg's: at 5%, an expected share of at most 5% of findings is false,
    where tests are independent or positively dependent."""


def adjusted(family: Sequence[float]) -> tuple[Adjusted, ...]:
    """Each p-value of the family adjusted for all of them, in their order; statsmodels does it."""
    from statsmodels.stats.multitest import multipletests

    if not family:
        return ()
    values = np.asarray(family, dtype=np.float64)
    holm = multipletests(values, method="holm")[1]
    hochberg = multipletests(values, method="fdr_bh")[1]
    return tuple(
        Adjusted(p=float(p), holm=float(first), benjamini_hochberg=float(second))
        for p, first, second in zip(values, holm, hochberg, strict=True)
    )
