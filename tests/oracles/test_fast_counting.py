"""A program that counts itself counts what events count, at every offset, and does not show it."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from tests.oracles.interpreters import EXECUTABLES, HERE, PROGRAMS, program, runtime_with
from tests.oracles.tangled_programs import programs

import deskcheck.oracles.inside
from deskcheck.oracles.inside import bytecode, flow
from deskcheck.oracles.inside.fast_counting import FastCounter
from deskcheck.oracles.runtimes.python import PythonRuntime, find_interpreter
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.pools import Candidate, PoolOptions
from deskcheck.sources.registry import load_pool

INSIDE = Path(deskcheck.oracles.inside.__file__).parent
TWICE = Path(__file__).parent / "counting_twice.py"
CONSTRUCTS = Path(__file__).parent.parent / "builder" / "programs" / "constructs"


class Judge:
    """One interpreter that runs programs every way and compares."""

    def __init__(self, executable: str | None) -> None:
        self.python = find_interpreter(executable).executable
        command = [self.python, "-B", "-W", "ignore", str(TWICE), str(INSIDE)]
        env = HERE.env() | {"PYTHONHASHSEED": "0"}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env
        )

    def compare(self, source: str | bytes, stdin: bytes = b"", **asked: bool) -> dict[str, Any]:
        text = source if isinstance(source, str) else source.decode("latin-1")
        if isinstance(source, str):
            text = source.encode().decode("latin-1")
        assert self.process.stdin is not None and self.process.stdout is not None
        question = {"source": text, "stdin": stdin.decode("latin-1"), **asked}
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def agrees(self, source: str | bytes, stdin: bytes = b"") -> None:
        answer = self.compare(source, stdin)
        assert (answer["skipped"], answer["reference"], answer["differ"]) == ("", "", [])


@pytest.fixture(scope="module", params=EXECUTABLES)
def judge(request: pytest.FixtureRequest) -> Iterator[Judge]:
    judge = Judge(request.param)
    yield judge
    assert judge.process.stdin is not None
    judge.process.stdin.close()
    judge.process.wait()


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as box:
        yield box


@pytest.fixture(scope="module", params=EXECUTABLES)
def runtime(request: pytest.FixtureRequest, sandbox: Sandbox) -> PythonRuntime:
    return runtime_with(sandbox, request.param)


WIDE = "".join(f"    x = {i}.5 if x == {i} else x\n" for i in range(140))
STEPS = "\n".join(f"        x = x + {i} if x % {i + 2} else x * {i + 1000}" for i in range(60))
DEEP = "\n".join(f"{' ' * (4 * i)}for i{i} in range(1 + (x == {i})):" for i in range(1, 19))

TANGLES = {
    "jumps out of finally": """\
