"""Small charts as the inside of SVG elements: plain shapes with classes, and no style of their own.

Series differ in shape as well as in colour.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from deskcheck.analysis.blocks import Drawing
from deskcheck.analysis.statistics.estimates import Estimate
from deskcheck.analysis.texts import harmless, percent

STEPS = (0.01, 0.02, 0.05, 0.1, 0.25, 0.5)
"""Between ticks of an axis of differences: the smallest that gives few of them."""
TICKS = 7

WIDTH = 480
LEFT = 176
"""Where the axis of shares begins; names stand before it."""
RIGHT = 56
ROW = 22
TOP = 26
BOTTOM = 22
NAME = 23
"""Characters of a name that fit before the axis; both its ends are kept, as a run stands last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """One row of a chart: a share or a difference of shares with its interval.

    A second one is drawn as a stroke.
    """

    name: str
    estimate: Estimate
    second: float | None = None
    floor: bool = False
    """A baseline, drawn as a hollow square."""


def dot_chart(name: str, title: str, dots: Sequence[Dot], line: float | None = None) -> Drawing:
    """Shares from 0 to 100% in rows. `line` is a share at which a broken line stands."""
    height = TOP + ROW * len(dots) + BOTTOM
    parts = [f'<text class="head" x="0" y="14">{_text(title)}</text>', *_axis(height)]
    if line is not None:
        at = _place(line)
        parts.append(f'<path class="line" d="M{at} {TOP - 4}V{height - BOTTOM}"/>')
    for number, dot in enumerate(dots):
        parts += _row(dot, TOP + ROW * number + ROW // 2, _place)
    return _drawing(name, title, dots, "%", height, parts)


def forest(name: str, title: str, dots: Sequence[Dot]) -> Drawing:
    """Differences of shares in rows, in points, about a broken line at zero."""
    height = TOP + ROW * len(dots) + BOTTOM
    low, high, step = _span(dots)

    def place(difference: float) -> float:
        return round(LEFT + (difference - low) / (high - low) * (WIDTH - LEFT - RIGHT), 1)

    foot = height - BOTTOM
    parts = [f'<text class="head" x="0" y="14">{_text(title)}</text>']
    for number in range(round((high - low) / step) + 1):
        tick = low + number * step
        parts.append(
            f'<path class="grid" d="M{place(tick)} {TOP - 4}V{foot}"/>'
            f'<text class="tick" x="{place(tick)}" y="{foot + 15}">{round(100 * tick)}</text>'
        )
    parts.append(f'<text class="tick" x="{WIDTH - 20}" y="{foot + 15}">points</text>')
    parts.append(f'<path class="line" d="M{place(0.0)} {TOP - 4}V{foot}"/>')
    for number, dot in enumerate(dots):
        parts += _row(dot, TOP + ROW * number + ROW // 2, place)
    return _drawing(name, title, dots, " points", height, parts)


def _span(dots: Sequence[Dot]) -> tuple[float, float, float]:
    """Where an axis of differences begins and ends, both at ticks, and the step between these."""
    shown = [0.0]
    for dot in dots:
        ends = (dot.estimate.value, dot.estimate.low, dot.estimate.high, dot.second)
        shown += [end for end in ends if end is not None]
    low, high = min(shown), max(shown)
    step = next(
        (step for step in STEPS if math.ceil(high / step) - math.floor(low / step) < TICKS),
        STEPS[-1],
    )
    first, last = math.floor(low / step), math.ceil(high / step)
    return first * step, max(last, first + 1) * step, step


def _drawing(
    name: str, title: str, dots: Sequence[Dot], unit: str, height: int, parts: Sequence[str]
) -> Drawing:
    return Drawing(
        name=name,
        title=f"{title}: {'; '.join(_read(dot, unit) for dot in dots)}",
        width=WIDTH,
        height=height,
        body="".join(parts),
    )


def _axis(height: int) -> list[str]:
    foot = height - BOTTOM
    lines = [
        f'<path class="grid" d="M{_place(share / 100)} {TOP - 4}V{foot}"/>'
        f'<text class="tick" x="{_place(share / 100)}" y="{foot + 15}">{share}</text>'
        for share in (0, 25, 50, 75, 100)
    ]
    return [*lines, f'<text class="tick" x="{WIDTH - 12}" y="{foot + 15}">%</text>']


def _row(dot: Dot, y: int, place: Callable[[float], float]) -> list[str]:
    kind = "floor" if dot.floor else "model"
    name = dot.name
    shown = name if len(name) <= NAME else f"{name[: NAME - 11]}…{name[-10:]}"
    parts = [f'<text class="name" x="{LEFT - 12}" y="{y + 4}">{_text(shown)}</text>']
    estimate = dot.estimate
    if estimate.value is None:
        return [*parts, f'<text class="none" x="{LEFT + 4}" y="{y + 4}">{estimate.note}</text>']
    x = place(estimate.value)
    if dot.second is not None and abs(dot.second - estimate.value) >= 0.002:
        parts.append(f'<path class="second" d="M{place(dot.second)} {y - 7}V{y + 7}"/>')
    if estimate.low is not None and estimate.high is not None:
        parts.append(
            f'<path class="bar {kind}" d="M{place(estimate.low)} {y}H{place(estimate.high)}"/>'
        )
    if dot.floor:
        parts.append(f'<rect class="dot floor" x="{x - 4:g}" y="{y - 4}" width="8" height="8"/>')
    else:
        parts.append(f'<circle class="dot model" cx="{x:g}" cy="{y}" r="4.5"/>')
    value = percent(estimate.value)
    parts.append(f'<text class="value" x="{WIDTH - 4}" y="{y + 4}">{value}</text>')
    return parts


def _place(share: float) -> float:
    return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)


def _read(dot: Dot, unit: str) -> str:
    estimate = dot.estimate
    if estimate.value is None:
        return f"{dot.name}: {estimate.note}"
    said = f"{dot.name}: {percent(estimate.value)}{unit}"
    if estimate.low is None or estimate.high is None:
        return f"{said}, {estimate.note}"
    return f"{said}, {percent(estimate.low)} to {percent(estimate.high)}"


def _text(text: str) -> str:
    return escape(harmless(text).replace("\n", " "))
