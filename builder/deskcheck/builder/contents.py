"""What a dataset holds, and what its manifest says of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from deskcheck.builder import __version__
from deskcheck.builder.cases import (
    TASK_CONTRACT,
    Admitted,
    Arm,
    Case,
    Finding,
    Measures,
    Rejected,
    Task,
    Verdict,
)
from deskcheck.builder.schemas import CANARY
from deskcheck.oracles.errors import DatasetError
from deskcheck.oracles.identity import content_id

LAYOUT = 2
"""Version of the folder's files and columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """What the maker of a dataset says of it. Both mappings are canonical JSON (no floats)."""

    name: str
    config: Mapping[str, Any]
    """Everything that was asked for: pools and their options, seed, parameters."""
    toolchain: Mapping[str, Any]
    """What it was made with, as `toolchain.facts` gives it."""
    answer_tag: str = ""
    """A tag that occurs in no source, input or answer, where one was chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The facts of a dataset; no time, memory or date is among them."""

    layout: int
    name: str
    id: str
    """Hash of the task contract and of the rows of every table, answers included."""
    deskcheck: str
    task_contract: int
    canary: str
    answer_tag: str
    counts: Mapping[str, Any]
    licences: Mapping[str, int]
    """Cases by licence of their program."""
    rows_sha256: Mapping[str, str]
    """By table: hash of its rows as canonical JSON."""
    config: Mapping[str, Any]
    toolchain: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """All of a dataset but its answers, in the order of its candidates."""

    manifest: Manifest
    cases: tuple[Case, ...]
    tasks: tuple[Task, ...]
    measures: tuple[Measures, ...]
    rejections: tuple[Rejected, ...]
    passed_over: Mapping[str, tuple[Finding, ...]]
    """By admitted candidate: why loops before the selected one were not eligible."""

    def tasks_of(self, case_id: str) -> Mapping[Arm, Task]:
        """The case's four tasks."""
        return {task.arm: task for task in self.tasks if task.case_id == case_id}

    def measures_of(self, case_id: str) -> Mapping[Arm, Measures]:
        """The measures of the case's four tasks."""
        return {each.arm: each for each in self.measures if each.case_id == case_id}


def describe(build: Build, verdicts: Sequence[Verdict], rows: Mapping[str, str]) -> Manifest:
    """The manifest of a dataset whose tables have the hashes `rows`."""
    cases = [verdict.case for verdict in verdicts if isinstance(verdict, Admitted)]
    return Manifest(
        layout=LAYOUT,
        name=build.name,
        id=dataset_id(rows),
        deskcheck=__version__,
        task_contract=TASK_CONTRACT,
        canary=CANARY,
        answer_tag=build.answer_tag,
        counts=_counts(verdicts),
        licences=dict(sorted(Counter(case.licence for case in cases).items())),
        rows_sha256=dict(rows),
        config=build.config,
        toolchain=build.toolchain,
    )


def dataset_id(rows: Mapping[str, str]) -> str:
    """The name of a dataset that follows from what its tables say."""
    return content_id("dataset", {"contract": TASK_CONTRACT, "rows": dict(rows)})


def manifest_json(manifest: Manifest) -> dict[str, Any]:
    """A plain JSON object; `manifest_of` gives the equal manifest back."""
    return asdict(manifest)


def manifest_of(row: Any, where: str) -> Manifest:
    """Read what `manifest_json` wrote; DatasetError, naming `where`, on anything else."""
    if isinstance(row, dict) and row.get("layout", LAYOUT) != LAYOUT:
        raise DatasetError(
            f"{where} is of layout {row['layout']!r}, this version reads layout {LAYOUT}",
            "use the version of Deskcheck that wrote it",
        )
    names = {field.name for field in fields(Manifest)}
    if not isinstance(row, dict) or row.keys() != names:
        raise DatasetError(f"{where} is damaged: it is no manifest", "build the dataset again")
    for name in ("counts", "licences", "rows_sha256", "config", "toolchain"):
        if not isinstance(row[name], dict):
            raise DatasetError(
                f"{where} is damaged: {name} is no object", "build the dataset again"
            )
    return Manifest(**row)


def _counts(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    studies: dict[str, Counter[str]] = {}
    reasons: Counter[str] = Counter()
    for verdict in verdicts:
        of_study = studies.setdefault(verdict.study, Counter(admitted=0, rejected=0))
        of_study["admitted" if isinstance(verdict, Admitted) else "rejected"] += 1
        if isinstance(verdict, Rejected):
            reasons[f"{verdict.findings[0].check}/{verdict.findings[0].reason}"] += 1
    admitted = sum(counts["admitted"] for counts in studies.values())
    return {
        "candidates": len(verdicts),
        "admitted": admitted,
        "rejected": len(verdicts) - admitted,
        "tasks": sum(len(each.tasks) for each in verdicts if isinstance(each, Admitted)),
        "by_study": {study: dict(counts) for study, counts in sorted(studies.items())},
        "by_reason": dict(sorted(reasons.items())),
    }
