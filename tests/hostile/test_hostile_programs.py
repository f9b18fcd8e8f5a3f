"""Programs written to break a benchmark: contained, judged as they deserve, and gone afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.hostile.arena import GOOD, in_words, made_candidate, run_all_ways
from tests.hostile.corpus import INPUTS, NOT_RUN, Hostile, corpus
from tests.hostile.worlds import NO_LAYERS, World, run_in

from deskcheck.builder.admission import judge
from deskcheck.builder.cases import Admitted, Verdict
from deskcheck.builder.engines.local import LocalEngine
from deskcheck.builder.judging import Judging
from deskcheck.builder.languages.python import PythonLanguage
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.runtimes.python import PythonRuntime, find_interpreter
from deskcheck.oracles.sandbox import Sandbox

CORPUS = {hostile.name: hostile for hostile in corpus()}

WORLDS = (
    World(who="root"),
    World(who="user"),
    World(who="root", without=NO_LAYERS),
    World(who="user", without=NO_LAYERS),
)
LESSER_WORLDS = (
    World(who="kept"),
    World(who="kept", without=("namespaces",)),
    World(who="kept", without=("landlock",)),
    World(who="user", without=("namespaces",)),
    World(who="user", without=("landlock",)),
)
ONE_AFTER_THE_OTHER = pytest.mark.xdist_group("worlds")
"""What a program leaves behind in one world would be found in the other."""
QUICK = (
    "checkpoint_lies",
    "closed_folder",
    "deep_files",
    "fork_bomb_by_another_name",
    "kill_by_owner_of_a_file",
    "leftovers",
    "link_out",
    "monitoring_blinded",
    "own_source_rewritten",
    "pickled_command",
    "report_forged",
    "report_of_rubbish",
)
SOURCES = {
    "ten megabytes of text": (
        b"x = '" + b"a" * 10_000_000 + b"'\n" + GOOD,
        "bounds/source_too_long",
    ),
    "ten megabytes of list": (
        b"x = [" + b"1," * 5_000_000 + b"]\n" + GOOD,
        "bounds/source_too_long",
    ),
    "parentheses": (b"x = " + b"(" * 9_999 + b")" * 9_999 + b"\n" + GOOD, "source/does_not_parse"),
    "a long sum": (b"x = 1" + b"+1" * 15_000 + b"\n" + GOOD, "source/parser_limit"),
    "NUL": (GOOD + b"# \0\n", "source/does_not_parse"),
    "a lone surrogate": (b"# \xed\xa0\x80\n" + GOOD, "source/not_utf8"),
    "another encoding": (b"# coding: rot13\n" + GOOD, "source/not_utf8"),
    "a number of 5,000 digits": (b"x = " + b"9" * 5_000 + b"\n" + GOOD, "source/does_not_parse"),
    "byte-order mark": (b"\xef\xbb\xbf" + GOOD, "admitted"),
    "carriage returns": (GOOD.replace(b"\n", b"\r\n"), "admitted"),
    "no final newline": (GOOD.rstrip(), "admitted"),
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as box:
        yield box


def judged(sandbox: Sandbox, name: str, source: bytes, inputs: tuple[bytes, ...]) -> str:
    """The verdict's check and reason; what would not be run is run all the same."""
    parameters = Parameters(cpu_s=2.0, wall_s=10.0, memory=256 * 1024**2)
    runtime = PythonRuntime(sandbox, find_interpreter(), parameters.limits())
    candidate = made_candidate(name, source, inputs)
    verdict = in_words(judge(candidate, {"python": PythonLanguage(runtime)}, parameters)).partition(
        ":"
    )[0]
    if verdict.startswith("source/") and name in CORPUS:
        run_all_ways(runtime, candidate)
    return verdict


def problems(hostile: Hostile, result: dict[str, Any], world: World) -> list[str]:
    """All that is not as it must be with one program in a world."""
    verdict = str(result["verdict"]).partition(":")[0]
    found = [f"still running: {command}" for command in result["running"]]
    found += [f"left: {path}" for path in result["left"] if world.isolated or not hostile.leaves]
    if not result["good"]:
        found.append("a good program no longer runs after it")
    if not _as_expected(hostile, verdict, world):
        found.append(f"verdict: {result['verdict']}")
    if world.isolated and hostile.shows not in result["shown"]:
        found.append(f"does not show {hostile.shows}: {result['shown']}")
    if world.isolated and hostile.forbidden and hostile.forbidden in result["shown"]:
        found.append(f"shows: {result['shown']}")
    return found


