"""Kinds of wrong answers: what each proof proves, which comes first, and that none fails."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.analysis.errors.kinds import KINDS, MEANINGS, Kind, Question, Wrong
from deskcheck.analysis.errors.moments import Seen, by_state, canonical
from deskcheck.analysis.errors.notations import loosely, rewritten
from deskcheck.analysis.errors.proofs import PROOFS, classify
from deskcheck.builder.cases import ARMS, Arm
from deskcheck.evaluate.cells import Status
from deskcheck.oracles.equivalence import Rule, compare


def state(k: int) -> str:
    """The state as iteration k begins, of a made-up loop of 40 iterations."""
    return json.dumps({"total": k * k, "seen": [k, k + 1], "done": k > 30})


SEEN = (
    Seen(place="before", iteration=0, state=state(0)),
    *(Seen(place="inside", iteration=k, state=state(k)) for k in range(1, 41)),
    Seen(place="post", iteration=0, state=state(41)),
)
ANSWERS: dict[Arm, str] = {
    "short-trace-final": "3 items\nsum 14\n",
    "long-trace-final": "40 items\nsum 1681\nlast True 2.5\n",
    "inside-loop-state": state(12),
    "post-loop-state": state(41),
}


def question(arm: Arm = "inside-loop-state", rule: Rule | None = None) -> Question:
    """A question about that loop, at iteration 12."""
    return Question(
        arm=arm,
        rule=rule or ("tokens" if arm.endswith("final") else "json"),
        stdin="40\n1 2 3\n",
        answers=ANSWERS,
        guessable=frozenset(),
        iteration=12,
        iterations=40,
        states=by_state(SEEN),
    )


INSIDE, POST, LONG = (
    question("inside-loop-state"),
    question("post-loop-state"),
    question("long-trace-final"),
)


def told(
    asked: Question, answer: str | None, status: Status = "wrong", extraction: str = "envelope"
) -> tuple[str, str]:
    """The kind and what exactly."""
    wrong = Wrong(status=status, answer=answer, extraction=extraction, finish_reason="length")
    found = classify(wrong, asked)
    return found.kind, found.sub_kind


@pytest.mark.parametrize(
    ("asked", "answer", "expected"),
    [
        (INSIDE, state(11), "execution off_by_one the state at iteration 11"),
        (INSIDE, state(15), "execution off_by_more off by +3"),
        (INSIDE, state(41), "execution other_end after the loop (40 iterations) instead of"),
        (POST, state(40), "execution off_by_one the state at iteration 40 instead of after"),
        (POST, state(12), "execution other_end at iteration 12 instead of after the loop"),
        (INSIDE, state(0), "copying initial_state before the loop"),
        (INSIDE, ANSWERS["long-trace-final"], "copying long_output on the long input"),
        (LONG, ANSWERS["short-trace-final"], "copying short_output on the short input"),
        (LONG, state(41), "copying state_for_output after the loop"),
        (LONG, "40 1 2 3", "copying input_text the input"),
        (LONG, "40 items\nsum 1680\nlast True 2.5", "arithmetic one_number word 4: 1680 instead"),
        (INSIDE, '{"total":149,"seen":[12,13],"done":false}', "arithmetic one_number 5 too much"),
        (INSIDE, '{"total":144,"seen":[12,12],"done":false}', "arithmetic one_number $.seen[1]"),
        (INSIDE, '{"total":144,"seen":[12,13],"done":true}', "unclassified one_field only done"),
        (INSIDE, '{"total":1,"seen":[12],"done":false}', "unclassified several_fields 2 of 3"),
        (INSIDE, '{"total":1,"seen":[],"done":true}', "unclassified all_fields all 3"),
        (INSIDE, '{"total":1}', "unclassified other_fields other fields"),
        (INSIDE, "[144]", "unclassified other_shape no object"),
        (INSIDE, "it is 144", "unclassified not_json no JSON"),
        (INSIDE, None, "unclassified no_answer no answer"),
        (LONG, "40 items\nsum", "truncation ends_early breaks off after"),
        (LONG, "40 items sum 16", "truncation torn breaks off"),
        (LONG, "40", "unclassified other_length 1 words instead of 7"),
        (LONG, "sum 40 items last 1681 True 2.5", "unclassified some_words 5 of 7"),
        (INSIDE, state(12)[:20], "truncation torn breaks off"),
        (LONG, "40, items, sum, 1681, last, True, 2.5", "formatting notation quotes or commas"),
        (LONG, "40 items sum 1681 last true 2.50", "formatting notation case or name of a word"),
        (INSIDE, repr(json.loads(state(12))), "formatting notation False for false"),
        (INSIDE, f"```json\n{state(12)[:-1]},}}\n```", "formatting notation trailing comma"),
        (INSIDE, '{"total":"144","seen":[12,13.0],"done":0}', "formatting notation 1.0 for 1"),
        (INSIDE, "[144, (12, 13), False]", "formatting notation no keys"),
        (INSIDE, f'{{"state":{state(12)}}}', "formatting notation one more layer"),
    ],
)
def test_a_proof_names_kind_and_evidence(
    asked: Question, answer: str | None, expected: str
) -> None:
    """One wrong answer of every sort: its kind, what exactly, and a part of the evidence."""
    found = classify(Wrong(status="wrong", answer=answer), asked)
    kind, sub_kind, evidence = expected.split(" ", 2)
    assert (found.kind, found.sub_kind) == (kind, sub_kind)
    assert evidence in found.evidence


def test_what_a_limit_cut_off_is_truncation_whatever_it_says() -> None:
    """Even a right answer before the cut."""
    assert told(INSIDE, state(12), "truncated") == ("truncation", "cut_off")
    assert told(INSIDE, None, "truncated") == ("truncation", "cut_off")


def test_equality_with_a_known_text_comes_before_likeness() -> None:
    """An answer that is the short output, and also how the right one begins, is the former."""
    like = replace(LONG, answers={**ANSWERS, "short-trace-final": "40 items\n"})
    assert told(like, "40 items") == ("copying", "short_output")
    assert told(LONG, "40 items") == ("truncation", "ends_early")


def test_a_state_that_is_also_one_number_off_is_of_another_moment() -> None:
    """Where both hold, what the trace proves wins."""
    states = by_state([Seen(place="inside", iteration=11, state='{"a":1,"b":5}')])
    asked = replace(
        INSIDE, answers={**ANSWERS, "inside-loop-state": '{"a":1,"b":7}'}, states=states
    )
    assert told(asked, '{"a":1,"b":5}') == ("execution", "off_by_one")
    assert told(replace(asked, states={}), '{"a":1,"b":5}') == ("arithmetic", "one_number")


def test_without_observed_states_no_other_moment_is_proved() -> None:
    """But that of the other checkpoint is known all the same."""
    blind = replace(INSIDE, states={})
    assert told(blind, state(11))[0] == "unclassified"
    assert told(blind, state(41)) == ("execution", "other_end")


def test_the_nearest_of_several_moments_is_named() -> None:
    """A state that the loop passes twice."""
    seen = [Seen(place="inside", iteration=k, state='{"a":1}') for k in (3, 14, 30)]
    asked = replace(
        INSIDE, answers={**ANSWERS, "inside-loop-state": '{"a":2}'}, states=by_state(seen)
    )
    found = classify(Wrong(status="wrong", answer='{"a":1}'), asked)
    assert "iteration 14 instead of at iteration 12: off by +2" in found.evidence


def test_what_a_guess_may_hit_proves_no_copying() -> None:
    """The short input's output is NO, and half of all wrong guesses are that."""
    answers = {**ANSWERS, "short-trace-final": "NO\n", "long-trace-final": "YES\n"}
    asked = replace(LONG, answers=answers)
    assert told(asked, "NO") == ("copying", "short_output")
    guessable = replace(asked, guessable=frozenset({"short-trace-final"}))
    assert told(guessable, "NO") == ("unclassified", "only_word")


