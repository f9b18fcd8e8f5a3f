"""The size of a program's state: bound variables and what can be reached from them.

|S| is, over the live frames of the program and its module's globals, the number of bound
variables plus, for each distinct reachable container, 1 + its slots (elements, entries,
attributes). Modules, functions, classes and dunder names are left out; atoms are not
deduplicated, so interning cannot matter. Suspended generators are not live frames.
"""

from __future__ import annotations

import types
from array import array
from collections import Counter, OrderedDict, defaultdict, deque

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes longer to import than the whole agent
    from collections.abc import Collection
    from types import FrameType
    from typing import Any


def _ids(*kinds: type) -> frozenset[int]:
    """Types by identity: a program's metaclass may define `__hash__` and `__eq__`."""
    return frozenset(map(id, kinds))


_ATOM_TYPES = frozenset(
    (int, float, complex, bool, str, bytes, type(None), type(...), type(NotImplemented))
)
_ATOMS = frozenset(map(id, _ATOM_TYPES))
_SEQUENCES = _ids(list, tuple, set, frozenset, deque)
_MAPPINGS = _ids(dict, defaultdict, OrderedDict, Counter)
_CONTAINERS = _ids(list, tuple, set, frozenset, deque, dict)
_LEFT_OUT = (
    types.ModuleType,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    type,
)

# By the interpreter's own descriptors: a program's metaclass may define `__getattribute__`.
_mro = type.__dict__["__mro__"].__get__
_namespace = type.__dict__["__dict__"].__get__
_subclasses = type.__dict__["__subclasses__"]


class BudgetSpentError(Exception):
    """The walk has visited as many slots as it may; the run's state load is not measured."""


class StateSizes:
    """Peak and running total of |S| over the boundaries seen so far, under a budget of visits."""

    def __init__(self, filename: str, module: dict[str, Any], budget: int) -> None:
        self._filename = filename
        self._module = module
        self._budget = budget
        self.peak = 0
        self.load = 0
        self.boundaries = 0
        self.measured = True

    def boundary(self, frame: FrameType) -> None:
        """Measure |S| now; `frame` is the program's frame at the boundary."""
        if not self.measured:
            return
        try:
            size = self._size(frame)
        except BudgetSpentError:
            self.measured = False
            return
        self.boundaries += 1
        self.load += size
        self.peak = max(self.peak, size)

    def end(self) -> None:
        """Let go of the program's globals: their finalizers run at exit, as without us."""
        self._module = {}

    def totals(self) -> list[int] | None:
        """[peak, load, boundaries] so far, or None once the budget is spent."""
        return [self.peak, self.load, self.boundaries] if self.measured else None

    def _size(self, frame: FrameType | None) -> int:
        pending: list[Any] = []
        size = 0
        for name, value in self._module.items():
            if _is_variable(name):
                size += _bind(value, pending)
        while frame is not None:
            code = frame.f_code
            if code.co_filename == self._filename and frame.f_locals is not self._module:
                free = code.co_freevars
                for name, value in frame.f_locals.items():
                    if name not in free and _is_variable(name):
                        size += _bind(value, pending)
            frame = frame.f_back
        return size + self._reachable(pending)

    def _reachable(self, pending: list[Any]) -> int:
        held = _held_one_by_one if _classes_compare_otherwise() else _held
        seen: dict[int, Any] = {}
        size = 0
        while pending:
            value = pending.pop()
            if id(value) in seen:
                continue
            kind = type(value)
            if id(kind) in _SEQUENCES:
                slots = len(value)
                pending += held(value)
            elif id(kind) in _MAPPINGS:
                slots = len(value)
                pending += held(value)
                pending += held(value.values())
            elif kind is bytearray or kind is array:
                slots = len(value)
            else:
                parts = _parts(value)
                if parts is None:
                    continue
                slots, items = parts
                pending += held(items)
            seen[id(value)] = value
            size += 1 + slots
            self._budget -= 1 + slots
            if self._budget < 0:
                raise BudgetSpentError
        return size


def _held(items: Collection[Any]) -> Collection[Any]:
    """Those of the items that are no atoms; four times as fast where all of them are atoms."""
    return () if _ATOM_TYPES.issuperset(map(type, items)) else _held_one_by_one(items)


def _held_one_by_one(items: Collection[Any]) -> Collection[Any]:
    return [item for item in items if id(type(item)) not in _ATOMS]


def _classes_compare_otherwise() -> bool:
    """True where a set of classes may run the program's code, as some metaclass says how."""
    pending = [type]
    while pending:
        for metaclass in _subclasses(pending.pop()):
            own = _namespace(metaclass)
            if "__hash__" in own or "__eq__" in own:
                return True
            pending.append(metaclass)
    return False


def _is_variable(name: str) -> bool:
    """False for dunders, and for `.0`, the hidden argument of a generator expression."""
    return not (name.startswith(".") or (name.startswith("__") and name.endswith("__")))


def _bind(value: Any, pending: list[Any]) -> int:
    if issubclass(type(value), _LEFT_OUT):
        return 0
    if id(type(value)) not in _ATOMS:
        pending.append(value)
    return 1


def _parts(value: Any) -> tuple[int, list[Any]] | None:
    """The slots of an instance, and what they hold; None where it is no container."""
    if issubclass(type(value), _LEFT_OUT):
        return None
    bases = _mro(type(value))
    members = [
        member
        for base in bases
        if "__slots__" in _namespace(base)
        for member in _namespace(base).values()
        if type(member) is types.MemberDescriptorType
    ]
    held: list[Any] = []
    try:
        held.extend(object.__getattribute__(value, "__dict__").values())
    except AttributeError:
        if not members:
            return None
    for member in members:
        try:
            held.append(member.__get__(value))
        except AttributeError:
            continue
    slots = len(held)
    for base in bases:
        if id(base) in _CONTAINERS:
            items = list(base.__iter__(value))
            slots += len(items)
            held.extend(items)
            if base is dict:
                held.extend(dict.values(value))
            break
    return slots, held
