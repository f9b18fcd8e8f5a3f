"""`builder dataset stats`: figures that can be checked by hand."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builder.verdicts import NO_OUTPUT, READS_INPUT, SHORT_LOOP, admitted, rejected

from deskcheck.builder.cases import ARMS, Admitted, Finding, Verdict
from deskcheck.builder.cli import run
from deskcheck.builder.commands.stats import aligned
from deskcheck.builder.composition import composition, number, profiles, reasons
from deskcheck.builder.contents import Build, Dataset, describe
from deskcheck.builder.dataset import dataset_of, write_dataset
from deskcheck.builder.schemas import TABLES

BUILD = Build(name="sums", config={}, toolchain={})

Capture = pytest.CaptureFixture[str]


def with_measures(verdict: Admitted, **by_arm: int) -> Admitted:
    """The verdict with other measures of its final arms: `trace_short=5`, `cyclomatic=3`, ..."""
    short, long, *states = verdict.measures
    short = replace(
        short,
        trace_length=by_arm.get("trace_short", short.trace_length),
        cyclomatic=by_arm.get("cyclomatic", short.cyclomatic),
        source_lines=by_arm.get("source_lines", short.source_lines),
    )
    long = replace(long, trace_length=by_arm.get("trace_long", long.trace_length))
    return replace(verdict, measures=(short, long, *states))


FIRST = with_measures(admitted("a"), trace_short=10, trace_long=100, cyclomatic=2, source_lines=5)
SECOND = with_measures(
    admitted("b", floor=True), trace_short=20, trace_long=1_000, cyclomatic=7, source_lines=31
)
OTHER = admitted("c", pool="folder", study="folder-python", peak_state=None)

VERDICTS: list[Verdict] = [
    FIRST,
    rejected("grid"),
    SECOND,
    OTHER,
    rejected("e", SHORT_LOOP, SHORT_LOOP),
    rejected("silent", NO_OUTPUT, study="lost-python"),
]


def made(verdicts: list[Verdict]) -> Dataset:
    manifest = describe(BUILD, verdicts, {table.name: "0" * 64 for table in TABLES})
    return dataset_of(manifest, verdicts)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The verdicts as a dataset."""
    write_dataset(tmp_path / "sums", BUILD, VERDICTS)
    return tmp_path / "sums"


def printed(capsys: Capture, *arguments: str) -> str:
    assert run(["dataset", "stats", *arguments]) == 0
    return capsys.readouterr().out


def test_each_study_is_counted_by_itself() -> None:
    """Candidates, cases, programs, origins and flags per study; one without cases has no spread."""
    folder, lost, textbook = composition(made(VERDICTS))
    assert (textbook.study, textbook.candidates, textbook.cases) == ("textbook-python", 4, 2)
    assert (textbook.programs, textbook.origins, textbook.floor_tasks) == (2, 2, 4)
    assert (textbook.printed_before, textbook.post_contains_output) == (0, 2)
    assert (folder.study, folder.cases, folder.floor_tasks) == ("folder-python", 1, 0)
    assert (lost.study, lost.candidates, lost.cases) == ("lost-python", 1, 0)
    assert not lost.spreads
    assert "peak_state" not in folder.spreads


def test_spreads_are_least_median_and_greatest() -> None:
    """Of traces the ratio is taken case by case, not of the medians."""
    spreads = composition(made(VERDICTS))[2].spreads

    def triple(name: str) -> tuple[float, float, float]:
        return spreads[name].low, spreads[name].median, spreads[name].high

    assert triple("trace_short") == (10, 15, 20)
    assert triple("trace_long") == (100, 550, 1_000)
    assert triple("trace_ratio") == (10, 30, 50)
    assert triple("cyclomatic") == (2, 4.5, 7)
    assert triple("source_lines") == (5, 18, 31)
    assert triple("inside-loop-state") == (13, 13, 13)


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=6))
def test_medians_are_those_of_the_cases(lengths: list[int]) -> None:
    """Whatever the counts, each spread encloses its median and comes from the profiles."""
    verdicts: list[Verdict] = [
        with_measures(admitted(str(place)), trace_long=length)
        for place, length in enumerate(lengths)
    ]
    dataset = made(verdicts)
    assert [profile.trace_long for profile in profiles(dataset)] == lengths
    spread = composition(dataset)[0].spreads["trace_long"]
    assert (spread.low, spread.median, spread.high) == (
        min(lengths),
        median(lengths),
        max(lengths),
    )


