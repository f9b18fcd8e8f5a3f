"""Real programs in real sandboxes, as whoever runs the tests."""

from __future__ import annotations

import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import pytest

from deskcheck.oracles.outcomes import Limits, Outcome
from deskcheck.oracles.sandbox import Sandbox

QUICK = Limits(cpu_s=5, wall_s=10, memory=1024**3, output=1024**2)


class RunPython(Protocol):
    """Runs Python source in the sandbox."""

    def __call__(
        self,
        source: str,
        *arguments: str,
        stdin: bytes = b"",
        collect: Sequence[str] = (),
        limits: Limits = QUICK,
    ) -> Outcome: ...


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """One sandbox with all protections, used by many tests in turn, as a worker uses it."""
    with Sandbox() as box:
        yield box


@pytest.fixture
def run(sandbox: Sandbox) -> RunPython:
    """Run source with our own interpreter."""
    return runner(sandbox, sys.executable)


def runner(sandbox: Sandbox, python: str) -> RunPython:
    """Bind a sandbox and an interpreter."""

    def run_python(
        source: str,
        *arguments: str,
        stdin: bytes = b"",
        collect: Sequence[str] = (),
        limits: Limits = QUICK,
    ) -> Outcome:
        return sandbox.run(
            [python, "-s", "-P", "prog.py", *arguments],
            stdin=stdin,
            files={"prog.py": textwrap.dedent(source).encode()},
            collect=collect,
            env={"PYTHONHASHSEED": "0"},
            limits=limits,
        )

    return run_python


def living(token: str) -> list[int]:
    """Processes of this machine that have `token` on their command line."""
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes()
        except OSError:
            continue
        if token.encode() in line.split(b"\0"):
            found.append(int(path.parent.name))
    return found


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether `condition` comes true within ten seconds."""
    deadline = time.monotonic() + 10
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
