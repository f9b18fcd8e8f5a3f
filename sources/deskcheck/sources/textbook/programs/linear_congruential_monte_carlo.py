"""Monte Carlo estimate of pi with a linear congruential generator.

Input: the seed and the number of points.
Output: the estimate of pi, and the chi-square statistic of how evenly the
points fall into the four quarters of the square.
"""

import sys
from fractions import Fraction

MULTIPLIER, INCREMENT, MODULUS = 75, 74, 65537
SIDE = 100  # points have whole coordinates from 0 to SIDE - 1


def throw_points(seed, points):
    """Count the points inside the quarter circle, and those in each quarter."""
    state = seed
    inside = 0
    quarters = [0, 0, 0, 0]
    for _ in range(points):
        state = (MULTIPLIER * state + INCREMENT) % MODULUS
        x = state * SIDE // MODULUS
        state = (MULTIPLIER * state + INCREMENT) % MODULUS
        y = state * SIDE // MODULUS
        if x * x + y * y < SIDE * SIDE:
            inside += 1
        quarters[2 * (y >= SIDE // 2) + (x >= SIDE // 2)] += 1
    return inside, quarters, state


def main():
    seed, points = (int(token) for token in sys.stdin.read().split())

    inside, quarters, state = throw_points(seed, points)

    expected = Fraction(points, 4)
    chi_square = sum((count - expected) ** 2 / expected for count in quarters)
    print(f"pi: {4 * inside / points:.3f}")
    print("chi-square:", chi_square)
    print("next draw:", (MULTIPLIER * state + INCREMENT) % MODULUS * SIDE // MODULUS)


if __name__ == "__main__":
    main()
