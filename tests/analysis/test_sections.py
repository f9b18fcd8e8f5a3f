"""Sections are found by name, and another distribution's stand in the report like our own."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.analysis.synthetic import make_dataset, make_run, maker

from deskcheck.analysis.commands.report import report
from deskcheck.analysis.registry import BUILT_IN, load_section, origins, section_names
from deskcheck.oracles.errors import RunError

MODULE = """
from deskcheck.analysis.blocks import Column, Section, Table, Text
from deskcheck.analysis.statistics.rates import rates

def longest(results):
    rows = tuple(
        (named.name, arm, rates(part).per_completed)
        for named, arm, part in results.parts(results.selected)
    )
    columns = (
        Column(name="setting", heading="setting"),
        Column(name="arm", heading="arm"),
        Column(name="rate", heading="rate", kind="share"),
    )
    table = Table(name="theirs", title="Theirs <i>", columns=columns, rows=rows)
    return Section(name="theirs", title="From elsewhere", blocks=(Text(text="5 < 6"), table))

def silent(results):
    return None

def wrong(results):
    return ["no section"]

def clash(results):
    return Section(name="accuracy", title="Again", blocks=())

number = 5
"""


@pytest.fixture
def run(tmp_path: Path) -> Path:
    verdicts = make_dataset(tmp_path / "data", 3)
    return make_run(tmp_path / "run", tmp_path / "data", verdicts, [maker("a")])


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, entry_points: str) -> None:
    """A distribution `their-sections`, version 0.3, as installers lay it down."""
    site = folder / "site"
    facts = site / "their_sections-0.3.dist-info"
    facts.mkdir(parents=True)
    (site / "their_sections.py").write_text(MODULE)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: their-sections\nVersion: 0.3\n")
    (facts / "entry_points.txt").write_text(f"[deskcheck.report_sections]\n{entry_points}")
    monkeypatch.syspath_prepend(str(site))


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_sections_load(name: str) -> None:
    """Each name of the table leads to a function."""
    assert callable(load_section(name))


def test_an_installed_section_is_part_of_the_report(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands before what was run, with its table as a file; one without a word is left out."""
    install(
        tmp_path,
        monkeypatch,
        "theirs = their_sections:longest\nsilent = their_sections:silent\n",
    )
    assert section_names() == [*list(BUILT_IN)[:-1], "silent", "theirs", "runs"]
    assert origins()["theirs"] == "their-sections 0.3"
    ended = CliRunner().invoke(report, [str(run), "-o", str(tmp_path / "reports")])
    folder = Path(ended.stdout.strip()).parent
    page = (folder / "report.html").read_text("utf-8")
    assert page.index("From elsewhere") < page.index("What was run")
    assert "5 &lt; 6" in page
    assert "Theirs &lt;i&gt;" in page
    assert (folder / "tables" / "theirs.csv").is_file()
    assert "their-sections 0.3" in (folder / "inputs.json").read_text()


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("theirs = their_sections:missing", "cannot be loaded from their_sections:missing"),
        ("theirs = their_sections:number", "is a int"),
        ("theirs = their_sections:wrong", "gave a list"),
        ("theirs = their_sections:clash", "two parts of the report are called"),
    ],
)
def test_a_section_that_cannot_be_used_is_one_line(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str, said: str
) -> None:
    """What is wrong and whose it is stand in the error, and no report is left half made."""
    install(tmp_path, monkeypatch, entry)
    ended = CliRunner().invoke(report, [str(run), "-o", str(tmp_path / "reports")])
    assert isinstance(ended.exception, RunError)
    assert said in str(ended.exception)
    assert "their-sections 0.3" in str(ended.exception) or "clash" in entry
    assert not list((tmp_path / "reports").glob("*/*"))
