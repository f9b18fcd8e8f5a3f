"""C++ programs flattened, built with the observer and run, by clang++ alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from deskcheck.oracles.checkpoints import Place
from deskcheck.oracles.observations import LoopProfile, Moment, Snapshot, Watch
from deskcheck.oracles.reports import loop_profile, snapshot
from deskcheck.oracles.runtimes.cpp.flattening import (
    PREPROCESS,
    FlatProgram,
    flat_program,
)
from deskcheck.oracles.runtimes.cpp.observer import (
    JOB,
    REPORT,
    WRAPPED,
    job_text,
    observing_source,
    read_report,
)
from deskcheck.oracles.runtimes.cpp.straightening import straightened

CLANG = shutil.which("clang++")
needs_clang = pytest.mark.skipif(CLANG is None, reason="clang++ is not installed")
FLAGS = ("-w", "-O1")
KEY = b"sixteen bytes ok"


@cache
def flattened(code: str, standard: str = "gnu++17") -> FlatProgram:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "program.cpp")
        source.write_bytes(straightened(code.encode()))
        words = [str(CLANG), *FLAGS, *PREPROCESS, f"-std={standard}", source.name]
        done = subprocess.run(words, cwd=folder, capture_output=True, check=True)
    return flat_program(done.stdout)


@cache
def _binary(source: bytes, standard: str, link: tuple[str, ...]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "source.cpp").write_bytes(source)
        words = [str(CLANG), *FLAGS, f"-std={standard}", "source.cpp", "-o", "program", *link]
        done = subprocess.run(words, cwd=folder, capture_output=True, check=False, text=True)
        assert done.returncode == 0, done.stderr[:2000]
        return Path(folder, "program").read_bytes()


def built(source: bytes, folder: str, standard: str, link: tuple[str, ...] = ()) -> str:
    """The path of the program in `folder`; each is compiled once."""
    program = Path(folder, "program")
    program.write_bytes(_binary(source, standard, link))
    program.chmod(0o755)
    return str(program)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One observed run; loops are told by ordinal, and `problem` says why there is no report."""

    status: int
    stdout: str
    report: Mapping[str, Any]
    problem: str = ""

    @property
    def loops(self) -> list[LoopProfile]:
        return [loop_profile(row) for row in self.report["loops"]]

    def counts(self) -> list[tuple[int, int, int, int]]:
        """Visits, normal ends, entries and iterations of the largest activation, of each loop."""
        return [(loop.visits, loop.exits, loop.entries, loop.most) for loop in self.loops]

    @property
    def snapshots(self) -> list[Snapshot]:
        return [snapshot(row) for row in self.report["snapshots"]]

    def values(self) -> Mapping[str, object]:
        """The variables of the only snapshot."""
        (only,) = self.snapshots
        return only.variables


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedProgram:
    """A program that is built once and run at will."""

    code: str
    names: Mapping[int, str] = field(default_factory=dict)
    """By ordinal of the loop, parted by blanks."""
    records: Sequence[tuple[str, tuple[str, ...]]] = ()
    standard: str = "gnu++17"

    def runs(self, *jobs: Watch, stdin: str = "") -> list[Run]:
        """One run for each job; an offset in a job is the ordinal of the loop."""
        flat = flattened(self.code, self.standard)
        names = {ordinal: words.split() for ordinal, words in self.names.items()}
        source = observing_source(flat, names, self.records)
        loops = [(at, loop.kind, loop.line) for at, loop in enumerate(flat.loops)]
        with tempfile.TemporaryDirectory() as folder:
            program = built(source, folder, self.standard, WRAPPED)
            return [_ran(program, folder, job, loops, stdin.encode()) for job in jobs]

    def run(self, *wanted: tuple[int, Place | str, int, int], stdin: str = "", **watch: Any) -> Run:
        moments = [Moment(loop, place, a, k) for loop, place, a, k in wanted]  # type: ignore[arg-type]
        (run,) = self.runs(Watch(wanted=moments, **watch), stdin=stdin)
        return run


def plain(code: str, stdin: str = "", standard: str = "gnu++17") -> tuple[int, str]:
    """Status and output of the program without an observer."""
    with tempfile.TemporaryDirectory() as folder:
        program = built(code.encode(), folder, standard)
        return _executed(program, folder, stdin.encode())


def _ran(
    program: str, folder: str, job: Watch, loops: list[tuple[int, Any, int]], stdin: bytes
) -> Run:
    watch = Watch(
        **{name: getattr(job, name) for name in Watch.__dataclass_fields__ if name != "loops"},
        loops=loops,
    )
    Path(folder, JOB).write_bytes(job_text(watch, KEY))
    status, stdout = _executed(program, folder, stdin)
    assert not Path(folder, JOB).exists()
    report = Path(folder, REPORT)
    data = report.read_bytes() if report.exists() else b""
    report.unlink(missing_ok=True)
    try:
        return Run(status=status, stdout=stdout, report=read_report(data, KEY))
    except ValueError as error:
        return Run(status=status, stdout=stdout, report={}, problem=str(error))


def _executed(program: str, folder: str, stdin: bytes) -> tuple[int, str]:
    given, said = Path(folder, "stdin"), Path(folder, "stdout")
    given.write_bytes(stdin)
    with given.open("rb") as source, said.open("wb") as sink:
        done = subprocess.run(
            [program],
            cwd=folder,
            stdin=source,
            stdout=sink,
            stderr=subprocess.DEVNULL,
            timeout=60,
            env={"PATH": os.environ.get("PATH", "")},
            check=False,
        )
    return done.returncode, said.read_text("latin-1")
