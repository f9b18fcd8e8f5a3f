"""What each textbook module declares: one `ALGORITHM`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from deskcheck.oracles.identity import Draws

Area = Literal[
    "dynamic programming",
    "graphs",
    "strings",
    "sorting",
    "numerical methods",
    "geometry",
    "simulation",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Algorithm:
    """One textbook algorithm: a stand-alone program, inputs by size and seed, a reference.

    The program is `programs/<name>.py` beside this module. `generate(draws, size)` writes one
    legal standard input and draws every choice from `draws`, so it is the same text on every
    Python and under every hash seed. `reference(stdin)` computes the program's standard output
    by another method and shares no code with it.
    """

    name: str
    title: str
    area: Area
    source: str
    """Where the algorithm is described, e.g. a textbook chapter or the original paper."""
    generate: Callable[[Draws, int], str]
    reference: Callable[[str], str]
    short: int
    """`size` of the short input."""
    long: int
    """`size` of the long input: at least eight times the short one's loop iterations."""
