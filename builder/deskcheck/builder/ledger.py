"""Append-only files of checksummed lines, and the lock that gives one process at a time the right
to write them."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from deskcheck.oracles.errors import DeskcheckError

_HEAD = b'{"sha": "'
_BODY = len(_HEAD) + 64 + len(b'", ')


def line_of(row: Mapping[str, Any]) -> bytes:
    """One JSON object as a line of ASCII; its first key is a checksum of everything after it."""
    body = json.dumps(row).encode("ascii")
    return _HEAD + sha256(body).hexdigest().encode("ascii") + b'", ' + body[1:] + b"\n"


def row_of(line: bytes) -> dict[str, Any] | None:
    """The object in a line, or None where the line is not as it was written."""
    body = b"{" + line[_BODY:].removesuffix(b"\n")
    try:
        record = json.loads(line)
        checksum = record.pop("sha")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    whole = line.startswith(_HEAD) and checksum == sha256(body).hexdigest()
    return dict(record) if whole else None


def write_at(path: Path, file: int, size: int, line: bytes, error: type[DeskcheckError]) -> None:
    """Put a line behind the `size` bytes that stand; all of it or, but for a crash, nothing.

    It is not synced. An `error` where it cannot be written, for instance on a full disk.
    """
    try:
        os.ftruncate(file, size)  # what an interrupted call may have left
        if os.pwrite(file, line, size) != len(line):
            raise OSError(None, "only a part of a record fits")
    except OSError as failure:
        with suppress(OSError):
            os.ftruncate(file, size)
        raise _unwritable(path, failure, error) from failure


def sync(path: Path, file: int, error: type[DeskcheckError]) -> None:
    """Bring to disk what was written; an `error` where that fails."""
    try:
        os.fsync(file)
    except OSError as failure:
        raise _unwritable(path, failure, error) from failure


def lock(path: Path, what: str, hint: str, error: type[DeskcheckError]) -> int:
    """A descriptor that holds the lock file at `path` until it is closed, or its process ends.

    A POSIX lock: workers that this process forks do not inherit it, so it never outlives a killed
    holder. It stands on a file of its own, because such a lock is lost when its process closes any
    descriptor of the locked file. An `error` about `what` where another process holds it.
    """
    held = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.lockf(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = os.pread(held, 300, 0).decode("utf-8", "replace").strip() or "of unknown number"
        os.close(held)
        raise error(f"{what} is running as process {holder}", hint) from None
    os.ftruncate(held, 0)
    os.pwrite(held, f"{os.getpid()} on {socket.gethostname()}\n".encode(), 0)
    return held


def sync_folder(folder: Path) -> None:
    """Bring to disk which files the folder holds."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def differences(
    there: Any, asked: Any, name: str = "", words: tuple[str, str] = ("there", "asked")
) -> Iterator[str]:
    """Each place where two configurations differ, with both values and what each is called."""
    if isinstance(there, dict) and isinstance(asked, dict):
        for key in sorted(there.keys() | asked.keys()):
            inner = f"{name}.{key}" if name else key
            yield from differences(there.get(key, _ABSENT), asked.get(key, _ABSENT), inner, words)
    elif there != asked or type(there) is not type(asked):
        yield f"{name} {_shown(there)} {words[0]}, {_shown(asked)} {words[1]}"


_ABSENT = object()


def _shown(value: Any) -> str:
    text = "nothing" if value is _ABSENT else json.dumps(value)
    return text if len(text) <= 80 else f"{text[:79]}…"


def _unwritable(path: Path, failure: OSError, error: type[DeskcheckError]) -> DeskcheckError:
    return error(f"cannot write to {path}: {failure.strerror}", "what was recorded before is kept")