@pytest.mark.parametrize(
    ("asked", "reply", "marked"),
    [
        (LONG, "The output is:\n**40 items\nsum 1681\nlast True 2.5**", "formatting"),
        (LONG, "First 40 items sum 1681 last True 2.5 and then it ends.", "formatting"),
        (LONG, "I think that it is 40.", "unclassified"),
        (INSIDE, f"So it is: {state(12)}, as one can see", "formatting"),
    ],
)
def test_an_unmarked_answer_counts_where_it_stands_at_the_end_or_is_long(
    asked: Question, reply: str, marked: str
) -> None:
    """Only of replies that mark no answer."""
    assert told(asked, reply, "unparsed", "whole")[0] == marked
    if asked is LONG:
        assert told(asked, reply, "wrong")[0] != "formatting"


def test_a_number_alone_is_no_arithmetic() -> None:
    """With nothing else right, nothing tells a slip from a guess."""
    asked = replace(LONG, answers={**ANSWERS, "long-trace-final": "17\n"})
    assert told(asked, "19") == ("unclassified", "only_word")
    one = replace(INSIDE, answers={**ANSWERS, "inside-loop-state": '{"a":7}'}, states={})
    assert told(one, '{"a":9}') == ("unclassified", "all_fields")


@pytest.mark.parametrize("rule", ["lines", "bytes"])
def test_layout_alone_is_formatting(rule: Rule) -> None:
    """Where an output compares by lines or bytes and the words are right."""
    asked = question("long-trace-final", rule)
    assert told(asked, "40 items sum 1681 last True 2.5") == ("formatting", "notation")


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ("(())", "()()"),
        ("12 3", "1 23"),
        ("Abc", "abc"),
        ("007", "7 "),
        ("[[1], 2]", "[1, [2]]"),
        ("a:1 b:2", "a1 b2"),
    ],
)
def test_what_a_program_may_mean_is_no_formatting(expected: str, answer: str) -> None:
    """Outputs that differ in more than how a value is written, and one that does not."""
    found = loosely("tokens", expected, answer)
    assert found == (("notation of a number",) if expected == "007" else None)


