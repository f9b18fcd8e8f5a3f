"""Stacked bars of shares as the inside of SVG: parts differ in pattern, letter and colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from deskcheck.analysis.blocks import Drawing
from deskcheck.analysis.texts import harmless, percent

WIDTH = 480
LEFT = 176
"""Where bars begin; names stand before it."""
RIGHT = 56
ROW = 24
TOP = 26
BOTTOM = 22
KEY = 18
"""Height of a line of the key."""
COLUMNS = 3
"""Entries of the key side by side."""
NAME = 23
"""Characters of a name that fit before a bar; both its ends are kept."""
LETTER = 14
"""Width from which on a part has its letter in it."""

PATTERNS = (
    "",
    '<path d="M0 8L8 0M-2 2L2 -2M6 10L10 6"/>',
    '<circle cx="2" cy="2" r="1.3"/><circle cx="6" cy="6" r="1.3"/>',
    '<path d="M0 0L8 8M0 8L8 0"/>',
    '<path d="M4 0V8"/>',
    '<path d="M0 4H8"/>',
)
"""What is drawn over the colour of each part, the first excepted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One row: a count for each part, in the order of the parts, at most len(PATTERNS) of them."""

    name: str
    counts: tuple[int, ...]


def stacked_chart(name: str, title: str, parts: Sequence[str], bars: Sequence[Bar]) -> Drawing:
    """Each bar is 100% of its counts; its total stands behind it. Empty bars say so.

    ValueError where there are more parts than patterns.
    """
    if len(parts) > len(PATTERNS):
        raise ValueError(f"{len(parts)} parts, and {len(PATTERNS)} patterns")
    lines = -(-len(parts) // COLUMNS)
    foot = TOP + ROW * len(bars)
    height = foot + BOTTOM + KEY * lines
    body = [f'<text class="head" x="0" y="14">{_text(title)}</text>', _defined(name, len(parts))]
    for number, bar in enumerate(bars):
        body += _row(name, parts, bar, TOP + ROW * number)
    body += [
        f'<text class="tick" x="{_place(share / 100)}" y="{foot + 13}">{share}</text>'
        for share in (0, 25, 50, 75, 100)
    ]
    for number, part in enumerate(parts):
        x = (number % COLUMNS) * (WIDTH // COLUMNS)
        y = foot + BOTTOM + KEY * (number // COLUMNS)
        body.append(_part(name, number, x, y, 22, 12))
        body.append(f'<text x="{x + 28}" y="{y + 10}">{_letter(part)} {_text(part)}</text>')
    return Drawing(
        name=name,
        title=f"{title}: {'; '.join(_read(parts, bar) for bar in bars)}",
        width=WIDTH,
        height=height,
        body="".join(body),
    )


def _defined(name: str, count: int) -> str:
    """The patterns under names that no other drawing of a page has."""
    made = "".join(
        f'<pattern id="{name}-p{number}" width="8" height="8" patternUnits="userSpaceOnUse">'
        f'<g class="stroke">{PATTERNS[number]}</g></pattern>'
        for number in range(count)
        if PATTERNS[number]
    )
    return f"<defs>{made}</defs>"


def _row(name: str, parts: Sequence[str], bar: Bar, y: int) -> list[str]:
    shown = bar.name if len(bar.name) <= NAME else f"{bar.name[: NAME - 11]}…{bar.name[-10:]}"
    drawn = [f'<text class="name" x="{LEFT - 12}" y="{y + 15}">{_text(shown)}</text>']
    total = sum(bar.counts)
    if not total:
        return [*drawn, f'<text class="none" x="{LEFT + 4}" y="{y + 15}">none</text>']
    before = 0
    for number, count in enumerate(bar.counts):
        start, end = _place(before / total), _place((before + count) / total)
        before += count
        if count:
            width = round(end - start, 1)
            drawn.append(_part(name, number, start, y + 3, width, ROW - 6))
            if width >= LETTER:
                middle = round(start + width / 2, 1)
                drawn.append(
                    f'<rect class="plate" x="{round(middle - 5.5, 1)}" y="{y + 5}" width="11" '
                    f'height="14"/><text class="letter" x="{middle}" y="{y + 16}">'
                    f"{_letter(parts[number])}</text>"
                )
    drawn.append(f'<text class="value" x="{WIDTH - 4}" y="{y + 15}">{total:,}</text>')
    return drawn


def _part(name: str, number: int, x: float, y: int, width: float, height: int) -> str:
    at = f'x="{x:g}" y="{y}" width="{width:g}" height="{height}"'
    filled = f'<rect class="part part{number}" {at}/>'
    if not PATTERNS[number]:
        return filled
    return f'{filled}<rect fill="url(#{name}-p{number})" {at}/>'


def _place(share: float) -> float:
    return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)


def _letter(part: str) -> str:
    return part[:1].upper()


def _read(parts: Sequence[str], bar: Bar) -> str:
    total = sum(bar.counts)
    if not total:
        return f"{bar.name}: none"
    shares = ", ".join(
        f"{part} {percent(count / total)}%"
        for part, count in zip(parts, bar.counts, strict=True)
        if count
    )
    return f"{bar.name}: {shares} of {total:,}"


def _text(text: str) -> str:
    return escape(harmless(text).replace("\n", " "))
