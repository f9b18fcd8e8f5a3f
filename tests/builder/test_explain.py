"""`builder explain`: the verdict of one candidate, with everything that led to it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.builder.verdicts import NO_OUTPUT, SHORT_LOOP, admitted, rejected

from deskcheck.builder.cases import Verdict
from deskcheck.builder.cli import run
from deskcheck.builder.contents import Build
from deskcheck.builder.dataset import write_dataset
from deskcheck.builder.journal import Journal, journal_path

PASSED = replace(SHORT_LOOP, measured={"iterations": 5})
SQUARES = admitted("squares", passed_over=(PASSED,))
VERDICTS: list[Verdict] = [SQUARES, rejected("grid"), rejected("silent", NO_OUTPUT)]

Capture = pytest.CaptureFixture[str]


@pytest.fixture(params=["finished", "unfinished"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The verdicts as a dataset, and as the journal of a build in progress."""
    folder = tmp_path / "sums"
    if request.param == "finished":
        write_dataset(folder, Build(name="sums", config={}, toolchain={}), VERDICTS)
    else:
        with Journal.open(journal_path(folder), {}) as journal:
            for verdict in VERDICTS:
                journal.append(verdict.candidate, verdict)
    return folder


def explained(capsys: Capture, folder: Path, candidate: str, *arguments: str) -> str:
    assert run(["explain", candidate, "-d", str(folder), *arguments]) == 0
    return capsys.readouterr().out


def test_a_rejection_is_explained_finding_by_finding(folder: Path, capsys: Capture) -> None:
    """Check, reason, loop line, the line's text, detail and measured values, in order."""
    assert explained(capsys, folder, "textbook/grid") == (
        "textbook/grid: rejected, loop: too_few_iterations\n"
        "  loop: too_few_iterations, loop at line 3\n"
        "    for row in grid:\n"
        "    at most 5 iterations in one activation, 8 needed\n"
        "    measured: iterations 5\n"
        "  loop: reads_stdin, loop at line 2\n"
        "    it reads standard input as it goes\n"
    )
    assert explained(capsys, folder, "textbook/silent") == (
        "textbook/silent: rejected, legal_inputs: no_output\n"
        "  legal_inputs: no_output\n"
        "    it prints nothing\n"
    )


def test_an_admission_names_its_loop_and_those_passed_over(folder: Path, capsys: Capture) -> None:
    """The selected loop is quoted from the program, and so is each that was not eligible."""
    assert explained(capsys, folder, "textbook/squares") == (
        f"textbook/squares: admitted as case {SQUARES.case.id[:16]}\n"
        "  loop at line 3 (for, depth 1), stopped before iteration 9 of 20 and after the loop\n"
        "    for number in range(int(input())):\n"
        "  runs 3 times on input short, 20 times on long\n"
        "  asks for total\n"
        "passed over before it:\n"
        "  loop: too_few_iterations, loop at line 3\n"
        "    for number in range(int(input())):\n"
        "    at most 5 iterations in one activation, 8 needed\n"
        "    measured: iterations 5\n"
    )


def test_json_has_the_same_facts(folder: Path, capsys: Capture) -> None:
    """The verdict with its findings as objects, measured values with their types."""
    facts = json.loads(explained(capsys, folder, "textbook/grid", "--json"))
    assert facts["admitted"] is False
    assert [each["reason"] for each in facts["findings"]] == ["too_few_iterations", "reads_stdin"]
    assert facts["findings"][0]["measured"]["iterations"] == 5
    facts = json.loads(explained(capsys, folder, "textbook/squares", "--json"))
    assert facts["admitted"] is True
    assert facts["case"]["id"] == SQUARES.case.id
    assert facts["loop_source"] == "for number in range(int(input())):"
    assert facts["passed_over"][0]["source_line"] == "for number in range(int(input())):"


def test_an_unknown_candidate_comes_with_what_is_close(folder: Path, capsys: Capture) -> None:
    """One line names it, where it was looked for, and the nearest names."""
    assert run(["explain", "textbook/squarez", "-d", str(folder)]) == 3
    said = capsys.readouterr().err
    assert said.startswith("builder: no candidate 'textbook/squarez' ")
    assert "sums; did you mean textbook/squares?" in said
    assert run(["explain", "zzz", "-d", str(folder)]) == 3
    assert "candidates are named POOL/NAME" in capsys.readouterr().err


def test_what_a_program_said_cannot_reach_the_terminal(tmp_path: Path, capsys: Capture) -> None:
    """Control characters in a detail or a measured value are escaped."""
    loud = replace(NO_OUTPUT, detail="said \x1b[2J\nmore", measured={"first": "\x07"})
    folder = tmp_path / "loud"
    write_dataset(folder, Build(name="x", config={}, toolchain={}), [rejected("loud", loud)])
    text = explained(capsys, folder, "textbook/loud")
    assert "    said \\x1b[2J\\nmore\n    measured: first \\x07\n" in text


def test_there_must_be_something_to_look_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """Without a dataset, one line says how to name or make one."""
    monkeypatch.chdir(tmp_path)
    assert run(["explain", "textbook/grid"]) == 3
    assert capsys.readouterr().err == (
        "builder: no dataset in ./datasets or ./quickstart; name its folder, or builder admit "
        "makes one\n"
    )
