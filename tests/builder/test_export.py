"""A published dataset opens by its name, holds no answer, and comes back as it was."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.builder.fake_hub import REPO, FakeHub, fake_hub
from tests.builder.verdicts import SHORT_LOOP, admitted, rejected

from deskcheck.builder.cases import Verdict
from deskcheck.builder.cli import run
from deskcheck.builder.contents import Build
from deskcheck.builder.dataset import locate, read_answers, read_dataset, write_dataset
from deskcheck.builder.hub import hub_name
from deskcheck.builder.integrity import examine
from deskcheck.builder.stored import stored
from deskcheck.oracles.errors import DatasetError

BUILD = Build(name="sums", config={"seed": 1}, toolchain={}, answer_tag="answer")
VERDICTS: list[Verdict] = [
    admitted("ape", passed_over=(SHORT_LOOP,)),
    rejected("grid"),
    admitted("bee", licence="MIT"),
]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written") / "sums"
    write_dataset(folder, BUILD, VERDICTS, timings=[{"ms": 3}])
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def texts(folder: Path) -> list[bytes]:
    return [answer.text.encode() for answer in read_answers(folder).values()]


def test_a_copy_is_the_dataset_without_its_answers(whole: Path, tmp_path: Path) -> None:
    """Every table, program and fact is there; of `oracles/` and timings nothing is."""
    assert run(["dataset", "export", str(whole), "-o", str(tmp_path / "out")]) == 0
    there, copied = files(whole), files(tmp_path / "out")
    left_out = {"oracles/answers.parquet", "timings.jsonl"}
    assert copied.keys() == there.keys() - left_out
    assert {name for name in copied if copied[name] != there[name]} == {"README.md"}
    card = copied["README.md"].decode()
    assert "those were left out of this copy" in card
    assert "oracles" not in card
    assert "| MIT | The authors | textbook | 1 |" in card
    assert "2 of 3 inspected programs" in card
    content, drift = stored(tmp_path / "out")
    found = [*drift, *examine(content)]
    assert [(each.cause, each.place) for each in found] == [
        ("table_missing", "oracles/answers.parquet")
    ]


def test_with_answers_it_is_the_dataset(whole: Path, tmp_path: Path) -> None:
    """Byte for byte, but for what was noted of the build, and it verifies as one."""
    out = tmp_path / "out"
    assert run(["dataset", "export", str(whole), "-o", str(out), "--with-answers"]) == 0
    copied = files(out)
    assert copied == {name: data for name, data in files(whole).items() if name in copied}
    content, drift = stored(out)
    assert [*drift, *examine(content)] == []


def test_what_is_damaged_or_in_the_way_is_not_exported(whole: Path, tmp_path: Path) -> None:
    """No folder appears, and nothing that is there is touched."""
    copy = tmp_path / "copy"
    shutil.copytree(whole, copy)
    (copy / "cases.parquet").write_bytes(b"PAR1")
    assert run(["dataset", "export", str(copy), "-o", str(tmp_path / "out")]) == 3
    assert not (tmp_path / "out").exists()
    (tmp_path / "filled").mkdir()
    (tmp_path / "filled/thesis.tex").touch()
    assert run(["dataset", "export", str(whole), "-o", str(tmp_path / "filled")]) == 3
    assert list(files(tmp_path / "filled")) == ["thesis.tex"]


def test_a_shard_is_not_published(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is a part of a dataset, and would be read as one."""
    build = Build(name="sums", config={"shard": [1, 2]}, toolchain={})
    write_dataset(tmp_path / "shard", build, VERDICTS, shard=b"")
    assert run(["dataset", "export", str(tmp_path / "shard"), "-o", str(tmp_path / "out")]) == 3
    assert "is a shard; builder dataset merge makes the whole" in capsys.readouterr().err


LOADER = """
import json, sys
import datasets
tasks = datasets.load_dataset(sys.argv[1], "tasks", split="test")
print(json.dumps([tasks.column_names, tasks["id"][:]]))
"""


@pytest.mark.slow
def test_datasets_opens_a_copy(whole: Path, tmp_path: Path) -> None:
    """By the one call that its card names, without a network."""
    assert run(["dataset", "export", str(whole), "-o", str(tmp_path / "out")]) == 0
    environment = {
        **os.environ,
        "HF_HOME": str(tmp_path / "cache"),
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
    }
    loaded = subprocess.run(
        [sys.executable, "-c", LOADER, str(tmp_path / "out")],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
        timeout=300,
    )
    columns, ids = json.loads(loaded.stdout)
    assert ids == [task.id for task in read_dataset(whole).tasks]
    assert "answer" not in columns


