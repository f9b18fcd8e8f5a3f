"""The vLLM backend on the real engine: what its server does, this process does too."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Iterable, Sequence
from importlib import import_module
from itertools import chain
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest
from tests.evaluate.scripted import planned, small_dataset
from tests.evaluate.vllm.conftest import DEFAULTS, ENGINE, WINDOW

from deskcheck.evaluate.backends import Backend, BackendSpec
from deskcheck.evaluate.backends.openai import OpenAIBackend
from deskcheck.evaluate.backends.reasoning import require_effect
from deskcheck.evaluate.backends.vllm import VllmBackend
from deskcheck.evaluate.backends.vllm_engine import facts_of
from deskcheck.evaluate.requests import Reply, Request, make_request
from deskcheck.evaluate.settings import Setting, make_setting
from deskcheck.oracles.errors import BackendError, SettingsError

THINKING = """\
{%- for message in messages -%}
<|im_start|>{{ message['role'] }}
{{ message['content'] }}<|im_end|>
{% endfor -%}
<|im_start|>assistant
{% if enable_thinking is not defined or enable_thinking %}<think>
{% else %}<think>

</think>

{% endif %}"""
"""A chat template with a switch for thinking, which it begins itself."""


def setting(**values: Any) -> Setting:
    return make_setting(**{"model": "vllm/small", "max_tokens": 24} | values)


def question(prompt: str, asked: Setting, *, repeat: int = 0, run_seed: int = 0) -> Request:
    return make_request(
        task_id="task", setting=asked, repeat=repeat, prompt=prompt, run_seed=run_seed
    )


async def answers(backend: Backend, requests: Sequence[Request]) -> list[Reply]:
    return await asyncio.gather(*(backend.answer(request) for request in requests))


def test_the_server_and_this_process_give_the_same_tokens(
    loop: asyncio.Runner, model: Path, backend: VllmBackend, server: str, tmp_path: Path
) -> None:
    """Both give every four-arm prompt the same tokens, by default sampling with a seed for each.

    Prompts, sampling and seeds are then the same, too. Most answers differ from all others.
    """
    ids = {"return_token_ids": True}
    here = setting(name="here", request=ids)
    there = setting(name="there", model="openai/small", request=ids, base_urls=[server])
    plan = planned(small_dataset(tmp_path / "tiny", cases=6), here, there)

    async def from_server() -> list[Reply]:
        client = OpenAIBackend(BackendSpec(model=str(model), base_urls=(server,)))
        try:
            await client.open()
            return await answers(client, [plan.request(each) for each in plan.of(there)])
        finally:
            await client.close()

    served = loop.run(from_server())
    own = loop.run(answers(backend, [plan.request(each) for each in plan.of(here)]))
    assert len(own) == 24
    assert [reply.outcome for reply in chain(own, served)] == ["answered"] * 48
    assert [reply.token_ids for reply in own] == [reply.token_ids for reply in served]
    assert [reply.text for reply in own] == [reply.text for reply in served]
    assert [reply.prompt_tokens for reply in own] == [reply.prompt_tokens for reply in served]
    assert [reply.finish_reason for reply in own] == [reply.finish_reason for reply in served]
    assert len({reply.text for reply in own if reply.text.strip()}) >= 20


def test_a_seed_decides_the_answer(loop: asyncio.Runner, backend: VllmBackend) -> None:
    """The same seed gives the same tokens in any company, and another seed gives others."""
    asked = setting(request={"return_token_ids": True})
    first = question("Tell me a story.", asked)
    repeat = question("Tell me a story.", asked, repeat=1)
    alone = loop.run(backend.answer(first))
    again, other = loop.run(answers(backend, [first, repeat]))
    assert first.seed != repeat.seed
    assert alone.token_ids == again.token_ids != other.token_ids
    unseeded = setting(request={"return_token_ids": True}, send_seed=False)
    reply = loop.run(backend.answer(question("Tell me a story.", unseeded)))
    assert (reply.facts["sampling"]["seed"], alone.facts["sampling"]["seed"]) == (None, first.seed)


def test_sampling_is_the_settings_and_else_the_models(
    loop: asyncio.Runner, backend: VllmBackend
) -> None:
    """What a setting leaves open is the generation config's, and both are recorded with a reply."""
    left_open, said = loop.run(
        answers(
            backend,
            [
                question("Hello", setting(max_tokens=2)),
                question("Hello", setting(max_tokens=2, sampling={"temperature": 0, "top_k": 3})),
            ],
        )
    )
    assert left_open.facts["sampling"] | DEFAULTS == left_open.facts["sampling"]
    assert left_open.facts["sampling"]["max_tokens"] == 2
    assert said.facts["sampling"]["temperature"] == 0
    assert said.completion_tokens == 2
    assert said.finish_reason == "length"
    assert said.token_ids is None


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"sampling": {"temprature": 0}}, "knows no field 'temprature'; did you mean temperature"),
        ({"sampling": {"temperature": "hot"}}, "refuses the request: temperature: "),
        ({"sampling": {"top_p": 7}}, "refuses the request: top_p must be in"),
        ({"request": {"truncate_prompt_tokens": 9}}, "cannot set 'truncate_prompt_tokens'; a pro"),
        ({"sampling": {"n": 2}}, "cannot set 'n'; use `repeats`"),
        ({"reasoning": "x", "reasoning_effort": "colossal"}, "refuses the request: reasoning_eff"),
    ],
)
def test_what_vllm_does_not_take_is_said_beforehand(
    loop: asyncio.Runner, backend: VllmBackend, values: dict[str, Any], said: str
) -> None:
    """A field that vLLM lacks or whose value is wrong is an error of the setting, in one line."""
    asked = setting(**values)
    with pytest.raises(SettingsError) as error:
        loop.run(backend.render("Hello", asked))
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    reply = loop.run(backend.answer(question("Hello", asked)))
    assert (reply.outcome, reply.error) == ("engine_error", str(error.value))


