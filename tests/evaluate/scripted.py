"""A small dataset, and a backend whose replies are a function of the request."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.builder.verdicts import admitted

from deskcheck.builder.cases import ARMS, Admitted
from deskcheck.builder.contents import Build
from deskcheck.builder.dataset import read_dataset, write_dataset
from deskcheck.evaluate.backends import Rendered
from deskcheck.evaluate.plan import Plan, configure
from deskcheck.evaluate.requests import Reply, Request
from deskcheck.evaluate.runner import Group
from deskcheck.evaluate.settings import Setting

Script = Callable[[Request], Reply | Awaitable[Reply]]


def write_cases(folder: Path, verdicts: Sequence[Admitted], tag: str = "answer") -> Path:
    """A dataset of the verdicts."""
    build = Build(name="tiny", config={}, toolchain={}, answer_tag=tag)
    write_dataset(folder, build, verdicts)
    return folder


def small_dataset(folder: Path, cases: int = 3) -> Path:
    """A dataset of so many cases, each with its own source and answers."""
    return write_cases(folder, [admitted(f"squares{number}") for number in range(cases)])


def planned(dataset: Path, *settings: Setting, seed: int = 0) -> Plan:
    """The plan of a run in which every setting asks its arms."""
    read = read_dataset(dataset)
    arms = {setting.name: ARMS for setting in settings}
    return Plan(configure(read, str(dataset), settings, seed=seed, arms=arms), read)


class Scripted:
    """Follows `Backend`. Counts what it is asked, and how much at once."""

    exclusive = False
    arms = ARMS

    def __init__(self, script: Script, *, window: int | None = None, concurrency: int = 4) -> None:
        self.script = script
        self.window = window
        self.concurrency = concurrency
        self.asked: list[Request] = []
        self.at_once = self.most_at_once = 0
        self.opened = self.closed = 0

    async def open(self, *, only_to_render: bool = False) -> Mapping[str, Any]:
        self.opened += 1
        return {"engine": "scripted"}

    async def render(self, prompt: str, setting: Setting) -> Rendered:
        kwargs = sorted(setting.chat_template_kwargs.items())
        return Rendered(
            text=f"{kwargs}{prompt}",
            exact=True,
            tokens=len(prompt.split()),
            context_window=self.window,
        )

    async def answer(self, request: Request) -> Reply:
        self.asked.append(request)
        self.at_once += 1
        self.most_at_once = max(self.at_once, self.most_at_once)
        try:
            await asyncio.sleep(0)
            reply = self.script(request)
            return reply if isinstance(reply, Reply) else await reply
        finally:
            self.at_once -= 1

    async def close(self) -> None:
        self.closed += 1


def group(backend: Scripted, *settings: Setting) -> Group:
    """The settings with that backend for all."""
    return Group(backend=backend, names=tuple(setting.name for setting in settings))


def replying(text: str, **more: Any) -> Script:
    """Always the same reply."""
    return lambda _: Reply(outcome="answered", text=text, finish_reason="stop", **more)


def by_key(request: Request) -> Reply:
    """A reply that differs from request to request and says which one it belongs to.

    Some are right for nobody, some are cut off, some are missing, as the key has it.
    """
    kind = int(request.key[:8], 16) % 8
    if kind == 0:
        return Reply(outcome="no_response", error="a connection that failed")
    text = f"<answer>\n{request.key}\n</answer>"
    return Reply(
        outcome="answered",
        text=text if kind > 1 else text[:20],
        finish_reason="stop" if kind > 1 else "length",
        prompt_tokens=len(request.prompt),
        completion_tokens=kind,
    )
