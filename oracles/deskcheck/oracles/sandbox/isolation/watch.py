"""The bounds that the kernel does not keep: wall time, exact CPU time, and room on disk."""

from __future__ import annotations

import os
import signal
import stat
import time
from contextlib import suppress

from . import libc
from .wire import Request

_TICK_S = 0.2
_MOST_ENTRIES = 20_000
_MOST_DEPTH = 200
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_CPU_CLOCK = 2


class Watch:
    """Kills the program when its time is up or its scratch folder is full.

    The kernel's own limit on CPU time counts ticks, which on a busy machine can be off by a fifth
    and more; the process's clock is exact.

    Driven by a repeating timer: one alarm can come between the check for signals and the wait,
    and would then be seen only after it.
    """

    def __init__(self, child: int, began: float, request: Request) -> None:
        self._child = child
        self._deadline = began + request["wall_s"]
        self._cpu_s = request["cpu_s"]
        self._scratch, self._disk = request["scratch"], request["disk"]
        self.out_of_time = self.out_of_cpu = self.out_of_disk = False

    def start(self) -> None:
        """Begin to look, in the signal handler of this process."""
        signal.signal(signal.SIGALRM, lambda _signal, _frame: self._look())
        self._arm()

    def stop(self) -> None:
        """Look a last time at the disk, and no more."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        self._look_at_disk()

    def _arm(self) -> None:
        left = min(self._deadline - time.monotonic(), self._cpu_s - _cpu_seconds(self._child))
        signal.setitimer(signal.ITIMER_REAL, min(_TICK_S, max(left, 0.001)), _TICK_S)

    def _look(self) -> None:
        self.out_of_time = self.out_of_time or time.monotonic() >= self._deadline
        self.out_of_cpu = self.out_of_cpu or _cpu_seconds(self._child) >= self._cpu_s
        self._look_at_disk()
        if self.out_of_time or self.out_of_cpu or self.out_of_disk:
            with suppress(ProcessLookupError):  # it has just been collected
                os.kill(self._child, signal.SIGKILL)
        else:
            self._arm()

    def _look_at_disk(self) -> None:
        self.out_of_disk = self.out_of_disk or _occupied(self._scratch, self._disk) > self._disk


def _cpu_seconds(pid: int) -> float:
    """CPU time of a process, its threads included; 0 where one cannot ask."""
    if not libc.LINUX:
        return 0.0
    try:
        return time.clock_gettime(~pid << 3 | _CPU_CLOCK)  # as clock_getcpuclockid(3) makes it
    except OSError:
        return 0.0


def _occupied(scratch: str, enough: int) -> int:
    """Bytes on disk beneath `scratch`, or more than `enough` as soon as that is certain.

    A folder that cannot be looked into counts as too much: nobody can say what is in it.
    """
    tally = _Tally(enough)
    try:
        folder = os.open(scratch, _FOLDER)
        try:
            tally.add(folder, 0)
        finally:
            os.close(folder)
    except FileNotFoundError:
        pass
    except OSError:
        return enough + 1
    return tally.total


class _Tally:
    """A sum over a tree of folders, which are opened one from another: what lies deep has a path
    too long to name."""

    def __init__(self, enough: int) -> None:
        self.total = 0
        self._enough = enough
        self._entries = 0

    def add(self, folder: int, depth: int) -> None:
        """Add what is in the open `folder`, until it is enough."""
        inner: list[str] = []
        with os.scandir(folder) as listing:
            for entry in listing:
                self._entries += 1
                with suppress(FileNotFoundError):
                    facts = entry.stat(follow_symlinks=False)
                    self.total += facts.st_blocks * 512
                    if stat.S_ISDIR(facts.st_mode):
                        inner.append(entry.name)
                if self._entries > _MOST_ENTRIES:
                    self.total = self._enough + 1
                if self.total > self._enough:
                    return
        if inner and depth == _MOST_DEPTH:
            self.total = self._enough + 1
            return
        for name in inner:
            with suppress(FileNotFoundError, NotADirectoryError):
                opened = _opened(name, folder)
                try:
                    self.add(opened, depth + 1)
                finally:
                    os.close(opened)


def _opened(name: str, parent: int) -> int:
    """A folder, open to be listed even where the program has closed it to itself."""
    try:
        return os.open(name, _FOLDER, dir_fd=parent)
    except PermissionError:
        held = os.open(name, _FOLDER | os.O_PATH, dir_fd=parent)
    try:
        # By its open file: the name may stand for something else by now.
        os.chmod(f"/proc/self/fd/{held}", 0o700)  # noqa: PTH101
    finally:
        os.close(held)
    return os.open(name, _FOLDER, dir_fd=parent)
