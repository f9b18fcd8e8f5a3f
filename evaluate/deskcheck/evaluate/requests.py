"""What is put to a model, and what came back: one request, one reply, keyed by content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal, get_args

from deskcheck.evaluate.settings import Setting
from deskcheck.oracles.identity import Draws, content_id

SEED_BITS = 31
"""Seeds fit a signed 32-bit integer, which every engine takes."""

Outcome = Literal["answered", "over_length", "no_response", "engine_error"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question in a fresh session: a single user message, no tools, no history."""

    key: str
    """Hash of everything that defines the request; the name under which its reply is stored."""
    task_id: str
    setting: Setting
    repeat: int
    prompt: str
    prompt_sha: str
    seed: int
    """Of this task and repeat; sent where the setting sends seeds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What became of one request. Every ending is a value.

    answered: a reply came back, whatever is in it. over_length: prompt and reply do not fit the
    context, so it was never generated. no_response: a time-out, a refusal, or a connection that
    failed until the attempts were spent. engine_error: the engine or server said that it failed.
    """

    outcome: Outcome
    text: str = ""
    """The reply as it came, thinking included where the backend does not tell it apart."""
    reasoning: str | None = None
    """The thinking, where the backend tells it apart."""
    finish_reason: str = ""
    """The engine's own word: `stop`, `length`, …"""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    error: str = ""
    """One line about what went wrong; of attempts that failed before an answer, too."""
    attempts: int = 1
    served_model: str = ""
    """The model's name, as its server gives it."""
    token_ids: tuple[int, ...] | None = None
    """Of the reply, where the engine was asked for them."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What else the backend wants kept; plain JSON."""


def prompt_sha(prompt: str) -> str:
    """The hash under which a prompt is recorded."""
    return sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()


def request_seed(run_seed: int, task_id: str, repeat: int) -> int:
    """The same for every setting, so that settings differ in nothing else; never shared by two
    tasks or repeats but by chance."""
    return Draws("request", run_seed, task_id, repeat).bits(SEED_BITS)


def make_request(
    *, task_id: str, setting: Setting, repeat: int, prompt: str, run_seed: int
) -> Request:
    """The request with its key and seed."""
    seed = request_seed(run_seed, task_id, repeat)
    sha = prompt_sha(prompt)
    key = content_id(
        "request",
        {
            "task": task_id,
            "setting": setting.identity,
            "prompt": sha,
            "repeat": repeat,
            "seed": seed if setting.send_seed else None,
        },
    )
    return Request(
        key=key,
        task_id=task_id,
        setting=setting,
        repeat=repeat,
        prompt=prompt,
        prompt_sha=sha,
        seed=seed,
    )
