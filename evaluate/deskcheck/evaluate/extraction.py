"""One declared rule says which part of a reply is the answer. Nothing is repaired or evaluated.

The first of these that the reply's answer channel allows:

`envelope`: what the last complete pair of tags encloses.
`open_envelope`: what follows an opening tag that is never closed.
`fence`: the last fenced code block.
`whole`: for a state arm the last JSON object that stands in the text, for a final arm all of it.
`none`: there is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from deskcheck.evaluate.envelopes import find_envelopes
from deskcheck.oracles.replies import MAX_LENGTH, Read, read_json

Extracted = Literal["envelope", "open_envelope", "fence", "whole", "none"]
RULES: tuple[Extracted, ...] = get_args(Extracted)

_LINE_BREAK = re.compile(r"\r?\n")
_FENCE = re.compile(r"^[ \t]*+(`{3,}+|~{3,}+)([^\n]*+)$", re.MULTILINE)

# A text of JSON is on one line; one that is not closed there ends with it.
_TEXT = r'"(?:[^"\\\n]++|\\[^\n])*+'
_TEXT_OR_BRACE = re.compile(rf'{_TEXT}"?|[{{}}]')
_OBJECT = re.compile(rf'\{{\s*+{_TEXT}"\s*+:')


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One way to read the answer; several differ in what may belong to the envelope."""

    text: str
    to_the_letter: bool
    """Read so, the reply follows the response contract."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What the rule found. Without an answer there is no reading."""

    rule: Extracted
    readings: tuple[Reading, ...] = ()
    """The answer; the first is the one to show where none is right."""
    first_answer: str | None = None
    """The first of several answers, read as the last one is."""
    answers: int = 0
    """How many answers of the rule's kind there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """A fenced code block: the offsets of it and of its content."""

    start: int
    end: int
    content_start: int
    content_end: int
    closed: bool


def extract(channel: str, tag: str, fields: Sequence[str]) -> Extraction:
    """The answer in an answer channel. `fields` are the keys of a state arm, else empty.

    Takes time and memory in proportion to the text, whatever is in it.
    """
    envelopes = find_envelopes(channel, tag)
    if envelopes.last and envelopes.first:
        first, last = envelopes.first, envelopes.last
        alone = envelopes.exact and envelopes.tags == 2 and not channel[last.closed :].strip()
        return Extraction(
            rule="envelope",
            readings=tuple(_readings(channel[last.start : last.end], fields, alone=alone)),
            first_answer=next(_readings(channel[first.start : first.end], fields)).text,
            answers=envelopes.pairs,
        )
    if envelopes.unclosed:
        start, end = envelopes.unclosed
        return _only("open_envelope", tuple(_readings(channel[start:end], fields)))
    return _from_fence(channel) or _from_whole(channel, fields)


def _only(rule: Extracted, readings: tuple[Reading, ...]) -> Extraction:
    return Extraction(rule=rule, readings=readings, first_answer=readings[0].text, answers=1)


def _readings(content: str, fields: Sequence[str], *, alone: bool = False) -> Iterator[Reading]:
    """The readings of what stands between tags.

    A line break after the opening tag does not count. The one before the closing tag may belong
    to either. A code fence around all of it is no part of the answer, unless the program prints
    one.
    """
    if found := _LINE_BREAK.match(content):
        content = content[found.end() :]
    if (inside := _unfenced(content)) is not None:
        for text in _with_and_without_last_break(inside):
            yield Reading(text=text, to_the_letter=False)
    for text in _with_and_without_last_break(content):
        yield Reading(text=text, to_the_letter=alone and _has_form(text, fields))


def _with_and_without_last_break(text: str) -> Iterator[str]:
    yield text
    if text.endswith("\n"):
        yield text[:-1]


def _has_form(text: str, fields: Sequence[str]) -> bool:
    """A state arm's answer is one JSON object with exactly its fields in their order."""
    if not fields:
        return True
    read = read_json(text)
    return isinstance(read, Read) and isinstance(read.value, dict) and [*read.value] == [*fields]


