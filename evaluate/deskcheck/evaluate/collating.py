"""From a run's replies to its cells: every planned question gets a row, whatever became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from deskcheck.builder.cases import Answer
from deskcheck.builder.dataset import locate, read_answers, read_dataset
from deskcheck.evaluate.backends.registry import READS_ORACLES
from deskcheck.evaluate.cells import COMPLETED, NAME, Cell, Status, write_cells
from deskcheck.evaluate.grading import Grade, grade
from deskcheck.evaluate.plan import Plan, Planned, RunConfig
from deskcheck.evaluate.store import RunFolder, Stored
from deskcheck.oracles.errors import DatasetError, RunError


@dataclass(slots=True)
class Marks:
    """How the cells of one setting came out, over all its arms and repeats."""

    statuses: Counter[Status] = field(default_factory=Counter)
    floor: bool = False
    errors: Counter[str] = field(default_factory=Counter)
    """What was said where there is no reply."""

    @property
    def planned(self) -> int:
        """N."""
        return self.statuses.total()

    def share(self, *statuses: Status) -> float:
        """Of the planned cells, how many have one of these statuses."""
        return sum(self.statuses[status] for status in statuses) / max(1, self.planned)


def dataset_of(run: Path, config: RunConfig, given: Path | None) -> Path:
    """Where the dataset of a run lies; DatasetError where it is gone."""
    try:
        return locate(given or Path(config.dataset_path))
    except DatasetError as error:
        if given:
            raise
        raise DatasetError(
            f"the dataset {config.dataset_name} of {run} is not where it was: {error.what}",
            "say where it is with --dataset",
        ) from None


def grade_run(folder: RunFolder, dataset: Path) -> Mapping[str, Marks]:
    """Grade every reply anew, write the run's cells, and say how each setting came out.

    The same replies always give the same cells. RunError or DatasetError where run or dataset is
    damaged, or they do not belong together.
    """
    plan = Plan(folder.config, read_dataset(dataset))
    answers = read_answers(dataset)
    marks = {setting.name: Marks() for setting in folder.config.settings}

    def counted() -> Iterator[Cell]:
        for cell in cells_of(folder, plan, answers):
            marks[cell.setting].statuses[cell.status] += 1
            marks[cell.setting].floor = cell.floor_setting
            if cell.error and cell.status not in COMPLETED:
                marks[cell.setting].errors[cell.error] += 1
            yield cell

    try:
        write_cells(folder.path / NAME, counted())
    except OSError as error:
        raise RunError(f"cannot write {folder.path / NAME}: {error.strerror}") from error
    return marks


def cells_of(folder: RunFolder, plan: Plan, answers: Mapping[str, Answer]) -> Iterator[Cell]:
    """A cell for each question of the plan, in its order."""
    held = folder.index()
    for planned in plan:
        request = plan.request(planned)
        place = held.get(request.key)
        stored = folder.read(place.offset) if place else None
        graded = None
        if stored is not None:
            graded = grade(
                planned.task,
                answers[planned.task.id].text,
                stored.reply,
                tag=plan.answer_tag,
                thinking_tags=planned.setting.reasoning_tags,
            )
        yield _cell(plan, planned, request.key, request.prompt_sha, stored, graded)


def _cell(
    plan: Plan,
    planned: Planned,
    key: str,
    prompt_sha: str,
    stored: Stored | None,
    graded: Grade | None,
) -> Cell:
    task, setting, case = planned.task, planned.setting, plan.cases[planned.task.case_id]
    reply = stored.reply if stored else None
    return Cell(
        setting=setting.name,
        model=setting.model,
        reasoning=setting.reasoning,
        floor_setting=setting.backend in READS_ORACLES,
        task_id=task.id,
        case_id=case.id,
        candidate=case.candidate,
        study=case.study,
        language=case.language,
        origin=case.origin,
        program_sha=case.program_sha,
        arm=task.arm,
        repeat=planned.repeat,
        selected=planned.repeat == 0,
        status=graded.status if graded else "pending",
        envelope_valid=graded.envelope_valid if graded else None,
        extraction=graded.extraction if graded else None,
        answer=_storable(graded.answer) if graded else None,
        first_answer=_storable(graded.first_answer) if graded else None,
        answers=graded.answers if graded else None,
        answer_correct=graded.answer_correct if graded else None,
        field_credit=graded.field_credit if graded else None,
        difference_at=_storable(graded.difference_at) if graded else None,
        difference_expected=_storable(graded.difference_expected) if graded else None,
        difference_given=_storable(graded.difference_given) if graded else None,
        rule=task.rule,
        guessable=task.floor,
        key=key,
        prompt_sha=prompt_sha,
        finish_reason=_storable(reply.finish_reason) if reply else None,
        prompt_tokens=reply.prompt_tokens if reply else None,
        completion_tokens=reply.completion_tokens if reply else None,
        reasoning_tokens=reply.reasoning_tokens if reply else None,
        reasoning_characters=graded.reasoning_characters if graded else None,
        seconds=stored.seconds if stored else None,
        attempts=reply.attempts if reply else None,
        error=_storable(reply.error) if reply else None,
    )


def _storable(text: str | None) -> str | None:
    """Lone surrogates, which no table can hold, written as escapes."""
    if text is None or text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
