"""The compilers that C++ programs are measured with in these tests."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from deskcheck.oracles.outcomes import Limits, Outcome
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.cpp.runtime import CppRuntime
from deskcheck.oracles.runtimes.cpp.toolchain import find_toolchain
from deskcheck.oracles.runtimes.python import variation
from deskcheck.oracles.sandbox import Sandbox

HERE = variation(0)

needs_clang = pytest.mark.skipif(
    not all(map(shutil.which, ("clang++", "llvm-profdata", "llvm-cov"))),
    reason="clang++ and LLVM's tools are not here: `builder doctor` says what brings them",
)
needs_gnu = pytest.mark.skipif(not shutil.which("g++"), reason="g++ is not here")


def program(source: str | bytes) -> Program:
    text = source.encode() if isinstance(source, str) else source
    return Program(language="cpp", source=text)


def runtime_with(sandbox: Sandbox, cache: Path, **limits: int) -> CppRuntime:
    bounds = Limits(cpu_s=20, wall_s=60, **limits)
    return CppRuntime(sandbox, find_toolchain(), bounds, cache)


class Counting:
    """A sandbox that notes which tools and programs it starts."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self.started: list[str] = []

    def run(
        self,
        argv: Sequence[str],
        *,
        stdin: bytes,
        files: Mapping[str, bytes],
        collect: Sequence[str] = (),
        env: Mapping[str, str],
        limits: Limits,
    ) -> Outcome:
        self.started.append(Path(argv[0]).name)
        return self._sandbox.run(
            argv, stdin=stdin, files=files, collect=collect, env=env, limits=limits
        )
