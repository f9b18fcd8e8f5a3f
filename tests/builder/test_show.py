"""`builder show`: everything about a case that a person needs, and nothing that does harm."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from tests.builder.verdicts import INSIDE, POST, admitted, rejected

from deskcheck.builder.cases import ARMS, Admitted, Verdict
from deskcheck.builder.cli import run
from deskcheck.builder.commands.show import ID_SHOWN, Shown, print_panels
from deskcheck.builder.contents import Build
from deskcheck.builder.dataset import write_dataset
from deskcheck.builder.listing import inserted_lines, shortened, source_lines, visible

LONG = "".join(f"{number}\n" for number in range(100))

SQUARES = admitted("squares", long=LONG, floor=True, peak_state=None)
CUBES = admitted("cubes", long="\x1b[2J\u202e!\n")
VERDICTS: list[Verdict] = [SQUARES, rejected("grid"), CUBES]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with one dataset, in `datasets/sums`."""
    monkeypatch.chdir(tmp_path)
    Path("datasets").mkdir()
    write_dataset(Path("datasets/sums"), Build(name="sums", config={}, toolchain={}), VERDICTS)
    return Path("datasets/sums")


Capture = pytest.CaptureFixture[str]


def shown(capsys: Capture, *arguments: str) -> str:
    assert run(["show", *arguments]) == 0
    return capsys.readouterr().out


