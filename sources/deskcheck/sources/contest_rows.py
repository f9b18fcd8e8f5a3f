"""Rows of the files that contest problems and programs come in, read one at a time.

A row is whole, or a fault with its place: what is wrong with one row never ends the reading.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deskcheck.oracles.errors import PoolError
from deskcheck.sources.folder_names import natural_key
from deskcheck.sources.json_rows import BrokenRow, json_objects, object_or_fault

SUFFIXES = (".jsonl", ".parquet")
ROW_LIMIT = 512 * 1024**2
"""Bytes of a line, characters of an entry: the tests of one problem can be a hundred megabytes."""
_CHUNK = 1024**2
_PASSED_OVER = ("incorrect_solutions", "untranslated_description")
"""Columns that are large and never looked at."""
_BLANKS = " \t\r\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class RawRow:
    """One row as it stands in its file."""

    place: str
    """Where, e.g. `line 12 of test.jsonl`."""
    fields: Mapping[str, Any]


def files_of_rows(path: Path) -> list[Path]:
    """The file itself, or those in a folder or in its sub-folder `data`, in natural order.

    PoolError where there is no such path; an empty list where a folder holds none.
    """
    if path.is_file():
        if path.suffix not in SUFFIXES:
            raise PoolError(f"{path} ends in neither .jsonl nor .parquet", "name a file that does")
        return [path]
    if not path.is_dir():
        raise PoolError(f"there is no {path}", "name a file or a folder that is there")
    for folder in (path, path / "data"):
        found = [each for each in folder.glob("*") if each.suffix in SUFFIXES and each.is_file()]
        if found:
            return sorted(found, key=by_name)
    return []


def listed(folder: Path, pattern: str = "*") -> list[Path]:
    """What lies in the folder and fits, in natural order; PoolError where it cannot be listed."""
    try:
        # Listed once by hand, since a pattern passes over a folder that cannot be read.
        here = [path for path in folder.iterdir() if path.match(pattern)]
        return sorted(folder.glob(pattern) if "/" in pattern else here, key=natural_key)
    except OSError as error:
        what = f"{folder} cannot be listed: {error.strerror}"
        raise PoolError(what, "give yourself the right to read it") from error


def by_name(path: Path) -> list[tuple[list[tuple[str, int]], str]]:
    """Sorts files by name with numbers by value, and `test.jsonl` before `test2.jsonl`."""
    return natural_key(path.with_suffix(""))


def read_rows(path: Path, label: str = "") -> Iterator[RawRow | BrokenRow]:
    """Every row of a .jsonl or .parquet file, or entry of a .json list, in its order.

    `label` is what places call the file, by default its name. PoolError where the file as a whole
    cannot be read.
    """
    readers: Mapping[str, Callable[[Path, str], Iterator[RawRow | BrokenRow]]] = {
        ".parquet": _parquet_rows,
        ".json": _entries,
    }
    try:
        yield from readers.get(path.suffix, _lines)(path, label or path.name)
    except OSError as error:
        what = f"{path} cannot be read: {error.strerror or error}"
        raise PoolError(what, "leave the file alone while it is read") from error


def _lines(path: Path, label: str) -> Iterator[RawRow | BrokenRow]:
    for place, fields in json_objects(path, limit=ROW_LIMIT, of=f" of {label}"):
        yield _raw(place, fields)


def _row(place: str, value: Any) -> RawRow | BrokenRow:
    return _raw(place, object_or_fault(place, value))


def _raw(place: str, fields: dict[str, Any] | BrokenRow) -> RawRow | BrokenRow:
    return fields if isinstance(fields, BrokenRow) else RawRow(place=place, fields=fields)


def _entries(path: Path, label: str) -> Iterator[RawRow | BrokenRow]:
    """The entries of one JSON list; a fault in its syntax loses those behind it."""
    decoder = json.JSONDecoder()
    with path.open(encoding="utf-8-sig", newline="") as file:
        text, at, number, ended = "", 0, 0, False
        while True:
            place = f"entry {number} of {label}" if number else f"the top of {label}"
            fault = "it is not JSON"
            while at < len(text) and text[at] in (_BLANKS + "," if number else _BLANKS):
                at += 1
            if number and text[at : at + 1] == "]":
                return
            if not number and text[at : at + 1] == "[":
                at, number = at + 1, 1
                continue
            if number and at < len(text):
                try:
                    value, at = decoder.raw_decode(text, at)
                except json.JSONDecodeError as error:  # perhaps only not read to its end yet
                    fault = f"it is not JSON: {error.msg}"
                except RecursionError:
                    fault, ended = "it is nested too deep", True
                else:
                    yield _row(place, value)
                    number += 1
                    continue
            elif at < len(text):
                fault, ended = "the file is no JSON list", True
            if ended or len(text) - at > ROW_LIMIT:
                detail = f"{fault}, so nothing is read from there on"
                yield BrokenRow(place=place, check="row_not_json", detail=detail)
                return
            try:
                more = file.read(max(_CHUNK, len(text) - at))  # twice as much with each try
            except UnicodeDecodeError:
                more, text, at = "", "", 0
            text, at, ended = text[at:] + more, 0, not more


def _parquet_rows(path: Path, label: str) -> Iterator[RawRow | BrokenRow]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            number = 0
            columns = [name for name in file.schema_arrow.names if name not in _PASSED_OVER]
            for batch in file.iter_batches(batch_size=8, columns=columns):
                for fields in batch.to_pylist():
                    number += 1
                    yield RawRow(place=f"row {number} of {label}", fields=fields)
    except pa.ArrowException as error:
        said = str(error).splitlines()[0]
        raise PoolError(f"{path} is not a Parquet file that can be read: {said}") from error
