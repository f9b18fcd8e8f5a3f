"""The same program, laid out so that a preprocessor tells the line of everything in it.

A preprocessor starts a new line of output only for a token that begins its line. What follows a
line break inside a comment, a string or the arguments of a macro begins none, and stays on the
line before; compilers even differ in how they count the lines after a raw string, whose text may
look like a directive or a line marker as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from deskcheck.oracles.runtimes.cpp.lexing import Token, tokens

_NEWLINE = re.compile(rb"\r\n|\r|\n")
_SPLICE = re.compile(rb"\\[ \t]*(?:\r\n|\r|\n)")
_DEFINE = re.compile(r"(?:#|%:)\s*define\s+(\w+)\(")


def straightened(code: bytes) -> bytes:
    """As many lines and the same tokens, but each of these whole on a line of its own number.

    Line breaks inside comments, strings and continued lines come after the token; those inside the
    arguments of the program's macros come after the call. Directives are left as they are.
    """
    return _Layout(code).text()


class _Layout:
    def __init__(self, code: bytes) -> None:
        self._code = code
        self._tokens = tokens(code)
        self._calls = _macro_calls(self._tokens)
        self._pieces: list[bytes] = []
        self._owed = 0
        """Line breaks that were taken out and are not back yet."""

    def text(self) -> bytes:
        done, call_ends, before = 0, 0, ""
        for at, token in enumerate(self._tokens):
            gap = self._code[done : token.start]
            if at < call_ends:
                self._gap_inside(gap)
            elif gap or before != "string" or token.kind != "identifier":
                # A literal's suffix stays with it.
                self._pieces += [self._breaks(), _SPLICE.sub(b"\n", gap)]
            call_ends = max(call_ends, self._calls.get(at, 0))
            self._token(token, inside_call=at < call_ends)
            done, before = token.end, token.kind
        return b"".join((*self._pieces, self._breaks(), self._code[done:]))

    def _gap_inside(self, gap: bytes) -> None:
        lines = len(_NEWLINE.findall(gap))
        self._owed += lines
        self._pieces.append(b" " if lines else gap)

    def _token(self, token: Token, *, inside_call: bool) -> None:
        text = self._code[token.start : token.end]
        lines = len(_NEWLINE.findall(text))
        if token.kind == "comment" and (inside_call or (lines and text.startswith(b"/*"))):
            text = b" "
        elif token.kind == "string" and lines and _is_raw(token):
            text = _as_one_line(text)
        elif token.kind in {"string", "character"} and lines:
            text = _SPLICE.sub(b"", text)
        else:
            lines = 0
        self._owed += lines
        self._pieces.append(text)

    def _breaks(self) -> bytes:
        owed, self._owed = self._owed, 0
        return b"\n" * owed


def _macro_calls(found: Sequence[Token]) -> dict[int, int]:
    """For each macro's name before its arguments, the index after the closing parenthesis."""
    names = {
        define[1]
        for token in found
        if token.kind == "directive" and (define := _DEFINE.match(token.text))
    }
    calls: dict[int, int] = {}
    for at, token in enumerate(found) if names else ():
        if token.text in names and token.kind == "identifier":
            end = _call_end(found, at + 1)
            if end:
                calls[at] = end
    return calls


def _call_end(found: Sequence[Token], at: int) -> int:
    """The index after the parentheses that begin here; 0 where they do not, or hold directives."""
    depth = 0
    for index in range(at, len(found)):
        token = found[index]
        if token.kind == "comment":
            continue
        if token.kind == "directive":
            return 0
        if token.kind == "punctuator":
            depth += (token.text == "(") - (token.text == ")")
        if depth == 0:
            return index + 1 if index > at and token.text == ")" else 0
    return 0


def _is_raw(token: Token) -> bool:
    return "R" in token.text.partition('"')[0] and token.text.endswith('"')


def _as_one_line(literal: bytes) -> bytes:
    """An ordinary string of the same value."""
    prefix, _, rest = literal.partition(b'R"')
    fence, _, rest = rest.partition(b"(")
    lines = _NEWLINE.split(rest[: -len(fence) - 2])
    escaped = b"\\012".join(re.sub(rb"[^ -~\x80-\xff]|[\\\"?]", _octal, line) for line in lines)
    return prefix + b'"' + escaped + b'"'


def _octal(match: re.Match[bytes]) -> bytes:
    return b"\\%03o" % match[0][0]
