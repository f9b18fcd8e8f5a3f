"""A reasoning mode asks for something, and that something reaches the model."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from jinja2 import Template
from tests.evaluate.backends.asking import backend_of, models
from tests.evaluate.backends.misbehaving import Misbehaving

from deskcheck.builder.cases import ARMS, Arm
from deskcheck.evaluate.backends import Rendered
from deskcheck.evaluate.backends.reasoning import Asked, Family, asked, require_effect
from deskcheck.evaluate.requests import Reply, Request
from deskcheck.evaluate.settings import Setting, make_setting
from deskcheck.oracles.errors import SettingsError

THINKS_UNLESS_TOLD = (
    "<user>{{ prompt }}<model>"
    "{% if enable_thinking is defined and not enable_thinking %}<think></think>{% endif %}"
)
THINKS_WHEN_TOLD = "<user>{{ prompt }}<model>{% if enable_thinking %}<think>{% endif %}"
HAS_A_SWITCH_OF_ITS_OWN = "{% if thinking %}Think.{% endif %}<user>{{ prompt }}<model>"
HAS_EFFORTS = "Effort: {{ reasoning_effort or 'medium' }}<user>{{ prompt }}<model>"
HAS_NO_SWITCH = "<user>{{ prompt }}<model>"


@dataclass(kw_only=True)
class Templated:
    """A backend that renders prompts by a chat template, as engines in process do."""

    template: str
    concurrency: int = 1
    exclusive: bool = True
    arms: tuple[Arm, ...] = ARMS

    async def open(self, *, only_to_render: bool = False) -> Mapping[str, Any]:
        return {}

    async def render(self, prompt: str, setting: Setting) -> Rendered:
        reasoning = asked(setting, "templates")
        variables = {**reasoning.body, **reasoning.chat_template_kwargs}
        text = Template(self.template).render(prompt=prompt, **variables)
        return Rendered(text=text, exact=True, tokens=len(text), context_window=None)

    async def answer(self, request: Request) -> Reply:
        return Reply(outcome="answered")

    async def close(self) -> None:
        return None


def setting_of(**values: Any) -> Setting:
    return make_setting(**{"model": "vllm/org/model", "name": "mine", **values})


@pytest.mark.parametrize(
    ("mode", "family", "expected"),
    [
        ("default", "effort", Asked()),
        ("default", "templates", Asked()),
        ("high", "effort", Asked(body={"reasoning_effort": "high"})),
        ("off", "effort", Asked(body={"reasoning_effort": "none"})),
        ("high", "templates", Asked(chat_template_kwargs={"enable_thinking": True})),
        ("off", "templates", Asked(chat_template_kwargs={"enable_thinking": False})),
    ],
)
def test_the_modes_are_said_in_the_familys_way(mode: str, family: Family, expected: Asked) -> None:
    """`high` and `off` become an effort or a template variable; `default` asks for nothing."""
    assert asked(setting_of(reasoning=mode), family) == expected


@pytest.mark.parametrize("family", ["effort", "templates"])
@pytest.mark.parametrize("mode", ["high", "off", "default", "mine"])
@pytest.mark.parametrize(
    ("spelt_out", "expected"),
    [
        ({"reasoning_effort": "low"}, Asked(body={"reasoning_effort": "low"})),
        (
            {"chat_template_kwargs": {"thinking": True}},
            Asked(chat_template_kwargs={"thinking": True}),
        ),
        ({"request": {"reasoning": {"effort": "low"}}}, Asked()),
        ({"request": {"enable_thinking": True}}, Asked()),
    ],
)
def test_what_a_setting_spells_out_is_sent_as_it_stands(
    family: Family, mode: str, spelt_out: dict[str, Any], expected: Asked
) -> None:
    """Explicit values are neither changed nor added to, whatever the mode is called."""
    assert asked(setting_of(reasoning=mode, **spelt_out), family) == expected


def test_other_fields_of_the_request_leave_the_switch_alone() -> None:
    """A field that has nothing to do with thinking does not stand for a switch."""
    setting = setting_of(reasoning="off", request={"return_token_ids": True})
    assert asked(setting, "effort").body == {"reasoning_effort": "none"}


def test_a_budget_stands_beside_the_switch() -> None:
    """A limit of thinking does not itself switch thinking on, so both are asked."""
    assert asked(setting_of(reasoning="high", thinking_budget=512), "templates") == Asked(
        chat_template_kwargs={"enable_thinking": True}, thinking_budget=512
    )


@pytest.mark.parametrize(
    ("template", "values"),
    [
        (THINKS_UNLESS_TOLD, {"reasoning": "high"}),
        (THINKS_UNLESS_TOLD, {"reasoning": "off"}),
        (THINKS_WHEN_TOLD, {"reasoning": "high"}),
        (THINKS_WHEN_TOLD, {"reasoning": "off"}),
        (HAS_A_SWITCH_OF_ITS_OWN, {"chat_template_kwargs": {"thinking": True}}),
        (
            HAS_A_SWITCH_OF_ITS_OWN,
            {"reasoning": "off", "chat_template_kwargs": {"thinking": False}},
        ),
        (HAS_EFFORTS, {"reasoning": "low", "reasoning_effort": "low"}),
        (HAS_EFFORTS, {"reasoning": "medium", "reasoning_effort": "medium"}),
        (HAS_EFFORTS, {"chat_template_kwargs": {"reasoning_effort": "medium"}}),
        (HAS_NO_SWITCH, {}),
        (HAS_NO_SWITCH, {"reasoning": "short", "thinking_budget": 512}),
        (HAS_NO_SWITCH, {"reasoning": "mine", "request": {"thinking": {"type": "enabled"}}}),
    ],
)
def test_a_switch_that_works_is_let_through(template: str, values: dict[str, Any]) -> None:
    """A mode passes if it can change the prompt, even where it is the model's own default."""
    asyncio.run(require_effect(Templated(template=template), setting_of(**values), "2+2"))


