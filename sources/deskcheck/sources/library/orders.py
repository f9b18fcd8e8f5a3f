"""Directed graphs of NetworkX: topological order, strong components, dominators; and cores."""

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
    G = {graph}()
    G.add_nodes_from(range(rows[0][0]))
    for u, v in rows[1:]:
        G.add_edge(u, v)
    {body}


main()
"""
SORTING = """\
order = list(lexicographical_topological_sort(G, lambda node: (node * 7) % 11))
    print(*order)"""
COMPONENTS = """\
components = [sorted(component) for component in strongly_connected_components(G)]
    print(len(components))
    print("\\n".join(" ".join(map(str, component)) for component in components))"""
DOMINATORS = """\
idom = immediate_dominators(G, 0)
    print("\\n".join(f"{v} {idom[v]}" for v in sorted(idom) if v))"""
CORES = """\
core = core_number(G)
    print(*(core[v] for v in sorted(core)))"""


def generate_acyclic(draws: Draws, size: int) -> str:
    place = draws.shuffled(range(size))
    pairs = connected_pairs(draws, size, 2 * size, reach=max(3, size // 2))
    return rows([size], *((u, v) if place[u] < place[v] else (v, u) for u, v in pairs))


def generate_directed(draws: Draws, size: int) -> str:
    """Cycles of several lengths in a hidden order, and arcs that mostly lead on."""
    order = draws.shuffled(range(size))
    arcs: dict[tuple[int, int], None] = {}
    first = 0
    while first < size:
        length = min(draws.integer(1, 7), size - first)
        block = range(first, first + length)
        for i in block[:-1]:
            arcs[i, i + 1] = None
        if length > 1:
            arcs[block[-1], first] = None
        first += length
    for _ in range(size):
        i = draws.integer(0, size - 1)
        j = min(size - 1, i + draws.integer(1, 8))
        if i != j:
            arcs[i, j] = None
    return rows([size], *draws.shuffled([(order[i], order[j]) for i, j in arcs]))


def generate_rooted(draws: Draws, size: int) -> str:
    """Node 0 reaches all: a random tree of arcs, and others in both directions."""
    names = [0, *draws.shuffled(range(1, size))]
    arcs = {(draws.integer(max(0, i - 5), i - 1), i): None for i in range(1, size)}
    for _ in range(size):
        i, j = draws.integer(0, size - 1), draws.integer(1, size - 1)
        if i != j and abs(i - j) < 9:
            arcs[i, j] = None
    return rows([size], *draws.shuffled([(names[i], names[j]) for i, j in arcs]))


def generate_cores(draws: Draws, size: int) -> str:
    """A dense part, and others that hang on it more and more loosely."""
    dense = max(3, size // 4)
    pairs = dict.fromkeys(connected_pairs(draws, size, 2 * size))
    for u, v in connected_pairs(draws, dense, dense * (dense - 1) // 3):
        if (v, u) not in pairs:
            pairs[u, v] = None
    names = draws.shuffled(range(size))
    return rows([size], *draws.shuffled([(names[u], names[v]) for u, v in pairs]))


def _graph(stdin: str, kind: str) -> tuple[Any, Any]:
    nx: Any = import_module("networkx")
    (size,), *arcs = numbers(stdin)
    graph = getattr(nx, kind)()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(arcs)
    return nx, graph


def reference_sorting(stdin: str) -> str:
    nx, graph = _graph(stdin, "DiGraph")
    order = nx.lexicographical_topological_sort(graph, lambda node: (node * 7) % 11)
    return lines([" ".join(map(str, order))])


def reference_components(stdin: str) -> str:
    nx, graph = _graph(stdin, "DiGraph")
    found = [sorted(each) for each in nx.strongly_connected_components(graph)]
    return lines([len(found), *(" ".join(map(str, each)) for each in found)])


def reference_dominators(stdin: str) -> str:
    nx, graph = _graph(stdin, "DiGraph")
    found = nx.immediate_dominators(graph, 0)
    return lines(f"{node} {found[node]}" for node in sorted(found) if node)


def reference_cores(stdin: str) -> str:
    nx, graph = _graph(stdin, "Graph")
    found = nx.core_number(graph)
    return lines([" ".join(str(found[node]) for node in sorted(found))])


ARCS = "nodes; then one arc a line: from, to"

TOPOLOGICAL_SORT = Routine(
    name="topological_sort",
    title="Lexicographical topological sort",
    package=NETWORKX,
    takes=(Take(module="networkx.algorithms.dag", names=("lexicographical_topological_sort",)),),
    driver=DRIVER.format(graph="DiGraph", body=SORTING),
    layout=ARCS,
    generate=generate_acyclic,
    reference=reference_sorting,
    sizes=(18, 32, 48),
)
STRONG_COMPONENTS = Routine(
    name="strong_components",
    title="Strongly connected components",
    package=NETWORKX,
    takes=(
        Take(
            module="networkx.algorithms.components.strongly_connected",
            names=("strongly_connected_components",),
        ),
    ),
    driver=DRIVER.format(graph="DiGraph", body=COMPONENTS),
    layout=ARCS,
    generate=generate_directed,
    reference=reference_components,
    sizes=(24, 34, 46),
)
DOMINATORS_OF = Routine(
    name="dominators",
    title="Immediate dominators",
    package=NETWORKX,
    takes=(Take(module="networkx.algorithms.dominance", names=("immediate_dominators",)),),
    driver=DRIVER.format(graph="DiGraph", body=DOMINATORS),
    layout=ARCS,
    generate=generate_rooted,
    reference=reference_dominators,
    sizes=(16, 26, 40),
)
CORE_NUMBERS = Routine(
    name="core_numbers",
    title="Core numbers by the algorithm of Batagelj and Zaversnik",
    package=NETWORKX,
    takes=(Take(module="networkx.algorithms.core", names=("core_number",)),),
    driver=DRIVER.format(graph="Graph", body=CORES),
    layout="nodes; then one edge a line: both ends",
    generate=generate_cores,
    reference=reference_cores,
    sizes=(16, 28, 44),
)
