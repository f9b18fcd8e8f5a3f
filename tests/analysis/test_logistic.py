"""Fits agree with other implementations, find known effects, and name what they cannot tell."""

from __future__ import annotations

import csv
import math
import shutil
import subprocess
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import stdtrit  # type: ignore[import-untyped]

from deskcheck.analysis.statistics.collinearity import COLLINEAR, CONSTANT
from deskcheck.analysis.statistics.estimates import NOTHING, TOO_FEW, Floats, Labels
from deskcheck.analysis.statistics.logistic import (
    Dropped,
    Model,
    Slope,
    logistic,
    separated,
)
from deskcheck.analysis.statistics.slopes import ONE_DECIDES, TOO_WIDE
from deskcheck.analysis.statistics.theta import ONE_OUTCOME, ONE_SIDE, SEPARATED

REFERENCES = Path(__file__).parent / "references"
SLOPES = ("trace", "peak", "load")

Rows = tuple[Floats, dict[str, Floats], dict[str, Labels], Labels]
"""The arguments of `logistic`."""


@pytest.fixture(autouse=True)
def silence() -> Iterator[None]:
    """No warning may reach the user, whatever the data."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def reference_rows() -> Rows:
    """The data of the reference, 256 rows in 24 clusters."""
    with (REFERENCES / "clustered_logistic.csv").open() as file:
        rows = list(csv.DictReader(file))

    def column(name: str) -> Labels:
        return np.array([row[name] for row in rows], dtype=object)

    return (
        column("error").astype(np.float64),
        {name: column(name).astype(np.float64) for name in SLOPES},
        {name: column(name) for name in ("study", "arm", "setting")},
        column("cluster"),
    )


def made(
    seed: int,
    *,
    clusters: int = 60,
    slopes: tuple[float, ...] = (0.4, -0.2),
    spread: float = 0.0,
    settings: int = 4,
) -> Rows:
    """Answers of settings to clusters of one to three cases; origins differ by `spread` logits."""
    rng = np.random.default_rng(seed)
    cases = np.repeat(np.arange(clusters), rng.integers(1, 4, clusters))
    labels = np.repeat(cases, settings)
    setting = np.tile(np.arange(settings), len(cases))
    predictors = {
        f"m{place}": np.repeat(rng.normal(8, 1.5, len(cases)), settings)
        for place in range(len(slopes))
    }
    logit = 0.5 * setting - 0.5 + spread * rng.normal(0, 1, clusters)[labels]
    for slope, values in zip(slopes, predictors.values(), strict=True):
        logit = logit + slope * (values - 8)
    error = (rng.random(len(logit)) < 1 / (1 + np.exp(-logit))).astype(np.float64)
    return error, predictors, {"setting": setting}, labels


def log_odds(slope: Slope) -> float:
    assert slope.reduced.value is not None
    return math.log(slope.reduced.value)


def errors_of(slope: Slope) -> tuple[float, float]:
    """Standard errors behind the two intervals."""
    found = []
    for estimate, freedom in ((slope.reduced, slope.freedom), (slope.sandwich, math.inf)):
        assert estimate.low is not None
        assert estimate.high is not None
        assert freedom is not None
        width = math.log(estimate.high / estimate.low)
        found.append(width / 2 / float(stdtrit(freedom, 0.975)))
    return found[0], found[1]


def recorded() -> dict[str, dict[str, float]]:
    with (REFERENCES / "clustered_logistic.expected.csv").open() as file:
        return {
            row.pop("predictor"): {name: float(value) for name, value in row.items()}
            for row in csv.DictReader(file)
        }


def test_it_agrees_with_r() -> None:
    """Slopes are glm's, the sandwich is that of `sandwich`, CR2 and its degrees of freedom are
    those of `clubSandwich` for the last working fit; its CR2 for a glm differs by less than 1%."""
    model, expected = logistic(*reference_rows()), recorded()
    assert (model.rows, model.clusters, model.note) == (256, 24, "")
    for slope in model.slopes:
        theirs = expected[slope.predictor]
        reduced, sandwich = errors_of(slope)
        assert log_odds(slope) == pytest.approx(theirs["slope"], abs=1e-8)
        assert sandwich == pytest.approx(theirs["cr1"], rel=1e-7)
        assert reduced == pytest.approx(theirs["cr2"], rel=1e-7)
        assert slope.freedom == pytest.approx(theirs["freedom"], rel=1e-7)
        assert reduced == pytest.approx(theirs["cr2_glm"], rel=0.01)
        assert slope.freedom == pytest.approx(theirs["freedom_glm"], rel=0.01)


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
@pytest.mark.slow
def test_recorded_numbers_are_those_of_r() -> None:
    """The script that made them makes them again."""
    data = (REFERENCES / "clustered_logistic.csv").read_text()
    ended = subprocess.run(
        ["Rscript", str(REFERENCES / "clustered_logistic.R")],
        input=data,
        capture_output=True,
        text=True,
        check=False,
    )
    if "there is no package" in ended.stderr:
        pytest.skip("R has no clubSandwich or no sandwich")
    lines = list(csv.DictReader(ended.stdout.splitlines()))
    assert len(lines) == len(SLOPES)
    for row in lines:
        theirs = recorded()[row.pop("predictor")]
        assert {k: float(v) for k, v in row.items()} == pytest.approx(theirs, rel=1e-6)


def test_intercepts_cost_nothing_of_the_slopes() -> None:
    """The same slopes and errors as from a design written out by hand for statsmodels' Logit."""
    from statsmodels.discrete.discrete_model import Logit

    error, predictors, factors, labels = made(5, spread=0.5)
    model = logistic(error, predictors, factors, labels)
    dummies = [factors["setting"] == level for level in range(4)]  # all levels, no common one
    design = np.column_stack([*dummies, *predictors.values()]).astype(np.float64)
    theirs = Logit(error, design).fit(
        disp=0, tol=1e-12, cov_type="cluster", cov_kwds={"groups": labels}
    )
    for place, slope in enumerate(model.slopes):
        assert log_odds(slope) == pytest.approx(theirs.params[4 + place], abs=1e-7)
        assert errors_of(slope)[1] == pytest.approx(theirs.bse[4 + place], rel=1e-6)


