"""Ray: the same rows as on one machine, whatever dies, on a real cluster of two nodes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.builder import ray_jobs
from tests.builder.ray_jobs import NODE, Made, Report

from deskcheck.builder.engines.local import LocalEngine
from deskcheck.builder.journal import NAME
from deskcheck.builder.judging import Judging
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.errors import ClusterError, InterpreterError
from deskcheck.oracles.runtimes.python import Interpreter, find_interpreter

pytest.importorskip("ray", reason="Ray is not installed")

from deskcheck.builder.engines.ray import RayEngine

# One worker starts the one cluster that these tests share.
pytestmark = pytest.mark.xdist_group("ray")

MEMORY = 100 * 2**20
CPP = Path(__file__).parent / "programs/cpp/admitted"
PROGRAM = """\
n = int(input())
a, b = 1, {number}
for _ in range(n):
    a, b = b, (3 * a + b) % 101
print(a * 1000 + b)
"""


@dataclass(frozen=True, slots=True)
class Nodes:
    """A running cluster: one CPU on this machine's node, one on the second."""

    address: str
    add: Callable[[str], Any]
    remove: Callable[[Any], None]


def patiently[Started](start: Callable[[], Started]) -> Started:
    """Ray gives a node half a minute to start, which may be too little on a busy machine."""
    for _ in range(3):
        with suppress(Exception):
            return start()
    return start()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Nodes]:
    from ray import cloudpickle
    from ray.cluster_utils import Cluster

    cloudpickle.register_pickle_by_value(ray_jobs)  # no node can import the tests
    head = {"num_cpus": 1, "object_store_memory": MEMORY, "include_dashboard": False}
    found = patiently(lambda: Cluster(initialize_head=True, head_node_args=head))

    def add(name: str) -> Any:
        return patiently(
            lambda: found.add_node(num_cpus=1, object_store_memory=MEMORY, env_vars={NODE: name})
        )

    add("second")
    yield Nodes(str(found.address), add, lambda node: found.remove_node(node, allow_graceful=False))
    found.shutdown()


@pytest.fixture
def connected(cluster: Nodes, monkeypatch: pytest.MonkeyPatch) -> Nodes:
    """The cluster, as the one that engines of this process take."""
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    return cluster


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four small programs, one of which is rejected, and one in C++ where there is a compiler."""
    folder = tmp_path_factory.mktemp("programs")
    for number in range(4):
        source = PROGRAM.format(number=number + 2)
        text = source if number != 2 else source.replace("print", "str")
        (folder / f"p{number}.py").write_text(text)
        (folder / f"p{number}.1.in").write_text("3\n")
        (folder / f"p{number}.2.in").write_text(f"{40 + number}\n")
    if shutil.which("clang++") and shutil.which("llvm-cov"):
        path = min(CPP.glob("*.cpp"))
        for name in (path.name, f"{path.stem}.short.in", f"{path.stem}.long.in"):
            shutil.copy(CPP / name, folder)
    return folder


def admit(programs: Path, out: Path, *more: str) -> list[str]:
    """The command line of one build."""
    return [
        *(sys.executable, "-m", "deskcheck.builder.cli", "admit", "--pool", "folder"),
        *("--data", str(programs), "-o", str(out), *more),
    ]


def run(command: Sequence[str], address: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env={**os.environ, "RAY_ADDRESS": address},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def content(out: Path) -> dict[str, bytes]:
    """Every byte of the one dataset in a folder; its times of building are in no dataset."""
    (folder,) = out.iterdir()
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def undisturbed(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the local engine makes of the programs."""
    out = tmp_path_factory.mktemp("undisturbed")
    ended = run(admit(programs, out, "--workers", "2"))
    assert ended.returncode == 0, ended.stderr
    return out


def test_without_ray_one_line_says_how_to_get_it(programs: Path, tmp_path: Path) -> None:
    """Where Ray is missing, `--engine ray` ends with 3 and names the extra."""
    script = (
        "import sys; sys.modules['ray'] = None\n"
        "from deskcheck.builder.cli import run\n"
        "sys.exit(run(sys.argv[1:]))"
    )
    arguments = admit(programs, tmp_path, "--engine", "ray")[3:]
    ended = run([sys.executable, "-c", script, *arguments])
    assert ended.returncode == 3
    assert ended.stderr == "builder: Ray is not installed; pip install 'deskcheck[ray]'\n"


def test_what_must_be_the_same_is_found_again_at_the_same_path(tmp_path: Path) -> None:
    """A node's toolchain is what is there, not what the job was told; nothing there is an error."""
    here = find_interpreter()
    old = Interpreter(
        executable=here.executable, version="3.12.99", implementation="CPython", libc=here.libc
    )
    found = Judging(interpreter=old, parameters=Parameters()).toolchain()
    assert found["measured"]["version"] == here.version
    gone = Interpreter(
        executable=str(tmp_path / "python"), version=here.version, implementation="CPython", libc=""
    )
    with pytest.raises(InterpreterError, match="does not run as a Python interpreter"):
        Judging(interpreter=gone, parameters=Parameters()).toolchain()


