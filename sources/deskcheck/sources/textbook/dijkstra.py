"""Dijkstra's shortest paths with a heap."""

from __future__ import annotations

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """A connected map of `size` places: a long tree, and longer roads that compete with it."""
    order = draws.shuffled(range(size))
    roads: list[dict[int, int]] = [{} for _ in range(size)]

    def connect(i: int, j: int, length: int) -> None:
        roads[order[i]].setdefault(order[j], length)
        roads[order[j]].setdefault(order[i], length)

    for i in range(1, size):
        connect(i, draws.integer(max(0, i - 3), i - 1), draws.integer(1, 9))
    for _ in range(size // 2 - 1):
        i = draws.integer(2, size - 1)
        j = draws.integer(max(0, i - 7), i - 2)
        connect(i, j, (i - j) * draws.integer(2, 6) + draws.integer(0, 3))
    lines = [
        " ".join(f"{there} {row[there]}" for there in draws.shuffled(sorted(row))) for row in roads
    ]
    return "\n".join([f"{size} {order[0]} {order[-1]}", *lines]) + "\n"


def reference(stdin: str) -> str:
    """Relax every road until nothing changes, carrying the route read from its end."""
    header, *lines = stdin.splitlines()
    size, start, goal = (int(word) for word in header.split())
    arcs = []
    for here, line in enumerate(lines):
        words = [int(word) for word in line.split()]
        arcs += [(here, words[i], words[i + 1]) for i in range(0, len(words), 2)]
    best: dict[int, tuple[int, tuple[int, ...]]] = {start: (0, (start,))}
    changed = True
    while changed:
        changed = False
        for here, there, length in arcs:
            if here not in best:
                continue
            so_far, route = best[here]
            found = so_far + length, (there, *route)
            if there not in best or found < best[there]:
                best[there] = found
                changed = True
    length, route = best[goal]
    farthest = max(range(size), key=lambda place: best[place][0])
    return (
        f"{length}\n{' '.join(map(str, reversed(route)))}\n"
        f"farthest {farthest} {best[farthest][0]}\n"
    )


ALGORITHM = Algorithm(
    name="dijkstra",
    title="Dijkstra's algorithm",
    area="graphs",
    source="Dijkstra, A Note on Two Problems in Connexion with Graphs (1959)",
    generate=generate,
    reference=reference,
    short=4,
    long=44,
)
