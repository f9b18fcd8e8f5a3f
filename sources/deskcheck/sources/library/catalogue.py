"""The library routines in their fixed order: by package, then by name."""

from __future__ import annotations

from deskcheck.sources.library import (
    flows,
    orders,
    shortest_paths,
    spanning_trees,
    texts,
    values,
)

_DECLARED = (
    shortest_paths.BELLMAN_FORD,
    shortest_paths.DIJKSTRA,
    spanning_trees.KRUSKAL,
    spanning_trees.PRIM,
    flows.EDMONDS_KARP,
    orders.CORE_NUMBERS,
    orders.DOMINATORS_OF,
    orders.STRONG_COMPONENTS,
    orders.TOPOLOGICAL_SORT,
    texts.COLUMNS_OF,
    texts.DIFFERENCES_OF,
    texts.OPTIONS_OF,
    texts.PUNYCODED,
    texts.WRAPPED,
    values.COMMON_LOGARITHM,
    values.EXACT_VARIANCE,
    values.NSMALLEST,
)

ROUTINES = tuple(sorted(_DECLARED, key=lambda each: (each.package.name, each.name)))
