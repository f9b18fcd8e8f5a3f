"""Where statements end in the original text, macros and comments notwithstanding.

libclang leaves out the semicolon of most simple statements, and of what comes out of a macro it
only tells where the macro is used. What is found here is checked against the bytes; where they do
not fit, there is no answer.
"""

from __future__ import annotations

import re

from deskcheck.builder.cpp.lexing import LITERAL, WORD, skip_blanks, tokens
from deskcheck.builder.cpp.parsing import CppSource
from deskcheck.builder.cpp.tree import Node

_BREAKS = re.compile(r"[;{}]")
_NAME = re.compile(r"[^\W\d]\w*")

_LAST_CHILD = frozenset(
    {
        "FOR_STMT",
        "CXX_FOR_RANGE_STMT",
        "WHILE_STMT",
        "IF_STMT",
        "LABEL_STMT",
        "CASE_STMT",
        "DEFAULT_STMT",
        "SWITCH_STMT",
        "UNEXPOSED_STMT",
        "CXX_TRY_STMT",
        "CXX_CATCH_STMT",
    }
)
"""Statements that end with a statement of their own."""
_WITH_SEMICOLON = frozenset({"DECL_STMT", "NULL_STMT"})


def statement_end(source: CppSource, node: Node) -> int | None:
    """The offset after the last `;` or `}` of a statement; None where it is not in the text."""
    last = node
    while last.kind in _LAST_CHILD and last.children:
        last = last.children[-1]
    code = source.code
    if last.kind == "COMPOUND_STMT":
        in_text = not last.in_argument and code[last.end - 1 : last.end] == b"}"
        return last.end if in_text and code[last.start : last.start + 1] == b"{" else None
    if last.kind in _WITH_SEMICOLON:
        in_text = code[last.end - 1 : last.end] == b";" and last.end_in_text
        return last.end if in_text else None
    end = last.end if last.end_in_text else _use_end(source, last.end)
    if end is None or not _whole_macros(source, last.start, end):
        return None
    end = skip_blanks(code, end)
    return end + 1 if code[end : end + 1] == b";" else None


def _use_end(source: CppSource, offset: int) -> int | None:
    """The offset after a macro's use that begins at an offset, arguments included."""
    code = source.code
    name = WORD.match(code, offset)
    if name is None:
        return None
    offset = skip_blanks(code, name.end())
    if code[offset : offset + 1] != b"(":
        return name.end()
    depth = 0
    while (offset := skip_blanks(code, offset)) < len(code):
        literal = LITERAL.match(code, offset)
        if literal is not None:
            offset = literal.end()
            continue
        mark = code[offset : offset + 1]
        depth += (mark == b"(") - (mark == b")")
        offset += 1
        if depth == 0:
            return offset
    return None


def _whole_macros(source: CppSource, start: int, end: int) -> bool:
    """No macro used in this piece of text may end one statement or begin another."""
    pending = {token.decode("utf-8", "replace") for token in tokens(source.code, start, end)}
    seen: set[str] = set()
    while pending:
        name = pending.pop()
        if name in seen or name not in source.macros:
            continue
        seen.add(name)
        body = source.macros[name]
        if _BREAKS.search(body):
            return False
        pending.update(_NAME.findall(body))
    return True
