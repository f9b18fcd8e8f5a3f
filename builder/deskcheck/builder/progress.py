"""What long work says on standard error while it runs: a bar on a terminal, else plain lines."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

REASONS_SHOWN = 3


class Progress:
    """A context in which `update` is called as often as one likes.

    `label` says what is being done. `NO_COLOR` is honoured. Nothing is written to standard
    output, which is for data.
    """

    def __init__(self, label: str, stream: TextIO | None = None, every_s: float = 5.0) -> None:
        self._label = label
        self._stream = stream or sys.stderr or io.StringIO()  # who closed it wants no progress
        self._every_s = every_s
        self._bar: Bar | None = None
        self._task: TaskID | None = None
        self._line = ""
        self._printed = ""
        self._began = self._last = time.monotonic()

    def __enter__(self) -> Self:
        if self._stream.isatty():
            self._bar = _bar(self._stream)
            self._task = self._bar.add_task(self._label, counts="", total=None)
            self._bar.start()
        return self

    def update(self, done: int, total: int | None, text: str) -> None:
        """`text` says what became of what is done, in a few words."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=total, counts=text)
            return
        of = f"/{total}" if total is not None else ""
        self._line = f"{self._label}: {done}{of}" + (f"; {text}" if text else "")
        if time.monotonic() - self._last >= self._every_s:
            self._print()

    def say(self, line: str) -> None:
        """A line of its own, for what should not wait until the work is done."""
        if self._bar is not None:
            self._bar.console.print(f"builder: {line}", markup=False, highlight=False)
        else:
            print(f"builder: {line}", file=self._stream, flush=True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
        elif self._line and self._line != self._printed:
            self._print()

    def _print(self) -> None:
        self._last = time.monotonic()
        self._printed = self._line
        print(f"{self._line} ({self._last - self._began:.0f} s)", file=self._stream, flush=True)


def summary(counts: Mapping[str, int]) -> str:
    """One line: how many admitted, how many rejected, and the most frequent reasons.

    `counts` maps `admitted`, and each reason of rejection, to how many there were.
    """
    if not counts:
        return ""
    reasons = {reason: n for reason, n in counts.items() if reason != "admitted" and n}
    text = f"{counts.get('admitted', 0)} admitted, {sum(reasons.values())} rejected"
    top = sorted(reasons.items(), key=lambda each: (-each[1], each[0]))[:REASONS_SHOWN]
    listed = [f"{reason} {n}" for reason, n in top]
    if len(reasons) > REASONS_SHOWN:
        listed.append("…")
    return f"{text} ({', '.join(listed)})" if listed else text


def pace(done: int, left: int, seconds: float) -> str:
    """How fast work goes, and how long the rest takes at that: `350 a second, 4 min left`.

    `done` is what was done in these `seconds`; nothing is said before there is any.
    """
    if not done or seconds <= 0:
        return ""
    rate = done / seconds
    rest = left / rate
    until = f"{rest:.0f} s" if rest < 100 else f"{rest / 60:.0f} min"
    return f"{rate:.{0 if rate >= 10 else 1}f} a second, {until} left"


def _bar(stream: TextIO) -> Bar:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[counts]}", markup=False),
        console=Console(file=stream),
    )
