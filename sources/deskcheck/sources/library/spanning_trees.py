"""Minimum spanning forests of NetworkX: Kruskal's algorithm and Prim's."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from deskcheck.oracles.identity import Draws
from deskcheck.sources.library.extraction import Take
from deskcheck.sources.library.inputs import connected_pairs, lines, numbers, rows
from deskcheck.sources.library.packages import NETWORKX
from deskcheck.sources.library.routine import Routine

TREES = "networkx.algorithms.tree.mst"

DRIVER = """
def main():
    rows = [[int(word) for word in line.split()] for line in sys.stdin.read().splitlines()]
    G = Graph()
    G.add_nodes_from(range(rows[0][0]))
    for u, v, weight in rows[1:]:
        G.add_edge(u, v, weight=weight)
    edges = list({call}(G, True))
    print(len(edges), sum(d["weight"] for u, v, d in edges))
    print("\\n".join(f"{{u}} {{v}}" for u, v, d in edges))


main()
"""


def generate(draws: Draws, size: int) -> str:
    """Two connected graphs without an edge between them, of about two edges a node."""
    smaller = max(1, size // 5)
    names = draws.shuffled(range(size))
    pairs = connected_pairs(draws, size - smaller, 2 * (size - smaller))
    pairs += [
        (size - smaller + u, size - smaller + v)
        for u, v in connected_pairs(draws, smaller, 2 * smaller)
    ]
    return rows(
        [size],
        *([names[u], names[v], draws.integer(1, 30)] for u, v in draws.shuffled(pairs)),
    )


def _reference(algorithm: str, stdin: str) -> str:
    nx: Any = import_module("networkx")
    (size,), *found = numbers(stdin)
    graph = nx.Graph()
    graph.add_nodes_from(range(size))
    graph.add_weighted_edges_from(found)
    edges = list(nx.minimum_spanning_edges(graph, algorithm=algorithm))
    return lines(
        [
            f"{len(edges)} {sum(data['weight'] for _, _, data in edges)}",
            *(f"{u} {v}" for u, v, _ in edges),
        ]
    )


LAYOUT = "nodes; then one edge a line: both ends, weight"

KRUSKAL = Routine(
    name="kruskal",
    title="Minimum spanning forest by Kruskal's algorithm",
    package=NETWORKX,
    takes=(Take(module=TREES, names=("kruskal_mst_edges",)),),
    driver=DRIVER.format(call="kruskal_mst_edges"),
    layout=LAYOUT,
    generate=generate,
    reference=lambda stdin: _reference("kruskal", stdin),
    sizes=(16, 28, 44),
)
PRIM = Routine(
    name="prim",
    title="Minimum spanning forest by Prim's algorithm",
    package=NETWORKX,
    takes=(Take(module=TREES, names=("prim_mst_edges",)),),
    driver=DRIVER.format(call="prim_mst_edges"),
    layout=LAYOUT,
    generate=generate,
    reference=lambda stdin: _reference("prim", stdin),
    sizes=(14, 24, 40),
)
