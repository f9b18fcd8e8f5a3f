"""Integer roots by Newton's method.

Input: the number of questions, then one line per question: a degree k and a
number n. The root is the largest r with r**k <= n.
Output: the mean of the roots, the perfect powers among the numbers, and the
number whose root leaves the largest remainder (the first one of that size).
"""

import sys
from fractions import Fraction


def integer_root(n, k):
    """The largest integer whose k-th power is at most n."""
    # Start at a power of two above the root; from there the steps only go down.
    root = 1 << -(-n.bit_length() // k)
    while True:
        better = ((k - 1) * root + n // root ** (k - 1)) // k
        if better >= root:
            break
        root = better
    return root


def survey(questions):
    """Sum of the roots, the perfect powers, and the largest remainder with its number."""
    total = 0
    perfect = []
    largest, number = 0, 0
    for k, n in questions:
        root = integer_root(n, k)
        remainder = n - root**k
        total += root
        if remainder == 0:
            perfect.append(n)
        if remainder > largest:
            largest, number = remainder, n
    return total, perfect, number


def main():
    count, *numbers = (int(token) for token in sys.stdin.read().split())
    questions = list(zip(numbers[0::2], numbers[1::2]))

    total, perfect, number = survey(questions)

    print("mean root:", Fraction(total, count))
    print("perfect powers:", len(perfect), "from", min(perfect), "to", max(perfect))
    print("worst fit:", number)


if __name__ == "__main__":
    main()
