"""Write a checkpoint into a C++ program, the way a person would to look at its state.

A counter at the top counts the loop's visits; an `if` at the body's start, or right after the
loop, prints the projection as one line of JSON and ends the program. Text is only inserted, and
every byte of the author's stays.

Trace lengths are counted without the code regions that begin in what was inserted, so no such
region may be the author's and the other way round. The function that stops is therefore not
`[[noreturn]]`, as Clang would begin a region after the `if`, in the author's code; and the spans
given leave out the bytes at which one of the author's regions may begin in inserted text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import indent

from deskcheck.builder.cpp.fields import definitions
from deskcheck.builder.cpp.lexing import CONTINUED
from deskcheck.builder.cpp.loops import CppLoop
from deskcheck.builder.cpp.parsing import CppSource
from deskcheck.builder.cpp.printer import STRUCT, Names, header, struct_overload
from deskcheck.builder.cpp.tree import LOOPS, Node
from deskcheck.builder.edits import apply, insert
from deskcheck.builder.languages import Instrumented
from deskcheck.builder.syntax import BOM
from deskcheck.oracles.checkpoints import Checkpoint, Field

_COMMENT = rb"/\*(?:(?!\*/)[^\r\n])*\*/"
_BACKSLASH = CONTINUED + rb"|\\(?![ \t\f\v]*\r?\n)"
_LAST_COMMENT = rb"(?://(?:[^\r\n\\]|" + _BACKSLASH + rb")*)?\r?\n"
_REST_OF_LINE = re.compile(rb"(?:[ \t\f\v]|" + _COMMENT + rb")*" + _LAST_COMMENT)
"""What may follow a statement on its line without being touched: blanks and comments."""
_DIRECTIVE = (
    rb"#[ \t]*(?:pragma\b|define[ \t]+_\w+)"
    rb"(?:[^\r\n\\/]|/(?![/*])|" + _COMMENT + rb"|" + _BACKSLASH + rb")*"
)
_LIBRARY_SETTINGS = re.compile(rb"(?:[ \t]*(?:" + _DIRECTIVE + rb")?" + _LAST_COMMENT + rb")+")
"""First lines that may set macros of the library, which must come before any of its headers."""
_CONTINUES = re.compile(CONTINUED + rb"\Z")
_SETTING = re.compile(rb"#[ \t]*define[ \t]+_")


def instrument(
    source: CppSource,
    loop: CppLoop,
    checkpoint: Checkpoint,
    fields: Sequence[Field],
    used: frozenset[str],
) -> Instrumented:
    """The program with its checkpoint armed: at that visit it prints the fields and ends.

    `used` is what the printer must have for the field expressions.
    """
    return _write(source, loop, checkpoint, checkpoint.visit, fields, used)


def disarm(
    source: CppSource,
    loop: CppLoop,
    checkpoint: Checkpoint,
    fields: Sequence[Field],
    used: frozenset[str],
) -> Instrumented:
    """The same text but for the visit's number: 0, which no visit has."""
    return _write(source, loop, checkpoint, 0, fields, used)


def _write(
    source: CppSource,
    loop: CppLoop,
    checkpoint: Checkpoint,
    visit: int,
    fields: Sequence[Field],
    used: frozenset[str],
) -> Instrumented:
    if loop.uneditable:
        raise ValueError(f"the loop at byte {loop.offset} cannot be edited: {loop.uneditable}")
    names, layout = Names(source.identifiers()), _Layout(source.code)
    counter = "body_visits" if checkpoint.place == "inside" else "loop_ends"
    shown = ", ".join(f'"{field.name}", {field.expression}' for field in fields)
    stop = f"if (++{names[counter]} == {visit}) {names['stop_with']}({shown});".encode()
    pieces = [layout.top(header(counter, used, names))]
    meant = source.macros.keys() | ({"std"} & set(_in_namespaces(source.tree)))
    for definition in definitions(source).values():
        if STRUCT + definition.record.name in used:
            name = definition.record.name.split("::")[-1]
            overload = struct_overload(name, definition.record.fields, names, meant)
            pieces.append(layout.after_struct(definition.start, definition.end, overload))
    if checkpoint.place == "inside":
        pieces.extend(layout.in_body(loop, stop))
    else:
        pieces.extend(layout.after_loop(loop, stop, followed=_is_followed(_node(source, loop))))
    pieces.sort(key=lambda piece: piece.at)
    text = apply(source.code, [insert(piece.at, piece.text) for piece in pieces])
    return Instrumented(source=text, inserted=_spans(pieces))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """Text to insert at an offset of the program.

    What is the author's may be counted from its first `opens` bytes on: Clang lets a code region
    begin at a brace, and after some loops at the next statement, which the stop then is.
    """

    at: int
    text: bytes
    opens: int = 0


