"""The textbook pool: thirty candidates in a fixed order, and clear errors for what it has not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from deskcheck.oracles.errors import PoolError
from deskcheck.sources import textbook
from deskcheck.sources.conformance import check_pool
from deskcheck.sources.pools import Candidate, PoolOptions
from deskcheck.sources.textbook.catalogue import ALGORITHMS, AREAS
from deskcheck.sources.textbook.pool import OPTIONS, TextbookPool

MODULES = Path(str(textbook.__file__)).parent


def read(seed: int = 0, /, **options: str) -> list[Candidate]:
    return list(TextbookPool().candidates(PoolOptions(seed=seed, options=options)))


def names(candidates: list[Candidate]) -> list[str]:
    return [each.provenance.origin for each in candidates]


def test_keeps_the_contract_of_pools() -> None:
    """Conformance holds for all thirty, in two processes with different hash seeds too."""
    assert check_pool(TextbookPool(), PoolOptions(seed=5)) == []


def test_catalogue_holds_every_program() -> None:
    """Each program has a module that declares it, and the catalogue has all thirty once."""
    programs = sorted(path.stem for path in (MODULES / "programs").glob("*.py"))
    assert sorted(each.name for each in ALGORITHMS) == programs
    assert len(programs) == 30
    for each in ALGORITHMS:
        assert each.generate.__module__ == f"{textbook.__name__}.{each.name}"


def test_candidates_come_by_area_then_by_name() -> None:
    """The order is that of the areas as declared, and alphabetical within each."""
    found = [(each.tags["area"], each.provenance.origin) for each in read()]
    order: list[str] = [*AREAS]
    assert found == sorted(found, key=lambda pair: (order.index(pair[0]), pair[1]))
    assert {area for area, _ in found} == set(AREAS)


def test_a_candidate_carries_its_program_inputs_and_provenance() -> None:
    """Every field of one candidate, its listed outputs from the reference."""
    (each,) = read(3, only="heap_sort")
    assert (each.id, each.pool, each.study) == ("textbook/heap_sort", "textbook", "textbook-python")
    assert each.program.language == "python"
    assert each.program.source == (MODULES / "programs/heap_sort.py").read_bytes()
    assert each.provenance.licence == "Apache-2.0"
    assert each.provenance.author == "Deskcheck authors"
    assert each.tags["title"] == "Heap sort with a binary heap in place"
    (algorithm,) = (one for one in ALGORITHMS if one.name == "heap_sort")
    assert [one.name for one in each.inputs] == ["short", "long"]
    for one in each.inputs:
        assert one.listed_output == algorithm.reference(one.data.decode()).encode()
    assert [one.data.split()[0] for one in each.inputs] == [b"4", b"40"]


def test_the_seed_chooses_the_inputs() -> None:
    """Another seed gives other inputs to every program; the same one gives the same."""
    assert [each.inputs for each in read(1)] == [each.inputs for each in read(1)]
    for one, other in zip(read(1), read(2), strict=True):
        assert one.program == other.program
        assert one.inputs[1] != other.inputs[1]


def test_sizes_can_be_chosen() -> None:
    """`short` and `long` take the place of the algorithm's own sizes."""
    (each,) = read(only="heap_sort", short="7", long="70")
    assert [one.data.split()[0] for one in each.inputs] == [b"7", b"70"]


def test_one_choice_does_not_change_another_program() -> None:
    """What a program is given does not depend on which others are asked for."""
    every = {each.id: each.inputs for each in read()}
    for each in read(only="dijkstra, z_function"):
        assert each.inputs == every[each.id]


@pytest.mark.parametrize(
    ("output", "rule"), [("1 2\n3\n", "tokens"), ("#  #\n # \n", "lines"), ("1\n\n2\n", "lines")]
)
def test_outputs_with_a_layout_compare_by_lines(
    monkeypatch: pytest.MonkeyPatch, output: str, rule: str
) -> None:
    """The rule is `lines` where the reference's output would lose meaning as tokens."""
    drawing = replace(ALGORITHMS[0], reference=lambda _: output)
    monkeypatch.setattr("deskcheck.sources.textbook.pool.ALGORITHMS", (drawing,))
    assert [each.final_rule for each in read()] == [rule]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"only": "dijkstra"}, ["dijkstra"]),
        ({"only": "z_function, dijkstra,dijkstra"}, ["dijkstra", "z_function"]),
        ({"area": "geometry"}, ["convex_hull", "polygon_area"]),
        (
            {"area": "simulation,geometry"},
            ["convex_hull", "polygon_area", "bank_queue", "langtons_ant"],
        ),
        ({"area": "geometry", "only": "dijkstra,convex_hull"}, ["convex_hull"]),
    ],
)
def test_algorithms_can_be_chosen(options: dict[str, str], expected: list[str]) -> None:
    """By name and by area; the order stays that of the whole pool."""
    assert names(read(0, **options)) == expected


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"onyl": "dijkstra"}, "pool 'textbook' has no option 'onyl'; did you mean only"),
        ({"q": ""}, "pool 'textbook' has no option 'q'; known: only, area, short, long"),
        (
            {"only": "dijkstar"},
            "pool 'textbook' has no algorithm 'dijkstar'; did you mean dijkstra",
        ),
        ({"only": "dijkstra,"}, "pool 'textbook' has no algorithm ''; known: coin_change"),
        ({"area": "graph"}, "pool 'textbook' has no area 'graph'; did you mean graphs?"),
        ({"only": "dijkstra", "area": "geometry"}, "both in only='dijkstra' and area='geometry'"),
        ({"short": "1"}, "option short='1' is not a size; give a number from 2 to 300"),
        ({"long": "9" * 5000}, "is not a size"),
        ({"long": "1e2"}, "option long='1e2' is not a size"),
        ({"long": "²"}, "option long='²' is not a size"),
        ({"only": "heap_sort", "short": "40"}, "heap_sort would have size 40 and the long one 40"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, str], said: str) -> None:
    """One line names the option or the name that there is not, and what was meant."""
    with pytest.raises(PoolError) as raised:
        TextbookPool().candidates(PoolOptions(options=options))
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_data_is_refused() -> None:
    """Data given to a pool that reads none is a mistake, not something to pass over."""
    with pytest.raises(PoolError, match="'textbook' reads no data, but was given 'programs'"):
        TextbookPool().candidates(PoolOptions(data="programs"))


def test_every_option_is_described() -> None:
    """`info` has a line for each option that the pool takes."""
    assert TextbookPool().info().options == OPTIONS
    assert [*OPTIONS] == ["only", "area", "short", "long"]
