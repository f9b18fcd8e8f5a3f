"""Leaving nothing alive of what a run started, daemons with sessions of their own included."""

from __future__ import annotations

import os
import signal
import time

from . import libc


def empty_namespace() -> None:
    """Kill and collect every other process of our namespace, whose process 1 we are."""
    if os.getpid() != 1:
        raise RuntimeError("only as process 1 of a namespace does -1 not mean the whole machine")
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        return
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        return


def kill_group(group: int) -> None:
    """Kill a process group, where there is nothing better: see `kill_descendants`."""
    if libc.LINUX:
        return
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def kill_descendants() -> None:
    """Kill and collect every descendant of this process, which must adopt orphans.

    Without /proc (macOS) only children are collected; what left its group and parent is missed.
    """
    while _reap():
        # Stop all before killing any: what is stopped cannot fork, so the search comes to an end.
        stopped: set[int] = set()
        while found := _descendants(os.getpid()) - stopped:
            for pid in found:
                _signal(pid, signal.SIGSTOP)
            stopped |= found
        for pid in stopped:
            _signal(pid, signal.SIGKILL)
        time.sleep(0.001)


def _reap() -> bool:
    """Collect what has died; whether children are left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _descendants(ancestor: int) -> set[int]:
    try:
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208
    except FileNotFoundError:
        return set()
    parents: dict[int, int] = {}
    for pid in pids:
        try:
            file = os.open(f"/proc/{pid}/stat", os.O_RDONLY)
        except OSError:
            continue
        try:
            # The name in parentheses may hold anything, parentheses included.
            parents[pid] = int(os.read(file, 1024).rpartition(b")")[2].split()[1])
        except (OSError, IndexError):
            continue
        finally:
            os.close(file)
    found: set[int] = set()
    grown = {ancestor}
    while grown:
        grown = {pid for pid, parent in parents.items() if parent in grown} - found
        found |= grown
    return found
