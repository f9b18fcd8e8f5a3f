"""How a run ended is a value, whatever the program did."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from deskcheck.oracles.errors import SandboxError
from deskcheck.oracles.outcomes import Ending, Limits, Outcome
from deskcheck.oracles.sandbox import Sandbox

Run = Callable[..., Outcome]


@pytest.mark.parametrize("code", [0, 1, 3, 127, 255])
def test_exit_codes_are_reported(run: Run, code: int) -> None:
    """The exit status comes back as it was, 127 included, which shells use for themselves."""
    outcome = run(f"import sys; sys.exit({code})")
    assert (outcome.ending, outcome.exit_code, outcome.signal) == (Ending.EXITED, code, None)
    assert outcome.clean == (code == 0)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM, signal.SIGABRT])
def test_signals_are_reported(run: Run, number: int) -> None:
    """A program that a signal ended is told apart from one that exited."""
    outcome = run(f"import os; os.kill(os.getpid(), {int(number)})")
    assert (outcome.ending, outcome.exit_code, outcome.signal) == (Ending.SIGNALLED, None, number)


def test_a_program_that_sleeps_meets_the_wall_limit(run: Run) -> None:
    """Sleeping uses no CPU, so only the wall clock can end it."""
    outcome = run("print('before', flush=True)\nimport time\ntime.sleep(1000)", wall_s=0.4)
    assert outcome.ending is Ending.WALL_LIMIT
    assert outcome.stdout == b"before\n"


def test_a_program_that_stops_itself_meets_the_wall_limit(run: Run) -> None:
    """A stopped process neither ends nor runs; it is killed all the same."""
    outcome = run("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", wall_s=0.4)
    assert outcome.ending is Ending.WALL_LIMIT


@pytest.mark.parametrize(
    "source",
    [
        "while True: pass",
        "from itertools import product\nlist(x for x in product(range(99), repeat=9) if not x)",
        "sum(map(len, [()] * 10**7)) + 2 ** (10**10)",
    ],
    ids=["loop", "generator", "one call"],
)
def test_a_busy_program_meets_the_cpu_limit(run: Run, source: str) -> None:
    """Also inside a call that never returns, where nothing in the interpreter could stop it."""
    outcome = run(source, cpu_s=0.3)
    assert outcome.ending is Ending.CPU_LIMIT
    assert outcome.cpu_s >= 0.3


def test_catching_the_cpu_signal_gains_nothing(run: Run) -> None:
    """What ends a program cannot be handled."""
    outcome = run(
        """
        import signal
        signal.signal(signal.SIGXCPU, lambda *_: None)
        while True:
            try:
                while True: pass
            except BaseException:
                pass
        """,
        cpu_s=0.3,
    )
    assert outcome.ending is Ending.CPU_LIMIT


def test_the_kernel_stands_behind_the_cpu_limit(run: Run) -> None:
    """Soft first, then hard: a program that handles the first signal is killed by the second."""
    outcome = run("import resource\nprint(resource.getrlimit(resource.RLIMIT_CPU))", cpu_s=2.5)
    assert outcome.stdout == (b"(6, 7)\n" if sys.platform == "linux" else b"(3, 4)\n")


def test_a_program_that_swallows_everything_is_ended(run: Run) -> None:
    """`except BaseException: pass` around a loop that prints neither hangs nor fills memory."""
    outcome = run(
        """
        while True:
            try:
                while True: print('x' * 1000)
            except BaseException:
                pass
        """,
        wall_s=0.4,
        output=10_000,
    )
    assert outcome.ending is Ending.OUTPUT_LIMIT
    assert outcome.stdout == (b"x" * 1000 + b"\n") * 9 + b"x" * 991


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_flood_meets_the_output_limit(run: Run, stream: str) -> None:
    """Printing without end is cut, and said to be cut."""
    outcome = run(f"import sys\nwhile True: sys.{stream}.write('flood\\n')", output=100_000)
    assert outcome.ending is Ending.OUTPUT_LIMIT
    assert len(outcome.stdout) <= 100_000
    assert len(outcome.stderr) <= 65_536


def test_a_flooded_file_meets_the_output_limit(run: Run) -> None:
    """The limit holds for every file, not only for the streams."""
    outcome = run(
        "file = open('big', 'wb', buffering=0)\nwhile file.write(b'x' * 4096): pass",
        output=100_000,
        collect=["big"],
    )
    assert outcome.ending is Ending.OUTPUT_LIMIT
    assert outcome.collected["big"] == b"x" * 100_000


def test_many_files_meet_the_output_limit(run: Run) -> None:
    """Small files without number fill a disk as well as a large one."""
    outcome = run(
        """
        from itertools import count
        for i in count():
            with open(str(i), 'wb') as file: file.write(b'x' * 50_000)
        """,
        output=100_000,
    )
    assert outcome.ending is Ending.OUTPUT_LIMIT


def test_one_huge_write_meets_the_output_limit(run: Run) -> None:
    """A single call that writes too much is cut like many small ones."""
    outcome = run("import os; os.write(1, b'x' * 10_000_000)", output=100_000)
    assert outcome.ending is Ending.OUTPUT_LIMIT
    assert outcome.stdout == b"x" * 100_000


def test_as_much_output_as_allowed_is_allowed(run: Run) -> None:
    """The limit is the largest size that passes."""
    outcome = run("import sys; sys.stdout.write('x' * 100_000)", output=100_000)
    assert outcome.clean
    assert outcome.stdout == b"x" * 100_000


def test_a_program_that_ignores_the_size_signal_is_found_out(run: Run) -> None:
    """CPython ignores SIGXFSZ; a program with the signal's default action dies of it."""
    outcome = run(
        "import os, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
        "while True: os.write(1, b'x' * 1000)",
        output=10_000,
    )
    assert outcome.ending is Ending.OUTPUT_LIMIT


