"""Shards merge to the dataset that the build without shards gives, or not at all."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builder.test_pipeline import made, rows, run, started
from tests.builder.verdicts import SHORT_LOOP, admitted, rejected

from deskcheck.builder.cases import Admitted, Verdict
from deskcheck.builder.cli import run as builder
from deskcheck.builder.contents import Build, Manifest
from deskcheck.builder.dataset import read_answers, read_dataset, write_dataset
from deskcheck.builder.integrity import examine
from deskcheck.builder.journal import NAME
from deskcheck.builder.merging import merge
from deskcheck.builder.pipeline import Shard, answer_tag, cut, shard_lines, without_duplicates
from deskcheck.builder.stored import stored
from deskcheck.oracles.errors import DatasetError
from deskcheck.sources.pools import Unusable

CONFIG: dict[str, Any] = {"pools": ["textbook"], "seed": 1, "stop_after": None}
TOOLCHAIN = {"measured": {"version": "3.12.1"}}


def written(
    folder: Path,
    verdicts: Sequence[Verdict],
    shard: Shard,
    config: dict[str, Any] = CONFIG,
    **others: Any,
) -> Manifest:
    """The dataset, or the shard, that the verdicts of all candidates in their order become."""
    ordered = cut([v for v in verdicts if shard.has(v.candidate)], config["stop_after"])
    kept = without_duplicates(ordered)
    everything = [
        Unusable(id=v.candidate, pool=v.pool, study=v.study, check="", detail="") for v in verdicts
    ]
    build = Build(
        name="sums" if shard.of == 1 else f"sums{shard.suffix}",
        config={**config, "shard": [shard.number, shard.of]},
        toolchain=TOOLCHAIN,
        answer_tag=answer_tag(kept),
    )
    lines = shard_lines(everything, ordered, kept) if shard.of > 1 else None
    return write_dataset(folder, replace(build, **others), kept, shard=lines)


def split(
    out: Path, verdicts: Sequence[Verdict], of: int, config: dict[str, Any] = CONFIG
) -> list[Path]:
    folders = [out / str(number) for number in range(1, of + 1)]
    for number, folder in enumerate(folders, start=1):
        written(folder, verdicts, Shard(number=number, of=of), config)
    return folders


NAMES = ("ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen")


def of_kind(name: str, kind: int) -> Verdict:
    """Rejected, admitted, or admitted with some or all of the questions of others."""
    if kind == 0:
        return rejected(name)
    if kind == 1:
        return admitted(name, passed_over=(SHORT_LOOP,))
    # Kinds 2 and 3 share the short question, 3 and 4 the long ones, and all 3 are alike.
    shared = admitted(
        "shared",
        short="4\n" if kind == 4 else "3\n",
        long="20\n" if kind > 2 else f"2{NAMES.index(name)}\n",
        answers=("</answer>\n", "1", "2", "3"),
    )
    candidate = f"textbook/{name}"
    return replace(
        shared,
        candidate=candidate,
        case=replace(shared.case, candidate=candidate),
        tasks=tuple(replace(task, candidate=candidate) for task in shared.tasks),
    )


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=len(NAMES)),
    st.integers(2, 4),
    st.none() | st.integers(1, 4),
)
def test_whatever_was_judged_the_parts_make_the_whole(
    kinds: list[int], of: int, stop_after: int | None
) -> None:
    """Rows, order, manifest and card, also where cases of several shards ask the same."""
    verdicts = [of_kind(name, kind) for name, kind in zip(NAMES, kinds, strict=False)]
    config = {**CONFIG, "stop_after": stop_after}
    with TemporaryDirectory() as temporary:
        out = Path(temporary)
        whole = written(out / "whole", verdicts, Shard(), config)
        folders = split(out, verdicts, of, config)
        built = merge(folders[::-1], out / "merged")
        assert built.manifest == whole
        assert read_dataset(built.folder) == read_dataset(out / "whole")
        assert read_answers(built.folder) == read_answers(out / "whole")
        names = sorted(path.name for path in built.folder.rglob("*"))
        assert names == sorted(path.name for path in (out / "whole").rglob("*"))
        for name in ("README.md", "tasks.parquet", "rejections.parquet"):
            assert (built.folder / name).read_bytes() == (out / "whole" / name).read_bytes()


FIVE: list[Verdict] = [
    of_kind(name, kind) for name, kind in zip(NAMES, (1, 1, 0, 3, 3), strict=False)
]


def test_a_shard_is_a_dataset_that_holds_together(tmp_path: Path) -> None:
    """What it keeps for a merge is no foreign file, and is missed where it is gone."""
    folder = split(tmp_path, FIVE, 2)[0]
    content, drift = stored(folder)
    assert [*drift, *examine(content)] == []
    (folder / "oracles/shard.jsonl").unlink()
    assert [(each.cause, each.place) for each in examine(content)] == [
        ("file_missing", "oracles/shard.jsonl")
    ]


def other_seed(folder: Path) -> None:
    shutil.rmtree(folder)
    written(folder, FIVE, Shard(number=2, of=2), {**CONFIG, "seed": 2})


def other_toolchain(folder: Path) -> None:
    shutil.rmtree(folder)
    toolchain = {"measured": {"version": "3.13.0"}}
    written(folder, FIVE, Shard(number=2, of=2), toolchain=toolchain)


def other_count(folder: Path) -> None:
    shutil.rmtree(folder)
    written(folder, FIVE, Shard(number=2, of=3))


def the_first_again(folder: Path) -> None:
    shutil.rmtree(folder)
    written(folder, FIVE, Shard(number=1, of=2))


def no_shard(folder: Path) -> None:
    shutil.rmtree(folder)
    written(folder, FIVE, Shard())


def of_the_other(folder: Path) -> None:
    """Candidates of the first shard under the number of the second."""
    manifest = json.loads((folder.parent / "1/manifest.json").read_text())
    shutil.rmtree(folder)
    shutil.copytree(folder.parent / "1", folder)
    manifest["config"]["shard"] = [2, 2]
    manifest["name"] = "sums-shard2of2"
    (folder / "manifest.json").write_text(json.dumps(manifest))


def line_damaged(folder: Path) -> None:
    path = folder / "oracles/shard.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"place": ', b'"place": 1'))


def line_gone(folder: Path) -> None:
    path = folder / "oracles/shard.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[1:]))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (other_seed, "no shards of one build: config.seed 1 in .*1, 2 in .*2; build them"),
        (other_toolchain, r'toolchain.measured.version "3.12.1" in .*1, "3.13.0" in '),
        (other_count, "shards 2 in .*1, 3 in .*2"),
        (the_first_again, "shard 1 of 2 comes twice"),
        (no_shard, "is no shard but a whole dataset"),
        (of_the_other, "textbook/.* does not belong to this shard"),
        (line_damaged, "shard.jsonl line 1"),
        (line_gone, "it gives textbook/.* no place"),
        (lambda folder: (folder / "oracles/shard.jsonl").unlink(), "shard.jsonl is missing"),
        (
            lambda folder: (folder / "oracles/answers.parquet").unlink(),
            "answers.parquet is damaged",
        ),
    ],
)
def test_what_is_no_part_of_the_whole_is_refused(
    tmp_path: Path, change: Callable[[Path], None], said: str
) -> None:
    """The line says how the shards differ or what is wrong with one, and no folder appears."""
    folders = split(tmp_path, FIVE, 2)
    change(folders[1])
    with pytest.raises(DatasetError, match=said):
        merge(folders, tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


def test_a_missing_shard_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command ends with 3; with all of them it names the dataset that it made."""
    folders = list(map(str, split(tmp_path, FIVE, 3)))
    out = ["-o", str(tmp_path / "merged")]
    assert builder(["dataset", "merge", folders[0], folders[2], *out]) == 3
    assert "shard 2 of 3 is missing; name all of them" in capsys.readouterr().err
    assert builder(["dataset", "merge", *folders, *out, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["judged"], facts["admitted"]) == (5, 3)
    assert builder(["dataset", "merge", *folders, *out]) == 3
    assert "exists and is a dataset" in capsys.readouterr().err
    assert Path(facts["folder"]).name.startswith("sums-")
    (answer,) = [v for v in FIVE[3:4] if isinstance(v, Admitted)]
    assert read_answers(Path(facts["folder"]))[answer.tasks[0].id].text == "</answer>\n"


TEXTBOOK = "only=insertion_sort,newton_integer_root,bank_queue,polygon_area"


@pytest.mark.slow
@pytest.mark.xdist_group("builds")
def test_seeds_workers_shards_and_kills_change_no_row(tmp_path: Path) -> None:
    """Three hash seeds, one and two workers, one and three shards, each of them killed once."""

    def command(out: Path, *more: str) -> list[str]:
        return [
            *(sys.executable, "-m", "deskcheck.builder.cli", "admit", "--pool", "textbook"),
            *("--option", TEXTBOOK, "-o", str(out), *more),
        ]

    whole = tmp_path / "whole"
    run(command(whole, "--workers", "1"), hash_seed=1)
    killed = command(tmp_path / "killed", "--workers", "2")
    process = started(killed, tmp_path / "killed", 1)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert list((tmp_path / "killed").glob(f"*.building/{NAME}"))
    run(killed, hash_seed=22)
    folders = []
    for number in (1, 2, 3):
        out = tmp_path / f"shard{number}"
        shard = command(out, "--shard", f"{number}/3", "--workers", str(1 + number % 2))
        if number == 1:
            process = started(shard, out, 1)
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        run(shard, hash_seed=number * 333)
        folders.append(made(out))
    merged = merge(folders, tmp_path / "merged")
    for out in (tmp_path / "killed", tmp_path / "merged"):
        assert rows(out) == rows(whole)
        assert read_dataset(made(out)) == read_dataset(made(whole))
        assert made(out).name == made(whole).name
    assert merged.manifest == read_dataset(made(whole)).manifest
    assert len(merged.verdicts) == 4
