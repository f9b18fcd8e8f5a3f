"""A measured run is the run that anybody would see, and says when it is not."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.oracles.interpreters import EXECUTABLES, HERE, program, runtime_with

from deskcheck.oracles.errors import InterpreterError
from deskcheck.oracles.observations import Watch
from deskcheck.oracles.outcomes import Ending, Limits, Outcome
from deskcheck.oracles.runtimes.python import PythonRuntime, find_interpreter, variation
from deskcheck.oracles.sandbox import Sandbox


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as box:
        yield box


@pytest.fixture(scope="module", params=EXECUTABLES)
def runtime(request: pytest.FixtureRequest, sandbox: Sandbox) -> PythonRuntime:
    return runtime_with(sandbox, request.param)


FULL = Watch(trace_lengths=True, state_budget=1_000_000)

WAYS: dict[str, Callable[[PythonRuntime, str, bytes], Outcome]] = {
    "counted": lambda runtime, source, stdin: runtime.count(program(source), stdin, HERE).outcome,
    "counted to a limit": lambda runtime, source, stdin: (
        runtime.count(program(source), stdin, HERE, limit=10_000_000).outcome
    ),
    "watched": lambda runtime, source, stdin: (
        runtime.observe(program(source), stdin, HERE, Watch()).outcome
    ),
    "watched in full": lambda runtime, source, stdin: (
        runtime.observe(program(source), stdin, HERE, FULL).outcome
    ),
}

BUILTINS = "print(__builtins__.len('ab'))\n"
HOOK = "import sys\nsys.excepthook = lambda *error: print('hooked')\nraise KeyError\n"

PRINTS_THE_SAME = {
    "the main module's builtins": BUILTINS,
    "an exception hook of its own": HOOK,
    "where it is": """\
import sys, os
print(__name__, sys.argv, os.path.basename(__file__), sorted(os.listdir()) == ["program.py"])
print(__doc__, __package__, __spec__, sorted(vars()) == sorted(globals()))
print(sys.modules["__main__"].sys is sys, sys.flags.safe_path, sys.path[0].startswith("/"))
""",
    "exit functions and threads": """\
import atexit, threading, time
atexit.register(print, "last")
atexit.register(print, "first")
def late():
    time.sleep(0.05)
    print("late")
threading.Thread(target=late).start()
print("main")
""",
    "annotations and dataclasses": """\
from dataclasses import dataclass
import pickle, typing
@dataclass
class Point:
    x: int = 1
    y: "typing.Optional[Point]" = None
print(pickle.loads(pickle.dumps(Point(3))), typing.get_type_hints(Point)["x"], Point.__module__)
n: int = 3
print(__annotations__)
""",
    "hash order and time zone": """\
import time
print(list({"a", "b", "c", "d", "e"}), time.tzname, len(str(10 ** 4000)))
""",
    "input in every way": """\
import sys, os
print(input())
print(sys.stdin.readline(), end="")
print(sys.stdin.buffer.readline())
for line in sys.stdin: print(repr(line))
""",
    "output past print": """\
import sys, os
sys.stdout.write("a\\n")
sys.stdout.flush()
os.write(1, b"b\\n")
sys.stdout.buffer.write(b"\\xff\\n")
print = None
""",
}

RECURSES = """\
def depth(n):
    try:
        return depth(n + 1)
    except RecursionError:
        return n
print(depth(0))
for i in range(2): print(depth(0))
"""

RECURSES_TO_ITS_OWN_LIMIT = """\
import sys
sys.setrecursionlimit(400)
deepest = 0
def walk(n):
    global deepest
    deepest = max(deepest, n)
    walk(n + 1)
try:
    walk(0)
except RecursionError as error:
    print(deepest, str(error)[:32])
