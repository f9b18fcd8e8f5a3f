"""Worker processes on a Ray cluster, as `ray start`, RAY_ADDRESS or `ray.init` make it.

An actor that dies, or whose node is lost, takes down no more than the items that it had: they are
done again at the end, each alone on an actor, and one that brings that one down too gets the job's
result for it. Ray itself repeats nothing.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from deskcheck.builder import __version__
from deskcheck.builder.engines import Job
from deskcheck.builder.ledger import differences
from deskcheck.oracles.errors import ClusterError

if TYPE_CHECKING:
    from types import ModuleType

AHEAD = 2
"""Items handed out per actor, so that none waits for the next."""
RECOUNT_S = 5.0
"""The cluster's CPUs are counted again after so many seconds: nodes come and go."""
CONNECT_S = 5.0
START_ATTEMPTS = 3
"""Actors in a row that may die before they could do anything."""

_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # it warns unless one has chosen
    "RAY_NUM_REDIS_GET_RETRIES": "1",  # of half a minute each, when no cluster answers
}
"""What keeps Ray from phoning home and from writing between our lines; the user's own wins."""


@dataclass(frozen=True, slots=True)
class RayEngine:
    """So many actors of one CPU each; None: one for each CPU of the cluster at any time.

    ClusterError where Ray is not installed.
    """

    workers: int | None = None

    def __post_init__(self) -> None:
        _ray()

    def results[Item, Result](
        self, items: Sequence[Item], job: Job[Item, Result], /
    ) -> Generator[tuple[int, Result]]:
        """As `Engine` says; ClusterError where there is no cluster, or its nodes differ."""
        if not items:
            return
        with _connected():
            crew = _Crew(items, job, self.workers)
            try:
                yield from crew.work()
            finally:
                crew.stop()


class _Hands:
    """What an actor is: a process that does the job."""

    def start(self, job: Job[Any, Any]) -> str:
        """Make ready; the node that we are on."""
        import ray

        self._work: Callable[[Any], Any] = job.open()
        return ray.get_runtime_context().get_node_id()

    def do(self, item: Any) -> Any:
        return self._work(item)


@dataclass(slots=True, eq=False)
class _Worker:
    """An actor, and the items that it has."""

    actor: Any
    ready: bool = False
    alone: bool = False
    """It has one item, which another actor has died of."""
    items: list[int] = field(default_factory=list[int])


class _Crew[Item, Result]:
    """The actors, and what is still to be done."""

    def __init__(self, items: Sequence[Item], job: Job[Item, Result], workers: int | None) -> None:
        import ray

        self._ray = ray
        self._items = items
        self._job = job
        self._most = workers
        self._waiting = deque(range(len(items)))
        self._suspects: list[int] = []
        self._nodes = _Nodes(job)
        self._sent = ray.put(job)
        self._actors = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(_Hands)
        self._workers: set[_Worker] = set()
        self._with_room: set[_Worker] = set()
        self._pending: dict[Any, tuple[_Worker, int | None]] = {}
        """What Ray has promised -> whose it is, and the item; None is the actor's start."""
        self._failed_starts = 0

    def work(self) -> Iterator[tuple[int, Result]]:
        from ray.exceptions import RayError, RayTaskError

        left = len(self._items)
        while left:
            self._recruit(left)
            self._hand_out()
            for promise in self._arrived():
                if promise not in self._pending:  # its actor has just been given up
                    continue
                worker, index = self._pending[promise]
                try:
                    made: Any = self._ray.get(promise)
                except RayTaskError:  # the job itself raised, which is a fault of ours
                    raise
                except RayError as error:
                    for pair in self._lost(worker, str(error)):
                        left -= 1
                        yield pair
                    continue
                del self._pending[promise]
                if index is None:
                    self._nodes.require_same(made)
                    worker.ready, self._failed_starts = True, 0
                else:
                    worker.items.remove(index)
                    worker.alone = False
                self._with_room.add(worker)
                if index is not None:
                    left -= 1
                    yield index, made

    def stop(self) -> None:
        """End the actors at once; what they are on is lost, and done again another time."""
        for worker in self._workers:
            self._ray.kill(worker.actor)

    def _recruit(self, left: int) -> None:
        """As many actors as there is work for; where the cluster is full, they wait for a CPU."""
        cpus = self._most or max(1, int(self._nodes.cpus()))
        while len(self._workers) < min(cpus, left):
            worker = _Worker(self._actors.remote())
            self._workers.add(worker)
            self._pending[worker.actor.start.remote(self._sent)] = worker, None

    def _hand_out(self) -> None:
        """Items for the actors with room; the suspects at the end, each alone on an actor."""
        idle: set[_Worker] = set()
        while self._with_room and (self._waiting or self._suspects):
            worker = self._with_room.pop()
            if worker not in self._workers:
                continue
            while self._waiting and len(worker.items) < AHEAD:
                self._give(worker, self._waiting.popleft())
            if self._suspects and not worker.items:
                worker.alone = True
                self._give(worker, self._suspects.pop())
            if not worker.items:
                idle.add(worker)
        self._with_room |= idle

    def _give(self, worker: _Worker, index: int) -> None:
        worker.items.append(index)
        self._pending[worker.actor.do.remote(self._items[index])] = worker, index

    def _arrived(self) -> list[Any]:
        """All that has come by now, or nothing once it is time to count the CPUs again."""
        pending = list(self._pending)
        first, rest = self._ray.wait(pending, num_returns=1, timeout=RECOUNT_S)
        if not first or not rest:
            return list(first)
        more, _ = self._ray.wait(rest, num_returns=len(rest), timeout=0)
        return [*first, *more]

    def _lost(self, worker: _Worker, why: str) -> Iterator[tuple[int, Result]]:
        """Give an actor up; a result for the item that it died of, where that is certain."""
        self._ray.kill(worker.actor)  # it may be but out of reach
        self._workers.discard(worker)
        self._pending = {
            promise: (whose, index)
            for promise, (whose, index) in self._pending.items()
            if whose is not worker
        }
        if worker.alone:
            (index,) = worker.items
            yield index, self._job.died(self._items[index])
        else:
            self._suspects += worker.items
        if not worker.ready:
            self._failed_starts += 1
            if self._failed_starts == START_ATTEMPTS:
                raise ClusterError(
                    f"Ray cannot start workers: {' '.join(why.split())[:300]}",
                    "`ray status` and Ray's own logs say more",
                )


