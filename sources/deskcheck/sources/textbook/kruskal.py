"""Kruskal's minimum spanning tree with union-find."""

from __future__ import annotations

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """A connected graph of `size` edges on about half as many nodes, at most 22 + size / 20."""
    nodes = min(2 + (size + 1) // 2, 22 + size // 20)
    order = draws.shuffled(range(nodes))
    pairs = [(draws.integer(0, i - 1), i) for i in range(1, nodes)]
    others = [(i, j) for j in range(nodes) for i in range(j) if (i, j) not in pairs]
    pairs += draws.sample(others, size - len(pairs))
    lines = []
    for i, j in draws.shuffled(pairs):
        a, b = draws.shuffled([order[i], order[j]])
        lines.append(f"{a} {b} {draws.integer(1, 60)}")
    return "\n".join([f"{nodes} {size}", *lines]) + "\n"


def reference(stdin: str) -> str:
    """Grow one tree from node 0 by the least edge that leaves it (Jarnik, Prim).

    Edges are compared by cost and then by their ends as given, so the tree is unique.
    """
    header, *lines = stdin.splitlines()
    nodes = int(header.split()[0])
    edges = []
    for line in lines:
        a, b, cost = (int(word) for word in line.split())
        edges.append((cost, a, b))
    inside = {0}
    tree = []
    while len(inside) < nodes:
        least = min(edge for edge in edges if (edge[1] in inside) != (edge[2] in inside))
        tree.append(least)
        inside |= {least[1], least[2]}
    cost = sum(edge[0] for edge in tree)
    spare = sum(edge[0] for edge in edges) - cost
    ends = [node for _, a, b in tree for node in (a, b)]
    hub = max(range(nodes), key=ends.count)
    leaves = sum(ends.count(node) == 1 for node in range(nodes))
    return (
        f"tree costs {cost}\nspare edges cost {spare}\n"
        f"hub {hub} with {ends.count(hub)} edges; {leaves} ends\n"
    )


ALGORITHM = Algorithm(
    name="kruskal",
    title="Kruskal's algorithm",
    area="graphs",
    source="Kruskal, On the Shortest Spanning Subtree of a Graph (1956)",
    generate=generate,
    reference=reference,
    short=5,
    long=60,
)
