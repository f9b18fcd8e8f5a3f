"""Values of measured programs, read back from their lossless trees.

Builtin values come back as themselves. What only exists inside the program (objects, named
tuples, enum members) or cannot be rebuilt comes back as a record; records hash by identity, so
two objects that look alike stay two keys.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

type Value = object
"""Any of: None, bool, int, float, complex, str, bytes, bytearray, list, tuple, set, frozenset,
dict, OrderedDict, Counter, DefaultDict, deque, range, Fraction, Decimal, and the records below."""


class DefaultDict(dict[Any, Any]):
    """A `defaultdict` that only remembers the name of its factory: it never makes an entry."""

    def __init__(self, factory_name: str | None, items: Iterable[tuple[Value, Value]]) -> None:
        super().__init__(items)
        self.factory_name = factory_name


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ObjectValue:
    """An object by its attributes: those in `__slots__` first, then those in `__dict__`."""

    class_name: str
    attributes: Mapping[str, Value]
    only_dict: bool
    """True when it has a `__dict__` and no set slot, so that `vars` shows everything."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NamedTupleValue:
    """A named tuple: field names and values in order."""

    class_name: str
    fields: tuple[tuple[str, Value], ...]

    @property
    def items(self) -> tuple[Value, ...]:
        """The values without their names."""
        return tuple(value for _, value in self.fields)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EnumValue:
    """An enum member; `name` is None or text, as `Flag` combinations may have none."""

    class_name: str
    name: Value
    value: Value


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ArrayValue:
    """An `array.array`, also of type codes that this interpreter does not know."""

    typecode: str
    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Opaque:
    """A value that was not written down: an iterator, function, cycle, or too large a thing."""

    type_name: str
    why: str


def decode(tree: Any) -> Value:
    """The value of a tree that `inside.encode.encode` wrote; ValueError for any other tree."""
    if tree is None or isinstance(tree, bool | int | str):
        return tree
    if isinstance(tree, list):
        return _values(tree)
    if isinstance(tree, dict) and len(tree) == 1:
        ((tag, body),) = tree.items()
        if tag in _DECODERS:
            return _DECODERS[tag](body)
    raise ValueError(f"not the tree of a value: {str(tree)[:80]}")


def same(left: Value, right: Value) -> bool:
    """Exact typed equality: 1, 1.0 and True differ, -0.0 and 0.0 differ, nan equals nan.

    The order of a dict's entries counts, as programs observe it; the order of an object's
    attributes does not. Two opaque values are the same when their type and reason are.
    """
    return _exact_text(left) == _exact_text(right)


def _values(trees: Any) -> list[Value]:
    return [decode(tree) for tree in trees]


def _pairs(trees: Any) -> list[tuple[Value, Value]]:
    return [(decode(key), decode(value)) for key, value in trees]


def _named(trees: Any) -> tuple[tuple[str, Value], ...]:
    return tuple((str(decode(name)), decode(value)) for name, value in trees)


def _object(body: Any) -> ObjectValue:
    slots, attributes = body["slots"], body["dict"]
    return ObjectValue(
        class_name=body["type"],
        attributes=dict(_named(slots) + _named(attributes or ())),
        only_dict=attributes is not None and not slots,
    )


def _integer(tree: Any) -> int:
    value = decode(tree)
    if not isinstance(value, int):
        raise ValueError(f"not the tree of an integer: {str(tree)[:80]}")
    return value


def _decimal(body: Any) -> Decimal:
    sign, digits, exponent = body
    return Decimal((sign, tuple(map(int, digits)), exponent))


_DECODERS: dict[str, Callable[[Any], Value]] = {
    "tuple": lambda b: tuple(_values(b)),
    "set": lambda b: set(_values(b)),
    "frozenset": lambda b: frozenset(_values(b)),
    "dict": lambda b: dict(_pairs(b)),
    "OrderedDict": lambda b: OrderedDict(_pairs(b)),
    "Counter": lambda b: Counter(dict(_pairs(b))),
    "defaultdict": lambda b: DefaultDict(b["factory"], _pairs(b["items"])),
    "deque": lambda b: deque(_values(b["items"]), b["maxlen"]),
    "array": lambda b: ArrayValue(typecode=b["typecode"], items=tuple(_values(b["items"]))),
    "bytes": bytes.fromhex,
    "bytearray": bytearray.fromhex,
    "range": lambda b: range(*map(_integer, b)),
    "float": float,
    "complex": lambda b: complex(float(b[0]), float(b[1])),
    "int": lambda b: int(b, 16),
    "str": lambda b: bytes.fromhex(b).decode("utf-8", "surrogatepass"),
    "Fraction": lambda b: Fraction(*map(_integer, b)),
    "Decimal": _decimal,
    "namedtuple": lambda b: NamedTupleValue(class_name=b["type"], fields=_named(b["fields"])),
    "enum": lambda b: EnumValue(
        class_name=b["type"], name=decode(b["name"]), value=decode(b["value"])
    ),
    "object": _object,
    "opaque": lambda b: Opaque(type_name=b["type"], why=b["why"]),
}


def _exact_text(value: Value) -> str:
    """Text that is equal exactly where values are the same."""
    kind = type(value).__name__
    match value:
        case None | bool() | float() | complex() | str() | bytes() | bytearray():
            return f"{kind} {value!r}"
        case int():
            return hex(value)
        case range():
            return f"{kind} {_joined((value.start, value.stop, value.step))}"
        case Fraction():
            return f"{kind} {hex(value.numerator)}/{hex(value.denominator)}"
        case Decimal():
            return f"{kind} {value.as_tuple()}"
        case list() | tuple():
            return f"{kind} [{_joined(value)}]"
        case deque():
            return f"{kind} {value.maxlen} [{_joined(value)}]"
        case set() | frozenset():
            return f"{kind} [{','.join(sorted(_exact_text(item) for item in value))}]"
        case DefaultDict():
            return f"{kind} {value.factory_name!r} [{_joined(value.items())}]"
        case dict():
            return f"{kind} [{_joined(value.items())}]"
        case ObjectValue():
            attributes = sorted(value.attributes.items())
            return f"{kind} {value.class_name!r} [{_joined(attributes)}]"
        case NamedTupleValue():
            return f"{kind} {value.class_name!r} [{_joined(value.fields)}]"
        case EnumValue():
            return f"{kind} {value.class_name!r} [{_joined((value.name, value.value))}]"
        case ArrayValue():
            return f"{kind} {value.typecode!r} [{_joined(value.items)}]"
        case Opaque():
            return f"{kind} {value.type_name!r} {value.why!r}"
        case _:
            raise TypeError(f"not a value of a measured program: {kind}")


def _joined(values: Iterable[Value]) -> str:
    return ",".join(_exact_text(value) for value in values)