def test_what_does_not_fit_is_never_generated(loop: asyncio.Runner, backend: VllmBackend) -> None:
    """Prompt and reply must fit the context together; the prompt is counted whole, never cut."""
    prompt = "7" * (WINDOW - 200)  # a token each
    rendered = loop.run(backend.render(prompt, setting()))
    assert (rendered.exact, rendered.context_window) == (True, WINDOW)
    assert WINDOW - 300 < rendered.tokens < WINDOW
    room = WINDOW - rendered.tokens
    fits, over, unlimited, huge = loop.run(
        answers(
            backend,
            [
                question(prompt, setting(max_tokens=room, sampling={"stop": [" "]})),
                question(prompt, setting(max_tokens=room + 1)),
                question(prompt, setting(max_tokens=None)),
                question(prompt * 20, setting()),
            ],
        )
    )
    assert fits.outcome == "answered"
    assert [reply.outcome for reply in (over, unlimited, huge)] == ["over_length"] * 3
    assert over.prompt_tokens == rendered.tokens
    assert (
        over.error == f"{rendered.tokens} tokens of prompt and {room + 1} of reply, of 2048 in all"
    )
    assert huge.prompt_tokens is not None
    assert huge.prompt_tokens > 19 * (WINDOW - 300)
    narrow = loop.run(backend.render("Hello", setting(context_window=100)))
    assert narrow.context_window == 100


def test_a_switch_that_the_template_ignores_is_refused(
    loop: asyncio.Runner, backend: VllmBackend
) -> None:
    """The model's own template renders `high` and `off` alike; one with a switch does not."""
    for mode in ("high", "off"):
        with pytest.raises(SettingsError, match=f"reasoning '{mode}' changes nothing"):
            loop.run(require_effect(backend, setting(reasoning=mode), "Hello"))
    high, off = (
        setting(reasoning=mode, request={"chat_template": THINKING}) for mode in ("high", "off")
    )
    loop.run(require_effect(backend, off, "Hello"))
    thinking, plain = (loop.run(backend.render("Hello", each)).text for each in (high, off))
    assert thinking.endswith("<|im_start|>assistant\n<think>\n")
    assert plain == f"{thinking}\n</think>\n\n"


