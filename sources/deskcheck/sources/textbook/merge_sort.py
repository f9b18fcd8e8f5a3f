"""Merge sort and Kendall's tau: inputs and an independent reference."""

from __future__ import annotations

from fractions import Fraction

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """`size` different scores in random order."""
    scores = draws.sample(range(10, max(100, 4 * size)), size)
    return f"{size}\n{' '.join(map(str, scores))}\n"


def reference(stdin: str) -> str:
    """Tau by definition, from every pair of items."""
    count, *scores = map(int, stdin.split())
    signs = [1 if scores[i] <= scores[j] else -1 for j in range(count) for i in range(j)]
    tau = Fraction(sum(signs), len(signs))
    middle = sorted(scores)[count // 2]
    return f"tau: {tau}\nscores: {min(scores)} {middle} {max(scores)}\n"


ALGORITHM = Algorithm(
    name="merge_sort",
    title="Bottom-up merge sort that counts inversions",
    area="sorting",
    source="W. R. Knight, A Computer Method for Calculating Kendall's Tau with Ungrouped Data, "
    "1966",
    generate=generate,
    reference=reference,
    short=4,
    long=44,
)
