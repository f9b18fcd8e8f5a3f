"""A run that is killed outright goes on as if nothing had happened."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.evaluate.scripted import small_dataset

from deskcheck.evaluate.cells import Cell, read_cells
from deskcheck.evaluate.store import locate_run

CASES = 15
QUESTIONS = 4 * CASES


class Server(ThreadingHTTPServer):
    """Answers as a model would that is a function of its prompt, and counts what it is asked."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, delay_s: float) -> None:
        self.asked: Counter[str] = Counter()
        self.delay_s = delay_s
        super().__init__(("127.0.0.1", 0), Answering)


class Answering(BaseHTTPRequestHandler):
    @property
    def counting(self) -> Server:
        assert isinstance(self.server, Server)
        return self.server

    def do_GET(self) -> None:
        self.reply({"data": [{"id": "x"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self.path.endswith("/chat/completions"):
            self.send_error(404)
            return
        prompt = sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        self.counting.asked[prompt] += 1
        time.sleep(self.counting.delay_s)
        message = {"role": "assistant", "content": f'<answer>{{"total":"{prompt}"}}</answer>'}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        self.reply({"model": "x", "choices": [choice], "usage": {"completion_tokens": 3}})

    def reply(self, value: object) -> None:
        content = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        with suppress(ConnectionError):  # whoever asked is gone
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def serving(delay_s: float) -> Iterator[Server]:
    server = Server(delay_s)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def evaluating(server: Server, folder: Path, *more: str) -> subprocess.Popen[str]:
    url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    command = [sys.executable, "-m", "deskcheck.builder.cli", "evaluate", "-m", "openai/x"]
    command += ["--base-url", url, "-d", str(folder / "data"), "-o", str(folder / "runs"), *more]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "OPENAI_API_KEY": "none"},
    )


def ended(process: subprocess.Popen[str]) -> int:
    said, _ = process.communicate(timeout=120)
    assert "Traceback" not in said, said
    return process.returncode


def cells(folder: Path) -> list[Cell]:
    """The run's cells without what tells of the weather on the line."""
    run = locate_run(folder / "runs")
    return [
        replace(cell, seconds=None, attempts=None, error=None)
        for cell in read_cells(run / "cells.parquet")
    ]


@pytest.mark.slow
def test_killed_again_and_again_a_run_ends_as_an_undisturbed_one(tmp_path: Path) -> None:
    """kill -9 at any moment costs the requests in flight alone, whatever the concurrency."""
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    for place in (whole, torn):
        small_dataset(place / "data", cases=CASES)
    with serving(0.0) as server:
        assert ended(evaluating(server, whole)) == 0
        assert server.asked.total() == len(server.asked) == QUESTIONS
    with serving(0.08) as server:
        most_lost = 0
        for concurrency, until in ((1, 3), (5, 20), (3, 40)):
            process = evaluating(server, torn, "--concurrency", str(concurrency))
            while server.asked.total() < until and process.poll() is None:
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            most_lost += concurrency
        assert ended(evaluating(server, torn, "--concurrency", "16")) == 0
        assert len(server.asked) == QUESTIONS
        assert server.asked.total() <= QUESTIONS + most_lost
    assert cells(torn) == cells(whole)
    assert len(cells(torn)) == QUESTIONS


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_answered(tmp_path: Path) -> None:
    """Interrupted, the command says that everything is kept and ends with 130; it then goes on."""
    small_dataset(tmp_path / "data", cases=CASES)
    with serving(0.1) as server:
        process = evaluating(server, tmp_path, "--concurrency", "2")
        while server.asked.total() < 10:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
        assert process.returncode == 130, said
        assert "everything finished so far is kept" in said
        server.delay_s = 0.0
        assert ended(evaluating(server, tmp_path)) == 0
        assert server.asked.total() <= QUESTIONS + 2