def test_thinking_is_split_off_by_vllms_own_parser(
    loop: asyncio.Runner, backend: VllmBackend
) -> None:
    """A budget ends the thinking, and what follows its tag is the text; both are kept."""
    asked = setting(
        reasoning="high",
        thinking_budget=6,
        max_tokens=60,
        sampling={"ignore_eos": True},
        request={"chat_template": THINKING, "return_token_ids": True},
    )
    reply = loop.run(backend.answer(question("What is 3 + 4?", asked)))
    assert reply.outcome == "answered"
    assert reply.reasoning
    assert reply.text
    assert "</think>" not in reply.text + reply.reasoning
    assert len(reply.reasoning) < len(reply.text)
    assert reply.completion_tokens == 60 == len(reply.token_ids or ())
    plain = loop.run(backend.answer(question("What is 3 + 4?", setting())))
    assert (plain.reasoning, plain.reasoning_tokens) == (None, 0)


def test_replies_come_as_they_finish(loop: asyncio.Runner, backend: VllmBackend) -> None:
    """A short reply is there while a long one that began before it is still being written.

    Cancelled, the long one is freed in the engine, and nothing is left of it.
    """
    endless = setting(max_tokens=1_500, sampling={"ignore_eos": True})

    async def short_beside_long() -> Reply:
        long = asyncio.create_task(backend.answer(question("Write a long story.", endless)))
        await asyncio.sleep(0)
        short = await backend.answer(question("What is 3 + 4?", setting(max_tokens=3)))
        assert not long.done()
        assert unfinished(backend) == 1
        long.cancel()
        with pytest.raises(asyncio.CancelledError):
            await long
        assert unfinished(backend) == 0
        return short

    short = loop.run(short_beside_long())
    assert short.completion_tokens == 3
    assert short.facts["at_once"] == 2
    after = loop.run(backend.answer(question("What is 3 + 4?", setting(max_tokens=3))))
    assert after.facts["at_once"] == 1


def unfinished(backend: VllmBackend) -> int:
    return int(running(backend).get_num_unfinished_requests())


def running(backend: VllmBackend) -> Any:
    assert backend._engine is not None
    return backend._engine.llm


def test_facts_say_what_may_change_an_answer(loop: asyncio.Runner, backend: VllmBackend) -> None:
    """Version, number format, device, context, batch and template are for the record."""
    facts = facts_of(running(backend), "template")
    assert facts["dtype"] == "float32"
    assert facts["device"] == "cpu"
    assert facts["max_model_len"] == WINDOW
    assert facts["sampling_defaults"] == DEFAULTS
    assert facts["reasoning_parser"] == "olmo3"
    assert facts["version"]
    assert facts["max_num_seqs"] > 0
    assert len(facts["chat_template_sha"]) == 64


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        ({"max_modl_len": 5}, "has no argument 'max_modl_len'; did you mean max_model_len"),
        ({"model": "x"}, "model is no argument of the engine; it is what follows vllm/"),
        ({"reasoning_parser": "qwen33"}, "has no reasoning parser 'qwen33'; it has qwen3"),
        ({"max_model_len": "many"}, "max_model_len"),
    ],
)
def test_engine_arguments_are_checked_before_anything_is_loaded(
    loop: asyncio.Runner, model: Path, engine: dict[str, Any], said: str
) -> None:
    """An unknown or unfitting argument is one line that names it, and nothing is left running."""
    before = set(multiprocessing.active_children())
    backend = VllmBackend(BackendSpec(model=str(model), engine=ENGINE | engine))
    with pytest.raises(BackendError) as error:
        loop.run(backend.open())
    loop.run(backend.close())
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert set(multiprocessing.active_children()) == before


def test_a_model_that_is_not_there_is_one_line(loop: asyncio.Runner, tmp_path: Path) -> None:
    """A folder without a model is named in the error."""
    backend = VllmBackend(BackendSpec(model=str(tmp_path / "none"), engine=ENGINE))
    with pytest.raises(BackendError, match=r"vLLM cannot start \S+/none: ") as error:
        loop.run(backend.open())
    loop.run(backend.close())
    assert "\n" not in str(error.value)


