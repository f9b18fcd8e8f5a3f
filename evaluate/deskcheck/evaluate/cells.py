"""Cells: one row for each planned task, setting and repeat, whatever became of it.

Cells are the only thing that an analysis reads of a run. They are derived, so they can be deleted
and made again by `builder grade`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import batched
from pathlib import Path
from typing import Literal, get_args

import pyarrow as pa
from pyarrow import parquet

from deskcheck.builder.cases import Arm
from deskcheck.oracles.errors import RunError

NAME = "cells.parquet"
_GROUP = 2_000

Status = Literal[
    "correct",
    "wrong",
    "unparsed",
    "truncated",
    "over_length",
    "no_response",
    "engine_error",
    "pending",
]
STATUSES: tuple[Status, ...] = get_args(Status)
"""`pending` is a cell that an unfinished run has not collected yet."""

COMPLETED: frozenset[Status] = frozenset({"correct", "wrong", "unparsed", "truncated"})
"""A reply came back: the cells that R counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One planned question and what became of it. None where there is nothing to tell."""

    setting: str
    model: str
    reasoning: str
    floor_setting: bool
    """The setting is a baseline, not a model."""
    task_id: str
    case_id: str
    candidate: str
    study: str
    language: str
    origin: str
    """What uncertainty clusters on by default."""
    program_sha: str
    arm: Arm
    repeat: int
    selected: bool
    """Repeat 0, fixed before the run: the reply that single-answer accuracy is about."""
    status: Status
    envelope_valid: bool | None
    """The reply followed the response contract to the letter."""
    extraction: str | None
    """Which way of the extraction rule found the answer."""
    answer: str | None
    """The answer as it was extracted."""
    first_answer: str | None
    """The first one of several; equal to `answer` where there is one."""
    answers: int | None
    """How many answers the reply gives."""
    answer_correct: bool | None
    """The extracted answer equals the truth, also where the reply was cut off after it."""
    field_credit: float | None
    """Share of the projection's fields that are right; state arms only."""
    difference_at: str | None
    difference_expected: str | None
    difference_given: str | None
    rule: str
    guessable: bool
    """The task's answer is one that a guess may hit."""
    key: str
    prompt_sha: str
    finish_reason: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    reasoning_tokens: int | None
    reasoning_characters: int | None
    seconds: float | None
    attempts: int | None
    error: str | None


_TYPES = {
    "str": pa.large_string(),
    "bool": pa.bool_(),
    "int": pa.int64(),
    "float": pa.float64(),
    "Arm": pa.string(),
    "Status": pa.string(),
}

SCHEMA = pa.schema(
    [
        pa.field(
            each.name,
            _TYPES[str(each.type).removesuffix(" | None")],
            str(each.type).endswith(" | None"),
        )
        for each in fields(Cell)
    ]
)


def write_cells(path: Path, cells: Iterable[Cell]) -> None:
    """Replace the file at `path` at once, with a bounded number of cells in memory."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with parquet.ParquetWriter(partial, SCHEMA, compression="zstd") as writer:
            for group in batched(cells, _GROUP):
                columns = {
                    name: pa.array([getattr(cell, name) for cell in group], SCHEMA.field(name).type)
                    for name in SCHEMA.names
                }
                writer.write_table(pa.table(columns, schema=SCHEMA))
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def read_cells(path: Path) -> Iterator[Cell]:
    """Every cell of the file; RunError where it cannot be read."""
    try:
        with parquet.ParquetFile(path) as file:
            if not file.schema_arrow.equals(SCHEMA):
                raise RunError(f"{path} is of another version", "run builder grade again")
            for batch in file.iter_batches(_GROUP):
                for row in batch.to_pylist():
                    yield Cell(**row)
    except FileNotFoundError:
        raise RunError(f"no cells at {path}", "run builder grade first") from None
    except (OSError, pa.ArrowException) as error:
        said = str(error).partition("\n")[0]
        raise RunError(f"cannot read {path}: {said}", "run builder grade again") from None
