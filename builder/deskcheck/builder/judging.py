"""Judging as a job for workers, each of which has a sandbox of its own."""

from __future__ import annotations

import atexit
import traceback
from collections.abc import Callable
from dataclasses import dataclass

from deskcheck.builder.cases import Finding, Rejected, StoredCase, Verdict
from deskcheck.builder.languages import Languages
from deskcheck.builder.languages.tools import languages
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.errors import SandboxError
from deskcheck.oracles.runtimes.cpp.toolchain import Toolchain
from deskcheck.oracles.runtimes.python import Interpreter
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

    def open(self) -> Callable[[Judged], Verdict]:
        """What judges one candidate after the other, in a sandbox that lasts as long as we."""
        sandbox = Sandbox(allow_unisolated=self.allow_unisolated)
        atexit.register(sandbox.close)
        limits = self.parameters.limits()
        known = languages(sandbox, limits, self.interpreter, self.compiler)
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
