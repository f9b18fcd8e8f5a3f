"""Mutations of replies: some of known effect, which are checked, and some that only must not harm.

Every choice comes from one `random.Random`, so that a number names a mutated reply.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from tests.evaluate.hard_answers import ALL_OUTPUTS, ALL_STATES, PIECES, TAGS, WORDS
from tests.evaluate.specimens import SPECIMENS, THINK, envelope, hard_texts, task_for

from deskcheck.evaluate.cells import Status
from deskcheck.evaluate.grading import Grade, grade
from deskcheck.evaluate.prompts.rendering import fence
from deskcheck.evaluate.requests import Reply
from deskcheck.oracles.equivalence import Rule
from deskcheck.oracles.expressions import Json, compact_json

NOT_RIGHT: tuple[Status, ...] = ("wrong", "unparsed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A reply on its way through mutations, and what it must be worth now."""

    rule: Rule
    expected: str
    tag: str
    text: str
    """From its answer envelope on; what comes before is in `before`."""
    before: str = ""
    reasoning: str | None = None
    finish: str = "stop"
    status: tuple[Status, ...] = ("correct",)
    worth: bool | None = True
    """Whether the answer in it is right; None where there is none or it is not foreseen."""
    valid: bool | None = True
    """Whether the envelope is as asked for; None where that is not foreseen."""
    plain: bool = True
    """`text` is still the envelope as it was made."""
    closed: bool = True
    """`text` ends with no open envelope."""

    def reply(self) -> Reply:
        return Reply(
            outcome="answered",
            text=self.before + self.text,
            reasoning=self.reasoning,
            finish_reason=self.finish,
        )

    def grade(self) -> Grade:
        return grade(
            task_for(self.rule, self.expected),
            self.expected,
            self.reply(),
            tag=self.tag,
            thinking_tags=THINK,
        )


def known(rng: Random) -> Case:
    """A right reply after some mutations that keep its worth and one that may not."""
    case = right(rng)
    for _ in range(rng.randrange(4)):
        case = rng.choice(KEEPING)(case, rng)
    return rng.choice(DECIDING)(case, rng)


def unknown(rng: Random) -> Case:
    """Some reply after mutations that may do anything to it."""
    specimen = rng.choice(SPECIMENS)
    text = specimen.text
    if rng.randrange(500) == 0:
        text = rng.choice(hard_texts(100_000))
    for _ in range(rng.randint(1, 6)):
        text = rng.choice(DAMAGES)(text, rng)
    return Case(
        rule=specimen.rule,
        expected=specimen.expected,
        tag="answer",
        text=text,
        reasoning=rng.choice((specimen.reasoning, None, "", text[:50])),
        finish=rng.choice((specimen.finish, "stop", "length", "")),
    )


def right(rng: Random) -> Case:
    """A right reply as the prompts ask for it."""
    if rng.randrange(2):
        return _asked("json", rng.choice(ALL_STATES))
    rules: tuple[Rule, ...] = ("tokens", "lines", "bytes")
    return _asked(rng.choice(rules), rng.choice(ALL_OUTPUTS))


def _asked(rule: Rule, expected: str) -> Case:
    tag = TAGS[expected]
    return Case(rule=rule, expected=expected, tag=tag, text=envelope(expected, tag))


def _prose(rng: Random) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randint(1, 8)))


def _wrong_envelope(case: Case, rng: Random) -> str:
    content = rng.choice(("", "0", '{"i":0}', '{"q":[1]}', "nothing of the kind", "[]", "``"))
    return envelope(f"{content} wrong" if rng.randrange(2) else content, case.tag)


def _prose_before(case: Case, rng: Random) -> Case:
    return replace(case, before=f"{case.before}{_prose(rng)}\n")


def _prose_after(case: Case, rng: Random) -> Case:
    if not case.closed:
        return case
    return replace(case, text=f"{case.text}\n{_prose(rng)}.", valid=False, plain=False)


