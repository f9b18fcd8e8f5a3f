"""The real engine on the CPU with a real small model: once in this process and once as a server."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests.evaluate.vllm.small_model import small_model

from deskcheck.evaluate.backends import BackendSpec
from deskcheck.evaluate.backends.vllm import VllmBackend

WINDOW = 2_048

DEFAULTS = {"temperature": 0.7, "top_p": 0.9}
"""What the model's generation config says here, since the real one says nothing of sampling."""

ENGINE: dict[str, Any] = {
    "dtype": "float32",
    "enforce_eager": True,
    "max_model_len": WINDOW,
    "override_generation_config": DEFAULTS,
    "reasoning_parser": "olmo3",  # needs no special tokens in the vocabulary
}

ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "OMP_NUM_THREADS": "1",
    "VLLM_LOGGING_LEVEL": "WARNING",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All but one file of these need the engine, and take minutes."""
    for item in items:
        if Path(__file__).parent == item.path.parent and item.path.stem != "test_without_vllm":
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.vllm)
            item.add_marker(pytest.mark.xdist_group("vllm"))
            if find_spec("vllm") is None:
                item.add_marker(pytest.mark.skip(reason="vLLM is not installed; make test-vllm"))


@pytest.fixture(scope="session", autouse=True)
def environment() -> Iterator[None]:
    """What makes vLLM work without a network on two cores, for every process of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        yield


@pytest.fixture(scope="session")
def model(environment: None) -> Path:
    """The small model's folder, kept beside the virtual environment's packages."""
    return small_model(Path(sys.prefix) / "share" / "deskcheck")


@pytest.fixture(scope="session")
def loop() -> Iterator[asyncio.Runner]:
    """The one event loop of the engine, for it belongs to the loop that opened it."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="session")
def backend(model: Path, loop: asyncio.Runner) -> Iterator[VllmBackend]:
    """The engine in this process, open."""
    backend = VllmBackend(BackendSpec(model=str(model), engine=ENGINE))
    try:
        loop.run(backend.open())
        yield backend
    finally:
        loop.run(backend.close())


@pytest.fixture(scope="session")
def server(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base URL of vLLM's own server of the same model with the same arguments."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "log"
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", str(model)]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    command += ["--dtype", "float32", "--enforce-eager", "--max-model-len", str(WINDOW)]
    command += ["--reasoning-parser", "olmo3", "--no-enable-chunked-prefill"]
    command += ["--override-generation-config", '{"temperature": 0.7, "top_p": 0.9}']
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | {"VLLM_NO_USAGE_STATS": "1"},
        )
    try:
        deadline = time.monotonic() + 300
        while not _answers(port):
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"the server does not start:\n{log.read_text('utf-8')[-4_000:]}")
            time.sleep(0.5)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait(60)


def _answers(port: int) -> bool:
    url = f"http://127.0.0.1:{port}/health"
    with suppress(OSError), urllib.request.urlopen(url, timeout=5) as answer:
        return bool(answer.status == 200)
    return False
