"""Trace lengths of whole pools: exact, the same bytes whatever happens, and nothing lost."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from deskcheck.builder import survey as surveying
from deskcheck.builder.cli import run as builder
from deskcheck.builder.engines import Job
from deskcheck.builder.measured import COUNTS, CountedCandidate, joined, read_measured
from deskcheck.builder.measuring import CIRCUMSTANCES, Measuring, is_sampled
from deskcheck.builder.pipeline import PoolRequest, Shard
from deskcheck.builder.survey import FaultError, SurveyRequest, survey
from deskcheck.oracles.errors import DatasetError
from deskcheck.oracles.outcomes import Limits
from deskcheck.oracles.runtimes.python import PythonRuntime, find_interpreter
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.library.pool import LibraryPool
from deskcheck.sources.network_simplex.pool import NetworkSimplexPool, candidate
from deskcheck.sources.pools import DivisiblePool, PoolOptions

LIMITS = Limits(cpu_s=5, wall_s=20)


@dataclass(frozen=True)
class Here:
    """An engine without workers; results come in an order of the test's choice."""

    order: Callable[[list[int]], list[int]] = list
    deaths: int = 0
    """How often the first item is given up instead of done."""

    def results[Item, Result](
        self, items: Sequence[Item], job: Job[Item, Result], /
    ) -> Generator[tuple[int, Result]]:
        work = job.open()
        for index in self.order(list(range(len(items)))):
            if index == 0 and self.deaths:
                object.__setattr__(self, "deaths", self.deaths - 1)
                yield index, job.died(items[index])
            else:
                yield index, work(items[index])


def asked(out: Path, pool: str, engine: Here | None = None, **options: str) -> SurveyRequest:
    data = options.pop("data", None)
    return SurveyRequest(
        pool=PoolRequest(name=pool, options=PoolOptions(data=data, options=options)),
        job=Measuring(
            pool=pool,
            interpreter=find_interpreter(),
            limits=LIMITS,
            which="last",
            sample_check=2,
            sample=None,
            allow_unisolated=True,
        ),
        engine=engine or Here(),
        output=out,
        shard=Shard(),
    )


COUNT = 5


@pytest.fixture(autouse=True)
def _small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surveying, "PORTION", 2)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The counts of the first candidates of network simplex, in portions of two."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(surveying, "PORTION", 2)
        out = tmp_path_factory.mktemp("undisturbed")
        return survey(asked(out, "network-simplex", count=str(COUNT))).folder


def test_counts_are_those_of_the_reference(undisturbed: Path) -> None:
    """Each long run has the count that `sys.monitoring` gives, in candidate order."""
    measured = read_measured(undisturbed).candidates
    assert [each.candidate for each in measured] == [f"network-simplex/{n}" for n in range(COUNT)]
    with Sandbox(allow_unisolated=True) as sandbox:
        runtime = PythonRuntime(sandbox, find_interpreter(), LIMITS)
        for number, each in enumerate(measured):
            made = candidate(number, 0)
            (run,) = each.inputs
            reference = runtime.count(made.program, made.inputs[-1].data, CIRCUMSTANCES)
            assert (run.name, run.reason, run.reference) == ("long", "", "")
            assert run.trace_length == reference.trace_length
            assert run.output_bytes == len(reference.outcome.stdout)
            assert each.checked == is_sampled(each.candidate, 2)
    assert {each.checked for each in measured} == {False, True}


def test_arrival_and_deaths_change_no_byte(undisturbed: Path, tmp_path: Path) -> None:
    """Portions that come last first, and one whose worker dies, give the same files and name."""
    engine = Here(order=lambda numbers: numbers[::-1], deaths=1)
    again = survey(asked(tmp_path, "network-simplex", engine, count=str(COUNT))).folder
    assert again.name == undisturbed.name
    assert [path.name for path in tmp_path.iterdir()] == [again.name]
    for path in undisturbed.iterdir():
        assert (again / path.name).read_bytes() == path.read_bytes()


def test_shards_together_are_the_whole(undisturbed: Path, tmp_path: Path) -> None:
    """Their lines are those of the whole, and so is what is read of all of them."""
    request = asked(tmp_path, "network-simplex", count=str(COUNT))
    folders = [
        survey(replace(request, shard=Shard(number=number, of=2))).folder for number in (1, 2)
    ]
    lines = [line for each in folders for line in (each / COUNTS).read_bytes().splitlines()]
    assert sorted(lines) == sorted((undisturbed / COUNTS).read_bytes().splitlines())
    assert joined(folders[::-1]) == joined([undisturbed])
    assert (folders[0] / COUNTS).read_bytes() != b"" != (folders[1] / COUNTS).read_bytes()


