"""Insertion sort: inputs and an independent reference."""

from __future__ import annotations

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """`size` different values in random order, not yet sorted."""
    values = draws.sample(range(10, max(100, 4 * size)), size)
    if values[0] < values[-1]:
        values[0], values[-1] = values[-1], values[0]
    return f"{size}\n{' '.join(map(str, values))}\n"


def reference(stdin: str) -> str:
    """A value moves once for every larger value that stands before it in the input."""
    count, *values = map(int, stdin.split())
    moves = [sum(other > value for other in values[:i]) for i, value in enumerate(values)]
    mover = max(range(count), key=lambda i: (moves[i], -i))
    places = (0, (count - 1) // 4, (count - 1) // 2, 3 * (count - 1) // 4, count - 1)
    quartiles = " ".join(str(sorted(values)[place]) for place in places)
    return (
        f"shifts: {sum(moves)}\n"
        f"furthest: {values[mover]} by {moves[mover]}\n"
        f"quartiles: {quartiles}\n"
    )


ALGORITHM = Algorithm(
    name="insertion_sort",
    title="Insertion sort that counts shifts",
    area="sorting",
    source="Cormen et al., Introduction to Algorithms, section 2.1",
    generate=generate,
    reference=reference,
    short=4,
    long=40,
)
