"""A strict reader of the JSON that a model wrote: every text gives a value or a reason."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from math import isinf
from typing import Any

from deskcheck.oracles.expressions import Json

MAX_LENGTH = 1_000_000
MAX_DEPTH = 64
MAX_DIGITS = 4300

# A text runs to its closing quote, an unclosed one to the end; brackets inside it do not nest.
_TEXT_OR_BRACKET = re.compile(r'"(?:[^"\\]+|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """The text is one JSON value. 1, 1.0 and true stay apart."""

    value: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """The text is not one JSON value, and why."""

    reason: str


class _RefusedError(Exception):
    pass


def read_json(text: str) -> Read | Unread:
    """Read one JSON value; NaN, Infinity and -Infinity are allowed beside what JSON has.

    Refused with a reason: anything before or after the value, a key twice in one object, more
    than `MAX_LENGTH` characters, more than `MAX_DEPTH` levels, an integer of more than
    `MAX_DIGITS` digits, a number beyond the range of a double.
    """
    if len(text) > MAX_LENGTH:
        return Unread(reason=f"{len(text)} characters, more than {MAX_LENGTH}")
    if _depth(text) > MAX_DEPTH:
        return Unread(reason=f"nested more than {MAX_DEPTH} deep")
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_int=_integer, parse_float=_number)
    except _RefusedError as refusal:
        return Unread(reason=str(refusal))
    except json.JSONDecodeError as error:
        return Unread(reason=f"{error.msg} at line {error.lineno}, column {error.colno}")
    return Read(value=value)


def _depth(text: str) -> int:
    depth = deepest = 0
    for found in _TEXT_OR_BRACKET.finditer(text):
        match found[0]:
            case "[" | "{":
                depth += 1
                deepest = max(deepest, depth)
            case "]" | "}":
                depth -= 1
    return deepest


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key, item in pairs:
        if key in value:
            raise _RefusedError(f"the key {json.dumps(key[:40])} occurs twice")
        value[key] = item
    return value


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_DIGITS:
        raise _RefusedError(f"an integer of more than {MAX_DIGITS} digits")
    return int(digits)


def _number(digits: str) -> float:
    value = float(digits)
    if isinf(value):
        raise _RefusedError(f"the number {digits[:40]} is beyond the range of a double")
    return value
