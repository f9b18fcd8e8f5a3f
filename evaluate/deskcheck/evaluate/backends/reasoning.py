"""What a setting's reasoning mode asks of an engine, and whether asking it changes anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from deskcheck.evaluate.backends import Backend
from deskcheck.evaluate.settings import Setting
from deskcheck.oracles.errors import SettingsError

Family = Literal["effort", "templates"]
"""How `high` and `off` are said: by the field `reasoning_effort` of a request's body, or by the
variable `enable_thinking` of the model's chat template."""

_OPPOSITE = {"high": "off", "off": "high"}
_SWITCHES: Mapping[Family, Mapping[str, Any]] = {
    "effort": {"high": "high", "off": "none"},
    "templates": {"high": True, "off": False},
}
_SPEAKS_OF_REASONING = ("reason", "think", "chat_template_kwargs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked for beyond the question itself; all empty where nothing is."""

    body: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the request's body: `reasoning_effort` or nothing."""
    chat_template_kwargs: Mapping[str, Any] = field(default_factory=dict)
    """Variables of the model's chat template."""
    thinking_budget: int | None = None
    """Tokens of thinking; every engine has a name of its own for it."""


def asked(setting: Setting, family: Family) -> Asked:
    """What the setting's reasoning mode asks of an engine of this family.

    What the setting spells out is taken as it stands. `high` and `off` say it in the family's way
    where the setting names no switch itself: `reasoning_effort`, `chat_template_kwargs`, or a
    field of `request` that speaks of reasoning or thinking. A thinking budget limits thinking and
    does not switch it on, so it stands beside either.
    """
    body: dict[str, Any] = {}
    variables = dict(setting.chat_template_kwargs)
    if setting.reasoning_effort is not None:
        body["reasoning_effort"] = setting.reasoning_effort
    if setting.reasoning in _OPPOSITE and not _names_a_switch(setting):
        switch = _SWITCHES[family][setting.reasoning]
        if family == "effort":
            body["reasoning_effort"] = switch
        else:
            variables["enable_thinking"] = switch
    return Asked(body=body, chat_template_kwargs=variables, thinking_budget=setting.thinking_budget)


async def require_effect(backend: Backend, setting: Setting, prompt: str) -> None:
    """SettingsError where the setting's reasoning mode does not change what the model is sent.

    `high` and `off` must differ from each other, since a model that thinks unless told otherwise
    reads the same under `high` as under no mode at all. What the setting spells out must differ
    from its absence or from another value of the same switch. A budget, or a field of `request`,
    is no part of a rendered prompt; only the thinking tokens measured later tell what it did.
    """
    others = list(_counterparts(setting))
    if not others:
        return
    own = await backend.render(prompt, setting)
    for other in others:
        rendered = await backend.render(prompt, other)
        if (rendered.text, rendered.tokens) != (own.text, own.tokens):
            return
    raise SettingsError(
        f"setting {setting.name!r}: reasoning {setting.reasoning!r} changes nothing in what "
        f"{setting.model} is sent",
        "leave the mode out, or name the model's own switch in chat_template_kwargs, "
        "reasoning_effort or request",
    )


def _names_a_switch(setting: Setting) -> bool:
    return bool(
        setting.reasoning_effort is not None
        or setting.chat_template_kwargs
        or _reasoning_fields(setting)
    )


def _reasoning_fields(setting: Setting) -> list[str]:
    return [name for name in setting.request if any(word in name for word in _SPEAKS_OF_REASONING)]


def _counterparts(setting: Setting) -> Iterator[Setting]:
    """Settings of which at least one must be rendered otherwise."""
    if setting.reasoning_effort is not None or setting.chat_template_kwargs:
        absent: dict[str, Any] = {
            "reasoning": "default",
            "reasoning_effort": None,
            "chat_template_kwargs": {},
        }
        yield setting.model_copy(update=absent)
        yield setting.model_copy(
            update={
                "reasoning_effort": _other_effort(setting.reasoning_effort),
                "chat_template_kwargs": {
                    name: _other_value(value)
                    for name, value in setting.chat_template_kwargs.items()
                },
            }
        )
    elif setting.reasoning in _OPPOSITE and not _reasoning_fields(setting):
        yield setting.model_copy(update={"reasoning": _OPPOSITE[setting.reasoning]})


def _other_effort(effort: str | None) -> str | None:
    """Another effort than this one, for a template whose default it may be."""
    return None if effort is None else "low" if effort != "low" else "high"


def _other_value(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case str():
            return _other_effort(value)
        case _:
            return value
