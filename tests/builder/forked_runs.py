"""Many small programs run in turn, each in a fork of one waiting process.

A fork costs a millisecond or two where a fresh interpreter costs fifty. What a program writes to
standard output, by any route, and the status it ends with are those of a run of its own.

Three ways to run: `run` as it stands; `count` with calls written into its syntax tree at every
loop boundary, which tell the value of four variables there; `observe` under the second oracle.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import types
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAME = "program.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """`report` is what `count` or `observe` found out, else None."""

    stdout: bytes
    status: int
    report: Any


@dataclass(frozen=True, slots=True)
class Visit:
    """One boundary of one loop: `before`, `inside` or `post`.

    Loops are numbered in source order from 0, activations from 1, iterations from 1 in each.
    """

    loop: int
    place: str
    activation: int
    iteration: int
    clock: list[int]
    seen: list[int]
    total: int
    acc: int


class Forks:
    """The waiting process; `with Forks(executable) as forks`."""

    def __init__(self, executable: str) -> None:
        self._executable = executable

    def __enter__(self) -> Forks:
        self._process = subprocess.Popen(
            [self._executable, "-s", "-P", "-B", __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"PYTHONHASHSEED": "1", "PYTHONUTF8": "1", "PATH": "/usr/bin:/bin"},
        )
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.communicate()

    def _ask(self, mode: str, source: bytes, job: Any = None) -> Ran:
        assert self._process.stdin is not None and self._process.stdout is not None
        question = json.dumps({"mode": mode, "source": source.decode("latin-1"), "job": job})
        self._process.stdin.write(question.encode() + b"\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        stdout = answer["stdout"].encode("latin-1")
        return Ran(stdout=stdout, status=answer["status"], report=answer["report"])

    def run(self, source: bytes) -> Ran:
        return self._ask("run", source)

    def run_in_turn(self, sources: Sequence[bytes]) -> list[Ran]:
        """Programs that do not end their process, in one fork, each with names of its own."""
        texts = [source.decode("latin-1") for source in sources]
        return [
            Ran(stdout=stdout.encode("latin-1"), status=status, report=None)
            for stdout, status in self._ask("in turn", b"", texts).report
        ]

    def count(self, source: bytes) -> tuple[list[Visit], Ran]:
        ran = self._ask("count", source)
        return [Visit(*row) for row in ran.report], ran

    def observe(
        self, source: bytes, agent: Path, wanted: Sequence[Sequence[Any]], names: Sequence[str]
    ) -> Ran:
        """`wanted` holds (loop offset, place, activation, iteration)."""
        job = {
            "wanted": [list(moment) for moment in wanted],
            "names": {str(moment[0]): list(names) for moment in wanted},
            "watch": {},
            "keep": 1_000_000,
            "opcodes": False,
            "state_budget": 0,
            "value_budget": 4_000,
            "boundary_limit": 1_000_000,
        }
        return self._ask("observe", source, {"agent": str(agent), "job": job})


def serve() -> None:
    """Answer questions until there are no more; each in a process of its own."""
    for line in sys.stdin.buffer:
        question = json.loads(line)
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as report:
            child = os.fork()
            if child == 0:
                become(question, output.fileno(), report.fileno())
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            output.seek(0)
            report.seek(0)
            told = report.read()
            answer = {
                "stdout": output.read().decode("latin-1"),
                "status": status,
                "report": json.loads(told) if told else None,
            }
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def become(question: Any, output: int, report: int) -> None:
    """In the fork: be the program and leave; never returns."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(output, 1)
    source = question["source"].encode("latin-1")
    told: Any = None
    if question["mode"] == "observe":
        told, status = observed(source, question["job"])
    elif question["mode"] == "in turn":
        told, status = executed_in_turn(question["job"], output), 0
    elif question["mode"] == "count":
        visits: list[list[Any]] = []
        status = executed(with_calls(source), {"tell_visit": Teller(visits)})
        told = visits
    else:
        status = executed(compile(source, NAME, "exec", dont_inherit=True), {})
    sys.stdout.flush()
    if told is not None:
        os.write(report, json.dumps(told).encode())
    os._exit(status)


