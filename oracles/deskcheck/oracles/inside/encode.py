"""Write a live Python value as a lossless tagged JSON tree, without running any code of its own.

A program under measurement may rebind names and define any special method, so nothing here is
looked up through the value or its class: types are compared by identity, attributes are read by
the interpreter's own descriptors, and no table is keyed by a class (a metaclass may define
`__hash__`).

None, bool, text, integers within +-2**53 and lists stand for themselves; everything else is an
object of one key, the tag: see `deskcheck.oracles.values.decode`, which reads all of them.
"""

from __future__ import annotations

import _io
from array import array
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from json import dumps
from sys import getrecursionlimit, setrecursionlimit
from types import (
    AsyncGeneratorType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    GetSetDescriptorType,
    MemberDescriptorType,
    ModuleType,
)
from typing import Any

MAX_DEPTH = 50
HEADROOM = 400  # frames: more than MAX_DEPTH levels need, on top of a stack that may be full
NODE_SIZE = 64  # characters, bytes or bytes of an integer that cost as much as one node
LARGEST_PLAIN_INT = 2**53

_mro = type.__dict__["__mro__"].__get__
_namespace = type.__dict__["__dict__"].__get__
_name = type.__dict__["__name__"].__get__
_basic_size = type.__dict__["__basicsize__"].__get__
_item_size = type.__dict__["__itemsize__"].__get__
_numerator = Fraction.__dict__["_numerator"].__get__
_denominator = Fraction.__dict__["_denominator"].__get__
_pointer_size = tuple.__itemsize__


class _TooLargeError(Exception):
    pass


def encode(value: Any, *, budget: int = 20_000) -> Any:
    """The JSON tree of `value`, the same text under every hash seed.

    `budget` bounds the nodes visited (long texts and integers count by length); past it the
    whole value is opaque, as any part kept would depend on the order of a set. Containers nested
    more than `MAX_DEPTH` deep and containers inside themselves are opaque where that happens;
    one that is reached twice is written twice. Attributes of an object: `__slots__` from the
    base class down, sorted in each class, unset ones left out; then `__dict__` in its own order.
    """
    limit = getrecursionlimit()
    setrecursionlimit(limit + HEADROOM)
    try:
        return _Encoder(budget).tree(value)
    except _TooLargeError:
        return _opaque(value, "too_large")
    finally:
        setrecursionlimit(limit)


class _Encoder:
    """One walk over one value."""

    def __init__(self, budget: int) -> None:
        self.left = budget
        self.path: set[int] = set()

    def tree(self, value: Any) -> Any:
        self.spend(1 + _extent(value))
        atom = _ATOMS.get(id(type(value)))
        if atom is not None:
            return atom(value)
        if id(value) in self.path:
            return _opaque(value, "cycle")
        if len(self.path) == MAX_DEPTH:
            return _opaque(value, "too_deep")
        self.path.add(id(value))
        try:
            return self.container(value)
        finally:
            self.path.discard(id(value))

    def spend(self, nodes: int) -> None:
        self.left -= nodes
        if self.left < 0:
            raise _TooLargeError

    def trees(self, values: Iterable[Any]) -> list[Any]:
        return [self.tree(value) for value in values]

    def sorted_trees(self, values: Iterable[Any]) -> list[Any]:
        return sorted(self.trees(values), key=lambda tree: dumps(tree, sort_keys=True))

    def pairs(self, items: Iterable[tuple[Any, Any]]) -> list[Any]:
        return [[self.tree(key), self.tree(value)] for key, value in items]

    def container(self, value: Any) -> Any:
        cls = type(value)
        if cls is list:
            return self.trees(value)
        if cls is tuple:
            return {"tuple": self.trees(value)}
        if cls is set:
            return {"set": self.sorted_trees(value)}
        if cls is frozenset:
            return {"frozenset": self.sorted_trees(value)}
        if cls is dict:
            return {"dict": self.pairs(value.items())}
        if cls is deque:
            return {"deque": {"maxlen": value.maxlen, "items": self.trees(value)}}
        if cls is defaultdict:
            factory = _callable_name(value.default_factory)
            return {"defaultdict": {"factory": factory, "items": self.pairs(value.items())}}
        if cls is Counter:
            return {"Counter": self.pairs(dict.items(value))}
        if cls is OrderedDict:
            # Its own order needs a look-up of each key, which would run a program's `__hash__`.
            if not all(_hashes_safely(key) for key in dict.keys(value)):
                return _opaque(value, "unknown")
            return {"OrderedDict": self.pairs(value.items())}
        if cls is array:
            return {"array": {"typecode": value.typecode, "items": self.trees(value.tolist())}}
        return self.instance(value, _mro(cls))

    def instance(self, value: Any, mro: tuple[type, ...]) -> Any:
        attributes = _instance_dict(value, mro)
        if _inherits(mro, Enum) and attributes and "_value_" in attributes:
            name, member = self.tree(attributes["_name_"]), self.tree(attributes["_value_"])
            return {"enum": {"type": _name(mro[0]), "name": name, "value": member}}
        fields = _named_fields(value, mro)
        if fields is not None and not attributes:
            named = zip(fields, tuple.__iter__(value), strict=True)
            return {"namedtuple": {"type": _name(mro[0]), "fields": self.pairs(named)}}
        if not _is_plain_object(mro):
            return _opaque(value, _why_opaque(mro))
        if attributes is None and _defines(mro, "__dict__"):
            return _opaque(value, "unknown")  # the class hides its instances' attributes
        if attributes is not None and any(type(key) is not str for key in dict.keys(attributes)):
            return _opaque(value, "unknown")
        return {
            "object": {
                "type": _name(mro[0]),
                "slots": self.pairs(_slots(value, mro)),
                "dict": None if attributes is None else self.pairs(dict.items(attributes)),
            }
        }