def test_a_portion_that_is_never_counted_ends_it_and_loses_no_other(tmp_path: Path) -> None:
    """The fault is told, and the next run goes on with what is missing alone."""
    engine = Here(deaths=2)
    with pytest.raises(
        FaultError, match="2 candidates were not counted: a worker process died twice"
    ):
        survey(asked(tmp_path, "network-simplex", engine, count="3"))
    (journal,) = tmp_path.glob(f"*.building/{COUNTS}")
    assert journal.read_bytes().count(b"\n") == 2
    survey(asked(tmp_path, "network-simplex", Here(order=_only_one), count="3"))


def _only_one(numbers: list[int]) -> list[int]:
    assert len(numbers) <= 1, "what is in the journal is counted again"
    return numbers


PROGRAMS = {
    "counted.py": "print(int(input()) + 1)\n",
    "raises.py": "print(1 // 0)\n",
    "leaves.py": "import os\nos._exit(0)\n",
    "exits.py": "raise SystemExit(3)\n",
    "endless.py": "while True:\n    pass\n",
    "looks.py": "def f():\n    return 1\nprint(len(f.__code__.co_code) and 1)\n",
    "other.cpp": "int main() { return 0; }\n",
}


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder of programs that end in various ways, one of which has too few inputs."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for name, text in PROGRAMS.items():
        (folder / name).write_text(text)
        for number in (1, 2):
            (folder / f"{name.partition('.')[0]}.{number}.in").write_text(f"{number}\n")
    (folder / "lonely.py").write_text("print(1)\n")
    (folder / "lonely.1.in").write_text("1\n")
    return folder


def test_whatever_has_no_count_has_a_reason(programs: Path, tmp_path: Path) -> None:
    """Programs that end badly, that cannot count themselves, or are not for this counter."""
    request = asked(tmp_path, "folder", data=str(programs))
    job = replace(request.job, limits=Limits(cpu_s=0.4, wall_s=20), which="all")
    found = read_measured(survey(replace(request, job=job)).folder)
    by_name = {each.candidate.rpartition("/")[2]: each for each in found.candidates}
    assert {name: each.reasons for name, each in by_name.items()} == {
        "counted.py": [],
        "raises.py": ["runtime_error"] * 2,
        "leaves.py": ["left_early"] * 2,
        "exits.py": ["exit_status"] * 2,
        "endless.py": ["cpu_limit"] * 2,
        "looks.py": [],
        "other.cpp": ["not_python"],
        "lonely.py": ["too_few_inputs"],
    }
    assert by_name["endless.py"].last is None and by_name["other.cpp"].last is None
    looks = by_name["looks.py"].inputs
    assert [run.reference for run in looks] == ["the program mentions __code__"] * 2
    assert all(run.trace_length for run in looks)
    assert found.manifest.summary["counted_by_reference"] == 2
    assert found.manifest.summary["reasons"]["cpu_limit"] == 2


def command(out: Path, *more: str) -> list[str]:
    """A command line whose portions are of two candidates, as those above."""
    script = (
        "import sys\nfrom deskcheck.builder import cli, survey\n"
        "survey.PORTION = 2\nif __name__ == '__main__':\n    sys.exit(cli.run(sys.argv[1:]))\n"
    )
    main = out / "main.py"
    main.write_text(script)
    return [
        *(sys.executable, str(main), "measure", "--pool", "network-simplex", "--sample-check", "2"),
        *("--option", f"count={COUNT}", "-o", str(out / "measured"), *more),
    ]


