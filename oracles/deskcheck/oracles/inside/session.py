"""One measured run: the program as `__main__`, watched, and a report at its end."""

from __future__ import annotations

import atexit
import builtins
import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes longer to import than the whole agent
    from collections.abc import Callable
    from types import CodeType, FrameType
    from typing import Any

    Load = Callable[[str], Any]

SETUP_FAILED = 120
"""Exit status of an agent that could not even begin; `deskcheck.oracles.runtimes` knows it."""

# Bound before the program runs, which may put anything in their places.
_open, _leave = open, os._exit

SEAL_BYTES = 32
"""Length of the digest before a report; `deskcheck.oracles.runtimes` knows it."""

AGENT_FRAMES = 3
"""Frames below the program's own; the recursion limit is raised by as many."""


def main(load: Load, key: str, report: str, program: str, mode: str, argument: str) -> None:
    """Run and report; ends with the exit status that the program would have had."""
    session: Count | CountFast | Observe
    try:
        out = Report(report, read_key(key))
        with _open(program, "rb") as file:
            source = file.read()
        if mode == "count":
            session = Count(load, int(argument), program, source)
        elif mode == "count-fast":
            session = CountFast(load, program, source)
        else:
            session = Observe(load, read_job(argument), program, source)
    except BaseException as error:
        sys.__excepthook__(type(error), error, error.__traceback__)
        _leave(SETUP_FAILED)
    sys.orig_argv[-len(sys.argv) :] = [program]
    sys.argv[:] = [program]
    session.too_long = lambda: out.write_and_stop(session.facts() | {"too_long": True})
    status = run(session)
    out.write(session.facts() | {"too_long": False, "unread": unread_stdin()})
    raise SystemExit(status)


def read_key(path: str) -> bytes:
    with _open(path, "rb") as file:
        key = file.read()
    os.unlink(path)  # noqa: PTH108
    return key


def read_job(path: str) -> dict[str, Any]:
    from json import load as load_json

    with _open(path, encoding="ascii") as file:
        job = load_json(file)
    os.unlink(path)  # noqa: PTH108
    assert isinstance(job, dict)
    return job


class Report:
    """What is said of the run, under a seal: finalizers run after it and might write their own."""

    def __init__(self, path: str, key: bytes) -> None:
        from _blake2 import blake2b

        self._path = path
        self._seal = blake2b(key=key, digest_size=SEAL_BYTES)

    def write(self, facts: dict[str, Any]) -> None:
        text = as_json(facts).encode("ascii")
        self._seal.update(text)
        # As bytes: a text file would import its encoding only now, by what the program has left.
        with _open(self._path, "wb") as file:
            file.write(self._seal.hexdigest().encode("ascii") + text)

    def write_and_stop(self, facts: dict[str, Any]) -> None:
        """Leave at once, past every `except` and `finally` of the program."""
        self.write(facts)
        _leave(0)


def as_json(value: Any) -> str:
    """JSON of what reports are made of; `json` takes long to import, and is the program's."""
    if value is None:
        return "null"
    if isinstance(value, bool | int):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(map(_escaped, value)) + '"'
    if isinstance(value, dict):
        return "{" + ", ".join(f"{as_json(k)}: {as_json(v)}" for k, v in value.items()) + "}"
    return "[" + ", ".join(map(as_json, value)) + "]"


def _escaped(character: str) -> str:
    if " " <= character <= "~" and character not in '"\\':
        return character
    code = ord(character)
    if code > 0xFFFF:  # a pair of surrogates, as JSON has it
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    return f"\\u{code:04x}"


def nothing() -> None:
    """Until a report can be written there is no limit to reach."""


class Count:
    """Counts the program's opcodes, up to `limit` unless that is 0."""

    def __init__(self, load: Load, limit: int, filename: str, source: bytes) -> None:
        counting = load("counting")
        self.too_long: Callable[[], None] = nothing
        self.code: CodeType = compile(source, filename, "exec", dont_inherit=True)
        self._counter = (
            counting.BoundedCounter(filename, limit, self._on_limit)
            if limit
            else counting.NativeCounter(filename)
        )

    def _on_limit(self) -> None:
        self.too_long()

    def begin(self, _module: dict[str, Any]) -> None:
        self._counter.begin()

    def end(self) -> None:
        self._counter.end()

    def facts(self) -> dict[str, Any]:
        return {"opcodes": self._counter.opcodes}


class CountFast:
    """Has the program count its own opcodes, or the reference where that cannot be exact."""

    def __init__(self, load: Load, filename: str, source: bytes) -> None:
        self.too_long: Callable[[], None] = nothing
        code = compile(source, filename, "exec", dont_inherit=True)
        self._counter = load("fast_counting").FastCounter(load, code, filename)
        self.code: CodeType = self._counter.code

    def begin(self, _module: dict[str, Any]) -> None:
        self._counter.begin()

    def end(self) -> None:
        self._counter.end()

    def facts(self) -> dict[str, Any]:
        return {
            "opcodes": self._counter.opcodes,
            "reference": self._counter.reference,
            "problem": self._counter.problem,
        }


