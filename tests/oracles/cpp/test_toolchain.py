"""The tools of C++ are found, go together, and are named in one line where they do not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.oracles.cpp.compilers import needs_clang, needs_gnu

from deskcheck.oracles.errors import CompilerError
from deskcheck.oracles.runtimes.cpp.toolchain import (
    compiler_at,
    find_toolchain,
    install_line,
    llvm_version,
)


@needs_clang
def test_tools_of_one_version_are_found() -> None:
    """clang++ and both of LLVM's tools are of one major version."""
    found = find_toolchain()
    assert found.clang.kind == "clang"
    versions = {llvm_version(tool).split(".")[0] for tool in (found.profdata, found.cov)}
    assert versions == {found.clang.major}


@needs_clang
def test_facts_name_no_place() -> None:
    """What goes into a manifest is the same wherever the tools lie."""
    facts = find_toolchain().facts()
    assert facts["standard"] == "gnu++17, else gnu++20"
    assert not any("/" in value for value in facts.values())


@needs_clang
def test_libclang_can_be_shown_the_headers() -> None:
    """The folders hold the header that includes everything, and they lie somewhere."""
    folders = find_toolchain().system_includes()
    assert any(Path(folder, "bits", "stdc++.h").exists() for folder in folders)
    assert all(Path(folder).is_dir() and Path(folder).is_absolute() for folder in folders)


@needs_clang
@needs_gnu
def test_each_compiler_is_the_second_opinion_on_the_other() -> None:
    """The named compiler is the main one; counting stays with clang++."""
    by_gnu, by_clang = find_toolchain("g++"), find_toolchain("clang++")
    assert (by_gnu.main.kind, by_gnu.other) == ("gnu", by_gnu.clang)
    assert by_clang.main == by_clang.clang
    assert by_clang.other is not None and by_clang.other.kind == "gnu"


def test_what_is_missing_comes_with_one_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing is installed the error names the tools and the line that brings them."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CompilerError) as caught:
        find_toolchain()
    assert str(caught.value) == (
        "C++ programs need clang++ and llvm-profdata and llvm-cov; "
        "apt-get install -y clang libclang-rt-dev llvm"
    )


def test_packages_are_named_once() -> None:
    """Tools of one package, and packages by their own name, make one command."""
    tools = ["llvm-cov", "llvm-profdata", "libclang-rt-14-dev"]
    assert install_line(tools) == "apt-get install -y libclang-rt-14-dev llvm"


@pytest.mark.parametrize("name", ["no-such-compiler", "cat"])
def test_what_is_no_compiler_is_refused(name: str) -> None:
    """A named compiler must exist and be one."""
    assert compiler_at(name) is None
    with pytest.raises(CompilerError, match="does not run as g"):
        find_toolchain(name)


@needs_clang
@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ("-print-runtime-dir) echo /nowhere;; -print-file-name=*) echo none", "has no libclang_rt"),
        ("-print-prog-name=llvm-cov) echo llvm-cov", "llvm-cov 3.2.1 does not go with clang"),
    ],
    ids=["no runtime libraries", "another version"],
)
def test_an_installation_with_holes_is_told(
    answers: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A compiler without its libraries, or with tools of another one, is named as it is."""
    (tmp_path / "llvm-cov").write_text("#!/bin/sh\necho LLVM version 3.2.1\n")
    real = shutil.which("clang++")
    (tmp_path / "clang++").write_text(
        f'#!/bin/sh\ncase "$1" in {answers};; *) exec {real} "$@";; esac\n'
    )
    for tool in tmp_path.iterdir():
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CompilerError, match=told) as caught:
        find_toolchain()
    assert "apt-get install -y l" in caught.value.hint