@pytest.mark.slow
def test_known_effects_lie_inside_their_intervals() -> None:
    """Without a spread of origins the slopes are those that answers were drawn with; of 40 slopes
    in 20 studies, at least 34 are covered, and none is far off."""
    inside = []
    for seed in range(20):
        model = logistic(*made(seed, clusters=80))
        for slope, truth in zip(model.slopes, (0.4, -0.2), strict=True):
            estimate = slope.reduced
            assert estimate.low is not None
            assert estimate.high is not None
            inside.append(estimate.low <= math.exp(truth) <= estimate.high)
            assert log_odds(slope) == pytest.approx(truth, abs=0.5)
    assert sum(inside) >= 34


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.1, 10))
def test_order_names_and_units_do_not_matter(seed: int, scale: float) -> None:
    """Rows in another order, clusters and levels of other names, and other units of a predictor
    give the same slopes, errors and factors but for those units."""
    error, predictors, factors, labels = made(seed, clusters=25, spread=0.5)
    model = logistic(error, predictors, factors, labels)
    order = np.random.default_rng(seed).permutation(len(error))
    again = logistic(
        error[order],
        {"m0": predictors["m0"][order] * scale + 3, "m1": predictors["m1"][order]},
        {"setting": np.array([f"s{9 - each}" for each in factors["setting"][order]])},
        np.array([f"origin {each}" for each in labels[order]]),
    )
    assert (again.note, again.rows, again.errors) == (model.note, model.rows, model.errors)
    assert again.condition == pytest.approx(model.condition, rel=1e-6)
    for unit, one, other in zip((scale, 1.0), model.slopes, again.slopes, strict=True):
        if one.reduced.low is None:
            assert one.reduced.note == other.reduced.note
            continue
        assert log_odds(other) * unit == pytest.approx(log_odds(one), abs=1e-5)
        assert other.freedom == pytest.approx(one.freedom, rel=1e-4)
        for mine, theirs in zip(errors_of(one), errors_of(other), strict=True):
            assert theirs * unit == pytest.approx(mine, rel=1e-4)


def named(model: Model) -> str:
    """The reason why there are no intervals; it stands in every estimate."""
    for slope in model.slopes:
        for estimate in (slope.reduced, slope.sandwich):
            assert estimate.low is None
            assert estimate.high is None
            assert estimate.note == model.note
    return model.note


def test_separation_is_named() -> None:
    """A predictor that tells errors from right answers, two that do so together, and one that
    does so up to ties have no estimate."""
    error, predictors, factors, labels = made(3)
    total = predictors["m0"] + predictors["m1"]
    for outcome in (predictors["m0"] > 8, total > 16):
        model = logistic(outcome.astype(np.float64), predictors, factors, labels)
        assert named(model) == SEPARATED
        assert model.slopes[0].reduced.value is None
    # Only where it is 1 all are wrong: its odds ratio is infinite, the rest could be fitted.
    flag = (predictors["m0"] > 9).astype(np.float64)
    some = np.where(flag == 1, 1.0, error)
    assert named(logistic(some, {**predictors, "flag": flag}, factors, labels)) == SEPARATED


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(-2, 2), st.booleans()), min_size=2, max_size=8))
def test_separation_by_one_predictor_is_a_matter_of_order(rows: list[tuple[int, bool]]) -> None:
    """Beside an intercept, a predictor separates just when errors lie at or above some border and
    right answers at or below, or the reverse, not all of them on it."""
    values = np.array([float(value) for value, _ in rows])
    error = np.array([float(wrong) for _, wrong in rows])
    assume(np.ptp(values) > 0)
    first, second = values[error == 1], values[error == 0]
    apart = not len(first) or not len(second)
    apart = apart or bool(first.min() >= second.max() or first.max() <= second.min())
    assert separated(np.column_stack([np.ones(len(rows)), values]), error) == apart


