"""What changed from one dataset to another: which questions, why, and which replies it outdates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from deskcheck.builder.cases import ARMS, Arm, Case, Measures, Rejected
from deskcheck.builder.contents import Dataset
from deskcheck.builder.dataset import read_answers, read_dataset
from deskcheck.builder.ledger import differences, row_of
from deskcheck.builder.schemas import ANSWERS
from deskcheck.oracles.errors import DatasetError

RESPONSES = "responses.jsonl"
"""Of a run's folder: one line for each reply, with the `task_id` that it answers."""

CASE_ASPECTS: Mapping[str, tuple[str, ...]] = {
    "source": ("program_sha", "language"),
    "input chosen": ("short_input", "long_input"),
    "loop": ("loop_offset", "loop_kind"),
    "checkpoint": ("iteration", "iterations", "inside_visit", "post_visit"),
    "projection": ("fields",),
    "provenance": ("origin", "licence", "author", "url", "tags", "study"),
}
"""What of a case may differ -> the columns that say so."""

Change = Literal[
    "added", "removed", "newly admitted", "newly rejected", "rejected otherwise", "changed"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """One candidate that is not the same in both datasets."""

    candidate: str
    change: Change
    why: tuple[str, ...]
    """The aspects that differ, or the finding that rejects it."""
    arms: tuple[Arm, ...]
    """Those whose question is another one, or is in one of the datasets alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outdated:
    """The replies of one run, by what became of their question."""

    run: str
    valid: int
    outdated: int
    """Replies to questions that only the first dataset asks."""
    regrade: int
    """Of the valid ones: those whose expected answer has changed."""
    foreign: int
    """Replies to questions that neither dataset asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What became of the first dataset in the second."""

    ids: tuple[str, str]
    tasks_unchanged: tuple[str, ...]
    tasks_removed: tuple[str, ...]
    tasks_added: tuple[str, ...]
    answers_changed: tuple[str, ...]
    """Tasks of the same id whose expected answer is another one."""
    answers_known: bool
    """Both copies hold the expected answers."""
    cases_unchanged: int
    cases_removed: tuple[str, ...]
    cases_added: tuple[str, ...]
    changed: tuple[Changed, ...]
    built: tuple[str, ...]
    """Each place where configuration or toolchain differ."""


def difference(first: Path, second: Path) -> Difference:
    """What differs from the first to the second; DatasetError where one cannot be read."""
    before, after = read_dataset(first), read_dataset(second)
    known = all((folder / ANSWERS.path).exists() for folder in (first, second))
    texts = [
        {id_: answer.text for id_, answer in read_answers(folder).items()} if known else {}
        for folder in (first, second)
    ]
    other = {id_ for id_, text in texts[0].items() if texts[1].get(id_, text) != text}
    tasks = [dict.fromkeys(task.id for task in each.tasks) for each in (before, after)]
    cases = [dict.fromkeys(case.id for case in each.cases) for each in (before, after)]
    words = ("in the first", "in the second")
    return Difference(
        ids=(before.manifest.id, after.manifest.id),
        tasks_unchanged=tuple(id_ for id_ in tasks[0] if id_ in tasks[1]),
        tasks_removed=tuple(id_ for id_ in tasks[0] if id_ not in tasks[1]),
        tasks_added=tuple(id_ for id_ in tasks[1] if id_ not in tasks[0]),
        answers_changed=tuple(id_ for id_ in tasks[0] if id_ in other),
        answers_known=known,
        cases_unchanged=len(cases[0].keys() & cases[1].keys()),
        cases_removed=tuple(id_ for id_ in cases[0] if id_ not in cases[1]),
        cases_added=tuple(id_ for id_ in cases[1] if id_ not in cases[0]),
        changed=tuple(_changed(before, after, other)),
        built=tuple(differences(_making(before), _making(after), "", words)),
    )


def outdated(found: Difference, run: Path) -> Outdated:
    """How many of a run's replies hold for the second dataset; DatasetError where it is no run."""
    sets = {
        "valid": set(found.tasks_unchanged),
        "outdated": set(found.tasks_removed),
        "regrade": set(found.answers_changed),
    }
    counts: Counter[str] = Counter()
    for id_ in _replies(run / RESPONSES if run.is_dir() else run):
        counts["all"] += 1
        counts.update(name for name, ids in sets.items() if id_ in ids)
    return Outdated(
        run=str(run),
        valid=counts["valid"],
        outdated=counts["outdated"],
        regrade=counts["regrade"],
        foreign=counts["all"] - counts["valid"] - counts["outdated"],
    )


def _replies(path: Path) -> Iterator[str]:
    """The task of each reply that a run's file holds whole."""
    try:
        with path.open("rb") as file:
            for line in file:
                row = row_of(line)
                if row is not None and "task_id" in row:
                    yield row["task_id"]
    except OSError as error:
        raise DatasetError(
            f"no replies of a run at {path}: {error.strerror}", "name the folder of a run"
        ) from None


def _making(dataset: Dataset) -> dict[str, object]:
    """What the rows follow from, as the manifest has it."""
    manifest = dataset.manifest
    return {
        "deskcheck": manifest.deskcheck,
        "task_contract": manifest.task_contract,
        "config": dict(manifest.config),
        "toolchain": dict(manifest.toolchain),
    }


def _changed(before: Dataset, after: Dataset, other: set[str]) -> Iterator[Changed]:
    """Every candidate that is not the same, in the first dataset's order and then the second's."""
    verdicts = [_by_candidate(dataset) for dataset in (before, after)]
    for candidate in dict.fromkeys([*verdicts[0], *verdicts[1]]):
        was, is_ = (each.get(candidate) for each in verdicts)
        if isinstance(was, Case) and isinstance(is_, Case):
            found = _of_cases(before, after, was, is_, other)
        else:
            found = _of_verdicts(candidate, was, is_)
        if found is not None:
            yield found


def _by_candidate(dataset: Dataset) -> dict[str, Case | Rejected]:
    cases: dict[str, Case | Rejected] = {case.candidate: case for case in dataset.cases}
    return cases | {rejected.candidate: rejected for rejected in dataset.rejections}


def _of_verdicts(
    candidate: str, was: Case | Rejected | None, is_: Case | Rejected | None
) -> Changed | None:
    """A candidate that is not admitted in both."""
    change: Change
    match was, is_:
        case Rejected(), Rejected():
            if _reason(was) == _reason(is_):
                return None
            change, why = "rejected otherwise", (f"{_reason(was)} before, {_reason(is_)} now",)
        case Case(), Rejected():
            change, why = "newly rejected", (f"{_reason(is_)}: {is_.findings[0].detail}",)
        case Rejected(), Case():
            change, why = "newly admitted", (f"{_reason(was)} before",)
        case None, _:
            change, why = "added", (_verdict(is_),)
        case _:
            change, why = "removed", (_verdict(was),)
    arms: tuple[Arm, ...] = ARMS if isinstance(was, Case) or isinstance(is_, Case) else ()
    return Changed(candidate=candidate, change=change, why=why, arms=arms)


def _reason(rejected: Rejected) -> str:
    return f"{rejected.findings[0].check}/{rejected.findings[0].reason}"


def _verdict(verdict: Case | Rejected | None) -> str:
    return f"rejected: {_reason(verdict)}" if isinstance(verdict, Rejected) else "admitted"


def _of_cases(
    before: Dataset, after: Dataset, was: Case, is_: Case, other: set[str]
) -> Changed | None:
    old, new = before.tasks_of(was.id), after.tasks_of(is_.id)
    why = [
        aspect
        for aspect, columns in CASE_ASPECTS.items()
        if any(getattr(was, name) != getattr(is_, name) for name in columns)
    ]
    if old["short-trace-final"].stdin != new["short-trace-final"].stdin:
        why.append("short input")
    if old["long-trace-final"].stdin != new["long-trace-final"].stdin:
        why.append("long input")
    if any(old[arm].rule != new[arm].rule for arm in ARMS):
        why.append("rule")
    at_stake = {"source", "loop", "checkpoint", "projection"}
    if at_stake.isdisjoint(why) and any(old[arm].source != new[arm].source for arm in ARMS):
        why.append("how the checkpoint is written")
    if before.manifest.task_contract != after.manifest.task_contract:
        why.append("task contract")
    if any(old[arm].id in other for arm in ARMS):
        why.append("answer")
    if _measured(before, was) != _measured(after, is_):
        why.append("measures")
    if not why:
        return None
    arms: tuple[Arm, ...] = tuple(arm for arm in ARMS if old[arm].id != new[arm].id)
    return Changed(candidate=was.candidate, change="changed", why=tuple(why), arms=arms)


def _measured(dataset: Dataset, case: Case) -> list[Measures]:
    """The case's measures but for ids, which follow from the questions."""
    return [replace(each, task_id="", case_id="") for each in dataset.measures_of(case.id).values()]
