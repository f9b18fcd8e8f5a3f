"""Which candidates a study takes: the same number from each band of the long run's length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.identity import content_id

RULE = "in each band, those whose SHA-256 together with the seed is least"


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Trace lengths from `low` up to, but not including, `high`."""

    name: str
    low: int
    high: int

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high:
            raise PoolError(
                f"band {self.name!r} from {self.low} to {self.high} holds nothing",
                "give the lower end first",
            )


def select[Key: (int, str)](
    counts: Iterable[tuple[Key, int]], bands: Sequence[Band], per_band: int, seed: int
) -> list[Key]:
    """`per_band` graph seeds (or names) of each band, band by band, in ascending order in a band.

    `counts` are pairs of a graph seed and the trace length of its long run. In each band those
    are taken whose hash together with `seed` is least: a choice that depends on neither the order
    of `counts` nor on what lies in the other bands. PoolError where bands overlap or one has too
    few.
    """
    _refuse_overlap(bands)
    lengths: dict[Key, int] = {}
    for key, length in counts:
        if lengths.setdefault(key, length) != length:
            raise ValueError(f"{key} has {lengths[key]} and {length}")
    chosen: list[Key] = []
    for band in bands:
        found = holders(lengths.items(), band)
        if len(found) < per_band:
            raise PoolError(
                f"band {band.name!r} holds {len(found)} of the {per_band} candidates wanted",
                "measure more candidates, or declare other bands",
            )
        found.sort(key=lambda each: content_id("band choice", [seed, each]))
        chosen += sorted(found[:per_band])
    return chosen


def holders[Key: (int, str)](counts: Iterable[tuple[Key, int]], band: Band) -> list[Key]:
    """Those whose trace length lies in the band."""
    return [key for key, length in counts if band.low <= length < band.high]


def _refuse_overlap(bands: Sequence[Band]) -> None:
    ordered = sorted(bands, key=lambda band: band.low)
    for lower, upper in pairwise(ordered):
        if upper.low < lower.high:
            raise PoolError(
                f"bands {lower.name!r} and {upper.name!r} overlap", "declare bands that do not"
            )
