"""A dataset as a folder: it appears whole or not at all, and is read only as it was written."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from deskcheck.builder.card import card
from deskcheck.builder.cases import (
    Admitted,
    Answer,
    Case,
    Measures,
    Rejected,
    Task,
    Verdict,
)
from deskcheck.builder.contents import (
    Build,
    Dataset,
    Manifest,
    dataset_id,
    describe,
    manifest_json,
    manifest_of,
)
from deskcheck.builder.journal import building_folder, finished_folder, journal_path
from deskcheck.builder.schemas import (
    ANSWERS,
    CASES,
    MEASUREMENTS,
    PASSED_OVER,
    REJECTIONS,
    SHOWN,
    TABLES,
    TASKS,
    Row,
    Table,
    arrow_table,
    finding_of,
    finding_rows,
    record_of,
    record_row,
    rows_sha256,
)
from deskcheck.oracles.errors import DatasetError
from deskcheck.oracles.identity import canonical_json

MANIFEST, CARD, TIMINGS = "manifest.json", "README.md", "timings.jsonl"
SHARD = "oracles/shard.jsonl"
"""In a shard alone: what makes the whole of it and the others."""

SUFFIXES = {"python": ".py", "cpp": ".cpp"}


def write_dataset(
    folder: Path,
    build: Build,
    verdicts: Sequence[Verdict],
    timings: Iterable[Mapping[str, Any]] = (),
    shard: bytes | None = None,
) -> Manifest:
    """Write the dataset of the verdicts, in their order, as a new folder.

    Everything is written and synced under another name beside it first. `timings` go to
    `timings.jsonl`, `shard` to `oracles/shard.jsonl`, outside every hash. DatasetError where the
    folder exists and is not empty, where a text is not UTF-8, or where two candidates ask the same
    question.
    """
    require_absent(folder)
    _require_distinct(verdicts)
    rows = _rows_of(verdicts)
    tables = {table.name: arrow_table(table, rows[table.name]) for table in TABLES}
    hashes = {table.name: rows_sha256(table, rows[table.name]) for table in TABLES}
    manifest = describe(build, verdicts, hashes)

    def write(partial: Path) -> None:
        _write_files(partial, manifest, verdicts, tables, timings)
        if shard is not None:
            (partial / SHARD).write_bytes(shard)

    appear_whole(folder, write)
    return manifest


def appear_whole(folder: Path, write: Callable[[Path], None]) -> None:
    """Have `write` fill a folder beside this one, which then takes its place, synced, at once.

    DatasetError where it cannot be written.
    """
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)  # of a writer that was killed
    try:
        write(partial)
        _sync(partial)
        partial.rename(folder)
        _sync_one(folder.parent)
    except OSError as error:
        raise DatasetError(f"cannot write the dataset {folder}: {error.strerror}") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def require_absent(folder: Path) -> None:
    """DatasetError where something stands where the dataset is to appear."""
    if folder.is_dir() and not any(folder.iterdir()):
        return
    if folder.exists() or folder.is_symlink():
        kind = "a dataset" if (folder / MANIFEST).is_file() else "something else"
        raise DatasetError(
            f"{folder} exists and is {kind}", "use another -o or remove it; nothing is replaced"
        )


def read_dataset(folder: Path) -> Dataset:
    """All but the answers; no file under `oracles/` is opened.

    DatasetError where the folder is missing, unfinished or damaged.
    """
    manifest = read_manifest(folder)
    rows = {table.name: _read_rows(folder, manifest, table) for table in SHOWN}
    return Dataset(
        manifest=manifest,
        cases=tuple(record_of(Case, row) for row in rows[CASES.name]),
        tasks=tuple(record_of(Task, row) for row in rows[TASKS.name]),
        measures=tuple(record_of(Measures, row) for row in rows[MEASUREMENTS.name]),
        rejections=tuple(rejections_of(rows[REJECTIONS.name])),
        passed_over={
            candidate: tuple(finding_of(row) for row in of_candidate)
            for candidate, of_candidate in _by_candidate(rows[PASSED_OVER.name]).items()
        },
    )


def read_answers(folder: Path) -> dict[str, Answer]:
    """The expected answers by task id, kept apart so that no loader of tasks meets them.

    Of a dataset from the Hub they are fetched now.
    """
    if not (folder / ANSWERS.path).exists():
        from deskcheck.builder.hub import fetch_answers

        fetch_answers(folder)
        require_answers(folder)
    rows = _read_rows(folder, read_manifest(folder), ANSWERS)
    return {row["task_id"]: record_of(Answer, row) for row in rows}


def require_answers(folder: Path) -> None:
    """DatasetError where the folder is a published copy, from which answers are left out."""
    if (folder / MANIFEST).is_file() and not (folder / ANSWERS.path).parent.exists():
        raise DatasetError(
            f"{folder} is a published copy without its answers",
            "name the original, or export it --with-answers",
        )


def read_manifest(folder: Path) -> Manifest:
    """The dataset's manifest; DatasetError where the folder is missing, unfinished or damaged."""
    manifest, path = stored_manifest(folder), folder / MANIFEST
    if manifest.rows_sha256.keys() != {table.name for table in TABLES}:
        raise _damaged(path, "it lists other tables")
    if manifest.id != dataset_id(manifest.rows_sha256):
        raise _damaged(path, "its id does not follow from its tables")
    return manifest


