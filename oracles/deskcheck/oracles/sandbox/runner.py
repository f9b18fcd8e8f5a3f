"""The sandbox: run a program, bounded and shut off, and say how it ended."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Collection, Mapping, Sequence
from types import TracebackType
from typing import Self

from deskcheck.oracles.errors import SandboxError
from deskcheck.oracles.outcomes import Ending, Limits, Outcome
from deskcheck.oracles.sandbox.accounts import Accounts
from deskcheck.oracles.sandbox.box import (
    Box,
    Run,
    read_head,
    read_tail,
    require_inside,
)
from deskcheck.oracles.sandbox.isolation.wire import Report, Request
from deskcheck.oracles.sandbox.layers import Layers, layers_of
from deskcheck.oracles.sandbox.warden_process import WardenProcess

_STDERR_KEPT = 64 * 1024
_DISK_PER_FILE = 4
"""A run's files may together take this many times the limit on one of them."""


class Sandbox:
    """Runs untrusted programs, one at a time; one per worker process.

    `layers` says what protects on this machine, for programs of our own interpreter.
    SandboxError where a protection is missing and `allow_unisolated` is false. `without` leaves
    out mechanisms (`namespaces`, `landlock`, `seccomp`), to try what a lesser machine would do.
    """

    def __init__(self, *, allow_unisolated: bool = False, without: Collection[str] = ()) -> None:
        self._owner = os.getpid()
        self._warden: WardenProcess | None = None
        self._closed = False
        self._without = tuple(sorted(without))
        self._box = Box()
        try:
            self._accounts = Accounts(self._box.number, self._box.folder)
            self._warden = self._new_warden()
            self._mechanisms = self._warden.mechanisms
            self.layers = self.layers_for(sys.executable)
            if not allow_unisolated:
                self.layers.require()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def layers_for(self, executable: str) -> Layers:
        """What protects where `executable` is the program: its identity depends on that."""
        return layers_of(self._mechanisms, self._accounts.describe(executable))

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
        """Run `argv` in a fresh folder that holds `files`, and remove the folder again.

        `argv[0]` is a path, absolute or of one of `files`. The environment is `env` alone, and
        HOME and TMPDIR, which are the folder where `env` does not name others. `collect` names
        files to read back; what is missing, a link or no regular file is left out.
        SandboxError where the program could not be started or the sandbox failed.
        """
        if os.getpid() != self._owner:
            raise SandboxError("a sandbox cannot be used after a fork", "make one per process")
        if self._closed:
            raise SandboxError("the sandbox has been closed", "make a new one")
        for name in (*files, *collect):
            require_inside(name)
        uid = self._accounts.uid_for(argv[0])
        try:
            run = self._box.new_run()
            try:
                run.fill(stdin, files, executable=argv[0], owner=uid)
                report = self._ask(
                    _request(argv, env, run, uid, limits, sum(map(len, files.values())))
                )
                return _outcome(report, run, collect, limits)
            finally:
                run.remove()
        except OSError as error:  # a full disk, say
            raise SandboxError(
                f"the sandbox cannot use its folder {self._box.folder}: {error.strerror}",
                "make room there, or set TMPDIR to another folder",
            ) from error

    def close(self) -> None:
        """End the warden and remove what is on disk; safe to call twice."""
        if os.getpid() != self._owner:
            return
        if self._warden is not None:
            self._warden.close()
            self._warden = None
        if not self._closed:
            self._closed = True
            self._box.close()

    def _ask(self, request: Request) -> Report:
        if self._warden is None:
            self._warden = self._new_warden()
        warden, self._warden = self._warden, None
        report = warden.ask(request)
        self._warden = warden  # only a warden that answered is asked again
        if report["failed"]:
            raise SandboxError(
                f"the sandbox could not run {request['argv'][0]}: {report['failed']}",
                "see `builder doctor`",
            )
        return report

    def _new_warden(self) -> WardenProcess:
        folder = self._box.folder
        return WardenProcess(folder, self._without, f"{folder}/warden.log")


def _request(
    argv: Sequence[str],
    env: Mapping[str, str],
    run: Run,
    uid: int | None,
    limits: Limits,
    given: int,
) -> Request:
    return Request(
        argv=list(argv),
        env={"HOME": run.scratch, "TMPDIR": run.scratch} | dict(env),
        scratch=run.scratch,
        stdin=run.stdin,
        stdout=run.stdout,
        stderr=run.stderr,
        uid=uid,
        cpu_s=limits.cpu_s,
        wall_s=limits.wall_s,
        memory=limits.memory,
        file_size=limits.output + 1,  # so that more than allowed shows, and as much does not
        disk=given + _DISK_PER_FILE * limits.output,
        open_files=limits.open_files,
        processes=limits.processes,
    )


def _outcome(report: Report, run: Run, collect: Sequence[str], limits: Limits) -> Outcome:
    ending = _ending(report, run, limits)
    code = os.waitstatus_to_exitcode(report["status"])
    return Outcome(
        ending=ending,
        exit_code=code if ending is Ending.EXITED else None,
        signal=-code if ending is Ending.SIGNALLED else None,
        stdout=read_head(run.stdout, limits.output),
        stderr=read_tail(run.stderr, _STDERR_KEPT),
        collected=run.collect(collect, limits.output),
        cpu_s=report["cpu_s"],
        wall_s=report["wall_s"],
        peak_rss=report["peak_rss"],
    )


def _ending(report: Report, run: Run, limits: Limits) -> Ending:
    status = report["status"]
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    # CPython ignores SIGXFSZ and sees an OSError instead, so the sizes tell too.
    if report["out_of_disk"] or number == signal.SIGXFSZ or run.largest() > limits.output:
        return Ending.OUTPUT_LIMIT
    if report["out_of_cpu"] or number == signal.SIGXCPU or report["cpu_s"] >= limits.cpu_s:
        return Ending.CPU_LIMIT
    if report["out_of_time"] and number == signal.SIGKILL:
        return Ending.WALL_LIMIT
    return Ending.SIGNALLED if number else Ending.EXITED
