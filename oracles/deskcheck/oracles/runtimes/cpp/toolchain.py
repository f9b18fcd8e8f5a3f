"""The compilers and LLVM tools that C++ programs are built and measured with."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from deskcheck.oracles.errors import CompilerError

STANDARDS = ("gnu++17", "gnu++20")
"""Tried in this order: a program is of the first that it compiles under."""

PACKAGES = {
    "clang++": "clang libclang-rt-dev",
    "g++": "g++",
    "llvm-profdata": "llvm",
    "llvm-cov": "llvm",
}
"""What C++ programs are measured with -> the Debian packages that bring it.

`clang` alone only recommends the runtime libraries of sanitized and counted builds.
"""

LLVM_TOOLS = ("llvm-profdata", "llvm-cov")

RUNTIMES = (
    "libclang_rt.profile-{machine}.a",
    "libclang_rt.asan-{machine}.a",
    "libclang_rt.ubsan_standalone-{machine}.a",
)
"""Libraries of compiler-rt that counted and sanitized builds are linked with."""

_PROBE = "#include <cstddef>\ndeskcheck:_GLIBCXX_RELEASE:__GLIBCXX__\n"
_PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiler:
    """One C++ compiler."""

    path: str
    kind: Literal["gnu", "clang"]
    version: str

    @property
    def major(self) -> str:
        return self.version.split(".")[0]

    def __str__(self) -> str:
        return f"{'g++' if self.kind == 'gnu' else 'clang++'} {self.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """Compilers and tools that go together."""

    main: Compiler
    """Builds what the ground truth comes from."""
    clang: Compiler
    """Builds what is counted, sanitized and observed."""
    other: Compiler | None
    """A second opinion on what a program prints."""
    profdata: str
    cov: str
    linker: str
    library: str
    """libstdc++, as `12 (20220819)`."""
    libc: str
    includes: tuple[str, ...]
    standard: str = STANDARDS[0]

    def facts(self) -> dict[str, str]:
        """What goes into a manifest: no path of this machine."""
        return {
            "compiler": str(self.main),
            "counted_with": f"{self.clang}, llvm {self.clang.version}",
            "checked_with": str(self.other) if self.other else "none",
            "standard": f"{STANDARDS[0]}, else {STANDARDS[1]}",
            "libstdc++": self.library,
            "libc": self.libc,
        }

    def system_includes(self) -> tuple[str, ...]:
        """Folders of the system's headers as clang++ searches them, for libclang's `-isystem`."""
        return self.includes


def find_toolchain(compiler: str | None = None) -> Toolchain:
    """The tools on PATH; `compiler` names another main compiler, of either kind.

    CompilerError where something is missing or of another version: its one line says what, and
    what brings it.
    """
    return _found(compiler, os.environ.get("PATH", ""))


@cache
def _found(compiler: str | None, _path: str) -> Toolchain:
    main = _compiler(compiler) if compiler else None
    clang = main if main and main.kind == "clang" else find_clang()
    gnu = main if main and main.kind == "gnu" else find_gnu()
    if clang is None:
        raise _missing(["clang++", *(tool for tool in LLVM_TOOLS if not shutil.which(tool))])
    profdata, cov = (_beside(clang, tool) for tool in LLVM_TOOLS)
    lacking = runtimes_missing(clang)
    if lacking:
        raise CompilerError(
            f"clang++ {clang.version} has no {', '.join(lacking)}",
            f"apt-get install -y {runtime_package(clang)}",
        )
    includes, library = _library(clang)
    main = main or clang
    return Toolchain(
        main=main,
        clang=clang,
        other=gnu if main.kind == "clang" else clang,
        profdata=profdata,
        cov=cov,
        linker=_linker(clang),
        library=library,
        libc="-".join(platform.libc_ver()),
        includes=includes,
    )


def runtimes_missing(clang: Compiler) -> list[str]:
    """The libraries of compiler-rt that `clang` does not find."""
    folder = _said([clang.path, "-print-runtime-dir"]).strip()
    names = [name.format(machine=platform.machine()) for name in RUNTIMES]
    return [
        name for name in names if not (Path(folder, name).exists() or _searched(clang.path, name))
    ]


def runtime_package(clang: Compiler) -> str:
    """The Debian package with the compiler-rt of `clang`."""
    return f"libclang-rt-{clang.major}-dev"


def _searched(compiler: str, name: str) -> bool:
    place = Path(_said([compiler, f"-print-file-name={name}"]).strip())
    return place.is_absolute() and place.exists()


def install_line(tools: Iterable[str]) -> str:
    """The one command that brings all of `tools`: names of `PACKAGES`, or of packages."""
    packages = {name for tool in tools for name in PACKAGES.get(tool, tool).split()}
    return f"apt-get install -y {' '.join(sorted(packages))}"


def _missing(tools: Sequence[str]) -> CompilerError:
    return CompilerError(f"C++ programs need {' and '.join(tools)}", install_line(tools))


def compiler_at(name: str) -> Compiler | None:
    """The compiler of this name or path, None where it does not run as one."""
    path = shutil.which(name)
    if path is None:
        return None
    # By the real file: `c++` may be either, and every clang also says that it is some g++.
    words = _said([path, "--version"])
    first = words.partition("\n")[0]
    clang = re.search(r"clang version (\d+(?:\.\d+)+)", first)
    version = clang or re.search(r"(\d+\.\d+\.\d+)\s*(?:\d{8}.*)?$", first)
    if version is None or not (clang or "Free Software Foundation" in words):
        return None
    return Compiler(path=path, kind="clang" if clang else "gnu", version=version.group(1))


def _compiler(name: str) -> Compiler:
    found = compiler_at(name)
    if found is None:
        raise CompilerError(f"{name} does not run as g++ or clang++", "name another compiler")
    return found


def find_clang() -> Compiler | None:
    """The clang++ of PATH, else the newest one that is there under its version."""
    return _first(["clang++", *(f"clang++-{major}" for major in range(30, 12, -1))])


def find_gnu() -> Compiler | None:
    """The g++ of PATH, else the newest one that is there under its version."""
    return _first(["g++", *(f"g++-{major}" for major in range(20, 9, -1))])


def _first(names: Iterable[str]) -> Compiler | None:
    return next((found for name in names if (found := compiler_at(name))), None)


def _beside(clang: Compiler, tool: str) -> str:
    """The LLVM tool of the same version as `clang`: beside it, or on PATH."""
    beside = _said([clang.path, f"-print-prog-name={tool}"]).strip()
    seen = ""
    for name in (beside, f"{tool}-{clang.major}", tool):
        path = shutil.which(name)
        version = llvm_version(path) if path else ""
        if path and version.split(".")[0] == clang.major:
            return path
        seen = seen or version
    if seen:
        raise CompilerError(
            f"{tool} {seen} does not go with clang++ {clang.version}",
            f"apt-get install -y llvm-{clang.major}",
        )
    raise _missing([tool])


def llvm_version(path: str) -> str:
    """Of one of LLVM's tools; some of them tell it only under a command of theirs."""
    for words in ([path, "--version"], [path, "merge", "--version"]):
        found = re.search(r"LLVM version (\d+(?:\.\d+)+)", _said(words))
        if found:
            return found.group(1)
    return ""


