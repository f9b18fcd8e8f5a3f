"""Wrong answers whose kind is known, made of a real dataset and of observed states."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from deskcheck.analysis.errors.kinds import Kind, Question, Wrong
from deskcheck.analysis.errors.moments import Seen
from deskcheck.builder.cases import Arm
from deskcheck.oracles.equivalence import compare
from deskcheck.oracles.expressions import compact_json

NEAR = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """A wrong answer, how it was made, and of what kind it therefore is."""

    kind: Kind
    how: str
    wrong: Wrong


def plants(question: Question, seen: tuple[Seen, ...], seed: int) -> Iterator[Plant]:
    """Wrong answers to one question, one of each sort that it allows."""
    rng = np.random.Generator(np.random.PCG64(seed))
    for kind, how, wrong in _all(question, seen, rng):
        right = compare(question.rule, question.expected, wrong.answer or "") is None
        if not right or wrong.status == "truncated":
            yield Plant(kind=kind, how=how, wrong=wrong)


def _all(
    question: Question, seen: tuple[Seen, ...], rng: np.random.Generator
) -> Iterator[tuple[Kind, str, Wrong]]:
    yield "truncation", "ran into a limit", _wrong(None, "truncated")
    if question.rule == "json":
        yield from _of_states(question, seen, rng)
    else:
        yield from _of_outputs(question, rng)


def _of_states(
    question: Question, seen: tuple[Seen, ...], rng: np.random.Generator
) -> Iterator[tuple[Kind, str, Wrong]]:
    expected = question.expected
    value = json.loads(expected)
    inside = question.arm == "inside-loop-state"
    target = question.iteration if inside else question.iterations + 1
    other: Arm = "post-loop-state" if inside else "inside-loop-state"
    before = {each.state for each in seen if each.place == "before"}
    near = [
        each.state
        for each in seen
        if each.place == "inside" and 0 < abs(each.iteration - target) <= NEAR
    ]
    for state in near:
        if state not in before:
            yield "execution", "neighbouring iteration", _wrong(state)
    yield "execution", "other end", _wrong(question.answers[other])
    for state in before:
        yield "copying", "state before the loop", _wrong(state)
    for arm in ("short-trace-final", "long-trace-final"):
        yield "copying", f"answer of {arm}", _wrong(question.answers[arm], "unparsed")
    cut = int(rng.integers(4, len(expected)))
    yield "truncation", "torn JSON", _wrong(expected[:cut], "unparsed")
    for text in {repr(value), f"{expected[:-1]},}}", json.dumps(_quoted(value))}:
        if text != expected:
            yield "formatting", "other notation", _wrong(text)
    yield "formatting", "one more layer", _wrong(json.dumps({"the state": value}))
    leaves = list(_places(value))
    numbers = [place for place in leaves if type(_at(value, place)) in (int, float)]
    if len(leaves) > 1 and numbers:
        place = numbers[int(rng.integers(len(numbers)))]
        off = int(rng.integers(1, 10)) * (1 if rng.random() < 0.5 else -1)
        yield "arithmetic", "one number", _wrong(_changed(expected, [place], off))
    if len(numbers) > 4:
        chosen = [numbers[int(i)] for i in rng.choice(len(numbers), size=3, replace=False)]
        yield "unclassified", "three numbers", _wrong(_changed(expected, chosen, 1000))
        if near and list(_places(json.loads(near[0]))) == leaves:
            text = _changed(near[0], chosen, 1000)
            yield "unclassified", "three more of another iteration", _wrong(text)
    yield "unclassified", "words", _wrong(json.dumps(dict.fromkeys(value, "it varies")))


def _of_outputs(question: Question, rng: np.random.Generator) -> Iterator[tuple[Kind, str, Wrong]]:
    expected, words = question.expected, question.expected.split()
    other: Arm = "long-trace-final" if question.arm == "short-trace-final" else "short-trace-final"
    if other not in question.guessable:
        yield "copying", "other input's output", _wrong(question.answers[other])
    if len(question.stdin.split()) > 1:
        yield "copying", "the input", _wrong(question.stdin)
    for arm in ("inside-loop-state", "post-loop-state"):
        yield "copying", f"answer of {arm}", _wrong(question.answers[arm])
    if len(words) > 2:
        kept = int(rng.integers(2, len(words)))
        yield "truncation", "output ends early", _wrong(" ".join(words[:kept]))
    yield "formatting", "a sentence around it", _wrong(f"It prints:\n{expected}", "unparsed")
    yield "formatting", "commas", _wrong(", ".join(words))
    yield "formatting", "quotes", _wrong(" ".join(f'"{word}"' for word in words))
    numbers = [place for place, word in enumerate(words) if word.isdecimal()]
    if len(words) > 1 and numbers:
        place = numbers[int(rng.integers(len(numbers)))]
        changed = [*words[:place], str(int(words[place]) + int(rng.integers(1, 10)))]
        yield "arithmetic", "one number", _wrong(" ".join([*changed, *words[place + 1 :]]))
    if len(set(words)) > 2:
        yield "unclassified", "words turned round", _wrong(" ".join(words[::-1]))
    shuffled = [str(1000 + int(each)) for each in rng.integers(0, 9000, size=max(2, len(words)))]
    yield "unclassified", "other numbers", _wrong(" ".join(shuffled))


def _wrong(answer: str | None, status: Any = "wrong") -> Wrong:
    return Wrong(status=status, answer=answer, extraction="envelope")


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for key in value:
            yield from _places(value[key], (*path, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _places(each, (*path, index))
    else:
        yield path


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def _changed(expected: str, places: list[tuple[Any, ...]], off: int) -> str:
    value = json.loads(expected)
    for *path, last in places:
        _at(value, tuple(path))[last] += off
    return compact_json(value)


def _quoted(value: Any) -> Any:
    """Every number as a text."""
    if isinstance(value, dict):
        return {key: _quoted(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_quoted(each) for each in value]
    return str(value) if type(value) in (int, float) else value
