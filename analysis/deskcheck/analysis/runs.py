"""Graded runs as an analysis reads them: what was asked, and every cell."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from deskcheck.evaluate.cells import NAME, Cell, read_cells
from deskcheck.evaluate.plan import RunConfig
from deskcheck.evaluate.store import RunFolder, locate_run
from deskcheck.oracles.errors import RunError


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A graded run. `cells` are in the order of setting, task and repeat, and none is there twice.

    `cells_sha` is a hash of their content, whatever the file's bytes.
    """

    folder: Path
    config: RunConfig
    cells: tuple[Cell, ...]
    cells_sha: str


def read_run(given: Path) -> Run:
    """The run in a folder, or the only one in the folders below it.

    RunError where there is none, it is damaged, or it is not graded.
    """
    folder = RunFolder(locate_run(given))
    cells = sorted(
        read_cells(folder.path / NAME), key=lambda cell: (cell.setting, cell.task_id, cell.repeat)
    )
    for before, cell in pairwise(cells):
        if _asked(before) == _asked(cell):
            raise RunError(
                f"{folder.path / NAME} holds a cell twice: setting {cell.setting!r}, task "
                f"{cell.task_id[:16]}, repeat {cell.repeat}",
                "run builder grade again",
            )
    if not cells:
        raise RunError(f"{folder.path / NAME} holds no cell", "run builder grade again")
    known = {setting.name for setting in folder.config.settings}
    strange = next((cell.setting for cell in cells if cell.setting not in known), None)
    if strange is not None:
        raise RunError(
            f"{folder.path / NAME} is of another run: it has a setting {strange!r}",
            "run builder grade again",
        )
    made = Run(folder=folder.path, config=folder.config, cells=tuple(cells), cells_sha=_hash(cells))
    _require_repeats(made)
    return made


def require_all(run: Run, cases: int) -> None:
    """RunError unless every cell that was planned on a dataset of so many cases is there.

    N is the plan's: what was lost from the file must not make a rate rise.
    """
    found = Counter(cell.setting for cell in run.cells)
    for setting in run.config.settings:
        asked = cases if setting.limit is None else min(setting.limit, cases)
        planned = asked * len(setting.arms) * setting.repeats
        if found[setting.name] != planned:
            raise _incomplete(run, f"{found[setting.name]} of {planned} cells", setting.name)


def _require_repeats(run: Run) -> None:
    """As far as it can be told without the dataset."""
    tasks: dict[str, set[str]] = {}
    for cell in run.cells:
        tasks.setdefault(cell.setting, set()).add(cell.task_id)
    found = Counter(cell.setting for cell in run.cells)
    for setting in run.config.settings:
        planned = max(1, len(tasks.get(setting.name, ()))) * setting.repeats
        if found[setting.name] != planned:
            raise _incomplete(run, f"{found[setting.name]} of {planned} cells", setting.name)


def _incomplete(run: Run, held: str, setting: str) -> RunError:
    return RunError(
        f"{run.folder / NAME} holds {held} of setting {setting!r}", "run builder grade again"
    )


def require_comparable(runs: Sequence[Run]) -> None:
    """RunError where runs are on different datasets, or one of them is given twice."""
    first = runs[0]
    for run in runs[1:]:
        if run.config.dataset_id != first.config.dataset_id:
            raise RunError(
                f"{first.folder} is on dataset {first.config.dataset_name} "
                f"({first.config.dataset_id[:8]}) and {run.folder} on {run.config.dataset_name} "
                f"({run.config.dataset_id[:8]})",
                "one report is about one dataset: make two",
            )
    folders = [run.folder.resolve() for run in runs]
    for run, folder in zip(runs, folders, strict=True):
        if folders.count(folder) > 1:
            raise RunError(f"{run.folder} is given twice", "name each run once")


def _asked(cell: Cell) -> tuple[str, str, int]:
    return cell.setting, cell.task_id, cell.repeat


def _hash(cells: Sequence[Cell]) -> str:
    names = [each.name for each in fields(Cell)]
    found = sha256()
    for cell in cells:
        # Floats are written as Python writes them, which is exact and the same everywhere.
        found.update(json.dumps([getattr(cell, name) for name in names]).encode("ascii"))
    return found.hexdigest()
