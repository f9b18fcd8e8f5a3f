"""Counters written into bytecode, so that a program counts itself as it runs.

A counter is an `itertools.repeat` among the constants, stepped by a FOR_ITER that is no loop: no
Python frame, no call, and nothing that could raise or be interrupted. Every instruction is
covered by a row of the exception table, whose handler notes the offset that the interpreter
pushes with the exception and goes on to the handler that stood there, or out of the frame.
"""

from __future__ import annotations

from _operator import length_hint
from itertools import repeat

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes longer to import than the whole agent
    from collections.abc import Hashable
    from types import CodeType, ModuleType
    from typing import Any

    from deskcheck.oracles.inside.bytecode import Handled, Instruction, Position
    from deskcheck.oracles.inside.flow import Edge, Flow

MANY = 2**62
MORE_STACK = 4
"""What the code of a handler needs above what the handler that stood there did."""


def _count(counter: repeat[None]) -> int:
    return MANY - length_hint(counter)


class Cover:
    """What the exception table says of a run of code: the label that exceptions go to."""

    __slots__ = ("depth", "label", "pushes_offset")

    def __init__(self, label: Hashable, depth: int, pushes_offset: bool) -> None:
        self.label = label
        self.depth = depth
        self.pushes_offset = pushes_offset


class Item:
    """An instruction to be written; `goal` is the label that it jumps to, or None."""

    __slots__ = ("arg", "cover", "extensions", "goal", "of", "opcode", "original")

    def __init__(self, opcode: int, arg: int, of: Instruction, cover: Cover | None) -> None:
        self.opcode = opcode
        self.arg = arg
        self.goal: Hashable = None
        self.of = of
        self.cover = cover
        self.original = False
        self.extensions = 0


