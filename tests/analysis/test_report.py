"""A report says what the cells say, runs nothing of theirs, and is the same for the same runs."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from tests.analysis.synthetic import Maker, floor, make_dataset, make_run, maker, usual_makers

from deskcheck.analysis.commands.report import report
from deskcheck.builder.cases import ARMS, Admitted
from deskcheck.evaluate.cells import NAME, STATUSES, Cell, read_cells, write_cells
from deskcheck.oracles.errors import DeskcheckError, RunError

pytestmark = pytest.mark.xdist_group("report")  # one worker makes what all of these share

EVIL = (
    '</pre></td><script>document.title="owned"</script>'
    "<img src=x onerror=alert(1)>{{ 7*7 }}{% raw %}\x00\x1b[31m\u202eevil\u202c"
    '"><svg onload=alert(1)> `*_|<b>|'
)


def make(*arguments: object) -> str:
    """What the command prints, which must end well."""
    ended = CliRunner().invoke(report, [str(each) for each in arguments])
    if ended.exception is not None and not isinstance(ended.exception, SystemExit):
        raise ended.exception
    assert ended.exit_code == 0, ended.output
    return ended.stdout


class Study:
    """A dataset in a folder, and runs on it."""

    def __init__(self, folder: Path, cases: int = 24) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.verdicts: list[Admitted] = make_dataset(self.data, cases)

    def run(
        self, makers: Sequence[Maker], name: str = "run", seed: int = 1, **more: object
    ) -> Path:
        return make_run(
            self.folder / name,
            self.data,
            self.verdicts,
            makers,
            seed=seed,
            **more,  # type: ignore[arg-type]
        )


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return Study(tmp_path_factory.mktemp("study"))


@pytest.fixture(scope="module")
def folder(study: Study) -> Path:
    """The report of the usual settings."""
    run = study.run(usual_makers())
    return Path(make(run, "-o", study.folder / "reports").strip()).parent


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_every_number_is_that_of_the_cells(study: Study, folder: Path) -> None:
    """Counts by setting and arm are those that one gets by counting cells, all statuses told."""
    cells = list(read_cells(study.folder / "run" / NAME))
    for row in rows_of(folder / "tables" / "statuses.csv"):
        own = [c for c in cells if (c.setting, c.arm) == (row["setting"], row["arm"])]
        assert int(row["planned"]) == len(own)
        for status in STATUSES:
            assert int(row[status]) == sum(cell.status == status for cell in own)
    for row in rows_of(folder / "tables" / "accuracy.csv"):
        own = [c for c in cells if (c.setting, c.arm) == (row["setting"], row["arm"])]
        right = sum(cell.status == "correct" for cell in own)
        back = sum(c.status in ("correct", "wrong", "unparsed", "truncated") for c in own)
        assert float(row["per_completed"]) == pytest.approx(right / back, abs=1e-9)
        assert float(row["per_planned"]) == pytest.approx(right / len(own), abs=1e-9)
        assert int(row["per_planned_n"]) == len(own)
        assert float(row["per_completed_low"]) <= float(row["per_completed"])


def test_every_estimate_says_what_it_rests_on(folder: Path) -> None:
    """The list of estimates has n, clusters, method and interval or reason, for each number."""
    estimates = json.loads((folder / "estimates.json").read_text())["estimates"]
    assert len(estimates) > 200
    for each in estimates:
        assert each["method"]
        assert each["about"]
        assert each["n"] >= each["clusters"] >= each["effective_clusters"] - 1e-9
        assert (each["low"] is None) == (each["high"] is None) == bool(each["note"])


def test_the_cells_are_all_in_a_file(study: Study, folder: Path) -> None:
    """The CSV file of cells has one row for each, with its run."""
    rows = rows_of(folder / "tables" / "cells.csv")
    assert len(rows) == len(list(read_cells(study.folder / "run" / NAME)))
    assert {row["status"] for row in rows} <= set(STATUSES)
    assert len({row["run"] for row in rows}) == 1


def test_each_case_has_a_page_and_flips_come_first(study: Study, folder: Path) -> None:
    """The index links every case, in falling order of models that flip on it."""
    index = (folder / "cases" / "index.html").read_text("utf-8")
    links = re.findall(r'<td><a href="([0-9a-f]{16}\.html)">', index)
    assert sorted(links) == sorted(f"{v.case.id[:16]}.html" for v in study.verdicts)
    assert all((folder / "cases" / link).is_file() for link in links)
    flips = [int(each) for each in re.findall(r'<td class="n" data-order="(\d+)">', index)]
    assert flips == sorted(flips, reverse=True)
    assert flips[0] > 0


def test_a_page_shows_four_arms_and_the_first_difference(study: Study, folder: Path) -> None:
    """Source, checkpoint, expected and given answers are on its page, the difference marked."""
    verdict = study.verdicts[0]
    page = (folder / "cases" / f"{verdict.case.id[:16]}.html").read_text("utf-8")
    for arm in ARMS:
        assert f"<h3>{arm}</h3>" in page
    assert '<span class="inserted">&gt;' in page
    assert "os._exit(0)" in page
    cells = [
        cell
        for cell in read_cells(study.folder / "run" / NAME)
        if cell.case_id == verdict.case.id and cell.difference_at
    ]
    assert cells
    assert page.count("<mark") - 1 == len(cells)  # the first one explains what a mark is
    for cell in cells:
        assert f"{cell.difference_at}: expected" in page


@pytest.mark.slow
def test_the_same_runs_give_the_same_bytes(study: Study, folder: Path) -> None:
    """Another process, hash seed, time zone and folder change no byte of any file."""
    code = "import sys; from deskcheck.builder.cli import run; sys.exit(run(sys.argv[1:]))"
    output = study.folder / "again"
    ended = subprocess.run(
        [sys.executable, "-c", code, "report", str(study.folder / "run"), "-o", str(output)],
        env={**os.environ, "PYTHONHASHSEED": "77", "TZ": "Asia/Tokyo", "COLUMNS": "33"},
        capture_output=True,
        text=True,
        check=True,
    )
    again = Path(ended.stdout.strip()).parent
    assert tree(again) == tree(folder)
    for name, text in tree(folder).items():
        assert str(study.folder).encode() not in text, name


def test_a_report_replaces_itself_and_nothing_else(study: Study, folder: Path) -> None:
    """Made again it stands once, without rests; what is no report of these runs is kept."""
    before = tree(folder)
    make(study.folder / "run", "-o", folder.parent)
    assert tree(folder) == before
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    other = study.folder / "other"
    (other / folder.name).mkdir(parents=True)
    (other / folder.name / "thesis.txt").write_text("mine")
    with pytest.raises(RunError, match="is no report of these runs"):
        make(study.folder / "run", "-o", other)
    assert (other / folder.name / "thesis.txt").read_text() == "mine"


class Page(HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def test_nothing_of_an_answer_runs(tmp_path: Path) -> None:
    """Markup, templates, control characters and direction marks in answers are only text."""
    study = Study(tmp_path, 2)
    case = study.verdicts[0].case
    run = study.run([maker("a", 9)], answers={(case.candidate, arm): EVIL for arm in ARMS})
    folder = Path(make(run, "-o", tmp_path / "reports").strip()).parent
    for path in sorted(folder.rglob("*.html")):
        text = path.read_text("utf-8")
        page = Page(text)
        assert page.tags.count("script") == 1, path
        assert not {"img", "iframe", "object", "link", "base", "form"} & set(page.tags)
        assert not [name for name, _ in page.attributes if name.startswith("on")]
        assert not [name for name, _ in page.attributes if name == "style"]
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", text)
    shown = Page((folder / "cases" / f"{case.id[:16]}.html").read_text("utf-8")).text
    assert '<script>document.title="owned"</script>' in shown
    assert "{{ 7*7 }}" in shown
    assert r"\x00\x1b[31m\u202eevil" in shown


def test_pages_run_only_our_script_and_load_nothing(folder: Path) -> None:
    """The policy of each page allows one style and one script by hash, and no address at all."""
    for path in (folder / "report.html", folder / "cases" / "index.html"):
        text = path.read_text("utf-8")
        policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
        assert policy
        rules = policy[1].replace("&#39;", "'")
        assert rules.startswith("default-src 'none'; style-src 'sha256-")
        assert "unsafe" not in rules
        assert not re.search(r'(?:src|href)="(?:https?:)?//', text)
    links = re.findall(r'href="([^"#]+)"', (folder / "report.html").read_text("utf-8"))
    assert links
    assert all((folder / link).is_file() for link in links)


def test_the_policy_names_what_is_in_the_page(folder: Path) -> None:
    """The hashes are those of the page's own style and script, so that a browser takes them."""
    text = (folder / "report.html").read_text("utf-8")
    for element in ("style", "script"):
        found = re.search(rf"<{element}>(.*?)</{element}>", text, re.DOTALL)
        assert found
        digest = b64encode(sha256(found[1].encode()).digest()).decode()
        assert f"{element}-src &#39;sha256-{digest}&#39;" in text