class Observe:
    """Watches loop boundaries, up to a limit on how many, and counts opcodes where asked."""

    def __init__(self, load: Load, job: dict[str, Any], filename: str, source: bytes) -> None:
        self._counting = load("counting")
        observing = load("observing")
        markers = load("markers")
        encode: Any = load("encode").encode if job["wanted"] else None
        marked = markers.MarkedProgram(source, filename)
        self.code: CodeType = marked.code
        self.too_long: Callable[[], None] = nothing
        self._boundary = markers.boundary
        self._first_line = markers.FIRST_LINE
        self._load = load
        self._job = job
        self._filename = filename
        self._seen = 0
        self._instructions = 0
        self._nops = observing.MarkerNops() if job["opcodes"] else None
        self._sizes: Any = None
        self._observer = observing.LoopObserver(
            marked.loops,
            wanted=[tuple(moment) for moment in job["wanted"]],
            names={int(loop): names for loop, names in job["names"].items()},
            watch={int(loop): ordinals for loop, ordinals in job["watch"].items()},
            encode=lambda value: encode(value, budget=job["value_budget"]),
            counters=self._counters,
        )

    def begin(self, module: dict[str, Any]) -> None:
        budget = self._job["state_budget"]
        if budget:
            self._sizes = self._load("sizes").StateSizes(self._filename, module, budget)
        events = sys.monitoring.events
        callbacks: dict[int, Callable[..., Any]] = {events.LINE: self._on_line}
        if self._nops is not None:
            callbacks[events.INSTRUCTION] = self._on_instruction
        self._own = self._counting.OwnCode(self._filename, sum(callbacks))
        self._own.begin(callbacks)

    def end(self) -> None:
        self._own.end()
        if self._sizes is not None:
            self._sizes.end()

    def _on_instruction(self, _code: CodeType, _offset: int) -> None:
        self._instructions += 1

    def _on_line(self, _code: CodeType, line: int) -> Any:
        if line < self._first_line:
            # Disabling a LINE event swallows the INSTRUCTION event of the same instruction.
            return sys.monitoring.DISABLE if self._nops is None else None
        self._seen += 1
        if self._seen > self._job["boundary_limit"]:
            self.too_long()
        frame: FrameType = sys._getframe(1)
        ordinal, place = self._boundary(line)
        if self._sizes is not None and place != "before":
            self._sizes.boundary(frame)
        self._observer.boundary(ordinal, place, frame)
        if self._nops is not None:
            self._nops.at(frame)
        return None

    def _counters(self) -> dict[str, Any]:
        counted = None if self._nops is None else self._instructions - self._nops.executed
        return {
            "opcodes": counted,
            "state": None if self._sizes is None else self._sizes.totals(),
        }

    def facts(self) -> dict[str, Any]:
        return self._counters() | {
            "loops": self._observer.profile(self._job["keep"]),
            "snapshots": self._observer.snapshots,
        }


def run(session: Count | CountFast | Observe) -> int:
    """Execute the program as `__main__` and return the exit status it would have had."""
    # Before the module is made: what is frozen is not collected at exit, and a program may print
    # from the finalizer of an object that its own globals keep alive.
    gc.collect()
    gc.freeze()
    module = type(sys)("__main__")
    # The globals that the interpreter gives to a program, in its order; this agent was given them.
    given = {name: None for name in vars(sys.modules["__main__"]) if name in _GIVEN}
    file = os.getcwd() + "/" + sys.argv[0]  # noqa: PTH109
    known: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins, "__file__": file}
    known["__annotations__"] = {}
    module.__dict__.clear()
    module.__dict__.update(given | {name: known[name] for name in given if name in known})
    sys.modules["__main__"] = module
    sys.setrecursionlimit(sys.getrecursionlimit() + AGENT_FRAMES)
    session.begin(module.__dict__)
    try:
        exec(session.code, module.__dict__)
        status = 0
    except SystemExit as stop:
        status = exit_status(stop)
    except BaseException as error:
        # Without the agent's own frame, as the program alone would show it.
        own = error.__traceback__.tb_next if error.__traceback__ else None
        sys.excepthook(type(error), error.with_traceback(own), own)
        status = 1
    if "threading" in sys.modules:
        sys.modules["threading"]._shutdown()
    atexit._run_exitfuncs()
    session.end()
    return status


_GIVEN = frozenset(
    (
        *("__name__", "__doc__", "__package__", "__loader__", "__spec__", "__annotations__"),
        *("__builtins__", "__file__", "__cached__"),
    )
)


def exit_status(stop: SystemExit) -> int:
    if stop.code is None:
        return 0
    if isinstance(stop.code, int):
        return stop.code & 0xFF
    print(stop.code, file=sys.stderr)
    return 1


def unread_stdin() -> int | None:
    """Characters that the program left unread, or None where its stream can no longer tell."""
    try:
        return len(sys.__stdin__.read()) if sys.__stdin__ is not None else None
    except (OSError, ValueError):
        return None
