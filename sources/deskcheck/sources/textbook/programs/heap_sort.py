"""Heap sort with a binary max-heap stored in the list itself.

Input: the number of values, then the values.
Output: how many swaps the heap needed, the closest pair of neighbours in
sorted order, and the median.
"""

import sys


def sift_down(heap, root, size):
    """Let heap[root] sink until no child is larger; return the swaps made."""
    swaps = 0
    while 2 * root + 1 < size:
        child = 2 * root + 1
        if child + 1 < size and heap[child + 1] > heap[child]:
            child += 1
        if heap[root] >= heap[child]:
            break
        heap[root], heap[child] = heap[child], heap[root]
        root = child
        swaps += 1
    return swaps


def heap_sort(values):
    """Sort in place; return the total number of swaps made while sifting."""
    swaps = 0
    for root in range(len(values) // 2 - 1, -1, -1):
        swaps += sift_down(values, root, len(values))
    for end in range(len(values) - 1, 0, -1):
        # The largest remaining value goes to its final place.
        values[0], values[end] = values[end], values[0]
        swaps += sift_down(values, 0, end)
    return swaps


def main():
    tokens = sys.stdin.read().split()
    count = int(tokens[0])
    values = [int(token) for token in tokens[1 : count + 1]]

    swaps = heap_sort(values)

    gaps = [b - a for a, b in zip(values, values[1:])]
    closest = gaps.index(min(gaps))
    print("swaps per value:", swaps // count, "remainder", swaps % count)
    print("closest pair:", values[closest], values[closest + 1])
    print("median:", values[count // 2])


if __name__ == "__main__":
    main()
