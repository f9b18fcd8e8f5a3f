"""C++: libclang reads, text is inserted at its positions, one compiler runs and Clang counts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from deskcheck.builder.cpp.fields import express, records
from deskcheck.builder.cpp.lexing import CONTINUED
from deskcheck.builder.cpp.liveness import live_at_heads
from deskcheck.builder.cpp.loops import CppLoop, find_loops
from deskcheck.builder.cpp.parsing import CppSource, read_cpp
from deskcheck.builder.cpp.refusals import refusal
from deskcheck.builder.instrument.cpp import disarm, instrument
from deskcheck.builder.languages import Instrumented
from deskcheck.builder.syntax import UnreadableSourceError
from deskcheck.oracles.checkpoints import Checkpoint, Field
from deskcheck.oracles.cpp_measures import cyclomatic, nesting
from deskcheck.oracles.expressions import Expressed, Inexpressible
from deskcheck.oracles.observations import Counted, Watch
from deskcheck.oracles.outcomes import Outcome
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.cpp.runtime import CppRuntime
from deskcheck.oracles.runtimes.python import Variation
from deskcheck.oracles.values import Value

if TYPE_CHECKING:
    from deskcheck.builder.languages import Loop


class CppLanguage:
    """C++ as one toolchain compiles it."""

    unit = "region counts"
    other_builds = 2

    def __init__(self, runtime: CppRuntime) -> None:
        self.runtime = runtime

    def read(self, source: bytes) -> CppReading:
        # Before libclang reads it, which happens in this process and without limits.
        require_own_text(source)
        program = Program(language="cpp", source=source)
        refused = self.runtime.refusal(program)
        if refused is not None:
            missing = "file not found" in refused or "No such file" in refused
            raise UnreadableSourceError("missing_module" if missing else "does_not_parse", refused)
        toolchain = self.runtime.toolchain
        standard = self.runtime.standard(program)
        read = read_cpp(source, standard, toolchain.system_includes())
        unfit = refusal(read)
        if unfit is not None:
            raise UnreadableSourceError(*unfit)
        return CppReading(read)

    def recount(self, program: Program, stdin: bytes, circumstances: Variation) -> Counted:
        return self.runtime.count(program, stdin, circumstances)

    def sound(self, program: Program, stdin: bytes) -> Outcome:
        return self.runtime.sanitized(program, stdin)

    def plain_runs(self, repeats: int) -> int:
        return min(repeats, 1)  # each build is costly, and the counted run is one more

    def counted(self, shown: Instrumented, stdin: bytes, circumstances: Variation) -> Counted:
        program = Program(language="cpp", source=shown.source)
        return self.runtime.count(program, stdin, circumstances, ignoring=shown.inserted)

    def static(self, text: str) -> tuple[int, int]:
        code = text.encode("utf-8")
        return cyclomatic(code), nesting(code)


_INCLUDE = re.compile(rb"^[ \t]*(?:#|%:|\?\?=)[ \t]*(?:include(?:_next)?|import)\b[ \t]*(.*)", re.M)
_HEADER = re.compile(rb"""[<"](?!/)(?![^>"]*\.\.)[^>"]+[>"]""")
_COMMENT = re.compile(rb"/\*.*?\*/", re.S)
_SPLICE = re.compile(CONTINUED)


def require_own_text(source: bytes) -> None:
    """Refuse a program that takes in any other file of the machine than a header by its name."""
    joined = _SPLICE.sub(b"", source)
    for named in _INCLUDE.findall(joined) + _INCLUDE.findall(_COMMENT.sub(b" ", joined)):
        if not _HEADER.match(named):
            said = named.decode("utf-8", "replace").strip()[:80]
            raise UnreadableSourceError("uses_files", f"it includes {said}, which is no header")


class CppReading:
    """One C++ program. No order in it depends on hash seeds: the language has none."""

    handles_order = False

    def __init__(self, source: CppSource) -> None:
        self.source = source
        self.loops = find_loops(source)

    def watching(self, watch: Watch) -> Watch:
        # All names of all loops are read each time, so that one build serves every watch.
        return replace(
            watch,
            names=self._readable,
            loops=tuple((loop.offset, loop.kind, loop.line) for loop in self.loops),
            records=tuple((record.name, record.fields) for record in records(self.source)),
        )

    def live_at_heads(self, loops: Sequence[Loop]) -> Mapping[int, Sequence[str]]:
        return {loop.offset: self._readable[loop.offset] for loop in loops}

    def iterated(self, _: Loop) -> Sequence[str]:
        return ()

    def iterated_set(self, *_: object) -> None:
        return None

    def express(self, loop: Loop, name: str, samples: Sequence[Value]) -> Expressed | Inexpressible:
        return express(
            self.source, self._site(loop), name, samples, taken=self.source.identifiers()
        )

    def write(
        self,
        loop: Loop,
        checkpoint: Checkpoint,
        fields: Sequence[Field],
        needs: frozenset[str],
        *,
        armed: bool,
    ) -> Instrumented:
        writing = instrument if armed else disarm
        return writing(self.source, self._site(loop), checkpoint, fields, needs)

    def broken(self, _: bytes) -> None:
        return None  # the compiler says so in time

    @cached_property
    def _readable(self) -> Mapping[int, Sequence[str]]:
        live = live_at_heads(self.source, self.loops)
        # Where one use of a macro makes several loops, a name may be another one in each.
        uses = Counter(loop.offset for loop in self.loops)
        return {offset: names if uses[offset] == 1 else () for offset, names in live.items()}

    def _site(self, loop: Loop) -> CppLoop:
        return next(site for site in self.loops if site.offset == loop.offset)
