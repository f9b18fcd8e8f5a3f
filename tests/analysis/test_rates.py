"""Nothing that is lost, cut off or asked twice makes a rate rise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from tests.analysis.synthetic import make_dataset, make_run, maker

from deskcheck.analysis.frames import cells_frame
from deskcheck.analysis.results import Options, gather
from deskcheck.analysis.runs import read_run
from deskcheck.analysis.statistics.agreement import agreement, all_identical, pair_shares
from deskcheck.analysis.statistics.estimates import TOO_FEW
from deskcheck.analysis.statistics.rates import rates
from deskcheck.evaluate.cells import NAME, Cell, Status, read_cells


@pytest.fixture(scope="module")
def cell(tmp_path_factory: pytest.TempPathFactory) -> Cell:
    folder = tmp_path_factory.mktemp("one")
    verdicts = make_dataset(folder / "data", 1)
    run = make_run(folder / "run", folder / "data", verdicts, [maker("a")])
    return next(iter(read_cells(run / NAME)))


def of_statuses(cell: Cell, statuses: Sequence[Status]) -> pd.DataFrame:
    """One cell of each status, every one of another task and origin."""
    frame = cells_frame(
        replace(cell, status=status, task_id=f"task {place}", origin=f"origin {place}")
        for place, status in enumerate(statuses)
    )
    frame["cluster"] = frame["origin"]
    return frame


def test_an_echoed_question_stays_in_the_denominator(cell: Cell) -> None:
    """Of three replies two are right and one cannot be used: 67%, not 100%."""
    found = rates(of_statuses(cell, ["correct", "correct", "unparsed"]))
    assert found.per_completed.value == pytest.approx(2 / 3)
    assert found.per_planned.value == pytest.approx(2 / 3)


def test_each_status_counts_where_it_belongs(cell: Cell) -> None:
    """R holds what came back, right or not, cut off or unreadable; N holds everything."""
    back: list[Status] = ["correct", "wrong", "unparsed", "truncated"]
    lost: list[Status] = ["over_length", "no_response", "engine_error", "pending"]
    found = rates(of_statuses(cell, [*back, *lost]))
    assert (found.correct, found.completed, found.planned) == (1, 4, 8)
    assert found.per_completed.value == pytest.approx(1 / 4)
    assert found.per_planned.value == pytest.approx(1 / 8)
    assert found.per_planned.note == TOO_FEW


def test_a_run_that_only_began_has_no_rate_of_completed_ones(cell: Cell) -> None:
    """Where nothing came back C/R is nothing to estimate, and C/N is 0."""
    begun: list[Status] = ["pending" for _ in range(12)]
    found = rates(of_statuses(cell, begun))
    assert found.per_completed.value is None
    assert found.per_planned.value == 0.0
    assert found.per_planned.low == 0.0


def test_only_the_selected_repeat_counts(tmp_path: Path) -> None:
    """Accuracy is about repeat 0 of each task, whatever later repeats say."""
    verdicts = make_dataset(tmp_path / "data", 5)
    run = make_run(tmp_path / "run", tmp_path / "data", verdicts, [maker("a", repeats=3)])
    results = gather([read_run(run)], Options())
    assert len(results.cells) == 60
    assert len(results.selected) == 20
    assert set(results.selected["repeat"]) == {0}


def test_uncertainty_clusters_on_what_is_asked_for(tmp_path: Path) -> None:
    """By origin there are fewer clusters than by program, and the choice reaches the estimate."""
    verdicts = make_dataset(tmp_path / "data", 40, per_origin=4)
    run = read_run(make_run(tmp_path / "run", tmp_path / "data", verdicts, [maker("a")]))
    counts = {
        cluster: rates(gather([run], Options(cluster=cluster)).selected).per_planned.clusters
        for cluster in ("origin", "program")
    }
    assert counts == {"origin": len({v.case.origin for v in verdicts}), "program": 40}
    assert counts["origin"] < 40


def test_pairs_of_repeats() -> None:
    """Right answers agree however they are written; no answer agrees with nothing."""
    right, other, none = ("5", True), ("6", False), (None, False)
    assert pair_shares([right, (" 5", True)]) == (1.0, 0.0)
    assert pair_shares([right, right, other]) == pytest.approx((1 / 3, 2 / 3))
    assert pair_shares([other, other]) == (1.0, 0.0)
    assert pair_shares([none, none]) == (0.0, 0.0)


def test_agreement_is_over_tasks_that_were_answered_twice(cell: Cell) -> None:
    """Tasks weigh alike whatever their repeats; one with a single reply is left out."""
    told: list[tuple[int, str, Status]] = [
        *((1, "5", "correct"), (1, "5", "correct")),
        *((2, "5", "correct"), (2, "6", "wrong"), (2, "6", "wrong")),
        *((3, "5", "correct"), (3, "5", "no_response")),
    ]
    frame = cells_frame(
        replace(cell, task_id=f"task {task}", answer=answer, status=status, repeat=place)
        for place, (task, answer, status) in enumerate(told)
    )
    frame["cluster"] = frame["origin"]
    found = agreement(frame)
    assert (found.tasks, found.replies) == (2, 5)
    assert found.same_answer.value == pytest.approx((1 + 1 / 3) / 2)
    assert found.flips.value == pytest.approx((0 + 2 / 3) / 2)


def test_identical_repeats_are_noticed(cell: Cell) -> None:
    """Repeats are identical when nothing tells any two apart; one token more does."""
    same = [replace(cell, status="wrong", repeat=repeat) for repeat in range(3)]
    assert all_identical(cells_frame(same))
    longer = replace(same[2], completion_tokens=(cell.completion_tokens or 0) + 1)
    assert not all_identical(cells_frame([*same[:2], longer]))
    assert not all_identical(cells_frame(same[:1]))