def _thought(case: Case, rng: Random) -> Case:
    if "</think>" in case.before:
        return case
    draft = rng.choice((_wrong_envelope(case, rng), f"<{case.tag}>", case.text, _prose(rng)))
    draft = draft.replace("</think>", "")
    return replace(case, before=f"<think>{_prose(rng)}{draft}</think>\n{case.before}")


def _thought_by_the_prompt(case: Case, rng: Random) -> Case:
    if "</think>" in case.before and not case.before.startswith("<think>"):
        return case
    draft = rng.choice((_wrong_envelope(case, rng), _prose(rng)))
    return replace(case, before=f"{_prose(rng)}{draft}\n</think>\n{case.before}")


def _thought_apart(case: Case, rng: Random) -> Case:
    return replace(case, reasoning=_prose(rng) + case.text)


def _wrong_before(case: Case, rng: Random) -> Case:
    if not case.closed:
        return case  # what is complete would count instead
    before = f"{case.before}{_wrong_envelope(case, rng)}\n{_prose(rng)}\n"
    return replace(case, before=before, valid=False)


def _right_again(case: Case, rng: Random) -> Case:
    again = envelope(case.expected, case.tag)
    text = f"{case.text}\n{_prose(rng)}\n{again}"
    return replace(case, text=text, valid=False, plain=False, closed=True)


def _carriage_returns(case: Case, rng: Random) -> Case:
    if case.rule == "bytes" or not case.plain:
        return case
    return replace(case, text=case.text.replace("\n", "\r\n"), plain=False)


def _on_one_line(case: Case, rng: Random) -> Case:
    if not case.plain or case.expected.startswith(("\n", "\r\n")):
        return case
    return replace(case, text=f"<{case.tag}>{case.expected}</{case.tag}>", plain=False)


def _fenced(case: Case, rng: Random) -> Case:
    if not case.plain:
        return case
    text = f"<{case.tag}>\n{fence(case.expected)}\n</{case.tag}>"
    return replace(case, text=text, valid=False, plain=False)


def _never_closed(case: Case, rng: Random) -> Case:
    # What is complete would count instead, and an end of thinking in it would split it.
    if not case.plain or f"</{case.tag}>" in case.before or "</think>" in case.text:
        return case
    text = case.text.removesuffix(f"</{case.tag}>")
    return replace(case, text=text, valid=False, plain=False, closed=False)


def _spread_out(case: Case, rng: Random) -> Case:
    if case.rule != "json" or not case.plain:
        return case
    value = json.loads(case.expected)
    text = json.dumps(value, indent=rng.choice((None, 1, 4)), ensure_ascii=rng.random() < 0.5)
    return replace(case, text=envelope(text, case.tag), plain=False)


def _shuffled(case: Case, rng: Random) -> Case:
    if case.rule != "json" or not case.plain:
        return case
    value = json.loads(case.expected)
    keys = rng.sample([*value], len(value))
    text = compact_json({key: value[key] for key in keys})
    valid = case.valid and keys == [*value]
    return replace(case, text=envelope(text, case.tag), valid=valid, plain=False)


KEEPING: Sequence[Callable[[Case, Random], Case]] = (
    _prose_before,
    _prose_after,
    _thought,
    _thought_by_the_prompt,
    _thought_apart,
    _wrong_before,
    _right_again,
    _carriage_returns,
    _on_one_line,
    _fenced,
    _never_closed,
    _spread_out,
    _shuffled,
)


def _as_it_is(case: Case, rng: Random) -> Case:
    return case


def _another_digit(case: Case, rng: Random) -> Case:
    places = [place for place, letter in enumerate(case.expected) if letter in "0123456789"]
    place = rng.choice(places)
    digit = rng.choice([each for each in "0123456789" if each != case.expected[place]])
    text = f"{case.expected[:place]}{digit}{case.expected[place + 1 :]}"
    return _replaced(case, text)