def test_two_cases_of_one_program_are_one_program() -> None:
    """Programs are counted by their hash, origins by name."""
    again = replace(FIRST, candidate="textbook/again", case=replace(FIRST.case, id="1" * 64))
    measures = tuple(replace(each, case_id="1" * 64) for each in FIRST.measures)
    study = composition(made([FIRST, replace(again, measures=measures)]))[0]
    assert (study.cases, study.programs, study.origins) == (2, 1, 1)


def test_reasons_are_counted_by_first_finding_and_in_all() -> None:
    """The most frequent first; a reason that is never first counts no program."""
    counts = reasons([(SHORT_LOOP, READS_INPUT), (SHORT_LOOP, SHORT_LOOP), (NO_OUTPUT,)])
    assert [(each.check, each.reason, each.candidates, each.findings) for each in counts] == [
        ("loop", "too_few_iterations", 2, 3),
        ("legal_inputs", "no_output", 1, 1),
        ("loop", "reads_stdin", 0, 1),
    ]
    same = Finding(check="bounds", reason="reads_stdin", detail="")
    assert len(reasons([(same,), (READS_INPUT,)])) == 2


def test_the_table_has_a_column_for_each_study(folder: Path, capsys: Capture) -> None:
    """Figures stand under their study, and the reasons of rejection below."""
    lines = printed(capsys, str(folder)).splitlines()
    assert lines[2].split() == ["folder-python", "lost-python", "textbook-python"]
    rows = {cells[0]: cells[1:] for line in lines if (cells := re.split(r" {2,}", line))}
    assert rows["candidates"] == ["1", "1", "4"]
    assert rows["trace length, long"] == ["200 (200 to 200)", "-", "550 (100 to 1,000)"]
    assert rows["long over short"] == ["6.7 (6.7 to 6.7)", "-", "30 (10 to 50)"]
    assert rows["peak state, long"] == ["-", "-", "4 (4 to 4)"]
    assert "3 rejected, by first finding" in lines
    assert rows["loop: too_few_iterations"] == ["2", "3"]


def test_json_has_the_same_figures(folder: Path, capsys: Capture) -> None:
    """Studies and reasons as objects, with the dataset's id."""
    facts = json.loads(printed(capsys, str(folder), "--json"))
    assert [study["study"] for study in facts["studies"]] == [
        "folder-python",
        "lost-python",
        "textbook-python",
    ]
    assert facts["studies"][2]["spreads"]["trace_long"] == {
        "low": 100,
        "median": 550,
        "high": 1000,
    }
    assert facts["reasons"][0]["candidates"] == 2
    assert facts["folder"] == str(folder)
    assert len(facts["id"]) == 64


def test_each_case_has_a_row(folder: Path, capsys: Capture) -> None:
    """`--per-case` lists all cases in the dataset's order, for people and as JSON."""
    lines = printed(capsys, str(folder), "--per-case").splitlines()
    assert [line.split()[0] for line in lines] == [
        "candidate",
        "textbook/a",
        "textbook/b",
        "folder/c",
    ]
    assert lines[2].endswith("floor 4, post_contains_output")
    rows = json.loads(printed(capsys, str(folder), "--per-case", "--json"))
    assert [row["trace_long"] for row in rows] == [100, 1_000, 200]
    assert [row["peak_state"] for row in rows] == [4, 4, None]
    assert list(rows[0]["answer_characters"]) == list(ARMS)


def test_a_folder_that_is_no_dataset_is_one_line(tmp_path: Path, capsys: Capture) -> None:
    """Missing or foreign folders end with 3."""
    assert run(["dataset", "stats", str(tmp_path)]) == 3
    assert "is no dataset: it has no manifest.json" in capsys.readouterr().err


def test_a_dataset_of_nothing_has_figures_too(tmp_path: Path, capsys: Capture) -> None:
    """No cases and no rejections print no row of the one or the other."""
    write_dataset(tmp_path / "none", BUILD, [])
    assert "0 rejected" in printed(capsys, str(tmp_path / "none"))
    assert printed(capsys, str(tmp_path / "none"), "--per-case").count("\n") == 1


@pytest.mark.parametrize(
    ("value", "text"), [(3, "3"), (2.5, "2.5"), (1234567, "1,234,567"), (6.67, "6.7"), (5.0, "5")]
)
def test_numbers_are_written_for_people(value: float, text: str) -> None:
    """Whole numbers have no fraction, others one digit."""
    assert number(value) == text


def test_columns_are_aligned() -> None:
    """The first column stands on the left, the others on the right, without blanks at the end."""
    assert aligned([["a", "bb", ""], ["aaa", "b", "c"]]) == "a    bb\naaa   b  c"
