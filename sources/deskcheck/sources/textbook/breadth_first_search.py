"""Breadth-first search in a grid maze."""

from __future__ import annotations

from math import isqrt

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm

STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0))

type Cell = tuple[int, int]


def generate(draws: Draws, size: int) -> str:
    """A connected maze of `size` open cells: corridors first, then whatever still fits."""
    height = max(2, isqrt(size * 5 // 4))
    width = -(-size * 3 // (2 * height))
    start = draws.integer(0, height - 1), draws.integer(0, width - 1)
    depth = {start: 0}
    while len(depth) < size:
        edge = [
            (row + down, column + right, row, column)
            for row, column in depth
            for down, right in STEPS
            if 0 <= row + down < height
            and 0 <= column + right < width
            and (row + down, column + right) not in depth
        ]
        # A cell with one open neighbour only prolongs a corridor; the rest makes loops.
        counts = {(r, c): 0 for r, c, _, _ in edge}
        for r, c, _, _ in edge:
            counts[r, c] += 1
        corridor = [each for each in edge if counts[each[:2]] == 1]
        r, c, row, column = draws.choice(corridor or edge)
        depth[r, c] = depth[row, column] + 1
    end = max(depth, key=lambda cell: (depth[cell], cell))
    rows = [
        "".join(
            "S" if (r, c) == start else "E" if (r, c) == end else "." if (r, c) in depth else "#"
            for c in range(width)
        )
        for r in range(height)
    ]
    return "\n".join([f"{height} {width}", *rows]) + "\n"


def reference(stdin: str) -> str:
    """Sweep over all cells until no way gets better, ways carried as texts read from the end."""
    maze = stdin.split()[2:]
    cells = {(r, c): letter for r, row in enumerate(maze) for c, letter in enumerate(row)}
    start = next(cell for cell, letter in cells.items() if letter == "S")
    end = next(cell for cell, letter in cells.items() if letter == "E")
    best: dict[Cell, tuple[int, str]] = {start: (0, "")}
    changed = True
    while changed:
        changed = False
        for (r, c), letter in cells.items():
            if letter == "#":
                continue
            before = {"D": (r - 1, c), "L": (r, c + 1), "R": (r, c - 1), "U": (r + 1, c)}
            ways = [(best[b][0] + 1, step + best[b][1]) for step, b in before.items() if b in best]
            if ways and min(ways) < best.get((r, c), (len(cells), "")):
                best[r, c] = min(ways)
                changed = True
    steps, way = best[end]
    return f"steps {steps}\n{way[::-1]}\nfarthest {max(length for length, _ in best.values())}\n"


ALGORITHM = Algorithm(
    name="breadth_first_search",
    title="Breadth-first search",
    area="graphs",
    source="Moore, The Shortest Path Through a Maze (1959)",
    generate=generate,
    reference=reference,
    short=5,
    long=56,
)
