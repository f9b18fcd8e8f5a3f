"""Judges the corpus in a world of its own, and looks after each program for what it left.

`python -m tests.hostile.arena JOB` is process 1 of a process namespace, so that whatever else runs
there was left by a program, and nothing that a program does reaches a process of the machine's. It
prints one JSON object per program.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.hostile.corpus import INPUTS, Hostile, corpus

from deskcheck.builder.admission import judge
from deskcheck.builder.cases import Admitted, Verdict
from deskcheck.builder.languages.python import PythonLanguage
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.errors import SandboxError
from deskcheck.oracles.observations import Watch
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.python import PythonRuntime, find_interpreter, variation
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.pools import Candidate, Input, Provenance

GOOD = b"""\
n = int(input())
a, b = 0, 1
for _ in range(n):
    a, b = b, (a + b) % 1000
print(a * b)
"""
MARK = "deskcheck-hostile"
"""In the name of all that a program of the corpus tries to leave."""
SHARED = ("/tmp", "/var/tmp", "/dev/shm")
CALM_S = 3.0
"""How long what is killed may take to vanish."""


class Arena:
    """One sandbox, and what is expected to be there besides the programs."""

    def __init__(self, job: dict[str, Any]) -> None:
        self._job = job
        self._interpreter = find_interpreter(job["python"])
        self._sandbox = self._new()
        self._kept: set[str] = set()

    def _new(self) -> Sandbox:
        without = self._job["without"]
        return Sandbox(allow_unisolated=len(without) == 3, without=without)

    def layers(self) -> dict[str, str | None]:
        return self._sandbox.layers_for(self._interpreter.executable).as_dict()

    def result(self, hostile: Hostile) -> dict[str, Any]:
        """The verdict on one program, what it showed, and what it left."""
        began = time.monotonic()
        candidate = made_candidate(hostile.name, hostile.source, hostile.inputs)
        parameters = Parameters(
            repeats=2, cpu_s=hostile.cpu_s, wall_s=hostile.wall_s, memory=256 * 1024**2
        )
        shown = b""
        try:
            runtime = PythonRuntime(self._sandbox, self._interpreter, parameters.limits())
            verdict = in_words(judge(candidate, {"python": PythonLanguage(runtime)}, parameters))
            if verdict.startswith("source/"):  # it has not run yet
                shown = run_all_ways(runtime, candidate)
        except SandboxError as error:
            verdict = f"internal/sandbox_failed: {error}"
            self._sandbox.close()
            self._sandbox = self._new()
        return {
            "name": hostile.name,
            "verdict": verdict,
            "shown": shown.decode("utf-8", "replace")[:2000],
            "running": self._strangers(),
            "left": [*self._files(), *self._system_v()],
            "good": self._good(),
            "seconds": round(time.monotonic() - began, 2),
        }

    def good_verdict(self) -> Verdict:
        """Of a program that does nothing but count."""
        parameters = Parameters()
        runtime = PythonRuntime(self._sandbox, self._interpreter, parameters.limits())
        return judge(
            made_candidate("good", GOOD, INPUTS), {"python": PythonLanguage(runtime)}, parameters
        )

    def _good(self) -> bool:
        """Whether a good program still prints what it should."""
        runtime = PythonRuntime(self._sandbox, self._interpreter, Parameters().limits())
        outcome = runtime.run(Program(language="python", source=GOOD), b"48\n", variation(0))
        return outcome.clean and outcome.stdout == b"47824\n"

    def _strangers(self) -> list[str]:
        """Command lines of the processes that are neither we nor the sandbox's."""
        deadline = time.monotonic() + CALM_S
        while True:
            ours = {1}
            warden = self._sandbox._warden
            if warden is not None:
                ours |= below(warden._process.pid)
            found = {pid for pid in living() if pid not in ours}
            if not found or time.monotonic() > deadline:
                return [f"{pid}: {command_of(pid)}" for pid in sorted(found)]
            time.sleep(0.02)

    def _files(self) -> list[str]:
        """What is in the sandbox's folder or marked in a shared one; it is removed."""
        box = Path(self._sandbox._box.folder)
        found = [path for path in box.iterdir() if path.name != "warden.log"]
        found += [path for path in box.parent.iterdir() if path != box]
        for folder in (*SHARED, tempfile.gettempdir(), "/", os.environ["HOME"]):
            found += [path for path in Path(folder).iterdir() if MARK in path.name]
        for path in found:
            if path.is_file():
                path.unlink()
        return [str(path) for path in found]

    def _system_v(self) -> list[str]:
        """Memory, semaphores and queues of this world that were not there before."""
        found = system_v() - self._kept
        self._kept |= found
        return sorted(found)


def made_candidate(name: str, source: bytes, inputs: tuple[bytes, ...]) -> Candidate:
    return Candidate(
        id=f"hostile/{name}",
        pool="hostile",
        study="hostile-python",
        program=Program(language="python", source=source),
        provenance=Provenance(licence="Apache-2.0", author="tests", origin=name),
        inputs=tuple(Input(name=f"in:{n}", data=data) for n, data in enumerate(inputs)),
    )


def in_words(verdict: Verdict) -> str:
    """`admitted`, or the first finding as `check/reason: detail`."""
    if isinstance(verdict, Admitted):
        return "admitted"
    finding = verdict.findings[0]
    return f"{finding.check}/{finding.reason}: {finding.detail}"


def run_all_ways(runtime: PythonRuntime, candidate: Candidate) -> bytes:
    """Run plainly, counted and watched what admission would refuse to run."""
    program, stdin = candidate.program, candidate.inputs[0].data
    plain = runtime.run(program, stdin, variation(0))
    runtime.count(program, stdin, variation(1), limit=200_000)
    runtime.observe(program, stdin, variation(2), Watch(boundary_limit=10_000))
    return plain.stdout + plain.stderr


def living() -> dict[int, int]:
    """Every process here and its parent, but those that are dead and not yet collected."""
    found: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = path.read_bytes().rpartition(b")")[2].split()[:2]
        except (OSError, ValueError):
            continue
        if state not in (b"Z", b"X"):
            found[int(path.parent.name)] = int(parent)
    return found


def below(ancestor: int) -> set[int]:
    parents = living()
    found = {ancestor}
    while grown := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= grown
    return found


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()[:100]
    except OSError:
        return "gone"


def system_v() -> set[str]:
    """Kind and number of all that System V keeps in this world."""
    return {
        f"{kind.name} {line.split()[1]}"
        for kind in Path("/proc/sysvipc").iterdir()
        for line in kind.read_text().splitlines()[1:]
    }


def main(job: dict[str, Any]) -> None:
    arena = Arena(job)
    wanted = set(job["names"])
    layers = arena.layers()
    print(json.dumps({"layers": layers, "identity": layers["identity"] == "unprivileged uid"}))
    before = arena.good_verdict()
    for hostile in corpus():
        if hostile.name in wanted:
            print(json.dumps(arena.result(hostile)), flush=True)
    after = arena.good_verdict()
    print(json.dumps({"good": in_words(after), "same": before == after}))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
