"""Rabin-Karp: find a pattern of digits by comparing remainders instead of digits.

Input: the text on the first line, the pattern on the second, both of decimal digits.
Output: how often the pattern occurs and where, how many windows have its remainder without
being equal, and the widest gap between two windows that had to be compared.
"""

import sys

BASE = 10
MODULUS = 101


def remainder(digits):
    value = 0
    for digit in digits:
        value = (value * BASE + int(digit)) % MODULUS
    return value


def candidates(text, pattern):
    """Positions of the windows of the text whose remainder is the pattern's."""
    length = len(pattern)
    wanted = remainder(pattern)
    window = remainder(text[:length])
    leading = pow(BASE, length - 1, MODULUS)
    hits = []
    for start in range(len(text) - length + 1):
        if window == wanted:
            hits.append(start)
        if start + length < len(text):
            # Drop the leading digit, shift, and take in the digit behind the window.
            window = (window - int(text[start]) * leading) % MODULUS
            window = (window * BASE + int(text[start + length])) % MODULUS
    return hits


def main():
    text, pattern = sys.stdin.read().split()

    hits = candidates(text, pattern)
    found = [start for start in hits if text[start : start + len(pattern)] == pattern]
    widest = max((b - a for a, b in zip(hits, hits[1:])), default=0)

    print(len(found), "found at", *found)
    print(len(hits) - len(found), "false alarms")
    print("widest gap", widest)


if __name__ == "__main__":
    main()
