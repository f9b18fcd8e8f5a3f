"""One measured run: the program as `__main__`, watched, and a report at its end."""

from __future__ import annotations

import _thread
import atexit
import builtins
import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes longer to import than the whole agent
    from collections.abc import Callable, Collection, Mapping
    from types import CodeType, FrameType
    from typing import Any, TextIO

    Load = Callable[[str], Any]
    Wanted = tuple[str, str, bytes]
    """Mode, file name, source."""

SETUP_FAILED = 120
"""Exit status of an agent that could not even begin; `deskcheck.oracles.runtimes` knows it."""

# Bound before the program runs, which may put anything in their places.
_open, _leave, _register_at_fork = open, os._exit, os.register_at_fork

SEAL_BYTES = 32
"""Length of the digest before a report; `deskcheck.oracles.runtimes` knows it."""

AGENT_FRAMES = 3
"""Frames below the program's own; the recursion limit is raised by as many."""


def main(
    load: Load,
    modules: Collection[str],
    ready: Mapping[Wanted, Any] | None,
    key: str,
    report: str,
    program: str,
    mode: str,
    argument: str,
) -> None:
    """Run and report; ends with the exit status that the program would have had.

    `modules` are those that were there at the start, `ready` the programs that need not be prepared
    again, None in a fresh interpreter.
    """
    session: Count | CountFast | Observe
    streams = sys.stdout, sys.stderr
    try:
        out = Report(report, read_key(key))
        with _open(program, "rb") as file:
            source = file.read()
        prepared = ready.get((mode, program, source)) if ready else None
        if prepared is None:
            prepared = prepare(load, mode, program, source)
        if mode == "count":
            session = Count(load, int(argument), program, prepared)
        elif mode == "count-fast":
            session = CountFast(prepared)
        else:
            session = Observe(load, read_job(argument), program, prepared)
    except BaseException as error:
        sys.__excepthook__(type(error), error, error.__traceback__)
        _leave(SETUP_FAILED)
    sys.orig_argv[-len(sys.argv) :] = [program]
    sys.argv[:] = [program]
    if mode != "observe":  # which knows values by the types of modules that it shares
        forget(modules)
    if ready is None:
        gc.collect()
    session.too_long = lambda: out.write_and_stop(session.facts() | {"too_long": True})
    status = run(session)
    out.write(session.facts() | {"too_long": False, "unread": unread_stdin()})
    if ready is not None and flushed(*streams):
        _register_at_fork(after_in_child=Last(status))
    raise SystemExit(status)


class Last:
    """Ends the process when the interpreter lets go of what is called in forked children.

    By then the program's modules, objects and streams have been finalized; what is left is to free
    memory, which takes a third of the time of a short run where it is shared with another process.
    """

    def __init__(self, status: int) -> None:
        self._status = status

    def __call__(self) -> None:
        """Nothing is to be done in a child."""

    def __del__(self) -> None:
        _leave(self._status)


def flushed(*streams: TextIO) -> bool:
    """Whether standard output and error are still these streams, and nothing is left to fail."""
    try:
        for name, stream in zip(("stdout", "stderr"), streams, strict=True):
            if getattr(sys, name, None) is not stream:
                return False
            stream.flush()
    except (OSError, ValueError):
        return False
    return True


def prepare(load: Load, mode: str, filename: str, source: bytes) -> Any:
    """What is made of the program's source before it runs, the same for every run."""
    if mode == "observe":
        return load("markers").MarkedProgram(source, filename)
    code = compile(source, filename, "exec", dont_inherit=True)
    return load("fast_counting").FastCounter(load, code, filename) if mode == "count-fast" else code


_forgotten: list[Any] = []
_forgotten.append(_forgotten)  # never freed, and so no work when the interpreter ends


def forget(shown: Collection[str]) -> None:
    """Show the program no modules but those named; the others stay as they are for the agent."""
    for name in sys.modules.keys() - shown:
        _forgotten.append(sys.modules.pop(name))


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
        self._writing = _thread.RLock()

    def write(self, facts: dict[str, Any]) -> None:
        # Never given back: another thread that comes to its limit meanwhile waits for our end.
        self._writing.acquire()
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

    def __init__(self, load: Load, limit: int, filename: str, code: CodeType) -> None:
        counting = load("counting")
        self.too_long: Callable[[], None] = nothing
        self.code = code
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

    def __init__(self, counter: Any) -> None:
        self.too_long: Callable[[], None] = nothing
        self._counter = counter
        self.code: CodeType = counter.code

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

    def __init__(self, load: Load, job: dict[str, Any], filename: str, marked: Any) -> None:
        self._counting = load("counting")
        observing = load("observing")
        markers = load("markers")
        encode: Any = load("encode").encode if job["wanted"] else None
        self.code: CodeType = marked.code
        self.too_long: Callable[[], None] = nothing
        self._boundary = markers.boundary
        self._first_line = markers.FIRST_LINE
        self._sizing = load("sizes") if job["state_budget"] else None
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
        if self._sizing is not None:
            budget = self._job["state_budget"]
            self._sizes = self._sizing.StateSizes(self._filename, module, budget)
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
