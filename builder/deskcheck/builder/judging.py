"""Judging as a job for workers, each of which has a sandbox of its own."""

from __future__ import annotations

import atexit
import traceback
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from deskcheck.builder import __version__
from deskcheck.builder.cases import Finding, Rejected, StoredCase, Verdict
from deskcheck.builder.languages import Languages, tools
from deskcheck.builder.parameters import Parameters
from deskcheck.builder.toolchain import facts
from deskcheck.oracles.errors import SandboxError
from deskcheck.oracles.runtimes.cpp.toolchain import Toolchain, find_toolchain
from deskcheck.oracles.runtimes.python import Interpreter, find_interpreter
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.pools import Candidate

Judged = Candidate | StoredCase
"""What gets a verdict: a pool's program, or once more what a dataset says of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """What every worker needs to know; a job of `engines`."""

    interpreter: Interpreter
    parameters: Parameters
    compiler: Toolchain | None = None
    """None where no program needs one."""
    allow_unisolated: bool = False

    def toolchain(self) -> Mapping[str, Any]:
        """What a manifest says of it, as found here at the paths that workers are to use."""
        interpreter = find_interpreter(self.interpreter.executable)
        compiler = find_toolchain(self.compiler.main.path) if self.compiler else None
        with Sandbox(allow_unisolated=self.allow_unisolated) as sandbox:
            layers = sandbox.layers_for(interpreter.executable).as_dict()
        return {
            "deskcheck": __version__,
            **facts(measured=tools.facts(interpreter, compiler), sandbox=layers),
            "compiler": asdict(compiler) if compiler else None,
        }

    def open(self) -> Callable[[Judged], Verdict]:
        """What judges one candidate after the other, in a sandbox that lasts as long as we."""
        sandbox = Sandbox(allow_unisolated=self.allow_unisolated)
        atexit.register(sandbox.close)
        limits = self.parameters.limits()
        known = tools.languages(sandbox, limits, self.interpreter, self.compiler)
        return lambda candidate: _judge(candidate, known, self.parameters)

    def died(self, candidate: Judged) -> Rejected:
        """The verdict on a candidate that its worker died of."""
        detail = "its worker process died twice, once on it alone"
        return _internal(candidate, "worker_died", detail)


def _judge(candidate: Judged, known: Languages, parameters: Parameters) -> Verdict:
    from deskcheck.builder.admission import judge  # only workers need the parser
    from deskcheck.builder.remeasure import judge_again

    try:
        if isinstance(candidate, StoredCase):
            return judge_again(candidate, known, parameters)
        return judge(candidate, known, parameters)
    except SandboxError as error:
        return _internal(candidate, "sandbox_failed", str(error))
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        detail = f"{type(error).__name__}: {error} ({where.name}, line {where.lineno})"
        return _internal(candidate, "fault_of_ours", detail)


def _internal(candidate: Judged, reason: str, detail: str) -> Rejected:
    return Rejected(
        candidate=candidate.id,
        pool=candidate.pool,
        study=candidate.study,
        findings=(Finding(check="internal", reason=reason, detail=detail),),
    )
