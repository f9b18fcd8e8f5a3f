"""A dataset folder appears whole, says what was put in, and opens for everybody else's tools."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet
from tests.builder.verdicts import FIELDS, NO_OUTPUT, SHORT_LOOP, admitted, rejected

from deskcheck.builder import toolchain
from deskcheck.builder.cases import ARMS, Admitted, Answer, Case, Measures, Rejected, Task, Verdict
from deskcheck.builder.contents import LAYOUT, Build, Dataset
from deskcheck.builder.dataset import (
    dataset_of,
    locate,
    program_path,
    read_answers,
    read_dataset,
    require_absent,
    write_dataset,
)
from deskcheck.builder.journal import Journal, journal_path
from deskcheck.builder.schemas import ANSWERS, CANARY, CASES, MEASUREMENTS, SHOWN, TABLES, TASKS
from deskcheck.oracles.errors import DatasetError

BUILD = Build(
    name="sums",
    config={"pools": ["textbook"], "seed": 1},
    toolchain=toolchain.facts(measured={"version": "3.12.1"}, sandbox={"network": "seccomp"}),
    answer_tag="answer",
)

ODD = "\ufeff 1\r\n\ttab\x0b\x1b[31m\u2028é\U0001f600 NaN\x00\rlast line without an end"

VERDICTS: list[Verdict] = [
    admitted("zebra", passed_over=(SHORT_LOOP, replace(SHORT_LOOP, loop_line=9))),
    rejected("grid"),
    admitted("odd", long=ODD, clean="\ufeff# {name}\r\nfor i in []: pass\r", fields=()),
    admitted("ape", long="7" * 10_000_000, peak_state=None, floor=True, author="Ωμέγα | Co"),
    rejected("silent", NO_OUTPUT, study="other-python"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset of VERDICTS; tests copy it before they change it."""
    folder = tmp_path_factory.mktemp("written") / "sums"
    write_dataset(folder, BUILD, VERDICTS, timings=[{"candidate": "textbook/zebra", "ms": 17}])
    return folder


def test_what_is_read_is_what_was_written(folder: Path) -> None:
    """Cases, tasks, measures, rejections, loops passed over and answers come back equal."""
    read = read_dataset(folder)
    assert read == dataset_of(read.manifest, VERDICTS)
    assert [case.candidate for case in read.cases] == [
        "textbook/zebra",
        "textbook/odd",
        "textbook/ape",
    ]
    assert read.rejections == (VERDICTS[1], VERDICTS[4])
    answers = [answer for each in VERDICTS if isinstance(each, Admitted) for answer in each.answers]
    assert list(read_answers(folder).values()) == answers


def test_the_manifest_says_what_the_dataset_is(folder: Path) -> None:
    """Counts, licences and the maker's facts stand in it, and nothing of time or place."""
    manifest = read_dataset(folder).manifest
    assert manifest.counts == {
        "candidates": 5,
        "admitted": 3,
        "rejected": 2,
        "tasks": 12,
        "by_study": {
            "other-python": {"admitted": 0, "rejected": 1},
            "textbook-python": {"admitted": 3, "rejected": 1},
        },
        "by_reason": {"legal_inputs/no_output": 1, "loop/too_few_iterations": 1},
    }
    assert manifest.licences == {"Apache-2.0": 3}
    assert manifest.config == BUILD.config
    assert manifest.toolchain == BUILD.toolchain
    assert manifest.toolchain["packages"]["pyarrow"] == pa.__version__
    assert (manifest.name, manifest.answer_tag, manifest.canary) == ("sums", "answer", CANARY)
    assert str(folder.parent) not in (folder / "manifest.json").read_text()


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_same_verdicts_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    """Every file is the same when written again, by a process of another hash seed too."""
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from deskcheck.builder.dataset import write_dataset\n"
        "from tests.builder.test_dataset import BUILD, VERDICTS\n"
        "timings = [{'ms': 17, 'candidate': 'textbook/zebra'}]\n"
        "write_dataset(Path(sys.argv[1]), BUILD, VERDICTS, timings=timings)\n"
    )
    again = tmp_path / "again"
    python(code, str(again), PYTHONHASHSEED="77", TZ="Asia/Tokyo")
    assert files(again) == files(folder)


