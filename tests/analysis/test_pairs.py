"""Pairs are counted as one would count them by hand, and tests say what they take for granted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.analysis.synthetic import floor, make_dataset, make_run, maker, usual_makers

from deskcheck.analysis.blocks import Table, Text
from deskcheck.analysis.pairs import (
    ABOUT,
    CONTRASTS,
    arm_pairs,
    change_tests,
    cluster_equal_difference,
    paired,
    parts,
    setting_pairs,
    within_studies,
)
from deskcheck.analysis.results import Options, Results, gather
from deskcheck.analysis.runs import read_run
from deskcheck.analysis.sections.paired import section
from deskcheck.analysis.statistics.estimates import NOTHING, ONE_VALUE, TOO_FEW
from deskcheck.evaluate.cells import COMPLETED

NAN = float("nan")


def frame(
    first: list[float], second: list[float], clusters: list[str], **about: str
) -> pd.DataFrame:
    """Pairs with these outcomes, all about the same but for their cluster."""
    told = {name: about.get(name, f"some {name}") for name in ABOUT}
    return pd.DataFrame({**told, "cluster": clusters, "first": first, "second": second})


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("pairs")
    verdicts = make_dataset(folder / "data", 45)
    makers = [
        *usual_makers(),
        maker("lossy", 1.0, lost=0.15, truncated=0.1, unparsed=0.1, pending=0.05),
    ]
    return gather(
        [read_run(make_run(folder / "run", folder / "data", verdicts, makers))], Options()
    )


@pytest.mark.parametrize(("first", "second"), CONTRASTS)
def test_changes_are_those_that_one_counts(results: Results, first: str, second: str) -> None:
    """Counts by setting equal those of walking through cells; what did not come back is missing."""
    status = {(c.setting, c.case_id, str(c.arm)): c.status for c in results.runs[0].cells}
    pairs = arm_pairs(results.selected, first, second)  # type: ignore[arg-type]
    for name in ("lossy", "grand-70b-off"):
        found = paired(pairs[pairs["setting"] == name])
        kinds = {"both": 0, "gone": 0, "come": 0, "neither": 0, "missing": 0}
        cases = sorted({case for setting, case, _ in status if setting == name})
        for case in cases:
            left, right = status[name, case, first], status[name, case, second]
            if not {left, right} <= COMPLETED:
                kinds["missing"] += 1
            else:
                key = {(1, 1): "both", (1, 0): "gone", (0, 1): "come", (0, 0): "neither"}
                kinds[key[left == "correct", right == "correct"]] += 1
        assert kinds == {
            "both": found.both,
            "gone": found.first_only,
            "come": found.second_only,
            "neither": found.neither,
            "missing": found.missing,
        }
        hits = [
            sum(status[name, case, arm] == "correct" for case in cases) for arm in (first, second)
        ]
        assert found.missing_as_wrong.value == pytest.approx((hits[0] - hits[1]) / len(cases))
        assert found.missing_as_wrong.n == len(cases)


def test_the_difference_is_what_counts_of_changes_add_up_to(results: Results) -> None:
    """It is right-to-wrong less wrong-to-right over complete pairs, and of the two rates."""
    pairs = arm_pairs(results.selected, "short-trace-final", "post-loop-state")
    found = paired(pairs)
    value = (found.first_only - found.second_only) / found.complete
    assert found.difference.value == pytest.approx(value)
    assert found.first_rate is not None and found.second_rate is not None
    assert found.first_rate - found.second_rate == pytest.approx(value)
    assert found.complete + found.missing == len(pairs)
    turned = paired(pairs.rename(columns={"first": "second", "second": "first"}))
    assert turned.difference.value == pytest.approx(-value)
    assert turned.tests == found.tests


def test_pairs_without_a_missing_side_have_one_difference(results: Results) -> None:
    """Where nothing is missing, counting what is missing as wrong changes nothing."""
    pairs = arm_pairs(results.selected, "short-trace-final", "long-trace-final")
    found = paired(pairs[pairs["setting"] == "middle-14b-off"])
    assert found.missing == 0
    assert found.missing_as_wrong == found.difference


def test_clusters_alike_have_one_vote_each() -> None:
    """A large cluster moves the pooled difference, and the cluster-equal one by its one vote."""
    values = np.array([1.0] * 60 + [0.0] * 20)
    clusters = np.array(["large"] * 60 + [f"small {n}" for n in range(20)], dtype=object)
    found = cluster_equal_difference(values, clusters)
    assert found.value == pytest.approx(1 / 21)
    assert (found.n, found.clusters) == (21, 21)


def test_no_pair_is_named() -> None:
    """Without pairs there is neither a number nor a test, and no error."""
    found = paired(frame([], [], []))
    assert (found.complete, found.first_rate, found.second_rate) == (0, None, None)
    for estimate in (found.difference, found.missing_as_wrong, found.cluster_equal):
        assert (estimate.value, estimate.note) == (None, NOTHING)
    assert (found.tests.exact, found.tests.chi_square, found.tests.clustered) == (None, None, None)


def test_pairs_of_which_every_one_misses_a_side_are_named() -> None:
    """Nothing is left to estimate, but for where missing counts as wrong."""
    found = paired(frame([1.0, NAN] * 10, [NAN, 0.0] * 10, [str(n) for n in range(20)]))
    assert (found.complete, found.missing, found.difference.note) == (0, 20, NOTHING)
    assert found.missing_as_wrong.value == pytest.approx(0.5)


def test_pairs_that_never_change_are_named() -> None:
    """All concordant: a difference of zero without an interval, and tests that find nothing."""
    found = paired(frame([1.0, 0.0] * 20, [1.0, 0.0] * 20, [str(n) for n in range(40)]))
    assert (found.both, found.neither, found.difference.value) == (20, 20, 0.0)
    assert found.difference.note == found.cluster_equal.note == ONE_VALUE
    assert (found.tests.exact, found.tests.chi_square, found.tests.clustered) == (1.0, 1.0, 1.0)


def test_one_cluster_is_named() -> None:
    """One source gives counts and McNemar's test, and neither interval nor clustered test."""
    found = paired(frame([1.0] * 30, [0.0] * 20 + [1.0] * 10, ["one"] * 30))
    assert (found.first_only, found.difference.note) == (20, TOO_FEW)
    assert found.cluster_equal.note == TOO_FEW
    assert found.tests.exact is not None and found.tests.exact < 0.001
    assert found.tests.clustered is None


