"""0/1 knapsack: the most valuable selection of items that fits into a given capacity.

Input: the capacity, then one line "weight value" for each item.
Output: the greatest value, the lightest load that reaches it, and what each further unit of
capacity is worth.
"""

import sys


def best_values(items, capacity):
    """best[room] is the greatest value of a selection that weighs at most `room`."""
    best = [0] * (capacity + 1)
    for weight, value in items:
        # From the top down, so that no item is packed twice.
        for room in range(capacity, weight - 1, -1):
            with_item = best[room - weight] + value
            if with_item > best[room]:
                best[room] = with_item
    return best


def main():
    capacity, *numbers = map(int, sys.stdin.read().split())
    items = list(zip(numbers[::2], numbers[1::2]))

    best = best_values(items, capacity)
    lightest = best.index(best[capacity])
    gains = [best[room] - best[room - 1] for room in range(1, capacity + 1)]

    print("value", best[capacity])
    print("load", lightest, "of", capacity)
    print("gains", *gains)


if __name__ == "__main__":
    main()
