"""Monte Carlo with a linear congruential generator: inputs and an independent reference."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """`size` points from any seed that the generator's fixed point 65536 is not."""
    return f"{draws.integer(0, 65535)} {size}\n"


def reference(stdin: str) -> str:
    """The closed form of the generator: the k-th state is 75**k * (seed + 1) - 1."""
    seed, points = map(int, stdin.split())

    def draw(k: int) -> int:
        return ((pow(75, k, 65537) * (seed + 1) - 1) % 65537) * 100 // 65537

    places = [(draw(2 * i + 1), draw(2 * i + 2)) for i in range(points)]
    inside = sum(abs(complex(x, y)) ** 2 < 9999.5 for x, y in places)
    quarters = Counter((x // 50, y // 50) for x, y in places)
    squares = sum(count * count for count in quarters.values())
    return (
        f"pi: {Fraction(4 * inside, points):.3f}\n"
        f"chi-square: {Fraction(4 * squares, points) - points}\n"
        f"next draw: {draw(2 * points + 1)}\n"
    )


ALGORITHM = Algorithm(
    name="linear_congruential_monte_carlo",
    title="Monte Carlo estimate of pi with a linear congruential generator",
    area="numerical methods",
    source="N. Metropolis and S. Ulam, The Monte Carlo Method, 1949; D. E. Knuth, The Art of "
    "Computer Programming, section 3.2.1",
    generate=generate,
    reference=reference,
    short=8,
    long=96,
)
