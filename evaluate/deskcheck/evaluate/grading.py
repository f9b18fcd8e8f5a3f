"""What a reply is worth: channels, then extraction, then the study's equivalence. Repeatable.

Model text is only ever parsed. Every reply gets exactly one status, whatever is in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deskcheck.builder.cases import Task
from deskcheck.evaluate.cells import Status
from deskcheck.evaluate.channels import Channels, split
from deskcheck.evaluate.extraction import Extracted, Extraction, Reading, extract
from deskcheck.evaluate.requests import Reply
from deskcheck.oracles.equivalence import Difference, Rule, compare
from deskcheck.oracles.expressions import compact_json
from deskcheck.oracles.replies import Read, read_json

KEPT = 100_000
"""Characters of an answer that are kept beside its grade; the grade is of all of it."""

CUT_OFF = frozenset(
    {
        "incomplete",
        "length",
        "limit",
        "max_length",
        "max_new_tokens",
        "max_output_tokens",
        "max_tokens",
        "model_context_window_exceeded",
        "model_length",
        "token_limit",
    }
)
"""What engines and providers call it when a reply ran into a limit, in small letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """The status of one reply and what it rests on. None where there is nothing to tell."""

    status: Status
    """Never `pending`."""
    envelope_valid: bool | None = None
    """The reply followed the response contract to the letter; no part of correctness."""
    extraction: Extracted | None = None
    answer: str | None = None
    """The right reading where there is one, else the first; cut after `KEPT` characters."""
    first_answer: str | None = None
    answers: int | None = None
    answer_correct: bool | None = None
    """Also of a reply that was cut off; None where there is no answer."""
    field_credit: float | None = None
    """Share of the expected fields that are right, of a state answer that is a JSON object."""
    difference_at: str | None = None
    difference_expected: str | None = None
    difference_given: str | None = None
    reasoning_characters: int | None = None
    """Of the thinking, without blanks around it; 0 where the reply shows none."""


def grade(
    task: Task, expected: str, reply: Reply, *, tag: str, thinking_tags: tuple[str, str]
) -> Grade:
    """The grade of a reply. `tag` is the dataset's answer tag, `thinking_tags` the setting's.

    truncated: the engine says that the reply ran into a limit, whatever is in it. unparsed: the
    thinking never ends, there is no answer, a state arm's answer is not JSON, or a final arm's
    reply marks no answer and is not the output itself. Else the answer is correct or wrong.
    """
    if reply.outcome != "answered":
        return Grade(status=reply.outcome)
    channels = split(reply.text, reply.reasoning, thinking_tags, tag)
    extraction = extract(channels.answer, tag, [field.name for field in task.fields])
    reading, difference = _best(task.rule, expected, extraction)
    correct = None if reading is None else difference is None
    status = _status(task, extraction, correct)
    return Grade(
        status="truncated" if was_cut_off(reply) else status,
        envelope_valid=reading is not None and reading.to_the_letter,
        extraction=extraction.rule,
        answer=_kept(reading.text) if reading else None,
        first_answer=_kept(extraction.first_answer),
        answers=extraction.answers,
        answer_correct=correct,
        field_credit=_field_credit(expected, extraction.readings) if task.fields else None,
        difference_at=difference.where if difference else None,
        difference_expected=difference.expected if difference else None,
        difference_given=difference.given if difference else None,
        reasoning_characters=_thought(channels),
    )


def was_cut_off(reply: Reply) -> bool:
    """The engine's own word for the reply's end says that it ran into a limit."""
    return reply.finish_reason.strip().casefold().replace("-", "_") in CUT_OFF


def _best(
    rule: Rule, expected: str, extraction: Extraction
) -> tuple[Reading | None, Difference | None]:
    """The right reading, or the first one and its difference; no reading without an answer."""
    firsts: list[tuple[Reading, Difference]] = []
    for reading in extraction.readings:
        difference = compare(rule, expected, reading.text)
        if difference is None:
            return reading, None
        firsts = firsts or [(reading, difference)]
    return firsts[0] if firsts else (None, None)


def _status(task: Task, extraction: Extraction, correct: bool | None) -> Status:
    if correct:
        return "correct"
    if correct is None:
        return "unparsed"
    if task.fields:
        return "wrong" if _reads(extraction.readings) else "unparsed"
    return "unparsed" if extraction.rule == "whole" else "wrong"


def _reads(readings: Sequence[Reading]) -> Read | None:
    """The first reading that is JSON, read."""
    reads = (read_json(reading.text) for reading in readings)
    return next((read for read in reads if isinstance(read, Read)), None)


def _field_credit(expected: str, readings: Sequence[Reading]) -> float | None:
    """Extra keys neither add nor take; the comparison is that of the whole answer."""
    truth, given = read_json(expected), _reads(readings)
    if not isinstance(truth, Read) or not isinstance(truth.value, dict):
        return None
    if given is None or not isinstance(given.value, dict):
        return None
    answer = given.value
    right = sum(
        name in answer and compare("json", compact_json(value), compact_json(answer[name])) is None
        for name, value in truth.value.items()
    )
    return right / max(1, len(truth.value))


def _thought(channels: Channels) -> int:
    return len(channels.thinking.strip()) if channels.thinking else 0


def _kept(text: str | None) -> str | None:
    if text is None or len(text) <= KEPT:
        return text
    return f"{text[:KEPT]}… ({len(text) - KEPT} more characters)"
