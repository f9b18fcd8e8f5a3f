"""Convex hull by Andrew's monotone chain.

Input: the number of points, then one point per line (whole coordinates).
Output: the number of corners, twice the hull's area, and the square of the
largest distance between two points.
"""

import sys


def turn(a, b, c):
    """Positive when the path a, b, c turns left, negative when it turns right."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def half_hull(points):
    """The chain of left turns from the first point to the last one."""
    chain = []
    for point in points:
        while len(chain) >= 2 and turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def squared_distance(a, b):
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def main():
    _, *numbers = (int(token) for token in sys.stdin.read().split())
    points = sorted(zip(numbers[0::2], numbers[1::2]))

    lower = half_hull(points)
    upper = half_hull(points[::-1])
    hull = lower[:-1] + upper[:-1]

    first = hull[0]
    print("corners:", len(hull))
    print("twice the area:", sum(turn(first, a, b) for a, b in zip(hull[1:], hull[2:])))
    print("squared diameter:", max(squared_distance(a, b) for a in hull for b in hull))


if __name__ == "__main__":
    main()
