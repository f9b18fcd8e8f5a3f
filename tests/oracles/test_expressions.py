"""Visible expressions: what a person would write, right at every sample, answered independently."""

from __future__ import annotations

import ast
import json
from array import array
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from deskcheck.oracles.expressions import (
    Expressed,
    Inexpressible,
    Json,
    compact_json,
    express,
    json_type,
)
from deskcheck.oracles.inside.encode import encode
from deskcheck.oracles.values import decode

INF, NAN = float("inf"), float("nan")


class Box:
    def __init__(self, **attributes: object) -> None:
        vars(self).update(attributes)


class Slotted:
    __slots__ = ("left", "right")

    def __init__(self, left: object, right: object) -> None:
        self.left = left
        self.right = right


@dataclass
class City:
    name: str
    height: float


class Move(NamedTuple):
    step: int
    cost: float


class Colour(Enum):
    RED = 1


def expressed(*samples: object, taken: str = "") -> Expressed | Inexpressible:
    """What `express` makes of a variable `name` with these live values."""
    values = [decode(encode(sample)) for sample in samples]
    return express("name", values, taken=frozenset(taken.split()))


EXAMPLES: list[tuple[str, list[object]]] = [
    ("name", [1, True, None, "a", 10**400]),
    ("name", [[1, "a", None, [2, (3, 4)]], [], ()]),
    ("name", [{"a": 1, "b": [{"c": (1, 2)}]}, {}]),
    ("name", [Counter("abca"), OrderedDict(a=1), defaultdict(int, a=1)]),
    ("name", [Move(1, 2)]),
    ("round(name, 6)", [0.1 + 0.2, 3, INF, -INF, NAN, -1e-9, 1e16, 2.5e-7]),
    ("sorted(name)", [{3, 1, 2}, set(), frozenset({5})]),
    ("sorted(name)", [{"b", "a"}]),
    ("sorted(name)", [{(2, "b"), (1, "z")}, {(1, "a")}]),
    ("sorted(name)", [{(1, 2), (1,), (0, 5, 6)}]),
    ("list(name)", [deque([1, "a"]), deque(maxlen=2)]),
    ("list(name)", [range(2, 9, 3), b"ab", bytearray(b"c"), array("i", [1, 2])]),
    ("list(name)", [deque([1]), [2], (3, 4)]),
    ("list(name.items())", [{1: "a", (2, 3): None}, {}, Counter([5, 5])]),
    ("list(name.items())", [defaultdict(list, {1: [2]}), {"a": 1}]),
    ("[round(v, 6) for v in name]", [[0.1 + 0.2, 1], [], (1.5, 2.5, 3.5)]),
    ("[round(v, 6) for v in name]", [array("d", [0.5]), deque([2.0])]),
    ("[sorted(v) for v in name]", [[], [{2, 1}, set()]]),
    ("[list(v) for v in name]", [[deque([1])], [range(2)]]),
    ("[list(v.items()) for v in name]", [[{1: 2}, {}]]),
    ("{k: round(v, 6) for k, v in name.items()}", [{"a": 0.5, "b": 1}]),
    ("{k: sorted(v) for k, v in name.items()}", [{"a": {2, 1}}, {}]),
    ("[(k, sorted(v)) for k, v in name.items()]", [{1: {2, 1}}, defaultdict(set)]),
    ("[(round(k, 6), v) for k, v in name.items()]", [{0.5: "a"}]),
    ("[(round(a, 6), b) for a, b in name]", [[(0.5, "a"), (1, "b")], []]),
    ("[(a, round(b, 6)) for a, b in name]", [[Move(1, 0.5)]]),
    ("[[round(w, 6) for w in v] for v in name]", [[[0.5], []], [(1.0, 2.0, 3.0, 4.0)]]),
    ("[[round(w, 6) for w in v] for v in name]", [[[0.5], (1, 2)]]),
    ("(name[0], round(name[1], 6))", [("a", 0.5), ("b", 1)]),
    ("(round(name[0], 6), sorted(name[1]))", [(0.5, {2, 1})]),
    ("(sorted(name[0]),)", [({2, 1},)]),
    ("vars(name)", [Box(a=1, b=[2]), Box(c="d")]),
    ("[vars(v) for v in name]", [[Box(a=1), Box(a=2)], []]),
    ('{"name": name.name, "height": round(name.height, 6)}', [City("a", 0.5), City("b", 2)]),
    ('{"a": name.a, "b": sorted(name.b)}', [Box(a=1, b={2, 1})]),
    ('{"left": name.left, "right": name.right}', [Slotted(1, [2])]),
    ('[{"left": v.left, "right": v.right} for v in name]', [[Slotted(1, 2)]]),
    (
        '{"a": [sorted(v) for v in name.a], "b": [sorted(w) for w in name.b],'
        ' "c": [sorted(x) for x in name.c], "d": [sorted(y) for y in name.d]}',
        [Box(**{key: [{2, 1}] for key in "abcd"})],
    ),
    ('{"a": vars(name.a)}', [Box(a=Box(b=1))]),
    ("[(k, vars(v)) for k, v in name.items()]", [{1: Box(b=1)}]),
    ("str(name)", [Fraction(1, 3), Decimal("1.50"), Fraction(2)]),
    ("[str(v) for v in name]", [[Fraction(1, 3)]]),
    ("name.name", [Colour.RED]),
]


