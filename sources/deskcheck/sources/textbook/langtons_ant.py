"""Langton's ant: inputs and an independent reference."""

from __future__ import annotations

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm

ROWS, COLUMNS = 6, 7


def generate(draws: Draws, size: int) -> str:
    """`size` steps on a small board, about a quarter of it black."""
    board = ["".join(draws.choice("#...") for _ in range(COLUMNS)) for _ in range(ROWS)]
    row, column = draws.integer(0, ROWS - 1), draws.integer(0, COLUMNS - 1)
    return "\n".join([f"{ROWS} {COLUMNS} {size}", f"{row} {column}", *board]) + "\n"


def reference(stdin: str) -> str:
    """A set of black squares and complex numbers instead of a board and a table of moves."""
    first, second, *board = stdin.splitlines()
    rows, columns, steps = map(int, first.split())
    row, column = map(int, second.split())
    black = {
        (r, c) for r, line in enumerate(board) for c, square in enumerate(line) if square == "#"
    }
    ahead = 1j  # north: the imaginary axis points up, the real one to the right
    place = complex(column, -row)
    for _ in range(steps):
        square = (int(-place.imag) % rows, int(place.real) % columns)
        ahead *= 1j if square in black else -1j
        black ^= {square}
        place += ahead
    names = {1j: "north", 1: "east", -1j: "south", -1: "west"}
    in_rows = " ".join(str(sum(r == line for r, _ in black)) for line in range(rows))
    in_columns = " ".join(str(sum(c == line for _, c in black)) for line in range(columns))
    return (
        f"ant: {int(-place.imag) % rows + 1} {int(place.real) % columns + 1} {names[ahead]}\n"
        f"black in rows: {in_rows}\n"
        f"black in columns: {in_columns}\n"
    )


ALGORITHM = Algorithm(
    name="langtons_ant",
    title="Langton's ant on a torus",
    area="simulation",
    source="C. G. Langton, Studying Artificial Life with Cellular Automata, 1986",
    generate=generate,
    reference=reference,
    short=8,
    long=96,
)
