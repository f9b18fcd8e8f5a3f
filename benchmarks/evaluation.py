"""How much time and memory collecting costs beside the model: 20,000 requests to a backend that
answers at once, against the bare loop over the same backend.

    python benchmarks/evaluation.py [--requests N] [--dataset DIR]

The questions are those of a real dataset (`make quickstart` makes one), asked again and again.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deskcheck.builder.cases import ARMS
from deskcheck.builder.dataset import locate, read_dataset
from deskcheck.evaluate.backends import Rendered
from deskcheck.evaluate.collating import grade_run
from deskcheck.evaluate.plan import Plan, configure
from deskcheck.evaluate.requests import Reply, Request
from deskcheck.evaluate.runner import Group, collect
from deskcheck.evaluate.settings import Setting, make_setting
from deskcheck.evaluate.store import RunFolder, RunWriter, begin

REPLY = "<answer>\n" + "1 2 3 4 5 6 7 8\n" * 20 + "</answer>"


class AtOnce:
    """A backend that always has the same reply."""

    concurrency = 64
    exclusive = False
    arms = ARMS

    async def open(self, *, only_to_render: bool = False) -> Mapping[str, Any]:
        return {}

    async def render(self, prompt: str, setting: Setting) -> Rendered:
        return Rendered(text=prompt, exact=True, tokens=len(prompt), context_window=None)

    async def answer(self, request: Request) -> Reply:
        return Reply(outcome="answered", text=REPLY, finish_reason="stop", completion_tokens=200)

    async def close(self) -> None:
        pass


def main() -> None:
    """Print the figures."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--requests", type=int, default=20_000)
    arguments.add_argument("--dataset", type=Path, default=Path("quickstart"))
    asked = arguments.parse_args()
    dataset = locate(asked.dataset)
    read = read_dataset(dataset)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        repeats = max(1, asked.requests // len(read.tasks))
        setting = make_setting(model="openai/at-once", repeats=repeats)
        config = configure(read, "", [setting], seed=0, arms={setting.name: ARMS})
        plan = Plan(config, read)
        planned = plan.count(setting)
        bare = timed(lambda: asyncio.run(loop(plan)))
        run = begin(folder / "runs", plan, "bench")
        before = peak()
        with RunWriter(run) as writer:
            groups = [Group(backend=AtOnce(), names=(setting.name,))]
            cpu = time.process_time()
            whole = timed(lambda: collect(plan, groups, writer))
            cpu = time.process_time() - cpu
        after = peak()
        graded = timed(lambda: grade_run(RunFolder(run), dataset))
        size = (run / "responses.jsonl").stat().st_size
        end = peak()
    print(f"requests                              {planned:>10,}")
    print(f"requests a second                     {planned / whole:>10,.0f}")
    print(f"time a request                        {1e6 * whole / planned:>10.0f} us")
    print(f"  of that on the processor            {1e6 * cpu / planned:>10.0f} us")
    print(f"time a request in the bare loop       {1e6 * bare / planned:>10.0f} us")
    print(f"ratio to the bare loop                {whole / bare:>10.1f}")
    print(f"grading a reply                       {1e6 * graded / planned:>10.0f} us")
    print(f"memory: before, collecting, grading   {before:.0f}, {after:.0f}, {end:.0f} MiB")
    print(f"stored                                {size / 2**20:>10.0f} MiB")


async def loop(plan: Plan) -> None:
    """Every request made and answered, one after the other, and nothing else done."""
    backend = AtOnce()
    for planned in plan:
        await backend.answer(plan.request(planned))


def timed(work: Any) -> float:
    """Seconds of wall time."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def peak() -> float:
    """Largest resident memory of this process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    os.environ.setdefault("NO_COLOR", "1")
    main()
