"""The parent of one program: it times the program, and leaves nothing of it alive."""

from __future__ import annotations

import os
import sys
import time
from resource import struct_rusage
from typing import NoReturn

from . import extinction, libc, namespaces, wire
from .launch import Born, Launch
from .watch import Watch
from .wire import Mechanisms, Report, Request


def supervise(
    launch: Launch, request: Request, have: Mechanisms, result: int, *, warden: int, work: str
) -> NoReturn:
    """Run one program in this process's child and write a Report to the pipe `result`.

    `warden` is our parent, `work` the folder that all runs of this sandbox lie in. Born comes
    through in a child that goes on as the program.
    """
    try:
        libc.die_with_parent()
        if not have["pid"]:
            libc.adopt_orphans()
            if os.getppid() != warden:  # it died before the kernel knew to tell us
                os._exit(1)
        elif have["proc"]:
            namespaces.fresh_proc(read_only=not have["landlock"])  # which would refuse writes
        if have["mounts"]:
            namespaces.new_mounts()
            namespaces.narrow(work, request["scratch"])
        report = _run(launch, request, have)
    except Born:
        raise
    except BaseException as error:
        report = wire.failure(f"cannot supervise the program: {error!r}")
    try:
        wire.send(result, report)
    finally:
        os._exit(0)


def _run(launch: Launch, request: Request, have: Mechanisms) -> Report:
    reading, writing = os.pipe()
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        launch.become(writing)
    os.close(writing)
    failed = _read_all(reading)
    watch = Watch(child, began, request)
    watch.start()
    status, usage = _await(child)
    watch.stop()
    wall_s = time.monotonic() - began
    if have["pid"]:
        extinction.empty_namespace()
    else:
        extinction.kill_group(child)
        extinction.kill_descendants()
    if failed:
        return wire.failure(failed.decode("utf-8", "replace"))
    return Report(
        failed="",
        status=status,
        out_of_time=watch.out_of_time,
        out_of_cpu=watch.out_of_cpu,
        out_of_disk=watch.out_of_disk,
        cpu_s=usage.ru_utime + usage.ru_stime,
        wall_s=wall_s,
        peak_rss=usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
    )


def _await(child: int) -> tuple[int, struct_rusage]:
    while True:
        pid, status, usage = os.wait4(-1, 0)  # orphans come here as well
        if pid == child:
            return status, usage


def _read_all(fd: int) -> bytes:
    parts: list[bytes] = []
    while part := os.read(fd, 4096):
        parts.append(part)
    os.close(fd)
    return b"".join(parts)
