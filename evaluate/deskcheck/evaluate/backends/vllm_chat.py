"""From a prompt to what vLLM reads, and from its tokens to a reply, as its own server does both.

The request is that server's `ChatCompletionRequest`, and its own code renders the chat, settles
the sampling and splits off the thinking. So a setting asks for the same in process as of a server.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

from deskcheck.evaluate.backends.reasoning import asked
from deskcheck.evaluate.backends.vllm_engine import FRONT, one_line, part
from deskcheck.evaluate.requests import Reply
from deskcheck.evaluate.settings import Setting
from deskcheck.oracles.errors import BackendError, SettingsError

_PROTOCOL = "entrypoints.openai.chat_completion.protocol"

_OURS = {
    "add_generation_prompt": "the model is always asked to answer",
    "continue_final_message": "the model is always asked to answer",
    "echo": "a reply is the model's own",
    "max_completion_tokens": "it is the setting's `max_tokens`",
    "max_tokens": "it is the setting's `max_tokens`",
    "messages": "a request is one question",
    "model": "it is the setting's `model`",
    "n": "use `repeats`",
    "seed": "each request has a seed of its own; see `send_seed`",
    "stream": "replies are taken whole",
    "stream_options": "replies are taken whole",
    "tools": "questions are answered without tools",
    "tool_choice": "questions are answered without tools",
    "truncate_prompt_tokens": "a prompt is never cut",
    "truncation_side": "a prompt is never cut",
    "use_beam_search": "it has no single reply of its own",
}
"""Fields that a setting must not set, with the reason."""

_ALWAYS_TOLD = (
    "temperature",
    "top_p",
    "top_k",
    "min_p",
    "repetition_penalty",
    "presence_penalty",
    "frequency_penalty",
    "max_tokens",
    "seed",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A prompt as vLLM takes it."""

    request: Any
    engine_input: Any
    text: str
    token_ids: Sequence[int]
    tags: tuple[str, str]
    template_variables: Mapping[str, Any] = field(default_factory=dict)


