"""Collecting replies: every planned question that has none is put to its backend, many at once.

What has been answered is stored at once, so a run may end at any moment and go on later.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from deskcheck.builder.ledger import differences
from deskcheck.builder.progress import Progress
from deskcheck.evaluate.backends import Backend, BackendSpec, Rendered, over_length
from deskcheck.evaluate.backends.reasoning import require_effect
from deskcheck.evaluate.backends.registry import READS_ORACLES, make_backend
from deskcheck.evaluate.plan import Plan
from deskcheck.evaluate.requests import Reply, Request
from deskcheck.evaluate.settings import Setting
from deskcheck.evaluate.store import FINAL, RunWriter
from deskcheck.oracles.errors import BackendError, DeskcheckError
from deskcheck.oracles.identity import canonical_json

GRACE_S = 5.0
"""A backend that keeps the time limit itself is given so long to say how far it came."""

CHARACTERS_A_TOKEN = 3.0
"""Assumed where no tokenizer is at hand; programs and numbers take more tokens than prose."""

HOPELESS = 5
"""So many engine errors of one kind before anything else stop a setting's run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Settings, by name, that share one backend."""

    backend: Backend
    names: tuple[str, ...]

    def settings(self, plan: Plan) -> Sequence[Setting]:
        """The settings as they stand in the plan."""
        return [setting for setting in plan.config.settings if setting.name in self.names]

    def concurrency(self, plan: Plan) -> int:
        """Requests at once."""
        asked = [each.concurrency for each in self.settings(plan) if each.concurrency]
        return max(asked, default=self.backend.concurrency)


@dataclass(slots=True, kw_only=True)
class Tally:
    """What a session has collected so far."""

    planned: int = 0
    there: int = 0
    """Answered in earlier sessions, or taken over from another run."""
    done: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    cut: int = 0
    """Replies that reached their limit of tokens."""
    spent: float = 0.0
    """US dollars, of settings that have a price."""
    stopped: str = ""
    """Why the session ended before everything was collected; empty where it did not."""
    doubts: list[str] = field(default_factory=list)
    """What a reader of the results should know, a line each."""

    def count(self, request: Request, reply: Reply) -> None:
        """Add one reply; tokens that its engine did not count are estimated from characters."""
        self.done += 1
        self.outcomes[reply.outcome] += 1
        self.cut += reply.finish_reason == "length"
        if reply.outcome == "answered":
            written = len(reply.text) + len(reply.reasoning or "")
            prompt, completion = (
                math.ceil(characters / CHARACTERS_A_TOKEN) if counted is None else counted
                for counted, characters in (
                    (reply.prompt_tokens, len(request.prompt)),
                    (reply.completion_tokens, written),
                )
            )
            self.spent += cost(request.setting, prompt, completion)

    def line(self) -> str:
        """In a few words."""
        parts = [f"{n} {outcome.replace('_', ' ')}" for outcome, n in self.outcomes.most_common()]
        if self.cut:
            parts.append(f"{self.cut} cut off")
        if self.spent:
            parts.append(f"${self.spent:.2f}")
        return ", ".join(parts)


def cost(setting: Setting, prompt_tokens: int, completion_tokens: int) -> float:
    """US dollars for so many tokens; 0 where the setting has no price."""
    if setting.price is None:
        return 0.0
    paid = prompt_tokens * setting.price.input + completion_tokens * setting.price.output
    return paid / 1e6


def groups_of(settings: Sequence[Setting], dataset: Path) -> list[Group]:
    """One backend for all settings that agree on model, engine and servers; none is open yet.

    BackendError where a backend is unknown, or does not know its model or an argument.
    """
    by_engine: dict[bytes, list[Setting]] = {}
    for setting in settings:
        engine = {name: repr(value) for name, value in setting.engine.items()}
        parts = [setting.model, list(setting.base_urls), engine]
        by_engine.setdefault(canonical_json(parts), []).append(setting)
    return [
        Group(
            backend=_backend_of(members[0], dataset),
            names=tuple(member.name for member in members),
        )
        for members in by_engine.values()
    ]


