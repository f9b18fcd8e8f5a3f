"""Langton's ant on a board whose opposite edges meet.

Input: rows, columns and steps; the ant's row and column; then the board,
where `#` is a black square and `.` a white one. The ant starts facing north.
Output: where the ant ends and faces, and the black squares of each row and
of each column.
"""

import sys

# North, east, south, west: a turn to the right is one step on in this list.
NAMES = ["north", "east", "south", "west"]
MOVES = [(-1, 0), (0, 1), (1, 0), (0, -1)]


def walk(black, row, column, steps):
    """Move the ant, flipping the squares it leaves; return its place and heading."""
    heading = 0
    for _ in range(steps):
        # Right on a white square, left on a black one.
        heading = (heading + (3 if black[row][column] else 1)) % 4
        black[row][column] = 1 - black[row][column]
        row = (row + MOVES[heading][0]) % len(black)
        column = (column + MOVES[heading][1]) % len(black[0])
    return row, column, heading


def main():
    tokens = sys.stdin.read().split()
    rows, _, steps, row, column = (int(token) for token in tokens[:5])
    black = [[int(square == "#") for square in line] for line in tokens[5 : 5 + rows]]

    row, column, heading = walk(black, row, column, steps)

    print("ant:", row + 1, column + 1, NAMES[heading])
    print("black in rows:", *(sum(line) for line in black))
    print("black in columns:", *(sum(line) for line in zip(*black)))


if __name__ == "__main__":
    main()
