"""Run programs plainly, counted by events, and counting themselves; say where these differ.

A script of the standard library alone, for the interpreter that is measured:
`python counting_twice.py INSIDE` reads a JSON object a line (`source`, `stdin`, and how to
compare) and answers each with one; `python counting_twice.py INSIDE PROGRAM...` says a line of
each program file. Every run is a fork, as a program may do anything to its interpreter.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import io
import json
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

FILENAME = "program.py"
MOST_EVENTS = 300_000
"""Programs of more are compared by their totals alone."""
SECONDS = 60
MEMORY = 4 * 2**30

kept: list[object] = []

Key = tuple[tuple[str, int, bytes], int]


class Loader:
    """Modules of `oracles.inside`, loaded as the agent does."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._loaded: dict[str, ModuleType] = {}

    def __call__(self, name: str) -> Any:
        if name not in self._loaded:
            module = ModuleType(f"_deskcheck_inside_{name}")
            path = f"{self._folder}/{name}.py"
            SourceFileLoader(module.__name__, path).exec_module(module)
            self._loaded[name] = module
        return self._loaded[name]


class Plain:
    """Nothing is counted."""

    def __init__(self, code: CodeType, counter: Any = None) -> None:
        self.code = code
        self._counter = counter

    def begin(self) -> None:
        if self._counter is not None:
            self._counter.begin()

    def end(self) -> None:
        if self._counter is not None:
            self._counter.end()

    def says(self) -> dict[str, Any]:
        return {}


class Events(Plain):
    """The reference: how many INSTRUCTION events."""

    def __init__(self, load: Loader, code: CodeType) -> None:
        super().__init__(code, load("counting").NativeCounter(FILENAME))

    def says(self) -> dict[str, Any]:
        return {"total": self._counter.opcodes}


class EventsByOffset(Plain):
    """INSTRUCTION events by code and offset, written down without any Python frame."""

    def __init__(self, load: Loader, code: CodeType) -> None:
        self._instruction = load("counting").events.INSTRUCTION
        super().__init__(code, load("counting").OwnCode(FILENAME, self._instruction))
        self._written = io.StringIO()

    def begin(self) -> None:
        self._counter.begin({self._instruction: functools.partial(print, file=self._written)})

    def says(self) -> dict[str, Any]:
        codes = {f"{id(code):#x},": code for code in self._counter._seen.values()}
        self._written.seek(0)
        heard: Counter[tuple[str, str]] = Counter()
        for line in self._written:
            address, offset = line.partition(" at 0x")[2], line.rpartition(" ")[2]
            heard[f"0x{address.partition(' ')[0]}", offset] += 1
        found: Counter[Key] = Counter()
        for (address, offset), count in heard.items():
            code = codes[address]
            where = (code.co_qualname, code.co_firstlineno, code.co_linetable)
            found[where, int(offset)] += count
        return {"offsets": _rows(found)}


class Itself(Plain):
    """The program's rewritten bytecode."""

    def __init__(self, load: Loader, code: CodeType, *, anyhow: bool = False) -> None:
        fast_counting = load("fast_counting")
        if anyhow:
            fast_counting.telling = lambda _bytecode, _code: ""
        began = time.process_time()
        counter = fast_counting.FastCounter(load, code, FILENAME)
        self._setup_s = time.process_time() - began
        super().__init__(counter.code, counter)

    def says(self) -> dict[str, Any]:
        counter = self._counter
        certain = not counter.problem and not counter.reference
        return {
            "total": counter.opcodes,
            "reference": counter.reference,
            "problem": counter.problem,
            "offsets": _rows(counter.by_offset() if certain else {}),
            "setup_s": self._setup_s,
        }


def _rows(found: dict[Key, int]) -> list[list[Any]]:
    return sorted(
        [name, line, table.hex(), offset, count]
        for ((name, line, table), offset), count in found.items()
    )


def run_here(watched: Plain) -> dict[str, Any]:
    """As the agent runs a program, in this very process."""
    module = ModuleType("__main__")
    module.__dict__.update(__builtins__=__builtins__, __file__=FILENAME, __annotations__={})
    sys.modules["__main__"] = module
    sys.argv[:] = [FILENAME]
    gc.collect()
    gc.freeze()
    watched.begin()
    began = time.process_time()
    status: Any = 0
    try:
        exec(watched.code, module.__dict__)
    except SystemExit as stop:
        status = stop.code
    except BaseException as error:
        status = 1
        own = error.__traceback__.tb_next if error.__traceback__ else None
        traceback.print_exception(type(error), error.with_traceback(own), own)
    took = time.process_time() - began
    if "threading" in sys.modules:
        sys.modules["threading"]._shutdown()
    with contextlib.suppress(BaseException):
        atexit._run_exitfuncs()
    watched.end()
    return {"status": repr(status), "run_s": took} | watched.says()


