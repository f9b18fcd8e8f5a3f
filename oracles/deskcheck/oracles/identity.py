"""Names that follow from content, and choices that follow from a seed, alike on every machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any


def canonical_json(value: Any) -> bytes:
    """UTF-8 JSON with sorted keys and no spaces; floats and non-text keys are refused.

    Floats have no canonical text across tools, so whoever has one decides how it is written.
    """
    _refuse_ambiguous(value)
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    ).encode("ascii")


def content_id(kind: str, value: Any) -> str:
    """64 hexadecimal digits that name `value` as a thing of this `kind`."""
    return sha256(kind.encode() + b"\0" + canonical_json(value)).hexdigest()


def _refuse_ambiguous(value: Any) -> None:
    match value:
        case None | bool() | int() | str():
            return
        case list() | tuple():
            for item in value:
                _refuse_ambiguous(item)
        case dict():
            for key, item in value.items():
                if not isinstance(key, str):
                    raise TypeError(f"a canonical key must be text, not {key!r}")
                _refuse_ambiguous(item)
        case _:
            raise TypeError(f"{type(value).__name__} {value!r} has no canonical form")


class Draws:
    """A stream of choices named by its seed parts: the same on every Python, numpy and machine.

    Built on SHA-256 in counter mode rather than on `random`, whose distribution methods may
    change between versions.
    """

    def __init__(self, *seed: str | int) -> None:
        self._key = sha256(canonical_json(list(seed))).digest()
        self._counter = 0

    def bits(self, n: int) -> int:
        """A uniform integer of `n` bits."""
        out, have = 0, 0
        while have < n:
            block = sha256(self._key + self._counter.to_bytes(8, "big")).digest()
            self._counter += 1
            out = out << 256 | int.from_bytes(block, "big")
            have += 256
        return out >> (have - n)

    def integer(self, low: int, high: int) -> int:
        """A uniform integer in [low, high], both ends included."""
        if low > high:
            raise ValueError(f"no integer in [{low}, {high}]")
        span = high - low + 1
        width = span.bit_length()
        while (value := self.bits(width)) >= span:  # rejection keeps it exactly uniform
            pass
        return low + value

    def choice[T](self, items: Sequence[T]) -> T:
        """One of `items`, uniformly."""
        return items[self.integer(0, len(items) - 1)]

    def shuffled[T](self, items: Sequence[T]) -> list[T]:
        """A uniformly random order of `items` (Fisher-Yates)."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.integer(0, i)
            out[i], out[j] = out[j], out[i]
        return out

    def sample[T](self, items: Sequence[T], count: int) -> list[T]:
        """`count` distinct positions' items in random order."""
        return self.shuffled(items)[:count]
