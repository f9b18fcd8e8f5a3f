"""Bottom-up merge sort, used to compare two rankings by Kendall's tau.

Input: the number of items, then the second ranking's scores of the items in
the order of the first ranking.
Output: Kendall's tau as a fraction, and the smallest, middle and largest score.
"""

import sys
from fractions import Fraction


def merge(left, right):
    """Merge two sorted lists; return the result and the inversions between them."""
    merged = []
    inversions = 0
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            # Everything left of the middle still waits behind right[j].
            inversions += len(left) - i
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:], inversions


def merge_sort(values):
    """Return the sorted values and the number of inversions."""
    inversions = 0
    width = 1
    while width < len(values):
        runs = []
        for start in range(0, len(values), 2 * width):
            middle = start + width
            run, found = merge(values[start:middle], values[middle : middle + width])
            runs += run
            inversions += found
        values = runs
        width *= 2
    return values, inversions


def main():
    tokens = sys.stdin.read().split()
    count = int(tokens[0])
    scores = [int(token) for token in tokens[1 : count + 1]]

    ordered, inversions = merge_sort(scores)

    pairs = count * (count - 1) // 2
    print("tau:", Fraction(pairs - 2 * inversions, pairs))
    print("scores:", ordered[0], ordered[count // 2], ordered[-1])


if __name__ == "__main__":
    main()
