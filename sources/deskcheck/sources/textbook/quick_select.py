"""Quickselect and Tukey's box plot: inputs and an independent reference."""

from __future__ import annotations

from fractions import Fraction

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """`size` values from 40 to 69, from five values on with some far above every fence."""
    far = max(1, size // 10) if size >= 5 else 0
    values = [draws.integer(120, 199) for _ in range(far)]
    values += [draws.integer(40, 69) for _ in range(size - far)]
    return f"{size}\n{' '.join(map(str, draws.shuffled(values)))}\n"


def reference(stdin: str) -> str:
    """Quartiles and fences from the fully sorted values."""
    count, *values = map(int, stdin.split())
    lower, median, upper = (sorted(values)[quarter * count // 4] for quarter in (1, 2, 3))
    reach = Fraction(3, 2) * (upper - lower)
    outliers = [v for v in values if not lower - reach <= v <= upper + reach]
    return (
        f"quartiles: {lower} {median} {upper}\n"
        f"spread: {upper - lower}\n"
        f"outliers: {len(outliers)} with sum {sum(outliers)}\n"
    )


ALGORITHM = Algorithm(
    name="quick_select",
    title="Quickselect with three-way partitioning",
    area="sorting",
    source="C. A. R. Hoare, Algorithm 65: Find, 1961; E. W. Dijkstra, A Discipline of "
    "Programming, 1976",
    generate=generate,
    reference=reference,
    short=5,
    long=48,
)
