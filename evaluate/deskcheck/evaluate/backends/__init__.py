"""The seam behind which models answer: a backend takes requests one by one, many at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from deskcheck.builder.cases import ARMS, Arm
from deskcheck.evaluate.requests import Reply, Request
from deskcheck.evaluate.settings import Setting

LEAST_ROOM = 256
"""Tokens that a reply must have room for where the setting does not limit it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackendSpec:
    """What a backend is made from. Settings that agree in all of it share one backend."""

    model: str
    """The model's name without the backend's: `Qwen/Qwen3-8B`."""
    base_urls: tuple[str, ...] = ()
    engine: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of the engine, from `-M key=value` or the settings file."""
    dataset: Path | None = None
    """The dataset's folder, answers included: only for backends that are no models."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """What a prompt becomes under one setting, as far as the backend can tell beforehand."""

    text: str
    """The rendered chat, or the request's body where rendering is the server's affair."""
    exact: bool
    """`text` is what the model reads, and `tokens` is their exact number."""
    tokens: int
    """Of the prompt; an estimate where not `exact`."""
    context_window: int | None
    """Tokens that prompt and reply may have together, where known."""


@runtime_checkable
class Backend(Protocol):
    """One engine or server. Made by calling a class with a `BackendSpec`; nothing heavy happens
    before `open`, which raises BackendError where the engine cannot be used at all.

    After `open`, `answer` is awaited for many requests at once. It never raises for what becomes
    of one request, and returns soon after it is cancelled; a BackendError says that the engine is
    gone and nothing was learnt. It need not keep the time limit of `request.setting.timeout`
    itself: whoever awaits it does.
    """

    concurrency: int
    """Requests that it takes at once, unless the setting says otherwise."""
    exclusive: bool
    """It uses this machine's processors or GPUs, so that one runs at a time."""
    arms: tuple[Arm, ...]
    """The arms that it can answer; `ARMS` for a model."""

    async def open(self, *, only_to_render: bool = False) -> Mapping[str, Any]:
        """Load or reach the model; facts about the engine for the record (plain JSON).

        `only_to_render` leaves out what takes long and `render` does not need.
        """
        ...

    async def render(self, prompt: str, setting: Setting) -> Rendered:
        """What the prompt becomes under the setting's reasoning mode; after `open`.

        SettingsError where the engine does not take what the setting asks.
        """
        ...

    async def answer(self, request: Request) -> Reply:
        """The reply to one request."""
        ...

    async def close(self) -> None:
        """Let go of everything; also after a failed `open`."""
        ...


def over_length(tokens: int, window: int, setting: Setting) -> str:
    """Why a prompt of so many tokens and its reply cannot both fit the context, or nothing."""
    room = setting.max_tokens or LEAST_ROOM
    if tokens + room <= window:
        return ""
    return f"{tokens} tokens of prompt and {room} of reply, of {window} in all"


__all__ = ["ARMS", "LEAST_ROOM", "Backend", "BackendSpec", "Rendered", "over_length"]
