"""Least-significant-digit radix sort, used to find the maximum gap.

Input: the number of values, then the values (non-negative integers).
Output: the widest gap between neighbours in sorted order, the two values on
its sides (the lowest pair of that width), and the median.
"""

import sys

BASE = 10


def distribute(values, place):
    """Put the values into ten buckets by one digit, in the order they come."""
    buckets = [[] for _ in range(BASE)]
    for value in values:
        digit = value // place % BASE
        buckets[digit].append(value)
    return buckets


def radix_sort(values):
    """Sort by each digit in turn, the last digit first; every pass is stable."""
    largest = max(values)
    place = 1
    while place <= largest:
        buckets = distribute(values, place)
        values = [value for bucket in buckets for value in bucket]
        place *= BASE
    return values


def main():
    tokens = sys.stdin.read().split()
    count = int(tokens[0])
    values = [int(token) for token in tokens[1 : count + 1]]

    ordered = radix_sort(values)

    gaps = [high - low for low, high in zip(ordered, ordered[1:])]
    widest = gaps.index(max(gaps))
    print("widest gap:", gaps[widest])
    print("between:", ordered[widest], "and", ordered[widest + 1])
    print("median:", ordered[count // 2])


if __name__ == "__main__":
    main()
