"""The pool of one routine: NetworkX's network simplex, a long and a short graph per candidate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.identity import Draws
from deskcheck.oracles.programs import Program
from deskcheck.sources.library.extraction import Take
from deskcheck.sources.library.options import check_names, integer, missing
from deskcheck.sources.library.packages import NETWORKX
from deskcheck.sources.library.routine import assemble
from deskcheck.sources.network_simplex.problems import problems
from deskcheck.sources.pools import Candidate, Input, Part, PoolInfo, PoolOptions, Provenance

NAME = "network-simplex"
MODULE = "networkx.algorithms.flow.networksimplex"
OPTIONS = {
    "first": "the first graph seed of a range (default 0)",
    "count": "how many graph seeds the range has (default 100)",
    "seeds": "a file with one graph seed a line, instead of a range",
}
DRIVER = """
def main():
    rows = [[int(word) for word in line.split()] for line in sys.stdin.read().splitlines()]
    G = DiGraph()
    for node, demand in enumerate(rows[1]):
        G.add_node(node, demand=demand)
    for u, v, weight, capacity in rows[2:]:
        G.add_edge(u, v, weight=weight, capacity=capacity)
    cost, flow = network_simplex(G)
    print(cost)
    print("\\n".join(f"{u} {v} {flow[u][v]}" for u, v, *_ in sorted(rows[2:]) if flow[u][v]))


main()
"""


class NetworkSimplexPool:
    """One candidate for each graph seed; made as they are asked for."""

    def info(self) -> PoolInfo:
        return PoolInfo(
            name=NAME,
            title="The network simplex routine of NetworkX, a graph for each seed",
            description=(
                "The program is the same for all candidates: the installed routine's own source in "
                "one file. Each graph seed gives a long graph and a smaller one derived from it. "
                "Final outputs are compared byte for byte."
            ),
            options=OPTIONS,
            files=("seeds",),
        )

    def candidates(self, options: PoolOptions) -> Iterator[Candidate]:
        seeds = _seeds(options)
        if NETWORKX.version() is None:
            raise missing(NAME, NETWORKX, "")
        return (candidate(number, options.seed) for number in seeds)

    def parts(self, options: PoolOptions, size: int) -> Sequence[Part]:
        seeds = _seeds(options)
        if isinstance(seeds, range):
            return [_range(options, seeds[at : at + size]) for at in range(0, len(seeds), size)]
        return [_range(options, range(number, number + 1)) for number in seeds]


@cache
def program() -> Program:
    """The one program of this pool, taken from the installed NetworkX."""
    take = Take(module=MODULE, names=("network_simplex",))
    return Program(language="python", source=assemble((take,), DRIVER))


def candidate(number: int, seed: int) -> Candidate:
    """The candidate of one graph seed, under the seed of the build."""
    short, long = problems(Draws(NAME, seed, number))
    return Candidate(
        id=f"{NAME}/{number}",
        pool=NAME,
        study="networkx",
        program=program(),
        provenance=Provenance(
            licence=NETWORKX.licence,
            author=NETWORKX.author,
            origin="network_simplex",
            url=NETWORKX.url,
        ),
        inputs=(
            Input(name="short", data=short.text().encode()),
            Input(name="long", data=long.text().encode()),
        ),
        final_rule="bytes",
        tags={
            "package": NETWORKX.name,
            "version": NETWORKX.version() or "",
            "routine": f"{MODULE}.network_simplex",
            "graph_seed": str(number),
            "nodes": str(len(long.demands)),
            "arcs": str(len(long.arcs)),
        },
    )


def _seeds(options: PoolOptions) -> Sequence[int]:
    check_names(NAME, options, OPTIONS)
    given = options.options
    first = integer(given, "first", 0, 0, 10**12)
    count = integer(given, "count", 100, 1, 10**9)
    if "seeds" not in given:
        return range(first, first + count)
    if len(given) > 1:
        raise PoolError(
            f"pool {NAME!r} was given seeds={given['seeds']!r} and a range",
            "leave `first` and `count` out, or the file",
        )
    return _listed(given["seeds"])


def _range(options: PoolOptions, seeds: range) -> Part:
    given = {"first": str(seeds.start), "count": str(len(seeds))}
    return Part(options=replace(options, options=given), count=len(seeds))


def _listed(name: str) -> list[int]:
    try:
        lines = Path(name).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise PoolError(
            f"the file of graph seeds {name!r} cannot be read ({type(error).__name__})",
            "name a text file with one whole number a line",
        ) from error
    seeds: dict[int, int] = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text:
            continue
        if not (text.isascii() and text.isdigit()) or len(text) > 12:
            raise PoolError(
                f"{name}:{number}: {text!r} is not a graph seed", "one whole number a line"
            )
        if seeds.setdefault(int(text), number) != number:
            raise PoolError(
                f"{name}:{number}: graph seed {text} stands in line {seeds[int(text)]} already",
                "name each seed once",
            )
    if not seeds:
        raise PoolError(f"the file {name!r} names no graph seed", "one whole number a line")
    return list(seeds)
