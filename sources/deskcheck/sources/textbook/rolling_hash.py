"""Rabin-Karp string search with a rolling remainder."""

from __future__ import annotations

from itertools import pairwise

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """Digits with `size` windows, some of them the pattern and some false alarms.

    10**4 is 1 modulo 101: exchanging digits four places apart keeps a window's remainder. Texts
    in which the remainder stands still for one step are drawn again.
    """
    length = 6 if size >= 20 else 3 if size >= 6 else 2
    copies = 3 if size >= 48 else 2 if size >= 8 else 1
    alarms = size // 24 if length == 6 else 0
    singles = size + length - 1 - (copies + alarms) * length
    while True:
        digits = [str(digit) for digit in draws.sample(range(1, 10), length)]
        pattern = "".join(digits)
        pieces = [pattern] * copies + [str(draws.integer(0, 9)) for _ in range(singles)]
        if alarms:
            digits[0], digits[4] = digits[4], digits[0]
            pieces += ["".join(digits)] * alarms
        text = "".join(draws.shuffled(pieces))
        values = [int(text[i : i + length]) % 101 for i in range(size)]
        if all(a != b for a, b in pairwise(values)):
            return f"{text}\n{pattern}\n"


def reference(stdin: str) -> str:
    """Whole numbers instead of rolling remainders."""
    text, pattern = stdin.split()
    windows = [text[i : i + len(pattern)] for i in range(len(text) - len(pattern) + 1)]
    hits = [i for i, each in enumerate(windows) if (int(each) - int(pattern)) % 101 == 0]
    found = [i for i in hits if windows[i] == pattern]
    gaps = [hits[i] - hits[i - 1] for i in range(1, len(hits))]
    return (
        f"{len(found)} found at {' '.join(map(str, found))}\n"
        f"{len(hits) - len(found)} false alarms\nwidest gap {max([0, *gaps])}\n"
    )


ALGORITHM = Algorithm(
    name="rolling_hash",
    title="Rolling hash (Rabin-Karp)",
    area="strings",
    source="Karp and Rabin, Efficient Randomized Pattern-Matching Algorithms (1987)",
    generate=generate,
    reference=reference,
    short=8,
    long=96,
)
