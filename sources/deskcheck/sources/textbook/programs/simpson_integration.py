"""Integral of a polynomial by the composite Simpson and trapezoidal rules.

Input: the coefficients (highest power first) on one line; on the next the
left end, the number of panels (even) and their width.
Output: both estimates and the trapezoidal rule's difference from Simpson's.
"""

import sys


def evaluate(coefficients, x):
    """The polynomial's value at x by Horner's rule."""
    value = 0.0
    for coefficient in coefficients:
        value = value * x + coefficient
    return value


def inner_sums(coefficients, left, panels, width):
    """Sums of the values at the odd and at the even points inside the interval."""
    odd = even = 0.0
    for i in range(1, panels):
        value = evaluate(coefficients, left + i * width)
        if i % 2 == 1:
            odd += value
        else:
            even += value
    return odd, even


def main():
    coefficients = [int(token) for token in sys.stdin.readline().split()]
    fields = sys.stdin.readline().split()
    left, panels, width = float(fields[0]), int(fields[1]), float(fields[2])

    odd, even = inner_sums(coefficients, left, panels, width)
    ends = evaluate(coefficients, left) + evaluate(coefficients, left + panels * width)
    simpson = width / 3 * (ends + 4 * odd + 2 * even)
    trapezoid = width * (ends / 2 + odd + even)

    print(f"simpson: {simpson:.6f}")
    print(f"trapezoid: {trapezoid:.6f}")
    print(f"difference: {trapezoid - simpson:.6f}")


if __name__ == "__main__":
    main()
