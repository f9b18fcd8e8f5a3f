"""The section shows every model with what it rests on, and names what it leaves out."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from tests.analysis.measured import POOLS, Pool, measured_results
from tests.analysis.synthetic import floor, maker

from deskcheck.analysis.blocks import Figure, Section, Table, Text
from deskcheck.analysis.execution_models import (
    ALL,
    STEPS,
    WITHOUT_STATE,
    by_language,
    models,
    without_each_study,
)
from deskcheck.analysis.frames import labels, numbers
from deskcheck.analysis.measures import EXECUTION, complete, measured
from deskcheck.analysis.report.values import csv_rows
from deskcheck.analysis.results import Results
from deskcheck.analysis.sections.execution import section
from deskcheck.analysis.statistics.estimates import TOO_FEW, Estimate
from deskcheck.analysis.statistics.logistic import logistic


@pytest.fixture(scope="module")
def results() -> Results:
    return measured_results()


@pytest.fixture(scope="module")
def made(results: Results) -> Section:
    found = section(results)
    assert found is not None
    return found


def table(section: Section, name: str) -> list[dict[str, object]]:
    """The rows of the table of this name, by column."""
    (found,) = (each for each in section.blocks if isinstance(each, Table) and each.name == name)
    names = [column.name for column in found.columns]
    return [dict(zip(names, row, strict=True)) for row in found.rows]


def said(section: Section) -> str:
    return " ".join(each.text for each in section.blocks if isinstance(each, Text))


def test_languages_are_never_put_together(results: Results) -> None:
    """Each model is of one language's answers; one whose state is never measured has a model of
    trace length alone."""
    found = measured(results)
    assert found is not None
    cpp, python = by_language(found.frame)
    assert set(python.frame["language"]) == {"python"}
    assert [each.measures for each in models(cpp) if each.settings == ALL] == list(WITHOUT_STATE)
    fitted = [each for each in models(python) if each.settings == ALL]
    assert [each.measures for each in fitted] == list(STEPS)
    assert all(each.model.rows == complete(python.frame, EXECUTION).sum() for each in fitted)


def test_a_study_of_few_programs_is_left_out_and_listed(made: Section) -> None:
    """Its answers are in no model, and the table of studies says so."""
    studies = {row["study"]: row for row in table(made, "execution-studies")}
    assert str(studies["routine-python"]["used"]).startswith("no: fewer than 10")
    used = [row for row in studies.values() if row["used"] == "yes"]
    assert len(used) == 3
    rows = [row for row in table(made, "execution-models") if row["settings"] == ALL]
    of_python = [row["rows"] for row in used if row["language"] == "python"]
    assert {row["rows"] for row in rows if row["language"] == "python"} == {sum(of_python)}  # type: ignore[arg-type]


def test_models_are_those_of_the_rows(results: Results, made: Section) -> None:
    """The numbers of a reasoning mode are those of `logistic` on its answers."""
    found = measured(results)
    assert found is not None
    frame = found.frame
    frame = frame[frame["study"].isin(["contest-python", "textbook-python"])]
    frame = frame[frame["reasoning"] == "off"]
    model = logistic(
        numbers(frame, "error"),
        {each.name: numbers(frame, each.exponent) for each in EXECUTION},
        {name: labels(frame, name) for name in ("study", "arm", "setting")},
        labels(frame, "cluster"),
    )
    shown = [
        row
        for row in table(made, "execution-models")
        if row["settings"] == "reasoning off" and str(row["model"]).endswith("load")
    ]
    assert [row["odds_ratio"] for row in shown] == [each.reduced for each in model.slopes]
    assert [row["condition"] for row in shown] == [model.condition] * 3
    assert all(row["clusters"] == 36 for row in shown)


def test_each_study_is_left_out_once(results: Results, made: Section) -> None:
    """Models without a study have the other's rows alone; a language of one study has none."""
    rows = table(made, "execution-without-study")
    assert {row["without"] for row in rows} == {"contest-python", "textbook-python"}
    assert {row["language"] for row in rows} == {"python"}
    assert {row["clusters"] for row in rows if row["without"] == "contest-python"} == {12}
    found = measured(results)
    assert found is not None
    assert not list(without_each_study(next(by_language(found.frame))))


