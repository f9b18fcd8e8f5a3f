"""Routines on numbers of the standard library: a bounded heap, exact variance, logarithms."""

from __future__ import annotations

import heapq
import statistics
from decimal import Decimal, localcontext
from fractions import Fraction
from importlib import import_module
from typing import Any

from deskcheck.oracles.identity import Draws
from deskcheck.sources.library.extraction import Take
from deskcheck.sources.library.inputs import lines
from deskcheck.sources.library.packages import CPYTHON
from deskcheck.sources.library.routine import Routine

SMALLEST = """
def main():
    n, *values = map(int, sys.stdin.read().split())
    print(*nsmallest(n, values))


main()
"""


def generate_smallest(draws: Draws, size: int) -> str:
    """Values that tend to fall, so that the heap keeps changing; about a quarter are wanted."""
    values = [draws.integer(10, 60) + 3 * (size - i) for i in range(size)]
    return lines(
        [max(2, size // 4), *(" ".join(map(str, values[i : i + 12])) for i in range(0, size, 12))]
    )


def reference_smallest(stdin: str) -> str:
    wanted, *values = map(int, stdin.split())
    return lines([" ".join(map(str, heapq.nsmallest(wanted, values)))])


VARIANCE = """
def main():
    data = [Fraction(word) for word in sys.stdin.read().split()]
    print(variance(data))


main()
"""


def generate_variance(draws: Draws, size: int) -> str:
    """Fractions with few denominators."""
    return lines(
        f"{draws.integer(-40, 60)}/{draws.choice([2, 3, 4, 5, 6, 8, 10])}" for _ in range(size)
    )


def reference_variance(stdin: str) -> str:
    return lines([statistics.variance([Fraction(text) for text in stdin.split()])])


LOGARITHM = """
def main():
    coefficient, exponent, places = map(int, sys.stdin.read().split())
    print(_dlog10(coefficient, exponent, places))


main()
"""


def generate_logarithm(draws: Draws, size: int) -> str:
    """A number of one to four digits; `size` is the number of places."""
    return lines([f"{draws.integer(2, 9876) * 10 + 3} {-draws.integer(1, 4)} {size}"])


def reference_logarithm(stdin: str) -> str:
    """By the accelerated `decimal`; the routine's error is below one unit of the last place."""
    coefficient, exponent, places = map(int, stdin.split())
    exact: Any = import_module("_pydecimal")._dlog10(coefficient, exponent, places)
    with localcontext() as context:
        context.prec = places + 10
        near = Decimal(coefficient).scaleb(exponent).log10().scaleb(places)
    assert abs(near - exact) <= 1
    return lines([exact])


NSMALLEST = Routine(
    name="nsmallest",
    title="The smallest values by a bounded heap",
    package=CPYTHON,
    takes=(Take(module="heapq", names=("nsmallest",)),),
    driver=SMALLEST,
    layout="how many are wanted; then the values",
    generate=generate_smallest,
    reference=reference_smallest,
    sizes=(40, 80, 130),
)
EXACT_VARIANCE = Routine(
    name="variance",
    title="Exact sample variance of fractions by statistics",
    package=CPYTHON,
    takes=(Take(module="statistics", names=("variance",)),),
    driver=VARIANCE,
    layout="one fraction a line",
    generate=generate_variance,
    reference=reference_variance,
    sizes=(16, 32, 60),
)
COMMON_LOGARITHM = Routine(
    name="decimal_logarithm",
    title="Common logarithm to many places by the pure-Python decimal",
    package=CPYTHON,
    takes=(Take(module="_pydecimal", names=("_dlog10",)),),
    driver=LOGARITHM,
    layout="a number as coefficient and exponent of ten, and the places wanted",
    generate=generate_logarithm,
    reference=reference_logarithm,
    sizes=(24, 34, 44),
)
