"""The warden: one small process from which every program is forked.

It is single-threaded and loads little, so forking it is safe and quick. It ends, and everything
beneath it, when the process that it serves has gone.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import NoReturn

from . import extinction, landlock, libc, namespaces, privileges, reaper, survey, wire
from .launch import Launch, LaunchError
from .seccomp import Filter
from .wire import Hello, Mechanisms, Report, Request

_REQUESTS, _ANSWERS = 0, 1
_SLACK_S = 15.0
"""How long a reaper may take beyond the program's own time."""


def main(
    make: Callable[[Mechanisms, int | None, int | None, str], Warden] | None = None,
) -> NoReturn:
    """Serve the process on the other side of standard input and output until it has gone.

    `make` makes a Warden of another kind; in a child that goes on as a program Born comes of it.
    """
    _become_plain()
    hello: Hello = wire.receive(_REQUESTS)
    host = _handle_of(hello["host"])
    have = survey.survey(hello)
    neighbours = survey.neighbours(have)
    survey.enter(hello, have)
    if have["pid"]:
        _step_inside()
    else:
        libc.adopt_orphans()
    privileges.renounce()
    wire.send(_ANSWERS, have)
    warden = (make or Warden)(have, host, neighbours, hello["work"])
    gc.disable()
    gc.freeze()  # pages that no collection touches stay shared with the children
    warden.serve()
    sys.exit(0)


class Warden:
    """Runs programs one at a time."""

    launching: type[Launch] = Launch

    def __init__(
        self, have: Mechanisms, host: int | None, neighbours: int | None, work: str
    ) -> None:
        self._have = have
        self._work = work
        self._neighbours = neighbours
        weak = 0 < have["landlock"] < landlock.ABI_WITH_TRUNCATE
        self._guard = Filter(guard_truncation=weak) if have["seccomp"] else None
        self._processes = namespaces.own_processes() if have["pid"] else -1
        self._lifelines = [_REQUESTS] if host is None else [_REQUESTS, host]

    def serve(self) -> None:
        """Answer requests until the host is gone."""
        while True:
            ready, _, _ = select.select(self._lifelines, [], [])
            if ready != [_REQUESTS]:
                return
            try:
                request: Request = wire.receive(_REQUESTS)
            except EOFError:
                return
            report = self.run(request)
            if report is None:
                return
            wire.send(_ANSWERS, report)

    def run(self, request: Request) -> Report | None:
        """The run's report, or None when the host died meanwhile."""
        try:
            launch = self.launching(request, self._have, self._guard, self._allowed(request))
        except LaunchError as error:
            return wire.failure(str(error))
        try:
            return self._supervised(launch, request)
        finally:
            launch.close()

    def _supervised(self, launch: Launch, request: Request) -> Report | None:
        reading, writing = os.pipe()
        warden = os.getpid()
        try:
            if self._have["pid"]:
                namespaces.new_processes()
            child = os.fork()
        except OSError as error:
            self._return()
            os.close(reading)
            os.close(writing)
            return wire.failure(f"cannot fork: {error.strerror}")
        if child == 0:
            reaper.supervise(launch, request, self._have, writing, warden=warden, work=self._work)
        self._return()
        os.close(writing)
        deadline = time.monotonic() + request["wall_s"] + _SLACK_S
        report = self._await(reading, deadline)
        if report is None or report["failed"]:
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reading)
        if not self._have["pid"]:
            extinction.kill_descendants()
        return report

    def _return(self) -> None:
        if self._have["pid"]:
            namespaces.return_to(self._processes)

    def _await(self, reading: int, deadline: float) -> Report | None:
        left = max(deadline - time.monotonic(), 0.0)
        ready, _, _ = select.select([reading, *self._lifelines], [], [], left)
        if reading in ready:
            try:
                report: Report = wire.receive(reading)
            except EOFError:
                return wire.failure("the program's supervisor died")
            return report
        if ready:
            return None
        return wire.failure("the program's supervisor did not answer in time")

    def _allowed(self, request: Request) -> int | None:
        """How many processes of its uid the kernel shall allow, None for no such limit."""
        if request["uid"] is not None:
            return request["processes"]
        if self._neighbours is None:
            return None
        return request["processes"] + self._neighbours


def _become_plain() -> None:
    """Give up what programs would inherit: ignored and blocked signals, a mask, our importance."""
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.umask(0o022)
    try:
        file = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
    except OSError:
        return
    os.write(file, b"1000")  # where memory runs out, programs go first
    os.close(file)


def _step_inside() -> None:
    """Go on as process 1 of the new namespace, while this process waits outside.

    A process may only leave a process namespace for its own, and only when that belongs to it.
    """
    child = os.fork()
    if child == 0:
        libc.die_with_parent()
        return
    os.close(_REQUESTS)
    os.close(_ANSWERS)
    _, status = os.waitpid(child, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _handle_of(host: int) -> int | None:
    """An open file that becomes readable when `host` dies, None where there is no such thing."""
    if sys.platform != "linux":
        return None
    try:
        handle = os.pidfd_open(host)
    except OSError:
        handle = None  # an old kernel; the end of our standard input then tells us
    if os.getppid() != host:
        sys.exit(0)
    return handle
