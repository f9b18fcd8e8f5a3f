"""Watch a clean program from beside it: loop visits, and its variables at declared moments.

The program itself is never changed to tell: boundaries are LINE events of no-op markers (see
`markers`), values are read from the frame that reached one.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes longer to import than the whole agent
    from collections.abc import Callable, Mapping, Sequence
    from types import CodeType, FrameType
    from typing import Any

_seek = os.lseek  # bound before the program runs, which may put anything in its place

_ATOMS = frozenset(map(id, (int, float, complex, bool, str, bytes, type(None))))


class Activation:
    """One entry of a loop, in one frame.

    `exit_visit` is the loop's count of normal ends when this activation ended normally, else 0;
    `silent` is True when nothing had been printed as it began.
    """

    __slots__ = ("exit_visit", "iterations", "ordinal", "silent", "watched")

    def __init__(self, ordinal: int, silent: bool) -> None:
        self.ordinal = ordinal
        self.silent = silent
        self.iterations = 0
        self.exit_visit = 0
        self.watched: Strides | None = None

    def row(self) -> list[int]:
        return [self.ordinal, self.iterations, self.exit_visit]


class Strides:
    """Which names held an int that grew by one constant step from iteration to iteration."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._last: dict[str, int] = {}
        self._step: dict[str, int] = {}
        self._broken: set[str] = set()

    def see(self, values: Mapping[str, Any]) -> None:
        for name in self._names:
            value = values.get(name)
            if type(value) is not int:
                self._broken.add(name)
                continue
            if name in self._last:
                step = value - self._last[name]
                if self._step.setdefault(name, step) != step:
                    self._broken.add(name)
            self._last[name] = value

    def constant(self) -> list[str]:
        """Names of counters; one that never moved is none."""
        return [name for name, step in self._step.items() if step and name not in self._broken]


class LoopObserver:
    """Counts visits and activations of every loop and takes snapshots at wanted boundaries.

    `wanted` holds (loop, place, activation, iteration) with iteration 0 for `before` and `post`;
    `names` the variables to read, by loop; `watch` the activations, by loop, whose integer
    variables are followed for constant strides.
    """

    def __init__(
        self,
        loops: Sequence[int],
        *,
        wanted: Sequence[tuple[int, str, int, int]],
        names: Mapping[int, Sequence[str]],
        watch: Mapping[int, Sequence[int]],
        encode: Callable[[Any], Any],
        counters: Callable[[], dict[str, Any]],
    ) -> None:
        self._loops = loops
        self._wanted = set(wanted)
        self._names = names
        self._watch = watch
        self._encode = encode
        self._counters = counters
        self._current: list[dict[int, Activation]] = [{} for _ in loops]
        self._all: list[list[Activation]] = [[] for _ in loops]
        self._visits = [0] * len(loops)
        self._exits = [0] * len(loops)
        self._silent = True
        self.snapshots: list[dict[str, Any]] = []

    def boundary(self, ordinal: int, place: str, frame: FrameType) -> None:
        """The program's `frame` is at a boundary of loop number `ordinal`."""
        loop = self._loops[ordinal]
        if place == "before":
            visit = len(self._all[ordinal]) + 1
            self._silent = self._silent and not _printed()
            activation = Activation(visit, self._silent)
            if visit in self._watch.get(loop, ()):
                activation.watched = Strides(self._names.get(loop, ()))
            self._all[ordinal].append(activation)
            # A frame is in one activation of a loop at a time, and passes here before each.
            self._current[ordinal][id(frame)] = activation
        elif place == "inside":
            self._visits[ordinal] += 1
            visit = self._visits[ordinal]
            activation = self._current[ordinal][id(frame)]
            activation.iterations += 1
            if activation.watched is not None:
                activation.watched.see(_variables(frame, self._names.get(loop, ())))
        else:
            self._exits[ordinal] += 1
            visit = self._exits[ordinal]
            activation = self._current[ordinal][id(frame)]
            activation.exit_visit = visit
        iteration = activation.iterations if place == "inside" else 0
        if (loop, place, activation.ordinal, iteration) in self._wanted:
            self._snapshot(loop, place, visit, activation, frame)

    def _snapshot(
        self, loop: int, place: str, visit: int, activation: Activation, frame: FrameType
    ) -> None:
        values = _variables(frame, self._names.get(loop, ()))
        first: dict[int, str] = {}
        rows: dict[str, Any] = {}
        for name, value in values.items():
            same_as = name if id(type(value)) in _ATOMS else first.setdefault(id(value), name)
            rows[name] = {"value": self._encode(value), "same_object_as": same_as}
        self.snapshots.append(
            {
                "loop": loop,
                "place": place,
                "visit": visit,
                "activation": activation.ordinal,
                "iteration": activation.iterations,
                "stdin": _stdin_position(),
                "printed": _printed(),
                "variables": rows,
                **self._counters(),
            }
        )

    def profile(self, keep: int) -> list[dict[str, Any]]:
        """Per loop in source order: totals, and its `keep` largest activations that ended.

        The largest one before which nothing was printed is always among them.
        """
        rows = []
        for ordinal, loop in enumerate(self._loops):
            by_size = sorted(self._all[ordinal], key=lambda a: (-a.iterations, a.ordinal))
            ended = [activation for activation in by_size if activation.exit_visit]
            silent = [activation for activation in ended[keep:] if activation.silent]
            kept = ended[:keep]
            if silent and not any(activation.silent for activation in kept):
                kept.append(silent[0])
            rows.append(
                {
                    "loop": loop,
                    "visits": self._visits[ordinal],
                    "exits": self._exits[ordinal],
                    "entries": len(by_size),
                    "most": by_size[0].iterations if by_size else 0,
                    "activations": [activation.row() for activation in kept],
                    "strides": {
                        str(activation.ordinal): activation.watched.constant()
                        for activation in by_size
                        if activation.watched is not None
                    },
                }
            )
        return rows


def _variables(frame: FrameType, names: Sequence[str]) -> dict[str, Any]:
    """The bound ones among `names`, as the frame's code would find them; builtins left out."""
    if not names:
        return {}
    inner, outer = frame.f_locals, frame.f_globals
    found = {}
    for name in names:
        if name in inner:
            found[name] = inner[name]
        elif name in outer:
            found[name] = outer[name]
    return found


def _stdin_position() -> str:
    """Where standard input stands; another place later means that something was read."""
    try:
        at = _seek(0, 0, os.SEEK_CUR)
    except OSError:
        return "closed"
    try:
        return f"{at} {sys.__stdin__.tell() if sys.__stdin__ is not None else ''}"
    except ValueError:
        return f"{at} closed"
    except OSError:  # "telling position disabled by next() call"
        return "iterated"


def _printed() -> int:
    """Bytes on standard output so far, those still in the stream's buffer included."""
    try:
        if sys.stdout is sys.__stdout__ and sys.stdout is not None:
            sys.stdout.flush()
        return _seek(1, 0, os.SEEK_CUR)
    except (OSError, ValueError):
        return 0


class MarkerNops:
    """Counts executed marker NOPs, which a clean run would not have."""

    def __init__(self) -> None:
        from opcode import opmap

        self._nop = opmap["NOP"]
        self.executed = 0
        self._bytes: dict[int, tuple[CodeType, bytes]] = {}

    def at(self, frame: FrameType) -> None:
        code = frame.f_code
        held = self._bytes.get(id(code))
        if held is None:
            held = self._bytes[id(code)] = (code, code.co_code)
        self.executed += held[1][frame.f_lasti] == self._nop