def running(line: list[str], out: Path) -> subprocess.Popen[bytes]:
    """The command, once a portion is in its journal."""
    process = subprocess.Popen(line, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        for journal in out.glob(f"measured/*.building/{COUNTS}"):
            if journal.read_bytes().count(b"\n") > 1:
                return process
        time.sleep(0.002)
    raise AssertionError("no portion in time, or all of them at once")


@pytest.mark.slow
def test_killed_in_the_middle_it_goes_on_with_any_number_of_workers(
    undisturbed: Path, tmp_path: Path
) -> None:
    """kill -9 loses no recorded portion; the lines are those of one run without workers."""
    process = running(command(tmp_path, "--workers", "1"), tmp_path)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (journal,) = tmp_path.glob(f"measured/*.building/{COUNTS}")
    kept = journal.read_bytes()
    ended = subprocess.run(
        command(tmp_path, "--workers", "2", "--json"), capture_output=True, text=True, check=True
    )
    done = 2 * (kept.count(b"\n") - 1)
    assert f"measuring: {COUNT}/{COUNT}" in ended.stderr
    assert 0 < done < COUNT + 1
    folder = Path(json.loads(ended.stdout)["folder"])
    assert (folder / COUNTS).read_bytes() == (undisturbed / COUNTS).read_bytes()
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command works in this process."""
    monkeypatch.setattr(
        "deskcheck.builder.commands.measure.engine_of", lambda name, workers: Here()
    )


@pytest.mark.usefixtures("here")
def test_counters_that_disagree_are_a_fault_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line names the candidate and both counts, the status is 1, and nothing is written."""
    exact = PythonRuntime.count

    def one_more(self: PythonRuntime, *given: Any) -> Any:
        counted = exact(self, *given)
        return replace(counted, trace_length=(counted.trace_length or 0) + 1)

    monkeypatch.setattr(PythonRuntime, "count", one_more)
    line = ["measure", "--pool", "network-simplex", "--option", "first=3", "--option", "count=1"]
    assert builder([*line, "--sample-check", "1", "-o", str(tmp_path)]) == 1
    said = capsys.readouterr().err.splitlines()[-1]
    made = candidate(3, 0)
    with Sandbox(allow_unisolated=True) as sandbox:
        runtime = PythonRuntime(sandbox, find_interpreter(), LIMITS)
        true = exact(runtime, made.program, made.inputs[-1].data, CIRCUMSTANCES).trace_length
    assert true is not None
    assert said.startswith("builder: network-simplex/3, input long:")
    assert f"counts {true} opcodes, the reference {true + 1};" in said
    assert not list(tmp_path.glob("*/manifest.json"))


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (["--pool", "network-simplx"], "no pool 'network-simplx'"),
        (["--pool", "network-simplex", "--option", "counts=3"], "no option 'counts'"),
        (["--pool", "library", "--option", "cases=0"], "cases='0'"),
        (["--pool", "library", "--python", "no-such-python"], "no-such-python does not run"),
    ],
)
def test_what_cannot_be_measured_is_one_line(
    more: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert builder(["measure", *more, "-o", str(tmp_path)]) == 3
    (said,) = capsys.readouterr().err.splitlines()
    assert expected in said
    assert not list(tmp_path.iterdir())


def test_what_is_measured_is_not_measured_again(undisturbed: Path) -> None:
    """The same command says where its counts stand, and leaves them alone."""
    with pytest.raises(DatasetError, match=f"this is measured already: .*{undisturbed.name}"):
        survey(asked(undisturbed.parent, "network-simplex", count=str(COUNT)))


@pytest.mark.parametrize(
    ("pool", "given"),
    [
        (NetworkSimplexPool(), {"first": "5", "count": "7"}),
        (NetworkSimplexPool(), {"seeds": "SEEDS"}),
        (LibraryPool(), {"only": "nsmallest,getopt", "cases": "3"}),
        (LibraryPool(), {"package": "cpython", "only": "getopt", "first": "4", "cases": "2"}),
    ],
)
def test_parts_of_a_pool_are_the_pool(
    pool: DivisiblePool, given: dict[str, str], tmp_path: Path
) -> None:
    """One after the other they give its candidates, as many as they say and no more than asked."""
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("9\n4\n")
    options = PoolOptions(
        seed=6, options={key: value.replace("SEEDS", str(seeds)) for key, value in given.items()}
    )
    whole = list(pool.candidates(options))
    parts = pool.parts(options, 2)
    seeds.unlink()
    read = [list(pool.candidates(part.options)) for part in parts]
    assert [each for part in read for each in part] == whole
    assert [len(each) for each in read] == [part.count for part in parts]
    assert max(part.count for part in parts) <= 2


def test_samples_are_as_rare_as_asked() -> None:
    """About one in so many, the same whenever asked, and none for 0."""
    names = [f"pool/{number}" for number in range(4000)]
    assert 60 <= sum(is_sampled(name, 40) for name in names) <= 140
    assert all(is_sampled(name, 1) for name in names)
    assert not any(is_sampled(name, 0) for name in names)


def test_a_row_is_read_as_it_was_written(undisturbed: Path) -> None:
    """A line has the same columns for every candidate."""
    rows = [json.loads(line) for line in (undisturbed / COUNTS).read_bytes().splitlines()]
    assert len({tuple(row) for row in rows}) == 1
    assert [CountedCandidate.of(row) for row in rows] == read_measured(undisturbed).candidates
