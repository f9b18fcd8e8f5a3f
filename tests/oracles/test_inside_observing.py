"""What is read at a moment is what the program's own frame holds there, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import pytest
from tests.oracles.interpreters import EXECUTABLES, HERE, program, runtime_with

from deskcheck.oracles.checkpoints import Place
from deskcheck.oracles.observations import Moment, Observed, Snapshot, Watch
from deskcheck.oracles.runtimes.python import PythonRuntime
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.oracles.values import Opaque, Value


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as box:
        yield box


@pytest.fixture(scope="module", params=EXECUTABLES)
def runtime(request: pytest.FixtureRequest, sandbox: Sandbox) -> PythonRuntime:
    return runtime_with(sandbox, request.param)


def watched(
    runtime: PythonRuntime, source: str, wanted: list[Moment], names: str, **more: object
) -> Observed:
    loops = {moment.loop for moment in wanted}
    watch = Watch(
        wanted=wanted,
        names={loop: names.split() for loop in loops},
        **more,  # type: ignore[arg-type]
    )
    observed = runtime.observe(program(source), b"", HERE, watch)
    assert observed.outcome.clean, observed.outcome.stderr
    return observed


def read(
    runtime: PythonRuntime, source: str, place: Place, activation: int, k: int, names: str
) -> Snapshot:
    """The snapshot of the loop that is marked by a comment."""
    line = source[: source.index("# here")].rsplit("\n", 1)[-1]
    at = source.index(line) + len(line) - len(line.lstrip())
    offset = len(source[:at].encode())
    moment = Moment(offset, place, activation, k)
    shot = watched(runtime, source, [moment], names).at(moment)
    assert shot is not None
    return shot


def test_the_target_is_bound_and_the_body_has_not_run(runtime: PythonRuntime) -> None:
    """At iteration k the target is the k-th value, and all else is as k - 1 left it."""
    source = "total = 0\nfor x in 'abcd':  # here\n    total += 1\nprint(x)\n"
    shot = read(runtime, source, "inside", 1, 3, "total x")
    assert shot.variables == {"total": 2, "x": "c"}
    assert shot.visit == 3


def test_the_end_comes_after_the_else_and_before_what_follows(runtime: PythonRuntime) -> None:
    """The `else` belongs to the loop, whatever it does."""
    source = """\
n = 4
while n:  # here
    n -= 1
else:
    for n in range(7): pass
n = 100
"""
    assert read(runtime, source, "post", 1, 0, "n").variables == {"n": 6}


def test_a_walrus_in_the_test_is_bound(runtime: PythonRuntime) -> None:
    """A `while` test has passed, so what it binds is new."""
    source = "n = 9\nwhile (half := n // 2) > 0:  # here\n    n = half\n"
    assert read(runtime, source, "inside", 1, 2, "n half").variables == {"n": 4, "half": 2}


def test_the_frame_is_the_loops_own_under_recursion(runtime: PythonRuntime) -> None:
    """By activation, though a callee's visits come between."""
    source = """\
def f(n):
    own = [n]
    for i in range(2):  # here
        own.append(i)
        if n: f(n - 1)
    return own
f(2)
"""
    outer = read(runtime, source, "inside", 1, 2, "own n i")
    assert outer.variables == {"own": [2, 0], "n": 2, "i": 1}
    assert outer.visit == 1 + 1 + 2 + 1 + 2 + 1  # f(1)'s first, f(0)'s two, and so on
    innermost = read(runtime, source, "post", 3, 0, "own n i")
    assert innermost.variables == {"own": [0, 0, 1], "n": 0, "i": 1}
    assert innermost.visit == 1


def test_each_instance_of_a_generator_has_its_own(runtime: PythonRuntime) -> None:
    """Two instances take turns; each is read in its own frame."""
    source = """\
def g(seed):
    for i in range(4):  # here
        seed = seed * 2
        yield seed
for pair in zip(g(1), g(100)): pass
"""
    one = read(runtime, source, "inside", 1, 3, "seed i")
    other = read(runtime, source, "inside", 2, 3, "seed i")
    assert (one.variables, one.visit) == ({"seed": 4, "i": 2}, 5)
    assert (other.variables, other.visit) == ({"seed": 400, "i": 2}, 6)