def _library(clang: Compiler) -> tuple[tuple[str, ...], str]:
    """The folders that `clang` searches for headers, and which libstdc++ lies in them."""
    done = _ended([clang.path, "-x", "c++", "-E", "-P", "-v", "-"], stdin=_PROBE)
    found = re.search(r"deskcheck:(\d+):(\d+)", done.stdout) if done else None
    if done is None or found is None:
        raise CompilerError(
            f"clang++ {clang.version} finds no headers of libstdc++", install_line(["g++"])
        )
    searched = done.stderr.partition("#include <...> search starts here:")[2]
    lines = searched.partition("End of search list.")[0].splitlines()
    folders = tuple(os.path.normpath(line.strip()) for line in lines if line.strip())
    if not any((Path(folder) / "bits" / "stdc++.h").exists() for folder in folders):
        raise CompilerError(
            f"clang++ {clang.version} finds no <bits/stdc++.h>", install_line(["g++"])
        )
    return folders, f"{found.group(1)} ({found.group(2)})"


def _linker(clang: Compiler) -> str:
    path = shutil.which(_said([clang.path, "-print-prog-name=ld"]).strip())
    if path is None:
        raise CompilerError("C++ programs need a linker, ld", install_line(["binutils"]))
    return path


def _said(words: Sequence[str]) -> str:
    done = _ended(words)
    return done.stdout if done and done.returncode == 0 else ""


def _ended(words: Sequence[str], stdin: str = "") -> subprocess.CompletedProcess[str] | None:
    try:
        return subprocess.run(
            words,
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE_S,
            check=False,
            env=_plain_environment(),
        )
    except (OSError, subprocess.SubprocessError):
        return None


def _plain_environment() -> Mapping[str, str]:
    # CPATH and its kind would change which headers are found; inside the sandbox they are unset.
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C.UTF-8"}
