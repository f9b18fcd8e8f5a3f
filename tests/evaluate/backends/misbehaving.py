"""A real HTTP server on loopback that answers as it is told to, badly for the most part."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

Part = Callable[[asyncio.StreamWriter], Awaitable[None]]
"""What the server does with one chat request."""

Route = Callable[[Any], tuple[int, Any]]
"""What it answers on another path: status and JSON, from the JSON that it was sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One request as it arrived."""

    path: str
    headers: Mapping[str, str]
    body: Any
    at: float


class Misbehaving:
    """Plays its parts in turn, one for each chat request, and the last one for ever after.

    Other paths than that of chats are answered by `routes`, and with 404 where it has none.
    """

    def __init__(self, *parts: Part, routes: Mapping[str, Route] | None = None) -> None:
        self.parts = list(parts) or [chat("fine")]
        self.routes = dict(routes or {})
        self.chats: list[Seen] = []
        self.others: list[Seen] = []
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """The base URL to give to a backend."""
        return f"{self.root}/v1"

    @property
    def root(self) -> str:
        """The address alone."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            seen = await _read(reader)
            if seen.path.endswith("/chat/completions"):
                self.chats.append(seen)
                part = self.parts[min(len(self.chats), len(self.parts)) - 1]
                await part(writer)
            else:
                self.others.append(seen)
                route = self.routes.get(seen.path, _no_route)
                code, body = route(seen.body)
                await status(code, body)(writer)
        writer.close()


def _no_route(_: Any) -> tuple[int, Any]:
    return 404, {"error": "no such route"}


async def _read(reader: asyncio.StreamReader) -> Seen:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {
        name.lower(): value.strip()
        for name, _, value in (line.partition(":") for line in head[1:] if line)
    }
    content = await reader.readexactly(int(headers.get("content-length", "0")))
    return Seen(
        path=head[0].split()[1],
        headers=headers,
        body=json.loads(content) if content else None,
        at=time.monotonic(),
    )


def raw(*parts: bytes) -> Part:
    """These bytes, and then the connection is cut."""

    async def play(writer: asyncio.StreamWriter) -> None:
        writer.writelines(parts)
        await writer.drain()

    return play


def status(code: int, body: Any = None, **headers: str) -> Part:
    """An answer with this status; `body` is JSON, or bytes as they are."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"{name}: {value}\r\n" for name, value in named.items()]
    head = f"HTTP/1.1 {code} Told So\r\nContent-Length: {len(content)}\r\nConnection: close\r\n"
    return raw((head + "".join(lines) + "\r\n").encode("latin-1"), content)


def error(code: int, message: str = "as told", **more: Any) -> Part:
    """An error in OpenAI's layout."""
    return status(code, {"error": {"message": message, **more}})


def chat(content: Any = "fine", *, finish: str = "stop", **message: Any) -> Part:
    """A good answer with this message."""
    return status(200, completion(content, finish=finish, **message))


def completion(content: Any = "fine", *, finish: str = "stop", **message: Any) -> dict[str, Any]:
    """The body of a good answer."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "served-name",
        "system_fingerprint": "fp",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content, **message},
                "finish_reason": finish,
            }
        ],
        "usage": {
            "prompt_tokens": 7,
            "completion_tokens": 5,
            "total_tokens": 12,
            "completion_tokens_details": {"reasoning_tokens": 3},
        },
    }


async def silence(writer: asyncio.StreamWriter) -> None:
    """Nothing, for longer than anybody waits."""
    await asyncio.sleep(60)


async def drip(writer: asyncio.StreamWriter) -> None:
    """A good answer, one byte at a time: never silent, and never done."""
    content = json.dumps(completion("slow")).encode()
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(content))
    for byte in content:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.2)


def flood(written: list[int]) -> Part:
    """An answer without an end; `written` gets the size of each piece that was taken."""

    async def play(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b" " * (1 << 20))
            await writer.drain()
            written.append(1 << 20)

    return play


def cut() -> Part:
    """A connection that breaks in the middle of an answer."""
    content = json.dumps(completion("never whole")).encode()
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(content)
    return raw(head, content[: len(content) // 2])
