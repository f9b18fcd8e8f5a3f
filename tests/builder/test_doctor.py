"""What `builder doctor` finds, and what it says about what it does not find."""

from __future__ import annotations

import json
import shutil
import sys
from functools import partial
from pathlib import Path

import pytest

from deskcheck.builder.cli import run
from deskcheck.builder.commands.doctor import compilers, examine, measured_python, packages, report
from deskcheck.oracles import sandbox


def test_a_set_up_machine_passes(capsys: pytest.CaptureFixture[str]) -> None:
    """Where the tests run, all that this version needs is there."""
    assert run(["doctor"]) == 0
    shown = capsys.readouterr().out
    for area in ("Python", "Packages", "Sandbox", "C++", "Engines", "GPU"):
        assert area in shown.splitlines()


def test_json_holds_the_same_findings(capsys: pytest.CaptureFixture[str]) -> None:
    """Each finding of the report is also one object."""
    assert run(["doctor", "--json"]) == 0
    names = {each["name"] for each in json.loads(capsys.readouterr().out)}
    assert {"that runs builder", "that is measured", "click", "all together", "vllm"} <= names


@pytest.mark.parametrize("version", ["3.11.2 False", "3.14", ""])
def test_an_unusable_interpreter_ends_with_3(
    version: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An interpreter that is old, odd or fails is missing, and the remedy names the option."""
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\necho {version}\n" if version else "#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    assert run(["doctor", "--python", str(python)]) == 3
    captured = capsys.readouterr()
    assert captured.err == (
        "builder: missing here: that is measured; the report says what brings each of them\n"
    )
    assert "name a Python >= 3.12 by --python" in captured.out


def test_the_measured_interpreter_is_asked() -> None:
    """The version comes from running the interpreter, not from its name."""
    assert measured_python(sys.executable).value == ".".join(map(str, sys.version_info[:3]))
    assert not measured_python("no-such-python").found


def test_every_declared_package_is_reported() -> None:
    """The packages that Deskcheck depends on are found here, each with its version."""
    found = {each.name: each for each in packages()}
    assert {"click", "datasets", "libcst", "numpy", "pandas", "pyarrow", "rich"} <= found.keys()
    assert all(each.found and each.value for each in found.values())


def test_one_command_brings_all_missing_compilers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every missing tool carries the same one line, which is said where it is missing."""
    monkeypatch.setenv("PATH", str(tmp_path))
    missing = list(compilers())
    assert {each.found for each in missing} == {False}
    assert {each.remedy for each in missing if each.remedy} == {
        "only for C++ programs: apt-get install -y clang g++ libclang-rt-dev llvm"
    }
    shown = list(report(missing))
    assert shown[0] == "C++"
    assert shown[1].split() == ["clang++", "not", "here"]


def test_tools_of_different_versions_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tools that are all there but do not go together are named with both versions."""
    if not shutil.which("clang++"):
        pytest.skip("there is no clang++ here")
    for tool in ("llvm-profdata", "llvm-cov"):
        (tmp_path / tool).write_text("#!/bin/sh\necho LLVM version 3.2.1\n")
        (tmp_path / tool).chmod(0o755)
    clang = tmp_path / "clang++"
    clang.write_text(
        '#!/bin/sh\ncase "$1" in -print-prog-name=llvm*) echo "${1#*=}";;'
        f' *) exec {shutil.which("clang++")} "$@";; esac\n'
    )
    clang.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    together = list(compilers())[-1]
    assert not together.found
    assert together.remedy.startswith("llvm-profdata 3.2.1 does not go with clang++ ")


def test_what_is_optional_is_never_required() -> None:
    """Compilers, engines and a GPU may be absent without failing."""
    optional = {each.area for each in examine(sys.executable) if not each.required}
    assert {"C++", "Engines", "GPU"} <= optional


def test_a_machine_that_cannot_shut_programs_off_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a layer that runs need by default the report ends with 3 and says what relaxes it."""
    bare = partial(sandbox.Sandbox, without=("namespaces", "landlock", "seccomp"))
    monkeypatch.setattr(sandbox, "Sandbox", bare)
    assert run(["doctor"]) == 3
    captured = capsys.readouterr()
    assert "missing here: network, writes;" in captured.err
    assert captured.out.count("--allow-unisolated") == 2
