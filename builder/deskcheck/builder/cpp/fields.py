"""The variables of a C++ program that a model can be asked for, and what the answers are.

The answers are computed from observed values and the variable's type, independently of any run of
the shown source.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from clang.cindex import Cursor

from deskcheck.builder.cpp.loops import CppLoop
from deskcheck.builder.cpp.parsing import CppSource
from deskcheck.builder.cpp.printer import FIRST, Names, is_object, needs
from deskcheck.builder.cpp.tree import Node, identity
from deskcheck.builder.cpp.types import (
    Adapter,
    Bits,
    Boolean,
    Character,
    CppType,
    Floating,
    Integer,
    Mapping,
    Row,
    Series,
    String,
    Struct,
    Unshowable,
    describe,
    parts_of,
)
from deskcheck.oracles.expressions import DECIMALS, Expressed, Inexpressible, Json
from deskcheck.oracles.values import ObjectValue, Opaque, Value

FIRST_ITEMS = 12
"""How many elements of a long sequence are shown."""
_LONG = 40
"""A sequence of more numbers and texts than this is shown by its first elements."""
_CLASS = re.compile(rb"(?:struct|class)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A simple struct: its name as written at file scope, and its fields in order."""

    name: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """Where a simple struct is defined."""

    record: Record
    start: int
    end: int
    """After the semicolon of the whole declaration, in the original bytes."""


def records(source: CppSource) -> tuple[Record, ...]:
    """Every struct of the program that can be shown by its fields, in textual order."""
    return tuple(definition.record for definition in definitions(source).values())


@lru_cache(maxsize=4)
def definitions(source: CppSource) -> dict[str, Definition]:
    """By name: the structs that can be shown; one that a macro writes or renames cannot."""
    return {
        definition.record.name: definition
        for definition in _definitions(source, source.tree)
        if source.macros.keys().isdisjoint(definition.record.name.split("::"))
        and source.macros.keys().isdisjoint(definition.record.fields)
    }


def _definitions(source: CppSource, scope: Node) -> Iterator[Definition]:
    for node in scope.children:
        if node.kind in ("NAMESPACE", "LINKAGE_SPEC"):
            yield from _definitions(source, node)
        if node.kind not in ("STRUCT_DECL", "CLASS_DECL") or not node.cursor.is_definition():
            continue
        shown = describe(node.cursor.type)
        text = source.code[node.start : node.end]
        if not isinstance(shown, Struct) or not _CLASS.match(text) or not text.endswith(b"}"):
            continue
        # A typedef or variables of the type belong to the same declaration.
        end = max(other.end for other in scope.children if other.start <= node.start)
        semicolon = source.code.find(b";", max(end, node.end))
        if semicolon >= 0:
            record = Record(name=shown.name, fields=tuple(name for name, _ in shown.fields))
            yield Definition(record=record, start=node.start, end=semicolon + 1)


def express(
    source: CppSource,
    loop: CppLoop,
    name: str,
    samples: Sequence[Value],
    taken: frozenset[str],
) -> Expressed | Inexpressible:
    """The expression whose JSON shows a variable of the loop at every sample.

    It is the variable itself, or the first elements of a long sequence. Expressed's `builtins`
    are what the printer must have for it.
    """
    if not samples:
        raise ValueError(f"no sample of {name}")
    if name not in loop.names:
        return Inexpressible(reason="it is not visible at the loop")
    if name in source.macros:
        return Inexpressible(reason="its name is a macro's")
    if _is_alias(source, loop.names[name]):
        return Inexpressible(reason="a reference to another variable")
    shown = describe(loop.names[name].type)
    if isinstance(shown, Unshowable):
        return Inexpressible(reason=shown.reason)
    hidden = _structs(shown) - definitions(source).keys()
    if hidden:
        return Inexpressible(reason=f"a struct {min(hidden)}, which a macro writes or renames")
    needed, expression = needs(shown), name
    if _is_long(shown, samples):
        expression = f"{Names(taken)['first_items']}({name}, {FIRST_ITEMS})"
        needed |= {FIRST}
        samples = [_first(sample) for sample in samples]
    try:
        answers = tuple(_answer(shown, sample) for sample in samples)
    except _NoAnswerError as unfit:
        return Inexpressible(reason=str(unfit))
    return Expressed(expression=expression, builtins=needed, answers=answers)