@pytest.mark.parametrize(
    ("template", "values"),
    [
        (HAS_NO_SWITCH, {"reasoning": "high"}),
        (HAS_NO_SWITCH, {"reasoning": "off"}),
        (HAS_NO_SWITCH, {"reasoning": "off", "request": {"top_k": 1}}),
        (HAS_NO_SWITCH, {"reasoning": "high", "thinking_budget": 512}),
        (HAS_NO_SWITCH, {"reasoning": "low", "reasoning_effort": "low"}),
        (HAS_NO_SWITCH, {"chat_template_kwargs": {"enable_thinking": False}}),
        (HAS_A_SWITCH_OF_ITS_OWN, {"reasoning": "high"}),
        (HAS_A_SWITCH_OF_ITS_OWN, {"reasoning": "off"}),
        (THINKS_UNLESS_TOLD, {"reasoning": "off", "chat_template_kwargs": {"thinking": False}}),
        (THINKS_UNLESS_TOLD, {"reasoning": "low", "reasoning_effort": "low"}),
    ],
)
def test_a_switch_that_does_nothing_is_refused(template: str, values: dict[str, Any]) -> None:
    """A mode that leaves the prompt as it is ends the run in one line before it begins."""
    setting = setting_of(**values)
    with pytest.raises(SettingsError) as caught:
        asyncio.run(require_effect(Templated(template=template), setting, "2+2"))
    assert caught.value.what == (
        f"setting 'mine': reasoning {setting.reasoning!r} changes nothing in what vllm/org/model "
        "is sent"
    )
    assert "chat_template_kwargs" in caught.value.hint
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("mode", ["high", "off"])
def test_a_server_without_rendering_is_judged_by_the_body(mode: str) -> None:
    """Where only the request can be seen, the mode has to change the request."""
    asyncio.run(opened_and_required({}, setting_of(model="openai/m", reasoning=mode)))


@pytest.mark.parametrize("mode", ["high", "off"])
def test_a_vllm_server_is_judged_by_what_it_renders(mode: str) -> None:
    """A vLLM server tells the prompt itself, so that a switch that only fills the body is found."""
    routes = {
        **models("m", owned_by="vllm"),
        "/detokenize": lambda body: (200, {"prompt": str(body["tokens"])}),
    }
    setting = setting_of(model="openai/m", reasoning=mode)
    deaf = {**routes, "/tokenize": lambda _: (200, {"tokens": [1]})}
    with pytest.raises(SettingsError, match="changes nothing"):
        asyncio.run(opened_and_required(deaf, setting))
    heeding = {
        **routes,
        "/tokenize": lambda body: (
            200,
            {"tokens": [int(body["chat_template_kwargs"]["enable_thinking"])]},
        ),
    }
    asyncio.run(opened_and_required(heeding, setting))


async def opened_and_required(routes: Mapping[str, Any], setting: Setting) -> None:
    async with Misbehaving(routes=routes) as server:
        backend = backend_of(server)
        try:
            await backend.open()
            await require_effect(backend, setting, "2+2")
        finally:
            await backend.close()
