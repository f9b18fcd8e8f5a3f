"""Admission on one machine and on a Ray cluster, and what an item costs the driver of either.

Run with the project's interpreter: `python benchmarks/scaling.py [--candidates N] [--items N]`. A
cluster of two nodes of one CPU each is started on this machine for it. Start-up is left out of the
rates: they count from the first verdict on. What carries over are the ratios, and the driver's
microseconds an item, which bound how many workers one driver keeps busy.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import pickle
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deskcheck.builder.cases import Admitted, Verdict, verdict_to_json
from deskcheck.builder.engines import Engine
from deskcheck.builder.engines.local import LocalEngine
from deskcheck.builder.engines.ray import RayEngine
from deskcheck.builder.journal import Journal
from deskcheck.builder.judging import Judging
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.runtimes.python import find_interpreter
from deskcheck.sources.pools import Candidate, PoolOptions
from deskcheck.sources.registry import load_pool

OBJECT_STORE = 100 * 2**20
NODES = 100
CPUS = 64
"""Of each node, in the calculation for many."""


@dataclass(frozen=True, slots=True)
class Echo:
    """A job that gives the same verdict for everything, at once: what is left is the engine's."""

    verdict: Verdict

    def toolchain(self) -> Mapping[str, Any]:
        return {}

    def open(self) -> Callable[[Candidate], Verdict]:
        return self._verdict

    def died(self, _: Candidate, /) -> Verdict:
        return self.verdict

    def _verdict(self, _: Candidate) -> Verdict:
        return self.verdict


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


@contextmanager
def cluster(nodes: int) -> Iterator[None]:
    """A Ray cluster on this machine, one CPU a node, with this process connected to it."""
    import ray
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 1, "object_store_memory": OBJECT_STORE, "include_dashboard": False}
    found = Cluster(initialize_head=True, head_node_args=head)
    for _ in range(nodes - 1):
        found.add_node(num_cpus=1, object_store_memory=OBJECT_STORE)
    ray.init(address=found.address, log_to_driver=False, logging_level=logging.CRITICAL)
    try:
        yield
    finally:
        ray.shutdown()
        found.shutdown()


def rate(engine: Engine, judged: Sequence[Candidate], label: str) -> float:
    """Verdicts a second from the first one on."""
    judging = Judging(interpreter=find_interpreter(), parameters=Parameters())
    began = time.perf_counter()
    with closing(engine.results(judged, judging)) as made:
        next(made)
        first = time.perf_counter()
        rest = sum(1 for _ in made)
    took = time.perf_counter() - first
    print(
        f"{label:22} {rest / took:6.2f} a second ({rest} in {took:.1f} s); "
        f"the first after {first - began:.1f} s",
        flush=True,
    )
    return rest / took


def driver_cost(engine: Engine, label: str, item: Candidate, verdict: Verdict, count: int) -> float:
    """Microseconds of the driver's processor an item, with workers that do nothing."""
    with closing(engine.results([item] * count, Echo(verdict))) as made:
        next(made)
        began, cpu = time.perf_counter(), time.process_time()
        rest = sum(1 for _ in made)
        cpu, took = time.process_time() - cpu, time.perf_counter() - began
    print(
        f"{label:22} {1e6 * cpu / rest:6.0f} us on the processor, {1e6 * took / rest:.0f} us in all"
    )
    return 1e6 * cpu / rest


def journal_cost(verdict: Verdict, count: int) -> float:
    """Microseconds for a verdict's record, written and synced, in the current folder's disk."""
    with (
        tempfile.TemporaryDirectory(dir=Path.cwd()) as folder,
        Journal.open(Path(folder) / "a.building" / "verdicts.jsonl", {}) as journal,
    ):
        began = time.perf_counter()
        for number in range(count):
            journal.append(str(number), verdict)
        took = time.perf_counter() - began
    print(f"{'journal, synced':22} {1e6 * took / count:6.0f} us")
    return 1e6 * took / count


def wait_cost(promised: int) -> float:
    """Microseconds of one look at so many results that have not come."""
    import ray

    class Sleeper:
        def sleep(self) -> None:
            time.sleep(3600)

    actors: Any = ray.remote(num_cpus=0)(Sleeper)
    sleeper = actors.remote()
    promises = [sleeper.sleep.remote() for _ in range(promised)]
    began = time.perf_counter()
    for _ in range(20):
        ray.wait(promises, num_returns=1, timeout=0)
    took = (time.perf_counter() - began) / 20
    ray.kill(sleeper)
    print(f"{'a look at ' + str(promised):22} {1e6 * took:6.0f} us")
    return 1e6 * took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--candidates", type=int, default=24)
    parser.add_argument("--items", type=int, default=3000)
    asked = parser.parse_args()
    began = time.perf_counter()
    judged = candidates(asked.candidates)
    collected = 1e6 * (time.perf_counter() - began) / len(judged)
    print(f"measured interpreter: {find_interpreter().version}, CPUs: {os.cpu_count()}")

    rates = {}
    for workers in (1, 2):
        rates[f"local, {workers}"] = rate(LocalEngine(workers), judged, f"local, {workers}")
    for nodes in (1, 2):
        with cluster(nodes):
            rates[f"ray, {nodes}"] = rate(RayEngine(), judged, f"ray, {nodes}")
    for name, of in (
        ("local, 2", "local, 1"),
        ("ray, 2", "ray, 1"),
        ("ray, 1", "local, 1"),
        ("ray, 2", "local, 2"),
    ):
        print(f"  {name} over {of}: {rates[name] / rates[of]:.2f}")

    ((_, verdict),) = LocalEngine(1).results(
        judged[:1], Judging(interpreter=find_interpreter(), parameters=Parameters())
    )
    assert isinstance(verdict, Admitted), "a textbook program is"
    print(
        f"\nan item is {len(pickle.dumps(judged[0]))} bytes, "
        f"a verdict {len(pickle.dumps(verdict))}, "
        f"its record {len(json.dumps(verdict_to_json(verdict)))}"
    )
    print(f"{'collecting':22} {collected:6.0f} us a candidate")
    driver_cost(LocalEngine(1), "local engine", judged[0], verdict, asked.items)
    with cluster(1):
        engine = driver_cost(RayEngine(), "ray engine", judged[0], verdict, asked.items)
        look = wait_cost(2 * NODES * CPUS)
    record = journal_cost(verdict, 500)
    limit = 1e6 / (engine + record)
    one = rates["ray, 1"]
    print(
        f"\n{NODES} nodes of {CPUS} CPUs at {one:.2f} a second each ask for "
        f"{NODES * CPUS * one:.0f} a second; one driver gives out and records {limit:.0f}, "
        f"which keeps {limit / one:.0f} CPUs busy, {limit / one / CPUS:.0f} such nodes; "
        f"a look at all promises costs {look / 1000:.1f} ms and takes all that has come"
    )


if __name__ == "__main__":
    main()
