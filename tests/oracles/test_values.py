"""Values survive storage exactly, and writing them down never runs the program's own code."""

from __future__ import annotations

import enum
import functools
import io
import itertools
import json
import os
import subprocess
import sys
import threading
import types
from array import array
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deskcheck.oracles.inside import encode as encode_module
from deskcheck.oracles.inside.encode import encode
from deskcheck.oracles.values import (
    ArrayValue,
    DefaultDict,
    EnumValue,
    NamedTupleValue,
    ObjectValue,
    Opaque,
    decode,
    same,
)

NAN = float("nan")


def stored(value: object) -> object:
    """The value after a trip through JSON text."""
    return decode(json.loads(json.dumps(encode(value))))


ATOMS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([2**53, 2**53 + 1, -(2**53) - 1, -(2**200)])
    | st.floats()
    | st.complex_numbers()
    | st.text(st.characters(exclude_categories=()))
    | st.binary()
    | st.fractions()
    | st.decimals(allow_nan=False)  # a signalling NaN has no hash
    | st.builds(range, st.integers(), st.integers(), st.integers(1))
)
KEYS = st.recursive(
    ATOMS, lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner), max_leaves=4
)
PAIRS = st.dictionaries(KEYS, KEYS, max_size=4)
VALUES: st.SearchStrategy[object] = st.recursive(
    ATOMS | st.decimals(),
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.sets(KEYS)
        | st.frozensets(KEYS)
        | st.dictionaries(KEYS, inner)
        | st.dictionaries(KEYS, inner).map(OrderedDict)
        | st.dictionaries(KEYS, inner).map(Counter)
        | st.builds(deque, st.lists(inner), st.none() | st.integers(0, 5))
        | st.binary().map(bytearray)
    ),
    max_leaves=12,
)


class Point:
    def __init__(self, x: object, y: object) -> None:
        self.x = x
        self.y = y


class Slotted:
    __slots__ = ("unset", "b", "a")  # noqa: RUF023

    def __init__(self) -> None:
        self.b = 1
        self.a = [2]


class SlottedChild(Slotted):
    def __init__(self) -> None:
        super().__init__()
        self.extra = 3


@dataclass(frozen=True, slots=True)
class Edge:
    source: int
    weight: float


class Pair(NamedTuple):
    left: int
    right: object


class PairWithMethods(namedtuple("PairWithMethods", "left right")):
    def total(self) -> object:
        return self.left + self.right


class Colour(enum.Enum):
    RED = 1


class Level(enum.IntEnum):
    HIGH = 3


class Grid(list[int]):
    pass


class Age(int):
    pass


@given(VALUES)
def test_builtin_values_survive_storage_exactly(value: object) -> None:
    """What is read back is the same, by type, order, sign of zero and capacity."""
    assert same(stored(value), value)


@given(VALUES)
def test_trees_are_json_that_every_reader_reads_alike(value: object) -> None:
    """A tree holds no float, no integer beyond 2**53 and no lone surrogate."""
    text = json.dumps(encode(value), allow_nan=False, ensure_ascii=False)
    text.encode("utf-8")

    def refuse(digits: str) -> object:
        raise AssertionError(digits)

    def small(digits: str) -> int:
        assert abs(int(digits)) <= 2**53
        return int(digits)

    json.loads(text, parse_float=refuse, parse_int=small)


def test_integers_beyond_the_limit_on_digits_survive() -> None:
    """Five thousand digits, more than the interpreter prints, are kept, negative ones too."""
    long = 10**5000 + 1
    assert stored([long, -long, Fraction(1, long), range(long, long + 2)]) == [
        *(long, -long, Fraction(1, long), range(long, long + 2))
    ]


def test_a_pair_of_lone_surrogates_is_not_joined_into_one_character() -> None:
    """Two code units stay two characters, which plain JSON would not keep."""
    assert stored("\ud83d\ude00") == "\ud83d\ude00"
    assert len(str(stored("\ud83d\ude00"))) == 2


