"""What each library routine declares, and the program that is made of it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from deskcheck.oracles.identity import Draws
from deskcheck.sources.library.extraction import Take, extract
from deskcheck.sources.library.packages import Package

GRAPHS = "deskcheck.sources.library.programs.graphs"
STAND_INS = {
    "networkx.classes.graph:Graph": "Graph",
    "networkx.classes.digraph:DiGraph": "DiGraph",
}
_HEADING = "A small graph class in place of the library's, with the same order of nodes and edges"


@dataclass(frozen=True, slots=True, kw_only=True)
class Routine:
    """One routine of an installed library, with a driver, inputs by size and seed, a reference.

    `generate(draws, size)` writes one legal standard input and draws every choice from `draws`.
    `reference(stdin)` calls the installed routine itself and writes what the program must print.
    """

    name: str
    title: str
    package: Package
    takes: tuple[Take, ...]
    driver: str
    """Reads standard input, calls the routine and prints; it may use `sys`."""
    layout: str
    """Standard input, in one line."""
    generate: Callable[[Draws, int], str]
    reference: Callable[[str], str]
    sizes: tuple[int, ...]
    """Of the largest input, by level of difficulty."""


@cache
def program_of(routine: Routine) -> bytes:
    """The one runnable file: imports, the routine's source, a graph if it needs one, the driver."""
    return assemble(routine.takes, routine.driver)


def assemble(takes: tuple[Take, ...], driver: str) -> bytes:
    """A program of what is taken from a library and a driver for it."""
    library = extract(takes, STAND_INS, imports=("import sys",))
    graph = _graph(library + driver)
    return "\n\n".join([library, *([graph] if graph else []), driver.strip("\n") + "\n"]).encode()


def _graph(text: str) -> str:
    """The stand-in for the library's graphs, with no more methods than the program uses."""
    tree = ast.parse(text)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    wanted = [name for name in STAND_INS.values() if name in names]
    if not wanted:
        return ""
    kept = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    whole = ast.parse(extract([Take(module=GRAPHS, names=("DiGraph",))], {}))
    graph = next(node for node in whole.body if isinstance(node, ast.ClassDef))
    methods = {node.name: node for node in graph.body if isinstance(node, ast.FunctionDef)}
    kept |= {name for name in methods if name.startswith("__")} | {"directed"}
    used: set[str] = set()
    while used != kept:
        used = set(kept)
        for name in used & methods.keys():
            parts = ast.walk(methods[name])
            kept |= {node.attr for node in parts if isinstance(node, ast.Attribute)}
    members = {"Graph": tuple(sorted(kept))}
    take = Take(module=GRAPHS, names=tuple(wanted), members=members, heading=_HEADING)
    return extract([take], {})