def run(n):
    out = []
    for i in range(n):
        try:
            try:
                if i % 3 == 0:
                    raise ValueError(i)
                if i % 5 == 0:
                    continue
                if i == 44:
                    return out
                out.append(1 // (i % 4))
            except ZeroDivisionError:
                out.append("z")
                if i % 8 == 0:
                    raise KeyError(i) from None
            finally:
                out.append("f")
                if i == 50:
                    break
        except (KeyError, ValueError) as error:
            out.append(type(error).__name__)
        else:
            out.append("e")
    return out


print(run(9), len(run(30)), len(run(60)), run(45)[-1])
""",
    "thrown into generators": """\
def inner(n):
    while True:
        try:
            got = yield n
        except KeyError:
            n += 10
        except ValueError:
            return "left"
        else:
            n += got or 1


def outer(n):
    try:
        result = yield from inner(n)
        yield result
    finally:
        print("closed", n)


def never():
    yield 1


g = outer(1)
print(next(g), g.send(5), g.throw(KeyError), g.throw(KeyError("again")), g.throw(ValueError))
g.close()
g = outer(2)
next(g)
del g
for stop in (GeneratorExit, StopIteration, ZeroDivisionError("1")):
    g = outer(3)
    next(g)
    try:
        g.throw(stop)
    except BaseException as error:
        print(type(error), error.__cause__)
    try:
        never().throw(stop)
    except BaseException as error:
        print(type(error))
never().close()


def stops():
    yield 1
    raise StopIteration


try:
    list(stops())
except RuntimeError as error:
    print(error)
""",
    "groups": """\
def run(*errors):
    try:
        try:
            raise ExceptionGroup("all", errors)
        except* KeyError as group:
            print("key", len(group.exceptions))
            if len(errors) > 2:
                raise RuntimeError("more")
        except* (ValueError, OSError):
            print("value")
        else:
            print("none")
        finally:
            print("last")
    except BaseException as error:
        print(type(error).__name__, error)


run(KeyError(1))
run(KeyError(1), ValueError(2))
run(KeyError(1), ValueError(2), TypeError(3))
run(ExceptionGroup("in", [ValueError(1), TypeError(2)]))
try:
    raise ValueError
except* ValueError:
    print("naked")
""",
    "recursion to the limit": """\
def down(n):
    try:
        return down(n + 1)
    finally:
        n -= 1


def up(n):
    return 1 + up(n + 1)


for call in (down, up):
    try:
        call(0)
    except RecursionError as error:
        print(error)
""",
    "asynchronous": """\
import asyncio


class Held:
    async def __aenter__(self):
        await asyncio.sleep(0)

    async def __aexit__(self, kind, *rest):
        await asyncio.sleep(0)
        return kind is KeyError


async def ticks(n):
    try:
        for i in range(n):
            await asyncio.sleep(0)
            try:
                yield i
            except ValueError:
                yield -1
    finally:
        await asyncio.sleep(0)
        print("over")


async def slow(n):
    try:
        await asyncio.sleep(50)
    except asyncio.CancelledError:
        print("cancelled")
        raise


async def main():
    t = ticks(3)
    print(await anext(t), await t.athrow(ValueError), await anext(t))
    await t.aclose()
    async for i in ticks(4):
        if i == 2:
            break
    else:
        print("never")
    async with Held(), Held():
        raise KeyError
    print([i async for i in ticks(3) if i], {i: j async for i in ticks(2) async for j in ticks(i)})
    task = asyncio.create_task(slow(1))
    await asyncio.sleep(0)
    task.cancel()
    print(await asyncio.gather(task, asyncio.sleep(0, 5), return_exceptions=True))
    async with asyncio.TaskGroup() as group:
        group.create_task(asyncio.sleep(0))
    async with Held():
        async for i in ticks(2):
            raise ValueError(i)


asyncio.run(main())
""",
    "cloned by types.coroutine": """\
import types


@types.coroutine
def pause(n):
    for i in range(n):
        yield i
    return n


async def wait():
    return await pause(2) + await pause(3)


waiting = wait()
try:
    while True:
        print(waiting.send(None))
except StopIteration as stop:
    print(stop.value)
""",
    "long jumps": f"""\
def long(x):
    while x % 1001:
{STEPS}
        if x > 10**30:
            try:
                return x % 0
            except ZeroDivisionError:
                break
    return x


print(long(1), long(5))
""",
    "many constants and counters": f"""\
def wide(x):
{WIDE}
    return x


print(wide(1), wide(3))
""",
    "deep": f"""\
def deep(x):
{DEEP}
{" " * 76}x += 1
    return x


print([deep(x) for x in range(22)])
""",
    "tracebacks": """\
import sys
import traceback


def wrong(values):
    for value in values:
        if value: print(1 // (value - 2), [9][value - 1])


class Odd(Exception):
    def __init__(self, *args):
        super().__init__(*args)
        try:
            wrong([3])
        except ZeroDivisionError:
            traceback.print_exc(file=sys.stdout)
        except Exception as error:
            self.add_note(str(error))


for values in ([1, 2], [1, 5], [None, "x"]):
    try:
        wrong(values)
    except Exception:
        traceback.print_exc(file=sys.stdout)


def frames():
    frame = sys._getframe()
    while frame and frame.f_globals is globals():
        yield frame.f_lineno
        frame = frame.f_back


print(list(frames()))
try:
    (lambda a:
        a.b
        .c)(1)
except AttributeError as error:
    traceback.print_exception(error, file=sys.stdout)
raise Odd("last") from ValueError(
    sum(x for x in [1, 2]),
)
""",
    "left in the middle": """\
import sys


class Gone:
    def __del__(self):
        for i in range(4):
            if i == 2:
                raise ValueError("not seen")


def pauses():
    try:
        yield 1
        yield 2
    finally:
        print("late")


kept = pauses()
next(kept)
sys.unraisablehook = lambda raised: print(raised.exc_value)
del [Gone()][0]
for step in [1, 2, 3]:
    for other in {1: 2}:
        with open("/dev/null") as file:
            if step == 2:
                sys.exit(3)
""",
    "match and walrus": """\
def kind(value):
    match value:
        case {"a": [int(x), *_], **rest} if (y := x * 2) > 3:
            return y, rest
        case [a, b] | (a, b, _):
            return a, b
        case complex(real=r) | float(r):
            return r
        case "x" | None | True:
            return value


for value in ({"a": [1]}, {"a": [2], "b": 0}, [1, 2], (1, 2, 3), 2j, 1.5, "x", None, True, 7):
    print(kind(value))
while (n := len(str(kind))) % 2 == 5:
    pass
else:
    print(n > 0)
""",
}


LEFT_OUT = {"replaced code", "long function"}
"""One is counted by the reference, the other like one below."""


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - LEFT_OUT))
def test_programs_that_mix_much_count_themselves(name: str, judge: Judge) -> None:
    """Counts are equal at every offset; output, traceback and status are those of a plain run."""
    judge.agrees(PROGRAMS[name])


@pytest.mark.parametrize("name", TANGLES)
def test_tangled_control_flow_counts_itself(name: str, judge: Judge) -> None:
    """Counts are equal at every offset; output, traceback and status are those of a plain run."""
    judge.agrees(TANGLES[name])


SLOW_CHECK = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]


@pytest.mark.slow
@settings(max_examples=300, deadline=None, suppress_health_check=SLOW_CHECK)
@given(source=programs())
def test_many_generated_programs_count_themselves(source: str, judge: Judge) -> None:
    judge.agrees(source)


UNSTEADY = {"time_dependent", "unseeded_random", "address_dependent"}
"""Programs that print something else each time."""


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(CONSTRUCTS.rglob("*.py")), ids=lambda path: str(path.stem))
def test_every_construct_counts_itself(path: Path, judge: Judge) -> None:
    for size in ("short", "long"):
        answer = judge.compare(path.read_bytes(), path.with_suffix(f".{size}.in").read_bytes())
        if not answer["skipped"] and path.stem not in UNSTEADY:
            assert answer["differ"] == []


@pytest.mark.slow
def test_textbook_programs_count_themselves(judge: Judge) -> None:
    for candidate in load_pool("textbook").candidates(PoolOptions(seed=0)):
        assert isinstance(candidate, Candidate)
        for given_input in candidate.inputs:
            judge.agrees(candidate.program.source, given_input.data)


OWN_TESTS = (
    *("test_asyncgen", "test_contextlib", "test_contextlib_async", "test_copy"),
    *("test_coroutines", "test_decorators", "test_dictcomps", "test_except_star", "test_grammar"),
    *("test_listcomps", "test_named_expressions", "test_patma", "test_raise", "test_super"),
    *("test_typing", "test_with"),
)
"""Without those that use random numbers, threads, signals, tracing, the recursion limit, or much
time."""


@pytest.mark.slow
@pytest.mark.parametrize("name", OWN_TESTS)
def test_the_interpreters_own_tests_count_themselves(name: str, judge: Judge) -> None:
    """Even those that look at code objects, which are counted by the reference otherwise."""
    asked = [judge.python, "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))"]
    folder = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    path = Path(folder) / "test" / f"{name}.py"
    if not path.exists():
        pytest.skip(f"{judge.python} has no {name}")
    answer = judge.compare(path.read_bytes(), anyhow=True, mute=True)
    assert (answer["skipped"], answer["differ"]) == ("", [])


@pytest.mark.parametrize("name", ["exceptions", "async", "late"])
def test_the_runtime_counts_fast_what_it_counts(name: str, runtime: PythonRuntime) -> None:
    clean = program(PROGRAMS[name])
    counted, fast = runtime.count(clean, b"", HERE), runtime.count_fast(clean, b"", HERE)
    assert fast.trace_length == counted.trace_length is not None
    assert (fast.reference, fast.problem, fast.unread) == ("", "", counted.unread)
    assert fast.outcome.stdout == counted.outcome.stdout


def test_an_uncaught_exception_is_shown_as_the_reference_shows_it(runtime: PythonRuntime) -> None:
    clean = program(TANGLES["tracebacks"])
    counted, fast = runtime.count(clean, b"", HERE), runtime.count_fast(clean, b"", HERE)
    shown = (fast.outcome.stdout, fast.outcome.stderr, fast.outcome.exit_code)
    assert shown == (counted.outcome.stdout, counted.outcome.stderr, 1)
    assert fast.trace_length == counted.trace_length is not None


TELLING = {
    "print(len((lambda: 0).__code__.co_code))": "__code__",
    "import sys\nprint(sys.getsizeof(i for i in 'a'))": "getsizeof",
    "print(getattr(print, '__code__', 5))": "__code__",
    "exec(compile('print(3)', 'program.py', 'exec'))": "compiles",
    "import dis\nprint(dis.opname[0])": "imports dis",
}


@pytest.mark.parametrize("source", TELLING)
def test_what_can_see_bytecode_is_counted_by_the_reference(
    source: str, runtime: PythonRuntime
) -> None:
    clean = program(source)
    fast = runtime.count_fast(clean, b"", HERE)
    assert TELLING[source] in fast.reference
    assert fast.trace_length == runtime.count(clean, b"", HERE).trace_length is not None
    assert fast.outcome.stdout == runtime.run(clean, b"", HERE).stdout


def load(name: str) -> Any:
    return import_module(f"deskcheck.oracles.inside.{name}")


def test_names_that_only_look_telling_are_counted_fast() -> None:
    source = "import re\ndis = [re.compile('a')]\nprint(dis)\n"
    assert FastCounter(load, compile(source, "p", "exec"), "p").reference == ""


def test_unknown_bytecode_is_counted_by_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bytecode, "VERSION", (0, 0))
    code = compile("x = 1", "p", "exec")
    counter = FastCounter(load, code, "p")
    assert "is not known" in counter.reference
    assert counter.code is code


def test_code_that_no_compiler_writes_is_counted_by_the_reference() -> None:
    code = compile("x = 1\ny = 2\n", "p", "exec")
    counter = FastCounter(load, code.replace(co_code=code.co_code[2:]), "p")
    assert counter.reference == "no RESUME at its start"


def nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from nested(const)


def codes() -> Iterator[CodeType]:
    yield from nested(compile(Path(contextlib.__file__).read_bytes(), "p", "exec"))
    for source in (*PROGRAMS.values(), *TANGLES.values()):
        yield from nested(compile(source, "p", "exec"))


def test_tables_are_read_and_written_back() -> None:
    """Instructions, exception tables and positions are those of the code that they came from."""
    for code in codes():
        instructions = bytecode.decode(code.co_code)
        written = b"".join(
            bytecode.encode(each.opcode, each.arg, (each.at - each.start) // 2)
            for each in instructions
        )
        assert written == code.co_code
        rows = bytecode.exception_table(code)
        assert bytecode.encode_exceptions(rows) == code.co_exceptiontable
        places = [(1, position) for position in code.co_positions()]
        table = bytecode.encode_positions(places, code.co_firstlineno)
        again = code.replace(co_linetable=table)
        assert list(again.co_positions()) == list(code.co_positions())
        assert list(again.co_lines()) == list(code.co_lines())


@pytest.mark.slow
def test_rewritten_code_keeps_what_a_program_sees() -> None:
    """Names, flags and the lines and columns of every original instruction are the same."""
    for code in codes():
        counter = FastCounter(load, code, "p")
        if counter.reference:
            continue
        for old, new in zip(nested(code), nested(counter.code), strict=True):
            for name in ("co_names", "co_varnames", "co_flags", "co_qualname", "co_argcount"):
                assert getattr(old, name) == getattr(new, name)
            assert old.co_consts[:1] == new.co_consts[:1] or isinstance(old.co_consts[0], CodeType)
            lines = [line for *_, line in old.co_lines() if line is not None]
            kept = {position[0] for position in new.co_positions()}
            assert set(lines) <= kept


def test_contradicting_counts_are_noticed() -> None:
    """Counts that no run can leave are no total."""
    source = "def f(x):\n    while x:\n        if x % 2:\n            x -= 1\n        x //= 2\n"
    code = next(c for c in nested(compile(source, "p", "exec")) if c.co_name == "f")
    graph = flow.Flow(bytecode, code)
    chords = graph.chords()
    assert len(chords) >= 3
    assert graph.solve(dict.fromkeys(chords, 0), {}, {}, 0)
    seen = 0
    for chord in chords:
        counts = dict.fromkeys(chords, 0) | {chord: 1}
        try:
            graph.solve(counts, {}, {}, 0)
        except flow.InconsistentError:
            seen += 1
    assert seen
    with pytest.raises(flow.InconsistentError):
        graph.solve(dict.fromkeys(chords, 0), {}, {}, 1)


def test_counters_are_few() -> None:
    """Far fewer than blocks: the rest follows."""
    blocks = chords = 0
    for code in codes():
        try:
            graph = flow.Flow(bytecode, code)
        except flow.UnsupportedError as error:
            pytest.fail(f"{code.co_qualname}: {error}")
        blocks, chords = blocks + len(graph.blocks), chords + len(graph.chords())
    assert 0 < chords < 0.6 * blocks


@pytest.mark.slow
def test_the_benchmark_runs_and_agrees() -> None:
    """The benchmark's own check passes, on the shortest of its programs."""
    script = Path(__file__).parents[2] / "benchmarks" / "counting.py"
    asked = ["--rounds", "1", "--programs", "network_simplex", "--ways", "fast"]
    done = subprocess.run(
        [sys.executable, "-B", str(script), *asked], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "geometric mean" in done.stdout
