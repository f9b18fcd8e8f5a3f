"""C++ programs for tests, read with libclang and run with the compilers that are here."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from deskcheck.builder.cpp.parsing import CppSource, read_cpp
from deskcheck.oracles.runtimes.cpp.toolchain import find_toolchain

STANDARD = "gnu++17"
COMPILERS = tuple(name for name in ("clang++", "g++") if shutil.which(name))


def read(text: str | bytes) -> CppSource:
    """The program as the builder reads it."""
    return read_cpp(text.encode() if isinstance(text, str) else text, STANDARD, _includes())


@cache
def _includes() -> tuple[str, ...]:
    return find_toolchain().system_includes()


def printed(code: bytes, compiler: str, options: Sequence[str] = ()) -> bytes:
    """What a program prints; it compiles, and ends with status 0."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "program")
        command = [compiler, f"-std={STANDARD}", "-w", *options, "-o", str(program), "-xc++", "-"]
        built = subprocess.run(command, input=code, capture_output=True, check=False)
        assert built.returncode == 0, built.stderr.decode() + code.decode()
        return subprocess.run([program], capture_output=True, check=True).stdout
