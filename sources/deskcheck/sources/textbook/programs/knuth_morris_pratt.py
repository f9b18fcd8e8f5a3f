"""Knuth-Morris-Pratt: find a pattern in a text without ever stepping back in the text.

Input: the text on the first line, the pattern on the second.
Output: how often the pattern occurs, the first and the last position, how many occurrences
overlap the one before, and how many comparisons the search needs less than the naive one's
worst case.
"""

import sys


def borders(pattern):
    """border[i] is the length of the longest proper prefix of pattern[:i + 1] that ends it."""
    border = [0]
    length = 0
    for letter in pattern[1:]:
        while length > 0 and letter != pattern[length]:
            length = border[length - 1]
        if letter == pattern[length]:
            length += 1
        border.append(length)
    return border


def search(text, pattern):
    """Positions of all occurrences, and the number of letters of the text compared."""
    border = borders(pattern)
    found = []
    comparisons = 0
    matched = 0  # letters of the pattern that end at the current position
    for position, letter in enumerate(text):
        comparisons += 1
        while matched > 0 and letter != pattern[matched]:
            matched = border[matched - 1]
            comparisons += 1
        if letter == pattern[matched]:
            matched += 1
        if matched == len(pattern):
            found.append(position - len(pattern) + 1)
            matched = border[matched - 1]
    return found, comparisons


def main():
    text, pattern = sys.stdin.read().split()

    found, comparisons = search(text, pattern)
    overlaps = sum(b - a < len(pattern) for a, b in zip(found, found[1:]))
    worst = (len(text) - len(pattern) + 1) * len(pattern)

    if found:
        print(len(found), "occurrences from", found[0], "to", found[-1])
        print(overlaps, "overlap the one before")
    else:
        print("no occurrence")
    print(worst - comparisons, "comparisons saved")


if __name__ == "__main__":
    main()
