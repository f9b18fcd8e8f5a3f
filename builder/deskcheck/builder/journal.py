"""The crash-safe record of a build in progress: one line for each verdict, as soon as it stands."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
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
        line = line_of({"key": key, "row": verdict_to_json(verdict)})
        write_at(self.path, self._file, self._size, line, DatasetError)
        sync(self.path, self._file, DatasetError)
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
        header = line_of({"deskcheck_journal": FORMAT, "config": asked})
        write_at(path, file, 0, header, DatasetError)
        sync(path, file, DatasetError)
        sync_folder(path.parent)
        return Recorded(config=asked, verdicts={}, size=len(header))
    differing = list(differences(recorded.config, asked))
    if differing:
        raise DatasetError(
            f"the build in {path.parent} has another configuration: {', '.join(differing)}",
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
    header = row_of(lines[0])
    if header is None or header.get("deskcheck_journal") != FORMAT:
        raise DatasetError(
            f"{path} line 1 is damaged, or of another version", "use another -o or remove it"
        )
    verdicts: dict[str, Verdict] = {}
    size = len(lines[0]) + 1
    for number, line in enumerate(lines[1:], start=2):
        row = row_of(line)
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


def _lock(path: Path) -> int:
    return lock(
        path.with_suffix(".lock"),
        f"the build in {path.parent}",
        "wait for it, or use another -o",
        DatasetError,
    )
