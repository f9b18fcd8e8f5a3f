"""`replay/RUN`: the replies of an earlier run once more, without its model.

To try other grading, reports or tools on real replies, or to look at a run whose model is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deskcheck.builder.cases import ARMS
from deskcheck.evaluate.backends import BackendSpec, Rendered
from deskcheck.evaluate.requests import Reply, Request
from deskcheck.evaluate.settings import Setting
from deskcheck.evaluate.store import FINAL, Held, RunFolder, locate_run
from deskcheck.oracles.errors import BackendError


class ReplayBackend:
    """Follows `Backend`; RUN is a run's folder, and `-M setting=NAME` says which of several
    settings is meant.

    A question of another prompt, or one that the run has no reply to, gets no response.
    """

    concurrency = 64
    exclusive = False
    arms = ARMS

    def __init__(self, spec: BackendSpec) -> None:
        """RunError where there is no run; BackendError where its setting is not clear."""
        self.run = RunFolder(locate_run(Path(spec.model)))
        names = [setting.name for setting in self.run.config.settings]
        self.setting = str(spec.engine.get("setting", names[0]))
        unknown = sorted(spec.engine.keys() - {"setting"})
        if unknown:
            raise BackendError(f"replay knows no argument {unknown[0]!r}", "it knows only setting")
        if self.setting not in names or (len(names) > 1 and "setting" not in spec.engine):
            raise BackendError(
                f"{self.run.path} has the settings {', '.join(names)}",
                "say which one is meant: -M setting=NAME",
            )
        self._places: dict[tuple[str, int, str], Held] = {}

    async def open(self, *, only_to_render: bool = False) -> Mapping[str, Any]:
        """Look up where each reply lies; they stay on disk."""
        for offset, stored in self.run.placed():
            if stored.setting != self.setting:
                continue
            place = (stored.task_id, stored.repeat, stored.prompt_sha)
            before = self._places.get(place)
            if before is None or before.outcome not in FINAL:
                self._places[place] = Held(offset=offset, outcome=stored.reply.outcome)
        return {"run": self.run.config.id, "setting": self.setting, "replies": len(self._places)}

    async def render(self, prompt: str, setting: Setting) -> Rendered:
        """The prompt itself: what became of it is the earlier run's affair."""
        return Rendered(text=prompt, exact=False, tokens=0, context_window=None)

    async def answer(self, request: Request) -> Reply:
        """The earlier reply to the same prompt."""
        held = self._places.get((request.task_id, request.repeat, request.prompt_sha))
        if held is None:
            return Reply(outcome="no_response", error="the replayed run has no reply to this")
        return self.run.read(held.offset).reply

    async def close(self) -> None:
        """Nothing to let go of."""