def refused(capsys: Capture, *arguments: str) -> str:
    assert run(["show", *arguments]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


@pytest.mark.parametrize("end", [ID_SHOWN, 64])
def test_a_case_is_found_by_candidate_id_and_prefix(
    folder: Path, capsys: Capture, end: int
) -> None:
    """The candidate's name, the whole id and a beginning of it that fits one case mean the same."""
    by_name = shown(capsys, "textbook/squares")
    assert by_name.startswith(f"case {SQUARES.case.id}\ntextbook/squares ")
    assert shown(capsys, SQUARES.case.id[:end]) == by_name
    assert shown(capsys, "textbook/squares", "-d", str(folder)) == by_name
    assert shown(capsys, "textbook/squares", "--dataset", "datasets") == by_name


def test_an_unknown_case_comes_with_what_is_close(folder: Path, capsys: Capture) -> None:
    """A slip of the pen, a rejected candidate and an ambiguous prefix are each answered."""
    assert "no case 'textbook/sqares' in datasets/sums; did you mean textbook/squares?" in refused(
        capsys, "textbook/sqares"
    )
    assert "textbook/grid was rejected, so it has no case; see builder explain textbook/grid" in (
        refused(capsys, "textbook/grid")
    )
    assert "in datasets/sums; did you mean textbook/cubes?" in refused(capsys, "cube")
    assert "builder dataset stats datasets/sums --per-case lists them" in refused(capsys, "")


def test_an_ambiguous_prefix_lists_the_cases(tmp_path: Path, capsys: Capture) -> None:
    """Both cases are named; of 17 cases, two at least begin with the same digit."""
    many = [admitted(f"p{number}") for number in range(17)]
    write_dataset(tmp_path / "many", Build(name="many", config={}, toolchain={}), many)
    ids = sorted(each.case.id for each in many)
    digit = next(a[0] for a, b in pairwise(ids) if a[0] == b[0])
    fitting = [each for each in many if each.case.id[0] == digit]
    said = refused(capsys, digit, "-d", str(tmp_path / "many"))
    names = [f"{each.case.id[:ID_SHOWN]} ({each.candidate})" for each in fitting]
    assert f"{len(fitting)} cases begin with '{digit}': {', '.join(names[:5])}" in said


def test_all_four_arms_are_shown(folder: Path, capsys: Capture) -> None:
    """Each has its title, measures, source, input and answer; what is the same is said once."""
    text = shown(capsys, "textbook/squares")
    arms = text.split("\n=== ")[1:]
    assert [arm.split()[0] for arm in arms] == list(ARMS)
    short, long, inside, post = arms
    assert " 3 for number in range(int(input())):" in short
    assert "expected answer (rule tokens, a guess may hit it):\n  5 squares\n" in short
    assert "trace length: 30\niterations of the loop in the whole run: 3\n" in short
    assert "source: that of short-trace-final, byte for byte\n" in long
    assert "trace length: about 95 up to the checkpoint, 200 in all\n" in inside
    assert "state: not measured" in inside
    assert "\n> 9     if next(visits) == 9:\n>10         os.write(" in inside
    assert "\n  8 for number in range(int(input())):\n" in inside
    assert "\n> 8 os.write(" in post
    assert "input: that of long-trace-final\nfields: total = total\n" in post
    assert '\n  {"total":2470}' in post


def test_long_inputs_are_shortened_in_the_middle(folder: Path, capsys: Capture) -> None:
    """What is left out is said, `--lines` sets how much, and 0 shows all."""
    assert "  5\n  … 88 of 100 lines left out …\n  94\n" in shown(capsys, "textbook/squares")
    text = shown(capsys, "textbook/squares", "--lines", "3")
    assert "  1\n  … 97 of 100 lines left out …\n  99\n" in text
    text = shown(capsys, "textbook/squares", "--lines", "0")
    assert "left out" not in text
    assert "\n  50\n" in text


def test_answers_can_be_hidden(folder: Path, capsys: Capture) -> None:
    """With `--hide-answers` no answer is printed, not even with `--json`, nor the file opened."""
    (folder / "oracles" / "answers.parquet").unlink()
    text = shown(capsys, "textbook/squares", "--hide-answers")
    assert text.count("expected answer: hidden (rule ") == 4
    assert '"total":' not in text.replace('{"total": total}', "")
    facts = json.loads(shown(capsys, "textbook/squares", "--hide-answers", "--json"))
    assert not [arm for arm in facts["arms"].values() if "answer" in arm]


def test_json_has_everything_in_full(folder: Path, capsys: Capture) -> None:
    """Case, tasks, measures, answers and the checkpoint's lines, nothing shortened."""
    facts = json.loads(shown(capsys, "textbook/squares", "--json"))
    assert facts["case"]["id"] == SQUARES.case.id
    assert list(facts["arms"]) == list(ARMS)
    for arm, task, answer in zip(ARMS, SQUARES.tasks, SQUARES.answers, strict=True):
        assert facts["arms"][arm]["source"] == task.source
        assert facts["arms"][arm]["stdin"] == task.stdin
        assert facts["arms"][arm]["answer"] == answer.text
        assert facts["arms"][arm]["measures"]["task_id"] == task.id
    assert facts["arms"]["inside-loop-state"]["checkpoint_lines"] == [1, 2, 3, 4, 5, 9, 10, 11]


def test_no_terminal_obeys_a_program(folder: Path, capsys: Capture) -> None:
    """Escape sequences and marks that turn text around are shown, not sent."""
    text = shown(capsys, "textbook/cubes")
    assert r"\x1b[2J\u202e!" in text
    assert "\x1b" not in text
    assert "\u202e" not in text


def panels(width: int, hide: bool = False, case: Admitted = SQUARES) -> str:
    stream = io.StringIO()
    print_panels(
        Shown(
            case=case.case,
            tasks={task.arm: task for task in case.tasks},
            measures={each.arm: each for each in case.measures},
            answers={} if hide else {each.task_id: each for each in case.answers},
        ),
        12,
        Console(file=stream, width=width, force_terminal=True, highlight=False),
    )
    return stream.getvalue()


def test_a_wide_terminal_has_the_arms_side_by_side() -> None:
    """Two by two from 120 columns on, else one under the other; the checkpoint stands out."""
    wide = [line for line in panels(160).splitlines() if "-final" in line or "-state" in line]
    titles = [[arm for arm in ARMS if f" {arm} " in line] for line in wide if "╭" in line]
    assert titles == [list(ARMS[:2]), list(ARMS[2:])]
    narrow = panels(100)
    titles = [
        [arm for arm in ARMS if f" {arm} " in line] for line in narrow.splitlines() if "╭" in line
    ]
    assert titles == [[arm] for arm in ARMS]
    assert "\x1b[1;7m> 9     if next(visits) == 9:" in narrow
    assert "2470 squares" in narrow
    assert "2470 squares" not in panels(100, hide=True)


@pytest.mark.parametrize("width", [40, 160])
def test_long_answers_are_folded_not_cut(width: int) -> None:
    """Nothing of a long answer without spaces is lost at the edge of a panel."""
    state = '{"total":' + "".join(str(number) for number in range(150)) + "}"
    text = panels(width, case=admitted(answers=("1", "2", state, state)))
    joined = "".join(line.strip("│ ").split("│")[0].strip() for line in text.splitlines())
    assert state in joined
    assert "…" not in text


def test_markup_of_a_terminal_library_is_plain_text() -> None:
    """Square brackets in sources and names style nothing."""
    case = replace(SQUARES.case, author="[bold]Me[/bold]", origin="[/]")
    stream = io.StringIO()
    print_panels(
        Shown(
            case=case,
            tasks={task.arm: replace(task, source="a[red] = 1\n") for task in SQUARES.tasks},
            measures={each.arm: each for each in SQUARES.measures},
            answers={},
        ),
        12,
        Console(file=stream, width=100),
    )
    assert "[bold]Me[/bold]" in stream.getvalue()
    assert "a[red] = 1" in stream.getvalue()


def test_inserted_lines_are_those_of_the_checkpoint() -> None:
    """Lines of the clean program are none, also where the loop's one-line body was opened up."""
    clean = "# {name}\ntotal = 0\nfor number in range(int(input())): total += 1\nprint(total)\n"
    opened = (
        "import os\n# {name}\ntotal = 0\nfor number in range(int(input())):\n    os._exit(0)\n"
        "    total += 1\nprint(total)\n"
    )
    assert inserted_lines(clean, opened) == {1, 4, 5, 6}
    assert inserted_lines(POST, POST) == frozenset()
    assert 9 in inserted_lines(INSIDE.replace("if next(visits) == 9:", ""), INSIDE)


def test_lines_are_counted_as_languages_count_them() -> None:
    """A form feed or U+2028 ends no line; CR, LF and CRLF each end one."""
    assert source_lines("a\x0cb\u2028c\rd\r\ne\nf") == ["a\x0cb\u2028c", "d", "e", "f"]
    assert source_lines("") == []
    assert source_lines("\n\n") == ["", ""]


@given(st.text(max_size=1500), st.integers(1, 9))
def test_what_is_shown_is_short_and_printable(text: str, limit: int) -> None:
    """Any text gives at most one line more than the limit, and nothing that a terminal obeys."""
    lines = shortened(text, limit)
    assert len(lines) <= limit + 1
    assert all(line.isprintable() for line in lines)


def test_a_line_of_megabytes_is_shortened() -> None:
    """Its ends are shown, and how much is left out."""
    (line,) = shortened("7" * 10_000_000, 5)
    assert line.startswith("777")
    assert "… 9,999,600 of 10,000,000 characters left out …" in line
    assert visible("\ta\udc80\x00") == r"    a\udc80\x00"
