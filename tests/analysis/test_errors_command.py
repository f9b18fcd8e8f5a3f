"""`builder errors` on a real case: states are observed, kinds are told, people are compared."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.analysis.synthetic import make_run, maker

from deskcheck.analysis.errors.moments import NAME
from deskcheck.analysis.sections.errors import section
from deskcheck.builder.cases import Admitted, Arm
from deskcheck.builder.cli import run as builder
from deskcheck.builder.contents import Build
from deskcheck.builder.dataset import write_dataset
from deskcheck.builder.judging import Judging
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.python import find_interpreter
from deskcheck.sources.pools import Candidate, Input, Provenance

pytestmark = pytest.mark.xdist_group("errors")  # one worker makes what these share

PROGRAM = b"""\
n = int(input())
total, kept = 1, []
for number in range(n):
    total = (3 * total + number) % 101
    if total % 4 == 0:
        kept.append(total)
print(total, len(kept))
"""
N = 40


def state(k: int) -> str:
    """The state as iteration k begins, worked out here."""
    total, kept = 1, list[int]()
    for number in range(k - 1):
        total = (3 * total + number) % 101
        if total % 4 == 0:
            kept.append(total)
    return json.dumps({"total": total, "kept": kept})


@pytest.fixture(scope="module")
def case() -> Admitted:
    """The program's case, measured here."""
    candidate = Candidate(
        id="folder/sums.py",
        pool="folder",
        study="folder-python",
        program=Program(language="python", source=PROGRAM),
        provenance=Provenance(licence="MIT", author="A", origin="sums"),
        inputs=(Input(name="1", data=b"4\n"), Input(name="2", data=b"40\n")),
    )
    judging = Judging(interpreter=find_interpreter(None), parameters=Parameters(repeats=1))
    verdict = judging.open()(candidate)
    assert isinstance(verdict, Admitted), verdict
    assert [field.name for field in verdict.case.fields] == ["total", "kept"]
    return verdict


