"""Matrix-chain multiplication by interval dynamic programming."""

from __future__ import annotations

from functools import cache

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """The sizes of `size` matrices, narrow and wide ones mixed so that the brackets nest."""
    sizes = [
        draws.integer(5, 12) if draws.integer(0, 1) else draws.integer(20, 60)
        for _ in range(size + 1)
    ]
    return " ".join(map(str, sizes)) + "\n"


def reference(stdin: str) -> str:
    """Recursion from the whole chain down, cost and brackets of a part carried as one value."""
    sizes = [int(word) for word in stdin.split()]

    @cache
    def cheapest(start: int, end: int) -> tuple[int, int, str]:
        if end - start == 1:
            return 0, start, str(end)
        ways = []
        for middle in range(start + 1, end):
            left, _, left_text = cheapest(start, middle)
            right, _, right_text = cheapest(middle, end)
            total = left + right + sizes[start] * sizes[middle] * sizes[end]
            ways.append((total, middle, f"({left_text} {right_text})"))
        return min(ways)

    cost, _, brackets = cheapest(0, len(sizes) - 1)
    plain, columns = 0, sizes[1]
    for following in sizes[2:]:
        plain += sizes[0] * columns * following
        columns = following
    return f"{cost}\n{plain}\n{brackets}\n"


ALGORITHM = Algorithm(
    name="matrix_chain",
    title="Matrix-chain multiplication",
    area="dynamic programming",
    source="Cormen, Leiserson, Rivest and Stein, Introduction to Algorithms, dynamic programming",
    generate=generate,
    reference=reference,
    short=3,
    long=21,
)
