"""HTTP to OpenAI-compatible servers: several of the same model, and answers of bounded size."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isinf
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from deskcheck.evaluate.settings import without_password
from deskcheck.oracles.errors import BackendError

if TYPE_CHECKING:
    import httpx2

PUBLIC = "https://api.openai.com/v1"

MAX_BODY = 64 << 20
"""Bytes of one answer; a longer one is no answer."""

REST_S = 30.0
"""A server that failed is asked last for so long; idle as it is, it would else be asked first."""

_CONNECT_S = 30.0
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a server sent back, whatever it is."""

    status: int
    body: bytes
    retry_after: float | None = None
    """Seconds that the server asks to wait."""
    location: str = ""
    """Where it points instead."""

    def json(self) -> Any:
        """The body's JSON; ValueError where it is none, or holds NaN or an infinity."""
        try:
            return json.loads(self.body, parse_constant=_refuse, parse_float=_finite)
        except RecursionError:
            raise ValueError("JSON that is nested too deeply") from None


class OversizedError(Exception):
    """The server sends more than `MAX_BODY`."""


class Endpoint:
    """One server's base URL, with what is known of how busy and how well it is."""

    def __init__(self, url: str, key: str) -> None:
        import httpx2

        self.url = url
        self.root = url.removesuffix("/v1")
        self.load = 0
        self._rests_until = 0.0
        here = urlsplit(url).hostname in _LOOPBACK
        self._client = httpx2.AsyncClient(
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=httpx2.Timeout(None, connect=_CONNECT_S),
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=256),
            trust_env=not here,  # a proxy would not find this machine's own servers
        )

    @property
    def order(self) -> tuple[bool, int]:
        """The lower, the sooner it is asked."""
        return time.monotonic() < self._rests_until, self.load

    @property
    def shown(self) -> str:
        """The URL without a user's name and password."""
        return without_password(self.url)

    async def get(self, url: str) -> Answer:
        """GET; httpx2.RequestError where no answer comes."""
        return await self._send("GET", url, None)

    async def post(self, url: str, body: Mapping[str, Any]) -> Answer:
        """POST of JSON; httpx2.RequestError where no answer comes, or OversizedError."""
        return await self._send("POST", url, json.dumps(body).encode("ascii"))

    async def close(self) -> None:
        """Close every connection."""
        await self._client.aclose()

    async def _send(self, method: str, url: str, content: bytes | None) -> Answer:
        headers = {"Content-Type": "application/json"} if content is not None else {}
        well = False
        self.load += 1
        try:
            async with self._client.stream(
                method, url, content=content, headers=headers, follow_redirects=False
            ) as response:
                body = await _bounded(response)
                well = response.status_code < 500 and response.status_code != 429
                return Answer(
                    status=response.status_code,
                    body=body,
                    retry_after=seconds_to_wait(response.headers.get("retry-after", "")),
                    location=response.headers.get("location", ""),
                )
        finally:
            self.load -= 1
            self._rests_until = 0.0 if well else time.monotonic() + REST_S


def base_urls(given: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """The base URLs to use: those given, else OPENAI_BASE_URL, else the public API's.

    BackendError where one is not a URL of a server.
    """
    urls = [url.strip().rstrip("/") for url in given]
    urls = urls or [environment.get("OPENAI_BASE_URL", "").strip().rstrip("/") or PUBLIC]
    for url in urls:
        try:
            parts = urlsplit(url)
            usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
            usable = usable and not {"?", "#"} & set(url)  # a path is put behind it
        except ValueError:
            usable = False
        if not usable:
            raise BackendError(
                f"{without_password(url)!r} is no base URL",
                "give one such as http://localhost:8000/v1",
            )
    return list(dict.fromkeys(urls))


def next_endpoint(endpoints: Sequence[Endpoint], besides: Endpoint | None = None) -> Endpoint:
    """The least busy one of those that are well, and not `besides` where there is another."""
    others = [endpoint for endpoint in endpoints if endpoint is not besides] or endpoints
    return min(others, key=lambda endpoint: endpoint.order)


def seconds_to_wait(retry_after: str) -> float | None:
    """A Retry-After header as seconds from now: a number, or the date at which to come again."""
    text = retry_after.strip()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return min(float(text), 1e9)
    try:
        until = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max((until - datetime.now(UTC)).total_seconds(), 0.0)


async def _bounded(response: httpx2.Response) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for part in response.aiter_bytes():
        size += len(part)
        if size > MAX_BODY:
            raise OversizedError
        parts.append(part)
    return b"".join(parts)


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if isinf(value):
        raise ValueError("a number beyond the range of a double")
    return value
