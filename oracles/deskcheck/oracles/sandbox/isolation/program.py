"""From a forked child to the program: confine, limit, execute."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import NoReturn

from . import landlock, libc, limits, privileges, seccomp
from .wire import Mechanisms, Request


def become(request: Request, have: Mechanisms, processes: int | None, status: int) -> NoReturn:
    """Turn into the program; a step that fails is named on the pipe `status`.

    The pipe closes by itself when the program is executed, so silence means success.
    """
    steps: tuple[tuple[str, Callable[[], None]], ...] = (
        ("enter the scratch folder", lambda: _settle(request["scratch"])),
        ("open the standard streams", lambda: _open_streams(request)),
        ("take another identity", lambda: privileges.shed(request["uid"])),
        ("set no_new_privs", libc.no_new_privileges),
        ("tie the program to its supervisor", libc.die_with_parent),
        ("confine writes with landlock", lambda: _confine(request, have)),
        ("filter system calls with seccomp", lambda: _filter(have)),
        ("set resource limits", lambda: limits.impose(request, processes=processes)),
        (f"execute {request['argv'][0]}", lambda: _execute(request)),
    )
    for step, action in steps:
        try:
            action()
        except BaseException as error:
            reason = error.strerror if isinstance(error, OSError) else repr(error)
            os.write(status, f"cannot {step}: {reason}".encode("utf-8", "backslashreplace"))
            break
    os._exit(127)


def _settle(scratch: str) -> None:
    os.setsid()
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.umask(0o022)
    os.chdir(scratch)
    try:
        file = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
    except OSError:
        return
    os.write(file, b"1000")  # where memory runs out, the program goes first
    os.close(file)


def _open_streams(request: Request) -> None:
    streams = (
        (request["stdin"], os.O_RDONLY),
        (request["stdout"], os.O_WRONLY),
        (request["stderr"], os.O_WRONLY),
    )
    for target, (path, mode) in enumerate(streams):
        file = os.open(path, mode)
        os.dup2(file, target)
        os.close(file)


def _confine(request: Request, have: Mechanisms) -> None:
    if have["landlock"]:
        landlock.confine_writes(have["landlock"], request["scratch"], (1, 2))


def _filter(have: Mechanisms) -> None:
    if have["seccomp"]:
        weak = 0 < have["landlock"] < landlock.ABI_WITH_TRUNCATE
        seccomp.install(guard_truncation=weak)


def _execute(request: Request) -> None:
    os.execve(request["argv"][0], request["argv"], request["env"])
