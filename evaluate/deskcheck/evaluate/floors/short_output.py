"""The floor of whoever works out the short input and takes the long one's output to be the same."""

from __future__ import annotations

from collections.abc import Mapping

from deskcheck.builder.cases import Arm, Task
from deskcheck.builder.dataset import read_answers
from deskcheck.evaluate.floors import Abstained, Basis, Given


class ShortOutput:
    """Gives what the program prints for the short input of the case."""

    arms: tuple[Arm, ...] = ("long-trace-final",)
    rule = "what the program prints for the short input"
    concurrency = 1
    arguments: Mapping[str, type] = {}

    def __init__(self, basis: Basis) -> None:
        answers = read_answers(basis.folder)
        self._printed = {
            task.case_id: answers[task.id].text
            for task in basis.dataset.tasks
            if task.arm == "short-trace-final"
        }

    async def answer(self, task: Task) -> Given | Abstained:
        return Given(text=self._printed[task.case_id])

    async def close(self) -> None:
        """There is nothing to let go of."""
