"""What a section of a report is made from: the cells of one or more runs on one dataset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

from deskcheck.analysis.errors.moments import Moments
from deskcheck.analysis.frames import cells_frame
from deskcheck.analysis.runs import Run, require_all, require_comparable
from deskcheck.builder.cases import ARMS, Answer, Arm
from deskcheck.builder.contents import Dataset
from deskcheck.evaluate.settings import Setting
from deskcheck.oracles.errors import RunError

if TYPE_CHECKING:
    import pandas as pd

Cluster = Literal["origin", "program"]
CLUSTERS: tuple[Cluster, ...] = get_args(Cluster)
_COLUMNS: Mapping[Cluster, str] = {"origin": "origin", "program": "program_sha"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the reader of a report may choose."""

    cluster: Cluster = "origin"
    """What uncertainty clusters on."""
    cutoff: str | None = None
    """The day, YYYY-MM-DD, before and after which programs were published, where that is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A setting under the name that the report gives it."""

    name: str
    """The setting's own name, with its run behind it where two runs share it."""
    setting: Setting
    run: int
    """Position of its run, from 0."""
    floor: bool
    """A baseline, not a model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """Everything that a section may read.

    `cells` has the fields of `Cell` as columns of nullable types, `setting` being a name of
    `settings`, and `run` and `cluster` besides; all repeats are in it, `selected` marks the one
    that accuracy is about. `dataset` is None where the report was asked for without it.
    """

    runs: tuple[Run, ...]
    settings: tuple[Named, ...]
    """In the order of their runs, models before baselines."""
    cells: pd.DataFrame
    dataset: Dataset | None
    answers: Mapping[str, Answer]
    """By task id; empty without the dataset."""
    options: Options
    moments: Moments | None = None
    """States at other moments of the cases' loops, where they were observed."""

    @property
    def selected(self) -> pd.DataFrame:
        """The cells that single-answer accuracy is about: repeat 0 of each task."""
        return self.cells[self.cells["selected"].to_numpy(dtype=bool)]

    @property
    def models(self) -> tuple[Named, ...]:
        """The settings that are no baselines."""
        return tuple(each for each in self.settings if not each.floor)

    @property
    def floors(self) -> tuple[Named, ...]:
        """The baselines."""
        return tuple(each for each in self.settings if each.floor)

    @property
    def studies(self) -> tuple[str, ...]:
        """The studies that have cells, by name."""
        return tuple(sorted(set(self.cells["study"])))

    def parts(self, cells: pd.DataFrame) -> Iterator[tuple[Named, Arm, pd.DataFrame]]:
        """The cells of each setting and arm that has any, in the order of settings and arms."""
        groups = dict(iter(cells.groupby(["setting", "arm"], sort=False)))
        for named in self.settings:
            for arm in ARMS:
                part = groups.get((named.name, arm))
                if part is not None:
                    yield named, arm, part


def gather(
    runs: Sequence[Run],
    options: Options,
    dataset: Dataset | None = None,
    answers: Mapping[str, Answer] | None = None,
    moments: Moments | None = None,
) -> Results:
    """The results of the runs together; RunError where they do not belong together."""
    import pandas as pd

    require_comparable(runs)
    if dataset is not None:
        _require_tasks(runs, dataset)
    settings = _named(runs)
    frames = []
    for place, run in enumerate(runs):
        names = {each.setting.name: each.name for each in settings if each.run == place}
        frame = cells_frame(replace(cell, setting=names[cell.setting]) for cell in run.cells)
        frame["run"] = place
        frames.append(frame)
    cells = pd.concat(frames, ignore_index=True)
    cells["cluster"] = cells[_COLUMNS[options.cluster]]
    return Results(
        runs=tuple(runs),
        settings=settings,
        cells=cells,
        dataset=dataset,
        answers=answers or {},
        options=options,
        moments=moments,
    )


def _named(runs: Sequence[Run]) -> tuple[Named, ...]:
    every = [setting.name for run in runs for setting in run.config.settings]
    ids = [run.config.id[:8] for run in runs]
    named = []
    for place, run in enumerate(runs):
        # Two runs of one plan share its id.
        suffix = ids[place] if ids.count(ids[place]) == 1 else f"{ids[place]}-{place + 1}"
        floors = {cell.setting: cell.floor_setting for cell in run.cells}
        named += [
            Named(
                name=f"{setting.name}@{suffix}" if every.count(setting.name) > 1 else setting.name,
                setting=setting,
                run=place,
                floor=floors[setting.name],
            )
            for setting in run.config.settings
            if setting.name in floors
        ]
    return tuple(sorted(named, key=lambda each: each.floor))


def _require_tasks(runs: Sequence[Run], dataset: Dataset) -> None:
    known = {task.id for task in dataset.tasks}
    for run in runs:
        require_all(run, len(dataset.cases))
        for cell in run.cells:
            if cell.task_id not in known:
                raise RunError(
                    f"{run.folder} has a cell of task {cell.task_id[:16]}, which the dataset "
                    f"{dataset.manifest.name} has not",
                    "run builder grade again",
                )