def _another_type(case: Case, rng: Random) -> Case:
    if case.rule != "json":
        return _replaced(case, case.expected + rng.choice(("0", ".", " end", "x\n")))
    value = json.loads(case.expected)
    key = rng.choice([*value])
    value[key] = _of_another_type(value[key], rng)
    return _replaced(case, compact_json(value))


def _of_another_type(value: Json, rng: Random) -> Json:
    match value:
        case bool():
            return rng.choice((int(value), None, str(value)))
        case int() | float():
            other: Json = float(value) if isinstance(value, int) else round(value)
            others: list[Json] = [other, str(value), bool(value), [value]]
            return rng.choice(others)
        case None:
            return rng.choice((0, "null", False))
        case _:
            wrapped: list[Json] = [[value], None, 0, compact_json(value) + "."]
            return rng.choice(wrapped)


def _replaced(case: Case, text: str) -> Case:
    """The envelope with something else in it, which is what the reply now answers."""
    if f"{case.tag}>" in text:
        return case
    wrong = envelope(text, case.tag)
    return replace(
        case,
        text=wrong if case.plain else f"{case.text}\n{wrong}",
        status=NOT_RIGHT,
        worth=False,
        valid=None,
        plain=False,
    )


def _cut_off(case: Case, rng: Random) -> Case:
    return replace(case, finish=rng.choice(("length", "max_tokens")), status=("truncated",))


def _cut_short(case: Case, rng: Random) -> Case:
    whole = case.before + case.text
    return replace(
        case,
        before="",
        text=whole[: rng.randrange(len(whole))],
        finish="length",
        status=("truncated",),
        worth=None,
        valid=None,
        plain=False,
    )


def _thinks_on(case: Case, rng: Random) -> Case:
    whole = (case.before + case.text).replace("</think>", "")
    cut = rng.random() < 0.5
    return replace(
        case,
        before=f"<think>{whole}",
        text="",
        finish="length" if cut else "stop",
        status=("truncated",) if cut else ("unparsed",),
        worth=None,
        valid=False,
        plain=False,
    )


DECIDING: Sequence[Callable[[Case, Random], Case]] = (
    _as_it_is,
    _another_digit,
    _another_type,
    _cut_off,
    _cut_short,
    _thinks_on,
)


def _cut(text: str, rng: Random) -> str:
    return text[: rng.randint(0, len(text))]


def _dropped(text: str, rng: Random) -> str:
    start = rng.randint(0, len(text))
    return text[:start] + text[start + rng.randint(1, 12) :]


def _doubled(text: str, rng: Random) -> str:
    start = rng.randint(0, len(text))
    piece = text[start : start + rng.randint(1, 40)]
    return text[:start] + piece * rng.choice((2, 2, 3, 50)) + text[start:]


def _inserted(text: str, rng: Random) -> str:
    start = rng.randint(0, len(text))
    return text[:start] + rng.choice(PIECES) * rng.choice((1, 1, 1, 2, 200)) + text[start:]


def _overwritten(text: str, rng: Random) -> str:
    start = rng.randint(0, len(text))
    piece = rng.choice((*PIECES, chr(rng.randrange(0x110000))))
    return text[:start] + piece + text[start + len(piece) :]


def _spliced(text: str, rng: Random) -> str:
    other = rng.choice(SPECIMENS).text
    return text[: rng.randint(0, len(text))] + other[rng.randint(0, len(other)) :]


def _reversed(text: str, rng: Random) -> str:
    start = rng.randint(0, len(text))
    end = start + rng.randint(1, 30)
    return text[:start] + text[start:end][::-1] + text[end:]


DAMAGES: Sequence[Callable[[str, Random], str]] = (
    _cut,
    _dropped,
    _doubled,
    _inserted,
    _inserted,
    _overwritten,
    _spliced,
    _reversed,
)
