"""The crash-safe record of work in progress: one line for each piece of it, as soon as it stands.

A build records verdicts, and other long work records what it makes, in files of the same form.
"""

from __future__ import annotations

import json
import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from deskcheck.builder.cases import Verdict, verdict_from_json, verdict_to_json
from deskcheck.builder.ledger import (
    differences,
    line_of,
    lock,
    row_of,
    sync,
    sync_folder,
    write_at,
)
from deskcheck.oracles.errors import DatasetError
from deskcheck.oracles.identity import canonical_json

FORMAT = 2
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
class Recorded[Entry]:
    """What a journal holds: the configuration of its build, and its entries by key."""

    config: Mapping[str, Any]
    entries: Mapping[str, Entry]
    size: int
    """Bytes that hold whole records; what follows was torn."""


class JournalOf[Entry](ABC):
    """An append-only file that one build at a time holds; use it as a context.

    Each record is written by one call and synced before `append` returns. Making an entry takes
    far longer than a sync, and so even a power failure can damage no other line than the last
    one, which the next `open` cuts off.
    """

    entry: str
    """What an entry is called in a message, with its article."""

    def __init__(self, path: Path, file: int, lock: int, recorded: Recorded[Entry]) -> None:
        self.path = path
        self._file = file
        self._lock = lock
        self._size = recorded.size
        self._entries = dict(recorded.entries)

    @staticmethod
    @abstractmethod
    def to_json(entry: Entry, /) -> Any:
        """The entry as JSON takes it."""

    @staticmethod
    @abstractmethod
    def from_json(row: Any, /) -> Entry:
        """The entry again; KeyError or TypeError where the row is none."""

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
                recorded = _begin_or_go_on(path, file, config, cls.from_json, cls.entry)
            except BaseException:
                os.close(file)
                raise
        except BaseException:
            os.close(lock)
            raise
        return cls(path, file, lock, recorded)

    def done(self) -> dict[str, Entry]:
        """Every entry so far, by key, in the order in which they were appended."""
        return dict(self._entries)

    def append(self, key: str, entry: Entry) -> None:
        """Record the entry of `key`; ValueError where it has one already.

        DatasetError where the file cannot grow, for instance on a full disk; the journal is then
        as it was.
        """
        if key in self._entries:
            raise ValueError(f"{key!r} has {self.entry} already")
        line = line_of({"key": key, "row": self.to_json(entry)})
        write_at(self.path, self._file, self._size, line, DatasetError)
        sync(self.path, self._file, DatasetError)
        self._size += len(line)
        self._entries[key] = entry

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


class Journal(JournalOf[Verdict]):
    """The verdicts of a build, by candidate."""

    entry = "a verdict"

    @staticmethod
    def to_json(entry: Verdict, /) -> Any:
        return verdict_to_json(entry)

    @staticmethod
    def from_json(row: Any, /) -> Verdict:
        return verdict_from_json(row)


def read_journal(path: Path) -> Recorded[Verdict]:
    """What a journal holds now, whether or not a build holds it; nothing is changed.

    DatasetError where there is none, it has no header yet, or a line before the last is damaged.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DatasetError(f"no journal of a build at {path}: {error.strerror}") from None
    recorded = _read(path, content, Journal.from_json, Journal.entry)
    if recorded is None:
        raise DatasetError(f"the build in {path.parent} has just begun", "wait for a verdict")
    return recorded


def _begin_or_go_on[Entry](
    path: Path,
    file: int,
    config: Mapping[str, Any],
    from_json: Callable[[Any], Entry],
    called: str,
) -> Recorded[Entry]:
    asked = json.loads(canonical_json(dict(config)))
    with os.fdopen(os.dup(file), "rb") as content:
        recorded = _read(path, content.read(), from_json, called)
    if recorded is None:
        header = line_of({"deskcheck_journal": FORMAT, "config": asked})
        write_at(path, file, 0, header, DatasetError)
        sync(path, file, DatasetError)
        sync_folder(path.parent)
        return Recorded(config=asked, entries={}, size=len(header))
    differing = list(differences(recorded.config, asked))
    if differing:
        raise DatasetError(
            f"the build in {path.parent} has another configuration: {', '.join(differing)}",
            "use another -o or remove it",
        )
    os.ftruncate(file, recorded.size)
    return recorded


def _read[Entry](
    path: Path, content: bytes, from_json: Callable[[Any], Entry], called: str
) -> Recorded[Entry] | None:
    """None where not even the header was written whole."""
    lines = content.split(b"\n")
    torn = lines.pop()
    if not lines:
        return None
    header = row_of(lines[0])
    if header is None or header.get("deskcheck_journal") != FORMAT:
        raise DatasetError(
            f"{path} line 1 is damaged, or of another version", "use another -o or remove it"
        )
    entries: dict[str, Entry] = {}
    size = len(lines[0]) + 1
    for number, line in enumerate(lines[1:], start=2):
        row = row_of(line)
        if row is None:
            if number == len(lines) and not torn:
                break
            raise DatasetError(f"{path} line {number} is damaged", "use another -o or remove it")
        try:
            entries[row["key"]] = from_json(row["row"])
        except (KeyError, TypeError):
            raise DatasetError(
                f"{path} line {number} is {called} of another version of Deskcheck",
                "use another -o or remove it",
            ) from None
        size += len(line) + 1
    return Recorded(config=header["config"], entries=entries, size=size)


def _lock(path: Path) -> int:
    return lock(
        path.with_suffix(".lock"),
        f"the build in {path.parent}",
        "wait for it, or use another -o",
        DatasetError,
    )