"""

LIMIT = "import sys\nprint(sys.getrecursionlimit())\n"

TELLING = {
    "a Python callback needs a frame at the deepest point": (RECURSES, "watched"),
    "the agent stands below a limit that the program sets": (RECURSES_TO_ITS_OWN_LIMIT, "counted"),
    "the recursion limit is raised by the agent's frames": (LIMIT, "counted"),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", PRINTS_THE_SAME)
def test_a_measured_run_prints_what_a_plain_run_prints(
    name: str, way: str, runtime: PythonRuntime
) -> None:
    """Output, exit status and ending are those of the program alone."""
    stdin = "one\ntwo\nthree\né four\n".encode()
    plain = runtime.run(program(PRINTS_THE_SAME[name]), stdin, HERE)
    measured = WAYS[way](runtime, PRINTS_THE_SAME[name], stdin)
    assert plain.stdout != b"", plain.stderr
    assert (measured.stdout, measured.exit_code) == (plain.stdout, plain.exit_code)


def test_counting_natively_leaves_the_recursion_depth_alone(runtime: PythonRuntime) -> None:
    """A program that catches RecursionError gets exactly as deep as without us."""
    plain = runtime.run(program(RECURSES), b"", HERE)
    assert plain.stdout.count(b"\n") == 3
    assert WAYS["counted"](runtime, RECURSES, b"").stdout == plain.stdout


@pytest.mark.parametrize("reason", TELLING)
def test_a_program_that_can_tell_that_it_is_measured_prints_something_else(
    reason: str, runtime: PythonRuntime
) -> None:
    """So it is rejected for an output that varies, and never measured as another program."""
    source, way = TELLING[reason]
    plain = runtime.run(program(source), b"", HERE)
    assert plain.clean
    assert WAYS[way](runtime, source, b"").stdout != plain.stdout


EXITS = {
    "end": ("print(1)", 0),
    "exit": ("import sys; print(1); sys.exit()", 0),
    "exit None": ("raise SystemExit(None)", 0),
    "exit 3": ("exit(3)", 3),
    "exit True": ("raise SystemExit(True)", 1),
    "exit 256 and more": ("raise SystemExit(256 + 7)", 7),
    "exit -1": ("raise SystemExit(-1)", 255),
    "exit text": ("raise SystemExit('why')", 1),
    "exit two": ("raise SystemExit(1, 2)", 1),
    "error": ("print(1)\nraise ValueError('why')", 1),
    "group": ("raise ExceptionGroup('why', [KeyError(1)])", 1),
    "in a function of atexit": ("import atexit, sys\natexit.register(sys.exit, 4)\nprint(1)", 0),
}


@pytest.mark.parametrize("name", EXITS)
def test_exit_statuses_are_kept(name: str, runtime: PythonRuntime) -> None:
    """A measured run ends with the status and the last words of the plain one."""
    source, status = EXITS[name]
    plain = runtime.run(program(source), b"", HERE)
    assert plain.exit_code == status, plain.stderr
    counted = runtime.count(program(source), b"", HERE)
    assert counted.outcome.exit_code == status
    assert counted.trace_length is not None
    assert last(counted.outcome) == last(plain)
    observed = runtime.observe(program(source), b"", HERE, Watch())
    assert observed.outcome.exit_code == status
    assert observed.reported


def last(outcome: Outcome) -> bytes:
    return outcome.stderr.strip().rpartition(b"\n")[2]


def test_a_traceback_shows_none_of_our_frames(runtime: PythonRuntime) -> None:
    """An uncaught error reads as it does without us, but for the path of the file."""
    source = "def f(n):\n    return 1 // n\n\n\nf(0)\n"
    plain = runtime.run(program(source), b"", HERE).stderr.splitlines()
    counted = runtime.count(program(source), b"", HERE).outcome.stderr.splitlines()
    without_paths = [[line for line in text if b"File" not in line] for text in (plain, counted)]
    assert without_paths[0] == without_paths[1]
    assert len(plain) == len(counted)


@pytest.mark.parametrize(
    "source",
    [
        "import os\nprint(1, flush=True)\nos._exit(0)\n",
        "import os, signal\nfor i in range(3):\n    os.kill(os.getpid(), signal.SIGKILL)\n",
        "import os\nos.abort()\n",
    ],
    ids=["_exit", "SIGKILL", "abort"],
)
def test_a_program_that_ends_its_process_leaves_no_report(
    source: str, runtime: PythonRuntime
) -> None:
    """What is missing is missing, and never zero."""
    counted = runtime.count(program(source), b"", HERE)
    assert (counted.trace_length, counted.too_long, counted.unread) == (None, False, None)
    observed = runtime.observe(program(source), b"", HERE, Watch())
    assert not observed.reported
    assert (observed.loops, observed.snapshots, observed.trace_length) == ((), (), None)


def test_a_program_that_speaks_of_an_agent_is_no_fault_of_ours(runtime: PythonRuntime) -> None:
    """What a program writes to standard error is the program's."""
    source = "import os\nos.write(2, b'see agent.py')\nos._exit(0)\n"
    assert runtime.count(program(source), b"", HERE).trace_length is None


