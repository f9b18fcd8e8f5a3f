"""The textbook pool, admitted as a user would, and what must be true of its dataset."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deskcheck.builder.cases import Answer, Measures, Task
from deskcheck.builder.contents import Dataset
from deskcheck.builder.dataset import read_answers, read_dataset

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("datasets of pools")]

PROGRAMS = 30
LONG_OVER_SHORT = 8


@pytest.fixture(scope="module")
def folder(textbook_folder: Path) -> Path:
    """What `builder admit --pool textbook` leaves."""
    return textbook_folder


@pytest.fixture(scope="module")
def dataset(folder: Path) -> Dataset:
    return read_dataset(folder)


@pytest.fixture(scope="module")
def answers(folder: Path) -> dict[str, Answer]:
    return read_answers(folder)


def by_arm(dataset: Dataset, case_id: str) -> dict[str, tuple[Task, Measures]]:
    tasks, measures = dataset.tasks_of(case_id), dataset.measures_of(case_id)
    return {arm: (tasks[arm], measures[arm]) for arm in tasks}


def test_all_thirty_are_admitted(dataset: Dataset) -> None:
    """Every authored program makes a case; none is rejected."""
    assert len(dataset.cases) == PROGRAMS
    assert dataset.rejections == ()


def test_a_long_input_has_eight_times_the_iterations(dataset: Dataset) -> None:
    """Of the selected loop, over all its activations."""
    for case in dataset.cases:
        assert case.long_iterations >= LONG_OVER_SHORT * case.short_iterations, case.candidate


def test_what_the_programs_print_is_what_the_references_compute(dataset: Dataset) -> None:
    """Both final answers agree with the listed outputs, which another method made."""
    finals = [each for each in dataset.measures if each.arm.endswith("-final")]
    assert {each.listed_output for each in finals} == {"agrees"}
    assert {each.unread_stdin for each in dataset.measures} == {0}


def test_no_state_answer_can_be_had_without_working_it_out(
    dataset: Dataset, answers: dict[str, Answer]
) -> None:
    """No state equals the input, what either arm prints, or one value whatever the case."""
    seen = []
    for case in dataset.cases:
        arms = by_arm(dataset, case.id)
        printed = [
            answers[arms[arm][0].id].text.split()
            for arm in ("short-trace-final", "long-trace-final")
        ]
        for arm in ("inside-loop-state", "post-loop-state"):
            task = arms[arm][0]
            state = json.loads(answers[task.id].text)
            seen.append(json.dumps(state))
            read_as = [str(value).split() for value in scalars(state)]
            tokens = [token for reading in read_as for token in reading]
            assert tokens not in printed, case.candidate
            assert tokens != task.stdin.split(), case.candidate
            assert not any(reading in printed for reading in read_as), case.candidate
        assert not case.post_contains_output
        assert not case.printed_before
    assert len(set(seen)) == len(seen)


def scalars(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from scalars(item)
    else:
        yield value


def test_a_task_shows_nothing_of_its_answer(dataset: Dataset, answers: dict[str, Answer]) -> None:
    """No answer text stands in its own task, nor in any file that a task loader opens."""
    for task in dataset.tasks:
        assert answers[task.id].text.strip() not in f"{task.source}\n{task.stdin}"


def test_traces_are_ordered_and_exact(dataset: Dataset) -> None:
    """Short below inside below post below long, each an exact count with its state measured."""
    for case in dataset.cases:
        measures = dataset.measures_of(case.id)
        lengths = [
            measures["inside-loop-state"].trace_length,
            measures["post-loop-state"].trace_length,
            measures["long-trace-final"].trace_length,
        ]
        assert lengths == sorted(set(lengths)), case.candidate
        assert measures["short-trace-final"].trace_length < lengths[-1]
        for each in measures.values():
            assert each.trace_exact
            assert each.peak_state is not None
            assert each.state_load is not None
            assert each.peak_state <= each.state_load


def test_the_hub_library_opens_it(folder: Path, tmp_path: Path) -> None:
    """`datasets.load_dataset` reads the folder as it lies, offline and with a cold cache."""
    script = (
        "import sys, datasets\n"
        "for name in ('tasks', 'cases', 'measurements'):\n"
        "    print(name, len(datasets.load_dataset(sys.argv[1], name, split='test')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder)],
        env={"HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [
        *("tasks", "120", "cases", "30", "measurements", "120"),
    ]
