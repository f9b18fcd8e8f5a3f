"""The mark in an answer stands where the comparison says that it first differs."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.analysis.differences import locate
from deskcheck.analysis.texts import excerpt, harmless
from deskcheck.oracles.equivalence import ABSENT, Rule, compare
from deskcheck.oracles.expressions import compact_json

KEYS = st.text('ab_é .[]"\\', max_size=4)
VALUES = st.recursive(
    st.one_of(st.integers(-9, 9), st.booleans(), st.none(), st.text('x"\\{}[],: é', max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=12,
)
SPACED = st.sampled_from([None, 1, 4])


@given(VALUES, VALUES, SPACED)
def test_the_differing_value_of_json_is_marked(
    expected: object, given: object, indent: int | None
) -> None:
    """The marked text is the differing value itself, or the end of what should hold it."""
    text = json.dumps(given, indent=indent)
    difference = compare("json", json.dumps(expected), text)
    if difference is None:
        return
    absent = difference.given == ABSENT
    span = locate(difference.where, json.dumps(expected), text, absent=absent)
    assert span is not None
    marked = text[slice(*span)]
    if absent:
        assert marked in ("]", "}")
    else:
        assert compact_json(json.loads(marked)).startswith(difference.given.rstrip("…"))


@pytest.mark.parametrize(
    ("rule", "expected", "given", "marked"),
    [
        ("tokens", "1 2 3\n", "1 2  4\n", "4"),
        ("tokens", "1 2 3", "1 2", ""),
        ("tokens", "1", "1 2 3", "2"),
        ("lines", "a\nb\n", "a\nc\nd\n", "c"),
        ("lines", "a\nb\n", "a\n", ""),
        ("bytes", "ab\n", "ac\n", "c\n"),
        ("bytes", "ab\n", "ab", ""),
        ("bytes", "é1", "é2", "2"),
        ("json", '{"a":[1,{"b":2}]}', '{"a":[1,{"b":3}]}', "3"),
        ("json", '{"a":1}', '{"a": 1.0}', "1.0"),
        ("json", '{"a":1}', "no idea", "no idea"),
        ("json", '{"a":{"x":1}}', '{"a": {}}', "}"),
    ],
)
def test_the_place_that_each_rule_names(rule: Rule, expected: str, given: str, marked: str) -> None:
    """Tokens, lines, bytes and values are found; what ended too early is marked at its end."""
    difference = compare(rule, expected, given)
    assert difference is not None
    absent = difference.given == ABSENT
    span = locate(difference.where, expected, given, absent=absent)
    assert span is not None
    assert given[slice(*span)] == marked


@given(st.text(max_size=60), st.sampled_from(["$", "$.a", "$[3].b", "token 4", "line x", "odd"]))
def test_no_text_and_no_place_is_too_odd(text: str, where: str) -> None:
    """Whatever stands in a cell gives a span inside the text, or none."""
    span = locate(where, "", text)
    assert span is None or 0 <= span[0] <= span[1] <= len(text)


def test_a_long_answer_is_not_searched_for_long() -> None:
    """A megabyte of brackets gives no mark, and no wait."""
    assert locate("$[0]", "[]", "[" * 1_000_000) is None


def test_excerpts_hold_the_mark_and_say_what_is_missing() -> None:
    """However long the text, the excerpt is short and the marked place is in it."""
    text = "a" * 5_000 + "X" + "b" * 5_000
    shown = excerpt(text, (5_000, 5_001), 300)
    assert shown.marked == "X"
    assert shown.before.startswith("aaa")
    assert shown.before.endswith("aaa")
    assert "characters left out" in shown.before
    assert "characters left out" in shown.after
    assert len(shown.before + shown.after) < 400


@given(st.text(st.characters(exclude_categories=()), max_size=80))
def test_foreign_text_is_made_harmless(text: str) -> None:
    """What comes out is printable, but for line ends, and plain text stays as it was."""
    out = harmless(text)
    assert out.replace("\n", "").isprintable()
    out.encode("utf-8")
    if text.isprintable():
        assert out == text
