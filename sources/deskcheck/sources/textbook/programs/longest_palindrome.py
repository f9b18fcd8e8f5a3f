"""Longest palindromic substring by Manacher's algorithm.

Input: one word.
Output: the longest palindrome in it (the leftmost one), where it starts, and
how many of all substrings are palindromes.
"""

import sys


def palindrome_radii(padded):
    """For every centre, how far a palindrome reaches to each side."""
    radii = []
    centre = right = 0  # the palindrome that reaches furthest to the right
    for i in range(len(padded)):
        radius = 0
        if i < right:
            # Inside a known palindrome: start from the mirrored centre's radius.
            radius = min(right - i, radii[2 * centre - i])
        while (
            i - radius > 0
            and i + radius + 1 < len(padded)
            and padded[i - radius - 1] == padded[i + radius + 1]
        ):
            radius += 1
        if i + radius > right:
            centre, right = i, i + radius
        radii.append(radius)
    return radii


def main():
    word = sys.stdin.readline().strip()

    # Separators give palindromes of even length a centre too.
    padded = "|" + "|".join(word) + "|"
    radii = palindrome_radii(padded)

    longest = max(radii)
    start = (radii.index(longest) - longest) // 2
    print("palindrome:", word[start : start + longest])
    print("start:", start)
    print("palindromic substrings:", sum((radius + 1) // 2 for radius in radii))


if __name__ == "__main__":
    main()
