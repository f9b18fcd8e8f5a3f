"""Runs of a candidate's program, judged: each returns what was learnt or the finding against it.

A run that ends at a safety net (CPU or wall time) is tried once more before it counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from deskcheck.builder.cases import Finding
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.outcomes import Ending, Outcome
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.python import (
    Counted,
    Observed,
    PythonRuntime,
    Watch,
    variation,
)
from deskcheck.sources.pools import Input

PLAIN, PROFILE, FINAL = 0, 1, 2
"""Repeat numbers of the runs that are not counting repeats; those come after."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LegalInput:
    """An input that the program runs to completion on, and what it prints there."""

    input: Input
    stdin: str
    stdout: bytes
    trace_length: int
    unread: int | None


class Measurer:
    """All runs of one candidate."""

    def __init__(self, runtime: PythonRuntime, parameters: Parameters) -> None:
        self._runtime = runtime
        self._parameters = parameters

    def legal(self, program: Program, given: Input) -> LegalInput | Finding:
        """Run the program as anybody would, then once more counted: is this a legal input?"""
        stdin = _text(given.data)
        if stdin is None:
            return _illegal(given, "input_not_utf8", "its bytes are not UTF-8")
        if len(stdin) > self._parameters.max_input_characters:
            limit = self._parameters.max_input_characters
            return _illegal(given, "input_too_long", f"{len(stdin)} characters, limit {limit}")
        outcome = self._tried_twice(
            lambda: self._runtime.run(program, given.data, variation(PLAIN))
        )
        problem = _problem(outcome, self._parameters)
        if problem is not None:
            return _illegal(given, *problem)
        counted = self.count(program, given, 0, limit=self._parameters.max_trace_length)
        if isinstance(counted, Finding):
            return counted
        if counted.too_long:
            limit = self._parameters.max_trace_length
            return _illegal(given, "trace_too_long", f"more than {limit} opcodes")
        if counted.outcome.stdout != outcome.stdout:
            return Finding(
                check="determinism",
                reason="output_varies",
                detail=f"input {given.name}: {_first_difference(outcome, counted.outcome)}",
            )
        assert counted.opcodes is not None
        return LegalInput(
            input=given,
            stdin=stdin,
            stdout=outcome.stdout,
            trace_length=counted.opcodes,
            unread=counted.unread,
        )

    def count(
        self, program: Program, given: Input, repeat: int, limit: int | None = None
    ) -> Counted | Finding:
        """Counting repeat number `repeat`, under a hash seed of its own."""
        circumstances = variation(FINAL + 1 + repeat)
        counted: Counted | None = None

        def once() -> Outcome:
            nonlocal counted
            counted = self._runtime.count(program, given.data, circumstances, limit)
            return counted.outcome

        outcome = self._tried_twice(once)
        assert counted is not None
        if not counted.too_long and (counted.opcodes is None or not outcome.clean):
            return _lost(given, outcome)
        return counted

    def observe(
        self, program: Program, given: Input, repeat: int, watch: Watch
    ) -> Observed | Finding:
        """A watched run under the circumstances of `repeat`."""
        observed: Observed | None = None

        def once() -> Outcome:
            nonlocal observed
            observed = self._runtime.observe(program, given.data, variation(repeat), watch)
            return observed.outcome

        outcome = self._tried_twice(once)
        assert observed is not None
        if observed.too_long:
            return _illegal(given, "too_many_iterations", f"over {watch.boundary_limit} boundaries")
        if not observed.reported or not outcome.clean:
            return _lost(given, outcome)
        return observed

    def run(self, program: Program, given: Input, repeat: int) -> Outcome:
        """A plain run under the circumstances of a counting repeat."""
        return self._tried_twice(
            lambda: self._runtime.run(program, given.data, variation(FINAL + 1 + repeat))
        )

    def _tried_twice(self, run: Callable[[], Outcome]) -> Outcome:
        outcome = run()
        if outcome.ending in (Ending.CPU_LIMIT, Ending.WALL_LIMIT):
            outcome = run()
        return outcome


def _text(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _illegal(given: Input, reason: str, detail: str, **measured: Any) -> Finding:
    return Finding(
        check="legal_inputs",
        reason=reason,
        detail=f"input {given.name}: {detail}",
        measured=measured,
    )


def _lost(given: Input, outcome: Outcome) -> Finding:
    """A measuring run that did not end as the plain one did."""
    problem = ending_of(outcome)
    if problem is None:
        return _illegal(given, "left_early", "it ends the process itself, so nothing is measured")
    return _illegal(given, problem[0], f"{problem[1]} while measured")


def _problem(outcome: Outcome, parameters: Parameters) -> tuple[str, str] | None:
    """Why a plain run is not legal, as (reason, detail)."""
    problem = ending_of(outcome)
    if problem is not None:
        return problem
    if b"Traceback (most recent call last)" in outcome.stderr:
        return "traceback", f"it prints a traceback: {last_line(outcome.stderr)}"
    text = _text(outcome.stdout)
    if text is None:
        return "output_not_utf8", "its output is not UTF-8"
    if not text.strip():
        return "no_output", "it prints nothing"
    if len(text) > parameters.max_output_characters:
        limit = parameters.max_output_characters
        return "output_too_long", f"it prints {len(text)} characters, limit {limit}"
    return None


_REASONS = {
    "EOFError": "reads_past_input",
    "ModuleNotFoundError": "missing_module",
    "ImportError": "missing_module",
    "MemoryError": "memory_limit",
    "PermissionError": "forbidden",
    "BlockingIOError": "forbidden",
    "RecursionError": "recursion_limit",
}


def ending_of(outcome: Outcome) -> tuple[str, str] | None:
    """How a run that is not clean ended, as (reason, detail); None for a clean one."""
    match outcome.ending:
        case Ending.CPU_LIMIT:
            return "cpu_limit", "it runs past the CPU limit"
        case Ending.WALL_LIMIT:
            return "wall_limit", "it runs past the wall-clock limit"
        case Ending.OUTPUT_LIMIT:
            return "output_limit", "it writes past the output limit"
        case Ending.SIGNALLED:
            return "killed", f"signal {outcome.signal} ends it"
    if outcome.exit_code == 0:
        return None
    said = last_line(outcome.stderr)
    error = said.split(":")[0].rpartition(".")[2].strip()
    if said and error.isidentifier() and error.endswith(("Error", "Exception", "Interrupt")):
        return _REASONS.get(error, "runtime_error"), said
    return "exit_status", f"it ends with status {outcome.exit_code}" + (f": {said}" if said else "")


def last_line(stderr: bytes) -> str:
    """The last line that says something, at most 200 characters."""
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip()[:200] if lines else ""


def _first_difference(one: Outcome, other: Outcome) -> str:
    return f"two runs print {_excerpt(one.stdout)} and {_excerpt(other.stdout)}"


def _excerpt(output: bytes) -> str:
    text = output.decode("utf-8", "replace")
    return repr(text if len(text) <= 60 else text[:57] + "...")
