from array import array
from collections import namedtuple
from decimal import Decimal
from enum import Enum
from fractions import Fraction

Phase = Enum("Phase", "EARLY LATE")
Spot = namedtuple("Spot", "x y")


def main(n):
    phase = Phase.EARLY
    spot = Spot(0, 0)
    part = Fraction(0)
    price = Decimal("0.00")
    counts = array("i", [0, 0, 0])
    for i in range(1, n + 1):
        phase = Phase.LATE if i == n else Phase.EARLY
        spot = Spot(i, i * i)
        part += Fraction(1, i * (i + 1))
        price += Decimal("0.25")
        counts[(i - 1) % 3] += 1
    print(phase.name, spot.y, part, price, counts[2])


main(int(input()))
