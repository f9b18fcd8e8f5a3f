"""A run as a folder: what was planned, and every reply as it came, safe at any moment.

`run.json` and `prompts.jsonl` are written once, when the run begins. `responses.jsonl` only grows:
one checksummed line for each reply, as soon as it is there. `log.jsonl` tells of sessions and
engines. Cells are derived from these and can be made again.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from deskcheck.builder.ledger import line_of, lock, row_of, sync, sync_folder, write_at
from deskcheck.evaluate.plan import Plan, RunConfig, config_json, config_of
from deskcheck.evaluate.requests import Outcome, Reply, Request, prompt_sha
from deskcheck.oracles.errors import RunError

CONFIG, PROMPTS, RESPONSES, LOG, LOCK = (
    "run.json",
    "prompts.jsonl",
    "responses.jsonl",
    "log.jsonl",
    "LOCK",
)
FINAL: frozenset[Outcome] = frozenset({"answered"})
"""Outcomes that no later reply of the same key replaces."""

SYNC_EVERY_S = 1.0
"""A crash of the machine may lose the replies of so many seconds; a killed process loses none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """One reply as the run keeps it."""

    key: str
    setting: str
    task_id: str
    repeat: int
    prompt_sha: str
    rendered_sha: str
    """Hash of what the model read, or of the request's body where the server renders."""
    seconds: float
    ended: str
    """When the reply was there: UTC, ISO 8601."""
    reused_from: str
    """The run that it was taken over from, or nothing."""
    reply: Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Where a reply lies in the file, and what became of its request."""

    offset: int
    outcome: Outcome


class RunFolder:
    """Reads a run's folder; nothing is changed and no lock is needed."""

    def __init__(self, path: Path) -> None:
        """RunError where there is no run, or its configuration is damaged."""
        self.path = path
        self.config = _read_config(path)
        self.damaged = 0
        """Lines that the last `index` or `stored` could not use."""

    @property
    def responses(self) -> Path:
        """The file that holds every reply."""
        return self.path / RESPONSES

    def index(self) -> dict[str, Held]:
        """By key of the request: the reply that counts.

        That is the first one that came back, else the last of those that did not.
        """
        held: dict[str, Held] = {}
        for offset, row in self._rows():
            before = held.get(row["key"])
            if before is None or before.outcome not in FINAL:
                held[row["key"]] = Held(offset=offset, outcome=row["outcome"])
        return held

    def placed(self) -> Iterator[tuple[int, Stored]]:
        """Every reply with where it lies, in the order in which they came."""
        for offset, row in self._rows():
            yield offset, _stored_of(row)

    def engine_facts(self) -> dict[str, Any]:
        """By setting: what its engine said of itself in the last session that opened it."""
        facts: dict[str, Any] = {}
        if (self.path / LOG).exists():
            for line in (self.path / LOG).read_text("ascii", "replace").splitlines():
                try:
                    row = json.loads(line)
                except ValueError:
                    continue  # torn; nothing is computed from it
                if row.get("event") == "engine":
                    facts |= dict.fromkeys(row["settings"], row["facts"])
        return facts

    def read(self, offset: int) -> Stored:
        """The reply that lies there; RunError where none does."""
        with self.responses.open("rb") as file:
            file.seek(offset)
            row = row_of(file.readline())
        if row is None or row.keys() != _ROW:
            raise RunError(f"{self.responses} changed while it was read", "try again")
        return _stored_of(row)

    def _rows(self) -> Iterator[tuple[int, dict[str, Any]]]:
        self.damaged = 0
        offset = 0
        try:
            responses = self.responses.open("rb")
        except FileNotFoundError:
            return
        except OSError as error:
            raise RunError(f"cannot read {self.responses}: {error.strerror}") from None
        with responses as file:
            for line in file:
                if not line.endswith(b"\n"):
                    return  # torn, or being written right now
                row = row_of(line)
                if row is not None and row.keys() == _ROW:
                    yield offset, row
                else:
                    self.damaged += 1
                offset += len(line)


