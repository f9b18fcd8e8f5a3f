"""What a program cannot reach: the network, files elsewhere, other processes, our environment."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from deskcheck.oracles.outcomes import Outcome
from deskcheck.oracles.sandbox import Sandbox

Run = Callable[..., Outcome]


FAMILIES = ("AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK", "AF_PACKET")
CHANGES = (
    "open(path, 'w')",
    "open(path, 'a')",
    "open(path, 'r+')",
    "os.open(path, os.O_RDONLY | os.O_TRUNC)",
    "os.truncate(path, 0)",
    "os.unlink(path)",
    "os.rename(path, path + '.moved')",
    "os.rename(path, 'mine')",
    "os.link(path, 'mine')",
    "os.chmod(path, 0)",
    "os.chown(path, 1, 1)",
    "os.utime(path, (1, 1))",
    "os.setxattr(path, 'user.x', b'1')",
    "open(path + '.new', 'w')",
    "os.mkdir(path + '.folder')",
    "os.symlink('x', path + '.link')",
    "os.mkfifo(path + '.fifo')",
    "os.symlink(path, 'link'); open('link', 'w')",
    "os.symlink(os.path.dirname(path), 'up'); open('up/new', 'w')",
    "open('/proc/self/mem', 'r+b')",
    "open('/proc/self/comm', 'w')",
    "open('/proc/self/oom_score_adj', 'w')",
)
PROCESSES = (
    "os.fork()",
    "os.posix_spawn('/bin/true', ['true'], {})",
    "subprocess.run(['/bin/true'])",
    "multiprocessing.get_context('fork').Process(target=int).start()",
)
SIGNALS = ("os.getppid()", "1", "-1", "0 - os.getppid()")
TRY_ALL = """
import multiprocessing, os, socket, subprocess, sys
path = sys.argv[1]
for action in sys.argv[2:]:
    try:
        exec(action)
    except OSError as error:
        print(type(error).__name__, error.errno, sep=' ')
    else:
        print('did', action)
"""


def test_no_socket_can_be_made(run: Run, python: str) -> None:
    """Every family is refused where the program asks, so its own traceback says why."""
    actions = [f"socket.socket(socket.{family}, socket.SOCK_DGRAM)" for family in FAMILIES]
    outcome = run(TRY_ALL, "", *actions, python=python)
    assert outcome.stdout.decode().splitlines() == ["PermissionError 1"] * len(FAMILIES)


def test_an_event_loop_still_works(run: Run, python: str) -> None:
    """asyncio wakes itself through a pair of connected sockets, which reach nobody else."""
    outcome = run(
        "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return 5\n"
        "print(asyncio.run(f()))",
        python=python,
    )
    assert outcome.stdout == b"5\n"


def test_a_pair_of_datagram_sockets_is_refused(run: Run) -> None:
    """One end of such a pair could still send to any local address."""
    outcome = run("import socket\nsocket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)")
    assert b"PermissionError" in outcome.stderr


def test_nothing_outside_the_folder_can_be_changed(
    run: Run, python: str, shared_file: Path
) -> None:
    """Every way to change a file that everybody may write is refused."""
    before = _everything(shared_file)
    outcome = run(TRY_ALL, str(shared_file), *CHANGES, python=python)
    answers = outcome.stdout.decode().splitlines()
    # EPERM, EACCES, or EXDEV for what would cross the border of the folder
    allowed = {"PermissionError 1", "PermissionError 13", "OSError 18"}
    assert len(answers) == len(CHANGES)
    assert set(answers) <= allowed
    assert _everything(shared_file) == before


@pytest.fixture
def shared_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that any user may reach and write, in a folder that any user may change."""
    folder = tmp_path_factory.mktemp("shared")
    for parent in (folder, *folder.parents[:2]):
        if parent.owner() == folder.owner():
            parent.chmod(0o777 if parent == folder else 0o755)
    file = folder / "file"
    file.write_bytes(b"precious")
    file.chmod(0o666)
    return file