class Rewritten:
    """One code object with its counters, and what they say after a run."""

    def __init__(self, bytecode: ModuleType, flow: Flow, code: CodeType, consts: list[Any]) -> None:
        self.identity = (code.co_qualname, code.co_firstlineno, code.co_linetable)
        self._bytecode = bytecode
        self._flow = flow
        self._opmap: dict[str, int] = bytecode.opmap
        self._consts = consts
        self._items: list[Item] = []
        self._originals: dict[int, Item] = {}
        self._labels: dict[Hashable, int] = {}
        self._raised: dict[int, repeat[None]] = {}
        self._entered: dict[int, list[repeat[None]]] = {}
        self._tally: list[repeat[None]] = []
        self._stray = repeat(None, MANY)
        self._chords = {edge: repeat(None, MANY) for edge in flow.chords()}
        self._outside = Cover("outside", 0, True)
        self._covers: dict[Hashable, tuple[Cover, Handled]] = {}
        self._direct: dict[Hashable, Cover] = {}
        self._tally_const = len(consts)
        consts.append(self._tally)
        self._write_body()
        self._write_detours()
        self._write_handlers()
        self.code = self._finished(code)
        # A program may count the references to its constants.
        del self._consts, self._items, self._originals, self._labels

    # -- what is written

    def _cover_of(self, each: Instruction) -> Cover | None:
        flow = self._flow
        if each.index < flow.entry:
            return None
        row = flow.handlers.get(each.index)
        if each.index in flow.always_raise:
            if row is None:
                return None
            key = (row.target, row.depth, row.pushes_offset)
            direct = Cover(flow.at[row.target], row.depth, row.pushes_offset)
            return self._direct.setdefault(key, direct)
        if row is None:
            return self._outside
        key = (row.target, row.depth, row.pushes_offset)
        return self._covers.setdefault(key, (Cover(key, row.depth, True), row))[0]

    def _add(self, name: str, arg: int, of: Instruction, goal: Hashable = None) -> None:
        # An inserted instruction belongs to what stands before it: 3.13 looks up the handler of
        # an exception that a callee raised by the code unit before the call.
        cover = self._items[-1].cover if self._items else None
        self._items.append(Item(self._opmap[name], arg, of, cover))
        self._items[-1].goal = goal

    def _step(self, of: Instruction) -> None:
        """Step the counter on top of the stack and drop it."""
        self._add("FOR_ITER", 0, of)
        for name in self._bytecode.ENDS_OF_FOR:
            self._add(name, 0, of)

    def _add_counter(self, counter: repeat[None], of: Instruction) -> None:
        self._consts.append(counter)
        self._add("LOAD_CONST", len(self._consts) - 1, of)
        self._step(of)

    def _write_body(self) -> None:
        flow = self._flow
        before, behind, arriving = self._places()
        for each in flow.instructions:
            for edge in arriving.get(~each.index, ()):
                self._add_counter(self._chords[edge], each)
            self._labels[each.index] = len(self._items)
            for edge in (*arriving.get(each.index, ()), *before.get(each.index, ())):
                self._add_counter(self._chords[edge], each)
            item = Item(each.opcode, each.arg, each, self._cover_of(each))
            item.original = True
            if each.target >= 0:
                item.goal = flow.at[each.target]
            self._items.append(item)
            self._originals[each.index] = item
            for edge in behind.get(each.index, ()):
                self._add_counter(self._chords[edge], each)
        for edge in self._chords:
            if edge.detour:
                self._originals[edge.at].goal = edge

    def _places(self) -> tuple[dict[int, list[Edge]], dict[int, list[Edge]], dict[int, list[Edge]]]:
        """Counters in line, by instruction: before it, behind it, and where it is jumped to;
        in the last `~index` stands for what does not jump there but falls."""
        before: dict[int, list[Edge]] = {}
        behind: dict[int, list[Edge]] = {}
        arriving: dict[int, list[Edge]] = {}
        for edge in self._chords:
            if edge.kind in ("leaves", "jumps"):
                before.setdefault(edge.at, []).append(edge)
            elif edge.kind == "exhausts":
                arriving.setdefault(~self._flow.targets[edge.at], []).append(edge)
            elif edge.kind != "branches":
                behind.setdefault(edge.at, []).append(edge)
            elif not edge.detour:
                arriving.setdefault(self._flow.targets[edge.at], []).append(edge)
        return before, behind, arriving

    def _write_detours(self) -> None:
        for edge, counter in self._chords.items():
            if edge.detour:
                self._labels[edge] = len(self._items)
                of = self._flow.instructions[edge.at]
                self._add_counter(counter, of)
                self._add("JUMP_BACKWARD_NO_INTERRUPT", 0, of, self._flow.targets[edge.at])

    def _write_handlers(self) -> None:
        last = self._flow.instructions[-1]
        first = len(self._items)
        for key, (_, row) in self._covers.items():
            self._labels[key] = len(self._items)
            self._write_tally(last)
            entered = repeat(None, MANY)
            block = self._flow.block[self._flow.at[row.target]]
            self._entered.setdefault(block, []).append(entered)
            self._add_counter(entered, last)
            if not row.pushes_offset:
                self._add("SWAP", 2, last)
                self._add("POP_TOP", 0, last)
            self._add("JUMP_BACKWARD_NO_INTERRUPT", 0, last, self._flow.at[row.target])
        self._labels[self._outside.label] = len(self._items)
        self._write_tally(last)
        self._add("RERAISE", 1, last)
        for item in self._items[first:]:
            item.cover = None

    def _write_tally(self, of: Instruction) -> None:
        """Note the offset that lies below the exception."""
        self._add("LOAD_CONST", self._tally_const, of)
        self._add("COPY", 3, of)
        self._add("BINARY_SUBSCR", 0, of)
        self._step(of)

    # -- how it is laid out

    def _finished(self, code: CodeType) -> CodeType:
        offsets = self._laid_out()
        encode = self._bytecode.encode
        positions = list(code.co_positions())
        body = bytearray()
        places: list[tuple[int, Position]] = []
        for item, start, end in zip(self._items, offsets, offsets[1:], strict=False):
            body += encode(item.opcode, item.arg, item.extensions)
            units, position = (end - start) // 2, positions[item.of.start // 2]
            if places and places[-1][1] == position:
                units += places.pop()[0]
            places.append((units, position))
            counter = self._stray
            if item.original and item.of.index not in self._flow.always_raise:
                counter = self._raised[item.of.index] = repeat(None, MANY)
            self._tally += [counter] * ((end - start) // 2)
        return code.replace(
            co_code=bytes(body),
            co_consts=tuple(self._consts),
            co_stacksize=code.co_stacksize + MORE_STACK,
            co_exceptiontable=self._bytecode.encode_exceptions(self._rows(offsets)),
            co_linetable=self._bytecode.encode_positions(places, code.co_firstlineno),
        )

    def _laid_out(self) -> list[int]:
        """Offsets of the items and of their end, with the arguments of jumps filled in."""
        bytecode = self._bytecode
        caches, backward = bytecode.CACHES, bytecode.BACKWARD
        for item in self._items:
            item.extensions = bytecode.extensions_of(item.arg)
        while True:
            offsets = [0]
            for item in self._items:
                offsets.append(offsets[-1] + 2 * (1 + item.extensions + caches[item.opcode]))
            grown = False
            for item, end in zip(self._items, offsets[1:], strict=True):
                if item.goal is None:
                    continue
                way = (offsets[self._labels[item.goal]] - end) // 2
                item.arg = -way if item.opcode in backward else way
                needed = bytecode.extensions_of(item.arg)
                if needed > item.extensions:
                    item.extensions, grown = needed, True
            if not grown:
                return offsets

    def _rows(self, offsets: list[int]) -> list[Handled]:
        handled = self._bytecode.Handled
        rows: list[Handled] = []
        covers: list[Cover | None] = []
        for item, start, end in zip(self._items, offsets, offsets[1:], strict=False):
            begin = start
            if item.original and item.of.start == item.of.at and rows:
                begin += 2 * item.extensions  # new ones belong to what stands before
                rows[-1].end = begin
            if rows and covers[-1] is item.cover:
                rows[-1].end = end
                continue
            cover = item.cover
            target = 0 if cover is None else offsets[self._labels[cover.label]]
            depth, pushes = (0, False) if cover is None else (cover.depth, cover.pushes_offset)
            rows.append(handled(begin, end, target, depth, pushes))
            covers.append(cover)
        return [row for row, cover in zip(rows, covers, strict=True) if cover is not None]

    # -- what it says

    def counts(self) -> dict[int, int]:
        """INSTRUCTION events by offset in the code that was given."""
        return self._flow.events(self._flow.solve(*self._read()))

    def total(self) -> int:
        """All of them."""
        return self._flow.total(*self._read())

    def _read(self) -> tuple[dict[Edge, int], dict[int, int], dict[int, int], int]:
        counted = {edge: _count(counter) for edge, counter in self._chords.items()}
        raised: dict[int, int] = {}
        if sum(map(length_hint, self._raised.values())) != MANY * len(self._raised):
            raised = {index: _count(counter) for index, counter in self._raised.items()}
        entered = {block: sum(map(_count, each)) for block, each in self._entered.items()}
        return counted, raised, entered, _count(self._stray)


class Rewriter:
    """Rewrites a program's code and everything that its constants hold."""

    def __init__(self, bytecode: ModuleType, flow: ModuleType) -> None:
        self._bytecode = bytecode
        self._flow = flow
        self.rewritten: list[Rewritten] = []

    def rewrite(self, code: CodeType) -> CodeType:
        consts = [
            self.rewrite(const) if isinstance(const, type(code)) else const
            for const in code.co_consts
        ]
        flow = self._flow.Flow(self._bytecode, code)
        made = Rewritten(self._bytecode, flow, code, consts)
        self.rewritten.append(made)
        return made.code
