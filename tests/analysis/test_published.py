"""Figures published of a study of 400 cases in four arms come out of the same counts here."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests.analysis.test_pairs import frame

from deskcheck.analysis.pairs import Part, paired, parts
from deskcheck.analysis.statistics.rates import Rates, rates
from deskcheck.analysis.texts import percent
from deskcheck.builder.cases import ARMS

CASES = 400
SETTINGS = 7
PLANNED = CASES * len(ARMS)
"""Of one setting."""

ROUTINE = 30 * SETTINGS
"""Pairs of the library routine, which all share one source."""


def cells(correct: int, missing: int = 0, planned: int = PLANNED) -> pd.DataFrame:
    """Cells of one setting: so many right, so many without a reply, and the others wrong."""
    statuses = ["correct"] * correct + ["no_response"] * missing
    statuses += ["wrong"] * (planned - len(statuses))
    clusters = [f"program {number % 371}" for number in range(planned)]
    return pd.DataFrame({"status": statuses, "cluster": clusters})


def both_rates(found: Rates) -> tuple[str, str]:
    assert found.per_completed.value is not None and found.per_planned.value is not None
    return percent(found.per_completed.value), percent(found.per_planned.value)


def pairs(gone: int, come: int, total: int, clusters: int, study: str) -> pd.DataFrame:
    """Pairs of which so many became wrong and so many right, spread over the clusters."""
    first = np.repeat([1.0, 0.0, 1.0], [gone, come, total - gone - come])
    second = np.repeat([0.0, 1.0, 1.0], [gone, come, total - gone - come])
    order = np.random.default_rng(1).permutation(total)
    names = [f"{study} {number % clusters}" for number in range(total)]
    return frame(list(first[order]), list(second[order]), names, study=study)


@pytest.fixture(scope="module")
def shorter_and_longer() -> dict[tuple[str, str], Part]:
    """All 2,397 pairs of Python programs; the routine's 210 have a net change of two, as is seen
    from both published differences."""
    whole = pd.concat([pairs(524, 145, 2_187, 313, "programs"), pairs(4, 2, ROUTINE, 1, "routine")])
    return {(part.of, part.name): part for part in parts(whole)}


def test_528_and_147_changes_are_15_89_points(
    shorter_and_longer: dict[tuple[str, str], Part],
) -> None:
    """2,397 pairs in 314 clusters give the published difference, with an interval about it."""
    found = paired(shorter_and_longer["all", ""].pairs)
    assert (found.complete, found.first_only, found.second_only) == (2_397, 528, 147)
    difference = found.difference
    assert difference.value is not None and difference.low is not None
    assert difference.high is not None
    assert f"{100 * difference.value:.2f}" == "15.89"
    assert difference.clusters == 314
    assert difference.low < difference.value < difference.high
    assert found.tests.exact is not None and found.tests.exact < 1e-40


def test_without_the_routine_it_is_17_33_points(
    shorter_and_longer: dict[tuple[str, str], Part],
) -> None:
    """Leaving out the one study leaves 2,187 pairs in 313 clusters."""
    found = paired(shorter_and_longer["without study", "routine"].pairs).difference
    assert found.value is not None
    assert (found.n, found.clusters, f"{100 * found.value:.2f}") == (2_187, 313, "17.33")
    routine = paired(shorter_and_longer["study", "routine"].pairs).difference
    assert (routine.clusters, routine.low, routine.note) == (1, None, "too few clusters")


def test_339_and_26_changes_among_reasoning_settings() -> None:
    """The counts of the four reasoning settings are those of all less those of the others."""
    reasoning, others = (339, 26), (528 - 339, 147 - 26)
    whole = pd.concat(
        [
            pairs(*reasoning, 1_370, 314, "s").assign(reasoning="high"),
            pairs(*others, 1_027, 314, "s").assign(reasoning="off"),
        ]
    )
    found = {part.name: paired(part.pairs) for part in parts(whole) if part.of == "reasoning"}
    assert (found["high"].first_only, found["high"].second_only) == reasoning
    assert (found["off"].first_only, found["off"].second_only) == (189, 121)
    assert paired(whole).complete == 2_397


def test_missing_responses_lower_only_the_rate_of_planned_ones() -> None:
    """49 of 11,200 are missing, 47 and 2 in two settings, whose rates part by as much as that."""
    assert SETTINGS * PLANNED == 11_200
    off, high = rates(cells(392, 47)), rates(cells(629, 2))
    assert (off.completed, high.completed) == (1_600 - 47, 1_600 - 2)
    assert both_rates(off) == ("25.2", "24.5")
    assert both_rates(high) == ("39.4", "39.3")


def test_the_strongest_setting_by_arm() -> None:
    """Its four arms of 400 add up to its overall rate."""
    by_arm = [372, 308, 262, 254]
    shown = [both_rates(rates(cells(correct, planned=CASES))) for correct in by_arm]
    assert shown == [(each, each) for each in ("93.0", "77.0", "65.5", "63.5")]
    assert both_rates(rates(cells(sum(by_arm)))) == ("74.8", "74.8")


@pytest.mark.parametrize(
    ("high", "off", "shown", "gain"),
    [
        ((1_196, 0), (392, 47), ("74.8", "25.2"), 49.6),
        ((1_021, 0), (138, 0), ("63.8", "8.6"), 55.2),
        ((629, 2), (101, 0), ("39.4", "6.3"), 33.1),
    ],
)
def test_high_over_off(
    high: tuple[int, int], off: tuple[int, int], shown: tuple[str, str], gain: float
) -> None:
    """Rates of completed replies are the published ones; published gains are of rounded rates."""
    with_reasoning, without = rates(cells(*high)), rates(cells(*off))
    assert (both_rates(with_reasoning)[0], both_rates(without)[0]) == shown
    left, right = with_reasoning.per_completed.value, without.per_completed.value
    assert left is not None and right is not None
    assert 100 * (left - right) == pytest.approx(gain, abs=0.1)
    assert round(float(shown[0]) - float(shown[1]), 1) == gain
