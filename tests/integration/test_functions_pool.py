"""The functions pool, admitted as a user would: verdicts, counts and sources of our own sample."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.integration.loop_counts import Counts, count, eligible

from deskcheck.builder.contents import Dataset
from deskcheck.builder.dataset import read_dataset
from deskcheck.sources.functions import FunctionsPool
from deskcheck.sources.pools import Candidate, PoolOptions

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("datasets of pools")]

SAMPLE = Path(__file__).parents[1] / "sources/functions_sample.jsonl"

OTHER_REASONS = {"functions/only_counts": "only_counters"}
"""Functions whose loops turn often enough, and why they make no case all the same."""


@pytest.fixture(scope="module")
def dataset(functions_folder: Path) -> Dataset:
    return read_dataset(functions_folder)


@pytest.fixture(scope="module")
def runs() -> dict[str, dict[str, Counts]]:
    """By candidate and input: the loops of its program, counted by other means."""
    found = FunctionsPool().candidates(PoolOptions(data=str(SAMPLE)))
    return {
        each.id: {
            given.name: count(each.program.text, given.data.decode()) for given in each.inputs
        }
        for each in found
        if isinstance(each, Candidate)
    }


def test_each_function_has_the_verdict_that_its_loops_foretell(
    dataset: Dataset, runs: dict[str, dict[str, Counts]]
) -> None:
    """Admitted are those that an independent count finds eligible, but for reasons of state."""
    foretold = {candidate for candidate, each in runs.items() if eligible(each)}
    assert {case.candidate for case in dataset.cases} == foretold - OTHER_REASONS.keys()
    reasons = {each.candidate: each.findings[0].reason for each in dataset.rejections}
    assert reasons == OTHER_REASONS | {
        "functions/no_loop": "no_loop",
        "functions/three_vowels": "too_few_iterations",
        "functions/takes_a_function": "argument_not_literal",
    }


def test_iterations_are_those_of_an_independent_count(
    dataset: Dataset, runs: dict[str, dict[str, Counts]]
) -> None:
    """Of the selected loop: on both inputs, and in the activation that is asked about."""
    for case in dataset.cases:
        short, long = (runs[case.candidate][name] for name in (case.short_input, case.long_input))
        assert case.short_iterations == short.loops[case.loop_line].total, case.candidate
        assert case.long_iterations == long.loops[case.loop_line].total, case.candidate
        assert case.iterations == long.loops[case.loop_line].most, case.candidate


def test_both_final_arms_show_one_source(dataset: Dataset) -> None:
    """The function and its driver, byte for byte; the state arms show it with a stop in it."""
    found = FunctionsPool().candidates(PoolOptions(data=str(SAMPLE)))
    sources = {each.id: each.program.text for each in found if isinstance(each, Candidate)}
    for case in dataset.cases:
        tasks = dataset.tasks_of(case.id)
        short, long = (tasks[arm] for arm in ("short-trace-final", "long-trace-final"))
        assert short.source == long.source == sources[case.candidate]
        assert short.stdin != long.stdin
        for arm in ("inside-loop-state", "post-loop-state"):
            assert "print(repr(f(*" in tasks[arm].source
            assert tasks[arm].source != long.source


def test_listed_outputs_agree(dataset: Dataset) -> None:
    """Where a final arm asks of the given call, the program prints what is listed."""
    given: list[str] = []
    for case in dataset.cases:
        measures = dataset.measures_of(case.id)
        if case.short_input == "given":
            given.append(measures["short-trace-final"].listed_output)
        if case.long_input == "given":
            given.append(measures["long-trace-final"].listed_output)
    assert given
    assert set(given) == {"agrees"}
    assert "differs" not in {each.listed_output for each in dataset.measures}


def test_no_loop_of_the_driver_is_asked_about(dataset: Dataset) -> None:
    """Every case stops in the function, and its card names the function as the origin."""
    for case in dataset.cases:
        assert case.origin == case.candidate
        lines = dataset.tasks_of(case.id)["long-trace-final"].source.splitlines()
        assert lines[case.loop_line - 1].startswith("    ")
