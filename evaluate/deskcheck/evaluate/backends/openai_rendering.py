"""The body of a request to an OpenAI-compatible server, and the prompt that the server makes of it.

vLLM and llama.cpp tell what a chat becomes in the end; of other servers only the body is known.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from deskcheck.evaluate.backends import Rendered
from deskcheck.evaluate.backends.reasoning import Family, asked
from deskcheck.evaluate.settings import Setting
from deskcheck.oracles.errors import SettingsError

Kind = Literal["vllm", "llamacpp", ""]
"""The server's software, as far as it matters here."""

Post = Callable[[str, Mapping[str, Any]], Awaitable[Any]]
"""POST to a path below the server's root: the JSON object of a good answer, or None."""

_BUDGET_FIELD: Mapping[Kind, str] = {
    "vllm": "thinking_token_budget",
    "llamacpp": "thinking_budget_tokens",
}
_OURS = {
    "messages": "a request is one question",
    "model": "it is the setting's `model`",
    "n": "use `repeats`",
    "seed": "each request has a seed of its own; see `send_seed`",
    "stream": "replies are taken whole",
    "stream_options": "replies are taken whole",
    "tools": "questions are answered without tools",
    "tool_choice": "questions are answered without tools",
    "functions": "questions are answered without tools",
    "truncate_prompt_tokens": "a prompt is never cut",
    "truncation_side": "a prompt is never cut",
}
"""Fields that a setting must not set, with the reason."""

_BYTES_PER_TOKEN = 3
"""For estimates. Prompts about Python programs have 2.4 to 3.5 bytes per token with a small
vocabulary, and more with a large one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """What all servers of a backend have in common."""

    model: str
    kind: Kind = ""
    context_window: int | None = None

    @property
    def family(self) -> Family:
        """A server that is known to render a chat template is asked through the template, as its
        engine would be in process; any other by effort, as the public API is."""
        return "templates" if self.kind else "effort"


def body_of(server: Server, prompt: str, setting: Setting, seed: int | None) -> dict[str, Any]:
    """The request's body: the question, limits, sampling, reasoning, and `request` over all.

    `max_tokens` is left out where `request` has `max_completion_tokens`, its newer name.
    SettingsError where `sampling` or `request` sets what a setting must not set, or where the
    server is not known to limit thinking and a budget is asked.
    """
    for table, fields in (("sampling", setting.sampling), ("request", setting.request)):
        for name in fields.keys() & _OURS.keys():
            raise SettingsError(
                f"setting {setting.name!r}: {table} cannot set {name!r}", _OURS[name]
            )
    body: dict[str, Any] = {
        "model": server.model,
        "messages": [{"role": "user", "content": prompt}],
    }
    if setting.max_tokens is not None and "max_completion_tokens" not in setting.request:
        body["max_tokens"] = setting.max_tokens
    if seed is not None and setting.send_seed:
        body["seed"] = seed
    reasoning = asked(setting, server.family)
    body |= dict(setting.sampling) | dict(reasoning.body)
    if reasoning.chat_template_kwargs:
        body["chat_template_kwargs"] = dict(reasoning.chat_template_kwargs)
    if reasoning.thinking_budget is not None:
        body[_budget_field(server, setting)] = reasoning.thinking_budget
    return body | dict(setting.request)


async def rendered(server: Server, prompt: str, setting: Setting, post: Post) -> Rendered:
    """The prompt as the server renders it; the body and an estimate where it does not tell.

    vLLM does not tell what it makes of `reasoning_effort`.
    """
    body = body_of(server, prompt, setting, None)
    window = setting.context_window or server.context_window
    found: tuple[str, int] | None = None
    if server.kind == "llamacpp":
        found = await _by_llamacpp(body, post)
    elif server.kind == "vllm":
        found = await _by_vllm(body, post)
    text, tokens = found or (json.dumps(body, sort_keys=True), estimated_tokens(prompt))
    return Rendered(text=text, exact=found is not None, tokens=tokens, context_window=window)


def estimated_tokens(prompt: str) -> int:
    """A token for every three bytes of UTF-8, rounded up."""
    return -(-len(prompt.encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN)


async def _by_llamacpp(body: Mapping[str, Any], post: Post) -> tuple[str, int] | None:
    match await post("/apply-template", body):
        case {"prompt": str(text)}:
            pass
        case _:
            return None
    content = {"content": text, "add_special": True, "parse_special": True}
    match await post("/tokenize", content):
        case {"tokens": list(tokens)}:
            return text, len(tokens)
        case _:
            return None


async def _by_vllm(body: Mapping[str, Any], post: Post) -> tuple[str, int] | None:
    """None where the chat depends on more than these routes take."""
    if "reasoning_effort" in body:
        return None
    names = ("model", "messages", "chat_template_kwargs")
    match await post("/tokenize", {name: body[name] for name in names if name in body}):
        case {"tokens": list(tokens)}:
            pass
        case _:
            return None
    match await post("/detokenize", {"model": body["model"], "tokens": tokens}):
        case {"prompt": str(text)}:
            return text, len(tokens)
        case _:
            return None


def _budget_field(server: Server, setting: Setting) -> str:
    try:
        return _BUDGET_FIELD[server.kind]
    except KeyError:
        raise SettingsError(
            f"setting {setting.name!r}: this server has no known field for thinking_budget",
            "put its own field into `request`",
        ) from None