class RunWriter:
    """Appends to a run's folder; use it as a context. One process at a time holds a run."""

    def __init__(self, path: Path) -> None:
        """RunError where another process holds the run, or there is none."""
        self.folder = RunFolder(path)
        try:
            self._lock = lock(
                path / LOCK, f"the run {path}", "wait for it, or begin another one", RunError
            )
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
            self._file = os.open(self.folder.responses, flags, 0o666)
            self._size = _whole_lines(self._file)
            os.ftruncate(self._file, self._size)
        except OSError as error:
            raise RunError(f"cannot write to the run {path}: {error.strerror}") from error
        self._synced = time.monotonic()

    def append(self, request: Request, reply: Reply, *, rendered_sha: str, seconds: float) -> None:
        """Store a reply; it is safe from the end of this process when this returns."""
        self._append(
            Stored(
                key=request.key,
                setting=request.setting.name,
                task_id=request.task_id,
                repeat=request.repeat,
                prompt_sha=request.prompt_sha,
                rendered_sha=rendered_sha,
                seconds=round(seconds, 3),
                ended=_now(),
                reused_from="",
                reply=reply,
            )
        )

    def take_over(self, stored: Stored, *, setting: str, source: str) -> None:
        """Store a reply that another run, of the id `source`, got to the same request."""
        self._append(_replaced(stored, setting=setting, source=stored.reused_from or source))

    def log(self, event: str, **facts: Any) -> None:
        """Note an event of this session; for people, nothing is computed from it."""
        row = {"event": event, "at": _now(), **facts}
        where = self.folder.path / LOG
        try:
            with where.open("a", encoding="ascii") as file:
                file.write(json.dumps(row) + "\n")
        except OSError as error:
            raise RunError(f"cannot write to {where}: {error.strerror}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        try:
            sync(self.folder.responses, self._file, RunError)
        finally:
            os.close(self._file)
            os.close(self._lock)

    def _append(self, stored: Stored) -> None:
        line = line_of(_row(stored))
        write_at(self.folder.responses, self._file, self._size, line, RunError)
        self._size += len(line)
        if time.monotonic() - self._synced >= SYNC_EVERY_S:
            sync(self.folder.responses, self._file, RunError)
            self._synced = time.monotonic()


def begin(output: Path, plan: Plan, slug: str, *, fresh: bool = False) -> Path:
    """The folder of the plan's run in `output`: the one that is there, or a new one.

    The new folder appears whole. `fresh` begins another one beside a run of the same plan.
    """
    id8 = plan.config.id[:8]
    found = output.glob(f"*-{id8}*") if output.is_dir() else ()
    there = [folder for folder in found if (folder / CONFIG).is_file()]
    if there and not fresh:
        return max(there, key=_place)
    stem = f"{datetime.now(UTC):%Y-%m-%d}-{_slug(slug)}-{id8}"
    folder, number = output / stem, 1
    while folder.exists():
        number += 1
        folder = output / f"{stem}-{number}"
    partial = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
    try:
        partial.mkdir(parents=True)
        _write_plan(partial, plan)
        partial.rename(folder)
        sync_folder(output)
    except OSError as error:
        if not fresh and (folder / CONFIG).is_file():
            return folder  # another process has begun it since
        raise RunError(f"cannot begin a run at {folder}: {error.strerror}") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return folder


def discard_empty(folder: Path) -> None:
    """Remove a run that was refused before it got any reply."""
    responses = folder / RESPONSES
    if not responses.exists() or not responses.stat().st_size:
        shutil.rmtree(folder, ignore_errors=True)


def locate_run(given: Path) -> Path:
    """The run folder that is meant: `given`, or the only one in it; RunError where there is none,
    or several."""
    try:
        if (given / CONFIG).is_file():
            return given
        inner = sorted(folder.parent for folder in given.glob(f"[!.]*/{CONFIG}"))
    except OSError as error:
        raise RunError(f"cannot look into {given}: {error.strerror}") from error
    if len(inner) == 1:
        return inner[0]
    if inner:
        names = ", ".join(map(str, inner[:5])) + (", …" if len(inner) > 5 else "")
        raise RunError(f"{len(inner)} runs in {given}: {names}", "name one of them")
    raise RunError(f"no run at {given}", "builder evaluate makes one")


def _place(folder: Path) -> tuple[str, int, str]:
    """Its place among the runs of one plan: by date, then by number, the tenth behind the ninth."""
    return folder.name[:10], len(folder.name), folder.name


def _write_plan(folder: Path, plan: Plan) -> None:
    with (folder / PROMPTS).open("w", encoding="ascii") as file:
        for template, prompt in plan.prompts():
            row = {"task_id": prompt.task_id, "template": template}
            row |= {"sha256": prompt_sha(prompt.text), "prompt": prompt.text}
            file.write(json.dumps(row) + "\n")
        file.flush()
        os.fsync(file.fileno())
    with (folder / CONFIG).open("w", encoding="ascii") as file:
        file.write(json.dumps(config_json(plan.config), indent=1) + "\n")
        file.flush()
        os.fsync(file.fileno())


def _read_config(path: Path) -> RunConfig:
    where = path / CONFIG
    try:
        return config_of(json.loads(where.read_bytes()), str(where))
    except (FileNotFoundError, NotADirectoryError):
        raise RunError(
            f"no run at {path}: it has no {CONFIG}", "builder evaluate makes one"
        ) from None
    except OSError as error:
        raise RunError(f"cannot read {where}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise RunError(f"{where} is damaged: it is not JSON") from None


def _whole_lines(file: int) -> int:
    """Bytes up to the last line end; what follows was torn."""
    end = os.fstat(file).st_size
    while end:
        start = max(0, end - 65_536)
        found = os.pread(file, end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


_REPLY = tuple(field.name for field in fields(Reply))
_OWN = tuple(field.name for field in fields(Stored) if field.name != "reply")
_ROW = {*_OWN, *_REPLY}


def _row(stored: Stored) -> dict[str, Any]:
    own = {name: getattr(stored, name) for name in _OWN}
    return own | {name: getattr(stored.reply, name) for name in _REPLY}


def _stored_of(row: Mapping[str, Any]) -> Stored:
    reply = {name: row[name] for name in _REPLY}
    if reply["token_ids"] is not None:
        reply["token_ids"] = tuple(reply["token_ids"])
    return Stored(**{name: row[name] for name in _OWN}, reply=Reply(**reply))


def _replaced(stored: Stored, *, setting: str, source: str) -> Stored:
    own = {name: getattr(stored, name) for name in _OWN}
    return Stored(**{**own, "setting": setting, "reused_from": source}, reply=stored.reply)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-.")[:40] or "run"
