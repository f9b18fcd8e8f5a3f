"""What a run will ask: every planned question, in an order that depends on nothing but the plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from deskcheck.builder import __version__
from deskcheck.builder.cases import Arm, Case, Task
from deskcheck.builder.contents import Dataset
from deskcheck.builder.schemas import CANARY
from deskcheck.evaluate.prompts.rendering import Prompt, Prompts, read_templates
from deskcheck.evaluate.requests import Request, make_request
from deskcheck.evaluate.settings import Setting, hashable, require_distinct, without_password
from deskcheck.oracles.errors import RunError, SettingsError
from deskcheck.oracles.identity import Draws, content_id

FORMAT = 1
"""Version of a run's files."""

_HOW_ONLY = {"concurrency", "base_urls", "price", "expected_output_tokens"}
"""Parts of a setting that a resumed run may change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """All that decides which questions a run asks. It is written down once, when the run begins."""

    dataset_id: str
    dataset_name: str
    dataset_path: str
    """Where the dataset lay; where it lies decides nothing."""
    seed: int
    settings: tuple[Setting, ...]
    templates: Mapping[str, Mapping[str, str]]
    """By the folder that a setting names, or "": the text of each template."""
    deskcheck: str = __version__

    @property
    def id(self) -> str:
        """Hash of what decides the questions, and so which replies belong together."""
        return content_id("run", self.identity())

    def identity(self) -> dict[str, Any]:
        """What two runs must agree in to be the same run; canonical JSON."""
        return {
            "dataset": self.dataset_id,
            "seed": self.seed,
            "settings": {
                setting.name: hashable(
                    setting.model_dump(mode="json", exclude=_HOW_ONLY, exclude_defaults=True)
                )
                for setting in self.settings
            },
            "templates": {name: dict(texts) for name, texts in self.templates.items()},
        }

    def setting(self, name: str) -> Setting:
        """The setting of this name."""
        return next(setting for setting in self.settings if setting.name == name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One question of the plan: a cell once it is answered and graded."""

    setting: Setting
    task: Task
    repeat: int


def configure(
    dataset: Dataset,
    path: str,
    settings: Sequence[Setting],
    *,
    seed: int,
    arms: Mapping[str, Sequence[Arm]],
) -> RunConfig:
    """The configuration of a new run. `arms` are those that a setting's backend can answer.

    SettingsError where settings collide, or one of them has no arm left to ask.
    """
    templates = {
        folder or "": read_templates(folder or None)
        for folder in sorted({setting.template or "" for setting in settings})
    }
    require_distinct(settings, templates)
    return RunConfig(
        dataset_id=dataset.manifest.id,
        dataset_name=dataset.manifest.name,
        dataset_path=path,
        seed=seed,
        settings=tuple(_with_arms(setting, arms[setting.name]) for setting in settings),
        templates=templates,
    )