@pytest.mark.parametrize(("expression", "samples"), EXAMPLES)
def test_the_expression_reads_as_written_and_is_right(
    expression: str, samples: list[object]
) -> None:
    """Each form is the expected text, and running it on the live values gives the answers."""
    found = expressed(*samples)
    assert isinstance(found, Expressed), found
    assert found.expression == expression
    for sample, answer in zip(samples, found.answers, strict=True):
        assert shown(expression, sample) == compact_json(answer)


def shown(expression: str, value: object) -> str:
    """The JSON that the expression prints over a live value."""
    return json.dumps(eval(expression, {"name": value}), separators=(",", ":"))


@pytest.mark.parametrize(
    ("samples", "reason"),
    [
        ([None, 0.5], "floats beside None, booleans or text"),
        ([[0.5, "a"]], "floats beside None, booleans or text"),
        ([[True, 0.5]], "floats beside None, booleans or text"),
        ([[{1}], None], "values of different kinds in one place"),
        ([{1}, [1]], "values of different kinds in one place"),
        ([Box(a=1), {"a": 1}], "values of different kinds in one place"),
        ([Box(a=1), City("a", 1)], "values of different kinds in one place"),
        ([{1, "a"}], "a set whose elements have no common order"),
        ([{True, False}], "a set whose elements have no common order"),
        ([{0.5}], "a set whose elements have no common order"),
        ([{None}], "a set whose elements have no common order"),
        ([{frozenset({1})}], "a set whose elements have no common order"),
        ([{(1, "a"), (1, None)}], "a set whose elements have no common order"),
        ([[[[[0.5]]]]], "comprehensions nested more than 3 deep"),
        ([Box(a=Box(b=Box(c=1)))], "objects nested more than 2 deep"),
        ([Box(a={1}), Box(a={1}, b=1)], "Box objects with different attributes"),
        ([Box()], "a Box without attributes"),
        ([object()], "a object without attributes"),
        ([Box(**{"a b": {1}})], "an attribute named a b"),
        ([Box(**{"class": {1}})], "an attribute named class"),
        ([Box(__x={1})], "an attribute named __x"),
        ([(1, 0.5, "a", None, {1}, {"a"}, 2)], "a tuple of 7 different parts"),
        ([1j], "holds a complex"),
        ([[iter([1])]], "holds list_iterator: iterator"),
        ([{"f": len}], "holds builtin_function_or_method: function"),
        (["\udc80"], "text with a lone surrogate"),
        ([{"\ud83d\ude00": 1}], "text with a lone surrogate"),
        ([10**4299, -(10**4300)], "an integer of more than 4300 digits"),
        ([Fraction(1, 10**4300)], "an integer of more than 4300 digits"),
        ([range(10**4300, 10**4300 + 1)], "an integer of more than 4300 digits"),
        ([range(10**30)], "a range of more than 10000 elements"),
    ],
)
def test_what_no_readable_expression_shows_has_a_reason(samples: list[object], reason: str) -> None:
    """Nothing is asked for that is ambiguous, unreadable or unprintable."""
    assert expressed(*samples) == Inexpressible(reason=reason)


class HalfSlotted(Slotted):
    def __init__(self, **attributes: object) -> None:
        for name, value in attributes.items():
            setattr(self, name, value)


def test_vars_is_used_only_where_it_shows_everything_at_every_sample() -> None:
    """A slot that is set at one moment and not yet at another is in no `vars`."""
    only_dict = expressed(HalfSlotted(more=1))
    assert isinstance(only_dict, Expressed)
    assert only_dict.expression == "vars(name)"
    both = expressed(HalfSlotted(more=1), HalfSlotted(left=1, more=1))
    assert both == Inexpressible(reason="HalfSlotted objects with different attributes")
    always = expressed(HalfSlotted(left=1, more=1))
    assert isinstance(always, Expressed)
    assert always.expression == '{"left": name.left, "more": name.more}'


def test_cycles_are_inexpressible() -> None:
    """A list inside itself and a ring of objects have no JSON."""
    loop: list[object] = []
    loop.append(loop)
    node = Box()
    vars(node)["next"] = node
    for value in (loop, node):
        found = expressed(value)
        assert isinstance(found, Inexpressible)
        assert found.reason.endswith("cycle")


def test_an_expression_needs_a_sample() -> None:
    """Without a sample nothing is known, so nothing is guessed."""
    with pytest.raises(ValueError, match="no sample of name"):
        express("name", [], taken=frozenset())


def test_rounding_keeps_integers_and_zeros_sign() -> None:
    """`round` makes no float of an integer, and the answers keep what Python gives."""
    found = expressed([3, 2.5, 1e-9, -1e-9, 10**30])
    assert isinstance(found, Expressed)
    assert compact_json(found.answers[0]) == "[3,2.5,0.0,-0.0,1000000000000000000000000000000]"


