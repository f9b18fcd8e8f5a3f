"""Run one program inside the interpreter that is measured, and report what was asked.

Usage: `python agent.py JOB REPORT PROGRAM`, where JOB is a JSON file that is removed before the
program starts. Modes: `count` (exact opcodes), `observe` (loop visits, snapshots, state sizes).
"""

from __future__ import annotations

import atexit
import gc
import importlib.util
import json
import os
import sys
import threading
import traceback
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def load(name: str) -> Any:
    """A module beside this file, under a name that no program imports."""
    qualified = f"_deskcheck_inside_{name}"
    spec = importlib.util.spec_from_file_location(qualified, HERE / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[qualified] = module
    spec.loader.exec_module(module)
    return module


def main() -> None:
    job_path, report_path, program_path = sys.argv[1:4]
    job = json.loads(Path(job_path).read_text("ascii"))
    Path(job_path).unlink()
    source = Path(program_path).read_bytes()
    sys.argv[:] = [program_path]
    session = (
        Count(job, program_path, source)
        if job["mode"] == "count"
        else Observe(job, program_path, source)
    )
    report = Report(report_path)
    session.too_long = lambda: report.write_and_stop(session.facts() | {"too_long": True})
    status = run(session)
    report.write(session.facts() | {"too_long": False, "unread": unread_stdin()})
    sys.exit(status)


class Report:
    """The one file that the agent leaves behind."""

    def __init__(self, path: str) -> None:
        self._path = path

    def write(self, facts: dict[str, Any]) -> None:
        with Path(self._path).open("w", encoding="ascii") as file:
            json.dump(facts, file)

    def write_and_stop(self, facts: dict[str, Any]) -> None:
        """Leave at once, past every `except` and `finally` of the program."""
        self.write(facts)
        os._exit(0)


class Count:
    """Counts the program's opcodes, up to a limit."""

    def __init__(self, job: dict[str, Any], filename: str, source: bytes) -> None:
        counting = load("counting")
        self.too_long: Callable[[], None] = nothing
        self.code = compile(source, filename, "exec", dont_inherit=True)
        self._counter = (
            counting.NativeCounter(filename)
            if job["limit"] is None
            else counting.BoundedCounter(filename, job["limit"], self._on_limit)
        )

    def _on_limit(self) -> None:
        self.too_long()

    def begin(self, _module: dict[str, Any]) -> None:
        self._counter.begin()

    def end(self) -> None:
        self._counter.end()

    def facts(self) -> dict[str, Any]:
        return {"opcodes": self._counter.opcodes}


class Observe:
    """Watches loop boundaries; with a limit on boundaries seen, as events are not free."""

    def __init__(self, job: dict[str, Any], filename: str, source: bytes) -> None:
        self._counting = load("counting")
        self._observing = load("observing")
        self._sizes_module = load("sizes")
        encode = load("encode").encode if job["wanted"] else None
        markers = load("markers")
        self._boundary = markers.boundary
        self._first_line = markers.FIRST_LINE
        marked = markers.MarkedProgram(source, filename)
        self.code = marked.code
        self.too_long: Callable[[], None] = nothing
        self._job = job
        self._filename = filename
        self._seen = 0
        self._instructions = 0
        self._nops = self._observing.MarkerNops()
        self._sizes: Any = None
        self._observer = self._observing.LoopObserver(
            marked.loops,
            wanted=[tuple(moment) for moment in job["wanted"]],
            names={int(loop): names for loop, names in job["names"].items()},
            watch={int(loop): ordinals for loop, ordinals in job["watch"].items()},
            encode=lambda value: encode(value, budget=job["value_budget"]),
            counters=self._counters,
        )

    def begin(self, module: dict[str, Any]) -> None:
        if self._job["state_budget"]:
            self._sizes = self._sizes_module.StateSizes(
                self._filename, module, self._job["state_budget"]
            )
        events = sys.monitoring.events
        callbacks: dict[int, Callable[..., Any]] = {events.LINE: self._on_line}
        if self._job["opcodes"]:
            callbacks[events.INSTRUCTION] = self._on_instruction
        self._own = self._counting.OwnCode(self._filename, sum(callbacks))
        self._own.begin(callbacks)

    def end(self) -> None:
        self._own.end()

    def _on_instruction(self, _code: types.CodeType, _offset: int) -> None:
        self._instructions += 1

    def _on_line(self, _code: types.CodeType, line: int) -> Any:
        if line < self._first_line:
            # Disabling a LINE event swallows the INSTRUCTION event of the same instruction.
            return None if self._job["opcodes"] else sys.monitoring.DISABLE
        self._seen += 1
        if self._seen > self._job["boundary_limit"]:
            self.too_long()
        frame = sys._getframe(1)
        ordinal, place = self._boundary(line)
        if self._sizes is not None and place != "before":
            self._sizes.boundary(frame)
        self._observer.boundary(ordinal, place, frame)
        if self._job["opcodes"]:
            self._nops.at(frame)
        return None

    def _counters(self) -> dict[str, Any]:
        return {
            "opcodes": self._instructions - self._nops.executed if self._job["opcodes"] else None,
            "state": None if self._sizes is None else self._sizes.totals(),
        }

    def facts(self) -> dict[str, Any]:
        return self._counters() | {
            "loops": self._observer.profile(self._job["keep"]),
            "snapshots": self._observer.snapshots,
        }


def run(session: Count | Observe) -> int:
    """Execute the program as `__main__` and return the exit status it would have had."""
    main_module = types.ModuleType("__main__")
    main_module.__dict__["__file__"] = str(Path(sys.argv[0]).absolute())
    main_module.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = main_module
    gc.collect()
    gc.freeze()
    depth = len(traceback.extract_stack())
    sys.setrecursionlimit(sys.getrecursionlimit() + depth)
    session.begin(main_module.__dict__)
    try:
        exec(session.code, main_module.__dict__)
        status = 0
    except SystemExit as stop:
        status = exit_status(stop)
    except BaseException as error:
        show(error)
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    session.end()
    return status


def nothing() -> None:
    """Until the report is open, there is no limit to reach."""


def exit_status(stop: SystemExit) -> int:
    if stop.code is None:
        return 0
    if isinstance(stop.code, int):
        return stop.code & 0xFF
    print(stop.code, file=sys.stderr)
    return 1


def show(error: BaseException) -> None:
    """Print a traceback without the agent's own frames."""
    own = error.__traceback__.tb_next if error.__traceback__ else None
    traceback.print_exception(type(error), error, own)


def unread_stdin() -> int | None:
    """Characters that the program left unread, or None where its stream can no longer tell."""
    try:
        return len(sys.__stdin__.read()) if sys.__stdin__ is not None else None
    except (OSError, ValueError):
        return None


if __name__ == "__main__":
    main()
