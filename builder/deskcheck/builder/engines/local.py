"""Worker processes on this machine.

A worker that dies (a parser that overruns its stack, a killed process) takes down no more than
the item it was on: the others in flight are done again, and an item that brings its worker down
twice, the second time alone, gets the job's result for that.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.context import BaseContext
from typing import Any

from deskcheck.builder.engines import Job

SERVER = "deskcheck.builder.engines.server"
AHEAD = 2
"""Items handed out per worker, so that none waits for the next."""


@dataclass(frozen=True, slots=True)
class LocalEngine:
    """So many processes, forked from a clean one that has loaded the parser."""

    workers: int

    def results[Item, Result](
        self, items: Sequence[Item], job: Job[Item, Result], /
    ) -> Generator[tuple[int, Result]]:
        waiting = list(reversed(range(len(items))))
        suspects: list[int] = []
        while waiting or suspects:
            alone = not waiting
            if alone:
                waiting = [suspects.pop()]
            pool: _Pool[Item, Result] = _Pool(job, 1 if alone else self.workers)
            try:
                yield from pool.work(items, waiting)
            except BrokenProcessPool:
                broken = pool.in_flight
                if alone:
                    yield broken[0], job.died(items[broken[0]])
                else:
                    suspects.extend(broken)
            finally:
                pool.stop()


class _Pool[Item, Result]:
    """Worker processes, and which items they have."""

    def __init__(self, job: Job[Item, Result], workers: int) -> None:
        self._workers = workers
        self._executor = ProcessPoolExecutor(
            max_workers=workers, mp_context=_context(), initializer=_start, initargs=(job,)
        )
        self._futures: dict[Future[Result], int] = {}

    @property
    def in_flight(self) -> list[int]:
        return sorted(self._futures.values())

    def work(self, items: Sequence[Item], waiting: list[int]) -> Iterator[tuple[int, Result]]:
        """Take from `waiting`, last first, until it is empty; what is done is in no list."""
        while waiting or self._futures:
            while waiting and len(self._futures) < self._workers * AHEAD:
                index = waiting.pop()
                try:
                    self._futures[self._executor.submit(_do, items[index])] = index
                except BrokenProcessPool:
                    waiting.append(index)
                    raise
            done, _ = wait(self._futures, return_when=FIRST_COMPLETED)
            finished = [(future, self._futures[future]) for future in done]
            for future, index in sorted(finished, key=lambda pair: pair[1]):
                result = future.result()  # BrokenProcessPool leaves it among those in flight
                del self._futures[future]
                yield index, result

    def stop(self) -> None:
        """End the workers at once; what they are on is lost, and done again another time."""
        processes = list((getattr(self._executor, "_processes", None) or {}).values())
        self._executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            with suppress(OSError, ValueError):
                process.terminate()
        for process in processes:
            process.join()


def _context() -> BaseContext:
    """Workers are forked from a clean server that has loaded the parser once for all of them.

    A fork of this process would copy its threads' locks. The server ends with this process, and
    the workers with the server.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([SERVER])
    return context


_work: Callable[[Any], Any] | None = None


def _start(job: Job[Any, Any]) -> None:
    """Set a worker process up: it leaves with its parent, and Ctrl-C is the parent's business."""
    global _work  # noqa: PLW0603  one per process, made by the pool's initializer
    from deskcheck.oracles.sandbox.isolation.libc import die_with_parent

    parent = os.getppid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()
    if os.getppid() != parent:  # it died before that took effect
        os._exit(0)
    _work = job.open()


def _do(item: Any) -> Any:
    assert _work is not None, "the pool's initializer has run"
    return _work(item)
