"""CPython programs: run them clean, count their opcodes, watch their loops and variables.

Each call is one fresh process of the measured interpreter, which need not be the one that runs
this code. Ground truth comes from `run`; the counting and watching runs execute the same program
under the agent in `oracles.inside` and must agree with it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

from deskcheck.oracles.errors import InterpreterError, SandboxError
from deskcheck.oracles.observations import Counted, Observed, Watch
from deskcheck.oracles.outcomes import Limits, Outcome
from deskcheck.oracles.programs import Program
from deskcheck.oracles.reports import MALFORMED, observed

AGENT = Path(__file__).parent.parent / "inside" / "agent.py"
SETUP_FAILED, SEAL_BYTES = 120, 32  # as in `inside/session.py`
PROGRAM, JOB, KEY, REPORT = "program.py", "job.json", "report.key", "report.sealed"
# Not -I: it would ignore PYTHONHASHSEED, and every repeat must have a hash seed of its own.
FLAGS = ("-s", "-P", "-B")
FAST_COUNTED = ("3.12", "3.13")
"""Versions whose bytecode `inside/bytecode.py` knows; on others the reference counts alone."""
RECURSION_LIMIT = 1000
INT_DIGITS = 4300


class Runner(Protocol):
    """What is asked of the sandbox."""

    def run(
        self,
        argv: Sequence[str],
        *,
        stdin: bytes,
        files: Mapping[str, bytes],
        collect: Sequence[str] = (),
        env: Mapping[str, str],
        limits: Limits,
    ) -> Outcome: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """The measured interpreter, as the manifest records it."""

    executable: str
    version: str
    implementation: str
    libc: str

    @property
    def minor(self) -> str:
        """`3.12`: opcode counts belong to one minor version."""
        return ".".join(self.version.split(".")[:2])

    @property
    def counters(self) -> str:
        """What counts opcodes on this version, in words."""
        if self.minor in FAST_COUNTED:
            return "events of sys.monitoring; repeats by rewritten bytecode"
        return f"events of sys.monitoring only: bytecode of {self.minor} is not known"

    def facts(self) -> dict[str, str]:
        """What goes into a manifest: no path of this machine."""
        return {
            "implementation": self.implementation,
            "version": self.version,
            "libc": self.libc,
            "flags": " ".join(FLAGS),
            "recursion_limit": str(RECURSION_LIMIT),
            "int_max_str_digits": str(INT_DIGITS),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Variation:
    """Circumstances that a deterministic program does not depend on."""

    hash_seed: int
    timezone: str
    locale: str

    def env(self) -> dict[str, str]:
        return {
            "PATH": "/usr/bin:/bin",
            "PYTHONHASHSEED": str(self.hash_seed),
            "PYTHONUTF8": "1",
            "PYTHONINTMAXSTRDIGITS": str(INT_DIGITS),
            "TZ": self.timezone,
            "LC_ALL": self.locale,
        }


def variation(repeat: int) -> Variation:
    """The circumstances of one repeat: a hash seed of its own, time zone and locale in turn."""
    return Variation(
        hash_seed=(repeat * 2_654_435_761 + 1) % 2**32,
        timezone=("UTC", "Asia/Tokyo", "America/New_York")[repeat % 3],
        locale=("C.UTF-8", "C", "POSIX")[repeat % 3],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedFast(Counted):
    """A run that counted itself, or says why it could not."""

    reference: str = ""
    """Why the reference counted instead, which is as exact; nothing where it did not."""
    problem: str = ""
    """Why there is no count of a run that came to its end: a fault of ours, if not of a thread."""


class PythonRuntime:
    """Runs programs with one interpreter under one sandbox."""

    def __init__(self, sandbox: Runner, interpreter: Interpreter, limits: Limits) -> None:
        self._sandbox = sandbox
        self.interpreter = interpreter
        self.limits = limits

    def run(self, program: Program, stdin: bytes, circumstances: Variation) -> Outcome:
        """The program as anybody would run it: `python program.py < stdin`."""
        return self._sandbox.run(
            [self.interpreter.executable, *FLAGS, PROGRAM],
            stdin=stdin,
            files={PROGRAM: program.source},
            env=circumstances.env(),
            limits=self.limits,
        )

    def count(
        self, program: Program, stdin: bytes, circumstances: Variation, limit: int | None = None
    ) -> Counted:
        """One run with its opcodes counted; past `limit` the run is ended at once."""
        outcome, report = self._measured(
            program, stdin, circumstances, ["count", str(limit or 0)], {}
        )
        try:
            return Counted(
                outcome=outcome,
                trace_length=None if report["too_long"] else int(report["opcodes"]),
                too_long=bool(report["too_long"]),
                unread=report.get("unread"),
            )
        except MALFORMED:
            return Counted(outcome=outcome, trace_length=None, too_long=False, unread=None)

    def count_fast(self, program: Program, stdin: bytes, circumstances: Variation) -> CountedFast:
        """One run that counts its own opcodes, near native speed and without a limit."""
        outcome, report = self._measured(program, stdin, circumstances, ["count-fast", "0"], {})
        try:
            opcodes = report["opcodes"]
            return CountedFast(
                outcome=outcome,
                trace_length=None if opcodes is None else int(opcodes),
                too_long=False,
                unread=report.get("unread"),
                reference=report["reference"],
                problem=report["problem"],
            )
        except MALFORMED:
            return CountedFast(outcome=outcome, trace_length=None, too_long=False, unread=None)

    def observe(
        self, program: Program, stdin: bytes, circumstances: Variation, watch: Watch
    ) -> Observed:
        """One run with its loops watched and the wanted variables read."""
        job = {
            "wanted": [list(astuple(moment)) for moment in watch.wanted],
            "names": {str(loop): list(names) for loop, names in watch.names.items()},
            "watch": {str(loop): list(ordinals) for loop, ordinals in watch.watch.items()},
            "keep": watch.keep,
            "opcodes": watch.trace_lengths,
            "state_budget": watch.state_budget,
            "value_budget": watch.value_budget,
            "boundary_limit": watch.boundary_limit,
        }
        files = {JOB: json.dumps(job).encode("ascii")}
        outcome, report = self._measured(program, stdin, circumstances, ["observe", JOB], files)
        try:
            return observed(outcome, report)
        except MALFORMED:
            return Observed(outcome=outcome, reported=False)

    def _measured(
        self,
        program: Program,
        stdin: bytes,
        circumstances: Variation,
        mode: Sequence[str],
        files: Mapping[str, bytes],
    ) -> tuple[Outcome, Any]:
        key = os.urandom(SEAL_BYTES)
        outcome = self._sandbox.run(
            [self.interpreter.executable, *FLAGS, str(AGENT), KEY, REPORT, PROGRAM, *mode],
            stdin=stdin,
            files={PROGRAM: program.source, KEY: key, **files},
            collect=[REPORT],
            env=circumstances.env(),
            limits=self.limits,
        )
        written = outcome.collected.get(REPORT)
        outcome = replace(outcome, collected={})
        if written is None:
            if outcome.exit_code == SETUP_FAILED:
                last = outcome.stderr.strip().splitlines()[-1:] or [b"no reason given"]
                said = last[0].decode("utf-8", "replace")
                raise SandboxError(f"the measuring agent failed: {said}")
            return outcome, None
        seal, text = written[: 2 * SEAL_BYTES], written[2 * SEAL_BYTES :]
        if seal.decode("latin-1") != blake2b(text, key=key, digest_size=SEAL_BYTES).hexdigest():
            return outcome, None  # cut short by a limit, or not the agent's
        return outcome, json.loads(text)


def find_interpreter(executable: str | None = None) -> Interpreter:
    """The interpreter to measure with: the one asked for, else the one under this environment.

    A virtual environment's base interpreter is taken by default, so that programs see the
    standard library and nothing that happens to be installed here. Raises InterpreterError.
    """
    return _probe(executable or _base_executable())


def _base_executable() -> str:
    return str(getattr(sys, "_base_executable", None) or sys.executable)


@cache
def _probe(executable: str) -> Interpreter:
    question = (
        "import json, platform, sys;"
        "print(json.dumps([sys.executable, platform.python_version(),"
        " platform.python_implementation(), '-'.join(platform.libc_ver()),"
        " sys.version_info >= (3, 12)]))"
    )
    try:
        done = subprocess.run(
            [executable, "-I", "-c", question], capture_output=True, timeout=60, check=True
        )
        path, version, implementation, libc, monitored = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise InterpreterError(
            f"{executable} does not run as a Python interpreter ({type(error).__name__})",
            "name one with --python",
        ) from error
    if implementation != "CPython" or not monitored:
        raise InterpreterError(
            f"{executable} is {implementation} {version}, which has no sys.monitoring",
            "name a CPython of at least 3.12 with --python",
        )
    _precompile(path)
    return Interpreter(executable=path, version=version, implementation=implementation, libc=libc)


def _precompile(executable: str) -> None:
    """Have the agent's modules compiled where Python keeps that, if this user may write there.

    Measured runs write no bytecode themselves, and would compile the agent every time.
    """
    compiling = [executable, "-I", "-m", "compileall", "-q", str(AGENT.parent)]
    with suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(compiling, capture_output=True, timeout=60, check=False)
