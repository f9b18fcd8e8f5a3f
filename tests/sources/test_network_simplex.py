"""The network-simplex pool: a feasible long problem and a derived short one for every seed."""

from __future__ import annotations

import io
import sys
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from deskcheck.builder.parameters import Parameters
from deskcheck.builder.refusals import refusal
from deskcheck.builder.syntax import read_source
from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.identity import Draws
from deskcheck.sources.conformance import check_pool
from deskcheck.sources.library import packages
from deskcheck.sources.network_simplex.pool import NetworkSimplexPool, program
from deskcheck.sources.network_simplex.problems import MOST, Problem, problems
from deskcheck.sources.network_simplex.selection import Band, select
from deskcheck.sources.pools import Candidate, PoolOptions


def read(seed: int = 0, /, **options: str) -> list[Candidate]:
    found = NetworkSimplexPool().candidates(PoolOptions(seed=seed, options=options))
    return list(found)


def printed(stdin: bytes, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the program prints, run in this process."""
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdin", io.StringIO(stdin.decode()))
    monkeypatch.setattr(sys, "stdout", out)
    exec(compile(program().source, "program", "exec"), {"__name__": "program"})
    monkeypatch.undo()
    return out.getvalue()


def reference(stdin: bytes) -> str:
    """The installed routine on the library's own graph."""
    nx: Any = import_module("networkx")
    _, demands, *arcs = ([int(word) for word in line.split()] for line in stdin.splitlines())
    graph = nx.DiGraph()
    for node, demand in enumerate(demands):
        graph.add_node(node, demand=demand)
    for u, v, weight, capacity in arcs:
        graph.add_edge(u, v, weight=weight, capacity=capacity)
    cost, flow = nx.network_simplex(graph)
    lines = [f"{u} {v} {flow[u][v]}" for u, v, *_ in sorted(arcs) if flow[u][v]]
    return "\n".join([str(cost), *lines]) + "\n"


def test_the_program_prints_what_the_installed_routine_gives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On both inputs of several candidates; every problem has a solution."""
    for each in read(4, count="4"):
        for one in each.inputs:
            assert printed(one.data, monkeypatch) == reference(one.data), (each.id, one.name)


def test_the_program_is_fit_to_be_shown() -> None:
    """One program for all candidates, short enough, with the routine's own class and no doctest."""
    (source,) = {each.program.source for each in read(count="5")}
    assert len(source) <= Parameters().max_source_characters
    assert b"\nclass _DataEssentialsAndFunctions:\n" in source
    assert b">>>" not in source and b"nx." not in source


@pytest.mark.slow
def test_the_program_is_refused_for_nothing() -> None:
    """Admission has nothing against what it uses."""
    assert refusal(read_source(program().source)) is None


def drawn(number: int) -> tuple[Problem, Problem]:
    return problems(Draws("test", number))


@pytest.mark.parametrize("number", range(40))
def test_a_problem_is_in_order(number: int) -> None:
    """Demands add up to nothing, arcs are different, and none is a loop."""
    for problem in drawn(number):
        size = len(problem.demands)
        assert 4 <= size <= MOST
        assert sum(problem.demands) == 0 and any(problem.demands)
        ends = [arc[:2] for arc in problem.arcs]
        assert len(set(ends)) == len(ends)
        for u, v, weight, capacity in problem.arcs:
            assert u != v and 0 <= u < size and 0 <= v < size
            assert weight > 0 and capacity > 0


@pytest.mark.parametrize("number", range(40))
def test_the_short_problem_is_part_of_the_long_one(number: int) -> None:
    """All its arcs but one that closes the cycle are arcs of the long problem, data and all."""
    short, long = drawn(number)
    assert len(short.demands) < len(long.demands) and len(short.arcs) < len(long.arcs)
    data = [arc[2:] for arc in long.arcs]
    assert sum(arc[2:] not in data for arc in short.arcs) <= 1


@pytest.mark.slow
def test_keeps_the_contract_of_pools() -> None:
    """Conformance holds, in two processes with different hash seeds too."""
    assert check_pool(NetworkSimplexPool(), PoolOptions(seed=3, options={"count": "5"})) == []


def test_candidates_are_made_as_they_are_asked_for() -> None:
    """The first of a thousand million does not wait for the others."""
    options = PoolOptions(options={"first": "7", "count": "1000000000"})
    found = islice(NetworkSimplexPool().candidates(options), 3)
    assert [each.id for each in found] == [f"network-simplex/{n}" for n in (7, 8, 9)]


def test_a_range_and_a_file_give_the_same_candidates(tmp_path: Path) -> None:
    """A candidate depends on its graph seed and the build's seed alone."""
    listed = tmp_path / "seeds.txt"
    listed.write_text("12\n10\n\n")
    third, _, first = read(5, first="10", count="3")
    assert read(5, seeds=str(listed)) == [first, third]
    assert read(6, first="10", count="1")[0].inputs != third.inputs


def test_a_candidate_says_where_it_comes_from() -> None:
    (each,) = read(first="3", count="1")
    assert (each.id, each.study, each.final_rule) == ("network-simplex/3", "networkx", "bytes")
    assert each.provenance.licence == "BSD-3-Clause"
    assert each.tags["version"] == import_module("networkx").__version__
    assert [one.name for one in each.inputs] == ["short", "long"]


def test_without_networkx_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "_installed", lambda name: None)
    with pytest.raises(PoolError, match="NetworkX, which is not installed"):
        read()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1\nx\n", "seeds.txt:2: 'x' is not a graph seed"),
        ("-1\n", "'-1' is not a graph seed"),
        ("4\n5\n4\n", "graph seed 4 stands in line 1 already"),
        ("\n", "names no graph seed"),
    ],
)
def test_a_wrong_file_is_one_line(text: str, expected: str, tmp_path: Path) -> None:
    listed = tmp_path / "seeds.txt"
    listed.write_text(text)
    with pytest.raises(PoolError, match=expected):
        read(seeds=str(listed))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"seeds": "nowhere.txt"}, "cannot be read"),
        ({"seeds": "s", "count": "3"}, "and a range"),
        ({"count": "0"}, "count='0'"),
        ({"counts": "1"}, "no option 'counts'"),
    ],
)
def test_wrong_options_are_one_line(options: dict[str, str], expected: str) -> None:
    with pytest.raises(PoolError, match=expected):
        read(**options)


