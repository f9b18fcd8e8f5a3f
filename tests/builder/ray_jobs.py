"""Small jobs for engines: they tell where they ran, and some end their worker."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NODE = "DESKCHECK_TEST_NODE"
"""Set on the test cluster's second node alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What became of a number; `worker` is 0 where none lived to tell."""

    number: int
    worker: int
    node: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Reports where a number came to, after `pause_s`; `deadly` numbers end their worker."""

    deadly: frozenset[int] = frozenset()
    pause_s: float = 0.01
    tools: Mapping[str, str] | None = None
    """This machine's; those of the second node are others."""
    first: tuple[str, Path] | None = None
    """A node that all others wait for, and the file by which it tells that it has begun."""
    ledger: Path | None = None
    """A file that grows by a byte for each item."""

    def toolchain(self) -> Mapping[str, Any]:
        return {
            "tools": {**(self.tools or {}), "node": os.environ.get(NODE, "") * bool(self.tools)}
        }

    def open(self) -> Callable[[int], Made]:
        return self._report

    def died(self, number: int, /) -> Made:
        return Made(number=number, worker=0)

    def _report(self, number: int) -> Made:
        if self.ledger is not None:
            with self.ledger.open("ab") as grown:
                grown.write(b".")
        if self.first is not None:
            node, begun = self.first
            if os.environ.get(NODE, "") == node:
                begun.touch()
            while not begun.exists():
                time.sleep(0.01)
        time.sleep(self.pause_s)
        if number in self.deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        return Made(number=number, worker=os.getpid(), node=os.environ.get(NODE, ""))