def _spans(pieces: Sequence[_Piece]) -> tuple[tuple[int, int], ...]:
    """Where code regions begin that are none of the author's, once all pieces are in."""
    spans: list[tuple[int, int]] = []
    moved = 0
    for piece in pieces:
        start, moved = piece.at + moved, moved + len(piece.text)
        if piece.opens < len(piece.text):
            spans.append((start + piece.opens, piece.at + moved))
    return tuple(spans)


def _in_namespaces(scope: Node) -> Iterator[str]:
    """Names of what stands in the program's namespaces."""
    for node in scope.children:
        if node.kind in ("NAMESPACE", "LINKAGE_SPEC"):
            yield from (inner.name for inner in node.children)
            yield from _in_namespaces(node)


def _node(source: CppSource, loop: CppLoop) -> Node:
    return next(
        node for node in source.tree.walk() if node.kind in LOOPS and node.start == loop.start
    )


def _is_followed(node: Node) -> bool:
    """Whether a statement without a label comes after a loop, before control flow meets again."""
    parent = node.parent
    while parent is not None and parent.kind in ("COMPOUND_STMT", *_LABELS):
        if parent.kind == "COMPOUND_STMT":
            after = parent.children[parent.children.index(node) + 1 :]
            if after:
                return after[0].kind not in _LABELS
            if parent.parent is None or parent.parent.kind not in ("COMPOUND_STMT", *_LABELS):
                return False
        node, parent = parent, parent.parent
    return False


_LABELS = ("LABEL_STMT", "CASE_STMT", "DEFAULT_STMT")


