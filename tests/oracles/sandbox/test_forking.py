"""Forked runs are bounded as others are, and do without their server where it is gone."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deskcheck.oracles.errors import SandboxError
from deskcheck.oracles.outcomes import Ending, Limits
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.python import AGENT, PythonRuntime, find_interpreter, variation
from deskcheck.oracles.sandbox import ForkingSandbox, forking

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks runs")

HERE = variation(0)
LIMITS = Limits(cpu_s=0.5, wall_s=3, memory=256 * 1024**2, output=100_000)


@pytest.fixture(scope="module")
def box() -> Iterator[ForkingSandbox]:
    with ForkingSandbox(str(AGENT)) as sandbox:
        yield sandbox


def runtime_in(box: ForkingSandbox) -> PythonRuntime:
    return PythonRuntime(box, find_interpreter(), LIMITS)


def program(text: str) -> Program:
    return Program(language="python", source=text.encode())


def servers(box: ForkingSandbox) -> list[int]:
    """Process ids of the servers, the one used last at the end."""
    return [server.process._process.pid for server in box._servers.values()]


ENDED = {
    "while True: pass": (Ending.CPU_LIMIT, None),
    "import time\ntime.sleep(1000)": (Ending.WALL_LIMIT, None),
    "while True: print('x' * 1000)": (Ending.OUTPUT_LIMIT, None),
    "x = 'x'\nwhile True: x += x": (Ending.EXITED, 1),
    "import os\nos.kill(os.getpid(), 9)": (Ending.SIGNALLED, None),
    "import os\nos.fork()": (Ending.EXITED, 1),
    "open('/tmp/new', 'w')": (Ending.EXITED, 1),
    "import socket\nsocket.socket()": (Ending.EXITED, 1),
    "import os\nos.kill(os.getppid(), 9)": (Ending.EXITED, 1),
}


@pytest.mark.slow
@pytest.mark.parametrize("source", ENDED)
def test_limits_and_layers_hold_in_a_forked_run(source: str, box: ForkingSandbox) -> None:
    """And its server lives on."""
    counted = runtime_in(box).count(program(source), b"", HERE)
    assert (counted.outcome.ending, counted.outcome.exit_code) == ENDED[source], counted.outcome
    used = servers(box)
    assert runtime_in(box).count(program("print(5)"), b"", HERE).outcome.stdout == b"5\n"
    assert servers(box) == used != []


def test_a_run_whose_server_is_dead_is_made_afresh(box: ForkingSandbox) -> None:
    """With the same count; the next one is forked again."""
    runtime = runtime_in(box)
    first = runtime.count_fast(program("print(5)"), b"", HERE)
    dead = servers(box)[-1]
    os.kill(dead, signal.SIGKILL)
    second = runtime.count_fast(program("print(5)"), b"", HERE)
    assert dead not in servers(box)
    third = runtime.count_fast(program("print(5)"), b"", HERE)
    assert len(servers(box)) >= 1
    for run in (second, third):
        assert (run.outcome.stdout, run.trace_length) == (b"5\n", first.trace_length)


KILLS_A_SERVER = """\
import os
parent = os.getppid()
grandparent = int(open(f"/proc/{parent}/stat").read().rpartition(")")[2].split()[1])
if b"serve" in open(f"/proc/{grandparent}/cmdline", "rb").read():
    os.kill(VICTIM, 9)
print("done")
"""


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["parent", "grandparent"])
def test_a_program_that_kills_its_server_is_measured_afresh(victim: str) -> None:
    """Where no layer keeps it from that: what it is told then is that of a fresh interpreter."""
    without = ("namespaces", "seccomp", "landlock")
    with ForkingSandbox(str(AGENT), allow_unisolated=True, without=without) as box:
        if box.layers.identity == "unprivileged uid":
            pytest.skip("its uid keeps the program from killing anything")
        clean = program(KILLS_A_SERVER.replace("VICTIM", victim))
        for _ in range(forking._MOST_DEATHS + 1):
            counted = runtime_in(box).count(clean, b"", HERE)
            assert counted.outcome.stdout == b"done\n"
            assert counted.trace_length is not None
        killed = victim == "grandparent"
        assert bool(box.why_fresh(find_interpreter().executable)) == killed


def test_a_program_that_does_not_compile_is_refused_as_by_a_fresh_interpreter(
    box: ForkingSandbox,
) -> None:
    """Which has the last word on a run that could not begin; the server lives on."""
    with pytest.raises(SandboxError, match="the measuring agent failed: SyntaxError"):
        runtime_in(box).count(program("def f(:"), b"", HERE)
    assert servers(box)
    assert not box.why_fresh(find_interpreter().executable)


def test_a_script_that_does_not_serve_is_executed(tmp_path: Path) -> None:
    """Why it is not forked can be asked."""
    script = tmp_path / "script.py"
    script.write_text("import sys\nprint(sys.argv[1:])\n")
    with ForkingSandbox(str(script)) as box:
        outcome = box.run(
            [sys.executable, str(script), *"abcde"], stdin=b"", files={}, env={}, limits=LIMITS
        )
        assert outcome.stdout == b"['a', 'b', 'c', 'd', 'e']\n", outcome
        assert "warden process died" in box.why_fresh(sys.executable)


@pytest.mark.slow
def test_servers_are_replaced_and_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a number of runs, and when there are others that were used later."""
    monkeypatch.setattr(forking, "_MOST_RUNS", 2)
    monkeypatch.setattr(forking, "_MOST_SERVERS", 2)
    with ForkingSandbox(str(AGENT)) as box:
        runtime, used = runtime_in(box), []
        for repeat in (0, 0, 0, 1, 2):
            assert runtime.count(program("print(5)"), b"", variation(repeat)).trace_length
            used.append(servers(box))
        assert [len(each) for each in used] == [1, 0, 1, 2, 2]
        assert used[0] != used[2]
        assert used[2][0] == used[3][0] not in used[4]
        assert box.run(["/bin/true"], stdin=b"", files={}, env={}, limits=LIMITS).clean


_HOST = """
import pathlib, sys
from deskcheck.oracles.errors import SandboxError
from deskcheck.oracles.outcomes import Limits
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes import python
from deskcheck.oracles.sandbox.forking import ForkingSandbox
python.AGENT = pathlib.Path(sys.argv[1])
box = ForkingSandbox(sys.argv[1], allow_unisolated=True, without=sys.argv[2:])
runtime = python.PythonRuntime(box, python.find_interpreter(), Limits())
sleeper = Program(language="python", source=b"import time; time.sleep(1000)")
runtime.count(sleeper, b"", python.variation(0))
"""


@pytest.mark.slow
@pytest.mark.parametrize("without", [[], ["namespaces"]], ids=["namespaces", "no namespaces"])
def test_killing_the_host_ends_its_servers(
    without: list[str],
    living: Callable[[str], list[int]],
    eventually: Callable[[Callable[[], bool]], bool],
    tmp_path: Path,
) -> None:
    """After `kill -9` neither a server nor what it has forked goes on."""
    shutil.copytree(AGENT.parent, tmp_path / "inside")
    script = str(tmp_path / "inside" / AGENT.name)
    (tmp_path / "tmp").mkdir()
    host = subprocess.Popen(
        [sys.executable, "-c", _HOST, script, *without],
        env=os.environ | {"TMPDIR": str(tmp_path / "tmp")},
    )
    # Itself, the server (two where it has a namespace), the supervisor, and the program.
    assert eventually(lambda: len(living(script)) == 5 - len(without))
    host.kill()
    host.wait()
    assert eventually(lambda: living(script) == [])
