"""What an OpenAI-compatible server is sent, what of its answer is kept, and how it is opened."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from tests.evaluate.backends.asking import KEY, asked, backend_of, models, request_of, setting_of
from tests.evaluate.backends.misbehaving import (
    Misbehaving,
    Route,
    chat,
    completion,
    status,
)

from deskcheck.evaluate.backends import BackendSpec
from deskcheck.evaluate.backends.openai import OpenAIBackend
from deskcheck.evaluate.requests import Reply
from deskcheck.oracles.errors import BackendError, SettingsError


def opened(
    routes: Mapping[str, Route], *, key: str | None = KEY, model: str = "m"
) -> Mapping[str, Any]:
    """What a backend finds out when it opens a server with these routes."""

    async def run() -> Mapping[str, Any]:
        async with Misbehaving(routes=routes) as server:
            spec = BackendSpec(model=model, base_urls=(server.url,))
            backend = OpenAIBackend(spec, key=key)
            try:
                return await backend.open()
            finally:
                await backend.close()

    return asyncio.run(run())


# What is sent, and what of an answer is kept


def test_a_reply_keeps_what_the_server_told() -> None:
    """Text, thinking, counts, finish reason and the served name all reach the reply."""
    reply, server = asked(chat("<answer>4</answer>", reasoning_content="two and two"))
    assert reply == Reply(
        outcome="answered",
        text="<answer>4</answer>",
        reasoning="two and two",
        finish_reason="stop",
        prompt_tokens=7,
        completion_tokens=5,
        reasoning_tokens=3,
        served_model="served-name",
        facts={"system_fingerprint": "fp"},
    )
    assert server.chats[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_request_is_one_question_with_the_settings_own_fields() -> None:
    """The body has one user message, limits, sampling and reasoning, and `request` over all."""
    _, server = asked(
        chat(),
        reasoning="high",
        max_tokens=50,
        sampling={"temperature": 0.5, "top_p": 0.9},
        request={"top_p": 0.8, "return_token_ids": True},
    )
    body = server.chats[0].body
    assert body.pop("seed") == request_of(setting_of()).seed
    assert body == {
        "model": "m",
        "messages": [{"role": "user", "content": "What is printed?"}],
        "max_tokens": 50,
        "temperature": 0.5,
        "top_p": 0.8,
        "reasoning_effort": "high",
        "return_token_ids": True,
    }


def test_nothing_is_overridden_where_the_setting_says_nothing() -> None:
    """A bare setting sends the question and its seed, and nothing else."""
    _, server = asked(chat())
    assert server.chats[0].body.keys() == {"model", "messages", "seed"}


def test_the_newer_name_of_the_limit_replaces_the_older() -> None:
    """With `max_completion_tokens` in `request`, no `max_tokens` is sent beside it."""
    _, server = asked(chat(), max_tokens=50, request={"max_completion_tokens": 60})
    assert server.chats[0].body.keys() >= {"max_completion_tokens"}
    assert "max_tokens" not in server.chats[0].body


@pytest.mark.parametrize(
    "field",
    ["seed", "messages", "model", "n", "stream", "tools", "tool_choice", "truncate_prompt_tokens"],
)
@pytest.mark.parametrize("table", ["request", "sampling"])
def test_a_setting_cannot_replace_the_question(field: str, table: str) -> None:
    """Fields that would change what is asked, or how replies are told apart, are refused."""
    with pytest.raises(SettingsError, match=f"{table} cannot set '{field}'"):
        asked(chat(), **{table: {field: 1}})


def test_every_repeat_is_sent_a_seed_of_its_own() -> None:
    """Seeds differ between tasks and repeats, and are the same for two settings."""

    async def run() -> list[int]:
        async with Misbehaving() as server:
            backend = backend_of(server)
            await backend.open()
            for values in ({}, {"sampling": {"temperature": 1.0}}):
                setting = setting_of(repeats=3, **values)
                for task in ("a", "b"):
                    for repeat in range(3):
                        await backend.answer(request_of(setting, task, repeat))
            await backend.close()
            return [seen.body["seed"] for seen in server.chats]

    seeds = asyncio.run(run())
    assert len(set(seeds[:6])) == 6
    assert seeds[:6] == seeds[6:]


def test_a_setting_may_send_no_seed() -> None:
    """Where a provider refuses seeds, none is sent."""
    _, server = asked(chat(), send_seed=False)
    assert "seed" not in server.chats[0].body


@pytest.mark.parametrize(
    ("message", "thinking"),
    [
        ({"reasoning_content": "so"}, "so"),
        ({"reasoning": "so"}, "so"),
        ({"reasoning_content": None, "reasoning": "so"}, "so"),
        ({"reasoning_content": "", "reasoning": "so"}, "so"),
        ({"reasoning": {"effort": "high"}}, None),
        ({}, None),
    ],
)
def test_thinking_is_read_from_either_field(message: dict[str, Any], thinking: str | None) -> None:
    """Both names that servers have for the thinking are known; what is no text is not thinking."""
    reply, _ = asked(chat("4", **message))
    assert (reply.text, reply.reasoning) == ("4", thinking)


@pytest.mark.parametrize("content", [None, "", []])
def test_thinking_without_an_answer_is_a_reply(content: Any) -> None:
    """A model that thought and then said nothing has answered, with empty text."""
    reply, _ = asked(chat(content, finish="length", reasoning="on and on"))
    assert (reply.outcome, reply.text, reply.reasoning) == ("answered", "", "on and on")
    assert reply.finish_reason == "length"


def test_thinking_that_was_cut_off_is_kept_as_it_came() -> None:
    """An open tag without its close is not mended, and `length` is passed on."""
    reply, _ = asked(chat("<think>first, the loop", finish="length"))
    assert (reply.text, reply.finish_reason) == ("<think>first, the loop", "length")


def test_a_full_length_reply_without_a_reason_was_cut_off() -> None:
    """A server that does not say why a reply of `max_tokens` tokens ended hides no truncation."""
    cut, _ = asked(chat(finish=""), max_tokens=5)
    assert (cut.finish_reason, cut.facts["finish_reason"]) == ("length", "inferred")
    for whole in (asked(chat(finish=""), max_tokens=6), asked(chat(finish=""))):
        assert whole[0].finish_reason == ""
    said, _ = asked(chat(finish="stop"), max_tokens=5)
    assert said.finish_reason == "stop"


@pytest.mark.parametrize("content", [5, True, {"text": "4"}])
def test_content_that_is_no_text_is_the_servers_fault(content: Any) -> None:
    """What cannot be read as a reply is no empty answer of the model's."""
    reply, _ = asked(chat(content), max_attempts=1)
    assert (reply.outcome, reply.error) == (
        "engine_error",
        "the server sent a message whose content is no text",
    )


