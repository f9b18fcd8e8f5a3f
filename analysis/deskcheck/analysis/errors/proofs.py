"""The proofs that a wrong answer is of a kind, in the order in which they are tried.

Equality with a whole text that is known is tried before likeness to the right answer, so that an
answer which allows both is taken for what it equals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal, localcontext
from functools import partial

from deskcheck.analysis.errors.kinds import Found, Kind, Question, Wrong
from deskcheck.analysis.errors.moments import Seen, canonical
from deskcheck.analysis.errors.notations import (
    LONGEST,
    loosely,
    reading,
    rewritten,
    same_state,
    unmarked,
)
from deskcheck.analysis.texts import harmless
from deskcheck.builder.cases import ARMS, Arm
from deskcheck.oracles.equivalence import compare
from deskcheck.oracles.expressions import Json, compact_json
from deskcheck.oracles.replies import Read

Proof = Callable[[Wrong, Question], Found | None]

TORN = 3
"""Characters from which on the beginning of a state is one."""

EXCERPT = 40
_DIGITS = 400
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
_SHORT, _LONG, _INSIDE, _POST = ARMS
_TEXTS: tuple[tuple[Arm, str, str], ...] = (
    (_SHORT, "short_output", "what the program prints on the short input"),
    (_LONG, "long_output", "what the program prints on the long input"),
    (_INSIDE, "state_for_output", "the state inside the loop"),
    (_POST, "state_for_output", "the state after the loop"),
)


def classify(wrong: Wrong, question: Question) -> Found:
    """The kind of a wrong answer by the first proof that holds; of any text, in linear time."""
    for proof in PROOFS:
        found = proof(wrong, question)
        if found is not None:
            return found
    return unproved(wrong, question)


def cut_off(wrong: Wrong, _: Question) -> Found | None:
    """The engine ended the reply at a limit."""
    if wrong.status != "truncated":
        return None
    said = f" ({_short(wrong.finish_reason)})" if wrong.finish_reason else ""
    return _found("truncation", "cut_off", f"the reply ran into a limit{said}")


def torn(wrong: Wrong, question: Question) -> Found | None:
    """The right answer breaks off: in the middle of JSON or of a word, or in an open envelope."""
    if wrong.answer is None:
        return None
    if question.rule == "json":
        expected, given = _bare(question.expected), _bare(wrong.answer)
        broken = TORN <= len(given) < len(expected) and expected.startswith(given)
    else:
        wanted, words = question.expected.split(), wrong.answer.split()
        kept = len(words) - 1
        broken = 0 < kept < len(wanted) - 1 and wanted[:kept] == words[:kept]
        last = wanted[kept] if broken else ""
        broken = broken and last != words[kept] and last.startswith(words[kept])
        if wrong.extraction == "open_envelope":
            broken = broken or (0 <= kept < len(wanted) - 1 and wanted[: kept + 1] == words)
    return _found("truncation", "torn", _breaks_off(wrong.answer)) if broken else None


def notation(wrong: Wrong, question: Question) -> Found | None:
    """The right answer, written in a way that the rule does not allow."""
    if wrong.answer is None:
        return None
    notes = loosely(question.rule, question.expected, wrong.answer)
    if notes is None:
        return None
    return _found("formatting", "notation", f"right but for: {'; '.join(notes) or 'its envelope'}")


def without_mark(wrong: Wrong, question: Question) -> Found | None:
    """The right answer stands in a reply that does not say which part of it is the answer."""
    if wrong.status != "unparsed" or wrong.answer is None:
        return None
    if not unmarked(question.rule, question.expected, wrong.answer):
        return None
    return _found(
        "formatting", "unmarked", "the reply holds the right answer, but does not mark it"
    )


def other_text(wrong: Wrong, question: Question) -> Found | None:
    """The answer of another arm, or the input; not where that is one that a guess may hit."""
    if wrong.answer is None:
        return None
    state = question.rule == "json"
    for arm, name, said in _TEXTS:
        is_state = name == "state_for_output"
        if arm == question.arm or (state and is_state) or arm in question.guessable:
            continue
        answer = question.answers[arm]
        if is_state:
            same = same_state(answer, wrong.answer)
        else:
            same = compare("tokens", answer, wrong.answer) is None
        if same:
            return _found("copying", name, f"it is {said}")
    words = wrong.answer.split()
    if len(words) > 1 and words == question.stdin.split():
        return _found("copying", "input_text", "it is the input")
    return None


def initial_state(wrong: Wrong, question: Question) -> Found | None:
    """The state before the loop, of which then nothing was executed."""
    if any(seen.place == "before" for seen in _moments(wrong, question)):
        return _found("copying", "initial_state", "the state before the loop begins")
    return None


def other_moment(wrong: Wrong, question: Question) -> Found | None:
    """The state at another moment of the same loop; of several, the nearest."""
    if question.rule != "json" or wrong.answer is None:
        return None
    other = _POST if question.arm == _INSIDE else _INSIDE
    target = _place(question, question.arm)
    places = sorted(
        (abs(place - target), place)
        for place in map(partial(_place_of, question), _moments(wrong, question))
        if place
    )
    if same_state(question.answers[other], wrong.answer):
        end = _place(question, other)
        if not places or places[0] == (abs(end - target), end):
            said = f"the state {_at(question, end)} instead of {_at(question, target)}"
            return _found("execution", "other_end", said)
    if not places:
        return None
    off = places[0][1] - target
    name = "off_by_one" if abs(off) == 1 else "off_by_more"
    said = f"the state {_at(question, places[0][1])} instead of {_at(question, target)}"
    return _found("execution", name, f"{said}: off by {off:+d}")


def ends_early(wrong: Wrong, question: Question) -> Found | None:
    """The right output for its first two words at least, and then no more."""
    if question.rule == "json" or wrong.answer is None:
        return None
    words, wanted = wrong.answer.split(), question.expected.split()
    if 1 < len(words) < len(wanted) and wanted[: len(words)] == words:
        return _found("truncation", "ends_early", _breaks_off(wrong.answer))
    return None


def one_number(wrong: Wrong, question: Question) -> Found | None:
    """One number of several values differs, and all else is right."""
    changed = _changed(wrong, question)
    if changed is None:
        return None
    where, expected, given, values = changed
    if values < 2 or not (_NUMBER.fullmatch(expected) and _NUMBER.fullmatch(given)):
        return None
    said = f"{where}: {_short(given)} instead of {_short(expected)}{_size(expected, given)}"
    return _found("arithmetic", "one_number", f"{said}{_stale(wrong, question, where)}")


PROOFS: tuple[Proof, ...] = (
    cut_off,
    torn,
    notation,
    without_mark,
    other_text,
    initial_state,
    other_moment,
    ends_early,
    one_number,
)
"""In the order of their priority: the first that holds gives the kind."""


def unproved(wrong: Wrong, question: Question) -> Found:
    """What can be said of an answer of which no kind is proved."""
    if wrong.answer is None:
        return _found("unclassified", "no_answer", "the reply gives no answer")
    if question.rule != "json":
        return _unproved_text(wrong, question)
    truth, given = _value(question.expected), _value(wrong.answer)
    if given is None or truth is None:
        return _found("unclassified", "not_json", "the answer is no JSON")
    if not isinstance(truth[0], dict) or not isinstance(given[0], dict):
        return _found("unclassified", "other_shape", "the answer is no object")
    expected, answer = truth[0], given[0]
    if expected.keys() != answer.keys():
        return _found("unclassified", "other_fields", "the answer has other fields")
    off = [name for name in expected if canonical(expected[name]) != canonical(answer[name])]
    if len(off) == len(expected):
        said = "its only field is wrong" if len(off) == 1 else f"all {len(off)} fields are wrong"
        return _found("unclassified", "all_fields", said)
    if len(off) == 1:
        said = f"only {_short(off[0])} is wrong{_stale(wrong, question, f'$.{off[0]}')}"
        return _found("unclassified", "one_field", said)
    return _found("unclassified", "several_fields", f"{len(off)} of {len(expected)} fields wrong")


def _unproved_text(wrong: Wrong, question: Question) -> Found:
    words, wanted = (wrong.answer or "").split(), question.expected.split()
    if not words:
        return _found("unclassified", "no_answer", "the answer is empty")
    if len(words) != len(wanted):
        said = f"{len(words)} words instead of {len(wanted)}"
        return _found("unclassified", "other_length", said)
    off = sum(one != other for one, other in zip(wanted, words, strict=True))
    if len(wanted) == 1:
        return _found("unclassified", "only_word", "its only word is wrong")
    return _found("unclassified", "some_words", f"{off} of {len(wanted)} words are wrong")


def _found(kind: Kind, sub_kind: str, evidence: str) -> Found:
    return Found(kind=kind, sub_kind=sub_kind, evidence=evidence)


def _short(text: str | None) -> str:
    text = harmless((text or "").replace("\n", " "))
    return text if len(text) <= EXCERPT else f"{text[: EXCERPT - 1]}…"


def _breaks_off(answer: str) -> str:
    return f"it is the right answer until it breaks off after “{_short(answer.strip()[-12:])}”"


def _bare(text: str) -> str:
    """Without whitespace, which no state's field needs to tell states apart by."""
    return "".join(text.split())