def _as_expected(hostile: Hostile, verdict: str, world: World) -> bool:
    if "landlock" in world.without and world.isolated:
        # A read-only file system is no PermissionError: the reason has another name there.
        expected = replace(hostile, verdict=hostile.verdict.partition("/")[0])
        return expected.allows(verdict.partition("/")[0], isolated=True)
    return hostile.allows(verdict, isolated=world.isolated)


def all_problems(world: World, names: list[str]) -> dict[str, list[str]]:
    told = run_in(world, names)
    assert set(told.results) == set(names)
    assert told.end == {"good": "admitted", "same": True}
    assert told.facts["identity"] == (world.who == "root")
    assert (told.facts["layers"]["writes"] is None) == (not world.isolated)
    found = {name: problems(CORPUS[name], told.results[name], world) for name in names}
    return {name: wrong for name, wrong in found.items() if wrong}


@pytest.mark.slow
@ONE_AFTER_THE_OTHER
@pytest.mark.parametrize(
    "world",
    WORLDS,
    ids=str,
)
def test_every_program_is_contained_and_judged_as_it_says(world: World) -> None:
    """Right verdict, nothing running, nothing on disk, good programs judged as ever."""
    names = [name for name, hostile in CORPUS.items() if hostile.unisolated != NOT_RUN]
    assert all_problems(world, list(CORPUS) if world.isolated else names) == {}


@pytest.mark.slow
@ONE_AFTER_THE_OTHER
@pytest.mark.parametrize("world", LESSER_WORLDS, ids=str)
def test_what_reaches_outside_is_stopped_by_fewer_layers_too(world: World) -> None:
    """Where another identity, namespaces or Landlock are missing, the others stand in."""
    assert all_problems(world, [name for name, one in CORPUS.items() if one.outside]) == {}


@pytest.mark.parametrize("name", QUICK)
def test_a_hostile_program_is_judged_on_this_machine(name: str, sandbox: Sandbox) -> None:
    """As the user who runs the tests, with all the layers there are."""
    hostile = CORPUS[name]
    assert hostile.allows(judged(sandbox, name, hostile.source, hostile.inputs), isolated=True)
    assert [path.name for path in Path(sandbox._box.folder).iterdir()] == ["warden.log"]


@pytest.mark.parametrize("name", SOURCES)
def test_an_odd_source_is_judged_without_harm(name: str, sandbox: Sandbox) -> None:
    """However long, deep or odd the text is: a verdict by name, and soon."""
    source, expected = SOURCES[name]
    assert judged(sandbox, name, source, INPUTS) == expected


@pytest.mark.slow
def test_good_candidates_among_hostile_ones_get_the_verdicts_they_get_alone() -> None:
    """Two workers, each with hostile programs before and after the good one."""
    good = [
        made_candidate(
            f"good {n}", GOOD.replace(b"1000", str(1000 + n).encode()), (b"4\n", b"48\n")
        )
        for n in range(4)
    ]
    hostile = [
        made_candidate(name, CORPUS[name].source, CORPUS[name].inputs)
        for name in (*QUICK, "memory_without_end", "kills_itself", "stops_itself", "thread_bomb")
    ]
    parameters = Parameters(cpu_s=2.0, wall_s=4.0, memory=256 * 1024**2)
    judging = Judging(interpreter=find_interpreter(), parameters=parameters)
    mixed = [one for n, one in enumerate(good) for one in (*hostile[4 * n : 4 * n + 4], one)]

    def among(candidates: list[Any]) -> dict[str, Verdict]:
        with closing(LocalEngine(2).results(candidates, judging)) as pairs:
            return {candidates[index].id: verdict for index, verdict in pairs}

    alone, together = among(good), among(mixed)
    assert len(together) == 20
    assert all(isinstance(verdict, Admitted) for verdict in alone.values())
    assert {id: together[id] for id in alone} == alone
    for one in hostile:
        verdict = in_words(together[one.id]).partition(":")[0]
        assert CORPUS[one.provenance.origin].allows(verdict, isolated=True), verdict


def test_the_corpus_says_what_it_tries() -> None:
    """Sixty programs and more, each small, with a head that says all."""
    assert len(CORPUS) >= 60
    for hostile in CORPUS.values():
        head = hostile.source.decode().splitlines()[:3]
        assert [line.split(":")[0] for line in head] == ["# Tries", "# Comes to", "# Verdict"]
        assert hostile.source.count(b"\n") <= 40
