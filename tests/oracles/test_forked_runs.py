"""Measured runs in forks of a warm interpreter are those of fresh interpreters."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from tests.hostile.arena import in_words, made_candidate, run_all_ways
from tests.hostile.corpus import Hostile, corpus
from tests.oracles.interpreters import EXECUTABLES, PROGRAMS, program, runtime_with
from tests.oracles.looking_programs import LOOKING
from tests.oracles.tangled_programs import programs

from deskcheck.builder.admission import judge
from deskcheck.builder.languages.python import PythonLanguage
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.inside.markers import MarkedProgram
from deskcheck.oracles.observations import Moment, Watch
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.python import (
    AGENT,
    PythonRuntime,
    Variation,
    variation,
)
from deskcheck.oracles.sandbox import ForkingSandbox, Sandbox
from deskcheck.sources.pools import Candidate, PoolOptions
from deskcheck.sources.registry import load_pool

CONSTRUCTS = Path(__file__).parents[1] / "builder" / "programs" / "constructs"
HERE = variation(0)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks runs")

WAYS: dict[str, Callable[[PythonRuntime, Program, bytes, Variation], Any]] = {
    "counted": lambda runtime, clean, stdin, here: runtime.count(clean, stdin, here),
    "counted to a limit": lambda runtime, clean, stdin, here: runtime.count(
        clean, stdin, here, limit=150
    ),
    "counted fast": lambda runtime, clean, stdin, here: runtime.count_fast(clean, stdin, here),
    "observed": lambda runtime, clean, stdin, here: runtime.observe(
        clean, stdin, here, every_loop(clean)
    ),
}


def every_loop(clean: Program) -> Watch:
    """Every global name at the start and the second iteration of every loop, and all counters."""
    tree = ast.parse(clean.source)
    names = sorted({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)})[:20]
    loops = MarkedProgram(clean.source, "program.py").loops or [0]
    wanted = [
        moment
        for loop in loops
        for moment in (Moment(loop, "before", 1), Moment(loop, "inside", 1, 2))
    ]
    return Watch(
        wanted=wanted,
        names=dict.fromkeys(loops, names),
        watch={loop: [1] for loop in loops},
        trace_lengths=True,
        state_budget=20_000,
    )


CHANGING = re.compile(r"/deskcheck-[0-9]+/[0-9]+/[0-9a-f]{16}|0x[0-9a-f]{8,}|\b[0-9]{15}\b")
"""The folder of a run, addresses, and what `threading` calls a thread: they change every time."""


def bare(run: Any) -> str:
    """A run without times and memory, in words: what is opaque equals nothing but itself."""
    outcome = replace(run.outcome, cpu_s=0.0, wall_s=0.0, peak_rss=0)
    return CHANGING.sub("", repr(replace(run, outcome=outcome)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Twins:
    """One interpreter, started afresh for each run and kept warm."""

    fresh: PythonRuntime
    forked: PythonRuntime
    box: ForkingSandbox

    def agree(
        self,
        clean: Program,
        stdin: bytes = b"",
        here: Variation = HERE,
        ways: Collection[str] = WAYS.keys(),
    ) -> None:
        """All is told alike; a third fork has the program ready that the second prepared."""
        for way in ways:
            told = bare(WAYS[way](self.fresh, clean, stdin, here))
            for _ in range(2):
                assert bare(WAYS[way](self.forked, clean, stdin, here)) == told, way
        assert not self.box.why_fresh(self.fresh.interpreter.executable)


@pytest.fixture(scope="module", params=EXECUTABLES)
def twins(request: pytest.FixtureRequest) -> Iterator[Twins]:
    with Sandbox() as plain, ForkingSandbox(str(AGENT)) as forking:
        yield Twins(
            fresh=runtime_with(plain, request.param),
            forked=runtime_with(forking, request.param),
            box=forking,
        )


QUICK = ("arguments and flags", "the end", "streams")


def source_of(name: str) -> Program:
    return program(LOOKING[name].encode("latin-1" if "coding" in LOOKING[name] else "utf-8"))


LINES = b"one\ntwo\nthree\nfour\n"


@pytest.mark.parametrize("name", QUICK)
def test_a_program_sees_no_more_than_of_a_fresh_interpreter(name: str, twins: Twins) -> None:
    """Output, endings, counts and observations are equal, whatever the program looks at."""
    twins.agree(source_of(name), LINES, ways=("counted fast", "observed"))


@pytest.mark.slow
@pytest.mark.parametrize("repeat", range(3))
@pytest.mark.parametrize("name", LOOKING)
def test_whatever_a_program_looks_at_is_equal(name: str, repeat: int, twins: Twins) -> None:
    """Under several hash seeds, time zones and locales."""
    twins.agree(source_of(name), LINES, variation(repeat))


THREADED = {"threads", "thread"}
"""Programs that are seen at one point or another of another thread's work."""
UNSTEADY = {"time_dependent", "unseeded_random", "address_dependent"}
"""Programs that print something else each time."""


def ways_for(name: str) -> Collection[str]:
    return WAYS.keys() - {"observed"} if name in THREADED else WAYS.keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_that_mix_much_are_measured_alike(name: str, twins: Twins) -> None:
    twins.agree(program(PROGRAMS[name]), here=variation(1), ways=ways_for(name))


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(CONSTRUCTS.rglob("*.py")), ids=lambda path: str(path.stem))
def test_every_construct_is_measured_alike(path: Path, twins: Twins) -> None:
    if path.stem in UNSTEADY:
        pytest.skip("prints something else each time")
    try:
        clean = program(path.read_bytes())
        every_loop(clean)
    except SyntaxError:
        pytest.skip("does not compile")
    twins.agree(clean, path.with_suffix(".long.in").read_bytes(), ways=ways_for(path.stem))


@pytest.mark.slow
def test_textbook_programs_are_measured_alike(twins: Twins) -> None:
    for candidate in load_pool("textbook").candidates(PoolOptions(seed=0)):
        assert isinstance(candidate, Candidate)
        for number, given_input in enumerate(candidate.inputs):
            twins.agree(candidate.program, given_input.data, variation(number))


SLOW_CHECK = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=SLOW_CHECK)
@given(source=programs())
def test_many_generated_programs_are_measured_alike(source: str, twins: Twins) -> None:
    twins.agree(program(source), ways=("counted", "counted fast"))


@pytest.mark.slow
@pytest.mark.parametrize("hostile", corpus(), ids=lambda hostile: str(hostile.name))
def test_a_hostile_program_gets_its_verdict_from_forked_runs_too(
    hostile: Hostile, twins: Twins
) -> None:
    """And nothing that it did is left, neither processes nor files."""
    parameters = Parameters(repeats=2, cpu_s=hostile.cpu_s, wall_s=8, memory=256 * 1024**2)
    runtime = PythonRuntime(twins.box, twins.fresh.interpreter, parameters.limits())
    candidate = made_candidate(hostile.name, hostile.source, hostile.inputs)
    verdict = in_words(judge(candidate, {"python": PythonLanguage(runtime)}, parameters))
    if verdict.startswith("source/"):
        run_all_ways(runtime, candidate)
    assert hostile.allows(verdict.partition(":")[0], isolated=True), verdict
    assert {path.suffix for path in Path(twins.box._box.folder).iterdir()} == {".log"}
    assert not twins.box.why_fresh(twins.fresh.interpreter.executable)
