"""What a prompt becomes on an OpenAI-compatible server, as far as the server tells."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest
from tests.evaluate.backends.asking import backend_of, models, request_of, setting_of
from tests.evaluate.backends.misbehaving import (
    Misbehaving,
    Route,
)

from deskcheck.evaluate.backends import Rendered
from deskcheck.evaluate.settings import Setting
from deskcheck.oracles.errors import SettingsError


def rendered(routes: Mapping[str, Route], setting: Setting) -> tuple[Rendered, list[Any]]:
    """A prompt as a server with these routes renders it, and what they were sent."""

    async def run() -> tuple[Rendered, list[Any]]:
        async with Misbehaving(routes=routes) as server:
            backend = backend_of(server)
            await backend.open()
            try:
                return await backend.render("Wörk it out", setting), [
                    each.body for each in server.others if each.body
                ]
            finally:
                await backend.close()

    return asyncio.run(run())


def test_a_server_that_does_not_render_leaves_the_body_and_an_estimate() -> None:
    """The body stands for the prompt, and a token is reckoned for every three bytes."""
    found, _ = rendered({}, setting_of(context_window=99, reasoning="off"))
    assert json.loads(found.text) == {
        "messages": [{"content": "Wörk it out", "role": "user"}],
        "model": "m",
        "reasoning_effort": "none",
    }
    assert (found.exact, found.tokens, found.context_window) == (False, 4, 99)


VLLM = {
    **models("m", owned_by="vllm", max_model_len=2048),
    "/tokenize": lambda body: (
        200,
        {"tokens": [1, 2, len(body.get("chat_template_kwargs", {}))]},
    ),
    "/detokenize": lambda body: (200, {"prompt": f"<user>{body['tokens']}"}),
}


def test_vllm_tells_exactly_what_it_makes_of_a_chat() -> None:
    """A vLLM server counts the rendered prompt and gives its text, template variables included."""
    found, sent = rendered(VLLM, setting_of(reasoning="off"))
    assert found == Rendered(text="<user>[1, 2, 1]", exact=True, tokens=3, context_window=2048)
    assert sent[0] == {
        "model": "m",
        "messages": [{"role": "user", "content": "Wörk it out"}],
        "chat_template_kwargs": {"enable_thinking": False},
    }


def test_an_effort_makes_vllms_rendering_inexact() -> None:
    """What a vLLM server does with an effort is not told by it, and not claimed."""
    assert not rendered(VLLM, setting_of(reasoning_effort="low"))[0].exact


@pytest.mark.parametrize("missing", ["/tokenize", "/detokenize"])
def test_a_server_that_hides_its_routes_is_rendered_by_its_body(missing: str) -> None:
    """Where a vLLM server does not let its routes through, the body is shown instead."""
    routes = {path: route for path, route in VLLM.items() if path != missing}
    assert not rendered(routes, setting_of())[0].exact


def test_a_budget_goes_by_the_servers_own_name() -> None:
    """vLLM and llama.cpp name the limit of thinking differently; others have no known name."""
    assert asyncio.run(budget_field("vllm")) == {"thinking_token_budget": 9}
    assert asyncio.run(budget_field("llamacpp")) == {"thinking_budget_tokens": 9}
    with pytest.raises(SettingsError, match="no known field for thinking_budget"):
        asyncio.run(budget_field("openai"))


async def budget_field(owner: str) -> dict[str, Any]:
    async with Misbehaving(routes=models("m", owned_by=owner)) as server:
        backend = backend_of(server)
        await backend.open()
        try:
            await backend.answer(request_of(setting_of(thinking_budget=9)))
        finally:
            await backend.close()
        body = server.chats[0].body
        return {name: body[name] for name in body.keys() - {"model", "messages", "seed"}}
