"""Suffix array: inputs and an independent reference."""

from __future__ import annotations

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """A word of `size` letters made of a few repeated blocks, so that suffixes share prefixes."""
    blocks = ["".join(draws.choice("abc") for _ in range(draws.integer(2, 5))) for _ in range(3)]
    word = ""
    while len(word) < size:
        word += draws.choice(blocks)
    return word[: size - 1] + word[0] + "\n"  # at least one letter occurs twice


def reference(stdin: str) -> str:
    """By definition: sort the suffixes as text and collect every substring."""
    word = stdin.strip()
    suffixes = sorted(word[start:] for start in range(len(word)))
    transform = "".join(
        word[-len(suffix) - 1] if suffix != word else word[-1] for suffix in suffixes
    )
    seen: set[str] = set()
    twice: set[str] = set()
    for start in range(len(word)):
        for end in range(start + 1, len(word) + 1):
            part = word[start:end]
            (twice if part in seen else seen).add(part)
    repeated = min(twice, key=lambda part: (-len(part), part))
    return f"transform: {transform}\ndistinct: {len(seen)}\nrepeated: {repeated}\n"


ALGORITHM = Algorithm(
    name="suffix_array",
    title="Suffix array by prefix doubling, with common prefixes",
    area="strings",
    source="U. Manber and G. Myers, Suffix Arrays, 1993; T. Kasai et al., 2001",
    generate=generate,
    reference=reference,
    short=4,
    long=44,
)
