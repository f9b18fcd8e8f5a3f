"""Two settings are compared on what both were asked, and equivalence is shown, never assumed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analysis.synthetic import make_dataset, make_run, maker
from tests.analysis.test_pairs import frame

from deskcheck.analysis.comparison import Compared, compare, sensitivity
from deskcheck.analysis.pairs import paired
from deskcheck.analysis.results import Options, gather
from deskcheck.analysis.runs import Run, read_run
from deskcheck.analysis.statistics.estimates import NOTHING, ONE_VALUE, TOO_FEW
from deskcheck.analysis.statistics.resampling import TOO_FEW_UNLIKE
from deskcheck.builder.cases import ARMS


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("compare")
    verdicts = make_dataset(folder / "data", 40)
    makers = [maker("a", 1.5, lost=0.05), maker("b", 0.5)]
    return read_run(make_run(folder / "run", folder / "data", verdicts, makers))


def differences(gone: int, come: int, same: int) -> np.ndarray:
    return np.repeat([1.0, -1.0, 0.0], [gone, come, same])


@pytest.mark.slow
@pytest.mark.parametrize(("gone", "come", "same"), [(10, 8, 120), (30, 5, 40), (2, 9, 300)])
def test_equivalence_is_that_of_two_one_sided_tests(gone: int, come: int, same: int) -> None:
    """Without clustering the p-value is that of statsmodels' paired test."""
    from statsmodels.stats.weightstats import ttost_paired

    values = differences(gone, come, same)
    found = sensitivity(values, np.arange(len(values)), 0.05)
    expected, _, _ = ttost_paired(values, np.zeros(len(values)), -0.05, 0.05)
    assert found.equivalence_p == pytest.approx(expected)


@pytest.mark.slow
def test_the_detectable_difference_is_found_with_the_stated_power() -> None:
    """Without clustering a t-test of that effect has a power of 80%, as statsmodels computes it."""
    from statsmodels.stats.power import TTestPower

    values = differences(20, 10, 70)
    found = sensitivity(values, np.arange(100), 0.05)
    assert found.detectable is not None
    effect = found.detectable / values.std(ddof=1)
    assert TTestPower().power(effect, 100, 0.05) == pytest.approx(0.8, abs=0.005)


