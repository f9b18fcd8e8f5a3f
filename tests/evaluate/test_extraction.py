"""One declared rule finds the answer, and no content of an answer can mislead it."""

from __future__ import annotations

import json
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluate.specimens import hard_texts

from deskcheck.evaluate.envelopes import find_envelopes
from deskcheck.evaluate.extraction import RULES, Extracted, Extraction, extract
from deskcheck.oracles.replies import MAX_LENGTH

FIELDS = ("i",)


def final(channel: str, tag: str = "answer") -> Extraction:
    return extract(channel, tag, ())


def state(channel: str) -> Extraction:
    return extract(channel, "answer", FIELDS)


def texts(extraction: Extraction) -> list[str]:
    return [reading.text for reading in extraction.readings]


@pytest.mark.parametrize(
    ("channel", "rule", "first", "answer", "answers"),
    [
        ("<answer>5</answer>", "envelope", "5", "5", 1),
        ("a <answer>5</answer> b", "envelope", "5", "5", 1),
        ("<answer>5</answer><answer>6</answer>", "envelope", "5", "6", 2),
        ("<answer>5</answer> <answer>6", "envelope", "5", "5", 1),
        ("<answer>4<answer>5</answer>", "envelope", "5", "5", 1),
        ("<answer><answer>5</answer></answer>", "envelope", "5", "5", 1),
        ("</answer><answer>5</answer>", "envelope", "5", "5", 1),
        ("<answer>5</answer>6</answer>", "envelope", "5", "5", 1),
        ("<ANSWER>5</Answer>", "envelope", "5", "5", 1),
        ("<Answer>4</Answer><answer>5</answer>", "envelope", "5", "5", 1),
        ("<answer>5", "open_envelope", "5", "5", 1),
        ("<answer>5</Answer>", "open_envelope", *["5</Answer>"] * 2, 1),
        ("<answer>4 <answer>5", "open_envelope", "5", "5", 1),
        ("<answer>5<answer>", "open_envelope", "5", "5", 1),
        ("4</answer><answer>5", "open_envelope", "5", "5", 1),
        ("<answer>", "open_envelope", "", "", 1),
        ("```\n5\n```", "fence", "5\n", "5\n", 1),
        ("a\n```\n5\n```\nb\n~~~~text\n6\n~~~\n~~~~\nc", "fence", "5\n", "6\n~~~\n", 2),
        ("  ```\n5", "fence", "5", "5", 1),
        ("```\na\n```python\nb\n``` \nc", "fence", *["a\n```python\nb\n"] * 2, 1),
        ("```", "fence", "", "", 1),
        ("5</answer>\n```\n6\n```", "fence", "6\n", "6\n", 1),
        ("It is ```5``` or so", "whole", *["It is ```5``` or so"] * 2, 1),
        ("```5```", "whole", *["```5```"] * 2, 1),
        (" \n\n  5\n 6 \n\n", "whole", *["  5\n 6"] * 2, 1),
        ("<answers>5</answers>", "whole", *["<answers>5</answers>"] * 2, 1),
        ("<|answer|>5", "whole", *["<|answer|>5"] * 2, 1),
    ],
)
def test_a_final_answer_is_found_by_the_first_way_that_applies(
    channel: str, rule: Extracted, first: str, answer: str, answers: int
) -> None:
    """The last envelope counts, the first is kept too, and the ways have one order."""
    found = final(channel)
    assert found.rule == rule
    assert (found.first_answer, texts(found)[0], found.answers) == (first, answer, answers)


