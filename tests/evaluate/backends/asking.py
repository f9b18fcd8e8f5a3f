"""Questions put to a misbehaving server through the real backend."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from tests.evaluate.backends.misbehaving import (
    Misbehaving,
    Part,
    Route,
)

from deskcheck.evaluate.backends import BackendSpec
from deskcheck.evaluate.backends.openai import OpenAIBackend
from deskcheck.evaluate.requests import Reply, Request, make_request
from deskcheck.evaluate.settings import Setting, make_setting

KEY = "sk-a-key-that-nobody-may-see"


def request_of(setting: Setting, task: str = "task", repeat: int = 0) -> Request:
    return make_request(
        task_id=task, setting=setting, repeat=repeat, prompt="What is printed?", run_seed=1
    )


def setting_of(**values: Any) -> Setting:
    return make_setting(model="openai/m", **{"timeout_s": 20.0, **values})


def backend_of(*servers: Misbehaving, urls: Sequence[str] = ()) -> OpenAIBackend:
    spec = BackendSpec(model="m", base_urls=(*(server.url for server in servers), *urls))
    return OpenAIBackend(spec, key=KEY, first_wait_s=0.001)


def asked(*parts: Part, **values: Any) -> tuple[Reply, Misbehaving]:
    """The reply of a server that plays these parts, under a setting with these values."""

    async def run() -> tuple[Reply, Misbehaving]:
        async with Misbehaving(*parts) as server:
            backend = backend_of(server)
            await backend.open()
            try:
                return await backend.answer(request_of(setting_of(**values))), server
            finally:
                await backend.close()

    return asyncio.run(run())


def models(*names: str, **entry: Any) -> dict[str, Route]:
    listed = [{"id": name, "object": "model", **entry} for name in names]
    return {"/v1/models": lambda _: (200, {"object": "list", "data": listed})}
