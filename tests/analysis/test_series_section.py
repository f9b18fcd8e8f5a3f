"""Series by series: counts, named reasons, and figures that hang on nothing but their series."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from tests.analysis.synthetic import floor, make_dataset, make_run, maker

from deskcheck.analysis.blocks import Figure, Section, Table
from deskcheck.analysis.drawing.panels import Panel, panel_chart
from deskcheck.analysis.measures import EXECUTION, PEAK, TRACE
from deskcheck.analysis.results import Options, Results, gather
from deskcheck.analysis.runs import read_run
from deskcheck.analysis.sections.series import section
from deskcheck.analysis.series import Series, all_series, counts, examine
from deskcheck.analysis.statistics.estimates import NOTHING
from deskcheck.analysis.statistics.theta import NO_EXCHANGE, ONE_CLUSTER, ONE_OUTCOME
from deskcheck.builder.cases import Arm
from deskcheck.builder.dataset import read_dataset


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Three studies of 20 cases, two models of which one loses half of its replies, a baseline."""
    folder = tmp_path_factory.mktemp("series")
    verdicts = make_dataset(folder / "data", 60)
    makers = [maker("a", 1.0), maker("b", 0.0, lost=0.5), floor("last-literal")]
    run = make_run(folder / "run", folder / "data", verdicts, makers)
    return with_measures(gather([read_run(run)], Options(), read_dataset(folder / "data")))


def with_measures(results: Results) -> Results:
    """The same with measures that differ; the peak is missing in every seventh task."""
    assert results.dataset is not None
    rng = np.random.default_rng(1)
    measures = tuple(
        replace(
            each,
            trace_length=int(rng.lognormal(8, 2)) + 1,
            peak_state=None if number % 7 == 0 else int(rng.lognormal(4, 1)) + 1,
            state_load=None if number % 7 == 0 else int(rng.lognormal(9, 2)) + 1,
        )
        for number, each in enumerate(results.dataset.measures)
    )
    return replace(results, dataset=replace(results.dataset, measures=measures))


def made(
    failed: str, clusters: str, study: str = "s", arm: Arm = "long-trace-final", name: str = "m"
) -> Series:
    """A series of these outcomes, whose measure grows from row to row."""
    return Series(
        setting="x",
        study=study,
        arm=arm,
        failed=np.array([each == "1" for each in failed], dtype=np.float64),
        clusters=np.array([*clusters], dtype=object),
        measures={name: np.arange(1.0, len(failed) + 1)},
    )


def test_series_hold_completed_selected_answers_of_models(results: Results) -> None:
    """There is one for each model, arm and study; what is lost has no row, baselines no series."""
    every = list(all_series(results, EXECUTION))
    assert len(every) == 2 * 4 * 3
    assert {each.setting for each in every} == {"a", "b"}
    cells = results.cells
    for each in every:
        chosen = cells[
            (cells["setting"] == each.setting)
            & (cells["study"] == each.study)
            & (cells["arm"] == each.arm)
        ]
        assert len(each.failed) == (chosen["status"] != "no_response").sum()
        assert each.failed.sum() == (chosen["status"] == "wrong").sum()


def test_a_missing_measure_costs_its_rows_only(results: Results) -> None:
    """Theta of the trace length is over all answers, that of the peak over those that have one."""
    (series,) = [
        each
        for each in all_series(results, EXECUTION)
        if (each.setting, each.arm, each.study) == ("a", "long-trace-final", "contest-cpp")
    ]
    trace, peak, _ = examine([series])
    there = int((~np.isnan(series.measures[PEAK.name])).sum())
    assert trace.association.theta.n == len(series.failed) == 20
    assert peak.association.theta.n == there < 20


def test_a_series_is_examined_alike_whatever_others_there_are(results: Results) -> None:
    """P-values before adjustment, and seeds, follow from the series alone."""
    every = list(all_series(results, [TRACE]))
    whole = {(each.setting, each.study, each.arm): each for each in examine(every)}
    for series in reversed(every[3:6]):
        (alone,) = examine([series])
        same = whole[series.setting, series.study, series.arm]
        assert alone.association == same.association
    assert len({each.seed for each in every}) == len(every)


def test_families_are_those_of_a_measure(results: Results) -> None:
    """Holm's smallest p is the smallest p times the number of series tested on that measure."""
    findings = examine(list(all_series(results, EXECUTION)))
    for measure in EXECUTION:
        family = [each.adjusted for each in findings if each.measure == measure.name]
        tested = [each for each in family if each is not None]
        least = min(tested, key=lambda each: each.p)
        assert least.holm == pytest.approx(min(1.0, least.p * len(tested)))
        assert 0 < len(tested) < len(family)


