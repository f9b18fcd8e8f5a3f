"""The records that admission makes: a case, its four tasks, their answers and measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any, Literal, get_args

from deskcheck.oracles.checkpoints import Field
from deskcheck.oracles.equivalence import Rule
from deskcheck.oracles.identity import content_id
from deskcheck.oracles.programs import Language

Arm = Literal["short-trace-final", "long-trace-final", "inside-loop-state", "post-loop-state"]
ARMS: tuple[Arm, ...] = get_args(Arm)

TASK_CONTRACT = 1
"""Version of what a task asks and how it is answered; part of every id. The layout of records
and files is not, so a refactor invalidates no prediction."""

Check = Literal[
    "pool",
    "source",
    "legal_inputs",
    "determinism",
    "pair",
    "loop",
    "ordering",
    "reachability",
    "agreement",
    "change",
    "preservation",
    "two_oracles",
    "bounds",
    "duplicate",
    "internal",
]
CHECKS: tuple[Check, ...] = get_args(Check)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One question: everything that a model may be shown, and how its answer is compared.

    `fields` is empty for a final arm. `floor` marks an answer that a guess may hit; it says
    nothing of the answer itself.
    """

    id: str
    case_id: str
    arm: Arm
    candidate: str
    study: str
    language: Language
    source: str
    stdin: str
    rule: Rule
    fields: tuple[Field, ...]
    floor: bool


def task_id(
    *, arm: Arm, language: Language, source: str, stdin: str, rule: Rule, fields: tuple[Field, ...]
) -> str:
    """The hash of all that defines a task; the checkpoint is part of the source shown."""
    return content_id(
        "task",
        {
            "contract": TASK_CONTRACT,
            "arm": arm,
            "language": language,
            "source": sha256(source.encode("utf-8", "surrogatepass")).hexdigest(),
            "stdin": sha256(stdin.encode("utf-8", "surrogatepass")).hexdigest(),
            "rule": rule,
            "fields": [[shown.name, shown.expression] for shown in fields],
        },
    )


def case_id(task_ids: tuple[str, ...]) -> str:
    """A case is its four tasks, in the order of `ARMS`."""
    return content_id("case", list(task_ids))


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A program, two inputs, one loop activation and one projection."""

    id: str
    candidate: str
    pool: str
    study: str
    language: Language
    program_sha: str
    origin: str
    licence: str
    author: str
    url: str
    tags: Mapping[str, str]
    short_input: str
    """Name of the input, as its pool gives it."""
    long_input: str
    loop_line: int
    loop_offset: int
    loop_kind: str
    loop_depth: int
    iteration: int
    """The iteration of the activation, from 1, before whose body the inside checkpoint stands."""
    iterations: int
    """Iterations of that activation on the long input."""
    short_iterations: int
    """Visits of the loop's body on the short input, all activations together."""
    long_iterations: int
    """The same on the long input."""
    inside_visit: int
    post_visit: int
    fields: tuple[Field, ...]
    printed_before: bool
    """Something was printed before the inside checkpoint."""
    post_contains_output: bool
    """A value of the post-loop state is also the printed answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCase:
    """A case and its tasks as a dataset keeps them, in the order of `ARMS`."""

    case: Case
    tasks: tuple[Task, ...]

    @property
    def id(self) -> str:
        """The candidate's."""
        return self.case.candidate

    @property
    def pool(self) -> str:
        return self.case.pool

    @property
    def study(self) -> str:
        return self.case.study


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The expected answer of one task, kept apart from everything that a model is shown."""

    task_id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Counts of one task's execution: of a state arm, the prefix up to its checkpoint.

    State measures are None where the walk's budget was spent. `trace_exact` is False where the
    prefix was counted on a program whose total differs from the clean one's by a few opcodes.
    """

    task_id: str
    case_id: str
    arm: Arm
    trace_length: int
    trace_exact: bool
    whole_trace_length: int
    peak_state: int | None
    state_load: int | None
    boundaries: int | None
    cyclomatic: int
    """Of the source shown in this arm."""
    source_lines: int
    source_characters: int
    nesting: int
    data_flow: int
    """Variables that may still be read where iteration k of the selected loop begins; functions,
    classes and modules left out."""
    stdin_characters: int
    unread_stdin: int | None
    answer_characters: int
    answer_digits: int
    listed_output: Literal["none", "agrees", "differs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One reason: the check, a snake_case reason, one line of detail, and what was measured."""

    check: Check
    reason: str
    detail: str
    loop_line: int | None = None
    measured: Mapping[str, int | str | bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """The one verdict of a candidate that makes a case."""

    candidate: str
    pool: str
    study: str
    case: Case
    tasks: tuple[Task, ...]
    answers: tuple[Answer, ...]
    measures: tuple[Measures, ...]
    passed_over: tuple[Finding, ...] = ()
    """Why the loops that come before the selected one, by choice order, were not eligible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """The one verdict of a candidate that makes none; the first finding is the reason."""

    candidate: str
    pool: str
    study: str
    findings: tuple[Finding, ...]


Verdict = Admitted | Rejected


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    """A plain JSON object; `verdict_from_json` gives the equal verdict back."""
    return {"admitted": isinstance(verdict, Admitted), **asdict(verdict)}


def verdict_from_json(row: dict[str, Any]) -> Verdict:
    """Read what `verdict_to_json` wrote. Raises KeyError or TypeError on anything else."""
    row = dict(row)
    if not row.pop("admitted"):
        return Rejected(**{**row, "findings": _findings(row["findings"])})
    return Admitted(
        **{
            **row,
            "case": Case(**{**row["case"], "fields": _fields(row["case"]["fields"])}),
            "tasks": tuple(
                Task(**{**task, "fields": _fields(task["fields"])}) for task in row["tasks"]
            ),
            "answers": tuple(Answer(**answer) for answer in row["answers"]),
            "measures": tuple(Measures(**measures) for measures in row["measures"]),
            "passed_over": _findings(row["passed_over"]),
        }
    )


def _fields(rows: list[dict[str, str]]) -> tuple[Field, ...]:
    return tuple(Field(**row) for row in rows)


def _findings(rows: list[dict[str, Any]]) -> tuple[Finding, ...]:
    return tuple(Finding(**row) for row in rows)
