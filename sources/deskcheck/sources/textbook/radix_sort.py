"""Radix sort and the maximum gap: inputs and an independent reference."""

from __future__ import annotations

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """`size` different values of one to three digits."""
    values = draws.sample(range(1000), size)
    return f"{size}\n{' '.join(map(str, values))}\n"


def reference(stdin: str) -> str:
    """The gap above a value reaches to the least value that is larger."""
    count, *values = map(int, stdin.split())
    above = {v: min(w for w in values if w > v) for v in values if v != max(values)}
    low, high = max(above.items(), key=lambda pair: (pair[1] - pair[0], -pair[0]))
    median = next(v for v in values if sum(w < v for w in values) == count // 2)
    return f"widest gap: {high - low}\nbetween: {low} and {high}\nmedian: {median}\n"


ALGORITHM = Algorithm(
    name="radix_sort",
    title="Least-significant-digit radix sort and the maximum gap",
    area="sorting",
    source="Cormen et al., Introduction to Algorithms, section 8.3",
    generate=generate,
    reference=reference,
    short=4,
    long=44,
)
