"""Write a checkpoint into a Python program, the way a person would to look at its state.

A counter at the top counts the loop's visits; an `if` at the body's start, or right after the
loop, writes the projection as one JSON line and ends the program. Programs rebind `print` and
`sys.stdout`, so the line is written to descriptor 1 directly; they rebind builtins, so those are
imported under other names where that happens. Only text is inserted: the selected loop's
one-line body is opened up, and every other byte stays.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence
from functools import lru_cache

import libcst as cst

from deskcheck.builder.edits import Edit, apply, insert
from deskcheck.builder.loops import LoopSite
from deskcheck.builder.names import binds, declared_outer
from deskcheck.builder.syntax import Source
from deskcheck.oracles.checkpoints import Checkpoint, Field

_REST_OF_LINE = re.compile(rb"(?:[ \t\x0c;]|\\(?:\r\n|\r|\n))*(?:#[^\r\n]*)?(\r\n|\r|\n|)")
"""What may follow a simple statement: blanks, semicolons, continuations, a comment, its end."""
_IDENTIFIER = re.compile(r"[^\W\d]\w*")


@lru_cache(maxsize=4)
def identifiers(source: Source) -> frozenset[str]:
    """Every word of the source that could be a name, strings and comments included."""
    return frozenset(_IDENTIFIER.findall(source.code.decode("utf-8")))


@lru_cache(maxsize=4)
def rebound_builtins(source: Source) -> frozenset[str]:
    """Names of builtins that the program may give another meaning anywhere."""
    star = any(
        isinstance(node, cst.ImportFrom) and isinstance(node.names, cst.ImportStar)
        for node in source.walk(source.module)
    )
    if star:
        return frozenset(dir(builtins))
    bound = {
        name
        for node in source.walk(source.module)
        for name in (*binds(node), *declared_outer(node))
    }
    return frozenset(bound & set(dir(builtins)))


def instrument(
    source: Source,
    loop: LoopSite,
    checkpoint: Checkpoint,
    fields: Sequence[Field],
    builtins_used: frozenset[str],
) -> bytes:
    """The program with its checkpoint armed: at that visit it prints the fields and ends.

    `builtins_used` are the builtins that the field expressions call.
    """
    return _write(source, loop, checkpoint, checkpoint.visit, fields, builtins_used)


def disarm(
    source: Source,
    loop: LoopSite,
    checkpoint: Checkpoint,
    fields: Sequence[Field],
    builtins_used: frozenset[str],
) -> bytes:
    """The same text but for the visit's number: 0, which no visit has."""
    return _write(source, loop, checkpoint, 0, fields, builtins_used)


def _write(
    source: Source,
    loop: LoopSite,
    checkpoint: Checkpoint,
    visit: int,
    fields: Sequence[Field],
    builtins_used: frozenset[str],
) -> bytes:
    names = _Names(source, builtins_used)
    counter = names.fresh("body_visits" if checkpoint.place == "inside" else "loop_ends")
    stop = names.fresh("stop_with")
    shown = ", ".join(f"{field.name}={names.rename_builtins(field.expression)}" for field in fields)
    lines = [
        names.rename_builtins(f"if next({counter}) == {visit}:"),
        f"{_unit(source)}{stop}({shown})",
    ]
    edits = [_header(source, names.header(counter, stop, _unit(source)))]
    if checkpoint.place == "inside":
        edits.extend(_at_body_start(source, loop, lines))
    else:
        edits.append(_after_loop(source, loop, lines))
    return source.bom + apply(source.code, edits)


class _Names:
    """Names for what is inserted: none occurs in the source, none begins with an underscore."""

    def __init__(self, source: Source, builtins_used: frozenset[str]) -> None:
        self._taken = identifiers(source)
        rebound = rebound_builtins(source)
        self._renamed = {
            name: self.fresh(f"builtin_{name}")
            for name in sorted(builtins_used | {"next"})
            if name in rebound
        }

    def fresh(self, wanted: str) -> str:
        name, number = wanted, 1
        while name in self._taken:
            number += 1
            name = f"{wanted}_{number}"
        return name

    def header(self, counter: str, stop: str, unit: str) -> list[str]:
        """The lines at the top: imports, the counter, and the function that ends the program."""
        count, dumps = self.fresh("visit_count"), self.fresh("state_json")
        leave, write = self.fresh("stop_here"), self.fresh("write_bytes")
        state = self.fresh("state")
        return [
            *(f"from builtins import {old} as {new}" for old, new in self._renamed.items()),
            f"from itertools import count as {count}",
            f"from json import dumps as {dumps}",
            f"from os import _exit as {leave}",
            f"from os import write as {write}",
            "",
            f"{counter} = {count}(1)",
            "",
            "",
            f"def {stop}(**{state}):",
            f'{unit}{write}(1, {dumps}({state}, separators=(",", ":")).encode())',
            f"{unit}{leave}(0)",
            "",
            "",
        ]

    def rename_builtins(self, expression: str) -> str:
        """The expression with rebound builtins called by their other names."""
        for old, new in self._renamed.items():
            expression = re.sub(rf"(?<![\w.]){old}(?=\()", new, expression)
        return expression