@pytest.fixture(scope="module")
def folder(case: Admitted, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of it, and two runs, of which the first has been observed."""
    place = tmp_path_factory.mktemp("errors")
    build = Build(name="sums", config={"parameters": Parameters().as_dict()}, toolchain={})
    write_dataset(place / "data", build, [case])
    k = case.case.iteration
    total, length = case.answers[1].text.split()
    given: dict[str, dict[Arm, str]] = {
        "near": {
            "short-trace-final": case.answers[1].text,
            "long-trace-final": case.answers[0].text,
            "inside-loop-state": state(k - 1),
            "post-loop-state": state(N),
        },
        "far": {
            "short-trace-final": case.answers[0].text.replace(" ", ", "),
            "long-trace-final": f"{int(total) + 1} {length}",
            "inside-loop-state": '{"total":1,"kept":[]}',
            "post-loop-state": '{"total":-1,"kept":[-7,2,6]}',
        },
    }
    for name, answers in given.items():
        keyed: dict[tuple[str, Arm], str] = {
            (case.candidate, arm): text for arm, text in answers.items()
        }
        make_run(place / name, place / "data", [case], [maker(name)], answers=keyed)
    shutil.copytree(place / "near", place / "blind")
    assert builder(["errors", str(place / "near"), "--observe", "--workers", "1"]) == 0
    return place


@pytest.fixture
def said(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., dict[str, object]]:
    """What the command says as JSON."""

    def say(*arguments: str) -> dict[str, object]:
        capsys.readouterr()
        assert builder(["errors", *arguments, "--json"]) == 0
        read: dict[str, object] = json.loads(capsys.readouterr().out)
        return read

    return say


def test_states_of_other_iterations_are_observed(
    folder: Path, case: Admitted, said: Callable[..., dict[str, object]]
) -> None:
    """They are those worked out here, and errors that equal them are of execution."""
    kept = json.loads((folder / "near" / NAME).read_text())
    (seen,) = kept["states"].values()
    inside = {each["iteration"]: each["state"] for each in seen if each["place"] == "inside"}
    assert {case.case.iteration - 1, case.case.iteration + 1, 1, N} <= inside.keys()
    for k, text in inside.items():
        assert json.loads(text) == json.loads(state(k)), k
    assert said(str(folder / "near"))["sub_kinds"] == {
        "copying/long_output": 1,
        "copying/short_output": 1,
        "execution/off_by_one": 2,
    }


def test_without_observing_nothing_of_the_trace_is_proved(
    folder: Path, said: Callable[..., dict[str, object]]
) -> None:
    """The same run, unobserved."""
    kinds = said(str(folder / "blind"))["sub_kinds"]
    assert isinstance(kinds, dict)
    assert not any(name.startswith("execution") for name in kinds)


def test_runs_share_what_was_observed_beside_one(
    folder: Path, said: Callable[..., dict[str, object]]
) -> None:
    """It is of the dataset, not of the run."""
    found = said(str(folder / "far"), str(folder / "near"))
    assert found["settings"] == {
        "far": {
            "execution": 0,
            "arithmetic": 1,
            "copying": 1,
            "formatting": 1,
            "truncation": 0,
            "unclassified": 1,
        },
        "near": {
            "execution": 2,
            "arithmetic": 0,
            "copying": 2,
            "formatting": 0,
            "truncation": 0,
            "unclassified": 0,
        },
    }


def test_every_wrong_answer_is_written_with_its_evidence(folder: Path, tmp_path: Path) -> None:
    """As a CSV file, one row each."""
    out = tmp_path / "all.csv"
    assert builder(["errors", str(folder / "near"), "-o", str(out)]) == 0
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4
    assert {row["kind"] for row in rows} == {"copying", "execution"}
    assert any("off by -1" in row["evidence"] for row in rows)


@pytest.mark.parametrize("change", ["{", "[]", '{"layout": 1}', '{"layout": 9}'])
def test_a_damaged_file_of_states_is_one_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: str
) -> None:
    """It says which, and what to do."""
    run = shutil.copytree(folder / "near", tmp_path / "run")
    (run / NAME).write_text(change)
    assert builder(["errors", str(run), "-d", str(folder / "data")]) == 3
    told = capsys.readouterr().err
    assert NAME in told
    assert "--observe" in told
    assert len(told.splitlines()) == 1


def test_two_annotators_are_compared(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With each other and with what was proved; who differs is in the table."""
    sheet = tmp_path / "sheet.csv"
    runs = [str(folder / "near"), str(folder / "far")]
    assert builder(["errors", *runs, "--annotate", str(sheet)]) == 0
    with sheet.open(newline="") as file:
        ids = [row["id"] for row in csv.DictReader(file)]
    assert len(ids) == 8
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    one.write_text("id,kind\n" + "".join(f"{each},execution\n" for each in ids))
    other.write_text(
        "id,kind\n"
        + "".join(f"{each},{'copying' if n else 'execution'}\n" for n, each in enumerate(ids))
    )
    capsys.readouterr()
    assert builder(["errors", *runs, "--agreement", str(one), str(other)]) == 0
    told = capsys.readouterr().out
    assert "annotators: 1 of 8 alike, kappa 0.00 (too few clusters)" in told
    assert "first and automatic: 2 of 8 alike" in told
    other.write_text(other.read_text().rpartition("\n")[0].rpartition("\n")[0] + "\n")
    assert builder(["errors", *runs, "--agreement", str(one), str(other)]) == 3
    assert "1 answers stand in only one of" in capsys.readouterr().err
    assert builder(["errors", runs[0], "--agreement", str(one), str(one)]) == 3
    assert "no wrong answer of these runs" in capsys.readouterr().err


def test_runs_of_one_plan_are_annotated_one_by_one(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their replies have the same ids, so a judgement could be laid at the wrong one's door."""
    sheet, runs = tmp_path / "sheet.csv", [str(folder / "near"), str(folder / "blind")]
    assert builder(["errors", *runs]) == 0
    capsys.readouterr()
    assert builder(["errors", *runs, "--annotate", str(sheet)]) == 3
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert "run twice" in lines[0] and "one by one" in lines[0]
    assert not sheet.exists()


def test_the_report_tells_kinds_and_what_it_could_not_look_for(
    folder: Path, tmp_path: Path
) -> None:
    """The section, its table and its figure; another report where states were observed."""
    pages = {}
    for name in ("near", "blind"):
        out = tmp_path / name
        assert builder(["report", str(folder / name), "-o", str(out)]) == 0
        (pages[name],) = out.iterdir()
    text = (pages["near"] / "report.html").read_text()
    assert 'id="errors"' in text
    assert "were not observed" not in text
    assert "were not observed" in (pages["blind"] / "report.html").read_text()
    assert (pages["near"] / "figures/errors-inside-loop-state.svg").exists()
    with (pages["near"] / "tables/errors.csv").open(newline="") as file:
        rows = {row["arm"]: row for row in csv.DictReader(file)}
    assert float(rows["inside-loop-state"]["execution"]) == 1.0
    assert rows["inside-loop-state"]["execution_note"] == "too few clusters"
    assert pages["near"].name != pages["blind"].name


def test_without_a_dataset_there_is_no_section(folder: Path) -> None:
    """Nothing can be proved then."""
    from deskcheck.analysis.results import Options, gather
    from deskcheck.analysis.runs import read_run

    assert section(gather([read_run(folder / "near")], Options())) is None