def run(make: Callable[[], Plain], stdin: bytes, source: bytes) -> dict[str, Any]:
    """Run in a child: what it printed, and what its watcher says."""
    folder = tempfile.mkdtemp()  # no TemporaryDirectory: the child's exit functions would remove it
    try:
        given, out, err, said = (Path(folder) / name for name in ("in", "out", "err", "said"))
        given.write_bytes(stdin)
        sys.stdout.flush()
        child = os.fork()
        if not child:
            try:
                for number, path in enumerate((given, out, err)):
                    flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_APPEND
                    os.dup2(os.open(path, flags), number)
                Path(folder, FILENAME).write_bytes(source)  # tracebacks show its lines
                os.chdir(folder)
                signal.alarm(SECONDS)
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                kept.extend((sys.stdin, sys.stdout, sys.stderr))  # freed, they would close files
                for number, name in enumerate(("stdin", "stdout", "stderr")):
                    mode, lines = "w" if number else "r", 1 if number == 2 else -1
                    stream = io.open(number, mode, lines, encoding="utf-8")  # noqa: UP020, SIM115
                    setattr(sys, name, stream)
                    setattr(sys, f"__{name}__", stream)
                answer = run_here(make())
                with contextlib.suppress(BaseException):
                    sys.stdout.flush()
                said.write_text(json.dumps(answer))
            except BaseException:
                said.write_text(json.dumps({"failed": traceback.format_exc()}))
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        answer = {"failed": "no answer"}
        if said.exists():
            answer = json.loads(said.read_text())
        outputs = [_without_addresses(path) for path in (out, err)]
    finally:
        shutil.rmtree(folder)
    return answer | {"output": outputs}


def _without_addresses(path: Path) -> str:
    text = path.read_bytes().decode("latin-1") if path.exists() else ""
    return re.sub("0x[0-9a-f]+", "0x", text)


def compare(
    load: Loader, source: bytes, stdin: bytes, *, anyhow: bool = False, mute: bool = False
) -> dict[str, Any]:
    """What the runs of one program say, and `differ`, which is empty where they agree.

    With `anyhow` it counts itself even where it may see that; with `mute` no output is compared.
    """
    try:
        code = compile(source, FILENAME, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return {"differ": [], "skipped": f"does not compile: {error}"}
    events = run(lambda: Events(load, code), stdin, source)
    itself = run(lambda: Itself(load, code, anyhow=anyhow), stdin, source)
    answer: dict[str, Any] = {
        "total": itself.get("total"),
        "reference": itself.get("reference", ""),
        "setup_s": itself.get("setup_s"),
        "differ": [],
        "skipped": "",
    }
    differ: list[str] = answer["differ"]
    if "failed" in events:
        answer["skipped"] = f"the reference: {events['failed']}"
        return answer
    if "failed" in itself or itself["problem"]:
        differ.append(f"problem: {itself.get('problem') or itself['failed']}")
        return answer
    if mute:
        events["output"] = itself["output"] = []
    for title in ("total", "status", "output"):
        if events[title] != itself[title]:
            differ.append(f"{title}: {events[title]} by events, {itself[title]} by itself")
    if not mute:
        plain = run(lambda: Plain(code), stdin, source)
        if plain.get("output") != itself["output"]:
            differ.append(f"output: {plain.get('output')} plainly, {itself['output']} by itself")
    if events["total"] <= MOST_EVENTS and not itself["reference"]:
        by_offset = run(lambda: EventsByOffset(load, code), stdin, source)
        if by_offset.get("offsets") != itself["offsets"]:
            heard = {json.dumps(row) for row in by_offset.get("offsets", [])}
            solved = {json.dumps(row) for row in itself["offsets"]}
            differ.append(
                f"heard {sorted(heard - solved)[:5]}, solved {sorted(solved - heard)[:5]}"
            )
    return answer


def main(inside: str, *paths: str) -> None:
    load = Loader(inside)
    for name in ("counting", "fast_counting", "bytecode", "flow", "rewriting"):
        load(name)
    for path in paths:
        given = Path(path).with_suffix(".in")
        stdin = given.read_bytes() if given.exists() else b""
        print(path, json.dumps(compare(load, Path(path).read_bytes(), stdin)), flush=True)
    if not paths:
        for line in sys.stdin:
            asked = json.loads(line)
            source, stdin = (asked.pop(name).encode("latin-1") for name in ("source", "stdin"))
            answer = compare(load, source, stdin, **asked)
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
