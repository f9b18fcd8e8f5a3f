"""Where a program is stopped, and which of its values are asked for there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Place = Literal["inside", "post"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """One moment of one execution, addressed by a loop and a visit.

    `loop` is the byte offset of the loop's first keyword in the clean source, counted after a
    byte-order mark. `visit` counts from 1 since the program began: for `inside`, the times that
    any activation of the loop has begun an iteration's body (a `for` target is bound, a `while`
    test has passed); for `post`, the times that the loop has ended normally (exhausted, condition
    false, or `break`; its `else` belongs to it).
    """

    loop: int
    place: Place
    visit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One value of the answer: a program variable and the visible expression that shows it."""

    name: str
    expression: str
