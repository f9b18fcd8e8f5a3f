"""What an OpenAI-compatible server's answer means: a reply, or a failure of one of a few kinds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from deskcheck.evaluate.backends.openai_endpoints import Answer
from deskcheck.evaluate.requests import Outcome, Reply

SHOWN = 300
"""Characters of a server's own message that are kept."""

_MOST = 1 << 53
"""No count is as large; a server that says so is not believed."""

_TRY_AGAIN = frozenset({408, 429})
_REFUSED_INPUT = frozenset({400, 413, 422})
_CONTEXT_CODES = frozenset({"context_length_exceeded", "exceed_context_size_error"})
_CONTEXT_MESSAGE = re.compile(
    r"maximum (context|model|input) length|(exceeds|longer than) the (available |maximum )?"
    r"(context|model)|context (length|window|size) .{0,40}exceed|prompt is too long"
    r"|input token count .{0,40}exceeds|max_model_len",
    re.IGNORECASE,
)
_BROKEN_OFF = frozenset({"error", "abort"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One attempt that brought no reply."""

    outcome: Outcome
    """What becomes of the request if no later attempt brings one."""
    error: str
    """One line, the same for every request that fails in this way."""
    again: bool
    """Another attempt may do better."""
    status: int | None = None
    retry_after: float | None = None


def understood(answer: Answer) -> Reply | Failure:
    """The reply in a server's answer, or why there is none."""
    if answer.status >= 400:
        return refusal_of(answer.status, _error_in(_json_or_none(answer)), answer)
    if answer.status >= 300:
        return Failure(
            outcome="engine_error",
            error=f"HTTP {answer.status}: the server points to {answer.location[:SHOWN]!r}; "
            "give that as the base URL",
            again=False,
            status=answer.status,
        )
    try:
        body = answer.json()
    except ValueError:
        return _unusable("an answer that is no JSON", answer.status)
    if not isinstance(body, dict):
        return _unusable("an answer that is no JSON object", answer.status)
    if body.get("error"):
        return _error_inside(body, answer)
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
        return _unusable("an answer without a message", answer.status)
    if _text(choice.get("finish_reason")) in _BROKEN_OFF or choice.get("error"):
        said = _message(choice.get("error"))
        return _unusable(f"a reply broken off{said and ': '}{said}", answer.status)
    if not isinstance(choice["message"].get("content"), str | list | None):
        return _unusable("a message whose content is no text", answer.status)
    return _reply(body, choice, choice["message"])


def refusal_of(status: int, error: Mapping[str, Any], answer: Answer) -> Failure:
    """The failure that an error status stands for, with the server's own words."""
    said = _message(error) or _one_line(answer.body[: 4 * SHOWN].decode("utf-8", "replace"))
    text = f"HTTP {status}{said and ': '}{said}"
    if status in _REFUSED_INPUT and _is_about_context(error, said):
        return Failure(outcome="over_length", error=text, again=False, status=status)
    if status in _TRY_AGAIN:
        return Failure(
            outcome="no_response",
            error=text,
            again=True,
            status=status,
            retry_after=answer.retry_after,
        )
    return Failure(
        outcome="engine_error",
        error=text,
        again=status >= 500,
        status=status,
        retry_after=answer.retry_after,
    )


def _error_inside(body: Mapping[str, Any], answer: Answer) -> Failure:
    """Some gateways report a failure of the server behind them with status 200."""
    error = _error_in(body)
    code = error.get("code")
    if isinstance(code, int) and 400 <= code < 600:
        return refusal_of(code, error, answer)
    return _unusable(f"an error: {_message(error)}", answer.status)


def _unusable(what: str, status: int) -> Failure:
    return Failure(
        outcome="engine_error", error=f"the server sent {what}", again=True, status=status
    )


def _reply(body: Mapping[str, Any], choice: Mapping[str, Any], message: Mapping[str, Any]) -> Reply:
    text, thought = _content(message.get("content"))
    finish = _text(choice.get("finish_reason"))
    refusal = _text(message.get("refusal"))
    refused = not text and bool(refusal or finish == "content_filter")
    usage = _object(body.get("usage"))
    named = _text(message.get("reasoning_content")) or _text(message.get("reasoning")) or thought
    return Reply(
        outcome="no_response" if refused else "answered",
        text=text,
        reasoning=named or None,
        finish_reason=finish,
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
        reasoning_tokens=_count(
            _object(usage.get("completion_tokens_details")).get("reasoning_tokens")
        ),
        error=f"refusal: {_one_line(refusal) or finish}" if refused else "",
        served_model=_text(body.get("model")),
        token_ids=_token_ids(choice.get("token_ids")),
        facts=_facts(body, message, refusal),
    )


def _content(content: Any) -> tuple[str, str]:
    """Text and thinking of a message's content: text, nothing, or a list of parts."""
    if not isinstance(content, list):
        return _text(content), ""
    texts: list[str] = []
    thoughts: list[str] = []
    for part in content:
        match part:
            case {"type": "thinking", "thinking": thinking}:
                thoughts.append(_content(thinking)[0])
            case {"type": "text" | "output_text", "text": str(text)}:
                texts.append(text)
            case str(text):
                texts.append(text)
            case _:
                pass
    return "".join(texts), "".join(thoughts)


def _facts(body: Mapping[str, Any], message: Mapping[str, Any], refusal: str) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for name in ("system_fingerprint", "provider"):
        if _text(body.get(name)):
            facts[name] = body[name]
    if message.get("tool_calls"):
        facts["tool_calls"] = message["tool_calls"]  # kept as they are, and never carried out
    if refusal:
        facts["refusal"] = refusal
    return facts


def _json_or_none(answer: Answer) -> Any:
    try:
        return answer.json()
    except ValueError:
        return None


def _error_in(body: Any) -> Mapping[str, Any]:
    """The error object of a body in any of the layouts that servers use."""
    if not isinstance(body, dict):
        return {}
    for name in ("error", "detail", "message"):
        match body.get(name):
            case dict(error):
                return error
            case str(said):
                return {**body, "message": said}
            case list(several):
                return {"message": str(several)}
            case _:
                pass
    return {}


def _is_about_context(error: Mapping[str, Any], said: str) -> bool:
    named = {error.get("code"), error.get("type")} if _plain(error) else set()
    return bool(named & _CONTEXT_CODES) or bool(_CONTEXT_MESSAGE.search(said))


def _plain(error: Mapping[str, Any]) -> bool:
    return all(isinstance(error.get(name), str | int | None) for name in ("code", "type"))


def _message(error: Any) -> str:
    if isinstance(error, str):
        return _one_line(error)
    return _one_line(_text(_object(error).get("message")))


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    line = "".join(letter if letter.isprintable() else "?" for letter in line)
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 1]}…"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value < _MOST else None


def _token_ids(value: Any) -> tuple[int, ...] | None:
    if not isinstance(value, list) or any(_count(each) is None for each in value):
        return None
    return tuple(value)