@pytest.mark.slow
def test_an_address_where_nothing_listens_is_one_line(programs: Path, tmp_path: Path) -> None:
    """An unreachable cluster ends the command with 3, before Ray tries for minutes."""
    ended = run(admit(programs, tmp_path, "--engine", "ray"), "127.0.0.1:9")
    assert ended.returncode == 3
    assert ended.stdout == ""
    progress, line = ended.stderr.splitlines()
    assert progress.startswith("admitting: 0/")
    assert line.startswith("builder: no Ray cluster at 127.0.0.1:9: ")


def processes(text: str) -> list[str]:
    """The programs of live processes whose command line or environment has `text`."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            line = (entry / "cmdline").read_bytes()
            if text.encode() in line + (entry / "environ").read_bytes():
                found.append(line.decode())
    return found


@pytest.mark.slow
@pytest.mark.skipif(bool(processes("gcs_server")), reason="a Ray cluster runs here already")
def test_without_a_cluster_one_is_started_and_ended(
    programs: Path, undisturbed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line says that Ray runs on this machine alone; the rows are the same; nothing stays."""
    mark = f"{tmp_path}/mark"
    monkeypatch.setenv("DESKCHECK_TEST_BUILD", mark)
    ended = run(admit(programs, tmp_path, "--engine", "ray"))
    monkeypatch.delenv("DESKCHECK_TEST_BUILD")
    assert ended.returncode == 0, ended.stderr
    said = [line for line in ended.stderr.splitlines() if not line.startswith("admitting: ")]
    assert len(said) == 1
    assert said[0].startswith("builder: no Ray cluster runs here and RAY_ADDRESS is not set")
    assert content(tmp_path) == content(undisturbed)
    deadline = time.monotonic() + 60
    while processes(mark) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert processes(mark) == []


@pytest.mark.slow
def test_the_dataset_is_the_same_to_the_byte(
    cluster: Nodes, programs: Path, undisturbed: Path, tmp_path: Path
) -> None:
    """Two nodes make the files that two local processes make; Ray says nothing of its own."""
    ended = run(admit(programs, tmp_path, "--engine", "ray", "--json"), cluster.address)
    assert ended.returncode == 0, ended.stderr
    assert content(tmp_path) == content(undisturbed)
    assert json.loads(ended.stdout)["judged"] == len(list(programs.glob("p*.py"))) + bool(
        list(programs.glob("*.cpp"))
    )
    assert all(line.startswith("admitting: ") for line in ended.stderr.splitlines())


@pytest.mark.slow
def test_a_dataset_is_verified_on_the_cluster(
    cluster: Nodes, undisturbed: Path, tmp_path: Path
) -> None:
    """`builder dataset verify --engine ray` finds nothing changed."""
    (folder,) = undisturbed.iterdir()
    command = [sys.executable, "-m", "deskcheck.builder.cli", "dataset", "verify", str(folder)]
    ended = run([*command, "--quick", "--engine", "ray"], cluster.address)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def ended_soon(pid: int) -> bool:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def together(made: Sequence[tuple[int, Made]], count: int) -> list[Made]:
    """The results in order; each item has exactly one, which is its own."""
    assert sorted(index for index, _ in made) == list(range(count))
    assert all(each.number == index for index, each in made)
    return [each for _, each in sorted(made, key=lambda pair: pair[0])]


@pytest.mark.slow
def test_a_killed_worker_loses_nothing(connected: Nodes) -> None:
    """The only actor's process killed in the middle: another does what is left, each item once."""
    made: list[tuple[int, Made]] = []
    for pair in RayEngine(1).results(range(30), Report()):
        if len(made) == 5:
            os.kill(pair[1].worker, signal.SIGKILL)
        made.append(pair)
    workers = {each.worker for each in together(made, 30)}
    assert len(workers) == 2
    assert 0 not in workers
    assert all(ended_soon(worker) for worker in workers)


