"""How often each loop of a Python program turns, counted by calls written into its syntax tree.

It shares nothing with the builder. The program runs in this process, so it must be one of ours.
"""

from __future__ import annotations

import ast
import contextlib
import io
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from unittest import mock


@dataclass(slots=True, kw_only=True)
class Turns:
    """One loop over one run."""

    total: int = 0
    most: int = 0
    """In one activation that ended normally."""


@dataclass(slots=True)
class Counts:
    """One run: what it printed, and its loops by line."""

    printed: str = ""
    failed: bool = False
    loops: dict[int, Turns] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return sum(turns.total for turns in self.loops.values())


class _Counted(ast.NodeTransformer):
    """A call before each loop, at the start of each body, and after each loop."""

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        return self._loop(node)

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        return self._loop(node)

    def _loop(self, node: ast.For | ast.While) -> list[ast.stmt]:
        self.generic_visit(node)
        node.body.insert(0, _call("turn", node.lineno))
        return [_call("enter", node.lineno), node, _call("leave", node.lineno)]


def _call(name: str, line: int) -> ast.stmt:
    (statement,) = ast.parse(f"_counting.{name}({line})").body
    return statement


class _Counting:
    def __init__(self) -> None:
        self.loops: dict[int, Turns] = {}
        self._open: dict[int, list[int]] = {}

    def enter(self, line: int) -> None:
        self._open.setdefault(line, []).append(0)

    def turn(self, line: int) -> None:
        self.loops.setdefault(line, Turns()).total += 1
        self._open[line][-1] += 1

    def leave(self, line: int) -> None:
        turns = self._open[line].pop()
        if turns:
            self.loops[line].most = max(self.loops[line].most, turns)


def count(source: str, stdin: str) -> Counts:
    """The turns of every loop that turned at all, in one run."""
    tree = ast.fix_missing_locations(_Counted().visit(ast.parse(source)))
    counting = _Counting()
    counts = Counts()
    printed = io.StringIO()
    with mock.patch.object(sys, "stdin", io.StringIO(stdin)), contextlib.redirect_stdout(printed):
        try:
            exec(compile(tree, "program", "exec"), {"_counting": counting})
        except Exception:
            counts.failed = True
    counts.printed, counts.loops = printed.getvalue(), counting.loops
    return counts


def eligible(runs: Mapping[str, Counts], *, turns: int = 8, ratio: int = 4) -> bool:
    """Whether, by counts alone, some loop makes a case of two of these runs of a program."""
    clean = {name: run for name, run in runs.items() if not run.failed and run.printed.strip()}
    longest = max(clean.values(), key=lambda run: run.total)
    return any(
        loop.most >= turns
        and any(
            0 < short.loops[line].total * ratio <= loop.total and short.printed != longest.printed
            for short in clean.values()
            if line in short.loops
        )
        for line, loop in longest.loops.items()
    )