def collect(
    plan: Plan,
    groups: Sequence[Group],
    writer: RunWriter,
    *,
    retry_missing: bool = False,
    max_spend: float | None = None,
) -> Tally:
    """Put every question that has no reply yet; the tally of this session.

    Backends that need this machine to themselves run one after the other, all others beside them.
    `retry_missing` asks again what had no response or an engine error. BackendError where an
    engine cannot be used, or fails at everything it is asked; SettingsError where a reasoning
    mode changes nothing. Whatever was answered before is stored.
    """
    with Progress("asking") as progress:
        session = _Session(plan, writer, progress, retry_missing, max_spend)
        try:
            asyncio.run(session.run(groups))
        except BaseExceptionGroup as several:
            raise _first(several) from several
    return session.tally


def _first(error: BaseException) -> BaseException:
    """The error that ended a group of tasks: a known one where there is one."""
    if not isinstance(error, BaseExceptionGroup):
        return error
    known = error.subgroup(DeskcheckError)
    return _first((known or error).exceptions[0])


class _Session:
    def __init__(
        self,
        plan: Plan,
        writer: RunWriter,
        progress: Progress,
        retry_missing: bool,
        max_spend: float | None,
    ) -> None:
        self.plan = plan
        self.writer = writer
        self.progress = progress
        self.max_spend = max_spend
        self.tally = Tally(planned=sum(plan.count(each) for each in plan.config.settings))
        self._answered = {
            key
            for key, held in writer.folder.index().items()
            if held.outcome in FINAL or not retry_missing
        }
        self._error: BaseException | None = None
        self._before = writer.folder.engine_facts()
        self._failing: dict[str, Counter[str]] = {
            setting.name: Counter() for setting in plan.config.settings
        }

    async def run(self, groups: Sequence[Group]) -> None:
        """Every group; the first known error once those beside it have what they asked for."""
        alone = [group for group in groups if group.backend.exclusive]
        beside = [[group] for group in groups if not group.backend.exclusive]
        async with asyncio.TaskGroup() as tasks:
            for each in [*beside, alone]:
                tasks.create_task(self._one_by_one(each))
        if self._error is not None:
            raise self._error

    async def _one_by_one(self, groups: Sequence[Group]) -> None:
        for group in groups:
            try:
                await self._run_group(group)
            except* DeskcheckError as several:
                # Replies that are under way are paid for, so others end and are not cancelled.
                self._error = self._error or _first(several)
                self.tally.stopped = self.tally.stopped or str(self._error)

    async def _run_group(self, group: Group) -> None:
        waiting = self._waiting(group)
        first = next(waiting, None)
        if first is None:
            self._say()
            return
        try:
            facts = await group.backend.open()
            at_once = group.concurrency(self.plan)
            self._compare(group, facts)
            self.writer.log("engine", settings=group.names, concurrency=at_once, facts=facts)
            for setting in group.settings(self.plan):
                await group.backend.render(first.prompt, setting)  # does it take the setting?
                await require_effect(group.backend, setting, first.prompt)
            requests = chain([first], waiting)
            async with asyncio.TaskGroup() as tasks:
                for _ in range(at_once):
                    tasks.create_task(self._work(group.backend, requests))
        finally:
            await group.backend.close()

    def _waiting(self, group: Group) -> Iterator[Request]:
        """The group's requests that have no reply, setting by setting, until the session stops."""
        for setting in group.settings(self.plan):
            for planned in self.plan.of(setting):
                if self.tally.stopped:
                    return
                request = self.plan.request(planned)
                if request.key in self._answered:
                    self.tally.there += 1
                else:
                    yield request

    async def _work(self, backend: Backend, requests: Iterator[Request]) -> None:
        for request in requests:
            began = time.monotonic()
            rendered, reply = await _ask(backend, request)
            self.writer.append(
                request,
                reply,
                rendered_sha=_sha(rendered),
                seconds=time.monotonic() - began,
            )
            self.tally.count(request, reply)
            self._say()
            self._require_hope(request.setting, reply)
            if self.max_spend is not None and self.tally.spent >= self.max_spend:
                self.tally.stopped = f"${self.tally.spent:.2f} are spent of ${self.max_spend:.2f}"

    def _compare(self, group: Group, facts: Mapping[str, Any]) -> None:
        """Doubt where an engine is not what it was when the run's earlier replies were given."""
        now = _lasting(facts)
        for name in group.names:
            before = _lasting(self._before.get(name, now))
            differing = list(differences(before, now, words=("then", "now")))
            if differing:
                doubt = (
                    f"{name}: its engine is not what it was in this run's last session: "
                    f"{', '.join(differing)}"
                )
                self.tally.doubts.append(doubt)
                self.progress.say(doubt)

    def _say(self) -> None:
        done = self.tally.there + self.tally.done
        self.progress.update(done, self.tally.planned, self.tally.line())

    def _require_hope(self, setting: Setting, reply: Reply) -> None:
        """BackendError once a setting's first replies are all the same failure."""
        failing = self._failing[setting.name]
        kind = _kind(reply) if reply.outcome == "engine_error" else ""
        failing[kind] += 1
        if failing.total() == failing[kind] == HOPELESS and kind:
            raise BackendError(
                f"setting {setting.name}: the first {HOPELESS} requests all failed: {reply.error}",
                "mend it and go on with --retry-missing; everything answered so far is kept",
            )


