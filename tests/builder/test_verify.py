"""Every oracle run again finds what no hash can: a folder whose maker wrote all of it anew."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tests.builder.test_verify_folder import found

from deskcheck.builder.cases import ARMS, Admitted, Answer, case_id, task_id
from deskcheck.builder.cli import run
from deskcheck.builder.contents import Build
from deskcheck.builder.dataset import read_dataset, write_dataset
from deskcheck.builder.engines.local import LocalEngine
from deskcheck.builder.merging import verdicts_of
from deskcheck.builder.verification import verify
from deskcheck.oracles.checkpoints import Field
from deskcheck.oracles.runtimes.python import find_interpreter

# One worker makes the dataset that these tests share.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("verify")]

OTHER_PYTHON = os.environ.get("DESKCHECK_OTHER_PYTHON")
SHORT, LONG, INSIDE, POST = range(4)
NAMES = ("insertion_sort", "newton_integer_root")

Change = Callable[[Admitted], Admitted]


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two textbook programs, admitted by the command line."""
    out = tmp_path_factory.mktemp("real")
    only = f"only={','.join(NAMES)}"
    admit = ["admit", "--pool", "textbook", "--option", only, "-o", str(out), "--workers", "1"]
    assert run(admit) == 0
    (folder,) = out.iterdir()
    return folder


def forged(real: Path, folder: Path, change: Change) -> None:
    """The dataset with its first case changed, and every id, hash, count and card made anew."""
    dataset = read_dataset(real)
    first, *others = verdicts_of(dataset, real)
    assert isinstance(first, Admitted)
    manifest = dataset.manifest
    build = Build(
        name=manifest.name,
        config=manifest.config,
        toolchain=manifest.toolchain,
        answer_tag=manifest.answer_tag,
    )
    write_dataset(folder, build, [sealed(change(first)), *others])


def sealed(verdict: Admitted) -> Admitted:
    """The verdict with the ids and the hash that follow from its texts."""
    ids = tuple(
        task_id(
            arm=task.arm,
            language=task.language,
            source=task.source,
            stdin=task.stdin,
            rule=task.rule,
            fields=task.fields,
        )
        for task in verdict.tasks
    )
    case = replace(
        verdict.case,
        id=case_id(ids),
        program_sha=sha256(verdict.tasks[0].source.encode()).hexdigest(),
    )
    return replace(
        verdict,
        case=case,
        tasks=tuple(
            replace(task, id=id_, case_id=case.id)
            for task, id_ in zip(verdict.tasks, ids, strict=True)
        ),
        answers=tuple(
            replace(answer, task_id=id_) for answer, id_ in zip(verdict.answers, ids, strict=True)
        ),
        measures=tuple(
            replace(each, task_id=id_, case_id=case.id)
            for each, id_ in zip(verdict.measures, ids, strict=True)
        ),
    )


def in_case(**columns: Any) -> Change:
    return lambda verdict: replace(verdict, case=replace(verdict.case, **columns))


def in_task(places: Sequence[int], **columns: Any) -> Change:
    def change(verdict: Admitted) -> Admitted:
        tasks = [
            replace(task, **columns) if place in places else task
            for place, task in enumerate(verdict.tasks)
        ]
        return replace(verdict, tasks=tuple(tasks))

    return change


def in_source(places: Sequence[int], old: str, new: str) -> Change:
    def change(verdict: Admitted) -> Admitted:
        tasks = list(verdict.tasks)
        for place in places:
            assert old in tasks[place].source
            tasks[place] = replace(tasks[place], source=tasks[place].source.replace(old, new, 1))
        return replace(verdict, tasks=tuple(tasks))

    return change


def in_measures(place: int, **columns: Any) -> Change:
    def change(verdict: Admitted) -> Admitted:
        measures = list(verdict.measures)
        measures[place] = replace(measures[place], **columns)
        return replace(verdict, measures=tuple(measures))

    return change


def answers(**texts: str) -> Change:
    """Other answers, by arm with underscores."""

    def change(verdict: Admitted) -> Admitted:
        named = [
            replace(answer, text=texts.get(arm.replace("-", "_"), answer.text))
            for arm, answer in zip(ARMS, verdict.answers, strict=True)
        ]
        return replace(verdict, answers=tuple(named))

    return change


