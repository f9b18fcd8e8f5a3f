"""The state at a loop's entry, had by running the program until the selected activation begins.

Two watched runs of the clean program find the activation's first visit of the loop's body: the
first tells which activation ends at the post checkpoint, the second at which visits its
iterations begin. Then the program runs with its inside checkpoint moved to that first visit.
Recursion and generators, whose activations take turns, need no rule of their own.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from dataclasses import replace
from threading import Lock

from deskcheck.builder.cases import Case
from deskcheck.builder.instrument.python import instrument
from deskcheck.builder.loops import find_loops
from deskcheck.builder.measure import FINAL, PLAIN, PROFILE
from deskcheck.builder.syntax import UnreadableSourceError, read_source
from deskcheck.evaluate.floors import Abstained, Given
from deskcheck.oracles.checkpoints import Checkpoint, Field
from deskcheck.oracles.observations import Moment, Observed, Watch
from deskcheck.oracles.programs import Program
from deskcheck.oracles.replies import Read, read_json
from deskcheck.oracles.runtimes.python import PythonRuntime, variation

_EVERY_ACTIVATION = 1_000_000_000

_reading = Lock()
"""Reading a source changes the recursion limit for a while, so threads take turns."""


def entry_state(
    case: Case, source: str, stdin: str, runtime: PythonRuntime, boundary_limit: int
) -> Given | Abstained:
    """The case's fields at the first iteration of its activation; `source` is the clean one.

    SandboxError where a program could not be run.
    """
    program = Program(language=case.language, source=source.encode("utf-8"))
    data = stdin.encode("utf-8")
    watch = Watch(boundary_limit=boundary_limit)
    profile = runtime.observe(
        program, data, variation(PROFILE), replace(watch, keep=_EVERY_ACTIVATION)
    )
    activation = _activation(case, profile)
    if activation is None:
        return Abstained(reason="the activation of the checkpoints was not found again")
    first, selected = (
        Moment(case.loop_offset, "inside", activation, iteration)
        for iteration in (1, case.iteration)
    )
    seen = runtime.observe(
        program, data, variation(FINAL), replace(watch, wanted=(first, selected))
    )
    entry, inside = seen.at(first), seen.at(selected)
    if entry is None or inside is None or inside.visit != case.inside_visit:
        return Abstained(reason="the selected iteration was not found again")
    stopped = _stopped_at(case, program, entry.visit)
    if stopped is None:
        return Abstained(reason="a checkpoint cannot be written at the loop's entry")
    outcome = runtime.run(stopped, data, variation(PLAIN))
    if not outcome.clean:
        return Abstained(reason="the fields cannot be shown at the loop's entry")
    return _state(outcome.stdout, [field.name for field in case.fields])


def _activation(case: Case, profile: Observed) -> int | None:
    """The ordinal of the activation whose normal end is the post checkpoint's visit."""
    loop = profile.loop(case.loop_offset)
    for activation in loop.activations if loop else ():
        if activation.exit_visit == case.post_visit:
            return activation.ordinal
    return None


def _stopped_at(case: Case, program: Program, visit: int) -> Program | None:
    """The program that shows its fields at another visit of the same loop's body."""
    with _reading:
        try:
            source = read_source(program.source)
        except UnreadableSourceError:
            return None
        loop = next((site for site in find_loops(source) if site.offset == case.loop_offset), None)
        if loop is None:
            return None
        checkpoint = Checkpoint(loop=loop.offset, place="inside", visit=visit)
        armed = instrument(source, loop, checkpoint, case.fields, _builtins_called(case.fields))
    return Program(language=case.language, source=armed)


def _builtins_called(fields: Sequence[Field]) -> frozenset[str]:
    """The builtins that the expressions call by name."""
    return frozenset(
        call.func.id
        for field in fields
        for call in ast.walk(ast.parse(field.expression, mode="eval"))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
    ) & frozenset(dir(builtins))


def _state(printed: bytes, names: Sequence[str]) -> Given | Abstained:
    """The one reading of what was printed as some output and then one state."""
    found: list[str] = []
    at = -1
    while (at := printed.find(b"{", at + 1)) >= 0:
        text = printed[at:].decode("utf-8", "replace")
        read = read_json(text)
        if isinstance(read, Read) and isinstance(read.value, dict) and list(read.value) == names:
            found.append(text)
    if len(found) != 1:
        return Abstained(reason="the state cannot be told from what is printed before it")
    return Given(text=found[0])
