"""What a model is asked for: the JSON of a visible Python expression over a program's variable.

The expression stands in the source shown, so it must read like code that a person would write,
and one expression must be right at every moment at which it is evaluated. The answers are
computed here from decoded values, independently of any run of the expression.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from keyword import iskeyword
from typing import Any

from deskcheck.oracles.shapes import (
    EnumName,
    Mapping,
    NoShapeError,
    Object,
    Row,
    Scalar,
    Series,
    Set,
    Shape,
    Text,
    is_orderable,
    is_plain,
    join,
    shape_of,
)
from deskcheck.oracles.values import (
    ArrayValue,
    EnumValue,
    NamedTupleValue,
    ObjectValue,
    Value,
)

type Json = bool | int | float | str | list[Json] | dict[str, Json] | None

DECIMALS = 6
_MAX_NESTED = 3
_MAX_OBJECTS = 2
_MAX_INDEXED = 6
_MAX_UNPACKED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Expressed:
    """An expression that fits every sample, the builtins it calls, and its value at each."""

    expression: str
    builtins: frozenset[str]
    answers: tuple[Json, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inexpressible:
    """No readable expression shows this variable."""

    reason: str


def express(
    name: str, samples: Sequence[Value], *, taken: frozenset[str]
) -> Expressed | Inexpressible:
    """The expression whose JSON shows the variable `name` at every sample.

    `taken` are all identifiers of the source: no comprehension variable is among them.
    """
    if not samples:
        raise ValueError(f"no sample of {name}")
    writer = _Writer(taken | {name})
    try:
        shape = join([shape_of(sample) for sample in samples])
        expression = writer.write(shape, name)
    except NoShapeError as unfit:
        return Inexpressible(reason=str(unfit))
    return Expressed(
        expression=expression,
        builtins=frozenset(writer.builtins),
        answers=tuple(_answer(shape, sample) for sample in samples),
    )


def json_type(value: Json) -> str:
    """The JSON type's name; integers and numbers with a fraction or exponent are told apart."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case dict():
            return "object"


def compact_json(value: Json) -> str:
    """One line of ASCII without spaces, keys in their own order, NaN and Infinity by name."""
    return json.dumps(value, separators=(",", ":"))