def test_text_in_parts_is_joined() -> None:
    """A list of parts gives the text of its text parts, and thinking parts apart."""
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "<answer>"},
        {"type": "image_url", "image_url": {}},
        {"type": "text", "text": "4</answer>"},
    ]
    reply, _ = asked(chat(parts))
    assert (reply.text, reply.reasoning) == ("<answer>4</answer>", "hm")


def test_tool_calls_are_kept_and_never_carried_out() -> None:
    """A reply that calls a tool is an answer without text; the call stands in its facts."""
    calls = [{"type": "function", "function": {"name": "run_python", "arguments": "{}"}}]
    reply, server = asked(chat(None, finish="tool_calls", tool_calls=calls))
    assert (reply.outcome, reply.text, reply.facts["tool_calls"]) == ("answered", "", calls)
    assert len(server.chats) == 1


def test_token_ids_are_kept_where_the_server_gives_them() -> None:
    """The ids of the reply's tokens are taken from the first choice."""
    body = completion("4")
    body["choices"][0]["token_ids"] = [4, 8, 15]
    reply, _ = asked(status(200, body))
    assert reply.token_ids == (4, 8, 15)


# Opening


def test_nothing_that_listens_is_one_clear_line() -> None:
    """Without a server there is nothing to learn about the model, and the error says where."""

    async def run() -> None:
        backend = backend_of(urls=["http://user:secret@127.0.0.1:9/v1"])
        try:
            await backend.open()
        finally:
            await backend.close()

    with pytest.raises(BackendError) as caught:
        asyncio.run(run())
    assert caught.value.what.startswith("nothing answers at http://127.0.0.1:9/v1: ")
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("code", [401, 403])
@pytest.mark.parametrize(("key", "said"), [(KEY, "refuses the key"), ("", "needs a key")])
def test_a_refused_key_ends_it_before_any_question(code: int, key: str, said: str) -> None:
    """A key that the server does not take, or that is missing, is told at once and not shown."""
    with pytest.raises(BackendError, match=said) as caught:
        opened({"/v1/models": lambda _: (code, {})}, key=key)
    assert KEY not in str(caught.value)


