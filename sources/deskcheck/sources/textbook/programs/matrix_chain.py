"""Matrix-chain multiplication: the cheapest order in which to multiply a row of matrices.

Input: n + 1 numbers; matrix i has as many rows as number i and as many columns as number i + 1.
Output: the least number of scalar multiplications, the number when working from left to right,
and the cheapest order as brackets around the matrices 1 to n.
"""

import sys


def best_splits(sizes):
    """The least cost of the whole chain, and where best to split each part i..j of it."""
    n = len(sizes) - 1
    cost = [[0] * n for _ in range(n)]
    split = [[0] * n for _ in range(n)]
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            outer = sizes[i] * sizes[j + 1]
            row = cost[i]
            row[j], split[i][j] = min(
                (row[k] + cost[k + 1][j] + outer * sizes[k + 1], k) for k in range(i, j)
            )
    return cost[0][n - 1], split


def products(split):
    """Every product as (first matrix, last matrix of its left factor), the outermost first."""
    steps = []
    pending = [(0, len(split) - 1)]
    while pending:
        i, j = pending.pop()
        if i < j:
            k = split[i][j]
            steps.append((i, k))
            pending.append((i, k))
            pending.append((k + 1, j))
    return steps


def main():
    sizes = [int(word) for word in sys.stdin.read().split()]
    n = len(sizes) - 1

    cost, split = best_splits(sizes)
    steps = products(split)
    text = [str(i + 1) for i in range(n)]
    for i, k in reversed(steps):  # innermost products first
        text[i] = f"({text[i]} {text[k + 1]})"

    print(cost)
    print(sum(sizes[0] * sizes[k] * sizes[k + 1] for k in range(1, n)))
    print(text[0])


if __name__ == "__main__":
    main()
