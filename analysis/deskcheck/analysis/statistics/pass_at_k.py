"""What several tries bring: at least one of k right, and all k right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from deskcheck.analysis.frames import completed
from deskcheck.analysis.statistics.estimates import Estimate, proportion

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True)
class Tries:
    """Both for one k, over the tasks with at least k completed repeats, each counting alike."""

    k: int
    left_out: int
    """Tasks with fewer completed repeats than k, those with none among them."""
    any_right: Estimate
    """pass@k: of k repeats drawn without putting back, at least one is right."""
    all_right: Estimate
    """All k of them are right."""


def any_of(k: int, right: int, repeats: int) -> float:
    """The share of the k-subsets of so many repeats in which one at least is right.

    This is the unbiased estimator of pass@k by Chen et al. (2021). There must be k repeats.
    """
    return (comb(repeats, k) - comb(repeats - right, k)) / comb(repeats, k)


def all_of(k: int, right: int, repeats: int) -> float:
    """The share of the k-subsets of so many repeats in which all are right."""
    return comb(right, k) / comb(repeats, k)


def tries(cells: pd.DataFrame) -> Iterator[Tries]:
    """For k = 1, 2, 4 and so on up to the most completed repeats of any task, and for that."""
    back = completed(cells)
    tasks = (
        back.assign(right=(back["status"] == "correct").astype("int64"))
        .groupby("task_id", sort=True)
        .agg(repeats=("right", "size"), right=("right", "sum"), cluster=("cluster", "first"))
    )
    planned = cells["task_id"].nunique()
    most = int(tasks["repeats"].max()) if len(tasks) else 0
    for k in sorted({*(2**i for i in range(most.bit_length())), most} - {0}):
        enough = tasks[tasks["repeats"] >= k]
        counts = list(zip(enough["right"], enough["repeats"], strict=True))
        labels = enough["cluster"].to_numpy(dtype=object)
        yield Tries(
            k=k,
            left_out=planned - len(enough),
            any_right=proportion(np.array([any_of(k, int(c), int(n)) for c, n in counts]), labels),
            all_right=proportion(np.array([all_of(k, int(c), int(n)) for c, n in counts]), labels),
        )
