"""Composite Simpson rule: inputs and an independent reference."""

from __future__ import annotations

from fractions import Fraction

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """A cubic and about `size` panels of width 1/4, between whole ends.

    All values are then multiples of 1/64, so that the sums are exact in binary floating point,
    and the results multiples of 1/192, which six decimals never leave halfway. They are positive
    too, so that every point changes a sum.
    """
    panels = 4 * -(-size // 4)
    left = draws.integer(0, 3)
    coefficients = [draws.integer(1, 2), *(draws.integer(1, 9) for _ in range(3))]
    return f"{' '.join(map(str, coefficients))}\n{left} {panels} 0.25\n"


def reference(stdin: str) -> str:
    """Exact values: Simpson's rule integrates a cubic exactly, and the Euler-Maclaurin formula
    gives the trapezoidal rule's error in a cubic as width**2 / 12 * (f'(right) - f'(left)).
    """
    first, second = stdin.splitlines()
    *_, c3, c2, c1, c0 = (0, 0, 0, *map(int, first.split()))
    left, panels, width = (Fraction(field) for field in second.split())
    right = left + panels * width

    def antiderivative(x: Fraction) -> Fraction:
        return c3 * x**4 / 4 + c2 * x**3 / 3 + c1 * x**2 / 2 + c0 * x

    def slope(x: Fraction) -> Fraction:
        return 3 * c3 * x**2 + 2 * c2 * x + c1

    integral = antiderivative(right) - antiderivative(left)
    error = width**2 / 12 * (slope(right) - slope(left))
    return f"simpson: {integral:.6f}\ntrapezoid: {integral + error:.6f}\ndifference: {error:.6f}\n"


ALGORITHM = Algorithm(
    name="simpson_integration",
    title="Composite Simpson and trapezoidal rules",
    area="numerical methods",
    source="R. L. Burden and J. D. Faires, Numerical Analysis, section 4.4",
    generate=generate,
    reference=reference,
    short=8,
    long=96,
)
