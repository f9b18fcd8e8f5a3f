"""Admission throughput, the split of its time by stage, and the start-up of the command line.

Run with the project's interpreter: `python benchmarks/admission.py [--language cpp]
[--candidates N]`. Figures are of this machine; what carries over are the shares and the ratios,
each measured within one run. C++ is admitted twice, with no builds kept from before and then with
those of the first time: what a pool costs, and what `dataset verify` does.
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
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType
from typing import cast, get_args
from unittest.mock import patch

from deskcheck.builder import admission
from deskcheck.builder.engines.local import LocalEngine
from deskcheck.builder.judging import Judging
from deskcheck.builder.languages import cpp, python, tools
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.outcomes import Limits, Outcome
from deskcheck.oracles.programs import Language, Program
from deskcheck.oracles.runtimes.python import find_interpreter
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.pools import Candidate, Input, PoolOptions, Provenance
from deskcheck.sources.registry import load_pool

START_UP_GOAL_S = 0.3
CPP_PROGRAMS = Path(__file__).parents[1] / "tests/builder/programs/cpp/admitted"
STAGES: Mapping[Language, Sequence[tuple[str, ModuleType, str]]] = {
    "python": (
        ("parse and loops", python, "read_source"),
        ("instrument", python, "instrument"),
        ("write the case", admission, "write_case"),
    ),
    "cpp": (
        ("parse", cpp, "read_cpp"),
        ("loops", cpp, "find_loops"),
        ("liveness", cpp, "live_at_heads"),
        ("instrument", cpp, "instrument"),
        ("write the case", admission, "write_case"),
    ),
}
"""What is timed beside the runs: its name, and where it is called by which name."""


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
        with self._watch.stage(f"runs: {_kind(argv)}"):
            outcome = self._sandbox.run(
                argv, stdin=stdin, files=files, collect=collect, env=env, limits=limits
            )
        self.inside_s += outcome.wall_s
        return outcome


def _kind(argv: Sequence[str]) -> str:
    """What a run in the sandbox is for."""
    name = Path(argv[0]).name
    if name.startswith("python"):
        return next((word for word in ("count", "observe") if word in argv), "plain or changed")
    if name.startswith("llvm-"):
        return "profiles"
    if name.startswith("ld"):
        return "link"
    return "the programs" if name == "program" else "compile"


def candidates(language: Language, count: int) -> list[Candidate]:
    """Textbook candidates over as many seeds as it takes, or the C++ programs of the tests."""
    if language == "cpp":
        return [_program(path) for path in sorted(CPP_PROGRAMS.glob("*.cpp"))[:count]]
    found: list[Candidate] = []
    pool, seed = load_pool("textbook"), 0
    while len(found) < count:
        found += [
            each for each in pool.candidates(PoolOptions(seed=seed)) if isinstance(each, Candidate)
        ]
        seed += 1
    return found[:count]


def _program(path: Path) -> Candidate:
    return Candidate(
        id=f"benchmark/{path.stem}",
        pool="benchmark",
        study="benchmark-cpp",
        program=Program(language="cpp", source=path.read_bytes()),
        provenance=Provenance(licence="Apache-2.0", author="Deskcheck", origin=path.stem),
        inputs=tuple(
            Input(name=which, data=path.with_suffix(f".{which}.in").read_bytes())
            for which in ("short", "long")
        ),
    )


def throughput(judged: Sequence[Candidate], workers: int) -> float:
    """Seconds to judge them all, workers' start included."""
    judging = Judging(
        interpreter=find_interpreter(),
        parameters=Parameters(),
        compiler=tools.compiler_for({each.program.language for each in judged}),
    )
    began = time.perf_counter()
    admitted = sum(
        hasattr(verdict, "case") for _, verdict in LocalEngine(workers).results(judged, judging)
    )
    took = time.perf_counter() - began
    print(
        f"{workers} worker(s): {len(judged)} candidates ({admitted} admitted) in {took:.1f} s, "
        f"{len(judged) / took:.2f} a second"
    )
    return took


def split(language: Language, judged: Sequence[Candidate]) -> None:
    """Where one worker's time goes."""
    watch = Stopwatch()
    with Sandbox() as sandbox, ExitStack() as patches:
        timed = TimedSandbox(sandbox, watch)
        parameters = Parameters()
        known = tools.languages(
            cast(Sandbox, timed),
            parameters.limits(),
            find_interpreter(),
            tools.compiler_for({language}),
        )
        for name, module, called in STAGES[language]:
            stage = _timed(watch, name, getattr(module, called))
            patches.enter_context(patch.object(module, called, stage))
        with watch.stage("choose and compare"):
            for candidate in judged:
                admission.judge(candidate, known, parameters)
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
    parser.add_argument("--language", choices=get_args(Language), default="python")
    asked = parser.parse_args()
    judged = candidates(asked.language, asked.candidates)
    if asked.language == "cpp":
        compiler = tools.compiler_for({"cpp"})
        assert compiler is not None, "it is found or an error says what is missing"
        print(f"compilers: {compiler.main}, {compiler.other}, CPUs: {os.cpu_count()}")
        in_cpp(judged)
        return
    print(f"measured interpreter: {find_interpreter().version}, CPUs: {os.cpu_count()}")
    one = throughput(judged, 1)
    two = throughput(judged, 2)
    print(f"two workers over one: {one / two:.2f} times as fast")
    split("python", judged)
    start_up()


def in_cpp(judged: Sequence[Candidate]) -> None:
    """Each measurement with an empty folder of builds, then once more with what it left there."""
    for measure in (lambda: throughput(judged, 2), lambda: split("cpp", judged)):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["DESKCHECK_CACHE"] = folder
            for state in ("nothing kept", "all builds kept"):
                print(f"\n{state}:")
                measure()


if __name__ == "__main__":
    main()
