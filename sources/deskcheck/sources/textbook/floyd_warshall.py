"""Floyd-Warshall, and a tour that follows the shortest ways it finds."""

from __future__ import annotations

from itertools import pairwise

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """A map of three to eight towns and a tour of `size` stops, no stop twice in a row."""
    towns = min(8, 3 + size // 10)
    order = draws.shuffled(range(towns))
    roads: dict[tuple[int, int], int] = {}
    for i in range(1, towns):
        roads[draws.integer(max(0, i - 2), i - 1), i] = draws.integer(2, 9)
    for _ in range(towns // 2):
        j = draws.integer(2, towns - 1)
        i = draws.integer(0, j - 2)
        roads.setdefault((i, j), draws.integer(3, 9) * (j - i))
    stops = [draws.integer(0, towns - 1)]
    while len(stops) < size:
        stop = draws.integer(0, towns - 2)
        stops.append(stop if stop < stops[-1] else stop + 1)
    lines = [f"{order[i]} {order[j]} {length}" for (i, j), length in sorted(roads.items())]
    lines = [f"{towns} {len(roads)} {size}", *draws.shuffled(lines), " ".join(map(str, stops))]
    return "\n".join(lines) + "\n"


def reference(stdin: str) -> str:
    """Every simple way between two towns is tried; the shortest, then the smallest, is driven."""
    numbers = [int(word) for word in stdin.split()]
    towns, count, _ = numbers[:3]
    length: dict[tuple[int, int], int] = {}
    for i in range(3, 3 + 3 * count, 3):
        a, b, c = numbers[i : i + 3]
        length[a, b] = length[b, a] = c
    stops = numbers[3 + 3 * count :]
    best: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {}
    unfinished: list[tuple[int, tuple[int, ...]]] = [(0, (town,)) for town in range(towns)]
    while unfinished:
        so_far, way = unfinished.pop()
        ends = way[0], way[-1]
        best[ends] = min(best.get(ends, (so_far, way)), (so_far, way))
        unfinished += [
            (so_far + length[way[-1], town], (*way, town))
            for town in range(towns)
            if town not in way and (way[-1], town) in length
        ]
    tour = [best[pair] for pair in pairwise(stops)]
    entered = [town for _, way in tour for town in way[1:]]
    busiest = max(range(towns), key=entered.count)
    return (
        f"diameter {max(each for each, _ in best.values())}\n"
        f"tour {sum(each for each, _ in tour)}\n"
        f"busiest town {busiest} {entered.count(busiest)}\n"
    )


ALGORITHM = Algorithm(
    name="floyd_warshall",
    title="Floyd-Warshall",
    area="graphs",
    source="Floyd, Algorithm 97: Shortest Path (1962); Warshall, A Theorem on Boolean Matrices",
    generate=generate,
    reference=reference,
    short=6,
    long=64,
)
