"""A dataset folder read as it stands, damaged or not, and what is not as it was written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from deskcheck.builder.cases import ARMS, Answer, Case, Measures, StoredCase, Task
from deskcheck.builder.contents import Manifest
from deskcheck.builder.dataset import stored_manifest, stored_rows
from deskcheck.builder.schemas import (
    ANSWERS,
    CASES,
    MEASUREMENTS,
    TABLES,
    TASKS,
    Row,
    Table,
    record_of,
)
from deskcheck.oracles.errors import DatasetError


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """One thing that is not as it was written."""

    cause: str
    """Snake case, such as `answer_differs`."""
    item: str
    """The candidate, or `dataset`."""
    place: str
    """The arm, table or file, as far as one can be named."""
    detail: str
    toolchain: bool = False
    """It follows from a toolchain that is not the manifest's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A folder's content as it stands, damaged or not."""

    folder: Path
    manifest: Manifest
    rows: Mapping[str, list[Row]]
    """By table; those that cannot be read are left out."""
    cases: tuple[Case, ...]
    tasks: Mapping[str, tuple[Task, ...]]
    """By case id, in the order of their rows."""
    measures: Mapping[str, Measures]
    answers: Mapping[str, Answer]

    def whole(self) -> Iterator[StoredCase]:
        """The cases that have each of their four tasks once."""
        for case in self.cases:
            tasks = {task.arm: task for task in self.tasks.get(case.id, ())}
            if len(self.tasks.get(case.id, ())) == len(ARMS) == len(tasks):
                yield StoredCase(case=case, tasks=tuple(tasks[arm] for arm in ARMS))


def stored(folder: Path) -> tuple[Stored, list[Drift]]:
    """What can be read of a folder, and each table that cannot.

    DatasetError where there is no manifest that can be read.
    """
    manifest = stored_manifest(folder)
    drift: list[Drift] = []
    rows: dict[str, list[Row]] = {}
    for table in TABLES:
        try:
            rows[table.name] = stored_rows(folder, table)
        except DatasetError as error:
            missing = not (folder / table.path).exists()
            cause = "table_missing" if missing else "table_unreadable"
            drift.append(of_dataset(cause, table.path, error.what.partition(": ")[2]))
    tasks: dict[str, list[Task]] = {}
    for task in _records(Task, TASKS, rows, drift):
        tasks.setdefault(task.case_id, []).append(task)
    content = Stored(
        folder=folder,
        manifest=manifest,
        rows=rows,
        cases=tuple(_records(Case, CASES, rows, drift)),
        tasks={case: tuple(of_case) for case, of_case in tasks.items()},
        measures={each.task_id: each for each in _records(Measures, MEASUREMENTS, rows, drift)},
        answers={each.task_id: each for each in _records(Answer, ANSWERS, rows, drift)},
    )
    return content, drift


def of_dataset(cause: str, place: str, detail: str) -> Drift:
    """A drift of the folder as a whole, not of one candidate."""
    return Drift(cause=cause, item="dataset", place=place, detail=detail)


def _records[R: (Case, Task, Measures, Answer)](
    kind: type[R], table: Table, rows: Mapping[str, list[Row]], drift: list[Drift]
) -> list[R]:
    """The rows as records; one that holds no such record is drift."""
    records: list[R] = []
    for number, row in enumerate(rows.get(table.name, ()), start=1):
        try:
            records.append(record_of(kind, row))
        except (ValueError, TypeError) as error:
            detail = f"row {number} is no record of this version: {error}"
            drift.append(of_dataset("row_damaged", table.path, detail))
    return records