def swapped(verdict: Admitted) -> Admitted:
    texts = [answer.text for answer in verdict.answers]
    texts[INSIDE], texts[POST] = texts[POST], texts[INSIDE]
    made = (Answer(task_id="", text=text) for text in texts)
    return replace(verdict, answers=tuple(made))


def later(verdict: Admitted) -> Admitted:
    return in_case(iteration=verdict.case.iteration + 1)(verdict)


def both(*changes: Change) -> Change:
    def change(verdict: Admitted) -> Admitted:
        for each in changes:
            verdict = each(verdict)
        return verdict

    return change


def other_fields(verdict: Admitted) -> Admitted:
    first, *others = verdict.case.fields
    fields = (Field(name=first.name, expression=f"({first.expression})"), *others)
    return both(in_case(fields=fields), in_task((INSIDE, POST), fields=fields))(verdict)


def lying_source(verdict: Admitted) -> Admitted:
    """The source shown adds a word to its state, and so does the stored answer."""
    name = verdict.case.fields[0].name
    answer = verdict.answers[POST].text
    source = verdict.tasks[POST].source
    at = source.index(f"{name}=", source.index("loop_ends) =="))
    lying = f"{source[:at]}{name}=[{verdict.case.fields[0].expression}]"
    rest = source[at:].removeprefix(f"{name}={verdict.case.fields[0].expression}")
    held = json.loads(answer)
    held[name] = [held[name]]
    return both(
        in_task((POST,), source=lying + rest),
        answers(post_loop_state=json.dumps(held, separators=(",", ":"))),
    )(verdict)


