"""Equivalence: exact by rule, and a difference names the first place where answers part."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.oracles.equivalence import (
    EXCERPT,
    Difference,
    Rule,
    compare,
    layout_sensitive,
)
from deskcheck.oracles.expressions import Json, compact_json

RULES: tuple[Rule, ...] = ("json", "tokens", "lines", "bytes")
ATOMS: st.SearchStrategy[Json] = st.one_of(
    *(st.none(), st.booleans(), st.integers(-2, 2), st.sampled_from([0.0, -0.0, 1.0])),
    *(st.integers(), st.floats(), st.text(max_size=3)),
)
DOCUMENTS: st.SearchStrategy[Json] = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=6,
)
LAYOUT = st.text("ab12 \n\r\t\\", max_size=12)


def where(rule: Rule, expected: str, given: str) -> str | None:
    """The place of the first difference, or None."""
    difference = compare(rule, expected, given)
    return None if difference is None else difference.where


@given(DOCUMENTS, DOCUMENTS)
def test_json_answers_are_the_same_exactly_when_sorted_json_is(left: Json, right: Json) -> None:
    """Structure and type decide, whatever the order of keys and the spacing."""
    same = json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)
    assert (compare("json", compact_json(left), json.dumps(right, indent=1)) is None) == same


@given(DOCUMENTS)
def test_a_json_answer_is_the_same_as_itself(document: Json) -> None:
    """NaN and reordered keys included."""
    text = json.dumps(document, sort_keys=True)
    assert compare("json", compact_json(document), text) is None


@given(DOCUMENTS, st.data())
def test_a_planted_json_difference_is_found_where_it_is(document: Json, data: Any) -> None:
    """One atom replaced anywhere is reported by its path and both texts."""
    paths = list(atoms("$", document))
    path = data.draw(st.sampled_from(paths))
    changed, before = planted("$", document, path)
    assert compare("json", compact_json(document), compact_json(changed)) == Difference(
        where=path, expected=compact_json(before)[:EXCERPT], given='"planted"'
    )


def atoms(path: str, document: Json) -> list[str]:
    """Paths of all values that hold no other."""
    match document:
        case dict() if document:
            return [p for key, item in document.items() for p in atoms(f"{path}.{key}", item)]
        case list() if document:
            return [p for i, item in enumerate(document) for p in atoms(f"{path}[{i}]", item)]
        case _:
            return [path]


def planted(path: str, document: Json, at: str) -> tuple[Json, Json]:
    """The document with the text "planted" at a path, and what stood there."""
    if path == at:
        return "planted", document
    match document:
        case dict():
            for key, item in document.items():
                step = f"{path}.{key}"
                if at == step or at.startswith((f"{step}.", f"{step}[")):
                    changed, before = planted(step, item, at)
                    return {**document, key: changed}, before
        case list():
            for i, item in enumerate(document):
                if at.startswith(f"{path}[{i}]"):
                    changed, before = planted(f"{path}[{i}]", item, at)
                    return [*document[:i], changed, *document[i + 1 :]], before
    raise AssertionError(f"no {at} in {document}")


@pytest.mark.parametrize(
    ("expected", "given", "difference"),
    [
        ("1", "1.0", ("$", "1", "1.0")),
        ("1", "true", ("$", "1", "true")),
        ("0", "false", ("$", "0", "false")),
        ("0.0", "-0.0", ("$", "0.0", "-0.0")),
        ("0.3", "0.30000000000000004", ("$", "0.3", "0.30000000000000004")),
        ("9007199254740993", "9007199254740992", ("$", "9007199254740993", "9007199254740992")),
        ("1e16", "10000000000000000", ("$", "1e+16", "10000000000000000")),
        ("[1,2.5,3]", "[1,2.5000001,3.0]", ("$[1]", "2.5", "2.5000001")),
        ('{"seen":[1,2]}', '{"seen":[1,2,3]}', ("$.seen[2]", "(nothing)", "3")),
        ('{"seen":[1,2]}', '{"seen":[1]}', ("$.seen[1]", "2", "(nothing)")),
        ('{"a":null}', "{}", ("$.a", "null", "(nothing)")),
        ("{}", '{"a":null}', ("$.a", "(nothing)", "null")),
        ('{"a b":1}', '{"a b":2}', ('$["a b"]', "1", "2")),
        ('{"a":1,"b":2}', '{"b":3,"a":4}', ("$.a", "1", "4")),
        ('"1"', "1", ("$", '"1"', "1")),
        ("[]", "{}", ("$", "[]", "{}")),
        ("[]", "null", ("$", "[]", "null")),
    ],
)
def test_json_differences_are_typed_and_named(
    expected: str, given: str, difference: tuple[str, str, str]
) -> None:
    """No tolerance, no coercion; the side that lacks something says so."""
    found = compare("json", expected, given)
    assert found is not None
    assert (found.where, found.expected, found.given) == difference


@pytest.mark.parametrize(
    "reply", ["1 or 1", "True", "1 ", "9**9**9", "__import__('os')", "[" * 10_000, "", "1 2"]
)
def test_a_reply_that_is_not_json_differs_at_the_root(reply: str) -> None:
    """Python that would evaluate to the answer is not the answer; spaces around it are."""
    found = compare("json", "1", reply)
    if reply == "1 ":
        assert found is None
    else:
        assert found is not None
        assert found.where == "$"
        assert found.given.startswith("not JSON: ")


def test_an_expected_answer_that_is_not_json_is_our_fault() -> None:
    """It raises rather than failing every model."""
    with pytest.raises(ValueError, match="expected answer 'nope' is not JSON"):
        compare("json", "nope", "1")


@pytest.mark.parametrize(
    ("expected", "given", "place"),
    [
        ("1 2\n3\n", "1\n2 3", None),
        ("1 2\n", "1 2\r\n", None),
        ("", " \n\t", None),
        ("1 2 3", "1 2 4", "token 3"),
        ("1 2 3", "1 2", "token 3"),
        ("1 2", "1 2 3", "token 3"),
        ("1", "1.0", "token 1"),
        ("0.5", ".5", "token 1"),
        ("1", "01", "token 1"),
        ("Yes", "yes", "token 1"),
        ("a\u00a0b", "a b", "token 1"),
        ("a == b; `c`", "a == b; `d`", "token 4"),
        ("</answer> <answer>", "</answer> <answer>", None),
    ],
)
def test_tokens(expected: str, given: str, place: str | None) -> None:
    """Only ASCII whitespace separates, and tokens are text, not numbers."""
    assert where("tokens", expected, given) == place


@pytest.mark.parametrize(
    ("expected", "given", "place"),
    [
        ("a\nb\n", "a\nb", None),
        ("a\nb\n", "a \nb\t\n\n\n", None),
        ("a\r\nb\r\n", "a\nb\n", None),
        (" a", "a", "line 1"),
        ("a\n\nb", "a\nb", "line 2"),
        ("a  b", "a b", "line 1"),
        ("a\nb", "a\nb\nc", "line 3"),
        ("a\nb\nc", "a\nb", "line 3"),
        ("a\rb", "a\nb", "line 1"),
        ("a\u2028b", "a\nb", "line 1"),
        ("a\x0cb", "a\nb", "line 1"),
        ("\ufeffa", "a", "line 1"),
        ("a\x00", "a", "line 1"),
        ("turn\n", "tur", "line 1"),
        ("path\\r\\n", "path\\r\\", "line 1"),
    ],
)
def test_lines(expected: str, given: str, place: str | None) -> None:
    """Line ends and blanks before them do not count; everything else does, to the character."""
    assert where("lines", expected, given) == place


@pytest.mark.parametrize(
    ("expected", "given", "place"),
    [
        ("a\nb", "a\nb", None),
        ("a\n", "a", "byte 2 (line 1, column 2)"),
        ("a\r\n", "a\n", "byte 2 (line 1, column 2)"),
        ("ab\ncde\nf", "ab\ncdX\nf", "byte 6 (line 2, column 3)"),
        ("é\nü", "é\nö", "byte 5 (line 2, column 2)"),
        ("", "\n", "byte 1 (line 1, column 1)"),
        ("\udc80", "\udc81", "byte 3 (line 1, column 3)"),
        ("a\n", "a\nb", "byte 3 (line 2, column 1)"),
    ],
)
def test_bytes(expected: str, given: str, place: str | None) -> None:
    """Every byte counts, and places are those that `cmp` and editors show."""
    assert where("bytes", expected, given) == place


def test_excerpts_show_the_difference_and_stay_short() -> None:
    """A change late in a megabyte is visible in at most EXCERPT characters."""
    long = "x" * 10_000_000
    for rule in RULES[1:]:
        found = compare(rule, long + "left" + long, long + "right" + long)
        assert found is not None
        assert "left" in found.expected
        assert "right" in found.given
        assert max(len(found.expected), len(found.given)) <= EXCERPT
    found = compare("json", compact_json(["y" * 500]), compact_json([["z" * 500]]))
    assert found is not None
    assert max(len(found.expected), len(found.given)) <= EXCERPT


def test_line_ends_are_visible_where_bytes_differ() -> None:
    """A missing carriage return shows as an escape, and the end as nothing."""
    assert compare("bytes", "a\r\n", "a\n") == Difference(
        where="byte 2 (line 1, column 2)", expected='"\\r\\n"', given='"\\n"'
    )
    found = compare("bytes", "a\n", "a")
    assert found is not None
    assert found.given == "(nothing)"


@given(LAYOUT, LAYOUT)
def test_rules_are_ordered_by_strictness(left: str, right: str) -> None:
    """The same by bytes is the same by lines, which is the same by tokens; all are symmetric."""
    same = [compare(rule, left, right) is None for rule in ("bytes", "lines", "tokens")]
    assert same == sorted(same)
    assert same == [compare(rule, right, left) is None for rule in ("bytes", "lines", "tokens")]
    assert same[0] == (left == right)
    assert same[2] == (left.split() == right.split())


@pytest.mark.parametrize(
    ("output", "sensitive"),
    [
        ("1 2 3\n4 5\n", False),
        ("1 2 \r\n3\n\n\n", False),
        ("", False),
        ("\n\n", False),
        (" 1\n", True),
        ("a\n  b\n", True),
        ("a  b\n", True),
        ("a\tb\n", True),
        ("a\n\nb\n", True),
        ("\na\n", True),
        ("a\rb\n", True),
        ("#..#\n.##.\n", False),
        ("*\n **\n", True),
    ],
)
def test_layout_sensitive_outputs(output: str, sensitive: bool) -> None:
    """Indentation, columns, tabs and blank lines inside carry meaning; line ends do not."""
    assert layout_sensitive(output) is sensitive


@given(LAYOUT)
def test_layout_is_sensitive_exactly_where_single_spaces_do_not_rebuild_it(output: str) -> None:
    """Lines that are their tokens joined by single spaces, none of them blank, are not."""
    lines = [" ".join(line.split()) for line in output.rstrip().split("\n")]
    rebuilt = compare("lines", output, "\n".join(lines)) is None
    assert layout_sensitive(output) == (not rebuilt or ("" in lines and lines != [""]))