def test_counts_say_why_series_were_not_tested() -> None:
    """Every series is counted once: as tested, or under its reason."""
    rows = 40
    letters = "".join(chr(0x4E00 + number) for number in range(rows))
    findings = examine(
        [
            made("0" * 20 + "1" * 20, letters, "a"),
            made("1" * 20 + "0" * 20, letters, "b"),
            made("01" * 20, letters, "c"),
            made("0" * rows, letters, "d"),
            made("1" * rows, letters, "e"),
            made("01" * 20, "z" * rows, "f"),
            made("0101", "aabb", "g", arm="short-trace-final"),
            made("", "", "h", arm="short-trace-final"),
        ]
    )
    every, short, long = counts(findings)
    assert (every.arm, short.arm, long.arm) == (None, "short-trace-final", "long-trace-final")
    assert (every.series, every.tested) == (8, 3)
    assert every.reasons == {ONE_OUTCOME: 2, NO_EXCHANGE: 1, NOTHING: 1, ONE_CLUSTER: 1}
    assert next(iter(every.reasons)) == ONE_OUTCOME
    assert short.reasons == {NO_EXCHANGE: 1, NOTHING: 1}
    assert (every.nominal, every.holm, every.benjamini_hochberg, every.either) == (1, 1, 1, 2)
    assert (long.nominal, short.nominal) == (1, 0)


def test_the_section_has_every_series_once_for_each_measure(results: Results) -> None:
    """Its tables and curves agree, and a series has as many curves as arms have drawings."""
    made = section(results)
    assert made is not None
    found = tables(made)
    assert len(found["series"].rows) == 24 * 3
    assert [row[:4] for row in found["series-counts"].rows][:2] == [
        ("trace length", "all arms", 24, found["series-counts"].rows[0][3]),
        ("trace length", "short-trace-final", 6, found["series-counts"].rows[1][3]),
    ]
    (figure,) = [each for each in made.blocks if isinstance(each, Figure)]
    assert [each.name for each in figure.drawings] == [
        "series-short-trace-final",
        "series-long-trace-final",
        "series-inside-loop-state",
        "series-post-loop-state",
    ]
    assert all(each.body.count('class="grid"') == 6 for each in figure.drawings)


def test_without_measures_or_models_there_are_no_series(results: Results) -> None:
    """A report without its dataset says so in a line; one of baselines has no such section."""
    bare = section(replace(results, dataset=None))
    assert bare is not None
    assert len(bare.blocks) == 1
    floors = replace(
        results,
        settings=results.floors,
        cells=results.cells[results.cells["floor_setting"].to_numpy(dtype=bool)],
    )
    assert section(floors) is None


def test_a_panel_shows_its_shares_its_number_and_its_mark() -> None:
    """Curves rise with the shares, only what is marked has a triangle, and names are no markup."""
    panels = {
        ("a <b>", "x"): Panel(number=0.71, marked=True, shares=(0.0, 0.5, 1.0)),
        ("c", "x"): Panel(number=None, marked=False, shares=(1.0,)),
    }
    drawing = panel_chart("name", "title", ["a <b>", "c"], ["x", "y"], panels)
    assert "a &lt;b&gt;" in drawing.body
    assert drawing.body.count('class="grid"') == 2
    assert drawing.body.count("l5 9h-10z") == 1
    heights = [float(each) for each in re.findall(r'cy="([\d.]+)" r="2"', drawing.body)]
    assert heights[0] > heights[1] > heights[2]
    assert heights[0] - heights[1] == pytest.approx(heights[1] - heights[2], abs=0.2)
    assert drawing.title == "title: a <b>, x: 0.71, marked; c, x: none"
    wide = panel_chart("name", "title", ["r"], [str(number) for number in range(12)], {})
    assert wide.width > drawing.width


def tables(section: Section) -> Mapping[str, Table]:
    """The section's tables by name."""
    return {each.name: each for each in section.blocks if isinstance(each, Table)}


PRINTED = """
import numpy as np
from deskcheck.analysis.series import Series, examine
rng = np.random.default_rng(1)
every = [
    Series(
        setting=name,
        study="s",
        arm="long-trace-final",
        failed=rng.integers(0, 2, 60).astype(float),
        clusters=np.array([f"origin {number // 2}" for number in range(60)], dtype=object),
        measures={each: rng.lognormal(5, 2, 60) for each in ("one", "two")},
    )
    for name in ("x", "y")
]
print(examine(every))
"""


@pytest.mark.slow
def test_findings_do_not_hang_on_hash_seeds() -> None:
    """Two processes with different hash seeds print the same to the last digit."""
    printed = [
        subprocess.run(
            [sys.executable, "-c", PRINTED],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1]
    assert "Finding" in printed[0]


def test_an_unadjusted_finding_has_no_test() -> None:
    """What is not tested is in no family."""

    (finding,) = examine([made("000", "abc")])
    assert finding.adjusted is None
    assert finding.association.note == ONE_OUTCOME
