"""Every reply gets one status that can be trusted, and the right answer is always right."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluate.specimens import (
    OUTPUT,
    RIGHT,
    RIGHT_STATE,
    SPECIMENS,
    STATE,
    THINK,
    WRONG,
    Specimen,
    envelope,
    graded,
    hard_texts,
    tag_for,
    task,
    task_for,
)

from deskcheck.evaluate.cells import COMPLETED, STATUSES
from deskcheck.evaluate.grading import CUT_OFF, KEPT, Grade, grade
from deskcheck.evaluate.prompts.rendering import Prompts, read_templates
from deskcheck.evaluate.requests import OUTCOMES, Reply
from deskcheck.evaluate.settings import Setting, make_setting
from deskcheck.oracles.equivalence import Rule
from deskcheck.oracles.expressions import Json, compact_json

FINAL_RULES: tuple[Rule, ...] = ("tokens", "lines", "bytes")

QUESTIONS: tuple[tuple[Rule, str], ...] = (
    ("tokens", OUTPUT),
    ("lines", OUTPUT),
    ("bytes", OUTPUT),
    ("json", STATE),
)


@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda each: f"{each.rule} {each.name}")
def test_a_reply_has_its_status_and_its_envelope(specimen: Specimen) -> None:
    """Correctness and validity are told apart, for replies as models really write them."""
    found = specimen.grade()
    assert (found.status, found.envelope_valid) == (specimen.status, specimen.valid)


def test_an_unusable_answer_stays_in_the_denominator() -> None:
    """Of three repeats of which one echoes the question, two thirds are right, not all."""
    asked = task()
    question = Prompts(read_templates(), "answer").prompt(asked).text
    statuses = [graded(text).status for text in (RIGHT, RIGHT, question)]
    assert statuses == ["correct", "correct", "wrong"]
    assert all(status in COMPLETED for status in statuses)
    assert Counter(statuses)["correct"] / len(statuses) == pytest.approx(2 / 3)


def test_an_echoed_question_is_never_right() -> None:
    """The example in the prompt is no answer of a state arm either."""
    asked = task("json", ("i", "seen"))
    question = Prompts(read_templates(), "answer").prompt(asked).text
    reply = Reply(outcome="answered", text=question)
    found = grade(asked, '{"i":1,"seen":[]}', reply, tag="answer", thinking_tags=THINK)
    assert found.status == "unparsed"


@pytest.mark.parametrize("outcome", [each for each in OUTCOMES if each != "answered"])
def test_without_a_reply_the_outcome_is_the_status(outcome: str) -> None:
    """Nothing is read from what came back beside a failure."""
    reply = Reply(outcome=outcome, text=RIGHT, reasoning="so")  # type: ignore[arg-type]
    found = grade(task(), OUTPUT, reply, tag="answer", thinking_tags=THINK)
    assert found == Grade(status=outcome)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "given",
    [
        *("1.0", "1e0", "true", '"1"', "[1]", "1 or 0", "True", "0x1", "01", "+1", "int(1)", "1,"),
        *("-1", "10", "9**9**9", "__import__('os')", "1 if 1 else 0", "(1)", "null", "\u0661", ""),
    ],
)
def test_only_the_value_itself_is_the_value(given: str) -> None:
    """No model text is evaluated, and 1, 1.0 and true are three answers."""
    assert graded(envelope(f'{{"n":{given}}}'), '{"n":1}', "json").status in ("wrong", "unparsed")
    assert graded(envelope('{"n":1}'), '{"n":1}', "json").status == "correct"


AWKWARD = (
    "a == b\n",
    "x;y;\n",
    "`tick` and ```three```\n",
    "```\ncode\n```\n",
    "one\n\n\ntwo\n",
    "\n\nleading\n",
    "trailing  \n",
    "</answer>\n",
    "<answer>\n5\n</answer>\n",
    "<answer>",
    "</answer2> <answer2>\n",
    "<ANSWER>5</ANSWER>\n",
    "answer> answer2>\n",
    "<think>\n",
    "</think>\n",
    "<think>5</think>\n",
    '{"i": 5}\n',
    '{"i": 5',
    "Answer: 5\n",
    "== Answer ==\n",
    "\\boxed{5}\n",
    "no line break",
    "tab\tand\x0bform\x0cfeed\n",
    "nul\0and\x1cseparator\x85\u2028\n",
    "a\r\nb\r\n",
    "lone\rreturn",
    "\ufeffmark\n",
    "é 日本 \U0001f600\n",
    " ",
    "\n",
    "",
)


@pytest.mark.parametrize("rule", FINAL_RULES)
@pytest.mark.parametrize("expected", AWKWARD)
def test_no_content_of_an_answer_breaks_its_envelope(rule: Rule, expected: str) -> None:
    """With the dataset's own tag any output can be given, in thought, after drafts, and bare of
    prose or not; another output is still wrong."""
    tag = tag_for(expected)
    assert f"<{tag}>" in Prompts(read_templates(), tag).prompt(task(rule)).text
    right = envelope(expected, tag)
    for before in ("", "So:\n", "<think>It may be 5.\n</think>\n", f"5 </think>{right}\n"):
        found = graded(before + right, expected, rule, tag=tag)
        assert found.status == "correct", (before, found)
        assert found.envelope_valid is (right not in before)
    wrong = graded(envelope(f"x{expected}", tag), expected, rule, tag=tag)
    assert wrong.status == "wrong"
    assert wrong.difference_at


def test_a_dataset_that_prints_the_usual_tag_gets_another() -> None:
    """Content that looks like an envelope is then content, for every answer of that dataset."""
    outputs = ("<answer>\n5\n</answer>\n", "</answer2>\n", "plain\n")
    tag = tag_for(*outputs)
    assert tag == "answer3"
    for expected in outputs:
        assert graded(envelope(expected, tag), expected, "bytes", tag=tag).status == "correct"
        assert graded(envelope("5", tag), expected, "bytes", tag=tag).status == "wrong"


TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(AWKWARD)

OBJECTS: st.SearchStrategy[Json] = st.dictionaries(
    st.text(),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    ),
    min_size=1,
    max_size=4,
)

PROSE = st.text(st.characters(exclude_characters="<>", exclude_categories=["Cs"]), max_size=30)


@given(TEXTS, st.sampled_from(FINAL_RULES), PROSE, st.sampled_from(["", "\n"]))
def test_the_right_output_is_correct(expected: str, rule: Rule, prose: str, end: str) -> None:
    """Whatever a program prints, the reply that gives it as asked is correct and valid."""
    tag = tag_for(expected)
    reply = f"{prose}<{tag}>\n{expected}{end}</{tag}>\n"
    found = graded(reply, expected, rule, tag=tag)
    assert (found.status, found.envelope_valid, found.answer_correct) == ("correct", True, True)
    assert found.difference_at is None


@given(TEXTS, TEXTS)
def test_bytes_are_told_apart(expected: str, answer: str) -> None:
    """Under the strictest rule only the output itself counts, but for one last line break."""
    tag = tag_for(expected, answer)
    found = graded(f"<{tag}>\n{answer}</{tag}>", expected, "bytes", tag=tag)
    inside = (answer, answer.removesuffix("\n"))
    if "```" not in answer and "~~~" not in answer:
        assert (found.status == "correct") == (expected in inside)


@given(OBJECTS, PROSE)
def test_the_right_state_is_correct(value: dict[str, Json], prose: str) -> None:
    """Compact or spread out, escaped or not, every value and key; and its type counts."""
    expected = compact_json(value)
    tag = tag_for(expected)
    for text in (expected, json.dumps(value, indent=1, ensure_ascii=False)):
        found = graded(f"{prose}<{tag}>\n{text}\n</{tag}>", expected, "json", tag=tag)
        assert (found.status, found.envelope_valid) == ("correct", True)
        assert found.field_credit == 1
    wrong = compact_json({**value, next(iter(value)): [value]})
    found = graded(envelope(wrong, tag), expected, "json", tag=tag)
    assert (found.status, found.envelope_valid) == ("wrong", True)
    assert found.field_credit == (len(value) - 1) / len(value)


REPLIES = st.builds(
    Reply,
    outcome=st.just("answered"),
    text=st.text()
    | st.lists(
        st.sampled_from(
            [
                *("<answer>", "</answer>", "<think>", "</think>", "\n", "```", "{", "}", '"i":5'),
                *(OUTPUT, STATE, RIGHT, RIGHT_STATE, "\udc80", "\0"),
            ]
        ),
        max_size=10,
    ).map("".join),
    reasoning=st.none() | st.text(max_size=5),
    finish_reason=st.sampled_from(["stop", "length", "", "content_filter", "\0"]),
)


@given(REPLIES)
def test_any_reply_has_one_grade(reply: Reply) -> None:
    """None raises, the same reply always gets the same grade, and its parts agree."""
    for rule, expected in QUESTIONS:
        asked = task_for(rule, expected)
        found = grade(asked, expected, reply, tag="answer", thinking_tags=THINK)
        assert found == grade(asked, expected, reply, tag="answer", thinking_tags=THINK)
        require_sound(found, reply)


def require_sound(found: Grade, reply: Reply) -> None:
    """The parts of a grade do not contradict each other."""
    assert found.status in STATUSES[:4]
    assert (found.status == "truncated") == (reply.finish_reason == "length")
    assert (found.answer is None) == (found.answer_correct is None) == (found.extraction == "none")
    assert (found.difference_at is not None) == (found.answer_correct is False)
    if found.status != "truncated":
        assert (found.status == "correct") == (found.answer_correct is True)


@pytest.mark.parametrize("finish", [*sorted(CUT_OFF), "MAX_TOKENS", "max-tokens", " Length "])
def test_a_reply_that_was_cut_off_is_truncated(finish: str) -> None:
    """Whatever an engine calls it; what the reply held until then is told beside it."""
    for text, worth in ((RIGHT, True), (WRONG, False), ("<think>so", None), ("", None)):
        found = graded(text, finish=finish)
        assert (found.status, found.answer_correct) == ("truncated", worth)


@pytest.mark.parametrize("finish", ["", "stop", "eos", "end_turn", "content_filter", "tool_calls"])
def test_other_ends_are_no_truncation(finish: str) -> None:
    """A right answer is right, and a draft within thinking that never ends is none."""
    assert graded(RIGHT, finish=finish).status == "correct"
    found = graded(f"<think>{RIGHT}", finish=finish)
    assert (found.status, found.answer) == ("unparsed", None)
    assert found.reasoning_characters == len(RIGHT)


@pytest.mark.parametrize(
    "text",
    [
        " ".join(map(str, range(1, 101))),
        envelope(" ".join(map(str, range(1, 101)))),
        "```\n" + "\n".join(map(str, range(1, 101))) + "\n```",
        "It is 42.",
        envelope("42 42"),
        envelope("The answer is 42"),
        envelope("142"),
        envelope("42.0"),
    ],
)
@pytest.mark.parametrize("rule", FINAL_RULES)
def test_an_answer_that_contains_the_right_one_is_not_right(text: str, rule: Rule) -> None:
    """There is no credit for a part of what was given."""
    assert graded(text, "42\n", rule).status in ("wrong", "unparsed")


@pytest.mark.parametrize(
    ("expected", "given", "status"),
    [
        (
            '{"a":0.3,"b":0.30000000000000004}',
            '{"a":0.30000000000000004,"b":0.30000000000000004}',
            "wrong",
        ),
        ('{"a":0.3,"b":1.0}', '{"a":0.3,"b":1.0000000000000002}', "wrong"),
        ('{"a":0.0}', '{"a":-0.0}', "wrong"),
        ('{"a":-0.0}', '{"a":-0.0}', "correct"),
        ('{"a":NaN}', '{"a":NaN}', "correct"),
        ('{"a":NaN}', '{"a":null}', "wrong"),
        ('{"a":1e16}', '{"a":1e+16}', "correct"),
        ('{"a":1e16}', '{"a":10000000000000000.0}', "correct"),
        ('{"a":1e16}', '{"a":10000000000000000}', "wrong"),
        ('{"a":9007199254740993}', '{"a":9007199254740993}', "correct"),
        ('{"a":9007199254740993}', '{"a":9007199254740992}', "wrong"),
        ('{"a":9007199254740993}', '{"a":9007199254740993.0}', "wrong"),
        ('{"a":Infinity}', '{"a":1e999}', "unparsed"),
    ],
)
def test_numbers_are_exact(expected: str, given: str, status: str) -> None:
    """No tolerance leaks from one value to the next, and no integer goes through a float."""
    assert graded(envelope(given), expected, "json").status == status


@pytest.mark.parametrize(
    ("given", "credit"),
    [
        (STATE, 1.0),
        ('{"i":5,"seen":[1,2.5,true,null],"name":"b"}', 2 / 3),
        ('{"i":5.0,"seen":[1,2.5,1,null],"name":"b"}', 0.0),
        ('{"i":5}', 1 / 3),
        ('{"i":5,"seen":[1,2.5,true,null],"name":"a<b","more":0}', 1.0),
        ("{}", 0.0),
        ("[5]", None),
        ("i is 5", None),
    ],
)
def test_fields_are_credited_one_by_one(given: str, credit: float | None) -> None:
    """A missing field is a wrong one, an extra one does not count, and no object has no share."""
    assert graded(envelope(given), STATE, "json").field_credit == credit
    assert graded(envelope(given), "5", "tokens").field_credit is None


def test_a_missing_field_is_not_null() -> None:
    """Leaving a field out is no way to say that it is null."""
    assert graded(envelope('{"b":1}'), '{"a":null,"b":1}', "json").field_credit == 0.5


def test_the_first_difference_is_told() -> None:
    """Of the reading that is shown, at the place where it first differs."""
    found = graded(envelope('{"i":5,"seen":[1,2,true,null]}'), STATE, "json")
    assert found.difference_at == "$.seen[1]"
    assert (found.difference_expected, found.difference_given) == ("2.5", "2")
    found = graded("<answer>\n```\nways 80\n```\n</answer>")
    assert (found.difference_at, found.difference_given) == ("token 2", "80")
    assert found.answer == "ways 80\n"


def test_a_long_answer_is_graded_whole_and_kept_in_part() -> None:
    """The last character of a megabyte counts, and the cell does not hold the megabyte."""
    expected = "1 " * 500_000
    right, wrong = graded(envelope(expected), expected), graded(envelope(expected + "2"), expected)
    assert (right.status, wrong.status) == ("correct", "wrong")
    assert wrong.difference_at == "token 500001"
    for found in (right, wrong):
        assert found.answer and len(found.answer) < KEPT + 50
        assert found.answer.startswith(expected[:KEPT])
        assert found.answer == found.first_answer


def test_hard_texts_have_grades() -> None:
    """Deep brackets and long runs of anything are graded, and none of them is right."""
    for text in hard_texts(20_000):
        for rule, expected in QUESTIONS:
            for found in (graded(text, expected, rule), graded(f"{text}{RIGHT}", expected, rule)):
                assert found.status in COMPLETED
        assert graded(text).status in ("wrong", "unparsed")


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(hard_texts(1))))
def test_megabytes_have_grades(number: int) -> None:
    """The time is in proportion to the length, so that four megabytes come back."""
    text = hard_texts(4_000_000)[number]
    for rule, expected in QUESTIONS:
        assert graded(text, expected, rule).status in ("wrong", "unparsed")


def test_no_reply_is_stopped_or_cut_at_a_text() -> None:
    """No setting asks for stop strings by itself, and grading reads past what looks like one."""
    setting = make_setting(model="vllm/Qwen/Qwen3-8B", reasoning="high")
    assert not any("stop" in name for name in Setting.model_fields)
    assert setting.sampling == setting.request == setting.engine == {}
    for stop in ("\n\n", "</think>", "\nProblem:", "###", "<|im_end|>", "User:", "Answer:"):
        assert graded(f"<think>so{stop}on</think>{RIGHT}").status == "correct"