def test_the_id_follows_from_what_the_tables_say(folder: Path, tmp_path: Path) -> None:
    """Order, name, configuration and timings do not change the id; one answer does."""
    first = read_dataset(folder).manifest
    build = replace(BUILD, name="other", config={"seed": 2})
    reordered = write_dataset(tmp_path / "reordered", build, VERDICTS[::-1])
    assert reordered.id == first.id
    assert reordered.rows_sha256 == first.rows_sha256
    zebra = VERDICTS[0]
    assert isinstance(zebra, Admitted)
    answers = (replace(zebra.answers[0], text="6 zebra\n"), *zebra.answers[1:])
    changed = write_dataset(
        tmp_path / "changed", BUILD, [replace(zebra, answers=answers), *VERDICTS[1:]]
    )
    assert changed.id != first.id
    assert {
        name for name, rows in changed.rows_sha256.items() if rows != first.rows_sha256[name]
    } == {"answers"}


@pytest.mark.parametrize(
    ("table", "record"),
    [(CASES, Case), (TASKS, Task), (MEASUREMENTS, Measures), (ANSWERS, Answer)],
    ids=lambda each: getattr(each, "name", ""),
)
def test_tables_have_a_column_for_each_field(table: Any, record: type[Any]) -> None:
    """The schema names the record's fields in their order; only what may be None may be null."""
    assert table.schema.names == [field.name for field in fields(record)]
    for field in fields(record):
        assert table.schema.field(field.name).nullable == ("None" in str(field.type)), field.name


def test_every_table_carries_the_canary(folder: Path) -> None:
    """So do the card and the manifest."""
    for table in TABLES:
        assert parquet.read_schema(folder / table.path).metadata[b"canary"] == CANARY.encode()
    for name in ("README.md", "manifest.json"):
        assert CANARY in (folder / name).read_text()


def test_clean_programs_lie_by_their_hash(folder: Path) -> None:
    """Each file under programs/ is the clean source byte for byte, and there is no other."""
    read = read_dataset(folder)
    expected = {
        program_path(case): read.tasks_of(case.id)["short-trace-final"].source.encode()
        for case in read.cases
    }
    lying = {name: data for name, data in files(folder).items() if name.startswith("programs/")}
    assert lying == expected
    cpp = replace(read.cases[0], language="cpp")
    assert program_path(cpp).endswith(f"/{cpp.program_sha}.cpp")


LOADER = """
import json, os, sys

opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
import datasets

folder = sys.argv[1]
configs = datasets.get_dataset_config_names(folder)
tables = {}
for config in configs:
    loaded = datasets.load_dataset(folder, config)
    assert list(loaded) == ["test"]
    tables[config] = {"columns": loaded["test"].column_names, "rows": loaded["test"].to_list()}
tables[None] = {"columns": datasets.load_dataset(folder, split="test").column_names}
read = sorted(os.path.relpath(path, folder) for path in opened if path.startswith(folder))
print(json.dumps({"tables": tables, "opened": read}))
"""


def python(code: str, *arguments: str, **environment: str) -> str:
    ended = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
        env={**os.environ, **environment},
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def offline(cache: Path) -> dict[str, str]:
    names = ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "HF_DATASETS_DISABLE_PROGRESS_BARS")
    return {"HF_HOME": str(cache), "HF_DATASETS_CACHE": str(cache / "data")} | dict.fromkeys(
        names, "1"
    )


