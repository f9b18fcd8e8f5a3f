"""Insertion sort that records how far each value travels.

Input: the number of values, then the values.
Output: the number of shifts, the value that travelled furthest, and the
quartiles of the sorted values.
"""

import sys


def insertion_sort(values):
    """Sort in place; return how many places each value moved to the left."""
    moves = [0]
    for i in range(1, len(values)):
        value = values[i]
        j = i
        while j > 0 and values[j - 1] > value:
            values[j] = values[j - 1]
            j -= 1
        values[j] = value
        moves.append(i - j)
    return moves


def main():
    tokens = sys.stdin.read().split()
    count = int(tokens[0])
    original = [int(token) for token in tokens[1 : count + 1]]

    values = original[:]
    moves = insertion_sort(values)

    furthest = max(moves)
    print("shifts:", sum(moves))
    print("furthest:", original[moves.index(furthest)], "by", furthest)
    print("quartiles:", *(values[(count - 1) * quarter // 4] for quarter in range(5)))


if __name__ == "__main__":
    main()