def test_figures_are_drawings_of_their_own(folder: Path) -> None:
    """Each is a well-formed SVG file; each arm's has a dot for each setting, told in words too."""
    for path in (folder / "figures").glob("*.svg"):
        ElementTree.fromstring(path.read_text("utf-8"))
    files = sorted((folder / "figures").glob("accuracy-*.svg"))
    assert [path.stem for path in files] == sorted(f"accuracy-{arm}" for arm in ARMS)
    for path in files:
        root = ElementTree.fromstring(path.read_text("utf-8"))
        marks = [each for each in root.iter() if each.get("class", "").startswith("dot ")]
        assert len(marks) == len(usual_makers())
        assert "grand-70b-high: " in root.get("aria-label", "")


def test_markdown_says_the_same(folder: Path) -> None:
    """The Markdown has the tables of the page, every row as wide as its heading."""
    text = (folder / "report.md").read_text("utf-8")
    page = (folder / "report.html").read_text("utf-8")
    assert text.count("\n## ") == page.count("<h2>")
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1


def test_an_unfinished_run_says_so_loudly(tmp_path: Path) -> None:
    """Cells that are pending are in N, and the first line of page, output and notices tells it."""
    study = Study(tmp_path, 12)
    run = study.run([maker("a", pending=0.5)])
    ended = CliRunner().invoke(report, [str(run), "-o", str(tmp_path / "reports"), "--json"])
    facts = json.loads(ended.stdout)
    assert facts["warnings"][0].startswith("Unfinished: ")
    assert ended.stderr.startswith("Unfinished: ")
    page = Page(Path(facts["report"]).read_text("utf-8")).text
    assert page.index("Unfinished: ") < page.index("Accuracy by arm")
    rows = rows_of(Path(facts["folder"]) / "tables" / "accuracy.csv")
    assert {row["planned"] for row in rows} == {"12"}
    assert all(int(row["completed"]) < 12 for row in rows)


