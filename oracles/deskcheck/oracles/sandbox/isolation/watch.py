"""The bounds that the kernel does not keep: wall time, exact CPU time, and room on disk."""

from __future__ import annotations

import os
import signal
import stat
import time

from . import libc
from .wire import Request

_TICK_S = 0.2
_MOST_ENTRIES = 20_000
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


def _occupied(folder: str, enough: int) -> int:
    """Bytes on disk beneath `folder`, or more than `enough` as soon as that is certain."""
    total, entries, folders = 0, 0, [folder]
    while folders:
        try:
            with os.scandir(folders.pop()) as listing:
                for entry in listing:
                    entries += 1
                    facts = entry.stat(follow_symlinks=False)
                    total += facts.st_blocks * 512
                    if total > enough or entries > _MOST_ENTRIES:
                        return enough + 1
                    if stat.S_ISDIR(facts.st_mode):
                        folders.append(entry.path)
        except OSError:
            continue
    return total