def _value(text: str) -> tuple[Json] | None:
    """The state that a text holds, also in Python's notation; None where it holds none."""
    if len(text) > LONGEST:
        return None
    read = reading(text)
    if not isinstance(read, Read):
        read = reading(rewritten(text)[0])
    return (read.value,) if isinstance(read, Read) else None


def _moments(wrong: Wrong, question: Question) -> tuple[Seen, ...]:
    """Where the program has the very state that was given."""
    if question.rule != "json" or wrong.answer is None or not question.states:
        return ()
    value = _value(wrong.answer)
    return () if value is None else question.states.get(canonical(value[0]), ())


def _place(question: Question, arm: Arm) -> int:
    """A checkpoint's place among the moments of its activation: iterations, then the end."""
    return question.iteration if arm == _INSIDE else question.iterations + 1


def _place_of(question: Question, seen: Seen) -> int:
    """The same of any moment; 0 before the loop."""
    return question.iterations + 1 if seen.place == "post" else seen.iteration


def _at(question: Question, place: int) -> str:
    if place == question.iterations + 1:
        return f"after the loop ({question.iterations} iterations)"
    return f"at iteration {place}"


def _changed(wrong: Wrong, question: Question) -> tuple[str, str, str, int] | None:
    """The one value that differs: where, what was expected and given there, and of how many."""
    if wrong.answer is None:
        return None
    if question.rule != "json":
        wanted, words = question.expected.split(), wrong.answer.split()
        if len(wanted) != len(words):
            return None
        off = [i for i, pair in enumerate(zip(wanted, words, strict=True)) if pair[0] != pair[1]]
        if len(off) != 1:
            return None
        return f"word {off[0] + 1}", wanted[off[0]], words[off[0]], len(wanted)
    truth, given = _value(question.expected), _value(wrong.answer)
    if truth is None or given is None:
        return None
    leaves = list(_leaves("$", truth[0], given[0]))
    off_leaves = [leaf for leaf in leaves if leaf is None or leaf[1] != leaf[2]]
    if len(off_leaves) != 1 or off_leaves[0] is None:
        return None
    return (*off_leaves[0], len(leaves))


