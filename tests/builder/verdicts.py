"""Verdicts made by hand: as small as they can be, and no two of their texts alike."""

from __future__ import annotations

from hashlib import sha256

from deskcheck.builder.cases import (
    ARMS,
    Admitted,
    Answer,
    Arm,
    Case,
    Finding,
    Measures,
    Rejected,
    Task,
    case_id,
    task_id,
)
from deskcheck.oracles.checkpoints import Field

CLEAN = """\
# {name}
total = 0
for number in range(int(input())):
    total += number * number
print(total)
"""

INSIDE = """\
import itertools
import json
import os

visits = itertools.count(1)
# {name}
total = 0
for number in range(int(input())):
    if next(visits) == 9:
        os.write(1, json.dumps({{"total": total}}).encode())
        os._exit(0)
    total += number * number
print(total)
"""

POST = """\
import json
import os

# {name}
total = 0
for number in range(int(input())):
    total += number * number
os.write(1, json.dumps({{"total": total}}).encode())
os._exit(0)
print(total)
"""

FIELDS = (Field(name="total", expression="total"),)

STATE_ARMS: tuple[Arm, ...] = ("inside-loop-state", "post-loop-state")


def admitted(
    name: str = "squares",
    *,
    pool: str = "textbook",
    study: str = "textbook-python",
    short: str = "3\n",
    long: str = "20\n",
    clean: str = CLEAN,
    answers: tuple[str, str, str, str] | None = None,
    fields: tuple[Field, ...] = FIELDS,
    author: str = "The authors",
    licence: str = "Apache-2.0",
    floor: bool = False,
    peak_state: int | None = 4,
    passed_over: tuple[Finding, ...] = (),
) -> Admitted:
    """A verdict whose ids follow from its texts; `clean` may name `{name}`."""
    candidate = f"{pool}/{name}"
    sources = [text.format(name=name) for text in (clean, clean, INSIDE, POST)]
    if answers is None:
        answers = (f"5 {name}\n", f"2470 {name}\n", '{"total":140}', '{"total":2470}')
    ids = tuple(
        task_id(
            arm=arm,
            language="python",
            source=source,
            stdin=short if arm == "short-trace-final" else long,
            rule="json" if arm in STATE_ARMS else "tokens",
            fields=fields if arm in STATE_ARMS else (),
        )
        for arm, source in zip(ARMS, sources, strict=True)
    )
    case = Case(
        id=case_id(ids),
        candidate=candidate,
        pool=pool,
        study=study,
        language="python",
        program_sha=sha256(sources[0].encode("utf-8", "surrogatepass")).hexdigest(),
        origin=f"origin of {name}",
        licence=licence,
        author=author,
        url="",
        tags={"area": "sums", "size": "20"},
        short_input="short",
        long_input="long",
        loop_line=3,
        loop_offset=sources[0].find("for "),
        loop_kind="for",
        loop_depth=1,
        iteration=9,
        iterations=20,
        short_iterations=3,
        long_iterations=20,
        inside_visit=9,
        post_visit=1,
        fields=fields,
        printed_before=False,
        post_contains_output=True,
    )
    tasks = tuple(
        Task(
            id=id,
            case_id=case.id,
            arm=arm,
            candidate=candidate,
            study=study,
            language="python",
            source=source,
            stdin=short if arm == "short-trace-final" else long,
            rule="json" if arm in STATE_ARMS else "tokens",
            fields=fields if arm in STATE_ARMS else (),
            floor=floor,
        )
        for id, arm, source in zip(ids, ARMS, sources, strict=True)
    )
    lengths = (30, 200, 95, 190)
    measures = tuple(
        Measures(
            task_id=task.id,
            case_id=case.id,
            arm=task.arm,
            trace_length=length,
            trace_exact=task.arm != "inside-loop-state",
            whole_trace_length=30 if task.arm == "short-trace-final" else 200,
            peak_state=peak_state,
            state_load=None if peak_state is None else peak_state * length,
            boundaries=None if peak_state is None else length // 10,
            cyclomatic=2 if task.arm not in STATE_ARMS else 3,
            source_lines=task.source.count("\n"),
            source_characters=len(task.source),
            nesting=1,
            data_flow=2,
            stdin_characters=len(task.stdin),
            unread_stdin=0,
            answer_characters=len(answer),
            answer_digits=sum(map(str.isdigit, answer)),
            listed_output="none",
        )
        for task, length, answer in zip(tasks, lengths, answers, strict=True)
    )
    return Admitted(
        candidate=candidate,
        pool=pool,
        study=study,
        case=case,
        tasks=tasks,
        answers=tuple(
            Answer(task_id=id, text=answer) for id, answer in zip(ids, answers, strict=True)
        ),
        measures=measures,
        passed_over=passed_over,
    )


SHORT_LOOP = Finding(
    check="loop",
    reason="too_few_iterations",
    detail="at most 5 iterations in one activation, 8 needed",
    loop_line=3,
    measured={"iterations": 5, "source_line": "for row in grid:"},
)

READS_INPUT = Finding(
    check="loop",
    reason="reads_stdin",
    detail="it reads standard input as it goes",
    loop_line=2,
)

NO_OUTPUT = Finding(check="legal_inputs", reason="no_output", detail="it prints nothing")


def rejected(
    name: str = "grid",
    *findings: Finding,
    pool: str = "textbook",
    study: str = "textbook-python",
) -> Rejected:
    """A verdict of the findings, or of two loops where none is given."""
    return Rejected(
        candidate=f"{pool}/{name}",
        pool=pool,
        study=study,
        findings=findings or (SHORT_LOOP, READS_INPUT),
    )
