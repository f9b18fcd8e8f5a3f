"""`builder compare` says who is compared, what was left out, and in one line what is wrong."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.analysis.synthetic import floor, make_dataset, make_run, maker

from deskcheck.analysis.commands.compare import compare
from deskcheck.builder.cli import run as builder
from deskcheck.evaluate.cells import NAME

Folders = Callable[[str], Path]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs: `both` has two models and a baseline, `left` and `right` one model each and half of
    their cases in common, `other` none of `left`'s."""
    folder = tmp_path_factory.mktemp("compare")
    verdicts = make_dataset(folder / "data", 40)
    for name, cases, makers in (
        ("both", verdicts, [maker("high", 2.0), maker("off", 0.0, lost=0.1), floor("short")]),
        ("left", verdicts[:30], [maker("solo", 1.0)]),
        ("right", verdicts[10:], [maker("solo", 0.2)]),
        ("other", verdicts[30:], [maker("solo", 0.2)]),
    ):
        make_run(folder / name, folder / "data", cases, makers, seed=len(name))
    (folder / "ungraded").mkdir()
    (folder / "ungraded" / "run.json").write_bytes((folder / "left" / "run.json").read_bytes())
    return folder


def told(*arguments: object) -> str:
    """What the command prints, which must end well."""
    ended = CliRunner().invoke(compare, [str(each) for each in arguments])
    if ended.exception is not None and not isinstance(ended.exception, SystemExit):
        raise ended.exception
    assert ended.exit_code == 0, ended.output
    return ended.stdout


def test_the_two_models_of_a_run_are_compared(study: Path) -> None:
    """Without names they are its models; naming them the other way turns the sign."""
    plain = json.loads(told(study / "both", "--json"))
    assert [plain[side]["setting"] for side in ("first", "second")] == ["high", "off"]
    turned = json.loads(told(study / "both", "-s", "off", "-s", "high", "--json"))
    values = [each["parts"][0]["paired"]["difference"]["value"] for each in (plain, turned)]
    assert values[0] == -values[1] > 0


def test_one_name_is_looked_for_in_both_runs(study: Path) -> None:
    """A setting of two runs is compared with itself, on the tasks that they share."""
    for names in ((), ("-s", "solo"), ("-s", "solo", "-s", "solo")):
        found = json.loads(told(study / "left", study / "right", *names, "--json"))
        whole = found["parts"][0]["paired"]
        assert whole["both"] + whole["first_only"] + whole["second_only"] + whole["neither"] == 80
        assert [len(found["unmatched"][side]) for side in ("first", "second")] == [40, 40]
    across = json.loads(told(study / "left", study / "both", "-s", "solo", "-s", "off", "--json"))
    assert across["second"]["setting"] == "off"


def test_the_screen_shows_numbers_and_what_was_left_out(study: Path) -> None:
    """Both sides, a row for each part, and counts of unmatched tasks are there; ids are not."""
    text = told(study / "left", study / "right")
    lines = text.splitlines()
    assert lines[0].startswith("A: solo of") and lines[1].startswith("B: solo of")
    for name in ("all", "short-trace-final", "post-loop-state", "contest-cpp", "textbook-python"):
        assert sum(line.startswith(f"{name} ") for line in lines) == 1
    assert "40 tasks were asked of A alone." in lines
    assert "40 tasks were asked of B alone." in lines
    ids = json.loads(told(study / "left", study / "right", "--json"))["unmatched"]["first"]
    assert not any(each[:16] in text for each in ids)


def test_files_hold_all_of_it(study: Path, tmp_path: Path) -> None:
    """Markdown, tables and JSON appear, agree with each other, and are the same each time."""
    out = tmp_path / "made" / "here"
    told(study / "left", study / "right", "-o", out)
    names = ["comparison.csv", "comparison.json", "comparison.md", "unmatched.csv"]
    assert sorted(path.name for path in out.iterdir()) == names
    found = json.loads((out / "comparison.json").read_text())
    with (out / "comparison.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == [part["name"] for part in found["parts"]]
    for row, part in zip(rows, found["parts"], strict=True):
        assert float(row["difference"]) == part["paired"]["difference"]["value"]
        assert row["verdict"] == part["verdict"]
    with (out / "unmatched.csv").open(encoding="utf-8", newline="") as file:
        unmatched = [(row["side"], row["task_id"]) for row in csv.DictReader(file)]
    ids = found["unmatched"]
    assert unmatched == [("A", each) for each in ids["first"]] + [
        ("B", each) for each in ids["second"]
    ]
    assert "| short-trace-final |" in (out / "comparison.md").read_text("utf-8")
    before = {name: (out / name).read_bytes() for name in names}
    told(study / "left", study / "right", "-o", out)
    assert before == {name: (out / name).read_bytes() for name in names}


def test_the_margin_is_in_points(study: Path) -> None:
    """A margin of 50 points is kept where one of 5 is not, and is written down as a share."""
    wide, usual = (
        json.loads(told(study / "left", study / "right", "--json", *more))["parts"][0][
            "sensitivity"
        ]
        for more in (("--margin", "50"), ())
    )
    assert (wide["margin"], usual["margin"]) == (0.5, 0.05)
    assert wide["equivalence_p"] < usual["equivalence_p"]


def test_uncertainty_clusters_on_what_is_asked_for(study: Path) -> None:
    """By program there are more clusters than by origin."""
    counts = [
        json.loads(told(study / "both", "--cluster", each, "--json"))["parts"][0]["paired"][
            "difference"
        ]["clusters"]
        for each in ("origin", "program")
    ]
    assert counts[0] < counts[1] == 40


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["left", "other"], "no task was asked of both solo of"),
        (["both", "-s", "high", "-s", "low"], "has no setting 'low'; it has high, off, baseline"),
        (["both", "-s", "off", "-s", "off"], "both sides are setting 'off' of"),
        (["left", "left"], "both sides are setting 'solo' of"),
        (["both", "-s", "off"], "is one run, and one setting is named; name two with -s; it has"),
        (["left"], "has 1 models, and 2 would be compared; name settings with -s; it has solo"),
        (["both", "left"], "has 2 models, and 1 would be compared"),
        (["ungraded", "left"], "no cells at"),
        (["data"], "no run at"),
    ],
)
def test_what_cannot_be_compared_is_one_line(
    study: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    """A known error ends with 3 and one line that says what there is."""
    given = [
        each if each.startswith("-") or each in ("high", "low", "off") else str(study / each)
        for each in arguments
    ]
    assert builder(["compare", *given]) == 3
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert said in lines[0]


def test_three_sides_are_a_wrong_use(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """More than two runs or settings end with 2, before anything is read."""
    assert builder(["compare", *[str(study / each) for each in ("left", "right", "other")]]) == 2
    assert builder(["compare", str(study / "both"), *["-s", "a"] * 3]) == 2
    assert "Two settings are compared" in capsys.readouterr().err


def test_a_margin_that_is_no_number_is_a_wrong_use(study: Path) -> None:
    """A range of numbers lets nan through, and no test against it would mean anything."""
    for margin in ("nan", "inf", "0"):
        assert builder(["compare", str(study / "both"), "--margin", margin]) == 2


def test_an_empty_run_is_one_line(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run without a cell is told of, with the way out."""
    folder = make_run(tmp_path / "empty", study / "data", [], [maker("a")])
    assert (folder / NAME).is_file()
    assert builder(["compare", str(folder), str(study / "left")]) == 3
    assert "holds no cell" in capsys.readouterr().err
