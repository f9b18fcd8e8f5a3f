"""`builder dataset diff`: what changed between two datasets, why, and what that outdates."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.builder.verdicts import CLEAN, FIELDS, NO_OUTPUT, admitted, rejected

from deskcheck.builder.cases import ARMS, Admitted, Verdict, case_id, task_id
from deskcheck.builder.cli import run
from deskcheck.builder.contents import Build
from deskcheck.builder.dataset import write_dataset
from deskcheck.builder.differences import Changed, difference, outdated
from deskcheck.builder.ledger import line_of
from deskcheck.oracles.errors import DatasetError

BUILD = Build(name="sums", config={"seed": 1}, toolchain={"measured": {"version": "3.12.1"}})

APE, BEE = admitted("ape"), admitted("bee")


def written(folder: Path, *verdicts: Verdict, build: Build = BUILD) -> Path:
    write_dataset(folder, build, verdicts)
    return folder


def resealed(verdict: Admitted, **columns: object) -> Admitted:
    """The verdict with other columns of its state tasks, and the ids that follow."""
    tasks = tuple(
        replace(task, **columns) if task.fields else task  # type: ignore[arg-type]
        for task in verdict.tasks
    )
    ids = tuple(
        task_id(
            arm=task.arm,
            language=task.language,
            source=task.source,
            stdin=task.stdin,
            rule=task.rule,
            fields=task.fields,
        )
        for task in tasks
    )
    return replace(
        verdict,
        case=replace(verdict.case, id=case_id(ids)),
        tasks=tuple(
            replace(task, id=id_, case_id=case_id(ids))
            for task, id_ in zip(tasks, ids, strict=True)
        ),
        answers=tuple(replace(a, task_id=i) for a, i in zip(verdict.answers, ids, strict=True)),
        measures=tuple(
            replace(m, task_id=i, case_id=case_id(ids))
            for m, i in zip(verdict.measures, ids, strict=True)
        ),
    )


STATES = ARMS[2:]
OTHER_FIELDS = (replace(FIELDS[0], expression="str(total)"),)
CHANGES: dict[str, tuple[Callable[[], Verdict], str, tuple[str, ...], tuple[str, ...]]] = {
    "source": (
        lambda: admitted("ape", clean=CLEAN.replace("total)", "total )")),
        "changed",
        ("source", "measures"),
        ARMS[:2],
    ),
    "long input": (
        lambda: admitted("ape", long="21\n"),
        "changed",
        ("long input",),
        ARMS[1:],
    ),
    "short input": (lambda: admitted("ape", short="4\n"), "changed", ("short input",), ARMS[:1]),
    "iteration": (
        lambda: replace(
            resealed(APE, source=APE.tasks[2].source.replace("== 9", "== 8")),
            case=replace(
                resealed(APE, source=APE.tasks[2].source.replace("== 9", "== 8")).case,
                iteration=8,
                inside_visit=8,
            ),
        ),
        "changed",
        ("checkpoint",),
        STATES,
    ),
    "how the checkpoint is written": (
        lambda: resealed(APE, source=APE.tasks[2].source.replace("visits", "counter")),
        "changed",
        ("how the checkpoint is written",),
        STATES,
    ),
    "projection": (
        lambda: admitted("ape", fields=OTHER_FIELDS),
        "changed",
        ("projection",),
        STATES,
    ),
    "rule": (lambda: resealed(APE, rule="bytes"), "changed", ("rule",), STATES),
    "licence": (lambda: admitted("ape", licence="MIT"), "changed", ("provenance",), ()),
    "answer": (
        lambda: replace(APE, answers=(replace(APE.answers[0], text="6 ape\n"), *APE.answers[1:])),
        "changed",
        ("answer",),
        (),
    ),
    "measures": (
        lambda: replace(
            APE, measures=(replace(APE.measures[0], trace_length=31), *APE.measures[1:])
        ),
        "changed",
        ("measures",),
        (),
    ),
    "now rejected": (
        lambda: rejected("ape", NO_OUTPUT),
        "newly rejected",
        ("legal_inputs/no_output: it prints nothing",),
        ARMS,
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_each_change_is_named_with_its_cause_and_arms(tmp_path: Path, what: str) -> None:
    """Only the arms whose question is another one are named, and no other candidate."""
    make, change, why, arms = CHANGES[what]
    first = written(tmp_path / "first", APE, BEE)
    second = written(tmp_path / "second", make(), BEE)
    found = difference(first, second)
    assert found.changed == (
        Changed(candidate="textbook/ape", change=change, why=why, arms=arms),  # type: ignore[arg-type]
    )
    assert len(found.tasks_removed) == len(arms)
    assert set(found.tasks_removed) <= {task.id for task in APE.tasks}
    assert {task.id for task in BEE.tasks} <= set(found.tasks_unchanged)
    expected = (APE.tasks[0].id,) if what == "answer" else ()
    assert found.answers_changed == expected


def test_candidates_come_and_go(tmp_path: Path) -> None:
    """Added, removed, newly admitted and rejected for another reason are told apart."""
    first = written(tmp_path / "first", APE, rejected("cat"), rejected("dog"), rejected("elk"))
    second = written(
        tmp_path / "second", BEE, admitted("cat"), rejected("dog", NO_OUTPUT), rejected("elk")
    )
    found = difference(first, second)
    assert [(each.candidate, each.change, each.why) for each in found.changed] == [
        ("textbook/ape", "removed", ("admitted",)),
        ("textbook/cat", "newly admitted", ("loop/too_few_iterations before",)),
        (
            "textbook/dog",
            "rejected otherwise",
            ("loop/too_few_iterations before, legal_inputs/no_output now",),
        ),
        ("textbook/bee", "added", ("admitted",)),
    ]
    assert (found.cases_unchanged, len(found.tasks_added), len(found.tasks_removed)) == (0, 8, 4)


def replies(run_folder: Path, *ids: str) -> Path:
    run_folder.mkdir()
    lines = [line_of({"key": str(number), "task_id": id_}) for number, id_ in enumerate(ids)]
    (run_folder / "responses.jsonl").write_bytes(b"".join(lines) + b'{"sha": "torn')
    return run_folder


def test_replies_are_counted_by_what_became_of_their_question(tmp_path: Path) -> None:
    """Valid, to be graded again, outdated and foreign; a torn line is no reply."""
    changed = replace(BEE, answers=(replace(BEE.answers[0], text="7\n"), *BEE.answers[1:]))
    first = written(tmp_path / "first", APE, BEE)
    second = written(tmp_path / "second", admitted("ape", long="21\n"), changed)
    ids = [task.id for task in (*APE.tasks, *BEE.tasks)]
    counted = outdated(difference(first, second), replies(tmp_path / "run", *ids, ids[1], "0" * 64))
    assert (counted.valid, counted.regrade, counted.outdated, counted.foreign) == (5, 1, 4, 1)
    with pytest.raises(DatasetError, match=r"no replies of a run at .*first/responses\.jsonl"):
        outdated(difference(first, second), first)


def test_the_command_says_it_for_people_and_for_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It ends with 0 whatever differs, and names what was built otherwise."""
    first = written(tmp_path / "first", APE, BEE)
    build = replace(BUILD, config={"seed": 2})
    second = written(tmp_path / "second", admitted("ape", long="21\n"), build=build)
    run_folder = replies(tmp_path / "run", APE.tasks[0].id, BEE.tasks[0].id)
    command = ["dataset", "diff", str(first), str(second), "--runs", str(run_folder)]
    assert run(command) == 0
    assert capsys.readouterr().out.splitlines() == [
        "made otherwise: config.seed 1 in the first, 2 in the second",
        "textbook/ape: changed: long input [long-trace-final, inside-loop-state, post-loop-state]",
        "textbook/bee: removed: admitted",
        "cases: 0 unchanged, 2 gone, 1 new",
        "tasks: 1 unchanged, 7 gone, 3 new; 0 of the unchanged ones with another answer",
        f"{run_folder}: 1 replies are valid, 0 of them to be graded again; 1 are outdated",
    ]
    assert run([*command, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["runs"][0]["outdated"] == 1
    assert facts["tasks_unchanged"] == [APE.tasks[0].id]


def test_a_dataset_is_the_same_as_itself_without_its_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A published copy can be compared; that its answers were not is said."""
    first = written(tmp_path / "first", APE, rejected("grid"))
    shutil.copytree(first, tmp_path / "copy", ignore=shutil.ignore_patterns("oracles"))
    assert run(["dataset", "diff", str(first), str(tmp_path / "copy")]) == 0
    out = capsys.readouterr().out
    assert "the rows are the same" in out
    assert "answers not compared, as one copy has none" in out
    assert run(["dataset", "diff", str(first), str(tmp_path / "nowhere")]) == 3
