"""Trace lengths are counted by two counters, and what a run was to report may get lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pytest

from deskcheck.builder.admission import judge
from deskcheck.builder.cases import Admitted, Rejected, Verdict
from deskcheck.builder.languages.python import PythonLanguage
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.inside import bytecode
from deskcheck.oracles.outcomes import Limits, Outcome
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.python import (
    FAST_COUNTED,
    REPORT,
    CountedFast,
    Interpreter,
    PythonRuntime,
    Variation,
    find_interpreter,
)
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.pools import Candidate, Input, Provenance

PROGRAM = """\
n = int(input())
a, b = 0, 1
for _ in range(n):
    a, b = b, (a + b) % 1000
print(a * b)
"""
PARAMETERS = Parameters()


class Miscounting(PythonRuntime):
    """One whose second counter counts one opcode too many."""

    def count_fast(self, program: Program, stdin: bytes, circumstances: Variation) -> CountedFast:
        counted = super().count_fast(program, stdin, circumstances)
        assert counted.trace_length is not None
        return replace(counted, trace_length=counted.trace_length + 1)


class Uncounting(PythonRuntime):
    """One whose second counter contradicts itself."""

    def count_fast(self, program: Program, stdin: bytes, circumstances: Variation) -> CountedFast:
        counted = super().count_fast(program, stdin, circumstances)
        return replace(counted, trace_length=None, problem="the counters contradict each other")


class Forgetful:
    """A sandbox that loses the report of every other run that has one."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self.lost = 0
        self._reported = 0

    def run(
        self,
        argv: Sequence[str],
        *,
        stdin: bytes,
        files: Mapping[str, bytes],
        collect: Sequence[str] = (),
        env: Mapping[str, str],
        limits: Limits,
    ) -> Outcome:
        outcome = self._sandbox.run(
            argv, stdin=stdin, files=files, collect=collect, env=env, limits=limits
        )
        if REPORT in outcome.collected:
            self._reported += 1
            if self._reported % 2:
                self.lost += 1
                return replace(outcome, collected={})
        return outcome


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def verdict(runtime: PythonRuntime) -> Verdict:
    candidate = Candidate(
        id="test/program",
        pool="test",
        study="test-python",
        program=Program(language="python", source=PROGRAM.encode()),
        provenance=Provenance(licence="CC0-1.0", author="tests", origin="program"),
        inputs=(Input(name="short", data=b"4\n"), Input(name="long", data=b"40\n")),
    )
    return judge(candidate, {"python": PythonLanguage(runtime)}, PARAMETERS)


def test_counters_that_disagree_are_a_fault_of_ours(sandbox: Sandbox) -> None:
    """No case comes of it, and the verdict names both counts and blames no program."""
    given = verdict(Miscounting(sandbox, find_interpreter(), PARAMETERS.limits()))
    assert isinstance(given, Rejected)
    (finding,) = given.findings
    assert (finding.check, finding.reason) == ("internal", "counters_disagree")
    reference, _, second = finding.detail.partition("opcodes by the reference, ")
    assert int(second.split()[0]) == int(reference.split()[-1]) + 1


def test_where_the_second_counter_has_no_count_the_reference_gives_it(sandbox: Sandbox) -> None:
    """The case is the one that agreeing counters make."""
    limits = PARAMETERS.limits()
    given = verdict(Uncounting(sandbox, find_interpreter(), limits))
    assert isinstance(given, Admitted)
    assert given == verdict(PythonRuntime(sandbox, find_interpreter(), limits))


def test_a_report_that_is_lost_once_costs_no_case(sandbox: Sandbox) -> None:
    """Every other report is lost, and the verdict is the one of a machine that loses none."""
    forgetful = Forgetful(sandbox)
    given = verdict(PythonRuntime(forgetful, find_interpreter(), PARAMETERS.limits()))
    assert forgetful.lost
    assert given == verdict(PythonRuntime(sandbox, find_interpreter(), PARAMETERS.limits()))


def test_a_version_whose_bytecode_is_not_known_is_counted_by_the_reference_and_says_so() -> None:
    """What is said of a version is what the counter inside the measured interpreter knows."""
    assert {tuple(map(int, minor.split("."))) for minor in FAST_COUNTED} == set(
        bytecode.KNOWN.values()
    )
    later = Interpreter(executable="python", version="3.99.1", implementation="CPython", libc="")
    assert later.counters == "events of sys.monitoring only: bytecode of 3.99 is not known"
