"""Accuracy by day of publication and on variants: what is compared, and how surely."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from tests.analysis.synthetic import make_dataset, make_run, maker

from deskcheck.analysis.blocks import Table, Text
from deskcheck.analysis.contamination import (
    MOST_QUARTERS,
    difference,
    periods,
    published,
    variants,
)
from deskcheck.analysis.report.writing import write_report
from deskcheck.analysis.results import Options, Results, gather
from deskcheck.analysis.runs import read_run
from deskcheck.analysis.sections.contamination import section
from deskcheck.analysis.statistics.estimates import Estimate, Floats, Labels
from deskcheck.builder.cases import Admitted
from deskcheck.builder.contents import Build
from deskcheck.builder.dataset import read_answers, read_dataset, write_dataset


def study(
    folder: Path, tags: Mapping[int, Mapping[str, str]], cutoff: str | None = None
) -> Results:
    """A run on 48 cases, of which some have these tags."""
    made: list[Admitted] = []
    for number, verdict in enumerate(make_dataset(folder / "plain", 48, per_origin=1)):
        case = replace(verdict.case, tags=dict(tags.get(number, {})))
        made.append(replace(verdict, case=case))
    data = folder / "data"
    write_dataset(data, Build(name="tagged", config={}, toolchain={}), made)
    run = make_run(folder / "run", data, made, [maker("a")])
    return gather([read_run(run)], Options(cutoff=cutoff), read_dataset(data), read_answers(data))


def tables(results: Results) -> dict[str, Table]:
    made = section(results)
    assert made is not None
    return {block.name: block for block in made.blocks if isinstance(block, Table)}


def test_without_dates_and_variants_nothing_is_said(tmp_path: Path) -> None:
    """Nor where what stands there is no date, or no case."""
    odd = {0: {"date": "soon"}, 1: {"variant_of": "program-999"}, 2: {"date": ""}}
    assert section(study(tmp_path, odd)) is None


def test_cases_fall_into_quarters_or_years(tmp_path: Path) -> None:
    """Years where quarters would be more than a table can take."""
    few = {str(month): date(2024, month, 1) for month in (1, 3, 4, 12)}
    assert periods(few) == {"1": "2024-Q1", "3": "2024-Q1", "4": "2024-Q2", "12": "2024-Q4"}
    many = {str(year): date(year, 7, 1) for year in range(2010, 2011 + MOST_QUARTERS)}
    assert periods(many) == {year: year for year in many}


def test_accuracy_is_split_at_the_cutoff(tmp_path: Path) -> None:
    """The day itself is after it; cases without a date are on neither side, and are counted."""
    days = ["2023-12-31", "2024-01-01"]
    tags = {number: {"date": days[number % 2]} for number in range(40)}
    results = study(tmp_path, tags, cutoff="2024-01-01")
    found = tables(results)
    assert [row[:2] for row in found["publication"].rows] == [
        ("2023-Q4", 20),
        ("2024-Q1", 20),
        ("no date", 8),
    ]
    assert results.dataset is not None
    known = published(results.dataset.cases)
    cells = results.selected
    for row in found["cutoff"].rows:
        before, after, change = row[2:]
        assert isinstance(before, Estimate) and isinstance(after, Estimate)
        assert isinstance(change, Estimate)
        of_arm = cells[cells["arm"] == row[1]]
        for estimate, later in ((before, False), (after, True)):
            hits = [
                status == "correct"
                for case, status in zip(of_arm["case_id"], of_arm["status"], strict=True)
                if case in known and (known[case] >= date(2024, 1, 1)) == later
            ]
            assert estimate.n == len(hits) == 20
            assert estimate.value == pytest.approx(np.mean(hits))
        assert before.value is not None and after.value is not None
        assert change.value is not None
        assert change.value == pytest.approx(after.value - before.value)
        assert change.low is not None and change.high is not None
        assert change.low < change.value < change.high
    assert "cutoff" not in tables(replace(results, options=Options()))


def test_variants_are_paired_with_their_originals(tmp_path: Path) -> None:
    """By id, or by name within the pool; the difference is of those pairs and no others."""
    tags = {
        number: {"variant_of": f"program-{number - 24:03}", "variant": "renamed"}
        for number in range(24, 48)
    }
    results = study(tmp_path, tags)
    assert results.dataset is not None
    cases = {case.candidate.rpartition("/")[2]: case for case in results.dataset.cases}
    declared = variants(results.dataset.cases)
    assert len(declared) == 24
    found = tables(results)["variants"]
    hits = {
        (case, arm): status == "correct"
        for case, arm, status in zip(
            *(results.selected[name] for name in ("case_id", "arm", "status")), strict=True
        )
    }
    for _, arm, kind, pairs, lost, won, change in found.rows:
        both = [
            (hits[cases[f"program-{n:03}"].id, arm], hits[cases[f"program-{n + 24:03}"].id, arm])
            for n in range(24)
        ]
        assert (kind, pairs) == ("renamed", 24)
        assert (lost, won) == (both.count((True, False)), both.count((False, True)))
        assert isinstance(change, Estimate)
        assert change.value == pytest.approx((won - lost) / 24)  # type: ignore[operator]


def test_a_name_within_the_pool_will_do_and_itself_will_not(tmp_path: Path) -> None:
    """`program` and `folder/program` name the same case of the pool `folder`."""
    (first, second, third) = make_dataset(tmp_path / "data", 3)
    cases = [
        replace(first.case, candidate="folder/a.py", pool="folder"),
        replace(second.case, candidate="folder/b.py", pool="folder", tags={"variant_of": "a.py"}),
        replace(third.case, candidate="folder/c.py", pool="folder", tags={"variant_of": "c.py"}),
    ]
    (only,) = variants(cases)
    assert (only.variant, only.original, only.kind) == (cases[1].id, cases[0].id, "variant")


def test_a_difference_of_single_values_has_the_known_variance() -> None:
    """With clusters of one, it is nearly that of two independent proportions."""
    before = np.array([1.0] * 30 + [0.0] * 70)
    after = np.array([1.0] * 55 + [0.0] * 45)
    labels = np.arange(200).astype(object)
    found = difference(before, labels[:100], after, labels[100:])
    assert found.value == pytest.approx(0.25)
    assert found.low is not None and found.high is not None
    known = 2 * 1.984217 * np.sqrt(0.3 * 0.7 / 100 + 0.55 * 0.45 / 100)
    assert found.high - found.low == pytest.approx(known, rel=0.02)


def test_clusters_on_both_sides_cancel() -> None:
    """Where each cluster does alike before and after, the difference is known well."""
    rng = np.random.Generator(np.random.PCG64(1))
    ease = rng.random(40)
    labels = np.repeat(np.arange(40), 5).astype(object)
    before, after = np.repeat(ease, 5), np.repeat(np.clip(ease + 0.1, 0, 1), 5)
    same = difference(before, labels, after, labels)
    apart = difference(before, labels, after, labels + 100)
    assert same.high is not None and same.low is not None
    assert apart.high is not None and apart.low is not None
    assert same.high - same.low < 0.2 * (apart.high - apart.low)


@pytest.mark.parametrize(
    ("before", "after", "note"),
    [(0, 20, "nothing to estimate"), (20, 5, "too few clusters"), (20, 20, "no spread")],
)
def test_what_has_no_interval_says_why(before: int, after: int, note: str) -> None:
    """No value, too few clusters on one side, or nothing that varies."""
    one, other = np.ones(before), np.ones(after)
    found = difference(one, np.arange(before), other, np.arange(before, before + after))
    assert (found.low, found.high, found.note) == (None, None, note)


def test_the_difference_covers_in_simulations() -> None:
    """40 and 25 clusters of 1 to 6 values with an intra-cluster correlation of 0.3."""
    rng = np.random.Generator(np.random.PCG64(7))
    hit = 0
    for _ in range(400):
        groups: list[tuple[Floats, Labels]] = []
        for count, base in ((40, 0.6), (25, 0.4)):
            sizes = rng.integers(1, 7, count)
            ease = rng.beta(base * 7 / 3, (1 - base) * 7 / 3, count)
            values = (rng.random(sizes.sum()) < np.repeat(ease, sizes)).astype(np.float64)
            groups.append((values, np.repeat(np.arange(count) + 100 * len(groups), sizes)))
        found = difference(*groups[0], *groups[1])
        assert found.low is not None and found.high is not None
        hit += found.low <= -0.2 <= found.high
    assert 0.92 <= hit / 400 <= 0.985


def test_a_report_of_variants_and_dates_can_be_written(tmp_path: Path) -> None:
    """Whatever form its values have: the counts of changes reach the table's file as they are."""
    tags = {1: {"variant_of": "program-000", "variant": "renamed"}, 2: {"date": "2024-01-01"}}
    results = study(tmp_path, tags, cutoff="2024-01-01")
    written = write_report(results, tmp_path / "reports")
    with (written.folder / "tables" / "variants.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4
    for row in rows:
        changed = int(row["wrong_to_right"]) - int(row["right_to_wrong"])
        assert float(row["difference"]) == changed / int(row["pairs"])


def test_a_cutoff_without_any_date_is_told_of(tmp_path: Path) -> None:
    """What was asked for is never left out without a word."""
    made = section(study(tmp_path, {}, cutoff="2024-01-01"))
    assert made is not None
    texts = [block.text for block in made.blocks if isinstance(block, Text)]
    assert any("No case has a date" in text and "2024-01-01" in text for text in texts)
