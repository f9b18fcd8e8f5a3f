"""Standard inputs of library routines: graphs and words, drawn by seed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deskcheck.oracles.identity import Draws

type Row = Sequence[int]


def rows(*lines: Row) -> str:
    """Lines of integers."""
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)


def numbers(stdin: str) -> list[list[int]]:
    """What `rows` wrote."""
    return [[int(word) for word in line.split()] for line in stdin.splitlines()]


def connected_pairs(
    draws: Draws, size: int, count: int, *, reach: int | None = None
) -> list[tuple[int, int]]:
    """About `count` different pairs of `size` nodes, a random tree among them, in random order.

    With `reach`, both ends of a pair are at most so far apart in a hidden order, so that paths
    are long.
    """
    reach = reach or size
    order = draws.shuffled(range(size))
    pairs = {(draws.integer(max(0, i - reach), i - 1), i) for i in range(1, size)}
    possible = [
        (i, j) for j in range(size) for i in range(max(0, j - reach), j) if (i, j) not in pairs
    ]
    pairs.update(draws.sample(possible, max(0, min(count - len(pairs), len(possible)))))
    turned = [(i, j) if draws.integer(0, 1) else (j, i) for i, j in sorted(pairs)]
    return draws.shuffled([(order[i], order[j]) for i, j in turned])


LETTERS = "abcdefghijklmnopqrstuvwxyz"


def word(draws: Draws, shortest: int, longest: int, letters: str = LETTERS) -> str:
    return "".join(draws.choice(letters) for _ in range(draws.integer(shortest, longest)))


def lines(parts: Iterable[object]) -> str:
    return "".join(f"{part}\n" for part in parts)
