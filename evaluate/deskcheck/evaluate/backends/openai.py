"""Models behind an OpenAI-compatible HTTP API: one server or several, each asked within bounds."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

from deskcheck.evaluate.backends import ARMS, BackendSpec, Rendered
from deskcheck.evaluate.backends.openai_endpoints import (
    MAX_BODY,
    PUBLIC,
    Answer,
    Endpoint,
    OversizedError,
    base_urls,
    next_endpoint,
)
from deskcheck.evaluate.backends.openai_rendering import Kind, Server, body_of, rendered
from deskcheck.evaluate.backends.openai_replies import Failure, understood
from deskcheck.evaluate.requests import Reply, Request
from deskcheck.evaluate.settings import Setting
from deskcheck.oracles.errors import BackendError
from deskcheck.oracles.identity import Draws

PER_SERVER = 16
"""Requests at once to one server, unless a setting says otherwise."""

_SECRET = 16
"""A shorter key, such as EMPTY, is no secret, and may be a word of an answer."""

_REACH_S = 15.0
_RENDER_S = 60.0
_RENDER_ATTEMPTS = 3
_FIRST_WAIT_S = 1.0
_LONGEST_WAIT_S = 60.0
_KINDS: Mapping[str, Kind] = {"vllm": "vllm", "llamacpp": "llamacpp"}


class OpenAIBackend:
    """Asks `{base_url}/chat/completions`, without streaming, one user message at a time.

    The key is that of OPENAI_API_KEY, or `key`; a server of one's own needs none. Of several base
    URLs the least busy is asked, and after a failure another one. Every request ends within its
    setting's `timeout` and `max_attempts`; time-outs, 408, 429, 5xx, cut connections, unusable
    answers and refusals are tried again, all other errors are not.
    """

    exclusive = False
    arms = ARMS

    def __init__(
        self,
        spec: BackendSpec,
        *,
        key: str | None = None,
        first_wait_s: float = _FIRST_WAIT_S,
    ) -> None:
        if spec.engine:
            names = ", ".join(sorted(spec.engine))
            raise BackendError(
                f"an OpenAI-compatible server takes no engine arguments: {names}",
                "give them to the server itself, or put fields of the body into `request`",
            )
        self._urls = base_urls(spec.base_urls, os.environ)
        self._key = os.environ.get("OPENAI_API_KEY", "").strip() if key is None else key
        self._server = Server(model=spec.model)
        self._first_wait_s = first_wait_s
        self._endpoints: list[Endpoint] = []
        self._silent: set[str] = set()
        self.concurrency = PER_SERVER * len(self._urls)

    async def open(self, *, only_to_render: bool = False) -> Mapping[str, Any]:
        """Ask every server for its models; those that have no such list are taken on trust.

        BackendError where none can be reached, the key is missing or refused, or the model is
        not on the list.
        """
        if not self._key and PUBLIC in self._urls:
            raise BackendError(
                f"{PUBLIC} needs a key", "set OPENAI_API_KEY, or give a --base-url of your own"
            )
        if not (self._key.isascii() and self._key.isprintable()) or " " in self._key:
            raise BackendError(
                "OPENAI_API_KEY holds characters that no key has", "copy the key alone into it"
            )
        self._endpoints = [Endpoint(url, self._key) for url in self._urls]
        found = await asyncio.gather(*(self._reach(each) for each in self._endpoints))
        if all(isinstance(each, str) for each in found):
            raise BackendError(
                f"nothing answers at {self._endpoints[0].shown}: {found[0]}",
                "start the server, or give another --base-url",
            )
        reached = [each for each in found if isinstance(each, _Listed)]
        self._server = replace(
            self._server,
            kind=next((each.kind for each in reached if each.kind), ""),
            context_window=min((each.window for each in reached if each.window), default=None),
        )
        return {
            "servers": [endpoint.shown for endpoint in self._endpoints],
            "unreachable": [
                endpoint.shown
                for endpoint, each in zip(self._endpoints, found, strict=True)
                if isinstance(each, str)
            ],
            "software": self._server.kind or "unknown",
            "version": await self._version(),
            "context_window": self._server.context_window,
        }

    async def render(self, prompt: str, setting: Setting) -> Rendered:
        """Exact where the server is vLLM or llama.cpp, else the body and an estimate."""
        return await rendered(self._server, prompt, setting, self._post_to_root)

    async def answer(self, request: Request) -> Reply:
        """The reply, or what became of the last attempt."""
        body = body_of(self._server, request.prompt, request.setting, request.seed)
        story = _Story()
        limit = request.setting.timeout
        try:
            async with asyncio.timeout(limit):
                return _cut(await self._attempts(request, body, story), request.setting)
        except TimeoutError:
            before = f" (before that: {story.last.error})" if story.last else ""
            return story.told(
                Reply(outcome="no_response", error=f"no reply within {limit:g} s{before}")
            )

    async def close(self) -> None:
        """Close every connection."""
        endpoints, self._endpoints = self._endpoints, []
        for endpoint in endpoints:
            await endpoint.close()

    async def _attempts(self, request: Request, body: dict[str, Any], story: _Story) -> Reply:
        loop = asyncio.get_running_loop()
        ends = loop.time() + request.setting.timeout
        draws = Draws("wait", request.key)
        endpoint: Endpoint | None = None
        while True:
            endpoint = next_endpoint(self._endpoints, besides=endpoint)
            story.attempts += 1
            result = await self._attempt(endpoint, body)
            if isinstance(result, Reply):
                if result.outcome == "answered" or story.attempts >= request.setting.max_attempts:
                    return story.told(result)
                result = Failure(outcome=result.outcome, error=result.error, again=True)
            story.last = result
            wait = self._wait(story, draws)
            if not result.again or story.attempts >= request.setting.max_attempts:
                return story.failed()
            if loop.time() + wait >= ends:
                return story.failed("; no time is left to try again")
            await asyncio.sleep(wait)

    async def _attempt(self, endpoint: Endpoint, body: dict[str, Any]) -> Reply | Failure:
        import httpx2

        try:
            answer = await endpoint.post(f"{endpoint.url}/chat/completions", body)
        except httpx2.DecodingError:
            error = "the server sent an answer that cannot be decompressed"
            return Failure(outcome="engine_error", error=error, again=True)
        except httpx2.RequestError as failed:
            return Failure(outcome="no_response", error=self._said(failed), again=True)
        except OversizedError:
            error = f"the server sent more than {MAX_BODY >> 20} MB"
            return Failure(outcome="engine_error", error=error, again=False)
        if len(self._key) >= _SECRET:
            answer = replace(answer, body=answer.body.replace(self._key.encode("ascii"), b"..."))
        result = understood(answer)
        return replace(result, error=self._without_key(result.error))

    def _wait(self, story: _Story, draws: Draws) -> float:
        """Seconds until the next attempt: doubling, half of it by draw, and Retry-After at least.

        Another server is not bound by what the last one asked.
        """
        longest = min(self._first_wait_s * 2.0 ** (story.attempts - 1), _LONGEST_WAIT_S)
        wait = longest * (0.5 + draws.integer(0, 1_000) / 2_000)
        asked = story.last.retry_after if story.last else None
        return max(wait, asked) if asked is not None and len(self._endpoints) == 1 else wait

    async def _reach(self, endpoint: Endpoint) -> _Listed | str:
        """What the server says of its models, or why it cannot be reached."""
        import httpx2

        try:
            async with asyncio.timeout(_REACH_S):
                answer = await endpoint.get(f"{endpoint.url}/models")
        except TimeoutError:
            return f"no answer within {_REACH_S:g} s"
        except httpx2.RequestError as failed:
            return self._said(failed)
        except OversizedError:
            return _Listed()
        if answer.status in (401, 403):
            raise BackendError(
                f"{endpoint.shown} refuses the key of OPENAI_API_KEY (HTTP {answer.status})"
                if self._key
                else f"{endpoint.shown} needs a key (HTTP {answer.status})",
                "set OPENAI_API_KEY to one that it takes",
            )
        return _listed(answer, self._server.model, endpoint.shown)

    async def _version(self) -> str:
        match self._server.kind:
            case "vllm":
                path, name = "/version", "version"
            case "llamacpp":
                path, name = "/props", "build_info"
            case _:
                return ""
        said = await self._ask_root("GET", path, None)
        version = said.get(name) if isinstance(said, dict) else None
        return version if isinstance(version, str) else ""

    async def _post_to_root(self, path: str, body: Mapping[str, Any]) -> Any:
        return await self._ask_root("POST", path, body)

    async def _ask_root(self, method: str, path: str, body: Mapping[str, Any] | None) -> Any:
        """The JSON of a good answer, or None; a route that a server lacks is asked for once."""
        import httpx2

        if path in self._silent:
            return None
        endpoint: Endpoint | None = None
        for attempt in range(_RENDER_ATTEMPTS):
            endpoint = next_endpoint(self._endpoints, besides=endpoint)
            url = endpoint.root + path
            try:
                async with asyncio.timeout(_RENDER_S):
                    answer = await (endpoint.get(url) if body is None else endpoint.post(url, body))
                if answer.status == 200:
                    return answer.json()
            except (TimeoutError, httpx2.RequestError, OversizedError, ValueError):
                answer = None
            if answer is not None and answer.status in (403, 404, 405, 501):
                self._silent.add(path)
                return None
            if answer is not None and answer.status < 500 and answer.status not in (408, 429):
                return None
            await asyncio.sleep(self._first_wait_s * 2.0**attempt)
        return None

    def _said(self, failed: Exception) -> str:
        said = " ".join(str(failed).split())[:200]
        return self._without_key(f"{said or 'no answer'} ({type(failed).__name__})")

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "…") if self._key else text


def _cut(reply: Reply, setting: Setting) -> Reply:
    """The reply, as cut off where its server does not say why a full-length one ended."""
    tokens, limit = reply.completion_tokens, setting.max_tokens
    if reply.outcome != "answered" or reply.finish_reason or not tokens or not limit:
        return reply
    if tokens < limit:
        return reply
    return replace(
        reply, finish_reason="length", facts={**reply.facts, "finish_reason": "inferred"}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listed:
    """What a server's list of models tells."""

    kind: Kind = ""
    window: int | None = None


