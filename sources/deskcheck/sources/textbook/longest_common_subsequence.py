"""Longest common subsequence with reconstruction."""

from __future__ import annotations

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm

LETTERS = "abcdef"


def generate(draws: Draws, size: int) -> str:
    """Two words of `size` letters that begin and end alike and share about half of the rest."""
    first = [draws.choice(LETTERS) for _ in range(size)]
    second = [letter if draws.integer(0, 1) else draws.choice(LETTERS) for letter in first]
    second[-1] = first[-1]
    # A letter that stands nowhere else: the walk back through the table has to come this far.
    first[0] = second[0] = "x"
    return "".join(first) + "\n" + "".join(second) + "\n"


def reference(stdin: str) -> str:
    """Rows of subsequences instead of lengths, so that nothing is walked back.

    Of two equally long subsequences the one without the first word's last letter is kept.
    """
    first, second = stdin.split()
    row = [""] * (len(second) + 1)
    for letter in first:
        above, row = row, [""]
        for j, other in enumerate(second):
            if letter == other:
                row.append(above[j] + letter)
            else:
                row.append(max(above[j + 1], row[j], key=len))
    common = row[-1]
    lost = f"{len(first) - len(common)} {len(second) - len(common)}"
    return f"{len(common)}\n{common}\n{lost}\n"


ALGORITHM = Algorithm(
    name="longest_common_subsequence",
    title="Longest common subsequence",
    area="dynamic programming",
    source="Cormen, Leiserson, Rivest and Stein, Introduction to Algorithms, dynamic programming",
    generate=generate,
    reference=reference,
    short=4,
    long=46,
)