def test_every_kind_has_a_meaning_and_a_proof() -> None:
    """The table of meanings says what each kind is."""
    assert list(MEANINGS) == list(KINDS) == list(get_args(Kind))
    assert len(set(PROOFS)) == len(PROOFS)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)
TEXTS = st.one_of(
    st.text(),
    st.text("{}[]()\"'`\\,:; \n0123456789eE.+-TrueFalsNn", max_size=200),
    JSON.map(repr),
    JSON.map(json.dumps),
    st.sampled_from(
        ["[" * 5000, '"\\' * 5000, "'" * 5001, "-" * 9000, "9" * 5000, "1e999 " * 50, "\ud800{"]
    ),
)


@given(
    TEXTS,
    TEXTS,
    st.sampled_from(ARMS),
    st.sampled_from(["wrong", "unparsed", "truncated"]),
    st.sampled_from(["envelope", "open_envelope", "whole", None]),
    JSON,
)
def test_any_text_gets_one_kind(
    answer: str, output: str, arm: Arm, status: Status, extraction: str | None, truth: object
) -> None:
    """Whatever was expected and whatever is answered, and no proof ever fails."""
    answers: dict[Arm, str] = {
        "short-trace-final": output,
        "long-trace-final": output[::-1],
        "inside-loop-state": json.dumps({"a": truth}),
        "post-loop-state": json.dumps({"a": [truth, 1]}),
    }
    asked = replace(question(arm), answers=answers)
    found = classify(Wrong(status=status, answer=answer, extraction=extraction), asked)
    assert found.kind in KINDS
    assert found.evidence.isprintable()


@given(JSON, JSON)
def test_states_are_equal_by_their_canonical_text_as_by_the_rule(
    one: object, other: object
) -> None:
    """So that a look-up finds what a comparison would."""
    left, right = json.dumps(one), json.dumps(other)
    same = compare("json", left, right) is None
    assert same == (canonical(json.loads(left)) == canonical(json.loads(right)))


@given(JSON)
def test_strict_json_is_not_rewritten(value: object) -> None:
    """Only what is no JSON is changed."""
    text = json.dumps(value)
    assert rewritten(text) == (text, set())
