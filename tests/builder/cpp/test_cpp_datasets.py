"""A dataset with C++ programs in it is built, opened, checked again and told apart by compiler."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import datasets
import pytest
from tests.oracles.cpp.compilers import needs_clang, needs_gnu

from deskcheck.builder.cases import ARMS
from deskcheck.builder.cli import run
from deskcheck.builder.dataset import read_dataset

PROGRAMS = Path(__file__).parents[1] / "programs/cpp/admitted"
PYTHON = """\
n = int(input())
value = 7
for i in range(n):
    value = (value * 31 + i) % 1009
print(value)
"""

# One worker makes the dataset that these tests share.
pytestmark = [needs_clang, pytest.mark.slow, pytest.mark.xdist_group("cpp-datasets")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two C++ programs and one in Python, each with a short and a long input."""
    top = tmp_path_factory.mktemp("programs")
    for name in ("chars", "dp_table"):
        for suffix in (".cpp", ".short.in", ".long.in"):
            shutil.copy(PROGRAMS / f"{name}{suffix}", top)
    (top / "mixing.py").write_text(PYTHON)
    (top / "mixing.short.in").write_text("3\n")
    (top / "mixing.long.in").write_text("40\n")
    return top


def admitted(folder: Path, output: Path, *more: str) -> Path:
    """The dataset that `builder admit` makes of the folder."""
    words = ["admit", "--pool", "folder", "--data", str(folder), "-o", str(output)]
    assert run([*words, "--workers", "1", *more]) == 0
    (dataset,) = (path for path in output.iterdir() if path.is_dir())
    return dataset


@pytest.fixture(scope="module")
def dataset(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return admitted(folder, tmp_path_factory.mktemp("dataset"))


def test_languages_stand_side_by_side_and_apart(dataset: Path) -> None:
    """Each study has one language; the manifest names the compilers and the interpreter."""
    content = read_dataset(dataset)
    assert [(case.study, case.language) for case in content.cases] == [
        ("folder-cpp", "cpp"),
        ("folder-cpp", "cpp"),
        ("folder-python", "python"),
    ]
    measured = content.manifest.toolchain["measured"]
    assert measured["implementation"] == "CPython"
    assert measured["cpp"]["counted_with"].startswith("clang++ ")
    assert "/" not in json.dumps(measured["cpp"])


def test_trace_lengths_of_state_arms_are_prefixes_and_exact(dataset: Path) -> None:
    """The arm that stops earlier has the shorter trace, and neither outruns the whole."""
    content = read_dataset(dataset)
    for case in content.cases:
        short, long, inside, post = (
            next(row for row in content.measures if (row.case_id, row.arm) == (case.id, arm))
            for arm in ARMS
        )
        assert short.trace_length < long.trace_length == post.whole_trace_length
        assert 0 < inside.trace_length < post.trace_length <= long.trace_length
        assert inside.trace_exact and post.trace_exact


def test_the_hub_library_opens_it(dataset: Path) -> None:
    tasks = datasets.load_dataset(str(dataset), "tasks", split="test")
    assert sorted(set(tasks["language"])) == ["cpp", "python"]
    assert len(tasks) == 4 * 3


def test_it_is_what_it_says(dataset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["dataset", "verify", str(dataset), "--workers", "1", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["same"], facts["measured"], facts["toolchain"]) == (True, 3, [])


@needs_gnu
def test_another_compiler_is_named_and_changes_no_answer(
    dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What g++ builds prints the same; that it is another compiler is said."""
    words = ["dataset", "verify", str(dataset), "--cxx", "g++", "--quick", "--workers", "1"]
    assert run([*words, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["same"], facts["drift"]) == (True, [])
    assert any("compiler" in line and "clang" in line for line in facts["toolchain"])


def test_the_same_request_gives_the_same_rows(folder: Path, dataset: Path, tmp_path: Path) -> None:
    """Over two workers, and with no builds kept from before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DESKCHECK_CACHE", str(tmp_path / "cache"))
        again = admitted(folder, tmp_path / "out", "--workers", "2")
    assert again.name == dataset.name
    assert read_dataset(again).manifest.id == read_dataset(dataset).manifest.id


def test_a_missing_compiler_is_one_line(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It says what is missing and what brings it, before any program is judged."""
    monkeypatch.setenv("PATH", str(tmp_path))
    words = ["admit", "--pool", "folder", "--data", str(folder), "-o", str(tmp_path / "out")]
    assert run(words) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert "clang++" in line and "apt-get install" in line
