"""The strict reader: every text of a model gives a typed value or a reason, and nothing runs."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.oracles.expressions import Json, compact_json, json_type
from deskcheck.oracles.replies import MAX_DEPTH, MAX_LENGTH, Read, Unread, read_json

DOCUMENTS: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(DOCUMENTS)
def test_what_programs_print_is_read_back_exactly(document: Json) -> None:
    """Types, signs of zero, NaN and the order of keys survive, compact or spread out."""
    for text in (compact_json(document), json.dumps(document, indent=2, ensure_ascii=False)):
        reply = read_json(text)
        assert isinstance(reply, Read), reply
        assert compact_json(reply.value) == compact_json(document)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *(("1", "integer"), ("1.0", "number"), ("1e0", "number"), ("true", "boolean")),
        *(("-0", "integer"), ("-0.0", "number"), ("NaN", "number"), ("-Infinity", "number")),
        *(('"1"', "string"), (" \r\n\t[1]\n", "array"), ("{}", "object"), ("null", "null")),
        *(('"\\ud800"', "string"), ('"\\u0000"', "string"), ("9" * 4300, "integer")),
    ],
)
def test_types_are_kept_apart(text: str, kind: str) -> None:
    """1, 1.0 and true are read as three types; what JSON lacks but Python prints is allowed."""
    reply = read_json(text)
    assert isinstance(reply, Read), reply
    assert json_type(reply.value) == kind


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a":1,"b":{"c":1,"c":1}}', 'the key "c" occurs twice'),
        ('{"a":1,"\\u0061":2}', 'the key "a" occurs twice'),
        ('{"a":1} ok', "Extra data at line 1, column 9"),
        ("[1] [2]", "Extra data at line 1, column 5"),
        ("", "Expecting value at line 1, column 1"),
        ("[" * 10_000, "nested more than 64 deep"),
        ("[" * 10_000 + "]" * 10_000, "nested more than 64 deep"),
        ('{"a":' * 65 + "1" + "}" * 65, "nested more than 64 deep"),
        ("9" * 4301, "an integer of more than 4300 digits"),
        ("-" + "9" * 4301, "an integer of more than 4300 digits"),
        ("[1e999]", "the number 1e999 is beyond the range of a double"),
        ("1" + "0" * MAX_LENGTH, "1000001 characters, more than 1000000"),
        ("\ufeff1", "Unexpected UTF-8 BOM (decode using utf-8-sig) at line 1, column 1"),
    ],
    ids=lambda text: text[:12],
)
def test_what_is_refused_says_why(text: str, reason: str) -> None:
    """Each kind of refusal has its own reason."""
    assert read_json(text) == Unread(reason=reason)


@pytest.mark.parametrize(
    "text",
    [
        *("True", "None", "1 or 0", "9**9**9", "__import__('os')", "(1, 2)", "{1}", "'a'", "nan"),
        *("01", "+1", "1.", ".5", "1_000", "0x10", "[1,]", "{'a': 1}", "{a: 1}", "{1: 2}", "-NaN"),
        *(
            '"a',
            '"a\nb"',
            '"\\x41"',
            "[1 2]",
            "\x00",
            "1\x00",
            "\u0661",
            "```json\n1\n```",
            "// 1\n1",
        ),
    ],
)
def test_python_and_other_near_misses_are_not_json(text: str) -> None:
    """Nothing is evaluated and nothing repaired."""
    assert isinstance(read_json(text), Unread)


def test_depth_is_counted_outside_texts_and_up_to_the_limit() -> None:
    """Brackets in a text do not nest, escaped quotes do not end one, and the limit is allowed."""
    for text in (
        '"' + "[" * 100 + '"',
        '["\\"' + "[{" * 100 + '\\\\"]',
        "[[]," * 63 + "[" + "]" * 64,
    ):
        assert isinstance(read_json(text), Read)
    assert isinstance(read_json("[" * MAX_DEPTH + "]" * MAX_DEPTH), Read)
    assert isinstance(read_json("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)), Unread)
    assert isinstance(read_json("[" + "[]," * 1000 + "[]]"), Read)


def test_megabytes_of_hard_text_are_read_or_refused() -> None:
    """Long runs of quotes, escapes, keys and digits neither recurse nor grow quadratically."""
    size = MAX_LENGTH // 4
    for text in ("\\" * size, '"' * size, '"\\' * size, '"' + "\\\\" * size, "[" + "0," * size):
        assert isinstance(read_json(text), Unread)
    keys = ",".join(f'"{i}":0' for i in range(80_000))
    assert isinstance(read_json(f'{{{keys},"79999":0}}'), Unread)
    assert isinstance(read_json(f"{{{keys}}}"), Read)
    assert isinstance(read_json("0." + "3" * size), Read)


@given(st.text() | st.text('[]{}",:\\ue1-+.0NnaIfityrs \n'))
def test_any_text_is_read_or_refused(text: str) -> None:
    """No text raises, and what is read is what the standard library reads."""
    agrees_with_the_standard_library(text)


@given(DOCUMENTS, st.data())
def test_mutated_json_is_read_or_refused(document: Json, data: Any) -> None:
    """Cutting, doubling or replacing a piece of real JSON never raises."""
    text = json.dumps(document)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 8)))
    piece = data.draw(
        st.text(max_size=3) | st.sampled_from(["", text[start:end] * 2, '"', "[" * 70])
    )
    agrees_with_the_standard_library(text[:start] + piece + text[end:])


def agrees_with_the_standard_library(text: str) -> None:
    reply = read_json(text)
    if isinstance(reply, Read):
        assert repr(reply.value) == repr(json.loads(text))
    else:
        assert reply.reason
        assert len(reply.reason) < 200


def test_the_limit_on_digits_is_the_interpreters() -> None:
    """An integer that is read can be printed again under the default limit."""
    assert sys.int_info.default_max_str_digits == 4300
