"""Answer envelopes in a reply: which pairs of tags there are, found in one pass over the text."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """One opening tag and the closing tag that is the next tag after it. Offsets into the text."""

    start: int
    end: int
    """`text[start:end]` is what the tags enclose."""
    closed: int
    """Behind the closing tag."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelopes:
    """The tags of one text. A pair inside another counts, the outer one does not."""

    first: Envelope | None = None
    last: Envelope | None = None
    pairs: int = 0
    tags: int = 0
    unclosed: tuple[int, int] | None = None
    """What follows an opening tag that is never closed, as offsets; None without one."""
    exact: bool = True
    """The tags are written as they were asked for."""


def find_envelopes(text: str, tag: str) -> Envelopes:
    """The envelopes of the text.

    Tags in another case or with blanks inside the brackets count where no exact tag is there: the
    dataset's tag occurs in no answer, but that is not promised of its variants.
    """
    exact = _scan(text, re.compile(f"<(/?){re.escape(tag)}>"))
    if exact.tags:
        return exact
    variant = re.compile(
        rf"<[ \t]{{0,4}}+(/?)[ \t]{{0,4}}+{re.escape(tag)}[ \t]{{0,4}}+>", re.ASCII | re.IGNORECASE
    )
    return _scan(text, variant, exact=False)


def _scan(text: str, pattern: re.Pattern[str], *, exact: bool = True) -> Envelopes:
    first = last = None
    pairs = tags = 0
    before = opening = None  # the last two opening tags since the last closing one
    for found in pattern.finditer(text):
        tags += 1
        if not found[1]:
            before, opening = opening, found
            continue
        if opening is not None:
            last = Envelope(
                start=opening.end(),
                end=found.start(),
                closed=found.end(),
            )
            first = first or last
            pairs += 1
        before = opening = None
    unclosed = None
    if opening is not None:
        unclosed = (opening.end(), len(text))
        if before is not None and not text[opening.end() :].strip():
            unclosed = (before.end(), opening.start())  # an opening tag in place of a closing one
    return Envelopes(
        first=first,
        last=last,
        pairs=pairs,
        tags=tags,
        unclosed=unclosed,
        exact=exact,
    )
