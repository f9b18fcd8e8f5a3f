"""Insert text into a source at byte offsets and leave every other byte as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Replace the bytes [start, end) by `text`; an insertion where both are equal."""

    start: int
    end: int
    text: bytes


def insert(offset: int, text: bytes) -> Edit:
    return Edit(start=offset, end=offset, text=text)


def apply(code: bytes, edits: Sequence[Edit]) -> bytes:
    """The code with the edits made; ValueError if two of them overlap.

    Edits at one offset are made in the order given.
    """
    pieces = []
    done = 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        if edit.start < done:
            raise ValueError(f"edits overlap at byte {edit.start}")
        pieces += [code[done : edit.start], edit.text]
        done = edit.end
    return b"".join([*pieces, code[done:]])
