"""From a request to the running program: prepare in the warden, finish in the forked child.

A forked child pays for every page of memory that it touches first. So all that can be is made
ready before the fork, and the child makes a short list of system calls.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NoReturn

from . import landlock, libc, limits, privileges
from .seccomp import Filter
from .wire import Mechanisms, Request


class LaunchError(Exception):
    """A step that failed, and why, in words."""


class Launch:
    """One program, ready to be started once by `become` in a fork of this process."""

    def __init__(
        self, request: Request, have: Mechanisms, guard: Filter | None, processes: int | None
    ) -> None:
        self._argv, self._env = request["argv"], request["env"]
        self._uid = request["uid"]
        self._guard = guard
        self._limits = limits.planned(request, processes)
        self._files: list[int] = []
        try:
            self._prepare(request, have)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the files that the program was given."""
        while self._files:
            os.close(self._files.pop())

    def become(self, status: int) -> NoReturn:
        """Turn this process into the program; a step that fails is named on the pipe `status`.

        The pipe closes by itself when the program is executed, so silence means success.
        """
        steps: tuple[tuple[str, Callable[[], None]], ...] = (
            ("enter the scratch folder and its streams", self._settle),
            ("take another identity", self._shed),
            ("confine writes with landlock", self._confine),
            ("filter system calls with seccomp", self._filter),
            ("set resource limits", self._limit),
            (f"execute {self._argv[0]}", self._execute),
        )
        try:
            for name, step in steps:
                _named(name, step)
        except BaseException as error:
            os.write(status, str(error).encode("utf-8", "backslashreplace"))
        finally:
            os._exit(127)

    def _prepare(self, request: Request, have: Mechanisms) -> None:
        def open_streams() -> None:
            # Output is appended as to a pipe: nothing that was printed is written over.
            self._stdin = self._open(request["stdin"], os.O_RDONLY)
            self._stdout = self._open(request["stdout"], os.O_WRONLY | os.O_APPEND)
            self._stderr = self._open(request["stderr"], os.O_WRONLY | os.O_APPEND)

        def enter_folder() -> None:
            self._scratch = self._open(request["scratch"], os.O_RDONLY | os.O_DIRECTORY)

        def draw_border() -> None:
            self._border: int | None = None
            if have["landlock"]:
                self._border = landlock.border(
                    have["landlock"], self._scratch, (self._stdout, self._stderr)
                )
                self._files.append(self._border)

        _named("open the standard streams", open_streams)
        _named("open the scratch folder", enter_folder)
        _named("make a landlock ruleset", draw_border)

    def _open(self, path: str, flags: int) -> int:
        self._files.append(os.open(path, flags))
        return self._files[-1]

    def _settle(self) -> None:
        os.setsid()
        os.fchdir(self._scratch)
        os.dup2(self._stdin, 0)
        os.dup2(self._stdout, 1)
        os.dup2(self._stderr, 2)

    def _shed(self) -> None:
        privileges.shed(self._uid)
        libc.no_new_privileges()
        libc.die_with_parent()  # here, because a change of uid undoes it

    def _confine(self) -> None:
        if self._border is not None:
            landlock.stay_within(self._border)

    def _filter(self) -> None:
        if self._guard is not None:
            self._guard.install()

    def _limit(self) -> None:
        limits.impose(self._limits)

    def _execute(self) -> None:
        os.execve(self._argv[0], self._argv, self._env)


def _named(name: str, step: Callable[[], None]) -> None:
    try:
        step()
    except Exception as error:
        reason = error.strerror if isinstance(error, OSError) else repr(error)
        raise LaunchError(f"cannot {name}: {reason}") from error
