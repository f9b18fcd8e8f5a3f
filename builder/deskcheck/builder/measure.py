"""Runs of a candidate's program, judged: each returns what was learnt or the finding against it.

A run that ends at a safety net (CPU or wall time) is tried once more before it counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from deskcheck.builder.cases import Finding
from deskcheck.builder.languages import Instrumented, Language, Reading
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.errors import SandboxError
from deskcheck.oracles.observations import Counted, Moment, Observed, Watch
from deskcheck.oracles.outcomes import Ending, Outcome
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.python import variation
from deskcheck.sources.pools import Input

PLAIN, PROFILE, FINAL = 0, 1, 2
"""Repeat numbers of the runs that are not counting repeats; those come after."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LegalInput:
    """An input that the program runs to completion on, and what it prints there."""

    input: Input
    stdin: str
    stdout: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedInput(LegalInput):
    """A legal input whose run is within the limit on its trace, counted."""

    trace_length: int
    unread: int | None


class Measurer:
    """All runs of one candidate."""

    def __init__(self, language: Language, reading: Reading, parameters: Parameters) -> None:
        self._language = language
        self._runtime = language.runtime
        self._reading = reading
        self._parameters = parameters

    def legal(self, program: Program, given: Input) -> LegalInput | Finding:
        """Run the program as anybody would: is this a legal input?"""
        stdin = _text(given.data)
        if stdin is None:
            return _illegal(given, "input_not_utf8", "its bytes are not UTF-8")
        if len(stdin) > self._parameters.max_input_characters:
            limit = self._parameters.max_input_characters
            return _illegal(given, "input_too_long", f"{len(stdin)} characters, limit {limit}")
        outcome = tried_twice(
            lambda: self._runtime.run(program, given.data, variation(PLAIN)), lambda run: run
        )
        problem = _problem(outcome, self._parameters)
        if problem is not None:
            return _illegal(given, *problem)
        return LegalInput(input=given, stdin=stdin, stdout=outcome.stdout)

    def traced(self, program: Program, legal: LegalInput) -> TracedInput | Finding:
        """Counting repeat 0 of an input, up to the limit on trace lengths."""
        limit = self._parameters.max_trace_length
        counted = self.count(program, legal, 0, limit=limit)
        if isinstance(counted, Finding):
            return counted
        if counted.trace_length is None:
            return self._too_long(legal.input)
        return TracedInput(
            input=legal.input,
            stdin=legal.stdin,
            stdout=legal.stdout,
            trace_length=counted.trace_length,
            unread=counted.unread,
        )

    def count(
        self, program: Program, legal: LegalInput, repeat: int, limit: int | None = None
    ) -> Counted | Finding:
        """Counting repeat number `repeat`, under a hash seed of its own; its output is checked."""
        circumstances = variation(FINAL + 1 + repeat)
        return _count(
            lambda: self._runtime.count(program, legal.input.data, circumstances, limit), legal
        )

    def recount(self, program: Program, legal: LegalInput, repeat: int) -> Counted | Finding:
        """The same by the language's second counter."""
        circumstances = variation(FINAL + 1 + repeat)
        return _count(
            lambda: self._language.recount(program, legal.input.data, circumstances), legal
        )

    def observe(
        self, program: Program, legal: LegalInput, repeat: int, watch: Watch
    ) -> Observed | Finding:
        """A watched run under the circumstances of `repeat`; its output is checked."""
        whole = self._reading.watching(watch)
        observed = tried_twice(
            lambda: self._runtime.observe(program, legal.input.data, variation(repeat), whole),
            lambda run: run.outcome,
            lambda run: bool(run.reported or run.too_long or run.problem),
        )
        if observed.problem:
            return Finding(check="two_oracles", reason="views_differ", detail=observed.problem)
        if observed.too_long:
            return self._too_long(legal.input)
        if not observed.reported or not observed.outcome.clean:
            return _lost(legal.input, observed.outcome)
        return _varying(legal, observed.outcome) or _only(observed, watch)

    def measure(
        self, program: Program, legal: LegalInput, moments: Sequence[Moment], names: Sequence[str]
    ) -> Observed | Finding:
        """The run that everything is measured in: prefixes, state sizes, the wanted variables.

        Admission never depends on state sizes: where their walk runs into a safety net, the run
        is repeated without it.
        """
        watch = Watch(
            wanted=moments,
            names={moment.loop: tuple(names) for moment in moments},
            trace_lengths=True,
            state_budget=self._parameters.state_budget,
            boundary_limit=self._parameters.max_trace_length,
        )
        observed = self.observe(program, legal, FINAL, watch)
        if isinstance(observed, Finding) and observed.reason in ("cpu_limit", "wall_limit"):
            return self.observe(program, legal, FINAL, replace(watch, state_budget=0))
        return observed

    def counted(self, shown: Instrumented, legal: LegalInput) -> Counted | Finding | None:
        """A counted run of a text with a checkpoint in it; None where none is needed."""
        counted = self._language.counted(shown, legal.input.data, variation(FINAL + 1))
        if counted is not None and counted.trace_length is None:
            return _lost(legal.input, counted.outcome)
        return counted

    def other_builds(self, program: Program, legal: LegalInput) -> Finding | None:
        """The finding against a program that prints something else where it is built otherwise."""
        for build in range(self._language.other_builds):
            outcome = self.run(program, legal, build)
            if not outcome.clean:
                return _lost(legal.input, outcome)
            varying = _varying(legal, outcome)
            if varying is not None:
                return varying
        return None

    def sound(self, program: Program, legal: LegalInput) -> Finding | None:
        """The finding against a program whose behaviour on this input is undefined."""
        outcome = self._language.sound(program, legal.input.data)
        if outcome is None or outcome.clean:
            return None
        if b"AddressSanitizer failed to allocate" in outcome.stderr:
            raise SandboxError(
                "the address sanitizer cannot start here", "lift the limit on address space"
            )
        problem = ending_of(outcome)
        if problem is None or problem[0] in ("runtime_error", "killed", "exit_status"):
            said = undefined(outcome.stderr)
            return _illegal(legal.input, "undefined_behaviour", said)
        return _illegal(legal.input, problem[0], f"{problem[1]} under the sanitizers")

    def _too_long(self, given: Input) -> Finding:
        limit = self._parameters.max_trace_length
        return _illegal(given, "trace_too_long", f"more than {limit} {self._language.unit}")

    def run(self, program: Program, legal: LegalInput, repeat: int) -> Outcome:
        """A plain run under the circumstances of a counting repeat."""
        return tried_twice(
            lambda: self._runtime.run(program, legal.input.data, variation(FINAL + 1 + repeat)),
            lambda run: run,
        )


