"""Static measures are those of the source that each arm shows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.analysis.synthetic import make_dataset, make_run, maker

from deskcheck.analysis.blocks import Table
from deskcheck.analysis.results import Options, Results, gather
from deskcheck.analysis.runs import read_run
from deskcheck.analysis.sections.static import STATIC, section
from deskcheck.analysis.statistics.estimates import Estimate
from deskcheck.builder.dataset import read_dataset


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """One model on 36 cases, whose complexity in the post-loop arm tells right from wrong."""
    folder: Path = tmp_path_factory.mktemp("static")
    verdicts = make_dataset(folder / "data", 36)
    run = make_run(folder / "run", folder / "data", verdicts, [maker("a", 0.5)])
    found = gather([read_run(run)], Options(), read_dataset(folder / "data"))
    assert found.dataset is not None
    wrong = set(found.cells[found.cells["status"] != "correct"]["task_id"])
    measures = tuple(
        replace(each, cyclomatic=9 if each.task_id in wrong else 4)
        if each.arm == "post-loop-state"
        else replace(each, cyclomatic=5)
        for each in found.dataset.measures
    )
    return replace(found, dataset=replace(found.dataset, measures=measures))


def test_each_arm_has_the_measures_of_its_own_source(results: Results) -> None:
    """Complexity tells everything in the arm whose source it was changed in, elsewhere nothing."""
    made = section(results)
    assert made is not None
    (table,) = [each for each in made.blocks if isinstance(each, Table) and each.name == "static"]
    names = [column.name for column in table.columns]
    rows = [dict(zip(names, row, strict=True)) for row in table.rows]
    complexity = [row for row in rows if row["measure"] == "cyclomatic complexity"]
    assert len(complexity) == 4 * 3
    for row in complexity:
        theta = row["theta"]
        assert isinstance(theta, Estimate)
        if row["wrong"] and row["right"]:
            assert theta.value == (1.0 if row["arm"] == "post-loop-state" else 0.5)
    assert {row["measure"] for row in rows} == {each.said for each in STATIC}


def test_no_measure_of_an_execution_is_among_them() -> None:
    """They can be read off the source, the input and the expected answer."""
    assert [each.name for each in STATIC] == [
        "cyclomatic",
        "source_characters",
        "nesting",
        "data_flow",
        "stdin_characters",
        "answer_characters",
    ]