FORGERIES: dict[str, tuple[Change, set[tuple[str, str]]]] = {
    "a printed answer": (
        answers(short_trace_final="77\n"),
        {("answer_differs", ARMS[SHORT])},
    ),
    "a state": (answers(inside_loop_state="{}"), {("answer_differs", ARMS[INSIDE])}),
    "two states are swapped": (
        swapped,
        {("answer_differs", ARMS[INSIDE]), ("answer_differs", ARMS[POST])},
    ),
    "a byte of the source shown at the stop": (
        in_source((INSIDE,), "\n\n\n", "\n\n\n\n"),
        {("source_differs", ARMS[INSIDE])},
    ),
    "a source that shows another state": (
        lying_source,
        {("two_oracles:states_differ", ARMS[POST])},
    ),
    "the program is another one": (
        in_source((SHORT, LONG), "print(", "print(1, "),
        {
            ("answer_differs", ARMS[SHORT]),
            ("answer_differs", ARMS[LONG]),
            ("source_differs", ARMS[INSIDE]),
            ("source_differs", ARMS[POST]),
        },
    ),
    "the program does not run": (
        in_source((SHORT, LONG), "print(", "prin("),
        {("legal_inputs:runtime_error", ARMS[SHORT])},
    ),
    "the iteration": (later, {("reachability:visit_differs", "case")}),
    "the end of the loop": (in_case(post_visit=999), {("reachability:activation_differs", "case")}),
    "the loop": (in_case(loop_offset=1), {("reachability:loop_differs", "case")}),
    "the loop's line": (in_case(loop_line=999), {("case_differs", "cases.parquet")}),
    "the iterations on the short input": (
        in_case(short_iterations=1),
        {("case_differs", "cases.parquet")},
    ),
    "what is printed before the stop": (
        in_case(printed_before=True),
        {("case_differs", "cases.parquet")},
    ),
    "an expression": (
        other_fields,
        {
            ("case_differs", "cases.parquet"),
            ("task_differs", ARMS[INSIDE]),
            ("task_differs", ARMS[POST]),
        },
    ),
    "a floor": (in_task((LONG,), floor=True), {("task_differs", ARMS[LONG])}),
    "a trace length": (in_measures(POST, trace_length=1), {("measure_differs", ARMS[POST])}),
    "a peak of the state": (in_measures(LONG, peak_state=1), {("measure_differs", ARMS[LONG])}),
    "a complexity": (in_measures(SHORT, cyclomatic=99), {("measure_differs", ARMS[SHORT])}),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_each_forgery_is_named(real: Path, tmp_path: Path, what: str) -> None:
    """Ids and hashes are right, so only new runs tell: of which candidate, where and in what."""
    change, expected = FORGERIES[what]
    forged(real, tmp_path / "forged", change)
    folder = {cause for cause, _, _ in found(tmp_path / "forged")}
    assert not folder & {"table_changed", "task_id", "case_id", "program_changed", "card_changed"}
    verification = verify(
        tmp_path / "forged", find_interpreter(), engine=LocalEngine(1), quick=True
    )
    first = read_dataset(real).cases[0].candidate
    from_runs = {
        (drift.cause, drift.place)
        for drift in verification.drift
        if ":" in drift.cause or drift.cause.endswith("_differs")
    }
    assert expected <= from_runs
    if "program" not in what:
        assert from_runs == expected
    assert {drift.item for drift in verification.drift} == {first}
    assert not any(drift.toolchain for drift in verification.drift)
    assert (verification.cases, verification.measured, verification.repeats) == (2, 2, 1)


def test_an_undamaged_dataset_is_what_it_says(
    real: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every repeat that was declared is run again; the command ends with 0 and names no drift."""
    assert run(["dataset", "verify", str(real), "--workers", "1", "--json"]) == 0
    said = capsys.readouterr()
    facts = json.loads(said.out)
    assert (facts["same"], facts["drift"], facts["toolchain"]) == (True, [], [])
    assert (facts["measured"], facts["repeats"]) == (2, 3)
    assert "verifying: 2/2; 0 with drift" in said.err


def test_each_difference_is_one_line_and_ends_with_4(
    real: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Candidate, arm, cause and both values stand in it; the last line counts them."""
    forged(real, tmp_path / "forged", answers(inside_loop_state='{"a":1}'))
    assert run(["dataset", "verify", str(tmp_path / "forged"), "--quick", "--workers", "1"]) == 4
    line, last = capsys.readouterr().out.splitlines()
    candidate = read_dataset(real).cases[0].candidate
    assert line.startswith(
        f"{candidate} inside-loop-state: answer_differs: stored is '{{\"a\":1}}'"
    )
    assert "has 1 difference; 2 of 2 cases were run again, once" in last


def test_what_cannot_be_read_does_not_keep_the_rest_from_being_run(
    real: Path, tmp_path: Path
) -> None:
    """Without measures and answers the sources shown are still held against new runs."""
    copy = tmp_path / "copy"
    shutil.copytree(real, copy)
    (copy / "measurements.parquet").unlink()
    (copy / "oracles/answers.parquet").write_bytes(b"PAR1")
    verification = verify(copy, find_interpreter(), engine=LocalEngine(1), quick=True)
    assert {drift.cause for drift in verification.drift} == {"table_missing", "table_unreadable"}
    assert verification.measured == 2


@pytest.mark.skipif(
    OTHER_PYTHON is None, reason="DESKCHECK_OTHER_PYTHON does not name a second interpreter"
)
def test_another_interpreter_is_told_apart_from_drift(
    real: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Trace lengths belong to a minor version; a forged answer is drift under any of them."""
    forged(real, tmp_path / "forged", answers(long_trace_final="77\n"))
    command = ["dataset", "verify", str(tmp_path / "forged"), "--quick", "--json"]
    assert run([*command, "--workers", "1", "--python", str(OTHER_PYTHON)]) == 4
    facts = json.loads(capsys.readouterr().out)
    assert any(text.startswith("measured.version") for text in facts["toolchain"])
    because = [drift for drift in facts["drift"] if drift["toolchain"]]
    assert {drift["cause"] for drift in because} == {"measure_differs"}
    assert {(drift["item"], drift["place"]) for drift in because} == {
        (case.candidate, arm) for case in read_dataset(real).cases for arm in ARMS
    }
    assert all("trace_length" in drift["detail"] for drift in because)
    real_drift = {(d["cause"], d["place"]) for d in facts["drift"] if not d["toolchain"]}
    assert real_drift == {("answer_differs", "long-trace-final")}
