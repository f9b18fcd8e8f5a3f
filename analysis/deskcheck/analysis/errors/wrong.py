"""The wrong answers of a report's cells, each with its kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from deskcheck.analysis.errors.kinds import Found, Question, wrong_of
from deskcheck.analysis.errors.moments import Moments, by_state
from deskcheck.analysis.errors.proofs import classify
from deskcheck.analysis.results import Results
from deskcheck.builder.cases import ARMS, Answer, Arm, Case, Task
from deskcheck.builder.contents import Dataset
from deskcheck.evaluate.cells import COMPLETED, Cell
from deskcheck.oracles.identity import content_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Error:
    """One completed reply that is not right. `setting` is the report's name for it."""

    setting: str
    floor: bool
    cluster: str
    cell: Cell
    found: Found

    @property
    def id(self) -> str:
        """What names the reply in its run, whatever else is reported with it.

        A letter comes first: spreadsheets take digits such as 12e4567 for numbers and round them.
        """
        cell = self.cell
        return "w" + content_id("error", [cell.setting, cell.task_id, cell.repeat, cell.key])[:16]


def errors_of(results: Results) -> list[Error]:
    """Every selected reply that came back and is not right, in the order of settings and tasks.

    Empty where the results come without a dataset, as nothing can be proved then.
    """
    if results.dataset is None:
        return []
    questions = questions_of(results.dataset, results.answers, results.moments)
    names = {(each.run, each.setting.name): each for each in results.settings}
    found = []
    for place, run in enumerate(results.runs):
        for cell in run.cells:
            question = questions.get(cell.task_id)
            if question is None or not _is_error(cell):
                continue
            named = names[place, cell.setting]
            found.append(
                Error(
                    setting=named.name,
                    floor=named.floor,
                    cluster=cell.origin
                    if results.options.cluster == "origin"
                    else cell.program_sha,
                    cell=cell,
                    found=classify(wrong_of(cell), question),
                )
            )
    return found


def questions_of(
    dataset: Dataset, answers: Mapping[str, Answer], moments: Moments | None
) -> dict[str, Question]:
    """By task id: what is known about each task of the dataset's cases."""
    tasks: dict[str, dict[Arm, Task]] = {}
    for task in dataset.tasks:
        if task.id in answers:
            tasks.setdefault(task.case_id, {})[task.arm] = task
    questions: dict[str, Question] = {}
    for case in dataset.cases:
        of_case = tasks.get(case.id, {})
        if len(of_case) == len(ARMS):
            questions.update(_of_case(case, of_case, answers, moments))
    return questions


def _of_case(
    case: Case, tasks: Mapping[Arm, Task], answers: Mapping[str, Answer], moments: Moments | None
) -> Iterator[tuple[str, Question]]:
    states = by_state(moments.states.get(case.id, ())) if moments else {}
    for arm, task in tasks.items():
        yield (
            task.id,
            Question(
                arm=arm,
                rule=task.rule,
                stdin=task.stdin,
                answers={each: answers[other.id].text for each, other in tasks.items()},
                guessable=frozenset(each for each, other in tasks.items() if other.floor),
                iteration=case.iteration,
                iterations=case.iterations,
                states=states,
            ),
        )


def _is_error(cell: Cell) -> bool:
    return cell.selected and cell.status in COMPLETED and cell.status != "correct"
