"""Shortest paths of NetworkX: Dijkstra's algorithm, and Bellman and Ford's."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from deskcheck.oracles.identity import Draws
from deskcheck.sources.library.extraction import Take
from deskcheck.sources.library.inputs import connected_pairs, lines, numbers, rows
from deskcheck.sources.library.packages import NETWORKX
from deskcheck.sources.library.routine import Routine

WEIGHTED = "networkx.algorithms.shortest_paths.weighted"

DRIVER = """
def main():
    rows = [[int(word) for word in line.split()] for line in sys.stdin.read().splitlines()]
    size, source = rows[0]
    G = DiGraph()
    G.add_nodes_from(range(size))
    for u, v, weight in rows[1:]:
        G.add_edge(u, v, weight=weight)
    dist, paths = {call}(G, source)
    print("\\n".join(f"{{v}} {{dist[v]}} {{len(paths[v])}}" for v in sorted(dist)))
    farthest = max(sorted(dist), key=dist.get)
    print("farthest", *paths[farthest])


main()
"""


def _arcs(draws: Draws, size: int) -> list[tuple[int, int]]:
    """About two and a half arcs a node; every node is reached from the first one."""
    pairs = connected_pairs(draws, size, 2 * size, reach=max(3, size // 3))
    extra = [(v, u) for u, v in draws.sample(pairs, len(pairs) // 4)]
    reached = {0}
    grown = True
    while grown:  # turn the arcs that lead away from where everything is reached
        grown = False
        for index, (u, v) in enumerate(pairs):
            if (u in reached) != (v in reached):
                pairs[index] = (u, v) if u in reached else (v, u)
                reached |= {u, v}
                grown = True
    return list(dict.fromkeys([*pairs, *extra]))


def generate_dijkstra(draws: Draws, size: int) -> str:
    arcs = _arcs(draws, size)
    return rows([size, 0], *([u, v, draws.integer(1, 20)] for u, v in arcs))


def generate_bellman_ford(draws: Draws, size: int) -> str:
    """Some weights are negative and no cycle is: lengths are shifted by a height of each node."""
    heights = [draws.integer(0, 15) for _ in range(size)]
    arcs = _arcs(draws, size)
    return rows(
        [size, 0],
        *([u, v, draws.integer(1, 12) + heights[u] - heights[v]] for u, v in arcs),
    )


def _reference(routine: str, stdin: str) -> str:
    nx: Any = import_module("networkx")
    (size, source), *arcs = numbers(stdin)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(size))
    graph.add_weighted_edges_from(arcs)
    lengths, paths = getattr(nx, routine)(graph, source)
    farthest = max(sorted(lengths), key=lengths.get)
    return lines(
        [
            *(f"{node} {lengths[node]} {len(paths[node])}" for node in sorted(lengths)),
            f"farthest {' '.join(map(str, paths[farthest]))}",
        ]
    )


LAYOUT = "nodes and the source; then one arc a line: from, to, weight"

DIJKSTRA = Routine(
    name="dijkstra",
    title="Shortest paths by Dijkstra's algorithm",
    package=NETWORKX,
    takes=(Take(module=WEIGHTED, names=("single_source_dijkstra",)),),
    driver=DRIVER.format(call="single_source_dijkstra"),
    layout=LAYOUT,
    generate=generate_dijkstra,
    reference=lambda stdin: _reference("single_source_dijkstra", stdin),
    sizes=(16, 26, 40),
)
BELLMAN_FORD = Routine(
    name="bellman_ford",
    title="Shortest paths with negative weights by the Bellman-Ford algorithm",
    package=NETWORKX,
    takes=(Take(module=WEIGHTED, names=("single_source_bellman_ford",)),),
    driver=DRIVER.format(call="single_source_bellman_ford"),
    layout=LAYOUT,
    generate=generate_bellman_ford,
    reference=lambda stdin: _reference("single_source_bellman_ford", stdin),
    sizes=(20, 28, 40),
)
