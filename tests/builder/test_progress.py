"""What long work says while it runs."""

from __future__ import annotations

import io

import pytest

from deskcheck.builder.progress import Progress, pace, summary


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({}, ""),
        ({"admitted": 3}, "3 admitted, 0 rejected"),
        ({"admitted": 0, "no_loop": 0}, "0 admitted, 0 rejected"),
        ({"b": 2, "a": 2, "c": 5}, "0 admitted, 9 rejected (c 5, a 2, b 2)"),
        (
            {"a": 1, "b": 2, "c": 3, "d": 4, "admitted": 9},
            "9 admitted, 10 rejected (d 4, c 3, b 2, …)",
        ),
    ],
)
def test_the_most_frequent_reasons_come_first(counts: dict[str, int], expected: str) -> None:
    """Counts are summed up, and reasons of equal frequency stand in alphabetical order."""
    assert summary(counts) == expected


def test_without_a_terminal_the_last_line_is_always_said() -> None:
    """However short the work, its final counts are printed once, also when it is interrupted."""
    stream = io.StringIO()
    with pytest.raises(KeyboardInterrupt), Progress("admit", stream, every_s=3600) as progress:
        progress.update(1, None, "")
        progress.update(2, 3, summary({"admitted": 2}))
        raise KeyboardInterrupt
    assert stream.getvalue().startswith("admit: 2/3; 2 admitted, 0 rejected (")
    assert stream.getvalue().count("\n") == 1


def test_without_a_terminal_lines_come_at_the_chosen_interval() -> None:
    """With no interval each update is a line, and the last one is not repeated."""
    stream = io.StringIO()
    with Progress("admit", stream, every_s=0) as progress:
        progress.update(1, 2, "")
        progress.update(2, 2, "")
    assert [line.partition(" (")[0] for line in stream.getvalue().splitlines()] == [
        "admit: 1/2",
        "admit: 2/2",
    ]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_no_color_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bar shows the same facts, without colours where they are not wanted."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "120")
    stream = Terminal()
    with Progress("admit", stream) as progress:
        progress.update(2, 3, summary({"admitted": 1, "no_loop": 1}))
    shown = stream.getvalue()
    assert "2/3" in shown
    assert "1 admitted, 1 rejected (no_loop 1)" in shown
    assert "\x1b[3" not in shown


def test_a_closed_stream_is_written_to_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where standard error is closed, progress is silent and work goes on."""
    monkeypatch.setattr("sys.stderr", None)
    with Progress("admit", every_s=0) as progress:
        progress.update(1, 2, "")


def test_what_should_not_wait_is_a_line_of_its_own() -> None:
    """A remark is written when it is made, on a terminal and elsewhere."""
    for stream in (io.StringIO(), Terminal()):
        with Progress("ask", stream, every_s=3600) as progress:
            progress.update(1, 2, "")
            progress.say("the [engine] changed")
            assert "builder: the [engine] changed" in stream.getvalue()


@pytest.mark.parametrize(
    ("done", "left", "seconds", "expected"),
    [
        (0, 90_000, 3.0, ""),
        (700, 84_000, 2.0, "350 a second, 4 min left"),
        (9, 90, 4.5, "2.0 a second, 45 s left"),
        (90_000, 0, 900.0, "100 a second, 0 s left"),
    ],
)
def test_pace_goes_by_what_was_done(done: int, left: int, seconds: float, expected: str) -> None:
    """A rate and the time that the rest takes at it, once anything is done."""
    assert pace(done, left, seconds) == expected