def test_levels_of_one_outcome_are_dropped_and_told() -> None:
    """A setting that is always wrong leaves the others' slopes as they are without it; a study
    that is always right only then is dropped in turn."""
    error, predictors, factors, labels = made(4)
    setting = factors["setting"]
    study = np.where(labels < 5, "easy", "usual")
    factors["study"] = study
    error = np.where(study == "easy", 0.0, error)
    error = np.where(setting == 3, 1.0, error)
    model = logistic(error, predictors, factors, labels)
    kept = (setting != 3) & (study != "easy")
    alone = logistic(
        error[kept],
        {name: values[kept] for name, values in predictors.items()},
        {"setting": setting[kept]},
        labels[kept],
    )
    assert model.slopes == alone.slopes
    assert model.rows == kept.sum()
    assert model.dropped == (
        Dropped(factor="setting", level="3", rows=int((setting == 3).sum()), wrong=True),
        Dropped(
            factor="study",
            level="easy",
            rows=int(((setting != 3) & (study == "easy")).sum()),
            wrong=False,
        ),
    )


def test_a_level_of_one_outcome_is_what_separates_without_being_dropped() -> None:
    """Written as a predictor instead of an intercept, such a level is separation: so the dropped
    rows stand for infinite intercepts, and hide nothing else."""
    error, predictors, factors, labels = made(4)
    flag = (factors["setting"] == 3).astype(np.float64)
    error = np.where(flag == 1, 1.0, error)
    other = {"setting": np.where(flag == 1, 0, factors["setting"])}
    assert named(logistic(error, {**predictors, "flag": flag}, other, labels)) == SEPARATED


def test_what_tells_nothing_is_named() -> None:
    """No rows, one outcome, a constant predictor, one that is a sum, one that levels determine,
    one cluster, and wrong answers of few clusters."""
    error, predictors, factors, labels = made(6)
    none = np.empty(0)
    assert named(logistic(none, {"m": none}, {"setting": none}, none)) == NOTHING
    for outcome in (np.zeros_like(error), np.ones_like(error)):
        assert named(logistic(outcome, predictors, factors, labels)) == ONE_OUTCOME
        assert named(logistic(outcome, predictors, {}, labels)) == ONE_OUTCOME
    for values, why in (
        (np.full_like(error, 5.0), CONSTANT),
        (predictors["m0"] + 2 * predictors["m1"], COLLINEAR),
        (factors["setting"] * 1.0, COLLINEAR),
    ):
        assert named(logistic(error, {**predictors, "m": values}, factors, labels)) == why
    for few in (np.zeros_like(labels), labels % 9):
        model = logistic(error, predictors, factors, few)
        assert named(model) == TOO_FEW
        assert model.slopes[0].reduced.value is not None
        assert model.condition is not None
    rare = np.where(labels < 8, error, 0.0)
    assert named(logistic(rare, predictors, factors, labels)) == ONE_SIDE


def test_a_slope_that_hangs_on_one_cluster_has_no_interval() -> None:
    """A measure that differs in one cluster only has none, and leaves the others theirs."""
    error, predictors, factors, labels = made(8, settings=8)
    rng = np.random.default_rng(1)
    biggest = np.bincount(labels).argmax()
    alone = np.where(labels == biggest, rng.integers(0, 2, len(labels)), 0.0)
    model = logistic(error, {**predictors, "alone": alone}, factors, labels)
    assert model.slopes[-1].reduced.note == model.slopes[-1].sandwich.note == ONE_DECIDES
    assert model.slopes[0].reduced.low is not None


def test_an_interval_beyond_all_use_is_named() -> None:
    """A predictor in units so large that one of them never occurs has no odds ratio for one."""
    error, predictors, factors, labels = made(10)
    tiny = {"m0": predictors["m0"] / 10_000, "m1": predictors["m1"]}
    wide, usual = logistic(error, tiny, factors, labels).slopes
    assert (wide.reduced.value, wide.reduced.low, wide.reduced.note) == (None, None, TOO_WIDE)
    assert wide.sandwich.note == TOO_WIDE
    assert usual.reduced.low is not None


def test_redundant_intercepts_are_left_out() -> None:
    """Two factors that say the same give the slopes of one, and so does a level of one study."""
    error, predictors, factors, labels = made(9)
    twice = {**factors, "again": factors["setting"] + 10, "one": np.zeros(len(labels))}
    one, both = (logistic(error, predictors, each, labels) for each in (factors, twice))
    for first, second in zip(one.slopes, both.slopes, strict=True):
        assert log_odds(first) == pytest.approx(log_odds(second), abs=1e-9)
        assert errors_of(first) == pytest.approx(errors_of(second), rel=1e-7)
