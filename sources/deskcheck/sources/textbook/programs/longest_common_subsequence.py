"""Longest common subsequence of two words, with the letters recovered from the table.

Input: two words, one on each line.
Output: the length, the subsequence itself, and the letters that each word loses.
"""

import sys


def lengths(first, second):
    """table[i][j] is the length of the longest common subsequence of first[:i] and second[:j]."""
    table = [[0] * (len(second) + 1)]
    for letter in first:
        above = table[-1]
        row = [0]
        for j, other in enumerate(second):
            if letter == other:
                row.append(above[j] + 1)
            else:
                row.append(max(above[j + 1], row[j]))
        table.append(row)
    return table


def common_positions(first, second, table):
    """Positions in `first` of the letters of a longest common subsequence, in falling order."""
    i, j = len(first), len(second)
    positions = []
    while i > 0 and j > 0:
        if first[i - 1] == second[j - 1]:
            i -= 1
            j -= 1
            positions.append(i)
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return positions


def main():
    first, second = sys.stdin.read().split()

    table = lengths(first, second)
    positions = common_positions(first, second, table)
    common = "".join(first[p] for p in reversed(positions))

    print(len(common))
    print(common)
    print(len(first) - len(common), len(second) - len(common))


if __name__ == "__main__":
    main()
