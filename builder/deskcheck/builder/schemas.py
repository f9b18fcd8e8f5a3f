"""The tables of a dataset folder: explicit Arrow schemas, and records as rows and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Any

import pyarrow as pa

from deskcheck.builder.cases import Answer, Case, Finding, Measures, Task
from deskcheck.oracles.checkpoints import Field
from deskcheck.oracles.errors import DatasetError
from deskcheck.oracles.identity import canonical_json

CANARY = "deskcheck-canary b1a41b28-df19-4f42-928f-5c33a6024094"
"""Stands in every card, manifest and table, so that training data can be searched for it."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One Parquet file of the folder. Rows are hashed in the order of the columns `key`."""

    name: str
    path: str
    schema: pa.Schema
    key: tuple[str, ...]


def _schema(**columns: pa.DataType | pa.Field) -> pa.Schema:
    """Columns without nulls, but for those given as fields."""
    return pa.schema(
        [
            kind.with_name(name) if isinstance(kind, pa.Field) else pa.field(name, kind, False)
            for name, kind in columns.items()
        ],
        metadata={"canary": CANARY},
    )


_NAME, _TEXT, _COUNT, _FLAG = pa.string(), pa.large_string(), pa.int64(), pa.bool_()
_MAYBE = pa.field("", pa.int64(), True)
_FIELDS = pa.list_(
    pa.field(
        "item",
        pa.struct([pa.field("name", pa.string(), False), pa.field("expression", _TEXT, False)]),
        False,
    )
)

CASES = Table(
    name="cases",
    path="cases.parquet",
    key=("id",),
    schema=_schema(
        id=_NAME,
        candidate=_NAME,
        pool=_NAME,
        study=_NAME,
        language=_NAME,
        program_sha=_NAME,
        origin=_NAME,
        licence=_NAME,
        author=_NAME,
        url=_NAME,
        tags=_NAME,
        short_input=_NAME,
        long_input=_NAME,
        loop_line=_COUNT,
        loop_offset=_COUNT,
        loop_kind=_NAME,
        loop_depth=_COUNT,
        iteration=_COUNT,
        iterations=_COUNT,
        short_iterations=_COUNT,
        long_iterations=_COUNT,
        inside_visit=_COUNT,
        post_visit=_COUNT,
        fields=_FIELDS,
        printed_before=_FLAG,
        post_contains_output=_FLAG,
    ),
)

TASKS = Table(
    name="tasks",
    path="tasks.parquet",
    key=("id",),
    schema=_schema(
        id=_NAME,
        case_id=_NAME,
        arm=_NAME,
        candidate=_NAME,
        study=_NAME,
        language=_NAME,
        source=_TEXT,
        stdin=_TEXT,
        rule=_NAME,
        fields=_FIELDS,
        floor=_FLAG,
    ),
)

MEASUREMENTS = Table(
    name="measurements",
    path="measurements.parquet",
    key=("task_id",),
    schema=_schema(
        task_id=_NAME,
        case_id=_NAME,
        arm=_NAME,
        trace_length=_COUNT,
        trace_exact=_FLAG,
        whole_trace_length=_COUNT,
        peak_state=_MAYBE,
        state_load=_MAYBE,
        boundaries=_MAYBE,
        cyclomatic=_COUNT,
        source_lines=_COUNT,
        source_characters=_COUNT,
        nesting=_COUNT,
        data_flow=_COUNT,
        stdin_characters=_COUNT,
        unread_stdin=_MAYBE,
        answer_characters=_COUNT,
        answer_digits=_COUNT,
        listed_output=_NAME,
    ),
)

_FINDINGS = _schema(
    candidate=_NAME,
    pool=_NAME,
    study=_NAME,
    order=_COUNT,
    check=_NAME,
    reason=_NAME,
    detail=_TEXT,
    loop_line=_MAYBE,
    measured=_TEXT,
)

REJECTIONS = Table(
    name="rejections",
    path="rejections.parquet",
    key=("candidate", "order"),
    schema=_FINDINGS,
)

PASSED_OVER = Table(
    name="passed_over",
    path="passed_over.parquet",
    key=("candidate", "order"),
    schema=_FINDINGS,
)

ANSWERS = Table(
    name="answers",
    path="oracles/answers.parquet",
    key=("task_id",),
    schema=_schema(task_id=_NAME, text=_TEXT),
)

SHOWN = (CASES, TASKS, REJECTIONS, MEASUREMENTS, PASSED_OVER)
"""The tables that the dataset's loader offers; none of them holds an answer."""

TABLES = (*SHOWN, ANSWERS)


def record_row(record: Case | Task | Measures | Answer) -> Row:
    """The record as its table's row; mappings become JSON text."""
    return {field.name: _plain(getattr(record, field.name)) for field in fields(record)}


def record_of[R: (Case, Task, Measures, Answer)](kind: type[R], row: Row) -> R:
    """The record that `record_row` wrote."""
    return kind(**{name: _rich(name, value) for name, value in row.items()})


def finding_rows(
    candidate: str, pool: str, study: str, findings: Sequence[Finding]
) -> Iterable[Row]:
    """A row for each finding, numbered from 1; what is not UTF-8 in a detail is escaped."""
    for order, finding in enumerate(findings, start=1):
        yield {
            "candidate": candidate,
            "pool": pool,
            "study": study,
            "order": order,
            "check": finding.check,
            "reason": finding.reason,
            "detail": _escaped(finding.detail),
            "loop_line": finding.loop_line,
            "measured": _plain(finding.measured),
        }


def finding_of(row: Row) -> Finding:
    """The finding that `finding_rows` wrote."""
    return Finding(
        check=row["check"],
        reason=row["reason"],
        detail=row["detail"],
        loop_line=row["loop_line"],
        measured=json.loads(row["measured"]),
    )


def arrow_table(table: Table, rows: Sequence[Row]) -> pa.Table:
    """The rows in the table's schema; DatasetError where a text cannot be UTF-8."""
    for row in rows:
        for column, value in row.items():
            _require_utf8(table, row, column, value)
    return pa.Table.from_pylist(list(rows), schema=table.schema)


def rows_sha256(table: Table, rows: Iterable[Row]) -> str:
    """Hash of the canonical JSON of the rows in key order: of what they say, not of the file."""
    digest = sha256()
    for row in sorted(rows, key=lambda row: [row[column] for column in table.key]):
        digest.update(canonical_json(row) + b"\n")
    return digest.hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return canonical_json(dict(value)).decode("ascii")
    if isinstance(value, tuple):
        return [{"name": field.name, "expression": field.expression} for field in value]
    return value


def _rich(name: str, value: Any) -> Any:
    if name == "tags":
        return json.loads(value)
    if name == "fields":
        return tuple(Field(**row) for row in value)
    return value


def _require_utf8(table: Table, row: Row, column: str, value: Any) -> None:
    if isinstance(value, list):
        for field in value:
            for inner in field.values():
                _require_utf8(table, row, column, inner)
    elif isinstance(value, str) and not value.isascii():
        try:
            value.encode("utf-8")
        except UnicodeEncodeError as error:
            names = [table.name, *(str(row[part]) for part in table.key)]
            if "candidate" in row and "candidate" not in table.key:
                names += ["of", row["candidate"]]
            raise DatasetError(
                f"{_escaped(' '.join(names))}: its {column} holds the lone surrogate "
                f"U+{ord(value[error.start]):04X} at character {error.start}, which is no UTF-8",
                "leave that candidate out",
            ) from None


def _escaped(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
