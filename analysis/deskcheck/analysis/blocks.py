"""What a section is made of: texts, notices, tables and figures, free of any layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from deskcheck.analysis.statistics.estimates import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Text that leads to another file of the report; `href` is relative to its folder."""

    text: str
    href: str


Value = str | int | float | None | Estimate | Link

Kind = Literal["text", "count", "number", "share", "p"]
"""How a column is written: as it stands, with thousands set apart, with few digits, in percent, or
as a p-value.
Estimates stand in columns of numbers and shares."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """`name` is that of a CSV file's column; an estimate there takes several, named after it."""

    name: str
    heading: str
    kind: Kind = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of values, one for each column. `name` is that of its file, and unlike any other's.

    The text columns say what a row is about, in the list of all estimates too.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    note: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.name}: {len(row)} values for {self.columns}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """The inside of an SVG element of this size, made by `charts`. `title` is read out loud.

    Its classes are those of `report/chart.css`, so that it suits screen, night and paper.
    """

    name: str
    title: str
    width: int
    height: int
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """Drawings that belong together. The names of drawings are those of files."""

    name: str
    title: str
    caption: str
    drawings: tuple[Drawing, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One paragraph, as it stands: no markup is read in it."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One line that must not be missed. A warning says that some numbers are not what they seem."""

    text: str
    warning: bool = True


Block = Text | Notice | Table | Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the report. `name` is an anchor: lower case, digits and hyphens."""

    name: str
    title: str
    blocks: tuple[Block, ...]