def test_memory_is_bounded(run: Run) -> None:
    """Asking for more than the limit fails inside the program."""
    outcome = run("x = bytearray(2 * 1024**3)", memory=256 * 1024**2)
    assert (outcome.ending, outcome.exit_code) == (Ending.EXITED, 1)
    assert b"MemoryError" in outcome.stderr
    assert outcome.peak_rss < 256 * 1024**2


def test_recursion_without_end_cannot_eat_the_machine(run: Run) -> None:
    """Python's frames take memory, not stack, where a program raises its recursion limit."""
    outcome = run(
        "import sys\nsys.setrecursionlimit(10**9)\ndef f(): f()\nf()", memory=48 * 1024**2
    )
    assert not outcome.clean
    assert outcome.peak_rss <= 48 * 1024**2


def test_recursion_in_c_ends_in_a_segmentation_fault(sandbox: Sandbox, tmp_path: Path) -> None:
    """The stack is bounded to its usual size."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    source = (
        "int f(volatile int n) { return n ? 1 + f(n + 1) * n : 0; } int main() { return f(1); }"
    )
    (tmp_path / "deep.c").write_text(source)
    subprocess.run([compiler, "-O0", "-o", "deep", "deep.c"], cwd=tmp_path, check=True)
    program = (tmp_path / "deep").read_bytes()
    outcome = sandbox.run(["./deep"], stdin=b"", files={"deep": program}, env={}, limits=Limits())
    assert (outcome.ending, outcome.signal) == (Ending.SIGNALLED, signal.SIGSEGV)
    assert outcome.peak_rss < 16 * 1024**2


def test_a_program_may_ask_for_a_larger_stack(run: Run) -> None:
    """Recursive solutions raise their own stack limit; the address space still bounds it."""
    outcome = run(
        """
        import resource, sys, threading
        print(resource.getrlimit(resource.RLIMIT_STACK)[0])
        hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
        resource.setrlimit(resource.RLIMIT_STACK, (2**27, hard))
        threading.stack_size(2**26)
        sys.setrecursionlimit(10**6)
        def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
        thread = threading.Thread(target=lambda: print(depth(50_000)))
        thread.start(); thread.join()
        """
    )
    assert outcome.stdout == b"8388608\n50000\n"


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("/nowhere/at/all", "No such file or directory"),
        ("missing-program", "No such file or directory"),
        ("/", "Permission denied"),
        ("data", "Exec format error"),
    ],
)
def test_a_program_that_cannot_be_started_is_our_error(
    sandbox: Sandbox, program: str, reason: str
) -> None:
    """Nothing was learnt about the program, so there is no outcome."""
    with pytest.raises(SandboxError, match=reason) as caught:
        sandbox.run([program], stdin=b"", files={"data": b"data"}, env={}, limits=Limits())
    assert program in str(caught.value)


def test_a_failed_start_does_not_spoil_the_next_run(sandbox: Sandbox, run: Run) -> None:
    """The sandbox stays usable after an error of its own."""
    with pytest.raises(SandboxError):
        sandbox.run(["/nowhere"], stdin=b"", files={}, env={}, limits=Limits())
    assert run("print(1)").stdout == b"1\n"


def test_a_name_that_leaves_the_folder_is_refused(sandbox: Sandbox) -> None:
    """Files are given and asked for inside the scratch folder only."""
    for name in ("../x", "/etc/x", "a/../../x", ""):
        with pytest.raises(ValueError, match="scratch folder"):
            sandbox.run([sys.executable], stdin=b"", files={name: b""}, env={}, limits=Limits())


def test_closing_all_streams_is_no_failure(run: Run) -> None:
    """A program may close what it was given."""
    outcome = run("import os\nprint('said', flush=True)\nos.closerange(0, 64)\nos._exit(7)")
    assert (outcome.exit_code, outcome.stdout) == (7, b"said\n")


def test_the_measured_time_is_the_programs(run: Run) -> None:
    """CPU time counts work, wall time counts waiting too."""
    outcome = run("import time\ntime.sleep(0.2)")
    assert outcome.wall_s >= 0.2
    assert outcome.cpu_s < outcome.wall_s
    assert 4 * 1024**2 < outcome.peak_rss < 100 * 1024**2