def engine_processes(before: Iterable[BaseProcess]) -> list[int]:
    """The engine's own process and those that it has started."""
    psutil: Any = import_module("psutil")
    engines = [psutil.Process(each.pid) for each in multiprocessing.active_children()]
    others = {each.pid for each in before}
    owned = [each for each in engines if each.pid not in others]
    return [each.pid for each in chain(owned, *(each.children() for each in owned))]


def test_a_cancelled_start_ends_what_it_has_started(loop: asyncio.Runner, model: Path) -> None:
    """Whoever interrupts the loading of a model need not wait for it, and nothing is left."""
    before = set(multiprocessing.active_children())
    backend = VllmBackend(BackendSpec(model=str(model), engine=ENGINE))

    async def scene() -> None:
        opening = asyncio.create_task(backend.open())
        while set(multiprocessing.active_children()) == before and not opening.done():
            await asyncio.sleep(0.05)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        await backend.close()

    loop.run(scene())
    assert set(multiprocessing.active_children()) == before


def test_rendering_needs_no_weights(
    backend: VllmBackend, model: Path, loop: asyncio.Runner
) -> None:
    """What a dry run renders without an engine is what the running one reads."""
    front = VllmBackend(BackendSpec(model=str(model), engine=ENGINE))
    before = set(multiprocessing.active_children())

    async def scene() -> None:
        await front.open(only_to_render=True)
        assert set(multiprocessing.active_children()) == before
        asked = setting(max_tokens=9)
        rendered = await front.render("What is 2+2?", asked)
        assert rendered == await backend.render("What is 2+2?", asked)
        await front.close()

    loop.run(scene())


def test_an_engine_that_dies_says_so(model: Path) -> None:
    """What was being answered and what is asked later ends as one clear line; nothing hangs.

    Before that, Ctrl-C at a terminal does it no harm, and tags that are special tokens stay in the
    text, since no parser is named. In the end nothing of the engine is left.
    """
    tiny = {
        "dtype": "float32",
        "enforce_eager": True,
        "max_model_len": 512,
        "max_num_seqs": 4,
        "load_format": "dummy",
        "hf_overrides": {"num_hidden_layers": 2},
        "reasoning_config": {
            "reasoning_start_str": "<repo_name>",
            "reasoning_end_str": "<reponame>",
        },
    }
    before = set(multiprocessing.active_children())
    backend = VllmBackend(BackendSpec(model=str(model), engine=tiny))
    assert backend.concurrency == 4
    tags = ["<repo_name>", "<reponame>"]
    opened = "{{ messages[0]['content'] }}<repo_name>"
    thinking = setting(
        reasoning="high",
        reasoning_tags=tags,
        thinking_budget=5,
        sampling={"ignore_eos": True},
        request={"chat_template": opened},
    )
    endless = setting(max_tokens=480, sampling={"ignore_eos": True})

    async def scene() -> None:
        await backend.open()
        for process in engine_processes(before):
            os.kill(process, signal.SIGINT)
        reply = await backend.answer(question("Hello", thinking))
        assert reply.text.count("<reponame>") >= 1
        assert (reply.reasoning, reply.reasoning_tokens) == (None, 5)

        pending = [
            asyncio.create_task(backend.answer(question("Hello", endless, repeat=number)))
            for number in range(3)
        ]
        await asyncio.sleep(0.5)
        for process in engine_processes(before):
            os.kill(process, signal.SIGKILL)
        ends = await asyncio.gather(*pending, return_exceptions=True)
        with pytest.raises(BackendError) as later:
            await backend.answer(question("Hello", thinking, repeat=9))
        assert {type(each) for each in ends} == {BackendError}
        said = f"vLLM's engine died while running {model}"
        assert all(str(each).startswith(said) for each in [*ends, later.value])

    try:
        asyncio.run(scene())
    finally:
        asyncio.run(backend.close())
    assert set(multiprocessing.active_children()) == before
