"""The Z-function: at every position of a text, how much of the text's beginning starts there.

Input: one word.
Output: the lengths of its borders (beginnings that are also ends), its smallest period, and the
longest beginning that occurs once more, with the first position where it does.
"""

import sys


def z_function(text):
    """z[i] is the length of the longest common prefix of text and text[i:]."""
    z = [len(text)]
    left, right = 0, 0  # the match text[left:right] that reaches farthest so far
    for i in range(1, len(text)):
        length = 0
        if i < right:
            # Inside the known match: the same letters were compared at i - left.
            length = min(right - i, z[i - left])
        while i + length < len(text) and text[length] == text[i + length]:
            length += 1
        if i + length > right:
            left, right = i, i + length
        z.append(length)
    return z


def main():
    text = sys.stdin.read().strip()
    n = len(text)

    z = z_function(text)
    borders = [length for length in range(1, n) if z[n - length] == length]
    period = n - max(borders, default=0)
    again = max(z[1:], default=0)

    print("borders", *borders)
    print("period", period, "repeated", n // period, "times and", n % period, "letters")
    print("again", text[:again], "at", z.index(again, 1))


if __name__ == "__main__":
    main()
