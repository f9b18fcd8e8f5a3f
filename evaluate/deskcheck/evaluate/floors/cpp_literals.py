"""The literals that a C++ source prints, found among its tokens.

In a statement, a string, character or integer counts where it is a whole operand of `<<` after
`cout`, a whole argument of `printf`, `puts`, `putchar`, `print` or `println`, or a branch of
`? :` in either. A format with conversions does not stand in the output as it is, and does not
count. Comments are passed over, and so are directives other than `#define`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
    (?P<skipped>\s+ | //(?:[^\n\\]|\\.)* | /\*.*?(?:\*/|\Z)
        | \#[ \t]*define\b | \#(?:[^\n\\]|\\.)*)
    | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^\s()\\]{0,16})\((?P<inner>.*?)(?:\)(?P=mark)"|\Z))
    | (?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")
    | (?P<character>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
    | (?P<number>\.?\d(?:'?[\w.]|(?<=[eEpP])[+-])*)
    | (?P<word>[^\W\d]\w*)
    | (?P<sign><<=?|>>=?|::|->|\+\+|--|&&|\|\||[<>=!+\-*/%&|^]=|.)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_CALLS = frozenset({"printf", "puts", "putchar", "print", "println"})
_BEFORE = frozenset({"<<", "?", ":", "(", ","})
_AFTER = frozenset({"<<", "?", ":", ")", ",", ";", ""})
_INTEGER = re.compile(r"(\d[\d']*)[uUlL]*")
_ESCAPE = re.compile(
    r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]+)|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL
)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_CONVERSION = re.compile(r"%(?!%)")


class _Token(NamedTuple):
    """`text` is as written, `value` what it would print; None where it is no literal."""

    text: str
    value: str | None


def printed_by_cpp(source: str) -> list[str]:
    """Each printed literal, in source order."""
    return [text for statement in _statements(source) for text in _printed(statement)]


def _statements(source: str) -> Iterator[list[_Token]]:
    """The tokens between semicolons and braces."""
    statement: list[_Token] = []
    for token in _merged(source):
        if token.text in (";", "{", "}"):
            yield statement
            statement = []
        else:
            statement.append(token)
    yield statement


def _merged(source: str) -> Iterator[_Token]:
    """The tokens, with neighbouring strings made one and a minus sign part of its number."""
    held: list[_Token] = []
    for token in _tokens(source):
        last = held[-1] if held else _Token("", None)
        if token.text[-1:] == '"' and last.text[-1:] == '"':
            held[-1] = _Token('"', (last.value or "") + (token.value or ""))
        elif token.value is not None and last.text == "-" and token.text[0].isdigit():
            # A minus between two operands makes its left neighbour no whole operand anyway.
            before = held[-2].text if len(held) > 1 else ""
            if before in _BEFORE:
                held[-1] = _Token(f"-{token.text}", f"-{token.value}")
            else:
                held.append(token)
        else:
            held.append(token)
    yield from held


def _tokens(source: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(source):
        text = found[0]
        match found.lastgroup:
            case "skipped":
                continue
            case "raw":
                yield _Token('"', found["inner"])
            case "string":
                yield _Token(text, _unescaped(text[text.index('"') + 1 : -1]))
            case "character":
                yield _Token(text, _unescaped(text[text.index("'") + 1 : -1]))
            case "number":
                whole = _INTEGER.fullmatch(text)
                octal = whole is not None and whole[1].startswith("0") and whole[1] != "0"
                plain = whole is not None and not octal
                yield _Token(text, whole[1].replace("'", "") if whole and plain else None)
            case _:
                yield _Token(text, None)


def _printed(statement: list[_Token]) -> Iterator[str]:
    """The literals that one statement prints; brackets are followed only as far as they matter."""
    streaming = False
    calls: list[bool] = []
    """For each open bracket, whether its inside is printed: a call's, or one in a stream."""
    for at, token in enumerate(statement):
        before = statement[at - 1].text if at else ""
        after = statement[at + 1].text if at + 1 < len(statement) else ""
        if token.text == "cout":
            streaming = True
        elif token.text == "(":
            printing = before in _CALLS
            grouped = (streaming or any(calls[-1:])) and before in _BEFORE
            calls.append(printing or grouped)
        elif token.text == ")":
            del calls[-1:]
        elif token.value is not None and before in _BEFORE and after in _AFTER:
            printed = calls[-1] if calls else streaming
            if printed and not (token.text.endswith('"') and _is_format(statement, at)):
                yield token.value


def _is_format(statement: list[_Token], at: int) -> bool:
    """The string is a `printf` format with conversions, or a `print` one with braces."""
    if at < 2 or statement[at - 1].text != "(":
        return False
    value = statement[at].value or ""
    match statement[at - 2].text:
        case "printf":
            return _CONVERSION.search(value.replace("%%", "")) is not None
        case "print" | "println":
            return "{" in value.replace("{{", "")
    return False


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_character, text)


def _character(found: re.Match[str]) -> str:
    octal, hexadecimal, short, long, named = found.groups()
    if named is not None:
        return _NAMED.get(named, "" if named == "\n" else named)
    number = int(octal, 8) if octal else int(hexadecimal or short or long, 16)
    return chr(number) if number < 0x110000 else ""
