"""Measures of a C++ source text: cyclomatic complexity and nesting, with stated conventions.

Both are worked out from the tokens of the text as it stands: no macro is expanded, directives
count for nothing, and any text has a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from deskcheck.oracles.runtimes.cpp.lexing import Token, tokens
from deskcheck.oracles.runtimes.cpp.statements import control_statements

_DECISIONS = frozenset(("if", "for", "while", "case", "catch", "?", "and", "or", "||"))
_TYPES = frozenset(
    (
        *("auto", "bool", "char", "char8_t", "char16_t", "char32_t", "const", "double", "float"),
        *("int", "long", "short", "signed", "unsigned", "void", "volatile", "wchar_t"),
        *(">", ">>"),
    )
)
# Some of these follow the qualifier of a member function: `int f() && noexcept;`.
_AFTER_A_REFERENCE = frozenset((")", ",", ">", ">>", "...", "=", "{", ";", "noexcept", "operator"))
_BEFORE_AN_ADDRESS = frozenset(("", "(", ",", "=", "{", ";", "[", "return", "goto", "&&", "||"))
_INTRODUCES_A_TYPE = frozenset(("typename", "class", "struct", "union", "enum"))


def cyclomatic(code: bytes) -> int:
    """1 + the decision points of the whole file, after McCabe.

    Counted: `if`, `for` and `while` (so a `do` once, by its `while`), `case`, `catch`, `?`, and
    each `&&`, `||`, `and` and `or`. An `&&` that makes a reference or takes the address of a label
    is none of these, as far as tokens tell. `else`, `default`, `switch` and functions do not
    count, so the figure is of the file and not a sum per function.
    """
    words = [t for t in tokens(code) if t.kind not in {"comment", "directive"}]
    types = _TYPES | {
        after.text
        for before, after in pairwise(words)
        if before.text in _INTRODUCES_A_TYPE and before.kind == "identifier"
    }
    points = 0
    for at, word in enumerate(words):
        if word.kind not in {"identifier", "punctuator"}:
            continue
        if word.text == "&&":
            points += _is_conjunction(words, at, types)
        else:
            points += word.text in _DECISIONS and _text(words, at - 1) != "operator"
    return 1 + points


def nesting(code: bytes) -> int:
    """The most `if`, `for`, `while`, `do`, `switch` and `try` that stand inside one another.

    An `else if` nests no deeper than its `if`; braces alone do not nest.
    """
    deepest = 0
    ends: list[int] = []
    for statement in control_statements(tokens(code)):
        while ends and ends[-1] <= statement.start:
            ends.pop()
        if not statement.chained:
            ends.append(statement.end)
        deepest = max(deepest, len(ends))
    return deepest


def _is_conjunction(words: Sequence[Token], at: int, types: frozenset[str]) -> bool:
    before, after = _text(words, at - 1), _text(words, at + 1)
    if before == "operator" or before in types or before in _BEFORE_AN_ADDRESS:
        return False
    return after not in _AFTER_A_REFERENCE


def _text(words: Sequence[Token], at: int) -> str:
    return words[at].text if 0 <= at < len(words) else ""
