"""Builds: the same rows whatever is done to them, and nothing lost when they are stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from deskcheck.builder.cases import Admitted, Rejected
from deskcheck.builder.dataset import read_answers, read_dataset
from deskcheck.builder.engines.local import LocalEngine
from deskcheck.builder.journal import NAME
from deskcheck.builder.judging import Judging
from deskcheck.builder.parameters import Parameters
from deskcheck.builder.pipeline import Shard, without_duplicates
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.python import find_interpreter
from deskcheck.sources.pools import Candidate, Input, Provenance

# One worker makes the builds that these tests share.
pytestmark = pytest.mark.xdist_group("builds")

PROGRAM = """\
n = int(input())
a, b = 1, {number}
for _ in range(n):
    a, b = b, (3 * a + b) % 101
print(a * 1000 + b)
"""
COUNT = 4


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of small programs, one of which is rejected."""
    folder = tmp_path_factory.mktemp("programs")
    for number in range(COUNT):
        source = PROGRAM.format(number=number + 2)
        text = source if number != 2 else source.replace("print", "str")
        (folder / f"p{number}.py").write_text(text)
        (folder / f"p{number}.1.in").write_text("3\n")
        (folder / f"p{number}.2.in").write_text(f"{40 + number}\n")
    return folder


def admit(programs: Path, out: Path, *more: str) -> list[str]:
    """The command line of one build."""
    return [
        *(sys.executable, "-m", "deskcheck.builder.cli", "admit", "--pool", "folder"),
        *("--data", str(programs), "-o", str(out), *more),
    ]


def run(command: list[str], hash_seed: int = 0) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )


def made(out: Path) -> Path:
    """The one dataset folder that a build left."""
    (folder,) = [path for path in out.iterdir() if not path.name.endswith(".building")]
    return folder


def rows(out: Path) -> dict[str, Any]:
    """Everything that a dataset says, by candidate, without the order of shards."""
    dataset, answers = read_dataset(made(out)), read_answers(made(out))
    return {
        "cases": {case.candidate: case for case in dataset.cases},
        "tasks": {task.id: task for task in dataset.tasks},
        "rejections": {each.candidate: each for each in dataset.rejections},
        "measures": {each.task_id: each for each in dataset.measures},
        "answers": answers,
    }


