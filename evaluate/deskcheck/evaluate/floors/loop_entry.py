"""The floor of whoever takes the state before the loop for the state in and after it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from queue import Empty, SimpleQueue

from deskcheck.builder.cases import Arm, Case, Task
from deskcheck.builder.contents import Manifest
from deskcheck.builder.parameters import Parameters
from deskcheck.evaluate.floors import Abstained, Basis, Given
from deskcheck.oracles.errors import BackendError, SandboxError
from deskcheck.oracles.runtimes.python import PythonRuntime, find_interpreter
from deskcheck.oracles.sandbox import Sandbox

WORKERS = os.cpu_count() or 1


class LoopEntry:
    """Gives the fields as they are when the first iteration of the activation begins.

    `python` names the interpreter, and `allow_unisolated` lets programs run on a machine that
    cannot shut them off. Each case is run once, in one of at most as many sandboxes as there are
    processors, and its state serves both arms.
    """

    arms: tuple[Arm, ...] = ("inside-loop-state", "post-loop-state")
    rule = "the state before the first iteration of the loop"
    concurrency = 2 * WORKERS  # both arms of a case wait for one run
    arguments: Mapping[str, type] = {"python": str, "allow_unisolated": bool}

    def __init__(self, basis: Basis) -> None:
        parameters = _declared(basis.dataset.manifest)
        self._boundary_limit = parameters.max_trace_length
        self._limits = parameters.limits()
        self._interpreter = find_interpreter(basis.engine.get("python"))
        self._allow_unisolated = basis.engine.get("allow_unisolated", False)
        self._cases = {case.id: case for case in basis.dataset.cases}
        self._clean = {
            task.case_id: task for task in basis.dataset.tasks if task.arm == "long-trace-final"
        }
        self._states: dict[str, asyncio.Future[Given | Abstained]] = {}
        self._closing = ExitStack()
        self._idle: SimpleQueue[PythonRuntime] = SimpleQueue()
        self._idle.put(self._new_runtime())  # where there can be none, it is best known now
        self._threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="loop-entry")

    async def answer(self, task: Task) -> Given | Abstained:
        state = self._states.get(task.case_id)
        if state is None:
            loop = asyncio.get_running_loop()
            state = loop.run_in_executor(self._threads, self._run, self._cases[task.case_id])
            self._states[task.case_id] = state
        try:
            # Whoever no longer waits for it takes it from nobody else.
            return await asyncio.shield(state)
        except Exception:
            self._states.pop(task.case_id, None)  # so that another attempt is one
            raise

    async def close(self) -> None:
        """Wait for the programs that run, which their limits end, and start no other."""
        await asyncio.to_thread(self._threads.shutdown, wait=True, cancel_futures=True)
        self._closing.close()

    def _run(self, case: Case) -> Given | Abstained:
        from deskcheck.evaluate.floors.entry_states import entry_state  # only this needs a parser

        if case.language != "python":
            return Abstained(reason=f"{case.language} programs are not run")
        task = self._clean[case.id]
        try:
            runtime = self._idle.get_nowait()
        except Empty:
            runtime = self._new_runtime()
        try:
            return entry_state(case, task.source, task.stdin, runtime, self._boundary_limit)
        finally:
            self._idle.put(runtime)

    def _new_runtime(self) -> PythonRuntime:
        sandbox = Sandbox(allow_unisolated=True)
        self._closing.callback(sandbox.close)
        if not self._allow_unisolated:
            try:
                sandbox.layers.require()
            except SandboxError as error:
                self._closing.close()
                raise BackendError(
                    error.what, "leave this floor out, or give it allow_unisolated=true"
                ) from error
        return PythonRuntime(sandbox, self._interpreter, self._limits)


def _declared(manifest: Manifest) -> Parameters:
    """The limits of one run under which the dataset was made; the usual ones where none stand."""
    usual = Parameters()
    declared = manifest.config.get("parameters", {})
    names = [
        name
        for name in ("max_trace_length", "cpu_s", "wall_s", "memory")
        if isinstance(declared, dict) and name in declared
    ]
    return replace(usual, **{name: type(getattr(usual, name))(declared[name]) for name in names})
