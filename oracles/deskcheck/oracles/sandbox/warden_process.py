"""Our end of the warden: start it, ask it, notice when it is gone."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from deskcheck.oracles.errors import SandboxError
from deskcheck.oracles.sandbox.isolation import wire
from deskcheck.oracles.sandbox.isolation.wire import Hello, Mechanisms, Report, Request

_START_S = 30.0
_CLOSE_S = 5.0
_SLACK_S = 15.0
"""Beyond the warden's own slack, so that it is the one to notice first."""
_BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from isolation.warden import main; main()"


FOLDER = str(Path(__file__).parent)
"""Where the package `isolation` lies."""


class WardenProcess:
    """A running warden. After a SandboxError from `ask` it is gone.

    `argv` and `env` start one of another kind, which keeps to the same messages.
    """

    def __init__(
        self,
        work: str,
        without: Sequence[str],
        log: str,
        *,
        argv: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._log = Path(log)
        with self._log.open("wb") as errors:
            self._process = subprocess.Popen(
                argv or [sys.executable, "-I", "-S", "-c", _BOOT, FOLDER],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd="/",
                env=_loader_environment() if env is None else env,
                start_new_session=True,  # a Ctrl-C at the terminal is ours to handle
            )
        self._requests = _pipe(self._process.stdin)
        self._answers = _pipe(self._process.stdout)
        hello = Hello(host=os.getpid(), work=work, without=list(without))
        self.mechanisms: Mechanisms = self._exchange(hello, _START_S)

    def ask(self, request: Request) -> Report:
        """Run one program; SandboxError when the warden is dead or silent."""
        report: Report = self._exchange(request, request["wall_s"] + _SLACK_S)
        return report

    def close(self) -> None:
        """End it, and with it whatever it runs."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()  # the end of its input is its sign to go
        try:
            self._process.wait(timeout=_CLOSE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _exchange(self, message: Any, patience: float) -> Any:
        try:
            wire.send(self._requests, message)
            self._wait(patience)
            return wire.receive(self._answers)
        except (EOFError, BrokenPipeError) as error:
            self.close()
            raise SandboxError(
                f"the sandbox's warden process died: {self._last_words()}",
                "see `builder doctor`, then start again",
            ) from error
        except BaseException:
            self.close()  # whatever interrupted us, question and answer are out of step now
            raise

    def _wait(self, patience: float) -> None:
        poll = select.poll()
        poll.register(self._answers, select.POLLIN)
        deadline = time.monotonic() + patience
        while not poll.poll(max(deadline - time.monotonic(), 0.0) * 1000):
            if time.monotonic() >= deadline:
                raise SandboxError(
                    f"the sandbox's warden process gave no answer in {patience:g} s",
                    "the machine may be overloaded; start again with fewer workers",
                )

    def _last_words(self) -> str:
        lines = self._log.read_text("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"exit status {self._process.returncode}"


def _pipe(stream: IO[bytes] | None) -> int:
    assert stream is not None
    return stream.fileno()


def _loader_environment() -> dict[str, str]:
    # Nothing of ours may reach a program by way of the warden; some interpreters need this one.
    name = "LD_LIBRARY_PATH"
    return {name: os.environ[name]} if name in os.environ else {}
