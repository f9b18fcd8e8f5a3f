"""The thirty textbook algorithms in their fixed order: by area, then by name."""

from __future__ import annotations

from importlib.resources import files
from typing import get_args

from deskcheck.sources.textbook import (
    bank_queue,
    bellman_ford,
    breadth_first_search,
    coin_change,
    convex_hull,
    dijkstra,
    edit_distance,
    floyd_warshall,
    heap_sort,
    huffman,
    insertion_sort,
    knapsack,
    knuth_morris_pratt,
    kruskal,
    langtons_ant,
    linear_congruential_monte_carlo,
    longest_common_subsequence,
    longest_palindrome,
    matrix_chain,
    merge_sort,
    newton_integer_root,
    polygon_area,
    quick_select,
    radix_sort,
    rolling_hash,
    simpson_integration,
    strongly_connected_components,
    suffix_array,
    topological_sort,
    z_function,
)
from deskcheck.sources.textbook.algorithm import Algorithm, Area

AREAS: tuple[Area, ...] = get_args(Area)

_DECLARED = (
    bank_queue.ALGORITHM,
    bellman_ford.ALGORITHM,
    breadth_first_search.ALGORITHM,
    coin_change.ALGORITHM,
    convex_hull.ALGORITHM,
    dijkstra.ALGORITHM,
    edit_distance.ALGORITHM,
    floyd_warshall.ALGORITHM,
    heap_sort.ALGORITHM,
    huffman.ALGORITHM,
    insertion_sort.ALGORITHM,
    knapsack.ALGORITHM,
    knuth_morris_pratt.ALGORITHM,
    kruskal.ALGORITHM,
    langtons_ant.ALGORITHM,
    linear_congruential_monte_carlo.ALGORITHM,
    longest_common_subsequence.ALGORITHM,
    longest_palindrome.ALGORITHM,
    matrix_chain.ALGORITHM,
    merge_sort.ALGORITHM,
    newton_integer_root.ALGORITHM,
    polygon_area.ALGORITHM,
    quick_select.ALGORITHM,
    radix_sort.ALGORITHM,
    rolling_hash.ALGORITHM,
    simpson_integration.ALGORITHM,
    strongly_connected_components.ALGORITHM,
    suffix_array.ALGORITHM,
    topological_sort.ALGORITHM,
    z_function.ALGORITHM,
)

ALGORITHMS = tuple(sorted(_DECLARED, key=lambda each: (AREAS.index(each.area), each.name)))


def source_of(algorithm: Algorithm) -> bytes:
    """The source of the algorithm's program."""
    package = files("deskcheck.sources.textbook")
    return (package / "programs" / f"{algorithm.name}.py").read_bytes()
