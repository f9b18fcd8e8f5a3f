"""Admission throughput, the split of its time by stage, and the start-up of the command line.

Run with the project's interpreter: `python benchmarks/admission.py [--candidates N]`. Figures are
of this machine; what carries over are the shares and the ratios, each measured within one run.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from deskcheck.builder import admission
from deskcheck.builder.instrument.python import instrument
from deskcheck.builder.parameters import Parameters
from deskcheck.builder.syntax import read_source
from deskcheck.builder.workers import Judging, verdicts
from deskcheck.builder.writing import write_case
from deskcheck.oracles.outcomes import Limits, Outcome
from deskcheck.oracles.runtimes.python import PythonRuntime, find_interpreter
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.pools import Candidate, PoolOptions
from deskcheck.sources.registry import load_pool

START_UP_GOAL_S = 0.3


class Stopwatch:
    """Seconds by stage; a stage inside another is taken out of the outer one."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.calls: dict[str, int] = defaultdict(int)
        self._open: list[str] = []
        self._since = time.perf_counter()

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self._lap()
        self._open.append(name)
        self.calls[name] += 1
        try:
            yield
        finally:
            self._lap()
            self._open.pop()

    def _lap(self) -> None:
        now = time.perf_counter()
        if self._open:
            self.seconds[self._open[-1]] += now - self._since
        self._since = now


class TimedSandbox:
    """The sandbox, its runs told apart by what they are for."""

    def __init__(self, sandbox: Sandbox, watch: Stopwatch) -> None:
        self._sandbox = sandbox
        self._watch = watch
        self.inside_s = 0.0

    def run(
        self,
        argv: Sequence[str],
        *,
        stdin: bytes,
        files: Mapping[str, bytes],
        collect: Sequence[str] = (),
        env: Mapping[str, str],
        limits: Limits,
    ) -> Outcome:
        kind = next((word for word in ("count", "observe") if word in argv), "plain or changed")
        with self._watch.stage(f"runs: {kind}"):
            outcome = self._sandbox.run(
                argv, stdin=stdin, files=files, collect=collect, env=env, limits=limits
            )
        self.inside_s += outcome.wall_s
        return outcome


def candidates(count: int) -> list[Candidate]:
    """Textbook candidates over as many seeds as it takes."""
    found: list[Candidate] = []
    pool, seed = load_pool("textbook"), 0
    while len(found) < count:
        found += [
            each for each in pool.candidates(PoolOptions(seed=seed)) if isinstance(each, Candidate)
        ]
        seed += 1
    return found[:count]


def throughput(judged: Sequence[Candidate], workers: int) -> float:
    """Seconds to judge them all, workers' start included."""
    judging = Judging(interpreter=find_interpreter(), parameters=Parameters(), workers=workers)
    began = time.perf_counter()
    admitted = sum(hasattr(verdict, "case") for _, verdict in verdicts(judged, judging))
    took = time.perf_counter() - began
    print(
        f"{workers} worker(s): {len(judged)} candidates ({admitted} admitted) in {took:.1f} s, "
        f"{len(judged) / took:.2f} a second"
    )
    return took


def split(judged: Sequence[Candidate]) -> None:
    """Where one worker's time goes."""
    watch = Stopwatch()
    stages: dict[str, Callable[..., object]] = {
        "parse and loops": read_source,
        "instrument": instrument,
        "write the case": write_case,
    }
    with Sandbox() as sandbox:
        timed = TimedSandbox(sandbox, watch)
        parameters = Parameters()
        runtime = PythonRuntime(timed, find_interpreter(), parameters.limits())
        for name, stage in stages.items():
            setattr(admission, stage.__name__, _timed(watch, name, stage))
        with watch.stage("choose and compare"):
            for candidate in judged:
                admission.judge(candidate, runtime, parameters)
        for stage in stages.values():
            setattr(admission, stage.__name__, stage)
    total = sum(watch.seconds.values())
    print(f"\nsplit of {total:.1f} s over {len(judged)} candidates, one worker")
    for name, seconds in sorted(watch.seconds.items(), key=lambda pair: -pair[1]):
        print(
            f"  {name:24} {seconds / total:6.1%}  {1000 * seconds / len(judged):7.1f} ms a "
            f"candidate, {watch.calls[name]} calls"
        )
    runs = sum(n for name, n in watch.calls.items() if name.startswith("runs"))
    in_runs = sum(s for name, s in watch.seconds.items() if name.startswith("runs"))
    print(f"  {runs / len(judged):.1f} processes a candidate, {1000 * in_runs / runs:.1f} ms each,")
    print(f"  of which {1000 * (in_runs - timed.inside_s) / runs:.1f} ms set up and take down")


def _timed[**P, T](watch: Stopwatch, name: str, stage: Callable[P, T]) -> Callable[P, T]:
    def inner(*args: P.args, **kwargs: P.kwargs) -> T:
        with watch.stage(name):
            return stage(*args, **kwargs)

    return inner


def start_up(repeats: int = 9) -> None:
    """`builder --help` beside an interpreter that does nothing, in turn."""
    help_s, bare_s = [], []
    for _ in range(repeats):
        help_s.append(_seconds([sys.executable, "-m", "deskcheck.builder.cli", "--help"]))
        bare_s.append(_seconds([sys.executable, "-c", "pass"]))
    best, bare = min(help_s), min(bare_s)
    verdict = "met" if best < START_UP_GOAL_S else "missed"
    print(
        f"\nbuilder --help: {best:.3f} s at best, median {statistics.median(help_s):.3f} s "
        f"({best / bare:.1f} times a bare interpreter); goal {START_UP_GOAL_S} s {verdict}"
    )


def _seconds(command: Sequence[str]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, cwd=Path(folder), check=True)
        return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--candidates", type=int, default=30)
    judged = candidates(parser.parse_args().candidates)
    print(f"measured interpreter: {find_interpreter().version}, CPUs: {os.cpu_count()}")
    one = throughput(judged, 1)
    two = throughput(judged, 2)
    print(f"two workers over one: {one / two:.2f} times as fast")
    split(judged)
    start_up()


if __name__ == "__main__":
    main()
