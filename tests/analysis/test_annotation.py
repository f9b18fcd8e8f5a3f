"""Wrong answers for people to judge: who gets which, what comes back, and how far they agree."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from tests.analysis.synthetic import make_dataset, make_run, maker

from deskcheck.analysis.errors.annotation import (
    COLUMNS,
    annotation_csv,
    read_annotations,
    sample,
)
from deskcheck.analysis.errors.kappa import agreed, cohens_kappa, kappas
from deskcheck.analysis.errors.kinds import KINDS
from deskcheck.analysis.errors.wrong import Error, errors_of
from deskcheck.analysis.results import Options, Results, gather
from deskcheck.analysis.runs import read_run
from deskcheck.builder.dataset import read_answers, read_dataset
from deskcheck.oracles.errors import RunError


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("study")
    verdicts = make_dataset(folder / "data", 30)
    made = [maker("secretive", -1.0, truncated=0.1, unparsed=0.1), maker("b", 0.0)]
    run = make_run(folder / "run", folder / "data", verdicts, made)
    data = folder / "data"
    return gather([read_run(run)], Options(), read_dataset(data), read_answers(data))


@pytest.fixture(scope="module")
def errors(results: Results) -> list[Error]:
    return errors_of(results)


def rows(results: Results, errors: list[Error]) -> list[dict[str, str]]:
    """The file for annotators, read as a spreadsheet would."""
    assert results.dataset is not None
    text = annotation_csv(errors, results.dataset, results.answers)
    return list(csv.DictReader(io.StringIO(text)))


def test_a_sample_is_the_same_for_its_seed_in_any_order(errors: list[Error]) -> None:
    """And another one for another seed."""
    chosen = [error.id for error in sample(errors, 20, 1)]
    assert chosen == [error.id for error in sample(errors[::-1], 20, 1)]
    assert len(set(chosen)) == 20
    assert set(chosen) != {error.id for error in sample(errors, 20, 2)}


def test_no_id_is_a_number_to_a_spreadsheet(errors: list[Error]) -> None:
    """Digits alone, or with an e among them, would be rounded and so lost."""
    assert all(error.id[0].isalpha() and error.id.isalnum() for error in errors)


def test_every_kind_and_arm_is_in_a_sample_that_has_room(errors: list[Error]) -> None:
    """Rare ones are not left to chance."""
    there = {(error.found.kind, error.cell.arm) for error in errors}
    chosen = sample(errors, len(there), 0)
    assert {(error.found.kind, error.cell.arm) for error in chosen} == there
    assert len({error.found.kind for error in errors}) >= 3


def test_a_small_study_is_sampled_whole(errors: list[Error]) -> None:
    """As many as there are, and none twice."""
    assert sorted(each.id for each in sample(errors, 10_000, 0)) == sorted(e.id for e in errors)


def test_annotators_see_neither_who_answered_nor_what_was_proved(
    results: Results, errors: list[Error]
) -> None:
    """Both would sway them; all that the question needs is there."""
    for row, error in zip(rows(results, errors), errors, strict=True):
        assert tuple(row) == COLUMNS
        assert row["kind"] == ""
        assert "secretive" not in "".join(row.values())
        assert error.found.evidence not in row.values()
        assert row["program"] and row["input"] and row["asked"]
        assert row["expected"] == results.answers[error.cell.task_id].text
        if error.cell.answer is None:
            assert row["given"] == "(no answer)"


def test_a_filled_in_file_is_read_as_it_was_meant(tmp_path: Path) -> None:
    """With a byte-order mark, in any letter case, with semicolons as some spreadsheets write."""
    path = tmp_path / "a.csv"
    path.write_text("\ufeffid;kind;note\nx1; Copying ;\nx2;UNCLASSIFIED;5,6\n")
    assert read_annotations(path) == {"x1": "copying", "x2": "unclassified"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no column 'id'"),
        ("id,kind\n", "has no row"),
        ("id,sort\nx,copying\n", "has no column 'kind'"),
        ("id,kind\nx,\n", "line 2: x has no kind"),
        ("id,kind\nx\n", "line 2: x has no kind"),
        ("id,kind\nx,slip\n", "line 2: x has an unknown kind 'slip'"),
        ("id,kind\n,copying\n", "line 2: a row has no id"),
        ("id,kind\nx,copying\nx,copying\n", "line 3: the id x stands there twice"),
        ("id,kind\n\x00,copying\n\x00,copying", "twice"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    """It names the file and what is wrong in it."""
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(RunError) as raised:
        read_annotations(path)
    assert said in str(raised.value)
    assert str(path) in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


def test_a_file_that_is_no_text_is_one_line(tmp_path: Path) -> None:
    """A spreadsheet's own format, and none at all."""
    (tmp_path / "sheet.csv").write_bytes(b"PK\x03\x04\xff\xfe")
    for name in ("sheet.csv", "missing.csv", "."):
        with pytest.raises(RunError):
            read_annotations(tmp_path / name)


