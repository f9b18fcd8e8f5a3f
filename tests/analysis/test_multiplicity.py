"""P-values that take into account how many tests there were."""

from __future__ import annotations

import pytest

from deskcheck.analysis.statistics.multiplicity import adjusted


def test_p_values_are_adjusted_by_the_size_of_the_family() -> None:
    """Holm's and Benjamini and Hochberg's, worked out by hand, in the order that was given."""
    found = adjusted([0.04, 0.01, 0.30, 0.02])
    assert [each.p for each in found] == [0.04, 0.01, 0.30, 0.02]
    assert [each.holm for each in found] == pytest.approx([0.08, 0.04, 0.30, 0.06])
    assert [each.benjamini_hochberg for each in found] == pytest.approx(
        [0.04 * 4 / 3, 0.04, 0.30, 0.04]
    )


def test_an_empty_family_has_no_p_values() -> None:
    """No test, nothing to adjust."""
    assert adjusted([]) == ()