def test_names_are_looked_up_as_the_program_would(runtime: PythonRuntime) -> None:
    """Locals, then free variables, then globals; builtins and unbound names are left out."""
    source = """\
x, y, later = "global", "global", 0
def outer():
    y = z = "outer"
    def inner():
        x = "local"
        for i in range(2):  # here
            z.upper()
            if i: late = 1
        return late
    return inner()
outer()
"""
    names = "x y z i late len nowhere later"
    shot = read(runtime, source, "inside", 1, 1, names)
    # `y` of `outer` is not used by `inner`, so to `inner` it is the global one.
    expected = {"x": "local", "y": "global", "z": "outer", "i": 0, "later": 0}
    assert shot.variables == expected
    assert read(runtime, source, "post", 1, 0, names).variables == {
        **expected,
        "i": 1,
        "late": 1,
    }


def test_a_class_body_and_a_method_are_read(runtime: PythonRuntime) -> None:
    """A class body's names are its own."""
    source = """\
step = "global"
class A:
    total = 5
    for step in range(3):  # here
        total += step
"""
    assert read(runtime, source, "inside", 1, 3, "total step").variables == {"total": 6, "step": 2}


def test_hard_values_survive(runtime: PythonRuntime) -> None:
    """NaN, minus zero, surrogates, big integers, bytes, sets and their like come through."""
    source = r"""
nan, zero, odd, big = float("nan"), -0.0, "\ud83d\udc00 \x00é", -(10**5000)
raw, group, keyed = b"\xff\x00", {3, (1, 2), None}, {(1,): {"b"}, 2: 1.5}
pair = "\ud83d" + "\ude00"
for i in range(1):  # here
    pass
"""
    held = read(runtime, source, "inside", 1, 1, "nan zero odd big raw group keyed pair").variables
    assert isinstance(held["nan"], float) and math.isnan(held["nan"])
    assert math.copysign(1, float(str(held["zero"]))) == -1
    assert held["odd"] == "\ud83d\udc00 \x00é"
    assert held["big"] == -(10**5000)
    assert held["raw"] == b"\xff\x00"
    assert held["group"] == {3, (1, 2), None}
    assert held["keyed"] == {(1,): {"b"}, 2: 1.5}
    assert held["pair"] == "\ud83d\ude00"  # two characters still


def test_aliases_name_the_first_variable(runtime: PythonRuntime) -> None:
    """Containers that are one object are known by the first name; equal atoms are not aliases."""
    source = """\
a = [1]
b, c, d = a, [1], 5
e = d
for i in range(1):  # here
    pass
"""
    shot = read(runtime, source, "inside", 1, 1, "d b a c e")
    assert shot.aliases == {"d": "d", "b": "b", "a": "b", "c": "c", "e": "e"}


def test_what_cannot_be_shown_is_opaque(runtime: PythonRuntime) -> None:
    """Iterators, functions, files, cycles and what is too large are named, and not read."""
    source = """\
import sys
it, f, out, gen = iter([1]), len, sys.stdout, (x for x in ())
cycle = []
cycle.append(cycle)
large = list(range(10_000))
for i in range(1):  # here
    pass
"""
    held: Mapping[str, Value] = read(
        runtime, source, "inside", 1, 1, "it f out gen cycle large"
    ).variables
    for name in ("it", "f", "out", "gen", "large"):
        assert isinstance(held[name], Opaque), name
    assert isinstance(held["cycle"], list) and isinstance(held["cycle"][0], Opaque)
    assert next(iter([1])) == 1  # and reading an iterator would have moved it


LOUD = """\
def said(self, *args): print("said", args)
class Loud:
    __getattribute__ = __iter__ = __len__ = __hash__ = __eq__ = __repr__ = __reduce__ = said
    __bool__ = __lt__ = __copy__ = said
    __class__ = property(said)
one, several = Loud(), [Loud(), {"key": Loud()}]
"""