class _Writer:
    """Writes one expression, with comprehension variables that occur nowhere else."""

    def __init__(self, taken: frozenset[str]) -> None:
        self.taken = set(taken)
        self.builtins: set[str] = set()
        self.depth: Counter[str] = Counter()

    def write(self, shape: Shape, ref: str) -> str:
        if is_plain(shape):
            return ref
        match shape:
            case Scalar():
                return self.call("round", f"{ref}, {DECIMALS}")
            case Text():
                return self.call("str", ref)
            case EnumName():
                return f"{ref}.name"
            case Set(element):
                if not is_orderable(element):
                    raise NoShapeError("a set whose elements have no common order")
                return self.call("sorted", ref)
            case Series(_, element):
                return self.call("list", ref) if is_plain(element) else self.series(element, ref)
            case Row(parts):
                return self.row(parts, ref)
            case Mapping():
                return self.mapping(shape, ref)
            case Object():
                return self.object(shape, ref)
            case _:
                raise AssertionError(f"no expression for {shape}")

    def call(self, builtin: str, arguments: str) -> str:
        self.builtins.add(builtin)
        return f"{builtin}({arguments})"

    def fresh(self, wanted: str) -> str:
        """The first free letter of `wanted`, else its first letter with a number."""
        name = next((letter for letter in wanted if letter not in self.taken), "")
        number = 1
        while not name:
            number += 1
            if f"{wanted[0]}{number}" not in self.taken:
                name = f"{wanted[0]}{number}"
        self.taken.add(name)
        return name

    def series(self, element: Shape, ref: str) -> str:
        with self.nested("comprehensions", _MAX_NESTED):
            if isinstance(element, Row) and _reads_unpacked(element.parts):
                names = [self.fresh("abcdefgh") for _ in element.parts]
                parts = map(self.write, element.parts, names)
                return f"[({', '.join(parts)}) for {', '.join(names)} in {ref}]"
            name = self.fresh("vwxyzu")
            return f"[{self.write(element, name)} for {name} in {ref}]"

    def row(self, parts: tuple[Shape, ...], ref: str) -> str:
        if len(parts) > 1 and len(set(parts)) == 1:
            return self.series(parts[0], ref)
        if len(parts) > _MAX_INDEXED:
            raise NoShapeError(f"a tuple of {len(parts)} different parts")
        written = [self.write(part, f"{ref}[{i}]") for i, part in enumerate(parts)]
        return f"({', '.join(written)})" if len(written) > 1 else f"({written[0]},)"

    def mapping(self, shape: Mapping, ref: str) -> str:
        if is_plain(shape.key) and is_plain(shape.value):
            return self.call("list", f"{ref}.items()")
        with self.nested("comprehensions", _MAX_NESTED):
            key, value = self.fresh("kpq"), self.fresh("vwxyzu")
            shown_key, shown_value = self.write(shape.key, key), self.write(shape.value, value)
        loop = f"for {key}, {value} in {ref}.items()"
        if shape.native:
            return f"{{{shown_key}: {shown_value} {loop}}}"
        return f"[({shown_key}, {shown_value}) {loop}]"

    def object(self, shape: Object, ref: str) -> str:
        if not shape.attributes:
            raise NoShapeError(f"a {shape.class_name} without attributes")
        with self.nested("objects", _MAX_OBJECTS):
            if shape.shown_by_vars:
                return self.call("vars", ref)
            if not shape.uniform:
                raise NoShapeError(f"{shape.class_name} objects with different attributes")
            return f"{{{', '.join(self.attribute(*item, ref) for item in shape.attributes)}}}"

    def attribute(self, name: str, part: Shape, ref: str) -> str:
        # Two leading underscores would be mangled where the expression stands inside a class.
        if not name.isidentifier() or iskeyword(name) or name.startswith("__"):
            raise NoShapeError(f"an attribute named {name}")
        return f'"{name}": {self.write(part, f"{ref}.{name}")}'

    @contextmanager
    def nested(self, what: str, limit: int) -> Iterator[None]:
        self.depth[what] += 1
        if self.depth[what] > limit:
            raise NoShapeError(f"{what} nested more than {limit} deep")
        yield
        self.depth[what] -= 1


def _reads_unpacked(parts: tuple[Shape, ...]) -> bool:
    if len(parts) < 2:
        return False
    return len(parts) <= (_MAX_UNPACKED if len(set(parts)) == 1 else _MAX_INDEXED)


def _answer(shape: Shape, value: Value) -> Json:
    """The JSON that the written expression has for this value."""
    match shape, value:
        case _ if is_plain(shape):
            return _plain_json(value)
        case Scalar(), int() | float():
            return round(value, DECIMALS)
        case Text(), Fraction() | Decimal():
            return str(value)
        case EnumName(), EnumValue():
            return str(value.name)
        case Set(element), set() | frozenset():
            answers: list[Any] = [_answer(element, item) for item in value]
            return sorted(answers)
        case Row(parts), _:
            return [_answer(part, item) for part, item in zip(parts, _items(value), strict=True)]
        case Series(_, element), _:
            return [_answer(element, item) for item in _items(value)]
        case Mapping(), dict() if shape.native:
            return {key: _answer(shape.value, item) for key, item in value.items()}
        case Mapping(), dict():
            pairs = value.items()
            return [[_answer(shape.key, key), _answer(shape.value, item)] for key, item in pairs]
        case Object(), ObjectValue():
            shapes = dict(shape.attributes)
            names = list(value.attributes if shape.shown_by_vars else shapes)
            return {name: _answer(shapes[name], value.attributes[name]) for name in names}
        case _:
            raise AssertionError(f"{value!r} does not have the shape {shape}")


def _plain_json(value: Value) -> Json:
    match value:
        case None | bool() | int() | str():
            return value
        case dict():
            return {key: _plain_json(item) for key, item in value.items()}
        case _:
            return [_plain_json(item) for item in _items(value)]


def _items(value: Value) -> Iterable[Value]:
    match value:
        case list() | tuple() | deque() | range() | bytes() | bytearray():
            return value
        case NamedTupleValue() | ArrayValue():
            return value.items
        case _:
            raise AssertionError(f"{value!r} has no elements")
