"""The rows of a file of functions, one at a time: each is whole, or a fault with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deskcheck.oracles.errors import PoolError
from deskcheck.sources.json_rows import BrokenRow, json_objects

SUFFIXES = (".jsonl", ".parquet")
LINE_LIMIT = 4 * 1024**2
"""Bytes of one line."""
_NEEDED = ("id", "code", "input")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One function with the arguments it is called with, and what is said to come of that."""

    place: str
    """Where it stands, e.g. `line 12`."""
    id: str
    code: str
    input: str
    output: str | None


def find_file(data: str | None) -> Path:
    """The file that is meant: the one named, or the only one in the folder named."""
    if data is None:
        raise PoolError(
            "pool 'functions' needs data", "name a .jsonl or .parquet file of functions with --data"
        )
    path = Path(data)
    if path.is_dir():
        return _only_file(path)
    if not path.is_file():
        raise PoolError(f"there is no file {data}", "name a .jsonl or .parquet file with --data")
    if path.suffix not in SUFFIXES:
        raise PoolError(
            f"{data} ends in neither {' nor '.join(SUFFIXES)}", "name it by what it holds"
        )
    return path


def read_rows(path: Path) -> Iterator[Row | BrokenRow]:
    """Every row in file order; PoolError where the file as a whole cannot be read."""
    try:
        yield from _parquet_rows(path) if path.suffix == ".parquet" else _json_rows(path)
    except OSError as error:
        what = f"{path} cannot be read: {error.strerror or error}"
        raise PoolError(what, "leave the file alone while it is read") from error


def _only_file(folder: Path) -> Path:
    """The file of rows in the folder, or in its sub-folder `data`, as hubs lay it down."""
    for place in (folder, folder / "data"):
        found = sorted(
            path for path in place.glob("*") if path.suffix in SUFFIXES and path.is_file()
        )
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(path.name for path in found)
            raise PoolError(f"{place} holds several files: {names}", "name one of them with --data")
    raise PoolError(f"{folder} holds no .jsonl or .parquet file", "name the file with --data")


def _json_rows(path: Path) -> Iterator[Row | BrokenRow]:
    for place, fields in json_objects(path, limit=LINE_LIMIT):
        yield fields if isinstance(fields, BrokenRow) else _row(place, fields)


def _parquet_rows(path: Path) -> Iterator[Row | BrokenRow]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            known = set(file.schema_arrow.names)
            columns = [name for name in (*_NEEDED, "output") if name in known]
            number = 0
            for batch in file.iter_batches(batch_size=256, columns=columns):
                for fields in batch.to_pylist():
                    number += 1
                    yield _row(f"row {number}", fields)
    except pa.ArrowException as error:
        said = str(error).splitlines()[0]
        raise PoolError(f"{path} is not a Parquet file that can be read: {said}") from error


def _row(place: str, fields: Mapping[str, Any]) -> Row | BrokenRow:
    missing = [name for name in _NEEDED if fields.get(name) is None]
    if missing:
        detail = f"no {' and no '.join(missing)}; a row has id, code, input and output"
        return BrokenRow(place=place, check="row_incomplete", detail=detail)
    texts = {name: fields.get(name) for name in (*_NEEDED, "output")}
    if type(texts["id"]) is int:
        texts["id"] = str(texts["id"])
    for name, value in texts.items():
        if value is not None and not isinstance(value, str):
            detail = f"{name} is of type {type(value).__name__}, not text"
            return BrokenRow(place=place, check="row_mistyped", detail=detail)
        if value is not None and not _writable(value):
            detail = f"{name} holds half of a surrogate pair, which UTF-8 cannot write"
            return BrokenRow(place=place, check="row_not_utf8", detail=detail)
    if not str(texts["id"]).strip():
        return BrokenRow(place=place, check="row_incomplete", detail="its id is blank")
    return Row(
        place=place,
        id=str(texts["id"]),
        code=str(texts["code"]),
        input=str(texts["input"]),
        output=texts["output"],
    )


def _writable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
