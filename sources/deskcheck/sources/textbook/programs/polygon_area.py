"""Area of a lattice polygon by the shoelace formula, and Pick's theorem.

Input: the number of corners, then one corner per line (whole coordinates), in
order around a polygon that does not cross itself.
Output: the direction of travel, the area, and the lattice points inside it.
"""

import math
import sys
from fractions import Fraction


def measure(corners):
    """Twice the signed area, and the number of lattice points on the edges."""
    twice_area = 0
    boundary = 0
    x1, y1 = corners[-1]
    for x2, y2 in corners:
        twice_area += x1 * y2 - x2 * y1
        boundary += math.gcd(x2 - x1, y2 - y1)
        x1, y1 = x2, y2
    return twice_area, boundary


def main():
    _, *numbers = (int(token) for token in sys.stdin.read().split())
    corners = list(zip(numbers[0::2], numbers[1::2]))

    twice_area, boundary = measure(corners)

    # Pick: area = interior + boundary / 2 - 1.
    interior = (abs(twice_area) - boundary + 2) // 2
    print("direction:", "counterclockwise" if twice_area > 0 else "clockwise")
    print("area:", Fraction(abs(twice_area), 2))
    print("lattice points inside:", interior)
    print("lattice points in all:", interior + boundary)


if __name__ == "__main__":
    main()
