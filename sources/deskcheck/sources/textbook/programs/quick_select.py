"""Quickselect with three-way partitioning, used for Tukey's box plot.

Input: the number of values, then the values.
Output: the three quartiles, the interquartile range, and the values outside
the fences (1.5 interquartile ranges beyond the outer quartiles).
"""

import sys


def partition(values, low, high):
    """Group values[low..high] into less than, equal to and greater than a pivot.

    The pivot is the median of three elements. Returns the first and the last
    index of the group of equal values.
    """
    pivot = sorted([values[low], values[(low + high) // 2], values[high]])[1]
    less, i, greater = low, low, high
    while i <= greater:
        if values[i] < pivot:
            values[less], values[i] = values[i], values[less]
            less += 1
            i += 1
        elif values[i] > pivot:
            values[greater], values[i] = values[i], values[greater]
            greater -= 1
        else:
            i += 1
    return less, greater


def select(values, k):
    """The k-th smallest value, counted from 0. Reorders `values`."""
    low, high = 0, len(values) - 1
    while True:
        first, last = partition(values, low, high)
        if k < first:
            high = first - 1
        elif k > last:
            low = last + 1
        else:
            break
    return values[k]


def main():
    tokens = sys.stdin.read().split()
    count = int(tokens[0])
    values = [int(token) for token in tokens[1 : count + 1]]

    median = select(values, count // 2)
    lower = select(values, count // 4)
    upper = select(values, 3 * count // 4)

    spread = upper - lower
    outside = [
        v for v in values if 2 * v < 2 * lower - 3 * spread or 2 * v > 2 * upper + 3 * spread
    ]
    print("quartiles:", lower, median, upper)
    print("spread:", spread)
    print("outliers:", len(outside), "with sum", sum(outside))


if __name__ == "__main__":
    main()
