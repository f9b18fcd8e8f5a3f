"""Maximum flow of NetworkX by the algorithm of Edmonds and Karp."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from deskcheck.oracles.identity import Draws
from deskcheck.sources.library.extraction import Take
from deskcheck.sources.library.inputs import connected_pairs, lines, numbers, rows
from deskcheck.sources.library.packages import NETWORKX
from deskcheck.sources.library.routine import Routine

DRIVER = """
def main():
    rows = [[int(word) for word in line.split()] for line in sys.stdin.read().splitlines()]
    size, s, t = rows[0]
    G = DiGraph()
    G.add_nodes_from(range(size))
    for u, v, capacity in rows[1:]:
        G.add_edge(u, v, capacity=capacity)
    R = edmonds_karp_impl(G, s, t, "capacity", None, None)
    print("flow", R.graph["flow_value"])
    print("\\n".join(f"{u} {v} {R[u][v]['flow']}" for u, v, capacity in rows[1:]))


main()
"""


def generate(draws: Draws, size: int) -> str:
    """Arcs lead on in a hidden order from the source to the sink, which many arcs touch."""
    inner = draws.shuffled(range(1, size - 1))
    order = [0, *inner, size - 1]
    place = {node: index for index, node in enumerate(order)}
    wide = max(2, size // 3)
    pairs = {(0, node) for node in inner[:wide]} | {(node, size - 1) for node in inner[-wide:]}
    pairs |= {
        (u, v) if place[u] < place[v] else (v, u)
        for u, v in connected_pairs(draws, size, 3 * size)
        if {u, v} != {0, size - 1}
    }
    return rows(
        [size, 0, size - 1],
        *([u, v, draws.integer(1, 12)] for u, v in draws.shuffled(sorted(pairs))),
    )


def reference(stdin: str) -> str:
    nx: Any = import_module("networkx")
    flow: Any = import_module("networkx.algorithms.flow")
    (size, source, sink), *arcs = numbers(stdin)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(size))
    graph.add_weighted_edges_from(arcs, weight="capacity")
    residual = flow.edmonds_karp(graph, source, sink)
    return lines(
        [
            f"flow {residual.graph['flow_value']}",
            *(f"{u} {v} {residual[u][v]['flow']}" for u, v, _ in arcs),
        ]
    )


EDMONDS_KARP = Routine(
    name="edmonds_karp",
    title="Maximum flow by the Edmonds-Karp algorithm",
    package=NETWORKX,
    takes=(Take(module="networkx.algorithms.flow.edmondskarp", names=("edmonds_karp_impl",)),),
    driver=DRIVER,
    layout="nodes, the source and the sink; then one arc a line: from, to, capacity",
    generate=generate,
    reference=reference,
    sizes=(14, 22, 32),
)