LOUD_CLASS = """\
class Meta(type):
    def __getattribute__(cls, name):
        print("meta", name)
        return type.__getattribute__(cls, name)
    def __hash__(cls): print("hash")
    def __eq__(cls, other): print("eq")
    def __instancecheck__(cls, other): print("check")
    def __subclasscheck__(cls, other): print("check")
class Louder(metaclass=Meta): pass
one, several = Louder(), [Louder(), {"key": Louder()}]
"""


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(LOUD, id="special methods"),
        pytest.param(
            LOUD_CLASS,
            id="metaclass",
        ),
    ],
)
def test_reading_runs_none_of_the_programs_code(source: str, runtime: PythonRuntime) -> None:
    """Special methods, properties and metaclasses are not called."""
    source += "for i in range(3): pass\n"
    offset = source.index("for i")
    wanted = [Moment(offset, "inside", 1, 2), Moment(offset, "post", 1)]
    observed = watched(
        runtime, source, wanted, "one several", state_budget=10_000, watch={offset: [1]}
    )
    assert observed.outcome.stdout == b""
    assert len(observed.snapshots) == 2


def test_printed_counts_what_is_still_buffered(runtime: PythonRuntime) -> None:
    """Bytes on standard output so far, in the stream's buffer or past it."""
    source = """\
import os, sys
print("héé")
os.write(1, b"12")
sys.stdout.write("34")
for i in range(1):  # here
    print("more")
"""
    assert read(runtime, source, "inside", 1, 1, "i").printed == len("héé\n".encode()) + 4
    assert read(runtime, source, "post", 1, 0, "i").printed == len("héé\n".encode()) + 4 + 5


def test_constant_strides_are_found(runtime: PythonRuntime) -> None:
    """Integers that move by one step are told from all else, by activation."""
    source = """\
def f(n, kind):
    down, up, same, odd, flag, late = n, 0, 5, 1, True, 0
    for i in range(n):
        down -= 2
        up += 3
        odd = odd * 2 if kind else odd + 1
        flag = not flag
        if i > 2: late += 1
f(6, 0)
f(6, 1)
"""
    offset = source.index("for i")
    names = "i down up same odd flag late n nowhere"
    moment = Moment(offset, "before", 1)
    observed = watched(runtime, source, [moment], names, watch={offset: [1, 2]})
    loop = observed.loop(offset)
    assert loop is not None
    assert loop.constant_strides == {
        1: ("i", "down", "up", "odd"),
        2: ("i", "down", "up"),
    }


def test_a_moment_that_never_comes_is_not_there(runtime: PythonRuntime) -> None:
    """Iterations past the last, activations past the last, and the end of a loop left by return."""
    source = "def f():\n    for i in range(3):\n        if i: return\nf()\n"
    offset = source.index("for i")
    wanted = [
        Moment(offset, "before", 1),
        Moment(offset, "inside", 1, 3),
        Moment(offset, "inside", 2, 1),
        Moment(offset, "post", 1),
    ]
    observed = watched(runtime, source, wanted, "i")
    assert [shot.moment for shot in observed.snapshots] == wanted[:1]
    assert observed.snapshots[0].variables == {}


def test_opcodes_at_a_moment_are_those_of_the_prefix(runtime: PythonRuntime) -> None:
    """The count at an early moment is that of the program cut off there."""
    text = "total = 0\nfor i in range(9):\n    total += i\nprint(total)\n"
    offset = text.index("for")
    moments = [Moment(offset, "inside", 1, k) for k in (1, 2, 9)]
    observed = watched(runtime, text, moments, "i", trace_lengths=True)
    first, second, last = (shot.trace_length for shot in observed.snapshots)
    assert first is not None and second is not None and last is not None
    assert last - second == 7 * (second - first) > 0
    counted = runtime.count(program(text), b"", HERE).trace_length
    assert observed.trace_length == counted