def _leaves(where: str, expected: Json, given: Json) -> Iterator[tuple[str, str, str] | None]:
    """Every value with its counterpart as texts; None where the two have not one structure."""
    match expected, given:
        case dict(), dict():
            if expected.keys() != given.keys():
                yield None
                return
            for key in expected:
                yield from _leaves(f"{where}.{key}", expected[key], given[key])
        case list(), list():
            if len(expected) != len(given):
                yield None
                return
            for i, (one, other) in enumerate(zip(expected, given, strict=True)):
                yield from _leaves(f"{where}[{i}]", one, other)
        case _ if isinstance(expected, list | dict) or isinstance(given, list | dict):
            yield None
        case _:
            yield where, canonical(expected), canonical(given)


def _size(expected: str, given: str) -> str:
    """How far apart two numbers are, where that can be written down."""
    if max(len(expected), len(given)) > _DIGITS:
        return ""
    with localcontext(prec=_DIGITS + 1):
        off = Decimal(given) - Decimal(expected)
    return f", {_short(str(abs(off)))} too {'much' if off > 0 else 'little'}" if off else ""


def _stale(wrong: Wrong, question: Question, where: str) -> str:
    """At which moments the field of a path has the value that was given."""
    value = _value(wrong.answer or "")
    if value is None or not isinstance(value[0], dict):
        return ""
    name = next((key for key in value[0] if _holds(where, key)), None)
    if name is None:
        return ""
    wanted = compact_json(value[0][name])
    target = _place(question, question.arm)
    places = []
    for moments in question.states.values():
        for seen in moments:
            state = _value(seen.state)
            fields = state[0] if state else None
            if isinstance(fields, dict) and compact_json(fields.get(name)) == wanted:
                places.append(_place_of(question, seen))
    if not places:
        return ""
    nearest = min(places, key=lambda place: (abs(place - target), place))
    at = "before the loop" if nearest == 0 else _at(question, nearest)
    return f"; {_short(name)} has that value {at}"


def _holds(where: str, name: str) -> bool:
    rest = where.removeprefix(f"$.{name}")
    return rest != where and rest[:1] in ("", ".", "[")