def _everything(file: Path) -> list[tuple[str, int, int, int, bytes]]:
    return [
        (path.name, facts.st_mode, facts.st_uid, facts.st_mtime_ns, path.read_bytes())
        for path in sorted(file.parent.iterdir())
        if (facts := path.lstat())
    ]


def test_no_file_appears_in_our_places(run: Run, python: str) -> None:
    """Neither the repository nor our home nor a shared folder gets a new file."""
    folders = (Path(__file__).parent, Path.home(), Path("/tmp"), Path("/dev/shm"), Path("/"))
    files = [folder / f"deskcheck-test-{os.getpid()}" for folder in folders]
    outcome = run(TRY_ALL, "", *(f"open({str(file)!r}, 'w')" for file in files), python=python)
    assert outcome.stdout.decode().splitlines() == ["PermissionError 13"] * len(files)
    assert not any(file.exists() for file in files)


def test_devices_cannot_be_written_but_the_null_device(run: Run, python: str) -> None:
    """/dev/null is a place to write to; disks, terminals and memory are not."""
    outcome = run(
        """
        with open('/dev/null', 'w') as null: null.write('x')
        for device in ('/dev/zero', '/dev/full', '/dev/ptmx'):
            try: open(device, 'wb')
            except PermissionError: print('refused')
        """,
        python=python,
    )
    assert outcome.stdout == b"refused\n" * 3


def test_the_scratch_folder_is_free(run: Run, python: str) -> None:
    """Inside, a program may make, change, move and remove what it likes."""
    outcome = run(
        """
        import os, shutil, tempfile
        os.makedirs('a/b')
        with open('a/b/c', 'w') as file: file.write('kept')
        os.rename('a/b/c', 'c'); os.link('c', 'd'); os.symlink('d', 'e'); os.truncate('c', 2)
        shutil.rmtree('a'); os.remove('d')
        with tempfile.TemporaryDirectory() as folder: print(os.path.dirname(folder) == os.getcwd())
        print(os.path.expanduser('~') == os.getcwd(), sorted(os.listdir()), flush=True)
        with open('/dev/stdout', 'a') as file: file.write('by name')
        """,
        python=python,
        collect=["c"],
    )
    assert outcome.stdout == b"True\nTrue ['c', 'e', 'prog.py']\nby name", outcome
    assert outcome.collected == {"c": b"ke"}


def test_no_process_can_be_started(run: Run, python: str) -> None:
    """Refused with EPERM, which shows in the program's own traceback."""
    outcome = run(TRY_ALL, "", *PROCESSES, python=python)
    assert outcome.stdout.decode().splitlines() == ["PermissionError 1"] * len(PROCESSES)


def test_threads_can_be_started(run: Run, python: str) -> None:
    """Threads share the program's limits, so they are allowed."""
    outcome = run(
        """
        import threading
        done = []
        threads = [threading.Thread(target=done.append, args=(i,)) for i in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(len(done))
        """,
        python=python,
    )
    assert outcome.stdout == b"8\n"


def test_threads_are_bounded(run: Run, python: str) -> None:
    """By their number where the kernel counts it, else by the address space of their stacks."""
    outcome = run(
        """
        import threading
        hold = threading.Event()
        started = 0
        try:
            for _ in range(10_000):
                threading.Thread(target=hold.wait, daemon=True).start()
                started += 1
        except RuntimeError:
            print('bounded' if started < 1000 else started)
        hold.set()
        """,
        python=python,
        memory=512 * 1024**2,
    )
    assert outcome.stdout == b"bounded\n"


def test_no_other_process_can_be_signalled(run: Run, python: str) -> None:
    """Not the parent, not the first process, not all that there are."""
    actions = [f"os.kill({target}, 9)" for target in SIGNALS]
    outcome = run(TRY_ALL, "", *actions, python=python)
    assert outcome.stdout.decode().splitlines() == ["PermissionError 1"] * len(SIGNALS)


