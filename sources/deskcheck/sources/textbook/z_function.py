"""The Z-function of a word."""

from __future__ import annotations

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """A word of `size` letters that keeps coming back to its beginning, and ends with it."""
    word = "a" + draws.choice("ab")
    while len(word) < size:
        if draws.integer(0, 2):
            word += word[: draws.integer(1, min(len(word), 9))]
        else:
            word += draws.choice("abc")
    tail = draws.integer(max(1, size // 16), max(1, size // 6))
    word = word[: size - tail] + word[:tail]
    if size > 3:
        # One letter that occurs nowhere else, so that no beginning comes back in full length.
        word = word[: size // 2] + "d" + word[size // 2 + 1 :]
    return word + "\n"


def reference(stdin: str) -> str:
    """By definition, with slices."""
    word = stdin.strip()
    n = len(word)
    borders = [k for k in range(1, n) if word[:k] == word[-k:]]
    period = next(p for p in range(1, n + 1) if all(word[i] == word[i - p] for i in range(p, n)))
    again = next(word[:k] for k in range(n - 1, -1, -1) if word.find(word[:k], 1) > 0)
    return (
        f"{' '.join(['borders', *map(str, borders)])}\n"
        f"period {period} repeated {n // period} times and {n % period} letters\n"
        f"again {again} at {word.find(again, 1)}\n"
    )


ALGORITHM = Algorithm(
    name="z_function",
    title="Z-function",
    area="strings",
    source="Gusfield, Algorithms on Strings, Trees, and Sequences (1997), section 1.3",
    generate=generate,
    reference=reference,
    short=8,
    long=96,
)
