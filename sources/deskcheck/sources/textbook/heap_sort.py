"""Heap sort: inputs and an independent reference."""

from __future__ import annotations

from itertools import pairwise

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """`size` different values in random order."""
    values = draws.sample(range(10, max(100, 4 * size)), size)
    return f"{size}\n{' '.join(map(str, values))}\n"


def reference(stdin: str) -> str:
    """Bottom-up heap sort: with different values each one sinks to the same place.

    A hole goes down the path of larger children to a leaf, and the value climbs from there.
    """
    count, *heap = map(int, stdin.split())

    def settle(root: int, size: int) -> int:
        path = [root]
        while children := [c for c in (2 * path[-1] + 1, 2 * path[-1] + 2) if c < size]:
            path.append(max(children, key=heap.__getitem__))
        value = heap[root]
        while heap[path[-1]] < value:
            path.pop()
        for above, below in pairwise(path):
            heap[above] = heap[below]
        heap[path[-1]] = value
        return len(path) - 1

    swaps = sum(settle(root, count) for root in reversed(range(count // 2)))
    while len(heap) > 1:
        heap[0] = heap.pop()
        swaps += settle(0, len(heap))

    ordered = sorted(map(int, stdin.split()[1:]))
    _, low, high = min((b - a, a, b) for a, b in pairwise(ordered))
    return (
        f"swaps per value: {swaps // count} remainder {swaps % count}\n"
        f"closest pair: {low} {high}\n"
        f"median: {ordered[count // 2]}\n"
    )


ALGORITHM = Algorithm(
    name="heap_sort",
    title="Heap sort with a binary heap in place",
    area="sorting",
    source="J. W. J. Williams, Algorithm 232: Heapsort, 1964",
    generate=generate,
    reference=reference,
    short=4,
    long=40,
)
