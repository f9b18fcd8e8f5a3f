"""Wrong answers for people to judge: a sample as a CSV file, and the same file filled in."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from deskcheck.analysis.errors.kinds import KINDS, Kind
from deskcheck.analysis.errors.wrong import Error
from deskcheck.analysis.report.values import csv_value
from deskcheck.analysis.texts import excerpt
from deskcheck.builder.cases import Answer, Task
from deskcheck.builder.contents import Dataset
from deskcheck.oracles.errors import RunError
from deskcheck.oracles.identity import Draws

COLUMNS = ("id", "arm", "program", "input", "asked", "expected", "given", "kind")
"""Who answered, and what was proved, is left out: it must not sway the reader."""

PROGRAM, TEXT = 32_000, 2_000
"""Characters of a program, and of an input or answer, that a reader gets."""

_FIELD_LIMIT = 10_000_000

_KINDS: dict[str, Kind] = {kind: kind for kind in KINDS}

_ASKED = {
    "short-trace-final": "what the program prints",
    "long-trace-final": "what the program prints",
    "inside-loop-state": "the state that it writes in the loop, before it ends there",
    "post-loop-state": "the state that it writes after the loop, before it ends there",
}


def sample(errors: Sequence[Error], size: int, seed: int) -> list[Error]:
    """At most `size` errors, as many of each kind and arm as there are, in an order by chance.

    One of each kind and arm is taken in turn, so that rare ones are among them. The same errors
    and seed give the same sample.
    """
    strata: dict[tuple[str, str], list[Error]] = {}
    for error in sorted(errors, key=lambda each: each.id):
        strata.setdefault((error.found.kind, error.cell.arm), []).append(error)
    waiting = [
        Draws("annotation", seed, *key).shuffled(stratum) for key, stratum in sorted(strata.items())
    ]
    chosen: list[Error] = []
    while len(chosen) < size and any(waiting):
        for stratum in waiting:
            if stratum and len(chosen) < size:
                chosen.append(stratum.pop())
    return Draws("annotation order", seed).shuffled(chosen)


def annotation_csv(errors: Sequence[Error], dataset: Dataset, answers: Mapping[str, Answer]) -> str:
    """A row for each error with what a reader needs, the last column to be filled in."""
    tasks = {task.id: task for task in dataset.tasks}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for error in errors:
        task = tasks[error.cell.task_id]
        writer.writerow(_row(error, task, answers[task.id].text))
    return out.getvalue()


def _row(error: Error, task: Task, expected: str) -> Iterator[str]:
    given = error.cell.answer
    yield error.id
    yield task.arm
    yield csv_value(_shown(task.source, PROGRAM))
    yield csv_value(_shown(task.stdin, TEXT))
    yield _ASKED[task.arm]
    yield csv_value(_shown(expected, TEXT))
    yield "(no answer)" if given is None else csv_value(_shown(given, TEXT))
    yield ""


def _shown(text: str, limit: int) -> str:
    return excerpt(text, None, limit).before


def read_annotations(path: Path) -> dict[str, Kind]:
    """By id: the kind that an annotator wrote down, in any letter case; other columns are free.

    RunError, naming the file and the line, where it is not such a file.
    """
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RunError(f"{path} is not UTF-8", "save it as CSV in UTF-8") from None
    csv.field_size_limit(_FIELD_LIMIT)
    try:
        return _read(path, text)
    except csv.Error as error:
        raise RunError(f"{path} is no CSV file: {error}") from None


def _read(path: Path, text: str) -> dict[str, Kind]:
    separator = (
        ";" if text.partition("\n")[0].count(";") > text.partition("\n")[0].count(",") else ","
    )
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    missing = [name for name in ("id", "kind") if name not in (reader.fieldnames or ())]
    if missing:
        hint = "keep the heading that builder errors --annotate wrote"
        raise RunError(f"{path} has no column {missing[0]!r}", hint)
    kinds: dict[str, Kind] = {}
    for row in reader:
        at = f"{path}, line {reader.line_num}"
        name, written = (row["id"] or "").strip(), (row["kind"] or "").strip().casefold()
        kind = _KINDS.get(written)
        if kind is None:
            said = f"an unknown kind {written[:40]!r}" if written else "no kind"
            raise RunError(f"{at}: {name[:40] or 'a row'} has {said}", f"write {', '.join(KINDS)}")
        if not name or name in kinds:
            said = f"the id {name[:40]} stands there twice" if name else "a row has no id"
            raise RunError(f"{at}: {said}", "give every id one row")
        kinds[name] = kind
    if not kinds:
        raise RunError(f"{path} has no row", "fill in what builder errors --annotate wrote")
    return kinds
