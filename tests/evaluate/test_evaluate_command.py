"""`builder evaluate` and `builder grade` as their users meet them."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.evaluate.scripted import small_dataset

from deskcheck.builder.cli import run
from deskcheck.builder.ledger import line_of, row_of
from deskcheck.evaluate.cells import Cell, read_cells
from deskcheck.evaluate.store import locate_run

FLOORS = ["-m", "baseline/commonest-constant", "-m", "baseline/last-literal"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a dataset of three cases in `datasets`, as the working folder."""
    small_dataset(tmp_path / "datasets" / "tiny-1", cases=3)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def cells(folder: Path) -> list[Cell]:
    return list(read_cells(locate_run(folder) / "cells.parquet"))


def _rewrite(folder: Path, **changes: object) -> None:
    """The run's replies with some of what they hold replaced."""
    rows = [row_of(line) for line in (folder / "responses.jsonl").read_bytes().splitlines()]
    with (folder / "responses.jsonl").open("wb") as file:
        for row in rows:
            assert row is not None
            file.write(line_of({**row, **changes}))


def test_baselines_are_asked_graded_and_told(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One command: a run with a cell for everything planned, and a table of how it came out."""
    assert run(["evaluate", *FLOORS]) == 0
    said = capsys.readouterr()
    assert "baseline-commonest-constant" in said.out
    assert f"look into it: builder report {locate_run(Path('runs'))}" in said.out
    asked = [(cell.setting, cell.arm) for cell in cells(Path("runs"))]
    assert asked.count(("baseline-commonest-constant", "inside-loop-state")) == 3
    assert asked.count(("baseline-last-literal", "inside-loop-state")) == 0
    assert len(asked) == 12 + 6


def test_the_same_command_goes_on_and_grading_repeats(place: Path) -> None:
    """Run twice, nothing is asked twice; graded again, the cells are the same bytes."""
    run(["evaluate", *FLOORS])
    folder = locate_run(Path("runs"))
    responses = (folder / "responses.jsonl").read_bytes()
    before = (folder / "cells.parquet").read_bytes()
    (folder / "cells.parquet").unlink()
    assert run(["evaluate", *FLOORS]) == 0
    assert (folder / "responses.jsonl").read_bytes() == responses
    assert (folder / "cells.parquet").read_bytes() == before
    assert run(["grade", str(folder)]) == 0
    assert (folder / "cells.parquet").read_bytes() == before


def test_replaying_a_run_gives_its_grades(place: Path) -> None:
    """The stored replies under another setting's name, without what gave them."""
    run(["evaluate", "-m", "baseline/commonest-constant", "-o", "first"])
    model = f"replay/{locate_run(Path('first'))}"
    assert run(["evaluate", "-m", model, "-o", "second"]) == 0
    first, second = (
        [(cell.task_id, cell.status, cell.answer) for cell in cells(Path(name))]
        for name in ("first", "second")
    )
    assert first == second


def test_a_replay_says_what_it_lacks(place: Path) -> None:
    """Questions that the replayed run was never asked have no response, and count."""
    run(["evaluate", "-m", "baseline/commonest-constant", "--limit", "1", "-o", "first"])
    assert run(["evaluate", "-m", f"replay/{locate_run(Path('first'))}", "-o", "second"]) == 4
    statuses = [cell.status for cell in cells(Path("second"))]
    assert len(statuses) == 12
    assert statuses.count("no_response") == 8


def test_of_several_settings_one_is_replayed(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which one must be said, and no reply of another stands in for its own."""
    run(["evaluate", *FLOORS, "-o", "first"])
    model = ["-m", f"replay/{locate_run(Path('first'))}", "-o", "second"]
    capsys.readouterr()
    assert run(["evaluate", *model]) == 3
    assert "say which one is meant: -M setting=NAME" in capsys.readouterr().err
    model += ["-M", "setting=baseline-last-literal", "--max-missing", "1", "--max-unparsed", "1"]
    assert run(["evaluate", *model]) == 0
    first = {
        cell.task_id: (cell.status, cell.answer)
        for cell in cells(Path("first"))
        if cell.setting == "baseline-last-literal"
    }
    for cell in cells(Path("second")):
        assert (cell.status, cell.answer) == first.get(cell.task_id, ("no_response", None))


def test_missing_replies_are_asked_again_by_flag_alone(place: Path) -> None:
    """The same command leaves what is missing; with --retry-missing it is asked for once more."""
    run(["evaluate", "-m", "baseline/commonest-constant", "-o", "first"])
    responses = locate_run(Path("first")) / "responses.jsonl"
    responses.rename(place / "aside")
    command = ["evaluate", "-m", f"replay/{responses.parent}", "-o", "second"]
    assert run(command) == 4
    (place / "aside").rename(responses)
    assert run(command) == 4
    assert {cell.status for cell in cells(Path("second"))} == {"no_response"}
    assert run([*command, "--retry-missing"]) == 0
    assert "no_response" not in {cell.status for cell in cells(Path("second"))}


def test_a_spent_budget_is_loud_and_goes_on(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the limit of money the command ends with 4 and says how to go on, which it then does."""
    run(["evaluate", "-m", "baseline/commonest-constant", "-o", "first"])
    source = locate_run(Path("first"))
    _rewrite(source, completion_tokens=1_000)
    (place / "s.toml").write_text(
        f"[[settings]]\nname = 'again'\nmodel = 'replay/{source}'\nconcurrency = 1\n"
        "price = {input = 0, output = 1000}\n"
    )
    assert run(["evaluate", "--settings", "s.toml", "-o", "second", "--max-spend", "5"]) == 4
    folder = locate_run(Path("second"))
    assert f"$5.00 are spent of $5.00; go on with --resume {folder}" in capsys.readouterr().err
    assert [cell.status for cell in cells(folder)].count("pending") == 7
    assert run(["evaluate", "--resume", str(folder), "--max-spend", "50"]) == 0
    assert "pending" not in {cell.status for cell in cells(folder)}


def test_a_run_goes_on_with_another_concurrency(place: Path) -> None:
    """It is used, and the cells are those of the undisturbed run."""
    run(["evaluate", *FLOORS])
    folder = locate_run(Path("runs"))
    before = [replace(cell, seconds=None) for cell in cells(folder)]
    whole = (folder / "responses.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "responses.jsonl").write_bytes(b"".join(whole[:5]))
    assert run(["evaluate", "--resume", str(folder), "--concurrency", "3"]) == 0
    told = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    assert [each["concurrency"] for each in told if each["event"] == "engine"][-1] == 3
    assert [replace(cell, seconds=None) for cell in cells(folder)] == before


def test_a_resumed_run_keeps_its_plan(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--resume needs nothing but the run; what would change the plan is refused by name."""
    run(["evaluate", *FLOORS, "--limit", "2"])
    folder = str(locate_run(Path("runs")))
    assert run(["evaluate", "--resume", folder, "--concurrency", "1"]) == 0
    capsys.readouterr()
    given = ["--limit", "3", "--max-tokens", "5", "--seed", "1", "-m", "openai/x"]
    assert run(["evaluate", "--resume", folder, *given]) == 3
    said = capsys.readouterr().err
    for flag in ("--limit", "--max-tokens", "--seed", "--model"):
        assert flag in said


def test_a_dry_run_asks_nothing_and_shows_all(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Plan, counts, estimates and one full prompt per arm; no run comes of it."""
    (place / "s.toml").write_text(
        "[[settings]]\nmodel = 'openai/x'\nbase_urls = ['http://127.0.0.1:9/v1']\nrepeats = 2\n"
        "max_tokens = 100\nprice = {input = 1.0, output = 10.0}\n"
    )
    assert run(["evaluate", "--settings", "s.toml", "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert "24 questions" in said
    assert "~2,400" in said  # 24 replies of at most 100 tokens
    assert "its tokenizer is not at hand" in said
    for arm in ("short-trace-final", "long-trace-final", "inside-loop-state", "post-loop-state"):
        assert f"=== {arm}: textbook/squares0" in said
    assert said.count("End your reply with") == 4
    assert not (place / "runs").exists()


def test_a_dry_run_speaks_json(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same facts for a program."""
    assert run(["evaluate", *FLOORS, "--dry-run", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert [each["questions"] for each in facts["estimates"]] == [12, 6]
    assert "Standard input" in facts["prompts"]["inside-loop-state"]["prompt"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "name a model with --model"),
        (["-m", "gpt"], 3, "model: write BACKEND/NAME, such as openai/NAME"),
        (["-m", "nosuch/x"], 3, "there is no backend 'nosuch'; backends: baseline"),
        (["-m", "baseline/nosuch"], 3, "nosuch"),
        (["-m", "replay/nowhere"], 3, "no run at nowhere"),
        (["-m", "baseline/last-literal", "--repeats", "0"], 3, "repeats: "),
        (["-m", "openai/x", "--sampling", "temperature"], 2, "'temperature' is not KEY=VALUE"),
        (["-m", "openai/x", "--template", "nowhere"], 3, "no folder of templates at nowhere"),
        (
            ["-m", "openai/x", "--settings", "s.toml"],
            2,
            "the file of --settings says that, so leave out --model",
        ),
        (["--settings", "nowhere.toml"], 3, "no settings file at nowhere.toml"),
        (["-m", "openai/x", "-d", "nowhere"], 3, "no dataset at nowhere"),
        (["--resume", "nowhere"], 3, "no run at nowhere"),
        ([*FLOORS, "--reuse", "nowhere"], 3, "no run at nowhere"),
        (["-m", "openai/x", "-m", "openai/x"], 3, "two settings are called 'x'"),
        (["-m", "openai/x", "--base-url", "http://127.0.0.1:9"], 3, "127.0.0.1:9"),
        (["-m", "baseline/last-literal", "--max-spend", "-1"], 2, "--max-spend"),
        (["-m", "openai/x", "--max-spend", "1"], 3, "setting 'x' has no price"),
    ],
)
def test_bad_input_is_one_clear_line(
    place: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    said: str,
) -> None:
    """The thing, its value and what to do; exit code 3, or 2 where the usage is wrong."""
    assert run(["evaluate", *arguments]) == code
    error = capsys.readouterr().err
    assert said in error
    if code == 3:
        assert error.splitlines()[-1].startswith("builder: ")


def test_a_dataset_that_moved_is_asked_for(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Grading and going on name what they miss and how to say where it is; then they do it."""
    run(["evaluate", *FLOORS])
    folder = str(locate_run(Path("runs")))
    (place / "datasets").rename(place / "moved")
    for command in (["grade", folder], ["evaluate", "--resume", folder]):
        capsys.readouterr()
        assert run(command) == 3
        said = capsys.readouterr().err
        assert "dataset tiny" in said
        assert "--dataset" in said
        assert run([*command, "--dataset", "moved"]) == 0


def test_a_damaged_reply_is_told_of(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A changed byte costs a reply, and whoever grades or goes on hears of it."""
    run(["evaluate", *FLOORS])
    folder = locate_run(Path("runs"))
    stored = bytearray((folder / "responses.jsonl").read_bytes())
    stored[100] ^= 1
    (folder / "responses.jsonl").write_bytes(stored)
    for command, pending in ((["grade", str(folder)], 1), (["evaluate", *FLOORS], 0)):
        capsys.readouterr()
        assert run(command) == 0
        assert "1 line is damaged in" in capsys.readouterr().err
        assert [cell.status for cell in cells(folder)].count("pending") == pending


def test_too_many_unusable_replies_are_loud(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Above a declared share the command ends with 4 and says which setting and share it is."""
    run(["evaluate", "-m", "baseline/commonest-constant", "-o", "first"])
    folder = locate_run(Path("first"))
    # A replayed run whose replies were all cut off: as a model with too small a limit would be.
    _rewrite(folder, finish_reason="length")
    capsys.readouterr()
    model = ["-m", f"replay/{folder}"]
    assert run(["evaluate", *model, "-o", "second"]) == 4
    said = capsys.readouterr()
    assert "100% of its replies were cut off, more than --max-truncated 0.1 allows" in said.err
    assert {cell.status for cell in cells(Path("second"))} == {"truncated"}
    assert run(["evaluate", *model, "-o", "second", "--max-truncated", "1"]) == 0


def test_a_run_that_is_refused_leaves_no_folder(place: Path) -> None:
    """What could not be asked at all is no run, so the next one is the only one there."""
    assert run(["evaluate", "-m", "openai/x", "--base-url", "http://127.0.0.1:9/v1"]) == 3
    assert list((place / "runs").iterdir()) == []
    assert run(["evaluate", *FLOORS]) == 0
    assert locate_run(Path("runs"))


def test_a_copy_without_answers_is_refused_before_anything_is_asked(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What could not be graded is not asked, and the line says what the folder is."""
    (dataset,) = (place / "datasets").iterdir()
    shutil.copytree(dataset, place / "copy", ignore=shutil.ignore_patterns("oracles"))
    assert run(["evaluate", *FLOORS, "-d", "copy"]) == 3
    assert "copy is a published copy without its answers" in capsys.readouterr().err
    assert not (place / "runs").exists()


def test_a_limit_is_for_every_setting_and_file(place: Path) -> None:
    """Floors and the settings of a file are asked no more cases than --limit says."""
    (place / "s.toml").write_text("[[settings]]\nmodel = 'baseline/commonest-constant'\n")
    assert run(["evaluate", "--settings", "s.toml", "--limit", "1"]) == 0
    assert len(cells(Path("runs"))) == 4
    assert run(["evaluate", *FLOORS, "--floors", "--limit", "1", "-o", "more"]) == 3  # twice
    assert run(["evaluate", "--floors", "--limit", "1", "-o", "more"]) == 0
    assert {cell.case_id for cell in cells(Path("more"))} == {
        cell.case_id for cell in cells(Path("runs"))
    }


def test_why_replies_are_missing_is_said(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The commonest reason stands beside the share, with what asks again."""
    run(["evaluate", "-m", "baseline/commonest-constant", "--limit", "1", "-o", "first"])
    capsys.readouterr()
    assert run(["evaluate", "-m", f"replay/{locate_run(Path('first'))}", "-o", "second"]) == 4
    said = capsys.readouterr().err
    assert "(mostly: the replayed run has no reply to this); --retry-missing asks again" in said


def test_floors_cost_nothing_in_a_dry_run(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is generated for a baseline, so it takes no tokens and no time."""
    assert run(["evaluate", *FLOORS, "--dry-run", "--json"]) == 0
    estimates = json.loads(capsys.readouterr().out)["estimates"]
    assert [(each["reply_tokens"], each["seconds"]) for each in estimates] == [(0, 0.0), (0, 0.0)]