@pytest.mark.slow
@pytest.mark.parametrize(("gone", "come"), [(12, 3), (3, 12), (7, 7), (1, 0), (40, 21), (528, 147)])
def test_mcnemar_is_that_of_statsmodels(gone: int, come: int) -> None:
    """Exact p-values and those of chi-square are theirs; no change is corrected to less than none,
    as R has it."""
    from statsmodels.stats.contingency_tables import mcnemar

    values = np.repeat([1.0, -1.0, 0.0], [gone, come, 30])
    found, table = change_tests(values, np.arange(len(values))), [[11, gone], [come, 19]]
    exact = vars(mcnemar(table, exact=True))
    chi_square = vars(mcnemar(table, exact=False, correction=gone != come))
    assert found.exact == pytest.approx(exact["pvalue"], rel=1e-9)
    assert found.chi_square == pytest.approx(chi_square["pvalue"], rel=1e-9)


@pytest.mark.parametrize(
    ("gone", "come", "exact", "chi_square"),
    [(12, 3, 0.035156, 0.038867), (7, 7, 1.0, 1.0), (1, 0, 1.0, 1.0)],
)
def test_mcnemar_by_hand(gone: int, come: int, exact: float, chi_square: float) -> None:
    """A fair coin gives 3 or fewer of 15, or as many of the other side, in 1,152 of 32,768 tries;
    and (|12 - 3| - 1)^2 / 15 is 4.267."""
    found = change_tests(np.repeat([1.0, -1.0, 0.0], [gone, come, 30]), np.arange(gone + come + 30))
    assert found.exact == pytest.approx(exact, abs=1e-6)
    assert found.chi_square == pytest.approx(chi_square, abs=1e-6)


def test_the_clustered_test_is_obuchowski_s() -> None:
    """It equals his statistic by his own definition, of variances and covariance of both rates."""
    from scipy.special import chdtrc  # type: ignore[import-untyped]

    rng = np.random.default_rng(12)
    clusters = np.repeat(np.arange(25), rng.integers(1, 9, 25))
    first = (rng.random(len(clusters)) < 0.7).astype(np.float64)
    second = (rng.random(len(clusters)) < 0.5).astype(np.float64)
    sizes, total, count = np.bincount(clusters), len(clusters), 25
    pooled = (first.mean() + second.mean()) / 2
    left, right = (np.bincount(clusters, side) - sizes * pooled for side in (first, second))
    scale = count / (count - 1) / total**2
    variance = scale * ((left**2).sum() + (right**2).sum() - 2 * (left * right).sum())
    statistic = (first.mean() - second.mean()) ** 2 / variance
    found = change_tests(first - second, clusters)
    assert found.clustered == pytest.approx(chdtrc(1, statistic))


@pytest.mark.slow
@pytest.mark.parametrize(("gone", "shown"), [(5, False), (6, True)])
def test_few_changes_say_little_whichever_way_they_are_weighed(gone: int, shown: bool) -> None:
    """Five clusters that change, all one way, are no proof to a sign test; so neither interval nor
    the clustered test is given for fewer than six."""
    found = paired(
        frame([1.0] * 60, [0.0] * gone + [1.0] * (60 - gone), [str(n) for n in range(60)])
    )
    for estimate in (found.difference, found.cluster_equal):
        assert (estimate.note == "") == (estimate.low is not None) == shown
    assert (found.tests.clustered is not None) == shown
    assert found.tests.exact == pytest.approx(2 * 0.5**gone)