def stored_manifest(folder: Path) -> Manifest:
    """The manifest as it stands, whether or not it agrees with itself and the tables."""
    path = folder / MANIFEST
    try:
        return manifest_of(json.loads(path.read_bytes()), str(path))
    except (FileNotFoundError, NotADirectoryError):
        raise _no_dataset(folder) from None
    except OSError as error:
        raise DatasetError(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        raise _damaged(path, "it is not JSON") from None


def locate(given: Path | None, *, unfinished: bool = False) -> Path:
    """The dataset folder that is meant: `given`, or the only one in it.

    Without `given`, the only one in `datasets` or `quickstart` here. `ORG/NAME[@REVISION]` that is
    no path here is a dataset on the Hub, which is fetched without its answers. `unfinished` counts
    builds in progress too, by the folder that they are to become. DatasetError where there is none,
    or several.
    """
    places = [given] if given else [Path("datasets"), Path("quickstart")]
    try:
        found = [folder for place in places for folder in _datasets_in(place, unfinished)]
    except OSError as error:
        raise DatasetError(f"cannot look into {error.filename}: {error.strerror}") from error
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(map(str, found))
        raise DatasetError(f"{len(found)} datasets: {names}", "name one of them")
    begun = [folder for place in places for folder in _datasets_in(place, True)]
    if begun:
        raise _no_dataset(begun[0])
    if given:
        from deskcheck.builder.hub import fetched, hub_name

        name = hub_name(given)
        if name is not None:
            return fetched(name)
        raise _no_dataset(given)
    raise DatasetError(
        "no dataset in ./datasets or ./quickstart", "name its folder, or builder admit makes one"
    )


def _datasets_in(place: Path, unfinished: bool) -> list[Path]:
    """The place where it is a dataset itself, else those that stand in it, by name."""
    own = _dataset_of(place, unfinished)
    if own is not None or not place.is_dir():
        return [] if own is None else [own]
    inner = (_dataset_of(folder, unfinished) for folder in sorted(place.iterdir()))
    return list(dict.fromkeys(folder for folder in inner if folder is not None))


def _dataset_of(folder: Path, unfinished: bool) -> Path | None:
    if (folder / MANIFEST).is_file():
        return folder
    final = finished_folder(folder)
    if unfinished and journal_path(final).is_file() and not (final / MANIFEST).is_file():
        return final
    return None


def close_names(name: str, candidates: Iterable[str]) -> list[str]:
    """At most three candidates whose name after the pool's comes close to `name`'s."""
    by_tail: dict[str, list[str]] = {}
    for candidate in candidates:
        by_tail.setdefault(candidate.partition("/")[2], []).append(candidate)
    close = get_close_matches(name.partition("/")[2] or name, list(by_tail))
    return [candidate for tail in close for candidate in by_tail[tail]][:3]


def program_path(case: Case) -> str:
    """Where the folder keeps the case's clean source, relative to the folder."""
    return f"programs/{case.program_sha[:2]}/{case.program_sha}{SUFFIXES.get(case.language, '')}"


def _no_dataset(folder: Path) -> DatasetError:
    if building_folder(folder).is_dir():
        return DatasetError(
            f"the dataset {folder} is unfinished", "run the same builder admit again to go on"
        )
    if folder.is_dir():
        return DatasetError(f"{folder} is no dataset: it has no {MANIFEST}")
    if folder.exists():
        return DatasetError(f"{folder} is no dataset but a file", "name a dataset's folder")
    return DatasetError(f"no dataset at {folder}", "builder admit makes one")


def _damaged(path: Path, how: str) -> DatasetError:
    return DatasetError(f"{path} is damaged: {how}", "build the dataset again")


def _require_distinct(verdicts: Sequence[Verdict]) -> None:
    candidates: set[str] = set()
    asked: dict[str, str] = {}
    for verdict in verdicts:
        if verdict.candidate in candidates:
            raise ValueError(f"candidate {verdict.candidate!r} has two verdicts")
        candidates.add(verdict.candidate)
        for task in verdict.tasks if isinstance(verdict, Admitted) else ():
            other = asked.setdefault(task.id, verdict.candidate)
            if other != verdict.candidate:
                raise DatasetError(
                    f"candidates {other!r} and {verdict.candidate!r} ask the same {task.arm}",
                    "leave one of them out",
                )


def _rows_of(verdicts: Sequence[Verdict]) -> dict[str, list[Row]]:
    rows: dict[str, list[Row]] = {table.name: [] for table in TABLES}
    for verdict in verdicts:
        head = (verdict.candidate, verdict.pool, verdict.study)
        if isinstance(verdict, Rejected):
            rows[REJECTIONS.name].extend(finding_rows(*head, verdict.findings))
            continue
        rows[CASES.name].append(record_row(verdict.case))
        rows[TASKS.name].extend(record_row(task) for task in verdict.tasks)
        rows[MEASUREMENTS.name].extend(record_row(measures) for measures in verdict.measures)
        rows[PASSED_OVER.name].extend(finding_rows(*head, verdict.passed_over))
        rows[ANSWERS.name].extend(record_row(answer) for answer in verdict.answers)
    return rows


def _write_files(
    folder: Path,
    manifest: Manifest,
    verdicts: Sequence[Verdict],
    tables: Mapping[str, pa.Table],
    timings: Iterable[Mapping[str, Any]],
) -> None:
    for table in TABLES:
        path = folder / table.path
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_parquet(path, tables[table.name])
    for verdict in verdicts:
        if isinstance(verdict, Admitted):
            _write_program(folder, verdict)
    lines = [canonical_json(dict(row)) + b"\n" for row in timings]
    if lines:
        (folder / TIMINGS).write_bytes(b"".join(lines))
    text = card(dataset_of(manifest, verdicts))
    (folder / CARD).write_bytes(text.encode("utf-8", "backslashreplace"))
    (folder / MANIFEST).write_text(json.dumps(manifest_json(manifest), indent=1) + "\n", "ascii")


def dataset_of(manifest: Manifest, verdicts: Sequence[Verdict]) -> Dataset:
    """The dataset that the verdicts make, as `read_dataset` will give it back."""
    admitted = [verdict for verdict in verdicts if isinstance(verdict, Admitted)]
    return Dataset(
        manifest=manifest,
        cases=tuple(verdict.case for verdict in admitted),
        tasks=tuple(task for verdict in admitted for task in verdict.tasks),
        measures=tuple(each for verdict in admitted for each in verdict.measures),
        rejections=tuple(verdict for verdict in verdicts if isinstance(verdict, Rejected)),
        passed_over={
            verdict.candidate: verdict.passed_over for verdict in admitted if verdict.passed_over
        },
    )


def _write_parquet(path: Path, table: pa.Table) -> None:
    """Settings are fixed, so that one version of pyarrow gives the same bytes for the same rows."""
    with parquet.ParquetWriter(
        path,
        table.schema,
        version="2.6",
        data_page_version="1.0",
        compression="zstd",
        compression_level=3,
        write_page_checksum=True,
    ) as writer:
        if table.num_rows:  # a group without rows is one that `datasets` cannot read
            writer.write_table(table, row_group_size=200)


def _write_program(folder: Path, verdict: Admitted) -> None:
    source = verdict.tasks[0].source.encode("utf-8")
    if sha256(source).hexdigest() != verdict.case.program_sha:
        raise ValueError(f"{verdict.candidate}: its first task does not show the clean program")
    path = folder / program_path(verdict.case)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(source)


def _read_rows(folder: Path, manifest: Manifest, table: Table) -> list[Row]:
    rows = stored_rows(folder, table)
    if rows_sha256(table, rows) != manifest.rows_sha256[table.name]:
        raise _damaged(folder / table.path, "its rows are not those that the manifest names")
    return rows


def stored_rows(folder: Path, table: Table) -> list[Row]:
    """A table's rows as they stand, whether or not the manifest names them.

    DatasetError where the file is missing or cannot be read as that table.
    """
    path = folder / table.path
    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            read = file.read()
        if not read.schema.equals(table.schema):
            raise _damaged(path, "its columns are not those of this version")
        return list(read.to_pylist())
    except FileNotFoundError:
        raise _damaged(path, "it is missing") from None
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        raise _damaged(path, str(error).partition("\n")[0]) from None


def rejections_of(rows: list[Row]) -> Iterable[Rejected]:
    """The verdicts that a table of rejections holds."""
    for candidate, of_candidate in _by_candidate(rows).items():
        yield Rejected(
            candidate=candidate,
            pool=of_candidate[0]["pool"],
            study=of_candidate[0]["study"],
            findings=tuple(finding_of(row) for row in of_candidate),
        )


def _by_candidate(rows: list[Row]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row["candidate"], []).append(row)
    return groups


def _sync(folder: Path) -> None:
    for above, _, names in os.walk(folder):
        for name in names:
            _sync_one(Path(above) / name)
        _sync_one(Path(above))


def _sync_one(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