@pytest.fixture(scope="module")
def loaded(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What `datasets` makes of the folder with a cold cache and no network."""
    cache = tmp_path_factory.mktemp("cache")
    return json.loads(python(LOADER, str(folder), **offline(cache)))


def test_datasets_opens_each_table_by_one_call(folder: Path, loaded: Any) -> None:
    """Every value comes back as it was written, the tasks being what opens by default."""
    assert set(loaded["tables"]) == {table.name for table in SHOWN} | {"null"}
    assert loaded["tables"]["null"]["columns"] == TASKS.schema.names
    read = read_dataset(folder)
    tasks = loaded["tables"]["tasks"]["rows"]
    for task, row in zip(read.tasks, tasks, strict=True):
        shown = [{"name": field.name, "expression": field.expression} for field in task.fields]
        assert row == {**{name: getattr(task, name) for name in row}, "fields": shown}
    assert tasks[5]["stdin"] == ODD
    assert len(tasks[9]["stdin"]) == 10_000_000
    measurements = loaded["tables"]["measurements"]["rows"]
    assert measurements[0]["peak_state"] == 4
    assert measurements[-1]["peak_state"] is None
    assert [json.loads(row["tags"]) for row in loaded["tables"]["cases"]["rows"]] == [
        {"area": "sums", "size": "20"}
    ] * 3
    rejections = [
        (
            row["candidate"],
            row["order"],
            row["reason"],
            row["loop_line"],
            json.loads(row["measured"]),
        )
        for row in loaded["tables"]["rejections"]["rows"]
    ]
    assert rejections == [
        ("textbook/grid", 1, "too_few_iterations", 3, SHORT_LOOP.measured),
        ("textbook/grid", 2, "reads_stdin", 2, {}),
        ("textbook/silent", 1, "no_output", None, {}),
    ]
    assert [row["loop_line"] for row in loaded["tables"]["passed_over"]["rows"]] == [3, 9]


def test_no_loader_of_tables_meets_an_answer(folder: Path, loaded: Any) -> None:
    """No column and no text of any table has an answer, and `oracles/` is never opened."""
    for table in loaded["tables"].values():
        assert not {"answer", "text", "expected"} & set(table["columns"])
    shown = json.dumps(loaded["tables"])
    for answer in read_answers(folder).values():
        assert json.dumps(answer.text)[1:-1] not in shown
    assert "tasks.parquet" in loaded["opened"]
    assert not [name for name in loaded["opened"] if name.startswith("oracles")]


def test_tables_load_where_the_answers_are_gone(folder: Path, tmp_path: Path) -> None:
    """A folder without `oracles/` loads as ever, and only `read_answers` says what is missing."""
    apart = tmp_path / "apart"
    shutil.copytree(folder, apart, ignore=shutil.ignore_patterns("oracles"))
    assert read_dataset(apart) == read_dataset(folder)
    with pytest.raises(DatasetError, match="is a published copy without its answers"):
        read_answers(apart)


def test_a_table_without_rows_stands_in_no_loaders_way(tmp_path: Path) -> None:
    """It is read back as empty, and what has rows loads; `datasets` opens no empty table."""
    made: dict[str, list[Verdict]] = {"none": [rejected()], "all": [admitted()], "empty": []}
    for name, verdicts in made.items():
        write_dataset(tmp_path / name, BUILD, verdicts)
        read = read_dataset(tmp_path / name)
        assert read == dataset_of(read.manifest, verdicts)
    loaded = json.loads(python(LOADER, str(tmp_path / "all"), **offline(tmp_path / "cache")))
    assert set(loaded["tables"]) == {"cases", "tasks", "measurements", "null"}
    assert len(loaded["tables"]["tasks"]["rows"]) == 4
    card = (tmp_path / "all" / "README.md").read_text()
    assert "not offered to `load_dataset`: `rejections.parquet`, `passed_over.parquet`" in card


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(long=TEXTS, author=TEXTS, answer=TEXTS)
def test_any_utf8_text_survives(tmp_path: Path, long: str, author: str, answer: str) -> None:
    """Inputs, names and answers are never trimmed, coerced or normalised."""
    target = tmp_path / "dataset"
    verdict = admitted(long=long, author=author, answers=(answer, "1", "2", "3"))
    try:
        manifest = write_dataset(target, BUILD, [verdict])
        assert read_dataset(target) == dataset_of(manifest, [verdict])
        assert read_answers(target)[verdict.tasks[0].id].text == answer
    finally:
        shutil.rmtree(target)


def test_a_lone_surrogate_is_refused_by_name(tmp_path: Path) -> None:
    """The task or answer and its place are named, and no folder appears."""
    verdict = admitted("half", long="ab\udc80")
    with pytest.raises(DatasetError) as error:
        write_dataset(tmp_path / "data", BUILD, [admitted(), verdict])
    assert str(error.value) == (
        f"tasks {verdict.tasks[1].id} of textbook/half: its stdin holds the lone surrogate U+DC80 "
        "at character 2, which is no UTF-8; leave that candidate out"
    )
    with pytest.raises(DatasetError, match=r"cases \w+ of textbook/squares: its author holds"):
        write_dataset(tmp_path / "data", BUILD, [admitted(author="\ud800")])
    assert list(tmp_path.iterdir()) == []


def test_a_detail_that_is_no_utf8_is_escaped(tmp_path: Path) -> None:
    """What a finding quotes of a program's noise cannot stop a dataset from being written."""
    noisy = replace(NO_OUTPUT, detail="it says \udcff", measured={"said": "\udcff"})
    write_dataset(tmp_path / "data", BUILD, [rejected("noisy", noisy)])
    assert read_dataset(tmp_path / "data").rejections[0].findings == (
        replace(noisy, detail="it says \\udcff"),
    )


def test_candidates_that_ask_the_same_are_refused(tmp_path: Path) -> None:
    """Two candidates that share a task would share its answer: both are named."""
    first = admitted()
    second = replace(first, candidate="folder/copy")
    with pytest.raises(DatasetError, match="'textbook/squares' and 'folder/copy' ask the same"):
        write_dataset(tmp_path / "data", BUILD, [first, second])
    with pytest.raises(ValueError, match="'textbook/grid' has two verdicts"):
        write_dataset(tmp_path / "data", BUILD, [rejected(), rejected()])


def test_a_first_task_that_is_not_the_clean_program_is_a_fault(tmp_path: Path) -> None:
    """The program's hash and the source shown are held against each other."""
    verdict = admitted()
    case = replace(verdict.case, program_sha="0" * 64)
    with pytest.raises(ValueError, match="textbook/squares: its first task does not show"):
        write_dataset(tmp_path / "data", BUILD, [replace(verdict, case=case)])
    assert list(tmp_path.iterdir()) == []


def test_nothing_that_exists_is_replaced(folder: Path, tmp_path: Path) -> None:
    """A dataset, a filled folder, a file or a dangling link is an error; an empty folder is not."""
    before = files(folder)
    with pytest.raises(DatasetError, match="exists and is a dataset; use another -o or remove it"):
        write_dataset(folder, BUILD, [admitted()])
    assert files(folder) == before
    (tmp_path / "filled").mkdir()
    (tmp_path / "filled" / "thesis.tex").touch()
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("filled", "file", "link"):
        with pytest.raises(DatasetError, match=f"{name} exists and is something else"):
            require_absent(tmp_path / name)
    (tmp_path / "empty").mkdir()
    write_dataset(tmp_path / "empty", BUILD, [admitted()])
    assert len(read_dataset(tmp_path / "empty").cases) == 1


def test_a_killed_writer_leaves_no_dataset(tmp_path: Path) -> None:
    """Whatever a writer had written when it died, no folder stands, and the next one succeeds."""
    target = tmp_path / "data"
    code = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from deskcheck.builder import dataset\n"
        "from tests.builder.test_dataset import BUILD, VERDICTS\n"
        "dataset.card = lambda _: os.kill(os.getpid(), 9)\n"
        "dataset.write_dataset(Path(sys.argv[1]), BUILD, VERDICTS)\n"
    )
    root = Path(__file__).parents[2]
    ended = subprocess.run([sys.executable, "-c", code, str(target)], check=False, cwd=root)
    assert ended.returncode == -9
    assert [path.name for path in tmp_path.iterdir()] == [".data.partial"]
    manifest = write_dataset(target, BUILD, VERDICTS)
    assert read_dataset(target) == dataset_of(manifest, VERDICTS)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def _swap(path: Path) -> None:
    """Another table with the columns of this one, whole and well-formed."""
    table = parquet.read_table(path)
    parquet.write_table(table.slice(1), path)