def test_only_the_clustered_test_holds_its_level() -> None:
    """Without a true difference but with clusters that change as one, McNemar's p is below 5% far
    too often, and the clustered one about as often as it says."""
    rng = np.random.default_rng(13)
    clusters = np.repeat(np.arange(60), 7)
    naive = clustered = 0
    for _ in range(1_000):
        lean = np.repeat(rng.normal(0, 0.25, 60), 7)
        draw = rng.random(len(clusters))
        values = np.where(draw < 0.25 + lean, 1.0, np.where(draw > 0.75 + lean, -1.0, 0.0))
        found = change_tests(values, clusters)
        assert found.exact is not None and found.clustered is not None
        naive += found.exact < 0.05
        clustered += found.clustered < 0.05
    assert 0.03 <= clustered / 1_000 <= 0.07
    assert naive / 1_000 > 0.15


def test_parts_leave_one_study_out(results: Results) -> None:
    """A study and the pairs without it are all pairs; modes and languages are parts as well."""
    pairs = arm_pairs(results.selected, "short-trace-final", "long-trace-final")
    found = {(part.of, part.name): part.pairs for part in parts(pairs)}
    assert len(found["all", ""]) == len(pairs)
    for study in results.studies:
        assert len(found["study", study]) + len(found["without study", study]) == len(pairs)
        assert set(found["study", study]["study"]) == {study}
        assert study not in set(found["without study", study]["study"])
    modes = {name for of, name in found if of == "reasoning"}
    assert modes == set(pairs["reasoning"])


def test_one_study_is_no_part() -> None:
    """Where there is one study, nothing is said of it apart, nor without it."""
    pairs = frame([1.0] * 12, [0.0, 1.0] * 6, [str(n) for n in range(12)])
    assert [part.of for part in parts(pairs)] == ["all"]


def test_a_study_with_one_source_has_no_interval_within_studies() -> None:
    """Its one cluster cannot be drawn otherwise, so this is named; the pooled interval stands."""
    several = frame([1.0, 0.0] * 20, [0.0, 0.0] * 20, [str(n) for n in range(40)], study="a")
    one = frame([1.0] * 3, [1.0, 0.0, 0.0], ["routine"] * 3, study="b")
    pairs = pd.concat([several, one])
    assert within_studies(pairs).note == "too few clusters in a study"
    assert paired(pairs).difference.note == ""


def test_settings_are_paired_by_task(results: Results) -> None:
    """Two settings meet on each task that both were planned for, whatever the order of cells."""
    cells = results.selected
    left, right = (cells[cells["setting"] == name] for name in ("lossy", "tiny-135m"))
    pairs = setting_pairs(left, right[::-1])
    assert len(pairs) == len(left)
    status = {(c.setting, c.task_id): c.status for c in results.runs[0].cells}
    both = sum(
        status["lossy", task] == status["tiny-135m", task] == "correct" for task in left["task_id"]
    )
    assert paired(pairs).both == both


def test_the_section_has_a_row_for_every_two_arms_and_setting(results: Results) -> None:
    """All models together and each alone, for six pairs of arms; baselines are left out."""
    made = section(results)
    assert made is not None
    table = next(block for block in made.blocks if isinstance(block, Table))
    assert len(table.rows) == 6 * (1 + len(results.models))
    assert not {row[1] for row in table.rows} & {each.name for each in results.floors}
    whole = next(row for row in table.rows if row[1] == "all models")
    own = [row for row in table.rows if row[0] == whole[0] and row[1] != "all models"]
    for place in (2, 3, 4, 5, 6):
        assert whole[place] == sum(row[place] for row in own)  # type: ignore[misc]


def test_a_missing_arm_has_no_pairs(tmp_path: Path) -> None:
    """Two arms that were not both asked are left out; one arm alone is said in words; and a run
    of baselines has no such section."""
    verdicts = make_dataset(tmp_path / "data", 4)

    def of(name: str, *arms: str) -> Results:
        makers = [maker("a", arms=list(arms))] if arms else [floor("short-answer")]
        return gather(
            [read_run(make_run(tmp_path / name, tmp_path / "data", verdicts, makers))], Options()
        )

    two = section(of("two", "short-trace-final", "post-loop-state"))
    assert two is not None
    table = next(block for block in two.blocks if isinstance(block, Table))
    assert [row[0] for row in table.rows] == ["short-trace-final → post-loop-state"]
    one = section(of("one", "long-trace-final"))
    assert one is not None
    assert one.blocks[-1] == Text(text="No model was asked two arms of one case.")
    assert section(of("none")) is None
