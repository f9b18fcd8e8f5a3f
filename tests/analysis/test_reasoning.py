"""The gain of reasoning is that of one model in two modes, on the same questions."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.analysis.synthetic import floor, make_dataset, make_run, maker

from deskcheck.analysis.blocks import Figure, Table
from deskcheck.analysis.reasoning import gains, mode_pairs
from deskcheck.analysis.results import Options, Results, gather
from deskcheck.analysis.runs import read_run
from deskcheck.analysis.sections.reasoning import section
from deskcheck.builder.cases import ARMS


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("reasoning")
    verdicts = make_dataset(folder / "data", 40)
    makers = [
        maker("a-high", 2.5, model="openai/a", reasoning="high"),
        maker("b-off", -0.5, model="openai/b", reasoning="off"),
        maker("a-off", 0.0, model="openai/a", reasoning="off", lost=0.1),
        maker("a-plain", 1.0, model="openai/a"),
        maker("c-high", 1.0, model="openai/c", reasoning="high"),
        floor("short-answer"),
    ]
    return gather(
        [read_run(make_run(folder / "run", folder / "data", verdicts, makers))], Options()
    )


def test_only_modes_of_one_model_are_paired(results: Results) -> None:
    """Every other mode of a model stands over its `off`; models with one mode have no gain."""
    names = [(on.name, off.name) for on, off in mode_pairs(results.models)]
    assert names == [("a-high", "a-off"), ("a-plain", "a-off")]


def test_gains_are_those_that_one_counts(results: Results) -> None:
    """Gained and lost questions, arm by arm, are those of walking through cells."""
    status = {(c.setting, c.task_id): c.status for c in results.runs[0].cells}
    arm_of = {c.task_id: c.arm for c in results.runs[0].cells}
    back = {"correct", "wrong"}
    found = {gain.arm: gain.paired for gain in gains(results) if gain.on.name == "a-high"}
    assert list(found) == [None, *ARMS]
    for arm, own in found.items():
        tasks = [task for task in arm_of if arm in (None, arm_of[task])]
        both = [(status["a-high", task], status["a-off", task]) for task in tasks]
        assert own.first_only == both.count(("correct", "wrong"))
        assert own.second_only == both.count(("wrong", "correct"))
        assert own.missing == sum(not set(each) <= back for each in both)
    assert found[None].missing > 0
    low = found[None].difference.low
    assert low is not None and low > 0


def test_the_section_shows_every_pair_of_modes(results: Results) -> None:
    """One drawing for each, and a row for each arm and for all of them."""
    made = section(results)
    assert made is not None
    table = next(block for block in made.blocks if isinstance(block, Table))
    figure = next(block for block in made.blocks if isinstance(block, Figure))
    assert len(table.rows) == 2 * (1 + len(ARMS))
    assert len(figure.drawings) == 2


def test_without_two_modes_there_is_no_section(tmp_path: Path) -> None:
    """Nothing is said of reasoning where no model was asked in two modes on the same questions."""
    verdicts = make_dataset(tmp_path / "data", 6)

    def of(name: str, first_arm: str, second: str) -> Results:
        makers = [
            maker("on", model="openai/a", reasoning="high", arms=[first_arm]),
            maker("off", model="openai/a", reasoning=second, arms=["long-trace-final"]),
        ]
        run = make_run(tmp_path / name, tmp_path / "data", verdicts, makers)
        return gather([read_run(run)], Options())

    assert section(of("one mode", "long-trace-final", "default")) is None
    assert section(of("other arms", "short-trace-final", "off")) is None
    assert section(of("both", "long-trace-final", "off")) is not None