def test_program_types_come_back_as_records() -> None:
    """Objects, named tuples, enum members, arrays and default dicts keep what they hold."""
    point = stored(Point(1, {"a": (2,)}))
    assert isinstance(point, ObjectValue)
    assert (point.class_name, point.attributes, point.only_dict) == (
        "Point",
        {"x": 1, "y": {"a": (2,)}},
        True,
    )
    slotted = stored(SlottedChild())
    assert isinstance(slotted, ObjectValue)
    assert list(slotted.attributes.items()) == [("a", [2]), ("b", 1), ("extra", 3)]
    assert not slotted.only_dict
    edge = stored(Edge(1, 0.5))
    assert isinstance(edge, ObjectValue)
    assert edge.attributes == {"source": 1, "weight": 0.5}
    for pair in (Pair(1, [2]), PairWithMethods(1, [2])):
        named = stored(pair)
        assert isinstance(named, NamedTupleValue)
        assert named.class_name == type(pair).__name__
        assert named.fields == (("left", 1), ("right", [2]))
    for member, name, value in ((Colour.RED, "RED", 1), (Level.HIGH, "HIGH", 3)):
        constant = stored(member)
        assert isinstance(constant, EnumValue)
        assert (constant.class_name, constant.name, constant.value) == (
            type(member).__name__,
            name,
            value,
        )
    doubles = stored(array("d", [0.5, -0.0]))
    assert isinstance(doubles, ArrayValue)
    assert doubles.typecode == "d"
    assert same(doubles.items, (0.5, -0.0))
    factories: list[tuple[Any, str | None]] = [
        *((list, "list"), (Point, "Point"), (lambda: 0, "<lambda>"), (None, None))
    ]
    for factory, factory_name in factories:
        table = stored(defaultdict(factory, {1: [2]}))
        assert isinstance(table, DefaultDict)
        assert (table.factory_name, table) == (factory_name, {1: [2]})


def test_an_ordered_dict_keeps_its_own_order() -> None:
    """`move_to_end` is seen, though the dict underneath keeps the order of insertion."""
    table = OrderedDict(a=1, b=2)
    table.move_to_end("a")
    assert list(stored(table).items()) == [("b", 2), ("a", 1)]  # type: ignore[attr-defined]


def test_objects_that_look_alike_stay_two() -> None:
    """Two equal-looking objects are two elements of a set and two keys of a dict."""
    points = {Point(1, 2), Point(1, 2)}
    assert len(stored(points)) == 2  # type: ignore[arg-type]
    assert len(stored(dict.fromkeys(points))) == 2  # type: ignore[arg-type]


def test_a_decimal_does_not_follow_the_context_of_the_program() -> None:
    """Digits beyond the precision in force and the letter of the exponent are kept."""
    with localcontext(Context(prec=2, capitals=0)):
        tree = encode(Decimal("1.23456E+50"))
    assert same(decode(tree), Decimal("1.23456E+50"))


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (iter([1]), "iterator"),
        (itertools.count(), "iterator"),
        (zip([1], [2], strict=True), "iterator"),
        ((i for i in [1]), "generator"),
        (io.StringIO("a"), "file"),
        (sys.__stdin__, "file"),
        (len, "function"),
        (lambda: 1, "function"),
        ([].append, "function"),
        (functools.partial(int), "function"),
        (sys, "module"),
        (Point, "class"),
        (Colour, "class"),
        (threading.Lock(), "unknown"),
        ({}.keys(), "unknown"),
        (Grid([1]), "unknown"),
        (Age(1), "unknown"),
        (ValueError("a"), "unknown"),
    ],
)
def test_what_cannot_be_written_down_is_opaque_with_a_reason(value: object, why: str) -> None:
    """Hidden state, and a builtin's subclass above all, is never passed off as something else."""
    opaque = stored(value)
    assert isinstance(opaque, Opaque)
    assert (opaque.type_name, opaque.why) == (type(value).__name__, why)


