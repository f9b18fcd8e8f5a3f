"""Each usable answer stands beside the measures of its own task, and the others are counted."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from tests.analysis.measured import MAKERS, Pool, measured_results
from tests.analysis.synthetic import maker

from deskcheck.analysis.frames import labels
from deskcheck.analysis.measures import (
    EXECUTION,
    MEASURES,
    NO_STATE,
    NOT_COMPLETED,
    ZERO,
    complete,
    measured,
)
from deskcheck.analysis.results import Results
from deskcheck.evaluate.cells import COMPLETED


@pytest.fixture(scope="module")
def results() -> Results:
    pools = (Pool(name="a", origins=5, cases=2), Pool(name="b", origins=3, with_state=False))
    repeated = maker("often", 0.5, lost=0.2)
    return measured_results(3, pools=pools, makers=(*MAKERS, repeated))


def test_measures_are_those_of_the_answers_own_task(results: Results) -> None:
    """Every row has the measures of its case in its arm, and whether it was wrong."""
    found = measured(results)
    assert found is not None
    assert results.dataset is not None
    by_task = {(each.case_id, each.arm): each for each in results.dataset.measures}
    status = {
        (cell["setting"], cell["case_id"], cell["arm"]): cell["status"]
        for _, cell in results.selected.iterrows()
    }
    for _, row in found.frame.iterrows():
        own = by_task[row["case_id"], row["arm"]]
        given = status[row["setting"], row["case_id"], row["arm"]]
        assert row["error"] == (given != "correct")
        assert given in COMPLETED
        for measure in MEASURES:
            value = getattr(own, measure.name)
            if value is None:
                assert math.isnan(row[measure.name])
                assert math.isnan(row[measure.exponent])
            else:
                assert row[measure.name] == value
                assert row[measure.exponent] == pytest.approx(math.log2(value))


def test_every_selected_answer_of_a_model_is_used_or_counted(results: Results) -> None:
    """Rows and reasons add up to the planned cells of models; baselines and repeats are neither."""
    found = measured(results)
    assert found is not None
    models = [each.name for each in results.models]
    planned = results.selected[results.selected["setting"].isin(models)]
    usable = int(complete(found.frame, EXECUTION).sum())
    assert usable + sum(found.left_out.values()) == len(planned)
    lost = ~planned["status"].isin(sorted(COMPLETED))
    assert found.left_out[NOT_COMPLETED] == lost.sum()
    assert found.left_out[NO_STATE] == ((planned["study"] == "b") & ~lost).sum()
    assert ZERO not in found.left_out
    assert set(found.frame["setting"]) == set(models)


def test_a_measure_of_zero_has_no_logarithm(results: Results) -> None:
    """Such rows keep their value, have no log2, and are counted for what they are."""
    assert results.dataset is not None
    first = results.dataset.measures[0]
    changed = (replace(first, state_load=0), *results.dataset.measures[1:])
    found = measured(replace(results, dataset=replace(results.dataset, measures=changed)))
    assert found is not None
    zero = found.frame[found.frame["state_load"] == 0]
    assert zero["log2_state_load"].isna().all()
    assert found.left_out[ZERO] == len(zero) > 0


def test_rows_do_not_depend_on_the_order_of_cells(results: Results) -> None:
    """Cells in another order give the same frame."""
    one = measured(results)
    other = measured(replace(results, cells=results.cells[::-1].reset_index(drop=True)))
    assert one is not None
    assert other is not None
    assert one.frame.equals(other.frame)
    assert list(labels(one.frame, "cluster")) == sorted(labels(one.frame, "cluster"))


def test_without_a_dataset_there_are_no_measures(results: Results) -> None:
    """The measures are the dataset's."""
    assert measured(replace(results, dataset=None)) is None
