"""Whole runs through vLLM in process: killed and gone on with, they end as undisturbed ones."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.evaluate.scripted import small_dataset
from tests.evaluate.vllm.conftest import DEFAULTS, WINDOW

from deskcheck.evaluate.cells import read_cells
from deskcheck.evaluate.store import RunFolder, locate_run

CASES = 5


def evaluating(model: Path, folder: Path, output: str, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "deskcheck.builder.cli", "evaluate", "-m", f"vllm/{model}"]
    command += ["-d", str(folder / "data"), "-o", str(folder / output), "--max-tokens", "40"]
    for name, value in (
        ("dtype", "float32"),
        ("enforce_eager", True),
        ("max_model_len", WINDOW),
        ("override_generation_config", DEFAULTS),
    ):
        command += ["-M", f"{name}={json.dumps(value)}"]
    command += ["--max-truncated", "1", "--max-unparsed", "1", *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def replies(run: Path) -> dict[str, tuple[str, str, str]]:
    """By key of the request: what counts of its reply."""
    folder = RunFolder(run)
    return {
        key: (stored.reply.outcome, stored.reply.text, stored.rendered_sha)
        for key, stored in ((key, folder.read(held.offset)) for key, held in folder.index().items())
    }


def test_a_killed_run_goes_on_to_the_same_replies(model: Path, tmp_path: Path) -> None:
    """kill -9 after some replies, then the same command with another concurrency: every cell has
    a reply, and each is the one that an undisturbed run gets in float32."""
    small_dataset(tmp_path / "data", cases=CASES)
    killed = evaluating(model, tmp_path, "torn", "--concurrency", "2")
    responses = tmp_path / "torn"
    while killed.poll() is None:
        found = list(responses.glob("*/responses.jsonl"))
        if found and found[0].read_bytes().count(b"\n") >= 4:
            break
        time.sleep(0.1)
    killed.send_signal(signal.SIGKILL)
    said, _ = killed.communicate()
    run = locate_run(tmp_path / "torn")
    before = replies(run)
    assert 4 <= len(before) < 4 * CASES, said

    for output, concurrency in (("torn", "8"), ("whole", "20")):
        process = evaluating(model, tmp_path, output, "--concurrency", concurrency)
        said, _ = process.communicate(timeout=600)
        assert process.returncode == 0, said
    after = replies(run)
    assert before.items() <= after.items()
    assert after == replies(locate_run(tmp_path / "whole"))
    statuses = [cell.status for cell in read_cells(run / "cells.parquet")]
    assert len(statuses) == 4 * CASES
    assert set(statuses) <= {"correct", "wrong", "unparsed", "truncated"}
