"""A damaged dataset folder is described part by part, before anything is run."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet
from tests.builder.verdicts import SHORT_LOOP, admitted, rejected

from deskcheck.builder.cases import ARMS, Admitted, Verdict
from deskcheck.builder.cli import run
from deskcheck.builder.contents import Build
from deskcheck.builder.dataset import program_path, write_dataset
from deskcheck.builder.integrity import examine
from deskcheck.builder.schemas import (
    ANSWERS,
    CASES,
    MEASUREMENTS,
    PASSED_OVER,
    REJECTIONS,
    TABLES,
    TASKS,
    Row,
    Table,
    arrow_table,
)
from deskcheck.builder.stored import stored

BUILD = Build(name="sums", config={"seed": 1}, toolchain={}, answer_tag="answer")

APE = admitted("ape", passed_over=(SHORT_LOOP, replace(SHORT_LOOP, loop_line=9)))
BEE = admitted("bee", licence="MIT")
VERDICTS: list[Verdict] = [APE, rejected("grid"), BEE]

PROGRAM = program_path(APE.case)

Found = set[tuple[str, str, str]]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset of VERDICTS; tests copy it before they damage it."""
    folder = tmp_path_factory.mktemp("written") / "sums"
    write_dataset(folder, BUILD, VERDICTS)
    return folder


def found(folder: Path) -> Found:
    """(cause, item, place) of everything that is wrong with the folder."""
    content, drift = stored(folder)
    return {(each.cause, each.item, each.place) for each in (*drift, *examine(content))}


def rewritten(table: Table, change: Callable[[list[Row]], list[Row]]) -> Callable[[Path], None]:
    """Damage: the table's file holds other rows, and the manifest is as it was."""

    def damage(folder: Path) -> None:
        rows = change(parquet.read_table(folder / table.path).to_pylist())
        parquet.write_table(arrow_table(table, rows), folder / table.path)

    return damage


def without(table: Table, number: int) -> Callable[[Path], None]:
    return rewritten(table, lambda rows: rows[:number] + rows[number + 1 :])


def with_value(table: Table, number: int, column: str, value: Any) -> Callable[[Path], None]:
    def change(rows: list[Row]) -> list[Row]:
        rows[number][column] = value
        return rows

    return rewritten(table, change)


def manifest(*keys: str, value: Any) -> Callable[[Path], None]:
    """Damage: another value in the manifest."""

    def damage(folder: Path) -> None:
        facts = json.loads((folder / "manifest.json").read_text())
        inner = facts
        for key in keys[:-1]:
            inner = inner[key]
        inner[keys[-1]] = value
        (folder / "manifest.json").write_text(json.dumps(facts))

    return damage


def _flip(name: str, at: int = 5) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        data = bytearray((folder / name).read_bytes())
        data[at] ^= 1
        (folder / name).write_bytes(data)

    return damage


def _cut(table: Table) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / table.path).write_bytes((folder / table.path).read_bytes()[:-40])

    return damage


def _move(name: str, to: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / to).parent.mkdir(exist_ok=True)
        (folder / name).rename(folder / to)

    return damage


def _remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def _without_canary(folder: Path) -> None:
    table = parquet.read_table(folder / TASKS.path)
    parquet.write_table(table.replace_schema_metadata({}), folder / TASKS.path)


def _swap_answers(rows: list[Row]) -> list[Row]:
    rows[0]["text"], rows[4]["text"] = rows[4]["text"], rows[0]["text"]
    return rows


def changed(table: Table) -> tuple[str, str, str]:
    return ("table_changed", "dataset", table.path)


CARD = ("card_changed", "dataset", "README.md")
COUNTS = ("manifest_changed", "dataset", "manifest.json")
MISSING = "row_missing"

