"""Does a dataset folder hold together? Files against hashes, ids against content, row by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from pyarrow import parquet

from deskcheck.builder import __version__
from deskcheck.builder.card import card
from deskcheck.builder.cases import ARMS, Admitted, Case, Task, Verdict, case_id, task_id
from deskcheck.builder.contents import Build, dataset_id, describe
from deskcheck.builder.dataset import (
    CARD,
    MANIFEST,
    SHARD,
    TIMINGS,
    dataset_of,
    program_path,
    rejections_of,
)
from deskcheck.builder.ledger import differences
from deskcheck.builder.schemas import (
    ANSWERS,
    CANARY,
    CASES,
    MEASUREMENTS,
    PASSED_OVER,
    REJECTIONS,
    TABLES,
    TASKS,
    Row,
    Table,
    finding_of,
    rows_sha256,
)
from deskcheck.builder.stored import Drift, Stored, of_dataset

NOT_OURS = (".gitattributes", ".gitignore", ".git/", ".cache/", ".huggingface/")
"""What version control and the Hub put beside a dataset."""


def examine(content: Stored) -> Iterator[Drift]:
    """Everything in the folder that does not hold together; nothing is run."""
    yield from _tables(content)
    yield from _manifest(content)
    yield from _cases(content)
    yield from _by_task(content, MEASUREMENTS)
    yield from _by_task(content, ANSWERS)
    yield from _findings(content, REJECTIONS)
    yield from _findings(content, PASSED_OVER)
    yield from _files(content)


def _tables(content: Stored) -> Iterator[Drift]:
    for table in TABLES:
        if table.name not in content.rows:
            continue
        if not _is_named(content, table):
            detail = "its rows are not those that the manifest names"
            yield of_dataset("table_changed", table.path, detail)
        metadata = parquet.read_schema(content.folder / table.path).metadata or {}
        if metadata.get(b"canary") != CANARY.encode():
            yield of_dataset("canary_missing", table.path, "its schema does not carry the canary")


def _is_named(content: Stored, table: Table) -> bool:
    """The rows are those that the manifest names."""
    named = content.manifest.rows_sha256.get(table.name)
    return rows_sha256(table, content.rows[table.name]) == named


def _manifest(content: Stored) -> Iterator[Drift]:
    manifest = content.manifest
    if manifest.id != dataset_id(manifest.rows_sha256):
        detail = "its id does not follow from the hashes of its tables"
        yield of_dataset("manifest_changed", MANIFEST, detail)
    if not content.rows.keys() >= {table.name for table in TABLES if table is not ANSWERS}:
        return
    verdicts = list(_verdicts(content))
    build = Build(name=manifest.name, config=manifest.config, toolchain=manifest.toolchain)
    made = describe(build, verdicts, manifest.rows_sha256)
    for key in ("canary", "counts", "licences"):
        there, found = asdict(manifest)[key], asdict(made)[key]
        for text in differences(there, found, key, ("in the manifest", "in the tables")):
            yield of_dataset("manifest_changed", MANIFEST, text)
    named = all(_is_named(content, table) for table in TABLES if table is not ANSWERS)
    if named and manifest.deskcheck == __version__:
        yield from _card(content, verdicts)


def _card(content: Stored, verdicts: Sequence[Verdict]) -> Iterator[Drift]:
    """The card repeats the manifest and counts the tables, so a change of either shows in it.

    Its text belongs to a version, and it is asked of rows that are as they were alone.
    """
    try:
        text = (content.folder / CARD).read_bytes()
    except OSError:
        return  # a missing file is found by `_files`
    dataset = dataset_of(content.manifest, verdicts)
    expected = [card(dataset, answers=answers) for answers in (True, False)]
    if text not in [each.encode("utf-8", "backslashreplace") for each in expected]:
        detail = "it is not the card of this manifest and these tables"
        yield of_dataset("card_changed", CARD, detail)


def _verdicts(content: Stored) -> Iterator[Verdict]:
    passed_over: dict[str, list[Row]] = {}
    for row in content.rows[PASSED_OVER.name]:
        passed_over.setdefault(row["candidate"], []).append(row)
    for case in content.cases:
        tasks = content.tasks.get(case.id, ())
        yield Admitted(
            candidate=case.candidate,
            pool=case.pool,
            study=case.study,
            case=case,
            tasks=tasks,
            answers=(),
            measures=tuple(content.measures[t.id] for t in tasks if t.id in content.measures),
            passed_over=tuple(map(finding_of, passed_over.get(case.candidate, ()))),
        )
    yield from rejections_of(content.rows[REJECTIONS.name])


def _cases(content: Stored) -> Iterator[Drift]:
    if not content.rows.keys() >= {CASES.name, TASKS.name}:
        return
    for item, number in Counter(case.candidate for case in content.cases).items():
        if number > 1:
            yield Drift(cause="row_doubled", item=item, place=CASES.path, detail=f"{number} rows")
    known = {case.id for case in content.cases}
    for id_, tasks in content.tasks.items():
        if id_ not in known:
            detail = f"its {len(tasks)} tasks belong to a case that is not there"
            yield _missing(tasks[0].candidate, CASES, detail)
    for case in content.cases:
        yield from _case(content, case, content.tasks.get(case.id, ()))


def _case(content: Stored, case: Case, tasks: Sequence[Task]) -> Iterator[Drift]:
    item = case.candidate
    by_arm = Counter(task.arm for task in tasks)
    for arm in ARMS:
        if by_arm[arm] == 0:
            yield _missing(item, TASKS, "it has no such task", arm)
        elif by_arm[arm] > 1:
            yield Drift(cause="row_doubled", item=item, place=arm, detail=f"{by_arm[arm]} tasks")
    for task in tasks:
        yield from _task(content, case, task)
    in_order = tuple(task.id for arm in ARMS for task in tasks if task.arm == arm)
    if len(in_order) == len(ARMS) and case.id != case_id(in_order):
        detail = "it does not follow from the ids of its four tasks"
        yield Drift(cause="case_id", item=item, place=CASES.path, detail=detail)


def _task(content: Stored, case: Case, task: Task) -> Iterator[Drift]:
    item, arm = case.candidate, task.arm
    expected = task_id(
        arm=task.arm,
        language=task.language,
        source=task.source,
        stdin=task.stdin,
        rule=task.rule,
        fields=task.fields,
    )
    if task.id != expected:
        detail = "its id does not follow from its source, input, rule and fields"
        yield Drift(cause="task_id", item=item, place=arm, detail=detail)
    for name in ("candidate", "study", "language"):
        if getattr(task, name) != getattr(case, name):
            detail = f"its {name} is {getattr(task, name)!r}, that of its case is not"
            yield Drift(cause="row_differs", item=item, place=arm, detail=detail)
    if arm in ("short-trace-final", "long-trace-final"):
        if sha256(task.source.encode("utf-8")).hexdigest() != case.program_sha:
            detail = f"it does not show the program {case.program_sha[:16]}"
            yield Drift(cause="source_differs", item=item, place=arm, detail=detail)
    elif task.fields != case.fields:
        detail = "it asks for other fields than its case"
        yield Drift(cause="row_differs", item=item, place=arm, detail=detail)
    yield from _tag(content, case, task)


def _tag(content: Stored, case: Case, task: Task) -> Iterator[Drift]:
    tag = content.manifest.answer_tag
    answer = content.answers.get(task.id)
    texts = {
        "source": task.source,
        "input": task.stdin,
        "answer": answer.text if answer else "",
    }
    for what, text in texts.items():
        if tag and f"{tag}>" in text:
            yield Drift(
                cause="answer_tag",
                item=case.candidate,
                place=task.arm,
                detail=f"its {what} holds the manifest's answer tag {tag!r}",
            )


def _by_task(content: Stored, table: Table) -> Iterator[Drift]:
    """Measures or answers: a row for each task, and none beside."""
    if not content.rows.keys() >= {table.name, TASKS.name}:
        return
    tasks = {task.id: task for of_case in content.tasks.values() for task in of_case}
    there = Counter(row["task_id"] for row in content.rows[table.name])
    for id_, number in there.items():
        if number > 1:
            item = tasks[id_].candidate if id_ in tasks else "dataset"
            yield Drift(cause="row_doubled", item=item, place=table.path, detail=f"task {id_[:16]}")
        if id_ not in tasks:
            detail = f"it has a row for the task {id_[:16]}, which is not there"
            yield of_dataset("row_foreign", table.path, detail)
    for id_, task in tasks.items():
        if id_ not in there:
            yield _missing(task.candidate, table, f"{table.path} has no row of it", task.arm)


def _findings(content: Stored, table: Table) -> Iterator[Drift]:
    """Findings are numbered from 1, of rejected candidates or of admitted ones."""
    if not content.rows.keys() >= {table.name, CASES.name}:
        return
    admitted = {case.candidate for case in content.cases}
    orders: dict[str, list[int]] = {}
    for row in content.rows[table.name]:
        orders.setdefault(row["candidate"], []).append(row["order"])
    for candidate, numbers in orders.items():
        if numbers != list(range(1, len(numbers) + 1)):
            yield _missing(candidate, table, f"its findings are numbered {numbers}")
        if (candidate in admitted) == (table is REJECTIONS):
            is_it = "admitted" if table is REJECTIONS else "not admitted"
            detail = f"it is {is_it}, and has a row all the same"
            yield Drift(cause="row_foreign", item=candidate, place=table.path, detail=detail)


def _files(content: Stored) -> Iterator[Drift]:
    folder = content.folder
    programs = {program_path(case): case for case in content.cases}
    there = {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_symlink() or not path.is_dir()
    }
    there = {name for name in there if not name.startswith(NOT_OURS)}
    tables = {table.path for table in TABLES}
    expected = {MANIFEST, CARD, *tables, *(programs if CASES.name in content.rows else ())}
    if _is_shard(content.manifest.config):
        expected.add(SHARD)
    foreign = there - expected - {TIMINGS}
    if CASES.name not in content.rows:
        foreign = {name for name in foreign if not name.startswith("programs/")}
    for name in sorted(expected - there):
        item = programs[name].candidate if name in programs else "dataset"
        moved = _moved(content, name, programs.get(name), foreign)
        if moved:
            foreign -= {moved}
            detail = f"it lies at {moved}"
            yield Drift(cause="file_moved", item=item, place=name, detail=detail)
        elif name not in tables:
            detail = "it is not there"
            yield Drift(cause="file_missing", item=item, place=name, detail=detail)
    for name in sorted(foreign):
        yield of_dataset("file_foreign", name, "no dataset of this layout has it")
    for name, case in programs.items():
        if name in there and _sha(folder / name) != case.program_sha:
            detail = "its bytes are not those that its name is the hash of"
            yield Drift(cause="program_changed", item=case.candidate, place=name, detail=detail)


def _moved(content: Stored, name: str, case: Case | None, foreign: set[str]) -> str:
    """The foreign file that is the missing one, or nothing."""
    for other in sorted(foreign):
        if case is not None and _sha(content.folder / other) == case.program_sha:
            return other
        if case is None and Path(other).name == Path(name).name:
            return other
    return ""


def _is_shard(config: Mapping[str, Any]) -> bool:
    return config.get("shard") not in (None, [1, 1])


def _sha(path: Path) -> str:
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _missing(item: str, table: Table, detail: str, arm: str = "") -> Drift:
    return Drift(cause="row_missing", item=item, place=arm or table.path, detail=detail)
