"""Kosaraju's strongly connected components, iteratively."""

from __future__ import annotations

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """`size` nodes and about twice as many arcs; node 0 reaches all, and components vary."""
    order = [0, *draws.shuffled(range(1, size))]
    block_of: list[int] = []
    arcs: set[tuple[int, int]] = set()
    while len(block_of) < size:
        first = len(block_of)
        # Never the whole graph at once, unless it has just two nodes.
        length = min(draws.integer(1, 5), max(2, size - 1), size - first)
        block = range(first, first + length)
        block_of += [first] * length
        if length > 1:
            arcs |= {(i, i + 1) for i in block[:-1]} | {(block[-1], first)}
        if first:
            arcs.add((draws.integer(max(0, first - 4), first - 1), draws.choice(block)))
    others = [
        (i, j)
        for i in range(size)
        for j in range(max(0, i - 4), min(size, i + 9))
        if i != j and (i, j) not in arcs and block_of[i] <= block_of[j]
    ]
    arcs.update(draws.sample(others, max(0, 2 * size - 2 - len(arcs))))
    lines = []
    for node in range(size):
        place = order.index(node)
        leaving = draws.shuffled([order[j] for i, j in sorted(arcs) if i == place])
        lines.append(" ".join(map(str, [len(leaving), *leaving])))
    return "\n".join([str(size), *lines]) + "\n"


def reference(stdin: str) -> str:
    """Who reaches whom, by joining sets until they are closed; components reach each other."""
    rows = [[int(word) for word in line.split()[1:]] for line in stdin.splitlines()[1:]]
    reach = [{node, *row} for node, row in enumerate(rows)]
    grown = True
    while grown:
        grown = False
        for node, known in enumerate(reach):
            wider = known.union(*(reach[there] for there in known))
            if wider != known:
                reach[node] = wider
                grown = True
    groups = [
        [there for there in range(len(rows)) if there in known and node in reach[there]]
        for node, known in enumerate(reach)
    ]
    distinct = [group for node, group in enumerate(groups) if group[0] == node]
    largest = max(distinct, key=len)
    lengths = sorted((len(group) for group in distinct), reverse=True)
    between = sum(groups[a] != groups[b] for a, row in enumerate(rows) for b in row)
    return (
        f"{len(distinct)} components of sizes {' '.join(map(str, lengths))}\n"
        f"largest {' '.join(map(str, largest))}\nbetween {between}\n"
    )


ALGORITHM = Algorithm(
    name="strongly_connected_components",
    title="Strongly connected components",
    area="graphs",
    source="Sharir, A Strong-Connectivity Algorithm (1981), after Kosaraju",
    generate=generate,
    reference=reference,
    short=3,
    long=26,
)