def _opaque(value: Any, why: str) -> Any:
    return {"opaque": {"type": _name(type(value)), "why": why}}


def _extent(value: Any) -> int:
    cls = type(value)
    size = 0
    if cls is int:
        size = value.bit_length() // 8
    elif cls is str or cls is bytes or cls is bytearray:
        size = len(value)
    return size // NODE_SIZE


def _integer(value: int) -> Any:
    # Hexadecimal has no limit on digits and no quadratic cost.
    return value if -LARGEST_PLAIN_INT <= value <= LARGEST_PLAIN_INT else {"int": hex(value)}


def _text(value: str) -> Any:
    try:
        value.encode()
    except UnicodeEncodeError:
        # JSON would join a high and a low surrogate into one character.
        return {"str": value.encode("utf-8", "surrogatepass").hex()}
    return value


def _decimal(value: Decimal) -> Any:
    sign, digits, exponent = Decimal.as_tuple(value)  # `str` follows the program's own context
    return {"Decimal": [sign, "".join(map(str, digits)), exponent]}


def _same(value: Any) -> Any:
    return value


_ATOMS: dict[int, Callable[[Any], Any]] = {
    id(type(None)): _same,
    id(bool): _same,
    id(int): _integer,
    id(str): _text,
    id(float): lambda v: {"float": repr(v)},
    id(complex): lambda v: {"complex": [repr(v.real), repr(v.imag)]},
    id(bytes): lambda v: {"bytes": v.hex()},
    id(bytearray): lambda v: {"bytearray": v.hex()},
    id(range): lambda v: {"range": [_integer(v.start), _integer(v.stop), _integer(v.step)]},
    id(Fraction): lambda v: {"Fraction": [_integer(_numerator(v)), _integer(_denominator(v))]},
    id(Decimal): _decimal,
}


def _inherits(mro: tuple[type, ...], base: type) -> bool:
    return any(cls is base for cls in mro)


def _defines(mro: tuple[type, ...], name: str) -> bool:
    return any(name in _namespace(cls) for cls in mro)


def _instance_dict(value: Any, mro: tuple[type, ...]) -> Any:
    for cls in mro:
        found = _namespace(cls).get("__dict__")
        if type(found) is GetSetDescriptorType or type(found) is MemberDescriptorType:
            return found.__get__(value)
    return None


def _own_slots(cls: type) -> list[tuple[str, Any]]:
    return [
        (name, member)
        for name, member in _namespace(cls).items()
        if type(member) is MemberDescriptorType and member.__objclass__ is cls
    ]


def _slots(value: Any, mro: tuple[type, ...]) -> list[tuple[str, Any]]:
    found: dict[str, Any] = {}
    for cls in reversed(mro):
        for name, member in _own_slots(cls):
            try:
                found[name] = member.__get__(value)
            except AttributeError:
                found.pop(name, None)
    found.pop("__dict__", None)
    return list(found.items())


def _is_plain_object(mro: tuple[type, ...]) -> bool:
    """True when an instance is nothing but a `__dict__` and slots, unlike a subclass of list."""
    slots = sum(len(_own_slots(cls)) for cls in mro)
    size = _basic_size(object) + slots * _pointer_size
    return bool(_item_size(mro[0]) == 0 and _basic_size(mro[0]) == size)


def _named_fields(value: Any, mro: tuple[type, ...]) -> tuple[str, ...] | None:
    if not _inherits(mro, tuple):
        return None
    for cls in mro:
        fields = _namespace(cls).get("_fields")
        if fields is not None:
            named = type(fields) is tuple and all(type(name) is str for name in fields)
            return fields if named and len(fields) == tuple.__len__(value) else None
    return None


def _hashes_safely(key: Any) -> bool:
    if type(key) is tuple or type(key) is frozenset:
        return all(_hashes_safely(part) for part in key)
    return id(type(key)) in _ATOMS


def _callable_name(factory: Any) -> str | None:
    if factory is None:
        return None
    if _inherits(_mro(type(factory)), type):
        return str(_name(factory))
    if type(factory) is FunctionType:
        return factory.__name__
    return str(_name(type(factory)))


def _why_opaque(mro: tuple[type, ...]) -> str:
    for base, why in (
        (type, "class"),
        (ModuleType, "module"),
        (_io._IOBase, "file"),
        (GeneratorType, "generator"),
        (CoroutineType, "generator"),
        (AsyncGeneratorType, "generator"),
    ):
        if _inherits(mro, base):
            return why
    if _defines(mro, "__next__"):
        return "iterator"
    return "function" if _defines(mro, "__call__") else "unknown"
