"""When a run is over, nothing of it is left: no process, no file."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deskcheck.oracles.errors import SandboxError
from deskcheck.oracles.outcomes import Ending, Limits, Outcome
from deskcheck.oracles.sandbox import Sandbox

Run = Callable[..., Outcome]
Living = Callable[[str], list[int]]
Eventually = Callable[[Callable[[], bool]], bool]

DAEMON = """
    import os, signal, sys, time
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            os.execv(sys.executable, [sys.executable, '-c',
                "import time; time.sleep(0.3); open('late', 'w'); time.sleep(1000)", sys.argv[1]])
        os._exit(0)
    os.wait()
    time.sleep(0.1)
    print('parent done')
"""
BOMB = """
    import os, time
    end = time.monotonic() + 0.2
    most = len(os.listdir('/proc')) + 50
    while time.monotonic() < end:
        try: os.fork()
        except OSError: pass
"""


@pytest.fixture
def token() -> str:
    """A word to know a run's processes by."""
    return f"token-{secrets.token_hex(8)}"


@pytest.fixture(scope="module", params=["namespace", "descendants"])
def forking(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """A sandbox in which programs can fork, by either way of finding what they left."""
    without = {"namespace": ["seccomp"], "descendants": ["seccomp", "namespaces"]}[request.param]
    with Sandbox(allow_unisolated=True, without=without) as box:
        if box.layers.pids != request.param:
            pytest.skip(f"this machine lacks the mechanism: {request.param}")
        yield box


def test_a_daemon_does_not_outlive_the_run(
    forking: Sandbox, run_in: Run, token: str, living: Living
) -> None:
    """Not even one with its own session, no parent and signals ignored."""
    outcome = run_in(forking, DAEMON, token)
    assert outcome.stdout == b"parent done\n", outcome
    assert living(token) == []


def test_children_die_when_time_is_up(
    forking: Sandbox, run_in: Run, token: str, living: Living
) -> None:
    """The wall limit ends the whole run, not only its first process."""
    source = "import os, time\nos.fork()\nos.fork()\ntime.sleep(1000)"
    outcome = run_in(forking, source, token, wall_s=0.4)
    assert outcome.ending is Ending.WALL_LIMIT
    assert living(token) == []


def test_a_fork_bomb_is_put_out(forking: Sandbox, run_in: Run, token: str, living: Living) -> None:
    """However many there are, none is left."""
    if os.getuid() == 0 and forking.layers.identity != "unprivileged uid":
        source = BOMB.replace("os.fork()", "len(os.listdir('/proc')) < most and os.fork()")
    else:
        source = BOMB  # the kernel bounds it
    run_in(forking, source, token, wall_s=5)
    assert living(token) == []


def test_a_fork_bomb_stops_at_its_first_fork(run: Run) -> None:
    """With all protections there is no first child."""
    outcome = run("import os\nwhile True: os.fork()")
    assert b"PermissionError" in outcome.stderr


def test_the_scratch_folder_is_removed(sandbox: Sandbox, run: Run) -> None:
    """Whatever the program made there, deep, odd or locked."""
    outcome = run(
        """
        import os
        print(os.getcwd())
        os.mkdir('locked'); open('locked/file', 'w'); os.mkdir('closed', 0); os.mkfifo('pipe')
        os.symlink('/', 'root'); open('\\udcff:\\n', 'w')
        for _ in range(100):
            os.mkdir('d' * 100); os.chdir('d' * 100)
        """,
    )
    assert outcome.clean, outcome
    assert not Path(outcome.stdout.decode().strip()).exists()
    folder = Path(outcome.stdout.decode().strip()).parents[1]
    assert [path.name for path in folder.iterdir()] == ["warden.log"]


@pytest.fixture
def own_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the boxes of this test alone lie."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path / f"deskcheck-{os.getuid()}"


def test_closing_removes_the_box(own_root: Path) -> None:
    """A sandbox that was closed leaves no folder."""
    with Sandbox() as box:
        assert [path.name for path in own_root.iterdir()] == ["0"]
    assert list(own_root.iterdir()) == []
    box.close()
    with pytest.raises(SandboxError, match="closed"):
        box.run([sys.executable], stdin=b"", files={}, env={}, limits=Limits())


@pytest.mark.parametrize("without", [[], ["namespaces"]], ids=["namespaces", "no namespaces"])
def test_killing_the_host_leaves_nothing(
    without: list[str], token: str, living: Living, eventually: Eventually, own_root: Path
) -> None:
    """After `kill -9` the program, its supervisors and the warden go; the folder goes later."""
    host = subprocess.Popen(
        [sys.executable, "-c", _HOST, token, *without],
        env=os.environ | {"TMPDIR": str(own_root.parent)},
    )
    assert eventually(lambda: len(living(token)) == 2)  # itself and its program
    with Sandbox() as other:
        assert _folder(other) == own_root / "1"
    host.kill()
    host.wait()
    assert eventually(lambda: living(token) == [])
    assert eventually(lambda: _writers_in(own_root) == [])
    (own_root / "0" / "left").mkdir()
    with Sandbox() as third, Sandbox():
        assert _folder(third) == own_root / "0"
        assert [path.name for path in (own_root / "0").iterdir()] == ["warden.log"]
    assert list(own_root.iterdir()) == []


def test_what_dead_owners_left_is_swept(own_root: Path) -> None:
    """A new sandbox removes every box whose owner has died, and no other."""
    with Sandbox() as box:
        for name in ("5", "7"):
            (own_root / name / "deep" / "er").mkdir(parents=True)
        with Sandbox():
            assert sorted(path.name for path in own_root.iterdir()) == ["0", "1"]
        assert _folder(box).exists()


_HOST = """
import sys
from deskcheck.oracles.outcomes import Limits
from deskcheck.oracles.sandbox import Sandbox
box = Sandbox(allow_unisolated=True, without=sys.argv[2:])
box.run([sys.executable, '-c', 'while True: pass', sys.argv[1]],
    stdin=b'', files={}, env={}, limits=Limits())
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_warden_that_dies_or_stops_is_noticed(
    number: int, token: str, living: Living, run_in: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its death is an error of ours, never a hang, and the next run has a new warden."""
    monkeypatch.setattr("deskcheck.oracles.sandbox.warden_process._SLACK_S", 0.3)
    monkeypatch.setattr("deskcheck.oracles.sandbox.warden_process._CLOSE_S", 0.3)
    with Sandbox() as box:
        os.kill(_wardens(box)[-1], number)
        with pytest.raises(SandboxError, match="warden process"):
            run_in(box, "print(1)", token, wall_s=0.2)
        assert living(token) == []
        assert run_in(box, "print(2)").stdout == b"2\n"


def test_an_interrupt_during_a_run_leaves_nothing(token: str, living: Living, run_in: Run) -> None:
    """Ctrl-C ends the run at once, and the sandbox can be used again."""
    with Sandbox() as box:
        signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            run_in(box, "while True: pass", token)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        assert living(token) == []
        assert run_in(box, "print(2)").stdout == b"2\n"


def test_a_fork_of_us_cannot_use_the_sandbox() -> None:
    """Two processes on one pipe would read each other's answers."""
    with Sandbox() as box:
        child = os.fork()
        if child == 0:
            try:
                box.run([sys.executable], stdin=b"", files={}, env={}, limits=Limits())
            except SandboxError:
                box.close()  # is the parent's to do
                os._exit(0)
            os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
        assert _folder(box).exists()


def _folder(box: Sandbox) -> Path:
    return Path(box._box.folder)


def _wardens(box: Sandbox) -> list[int]:
    """Both halves of the warden, the outer one first."""
    assert box._warden is not None
    outer = box._warden._process.pid
    children = Path(f"/proc/{outer}/task/{outer}/children").read_text().split()
    return [outer, *map(int, children)]


def _writers_in(folder: Path) -> list[str]:
    """Processes whose standard error lies in a box, as that of wardens and their programs does."""
    found: list[str] = []
    for path in Path("/proc").glob("[0-9]*/fd/2"):
        try:
            target = str(path.readlink())
        except OSError:
            continue
        if target.startswith(f"{folder}/"):
            found.append(path.parts[2])
    return found
