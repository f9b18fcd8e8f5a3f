"""Bytecode as it is written in code objects: instructions, exception table, positions.

Known for the bytecode of CPython 3.12 and 3.13, by its magic number; `unknown()` says what any
other interpreter is. Offsets are in bytes, two to a code unit, as in tracebacks.
"""

from __future__ import annotations

import sys
from _frozen_importlib_external import MAGIC_NUMBER
from opcode import _cache_format, hasjrel, opmap, opname  # type: ignore[attr-defined]

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes longer to import than the whole agent
    from collections.abc import Iterable
    from types import CodeType

    Position = tuple[int | None, int | None, int | None, int | None]

MAGIC = int.from_bytes(MAGIC_NUMBER[:2], "little")
KNOWN = {3531: (3, 12), 3571: (3, 13)}
VERSION = KNOWN.get(MAGIC, (0, 0))

ENDS_OF_FOR = {(3, 12): ("END_FOR",), (3, 13): ("END_FOR", "POP_TOP")}.get(VERSION, ())
"""What stands where FOR_ITER jumps and is skipped by it; together they pop two values."""
THROWN_AT_RESUME = VERSION == (3, 13)
"""An exception thrown into a generator is placed at the RESUME after its yield, not at it."""

NAMES = opname
EXTENDED_ARG = opmap["EXTENDED_ARG"]
BACKWARD = frozenset(code for name, code in opmap.items() if "JUMP_BACKWARD" in name)
RELATIVE = frozenset(hasjrel)
CACHES = [0] * 256
for _name, _fields in _cache_format.items():
    if opmap[_name] < 256:
        CACHES[opmap[_name]] = sum(_fields.values())
EMPTY = [bytes(2 * length) for length in range(max(CACHES) + 1)]


def unknown() -> str:
    """Why the bytecode of this interpreter is not known, or nothing."""
    if not VERSION[0] or sys.implementation.name != "cpython":
        return f"bytecode {MAGIC} of {sys.implementation.name} is not known"
    if not getattr(sys, "_is_gil_enabled", bool)() and hasattr(sys, "_is_gil_enabled"):
        return "threads run at once"
    return ""


class Instruction:
    """One instruction: `start` is that of its first EXTENDED_ARG, `end` lies past its caches."""

    __slots__ = ("arg", "at", "end", "index", "opcode", "start", "target")

    def __init__(self, index: int, start: int, at: int, end: int, opcode: int, arg: int) -> None:
        self.index = index
        self.start = start
        self.at = at
        self.end = end
        self.opcode = opcode
        self.arg = arg
        self.target = -1
        """The offset that it may jump to, or -1."""
        if opcode in RELATIVE:
            self.target = end + (-2 * arg if opcode in BACKWARD else 2 * arg)


def decode(code: bytes) -> list[Instruction]:
    """The instructions of `co_code`, in order."""
    found: list[Instruction] = []
    start = at = arg = 0
    while at < len(code):
        opcode, arg = code[at], arg << 8 | code[at + 1]
        if opcode == EXTENDED_ARG:
            at += 2
            continue
        end = at + 2 + 2 * CACHES[opcode]
        found.append(Instruction(len(found), start, at, end, opcode, arg))
        start, at, arg = end, end, 0
    return found


def encode(opcode: int, arg: int, extensions: int) -> bytes:
    """One instruction with that many EXTENDED_ARGs and empty caches."""
    own = bytes((opcode, arg & 255)) + EMPTY[CACHES[opcode]]
    if not extensions:
        return own
    more = ((EXTENDED_ARG, arg >> 8 * digit & 255) for digit in range(extensions, 0, -1))
    return b"".join(map(bytes, more)) + own


def extensions_of(arg: int) -> int:
    """How many EXTENDED_ARGs an argument takes."""
    return 0 if arg < 256 else (arg.bit_length() - 1) // 8


class Handled:
    """A row of the exception table: the depth that the stack is cut to, and whether the offset
    of the instruction that raised is pushed below the exception."""

    __slots__ = ("depth", "end", "pushes_offset", "start", "target")

    def __init__(self, start: int, end: int, target: int, depth: int, pushes_offset: bool) -> None:
        self.start = start
        self.end = end
        self.target = target
        self.depth = depth
        self.pushes_offset = pushes_offset


def exception_table(code: CodeType) -> list[Handled]:
    units = iter(code.co_exceptiontable)

    def number(byte: int) -> int:
        value = byte & 63
        while byte & 64:
            byte = next(units)
            value = value << 6 | byte & 63
        return value

    rows = []
    for byte in units:
        start, length, target, packed = number(byte), *(number(next(units)) for _ in range(3))
        rows.append(
            Handled(2 * start, 2 * (start + length), 2 * target, packed >> 1, bool(packed & 1))
        )
    return rows


def encode_exceptions(rows: Iterable[Handled]) -> bytes:
    """An exception table of rows that are in order and do not overlap."""
    table = bytearray()
    for row in rows:
        first = len(table)
        packed = row.depth << 1 | row.pushes_offset
        for value in (row.start // 2, (row.end - row.start) // 2, row.target // 2, packed):
            digits = max(0, value.bit_length() - 1) // 6
            table.extend(64 | value >> 6 * digit & 63 for digit in range(digits, 0, -1))
            table.append(value & 63)
        table[first] |= 128
    return bytes(table)


def encode_positions(places: Iterable[tuple[int, Position]], line: int) -> bytes:
    """A `co_linetable` of positions, each for a number of code units, after `co_firstlineno`."""
    table = bytearray()
    for units, (first, last, column, end_column) in places:
        for left in range(units, 0, -8):
            length = min(left, 8) - 1
            if first is None:
                table.append(NOWHERE | length)
            elif last is None or column is None or end_column is None:
                table.append(LINE | length)
                _append(table, _signed(first - line))
                line = first
            else:
                table.append(LINES_AND_COLUMNS | length)
                _append(table, _signed(first - line))
                line = first
                _append(table, last - first)
                _append(table, column + 1)
                _append(table, end_column + 1)
    return bytes(table)


# How an entry of `co_linetable` begins, before the number of its code units.
LINE, LINES_AND_COLUMNS, NOWHERE = (0x80 | form << 3 for form in (13, 14, 15))


def _signed(value: int) -> int:
    return -value << 1 | 1 if value < 0 else value << 1


def _append(table: bytearray, value: int) -> None:
    while value >= 64:
        table.append(64 | value & 63)
        value >>= 6
    table.append(value)