@pytest.mark.parametrize(
    ("channel", "rule", "first", "answer", "answers"),
    [
        ('<answer>{"i":5}</answer>{"i":6}', "envelope", '{"i":5}', '{"i":5}', 1),
        ('```json\n{"i":5}\n```\n{"i":6}', "fence", *['{"i":5}\n'] * 2, 1),
        ('{"i":5}', "whole", '{"i":5}', '{"i":5}', 1),
        ('{"i":4} and {"i":5}.', "whole", '{"i":4}', '{"i":5}', 2),
        ('{"i":{"i":{"i":6}}}', "whole", *['{"i":{"i":{"i":6}}}'] * 2, 1),
        ('{"i":"}{"} {x} {} {1, 2}', "whole", *['{"i":"}{"}'] * 2, 1),
        ('{{"i":5}}', "whole", *['{"i":5}'] * 2, 1),
        ('say "{" then {"i":5}', "whole", *['{"i":5}'] * 2, 1),
        ('{"i": … then {"i":5}', "whole", *['{"i":5}'] * 2, 1),
        ('{"i":5}}}', "whole", *['{"i":5}'] * 2, 1),
        ('{\n  "i": 5\n}', "whole", *['{\n  "i": 5\n}'] * 2, 1),
        ('{"i":5} {"i":True}', "whole", *['{"i":5}'] * 2, 1),
    ],
)
def test_a_state_answer_is_found_by_the_first_way_that_applies(
    channel: str, rule: Extracted, first: str, answer: str, answers: int
) -> None:
    """Without tags or fence it is the last JSON object that lies within no other."""
    found = state(channel)
    assert found.rule == rule
    assert (found.first_answer, texts(found)[0], found.answers) == (first, answer, answers)


@pytest.mark.parametrize("channel", ["", " \n", "5", "[5]", "{i: 5}", "{'i': 5}", "{}", '{"i":5'])
def test_without_an_object_a_state_reply_has_no_answer(channel: str) -> None:
    """Nothing near JSON is made into JSON."""
    assert state(channel) == Extraction(rule="none")


@pytest.mark.parametrize(
    ("channel", "readings"),
    [
        ("<answer>\n5\n</answer>", ["5\n", "5"]),
        ("<answer>5</answer>", ["5"]),
        ("<answer>\n\n5\n\n</answer>", ["\n5\n\n", "\n5\n"]),
        ("<answer>\r\n5\r\n</answer>", ["5\r\n", "5\r"]),
        ("<answer> \n5</answer>", [" \n5"]),
        ("<answer>\n</answer>", [""]),
        ("<answer>\n\n</answer>", ["\n", ""]),
        ("<answer>\n```\n5\n```\n</answer>", ["5\n", "5", "```\n5\n```\n", "```\n5\n```"]),
        ("<answer>```py\n5```</answer>", ["```py\n5```"]),
        ("<answer>\n```\n5\n```\n6\n</answer>", ["```\n5\n```\n6\n", "```\n5\n```\n6"]),
        ("```\n5\n```", ["5\n", "5"]),
        ("5", ["5", "5\n"]),
        (" \n 5 \n", [" 5", " 5\n", " \n 5 \n"]),
    ],
)
def test_line_breaks_and_a_fence_may_belong_to_the_envelope(
    channel: str, readings: list[str]
) -> None:
    """The first line break never counts, the last may, and a fence around it all may."""
    assert texts(final(channel)) == readings


@pytest.mark.parametrize(
    ("channel", "valid"),
    [
        ('<answer>{"i":5}</answer>', True),
        ('prose\n<answer>\n{ "i" : 5 }\n</answer>\n\n', True),
        ('<answer>{"i":5}</answer>.', False),
        ('<answer>{"i":5}</answer></answer>', False),
        ('<answer><answer>{"i":5}</answer>', False),
        ('<answer>{"i":4}</answer><answer>{"i":5}</answer>', False),
        ('<answer>{"i":5}', False),
        ('<Answer>{"i":5}</Answer>', False),
        ('<answer>\n```\n{"i":5}\n```\n</answer>', False),
        ('<answer>{"j":5}</answer>', False),
        ('<answer>{"i":5,"j":6}</answer>', False),
        ("<answer>[5]</answer>", False),
        ("<answer>i is 5</answer>", False),
        ('{"i":5}', False),
    ],
)
def test_an_envelope_is_valid_to_the_letter_only(channel: str, valid: bool) -> None:
    """One envelope, the tags as asked for, nothing after it, and the fields asked for in it."""
    assert state(channel).readings[0].to_the_letter is valid


