"""What the values of one variable have in common: the form that one expression must fit.

A shape keeps only what decides how a value is turned into JSON. `Plain` shapes are JSON as they
stand, so shapes that differ may still be joined when both are plain.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from typing import Literal

from deskcheck.oracles.values import (
    ArrayValue,
    EnumValue,
    NamedTupleValue,
    ObjectValue,
    Opaque,
    Value,
)

Kind = Literal["null", "bool", "int", "float", "str"]

# A printed integer has at most 4,300 digits unless the program lifts the interpreter's limit.
_TOO_MANY_DIGITS = 10**4300

_LONGEST_RANGE = 10_000


class NoShapeError(Exception):
    """The values have no common JSON form; the message is a short reason."""


@dataclass(frozen=True, slots=True)
class Empty:
    """Nothing is known: the element of an empty container."""


@dataclass(frozen=True, slots=True)
class Mixed:
    """Values of several shapes, each of them JSON as it stands."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """Atoms of these kinds."""

    kinds: frozenset[Kind]


@dataclass(frozen=True, slots=True)
class Text:
    """A `Fraction` or `Decimal`, shown by `str`."""


@dataclass(frozen=True, slots=True)
class EnumName:
    """An enum member, shown by its name."""


@dataclass(frozen=True, slots=True)
class Series:
    """Elements in order; `native` when JSON takes the container itself (list or tuple)."""

    native: bool
    element: Shape


@dataclass(frozen=True, slots=True)
class Row:
    """A tuple of one arity, with a shape for each position."""

    parts: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Set:
    """A set or frozenset."""

    element: Shape


@dataclass(frozen=True, slots=True)
class Mapping:
    """A dict of any kind."""

    key: Shape
    value: Shape

    @property
    def native(self) -> bool:
        """True when every key is text, so that JSON takes the dict itself."""
        return self.key in (Empty(), Scalar(frozenset({"str"})))


@dataclass(frozen=True, slots=True)
class Object:
    """An object of one class. `uniform` when all have the same attributes."""

    class_name: str
    attributes: tuple[tuple[str, Shape], ...]
    only_dict: bool
    uniform: bool

    @property
    def shown_by_vars(self) -> bool:
        """True when `vars` gives JSON as it stands."""
        return self.only_dict and all(is_plain(part) for _, part in self.attributes)


type Shape = Empty | Mixed | Scalar | Text | EnumName | Series | Row | Set | Mapping | Object


def is_plain(shape: Shape) -> bool:
    """True when the value itself is JSON."""
    match shape:
        case Empty() | Mixed():
            return True
        case Scalar(kinds):
            return "float" not in kinds
        case Series(native, element):
            return native and is_plain(element)
        case Row(parts):
            return all(is_plain(part) for part in parts)
        case Mapping(_, value):
            return shape.native and is_plain(value)
        case _:
            return False


def is_orderable(shape: Shape) -> bool:
    """True when any two values of this shape compare with `<`: all integers, texts, or tuples."""
    match shape:
        case Empty():
            return True
        case Scalar(kinds):
            return kinds in ({"int"}, {"str"})
        case Row(parts):
            return all(is_orderable(part) for part in parts)
        case Series(_, element):  # tuples of several lengths: nothing else of a set is a series
            return is_orderable(element)
        case _:
            return False


def shape_of(value: Value) -> Shape:
    """The shape of one value; NoShapeError where it has none."""
    match value:
        case None:
            return _scalar("null")
        case bool():
            return _scalar("bool")
        case int():
            _refuse_long_integers(value)
            return _scalar("int")
        case float():
            return _scalar("float")
        case str():
            _refuse_surrogates(value)
            return _scalar("str")
        case Fraction():
            _refuse_long_integers(value.numerator, value.denominator)
            return Text()
        case Decimal():
            return Text()
        case EnumValue():
            if not isinstance(value.name, str):
                raise NoShapeError("an enum member without a name")
            return EnumName()
        case list():
            return Series(native=True, element=_common(value))
        case tuple():
            return Row(tuple(shape_of(item) for item in value))
        case NamedTupleValue():
            return Row(tuple(shape_of(item) for item in value.items))
        case deque():
            return Series(native=False, element=_common(value))
        case range():
            _refuse_long_integers(value.start, value.stop)
            if value[_LONGEST_RANGE:]:
                raise NoShapeError(f"a range of more than {_LONGEST_RANGE} elements")
            return Series(native=False, element=_scalar("int") if value else Empty())
        case bytes() | bytearray():
            return Series(native=False, element=_scalar("int") if value else Empty())
        case ArrayValue():
            return Series(native=False, element=_common(value.items))
        case set() | frozenset():
            return Set(_common(value))
        case dict():
            return Mapping(_common(value.keys()), _common(value.values()))
        case ObjectValue():
            return Object(
                class_name=value.class_name,
                attributes=tuple((name, shape_of(v)) for name, v in value.attributes.items()),
                only_dict=value.only_dict,
                uniform=True,
            )
        case Opaque():
            raise NoShapeError(f"holds {value.type_name}: {value.why}")
        case _:
            raise NoShapeError(f"holds a {type(value).__name__}")


def join(shapes: Sequence[Shape]) -> Shape:
    """The one shape that fits all; NoShapeError where there is none."""
    start: Shape = Empty()
    return reduce(_join, shapes, start)


def _scalar(kind: Kind) -> Scalar:
    return Scalar(frozenset({kind}))


def _common(values: Iterable[Value]) -> Shape:
    return join([shape_of(value) for value in values])


def _refuse_long_integers(*values: int) -> None:
    if any(abs(value) >= _TOO_MANY_DIGITS for value in values):
        raise NoShapeError("an integer of more than 4300 digits")


def _refuse_surrogates(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise NoShapeError("text with a lone surrogate") from None


def _join(left: Shape, right: Shape) -> Shape:
    if left == right or isinstance(right, Empty):
        return left
    if isinstance(left, Empty):
        return right
    if is_plain(left) and is_plain(right) and type(left) is not type(right):
        if isinstance(left, Row | Series) and isinstance(right, Row | Series):
            return _join_as_series(left, right)
        return Mixed()
    match left, right:
        case Scalar(some), Scalar(others):
            kinds = some | others
            if "float" in kinds and not kinds <= {"int", "float"}:
                raise NoShapeError("floats beside None, booleans or text")
            return Scalar(kinds)
        case Row(some), Row(others) if len(some) == len(others):
            return Row(tuple(_join(a, b) for a, b in zip(some, others, strict=True)))
        case ((Row() | Series()), (Row() | Series())):
            return _join_as_series(left, right)
        case Set(some), Set(others):
            return Set(_join(some, others))
        case Mapping(), Mapping():
            return Mapping(_join(left.key, right.key), _join(left.value, right.value))
        case Object(), Object() if left.class_name == right.class_name:
            return _join_objects(left, right)
        case _:
            raise NoShapeError("values of different kinds in one place")


def _join_as_series(left: Row | Series, right: Row | Series) -> Series:
    native = True
    elements: list[Shape] = []
    for side in (left, right):
        if isinstance(side, Row):
            elements += side.parts
        else:
            native = native and side.native
            elements.append(side.element)
    return Series(native, join(elements))


def _join_objects(left: Object, right: Object) -> Object:
    some, others = dict(left.attributes), dict(right.attributes)
    names = list(some) + [name for name in others if name not in some]
    joined = {name: _join(some.get(name, Empty()), others.get(name, Empty())) for name in names}
    return Object(
        class_name=left.class_name,
        attributes=tuple(joined.items()),
        only_dict=left.only_dict and right.only_dict,
        uniform=left.uniform and right.uniform and some.keys() == others.keys(),
    )
