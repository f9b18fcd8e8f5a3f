"""Where in an answer's text its first difference lies, from the place that the cell names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

Span = tuple[int, int]
"""Start and end; both are the text's length where the answer ended too early."""

LONGEST = 200_000
"""Characters of an answer that is searched."""

_TOKEN = re.compile(r"[^ \t\r\v\f\n]+")
_JSON = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')


def locate(where: str | None, expected: str, given: str, *, absent: bool = False) -> Span | None:
    """The span of `given` at the place that `equivalence.compare` calls `where`.

    Of a JSON answer that is the value there; the end of what should hold it where it is `absent`,
    and the innermost value around it where the place cannot be found. None where nothing can be
    said.
    """
    if where is None or len(given) > LONGEST:
        return None
    unit, _, rest = where.partition(" ")
    match unit:
        case "token":
            return _nth([each.span() for each in _TOKEN.finditer(given)], rest, len(given))
        case "line":
            return _nth(_lines(given), rest, len(given))
        case "byte":
            return _common(expected, given), len(given)
        case _ if where.startswith("$"):
            return _json_place(where[1:], given, absent)
    return None


def _nth(spans: list[Span], number: str, length: int) -> Span | None:
    if not number.isdecimal():
        return None
    place = int(number) - 1
    return spans[place] if place < len(spans) else (length, length)


def _lines(text: str) -> list[Span]:
    spans, start = [], 0
    for line in text.split("\n"):
        spans.append((start, start + len(line)))
        start += len(line) + 1
    if spans[-1][0] == spans[-1][1]:
        spans.pop()
    return spans


def _common(left: str, right: str) -> int:
    for place, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return place
    return min(len(left), len(right))


def _json_place(path: str, text: str, absent: bool) -> Span | None:
    first = _JSON.search(text)
    if first is None:
        return None
    start, end = first.start(), len(text.rstrip())
    while path:
        for step, inner in _children(text, start, end):
            rest = path[len(step) :]
            if path.startswith(step) and rest[:1] in ("", ".", "["):
                (start, end), path = inner, rest
                break
        else:
            return (max(start, end - 1), end) if absent else (start, end)
    return start, end


def _children(text: str, start: int, end: int) -> Iterator[tuple[str, Span]]:
    """The step to each value of the array or object that begins at `start`, and its span."""
    if text[start : start + 1] not in ("{", "["):
        return
    named, depth, index, key, begun = text[start] == "{", 0, 0, "", -1
    last = start + 1
    for token in _JSON.finditer(text, start, end):
        symbol = token.group()
        if depth == 1 and symbol in (",", "]", "}"):
            if begun >= 0:
                yield (_key_step(key) if named else f"[{index}]"), (begun, last)
            index, key, begun = index + 1, "", -1
        elif depth == 1 and named and not key and begun < 0:
            key = symbol
        elif depth == 1 and symbol != ":" and begun < 0:
            begun = token.start()
        depth += (symbol in "{[") - (symbol in "}]") if len(symbol) == 1 else 0
        last = token.end()
        if depth == 0:
            return


def _key_step(key: str) -> str:
    """As `equivalence` writes a step, for keys that it does not shorten."""
    try:
        name = json.loads(key)
    except ValueError:
        return "\0"
    if isinstance(name, str) and name.isascii() and name.isidentifier():
        return f".{name}"
    return f"[{json.dumps(name)}]"
