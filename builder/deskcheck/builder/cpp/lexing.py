"""Words, literals and marks of a C++ text, as far as positions in it have to be told."""

from __future__ import annotations

import re

CONTINUED = rb"\\[ \t\f\v]*\r?\n"
"""The end of a line that goes on in the next; compilers take blanks there for a slip."""
_BLANK = re.compile(
    rb"(?:\s|" + CONTINUED + rb"|//(?:[^\n\\]|" + CONTINUED + rb"|\\.)*|/\*.*?\*/)+", re.DOTALL
)
WORD = re.compile(rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*")
LITERAL = re.compile(
    rb'(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"'
    rb"|(?:u8|[uUL])?\"(?:[^\"\\\n]|\\.)*\"|(?:u8|[uUL])?'(?:[^'\\\n]|\\.)*'"
    rb"|(?<![\w.])\.?\d(?:'?[\w.]|(?<=[eEpP])[+-])*",
    re.DOTALL,
)
"""Strings, characters, and numbers, in which an apostrophe is no quote."""


def skip_blanks(code: bytes, offset: int) -> int:
    """Past blanks, comments and continued lines."""
    found = _BLANK.match(code, offset)
    return offset if found is None else found.end()


def tokens(code: bytes, start: int, end: int) -> list[bytes]:
    """Words, literals and single characters of a piece of text; comments left out."""
    found = []
    while (start := skip_blanks(code, start)) < end:
        token = LITERAL.match(code, start) or WORD.match(code, start)
        stop = start + 1 if token is None else token.end()
        found.append(code[start:stop])
        start = stop
    return found
