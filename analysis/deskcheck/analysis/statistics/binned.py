"""How often something happens along a measure: equal-count bins, each with a clustered interval."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deskcheck.analysis.statistics.estimates import Estimate, Floats, Labels, proportion

BINS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """The rows whose measure lies from `low` to `high`, both of which occur."""

    low: float
    high: float
    centre: float
    """The mean of the measure over the bin's rows."""
    estimate: Estimate
    """The share of hits."""


def binned(measure: Floats, hits: Floats, labels: Labels, bins: int = BINS) -> tuple[Bin, ...]:
    """The share of hits in bins of about equally many rows, in the order of the measure.

    All arrays are of one length; the measure is on the scale that will be drawn, such as log2.
    Rows of one value are never parted: each value goes where its middle rank falls. So there may
    be fewer bins than asked for, and the order of rows does not matter.
    """
    if not len(measure):
        return ()
    _, index, counts = np.unique(measure, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - counts / 2
    numbers = np.minimum(np.floor(middle / len(measure) * bins), bins - 1)[index]
    return tuple(_bin(measure, hits, labels, numbers == number) for number in np.unique(numbers))


def _bin(measure: Floats, hits: Floats, labels: Labels, chosen: Labels) -> Bin:
    inside = np.sort(measure[chosen])
    return Bin(
        low=float(inside[0]),
        high=float(inside[-1]),
        centre=float(np.clip(inside.mean(), inside[0], inside[-1])),
        estimate=proportion(hits[chosen], labels[chosen]),
    )
