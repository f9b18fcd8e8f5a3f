"""How often a set of cells is right: of those that were completed, and of those planned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from deskcheck.analysis.frames import labels
from deskcheck.analysis.statistics.estimates import Estimate, cluster_equal, proportion
from deskcheck.evaluate.cells import COMPLETED

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """C, R and N of some cells, with their ratios.

    N counts every cell, whatever became of it, those still pending among them; so nothing that
    is lost makes a rate rise.
    """

    correct: int
    completed: int
    planned: int
    per_completed: Estimate
    """C/R."""
    per_planned: Estimate
    """C/N."""
    cluster_equal: Estimate
    """C/R where every cluster counts alike."""


def rates(cells: pd.DataFrame) -> Rates:
    """The rates of the cells, which must be of one repeat each; clustered by column `cluster`."""
    # Arrays, since a slice of a whole frame costs more than all that is computed here.
    statuses, clusters = labels(cells, "status"), labels(cells, "cluster")
    hits = np.asarray(statuses == "correct", dtype=np.float64)
    back = np.isin(statuses, sorted(COMPLETED))
    return Rates(
        correct=int(hits.sum()),
        completed=int(back.sum()),
        planned=len(cells),
        per_completed=proportion(hits[back], clusters[back]),
        per_planned=proportion(hits, clusters),
        cluster_equal=cluster_equal(hits[back], clusters[back]),
    )