@pytest.fixture(scope="module")
def undisturbed(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("undisturbed")
    run(admit(programs, out, "--workers", "2"))
    return out


@pytest.mark.slow
def test_the_rows_do_not_depend_on_workers_or_hash_seed(
    programs: Path, undisturbed: Path, tmp_path: Path
) -> None:
    """One worker under another hash seed writes the same dataset, to the same id."""
    run(admit(programs, tmp_path, "--workers", "1"), hash_seed=12345)
    assert rows(tmp_path) == rows(undisturbed)
    manifests = [
        json.loads((made(o) / "manifest.json").read_text()) for o in (tmp_path, undisturbed)
    ]
    assert manifests[0] == manifests[1]
    assert len(rows(undisturbed)["cases"]) == COUNT - 1


@pytest.mark.slow
def test_shards_together_hold_the_rows_of_the_whole(
    programs: Path, undisturbed: Path, tmp_path: Path
) -> None:
    """Two shards partition the candidates and change none of their rows."""
    parts = []
    for number in (1, 2):
        run(admit(programs, tmp_path / str(number), "--shard", f"{number}/2"))
        parts.append(rows(tmp_path / str(number)))
    whole = rows(undisturbed)
    for table, expected in whole.items():
        together = [item for part in parts for item in part[table].items()]
        assert len(together) == len(expected)
        assert dict(together) == expected


def processes_mentioning(text: str) -> list[int]:
    """Live processes whose command line or environment names this build."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                said = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
            except OSError:
                continue
            if text.encode() in said:
                found.append(int(entry.name))
    return found


def started(command: list[str], out: Path, verdicts_wanted: int) -> subprocess.Popen[str]:
    """The build, running, once so many verdicts are in its journal."""
    process = subprocess.Popen(
        command,
        env={**os.environ, "DESKCHECK_TEST_BUILD": str(out)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        journals = list(out.glob(f"*.building/{NAME}"))
        if journals and journals[0].read_bytes().count(b"\n") > verdicts_wanted:
            return process
        time.sleep(0.01)
    raise AssertionError(f"no verdict in time: {process.communicate()}")


def test_killed_in_the_middle_the_same_command_gives_the_same_dataset(
    programs: Path, undisturbed: Path, tmp_path: Path
) -> None:
    """kill -9 twice, at different verdicts, leaves no process and loses no finished verdict."""
    command = admit(programs, tmp_path, "--workers", "2")
    before = 0
    for wanted in (1, 2):
        process = started(command, tmp_path, wanted)
        process.send_signal(signal.SIGKILL)
        process.wait()
        (journal,) = tmp_path.glob(f"*.building/{NAME}")
        now = journal.read_bytes().count(b"\n")
        assert now > before
        before = now
        deadline = time.monotonic() + 10
        while processes_mentioning(str(tmp_path)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert processes_mentioning(str(tmp_path)) == []
    run(command)
    assert rows(tmp_path) == rows(undisturbed)
    assert [path.name for path in tmp_path.iterdir()] == [made(undisturbed).name]


@pytest.mark.slow
def test_interrupted_it_keeps_what_is_done_and_ends_with_130(
    programs: Path, undisturbed: Path, tmp_path: Path
) -> None:
    """Ctrl-C ends the build soon, in one line, and the next run goes on from its verdicts."""
    command = admit(programs, tmp_path, "--workers", "2")
    process = started(command, tmp_path, 2)
    os.killpg(process.pid, signal.SIGINT)  # what a terminal does: every process of the group
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    (journal,) = tmp_path.glob(f"*.building/{NAME}")
    kept = journal.read_bytes()
    assert kept.count(b"\n") > 2
    again = run(command)
    assert f"{COUNT}/{COUNT}" in again.stderr
    assert rows(tmp_path) == rows(undisturbed)


@pytest.mark.slow
def test_another_request_does_not_go_on_with_a_build(programs: Path, tmp_path: Path) -> None:
    """Another seed is another folder, so an unfinished build is never mixed with another."""
    process = started(admit(programs, tmp_path), tmp_path, 1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    run(admit(programs, tmp_path, "--seed", "9"))
    assert len([path for path in tmp_path.iterdir() if path.name.endswith(".building")]) == 1
    assert len(rows(tmp_path)["cases"]) == COUNT - 1


@pytest.mark.slow
def test_stopping_after_n_goes_by_candidate_order(programs: Path, tmp_path: Path) -> None:
    """The first N admitted in pool order are kept, whatever order they were judged in."""
    run(admit(programs, tmp_path, "--stop-after", "2", "--workers", "2"))
    kept = rows(tmp_path)
    assert sorted(kept["cases"]) == [f"folder/p{i}.py" for i in (0, 1)]
    assert sorted(kept["rejections"]) == []


def candidates() -> list[Candidate]:
    return [
        Candidate(
            id=f"made/{number}",
            pool="made",
            study="made-python",
            program=Program(language="python", source=PROGRAM.format(number=number + 2).encode()),
            provenance=Provenance(licence="CC0-1.0", author="tests", origin=str(number)),
            inputs=(Input(name="1", data=b"3\n"), Input(name="2", data=b"40\n")),
        )
        for number in range(4)
    ]


@pytest.mark.slow
def test_a_worker_that_dies_takes_no_candidate_with_it() -> None:
    """A worker killed in the middle: every candidate still gets its own verdict."""
    judging = Judging(interpreter=find_interpreter(), parameters=Parameters())
    judged: dict[int, Any] = {}
    for index, verdict in LocalEngine(2).results(candidates(), judging):
        if not judged:
            children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text()
            workers = [
                int(pid)
                for pid in children.split()
                if b"forkserver" in Path(f"/proc/{pid}/cmdline").read_bytes()
            ]
            os.kill(workers[0], signal.SIGKILL)
        judged[index] = verdict
    assert sorted(judged) == list(range(4))
    assert all(isinstance(verdict, Admitted) for verdict in judged.values())


def test_a_case_that_asks_what_another_asks_is_rejected() -> None:
    """Of two candidates with one program and the same inputs, the later one is left out."""
    judging = Judging(interpreter=find_interpreter(), parameters=Parameters())
    (first,) = [verdict for _, verdict in LocalEngine(1).results(candidates()[:1], judging)]
    assert isinstance(first, Admitted)
    kept = without_duplicates([first, first])
    assert kept[0] == first
    assert isinstance(kept[1], Rejected)
    assert kept[1].findings[0].reason == "same_task"


@pytest.mark.parametrize("of", [1, 2, 7])
def test_every_candidate_is_in_exactly_one_shard(of: int) -> None:
    """Shards follow from the id alone and leave no candidate out."""
    for name in (f"pool/{number}" for number in range(200)):
        assert sum(Shard(number=n, of=of).has(name) for n in range(1, of + 1)) == 1