def test_the_hosts_limits_cannot_be_changed(run: Run, python: str) -> None:
    """prlimit(2) works on oneself alone."""
    outcome = run(
        "import os, resource\nresource.prlimit(0, resource.RLIMIT_CPU)\n"
        "resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))",
        python=python,
    )
    assert b"PermissionError" in outcome.stderr
    assert b"line 3" in outcome.stderr


def test_only_the_given_environment_is_seen(
    sandbox: Sandbox, run: Run, python: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys in our environment reach no program, not even through /proc."""
    monkeypatch.setenv("SECRET_API_KEY", "do-not-tell")
    with Sandbox():  # a warden started with the key set has nothing of it either
        outcome = run(
            "data = open('/proc/self/environ', 'rb').read()\n"
            "print(sorted(item.split(b'=')[0].decode() for item in data.split(b'\\0') if item))",
            python=python,
            env={"PYTHONHASHSEED": "0", "GIVEN": "yes"},
        )
    assert outcome.stdout == b"['GIVEN', 'HOME', 'PYTHONHASHSEED', 'TMPDIR']\n"


def test_our_environment_cannot_be_read_from_other_processes(
    run: Run, python: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No process that a program finds in /proc shows it anything of ours."""
    outcome = run(
        """
        import glob
        for path in glob.glob('/proc/[0-9]*/environ'):
            try: data = open(path, 'rb').read()
            except OSError: continue
            print([item for item in data.split(b'\\0') if item.startswith(b'PYTEST_CURRENT_TEST')])
        """,
        python=python,
    )
    assert "PYTEST_CURRENT_TEST" in os.environ
    assert b"PYTEST" not in outcome.stdout


def test_home_and_tmpdir_can_be_given(run: Run) -> None:
    """A given value wins over the scratch folder."""
    outcome = run(
        "import os\nprint(os.environ['HOME'], os.environ['TMPDIR'])",
        env={"HOME": "/h", "TMPDIR": "/t"},
    )
    assert outcome.stdout == b"/h /t\n"


def test_a_program_has_no_rights(run: Run, python: str) -> None:
    """Whatever its uid, it has no capability and cannot gain one."""
    outcome = run(
        "for line in open('/proc/self/status'):\n"
        "    if line.startswith(('Cap', 'NoNewPrivs', 'Seccomp:')): print(*line.split())",
        python=python,
    )
    zero = "0" * 16
    sets = "".join(f"{name}: {zero}\n" for name in ("CapInh", "CapPrm", "CapEff"))
    assert outcome.stdout.decode().startswith(sets)
    assert f"CapAmb: {zero}\nNoNewPrivs: 1\nSeccomp: 2\n" in outcome.stdout.decode()


def test_identity_is_an_ordinary_users_where_the_interpreter_allows(
    sandbox: Sandbox, run: Run, python: str
) -> None:
    """Root's programs lose root's uid unless only root can reach their interpreter."""
    outcome = run("import os\nprint(os.getuid(), os.getgid(), os.getgroups())", python=python)
    uid = int(outcome.stdout.split()[0])
    described = sandbox.layers_for(python).identity
    if described == "unprivileged uid":
        assert os.getuid() == 0
        assert outcome.stdout.decode() == f"{uid} {uid} []\n"
        assert uid >= 64000
    else:
        assert described == "kept, without capabilities"
        assert uid == os.getuid()


def test_interpreters_library_counts_as_reach(sandbox: Sandbox, tmp_path: Path) -> None:
    """An interpreter that starts only for root keeps root's uid."""
    if os.getuid() != 0:
        pytest.skip("only root has another identity to give")
    tmp_path.chmod(0o755)
    hidden = tmp_path / "python-behind-a-closed-door"
    hidden.symlink_to(sys.executable)
    tmp_path.parent.chmod(0o700)
    assert sandbox.layers_for(str(hidden)).identity == "kept, without capabilities"