def test_truncated_replies_are_told_of_before_any_rate(folder: Path) -> None:
    """A setting with cut-off replies is named in a notice that comes before its accuracy."""
    text = Page((folder / "report.html").read_text("utf-8")).text
    assert text.index("Truncated, cut off at a limit of tokens: ") < text.index("C/R in percent")


def test_identical_repeats_are_warned_of(tmp_path: Path) -> None:
    """Repeats that are all the same at a temperature above 0 are a warning; at 0 they are not."""
    study = Study(tmp_path, 2)
    for temperature, warned in ((0.7, True), (0, False)):
        setting = maker("a", repeats=2, reasoning="off", sampling={"temperature": temperature})
        run = study.run([setting], name=f"run-{temperature}")
        cells = list(read_cells(run / NAME))
        first = {cell.task_id: cell for cell in cells if not cell.repeat}
        copies = [
            replace(first[cell.task_id], repeat=cell.repeat, selected=not cell.repeat)
            for cell in cells
        ]
        write_cells(run / NAME, copies)
        facts = json.loads(make(run, "-o", tmp_path / "reports", "--json"))
        assert any("Identical repeats" in each for each in facts["warnings"]) == warned


def test_a_reasoning_mode_that_replies_contradict_is_told(tmp_path: Path) -> None:
    """Replies without thinking where it was asked for, and with it where not, are a warning."""
    study = Study(tmp_path, 2)
    for mode, characters, said in (
        ("high", 0, "No thinking seen: a asks for it, and none of its 8 replies shows any."),
        ("high", 9, ""),
        ("off", 0, ""),
        ("off", 9, "Thinking seen: a asks for none, and 8 of its 8 replies think (100.0%)."),
    ):
        run = study.run([maker("a", reasoning=mode)], name=f"{mode}-{characters}")
        cells = [
            replace(cell, reasoning_tokens=None, reasoning_characters=characters)
            for cell in read_cells(run / NAME)
        ]
        write_cells(run / NAME, cells)
        facts = json.loads(make(run, "-o", tmp_path / "reports", "--json"))
        told = [each for each in facts["warnings"] if "hinking seen" in each]
        assert [each.startswith(said) for each in told] == ([True] if said else [])


