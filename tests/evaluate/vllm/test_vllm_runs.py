"""Whole runs through vLLM in process: killed and gone on with, they end as undisturbed ones."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.evaluate.scripted import small_dataset
from tests.evaluate.vllm.conftest import DEFAULTS, WINDOW

from deskcheck.builder.dataset import read_dataset
from deskcheck.evaluate.backends.vllm import VllmBackend
from deskcheck.evaluate.cells import read_cells
from deskcheck.evaluate.plan import Plan
from deskcheck.evaluate.requests import Reply
from deskcheck.evaluate.store import RunFolder, locate_run

CASES = 5


def evaluating(model: Path, folder: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "deskcheck.builder.cli", "evaluate", "-m", f"vllm/{model}"]
    command += ["-d", str(folder / "data"), "-o", str(folder / "runs"), "--max-tokens", "40"]
    for name, value in (
        ("dtype", "float32"),
        ("enforce_eager", True),
        ("max_model_len", WINDOW),
        ("override_generation_config", DEFAULTS),
    ):
        command += ["-M", f"{name}={json.dumps(value)}"]
    command += ["--max-truncated", "1", "--max-unparsed", "1", *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def replies(run: Path) -> dict[str, tuple[str, str]]:
    """By key of the request: what counts of its reply."""
    folder = RunFolder(run)
    return {
        key: (stored.reply.outcome, stored.reply.text)
        for key, stored in ((key, folder.read(held.offset)) for key, held in folder.index().items())
    }


def test_a_killed_run_goes_on_to_the_same_replies(
    model: Path, backend: VllmBackend, loop: asyncio.Runner, tmp_path: Path
) -> None:
    """kill -9 after some replies, then the same command with another concurrency: every cell has
    a reply, and each is the one that another engine gives to the same request in float32."""
    dataset = small_dataset(tmp_path / "data", cases=CASES)
    killed = evaluating(model, tmp_path, "--concurrency", "2")
    while killed.poll() is None:
        found = list((tmp_path / "runs").glob("*/responses.jsonl"))
        if found and found[0].read_bytes().count(b"\n") >= 4:
            break
        time.sleep(0.1)
    killed.send_signal(signal.SIGKILL)
    said, _ = killed.communicate()
    run = locate_run(tmp_path / "runs")
    before = replies(run)
    assert 4 <= len(before) < 4 * CASES, said

    process = evaluating(model, tmp_path, "--concurrency", "8")
    said, _ = process.communicate(timeout=600)
    assert process.returncode == 0, said
    after = replies(run)
    assert before.items() <= after.items()
    plan = Plan(RunFolder(run).config, read_dataset(dataset))
    requests = [plan.request(planned) for planned in plan]

    async def undisturbed() -> list[Reply]:
        return await asyncio.gather(*(backend.answer(request) for request in requests))

    whole = zip(requests, loop.run(undisturbed()), strict=True)
    assert after == {request.key: (reply.outcome, reply.text) for request, reply in whole}
    statuses = [cell.status for cell in read_cells(run / "cells.parquet")]
    assert len(statuses) == 4 * CASES
    assert set(statuses) <= {"correct", "wrong", "unparsed", "truncated"}