class _Nodes[Item, Result]:
    """The cluster's nodes, all of which must do the same work as this machine would."""

    def __init__(self, job: Job[Item, Result]) -> None:
        from ray import cloudpickle

        self._here = job.toolchain()
        self._job: bytes = cloudpickle.dumps(job)  # pyright: ignore[reportPrivateImportUsage]
        self._same: set[str] = set()
        self._cpus, self._counted = 0.0, -RECOUNT_S
        self._require_same([node for node in _alive() if node["Resources"].get("CPU")])

    def cpus(self) -> float:
        """Of all nodes together, as of a few seconds ago."""
        if time.monotonic() - self._counted > RECOUNT_S:
            self._cpus = sum(node["Resources"].get("CPU", 0) for node in _alive())
            self._counted = time.monotonic()
        return self._cpus

    def require_same(self, node: str) -> None:
        """ClusterError where the node of this id has joined since and is another."""
        if node not in self._same:
            self._require_same([each for each in _alive() if each["NodeID"] == node])

    def _require_same(self, nodes: Sequence[Mapping[str, Any]]) -> None:
        import ray
        from ray.exceptions import RayError
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        look = ray.remote(num_cpus=0, max_retries=0)(_look())
        answers = [
            look.options(
                scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            ).remote(self._job, __version__)
            for node in nodes
        ]
        others: list[str] = []
        for node, answer in zip(nodes, answers, strict=True):
            try:
                there: Mapping[str, Any] | str = ray.get(answer)
            except RayError as error:
                if node["NodeID"] not in {each["NodeID"] for each in _alive()}:
                    continue
                there = f"it does not answer: {' '.join(str(error).split())[:200]}"
            if isinstance(there, str):
                others.append(f"{_name(node)}: {there}")
            elif there != self._here:
                differing = differences(self._here, there, "", ("here", "there"))
                others.append(f"{_name(node)}: {', '.join(differing)}")
            self._same.add(node["NodeID"])
        if others:
            more = f" (and {len(others) - 1} more nodes)" if others[1:] else ""
            raise ClusterError(
                f"Ray node {others[0]}{more}",
                "each node needs the same tools and Deskcheck at the same paths",
            )


def _look() -> Callable[[bytes, str], Mapping[str, Any] | str]:
    """What asks a node for its toolchain. It is sent as code, for nodes without Deskcheck."""

    def look(job: bytes, version: str) -> Mapping[str, Any] | str:
        import pickle

        try:
            from deskcheck.builder import __version__ as there

            if there != version:
                return f"Deskcheck {version} here, {there} there"
            found: Mapping[str, Any] = pickle.loads(job).toolchain()
        except Exception as error:
            return f"{error}"
        return found

    return look


def _alive() -> list[dict[str, Any]]:
    import ray

    return [node for node in ray.nodes() if node["Alive"]]


def _name(node: Mapping[str, Any]) -> str:
    return f"{node['NodeManagerHostname']} ({node['NodeManagerAddress']}, {node['NodeID'][:8]})"


@contextmanager
def _connected() -> Iterator[None]:
    """A connection to the cluster that Ray's users mean; one that there is already stays."""
    ray = _ray()
    if ray.is_initialized():
        yield
        return
    address = os.environ.get("RAY_ADDRESS", "")
    quiet = {"log_to_driver": False, "logging_level": logging.CRITICAL}
    _require_answer(address)
    _silence_deaths(ray)
    try:
        try:
            ray.init(address="auto", **quiet)
        except ConnectionError:
            if address:
                raise
            print(
                "builder: no Ray cluster runs here and RAY_ADDRESS is not set, "
                "so one of this machine alone is started",
                file=sys.stderr,
            )
            ray.init(address="local", include_dashboard=False, **quiet)
    except Exception as error:
        why = " ".join(str(error).split())[:300]
        raise ClusterError(f"no Ray cluster at {address or 'hand'}: {why}", _HINT) from error
    try:
        yield
    finally:
        ray.shutdown()


_HINT = "start one with `ray start --head`, or set RAY_ADDRESS to the one that runs"


def _silence_deaths(ray: ModuleType) -> None:
    """Ray prints each actor's death on standard output, which is for data, and has no option."""
    ray._private.worker.print_to_stdstream = lambda *_, **__: None


def _require_answer(address: str) -> None:
    """ClusterError where nothing listens at `host:port`: Ray itself would try for minutes."""
    try:
        place = urlsplit(f"//{address.rpartition('://')[2]}")
        if place.hostname and place.port:
            socket.create_connection((place.hostname, place.port), CONNECT_S).close()
    except (OSError, ValueError) as error:
        raise ClusterError(f"no Ray cluster at {address}: {error}", _HINT) from None


def _ray() -> ModuleType:
    """The package, told to be quiet before it is first imported."""
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError:
        raise ClusterError("Ray is not installed", "pip install 'deskcheck[ray]'") from None
    return ray