def test_clustering_makes_less_detectable() -> None:
    """The same differences from fewer sources show less, and are harder to call equivalent."""
    values = np.repeat(differences(10, 8, 62), 4)
    apart, together = (
        sensitivity(values, each, 0.05) for each in (np.arange(320), np.arange(320) // 4)
    )
    assert apart.detectable is not None and together.detectable is not None
    assert together.detectable == pytest.approx(2 * apart.detectable, rel=0.03)
    assert apart.equivalence_p is not None and together.equivalence_p is not None
    assert together.equivalence_p > apart.equivalence_p


@given(st.integers(0, 30), st.integers(0, 30), st.floats(0.01, 0.5), st.floats(0.01, 0.5))
def test_a_wider_margin_is_easier_to_keep(gone: int, come: int, one: float, other: float) -> None:
    """The p-value falls with the margin and does not know which side is called the first."""
    values, labels = differences(gone + 6, come, 60), np.arange(gone + come + 66)
    narrow, wide = (sensitivity(values, labels, each) for each in sorted((one, other)))
    assert narrow.equivalence_p is not None and wide.equivalence_p is not None
    assert narrow.equivalence_p >= wide.equivalence_p
    assert sensitivity(-values, labels, one) == sensitivity(values, labels, one)


def test_what_cannot_be_shown_is_named() -> None:
    """No pair, too few clusters, and none or few discordant pairs have a reason for no numbers."""
    for values, clusters, note in (
        (np.empty(0), 1, NOTHING),
        (differences(9, 3, 60), 9, TOO_FEW),
        (np.zeros(40), 40, ONE_VALUE),
        (differences(5, 0, 300), 305, TOO_FEW_UNLIKE),
    ):
        found = sensitivity(values, np.arange(len(values)) % clusters, 0.05)
        assert (found.detectable, found.equivalence_p, found.note) == (None, None, note)


@pytest.mark.parametrize(
    ("first_only", "second_only", "same", "verdict"),
    [
        (60, 10, 230, "differs"),
        (5, 4, 891, "equivalent"),
        (22, 4, 1_474, "differs, within the margin"),
        (18, 14, 68, "undecided"),
        (0, 0, 100, ONE_VALUE),
        (1, 0, 55, TOO_FEW_UNLIKE),
        (2, 1, 5, TOO_FEW),
    ],
)
def test_verdicts(first_only: int, second_only: int, same: int, verdict: str) -> None:
    """What differs, what is equivalent, both, and neither, are four things."""
    first = [1.0] * first_only + [0.0] * second_only + [1.0] * same
    second = [0.0] * first_only + [1.0] * (second_only + same)
    pairs = frame(first, second, [str(n) for n in range(len(first))])
    values = np.array(first) - np.array(second)
    found = Compared(
        of="all",
        name="",
        paired=paired(pairs),
        sensitivity=sensitivity(values, np.arange(len(values)), 0.05),
    )
    assert found.verdict == verdict


def test_settings_are_compared_as_a_whole_and_in_parts(run: Run) -> None:
    """Arms add up to all pairs, and so do studies; the difference is the first less the second."""
    cells = gather([run], Options()).selected
    first, second = (cells[cells["setting"] == name] for name in "ab")
    found = compare(first, second)
    whole = found.parts[0].paired
    for of, count in (("arm", len(ARMS)), ("study", 3)):
        own = [part.paired for part in found.parts if part.of == of]
        assert len(own) == count
        for name in ("both", "first_only", "second_only", "neither", "missing"):
            assert getattr(whole, name) == sum(getattr(part, name) for part in own)
    assert whole.difference.value is not None and whole.difference.value > 0
    assert compare(second, first).parts[0].paired.difference.value == -whole.difference.value
    assert (found.only_first, found.only_second) == ((), ())


def test_tasks_that_only_one_was_asked_are_listed(run: Run) -> None:
    """They are left out of the pairs and named by id, in order."""
    cells = gather([run], Options()).selected
    first, second = (cells[cells["setting"] == name] for name in "ab")
    found = compare(first[10:], second[:-5])
    assert found.only_first == tuple(sorted(second["task_id"][-5:]))
    assert found.only_second == tuple(sorted(first["task_id"][:10]))
    whole = found.parts[0].paired
    assert whole.complete + whole.missing == len(first) - 15


def test_tasks_of_two_datasets_meet_by_id(run: Run, tmp_path: Path) -> None:
    """Runs on two versions of a dataset share the cases that are the same in both."""
    verdicts = make_dataset(tmp_path / "data", 20)
    other = read_run(make_run(tmp_path / "run", tmp_path / "data", verdicts, [maker("a", 1.0)]))
    assert other.config.dataset_id != run.config.dataset_id
    sides = [gather([each], Options()).selected for each in (run, other)]
    first, second = (cells[cells["setting"] == "a"] for cells in sides)
    found = compare(first, second)
    shared = {cell.task_id for cell in run.cells} & {cell.task_id for cell in other.cells}
    assert len(shared) == 80
    whole = found.parts[0].paired
    assert whole.complete + whole.missing == len(shared)
    assert len(found.only_first) == 80


def test_only_the_selected_reply_is_compared(tmp_path: Path) -> None:
    """Further repeats make no further pairs."""
    verdicts = make_dataset(tmp_path / "data", 5)
    makers = [maker("a", repeats=3), maker("b")]
    run = read_run(make_run(tmp_path / "run", tmp_path / "data", verdicts, makers))
    cells = gather([run], Options()).selected
    first, second = (cells[cells["setting"] == name] for name in "ab")
    found = compare(first, second)
    assert found.parts[0].paired.complete == 20
    assert replace(found, parts=()) == replace(found, parts=(), only_first=(), only_second=())