def executed_in_turn(sources: list[str], output: int) -> list[tuple[str, int]]:
    done: list[tuple[str, int]] = []
    modules = []  # kept, so that nothing a generator does when it is closed mixes with the next
    for source in sources:
        os.lseek(output, 0, os.SEEK_SET)
        os.ftruncate(output, 0)
        code = compile(source.encode("latin-1"), NAME, "exec", dont_inherit=True)
        status = executed(code, {})
        modules.append(sys.modules["__main__"])
        sys.stdout.flush()
        os.lseek(output, 0, os.SEEK_SET)
        with open(output, "rb", closefd=False) as written:
            done.append((written.read().decode("latin-1"), status))
    return done


def executed(code: types.CodeType, names: dict[str, Any]) -> int:
    module = types.ModuleType("__main__")
    module.__dict__.update(names)
    sys.modules["__main__"] = module
    try:
        exec(code, module.__dict__)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException as error:
        sys.__excepthook__(type(error), error, error.__traceback__)
        return 1
    return 0


def observed(source: bytes, asked: dict[str, Any]) -> tuple[Any, int]:
    """Run under the second oracle's own code."""
    spec = importlib.util.spec_from_file_location("agent", asked["agent"])
    assert spec is not None and spec.loader is not None
    agent = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(agent)
    session = agent.load("session")
    sys.argv[:] = [NAME]
    prepared = session.prepare(agent.load, "observe", NAME, source)
    observer = session.Observe(agent.load, asked["job"], NAME, prepared)
    status = session.run(observer)
    return observer.facts(), status


class Teller:
    """What the calls in the syntax tree reach: numbers activations and notes each visit."""

    def __init__(self, visits: list[list[Any]]) -> None:
        self._visits = visits
        self._entries: dict[int, int] = {}

    def enter(self, loop: int, *values: Any) -> list[int]:
        self._entries[loop] = self._entries.get(loop, 0) + 1
        entry = [loop, self._entries[loop], 0]
        self._note(entry, "before", values)
        return entry

    def inside(self, entry: list[int], *values: Any) -> None:
        entry[2] += 1
        self._note(entry, "inside", values)

    def post(self, entry: list[int], *values: Any) -> None:
        self._note(entry, "post", values)

    def _note(self, entry: list[int], place: str, values: Sequence[Any]) -> None:
        clock, seen, total, acc = values
        iteration = entry[2] if place == "inside" else 0
        state = [list(clock), sorted(seen), total, acc]
        self._visits.append([entry[0], place, entry[1], iteration, *state])


LOOPS = (ast.For, ast.AsyncFor, ast.While)


def with_calls(source: bytes) -> types.CodeType:
    """The program with a call before, inside and after each loop, in its own scope."""
    tree = ast.parse(source, NAME)
    loops = [node for node in ast.walk(tree) if isinstance(node, LOOPS)]
    loops.sort(key=lambda node: (node.lineno, node.col_offset))
    numbers = {node: number for number, node in enumerate(loops)}
    for node in list(ast.walk(tree)):
        for field in ("body", "orelse", "finalbody"):
            statements = getattr(node, field, None)
            if isinstance(statements, list):
                setattr(node, field, [new for old in statements for new in told(old, numbers)])
    return compile(ast.fix_missing_locations(tree), NAME, "exec", dont_inherit=True)


def told(statement: ast.stmt, numbers: dict[Any, int]) -> list[ast.stmt]:
    number = numbers.get(statement)
    if number is None:
        return [statement]
    assert isinstance(statement, LOOPS)
    values = "clock, seen, total, acc"
    entry = f"entry_of_loop_{number}"
    calls = f"""\
{entry} = tell_visit.enter({number}, {values})
tell_visit.inside({entry}, {values})
tell_visit.post({entry}, {values})
"""
    before, inside, after = ast.parse(calls).body
    statement.body.insert(0, inside)
    return [before, statement, after]


if __name__ == "__main__":
    serve()
