"""The crash-safe record of a build in progress: one line for each verdict, as soon as it stands."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from deskcheck.builder.cases import Verdict, verdict_from_json, verdict_to_json
from deskcheck.oracles.errors import DatasetError
from deskcheck.oracles.identity import canonical_json

FORMAT = 1
NAME = "verdicts.jsonl"
SUFFIX = ".building"


def building_folder(folder: Path) -> Path:
    """Where the build of the dataset `folder` keeps its state until that folder appears whole."""
    return folder.with_name(f"{folder.name}{SUFFIX}")


def finished_folder(building: Path) -> Path:
    """The folder that a building folder is to become; any other folder as it is."""
    return building.with_name(building.name.removesuffix(SUFFIX)) if building.name else building


def journal_path(folder: Path) -> Path:
    """The journal of the build of the dataset `folder`."""
    return building_folder(folder) / NAME


def discard_building(folder: Path) -> None:
    """Remove the state of a build whose dataset stands."""
    shutil.rmtree(building_folder(folder), ignore_errors=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What a journal holds: the configuration of its build, and its verdicts by candidate."""

    config: Mapping[str, Any]
    verdicts: Mapping[str, Verdict]
    size: int
    """Bytes that hold whole records; what follows was torn."""


class Journal:
    """An append-only file that one build at a time holds; use it as a context.

    Each record is written by one call and synced before `append` returns. Judging a candidate
    takes a thousand times as long as a sync, and so even a power failure can damage no other line
    than the last one, which the next `open` cuts off.
    """

    def __init__(self, path: Path, file: int, lock: int, recorded: Recorded) -> None:
        self.path = path
        self._file = file
        self._lock = lock
        self._size = recorded.size
        self._verdicts = dict(recorded.verdicts)

    @classmethod
    def open(cls, path: Path, config: Mapping[str, Any]) -> Self:
        """Begin the journal, or go on with the one that is there.

        `config` has what decides the rows, as canonical JSON takes it (no floats). DatasetError
        where another process holds the journal, where it is of another configuration (the
        message says how they differ), or where a line before the last is damaged.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = _lock(path)
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                recorded = _begin_or_go_on(path, file, config)
            except BaseException:
                os.close(file)
                raise
        except BaseException:
            os.close(lock)
            raise
        return cls(path, file, lock, recorded)

    def done(self) -> dict[str, Verdict]:
        """Every verdict so far, by candidate, in the order in which they were appended."""
        return dict(self._verdicts)

    def append(self, key: str, verdict: Verdict) -> None:
        """Record the verdict of the candidate `key`; ValueError where it has one already.

        DatasetError where the file cannot grow, for instance on a full disk; the journal is then
        as it was.
        """
        if key in self._verdicts:
            raise ValueError(f"candidate {key!r} has a verdict already")
        line = _line({"key": key}, "row", verdict_to_json(verdict))
        _write(self.path, self._file, self._size, line)
        self._size += len(line)
        self._verdicts[key] = verdict

    def close(self) -> None:
        """Let another build have the journal."""
        os.close(self._file)
        os.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.close()


def read_journal(path: Path) -> Recorded:
    """What a journal holds now, whether or not a build holds it; nothing is changed.

    DatasetError where there is none, it has no header yet, or a line before the last is damaged.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DatasetError(f"no journal of a build at {path}: {error.strerror}") from None
    recorded = _read(path, content)
    if recorded is None:
        raise DatasetError(f"the build in {path.parent} has just begun", "wait for a verdict")
    return recorded


def _begin_or_go_on(path: Path, file: int, config: Mapping[str, Any]) -> Recorded:
    asked = json.loads(canonical_json(dict(config)))
    with os.fdopen(os.dup(file), "rb") as content:
        recorded = _read(path, content.read())
    if recorded is None:
        header = _line({"deskcheck_journal": FORMAT}, "config", asked)
        os.ftruncate(file, 0)
        _write(path, file, 0, header)
        _sync_folder(path.parent)
        return Recorded(config=asked, verdicts={}, size=len(header))
    differences = list(_differences(recorded.config, asked))
    if differences:
        raise DatasetError(
            f"the build in {path.parent} has another configuration: {', '.join(differences)}",
            "use another -o or remove it",
        )
    os.ftruncate(file, recorded.size)
    return recorded


