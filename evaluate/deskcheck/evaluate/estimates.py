"""What a run would take, before anything is asked: tokens, time, money, and what cannot fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deskcheck.builder.cases import ARMS, Arm
from deskcheck.evaluate.backends import Backend
from deskcheck.evaluate.plan import Plan, Planned
from deskcheck.evaluate.runner import CHARACTERS_A_TOKEN, Group, cost, unfit
from deskcheck.evaluate.settings import Setting
from deskcheck.oracles.errors import BackendError

PLAIN_TOKENS, THINKING_TOKENS = 600, 8_000
"""Assumed for a reply where the setting neither says nor limits it."""

TOKENS_A_SECOND = 40.0
"""Assumed for one request among others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TooLong:
    """A task whose prompt and reply do not fit."""

    candidate: str
    arm: Arm
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What one setting would take."""

    setting: str
    questions: int
    prompt_tokens: int
    exact: bool
    """The prompt's tokens are counted, not estimated."""
    reply_tokens: int
    """Of all replies together, as assumed."""
    seconds: float
    dollars: float | None
    """None where the setting has no price."""
    too_long: tuple[TooLong, ...]
    unreachable: str
    """Why the engine could not be asked for its tokenizer; empty where it could."""


async def estimate(plan: Plan, groups: Sequence[Group]) -> Sequence[Estimate]:
    """An estimate for each setting; engines are opened for their tokenizers, nothing is asked."""
    found: dict[str, Estimate] = {}
    for group in groups:
        backend, unreachable = group.backend, ""
        try:
            try:
                await backend.open(only_to_render=True)
            except BackendError as error:
                unreachable = str(error)
            for setting in group.settings(plan):
                found[setting.name] = await _estimate(
                    plan, setting, backend, group.concurrency(plan), unreachable
                )
        finally:
            await backend.close()
    return [found[setting.name] for setting in plan.config.settings]


def example_prompts(plan: Plan) -> Mapping[Arm, tuple[Planned, str]]:
    """For each arm that is asked, its first question and the full prompt."""
    examples: dict[Arm, tuple[Planned, str]] = {}
    for planned in plan:
        if planned.task.arm not in examples:
            examples[planned.task.arm] = (planned, plan.prompt(planned).text)
        if len(examples) == len(ARMS):
            break
    return {arm: examples[arm] for arm in ARMS if arm in examples}


async def _estimate(
    plan: Plan, setting: Setting, backend: Backend, concurrency: int, unreachable: str
) -> Estimate:
    tokens, exact, too_long = 0, not unreachable, []
    for planned in plan.of(setting):
        if planned.repeat:
            break  # the prompts of a further repeat are the same
        text = plan.prompt(planned).text
        rendered = None if unreachable else await backend.render(text, setting)
        tokens += rendered.tokens if rendered else round(len(text) / CHARACTERS_A_TOKEN)
        exact = exact and rendered is not None and rendered.exact
        why = unfit(rendered, setting) if rendered else ""
        if why:
            task = planned.task
            too_long.append(TooLong(candidate=task.candidate, arm=task.arm, why=why))
    questions = plan.count(setting)
    reply = questions * _reply_tokens(setting)
    prompt = tokens * setting.repeats
    return Estimate(
        setting=setting.name,
        questions=questions,
        prompt_tokens=prompt,
        exact=exact,
        reply_tokens=reply,
        seconds=reply / TOKENS_A_SECOND / max(1, min(concurrency, questions)),
        dollars=cost(setting, prompt, reply) if setting.price else None,
        too_long=tuple(too_long),
        unreachable=unreachable,
    )


def _reply_tokens(setting: Setting) -> int:
    if setting.backend in ("baseline", "replay"):
        return 0  # nothing is generated
    if setting.expected_output_tokens:
        return setting.expected_output_tokens
    plain = setting.reasoning in ("default", "off")
    assumed = PLAIN_TOKENS if plain else THINKING_TOKENS
    return min(assumed, setting.max_tokens) if setting.max_tokens else assumed