def _unfenced(text: str) -> str | None:
    """The content of the one code block that the text is, or None where it is anything else."""
    text = text.strip()
    if not text.startswith(("```", "~~~")):
        return None
    blocks = _blocks(text)
    block = next(blocks, None)
    if block is None or not block.closed or block.start != 0 or block.end != len(text):
        return None
    return text[block.content_start : block.content_end]


def _blocks(text: str) -> Iterator[_Block]:
    """The fenced code blocks of the text; one that is never closed runs to the end."""
    opened: re.Match[str] | None = None
    for found in _FENCE.finditer(text):
        marks, after = found[1], found[2].strip()
        if opened is None:
            if not (marks[0] == "`" and "`" in after):  # else it is code within a line
                opened = found
        elif marks[0] == opened[1][0] and len(marks) >= len(opened[1]) and not after:
            yield _block(opened, found.start(), found.end(), closed=True)
            opened = None
    if opened is not None:
        yield _block(opened, len(text), len(text), closed=False)


def _block(opened: re.Match[str], content_end: int, end: int, *, closed: bool) -> _Block:
    return _Block(
        start=opened.start(),
        end=end,
        content_start=min(opened.end() + 1, content_end),
        content_end=content_end,
        closed=closed,
    )


def _from_fence(channel: str) -> Extraction | None:
    first = last = None
    count = 0
    for block in _blocks(channel):
        content = channel[block.content_start : block.content_end]
        first, last, count = content if first is None else first, content, count + 1
    if last is None:
        return None
    texts = _with_and_without_last_break(last)
    return Extraction(
        rule="fence",
        readings=tuple(Reading(text=text, to_the_letter=False) for text in texts),
        first_answer=first,
        answers=count,
    )


def _from_whole(channel: str, fields: Sequence[str]) -> Extraction:
    if not channel.strip():
        return Extraction(rule="none")
    if not fields:
        bare = _without_blank_lines(channel)
        texts = dict.fromkeys((bare, f"{bare}\n", channel))
        return _only("whole", tuple(Reading(text=text, to_the_letter=False) for text in texts))
    first = last = None
    count = 0
    for text in _json_objects(channel):
        first, last, count = first or text, text, count + 1
    if last is None:
        return Extraction(rule="none")
    return Extraction(
        rule="whole",
        readings=(Reading(text=last, to_the_letter=False),),
        first_answer=first,
        answers=count,
    )


def _without_blank_lines(text: str) -> str:
    """The text from its first line with anything on it; a blank end counts for nothing."""
    blanks = len(text) - len(text.lstrip())
    return text[text.rfind("\n", 0, blanks) + 1 :].rstrip()


def _json_objects(text: str) -> Iterator[str]:
    """The JSON objects that stand in the text, but those within another object.

    Looks at the last `MAX_LENGTH` characters. One pass pairs braces, minding texts from the first
    brace on that begins an object; what it pairs is then read once.
    """
    text = text[-MAX_LENGTH:]
    for start, end in _braced(text):
        candidate = text[start:end]
        read = read_json(candidate)
        if isinstance(read, Read):
            yield candidate


def _braced(text: str) -> list[tuple[int, int]]:
    """Pairs of braces around what may be an object with keys; none lies within another."""
    spans: list[tuple[int, int]] = []
    open_braces: list[int] = []
    place = 0
    while found := (_TEXT_OR_BRACE if open_braces else _OBJECT).search(text, place):
        if not open_braces:
            open_braces.append(found.start())
            place = found.start() + 1
            continue
        place = found.end()
        if found[0] == "{":
            open_braces.append(found.start())
        elif found[0] == "}":
            start = open_braces.pop()
            if _OBJECT.match(text, start):
                while spans and spans[-1][0] > start:
                    spans.pop()
                spans.append((start, place))
    return spans