class _Layout:
    """Where on its lines something is inserted, in the style of what stands around it."""

    def __init__(self, code: bytes) -> None:
        self.code = code
        self.newline = b"\r\n" if b"\r\n" in code else b"\n"
        self.unit = b"\t" if code.count(b"\n\t") > code.count(b"\n ") else b"    "

    def top(self, text: str) -> _Piece:
        start = len(BOM) if self.code.startswith(BOM) else 0
        settings = _LIBRARY_SETTINGS.match(self.code, start)
        if settings and _SETTING.search(settings[0]):
            start = settings.end()
        return _Piece(at=start, text=self.lines(text, b""))

    def after_struct(self, start: int, end: int, text: str) -> _Piece:
        lines = self.newline + self.lines(text, self.indent(start))
        after = self.line_end(end)
        if after is None:
            return _Piece(at=end, text=self.newline + lines)
        blank = b"" if self.begins_blank_line(after) else self.newline
        return _Piece(at=after, text=lines + blank)

    def in_body(self, loop: CppLoop, stop: bytes) -> list[_Piece]:
        """At the start of the loop's body, which gets braces where it has none."""
        if loop.braced:
            return [self.after_brace(loop, stop)]
        start, end = loop.body_start, loop.body_end
        outer, after = self.indent(loop.start), self.line_end(end)
        if after is None:
            close = _Piece(at=end, text=b" }")
        else:
            close = _Piece(at=after, text=outer + b"}" + self.newline)
        if self.begins_line(start):
            line, inner = self.line_start(start), self.indent(start)
            stop_line = _Piece(at=line, text=inner + stop + self.newline)
            return [self.opening(start, outer), stop_line, close]
        brace = b"{" if self.code[start - 1 : start].isspace() else b" {"
        line_break = b" " if after is None else self.newline + outer + self.unit
        text = brace + line_break + stop + line_break
        return [_Piece(at=start, text=text, opens=len(brace)), close]

    def opening(self, start: int, outer: bytes) -> _Piece:
        """A brace before a statement that begins its line: on the line before, if it can be."""
        end = self.header_end(start)
        if end is not None:
            return _Piece(at=end, text=b" {", opens=2)
        text = outer + b"{" + self.newline
        return _Piece(at=self.line_start(start), text=text, opens=len(text))

    def after_brace(self, loop: CppLoop, stop: bytes) -> _Piece:
        opened = loop.body_start + 1
        after = self.line_end(opened)
        if after is None or after >= loop.body_end:
            blank = b"" if self.code[opened : opened + 1].isspace() else b" "
            return _Piece(at=opened, text=b" " + stop + blank)
        return _Piece(at=after, text=self.inner_indent(loop, after) + stop + self.newline)

    def inner_indent(self, loop: CppLoop, at: int) -> bytes:
        """The indent of the first line of code after `at` in the loop's body."""
        for line in re.finditer(rb"(?m)^([ \t]*)([^\s#][^\r\n]*)$", self.code[at : loop.body_end]):
            if at + line.end() < loop.body_end:
                return line[1]
        return self.indent(loop.start) + self.unit

    def after_loop(self, loop: CppLoop, stop: bytes, *, followed: bool) -> list[_Piece]:
        """Right after the loop, within braces where it is all of another statement's body."""
        start, end = loop.start, loop.end
        inner, after = self.indent(start), self.line_end(end)
        blank = b"" if self.code[end : end + 1].isspace() else b" "

        def piece(at: int, before: bytes, behind: bytes) -> _Piece:
            opens = len(before) + 1 if followed else 0
            return _Piece(at=at, text=before + stop + behind, opens=opens)

        if loop.alone:
            if after is None:
                return [piece(end, b" ", blank)]
            return [piece(after, inner, self.newline)]
        if not self.begins_line(start):
            opening = _Piece(at=start, text=b"{ ", opens=2)
            if after is None or b"\n" not in self.code[start:end]:
                return [opening, piece(end, b" ", b" }" + blank)]
            return [opening, piece(after, inner, self.newline + inner + b"}" + self.newline)]
        before = self.header_end(start)
        outer = self.indent(start if before is None else before)
        opening = self.opening(start, outer)
        if after is None:
            return [opening, piece(end, b" ", b" }" + blank)]
        return [opening, piece(after, inner, self.newline + outer + b"}" + self.newline)]

    def lines(self, text: str, before: bytes) -> bytes:
        """Lines of ours with the indents and line ends of the program."""
        text = indent(text.replace("    ", self.unit.decode()), before.decode())
        return text.encode().replace(b"\n", self.newline)

    def line_start(self, at: int) -> int:
        return self.code.rfind(b"\n", 0, at) + 1

    def line_end(self, at: int) -> int | None:
        """Where the next line begins, if nothing but comments follows on this one."""
        rest = _REST_OF_LINE.match(self.code, at)
        return None if rest is None else rest.end()

    def begins_blank_line(self, at: int) -> bool:
        return re.match(rb"[ \t]*(?:\r?\n|\Z)", self.code[at:]) is not None

    def begins_line(self, at: int) -> bool:
        return not self.code[self.line_start(at) : at].strip()

    def indent(self, at: int) -> bytes:
        """The white space that the line of `at` begins with."""
        line = self.code[self.line_start(at) : at]
        return line[: len(line) - len(line.lstrip(b" \t"))]

    def header_end(self, at: int) -> int | None:
        """Where a brace opens after what stands before `at`, on a line of its own.

        None where a comment or a directive stands between, which would swallow the brace: it may
        have begun lines before, by a backslash or, a directive's, by a comment over lines.
        """
        end = len(self.code[:at].rstrip())
        start = self.line_start(end)
        while start and _CONTINUES.search(before := self.code[self.line_start(start - 1) : start]):
            start -= len(before)
        line = self.code[start:end]
        if b"//" in line or b"*/" in line or line.lstrip().startswith((b"#", b"%:")):
            return None
        return None if line.endswith(b"\\") else end