def test_memory_ends_a_measured_run_as_it_ends_a_plain_one(
    runtime: PythonRuntime, sandbox: Sandbox
) -> None:
    """Memory that runs out is an ending of the program's."""
    source = "kept = []\nfor i in range(10 ** 6):\n    kept.append(bytearray(10 ** 7))\n"
    small = PythonRuntime(sandbox, runtime.interpreter, Limits(memory=200 * 1024**2))
    plain = small.run(program(source), b"", HERE)
    counted = small.count(program(source), b"", HERE)
    assert plain.ending is counted.outcome.ending is Ending.EXITED
    assert b"MemoryError" in plain.stderr and b"MemoryError" in counted.outcome.stderr
    assert plain.exit_code == counted.outcome.exit_code == 1


LINES = "1 2\n5\n\nééé\nend"  # 14 characters, of which é is two bytes each

UNREAD = {
    "nothing read": ("print(1)", 14),
    "one line": ("input()", 10),
    "a line by its stream": ("import sys; sys.stdin.readline()", 10),
    "all": ("import sys; sys.stdin.read()", 0),
    "all lines": ("import sys; list(sys.stdin)", 0),
    "two lines by iteration": (
        "import sys\nfor i, line in enumerate(sys.stdin):\n    if i: break",
        8,
    ),
    "by its number": ("import os; os.read(0, 6)", 8),
    "by open": ("open(0, closefd=False).read()", 0),
    "through its buffer": ("import sys; sys.stdin.buffer.readline()", 10),
}


@pytest.mark.parametrize("name", UNREAD)
def test_unread_input_is_counted_in_characters(name: str, runtime: PythonRuntime) -> None:
    """What is left after the program has ended, whichever way it read."""
    source, left = UNREAD[name]
    counted = runtime.count(program(source), LINES.encode(), HERE)
    assert counted.unread == left, counted.outcome.stderr


def test_a_closed_input_cannot_tell(runtime: PythonRuntime) -> None:
    """Where the stream is gone, what is left is not known, and not zero."""
    source = "import sys\nsys.stdin.close()\n"
    assert runtime.count(program(source), b"12\n", HERE).unread is None


def test_repeats_are_told_apart_and_each_is_fixed(runtime: PythonRuntime) -> None:
    """Each repeat has a hash seed of its own, the same for every kind of run and every time."""
    source = program("print(hash('text'))\n")
    printed = [
        [runtime.run(source, b"", variation(repeat)).stdout for _ in range(2)]
        for repeat in range(3)
    ]
    assert all(one == other for one, other in printed)
    assert len({one for one, _ in printed}) == 3
    assert runtime.count(source, b"", variation(1)).outcome.stdout == printed[1][0]
    assert len({variation(repeat).hash_seed for repeat in range(1000)}) == 1000


@pytest.mark.parametrize("way", WAYS)
def test_only_the_programs_code_is_measured(way: str, runtime: PythonRuntime) -> None:
    """A library's loops and opcodes are nobody's; calling one costs the call alone."""
    text = "import statistics\nprint(statistics.median(range({})))\n"
    small, large = (runtime.count(program(text.format(n)), b"", HERE) for n in (3, 300))
    assert small.trace_length == large.trace_length
    assert WAYS[way](runtime, text.format(3), b"").clean


def test_the_interpreter_is_described_without_a_path(runtime: PythonRuntime) -> None:
    """What goes into a manifest is of the interpreter, not of the machine."""
    facts = runtime.interpreter.facts()
    assert facts["implementation"] == "CPython"
    assert facts["version"].startswith(runtime.interpreter.minor + ".")
    assert "/" not in json.dumps(facts)


def test_the_base_interpreter_is_the_default() -> None:
    """Packages of a virtual environment are not seen by programs."""
    found = find_interpreter()
    assert Path(found.executable).exists()
    assert found.version == ".".join(map(str, sys.version_info[:3]))


@pytest.mark.parametrize("executable", ["/nowhere/python", "/bin/true", "/bin/sh"])
def test_what_is_no_interpreter_is_said_in_one_line(executable: str) -> None:
    """The error names what was asked for and what to do."""
    with pytest.raises(InterpreterError) as caught:
        find_interpreter(executable)
    assert executable in str(caught.value) and "--python" in str(caught.value)
    assert "\n" not in str(caught.value)
