"""C++ programs: run them clean, count their regions, watch their loops, look for undefined acts.

Each call is one fresh process of a program built for it. Ground truth comes from the plain build
of the main compiler; every other build is of the same text and must agree with it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from deskcheck.oracles.observations import Counted, Observed, Watch
from deskcheck.oracles.outcomes import Ending, Limits, Outcome
from deskcheck.oracles.programs import Program
from deskcheck.oracles.reports import MALFORMED, observed
from deskcheck.oracles.runtimes.cpp.building import Builder, Built, Unbuilt
from deskcheck.oracles.runtimes.cpp.coverage import PROFILE, UNREAD, RegionCounts
from deskcheck.oracles.runtimes.cpp.driving import PROGRAM
from deskcheck.oracles.runtimes.cpp.flattening import (
    PREPROCESS,
    FlatProgram,
    flat_program,
)
from deskcheck.oracles.runtimes.cpp.observer import (
    JOB,
    REPORT,
    job_text,
    loops_problem,
    observing_source,
    read_report,
)
from deskcheck.oracles.runtimes.cpp.stored import BuildStore, default_folder
from deskcheck.oracles.runtimes.cpp.straightening import straightened
from deskcheck.oracles.runtimes.cpp.toolchain import Toolchain
from deskcheck.oracles.runtimes.python import SEAL_BYTES, Runner, Variation

FIRST_SEED = 1
"""The hash seed of repeat 0: its runs are what anybody would see."""

_SLOWER, _LARGER = 4, 2
"""Times that a sanitized run may take longer, and be larger, than a plain one."""

_UNBOUNDED = 1 << 47
"""A sanitizer reserves addresses by the terabyte, and keeps its own limit on what is used."""


class CppRuntime:
    """Runs programs with one toolchain under one sandbox.

    A program that does not compile gives an outcome of status 1 that says so, from every method.
    """

    def __init__(
        self, sandbox: Runner, toolchain: Toolchain, limits: Limits, cache: Path | None = None
    ) -> None:
        self.toolchain = toolchain
        self.limits = limits
        self._sandbox = sandbox
        self._builder = Builder(sandbox, toolchain, BuildStore(cache or default_folder()))
        self._counts = RegionCounts(sandbox, toolchain)
        self._last_flat: tuple[tuple[bytes, str], FlatProgram | Unbuilt] | None = None

    def facts(self) -> dict[str, str]:
        """What goes into a manifest."""
        return self.toolchain.facts()

    def standard(self, program: Program) -> str:
        """The standard that the program is compiled under."""
        return self._builder.standard(program.source)

    def refusal(self, program: Program) -> str | None:
        """Why the main compiler makes no program of it, in one line; None where it does."""
        built = self._builder.build(program.source, self._builder.variants.plain)
        return built.reason if isinstance(built, Unbuilt) else None

    def run(self, program: Program, stdin: bytes, circumstances: Variation) -> Outcome:
        """The program as anybody would run it: `./program < stdin`.

        Under other circumstances than those of repeat 0 it is a build in which uninitialised
        variables hold something else, of the other compiler in turn where there is one.
        """
        built = self._plain(program.source, circumstances)
        if isinstance(built, Unbuilt):
            return not_compiled(built)
        return self._started(built, stdin, environment(circumstances), self.limits)

    def count(
        self,
        program: Program,
        stdin: bytes,
        circumstances: Variation,
        limit: int | None = None,
        ignoring: Sequence[tuple[int, int]] = (),
    ) -> Counted:
        """One run with its code regions counted; `too_long` where they are more than `limit`.

        Regions that begin inside one of the byte spans `ignoring` are left out.
        """
        built = self._builder.build(program.source, self._builder.variants.coverage)
        if isinstance(built, Unbuilt):
            outcome = not_compiled(built)
            return Counted(outcome=outcome, trace_length=None, too_long=False, unread=None)
        outcome = self._started(
            built, stdin, environment(circumstances), self.limits, collect=(PROFILE, UNREAD)
        )
        left = outcome.collected
        outcome = replace(outcome, collected={})
        total = self._counts.total(built, left.get(PROFILE, b""), program.source, ignoring)
        too_long = total is not None and limit is not None and total > limit
        return Counted(
            outcome=outcome,
            trace_length=None if too_long else total,
            too_long=too_long,
            unread=_number(left.get(UNREAD, b"")),
        )

    def observe(
        self, program: Program, stdin: bytes, circumstances: Variation, watch: Watch
    ) -> Observed:
        """One run with its loops watched and the wanted variables read.

        It is of the program's flat text with a recorder around each loop. `problem` says where
        loops are found in that text that are not those of `watch`.
        """
        standard = self._builder.standard(program.source)
        plain = self._builder.build(program.source, self._builder.variants.plain, standard)
        flat = plain if isinstance(plain, Unbuilt) else self._flat(program.source, standard)
        if isinstance(flat, Unbuilt):
            return Observed(outcome=not_compiled(flat), reported=False)
        problem = loops_problem(flat, watch.loops)
        if problem is not None:
            return Observed(outcome=_failed(problem), reported=False, problem=problem)
        names = {
            ordinal: watch.names[offset]
            for ordinal, (offset, _, _) in enumerate(watch.loops)
            if offset in watch.names
        }
        built = self._builder.build(
            observing_source(flat, names, watch.records),
            self._builder.variants.observer,
            standard,
            begun_as=program.source,
        )
        if isinstance(built, Unbuilt):
            return Observed(outcome=not_compiled(built), reported=False)
        key = os.urandom(SEAL_BYTES)
        outcome = self._started(
            built,
            stdin,
            environment(circumstances),
            self.limits,
            files={JOB: job_text(watch, key)},
            collect=(REPORT,),
        )
        written = outcome.collected.get(REPORT, b"")
        outcome = replace(outcome, collected={})
        try:
            report = read_report(written, key)
            return observed(outcome, report)
        except MALFORMED:
            return Observed(outcome=outcome, reported=False)

    def sanitized(self, program: Program, stdin: bytes) -> Outcome:
        """One run that ends with status 1, and says why, where its behaviour is undefined."""
        built = self._builder.build(program.source, self._builder.variants.sanitized)
        if isinstance(built, Unbuilt):
            return not_compiled(built)
        megabytes = _LARGER * self.limits.memory >> 20
        options = {
            "ASAN_OPTIONS": f"detect_leaks=0:detect_stack_use_after_return=1:symbolize=0:"
            f"print_legend=0:quarantine_size_mb=64:hard_rss_limit_mb={megabytes}",
            "UBSAN_OPTIONS": "symbolize=0:report_error_type=1",
        }
        limits = replace(
            self.limits,
            cpu_s=_SLOWER * self.limits.cpu_s,
            wall_s=_SLOWER * self.limits.wall_s,
            memory=_UNBOUNDED,
        )
        return self._started(built, stdin, {"PATH": "/usr/bin:/bin", **options}, limits)

    def _plain(self, source: bytes, circumstances: Variation) -> Built | Unbuilt:
        variants = self._builder.variants
        if circumstances.hash_seed == FIRST_SEED:
            return self._builder.build(source, variants.plain)
        if circumstances.hash_seed % 2:  # repeats have even and odd ones in turn
            zeroed = self._builder.build(source, variants.zeroed)
            if isinstance(zeroed, Built):
                return zeroed
            # What the other compiler does not take says nothing of the program.
        return self._builder.build(source, variants.filled)

    def _flat(self, source: bytes, standard: str) -> FlatProgram | Unbuilt:
        if self._last_flat is None or self._last_flat[0] != (source, standard):
            expanded = self._builder.preprocessed(
                straightened(source), self._builder.variants.observer, standard, PREPROCESS
            )
            flat = expanded if isinstance(expanded, Unbuilt) else flat_program(expanded)
            self._last_flat = (source, standard), flat
        return self._last_flat[1]

    def _started(
        self,
        built: Built,
        stdin: bytes,
        env: Mapping[str, str],
        limits: Limits,
        files: Mapping[str, bytes] | None = None,
        collect: Sequence[str] = (),
    ) -> Outcome:
        return self._sandbox.run(
            [PROGRAM],
            stdin=stdin,
            files={PROGRAM: built.binary, **(files or {})},
            collect=collect,
            env=env,
            limits=limits,
        )


def environment(circumstances: Variation) -> dict[str, str]:
    """The environment that stands for circumstances; malloc's memory holds a byte of their own."""
    env = {
        "PATH": "/usr/bin:/bin",
        "TZ": circumstances.timezone,
        "LC_ALL": circumstances.locale,
    }
    if circumstances.hash_seed != FIRST_SEED:
        env["MALLOC_PERTURB_"] = str(1 + circumstances.hash_seed % 255)
    return env


def not_compiled(unbuilt: Unbuilt) -> Outcome:
    """The outcome of a program that there is no build of."""
    return _failed(f"CompileError: {unbuilt.reason}")


def _failed(why: str) -> Outcome:
    return Outcome(
        ending=Ending.EXITED,
        exit_code=1,
        signal=None,
        stdout=b"",
        stderr=f"{why}\n".encode(),
        cpu_s=0.0,
        wall_s=0.0,
        peak_rss=0,
    )


def _number(text: bytes) -> int | None:
    return int(text) if text.strip().isdigit() else None
