"""The control flow of one code object, and the counts that follow from counts on a few edges.

What enters a block leaves it, so counts on the edges outside a spanning tree give those on the
tree. The tree is one of greatest expected weight: counters stand where little is expected to pass.
Exceptions are no edges: they are counted by the instruction they leave and the handler they enter.
`RAISE_VARARGS` and `RERAISE` always raise, so they are jumps to their handler.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes longer to import than the whole agent
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from types import CodeType, ModuleType

    from deskcheck.oracles.inside.bytecode import Handled, Instruction

OUTSIDE = -1
"""The node that frames come from and go to, also where they are suspended."""

LOOP_WEIGHT = 10.0
"""Expected iterations of a loop."""
COLD = 0.01
"""Expected share of what handles an exception."""
DETOUR = 1.7
"""What a counter costs where it takes a jump of its own, over one that stands in line."""


class UnsupportedError(Exception):
    """Code that no compiler of a known version writes."""


class InconsistentError(Exception):
    """Counts that no run can have left."""


class Edge:
    """A way from block to block; `at` is the instruction that it belongs to.

    It `starts` or `resumes` a frame, `leaves` it or its block for a handler, `jumps`, `branches`
    (the jump is taken), `exhausts` the iterator of a FOR_ITER, or `falls` into the next block.
    """

    __slots__ = ("at", "detour", "kind", "source", "target", "weight")

    def __init__(self, kind: str, at: int, source: int, target: int, weight: float) -> None:
        self.kind = kind
        self.at = at
        self.source = source
        self.target = target
        self.weight = weight
        self.detour = False
        """A counter on it cannot stand in line with other code."""


class Flow:
    """Blocks and edges of one code object; block numbers are those of their order in the code.

    `handlers` gives, by instruction, the row of the exception table that covers it.
    """

    def __init__(self, bytecode: ModuleType, code: CodeType) -> None:
        self._opmap: dict[str, int] = bytecode.opmap
        self._ends_of_for = [self._opmap[name] for name in bytecode.ENDS_OF_FOR]
        self._backward: frozenset[int] = bytecode.BACKWARD
        self.instructions: list[Instruction] = bytecode.decode(code.co_code)
        self.rows: list[Handled] = bytecode.exception_table(code)
        self.at = {each.start: each.index for each in self.instructions}
        self._resume = self._opmap["RESUME"]
        self._suspended = self._opmap["RESUME" if bytecode.THROWN_AT_RESUME else "YIELD_VALUE"]
        self.entry = self._entry()
        self.handlers = self._handlers()
        self._raising = self._named(*RAISING)
        self._returns = self._named(*RETURNS)
        self._jumping = self._named(*JUMPING)
        self.always_raise = {
            each.index for each in self.instructions if each.opcode in self._raising
        }
        self.targets = {each.index: self._goal(each) for each in self._jumps()}
        self.skipped = self._skipped()
        self.block: dict[int, int] = {}
        """By instruction; those that never run have none."""
        self.blocks: list[list[int]] = []
        self._cut()
        self.caught = {self.block[self.at[row.target]] for row in self.rows}
        """The blocks that exceptions enter."""
        self.edges = list(self._all_edges())
        exhausted = [edge.target for edge in self.edges if edge.kind == "exhausts"]
        if len(exhausted) != len(set(exhausted)):
            raise UnsupportedError("an END_FOR of two loops")
        self._weigh()
        self._order: list[tuple[Edge, int]] = []
        """Edges that are not counted, and the block that each follows from; of `chords`."""
        self._of_instruction = [
            0 if each.opcode == self._resume else (each.at + 2 - each.start) // 2
            for each in self.instructions
        ]
        self._of_block = [sum(self._of_instruction[i] for i in each) for each in self.blocks]
        """INSTRUCTION events of one run of each."""

    def _named(self, *names: str) -> frozenset[int]:
        return frozenset(self._opmap[name] for name in names if name in self._opmap)

    def _entry(self) -> int:
        """The RESUME that a frame starts at: what stands before it is never counted."""
        for each in self.instructions:
            if each.opcode == self._resume:
                return each.index
            if each.target >= 0:
                break
        raise UnsupportedError("no RESUME at its start")

    def _handlers(self) -> dict[int, Handled]:
        found = {}
        for row in self.rows:
            index = self.at[row.start]
            while index < len(self.instructions) and self.instructions[index].start < row.end:
                found[index] = row
                index += 1
        return found

    def _jumps(self) -> Iterator[Instruction]:
        return (each for each in self.instructions if each.target >= 0)

    def _goal(self, jump: Instruction) -> int:
        """The instruction that runs after the jump."""
        goal: int = self.at.get(jump.target, -1)
        if goal <= self.entry:
            raise UnsupportedError("a jump to no instruction")
        if jump.opcode == self._opmap["FOR_ITER"]:
            ends = self.instructions[goal : goal + len(self._ends_of_for)]
            if [end.opcode for end in ends] != self._ends_of_for:
                raise UnsupportedError("a FOR_ITER without END_FOR")
            goal += len(ends)
        return goal

    def _skipped(self) -> frozenset[int]:
        """The END_FORs: only FOR_ITER leads to them, and skips them."""
        ends = self._opmap["END_FOR"]
        more = len(self._ends_of_for)
        starts = [each.index for each in self.instructions if each.opcode == ends]
        return frozenset(start + i for start in starts for i in range(more))

    def _cut(self) -> None:
        """Make blocks of the instructions after the entry."""
        ending = self._named("YIELD_VALUE") | self._returns | self._jumping | self._raising
        leaders = {self.entry + 1, *self.targets.values()}
        leaders.update(self.at[row.target] for row in self.rows)
        fresh = True
        for each in self.instructions[self.entry + 1 :]:
            if each.index in self.skipped:
                fresh = True
                continue
            if fresh or each.index in leaders:
                self.blocks.append([])
            self.blocks[-1].append(each.index)
            self.block[each.index] = len(self.blocks) - 1
            fresh = each.target >= 0 or each.opcode in ending
        if not leaders <= self.block.keys():
            raise UnsupportedError("a jump to where nothing runs")

    def _all_edges(self) -> Iterator[Edge]:
        yield Edge("starts", self.entry, OUTSIDE, 0, 1.0)
        for number, members in enumerate(self.blocks):
            if self.instructions[members[0]].opcode == self._resume:
                yield Edge("resumes", members[0], OUTSIDE, number, 1.0)
            last = self.instructions[members[-1]]
            for kind, target in self._ways_out(last):
                yield Edge(kind, last.index, number, target, 1.0)

    def _ways_out(self, last: Instruction) -> Iterator[tuple[str, int]]:
        if last.opcode in self._returns:
            yield "leaves", OUTSIDE
        elif last.opcode == self._opmap["YIELD_VALUE"]:
            after = self.instructions[last.index + 1 : last.index + 2]
            if [each.opcode for each in after] != [self._resume]:
                raise UnsupportedError("a YIELD_VALUE without RESUME")
            yield "leaves", OUTSIDE
        elif last.opcode in self._raising:
            yield "leaves", self.handler_block(last.index)
        elif last.opcode in self._jumping:
            yield "jumps", self.block[self.targets[last.index]]
        else:
            if last.target >= 0:
                kind = "exhausts" if last.opcode == self._opmap["FOR_ITER"] else "branches"
                yield kind, self.block[self.targets[last.index]]
            if last.index + 1 not in self.block:
                raise UnsupportedError("code that runs past its end")
            yield "falls", self.block[last.index + 1]

    def handler_block(self, index: int) -> int:
        """Where an exception of that instruction goes."""
        row = self.handlers.get(index)
        return OUTSIDE if row is None else self.block[self.at[row.target]]

    def _weigh(self) -> None:
        """Expected runs of each edge: forward from the start, a loop a constant number of times."""
        loops = [
            (self.targets[each.index], each.index)
            for each in self._jumps()
            if each.opcode in self._backward and each.index in self.block
        ]
        heads = {self.block[start] for start, _ in loops}
        ends: dict[int, int] = {}
        for start, end in loops:
            ends[start] = max(end, ends.get(start, 0))
        inner = [-1] * len(self.instructions)
        for start, end in sorted(ends.items(), key=lambda loop: loop[0] - loop[1]):
            inner[start : end + 1] = [end] * (end + 1 - start)
        expected = [COLD if number in self.caught else 0.0 for number in range(len(self.blocks))]
        by_source: list[list[Edge]] = [[] for _ in self.blocks]
        entering = [0] * len(self.blocks)
        for edge in self.edges:
            if edge.source != OUTSIDE:
                by_source[edge.source].append(edge)
            if edge.target != OUTSIDE:
                entering[edge.target] += 1
        if self.blocks:
            expected[0] += 1.0
        for number, out in enumerate(by_source):
            resumes = self.instructions[self.blocks[number][0]].opcode == self._resume
            if resumes:
                expected[number] = expected[number - 1]  # the yield before it
            if number in heads:
                expected[number] *= LOOP_WEIGHT
            shares = [self._share(edge, inner) if len(out) > 1 else 1.0 for edge in out]
            for edge, share in zip(out, shares, strict=True):
                edge.weight = expected[number] * share / sum(shares)
                if edge.target > number:
                    expected[edge.target] += edge.weight
        for edge in self.edges:
            if edge.source == OUTSIDE:
                edge.weight = expected[edge.target] if edge.kind == "resumes" else 1.0
            if edge.kind == "branches":
                edge.detour = entering[edge.target] > 1 or edge.target in self.caught

    def _share(self, edge: Edge, inner: list[int]) -> float:
        """How likely this way out of a branch is, over the others."""
        start = self.blocks[edge.target][0]
        last = self.instructions[self.blocks[edge.target][-1]].opcode
        if inner[edge.at] >= 0 and (start > inner[edge.at] or inner[start] > inner[edge.at]):
            return 1 / LOOP_WEIGHT  # leaves the loop
        if last in self._raising:
            return COLD
        if last in self._returns:
            return 0.3
        return 1.0 if edge.kind == "branches" else 0.8

    def chords(self) -> list[Edge]:
        """The edges to count: those outside a spanning tree of the heaviest."""
        parent = list(range(len(self.blocks) + 1))  # the last one is OUTSIDE's

        def root(node: int) -> int:
            while parent[node] != node:
                parent[node] = node = parent[parent[node]]
            return node

        found = []
        for edge in sorted(self.edges, key=lambda e: -e.weight * (DETOUR if e.detour else 1.0)):
            one, other = root(edge.source % len(parent)), root(edge.target % len(parent))
            if one == other:
                found.append(edge)
            else:
                parent[one] = other
        self._order = list(self._settled(found))
        return found

    def _settled(self, chords: Collection[Edge]) -> Iterator[tuple[Edge, int]]:
        """The other edges in an order in which each is the last unknown one of a block."""
        unknown: list[set[Edge]] = [set() for _ in self.blocks]
        for edge in set(self.edges).difference(chords):
            for node in (edge.source, edge.target):
                if node != OUTSIDE:
                    unknown[node].add(edge)
        ready = [number for number, edges in enumerate(unknown) if len(edges) == 1]
        while ready:
            number = ready.pop()
            if len(unknown[number]) == 1:
                edge = unknown[number].pop()
                yield edge, number
                other = edge.source + edge.target - number
                if other != OUTSIDE:
                    unknown[other].discard(edge)
                    ready.append(other)

    def solve(
        self,
        counted: Mapping[Edge, int],
        raised: Mapping[int, int],
        entered: Mapping[int, int],
        stray: int,
    ) -> dict[int, int]:
        """How often each instruction began, by index.

        `raised` holds the exceptions by the instruction that they are placed at, those of
        instructions that always raise left out, `entered` them by the block of their handler;
        `stray` ones were placed where none can be.
        """
        incoming, leaving = self._runs(counted, raised, entered, stray)
        return self._counts(range(len(self.blocks)), incoming, leaving)

    def total(
        self,
        counted: Mapping[Edge, int],
        raised: Mapping[int, int],
        entered: Mapping[int, int],
        stray: int,
    ) -> int:
        """The sum of all `events` of what `solve` tells, without telling each."""
        incoming, leaving = self._runs(counted, raised, entered, stray)
        raising = {self.block[index] for index in leaving}
        counts = self._counts(raising, incoming, leaving)
        whole = sum(
            runs * self._of_block[number]
            for number, runs in enumerate(incoming)
            if runs and number not in raising
        )
        return whole + sum(self._of_instruction[index] * count for index, count in counts.items())

    def _runs(
        self,
        counted: Mapping[Edge, int],
        raised: Mapping[int, int],
        entered: Mapping[int, int],
        stray: int,
    ) -> tuple[list[int], dict[int, int]]:
        """How often each block began, and the exceptions that left instructions, if any did."""
        leaving = self._leaving(raised)
        incoming = [entered.get(number, 0) for number in range(len(self.blocks))]
        outgoing = [0] * len(self.blocks)
        for index, count in leaving.items():
            outgoing[self.block[index]] += count
        flows = [0]
        for edge, number in (*((chord, OUTSIDE) for chord in counted), *self._order):
            if number == OUTSIDE:
                flow = counted[edge]
            else:
                flow = incoming[number] - outgoing[number]
                if edge.source != number:
                    flow = -flow
            if flow:
                flows.append(flow)
                if edge.source != OUTSIDE:
                    outgoing[edge.source] += flow
                if edge.target != OUTSIDE:
                    incoming[edge.target] += flow
        if stray or incoming != outgoing or min(flows) < 0:
            raise InconsistentError
        return incoming, leaving

    def _leaving(self, raised: Mapping[int, int]) -> dict[int, int]:
        """Exceptions that instructions raised, not those thrown in where a frame is suspended."""
        return {
            index: count
            for index, count in raised.items()
            if count and index in self.block and self.instructions[index].opcode != self._suspended
        }

    def _counts(
        self, numbers: Iterable[int], incoming: Sequence[int], leaving: Mapping[int, int]
    ) -> dict[int, int]:
        """How often each instruction of these blocks began, by index."""
        counts = {}
        for number in numbers:
            runs = incoming[number]
            for index in self.blocks[number]:
                counts[index] = runs
                runs -= leaving.get(index, 0)
                if runs < 0:
                    raise InconsistentError
        return counts

    def events(self, counts: Mapping[int, int]) -> dict[int, int]:
        """INSTRUCTION events by offset: each EXTENDED_ARG is one, RESUME is none."""
        return {
            offset: count
            for index, count in counts.items()
            if self.instructions[index].opcode != self._resume
            for offset in range(self.instructions[index].start, self.instructions[index].at + 2, 2)
        }


RETURNS = ("RETURN_VALUE", "RETURN_CONST")
JUMPING = ("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT")
RAISING = ("RAISE_VARARGS", "RERAISE")