def _is_alias(source: CppSource, variable: Cursor) -> bool:
    """One object is not shown under two names; parameters and range variables have no other."""
    return (
        str(variable.kind.name) == "VAR_DECL"
        and str(variable.type.get_canonical().kind.name) == "LVALUEREFERENCE"
        and identity(variable) not in _range_variables(source)
    )


@lru_cache(maxsize=4)
def _range_variables(source: CppSource) -> frozenset[int]:
    return frozenset(
        identity(node.cursor)
        for node in source.tree.walk()
        if node.kind == "VAR_DECL"
        and node.parent is not None
        and node.parent.kind == "CXX_FOR_RANGE_STMT"
    )


def _structs(shown: CppType) -> frozenset[str]:
    own = {shown.name} if isinstance(shown, Struct) else set()
    return frozenset(own.union(*(_structs(part) for part in parts_of(shown))))


def _is_long(shown: CppType, samples: Sequence[Value]) -> bool:
    """Whether a sequence is too long to be shown whole, where its elements are no containers.

    The length of an array is that of its type, so that whichever samples are compared, the same
    expression shows them.
    """
    if not isinstance(shown, Series):
        return False
    each = _width(shown.element)
    if not each:
        return False
    if shown.extent is not None:
        return shown.extent * each > _LONG
    return any(len(_whole(sample)) * each > _LONG for sample in samples)


def _width(shown: CppType) -> int:
    """How many numbers and texts a value has; 0 where that is not told by its type."""
    match shown:
        case Integer() | Boolean() | Character() | Floating() | String(array=False):
            return 1
        case Row() | Struct():
            widths = [_width(part) for part in parts_of(shown)]
            return sum(widths) if all(widths) else 0
        case _:
            return 0


def _whole(sample: Value) -> Sequence[Value]:
    return sample if isinstance(sample, list) else ()


def _first(sample: Value) -> Value:
    return sample[:FIRST_ITEMS] if isinstance(sample, list) else sample


class _NoAnswerError(Exception):
    """No JSON value shows this sample; the text says why."""


def _answer(shown: CppType, value: Value) -> Json:
    """The JSON that the shown program prints for this value."""
    match shown, value:
        case _, Opaque():
            raise _NoAnswerError(f"a {value.type_name}, not read: {value.why}")
        case Boolean(), bool():
            return value
        case Integer(), int() if not isinstance(value, bool):
            return value
        case Floating(), float():
            if not math.isfinite(value):
                raise _NoAnswerError("a number that is not finite")
            rounded = float(f"{value:.{DECIMALS}f}")
            if rounded == 0 and math.copysign(1, rounded) < 0:
                raise _NoAnswerError("a number that is printed as a negative zero")
            return rounded
        case Character() | String() | Bits(), str():
            if not value.isascii():
                raise _NoAnswerError("a text with characters outside ASCII")
            return value
        case Series(element=element) | Adapter(element=element), list():
            return [_answer(element, item) for item in value]
        case Row(parts=parts), tuple() if len(parts) == len(value):
            return [_answer(part, item) for part, item in zip(parts, value, strict=True)]
        case Mapping(key=key, value=held), list():
            pairs = [(_answer(key, k), _answer(held, v)) for k, v in map(_pair, value)]
            if is_object(shown):
                return {str(k): v for k, v in pairs}
            return [[k, v] for k, v in pairs]
        case Struct(fields=fields), ObjectValue() if list(value.attributes) == [
            f for f, _ in fields
        ]:
            return {name: _answer(part, value.attributes[name]) for name, part in fields}
        case _:
            raise _NoAnswerError(f"what was read, {str(value)[:60]}, is not of its type")


def _pair(value: Value) -> tuple[Value, Value]:
    match value:
        case (key, item):
            return key, item
        case _:
            raise _NoAnswerError(f"what was read, {str(value)[:60]}, is no entry of a map")