def test_too_large_values_are_opaque_as_a_whole() -> None:
    """Many elements, a long text or a huge integer deep inside take the whole value with them."""
    for large in (list(range(30_000)), "a" * 10_000_000, 1 << 100_000_000, b"a" * 10_000_000):
        opaque = stored({1: [large]})
        assert isinstance(opaque, Opaque)
        assert (opaque.type_name, opaque.why) == ("dict", "too_large")


def test_cycles_are_cut_and_shared_parts_are_written_twice() -> None:
    """Only a container inside itself is a cycle."""
    shared = [1]
    assert stored([shared, shared]) == [[1], [1]]
    loop: list[object] = [1]
    loop.append({"me": loop})
    outer = stored(loop)
    assert isinstance(outer, list)
    inner = outer[1]["me"]
    assert isinstance(inner, Opaque)
    assert inner.why == "cycle"
    node = Point(1, None)
    node.y = node
    again = stored(node)
    assert isinstance(again, ObjectValue)
    assert isinstance(again.attributes["y"], Opaque)


def test_deep_nesting_is_cut_without_a_recursion_error() -> None:
    """Ten thousand levels, or a stack that is nearly full, do no harm."""
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    tree = json.dumps(encode(deep))
    assert tree.count("[") == 50
    assert "too_deep" in tree

    def at_the_bottom(frames: int) -> object:
        return at_the_bottom(frames - 1) if frames else encode(deep)

    used = len(list(_stack()))
    limit = sys.getrecursionlimit()
    assert json.dumps(at_the_bottom(limit - used - 10)) == tree
    assert sys.getrecursionlimit() == limit


def _stack() -> Iterator[types.FrameType]:
    frame: types.FrameType | None = sys._getframe()
    while frame:
        yield frame
        frame = frame.f_back


def test_the_budget_counts_every_node() -> None:
    """A value of exactly the budget is written; of one node more, it is not."""
    value = [[1, 2], {3: 4}]
    assert decode(encode(value, budget=7)) == value
    assert isinstance(decode(encode(value, budget=6)), Opaque)


def test_an_object_that_hides_its_attributes_is_opaque() -> None:
    """One whose `__dict__` no descriptor reaches is not written as one without attributes."""
    hiding: Any = type("Hiding", (), {"__dict__": property(lambda self: {})})()
    object.__setattr__(hiding, "x", 1)
    assert hiding.x == 1
    hidden = stored(hiding)
    assert isinstance(hidden, Opaque)
    assert hidden.why == "unknown"


HOOKS = (
    *("eq", "hash", "repr", "str", "iter", "len", "getattr", "getattribute", "bool", "index"),
    *(
        "next",
        "getitem",
        "contains",
        "reduce_ex",
        "format",
        "int",
        "float",
        "call",
        "instancecheck",
    ),
)


def hooks_called_by_encoding() -> list[str]:
    """The hooks called, over instances whose class and metaclass define all there are."""
    called: list[str] = []

    def hook(name: str) -> Any:
        def run(*_: object) -> Any:
            called.append(name)
            raise ZeroDivisionError

        return run

    special = {f"__{name}__": hook(name) for name in HOOKS}
    metaclass = type("Meta", (type,), dict(special))
    properties = {name: property(hook(name)) for name in ("__class__", "x", "_fields")}
    bases: tuple[Any, ...] = (
        *(object, list, dict, tuple, set, int, str, float, bytes, deque, OrderedDict, Point),
    )
    for base in bases:
        cls: Any = metaclass.__new__(metaclass, "Hostile", (base,), special | properties)
        value = base.__new__(cls)
        if base is not Point:  # the property `x` would be set
            base.__init__(value)
        for wrapped in (value, [value], (value,), {1: value}, deque([value]), Point(value, value)):
            with suppress(ZeroDivisionError):
                json.dumps(encode(wrapped))
    return called


def test_encoding_runs_none_of_the_programs_code() -> None:
    """No hook of an instance, its class or its metaclass is called, alone or in a container."""
    assert hooks_called_by_encoding() == []


