"""Breadth-first search through a maze: the shortest way from S to E.

Input: the numbers of rows and columns, then the rows of the maze; '#' is a wall.
Output: the number of steps, the steps as letters D, L, R, U (of several shortest ways, the one
whose steps read from the end come first in the alphabet), and how far the farthest cell is.
"""

import sys
from collections import deque


def beside(row, column, maze):
    """Open cells next to this one, each with the letter of the step from it to here."""
    cells = [
        ("D", row - 1, column),
        ("L", row, column + 1),
        ("R", row, column - 1),
        ("U", row + 1, column),
    ]
    return [
        (letter, r, c)
        for letter, r, c in cells
        if 0 <= r < len(maze) and 0 <= c < len(maze[0]) and maze[r][c] != "#"
    ]


def distances_from(start, maze):
    """Steps from the start to every cell, -1 for walls and cells out of reach."""
    distance = [[-1] * len(row) for row in maze]
    row, column = start
    distance[row][column] = 0
    queue = deque([start])
    while queue:
        row, column = queue.popleft()
        for _, r, c in beside(row, column, maze):
            if distance[r][c] == -1:
                distance[r][c] = distance[row][column] + 1
                queue.append((r, c))
    return distance


def way_to(end, distance, maze):
    """Walk from the end to a cell one step nearer to the start, and so on."""
    row, column = end
    way = ""
    while distance[row][column] > 0:
        nearer = distance[row][column] - 1
        letter, row, column = min(
            (letter, r, c) for letter, r, c in beside(row, column, maze) if distance[r][c] == nearer
        )
        way = letter + way
    return way


def main():
    _, columns, *maze = sys.stdin.read().split()
    cells = "".join(maze)
    start = divmod(cells.index("S"), int(columns))
    end = divmod(cells.index("E"), int(columns))

    distance = distances_from(start, maze)
    print("steps", distance[end[0]][end[1]])
    print(way_to(end, distance, maze))
    print("farthest", max(map(max, distance)))


if __name__ == "__main__":
    main()
