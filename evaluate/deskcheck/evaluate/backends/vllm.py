"""Models through vLLM, in process: replies come as they finish, and what is cancelled is freed."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Coroutine, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from deskcheck.builder.cases import ARMS, Arm
from deskcheck.evaluate.backends import BackendSpec, Rendered, over_length
from deskcheck.evaluate.backends.vllm_chat import Chat, Question, told
from deskcheck.evaluate.backends.vllm_engine import (
    Engine,
    facts_of,
    front_of,
    one_line,
    require_vllm,
)
from deskcheck.evaluate.requests import Reply, Request
from deskcheck.evaluate.settings import Setting
from deskcheck.oracles.errors import BackendError, SettingsError

CONCURRENCY = 256
"""As many sequences as vLLM takes into a batch by default on most devices."""

_LOOK_S = 1.0

_BROKEN_OFF = frozenset({"abort", "error"})


class VllmBackend:
    """A model that this process runs; `-M name=value` gives arguments of vLLM's engine.

    Beside the engine's own, `chat_template` (a file), `chat_template_content_format` and
    `default_chat_template_kwargs` are taken as vLLM's server takes them. Sampling that a setting
    leaves open is that of the model's generation config, as it is there.
    """

    exclusive = True
    arms: tuple[Arm, ...] = ARMS

    def __init__(self, spec: BackendSpec) -> None:
        self._spec = spec
        self._engine: Engine | None = None
        self._chat: Chat | None = None
        self._died = False
        self._at_once = 0
        self._numbers = count()
        self._rendered: OrderedDict[tuple[str, str, tuple[str, str]], Question] = OrderedDict()
        self.concurrency = _concurrency(spec.engine)

    async def open(self, *, only_to_render: bool = False) -> Mapping[str, Any]:
        """Load the model, which takes from seconds to many minutes; to render, its tokenizer."""
        require_vllm()
        if only_to_render:
            front = await front_of(self._spec.model, self._spec.engine)
            self._chat = Chat(front, self._spec.model, self._spec.engine)
            return {"template": self._chat.template}
        self._engine = await Engine.start(self._spec.model, self._spec.engine)
        self._chat = Chat(self._engine.llm, self._spec.model, self._spec.engine)
        return facts_of(self._engine.llm, self._chat.template) | {"concurrency": self.concurrency}

    async def render(self, prompt: str, setting: Setting) -> Rendered:
        """Exact; SettingsError where vLLM does not take what the setting asks."""
        question = await self._opened().question(prompt, setting)
        self._keep(prompt, setting, question)
        return Rendered(
            text=question.text,
            exact=True,
            tokens=len(question.token_ids),
            context_window=self._window(setting),
        )

    async def answer(self, request: Request) -> Reply:
        """The reply; its facts hold the sampling that took place and how much ran beside it.

        BackendError where the engine died.
        """
        try:
            chat = self._opened()
            question = self._kept(request.prompt, request.setting)
            if question is None:
                question = await chat.question(request.prompt, request.setting)
            tokens, window = len(question.token_ids), self._window(request.setting)
            too_long = over_length(tokens, window, request.setting)
            if too_long:
                return Reply(outcome="over_length", prompt_tokens=tokens, error=too_long)
            return await self._generated(chat, question, request)
        except SettingsError as error:
            return Reply(outcome="engine_error", error=str(error))

    async def close(self) -> None:
        """End the engine and all its processes."""
        engine, self._engine, self._chat = self._engine, None, None
        self._rendered.clear()
        if engine is not None:
            await engine.stop()

    def _opened(self) -> Chat:
        if self._died:
            raise self._gone()
        if self._chat is None:
            raise BackendError(f"vLLM is not running {self._spec.model}", "open it first")
        return self._chat

    async def _generated(self, chat: Chat, question: Question, request: Request) -> Reply:
        assert self._engine is not None
        llm: Any = self._engine.llm
        room = self._window(request.setting) - len(question.token_ids)
        params = chat.sampling(question.request, request.setting, room=room, seed=request.seed)
        parser = chat.parser(question)
        self._at_once += 1
        facts = {"sampling": told(params), "at_once": self._at_once}
        outputs = llm.generate(
            question.engine_input,
            params,
            f"{request.key[:16]}-{next(self._numbers)}",
            **chat.reasoning_arguments(question, parser),
        )
        try:
            last = await self._unless_it_dies(_last(outputs))
        except Exception as error:
            if llm.errored:
                self._died = True
                raise self._gone() from error
            return Reply(
                outcome="engine_error", error=f"vLLM: {one_line(error.__cause__ or error)}"
            )
        finally:
            self._at_once -= 1
        output = last.outputs[0] if last is not None else None
        if output is None or output.finish_reason in _BROKEN_OFF:
            return Reply(outcome="engine_error", error="vLLM broke the reply off")
        reply = chat.reply(question, parser, output)
        return replace(reply, facts={**facts, **reply.facts})

    async def _unless_it_dies(self, work: Coroutine[Any, Any, Any]) -> Any:
        """What the work gives; BackendError where the engine dies, of which vLLM tells not all
        that wait for it."""
        assert self._engine is not None
        llm: Any = self._engine.llm
        task = asyncio.ensure_future(work)
        try:
            while not task.done():
                await asyncio.wait([task], timeout=_LOOK_S)
                if llm.errored and not task.done():
                    raise self._gone()
            return task.result()
        finally:
            task.cancel()

    def _window(self, setting: Setting) -> int:
        return min(self._opened().window, setting.context_window or self._opened().window)

    def _gone(self) -> BackendError:
        return BackendError(
            f"vLLM's engine died while running {self._spec.model}",
            "its own words are above; the same command goes on",
        )

    def _keep(self, prompt: str, setting: Setting, question: Question) -> None:
        """Rendering is work, and who renders a prompt mostly asks it next."""
        self._rendered[(prompt, setting.identity, setting.reasoning_tags)] = question
        while len(self._rendered) > self.concurrency:
            self._rendered.popitem(last=False)

    def _kept(self, prompt: str, setting: Setting) -> Question | None:
        return self._rendered.pop((prompt, setting.identity, setting.reasoning_tags), None)


async def _last(outputs: AsyncIterator[Any]) -> Any:
    last = None
    async for each in outputs:
        last = each
    return last


def _concurrency(arguments: Mapping[str, Any]) -> int:
    """No more than a batch takes, since a waiting request's time runs too."""
    sequences = arguments.get("max_num_seqs")
    replicas = arguments.get("data_parallel_size", 1)
    if type(sequences) is int and type(replicas) is int and sequences > 0 and replicas > 0:
        return sequences * replicas
    return CONCURRENCY
