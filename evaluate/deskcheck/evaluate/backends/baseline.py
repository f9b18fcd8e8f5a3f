"""`baseline/NAME`: floors in a model's place, so that they go through the same run and grading.

A floor's answer comes in the envelope that the response contract asks for. Where a floor has
none, the reply is empty and says why among its facts: it abstains, and that is no failure.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from deskcheck.builder.cases import Arm, Task
from deskcheck.builder.contents import Dataset
from deskcheck.builder.dataset import read_dataset
from deskcheck.evaluate.backends import BackendSpec, Rendered
from deskcheck.evaluate.floors import Abstained, Basis, Floor
from deskcheck.evaluate.floors.commonest_constant import CommonestConstant
from deskcheck.evaluate.floors.last_literal import LastLiteral
from deskcheck.evaluate.floors.loop_entry import LoopEntry
from deskcheck.evaluate.floors.short_output import ShortOutput
from deskcheck.evaluate.requests import Reply, Request
from deskcheck.evaluate.settings import Setting
from deskcheck.oracles.errors import BackendError, DeskcheckError, SandboxError

FLOORS: dict[str, type[Floor]] = {
    "short-output": ShortOutput,
    "last-literal": LastLiteral,
    "loop-entry": LoopEntry,
    "commonest-constant": CommonestConstant,
}
"""What can stand behind `baseline/`."""


class BaselineBackend:
    """One floor on one dataset. BackendError where there is no floor of the spec's name."""

    exclusive = False

    def __init__(self, spec: BackendSpec) -> None:
        if spec.model not in FLOORS:
            raise BackendError(
                f"there is no floor {spec.model!r}",
                f"floors: {', '.join(f'baseline/{name}' for name in FLOORS)}",
            )
        _require_known(spec.engine, FLOORS[spec.model].arguments, f"baseline/{spec.model}")
        self._spec = spec
        self._name = f"baseline/{spec.model}"
        self._floor: Floor | None = None
        self._tasks: Mapping[str, Task] = {}
        self._tag = ""
        self.arms: tuple[Arm, ...] = FLOORS[spec.model].arms
        self.concurrency = FLOORS[spec.model].concurrency

    async def open(self, *, only_to_render: bool = False) -> Mapping[str, Any]:
        """Read the dataset; the floor's rule and the dataset's id, for the record."""
        try:
            dataset, floor = await asyncio.to_thread(self._made)
        except DeskcheckError as error:
            raise BackendError(f"{self._name}: {error.what}", error.hint) from error
        self._floor = floor
        self._tasks = {task.id: task for task in dataset.tasks}
        self._tag = dataset.manifest.answer_tag
        return {"rule": floor.rule, "dataset": dataset.manifest.id}

    async def render(self, prompt: str, setting: Setting) -> Rendered:
        """The prompt as it is: a floor reads none, so no reasoning mode changes it."""
        return Rendered(text=prompt, exact=False, tokens=0, context_window=None)

    async def answer(self, request: Request) -> Reply:
        """The floor's answer in its envelope, or an empty reply where it abstains."""
        assert self._floor is not None, "it is open"
        task = self._tasks.get(request.task_id)
        if task is None or task.arm not in self.arms:
            what = "task of its dataset" if task is None else f"answer to {task.arm}"
            return Reply(outcome="engine_error", error=f"{self._name} has no such {what}")
        try:
            answer = await self._floor.answer(task)
        except SandboxError as error:
            return Reply(outcome="engine_error", error=str(error))
        if isinstance(answer, Abstained):
            return Reply(
                outcome="answered", finish_reason="stop", facts={"abstained": answer.reason}
            )
        return Reply(
            outcome="answered",
            text=envelope(self._tag, answer.text),
            finish_reason="stop",
        )

    async def close(self) -> None:
        """Let go of the dataset, and of the sandboxes where there are any."""
        floor, self._floor = self._floor, None
        if floor is not None:
            await floor.close()

    def _made(self) -> tuple[Dataset, Floor]:
        if self._spec.dataset is None:
            raise BackendError("a floor answers the tasks of a dataset, and none is given")
        dataset = read_dataset(self._spec.dataset)
        if not dataset.manifest.answer_tag:
            raise BackendError(f"{self._spec.dataset} declares no answer tag", "build it again")
        return dataset, FLOORS[self._spec.model](
            Basis(folder=self._spec.dataset, dataset=dataset, engine=self._spec.engine)
        )


def _require_known(given: Mapping[str, Any], known: Mapping[str, type], where: str) -> None:
    for name, value in given.items():
        if name not in known:
            names = ", ".join(known) or "none"
            raise BackendError(f"{where} has no argument {name!r}", f"arguments: {names}")
        if not isinstance(value, known[name]):
            raise BackendError(
                f"{name} of {where} is {value!r}", f"give it a {known[name].__name__}"
            )


def envelope(tag: str, answer: str) -> str:
    """The answer between the dataset's tags, on lines of its own."""
    end = "" if answer.endswith("\n") else "\n"
    return f"<{tag}>\n{answer}{end}</{tag}>"
