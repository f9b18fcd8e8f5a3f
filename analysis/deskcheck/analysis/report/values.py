"""One value of a table, as people read it, as a CSV file holds it, and as a list of estimates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from deskcheck.analysis.blocks import Column, Kind, Link, Section, Table, Value
from deskcheck.analysis.statistics.estimates import Estimate
from deskcheck.analysis.texts import digits, harmless, p_value, percent

DASH = "\u2013"
ABSENT = DASH

_KEPT = 9
"""Decimals that are kept of a number in a file: more would differ between machines."""

_PARTS = ("low", "high", "n", "clusters", "effective_clusters", "method", "note")
"""What a CSV file says of an estimate, beside its value."""

_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A value for people: its text, the interval or the reason for none, and where it leads."""

    text: str
    interval: str = ""
    note: str = ""
    order: str = ""
    """A number to sort by; empty for text."""
    href: str = ""


def shown(value: Value, kind: Kind) -> Shown:
    """The value as pages write it."""
    match value:
        case None:
            return Shown(text=ABSENT, order="-1")
        case Estimate():
            return _shown_estimate(value, kind)
        case Link():
            return Shown(text=value.text, href=value.href)
        case int() | float():
            return Shown(text=_number(value, kind), order=repr(rounded(value)))
        case _:
            return Shown(text=value)


def _shown_estimate(estimate: Estimate, kind: Kind) -> Shown:
    if estimate.value is None:
        return Shown(text=ABSENT, note=estimate.note, order="-1")
    text, order = _number(estimate.value, kind), repr(rounded(estimate.value))
    if estimate.low is None or estimate.high is None:
        return Shown(text=text, note=estimate.note, order=order)
    to = DASH if estimate.low >= 0 else " to "  # a dash would look like one more minus
    interval = f"{_number(estimate.low, kind)}{to}{_number(estimate.high, kind)}"
    return Shown(text=text, interval=interval, order=order)


def _number(value: float, kind: Kind) -> str:
    match kind:
        case "share":
            return percent(value)
        case "count":
            return f"{value:,}"
        case "p":
            return p_value(value)
        case _:
            return digits(value)


def rounded(value: float) -> float:
    """The number with as many decimals as files keep."""
    return round(value, _KEPT) if isinstance(value, float) else value


def csv_rows(table: Table) -> Iterator[list[str]]:
    """The table's heading and rows; shares are from 0 to 1 there, and estimates take columns."""
    estimated = with_intervals(table)
    heading = []
    for place, column in enumerate(table.columns):
        heading.append(column.name)
        heading += [f"{column.name}_{part}" for part in _PARTS if place in estimated]
    yield heading
    for row in table.rows:
        out: list[str] = []
        for place, value in enumerate(row):
            out += _csv_values(value) if place in estimated else [csv_value(_plain(value))]
        yield out


def with_intervals(table: Table) -> frozenset[int]:
    """Places of the columns that hold estimates."""
    return frozenset(
        place for row in table.rows for place, each in enumerate(row) if isinstance(each, Estimate)
    )


def csv_value(value: object) -> str:
    """A value as a spreadsheet may hold it.

    Texts are made harmless, and those that a spreadsheet would run as a formula get an apostrophe
    in front; plain numbers, such as the answer -1, are none.
    """
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(rounded(value))
    text = harmless(str(value).replace("\r\n", "\n"))
    if _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def _csv_values(value: Value) -> list[str]:
    if not isinstance(value, Estimate):
        return [csv_value(_plain(value)), *([""] * len(_PARTS))]
    return [csv_value(getattr(value, part)) for part in ("value", *_PARTS)]


def _plain(value: Value) -> object:
    return value.text if isinstance(value, Link) else value


def estimates_of(sections: Sequence[Section]) -> Iterator[Mapping[str, Any]]:
    """Every estimate of the tables, with what it is about; plain JSON."""
    for section in sections:
        for block in section.blocks:
            if isinstance(block, Table):
                yield from _of_table(section, block)


def _of_table(section: Section, table: Table) -> Iterator[Mapping[str, Any]]:
    for row in table.rows:
        about = {
            column.name: harmless(str(_plain(value)))
            for column, value in zip(table.columns, row, strict=True)
            if column.kind == "text"
        }
        for column, value in zip(table.columns, row, strict=True):
            if isinstance(value, Estimate):
                yield {
                    "section": section.name,
                    "table": table.name,
                    "about": about,
                    "column": column.name,
                    **{
                        name: rounded(each) if isinstance(each, float) else each
                        for name, each in asdict(value).items()
                    },
                }


def is_number(column: Column) -> bool:
    """The column stands on the right."""
    return column.kind != "text"