def test_the_order_of_fields_is_a_matter_of_the_envelope() -> None:
    """The same object with its keys in another order breaks the contract."""
    for channel, valid in (('{"a":1,"b":2}', True), ('{"b":2,"a":1}', False)):
        found = extract(f"<answer>{channel}</answer>", "answer", ("a", "b"))
        assert found.readings[0].to_the_letter is valid


def test_another_tag_makes_the_usual_one_plain_text() -> None:
    """Where the dataset has a tag of its own, `answer` is content like any other."""
    channel = "<answer2>\n<answer>5</answer>\n</answer2>"
    assert texts(final(channel, "answer2")) == ["<answer>5</answer>\n", "<answer>5</answer>"]
    assert texts(final("<a.b>5</a.b><axb>6</axb>", "a.b")) == ["5"]


TAGGED = st.lists(
    st.sampled_from(["<answer>", "</answer>", "<Answer>", "\n", "5", "```\n", '{"i":5}', "{", '"']),
    max_size=14,
).map("".join)


@given(TAGGED | st.text())
def test_every_text_has_one_extraction(channel: str) -> None:
    """An answer has readings, a count and a first one; no answer has none of them."""
    for fields in ((), FIELDS):
        found = extract(channel, "answer", fields)
        assert found.rule in RULES
        assert bool(found.readings) == (found.rule != "none") == (found.answers > 0)
        assert (found.first_answer is None) == (found.rule == "none")
        if found.answers == 1 and found.readings:
            assert found.first_answer == found.readings[0].text
        assert sum(reading.to_the_letter for reading in found.readings) in (
            (0, len(found.readings)) if "```" not in channel else range(len(found.readings) + 1)
        )


@given(TAGGED)
def test_envelopes_are_pairs_of_neighbouring_tags(text: str) -> None:
    """The same pairs as a plain search for each opening tag's neighbour finds."""
    found = find_envelopes(text, "answer")
    contents = [
        piece.split("<answer>")[-1] for piece in text.split("</answer>")[:-1] if "<answer>" in piece
    ]
    if not found.exact:
        assert not contents
    elif contents:
        assert found.first and found.last
        assert text[found.first.start : found.first.end] == contents[0]
        assert text[found.last.start : found.last.end] == contents[-1]
        assert found.pairs == len(contents)
    else:
        assert found.first is found.last is None


@given(
    st.dictionaries(st.text(), st.integers() | st.text() | st.just({"a": [{}]}), min_size=1),
    st.text(st.characters(exclude_characters='{"`~<'), max_size=20),
)
def test_an_object_is_found_in_any_prose(value: dict[str, object], prose: str) -> None:
    """Whatever its texts hold, ends of braces and quotes included."""
    for indent, ascii_only in product((None, 2), (True, False)):
        text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
        found = extract(f"{prose}{text}{prose}", "answer", FIELDS)
        assert texts(found) == [text]


def test_an_object_is_looked_for_near_the_end_only() -> None:
    """Megabytes of prose hide what stands before them, and nothing that stands behind them."""
    prose = "so " * (MAX_LENGTH // 2)
    assert state(f'{{"i":4}}{prose}') == Extraction(rule="none")
    assert texts(state(f'{{"i":4}}{prose}{{"i":5}}')) == ['{"i":5}']


@pytest.mark.parametrize("number", range(len(hard_texts(1))))
def test_hard_texts_are_searched_once(number: int) -> None:
    """Many tags, fences, braces or quotes cost no more than their length; a search that begins
    anew at each of them would not come back."""
    text = hard_texts(100_000)[number]
    for fields in ((), FIELDS):
        assert extract(text, "answer", fields).rule in RULES