DAMAGES: dict[str, tuple[Callable[[Path], None], Found]] = {
    "a byte of a program file": (
        _flip(PROGRAM),
        {("program_changed", "textbook/ape", PROGRAM)},
    ),
    "a program file is gone": (_remove(PROGRAM), {("file_missing", "textbook/ape", PROGRAM)}),
    "a program file lies elsewhere": (
        _move(PROGRAM, "programs/ape.py"),
        {("file_moved", "textbook/ape", PROGRAM)},
    ),
    "a file that is not ours": (
        lambda folder: (folder / "thesis.tex").touch(),
        {("file_foreign", "dataset", "thesis.tex")},
    ),
    "a link that is not ours": (
        lambda folder: (folder / "programs/link").symlink_to("/nowhere"),
        {("file_foreign", "dataset", "programs/link")},
    ),
    "the answers lie elsewhere": (
        _move(ANSWERS.path, "answers.parquet"),
        {
            ("table_missing", "dataset", ANSWERS.path),
            ("file_moved", "dataset", ANSWERS.path),
        },
    ),
    "a cut table": (_cut(MEASUREMENTS), {("table_unreadable", "dataset", MEASUREMENTS.path)}),
    "a byte of a table": (_flip(TASKS.path, 200), {("table_unreadable", "dataset", TASKS.path)}),
    "a byte of a task's source": (
        with_value(TASKS, 0, "source", APE.tasks[0].source.replace("total", "t0tal")),
        {
            changed(TASKS),
            ("task_id", "textbook/ape", ARMS[0]),
            ("source_differs", "textbook/ape", ARMS[0]),
        },
    ),
    "another input of a task": (
        with_value(TASKS, 1, "stdin", "21\n"),
        {changed(TASKS), ("task_id", "textbook/ape", ARMS[1])},
    ),
    "another candidate of a task": (
        with_value(TASKS, 1, "candidate", "textbook/bee"),
        {changed(TASKS), ("row_differs", "textbook/ape", ARMS[1])},
    ),
    "another id of a task": (
        with_value(TASKS, 4, "id", "0" * 64),
        {
            changed(TASKS),
            ("task_id", "textbook/bee", ARMS[0]),
            ("case_id", "textbook/bee", CASES.path),
            ("row_foreign", "dataset", MEASUREMENTS.path),
            ("row_foreign", "dataset", ANSWERS.path),
            (MISSING, "textbook/bee", ARMS[0]),
        },
    ),
    "an answer": (with_value(ANSWERS, 2, "text", '{"total":141}'), {changed(ANSWERS)}),
    "answers of two tasks are swapped": (rewritten(ANSWERS, _swap_answers), {changed(ANSWERS)}),
    "an answer with the answer tag": (
        with_value(ANSWERS, 0, "text", "</answer>"),
        {changed(ANSWERS), ("answer_tag", "textbook/ape", ARMS[0])},
    ),
    "a row of the tasks": (
        without(TASKS, 6),
        {
            changed(TASKS),
            COUNTS,
            (MISSING, "textbook/bee", ARMS[2]),
            ("row_foreign", "dataset", MEASUREMENTS.path),
            ("row_foreign", "dataset", ANSWERS.path),
        },
    ),
    "a row of the cases": (
        without(CASES, 1),
        {
            changed(CASES),
            COUNTS,
            (MISSING, "textbook/bee", CASES.path),
            ("file_foreign", "dataset", program_path(BEE.case)),
        },
    ),
    "a row of the measurements": (
        without(MEASUREMENTS, 3),
        {changed(MEASUREMENTS), (MISSING, "textbook/ape", ARMS[3])},
    ),
    "a row of the answers": (
        without(ANSWERS, 1),
        {changed(ANSWERS), (MISSING, "textbook/ape", ARMS[1])},
    ),
    "a row of the rejections": (
        without(REJECTIONS, 0),
        {changed(REJECTIONS), COUNTS, (MISSING, "textbook/grid", REJECTIONS.path)},
    ),
    "a row of the loops passed over": (
        without(PASSED_OVER, 0),
        {changed(PASSED_OVER), (MISSING, "textbook/ape", PASSED_OVER.path)},
    ),
    "a row twice": (
        rewritten(ANSWERS, lambda rows: [*rows, rows[0]]),
        {changed(ANSWERS), ("row_doubled", "textbook/ape", ANSWERS.path)},
    ),
    "another iteration of a case": (with_value(CASES, 0, "iteration", 10), {changed(CASES)}),
    "tags that are no JSON": (
        with_value(CASES, 0, "tags", "{"),
        {
            changed(CASES),
            COUNTS,
            ("row_damaged", "dataset", CASES.path),
            (MISSING, "textbook/ape", CASES.path),
            ("row_foreign", "textbook/ape", PASSED_OVER.path),
            ("file_foreign", "dataset", PROGRAM),
        },
    ),
    "a measurement": (
        with_value(MEASUREMENTS, 0, "trace_length", 31),
        {changed(MEASUREMENTS)},
    ),
    "the canary of a table": (_without_canary, {("canary_missing", "dataset", TASKS.path)}),
    "the canary of the manifest": (manifest("canary", value=""), {COUNTS, CARD}),
    "the manifest's id": (manifest("id", value="0" * 64), {COUNTS, CARD}),
    "a count of the manifest": (manifest("counts", "admitted", value=3), {COUNTS, CARD}),
    "a licence of the manifest": (manifest("licences", value={"MIT": 2}), {COUNTS, CARD}),
    "the seed of the manifest": (manifest("config", "seed", value=2), {CARD}),
    "a hash of the manifest": (
        manifest("rows_sha256", "cases", value="0" * 64),
        {COUNTS, changed(CASES)},
    ),
    "the card": (_flip("README.md", 300), {CARD}),
    "the card is gone": (_remove("README.md"), {("file_missing", "dataset", "README.md")}),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_each_damage_is_named(whole: Path, tmp_path: Path, what: str) -> None:
    """Cause, candidate and place are those of the damage, and nothing else is reported."""
    damage, expected = DAMAGES[what]
    copy = tmp_path / "copy"
    shutil.copytree(whole, copy)
    damage(copy)
    assert found(copy) == expected


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_missing_table_does_not_hide_the_others(
    whole: Path, tmp_path: Path, table: Table
) -> None:
    """It is named, what else is wrong is named too, and programs are not called foreign."""
    copy = tmp_path / "copy"
    shutil.copytree(whole, copy)
    (copy / table.path).unlink()
    (copy / "thesis.tex").touch()
    assert {
        ("table_missing", "dataset", table.path),
        ("file_foreign", "dataset", "thesis.tex"),
    } == found(copy)


def test_an_undamaged_folder_is_as_it_was_written(whole: Path, tmp_path: Path) -> None:
    """Nothing is reported of it, nor of what version control and the Hub put beside it."""
    copy = tmp_path / "copy"
    shutil.copytree(whole, copy)
    (copy / ".gitattributes").touch()
    (copy / ".git").mkdir()
    (copy / ".git/HEAD").touch()
    (copy / "timings.jsonl").touch()
    assert found(copy) == set()


def test_forged_ids_and_hashes_leave_no_trace_in_the_folder(tmp_path: Path) -> None:
    """Whoever writes the whole folder anew can be caught by running the programs alone."""
    answers = (replace(APE.answers[0], text="6 ape\n"), *APE.answers[1:])
    forged: Admitted = replace(APE, answers=answers)
    write_dataset(tmp_path / "forged", BUILD, [forged, *VERDICTS[1:]])
    assert found(tmp_path / "forged") == set()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (_remove("manifest.json"), "is no dataset: it has no manifest.json"),
        (lambda folder: (folder / "manifest.json").write_text("{"), "it is not JSON"),
        (manifest("layout", value=9), "is of layout 9"),
        (manifest("rows_sha256", value=[]), "rows_sha256 is no object"),
    ],
)
def test_without_a_manifest_nothing_can_be_said(
    whole: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    damage: Callable[[Path], None],
    said: str,
) -> None:
    """The command ends with 3 and one line."""
    copy = tmp_path / "copy"
    shutil.copytree(whole, copy)
    damage(copy)
    assert run(["dataset", "verify", str(copy)]) == 3
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_manifest_without_parameters_is_drift(
    whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was asked for is not known then, so nothing is run, and that is said."""
    assert run(["dataset", "verify", str(whole), "--json"]) == 4
    facts = json.loads(capsys.readouterr().out)
    assert [drift["cause"] for drift in facts["drift"]] == ["not_run"]
    assert (facts["cases"], facts["measured"], facts["same"]) == (2, 0, False)
    assert any(text.startswith("measured") for text in facts["toolchain"])


def test_another_compiler_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a dataset was measured with, and this machine does not measure with, is told."""
    compiler = {"measured": {"compiler": "clang++", "version": "19.1.0"}}
    build = Build(name="sums", config={"seed": 1}, toolchain=compiler, answer_tag="answer")
    write_dataset(tmp_path / "data", build, [admitted("squares")])
    assert run(["dataset", "verify", str(tmp_path / "data"), "--json"]) == 4
    told = json.loads(capsys.readouterr().out)["toolchain"]
    assert 'measured.compiler "clang++" in the manifest, nothing here' in told


def test_every_table_is_of_its_schema(whole: Path) -> None:
    """The damages above write tables that differ in nothing but what they are named for."""
    for table in TABLES:
        assert parquet.read_schema(whole / table.path).equals(table.schema)
        assert isinstance(table.schema, pa.Schema)
