"""Shares along a measure of powers of two, as the inside of an SVG element: see `charts`.

Curves differ in shape as well as in colour.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from deskcheck.analysis.blocks import Drawing
from deskcheck.analysis.statistics.binned import Bin
from deskcheck.analysis.texts import harmless, percent

WIDTH = 480
LEFT = 44
RIGHT = 20
TOP = 26
LEGEND = 18
"""Height of a line of the legend, which is there from two curves on."""
PLOT = 180
BOTTOM = 44
TICKS = 7

SHAPES = ("circle", "square", "triangle", "diamond")
"""Of the first, second, third and fourth curve."""

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Shares in bins along log2 of a measure."""

    name: str
    bins: tuple[Bin, ...]


def curve_chart(name: str, title: str, axis: str, curves: Sequence[Curve]) -> Drawing:
    """Up to four curves of shares from 0 to 100%; `axis` says what is measured, in which unit.

    A dot stands at the mean of its bin, and its upright bar is the interval, where there is one.
    """
    if len(curves) > len(SHAPES):
        raise ValueError(f"chart {name}: {len(curves)} curves, and {len(SHAPES)} shapes for them")
    top = TOP + LEGEND * (len(curves) if len(curves) > 1 else 0)
    plot = _Plot(top=top, low=_low(curves), high=_high(curves))
    parts = [f'<text class="head" x="0" y="14">{_text(title)}</text>']
    if len(curves) > 1:
        for number, (curve, shape) in enumerate(zip(curves, SHAPES, strict=False)):
            y = TOP + LEGEND * number
            parts.append(_mark(shape, LEFT + 6, y))
            parts.append(f'<text x="{LEFT + 18}" y="{y + 4}">{_text(curve.name)}</text>')
    parts += plot.axes(axis)
    for curve, shape in zip(curves, SHAPES, strict=False):
        parts += _drawn(curve, shape, plot)
    return Drawing(
        name=name,
        title=f"{title}, by {axis}: {'; '.join(_read(curve) for curve in curves)}",
        width=WIDTH,
        height=top + PLOT + BOTTOM,
        body="".join(parts),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plot:
    """Where a share and an exponent of two stand; the axis has whole exponents at its ends."""

    top: int
    low: int
    high: int

    def x(self, exponent: float) -> float:
        inner = WIDTH - LEFT - RIGHT
        return round(LEFT + (exponent - self.low) / (self.high - self.low) * inner, 1)

    def y(self, share: float) -> float:
        return round(self.top + (1 - share) * PLOT, 1)

    def axes(self, axis: str) -> list[str]:
        foot = self.top + PLOT
        parts = [
            f'<path class="grid" d="M{LEFT} {self.y(share / 100):g}H{WIDTH - RIGHT}"/>'
            f'<text class="name" x="{LEFT - 8}" y="{self.y(share / 100) + 4:g}">{share}</text>'
            for share in (0, 25, 50, 75, 100)
        ]
        step = math.ceil((self.high - self.low + 1) / TICKS)
        parts += [
            f'<path class="grid" d="M{self.x(exponent):g} {foot}v5"/>'
            f'<text class="tick" x="{self.x(exponent):g}" y="{foot + 18}">{power(exponent)}</text>'
            for exponent in range(self.low, self.high + 1, step)
        ]
        middle = (LEFT + WIDTH - RIGHT) / 2
        return [*parts, f'<text class="tick" x="{middle:g}" y="{foot + 36}">{_text(axis)}</text>']


def power(exponent: int) -> str:
    """A power of two, such as 2¹⁰."""
    return "2" + str(exponent).translate(_SUPERSCRIPTS)


def _low(curves: Sequence[Curve]) -> int:
    return math.floor(min((each.centre for curve in curves for each in curve.bins), default=0.0))


def _high(curves: Sequence[Curve]) -> int:
    most = max((each.centre for curve in curves for each in curve.bins), default=1.0)
    return max(math.ceil(most), _low(curves) + 1)


def _drawn(curve: Curve, shape: str, plot: _Plot) -> list[str]:
    kind, parts, points = _kind(shape), [], []
    for each in curve.bins:
        estimate, x = each.estimate, plot.x(each.centre)
        if estimate.value is None:
            continue
        if estimate.low is not None and estimate.high is not None:
            parts.append(
                f'<path class="bar {kind}" '
                f'd="M{x:g} {plot.y(estimate.low):g}V{plot.y(estimate.high):g}"/>'
            )
        points.append((x, plot.y(estimate.value)))
    steps = "L".join(f"{x:g} {y:g}" for x, y in points)
    if len(points) > 1:
        parts.append(f'<path class="bar {kind}" d="M{steps}"/>')
    return [*parts, *(_mark(shape, x, y) for x, y in points)]


def _kind(shape: str) -> str:
    return "model" if shape in ("circle", "triangle") else "floor"


def _mark(shape: str, x: float, y: float) -> str:
    kind = _kind(shape)
    match shape:
        case "circle":
            return f'<circle class="dot {kind}" cx="{x:g}" cy="{y:g}" r="4.5"/>'
        case "square":
            return f'<rect class="dot {kind}" x="{x - 4:g}" y="{y - 4:g}" width="8" height="8"/>'
        case "triangle":
            return f'<path class="dot {kind}" d="M{x:g} {y - 5:g}l5.5 9.5h-11z"/>'
        case _:
            return f'<path class="dot {kind}" d="M{x:g} {y - 6:g}l6 6l-6 6l-6 -6z"/>'


def _read(curve: Curve) -> str:
    said = ", ".join(
        f"{percent(each.estimate.value)}% at {2**each.centre:.3g}"
        for each in curve.bins
        if each.estimate.value is not None
    )
    return f"{curve.name}: {said or 'nothing to show'}"


def _text(text: str) -> str:
    return escape(harmless(text).replace("\n", " "))
