"""Python: libcst reads and writes, CPython runs and counts opcodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import libcst as cst

from deskcheck.builder.instrument.python import disarm, identifiers, instrument
from deskcheck.builder.languages import Instrumented
from deskcheck.builder.liveness import live_at_heads
from deskcheck.builder.loops import LoopSite, find_loops
from deskcheck.builder.refusals import handles_order, refusal
from deskcheck.builder.static_measures import cyclomatic, nesting
from deskcheck.builder.syntax import Source, UnreadableSourceError, read_source
from deskcheck.oracles.checkpoints import Checkpoint, Field
from deskcheck.oracles.expressions import Expressed, Inexpressible, express
from deskcheck.oracles.observations import Counted, Watch
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.python import PythonRuntime, Variation
from deskcheck.oracles.values import ObjectValue, Value

if TYPE_CHECKING:
    from deskcheck.builder.languages import Loop


class PythonLanguage:
    """Python as one interpreter runs it."""

    unit = "opcodes"
    other_builds = 0

    def __init__(self, runtime: PythonRuntime) -> None:
        self.runtime = runtime

    def read(self, source: bytes) -> PythonReading:
        read = read_source(source)
        refused = refusal(read)
        if refused is not None:
            raise UnreadableSourceError(*refused)
        return PythonReading(read)

    def recount(self, program: Program, stdin: bytes, circumstances: Variation) -> Counted:
        counted = self.runtime.count_fast(program, stdin, circumstances)
        if counted.trace_length is None and counted.outcome.clean:
            return self.runtime.count(program, stdin, circumstances)
        return counted

    def sound(self, *_: object) -> None:
        return None

    def plain_runs(self, repeats: int) -> int:
        return repeats

    def counted(self, *_: object) -> None:
        return None

    def static(self, text: str) -> tuple[int, int]:
        return _static(text)


class PythonReading:
    """One Python program."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.loops = find_loops(source)

    @property
    def handles_order(self) -> bool:
        return handles_order(self.source)

    def watching(self, watch: Watch) -> Watch:
        return watch

    def live_at_heads(self, loops: Sequence[Loop]) -> Mapping[int, Sequence[str]]:
        return live_at_heads(self.source, [self._site(loop) for loop in loops])

    def iterated(self, loop: Loop) -> Sequence[str]:
        return sorted(self._site(loop).iterated)

    def iterated_set(self, loop: Loop, entry: Mapping[str, Value]) -> str | None:
        for expression in self._site(loop).ordered:
            if isinstance(_found(expression, entry), set | frozenset):
                return cst.Module(body=[]).code_for_node(expression)
        return None

    def express(self, _: Loop, name: str, samples: Sequence[Value]) -> Expressed | Inexpressible:
        return express(name, samples, taken=identifiers(self.source))

    def write(
        self,
        loop: Loop,
        checkpoint: Checkpoint,
        fields: Sequence[Field],
        needs: frozenset[str],
        *,
        armed: bool,
    ) -> Instrumented:
        written = (instrument if armed else disarm)(
            self.source, self._site(loop), checkpoint, fields, needs
        )
        return Instrumented(source=written)

    def broken(self, shown: bytes) -> str | None:
        try:
            compile(shown, "program.py", "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            return str(error)
        return None

    def _site(self, loop: Loop) -> LoopSite:
        return next(site for site in self.loops if site.offset == loop.offset)


@lru_cache(maxsize=4)
def _static(text: str) -> tuple[int, int]:
    """Both final arms show the same text."""
    source = read_source(text.encode("utf-8"))
    return cyclomatic(source), nesting(source)


def _found(expression: cst.BaseExpression, variables: Mapping[str, Value]) -> Value:
    """What a variable, attribute or element held, as far as it can be followed; else None."""
    match expression:
        case cst.Name():
            return variables.get(expression.value)
        case cst.Integer():
            return int(expression.value, 0)
        case cst.Attribute():
            holder = _found(expression.value, variables)
            if isinstance(holder, ObjectValue):
                return dict(holder.attributes).get(expression.attr.value)
        case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=index))]):
            return _element(_found(expression.value, variables), _found(index, variables))
    return None


def _element(holder: Value, key: Value) -> Value:
    try:
        if isinstance(holder, dict):
            return holder.get(key)
        if isinstance(holder, list | tuple) and isinstance(key, int):
            return holder[key]
    except (IndexError, TypeError):
        pass
    return None
