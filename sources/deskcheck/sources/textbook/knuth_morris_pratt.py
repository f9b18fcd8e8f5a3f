"""Knuth-Morris-Pratt string search."""

from __future__ import annotations

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """A text of `size` letters made of a pattern, parts of it and noise; the pattern occurs."""
    length = max(2, min(7, size // 3))
    if length == 2:
        pattern = "ab"
    else:  # begins and ends alike, so that occurrences can overlap
        head = "ab" if length > 5 else "a"
        middle = "".join(draws.choice("abc") for _ in range(length - 2 * len(head)))
        pattern = head + middle + head
    rest = size - length
    noise = ""
    while len(noise) < rest:
        match draws.integer(0, 4):
            case 0:
                noise += draws.choice("abc")
            case 1:
                noise += pattern + pattern[2 if length > 5 else 1 :]
            case _:
                noise += pattern[: draws.integer(1, length)]
    cut = draws.integer(0, rest)
    return f"{noise[:cut]}{pattern}{noise[cut:rest]}\n{pattern}\n"


def reference(stdin: str) -> str:
    """By definition: what is matched is the longest prefix of the pattern that ends here."""
    text, pattern = stdin.split()
    found = [i for i in range(len(text)) if text.startswith(pattern, i)]
    comparisons = 0
    for i, letter in enumerate(text):
        before = text[:i]
        # Every border that the search can fall back to, the longest first.
        tried = [k for k in range(len(pattern) - 1, -1, -1) if before.endswith(pattern[:k])]
        fits = [pattern[k] == letter for k in tried]
        comparisons += fits.index(True) + 1 if True in fits else len(fits)
    saved = (len(text) - len(pattern) + 1) * len(pattern) - comparisons
    if not found:
        return f"no occurrence\n{saved} comparisons saved\n"
    overlaps = sum(any(0 < i - j < len(pattern) for j in found) for i in found)
    return (
        f"{len(found)} occurrences from {found[0]} to {found[-1]}\n"
        f"{overlaps} overlap the one before\n{saved} comparisons saved\n"
    )


ALGORITHM = Algorithm(
    name="knuth_morris_pratt",
    title="Knuth-Morris-Pratt",
    area="strings",
    source="Knuth, Morris and Pratt, Fast Pattern Matching in Strings (1977)",
    generate=generate,
    reference=reference,
    short=9,
    long=100,
)
