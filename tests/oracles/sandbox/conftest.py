"""Real programs in real sandboxes, as whoever runs the tests."""

from __future__ import annotations

import os
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from deskcheck.oracles.outcomes import Limits, Outcome
from deskcheck.oracles.sandbox import Sandbox

SYSTEM_PYTHON = Path("/usr/bin/python3")


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """One sandbox with all protections, used by many tests in turn, as a worker uses it."""
    with Sandbox() as box:
        yield box


@pytest.fixture
def run_in() -> Callable[..., Outcome]:
    """Run Python source: `run_in(sandbox, source, *arguments, python=, stdin=, collect=, ...)`."""

    def run_python(
        sandbox: Sandbox,
        source: str,
        *arguments: str,
        python: str = sys.executable,
        stdin: bytes = b"",
        collect: Sequence[str] = (),
        env: dict[str, str] | None = None,
        cpu_s: float = 5,
        wall_s: float = 10,
        memory: int = 1024**3,
        output: int = 1024**2,
        processes: int = 32,
    ) -> Outcome:
        return sandbox.run(
            [python, "-s", "-P", "prog.py", *arguments],
            stdin=stdin,
            files={"prog.py": textwrap.dedent(source).encode()},
            collect=collect,
            env={} if env is None else env,
            limits=Limits(
                cpu_s=cpu_s, wall_s=wall_s, memory=memory, output=output, processes=processes
            ),
        )

    return run_python


@pytest.fixture
def run(sandbox: Sandbox, run_in: Callable[..., Outcome]) -> Callable[..., Outcome]:
    """Run Python source with all protections and our own interpreter."""

    def run_python(*arguments: str, **options: object) -> Outcome:
        return run_in(sandbox, *arguments, **options)

    return run_python


@pytest.fixture(params=["ours", "the system's"])
def python(request: pytest.FixtureRequest) -> str:
    """An interpreter; as root, the two may run under different identities."""
    if request.param == "ours":
        return sys.executable
    if os.getuid() != 0 or not SYSTEM_PYTHON.exists():
        pytest.skip("only root runs the system's interpreter under another identity than ours")
    return str(SYSTEM_PYTHON)


@pytest.fixture(scope="session")
def living() -> Callable[[str], list[int]]:
    """Processes of this machine that have a token on their command line."""
    if not Path("/proc/self/cmdline").exists():
        pytest.skip("there is no /proc to look for processes in")

    def find(token: str) -> list[int]:
        found: list[int] = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                line = path.read_bytes()
            except OSError:
                continue
            if token.encode() in line.split(b"\0"):
                found.append(int(path.parent.name))
        return found

    return find


@pytest.fixture(scope="session")
def eventually() -> Callable[[Callable[[], bool]], bool]:
    """Whether a condition comes true within ten seconds."""

    def wait(condition: Callable[[], bool]) -> bool:
        deadline = time.monotonic() + 10
        while not condition():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        return True

    return wait
