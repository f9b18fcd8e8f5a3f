"""Rows of JSON, a line each: every line of a file gives an object or says what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_CHUNK = 1024**2


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenRow:
    """A row that cannot be read: a short reason, and one line that says what is wrong."""

    place: str
    check: str
    detail: str


def json_objects(
    path: Path, *, limit: int, of: str = ""
) -> Iterator[tuple[str, dict[str, Any] | BrokenRow]]:
    """Each line that is not blank, by its place: `line 12`, and what `of` adds to that.

    A line of more than `limit` bytes is passed over without being held. OSError where the file
    cannot be read.
    """
    with path.open("rb") as file:
        number = 0
        while line := file.readline(limit + 1):
            number += 1
            place = f"line {number}{of}"
            if len(line) > limit:
                while line and not line.endswith(b"\n"):
                    line = file.readline(_CHUNK)
                detail = f"it has more than {limit:,} bytes"
                yield place, BrokenRow(place=place, check="row_too_long", detail=detail)
            elif line.strip():
                yield place, _object(place, line, "utf-8-sig" if number == 1 else "utf-8")


def object_or_fault(place: str, value: Any) -> dict[str, Any] | BrokenRow:
    """The value where it is an object."""
    if isinstance(value, dict):
        return value
    kind = type(value).__name__
    return BrokenRow(place=place, check="row_not_json", detail=f"a {kind}, not an object")


def _object(place: str, line: bytes, encoding: str) -> dict[str, Any] | BrokenRow:
    try:
        return object_or_fault(place, json.loads(line.decode(encoding)))
    except UnicodeDecodeError as error:
        detail = f"byte {error.start} is not UTF-8"
        return BrokenRow(place=place, check="row_not_utf8", detail=detail)
    except (ValueError, RecursionError) as error:
        return BrokenRow(place=place, check="row_not_json", detail=f"it is not JSON: {error}")