def test_two_runs_on_one_dataset_stand_side_by_side(tmp_path: Path) -> None:
    """A name that two runs share gets the run behind it; names of their own stay."""
    study = Study(tmp_path, 12)
    one = study.run([maker("a"), floor("short-answer")], name="one")
    two = study.run([maker("a", limit=6), maker("b")], name="two", seed=2)
    facts = json.loads(make(one, two, "-o", tmp_path / "reports", "--json"))
    ids = [json.loads((run / "run.json").read_text())["id"][:8] for run in (one, two)]
    rows = rows_of(Path(facts["folder"]) / "tables" / "accuracy.csv")
    names = list(dict.fromkeys(row["setting"] for row in rows))
    assert names == [f"a@{ids[0]}", f"a@{ids[1]}", "b", "baseline-short-answer"]
    floors = rows_of(Path(facts["folder"]) / "tables" / "floors.csv")
    sliced = [row for row in floors if row["setting"] == f"a@{ids[1]}"]
    assert {row["floor_n"] for row in sliced} == {"6"}  # the baseline on the model's own cases


def test_runs_of_one_plan_are_told_apart(tmp_path: Path) -> None:
    """Two runs that share even their id get a number behind it."""
    study = Study(tmp_path, 3)
    one, two = (study.run([maker("a")], name=name) for name in ("one", "two"))
    make(one, two, "-o", tmp_path / "reports")
    (table,) = (tmp_path / "reports").glob("*/tables/accuracy.csv")
    id8 = json.loads((one / "run.json").read_text())["id"][:8]
    assert {row["setting"] for row in rows_of(table)} == {f"a@{id8}-1", f"a@{id8}-2"}


def test_runs_on_different_datasets_are_one_clear_line(tmp_path: Path) -> None:
    """Both datasets are named, and nothing is written."""
    one, two = Study(tmp_path / "one", 3), Study(tmp_path / "two", 4)
    runs = [one.run([maker("a")]), two.run([maker("a")])]
    with pytest.raises(RunError, match=r"on dataset made-up \(\w{8}\) and .* on made-up") as caught:
        make(*runs, "-o", tmp_path / "reports")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "reports").exists()
    with pytest.raises(RunError, match="is given twice"):
        make(runs[0], runs[0], "-o", tmp_path / "reports")