BANDS = (Band(name="easy", low=10, high=20), Band(name="hard", low=30, high=50))
COUNTS = [(seed, seed % 60) for seed in range(600)]


def test_each_band_gives_as_many() -> None:
    """Band by band in ascending order; the upper end is outside, what lies between is not taken."""
    chosen = select(COUNTS, BANDS, 7, seed=1)
    easy, hard = chosen[:7], chosen[7:]
    assert easy == sorted(set(easy)) and hard == sorted(set(hard)) and len(hard) == 7
    assert all(10 <= seed % 60 < 20 for seed in easy)
    assert all(30 <= seed % 60 < 50 for seed in hard)


def test_the_choice_depends_on_neither_order_nor_other_bands() -> None:
    """Counts in another order give the same; another seed gives another choice."""
    chosen = select(COUNTS, BANDS, 7, seed=1)
    assert select(reversed(COUNTS), BANDS, 7, seed=1) == chosen
    assert select(COUNTS, BANDS[1:], 7, seed=1) == chosen[7:]
    assert select([*COUNTS, *COUNTS], BANDS, 7, seed=1) == chosen
    assert select(COUNTS, BANDS, 7, seed=2) != chosen


def test_more_of_a_band_contains_fewer() -> None:
    """A larger choice adds to a smaller one."""
    assert {*select(COUNTS, BANDS, 5, seed=1)} < {*select(COUNTS, BANDS, 9, seed=1)}


def test_a_band_with_too_few_is_an_error() -> None:
    with pytest.raises(PoolError, match="band 'hard' holds 5 of the 6"):
        select([(n, n) for n in [*range(10, 20), *range(30, 35)]], BANDS, 6, seed=1)


def test_a_seed_with_two_counts_is_a_fault() -> None:
    with pytest.raises(ValueError, match="3 has 10 and 11"):
        select([(3, 10), (3, 11)], BANDS, 1, seed=1)


def test_bands_may_touch_but_not_overlap() -> None:
    wide = Band(name="wide", low=15, high=31)
    with pytest.raises(PoolError, match="bands 'easy' and 'wide' overlap"):
        select(COUNTS, (*BANDS, wide), 1, seed=1)
    with pytest.raises(PoolError, match="holds nothing"):
        Band(name="none", low=5, high=5)
