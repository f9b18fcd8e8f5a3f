"""The single processes that a compiler's driver would start, as commands of their own.

No program in the sandbox can start another, and compilers run there too.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from deskcheck.oracles.errors import CompilerError
from deskcheck.oracles.runtimes.cpp.toolchain import Compiler

SOURCE, EXPANDED, ASSEMBLY = "program.cpp", "program.ii", "program.s"
OBJECT, PROGRAM = "program.o", "program"
"""Names of a build's files; `SOURCE` is also what `__FILE__` says."""

_PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One process of a build, and the file that it makes."""

    argv: tuple[str, ...]
    makes: str


def compiling(compiler: Compiler, flags: tuple[str, ...]) -> tuple[Step, ...]:
    """From `SOURCE` to `OBJECT`."""
    if compiler.kind == "clang":
        # By itself it would run a second process only to survive a crash of the compiler.
        words = (compiler.path, "-fintegrated-cc1", *flags, "-c", SOURCE, "-o", OBJECT)
        return (Step(argv=words, makes=OBJECT),)
    compile_words = _planned(compiler, (*flags, "-S", SOURCE, "-o", ASSEMBLY), (SOURCE,))
    assemble_words = _planned(compiler, ("-c", ASSEMBLY, "-o", OBJECT), (ASSEMBLY,))
    return (
        Step(argv=compile_words, makes=ASSEMBLY),
        Step(argv=assemble_words, makes=OBJECT),
    )


def precompiling(
    compiler: Compiler, flags: tuple[str, ...], header: str, makes: str
) -> tuple[Step, ...]:
    """From a header of the system to `makes`."""
    words = (*flags, "-x", "c++-header", header, "-o", makes)
    if compiler.kind == "clang":
        return (Step(argv=(compiler.path, "-fintegrated-cc1", *words), makes=makes),)
    return (Step(argv=_planned(compiler, words, ()), makes=makes),)


def linking(
    compiler: Compiler, linker: str, flags: tuple[str, ...], objects: tuple[str, ...]
) -> Step:
    """From `objects` to `PROGRAM`."""
    own = ("-fno-use-linker-plugin",) if compiler.kind == "gnu" else ()
    words = _planned(compiler, (*own, *objects, *flags, "-o", PROGRAM), objects)
    return Step(argv=(linker, *words[1:]), makes=PROGRAM)  # g++ has a wrapper around it


@cache
def _planned(
    compiler: Compiler, words: tuple[str, ...], inputs: tuple[str, ...]
) -> tuple[str, ...]:
    """The one command that the driver would run for `words`."""
    with tempfile.TemporaryDirectory() as folder:
        for name in inputs:
            Path(folder, name).touch()
        try:
            said = subprocess.run(
                [compiler.path, "-###", *words],
                cwd=folder,
                capture_output=True,
                text=True,
                check=True,
                timeout=_PATIENCE_S,
                env=_environment() | {"TMPDIR": folder},
            ).stderr
        except (OSError, subprocess.SubprocessError) as error:
            raise CompilerError(
                f"{compiler} does not say how it would build ({type(error).__name__})",
                "name another compiler",
            ) from error
    # Files that nobody wants to keep are planned there, and must lie where the step may write.
    said = said.replace(f"{folder}/", "")
    commands = [shlex.split(line) for line in said.splitlines() if line.startswith(" ")]
    commands = [command for command in commands if len(command) > 1]
    if len(commands) != 1:
        raise CompilerError(
            f"{compiler} would build in {len(commands)} processes where one is understood",
            "name another compiler",
        )
    return _absolute(compiler, commands[0])


def _environment() -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C.UTF-8"}


def _absolute(compiler: Compiler, command: Sequence[str]) -> tuple[str, ...]:
    if Path(command[0]).is_absolute():
        return tuple(command)
    place = shutil.which(command[0], path=_environment()["PATH"])
    if place is not None:
        return (str(Path(place).absolute()), *command[1:])
    raise CompilerError(f"{compiler} needs {command[0]}", "apt-get install -y binutils")
