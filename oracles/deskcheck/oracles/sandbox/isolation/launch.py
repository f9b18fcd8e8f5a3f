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


class Born(BaseException):
    """No error: unwinds the stack of a forked child that goes on as the program itself."""

    def __init__(self, argv: list[str], env: dict[str, str]) -> None:
        super().__init__()
        self.argv, self.env = argv, env


class Launch:
    """One program, ready to be started once by `become` in a fork of this process."""

    def __init__(
        self, request: Request, have: Mechanisms, guard: Filter | None, processes: int | None
    ) -> None:
        self._argv, self._env = request["argv"], request["env"]
        self._uid, self._folder = request["uid"], request["scratch"]
        self._guard = guard
        self._limits = limits.planned(request, processes)
        self._files: list[int] = []
        try:
            self._stdin = self._open("standard input", request["stdin"], os.O_RDONLY)
            # Output is appended as to a pipe: nothing that was printed is written over.
            appending = os.O_WRONLY | os.O_APPEND
            self._stdout = self._open("standard output", request["stdout"], appending)
            self._stderr = self._open("standard error", request["stderr"], appending)
            self._border = self._draw_border(have["landlock"]) if have["landlock"] else None
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the files that the program was given."""
        while self._files:
            os.close(self._files.pop())

    def become(self, status: int) -> NoReturn:
        """Turn this process into the program; a step that fails is named on the pipe `status`.

        The pipe closes by itself when the program is executed, so silence means success. Raises
        Born, and nothing else, where the program is not executed but goes on in this process.
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
        except Born:
            raise
        except BaseException as error:
            try:
                os.write(status, str(error).encode("utf-8", "backslashreplace"))
            finally:
                os._exit(127)
        os._exit(127)

    def _open(self, what: str, path: str, flags: int) -> int:
        self._files.append(_named(f"open {what}", lambda: os.open(path, flags)))
        return self._files[-1]

    def _draw_border(self, version: int) -> int:
        folder = self._open("the scratch folder", self._folder, os.O_PATH | os.O_DIRECTORY)
        outputs = (self._stdout, self._stderr)
        self._files.append(
            _named("make a landlock ruleset", lambda: landlock.border(version, folder, outputs))
        )
        return self._files[-1]

    def _settle(self) -> None:
        os.setsid()
        os.chdir(self._folder)  # by name: the open file belongs to the warden's mounts
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


def _named[T](name: str, step: Callable[[], T]) -> T:
    try:
        return step()
    except Exception as error:
        reason = error.strerror if isinstance(error, OSError) else repr(error)
        raise LaunchError(f"cannot {name}: {reason}") from error
