"""A forest plot shows each difference where it is, about zero."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from deskcheck.analysis.drawing.charts import LEFT, RIGHT, WIDTH, Dot, forest
from deskcheck.analysis.statistics.estimates import Estimate


def difference(
    value: float | None, low: float | None = None, high: float | None = None
) -> Estimate:
    return Estimate(
        value=value,
        low=low,
        high=high,
        method="made up",
        n=40,
        clusters=20,
        effective_clusters=20.0,
        note="" if low is not None else "too few clusters",
    )


def ticks(body: str) -> dict[int, float]:
    """Points -> place, of every number on the axis."""
    found = re.findall(r'<text class="tick" x="([\d.]+)" y="\d+">(-?\d+)</text>', body)
    return {int(points): float(x) for x, points in found}


@pytest.mark.parametrize(
    "ends", [(-0.004, 0.006), (-0.31, 0.05), (0.2, 0.9), (-1.0, 1.0), (0.0, 0.0)]
)
def test_the_axis_holds_zero_and_every_interval(ends: tuple[float, float]) -> None:
    """Few even ticks, zero among them, and everything between the first and the last."""
    middle = sum(ends) / 2
    drawn = forest("f", "F", [Dot(name="a", estimate=difference(middle, *ends))])
    found = ticks(drawn.body)
    assert 0 in found
    assert 2 <= len(found) <= 8
    assert min(found) <= 100 * ends[0] and 100 * ends[1] <= max(found)
    assert min(found.values()) == LEFT and max(found.values()) == WIDTH - RIGHT
    points = sorted(found)
    steps = {after - before for before, after in pairwise(points)}
    assert len(steps) == 1
    line = re.search(r'<path class="line" d="M([\d.]+) ', drawn.body)
    assert line is not None and float(line[1]) == found[0]


def test_a_difference_stands_where_it_is() -> None:
    """Dot, interval and second value lie on the axis's own scale."""
    dots = [Dot(name="a <b>", estimate=difference(0.1, -0.05, 0.2), second=0.15)]
    drawn = forest("f", "F", dots)
    found = ticks(drawn.body)
    for points, place in ((10, "cx"), (20, "H"), (15, "second")):
        x = found[0] + points / 10 * (found[10] - found[0])
        pattern = {"cx": r'cx="([\d.]+)"', "H": r"H([\d.]+)", "second": r'second" d="M([\d.]+)'}
        shown = re.search(pattern[place], drawn.body)
        assert shown is not None and float(shown[1]) == pytest.approx(x, abs=0.11)
    ElementTree.fromstring(f"<svg>{drawn.body}</svg>")
    assert drawn.title == "F: a <b>: 10.0 points, -5.0 to 20.0"


def test_what_has_no_interval_or_no_value_says_why() -> None:
    """A dot without its bar, or the reason in place of the dot; and both are read out."""
    dots = [Dot(name="few", estimate=difference(0.3)), Dot(name="none", estimate=difference(None))]
    drawn = forest("f", "F", dots)
    assert 'class="bar' not in drawn.body
    assert drawn.body.count("<circle") == 1
    assert ">too few clusters</text>" in drawn.body
    assert drawn.title == "F: few: 30.0 points, too few clusters; none: too few clusters"
