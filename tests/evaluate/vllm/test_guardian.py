"""Processes of an engine do not outlive the process that owns them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

OWNER = """
import multiprocessing, os, subprocess, sys, time
from deskcheck.evaluate.backends.vllm_guardian import Guardian

def engine(pipe):
    worker = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    pipe.send(worker.pid)
    time.sleep(600)

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    before = context.Process(target=time.sleep, args=(600,), daemon=True)
    before.start()
    guardian = Guardian()
    child = context.Process(target=engine, args=(there,), daemon=True)
    child.start()
    guardian.watch()
    print(child.pid, here.recv(), before.pid, flush=True)
    sys.stdin.readline()
    guardian.end()
    print(child.is_alive(), before.is_alive(), flush=True)
    sys.stdin.readline()
    before.kill()
"""


def owner(folder: Path) -> subprocess.Popen[str]:
    script = folder / "owner.py"
    script.write_text(OWNER, "utf-8")
    return subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )


def gone(pid: int) -> bool:
    """Within half a minute; a zombie is gone."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


def test_a_killed_owner_takes_its_engine_along(tmp_path: Path) -> None:
    """After kill -9 the watched process and what it started end, and no other process does."""
    with owner(tmp_path) as process:
        assert process.stdout is not None
        engine, worker, other = map(int, process.stdout.readline().split())
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert gone(engine)
        assert gone(worker)
        os.kill(other, signal.SIGKILL)  # it was there


def test_an_orderly_end_leaves_nothing(tmp_path: Path) -> None:
    """The guardian is dismissed with what it watched over."""
    with owner(tmp_path) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        engine, worker, _ = map(int, process.stdout.readline().split())
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.stdout.readline() == "False True\n"
        assert gone(engine)
        assert gone(worker)
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.wait(60) == 0
