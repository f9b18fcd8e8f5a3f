"""Many small curves in a grid, as the inside of an SVG element: see `charts`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from deskcheck.analysis.blocks import Drawing
from deskcheck.analysis.texts import digits, harmless

LEFT = 176
"""Where the first column begins; names of rows stand before it."""
RIGHT = 8
WIDTH = 480
CELL = 44
"""Least width of a column; with many of them the drawing grows wider than `WIDTH`."""
ROW = 46
LABEL = 15
"""Height of the number over a curve."""
TOP = 24
LINE = 16
NAME = 23
"""Characters of a name that fit before the grid; both its ends are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A number, and shares from 0 to 1 that are drawn from left to right at equal steps."""

    number: float | None
    marked: bool
    """A filled triangle stands beside the number."""
    shares: tuple[float, ...]


def panel_chart(
    name: str,
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    panels: Mapping[tuple[str, str], Panel],
) -> Drawing:
    """A panel for each row and column that has one. Columns are numbered, and named on top."""
    cell = max(CELL, (WIDTH - LEFT - RIGHT) // max(1, len(columns)))
    top = TOP + LINE * len(columns) + LINE
    parts = [f'<text class="head" x="0" y="14">{_text(title)}</text>']
    for place, column in enumerate(columns):
        x = LEFT + cell * place + (cell - 6) // 2
        parts.append(
            f'<text x="{LEFT}" y="{TOP + LINE * place + 10}">{place + 1} {_text(column)}</text>'
            f'<text class="tick" x="{x}" y="{top - 5}">{place + 1}</text>'
        )
    for number, row in enumerate(rows):
        y = top + ROW * number
        parts.append(
            f'<text class="name" x="{LEFT - 12}" y="{y + ROW // 2 + 6}">{_text(_short(row))}</text>'
        )
        for place, column in enumerate(columns):
            panel = panels.get((row, column))
            if panel is not None:
                parts += _drawn(panel, LEFT + cell * place, y, cell - 6)
    return Drawing(
        name=name,
        title=f"{title}: {_read(rows, columns, panels)}",
        width=max(WIDTH, LEFT + cell * len(columns) + RIGHT),
        height=top + ROW * len(rows) + 4,
        body="".join(parts),
    )


def _drawn(panel: Panel, x: int, y: int, width: int) -> list[str]:
    head, foot = y + LABEL, y + ROW - 5
    parts = [f'<path class="grid" d="M{x} {head}H{x + width}V{foot}H{x}Z"/>']
    number = "\u2013" if panel.number is None else digits(panel.number)
    parts.append(f'<text class="value" x="{x + width}" y="{head - 4}">{number}</text>')
    if panel.marked:
        parts.append(f'<path class="dot model" d="M{x + 5} {head - 12}l5 9h-10z"/>')
    step = width / max(1, len(panel.shares))
    points = [
        (round(x + step * (place + 0.5), 1), round(foot - share * (foot - head), 1))
        for place, share in enumerate(panel.shares)
    ]
    if len(points) > 1:
        line = "L".join(f"{left:g} {low:g}" for left, low in points)
        parts.append(f'<path class="bar model" d="M{line}"/>')
    return [
        *parts,
        *(f'<circle class="dot model" cx="{left:g}" cy="{low:g}" r="2"/>' for left, low in points),
    ]


def _read(
    rows: Sequence[str], columns: Sequence[str], panels: Mapping[tuple[str, str], Panel]
) -> str:
    said = [
        f"{row}, {column}: {'none' if panel.number is None else digits(panel.number)}"
        f"{', marked' if panel.marked else ''}"
        for row in rows
        for column in columns
        if (panel := panels.get((row, column))) is not None
    ]
    return "; ".join(said)


def _short(name: str) -> str:
    return name if len(name) <= NAME else f"{name[: NAME - 11]}…{name[-10:]}"


def _text(text: str) -> str:
    return escape(harmless(text).replace("\n", " "))
