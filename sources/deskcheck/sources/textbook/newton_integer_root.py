"""Integer roots: inputs and an independent reference."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """`size` numbers of up to six digits; about a quarter of them are perfect powers."""
    questions = []
    for i in range(size):
        degree = draws.integer(2, 4)
        root = draws.integer(4, {2: 900, 3: 90, 4: 30}[degree])
        # The first is a perfect power and the second is not, whatever the seed.
        perfect = i == 0 or (i > 1 and draws.integer(1, 4) == 1)
        rest = 0 if perfect else draws.integer(1, (root + 1) ** degree - root**degree - 1)
        questions.append(f"{degree} {root**degree + rest}")
    return "\n".join([str(size), *questions]) + "\n"


def reference(stdin: str) -> str:
    """Roots by bisection over all candidates."""
    rows = [tuple(map(int, line.split())) for line in stdin.splitlines()[1:]]
    roots = [_root(k, n) for k, n in rows]
    rests = [n - root**k for (k, n), root in zip(rows, roots, strict=True)]
    powers = sorted(n for (_, n), rest in zip(rows, rests, strict=True) if rest == 0)
    worst = rows[rests.index(max(rests))][1]
    return (
        f"mean root: {Fraction(sum(roots), len(roots))}\n"
        f"perfect powers: {len(powers)} from {powers[0]} to {powers[-1]}\n"
        f"worst fit: {worst}\n"
    )


def _root(degree: int, number: int) -> int:
    """How many positive integers have a power of at most `number`."""
    return bisect_right(range(1, number + 1), number, key=lambda r: r**degree)


ALGORITHM = Algorithm(
    name="newton_integer_root",
    title="Integer roots by Newton's method",
    area="numerical methods",
    source="H. Cohen, A Course in Computational Algebraic Number Theory, section 1.7",
    generate=generate,
    reference=reference,
    short=4,
    long=48,
)
