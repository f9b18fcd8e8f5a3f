"""What the builder asks of a programming language: to read a program, to run it, to write into it.

Admission knows nothing else of a language. Each module here is one, put together from its parser,
its instrumentation and its runtime.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from deskcheck.oracles.checkpoints import Checkpoint, Field
from deskcheck.oracles.expressions import Expressed, Inexpressible
from deskcheck.oracles.observations import Counted, Observed, Watch
from deskcheck.oracles.outcomes import Outcome
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.python import Variation
from deskcheck.oracles.values import Value

Span = tuple[int, int]
"""The bytes [start, end) of a text."""


class Loop(Protocol):
    """One loop statement of a program."""

    @property
    def offset(self) -> int:
        """Its name, as in `Checkpoint.loop`."""
        ...

    @property
    def line(self) -> int: ...

    @property
    def text(self) -> str:
        """The first line of the statement, without indent."""
        ...

    @property
    def kind(self) -> str: ...

    @property
    def depth(self) -> int:
        """1 for a loop in no other loop of its function, 2 for one inside that, and so on."""
        ...

    @property
    def targets(self) -> frozenset[str]:
        """Names that the loop statement itself binds or steps at each iteration."""
        ...

    @property
    def iterates_set(self) -> bool:
        """Its order follows from hashes or addresses, as its own text says."""
        ...

    @property
    def reads_stdin(self) -> bool: ...

    @property
    def uneditable(self) -> str:
        """Why no checkpoint can be written at it; empty where one can."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Instrumented:
    """A program with a checkpoint written in, and which bytes of it are not the author's."""

    source: bytes
    inserted: tuple[Span, ...] = ()


class Reading(Protocol):
    """One program, read."""

    @property
    def loops(self) -> Sequence[Loop]:
        """Every loop in source order."""
        ...

    @property
    def handles_order(self) -> bool:
        """True where an order that the program uses may follow from hashes."""
        ...

    def watching(self, watch: Watch) -> Watch:
        """The watch, with what the runtime must know of the program to keep it."""
        ...

    def live_at_heads(self, loops: Sequence[Loop]) -> Mapping[int, Sequence[str]]:
        """By loop offset: the names whose value at an iteration's begin may still be read."""
        ...

    def iterated(self, loop: Loop, /) -> Sequence[str]:
        """Variables whose values tell, at the loop's entry, whether it goes through a set."""
        ...

    def iterated_set(self, loop: Loop, entry: Mapping[str, Value], /) -> str | None:
        """What the loop goes through, where that is a set as the loop begins."""
        ...

    def express(
        self, loop: Loop, name: str, samples: Sequence[Value], /
    ) -> Expressed | Inexpressible:
        """The expression that shows a variable of the loop at every sample."""
        ...

    def write(
        self,
        loop: Loop,
        checkpoint: Checkpoint,
        fields: Sequence[Field],
        needs: frozenset[str],
        *,
        armed: bool,
    ) -> Instrumented:
        """The program with a checkpoint in it: armed, or the same text with a visit's number that
        no visit has. `needs` is what the fields' expressions need, as `express` says."""
        ...

    def broken(self, shown: bytes, /) -> str | None:
        """Why a text with a checkpoint in it is no program any more, or None."""
        ...


class Runtime(Protocol):
    """How programs of one language are run and measured, each time in a new process."""

    def run(self, program: Program, stdin: bytes, circumstances: Variation) -> Outcome: ...

    def count(
        self, program: Program, stdin: bytes, circumstances: Variation, limit: int | None = None
    ) -> Counted: ...

    def observe(
        self, program: Program, stdin: bytes, circumstances: Variation, watch: Watch
    ) -> Observed: ...


class Language(Protocol):
    """One programming language on this machine."""

    @property
    def runtime(self) -> Runtime: ...

    @property
    def unit(self) -> str:
        """What a trace length counts, in the plural."""
        ...

    def recount(self, program: Program, stdin: bytes, circumstances: Variation, /) -> Counted:
        """A counted run by the language's second counter, or by the runtime's where it has none."""
        ...

    def read(self, source: bytes) -> Reading:
        """UnreadableSourceError says why a program cannot be a candidate."""
        ...

    def sound(self, program: Program, stdin: bytes, /) -> Outcome | None:
        """A run that ends badly where the program's behaviour is undefined; None where the
        language defines all behaviour."""
        ...

    @property
    def other_builds(self) -> int:
        """How many further builds the clean program must print the same in; each is that of a
        repeat of its own."""
        ...

    def plain_runs(self, repeats: int) -> int:
        """How many of the declared repeats of a shown source are plain runs."""
        ...

    def counted(
        self, shown: Instrumented, stdin: bytes, circumstances: Variation, /
    ) -> Counted | None:
        """The author's part of a text with a checkpoint in it, counted in a run of its own.

        None where an observed run of the clean program tells trace lengths at checkpoints.
        """
        ...

    def static(self, text: str) -> tuple[int, int]:
        """Cyclomatic complexity and nesting depth of a source text."""
        ...


Languages = Mapping[str, Language]
"""By `Program.language`: the languages that can be measured here."""