@dataclass(slots=True)
class _Story:
    """How the attempts at one request went so far."""

    attempts: int = 0
    last: Failure | None = None
    facts: dict[str, Any] = field(default_factory=dict)

    def told(self, reply: Reply) -> Reply:
        """The reply with its number of attempts, and what failed before."""
        error = reply.error or (self.last.error if self.last else "")
        facts = dict(reply.facts)
        if reply.outcome != "answered" and self.last and self.last.status:
            facts["http_status"] = self.last.status
        return replace(reply, attempts=self.attempts, error=error, facts=facts)

    def failed(self, more: str = "") -> Reply:
        """What the last failure makes of the request."""
        assert self.last is not None
        return self.told(Reply(outcome=self.last.outcome, error=self.last.error + more))


def _listed(answer: Answer, model: str, shown: str) -> _Listed:
    """BackendError where the list does not have the model."""
    try:
        body = answer.json() if answer.status == 200 else None
    except ValueError:
        body = None
    listed = body.get("data") if isinstance(body, dict) else None
    models = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    names = [each["id"] for each in models if isinstance(each.get("id"), str)]
    if not names:
        return _Listed()
    if model.partition(":")[0] not in {name.partition(":")[0] for name in names}:
        close = get_close_matches(model, names, n=3, cutoff=0.4) or sorted(names)[:5]
        more = f" and {len(names) - len(close)} more" if len(names) > len(close) else ""
        raise BackendError(
            f"{shown} does not serve {model!r}", f"it serves {', '.join(close)}{more}"
        )
    entry = next(
        (each for each in models if each.get("id") == model),
        models[0],
    )
    return _Listed(kind=_KINDS.get(str(entry.get("owned_by")), ""), window=_window(entry))


def _window(entry: Mapping[str, Any]) -> int | None:
    """vLLM gives `max_model_len`, llama.cpp the context of one slot under `meta`."""
    meta = entry.get("meta")
    for value in (entry.get("max_model_len"), meta.get("n_ctx") if isinstance(meta, dict) else 0):
        if type(value) is int and value > 0:
            return value
    return None
