"""Polygon area and Pick's theorem: inputs and an independent reference."""

from __future__ import annotations

from fractions import Fraction

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm

Point = tuple[int, int]


def generate(draws: Draws, size: int) -> str:
    """A polygon of `size` (at least four) corners: a chain below a level and one above it.

    Both chains run from the same left to the same right end and never meet, so no edges cross.
    """
    count = max(size, 4)
    width = count + draws.integer(0, 9)
    left, level = draws.integer(-9, 9), draws.integer(-5, 5)
    below, above = (
        [left, *sorted(draws.sample(range(left + 1, left + width), chain - 2)), left + width]
        for chain in (count // 2, count - count // 2)
    )
    corners = [(x, level - draws.integer(1, 30)) for x in below]
    corners += [(x, level + draws.integer(1, 30)) for x in reversed(above)]
    start = draws.integer(0, count - 1)
    corners = corners[start:] + corners[:start]
    if draws.bits(1):
        corners.reverse()
    return "\n".join([str(count), *(f"{x} {y}" for x, y in corners)]) + "\n"


def reference(stdin: str) -> str:
    """Row by row: widths half way between rows add up to the area; points are counted singly."""
    numbers = list(map(int, stdin.split()[1:]))
    corners = list(zip(numbers[::2], numbers[1::2], strict=True))
    edges = list(zip(corners, corners[1:] + corners[:1], strict=True))
    area = Fraction(0)
    inside = 0
    border: set[tuple[Fraction, int]] = set()
    for y in range(min(numbers[1::2]), max(numbers[1::2]) + 1):
        half = _crossings(edges, y + Fraction(1, 2))
        area += sum(half[1::2]) - sum(half[::2])
        for (x1, y1), (x2, y2) in edges:
            if y1 == y2 == y:
                border |= {(Fraction(x), y) for x in range(min(x1, x2), max(x1, x2) + 1)}
            elif min(y1, y2) <= y <= max(y1, y2):
                x = x1 + Fraction((y - y1) * (x2 - x1), y2 - y1)
                border |= {(x, y)} if x.denominator == 1 else set()
        row = _crossings(edges, Fraction(y))
        for start, end in zip(row[::2], row[1::2], strict=True):
            inside += sum(
                start < x < end and (Fraction(x), y) not in border
                for x in range(int(start) - 1, int(end) + 2)
            )
    return (
        f"direction: {_direction(corners)}\narea: {area}\n"
        f"lattice points inside: {inside}\nlattice points in all: {inside + len(border)}\n"
    )


def _crossings(edges: list[tuple[Point, Point]], y: Fraction) -> list[Fraction]:
    """Where the edges cross the horizontal line at `y`, from left to right."""
    return sorted(
        x1 + (y - y1) * Fraction(x2 - x1, y2 - y1)
        for (x1, y1), (x2, y2) in edges
        if min(y1, y2) <= y < max(y1, y2)
    )


def _direction(corners: list[Point]) -> str:
    """From the turn at the lowest corner (the rightmost of them), where the polygon is convex."""
    at = min(range(len(corners)), key=lambda i: (corners[i][1], -corners[i][0]))
    here, after = corners[at], corners[(at + 1) % len(corners)]
    before = complex(*corners[at - 1]) - complex(*here)
    turn = (before.conjugate() * (complex(*after) - complex(*here))).imag
    return "counterclockwise" if turn < 0 else "clockwise"


ALGORITHM = Algorithm(
    name="polygon_area",
    title="Polygon area by the shoelace formula, with Pick's theorem",
    area="geometry",
    source="G. Pick, Geometrisches zur Zahlenlehre, 1899; B. Braden, The Surveyor's Area "
    "Formula, 1986",
    generate=generate,
    reference=reference,
    short=6,
    long=72,
)
