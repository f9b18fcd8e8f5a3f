"""Measured runs in forks of a warm interpreter, beside those of fresh interpreters.

Run with the project's interpreter: `python benchmarks/forking.py [--python EXE] [--runs N]`. Both
ways take turns, run by run. The clock's milliseconds depend on what else the machine does; those on
the processor, of all processes together, are what many workers cost. The exit status is 1 where the
two ways count or print differently.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from deskcheck.oracles.observations import Watch
from deskcheck.oracles.outcomes import Limits
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.python import AGENT, PythonRuntime, find_interpreter, variation
from deskcheck.oracles.sandbox import ForkingSandbox, Sandbox
from deskcheck.sources.pools import Candidate, PoolOptions
from deskcheck.sources.registry import load_pool

HERE = variation(0)
MOST = 5
"""Candidates of one pool that take turns."""
TICKS_S = os.sysconf("SC_CLK_TCK")

Run = tuple[Program, bytes]
WAYS: dict[str, Callable[[PythonRuntime, Run], Any]] = {
    "count": lambda runtime, run: runtime.count(*run, HERE),
    "count-fast": lambda runtime, run: runtime.count_fast(*run, HERE),
    "observe": lambda runtime, run: runtime.observe(*run, HERE, Watch(trace_lengths=True)),
}


def programs() -> Iterator[tuple[str, list[Run]]]:
    """A name, and programs with inputs that take turns under it."""
    yield "trivial", [(Program(language="python", source=b"print(5)\n"), b"")]
    for pool in ("textbook", "network-simplex"):
        found = islice(load_pool(pool).candidates(PoolOptions(seed=0)), MOST)
        yield pool, [(c.program, c.inputs[0].data) for c in found if isinstance(c, Candidate)]


def processor_s(process: int) -> float:
    """Processor time of a process, of its children, and of all that they have waited for."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS_S + sum(map(processor_s, map(int, children)))


def told(run: Any) -> tuple[object, ...]:
    return run.trace_length, run.outcome.stdout, run.outcome.stderr, run.outcome.exit_code


def measure(
    runtimes: list[PythonRuntime],
    way: Callable[[PythonRuntime, Run], Any],
    turns: list[Run],
    runs: int,
) -> tuple[list[float], list[float], bool]:
    """Median milliseconds on the clock and mean ones on the processor, by runtime; equality."""
    clock: list[list[float]] = [[] for _ in runtimes]
    processor = [0.0 for _ in runtimes]
    equal = True
    for number in range(-2 * len(turns), runs):  # the first ones prepare
        run, results = turns[number % len(turns)], []
        for index, runtime in enumerate(runtimes):
            before, began = processor_s(os.getpid()), time.perf_counter()
            results.append(told(way(runtime, run)))
            if number >= 0:
                clock[index].append(1000 * (time.perf_counter() - began))
                processor[index] += 1000 * (processor_s(os.getpid()) - before) / runs
        equal = equal and len(set(results)) == 1
    return [sorted(found)[len(found) // 2] for found in clock], processor, equal


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", help="the interpreter to measure with")
    parser.add_argument("--runs", type=int, default=100)
    asked = parser.parse_args()
    interpreter = find_interpreter(asked.python)
    print(
        f"CPython {interpreter.version}; milliseconds a run, median on the clock (on the processor)"
    )
    print(f"{'programs':17}{'way':12}{'fresh':>16}{'forked':>16}{'ratio':>16}")
    agreed = True
    with Sandbox() as fresh, ForkingSandbox(str(AGENT)) as forking:
        runtimes = [PythonRuntime(box, interpreter, Limits()) for box in (fresh, forking)]
        for name, turns in programs():
            for title, way in WAYS.items():
                clock, processor, equal = measure(runtimes, way, turns, asked.runs)
                cells = [f"{c:.1f} ({p:.1f})" for c, p in zip(clock, processor, strict=True)]
                cells.append(f"{clock[0] / clock[1]:.1f} ({processor[0] / processor[1]:.1f})")
                print(f"{name:17}{title:12}" + "".join(f"{cell:>16}" for cell in cells), flush=True)
                agreed = agreed and equal
                if not equal:
                    print("  what is told differs")
        if reason := forking.why_fresh(interpreter.executable):
            print(f"runs are not forked: {reason}")
    return 0 if agreed else 1


if __name__ == "__main__":
    sys.exit(main())