def _read(path: Path, content: bytes) -> Recorded | None:
    """None where not even the header was written whole."""
    lines = content.split(b"\n")
    torn = lines.pop()
    if not lines:
        return None
    header = _checked(lines[0], "config")
    if header is None or header.get("deskcheck_journal") != FORMAT:
        raise DatasetError(
            f"{path} line 1 is damaged, or of another version", "use another -o or remove it"
        )
    verdicts: dict[str, Verdict] = {}
    size = len(lines[0]) + 1
    for number, line in enumerate(lines[1:], start=2):
        row = _checked(line, "row")
        if row is None:
            if number == len(lines) and not torn:
                break
            raise DatasetError(f"{path} line {number} is damaged", "use another -o or remove it")
        try:
            verdicts[row["key"]] = verdict_from_json(row["row"])
        except (KeyError, TypeError):
            raise DatasetError(
                f"{path} line {number} is a verdict of another version of Deskcheck",
                "use another -o or remove it",
            ) from None
        size += len(line) + 1
    return Recorded(config=header["config"], verdicts=verdicts, size=size)


def _line(rest: Mapping[str, str | int], name: str, payload: Any) -> bytes:
    """One record as a line; the checksum is of everything else in it."""
    checksum = sha256(canonical_json({**rest, name: payload})).hexdigest()
    return json.dumps({**rest, "sha": checksum, name: payload}).encode("ascii") + b"\n"


def _checked(line: bytes, name: str) -> dict[str, Any] | None:
    """The record in a line, or None where the line is not as it was written."""
    try:
        record = json.loads(line)
        checksum = record.pop("sha")
        whole = name in record and checksum == sha256(canonical_json(record)).hexdigest()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return dict(record) if whole else None


def _write(path: Path, file: int, size: int, line: bytes) -> None:
    """Put a line behind the `size` bytes that stand; all of it or, but for a crash, nothing."""
    try:
        os.ftruncate(file, size)  # what an interrupted call may have left
        if os.pwrite(file, line, size) != len(line):
            raise OSError(None, "only a part of a record fits")
        os.fsync(file)
    except OSError as error:
        with suppress(OSError):
            os.ftruncate(file, size)
        raise DatasetError(
            f"cannot write to {path}: {error.strerror}", "what was recorded before is kept"
        ) from error


def _lock(path: Path) -> int:
    """A descriptor that holds the build's lock until it is closed, or its process ends.

    A POSIX lock: workers that this process forks do not inherit it, so it never outlives a killed
    build. It stands on a file of its own, because such a lock is lost when its process closes any
    descriptor of the locked file.
    """
    lock = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = os.pread(lock, 300, 0).decode("utf-8", "replace").strip() or "of unknown number"
        os.close(lock)
        raise DatasetError(
            f"the build in {path.parent} is running as process {holder}",
            "wait for it, or use another -o",
        ) from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()} on {socket.gethostname()}\n".encode(), 0)
    return lock


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _differences(there: Any, asked: Any, name: str = "") -> Iterator[str]:
    if isinstance(there, dict) and isinstance(asked, dict):
        for key in sorted(there.keys() | asked.keys()):
            inner = f"{name}.{key}" if name else key
            yield from _differences(there.get(key, _ABSENT), asked.get(key, _ABSENT), inner)
    elif there != asked or type(there) is not type(asked):
        yield f"{name} {_shown(there)} there, {_shown(asked)} asked"


_ABSENT = object()


def _shown(value: Any) -> str:
    text = "nothing" if value is _ABSENT else json.dumps(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
