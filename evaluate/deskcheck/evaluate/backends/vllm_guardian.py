"""A small process beside a vLLM engine: it ends the engine once the process that owns it is gone.

vLLM's engine runs in processes of its own, which notice no death but an orderly one: after a
`kill -9` they would keep their GPUs for ever, and the resumed run could not start. This file is
run as a script by `Guardian`, and imports nothing of ours.
"""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any


class Guardian:
    """Watches over the processes that this one starts through multiprocessing from now on."""

    def __init__(self) -> None:
        self._before = _children()
        self._told: set[int] = set()
        self._process = subprocess.Popen(
            [sys.executable, "-I", str(Path(__file__))],
            stdin=subprocess.PIPE,
            start_new_session=True,  # what is sent to the owner's group is not for the guardian
        )

    def watch(self) -> None:
        """Tell the guardian of processes that have been started since the last call."""
        assert self._process.stdin is not None
        for child in self.owned():
            if child.pid is not None and child.pid not in self._told:
                self._told.add(child.pid)
                with suppress(BrokenPipeError):
                    self._process.stdin.write(b"%d\n" % child.pid)
                    self._process.stdin.flush()

    def end(self) -> None:
        """Kill what the watched processes have become, and dismiss the guardian."""
        self.watch()
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()

    def owned(self) -> set[BaseProcess]:
        """The watched processes that are alive."""
        return _children() - self._before


def _children() -> set[BaseProcess]:
    return set(multiprocessing.active_children())


def guard(lines: Iterable[bytes]) -> None:
    """Read the numbers of processes until the owner closes or dies; then kill what is left."""
    psutil: Any = import_module("psutil")  # vLLM needs it; it knows a process from its successor
    engines: list[Any] = []
    for line in lines:
        with suppress(psutil.NoSuchProcess):
            engines.append(psutil.Process(int(line)))
    doomed: list[Any] = []
    for engine in engines:
        with suppress(psutil.NoSuchProcess):
            doomed += [engine, *engine.children(recursive=True)]
    for process in doomed:
        with suppress(psutil.NoSuchProcess):
            process.kill()


if __name__ == "__main__":
    guard(sys.stdin.buffer)
