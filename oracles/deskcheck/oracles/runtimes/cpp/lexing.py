"""Tokens of C++ text, found without a compiler, with their byte offsets."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

type Kind = Literal[
    "comment",
    "directive",
    "string",
    "character",
    "number",
    "identifier",
    "punctuator",
    "other",
]

_NEWLINE = rb"(?:\r\n|\r|\n)"
_SPLICE = rb"\\[ \t]*" + _NEWLINE
_ESCAPE = rb"\\(?:[ \t]*" + _NEWLINE + rb"|[^\r\n])|\\"
_LETTER = rb"A-Za-z_$\x80-\xff"  # bytes past ASCII belong to identifiers in UTF-8
_LINE_COMMENT = rb"//(?:[^\\\r\n]|" + _ESCAPE + rb")*+"
_BLOCK_COMMENT = rb"/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)"
_STRING = rb'"(?:[^"\\\r\n]|' + _ESCAPE + rb')*+"?'
_CHARACTER = rb"'(?:[^'\\\r\n]|" + _ESCAPE + rb")*+'?"
_RAW_START = rb'R"(?P<fence>[^()\\\s"]{0,16})\('
_RAW = rb'R"(?P<inner>[^()\\\s"]{0,16})\((?:[^)]|\)(?!(?P=inner)"))*+(?:\)(?P=inner)"|\Z)'
_PUNCTUATORS = (
    rb"<=>|->\*|\.\.\.|<<=|>>=|%:%:|<%|%>|%:|:>|<:(?!:[^:>])|::|->|\.\*|\+\+|--|<<|>>|<=|>="
    rb"|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|&=|\|=|\^=|##|[\[\]{}()#<>;:,.?~!+\-*/%^&|=@`]"
)
_DIRECTIVE = re.compile(
    rb"(?:#|%:)(?:[^\\/\"'R\r\n]|"
    + rb"|".join((_LINE_COMMENT, _BLOCK_COMMENT, _RAW, _STRING, _CHARACTER, _ESCAPE, rb"[/R]"))
    + rb")*+"
)
_TOKEN = re.compile(
    rb"(?P<gap>(?:[ \t\v\f]|" + _SPLICE + rb")++)"
    rb"|(?P<newline>[\r\n]++)"
    rb"|(?P<comment>" + _LINE_COMMENT + rb"|" + _BLOCK_COMMENT + rb")"
    rb"|(?P<raw>(?:u8|[uUL])?" + _RAW_START + rb")"
    rb"|(?P<string>(?:u8|[uUL])?" + _STRING + rb")"
    rb"|(?P<character>(?:u8|[uUL])?" + _CHARACTER + rb")"
    rb"|(?P<identifier>[" + _LETTER + rb"][0-9" + _LETTER + rb"]*+)"
    rb"|(?P<number>\.?[0-9](?:[eEpP][+-]|'[0-9A-Za-z_]|[.0-9" + _LETTER + rb"])*+)"
    rb"|(?P<punctuator>" + _PUNCTUATORS + rb")"
    rb"|(?P<other>.)",
    re.DOTALL,
)


class Token(NamedTuple):
    """`text` is latin-1, so that it has one character per byte."""

    kind: Kind
    start: int
    end: int
    text: str


def tokens(code: bytes) -> list[Token]:
    """Every token in order; only white space and line splices lie between them.

    A directive is one token, its continued lines and comments included. Nothing is an error:
    what is not closed runs to the end of its line (strings, characters) or of the text (comments,
    raw strings), and a byte that begins no token is one of its own.
    """
    found: list[Token] = []
    at, end = 0, len(code)
    line_begins = True
    while at < end:
        match = _TOKEN.match(code, at)
        assert match is not None  # the last alternative takes any byte
        kind, begin, at = match.lastgroup, at, match.end()
        if kind == "gap":
            continue
        if kind == "newline":
            line_begins = True
            continue
        if kind == "comment":
            found.append(Token("comment", begin, at, code[begin:at].decode("latin-1")))
            continue
        if kind == "raw":
            kind, at = "string", _raw_end(code, match)
        elif kind == "punctuator" and line_begins and match[0] in {b"#", b"%:"}:
            directive = _DIRECTIVE.match(code, begin)
            assert directive is not None
            kind, at = "directive", directive.end()
        line_begins = False
        found.append(Token(kind, begin, at, code[begin:at].decode("latin-1")))  # type: ignore[arg-type]
    return found


def _raw_end(code: bytes, opening: re.Match[bytes]) -> int:
    closing = b")" + opening["fence"] + b'"'
    at = code.find(closing, opening.end())
    return len(code) if at < 0 else at + len(closing)
