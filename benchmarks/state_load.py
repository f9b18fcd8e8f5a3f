"""What measuring state load costs: slots walked in a second, and who reaches the budget.

`python benchmarks/state_load.py` observes the longest input of each candidate of the given pools
at every boundary, once without sizes and once with them, each within CPU seconds that admission
does not give. It prints, by pool, the median trace length, the slots that a walk visits, the slots
a second, and how many candidates would need more than each of several budgets.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.observations import Watch
from deskcheck.oracles.outcomes import Limits
from deskcheck.oracles.runtimes.python import PythonRuntime, find_interpreter, variation
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.pools import Candidate, PoolOptions
from deskcheck.sources.registry import load_pool

BUDGETS = (1_000_000, 10_000_000, 100_000_000)
LIMITS = Limits(cpu_s=120, wall_s=240)
UNBOUNDED = 10**15


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """One candidate's longest run."""

    slots: int
    boundaries: int
    walk_s: float
    """Processor seconds more than the same run takes without sizes."""


def walked(runtime: PythonRuntime, candidate: Candidate) -> Walked | None:
    """None where the run does not come to its end, or passes admission's limit on boundaries."""
    data = max((given.data for given in candidate.inputs), key=len)
    seconds = []
    load = boundaries = 0
    for budget in (0, UNBOUNDED):
        watch = Watch(
            state_budget=budget,
            trace_lengths=False,
            boundary_limit=Parameters().max_trace_length,
        )
        seen = runtime.observe(candidate.program, data, variation(0), watch)
        if not seen.outcome.clean or not seen.reported or seen.too_long:
            return None
        seconds.append(seen.outcome.cpu_s)
        if seen.state is not None:
            load, boundaries = seen.state.load, seen.state.boundaries
    return Walked(slots=load, boundaries=boundaries, walk_s=seconds[1] - seconds[0])


def report(pool: str, found: Sequence[Walked], asked: int) -> None:
    slots = sum(each.slots for each in found)
    seconds = sum(each.walk_s for each in found)
    over = "  ".join(
        f"{sum(each.slots > budget for each in found):4} over {budget / 1e6:g}M"
        for budget in BUDGETS
    )
    print(
        f"{pool:16} {len(found):4} of {asked:4} run; median boundaries "
        f"{statistics.median(each.boundaries for each in found):9,.0f}, slots "
        f"{statistics.median(each.slots for each in found):13,.0f}, largest "
        f"{max(each.slots for each in found):15,}; {slots / seconds / 1e6:6.1f} million slots a "
        f"second; {over}",
        flush=True,
    )


def pools(words: Sequence[str]) -> Iterator[tuple[str, PoolOptions]]:
    """`NAME` or `NAME:DATA` or `NAME,KEY=VALUE`."""
    for word in words:
        name, *settings = word.split(",")
        name, _, data = name.partition(":")
        options = dict(setting.split("=", 1) for setting in settings)
        yield name, PoolOptions(seed=0, data=data or None, options=options)


def main(words: Sequence[str], limit: int) -> None:
    with Sandbox() as sandbox:
        runtime = PythonRuntime(sandbox, find_interpreter(), LIMITS)
        for name, options in pools(words):
            python = [
                each
                for each in load_pool(name).candidates(options)
                if isinstance(each, Candidate) and each.program.language == "python"
            ][:limit]
            found = [each for each in (walked(runtime, candidate) for candidate in python) if each]
            if found:
                report(name, found, len(python))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "pools",
        nargs="*",
        default=["textbook", "library", "network-simplex,count=30"],
        help="NAME, NAME:DATA or NAME,KEY=VALUE",
    )
    parser.add_argument("--limit", type=int, default=100, help="candidates of each pool")
    given = parser.parse_args(sys.argv[1:])
    main(given.pools, given.limit)
