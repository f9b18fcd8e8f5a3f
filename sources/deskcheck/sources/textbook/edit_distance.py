"""Edit distance with two rows of the table."""

from __future__ import annotations

from collections import deque

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm

LETTERS = "acehlnrt"
SECOND_AT_MOST = 28


def generate(draws: Draws, size: int) -> str:
    """A word of `size` letters, and a shorter one made from some of its letters with changes."""
    word = [draws.choice(LETTERS) for _ in range(size)]
    length = max(2, min(SECOND_AT_MOST, size - 1))
    kept = sorted(draws.sample(range(size), length))
    other = [draws.choice(LETTERS) if draws.integer(0, 1) else word[i] for i in kept]
    if other == word:
        other[-1] = "a" if other[-1] != "a" else "t"
    return "".join(word) + "\n" + "".join(other) + "\n"


def reference(stdin: str) -> str:
    """Shortest paths in the edit graph by 0-1 breadth-first search."""
    word, other = stdin.split()
    width = len(other)
    distance: dict[tuple[int, int], int] = {}
    queue = deque([(0, 0, 0)])
    while queue:
        cost, i, j = queue.popleft()
        if (i, j) in distance:
            continue
        distance[i, j] = cost
        if i < len(word):
            queue.append((cost + 1, i + 1, j))
        if j < width:
            queue.append((cost + 1, i, j + 1))
        if i < len(word) and j < width:
            if word[i] == other[j]:
                queue.appendleft((cost, i + 1, j + 1))
            else:
                queue.append((cost + 1, i + 1, j + 1))
    total = distance[len(word), width]
    least, nearest = min((distance[len(word), j], j) for j in range(width + 1))
    larger = max(len(word), width)
    similarity = 100 * (larger - total) // larger
    prefix = other[:nearest] or "(empty)"
    return f"distance {total}\nsimilarity {similarity}\nnearest prefix {prefix} {least}\n"


ALGORITHM = Algorithm(
    name="edit_distance",
    title="Edit distance",
    area="dynamic programming",
    source="Wagner and Fischer, The String-to-String Correction Problem (1974)",
    generate=generate,
    reference=reference,
    short=5,
    long=48,
)