def _count(run: Callable[[], Counted], legal: LegalInput) -> Counted | Finding:
    counted = tried_twice(
        run,
        lambda counted: counted.outcome,
        lambda counted: counted.too_long or counted.trace_length is not None,
    )
    if counted.too_long:
        return counted
    if counted.trace_length is None or not counted.outcome.clean:
        return _lost(legal.input, counted.outcome)
    return _varying(legal, counted.outcome) or counted


def _only(observed: Observed, watch: Watch) -> Observed:
    """The snapshots with the names that were asked for and no others."""
    shots = []
    for shot in observed.snapshots:
        asked = watch.names.get(shot.moment.loop, ())
        named = {name: shot.variables[name] for name in asked if name in shot.variables}
        shots.append(replace(shot, variables=named))
    return replace(observed, snapshots=tuple(shots))


def tried_twice[R](
    run: Callable[[], R], outcome: Callable[[R], Outcome], told: Callable[[R], bool] | None = None
) -> R:
    """The run, or a second one where a safety net ended the first or it has not `told` anything.

    A busy machine ends a run early and a full disk loses its report; neither is the program's.
    """
    first = run()
    ended = outcome(first).ending in (Ending.CPU_LIMIT, Ending.WALL_LIMIT)
    if ended or (told is not None and outcome(first).clean and not told(first)):
        return run()
    return first


def _text(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _illegal(given: Input, reason: str, detail: str) -> Finding:
    return Finding(
        check="legal_inputs",
        reason=reason,
        detail=f"input {given.name}: {detail}",
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
    "CompileError": "compile_error",
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


_UNDEFINED = re.compile(r"runtime error: ([^\n]*)|AddressSanitizer:? ([\w-]+)")


def undefined(stderr: bytes) -> str:
    """What the sanitizers found first; no address, as that would differ from run to run."""
    found = _UNDEFINED.search(stderr.decode("utf-8", "replace"))
    said = (found[1] or found[2]) if found else last_line(stderr)
    return "undefined behaviour: " + re.sub(r"0x[0-9a-f]+", "an address", said)[:200]


def last_line(stderr: bytes) -> str:
    """The last line that says something, at most 200 characters."""
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip()[:200] if lines else ""


def _varying(legal: LegalInput, outcome: Outcome) -> Finding | None:
    """The finding against a run that prints something other than the plain one did."""
    if outcome.stdout == legal.stdout:
        return None
    return Finding(
        check="determinism",
        reason="output_varies",
        detail=f"input {legal.input.name}: two runs print {_excerpt(legal.stdout)} and "
        f"{_excerpt(outcome.stdout)}",
    )


def _excerpt(output: bytes) -> str:
    text = output.decode("utf-8", "replace")
    return repr(text if len(text) <= 60 else text[:57] + "...")