def test_an_ordered_dict_whose_keys_run_code_is_opaque() -> None:
    """Its order cannot be read without hashing the keys, so it is not read."""
    assert isinstance(stored(OrderedDict({Point(1, 2): 3})), Opaque)


DIFFERENT: list[object] = [
    *(None, False, True, 0, 1, -1, 2**70, 0.0, -0.0, 1.0, NAN, float("inf"), 1e16, 10**16),
    *(0.3, 0.1 + 0.2, 0j, complex(-0.0, 0.0), "", "1", "None", b"", b"1", bytearray(b"1")),
    *([], [1], [1.0], [True], (), (1,), set(), {1}, {1.0}, frozenset(), frozenset({1})),
    *({}, {1: 2}, {1: 2, 3: 4}, {3: 4, 1: 2}, {1.0: 2}, OrderedDict(), Counter(), Counter([1])),
    *(deque(), deque([1]), deque([1], 1), range(0), range(1), range(0, 1, 2), [[1], 2], [[1, 2]]),
    *(Fraction(1), Fraction(1, 3), Decimal(1), Decimal("1.0"), Decimal("NaN"), Decimal("-0")),
    *(["a", "b"], ["a,b"], ["a', 'b"], (1, (2, 3)), ((1, 2), 3), {(1, 2)}, {frozenset({1, 2})}),
]


def test_exactly_the_same_values_are_the_same() -> None:
    """Values of this list, all different, are each the same as a copy and as no other."""
    for i, left in enumerate(DIFFERENT):
        for j, right in enumerate(DIFFERENT):
            assert same(left, stored(right)) == (i == j), (left, right)


def test_records_are_compared_by_what_they_hold() -> None:
    """Class, attributes and values count; the order of attributes does not."""
    backwards = Point(1, 2)
    del backwards.x
    backwards.x = 1
    assert same(stored(Point(1, 2)), stored(backwards))
    others: tuple[object, ...] = (
        Point(1, 3),
        Point(1.0, 2),
        Pair(1, 2),
        Edge(1, 2),
        Colour.RED,
        iter([]),
        len,
    )
    for other in others:
        assert not same(stored(Point(1, 2)), stored(other))
        assert same(stored(other), stored(other))
    assert same(stored({Point(1, 2), Point(3, 4)}), stored({Point(3, 4), Point(1, 2)}))
    assert not same(stored(defaultdict(list)), stored(defaultdict(set)))


@pytest.mark.parametrize("tree", [1.5, {}, {"a": 1}, {"list": [], "set": []}, {"no_such_tag": []}])
def test_other_trees_are_refused(tree: object) -> None:
    """Nothing is guessed from a tree that was not written by `encode`."""
    with pytest.raises(ValueError, match="not the tree of a value"):
        decode(tree)


SCRIPT = """
import sys
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("encode", sys.argv[1])
module = module_from_spec(spec)
spec.loader.exec_module(module)
words = "alpha beta gamma delta epsilon zeta".split()
value = [set(words), {frozenset(words), frozenset(words[:3]), (1, "a")}, {w: {w} for w in words}]
print(module.dumps(module.encode(value)))
print(sorted(name for name in sys.modules if name.startswith("deskcheck")))
"""


def test_the_encoder_stands_alone_and_ignores_the_hash_seed() -> None:
    """Loaded by path without the package, it writes the same bytes under two hash seeds."""
    source = Path(encode_module.__file__)
    outputs = [
        subprocess.run(
            [sys.executable, "-S", "-P", "-c", SCRIPT, str(source)],
            env={"PATH": os.environ.get("PATH", ""), "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert "epsilon" in outputs[0]
    assert outputs[0].endswith("[]\n")


@settings(max_examples=30)
@given(st.sets(KEYS, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_a_set_does_not_show(items: set[Any], random: Any) -> None:
    """A set filled in another order has the same tree."""
    shuffled = list(items)
    random.shuffle(shuffled)
    assert encode(set(shuffled)) == encode(items)
