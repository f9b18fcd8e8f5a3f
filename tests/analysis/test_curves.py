"""Curves are valid SVG without style of their own, inside their frame, and differ in shape."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from deskcheck.analysis.blocks import Drawing
from deskcheck.analysis.drawing.curves import Curve, curve_chart, power
from deskcheck.analysis.statistics.binned import Bin, binned


def bins(seed: int, rows: int = 200, low: float = 3.0, high: float = 14.0) -> tuple[Bin, ...]:
    rng = np.random.default_rng(seed)
    hits = (rng.random(rows) < 0.5).astype(np.float64)
    return binned(rng.uniform(low, high, rows), hits, np.arange(rows))


def read(drawing: Drawing) -> ElementTree.Element:
    """The drawing as an element; it must be well formed."""
    return ElementTree.fromstring(f"<svg>{drawing.body}</svg>")


def test_up_to_four_curves_have_a_shape_each() -> None:
    """Each curve's marks and its line of the legend are of one shape; more curves are refused."""
    curves = [Curve(name=f"mode {number}", bins=bins(number)) for number in range(4)]
    drawing = curve_chart("c", "Errors", "trace length", curves)
    marks = [each for each in read(drawing) if each.get("class", "").startswith("dot ")]
    assert len(marks) == 4 * (8 + 1)
    assert len({(each.tag, each.get("class"), each.get("d", "")[-9:]) for each in marks}) >= 4
    with pytest.raises(ValueError, match="5 curves"):
        curve_chart("c", "Errors", "trace length", [*curves, curves[0]])


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.4), (-2.5, 40.0), (9.9, 10.1), (5.0, 5.0)])
def test_everything_stands_inside_the_frame(low: float, high: float) -> None:
    """Marks and ticks stay inside the drawing for narrow, wide and pointlike ranges."""
    drawing = curve_chart("c", "Errors", "peak", [Curve(name="a", bins=bins(1, 60, low, high))])
    for each in read(drawing):
        for name, limit in (("x", drawing.width), ("cx", drawing.width), ("y", drawing.height)):
            if each.get(name) is not None:
                assert 0 <= float(each.get(name, "")) <= limit
        for x, y in re.findall(r"[ML]([\d.-]+) ([\d.-]+)", each.get("d", "")):
            assert 0 <= float(x) <= drawing.width
            assert 0 <= float(y) <= drawing.height
    ticks = [each.text for each in read(drawing) if each.get("class") == "tick"]
    assert 2 <= len(ticks) - 1 <= 8


def test_a_single_curve_has_no_legend_and_is_read_out() -> None:
    """The title says every share with its place; the name stands in no legend."""
    drawing = curve_chart("c", "Errors", "peak", [Curve(name="all", bins=bins(2, 40)[:1])])
    assert "all" not in ElementTree.tostring(read(drawing), encoding="unicode")
    assert re.search(r"^Errors, by peak: all: [\d.]+% at [\d.e+]+$", drawing.title)


def test_text_is_escaped_and_nothing_is_styled() -> None:
    """Foreign names do no harm, and looks are left to the style sheet."""
    drawing = curve_chart(
        "c", "<b>", "a&b", [Curve(name="</text><script>", bins=bins(n)) for n in (1, 2)]
    )
    assert "<script>" not in drawing.body
    assert not re.search(r"style|fill=|stroke", drawing.body)


def test_powers_of_two_are_written_with_superscripts() -> None:
    """Negative exponents have their sign."""
    assert (power(10), power(-3)) == ("2¹⁰", "2⁻³")
