"""Convex hull: inputs and an independent reference."""

from __future__ import annotations

from math import dist

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm

Point = tuple[int, int]


def generate(draws: Draws, size: int) -> str:
    """`size` (at least three) different points, three of them near corners of the square."""
    points: dict[Point, None] = {
        (draws.integer(0, 9), draws.integer(0, 9)): None,
        (draws.integer(90, 99), draws.integer(0, 20)): None,
        (draws.integer(30, 60), draws.integer(80, 99)): None,
    }
    while len(points) < size:
        points[draws.integer(0, 99), draws.integer(0, 99)] = None
    lines = [f"{x} {y}" for x, y in draws.shuffled(list(points))]
    return "\n".join([str(len(points)), *lines]) + "\n"


def reference(stdin: str) -> str:
    """Gift wrapping, and all pairs of points for the diameter."""
    numbers = list(map(int, stdin.split()[1:]))
    points = list(zip(numbers[::2], numbers[1::2], strict=True))

    def right_of(origin: Point, a: Point, b: Point) -> int:
        ax, ay, bx, by = a[0] - origin[0], a[1] - origin[1], b[0] - origin[0], b[1] - origin[1]
        return ay * bx - ax * by

    hull = [min(points, key=lambda p: (p[1], p[0]))]
    while True:
        here = hull[-1]
        best = hull[0] if len(hull) > 1 else next(p for p in points if p != here)
        for point in points:
            side = right_of(here, best, point)
            if side > 0 or (side == 0 and dist(here, point) > dist(here, best)):
                best = point
        if best == hull[0]:
            break
        hull.append(best)
    area = sum(
        (x1 + x2) * (y2 - y1) for (x1, y1), (x2, y2) in zip(hull, hull[1:] + hull[:1], strict=True)
    )
    diameter = max((x1 - x2) ** 2 + (y1 - y2) ** 2 for x1, y1 in points for x2, y2 in points)
    return f"corners: {len(hull)}\ntwice the area: {area}\nsquared diameter: {diameter}\n"


ALGORITHM = Algorithm(
    name="convex_hull",
    title="Convex hull by Andrew's monotone chain",
    area="geometry",
    source="A. M. Andrew, Another Efficient Algorithm for Convex Hulls in Two Dimensions, 1979",
    generate=generate,
    reference=reference,
    short=5,
    long=60,
)
