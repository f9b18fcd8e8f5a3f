"""Thinking and answer are told apart first, so that no draft is ever taken for the answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from deskcheck.evaluate.envelopes import find_envelopes

_BLANKS = re.compile(r"\s*+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Channels:
    """The two parts of a reply. Tags that separate them are in neither."""

    thinking: str | None
    """None where the reply shows none."""
    answer: str
    open_thinking: bool = False
    """The text began to think and never stopped, so that there is no answer."""


def split(text: str, reasoning: str | None, tags: tuple[str, str], answer_tag: str) -> Channels:
    """The channels of a reply.

    `reasoning` is the thinking that the backend told apart already. The text is split all the
    same, since some servers leave tags in it. It is split

    1. where it begins with the opening tag: at the first closing tag; without one all of it is
       thinking;
    2. where a closing tag comes without that, because the prompt opened the thinking: at the
       first one, but not inside the last answer envelope, whose content may hold such a tag;
    3. not at all otherwise.

    Blocks of thinking that follow at once are split off as well.
    """
    opening, closing = tags
    parts = [reasoning] if reasoning else []
    if not opening or not closing:
        return Channels(thinking=reasoning or None, answer=text)
    place = 0
    if not _begins(text, opening, 0):
        end = text.find(closing)
        if end >= 0 and not _in_the_answer(end, text, answer_tag):
            parts.append(text[:end])
            place = end + len(closing)
    unclosed = False
    while not unclosed and (begin := _begins(text, opening, place)):
        end = text.find(closing, begin)
        unclosed = end < 0
        parts.append(text[begin:] if unclosed else text[begin:end])
        place = len(text) if unclosed else end + len(closing)
    return Channels(
        thinking="\n".join(parts) if parts else None,
        answer=text[place:],
        open_thinking=unclosed,
    )


def _begins(text: str, tag: str, place: int) -> int:
    """Behind the tag that is the next thing in the text but blanks; 0 where there is none."""
    found = _BLANKS.match(text, place)
    begin = found.end() if found else place
    return begin + len(tag) if text.startswith(tag, begin) else 0


def _in_the_answer(place: int, text: str, answer_tag: str) -> bool:
    last = find_envelopes(text, answer_tag).last
    return last is not None and last.start <= place < last.end