def _header(source: Source, lines: Sequence[str]) -> Edit:
    """Before the first statement that is no docstring and no `__future__` import."""
    first = next(
        statement
        for number, statement in enumerate(source.module.body)
        if not _may_come_first(statement, number)
    )
    return insert(_start(source, first), _joined(lines, "", _newline(source)) + _newline(source))


def _may_come_first(statement: cst.CSTNode, number: int) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    return any(_is_future_import(small) for small in statement.body) or (
        number == 0 and _is_text(statement.body[0])
    )


def _is_future_import(small: cst.BaseSmallStatement) -> bool:
    return (
        isinstance(small, cst.ImportFrom)
        and isinstance(small.module, cst.Name)
        and small.module.value == "__future__"
    )


def _is_text(small: cst.BaseSmallStatement) -> bool:
    return isinstance(small, cst.Expr) and isinstance(
        small.value, cst.SimpleString | cst.ConcatenatedString
    )


def _start(source: Source, statement: cst.CSTNode) -> int:
    """Where a statement's own text begins, its decorators included."""
    if isinstance(statement, cst.FunctionDef | cst.ClassDef) and statement.decorators:
        return source.start(statement.decorators[0])
    return source.start(statement)


def _at_body_start(source: Source, loop: LoopSite, lines: Sequence[str]) -> list[Edit]:
    """Before the body's first statement that is no `global` or `nonlocal` declaration."""
    newline = _newline(source)
    body = loop.node.body
    first, runs = body.body[0], _start(source, _first_that_runs(body))
    edits: list[Edit] = []
    if isinstance(body, cst.IndentedBlock):
        indent = _indent(source, _start(source, first))
    else:
        # What stands between the colon and a one-line body becomes a line end and an indent.
        indent = _indent(source, source.start(loop.node)) + _unit(source)
        edits.append(_broken(source, _start(source, first), newline + indent.encode()))
    if runs != _start(source, first) and not _begins_line(source, runs):
        edits.append(_broken(source, runs, newline + indent.encode()))
    return [*edits, insert(runs, _joined(lines, indent, newline) + newline + indent.encode())]


def _broken(source: Source, at: int, text: bytes) -> Edit:
    """Blanks and semicolons before `at` give way to `text`."""
    before = at
    while source.code[before - 1 : before] in (b" ", b"\t", b"\x0c", b";"):
        before -= 1
    return Edit(start=before, end=at, text=text)


def _begins_line(source: Source, at: int) -> bool:
    before = source.code[:at].rstrip(b" \t\x0c")
    return not before or before[-1:] in (b"\n", b"\r")


def _first_that_runs(body: cst.BaseSuite) -> cst.CSTNode:
    smalls: list[cst.CSTNode] = []
    for statement in body.body:
        inner = statement.body if isinstance(statement, cst.SimpleStatementLine) else [statement]
        smalls.extend(inner)
    runs = (small for small in smalls if not isinstance(small, cst.Global | cst.Nonlocal))
    return next(runs, smalls[-1])


def _after_loop(source: Source, loop: LoopSite, lines: Sequence[str]) -> Edit:
    newline = _newline(source)
    indent = _indent(source, source.start(loop.node))
    text = indent.encode() + _joined(lines, indent, newline)
    end = source.end(_last_statement(loop.node))
    rest = _REST_OF_LINE.match(source.code, end)
    assert rest is not None, "it matches the empty rest too"
    if not rest[1]:  # no newline at the end of the file
        return insert(rest.end(), newline + text)
    return insert(rest.end(), text + newline)


def _last_statement(node: cst.CSTNode) -> cst.CSTNode:
    """The last simple statement in a compound statement's text."""
    match node:
        case cst.For(orelse=cst.Else() as other) | cst.While(orelse=cst.Else() as other):
            return _last_statement(other.body)
        case cst.If(orelse=cst.If() as other):
            return _last_statement(other)
        case cst.If(orelse=cst.Else() as other):
            return _last_statement(other.body)
        case cst.Try() | cst.TryStar():
            if node.finalbody is not None:
                return _last_statement(node.finalbody.body)
            if node.orelse is not None:
                return _last_statement(node.orelse.body)
            return _last_statement(node.handlers[-1].body)
        case cst.Match():
            return _last_statement(node.cases[-1].body)
        case cst.IndentedBlock() | cst.SimpleStatementSuite() | cst.SimpleStatementLine():
            return _last_statement(node.body[-1])
        case cst.BaseCompoundStatement():
            return _last_statement(node.body)
        case _:
            return node


def _joined(lines: Sequence[str], indent: str, newline: bytes) -> bytes:
    """Lines from the second on indented; the first goes where an indent already stands."""
    rest = (newline + (indent + line if line else "").encode() for line in lines[1:])
    return lines[0].encode() + b"".join(rest)


def _indent(source: Source, statement: int) -> str:
    """The white space from the line's start to a statement."""
    begin = max(source.code.rfind(b"\n", 0, statement), source.code.rfind(b"\r", 0, statement)) + 1
    before = source.code[begin:statement].decode()
    return before[: len(before) - len(before.lstrip(" \t\x0c"))]


def _unit(source: Source) -> str:
    return source.module.default_indent


def _newline(source: Source) -> bytes:
    return source.module.default_newline.encode()
