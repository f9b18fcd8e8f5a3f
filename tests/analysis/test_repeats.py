"""Several tries of one question: what they bring, and where the spread comes from."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analysis.synthetic import make_dataset, make_run, maker

from deskcheck.analysis.blocks import Section, Table
from deskcheck.analysis.results import Options, gather
from deskcheck.analysis.runs import read_run
from deskcheck.analysis.sections.repeats import section
from deskcheck.analysis.statistics.agreement import agreement
from deskcheck.analysis.statistics.estimates import NOTHING, ONE_VALUE, TOO_FEW
from deskcheck.analysis.statistics.pass_at_k import all_of, any_of, tries
from deskcheck.analysis.statistics.rates import rates
from deskcheck.analysis.statistics.variance_split import VarianceSplit, split, variance_split


def cells(statuses: dict[str, list[str]]) -> pd.DataFrame:
    """The repeats of each task by status; a task is its own cluster."""
    rows = [(task, task, each) for task, of_task in statuses.items() for each in of_task]
    return pd.DataFrame(rows, columns=["task_id", "cluster", "status"])


def split_of(right: list[int], repeats: list[int], clusters: list[int]) -> VarianceSplit:
    return split(np.array(right, float), np.array(repeats, float), np.array(clusters))


@given(
    st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n)))
)
def test_both_are_shares_of_all_choices_of_k(counts: tuple[int, int, int]) -> None:
    """They equal the enumeration of every k-subset of the repeats."""
    repeats, right, k = counts
    subsets = list(combinations([True] * right + [False] * (repeats - right), k))
    assert any_of(k, right, repeats) == pytest.approx(np.mean([any(each) for each in subsets]))
    assert all_of(k, right, repeats) == pytest.approx(np.mean([all(each) for each in subsets]))


def test_tries_leave_out_questions_with_too_few_replies() -> None:
    """Lost replies are no tries; unusable ones are, and wrong; each question counts alike."""
    found = {
        each.k: each
        for each in tries(
            cells(
                {
                    "a": ["correct", "wrong", "correct"],
                    "b": ["unparsed", "truncated", "no_response"],
                    "c": ["correct", "no_response", "pending"],
                    "d": ["no_response", "no_response", "no_response"],
                }
            )
        )
    }
    assert list(found) == [1, 2, 3]
    assert [found[k].left_out for k in (1, 2, 3)] == [1, 2, 3]
    assert found[1].any_right.value == pytest.approx((2 / 3 + 0 + 1) / 3)
    assert found[1].all_right.value == found[1].any_right.value
    assert found[2].any_right.value == pytest.approx((1 + 0) / 2)
    assert found[2].all_right.value == pytest.approx((1 / 3 + 0) / 2)
    assert (found[3].any_right.value, found[3].all_right.value) == (1.0, 0.0)
    assert found[3].any_right.n == 1
    assert found[3].any_right.note == TOO_FEW


def test_no_replies_are_no_tries() -> None:
    """Where nothing was completed there is nothing to estimate."""
    assert not list(tries(cells({"a": ["pending", "no_response"]})))


def test_components_are_those_of_a_one_way_analysis_of_variance() -> None:
    """With equal repeats they follow from the mean squares between and within tasks."""
    rng = np.random.default_rng(1)
    answers = rng.random((40, 3)) < rng.random((40, 1))
    found = split(answers.sum(axis=1).astype(float), np.full(40, 3.0), np.arange(40))
    within = answers.var(axis=1, ddof=1).mean()
    between = 3 * answers.mean(axis=1).var(ddof=1)
    assert found.answers == pytest.approx(within)
    assert found.programs == pytest.approx((between - within) / 3)
    assert found.share.value == pytest.approx(within / (within + (between - within) / 3))
    assert found.share_of_mean == pytest.approx(within / between)


def test_the_variance_of_answers_is_half_the_flip_rate() -> None:
    """Both average over the pairs of repeats of each task."""
    frame = cells(
        {
            "a": ["correct", "wrong", "correct", "correct"],
            "b": ["wrong", "correct"],
            "c": ["wrong", "unparsed", "no_response"],
            "d": ["correct"],
        }
    ).assign(answer="1")
    found = variance_split(frame)
    flips = agreement(frame).flips.value
    assert flips is not None
    assert (found.tasks, found.replies) == (3, 8)
    assert found.answers == pytest.approx(flips / 2)


def test_components_are_right_on_average() -> None:
    """Over made-up studies with unequal repeats, both are unbiased."""
    rng = np.random.default_rng(2)
    found = []
    for _ in range(600):
        chances = rng.beta(1, 2, 50)
        repeats = rng.integers(2, 5, 50)
        right = rng.binomial(repeats, chances).astype(float)
        each = split(right, repeats.astype(float), np.arange(50))
        found.append((each.programs, each.answers))
    programs, answers = np.mean(np.array(found, float), axis=0)
    assert programs == pytest.approx(1 / 18, abs=0.002)
    assert answers == pytest.approx(2 / 9 - 1 / 18, abs=0.002)


@pytest.mark.parametrize(
    ("found", "value", "note"),
    [
        (split_of([], [], []), None, NOTHING),
        (split_of([1], [2], [0]), None, NOTHING),
        (split_of([2] * 20, [2] * 20, list(range(20))), None, ONE_VALUE),
        (split_of([2, 0, 1], [2, 2, 2], [0, 1, 2]), 0.5, TOO_FEW),
        (split_of([2, 0] * 10, [2] * 20, list(range(20))), 0.0, ONE_VALUE),
        (split_of([1] * 20, [2] * 20, list(range(20))), 1.0, ONE_VALUE),
    ],
)
def test_what_has_no_split_is_named(found: VarianceSplit, value: float | None, note: str) -> None:
    """Without spread there is no share, and repeats that never differ tell of no interval."""
    assert found.share.value == (None if value is None else pytest.approx(value))
    assert found.share.note == note
    assert found.share.low is None


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second", "repeats"), [(1, 1, 2), (0.3, 0.3, 3), (3, 3, 3)])
def test_intervals_of_the_share_cover_what_they_promise(
    first: float, second: float, repeats: int
) -> None:
    """Nominal 95% intervals hold the true share in 92.5 to 97.5% of made-up studies."""
    rng = np.random.default_rng(3)
    total = first + second
    both = first * second / total**2
    truth = 1 - 1 / (total + 1)
    assert both > 0
    held = []
    for _ in range(1_500):
        right = rng.binomial(repeats, rng.beta(first, second, 80)).astype(float)
        share = split(right, np.full(80, float(repeats)), np.arange(80)).share
        assert share.low is not None and share.high is not None
        held.append(share.low <= truth <= share.high)
    assert 0.925 <= np.mean(held) <= 0.975


def tables(section: Section) -> dict[str, Table]:
    return {each.name: each for each in section.blocks if isinstance(each, Table)}


def test_the_section_tells_of_settings_that_were_asked_more_than_once(tmp_path: Path) -> None:
    """One row for each arm of them, and one try is the rate of all repeats where none is lost."""
    verdicts = make_dataset(tmp_path / "data", 12)
    makers = [maker("once"), maker("often", repeats=4)]
    run = make_run(tmp_path / "run", tmp_path / "data", verdicts, makers)
    results = gather([read_run(run)], Options())
    made = section(results)
    assert made is not None
    found = tables(made)
    assert list(found) == ["repeats", "tries", "variance"]
    assert {row[0] for table in found.values() for row in table.rows} == {"often"}
    assert [row[2] for row in found["tries"].rows[:3]] == ["1", "2", "4"]
    of_arm = results.cells[
        (results.cells["setting"] == "often") & (results.cells["arm"] == "short-trace-final")
    ]
    first = found["tries"].rows[0][4]
    assert getattr(first, "value") == pytest.approx(rates(of_arm).per_completed.value)  # noqa: B009


def test_nothing_was_asked_twice(tmp_path: Path) -> None:
    """Then there is no such section."""
    verdicts = make_dataset(tmp_path / "data", 3)
    run = make_run(tmp_path / "run", tmp_path / "data", verdicts, [maker("once")])
    assert section(gather([read_run(run)], Options())) is None