class Chat:
    """The chat side of a running engine."""

    def __init__(self, llm: Any, model: str, arguments: Mapping[str, Any]) -> None:
        """BackendError where template or reasoning parser do not fit the model."""
        self._llm = llm
        self._model = model
        self._config = llm.vllm_config
        self._tokenizer = llm.renderer.tokenizer
        self._request_kind = _whole_request_kind()
        self.defaults: Mapping[str, Any] = self._config.model_config.get_diff_sampling_param()
        front = {name: arguments.get(name, default) for name, default in FRONT.items()}
        try:
            front["chat_template"] = part("renderers.chat_utils", "load_chat_template")(
                front["chat_template"]
            )
            self._renderer = part("renderers.online_renderer", "OnlineRenderer")(
                self._config.model_config,
                llm.renderer,
                request_logger=None,
                trust_request_chat_template=True,  # settings are the user's own
                reasoning_parser=self._config.structured_outputs_config.reasoning_parser or None,
                **front,
            )
        except Exception as error:
            raise BackendError(f"vLLM cannot ask {model}: {one_line(error)}") from error
        self.template: str | None = front["chat_template"] or _text(
            getattr(self._tokenizer, "chat_template", None)
        )

    @property
    def window(self) -> int:
        """Tokens that prompt and reply may have together."""
        return int(self._config.model_config.max_model_len)

    async def question(self, prompt: str, setting: Setting) -> Question:
        """The prompt, rendered whole; SettingsError where vLLM does not take what the setting asks.

        A prompt that is too long is rendered like any other, so that its length is known.
        """
        body = self._body(prompt, setting)
        unknown = body.keys() - self._request_kind.model_fields.keys()
        for name in unknown:
            close = get_close_matches(name, list(self._request_kind.model_fields), n=3)
            raise SettingsError(
                f"setting {setting.name!r}: vLLM knows no field {name!r}",
                f"did you mean {' or '.join(close)}?" if close else "see its API reference",
            )
        try:
            request = self._request_kind.model_validate(body)
            self._keep_tags(request, setting)
            rendered = await self._renderer.render_chat(request)
            if not isinstance(rendered, tuple):
                raise ValueError(rendered.error.message)
            variables = self._renderer.effective_chat_template_kwargs(request)
            self._require_budget(request)
            self.sampling(request, setting, room=self.window, seed=0)
        except Exception as error:
            raise SettingsError(
                f"setting {setting.name!r}: vLLM refuses the request: {one_line(error)}"
            ) from error
        (engine_input,) = rendered[1]
        ids = engine_input["prompt_token_ids"]
        return Question(
            request=request,
            engine_input=engine_input,
            text=engine_input.get("prompt") or self._tokenizer.decode(ids),
            token_ids=ids,
            tags=setting.reasoning_tags,
            template_variables=variables,
        )

    def sampling(self, request: Any, setting: Setting, *, room: int, seed: int) -> Any:
        """vLLM's parameters: the setting's, else those of the model's generation config.

        `room` is how many tokens the context has left.
        """
        limit = setting.max_tokens
        if limit is None:
            limit = self.defaults.get("max_tokens", room)
        params = request.to_sampling_params(min(limit, room), dict(self.defaults))
        params.seed = seed if setting.send_seed else None
        return params

    def parser(self, question: Question) -> Any:
        """vLLM's own parser of thinking for one reply; None where none was named."""
        if self._renderer.parser is None:
            return None
        parser = self._renderer.parser(
            self._tokenizer,
            None,
            chat_template_kwargs=dict(question.template_variables),
            model_config=self._config.model_config,
        )
        parser.set_prompt_token_ids(question.token_ids)
        return parser

    def reasoning_arguments(self, question: Question, parser: Any) -> dict[str, Any]:
        """What `generate` needs to know of thinking, to begin structured output after it."""
        variables = {"chat_template_kwargs": dict(question.template_variables)}
        has_parser = parser is not None and parser.reasoning_parser is not None
        return {
            "reasoning_ended": question.request.resolve_reasoning_ended(
                parser, list(question.token_ids)
            ),
            "reasoning_parser_kwargs": variables if has_parser else None,
        }

    def reply(self, question: Question, parser: Any, output: Any) -> Reply:
        """The reply in what the engine gave; text as it came where no parser was named."""
        ids = tuple(output.token_ids)
        text, thinking, counted = output.text, None, None
        facts: dict[str, Any] = {}
        if parser is not None:
            try:
                thinking, content, _ = parser.parse(
                    output.text,
                    question.request,
                    enable_auto_tools=False,
                    model_output_token_ids=ids,
                )
                text, counted = content or "", parser.count_reasoning_tokens(ids)
            except Exception as error:  # the reply itself is sound
                facts["reasoning_parser_error"] = one_line(error)
        if not counted:  # parsers say 0 where they cannot tell
            counted = self._thinking_tokens(question, ids)
        if counted is None and parser is not None and not thinking:
            counted = 0
        if output.stop_reason is not None:
            facts["stop_reason"] = output.stop_reason
        return Reply(
            outcome="answered",
            text=text,
            reasoning=thinking,
            finish_reason=output.finish_reason or "",
            prompt_tokens=len(question.token_ids),
            completion_tokens=len(ids),
            reasoning_tokens=counted,
            served_model=self._model,
            token_ids=ids if question.request.return_token_ids else None,
            facts=facts,
        )

    def _body(self, prompt: str, setting: Setting) -> dict[str, Any]:
        for table, fields in (("sampling", setting.sampling), ("request", setting.request)):
            for name in fields.keys() & _OURS.keys():
                raise SettingsError(
                    f"setting {setting.name!r}: {table} cannot set {name!r}", _OURS[name]
                )
        reasoning = asked(setting, "templates")
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": "user", "content": prompt}],
            **setting.sampling,
            **reasoning.body,
        }
        if reasoning.chat_template_kwargs:
            body["chat_template_kwargs"] = dict(reasoning.chat_template_kwargs)
        if reasoning.thinking_budget is not None:
            body["thinking_token_budget"] = reasoning.thinking_budget
        return body | dict(setting.request)

    def _keep_tags(self, request: Any, setting: Setting) -> None:
        """Leave special tokens in the text where the tags of thinking are such tokens.

        Without a parser it is by its tags that thinking is told from the answer later.
        """
        said = "skip_special_tokens" in {*setting.sampling, *setting.request}
        added: Mapping[int, Any] = getattr(self._tokenizer, "added_tokens_decoder", {})
        special = {str(token) for token in added.values() if token.special}
        if self._renderer.parser is None and not said and special & set(setting.reasoning_tags):
            request.skip_special_tokens = False

    def _require_budget(self, request: Any) -> None:
        if request.thinking_token_budget is not None and not self._config.reasoning_config:
            raise ValueError("thinking_budget needs -M reasoning_parser=NAME")

    def _thinking_tokens(self, question: Question, ids: Sequence[int]) -> int | None:
        """Tokens before the end of thinking; None where its tags are no single tokens."""
        vocabulary: Mapping[str, int] = self._tokenizer.get_vocab()
        opening, closing = (vocabulary.get(tag) for tag in question.tags)
        if closing is None:
            return None
        if closing in ids:
            thinking = ids[: ids.index(closing)]
        elif opening in ids or _is_open(question.token_ids, opening, closing):
            thinking = ids
        else:
            thinking = ()
        return sum(token != opening for token in thinking)


def told(params: Any) -> dict[str, Any]:
    """The sampling that took place, as plain JSON: the usual fields, and others that were set."""
    plain = part("sampling_params", "SamplingParams")()
    found = {name: getattr(params, name) for name in _ALWAYS_TOLD}
    for name in type(params).__struct_fields__:
        value = getattr(params, name)
        is_plain = isinstance(value, bool | int | float | str | list | dict)
        if is_plain and not name.startswith("_") and value != getattr(plain, name):
            found[name] = value
    found.pop("output_kind", None)
    found.pop("skip_clone", None)
    return found


def _whole_request_kind() -> Any:
    """The server's request, but for its check of the prompt's length, which keeps the length back.

    That check also has the tokeniser stop early.
    """
    base = part(_PROTOCOL, "ChatCompletionRequest")

    def build_tok_params(self: Any, model_config: Any) -> Any:
        return replace(base.build_tok_params(self, model_config), max_total_tokens=None)

    return type(base)(
        "WholeRequest", (base,), {"__module__": __name__, "build_tok_params": build_tok_params}
    )


def _is_open(ids: Sequence[int], opening: int | None, closing: int) -> bool:
    """The prompt ends inside thinking that it has opened itself."""
    for token in reversed(ids):
        if token in (opening, closing):
            return token == opening
    return False


def _text(template: Any) -> str | None:
    return template if isinstance(template, str) else None