def test_the_public_api_without_a_key_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """With neither key nor base URL the error names the variable, and nothing is sent."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    backend = OpenAIBackend(BackendSpec(model="gpt"))
    with pytest.raises(BackendError, match=r"api\.openai\.com/v1 needs a key") as caught:
        asyncio.run(backend.open())
    assert "OPENAI_API_KEY" in caught.value.hint


def test_base_url_and_key_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """OPENAI_BASE_URL and OPENAI_API_KEY are used where nothing else is given."""

    async def run() -> Misbehaving:
        async with Misbehaving() as server:
            monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/")
            monkeypatch.setenv("OPENAI_API_KEY", f"{KEY}\n")
            backend = OpenAIBackend(BackendSpec(model="m"))
            await backend.open()
            await backend.answer(request_of(setting_of()))
            await backend.close()
            return server

    assert asyncio.run(run()).chats[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("key", ["sk two", "sk-\u00fc", "a\nb"])
def test_a_key_that_cannot_be_sent_is_refused(key: str) -> None:
    """A key with blanks or letters that no header takes is an error that does not repeat it."""
    with pytest.raises(BackendError, match="OPENAI_API_KEY") as caught:
        opened({}, key=key)
    assert key not in str(caught.value)


def test_a_model_that_is_not_served_is_named_with_those_that_are() -> None:
    """The error of a misspelt model lists what the server has."""
    with pytest.raises(BackendError, match="does not serve 'qwen3-8b'") as caught:
        opened(models("Qwen/Qwen3-8B", "llama"), model="qwen3-8b")
    assert "Qwen/Qwen3-8B" in caught.value.hint


@pytest.mark.parametrize(
    "routes",
    [
        {},
        {"/v1/models": lambda _: (500, {})},
        {"/v1/models": lambda _: (200, [])},
        {"/v1/models": lambda _: (200, {"data": []})},
        {"/v1/models": lambda _: (200, {"data": [{"id": None}, 7]})},
        models("m:latest"),
    ],
)
def test_a_server_without_a_list_is_taken_on_trust(routes: dict[str, Route]) -> None:
    """A list of models that is missing, broken or empty is no reason to give up."""
    assert opened(routes)["unreachable"] == []


@pytest.mark.parametrize(
    ("entry", "window", "software"),
    [
        ({"owned_by": "vllm", "max_model_len": 2048}, 2048, "vllm"),
        ({"owned_by": "llamacpp", "meta": {"n_ctx": 4096}}, 4096, "llamacpp"),
        ({"owned_by": "openai"}, None, "unknown"),
        ({"owned_by": "vllm", "max_model_len": "many"}, None, "vllm"),
    ],
)
def test_the_context_window_is_taken_from_the_list(
    entry: dict[str, Any], window: int | None, software: str
) -> None:
    """vLLM and llama.cpp tell how many tokens a request may have."""
    facts = opened(models("m", **entry))
    assert (facts["context_window"], facts["software"]) == (window, software)


@pytest.mark.parametrize(
    "url",
    [
        "localhost:8000/v1",
        "ftp://host/v1",
        "http://",
        "http://[/v1",
        "http://host/v1?version=1",
        "http://host/v1#chat",
        "ftp://me:s3cret@host/v1",
    ],
)
def test_a_base_url_that_is_none_is_refused(url: str) -> None:
    """What is no URL of a server is told before anything is asked, and no password with it."""
    with pytest.raises(BackendError, match="is no base URL") as error:
        backend_of(urls=[url])
    assert "s3cret" not in str(error.value)


def test_engine_arguments_are_for_engines() -> None:
    """A server's engine cannot be set from here, so its arguments are not silently dropped."""
    with pytest.raises(BackendError, match="no engine arguments: dtype"):
        OpenAIBackend(BackendSpec(model="m", engine={"dtype": "float32"}))