def coded(seed: int, n: int, alike: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.Generator(np.random.PCG64(seed))
    rows = rng.integers(0, len(KINDS), n)
    same = rng.random(n) < alike
    return rows, np.where(same, rows, rng.integers(0, len(KINDS), n))


@pytest.mark.parametrize("seed", range(4))
def test_kappa_is_that_of_statsmodels(seed: int) -> None:
    """To rounding, on random codings."""
    from statsmodels.stats.inter_rater import cohens_kappa as reference

    first, second = coded(seed, 60, 0.6)
    table = np.zeros((1, len(KINDS), len(KINDS)))
    np.add.at(table[0], (first, second), 1)
    assert kappas(table)[0] == pytest.approx(reference(table[0])["kappa"], abs=1e-12)


def test_the_interval_of_single_items_is_near_the_asymptotic_one() -> None:
    """Where every item is a cluster of its own, as statsmodels' interval assumes."""
    from statsmodels.stats.inter_rater import cohens_kappa as reference

    first, second = coded(3, 400, 0.7)
    table = np.zeros((len(KINDS), len(KINDS)))
    np.add.at(table, (first, second), 1)
    found = cohens_kappa(first, second, [str(each) for each in range(400)], 0)
    known = reference(table)
    assert found.low == pytest.approx(known["kappa_low"], abs=0.01)
    assert found.high == pytest.approx(known["kappa_upp"], abs=0.01)


def test_copies_of_a_cluster_do_not_narrow_the_interval() -> None:
    """Each item four times over is no more evidence, when the four are one cluster."""
    first, second = coded(5, 60, 0.6)
    labels = [str(each) for each in range(60)]
    once = cohens_kappa(first, second, labels, 0)
    often = cohens_kappa(
        np.repeat(first, 4), np.repeat(second, 4), [each for each in labels for _ in range(4)], 0
    )
    assert (often.value, often.low, often.high) == pytest.approx((once.value, once.low, once.high))


def test_what_has_no_kappa_says_why() -> None:
    """No item, one kind only, no disagreement, and too few clusters: no interval is made up."""
    none = np.array([], dtype=np.intp)
    assert cohens_kappa(none, none, [], 0).note == "nothing to estimate"
    same = np.full(20, 2)
    assert cohens_kappa(same, same, list("abcdefghijklmnopqrst"), 0).note == "no spread"
    varied = np.arange(20) % 3
    alike = cohens_kappa(varied, varied, [str(each) for each in range(20)], 0)
    assert (alike.value, alike.low, alike.note) == (1.0, None, "no spread")
    first, second = coded(1, 30, 0.5)
    few = cohens_kappa(first, second, ["a", "b", "c"] * 10, 0)
    assert few.value is not None
    assert (few.low, few.note) == (None, "too few clusters")


def test_the_table_counts_pairs_of_kinds() -> None:
    """Rows are the first annotator's; what only one has judged is left out."""
    found = agreed(
        {"a": "copying", "b": "copying", "c": "execution"},
        {"a": "copying", "b": "arithmetic", "d": "execution"},
        {"a": "1", "b": "2", "c": "3", "d": "4"},
        0,
    )
    assert (found.same, found.kappa.n) == (1, 2)
    place = {kind: index for index, kind in enumerate(KINDS)}
    assert found.table[place["copying"]][place["arithmetic"]] == 1
    assert sum(map(sum, found.table)) == 2