def test_new_names_avoid_the_programs_and_the_variable_itself() -> None:
    """Names of the source are never reused, however many there are, nor is one used twice."""
    values = [decode(encode([[0.5]]))]
    first = express("v", values, taken=frozenset({"w", "x"}))
    assert isinstance(first, Expressed)
    assert first.expression == "[[round(z, 6) for z in y] for y in v]"
    taken = frozenset("vwxyzu") | {"v2"}
    second = express("name", values, taken=taken)
    assert isinstance(second, Expressed)
    assert second.expression == "[[round(v4, 6) for v4 in v3] for v3 in name]"


def test_the_builtins_used_are_named() -> None:
    """What the program must not have rebound is listed with the expression."""
    found = expressed([(0.5, {1}, deque([1]), Fraction(1), Box(a=1))])
    assert isinstance(found, Expressed)
    assert found.builtins == {"round", "sorted", "list", "str", "vars"}


TEXT = st.text(st.characters(codec="utf-8"), max_size=3)
SCALARS: list[st.SearchStrategy[object]] = [
    *(st.integers(), TEXT, st.booleans(), st.none(), st.floats(), st.floats() | st.integers()),
    *(st.fractions(), st.decimals(), st.sampled_from(Colour), st.binary(max_size=3)),
]
KEYS: list[st.SearchStrategy[Any]] = [
    *(st.integers(), TEXT, st.tuples(st.integers(), TEXT), st.tuples(st.integers(), st.floats())),
]


def containers(part: st.SearchStrategy[Any]) -> st.SearchStrategy[st.SearchStrategy[object]]:
    """Strategies for containers whose parts are all drawn from one strategy."""
    keyed = [st.dictionaries(key, part, max_size=3) for key in KEYS]
    return st.sampled_from(
        [
            st.lists(part, max_size=3),
            st.lists(part, max_size=3).map(tuple),
            st.lists(part, max_size=3).map(deque),
            st.tuples(st.integers(), part),
            st.tuples(part, TEXT, part),
            st.builds(Move, st.integers(), part),
            *(st.sets(key, max_size=3) for key in KEYS[:3]),
            *keyed,
            keyed[0].map(lambda items: defaultdict(list, items)),
            keyed[1].map(OrderedDict),
            st.builds(lambda a, b: Box(a=a, b=b), part, st.integers()),
            st.builds(Slotted, part, part),
            st.builds(City, TEXT, part),
        ]
    )


FAMILIES = st.recursive(
    st.sampled_from(SCALARS), lambda inner: inner.flatmap(containers), max_leaves=4
)
SAMPLES = FAMILIES.flatmap(lambda family: st.lists(family, min_size=1, max_size=3))


@given(SAMPLES, st.sets(st.sampled_from("abcdkpqvwxyz")))
def test_running_the_expression_gives_the_answers(samples: list[object], taken: set[str]) -> None:
    """Over live values of one family, the interpreter prints exactly what was computed here."""
    found = expressed(*samples, taken=" ".join(sorted(taken)))
    event(type(found).__name__)
    assume(isinstance(found, Expressed))
    assert isinstance(found, Expressed)
    for sample, answer in zip(samples, found.answers, strict=True):
        assert shown(found.expression, sample) == compact_json(answer)
    names = [node for node in ast.walk(ast.parse(found.expression)) if isinstance(node, ast.Name)]
    bound = [node.id for node in names if isinstance(node.ctx, ast.Store)]
    assert len(set(bound)) == len(bound)
    assert not set(bound) & (taken | {"name"})
    assert {node.id for node in names} - set(bound) == {"name"} | found.builtins


@given(st.lists(FAMILIES.flatmap(lambda family: family), min_size=1, max_size=4))
def test_samples_of_any_kinds_give_an_expression_or_a_reason(samples: list[object]) -> None:
    """Mixed families never raise; where one expression is found, it is right for all of them."""
    found = expressed(*samples)
    event(type(found).__name__)
    if isinstance(found, Expressed):
        printed = [shown(found.expression, sample) for sample in samples]
        assert printed == [compact_json(answer) for answer in found.answers]
    else:
        assert 0 < len(found.reason) < 100


@pytest.mark.parametrize(
    ("value", "name"),
    [
        *((None, "null"), (True, "boolean"), (1, "integer"), (10**30, "integer")),
        *((1.0, "number"), (NAN, "number"), ("1", "string"), ([], "array"), ({}, "object")),
    ],
)
def test_json_types_tell_integers_numbers_and_booleans_apart(value: Json, name: str) -> None:
    """1, 1.0 and true have three types."""
    assert json_type(value) == name


def test_compact_json_is_one_line_of_ascii() -> None:
    """No spaces, escapes for what is not ASCII, keys in order, and the names of non-numbers."""
    value: Json = {"b": [1, 1.0, -0.0, True, None], "a": ["é\n", NAN, INF, -INF, 1e16, 10**17]}
    assert compact_json(value) == (
        r'{"b":[1,1.0,-0.0,true,null],'
        r'"a":["\u00e9\n",NaN,Infinity,-Infinity,1e+16,100000000000000000]}'
    )