class Plan:
    """The questions of a run, made one by one so that no number of them fills the memory."""

    def __init__(self, config: RunConfig, dataset: Dataset) -> None:
        """RunError where the dataset is not the one that the run was planned on."""
        if dataset.manifest.id != config.dataset_id:
            raise RunError(
                f"the run was planned on dataset {config.dataset_id[:8]}, and this is "
                f"{dataset.manifest.id[:8]} ({dataset.manifest.name})",
                "name the right one with --dataset, or begin a run and --reuse this one",
            )
        self.config = config
        self.cases = {case.id: case for case in dataset.cases}
        self._tasks: Mapping[str, tuple[Task, ...]] = {
            case_id: tuple(tasks)
            for case_id, tasks in groupby(dataset.tasks, lambda task: task.case_id)
        }
        self.answer_tag = dataset.manifest.answer_tag
        self._prompts = {
            name: Prompts(texts, self.answer_tag, name) for name, texts in config.templates.items()
        }

    def __iter__(self) -> Iterator[Planned]:
        return (planned for setting in self.config.settings for planned in self.of(setting))

    def of(self, setting: Setting) -> Iterator[Planned]:
        """A setting's questions: each repeat in turn, case by case, arm by arm."""
        chosen = self.chosen(setting)
        for repeat in range(setting.repeats):
            for case in chosen:
                for task in self._tasks[case.id]:
                    if task.arm in setting.arms:
                        yield Planned(setting=setting, task=task, repeat=repeat)

    def count(self, setting: Setting) -> int:
        """How many questions `of` yields."""
        return setting.repeats * len(self.chosen(setting)) * len(setting.arms)

    def chosen(self, setting: Setting) -> Sequence[Case]:
        """The setting's cases in the dataset's order: all of them, or as many as its limit.

        A higher limit keeps the cases of a lower one.
        """
        if setting.limit is None or setting.limit >= len(self.cases):
            return list(self.cases.values())
        drawn = set(Draws("limit", self.config.seed).sample(sorted(self.cases), setting.limit))
        return [case for case in self.cases.values() if case.id in drawn]

    def prompt(self, planned: Planned) -> Prompt:
        """The one message of the question."""
        return self._prompts[planned.setting.template or ""].prompt(planned.task)

    def request(self, planned: Planned) -> Request:
        """The question as it is put to a backend."""
        return make_request(
            task_id=planned.task.id,
            setting=planned.setting,
            repeat=planned.repeat,
            prompt=self.prompt(planned).text,
            run_seed=self.config.seed,
        )

    def prompts(self) -> Iterable[tuple[str, Prompt]]:
        """Each prompt once, with the folder of its template."""
        for folder in self._prompts:
            asked = [each for each in self.config.settings if (each.template or "") == folder]
            wanted: dict[str, set[Arm]] = {}
            for setting in asked:
                for case in self.chosen(setting):
                    wanted.setdefault(case.id, set()).update(setting.arms)
            for case_id, arms in wanted.items():
                for task in self._tasks[case_id]:
                    if task.arm in arms:
                        yield folder, self._prompts[folder].prompt(task)


def config_json(config: RunConfig) -> dict[str, Any]:
    """A plain JSON object; `config_of` gives the equal configuration back, but for passwords in
    base URLs, which are not written down."""
    return {
        "format": FORMAT,
        "id": config.id,
        "canary": CANARY,
        "deskcheck": config.deskcheck,
        "dataset": {
            "id": config.dataset_id,
            "name": config.dataset_name,
            "path": config.dataset_path,
        },
        "seed": config.seed,
        "settings": [_written(setting) for setting in config.settings],
        "templates": {name: dict(texts) for name, texts in config.templates.items()},
    }


def config_of(row: Any, where: str) -> RunConfig:
    """Read what `config_json` wrote; RunError, naming `where`, on anything else."""
    if isinstance(row, dict) and row.get("format", FORMAT) != FORMAT:
        raise RunError(
            f"{where} is of format {row['format']!r}, this version reads format {FORMAT}",
            "use the version of Deskcheck that wrote it",
        )
    try:
        config = RunConfig(
            dataset_id=row["dataset"]["id"],
            dataset_name=row["dataset"]["name"],
            dataset_path=row["dataset"]["path"],
            seed=row["seed"],
            settings=tuple(Setting.model_validate(each, strict=False) for each in row["settings"]),
            templates=row["templates"],
            deskcheck=row["deskcheck"],
        )
        if config.id != row["id"]:
            raise RunError(f"{where} is damaged: its id does not follow from what it says")
    except (TypeError, KeyError, ValueError) as error:
        said = str(error).partition("\n")[0]
        raise RunError(f"{where} is damaged, or of another version: {said}") from None
    return config


def _written(setting: Setting) -> dict[str, Any]:
    shown = [without_password(url) for url in setting.base_urls]
    return setting.model_dump(mode="json") | {"base_urls": shown}


def _with_arms(setting: Setting, possible: Sequence[Arm]) -> Setting:
    arms = tuple(arm for arm in setting.arms if arm in possible)
    if not arms:
        raise SettingsError(
            f"setting {setting.name!r} has no arm to ask: {setting.model} answers only "
            f"{', '.join(possible)}",
            "change its `arms`",
        )
    return setting.model_copy(update={"arms": arms})