def test_a_dry_run_lists_the_files_and_sends_nothing(
    whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each with its size; the answers are among them only where they are asked for."""
    for more, listed in ((), 0), (("--with-answers",), 1):
        assert run(["dataset", "push", str(whole), "--repo", REPO, "--dry-run", *more]) == 0
        out = capsys.readouterr().out
        assert out.count("oracles/answers.parquet") == listed
        assert out.count(".parquet") == 5 + listed
        assert out.splitlines()[-1] == f"to {REPO} (public where it is made now); nothing was sent"


def test_a_name_on_the_hub_is_no_path_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What exists here is never looked for elsewhere, nor is what lies in a folder that does."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "datasets").mkdir()
    name = hub_name(Path("someone/sums@v1.0"))
    assert name is not None
    assert (name.repo, name.revision) == ("someone/sums", "v1.0")
    for path in ("datasets/sums", "/someone/sums", "sums", "a/b/c", "../sums", "someone/s ums"):
        assert hub_name(Path(path)) is None


SNAPSHOT = f"{1:040x}"


def cached(home: Path, whole: Path, *, answers: bool) -> Path:
    """The dataset laid out in a cache folder as the Hub library keeps what it has fetched."""
    repo = home / "hub" / "datasets--someone--sums"
    folder = repo / "snapshots" / SNAPSHOT
    for name, data in files(whole).items():
        if answers or not name.startswith("oracles/"):
            blob = repo / "blobs" / name.replace("/", "-")
            blob.parent.mkdir(parents=True, exist_ok=True)
            blob.write_bytes(data)
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).symlink_to(blob)
    (repo / "refs").mkdir()
    (repo / "refs/main").write_text(SNAPSHOT)
    return folder


def command(home: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command line in a process of its own, as the library reads its settings when imported."""
    return subprocess.run(
        [sys.executable, "-m", "deskcheck.builder.cli", *arguments],
        capture_output=True,
        text=True,
        cwd=home,
        env={**os.environ, "HF_HOME": str(home), "HF_TOKEN": "none", **environment},
        check=False,
        timeout=300,
    )


@pytest.mark.slow
def test_without_a_network_the_hub_librarys_cache_is_read(whole: Path, tmp_path: Path) -> None:
    """By name, by commit, with answers and without; what was never fetched is one line."""
    cached(tmp_path, whole, answers=True)
    for name in (REPO, f"{REPO}@{SNAPSHOT}"):
        shown = command(tmp_path, "show", "textbook/ape", "-d", name, "--json", HF_HUB_OFFLINE="1")
        assert shown.returncode == 0, shown.stderr
        arms = json.loads(shown.stdout)["arms"]
        assert arms["short-trace-final"]["answer"] == "5 ape\n"
    for name in ("someone/else", f"{REPO}@v9"):
        missing = command(tmp_path, "dataset", "stats", name, HF_HUB_OFFLINE="1")
        assert missing.returncode == 3
        assert missing.stderr.startswith(f"builder: {name.partition('@')[0]} on the Hub: ")
        assert missing.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_cached_copy_without_answers_serves_all_that_needs_none(
    whole: Path, tmp_path: Path
) -> None:
    """Tasks are read; where an answer is needed, that it is missing is said."""
    cached(tmp_path, whole, answers=False)
    offline = {"HF_HUB_OFFLINE": "1"}
    show = ["show", "textbook/ape", "-d", REPO]
    assert command(tmp_path, *show, "--hide-answers", **offline).returncode == 0
    needed = command(tmp_path, *show, **offline)
    assert needed.returncode == 3
    assert "is a published copy without its answers" in needed.stderr


def at(hub: FakeHub) -> dict[str, str]:
    return {"HF_ENDPOINT": hub.address, "HF_HUB_DISABLE_XET": "1"}


@pytest.mark.slow
def test_what_is_pushed_can_be_read_by_its_name(whole: Path, tmp_path: Path) -> None:
    """Through the Hub's own library and a stand-in for the Hub: one commit, fetched as needed."""
    with fake_hub() as hub:
        push = ["dataset", "push", str(whole), "--repo", REPO, "--private"]
        pushed = command(tmp_path, *push, **at(hub))
        assert pushed.returncode == 0, pushed.stderr
        assert pushed.stdout.strip() == f"{hub.address}/datasets/{REPO}/commit/{2:040x}"
        assert hub.created[0]["visibility"] == "private"
        copy = {name for name in files(whole) if name not in ("timings.jsonl",)}
        assert hub.commits[-1].keys() == copy - {"oracles/answers.parquet"} | {".gitattributes"}
        for text in texts(whole):
            assert not [name for name, data in hub.commits[-1].items() if text in data]

        again = command(tmp_path, *push, "--with-answers", **at(hub))
        assert again.returncode == 0, again.stderr
        show = ["show", "textbook/bee", "-d", REPO]
        shown = command(tmp_path, *show, "--hide-answers", **at(hub))
        assert shown.returncode == 0, shown.stderr
        assert "tasks.parquet" in hub.fetched
        assert "oracles/answers.parquet" not in hub.fetched
        shown = command(tmp_path, *show, **at(hub))
        assert "2470 bee" in shown.stdout
        assert hub.fetched.count("oracles/answers.parquet") == 1
        assert hub.fetched.count("tasks.parquet") == 1

        third = command(tmp_path, *push, **at(hub))
        assert third.returncode == 0, third.stderr
        assert "oracles/answers.parquet" not in hub.commits[-1]
        old = command(tmp_path, *show[:-1], f"{REPO}@{2:040x}", "--hide-answers", **at(hub))
        assert old.returncode == 0, old.stderr


@pytest.mark.slow
def test_what_is_no_dataset_of_ours_is_not_overwritten(whole: Path, tmp_path: Path) -> None:
    """A repository with other files is left as it is, and a Hub that refuses is one line."""
    with fake_hub({"thesis.tex": b"x", "README.md": b""}) as hub:
        push = ["dataset", "push", str(whole), "--repo"]
        refused = command(tmp_path, *push, REPO, **at(hub))
        assert refused.returncode == 3
        assert f"{REPO} holds something else; name another repository" in refused.stderr
        assert len(hub.commits) == 1
        unknown = command(tmp_path, *push, "someone/else", **at(hub))
        assert unknown.returncode == 3
        assert unknown.stderr.startswith("builder: someone/else on the Hub: ")


def test_a_missing_folder_is_still_a_missing_folder(tmp_path: Path) -> None:
    """A path that can be no name on the Hub is looked for here alone."""
    with pytest.raises(DatasetError, match=r"no dataset at .*nowhere"):
        locate(tmp_path / "nowhere")
