"""Longest palindromic substring: inputs and an independent reference."""

from __future__ import annotations

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """A word of `size` letters: mirrored pieces of several lengths, one after another."""
    word = ""
    while len(word) < size:
        half = "".join(draws.choice("abc") for _ in range(draws.integer(1, 6)))
        word += half + draws.choice(("", "d")) + half[::-1]
    return word[:size] + "\n"


def reference(stdin: str) -> str:
    """By definition: every substring is compared with its reverse."""
    word = stdin.strip()
    spans = [
        (start, end)
        for start in range(len(word))
        for end in range(start + 1, len(word) + 1)
        if word[start:end] == word[start:end][::-1]
    ]
    start, end = min(spans, key=lambda span: (span[0] - span[1], span[0]))
    return f"palindrome: {word[start:end]}\nstart: {start}\npalindromic substrings: {len(spans)}\n"


ALGORITHM = Algorithm(
    name="longest_palindrome",
    title="Manacher's longest palindromic substring",
    area="strings",
    source="G. Manacher, A New Linear-Time On-Line Algorithm for Finding the Smallest Initial "
    "Palindrome of a String, 1975",
    generate=generate,
    reference=reference,
    short=4,
    long=44,
)
