"""Are two answers the same, and where do they first differ?

No rule tolerates a difference between numbers: what a program's state or output holds is exact.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from deskcheck.oracles.expressions import Json, compact_json
from deskcheck.oracles.replies import Unread, read_json

Rule = Literal["json", "tokens", "lines", "bytes"]

EXCERPT = 80
ABSENT = "(nothing)"

_BLANKS = " \t\r\v\f"
_TOKEN = re.compile(rf"[^{_BLANKS}\n]+")
_LAYOUT = re.compile(r"^ |  |[\t\r\v\f]", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The first place where two answers differ; excerpts of at most `EXCERPT` characters.

    `where` is a path such as `$.seen[3]` (indices from 0), `token 5`, `line 3`, or
    `byte 17 (line 2, column 5)` (all from 1, columns in bytes). A side that has ended or has no
    such key reads `(nothing)`.
    """

    where: str
    expected: str
    given: str


def compare(rule: Rule, expected: str, given: str) -> Difference | None:
    """The first difference under the rule, or None where the answers are the same.

    json: both read strictly and compared by structure and type. 1, 1.0 and true differ, and so
    do 0.0 and -0.0, as the program's values would; NaN is the same as NaN; the order of keys does
    not count. A `given` that is not JSON differs at `$`; an `expected` that is not is a ValueError.

    tokens: the sequences between ASCII whitespace, as text.

    lines: exact but for whitespace at line ends, blank lines at the end, and CRLF for LF.

    bytes: exact.
    """
    match rule:
        case "json":
            return _compare_json(expected, given)
        case "tokens":
            return _compare_series("token", _TOKEN.findall(expected), _TOKEN.findall(given))
        case "lines":
            return _compare_series("line", _lines(expected), _lines(given))
        case "bytes":
            return _compare_bytes(expected, given)


def layout_sensitive(output: str) -> bool:
    """True when tokens alone would lose meaning, so that an output compares by lines.

    That is: a line that begins with a space, two spaces together, a tab, or a blank line before
    the end. Whitespace at line ends carries none.
    """
    lines = _lines(output)
    return "" in lines or _LAYOUT.search("\n".join(lines)) is not None


def _compare_json(expected: str, given: str) -> Difference | None:
    truth = read_json(expected)
    if isinstance(truth, Unread):
        raise ValueError(f"the expected answer {_excerpt(expected)!r} is not JSON: {truth.reason}")
    answer = read_json(given)
    if isinstance(answer, Unread):
        return Difference(
            where="$",
            expected=_excerpt(expected),
            given=_excerpt(f"not JSON: {answer.reason}"),
        )
    return next(_json_differences("$", truth.value, answer.value), None)


def _json_differences(path: str, expected: Json, given: Json) -> Iterator[Difference]:
    match expected, given:
        case dict(), dict():
            for key in [*expected, *(key for key in given if key not in expected)]:
                step = path + _key_step(key)
                if key not in given:
                    yield _json_difference(step, expected[key], None, absent="given")
                elif key not in expected:
                    yield _json_difference(step, None, given[key], absent="expected")
                else:
                    yield from _json_differences(step, expected[key], given[key])
        case list(), list():
            for i, (left, right) in enumerate(zip(expected, given, strict=False)):
                yield from _json_differences(f"{path}[{i}]", left, right)
            shared = min(len(expected), len(given))
            if len(expected) > shared:
                yield _json_difference(f"{path}[{shared}]", expected[shared], None, absent="given")
            elif len(given) > shared:
                yield _json_difference(f"{path}[{shared}]", None, given[shared], absent="expected")
        case _ if not _same_atom(expected, given):
            yield _json_difference(path, expected, given)


def _same_atom(expected: Json, given: Json) -> bool:
    if type(expected) is not type(given):
        return False
    if isinstance(expected, float):
        return repr(expected) == repr(given)  # nan is nan, -0.0 is not 0.0
    return expected == given


def _json_difference(
    where: str, expected: Json, given: Json, absent: Literal["expected", "given", ""] = ""
) -> Difference:
    return Difference(
        where=where,
        expected=ABSENT if absent == "expected" else _excerpt(compact_json(expected)),
        given=ABSENT if absent == "given" else _excerpt(compact_json(given)),
    )


def _key_step(key: str) -> str:
    if key.isascii() and key.isidentifier() and len(key) <= EXCERPT:
        return f".{key}"
    return f"[{_excerpt(json.dumps(key))}]"


def _lines(text: str) -> list[str]:
    lines = [line.rstrip(_BLANKS) for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _compare_series(unit: str, expected: list[str], given: list[str]) -> Difference | None:
    for number, (left, right) in enumerate(zip_longest(expected, given), start=1):
        if left != right:
            at = _first_difference(left or "", right or "")
            return Difference(
                where=f"{unit} {number}",
                expected=ABSENT if left is None else _excerpt(left, at),
                given=ABSENT if right is None else _excerpt(right, at),
            )
    return None


def _compare_bytes(expected: str, given: str) -> Difference | None:
    if expected == given:
        return None
    truth, answer = (text.encode("utf-8", "surrogatepass") for text in (expected, given))
    at = _first_difference(truth, answer)
    line, column = truth.count(b"\n", 0, at) + 1, at - truth.rfind(b"\n", 0, at)
    character = _first_difference(expected, given)
    return Difference(
        where=f"byte {at + 1} (line {line}, column {column})",
        expected=_quoted(expected, character),
        given=_quoted(given, character),
    )


def _first_difference[T: (str, bytes)](left: T, right: T) -> int:
    """The first position at which the two differ, or the length of the shorter."""
    low, high = 0, min(len(left), len(right))
    while low < high:  # halving compares whole slices, which is fast on megabytes
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _quoted(text: str, at: int) -> str:
    """What stands at a position, with line ends and other control characters visible."""
    return _excerpt(json.dumps(text[at : at + EXCERPT])) if at < len(text) else ABSENT


def _excerpt(text: str, at: int = 0) -> str:
    """At most EXCERPT characters of the text, with the position `at` among them."""
    if len(text) <= EXCERPT:
        return text
    start = max(0, at - EXCERPT // 2)
    shown = text[start : start + EXCERPT - 2]
    left, right = "…" if start else "", "…" if start + len(shown) < len(text) else ""
    return f"{left}{shown}{right}"