def actors() -> list[int]:
    """The processes of the actors that live."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if b"ray::_Hands" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


@pytest.mark.slow
def test_real_candidates_survive_the_death_of_their_worker(connected: Nodes) -> None:
    """Verdicts with a worker killed in the middle are those of the local engine."""
    from deskcheck.sources.pools import Candidate, PoolOptions
    from deskcheck.sources.registry import load_pool

    found = load_pool("textbook").candidates(PoolOptions(seed=0))
    candidates = [each for each in found if isinstance(each, Candidate)][:4]
    judging = Judging(interpreter=find_interpreter(), parameters=Parameters())
    judged: dict[int, Any] = {}
    for index, verdict in RayEngine(1).results(candidates, judging):
        if not judged:
            (worker,) = actors()
            os.kill(worker, signal.SIGKILL)
        judged[index] = verdict
    assert judged == dict(LocalEngine(2).results(candidates, judging))


@pytest.mark.slow
def test_a_lost_node_loses_nothing(connected: Nodes, tmp_path: Path) -> None:
    """A node torn out in the middle: its items are done on the nodes that are left."""
    third = connected.add("third")
    made: list[tuple[int, Made]] = []
    report = Report(pause_s=0.05, first=("third", tmp_path / "begun"))
    for pair in RayEngine(3).results(range(40), report):
        made.append(pair)
        if third is not None and pair[1].node == "third":
            connected.remove(third)
            third = None
    nodes = Counter(each.node for each in together(made, 40))
    assert third is None
    assert nodes["third"] < 40
    assert all(each.worker for _, each in made)


@pytest.mark.slow
def test_a_node_that_joins_is_used(connected: Nodes) -> None:
    """By default there is a worker for each CPU, also of a node that joins in the middle."""
    seen: set[str] = set()
    third: Any = None
    with closing(RayEngine().results(range(10_000), Report(pause_s=0.05))) as made:
        for _, each in made:
            third = third or connected.add("third")
            seen.add(each.node)
            if "third" in seen:
                break
    connected.remove(third)
    assert "third" in seen


@pytest.mark.slow
def test_an_item_that_kills_its_worker_twice_is_given_up(connected: Nodes, tmp_path: Path) -> None:
    """Deadly items get the job's own result for that; all others get theirs."""
    report = Report(deadly=frozenset({3, 11}))
    made = together(list(RayEngine(2).results(range(20), report)), 20)
    assert {each.number for each in made if not each.worker} == {3, 11}


@pytest.mark.slow
def test_closing_the_iterator_ends_the_workers(connected: Nodes) -> None:
    """After the first result no actor goes on with the rest."""
    with closing(RayEngine(2).results(range(10_000), Report(pause_s=0.05))) as made:
        workers = {next(made)[1].worker for _ in range(10)}
    assert all(ended_soon(worker) for worker in workers)


@pytest.mark.slow
def test_a_node_with_other_tools_is_refused_before_any_work(
    connected: Nodes, tmp_path: Path
) -> None:
    """The error names the node and the difference, and no item has been touched."""
    ledger = tmp_path / "touched"
    report = Report(tools={"compiler": "14"}, ledger=ledger)
    with pytest.raises(ClusterError) as caught:
        list(RayEngine(2).results(range(20), report))
    assert str(caught.value).startswith("Ray node ")
    assert 'tools.node "" here, "second" there' in str(caught.value)
    assert not ledger.exists()


@pytest.mark.slow
def test_a_node_whose_interpreter_does_not_run_is_refused(
    cluster: Nodes, programs: Path, tmp_path: Path
) -> None:
    """The measured interpreter is one that fails on the second node alone: one line, status 3."""
    interpreter = tmp_path / "python"
    interpreter.write_text(
        f'#!/bin/bash\n[ -z "${NODE}" ] || exit 127\n'
        f'exec -a "$0" {find_interpreter().executable} "$@"\n'
    )
    interpreter.chmod(0o755)
    assert find_interpreter(str(interpreter)).executable == str(interpreter)
    out = tmp_path / "out"
    command = admit(programs, out, "--engine", "ray", "--python", str(interpreter))
    ended = run(command, cluster.address)
    assert ended.returncode == 3, ended.stderr
    last = ended.stderr.splitlines()[-1]
    assert last.startswith("builder: Ray node ")
    assert f"{interpreter} does not run as a Python interpreter" in last
    journals = list(out.glob(f"*/{NAME}"))
    assert all(len(path.read_bytes().splitlines()) == 1 for path in journals)


def stopped(command: Sequence[str], address: str, out: Path, verdicts: int, by: int) -> int:
    """The status of a build that is sent a signal when so many verdicts are in its journal."""
    process = subprocess.Popen(
        command,
        env={**os.environ, "RAY_ADDRESS": address},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        journals = list(out.glob(f"*.building/{NAME}"))
        if journals and journals[0].read_bytes().count(b"\n") > verdicts:
            process.send_signal(by)
            break
        time.sleep(0.01)
    return process.wait()


@pytest.mark.slow
def test_a_stopped_build_goes_on_with_either_engine(
    cluster: Nodes, programs: Path, undisturbed: Path, tmp_path: Path
) -> None:
    """Killed after one verdict, interrupted after two, it ends elsewhere as if undisturbed."""
    on_ray = admit(programs, tmp_path, "--engine", "ray")
    assert stopped(on_ray, cluster.address, tmp_path, 1, signal.SIGKILL) == -signal.SIGKILL
    assert all(ended_soon(pid) for pid in actors())
    assert stopped(on_ray, cluster.address, tmp_path, 2, signal.SIGINT) == 130
    assert all(ended_soon(pid) for pid in actors())
    ended = run(admit(programs, tmp_path, "--workers", "1"))
    assert ended.returncode == 0, ended.stderr
    assert content(tmp_path) == content(undisturbed)
