"""0/1 knapsack by a table over capacities."""

from __future__ import annotations

from itertools import pairwise

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """`size` items in rising order of value per weight, so that every item improves the table."""
    items: list[tuple[int, int]] = []
    weight, value = 1, 1
    for _ in range(size):
        heavier = draws.integer(3, 9)
        value = heavier * value // weight + draws.integer(1, 4)
        weight = heavier
        items.append((weight, value))
    total = sum(weight for weight, _ in items)
    heaviest = max(weight for weight, _ in items)
    capacity = max(heaviest, min(draws.integer(15, 20), total * 3 // 5))
    return "\n".join([str(capacity), *(f"{weight} {value}" for weight, value in items)]) + "\n"


def reference(stdin: str) -> str:
    """Nemhauser-Ullmann: only the loads that no lighter and as valuable load dominates."""
    first, *rest = stdin.split("\n")
    capacity = int(first)
    frontier = {0: 0}  # load -> value, both strictly rising
    for line in filter(None, rest):
        weight, value = (int(word) for word in line.split())
        loads = list(frontier.items())
        loads += [(load + weight, worth + value) for load, worth in frontier.items()]
        frontier = {}
        highest = -1
        for load, worth in sorted(loads, key=lambda pair: (pair[0], -pair[1])):
            if load <= capacity and worth > highest:
                frontier[load] = highest = worth
    worths = [
        max(worth for load, worth in frontier.items() if load <= room)
        for room in range(capacity + 1)
    ]
    lightest, value = max(frontier.items(), key=lambda pair: pair[1])
    gains = " ".join(str(b - a) for a, b in pairwise(worths))
    return f"value {value}\nload {lightest} of {capacity}\ngains {gains}\n"


ALGORITHM = Algorithm(
    name="knapsack",
    title="0/1 knapsack",
    area="dynamic programming",
    source="Kellerer, Pferschy and Pisinger, Knapsack Problems (2004), section 2.3",
    generate=generate,
    reference=reference,
    short=5,
    long=56,
)