def test_settings_of_one_outcome_are_listed() -> None:
    """A model that is always wrong tells nothing of slopes: its answers are named and counted."""
    hopeless = maker("hopeless", -60.0, reasoning="off")
    found = section(
        measured_results(makers=(maker("usual", 0.3, reasoning="off"), hopeless), pools=POOLS[:2])
    )
    assert found is not None
    dropped = table(found, "execution-dropped")
    assert ("setting", "hopeless", "all wrong", 144) in [
        (row["factor"], row["level"], row["outcome"], row["rows"]) for row in dropped
    ]
    all_rows = [row for row in table(found, "execution-models") if row["settings"] == ALL]
    assert {row["rows"] for row in all_rows} == {144}


def test_few_programs_have_estimates_without_intervals() -> None:
    """Twelve programs of which one has most answers: odds ratios stand with the reason."""
    found = section(measured_results(pools=(Pool(name="one", origins=12, largest=30),)))
    assert found is not None
    for row in table(found, "execution-models"):
        ratio = row["odds_ratio"]
        assert isinstance(ratio, Estimate)
        assert ratio.note in (TOO_FEW, "separation")
        assert ratio.low is None


def test_figures_are_of_each_execution_measure(made: Section) -> None:
    """One drawing for each language and measure that it has, with a curve for each mode."""
    (figure,) = (each for each in made.blocks if isinstance(each, Figure))
    assert [each.name for each in figure.drawings] == [
        "execution-cpp-trace_length",
        *(f"execution-python-{each.name}" for each in EXECUTION),
    ]
    assert all("reasoning high" in each.body for each in figure.drawings)
    assert "Descriptive only" in said(made)


def test_what_cannot_be_said_is_one_line(results: Results) -> None:
    """Without a dataset, without any reply, and without models."""
    alone = section(replace(results, dataset=None))
    assert alone is not None
    assert "not part of this report" in said(alone)
    silent = section(measured_results(makers=(maker("silent", lost=1.0),)))
    assert silent is not None
    assert "no reply of a model came back" in said(silent)
    assert section(measured_results(makers=(floor("short-answer"),))) is None


def test_measures_without_spread_are_named() -> None:
    """Where all traces of an arm are alike, arms explain them all: no slope, and no warning."""
    results = measured_results(pools=POOLS[:1])
    assert results.dataset is not None
    same = tuple(replace(each, trace_length=64) for each in results.dataset.measures)
    found = section(replace(results, dataset=replace(results.dataset, measures=same)))
    assert found is not None
    notes = {
        ratio.note
        for row in table(found, "execution-models")
        if isinstance(ratio := row["odds_ratio"], Estimate)
    }
    assert notes == {"constant predictor"}


def test_the_same_results_give_the_same_section(results: Results, made: Section) -> None:
    """Cells in another order change no byte of any table."""
    turned = replace(results, cells=results.cells[::-1].reset_index(drop=True))
    again = section(turned)
    assert again is not None
    for one, other in zip(made.blocks, again.blocks, strict=True):
        if isinstance(one, Table) and isinstance(other, Table):
            assert list(csv_rows(one)) == list(csv_rows(other))
        else:
            assert one == other


@pytest.mark.slow
def test_known_effects_are_found() -> None:
    """Slopes of 0.3, 0.2 and -0.1 with settings and origins that differ: over 8 studies of 120
    programs, nine intervals in ten hold what a pooled model tends to, about 0.9 of these."""
    inside = total = 0
    for seed in range(8):
        pools = (Pool(name="a", origins=80), Pool(name="b", origins=40))
        found = section(measured_results(seed, pools=pools))
        assert found is not None
        rows = [row for row in table(found, "execution-models") if row["settings"] == ALL][2:]
        for row, slope in zip(rows, (0.3, 0.2, -0.1), strict=True):
            ratio = row["odds_ratio"]
            assert isinstance(ratio, Estimate)
            assert ratio.low is not None
            assert ratio.high is not None
            inside += ratio.low <= math.exp(0.9 * slope) <= ratio.high
            total += 1
    assert inside >= 0.9 * total
