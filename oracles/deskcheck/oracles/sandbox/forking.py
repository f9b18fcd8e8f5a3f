"""A sandbox that forks runs of one script from warm processes of their own interpreter.

What is forked: commands `[interpreter, *flags, script, KEY, REPORT, PROGRAM, MODE, ARGUMENT]`. For
each combination of interpreter, flags, mode and environment (so of hash seed, time zone and
locale) there is one server, started by that command line in that environment. All other commands
are executed as in any Sandbox, and so are these:

- on other systems than Linux, and by other interpreters than CPython 3.12 and 3.13;
- where the interpreter cannot be a warden (it lacks `_ctypes`, say), or finds other mechanisms of
  isolation than the sandbox's own warden;
- where the server dies or fails: a fresh interpreter then makes the run again, in a new folder.

A child is isolated by the steps that every program passes: namespaces, landlock, seccomp, uid,
resource limits, a scratch folder, a session of its own. It inherits no open file. The key of its
report is in a file that it removes, as in a fresh interpreter. What it inherits in memory are the
sources of programs that ran before, and nothing of their inputs.

Output, exit status, ending, counts and observations are those of a fresh interpreter, but for
programs that look at

- addresses, and the order of sets that are hashed by address: children of one server have the same
  layout, so forks that agree say less than fresh interpreters that do;
- the process: its command line and environment in /proc, its times, and how much memory is left;
- what the server has loaded: `__subclasses__` of built-in classes, `gc.get_objects`, reference
  counts, whether a string was interned before, which decides the order of some sets that are
  written as constants, and in observed runs a few more modules;
- when collections of cyclic garbage happen;
- the exit status of an interpreter whose output a finalizer has made to fail.

Plain runs, which are always fresh, differ from measured ones in the same points, and admission
compares the two.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from deskcheck.oracles.errors import SandboxError
from deskcheck.oracles.outcomes import Limits, Outcome
from deskcheck.oracles.sandbox.isolation.wire import Report, Request
from deskcheck.oracles.sandbox.runner import Sandbox
from deskcheck.oracles.sandbox.warden_process import FOLDER, WardenProcess

_ARGUMENTS, _MODE = 5, -2
"""How many arguments the script has, and which of them is the mode."""
_SETUP_FAILED = 120
"""Exit status of a script that could not even begin, as in `inside/session.py`."""
_MOST_SERVERS = 12
_MOST_RUNS = 1000
"""A server is replaced after so many: what it has compiled is not all given back."""
_MOST_DEATHS = 5
"""An interpreter whose servers have died so often is started afresh from then on."""


class _ServerError(Exception):
    """A run that its server did not bring to an end."""


@dataclass(slots=True)
class _Server:
    process: WardenProcess
    runs: int = 0


class ForkingSandbox(Sandbox):
    """A Sandbox whose runs of `script` are forked where that is safe and equal."""

    def __init__(
        self, script: str, *, allow_unisolated: bool = False, without: Collection[str] = ()
    ) -> None:
        self._script = script
        self._forking = False
        self._servers: dict[object, _Server] = {}
        self._started = 0
        self._deaths: dict[str, int] = {}
        self._why_fresh: dict[str, str] = {}
        super().__init__(allow_unisolated=allow_unisolated, without=without)

    def why_fresh(self, executable: str) -> str:
        """Why runs of `executable` are not forked, as far as is known; nothing where they are."""
        if sys.platform != "linux":
            return "only Linux has what isolates a fork"
        return self._why_fresh.get(executable, "")

    def run(
        self,
        argv: Sequence[str],
        *,
        stdin: bytes,
        files: Mapping[str, bytes],
        collect: Sequence[str] = (),
        env: Mapping[str, str],
        limits: Limits,
    ) -> Outcome:
        """As `Sandbox.run` does, in a fork where the command can be forked."""
        run = partial(
            super().run, argv, stdin=stdin, files=files, collect=collect, env=env, limits=limits
        )
        if not self._can_fork(argv):
            return run()
        self._forking = True
        try:
            return run()
        except _ServerError:
            self._forking = False
            return run()
        finally:
            self._forking = False

    def _can_fork(self, argv: Sequence[str]) -> bool:
        return argv[-1 - _ARGUMENTS : -_ARGUMENTS] == [self._script] and not self.why_fresh(argv[0])

    def close(self) -> None:
        """End the servers, and then what every Sandbox has; safe to call twice."""
        if os.getpid() == self._owner:
            while self._servers:
                self._servers.popitem()[1].process.close()
        super().close()

    def _ask(self, request: Request) -> Report:
        if not self._forking:
            return super()._ask(request)
        command, env = self._command(request)
        key = (*command, *env.items())
        server = self._servers.pop(key, None) or self._start(command, env)
        try:
            report = server.process.ask(request)
        except SandboxError as error:
            self._note_death(command[0])
            raise _ServerError from error
        server.runs += 1
        if server.runs < _MOST_RUNS:
            self._servers[key] = server  # the last of them, and only if it answered
        else:
            server.process.close()
        if report["failed"] or os.waitstatus_to_exitcode(report["status"]) == _SETUP_FAILED:
            raise _ServerError
        return report

    def _command(self, request: Request) -> tuple[list[str], dict[str, str]]:
        """Command line and environment of the server for a request."""
        argv, scratch = request["argv"], request["scratch"]
        env = {
            name: self._box.folder if value == scratch else value
            for name, value in request["env"].items()
        }
        return [*argv[:-_ARGUMENTS], "serve", FOLDER, argv[_MODE]], env

    def _start(self, command: list[str], env: dict[str, str]) -> _Server:
        if len(self._servers) >= _MOST_SERVERS:
            self._servers.pop(next(iter(self._servers))).process.close()
        self._started += 1
        log = f"{self._box.folder}/server.{self._started}.log"
        try:
            process = WardenProcess(self._box.folder, self._without, log, argv=command, env=env)
        except (OSError, SandboxError) as error:
            self._why_fresh[command[0]] = str(error)
            raise _ServerError from error
        if process.mechanisms != self._mechanisms:
            process.close()
            self._why_fresh[command[0]] = "it finds other mechanisms of isolation than the sandbox"
            raise _ServerError
        return _Server(process)

    def _note_death(self, executable: str) -> None:
        self._deaths[executable] = self._deaths.get(executable, 0) + 1
        if self._deaths[executable] >= _MOST_DEATHS:
            self._why_fresh[executable] = "programs have killed the servers of forked runs"
