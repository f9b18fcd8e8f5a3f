"""What this machine's kernel grants us, found by trying, and taking it for the warden itself."""

from __future__ import annotations

import os
from collections.abc import Callable

from . import landlock, libc, namespaces, seccomp
from .wire import Hello, Mechanisms


def survey(hello: Hello) -> Mechanisms:
    """Which mechanisms work here; each is tried in a child so that nothing of it stays."""
    without = hello["without"]
    have = Mechanisms(
        user=False,
        net=False,
        mounts=False,
        pid=False,
        proc=False,
        landlock=0 if "landlock" in without else landlock.abi(),
        seccomp="seccomp" not in without and seccomp.available(),
    )
    if not libc.LINUX or "namespaces" in without:
        return have
    # Root's namespaces need no user namespace, and one would take the other uids away.
    have["user"] = os.getuid() != 0 and _works(namespaces.new_user)
    first = [namespaces.new_user] if have["user"] else []
    have["net"] = _works(*first, namespaces.new_network)
    have["pid"] = _works(*first, namespaces.new_processes, _nest)
    have["proc"] = "proc" not in without and _works(
        *first, namespaces.new_processes, lambda: _nest(namespaces.fresh_proc)
    )
    if not have["landlock"]:
        work = hello["work"]
        have["mounts"] = _works(
            *first, namespaces.new_mounts, lambda: namespaces.read_only_except(work)
        )
    return have


def enter(hello: Hello, have: Mechanisms) -> None:
    """Move this process into the namespaces that all runs share, and its children out of it."""
    if have["user"]:
        namespaces.new_user()
    if have["net"]:
        namespaces.new_network()
    if have["mounts"]:
        namespaces.new_mounts()
        namespaces.read_only_except(hello["work"])
    if have["pid"]:
        namespaces.new_processes()


def neighbours(have: Mechanisms) -> int | None:
    """Processes that count towards the limit on a program that keeps our uid; None: no limit.

    Without a count of our own the limit would depend on what else the user runs. It is then left
    out where seccomp refuses new processes anyway.
    """
    if have["user"] and _kernel() >= (5, 14):  # processes are counted by user namespace
        return 3  # both halves of the warden, and the reaper
    if have["seccomp"] or not libc.LINUX:
        return None
    return _owned_tasks(os.getuid())


def _works(*attempts: Callable[[], None]) -> bool:
    child = os.fork()
    if child == 0:
        try:
            for attempt in attempts:
                attempt()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def _nest(*attempts: Callable[[], None]) -> None:
    if not _works(*attempts):
        raise OSError("no process can live in the new namespace")


def _kernel() -> tuple[int, int]:
    major, minor, *_ = os.uname().release.split(".")
    return int(major), int("".join(digit for digit in minor if digit.isdigit()))


def _owned_tasks(uid: int) -> int:
    count = 0
    for name in os.listdir("/proc"):  # noqa: PTH208
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == uid:  # noqa: PTH116
                count += len(os.listdir(f"/proc/{name}/task"))  # noqa: PTH208
        except OSError:
            continue
    return count