def _retype(path: Path) -> None:
    table = parquet.read_table(path)
    parquet.write_table(table.drop_columns([table.column_names[-1]]), path)


@pytest.mark.parametrize("damage", [_cut, _swap, _retype, Path.unlink])
@pytest.mark.parametrize("table", [*SHOWN, ANSWERS], ids=lambda table: table.name)
def test_damage_is_named(
    folder: Path, tmp_path: Path, table: Any, damage: Callable[[Path], None]
) -> None:
    """A damaged, foreign or missing table is one line that names the file, never other rows."""
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    damage(copy / table.path)
    with pytest.raises(DatasetError, match=rf"copy/{table.path} is damaged: ") as error:
        if table is ANSWERS:
            read_answers(copy)
        else:
            read_dataset(copy)
    assert "\n" not in str(error.value)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset whose files are small enough to be damaged byte by byte."""
    folder = tmp_path_factory.mktemp("small") / "small"
    write_dataset(folder, BUILD, [admitted(passed_over=(SHORT_LOOP,)), rejected()])
    return folder


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.sampled_from(SHOWN), st.floats(0, 1, exclude_max=True), st.integers(1, 255))
@pytest.mark.slow
def test_a_changed_byte_changes_no_row(small: Path, table: Any, part: float, flip: int) -> None:
    """One damaged byte anywhere in a table is an error that names it, or leaves the rows equal."""
    path = small / table.path
    whole = path.read_bytes()
    before = read_dataset(small)
    damaged = bytearray(whole)
    damaged[int(part * len(whole))] ^= flip
    path.write_bytes(damaged)
    try:
        assert read_dataset(small) == before
    except DatasetError as error:
        assert f"{path} is damaged: " in str(error)
    finally:
        path.write_bytes(whole)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda facts: "{", "it is not JSON"),
        (lambda facts: [], "it is no manifest"),
        (lambda facts: {**facts, "extra": 1}, "it is no manifest"),
        (
            lambda facts: {**facts, "layout": 99},
            f"of layout 99, this version reads layout {LAYOUT}",
        ),
        (lambda facts: {**facts, "id": "0" * 64}, "its id does not follow from its tables"),
        (lambda facts: {**facts, "rows_sha256": {}}, "it lists other tables"),
    ],
)
def test_a_manifest_that_cannot_be_right_is_named(
    folder: Path, tmp_path: Path, change: Callable[[Any], Any], said: str
) -> None:
    """Each way in which a manifest can be wrong has its own line."""
    facts = change(json.loads((folder / "manifest.json").read_text()))
    (tmp_path / "manifest.json").write_text(facts if isinstance(facts, str) else json.dumps(facts))
    with pytest.raises(DatasetError, match=rf"manifest\.json .*{said}"):
        read_dataset(tmp_path)


def test_missing_and_unfinished_are_told_apart(tmp_path: Path) -> None:
    """No folder, another folder, a file, and a build in progress each get a line of their own."""
    (tmp_path / "file").touch()
    Journal.open(journal_path(tmp_path / "begun"), {}).close()
    for name, said in {
        "nowhere": "no dataset at .*nowhere; builder admit makes one",
        "": "is no dataset: it has no manifest.json",
        "file": "is no dataset but a file",
        "begun": "begun is unfinished; run the same builder admit again",
    }.items():
        with pytest.raises(DatasetError, match=said):
            read_dataset(tmp_path / name)


def test_the_only_dataset_is_found(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here, or in the folder that is named; where there are several, all are listed."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DatasetError, match=r"no dataset in \./datasets or \./quickstart"):
        locate(None)
    shutil.copytree(folder, "quickstart/one")
    assert locate(None) == locate(Path("quickstart")) == Path("quickstart/one")
    assert locate(Path("quickstart/one")) == Path("quickstart/one")
    shutil.copytree(folder, "datasets/two")
    with pytest.raises(DatasetError, match="2 datasets: datasets/two, quickstart/one; name one"):
        locate(None)
    Journal.open(journal_path(Path("datasets/three")), {}).close()
    assert locate(Path("datasets")) == Path("datasets/two")
    with pytest.raises(DatasetError, match="2 datasets: datasets/three, datasets/two"):
        locate(Path("datasets"), unfinished=True)
    for name in ("datasets/three", "datasets/three.building"):
        assert locate(Path(name), unfinished=True) == Path("datasets/three")
    shutil.rmtree("datasets/two")
    with pytest.raises(DatasetError, match="datasets/three is unfinished"):
        locate(Path("datasets"))


def test_arms_of_a_case_are_found_by_name(folder: Path) -> None:
    """A case has its four tasks and their measures, and another case's are not among them."""
    read: Dataset = read_dataset(folder)
    for verdict in VERDICTS:
        if isinstance(verdict, Rejected):
            continue
        assert tuple(read.tasks_of(verdict.case.id)) == ARMS
        assert tuple(read.tasks_of(verdict.case.id).values()) == verdict.tasks
        assert tuple(read.measures_of(verdict.case.id).values()) == verdict.measures


def test_fields_keep_their_order(tmp_path: Path) -> None:
    """The order of a projection is part of the question, and stays."""
    shown = tuple(replace(FIELDS[0], name=name) for name in ("z", "a", "m"))
    write_dataset(tmp_path / "data", BUILD, [admitted(fields=shown)])
    assert read_dataset(tmp_path / "data").cases[0].fields == shown
