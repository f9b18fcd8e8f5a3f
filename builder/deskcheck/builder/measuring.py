"""Counting candidates as a job for workers: they make a part of a pool and run what they made.

The fast counter counts, near native speed and without a limit but the sandbox's. Of every so many
candidates, chosen by their ids, the reference counts every run as well.
"""

from __future__ import annotations

import atexit
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from deskcheck.builder import __version__
from deskcheck.builder.languages import tools
from deskcheck.builder.measure import FINAL, ending_of, tried_twice
from deskcheck.builder.measured import CountedCandidate, CountedInput
from deskcheck.builder.toolchain import facts
from deskcheck.oracles.errors import DeskcheckError
from deskcheck.oracles.observations import Counted
from deskcheck.oracles.outcomes import Limits
from deskcheck.oracles.runtimes.python import (
    AGENT,
    Interpreter,
    PythonRuntime,
    find_interpreter,
    variation,
)
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.oracles.sandbox.forking import ForkingSandbox
from deskcheck.sources.conformance import digest
from deskcheck.sources.pools import Candidate, Input, Part, Unusable
from deskcheck.sources.registry import load_pool

Which = Literal["last", "all"]
"""Inputs of a candidate that are run; the last is the longest in pools that generate theirs."""
Portion = Part | tuple[Candidate | Unusable, ...]
"""What a worker is handed: where to find candidates, or candidates."""

CIRCUMSTANCES = variation(FINAL + 1)
"""Those of the first counting repeat of admission, so that its counts are the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why a portion was not counted."""

    kind: Literal["known", "fault", "counts_differ"]
    """Something that the user can put right, a fault of ours, or one that no repeat can change."""
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtimes:
    """Forks of a warm interpreter count; a fresh one checks, which shares nothing with them."""

    counting: PythonRuntime
    checking: PythonRuntime


class CountsDifferError(Exception):
    """The two counters disagree: a fault of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measuring:
    """What every worker needs to know; a job of `engines`."""

    pool: str
    interpreter: Interpreter
    limits: Limits
    which: Which
    sample_check: int
    """One candidate in so many is counted by the reference too; 0 for none."""
    sample: Part | None
    """Whose first candidate is compared between machines; None where workers read no pool."""
    allow_unisolated: bool

    def toolchain(self) -> Mapping[str, Any]:
        """What a manifest says of it, and a candidate as it is made on this machine."""
        interpreter = find_interpreter(self.interpreter.executable)
        with Sandbox(allow_unisolated=self.allow_unisolated) as sandbox:
            layers = sandbox.layers_for(interpreter.executable).as_dict()
        made = next(_candidates(self.pool, self.sample)) if self.sample else None
        return {
            "deskcheck": __version__,
            **facts(measured=tools.facts(interpreter, None), sandbox=layers),
            "sample": made and digest(made),
        }

    def open(self) -> Callable[[Portion], tuple[CountedCandidate, ...] | Failure]:
        """What counts one portion after the other, in sandboxes that last as long as we."""
        sandboxes = (
            ForkingSandbox(str(AGENT), allow_unisolated=self.allow_unisolated),
            Sandbox(allow_unisolated=self.allow_unisolated),
        )
        for sandbox in sandboxes:
            atexit.register(sandbox.close)
        forked, fresh = (PythonRuntime(each, self.interpreter, self.limits) for each in sandboxes)
        return lambda portion: self._all(portion, Runtimes(counting=forked, checking=fresh))

    def died(self, _: Portion) -> Failure:
        return Failure(kind="fault", detail="a worker process died twice, once on them alone")

    def _all(self, portion: Portion, runtimes: Runtimes) -> tuple[CountedCandidate, ...] | Failure:
        try:
            return tuple(self._one(each, runtimes) for each in _candidates(self.pool, portion))
        except CountsDifferError as error:
            return Failure(kind="counts_differ", detail=str(error))
        except DeskcheckError as error:
            return Failure(kind="known", detail=str(error))
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            detail = f"{type(error).__name__}: {error} ({where.name}, line {where.lineno})"
            return Failure(kind="fault", detail=detail)

    def _one(self, item: Candidate | Unusable, runtimes: Runtimes) -> CountedCandidate:
        if isinstance(item, Unusable):
            return CountedCandidate(candidate=item.id, reason=item.check)
        if item.program.language != "python":
            return CountedCandidate(candidate=item.id, reason="not_python")
        wanted = item.inputs if self.which == "all" else item.inputs[-1:]
        checked = is_sampled(item.id, self.sample_check)
        runs = [_run(item, given, runtimes, check=checked) for given in wanted]
        return CountedCandidate(
            candidate=item.id,
            inputs=tuple(run for run, _ in runs),
            checked=checked and all(confirmed for _, confirmed in runs),
        )


def is_sampled(candidate: str, one_in: int) -> bool:
    """Whether the reference counts this candidate too: a choice by its id alone."""
    key = sha256(b"sample check\0" + candidate.encode("utf-8", "surrogatepass")).digest()
    return one_in > 0 and int.from_bytes(key[:8], "big") % one_in == 0


def _candidates(pool: str, portion: Portion) -> Iterator[Candidate | Unusable]:
    if isinstance(portion, Part):
        return load_pool(pool).candidates(portion.options)
    return iter(portion)


def _run(
    candidate: Candidate, given: Input, runtimes: Runtimes, *, check: bool
) -> tuple[CountedInput, bool]:
    """The count of one input, and whether the reference has confirmed it."""
    program, stdin, runtime = candidate.program, given.data, runtimes.counting
    fast = _tried(lambda: runtime.count_fast(program, stdin, CIRCUMSTANCES))
    counted: Counted = fast
    reference = fast.reference
    if fast.trace_length is None and fast.outcome.clean:
        counted = _tried(lambda: runtime.count(program, stdin, CIRCUMSTANCES))
        reference = fast.problem or "the fast counter left no report"
    ending = ending_of(counted.outcome)
    if ending is not None or counted.trace_length is None:
        reason = ending[0] if ending is not None else "left_early"
        return CountedInput(name=given.name, reason=reason), False
    run = CountedInput(
        name=given.name,
        trace_length=counted.trace_length,
        output_bytes=len(counted.outcome.stdout),
        reference=reference,
    )
    return run, check and _confirmed(candidate, given, counted, runtimes.checking)


def _confirmed(
    candidate: Candidate, given: Input, counted: Counted, runtime: PythonRuntime
) -> bool:
    """Whether the reference counts the same; False where its run is another one.

    A program that does the same in both runs and has two counts is a CountsDifferError.
    """
    again = _tried(lambda: runtime.count(candidate.program, given.data, CIRCUMSTANCES))
    if not again.outcome.clean or again.outcome.stdout != counted.outcome.stdout:
        return False
    if again.trace_length != counted.trace_length:
        raise CountsDifferError(
            f"{candidate.id}, input {given.name}: the fast counter counts "
            f"{counted.trace_length} opcodes, the reference {again.trace_length}"
        )
    return True


def _tried[C: Counted](run: Callable[[], C]) -> C:
    return tried_twice(
        run, lambda counted: counted.outcome, lambda counted: counted.trace_length is not None
    )
