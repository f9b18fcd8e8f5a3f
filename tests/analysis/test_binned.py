"""Bins hold about equally many rows, never part equal values, and do not depend on row order."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.analysis.statistics.binned import binned
from deskcheck.analysis.statistics.estimates import TOO_FEW, proportion


def test_values_without_ties_make_bins_of_one_size() -> None:
    """80 different values make 8 bins of 10, each with the rate and interval of its own rows."""
    rng = np.random.default_rng(1)
    measure, hits = rng.permutation(80) / 4, (rng.random(80) < 0.4).astype(np.float64)
    labels = np.arange(80) // 2
    bins = binned(measure, hits, labels)
    assert [each.estimate.n for each in bins] == [10] * 8
    for each in bins:
        inside = (measure >= each.low) & (measure <= each.high)
        assert each.estimate == proportion(hits[inside], labels[inside])
        assert each.centre == pytest.approx(measure[inside].mean())


@given(st.lists(st.tuples(st.integers(0, 12), st.booleans()), min_size=1, max_size=60))
def test_every_row_is_in_one_bin_with_its_equals(rows: list[tuple[int, bool]]) -> None:
    """Bins do not overlap, together they hold every row and hit, and rows may come in any order."""
    measure = np.array([float(value) for value, _ in rows])
    hits = np.array([float(hit) for _, hit in rows])
    labels = np.arange(len(rows))
    bins = binned(measure, hits, labels, 5)
    assert 1 <= len(bins) <= 5
    assert all(one.high < other.low for one, other in pairwise(bins))
    assert all(each.low <= each.centre <= each.high for each in bins)
    assert sum(each.estimate.n for each in bins) == len(rows)
    found = sum((each.estimate.value or 0.0) * each.estimate.n for each in bins)
    assert found == pytest.approx(hits.sum())
    again = binned(measure[::-1], hits[::-1], labels[::-1], 5)
    assert [(each.low, each.high, each.estimate.value) for each in again] == [
        (each.low, each.high, each.estimate.value) for each in bins
    ]


def test_few_clusters_leave_a_rate_without_an_interval() -> None:
    """Rows of two clusters are binned all the same, and the reason stands in place of intervals."""
    bins = binned(np.arange(40.0), np.tile([1.0, 0.0], 20), np.tile([0, 0, 1, 1], 10), 2)
    assert [(each.estimate.value, each.estimate.note) for each in bins] == [(0.5, TOO_FEW)] * 2


def test_nothing_makes_no_bins() -> None:
    """Without rows there is nothing to draw."""
    assert binned(np.empty(0), np.empty(0), np.empty(0)) == ()
