"""Judge candidates in worker processes, each with a sandbox of its own.

A worker that dies (a parser that overruns its stack, a killed process) takes down no more than
the candidate it was on: the others in flight are judged again, and a candidate that brings its
worker down twice, the second time alone, gets a verdict that says so.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import traceback
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.context import BaseContext

from deskcheck.builder.cases import Finding, Rejected, StoredCase, Verdict
from deskcheck.builder.languages import Languages
from deskcheck.builder.languages.tools import languages
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.errors import SandboxError
from deskcheck.oracles.runtimes.cpp.toolchain import Toolchain
from deskcheck.oracles.runtimes.python import Interpreter
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.pools import Candidate

SERVER = "deskcheck.builder.worker_server"
AHEAD = 2
"""Candidates handed out per worker, so that none waits for the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """What every worker needs to know."""

    interpreter: Interpreter
    parameters: Parameters
    compiler: Toolchain | None = None
    """None where no program needs one."""
    allow_unisolated: bool = False
    workers: int = 2


Judged = Candidate | StoredCase
"""What gets a verdict: a pool's program, or once more what a dataset says of one."""


def verdicts(candidates: Sequence[Judged], judging: Judging) -> Generator[tuple[int, Verdict]]:
    """Each candidate's index and verdict, as they come; closing the iterator ends the workers."""
    waiting = list(reversed(range(len(candidates))))
    suspects: list[int] = []
    while waiting or suspects:
        alone = not waiting
        if alone:
            waiting = [suspects.pop()]
        pool = _Pool(judging, 1 if alone else judging.workers)
        try:
            yield from pool.work(candidates, waiting)
        except BrokenProcessPool:
            broken = pool.in_flight
            if alone:
                yield broken[0], _died(candidates[broken[0]])
            else:
                suspects.extend(broken)
        finally:
            pool.stop()


class _Pool:
    """Worker processes, and which candidates they have."""

    def __init__(self, judging: Judging, workers: int) -> None:
        self._workers = workers
        self._executor = ProcessPoolExecutor(
            max_workers=workers,
            mp_context=_context(),
            initializer=_start,
            initargs=(judging,),
        )
        self._futures: dict[Future[Verdict], int] = {}

    @property
    def in_flight(self) -> list[int]:
        return sorted(self._futures.values())

    def work(
        self, candidates: Sequence[Judged], waiting: list[int]
    ) -> Iterator[tuple[int, Verdict]]:
        """Take from `waiting`, last first, until it is empty; what is done is in no list."""
        while waiting or self._futures:
            while waiting and len(self._futures) < self._workers * AHEAD:
                index = waiting.pop()
                try:
                    self._futures[self._executor.submit(_judge, candidates[index])] = index
                except BrokenProcessPool:
                    waiting.append(index)
                    raise
            done, _ = wait(self._futures, return_when=FIRST_COMPLETED)
            finished = [(future, self._futures[future]) for future in done]
            for future, index in sorted(finished, key=lambda pair: pair[1]):
                verdict = future.result()  # BrokenProcessPool leaves it among those in flight
                del self._futures[future]
                yield index, verdict

    def stop(self) -> None:
        """End the workers at once; what they are on is lost, and judged again another time."""
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


@dataclass(slots=True)
class _Worker:
    """What one worker process keeps between candidates."""

    languages: Languages
    parameters: Parameters


_worker: _Worker | None = None


def _start(judging: Judging) -> None:
    """Set a worker process up: it leaves with its parent, and Ctrl-C is the parent's business."""
    global _worker  # noqa: PLW0603  one per process, made by the pool's initializer
    from deskcheck.oracles.sandbox.isolation.libc import die_with_parent

    parent = os.getppid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()
    if os.getppid() != parent:  # it died before that took effect
        os._exit(0)
    sandbox = Sandbox(allow_unisolated=judging.allow_unisolated)
    atexit.register(sandbox.close)
    limits = judging.parameters.limits()
    known = languages(sandbox, limits, judging.interpreter, judging.compiler)
    _worker = _Worker(known, judging.parameters)


def _judge(candidate: Judged) -> Verdict:
    from deskcheck.builder.admission import judge  # only workers need the parser
    from deskcheck.builder.remeasure import judge_again

    assert _worker is not None, "the pool's initializer has run"
    try:
        if isinstance(candidate, StoredCase):
            return judge_again(candidate, _worker.languages, _worker.parameters)
        return judge(candidate, _worker.languages, _worker.parameters)
    except SandboxError as error:
        return _internal(candidate, "sandbox_failed", str(error))
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        detail = f"{type(error).__name__}: {error} ({where.name}, line {where.lineno})"
        return _internal(candidate, "fault_of_ours", detail)


def _died(candidate: Judged) -> Rejected:
    return _internal(candidate, "worker_died", "its worker process died twice, once on it alone")


def _internal(candidate: Judged, reason: str, detail: str) -> Rejected:
    return Rejected(
        candidate=candidate.id,
        pool=candidate.pool,
        study=candidate.study,
        findings=(Finding(check="internal", reason=reason, detail=detail),),
    )