def test_a_run_that_is_not_graded_says_how(tmp_path: Path) -> None:
    """Without cells the error names builder grade; without a run, builder evaluate."""
    study = Study(tmp_path, 1)
    run = study.run([maker("a")])
    (run / NAME).unlink()
    with pytest.raises(RunError, match="builder grade"):
        make(run)
    with pytest.raises(RunError, match="builder evaluate"):
        make(tmp_path / "nowhere")


def test_a_cell_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    """Cells that are counted twice would bend every rate."""
    study = Study(tmp_path, 1)
    run = study.run([maker("a")])
    cells = list(read_cells(run / NAME))
    write_cells(run / NAME, [*cells, cells[0]])
    with pytest.raises(RunError, match="holds a cell twice: setting 'a'"):
        make(run)


@pytest.mark.parametrize(
    "lost",
    [
        lambda cell: cell.setting == "b",
        lambda cell: cell.setting == "a" and cell.repeat == 1 and cell.arm == ARMS[0],
        lambda cell: cell.case_id < "8",
    ],
)
def test_cells_that_were_planned_and_are_not_there_are_missed(
    tmp_path: Path, lost: Callable[[Cell], bool]
) -> None:
    """A setting, a repeat or cases that a file has lost would leave the denominator."""
    study = Study(tmp_path, 12)
    run = study.run([maker("a", repeats=2), maker("b")])
    cells = list(read_cells(run / NAME))
    kept = [cell for cell in cells if not lost(cell)]
    assert 0 < len(kept) < len(cells)
    write_cells(run / NAME, kept)
    with pytest.raises(RunError, match=r"holds \d+ of \d+ cells of setting '[ab]'"):
        make(run)


def test_a_dataset_that_moved_is_asked_for(tmp_path: Path) -> None:
    """The error says -d; with it the report is made, and without case pages none is needed."""
    study = Study(tmp_path, 12)
    run = study.run([maker("a")])
    study.data.rename(tmp_path / "moved")
    reports = tmp_path / "reports"
    with pytest.raises(RunError, match=r"not where it was.*-d FOLDER"):
        make(run, "-o", reports)
    with_cases = Path(make(run, "-o", reports, "-d", tmp_path / "moved").strip()).parent
    without = Path(make(run, "-o", reports, "--no-cases").strip()).parent
    assert with_cases != without
    assert not (without / "cases").exists()
    assert (without / "tables/accuracy.csv").read_bytes() == (
        with_cases / "tables/accuracy.csv"
    ).read_bytes()
    other = Study(tmp_path / "other", 2)
    with pytest.raises(DeskcheckError, match="name the right one"):
        make(run, "-o", reports, "-d", other.data)


def test_a_cutoff_without_the_dataset_is_a_wrong_use(tmp_path: Path) -> None:
    """Dates are in the dataset: a report that cannot tell them apart is not made without a word."""
    ended = CliRunner().invoke(report, [str(tmp_path), "--no-cases", "--cutoff", "2024-01-01"])
    assert ended.exit_code == 2
    assert "--cutoff needs the dataset's dates" in ended.stderr


def test_what_a_guess_explains_is_told(study: Study, folder: Path) -> None:
    """The share of right answers that are guessable is that of the cells."""
    cells = [
        cell
        for cell in read_cells(study.folder / "run" / NAME)
        if cell.setting == "grand-70b-high" and cell.arm == "short-trace-final"
    ]
    right = [cell for cell in cells if cell.status == "correct"]
    (row,) = [
        row
        for row in rows_of(folder / "tables" / "guessable.csv")
        if (row["setting"], row["arm"]) == ("grand-70b-high", "short-trace-final")
    ]
    assert float(row["share"]) == pytest.approx(sum(c.guessable for c in right) / len(right))
    rest = [cell for cell in cells if not cell.guessable]
    assert float(row["without"]) == pytest.approx(
        sum(cell.status == "correct" for cell in rest) / len(rest)
    )
