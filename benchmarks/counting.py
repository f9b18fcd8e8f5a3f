"""What counting opcodes costs over a native run: the fast counter beside other ways.

Run with the interpreter to measure: `python benchmarks/counting.py`. It needs nothing installed,
so any CPython of 3.12 or 3.13 will do. Every way runs in this one process, in turn, round after
round, and the least processor time of each is compared. The exit status is 1 where two exact ways
count differently.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import math
import platform
import sys
import time
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

HERE = Path(__file__).parent
INSIDE = HERE.parent / "oracles" / "deskcheck" / "oracles" / "inside"
PROGRAMS = (
    *("longest_increasing", "sieve", "dijkstra"),
    *("edit_distance", "network_simplex", "mixed"),
)
MEAN_GOAL, WORST_GOAL = 1.15, 1.35

_loaded: dict[str, ModuleType] = {}


def load(name: str) -> Any:
    if name not in _loaded:
        module = ModuleType(f"_deskcheck_inside_{name}")
        SourceFileLoader(module.__name__, str(INSIDE / f"{name}.py")).exec_module(module)
        _loaded[name] = module
    return _loaded[name]


class Native:
    """The program alone."""

    exact = False
    twice = False
    """Run once before it is timed."""
    opcodes = 0

    def __init__(self, code: CodeType, filename: str) -> None:
        self.code = code

    def begin(self) -> None:
        pass

    def end(self) -> None:
        pass


class Fast(Native):
    """The program's bytecode counts itself."""

    exact = True

    def __init__(self, code: CodeType, filename: str) -> None:
        self._counter = load("fast_counting").FastCounter(load, code, filename)
        if self._counter.reference:
            raise SystemExit(f"not counted fast: {self._counter.reference}")
        self.code = self._counter.code

    def begin(self) -> None:
        self._counter.begin()

    def end(self) -> None:
        self._counter.end()
        self.opcodes = self._counter.opcodes


class CheapestEvents(Native):
    """INSTRUCTION events, counted by a cache of size 0: no Python frame."""

    exact = True

    def __init__(self, code: CodeType, filename: str) -> None:
        self.code = code
        self._counter = load("counting").NativeCounter(filename)

    def begin(self) -> None:
        self._counter.begin()

    def end(self) -> None:
        self._counter.end()
        self.opcodes = self._counter.opcodes


class PythonEvents(CheapestEvents):
    """INSTRUCTION events, counted by a Python function."""

    def __init__(self, code: CodeType, filename: str) -> None:
        super().__init__(code, filename)
        self._counter = load("counting").BoundedCounter(filename, 10**15, lambda: None)


class SetTrace(Native):
    """`sys.settrace` with `f_trace_opcodes`; what it misses and adds is not corrected.

    Opcodes are traced only from a code object's second activation on, so everything runs twice.
    """

    twice = True

    def __init__(self, code: CodeType, filename: str) -> None:
        self.code = code
        self._filename = filename

    def begin(self) -> None:
        sys._getframe().f_trace_opcodes = True  # 3.12 looks at it when tracing is turned on
        sys.settrace(self._trace)

    def end(self) -> None:
        sys.settrace(None)

    def _trace(self, frame: FrameType, event: str, _: object) -> Callable[..., Any] | None:
        if frame.f_code.co_filename != self._filename:
            return None
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        if event == "opcode":
            self.opcodes += 1
        return self._trace


WAYS: dict[str, tuple[type[Native], bool]] = {
    "native": (Native, True),
    "fast": (Fast, True),
    "cheapest events": (CheapestEvents, False),
    "Python events": (PythonEvents, False),
    "settrace": (SetTrace, False),
}
"""By name, and whether it is run in every round; the others, being slow, are run once."""


def seconds(way: Native) -> float:
    gc.collect()
    with contextlib.redirect_stdout(io.StringIO()):
        way.begin()
        if way.twice:
            exec(way.code, {"__name__": "__main__"})
        began = time.process_time()
        try:
            exec(way.code, {"__name__": "__main__"})
        finally:
            took = time.process_time() - began
            way.end()
    return took


def measure(name: str, rounds: int, ways: list[str]) -> tuple[dict[str, float], dict[str, int]]:
    """The least seconds of each way, and what the exact ones count."""
    path = HERE / "programs" / f"{name}.py"
    source = path.read_bytes()
    least: dict[str, float] = {}
    counts: dict[str, int] = {}
    for turn in range(rounds):
        for title in ways:
            kind, always = WAYS[title]
            if turn and not always:
                continue
            way = kind(compile(source, str(path), "exec", dont_inherit=True), str(path))
            took = seconds(way)
            least[title] = min(took, least.get(title, took))
            if kind.exact:
                counts[title] = way.opcodes
    return least, counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--ways", nargs="*", choices=list(WAYS), default=list(WAYS))
    parser.add_argument("--programs", nargs="*", choices=PROGRAMS, default=PROGRAMS)
    asked = parser.parse_args()
    sys.setrecursionlimit(10_000)
    print(f"CPython {platform.python_version()}; processor time over native")
    columns = [title for title in asked.ways if title != "native"]
    print(f"{'program':20}{'native':>9}" + "".join(f"{title:>17}" for title in columns))
    ratios: dict[str, list[float]] = {title: [] for title in columns}
    agreed = True
    for name in asked.programs:
        least, counts = measure(name, asked.rounds, ["native", *columns])
        for title in columns:
            ratios[title].append(least[title] / least["native"])
        row = "".join(f"{ratios[title][-1]:17.3f}" for title in columns)
        print(f"{name:20}{least['native']:8.3f}s{row}", flush=True)
        if len(set(counts.values())) > 1:
            agreed = False
            print(f"  the counts differ: {counts}")
    means = {title: math.prod(found) ** (1 / len(found)) for title, found in ratios.items()}
    print(f"{'geometric mean':29}" + "".join(f"{means[title]:17.3f}" for title in columns))
    if "fast" in columns:
        worst = max(ratios["fast"])
        met = means["fast"] <= MEAN_GOAL and worst <= WORST_GOAL
        print(
            f"fast: mean {means['fast']:.3f} (goal {MEAN_GOAL}), worst {worst:.3f} "
            f"(goal {WORST_GOAL}): {'met' if met else 'missed'}"
        )
    return 0 if agreed else 1


if __name__ == "__main__":
    sys.exit(main())
