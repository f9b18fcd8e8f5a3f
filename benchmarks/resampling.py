"""How quickly the analysis resamples, against the plain loop over the same numbers.

Each benchmark prints a line and says whether its goal is met; the script ends with 1 where one is
missed. Times are of the processor, all threads together.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from deskcheck.analysis.statistics.estimates import clusters_of
from deskcheck.analysis.statistics.resampling import REPLICATES, SEED, one_stratum, resampled_sums
from deskcheck.analysis.statistics.theta import SHUFFLES, associations

ROUNDS = 5
LOOPED = 200
"""Replicates of the plain loop, whose time is scaled up."""

SERIES = 140
SERIES_LOOPED = 5
"""Series that the plain loop goes through."""

BOOTSTRAP_GOAL_S = 0.5
PERMUTATION_GOAL_S = 30


def bootstrap() -> bool:
    """10,000 whole-cluster replicates on 2,400 pairs in 314 clusters."""
    rng = np.random.default_rng(1)
    labels = np.concatenate([np.arange(314), rng.integers(0, 314, 2_400 - 314)])
    values = rng.choice([1.0, 0.0, -1.0], 2_400, p=[0.22, 0.72, 0.06])
    groups = clusters_of(labels)
    sums = np.column_stack([np.bincount(groups.index, values), groups.sizes])
    members = [np.flatnonzero(groups.index == each) for each in range(groups.count)]

    def quick(turn: int) -> None:
        # Another seed each time, since the draws of a seed are kept.
        resampled_sums(sums, one_stratum(314), seed=SEED + turn)

    def plain(turn: int) -> None:
        drawn = np.random.default_rng(turn)
        for _ in range(LOOPED):
            chosen = drawn.integers(0, 314, 314)
            values[np.concatenate([members[each] for each in chosen])].mean()

    took = least(quick)
    loop = least(plain) * REPLICATES / LOOPED
    met = took < BOOTSTRAP_GOAL_S
    print(
        f"whole-cluster bootstrap, {REPLICATES:,} replicates of 2,400 pairs in 314 clusters: "
        f"{took:.3f} s (goal {BOOTSTRAP_GOAL_S} s), plain loop {loop:.2f} s, "
        f"ratio {loop / took:.0f}: {'met' if met else 'missed'}",
        flush=True,
    )
    return met


def permutations() -> bool:
    """10,000 whole-cluster permutations for each of 140 series of 60 to 100 rows."""
    rng = np.random.default_rng(1)
    series = []
    for number in range(SERIES):
        rows = int(rng.integers(60, 101))
        labels = rng.integers(0, rows, rows)  # mostly clusters of one to three rows
        failed = (rng.random(rows) < rng.uniform(0.1, 0.9)).astype(np.float64)
        series.append((rng.lognormal(8, 2, rows), failed, labels, number))

    def quick(turn: int) -> None:
        for measure, failed, labels, seed in series:
            associations(measure[:, None], failed, labels, seed + turn)

    def plain(turn: int) -> None:
        drawn = np.random.default_rng(turn)
        for measure, failed, labels, _ in series[:SERIES_LOOPED]:
            order = np.argsort(measure)
            ranks = np.empty(len(measure))
            ranks[order] = np.arange(len(measure))
            members = [np.flatnonzero(labels == each) for each in np.unique(labels)]
            sizes = np.array([len(each) for each in members])
            alike = [np.flatnonzero(sizes == size) for size in np.unique(sizes)]
            shuffled = np.empty_like(failed)
            for _ in range(LOOPED):
                for clusters in alike:
                    for target, source in zip(clusters, drawn.permutation(clusters), strict=True):
                        shuffled[members[target]] = failed[members[source]]
                ranks @ shuffled

    took = least(quick)
    loop = least(plain) * SHUFFLES / LOOPED * SERIES / SERIES_LOOPED
    met = took < PERMUTATION_GOAL_S
    print(
        f"whole-cluster permutations, {SHUFFLES:,} for each of {SERIES} series of 60 to 100 rows: "
        f"{took:.1f} s (goal {PERMUTATION_GOAL_S} s), plain loop {loop:.0f} s, "
        f"ratio {loop / took:.0f}: {'met' if met else 'missed'}",
        flush=True,
    )
    return met


def least(run: Callable[[int], None]) -> float:
    """The least processor seconds of some rounds."""
    found = []
    for turn in range(ROUNDS):
        began = time.process_time()
        run(turn)
        found.append(time.process_time() - began)
    return min(found)


BENCHMARKS: tuple[Callable[[], bool], ...] = (bootstrap, permutations)
"""Each prints its line and returns whether its goal is met."""


def main() -> int:
    """Run them all."""
    met = [run() for run in BENCHMARKS]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