def _lasting(facts: Mapping[str, Any]) -> dict[str, Any]:
    """What an engine says of itself without what a run may change from session to session."""
    kept = {name: value for name, value in facts.items() if name not in _PASSING}
    return dict(json.loads(json.dumps(kept)))


_PASSING = {"concurrency", "servers", "unreachable"}


def _kind(reply: Reply) -> str:
    """What engine errors have in common, whatever ids and numbers their texts hold."""
    status = reply.facts.get("http_status")
    return f"HTTP {status}" if status else re.sub(r"\w*\d\w*", "#", reply.error)[:80] or "error"


async def _ask(backend: Backend, request: Request) -> tuple[Rendered | None, Reply]:
    """The reply to one request, within its time limit, whatever the backend does."""
    rendered: Rendered | None = None
    limit = request.setting.timeout
    try:
        async with asyncio.timeout(limit + GRACE_S):
            rendered = await backend.render(request.prompt, request.setting)
            too_long = unfit(rendered, request.setting)
            if too_long:
                return rendered, Reply(
                    outcome="over_length", prompt_tokens=rendered.tokens, error=too_long, attempts=0
                )
            return rendered, await backend.answer(request)
    except TimeoutError:
        return rendered, Reply(outcome="no_response", error=f"no reply within {limit:g} s")
    except BackendError:
        raise  # the engine is gone, which says nothing of the request
    except Exception as error:  # a fault of the backend is one request's, not the run's
        said = f"{type(error).__name__}: {error}".partition("\n")[0]
        return rendered, Reply(outcome="engine_error", error=said)


def unfit(rendered: Rendered, setting: Setting) -> str:
    """Why prompt and reply cannot both fit, or nothing; only exact counts are judged."""
    if rendered.context_window is None or not rendered.exact:
        return ""
    return over_length(rendered.tokens, rendered.context_window, setting)


def _sha(rendered: Rendered | None) -> str:
    return sha256(rendered.text.encode("utf-8", "surrogatepass")).hexdigest() if rendered else ""


def _backend_of(setting: Setting, dataset: Path) -> Backend:
    engine: Mapping[str, Any] = setting.engine
    return make_backend(
        setting.backend,
        BackendSpec(
            model=setting.model_name,
            base_urls=setting.base_urls,
            engine=engine,
            dataset=dataset if setting.backend in READS_ORACLES else None,
        ),
    )
