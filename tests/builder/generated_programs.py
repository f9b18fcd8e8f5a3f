"""A Hypothesis strategy: whole programs that end, print the same every time, and mix constructs.

Every scope that holds a loop can read `clock` (a list that nearly every iteration changes),
`seen` (a set of ints), `total` and `acc` (ints), so those four are fields of any checkpoint.
Programs end by construction: each loop has a bound of its own that nothing in its body undoes,
and functions call nothing but themselves, with less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
FIELD_NAMES = ("clock", "seen", "total", "acc")


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """A program and what it is made of."""

    source: bytes
    constructs: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scope:
    """Where a statement stands: what it may use there."""

    function: bool = False
    loop: bool = False
    """`break` and `continue` are legal."""
    depth: int = 0
    """Loops around it in its scope."""
    leave: str = ""
    """A statement that leaves the function, where there is one."""
    no_break: bool = False


class _Writer:
    """Draws the statements of one program and writes them down."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw
        self._lines: list[str] = []
        self._level = 0
        self._names = 0
        self._comments = False
        self._unit = "    "
        self.constructs: set[str] = set()

    # Choices and text

    def below(self, n: int) -> int:
        return self._draw(st.integers(0, n - 1))

    def one_of(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def has(self, construct: str) -> None:
        self.constructs.add(construct)

    def name(self, stem: str) -> str:
        self._names += 1
        return f"{stem}{self._names}"

    def line(self, text: str) -> None:
        number = len(self._lines)
        if self._comments and number % 6 == 5:
            self.has("comment at an odd place")
            self._lines.append(self._unit * (number % 4) + "# for i in range(9): a comment")
        if self._comments and number % 11 == 10:
            self._lines.append(self._unit * 2)
        self._lines.append(self._unit * self._level + text)

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        self.line(header)
        self._level += 1
        yield
        self._level -= 1

    # Statements

    def step(self) -> None:
        """One simple statement that changes `acc`, `seen` or the clock."""
        match self.below(7):
            case 0:
                self.has("semicolons")
                self.line("clock[0] += 1; acc = (acc * 3 + 1) % 997;")
            case 1:
                self.line(f"seen.add(acc % {self.below(40) + 7})")
            case 2:
                self.has("comprehension")
                self.line(f"acc += sum([x * acc % 5 for x in range({self.below(4)}) if x])")
            case 3:
                self.has("lambda")
                self.line("acc = (lambda value, by=2: value * by % 499)(acc + 1)")
            case 4:
                self.has("string over lines")
                self.line('acc += len("""of\nseveral lines""")')
            case 5:
                self.line("print(acc, clock[0])")
            case _:
                self.line(f"acc = (acc * {self.below(9) + 2} + {self.below(30)}) % 1009")

    def first(self) -> None:
        """The first statement of a loop's body."""
        match self.below(9):
            case 0:
                self.has("semicolon line first")
                self.line("clock[0] += 1; acc += 1")
            case 1:
                self.has("decorator first in a body")
                inner = self.name("inner")
                self.line("@keep")
                with self.block(f"def {inner}(value=1):"):
                    self.line("return value")
                self.line(f"clock[0] += {inner}()")
            case 2:
                self.has("parenthesis first in a body")
                self.line("(clock.append(acc % 3) if len(clock) < 9 else None)")
                self.line("clock[0] += 1")
            case 3:
                self.has("string first in a body")
                self.line('"""not a docstring"""')
                self.line("clock[0] += 1")
            case 4:
                self.has("if line first in a body")
                self.line("if acc % 2: acc += 1")
                self.line("clock[0] += 1")
            case 5:
                self.line("# a comment first")
                self.line("clock[0] += 1  # and one behind")
            case _:
                self.line("clock[0] += 1")

    def body(self, scope: _Scope) -> None:
        for _ in range(1 + self.below(2)):
            kind = self.below(10)
            if kind < 5:
                self.step()
            elif kind == 5 and scope.loop:
                self.jump(scope)
            elif kind == 6:
                self.try_statement(scope)
            elif kind == 7:
                self.with_statement(scope)
            elif kind == 8:
                self.match_statement(scope)
            elif scope.depth < 2:
                self.loop(scope)
            else:
                self.step()

    def jump(self, scope: _Scope) -> None:
        test = f"acc % {self.below(4) + 2} == {self.below(2)}"
        choices = ["continue"]
        if not scope.no_break:
            choices.append("break")
        if scope.leave:
            choices += [scope.leave, scope.leave]
        jump = self.one_of(choices)
        self.has(f"{jump.split()[0]} in a loop")
        if self.below(2):
            self.line(f"if {test}: {jump}")
        else:
            with self.block(f"if {test}:"):
                self.line(jump)

    def try_statement(self, scope: _Scope) -> None:
        self.has("try")
        with self.block("try:"):
            self.step()
            self.line(f"if acc % 3 == {self.below(3)}: raise KeyError(acc)")
            if scope.loop and self.below(2):
                self.has("jump through finally")
                self.jump(scope)
        if self.below(2):
            with self.block(self.one_of(["except KeyError as error:", "except BaseException:"])):
                self.step()
            if self.below(2):
                with self.block("else:"):
                    self.step()
            if not self.below(2):
                return
        else:
            with self.block("except (KeyError, ValueError):"):
                self.line("acc += 1")
        self.has("finally")
        with self.block("finally:"):
            self.step()

    def with_statement(self, scope: _Scope) -> None:
        self.has("with")
        with self.block("with Quiet() as held, Quiet():"):
            self.line("acc += held")
            if self.below(2):
                self.line("if acc % 4 == 0: raise KeyError")
            if scope.loop and self.below(2):
                self.has("jump through with")
                self.jump(scope)

    def match_statement(self, scope: _Scope) -> None:
        self.has("match")
        with self.block("match (acc % 5, clock[0] % 2):"):
            with self.block("case (0, _):"):
                self.step()
            with self.block("case (1 | 2, odd) if odd:"):
                if scope.loop:
                    self.jump(scope)
                else:
                    self.step()
            with self.block("case [_, *rest]:"):
                self.line("acc += len(rest)")

    # Loops

    def loop(self, scope: _Scope, *, awaited: bool = False) -> None:
        if scope.depth:
            self.has("nested loop")
        inner = replace(scope, loop=True, depth=scope.depth + 1, no_break=False)
        if awaited:
            self.has("async for")
            with self.block(f"async for item in ticks({2 + self.below(3)}):"):
                self.first()
                self.line("acc += item")
                self.body(inner)
            self.otherwise(scope)
            return
        kind = self.below(6)
        if kind == 0:
            self.one_line_loop(scope)
            return
        if kind < 3:
            self.while_loop(inner)
        else:
            self.for_loop(inner)
        self.otherwise(scope)
        if self.below(4) == 0:
            self._lines.append(self._unit * (self._level + 1) + "# after the loop's last statement")
            self.has("comment after the last statement")

    def otherwise(self, scope: _Scope) -> None:
        match self.below(5):
            case 0:
                self.has("else of a loop")
                with self.block("else:"):
                    self.step()
                    self.line("acc += 1")
            case 1:
                self.has("else of a loop")
                self.line("else: acc += 100; clock[0] += 1")
            case 2 if scope.depth == 0:
                self.has("loop in an else")
                self.has("else of a loop")
                with self.block("else:"):
                    self.one_line_loop(replace(scope, depth=2))

    def for_loop(self, inner: _Scope) -> None:
        self.has("for")
        n = 1 + self.below(5)
        headers = (
            f"for i in range({n}):",
            "for i, value in enumerate([4, 2, acc % 7]):",
            "for a, (b, *c) in [(1, (2, 3)), (acc, (5,))]:",
            "for acc in (3, 1, 2):",
            "for i in sorted({acc % 3, 8, 5}):",
            f"for i in (\n  range({n})  # in parentheses\n):",
            f"for i in \\\n      range({n}):",
            f"for i in (x * x for x in range({n})):",
            "for i in acc % 3, 7:",
        )
        with self.block(self.one_of(headers) + self.one_of(["", "", "  # why"])):
            self.first()
            self.body(inner)

    def while_loop(self, inner: _Scope) -> None:
        self.has("while")
        left = self.name("left")
        self.line(f"{left} = {2 + self.below(5)}")
        match self.below(5):
            case 0:
                self.has("while True")
                with self.block(f"while {self.one_of(['True', '1'])}:"):
                    self.first()
                    self.line(f"{left} -= 1")
                    if self.below(2):
                        self.line(f"if {left} < 1: break")
                    else:
                        with self.block(f"if not {left}:"):
                            self.line("acc += 1")
                            self.line("break")
                    self.body(inner)
            case 1:
                self.has("walrus")
                with self.block(f"while ({left} := {left} - 1) > 0:"):
                    self.first()
                    self.body(inner)
            case 2:
                self.has("while 0")
                with self.block("while 0:"):
                    self.first()
                    self.body(inner)
            case _:
                with self.block(f"while {left} > 0 and not clock[0] < 0:"):
                    self.first()
                    self.line(f"{left} -= 1")
                    self.body(inner)

    def one_line_loop(self, scope: _Scope) -> None:
        self.has("one-line body")
        left = self.name("left")
        gap = self.one_of([" ", " ", "", "  ", "\t"])
        match self.below(6):
            case 0:
                self.line(f"for i in range(4):{gap}clock[0] += 1; acc += i")
            case 1:
                self.line(f"{left} = {2 + self.below(3)}")
                self.line(f"while {left}:{gap}{left} -= 1; clock[0] += {left}")
            case 2:
                self.line(f"for i in range(5):{gap}pass  # nothing")
            case 3:
                self.line(f"for acc in 3, 4, 9:{gap}continue;")
            case 4:
                self.line(f"while True:{gap}break")
            case _:
                self.line(f"for i in range(3):{gap}seen.add(acc + i); clock[0] += 1; acc += 2")

    # Blocks of a whole program

    def functions(self) -> None:
        self.has("function")
        name = self.name("work")
        with self.block(f"def {name}(acc, by=3):"):
            scope = _Scope(function=True, leave="return acc % 31")
            if self.below(2):
                with self.block("for i in range(4):"):
                    self.first()
                    self.jump(replace(scope, loop=True))
            self.loop(scope)
            self.body(_Scope(function=True))
            self.line("return acc + by")
        self.line(f"total += {name}({self.below(20)})")
        with self.block("for turn in range(3):"):
            self.line(f"acc += {name}(turn, by=acc % 5)")

    def one_line_function(self) -> None:
        self.has("one-line function")
        name = self.name("brief")
        with self.block(f"def {name}(acc):"):
            self.line("while acc > 3: acc //= 2; clock[0] += 1")
            with self.block("while 0:"):
                self.has("while 0")
                self.first()
            self.line("return acc")
        self.line(f"total += {name}(100) + {name}(7)")

    def generators(self) -> None:
        self.has("generators that take turns")
        self.has("generator left suspended")
        name, held = self.stream(), self.name("held")
        with self.block(f"for one, other in zip({name}(3), {name}(8)):"):
            self.line("total += one * other % 17")
        self.line(f"{held} = {name}(5)")
        self.line(f"total += {held}.__next__() + {held}.__next__()")
        self.line(f"total += sum(value for value in {name}(4) if value % 2)")

    def generator_chain(self) -> None:
        self.has("yield from")
        name, chain = self.stream(), self.name("chain")
        with self.block(f"def {chain}(acc):"):
            self.line(f"yield from {name}(acc)")
            with self.block("for i in range(2):"):
                self.line("clock[0] += 1")
                self.line(f"acc += (yield from {name}(i)) or 1")
        self.line(f"total += sum({chain}(6))")

    def stream(self) -> str:
        self.has("generator")
        name = self.name("stream")
        with self.block(f"def {name}(acc):"):
            with self.block("for i in range(4):"):
                self.first()
                self.line("acc = (acc * 7 + i) % 101")
                self.line("got = yield acc")
                self.body(_Scope(function=True, loop=True, depth=1, no_break=True))
            self.otherwise(_Scope(function=True, depth=1))
        return name

    def recursion(self) -> None:
        self.has("recursion")
        name = self.name("descend")
        with self.block(f"def {name}(acc, level):"):
            with self.block("for i in range(3):"):
                self.first()
                self.line(f"if level: acc += {name}(acc % 10 + i, level - 1)")
                self.body(_Scope(function=True, loop=True, depth=2, leave="return acc"))
            self.line("return acc % 97")
        self.line(f"total += {name}(1, 2)")

    def classes(self) -> None:
        self.has("class Solution and its methods")
        with self.block("class Solution:"):
            self.line('"""Its state, and what changes it."""')
            self.line("acc = 3")
            with self.block("def __init__(self, start):"):
                self.line("self.value = self.__hidden = start")
            with self.block("def run(self, acc):"):
                self.loop(_Scope(function=True, leave="return self.value"))
                self.line("self.value += acc + self.__hidden")
                self.line("return acc")
            self.line("@staticmethod")
            with self.block("def still(acc=1):"):
                self.loop(_Scope(function=True, depth=1))
                self.line("return acc")
        machine = self.name("machine")
        self.line(f"{machine} = Solution({self.below(9)})")
        with self.block("for turn in range(2):"):
            self.line(f"total += {machine}.run(turn) + Solution.still()")
        self.line(f"print({machine}.value, Solution.acc)")

    def class_body_loop(self) -> None:
        self.has("loop in a class body")
        name = self.name("Table")
        with self.block(f"class {name}:"):
            self.line("acc = 3")
            self.loop(_Scope(depth=1))
            self.line("def size(self): return self.acc")
        self.line(f"total += {name}().size()")

    def closures(self) -> None:
        self.has("closure and nonlocal")
        name = self.name("outer")
        with self.block(f"def {name}(acc):"):
            with self.block("def inner(count):"):
                self.line("nonlocal acc")
                self.loop(_Scope(function=True, leave="return count"))
                self.line("return acc + count")
            with self.block("for i in range(2):"):
                self.first()
                self.line("acc += inner(i) % 50")
            self.line("return acc")
        self.line(f"total += {name}({self.below(6)})")

    def global_statement(self) -> None:
        self.has("global")
        name = self.name("shared")
        with self.block(f"def {name}(acc):"):
            self.line("global total, clock")
            with self.block("for i in range(3):"):
                self.first()
                self.line("total += acc + i")
                self.line("clock = clock + [i] if len(clock) < 12 else clock")
                self.body(_Scope(function=True, loop=True, depth=1, leave="return acc"))
            self.line("return acc")
        self.line(f"acc += {name}(acc)")

    def returns_through_finally(self) -> None:
        self.has("return through finally")
        name = self.name("leave")
        with self.block(f"def {name}(acc):"):
            with self.block("for i in range(5):"):
                self.first()
                with self.block("try:"):
                    self.line(f"if acc % 5 == {self.below(5)}: return acc")
                    self.line(f"if acc % 7 == {self.below(7)}: break")
                    self.line("acc += 3")
                    self.line("if acc % 11 == 1: continue")
                    self.line("acc += 1")
                with self.block("finally:"):
                    self.line("seen.add(i)")
                    if self.below(2):
                        self.line("for j in range(2): clock[0] += 1; acc += j")
            self.otherwise(_Scope(function=True, depth=1))
            self.line("return -acc")
        self.line(f"total += {name}(1) + {name}(4)")

    def exception_around(self) -> None:
        self.has("except BaseException around a loop")
        with self.block("try:"), self.block("for i in range(6):"):
            self.first()
            self.line(f"if i == {1 + self.below(6)}: raise SystemExit(3)")
            self.line("acc += 1")
        with self.block("except BaseException as error:"):
            self.line("acc += 2")
        with self.block("finally:"):
            self.loop(_Scope(depth=1))

    def exception_group(self) -> None:
        self.has("except*")
        with self.block("try:"), self.block("for i in range(3):"):
            self.first()
            self.line("if acc % 2: raise ExceptionGroup('two', [KeyError(1), ValueError(2)])")
        with self.block("except* KeyError:"):
            self.line("for i in range(2): clock[0] += 1")
        with self.block("except* ValueError:"):
            self.line("acc += 1")

    def asynchronous(self) -> None:
        self.has("async")
        name = self.name("fetch")
        with self.block(f"async def {name}(acc):"):
            self.loop(_Scope(function=True, leave="return acc"), awaited=True)
            with self.block("async with Slow() as held:"), self.block("for i in range(2):"):
                self.line("clock[0] += 1")
                self.line("acc += await pause(i)")
            self.line("return acc + sum([x async for x in ticks(2)])")
        self.line(f"total += finish({name}({self.below(9)}))")

    def decorators(self) -> None:
        self.has("decorator")
        name = self.name("decorated")
        self.line("@keep")
        self.line("@(lambda f: f)")
        with self.block(f"def {name}(acc):"):
            self.loop(_Scope(function=True, leave="return 5"))
            self.line("return acc")
        self.line(f"total += {name}(2)")

    def star_import(self) -> None:
        self.has("star import")
        self.line("from math import *")
        self.line("acc += floor(sqrt(acc % 50 + 1))")
        self.loop(_Scope())

    def rebound(self) -> None:
        self.has("rebound builtin")
        match self.below(4):
            case 0:
                self.line("next = acc % 5")
            case 1:
                self.line("def next(value): return value")
                self.line("acc = next(acc)")
            case 2:
                self.line("sorted = lambda values: list(values)[::-1]")
            case _:
                self.line("shown = print")
                self.line("def print(*values): shown('>', *values)")
                self.line("class sorted(list): pass")
        self.loop(_Scope())

    def taken_names(self) -> None:
        self.has("taken names")
        self.line("body_visits = loop_ends = visit_count = state_json = 7  # not stop_here")
        self.line("def stop_with(state, write_bytes=2): return state + write_bytes")
        self.line("total += stop_with(body_visits) + loop_ends")
        self.loop(_Scope())

    def comprehensions(self) -> None:
        self.has("comprehension")
        self.has("walrus")
        self.line("table = {i: [j * i for j in range(3)] for i in range(4)}")
        self.line("acc += sum(kept for row in table.values() if (kept := sum(row) % 7))")
        self.line("seen |= {value for row in table.values() for value in row}")
        self.loop(_Scope())

    def line_before(self) -> None:
        self.has("if line before a loop")
        self.line("if acc: clock[0] += 1")
        self.loop(_Scope())

    def module_loops(self) -> None:
        self.has("loop at module level")
        if self.below(2):
            self.line_before()
        self.loop(_Scope())
        self.line("total += acc")

    def blocks(self) -> None:
        """A loop some blocks deep, so that it ends where they end."""
        self.has("loop deep in blocks")
        with self.block("if clock is not None:"), self.block("with Quiet():"):
            self.loop(_Scope())
        with self.block("if acc < 0:"):
            self.line("acc = 0")
        with self.block("elif acc % 2:"):
            self.loop(_Scope(depth=1))
        with self.block("else:"):
            self.loop(_Scope(depth=1))

    def whole(self, features: Sequence[Callable[[_Writer], None]]) -> bytes:
        self._unit = self.one_of(["    ", "    ", "\t", "  ", " "])
        self.has({"\t": "tabs", " ": "one space"}.get(self._unit, "spaces"))
        self._comments = bool(self.below(2))
        newline = self.one_of(["\n", "\n", "\r\n"])
        self.has("LF" if newline == "\n" else "CRLF")
        self.head()
        top = len(self._lines)
        for feature in features:
            feature(self)
            if self.below(4) == 0:
                self.line("print(total, acc)")
        self.tail()
        self._lines[top:top] = self.prelude()
        text = newline.join("\n".join(self._lines).split("\n"))
        if self.below(3):
            text += newline
        else:
            self.has("no final newline")
        if self.below(4) == 0:
            self.has("BOM")
            return b"\xef\xbb\xbf" + text.encode()
        return text.encode()

    def head(self) -> None:
        if self.below(4) == 0:
            self.line("# -*- coding: utf-8 -*-  é")
        if self.below(3) == 0:
            self.has("docstring")
            self.line('"""What the program is for:\n\n    it has lines.\n"""')
        if self.below(3) == 0:
            self.has("future import")
            self.line("from __future__ import annotations")
        if self.below(4) == 0:
            self.line("import sys, os.path as path; from functools import partial")

    def prelude(self) -> list[str]:
        """What all programs begin with, and what only some constructs need."""
        parts = ["clock, seen, total, acc = [0], {5}, 0, 1"]
        if self.constructs & {"decorator", "decorator first in a body"}:
            parts.append(KEEP)
        if self.constructs & {"with", "loop deep in blocks"}:
            parts.append(QUIET)
        if "async" in self.constructs:
            parts.append(ASYNCHRONOUS)
        return [part.replace("    ", self._unit) for part in parts]

    def tail(self) -> None:
        match self.below(5):
            case 0:
                self.has("loop as the last statement")
                self.line("print(clock, total, acc, len(seen))")
                self.loop(_Scope())
            case 1:
                self.has("exit in a loop")
                with self.block("for i in range(4):"):
                    self.first()
                    self.line("print(clock, total, acc, len(seen))")
                    self.line("if i: raise SystemExit")
            case 2:
                self.has("one-line loop as the last statement")
                self.line("print(clock, total, acc, len(seen))")
                self.line("for i in range(3): print(i); clock[0] += 1")
            case _:
                self.line("print(clock, total, acc, sum(seen))")


KEEP = """\
def keep(function):
    return function
"""

QUIET = """\
class Quiet:
    def __enter__(self):
        return 2

    def __exit__(self, kind, error, trace):
        return kind is KeyError
"""

ASYNCHRONOUS = """\
class Slow:
    async def __aenter__(self):
        return self

    async def __aexit__(self, *error):
        await pause(0)


class Pause:
    def __await__(self):
        yield


async def pause(value):
    await Pause()
    return value


async def ticks(count):
    acc = count
    for i in range(count):
        clock[0] += 1
        await pause(i)
        yield i


def finish(coroutine):
    acc = 0
    while True:
        acc += 1
        try:
            coroutine.send(None)
        except StopIteration as done:
            return done.value
"""

FEATURES: tuple[Callable[[_Writer], None], ...] = (
    _Writer.functions,
    _Writer.one_line_function,
    _Writer.generators,
    _Writer.generator_chain,
    _Writer.recursion,
    _Writer.classes,
    _Writer.class_body_loop,
    _Writer.closures,
    _Writer.global_statement,
    _Writer.returns_through_finally,
    _Writer.exception_around,
    _Writer.exception_group,
    _Writer.asynchronous,
    _Writer.decorators,
    _Writer.star_import,
    _Writer.rebound,
    _Writer.taken_names,
    _Writer.comprehensions,
    _Writer.line_before,
    _Writer.module_loops,
    _Writer.blocks,
)


@st.composite
def programs(draw: st.DrawFn, number: int) -> Generated:
    """A program of about eighty lines, in UTF-8.

    `number` chooses three of its features, and everything else is drawn: over consecutive numbers
    each feature has its turn equally often, which draws alone would not give.
    """
    writer = _Writer(draw)
    turn, first = divmod(number, len(FEATURES))
    chosen = [first, first + 1 + turn % 9, first + 11 + turn % 8]
    source = writer.whole([FEATURES[index % len(FEATURES)] for index in chosen])
    return Generated(source=source, constructs=frozenset(writer.constructs))
