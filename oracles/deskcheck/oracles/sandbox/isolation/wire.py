"""Messages between us, the warden and its children: JSON behind a four-byte length."""

from __future__ import annotations

import json
import os
from typing import Any, TypedDict

_HEADER = 4


class Hello(TypedDict):
    """The first message to the warden."""

    host: int
    """Our process id: the warden ends when that process does."""
    work: str
    """The folder that scratch folders are made in."""
    without: list[str]
    """Mechanisms to leave unused: `namespaces`, `landlock`, `seccomp`."""


class Mechanisms(TypedDict):
    """The warden's first answer: what this machine has."""

    user: bool
    """The warden has a user namespace of its own."""
    net: bool
    mounts: bool
    """All but the work folder is mounted read-only."""
    pid: bool
    proc: bool
    """A fresh /proc can be mounted for each run."""
    landlock: int
    """ABI version, 0 where absent."""
    seccomp: bool


class Request(TypedDict):
    """One run."""

    argv: list[str]
    env: dict[str, str]
    scratch: str
    stdin: str
    stdout: str
    stderr: str
    uid: int | None
    """The uid and gid to take, or None to keep ours."""
    cpu_s: float
    wall_s: float
    memory: int
    file_size: int
    disk: int
    """Bytes that the scratch folder may hold altogether."""
    open_files: int
    processes: int


class Report(TypedDict):
    """What became of a run. Where `failed` is not empty, the rest says nothing."""

    failed: str
    status: int
    """As wait(2) gives it."""
    out_of_time: bool
    out_of_cpu: bool
    out_of_disk: bool
    cpu_s: float
    wall_s: float
    peak_rss: int
    """Bytes."""


def failure(what: str) -> Report:
    """The report of a run that never was."""
    return Report(
        failed=what,
        status=0,
        out_of_time=False,
        out_of_cpu=False,
        out_of_disk=False,
        cpu_s=0.0,
        wall_s=0.0,
        peak_rss=0,
    )


def send(fd: int, message: Any) -> None:
    """Write one message whole."""
    body = json.dumps(message).encode("ascii")
    data = memoryview(len(body).to_bytes(_HEADER, "big") + body)
    while data:
        data = data[os.write(fd, data) :]


def receive(fd: int) -> Any:
    """Read one message whole; EOFError where the other side has gone."""
    size = int.from_bytes(_exactly(fd, _HEADER), "big")
    return json.loads(_exactly(fd, size))


def _exactly(fd: int, size: int) -> bytes:
    parts: list[bytes] = []
    while size:
        part = os.read(fd, min(size, 1 << 16))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
