"""Suffix array by prefix doubling, with the common prefixes of its neighbours.

Input: one word.
Output: the Burrows-Wheeler transform, the number of distinct substrings, and
the longest substring that occurs twice (the first in alphabetical order).
"""

import sys


def suffix_array(text):
    """The suffixes of `text`, by start, in alphabetical order; and each one's rank."""
    n = len(text)
    rank = [ord(letter) for letter in text]
    order = list(range(n))
    length = 1
    while True:
        # Suffixes are ordered by their first `length` letters; look at twice as many.
        keys = [(rank[i], rank[i + length] if i + length < n else -1) for i in range(n)]
        order.sort(key=lambda i: keys[i])
        rank[order[0]] = 0
        for before, after in zip(order, order[1:]):
            rank[after] = rank[before] + (keys[before] != keys[after])
        if rank[order[-1]] == n - 1:
            break
        length *= 2
    return order, rank


def common_prefixes(text, order, rank):
    """For each suffix of `text`, the letters shared with the one before it in the order (Kasai)."""
    n = len(text)
    prefixes = []
    shared = 0
    for i in range(n):
        if rank[i] > 0:
            j = order[rank[i] - 1]
            while i + shared < n and j + shared < n and text[i + shared] == text[j + shared]:
                shared += 1
        prefixes.append(shared)
        # Without its first letter the suffix still shares all but one of them.
        shared = max(shared - 1, 0)
    return prefixes


def main():
    text = sys.stdin.readline().strip()
    n = len(text)

    order, rank = suffix_array(text)
    prefixes = common_prefixes(text, order, rank)

    longest = max(prefixes)
    repeated = [text[i : i + longest] for i in range(n) if prefixes[i] == longest]
    print("transform:", "".join(text[i - 1] for i in order))
    print("distinct:", n * (n + 1) // 2 - sum(prefixes))
    print("repeated:", min(repeated))


if __name__ == "__main__":
    main()
