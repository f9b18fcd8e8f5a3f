"""Bellman-Ford with negative arcs and early stop."""

from __future__ import annotations

from collections import deque

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """A graph of `size` nodes whose cheapest paths run along one long spine.

    Costs are differences of a potential, plus a positive slack off the cheapest paths: no cycle
    can be negative, and every cheapest path is the only one.
    """
    order = draws.shuffled(range(size))
    spine = max(min(size, 4), size * 5 // 6)
    potential = [0]
    parent = [0]
    for i in range(1, size):
        parent.append(i - 1 if i < spine else draws.integer(spine // 2, spine - 1))
        potential.append(potential[parent[i]] + draws.integer(-6, 6))
    arcs: dict[tuple[int, int], int] = {
        (parent[i], i): potential[i] - potential[parent[i]] for i in range(1, size)
    }
    # Shortcuts that spare arcs but not costs, and ways back; one of these enters the source.
    ends = [(draws.integer(max(0, i - 9), i - 2), i) for i in range(2, size, 2)]
    ends += [(i, draws.integer(max(0, i - 5), i - 1)) for i in range(2, size, 4)]
    for i, j in [*ends, (size - 1, 0)]:
        slack = potential[j] - potential[i] + draws.integer(1, 12)
        arcs.setdefault((i, j), slack)
    incoming: list[list[str]] = [[] for _ in range(size)]
    for (i, j), price in sorted(arcs.items()):
        incoming[order[j]].append(f"{order[i]} {price}")
    lines = [" ".join(draws.shuffled(row)) for row in incoming]
    return "\n".join([f"{size} {order[0]} {order[-1]}", *lines]) + "\n"


def reference(stdin: str) -> str:
    """Label correcting with a queue of nodes whose cost has just fallen (Moore)."""
    header, *lines = stdin.splitlines()
    size, source, target = (int(word) for word in header.split())
    outgoing: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for there, line in enumerate(lines):
        words = [int(word) for word in line.split()]
        for i in range(0, len(words), 2):
            outgoing[words[i]].append((there, words[i + 1]))
    best: dict[int, tuple[int, tuple[int, ...]]] = {source: (0, (source,))}
    queue = deque([source])
    while queue:
        here = queue.popleft()
        cost, path = best[here]
        for there, price in outgoing[here]:
            found = cost + price, (there, *path)
            if there not in best or found < best[there]:
                if there in path:
                    return "negative cycle\n"
                best[there] = found
                if there not in queue:
                    queue.append(there)
    cost, path = best[target]
    cheapest = min(range(size), key=lambda node: best[node][0])
    return (
        f"cost {cost}\npath {' '.join(map(str, reversed(path)))}\n"
        f"cheapest node {cheapest} {best[cheapest][0]}\n"
    )


ALGORITHM = Algorithm(
    name="bellman_ford",
    title="Bellman-Ford",
    area="graphs",
    source="Bellman, On a Routing Problem (1958); Ford, Network Flow Theory (1956)",
    generate=generate,
    reference=reference,
    short=4,
    long=35,
)
