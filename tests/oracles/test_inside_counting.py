"""Opcode counts are exact: another way of counting on the same interpreter gives the same."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.oracles.interpreters import EXECUTABLES, HERE, PROGRAMS, program, runtime_with

from deskcheck.oracles.observations import Watch
from deskcheck.oracles.runtimes.python import FLAGS, PythonRuntime, Variation, variation
from deskcheck.oracles.sandbox import Sandbox

# Events for all code, told apart by file as each comes, in a closure: no code object is ever
# picked, no event turned on late, and nothing is shared with the agent.
REFERENCE = """
import atexit, io, json, sys, threading

def count(source):
    total = 0
    def seen(code, offset):
        nonlocal total
        total += code.co_filename == "program.py"
    module = type(sys)("__main__")
    sys.modules["__main__"] = module
    code = compile(source, "program.py", "exec", dont_inherit=True)
    tool = sys.monitoring
    tool.use_tool_id(2, "reference")
    tool.register_callback(2, tool.events.INSTRUCTION, seen)
    tool.set_events(2, tool.events.INSTRUCTION)
    try:
        exec(code, module.__dict__)
    except SystemExit:
        pass
    atexit._run_exitfuncs()
    tool.set_events(2, 0)
    tool.free_tool_id(2)
    return total

real, sys.stdout = sys.stdout, io.StringIO()
totals = [count(source) for source in json.load(sys.stdin)]
real.write(json.dumps(totals))
"""

STRAIGHT = """
import dis, json, sys
def instructions(source):
    names = [each.opname for each in dis.get_instructions(compile(source, "program.py", "exec"))]
    return sum(name not in ("RESUME", "CACHE") for name in names)
print(json.dumps([instructions(source) for source in json.load(sys.stdin)]))
"""

STRAIGHT_LINES = ("x = 1\n", "x, y = 1, 2\nx = x + y * 3\n", "x = [1, 2]\nx[0] = 5\nprint(x)\n")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as box:
        yield box


@pytest.fixture(scope="module", params=EXECUTABLES)
def runtime(request: pytest.FixtureRequest, sandbox: Sandbox) -> PythonRuntime:
    return runtime_with(sandbox, request.param)


def asked(runtime: PythonRuntime, script: str, sources: list[str]) -> list[int]:
    command = [runtime.interpreter.executable, *FLAGS, "-c", script]
    given = json.dumps(sources)
    env = HERE.env()
    done = subprocess.run(
        command, input=given, capture_output=True, text=True, check=False, env=env
    )
    assert done.returncode == 0, done.stderr
    totals: list[int] = json.loads(done.stdout)
    return totals


@pytest.fixture(scope="module")
def reference(runtime: PythonRuntime) -> dict[str, int]:
    totals = asked(runtime, REFERENCE, list(PROGRAMS.values()))
    return dict(zip(PROGRAMS, totals, strict=True))


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_counters_count_what_a_global_listener_hears(
    name: str, runtime: PythonRuntime, reference: dict[str, int]
) -> None:
    """The native count, the bounded count and the reference are one number."""
    clean = program(PROGRAMS[name])
    native = runtime.count(clean, b"", HERE)
    bounded = runtime.count(clean, b"", HERE, limit=10_000_000)
    assert native.outcome.clean, native.outcome.stderr
    assert native.trace_length == bounded.trace_length == reference[name] > 50
    plain = runtime.run(clean, b"", HERE)
    assert plain.stdout == native.outcome.stdout == bounded.outcome.stdout != b""


def test_a_straight_line_counts_its_instructions(runtime: PythonRuntime) -> None:
    """Where nothing jumps, the count is the number of instructions that dis lists."""
    for source, expected in zip(
        STRAIGHT_LINES, asked(runtime, STRAIGHT, list(STRAIGHT_LINES)), strict=True
    ):
        assert runtime.count(program(source), b"", HERE).trace_length == expected


def test_an_iteration_costs_the_same_each_time(runtime: PythonRuntime) -> None:
    """The count grows by one constant per iteration of a plain loop."""
    text = "total = 0\nfor i in range({}):\n    total += i * 2\nprint(total)\n"
    counts = [
        runtime.count(program(text.format(n)), b"", HERE).trace_length for n in (1, 2, 3, 1000)
    ]
    first, second, third, last = (count or 0 for count in counts)
    step = second - first
    assert third - second == step > 0
    assert last - third == 997 * step


@pytest.mark.parametrize("name", ["exceptions", "generators", "classes"])
def test_the_limit_is_a_count(name: str, runtime: PythonRuntime) -> None:
    """As many opcodes as the limit pass; one more does not."""
    clean = program(PROGRAMS[name])
    opcodes = runtime.count(clean, b"", HERE).trace_length
    assert opcodes is not None
    just = runtime.count(clean, b"", HERE, limit=opcodes)
    assert (just.trace_length, just.too_long) == (opcodes, False)
    over = runtime.count(clean, b"", HERE, limit=opcodes - 1)
    assert (over.trace_length, over.too_long) == (None, True)


SWALLOWS = """\
import atexit
atexit.register(lambda: print("never"))
while True:
    try:
        for i in range(10):
            pass
    except BaseException:
        print("never")
    finally:
        i = 0
"""


def test_the_limit_stops_what_cannot_be_interrupted(runtime: PythonRuntime) -> None:
    """No `except`, `finally` or exit function of the program sees the limit."""
    counted = runtime.count(program(SWALLOWS), b"", HERE, limit=5_000)
    assert (counted.trace_length, counted.too_long) == (None, True)
    assert (counted.outcome.exit_code, counted.outcome.stdout) == (0, b"")
    observed = runtime.observe(program(SWALLOWS), b"", HERE, Watch(boundary_limit=300))
    assert observed.too_long
    assert observed.outcome.stdout == b""


@pytest.mark.parametrize("name", PROGRAMS)
def test_watching_counts_the_same(
    name: str, runtime: PythonRuntime, reference: dict[str, int]
) -> None:
    """With loop boundaries marked the total differs by a few opcodes at most."""
    observed = runtime.observe(program(PROGRAMS[name]), b"", HERE, Watch(trace_lengths=True))
    assert observed.trace_length is not None
    assert abs(observed.trace_length - reference[name]) <= 0.02 * reference[name]


def test_the_count_does_not_depend_on_circumstances(runtime: PythonRuntime) -> None:
    """Hash seed, time zone and locale leave the count alone where the program does."""
    source = program("seen = {str(i) for i in range(50)}\nprint(len(seen), 'a' in seen)\n")
    circumstances: list[Variation] = [variation(repeat) for repeat in range(3)]
    circumstances.append(replace(HERE, hash_seed=0))
    counts = {runtime.count(source, b"", each).trace_length for each in circumstances}
    assert len(counts) == 1 and None not in counts
