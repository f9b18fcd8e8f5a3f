"""Loop boundaries: each iteration and each normal end is seen once, in its own activation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from tests.oracles.interpreters import EXECUTABLES, HERE, program, runtime_with

from deskcheck.oracles.observations import Activation, Observed, Watch
from deskcheck.oracles.runtimes.python import PythonRuntime
from deskcheck.oracles.sandbox import Sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Looped:
    """A program, and for each loop in source order its activations as they were entered.

    An activation is (iterations, normal end): the end's number among the loop's, 0 for none.
    """

    source: str
    loops: tuple[tuple[tuple[int, int], ...], ...]


CASES = {
    "one line": Looped(
        source="s = 0\nfor i in range(3): s += i\nwhile s: s -= 1\nprint(s)\n",
        loops=(((3, 1),), ((3, 1),)),
    ),
    "one-line body that does nothing": Looped(
        source="for i in range(4): pass\nfor i in 1, 2: continue\nwhile True: break\n",
        loops=(((4, 1),), ((2, 1),), ((1, 1),)),
    ),
    "never entered": Looped(
        source="for i in []: print(i)\nwhile 0: print(1)\nwhile False: pass\nelse: print(2)\n",
        loops=(((0, 1),), ((0, 1),), ((0, 1),)),
    ),
    "a body that a comprehension fills": Looped(
        source="for i in range(3): print([x for x in range(5) for y in range(x)])\n",
        loops=(((3, 1),),),
    ),
    "while and continue": Looped(
        source="""\
n = 0
while n < 7:
    n += 1
    if n % 2: continue
    if n == 4:
        continue
    n += 0
""",
        loops=(((7, 1),),),
    ),
    "continue on every way": Looped(
        source="""\
for n in range(6):
    if n == 1: continue
    elif n == 2: continue
    else:
        try:
            if n == 3: continue
        finally:
            n += 1
""",
        loops=(((6, 1),),),
    ),
    "break without an instruction of its own": Looped(
        source="for i in range(9):\n    if i == 4: break\nelse:\n    print(i)\n",
        loops=(((5, 1),),),
    ),
    "while True": Looped(
        source="n = 0\nwhile True:\n    n += 1\n    if n > 5: break\nwhile 1:\n    break\n",
        loops=(((6, 1),), ((1, 1),)),
    ),
    "one-line function": Looped(
        source="""\
def f(n): return [i for i in range(n)]
def g(n):
    while n: n -= 1
for k in range(3): g(len(f(k)))
""",
        loops=(((0, 1), (1, 2), (2, 3)), ((3, 1),)),
    ),
    "lambda and function on the line of the loop": Looped(
        source="for i in range(3): (lambda: [0 for j in range(4)])()\n",
        loops=(((3, 1),),),
    ),
    "entered often": Looped(
        source="for i in range(3):\n    for j in range(i):\n        pass\n",
        loops=(((3, 1),), ((0, 1), (1, 2), (2, 3))),
    ),
    "left by return": Looped(
        source="""\
def f(n):
    for i in range(n):
        if i == 2: return i
    return n
f(9), f(1), f(3)
""",
        loops=(((3, 0), (1, 1), (3, 0)),),
    ),
    "left by return out of an else": Looped(
        source="""\
def f(n):
    while n:
        n -= 1
    else:
        return n
f(2)
""",
        loops=(((2, 0),),),
    ),
    "left by raise": Looped(
        source="""\
for attempt in range(2):
    try:
        for i in range(5):
            if i == 3 - attempt: raise KeyError
    except KeyError:
        pass
""",
        loops=(((2, 1),), ((4, 0), (3, 0))),
    ),
    "left by an error in the header": Looped(
        source="""\
def items():
    yield 1
    raise KeyError
try:
    for i in items(): pass
except KeyError: pass
try:
    while 6 // (3 - i): i += 1
except ZeroDivisionError: pass
""",
        loops=(((1, 0),), ((2, 0),)),
    ),
    "left by exit": Looped(
        source="import sys\nfor i in range(5):\n    while i == 2: sys.exit()\n",
        loops=(((3, 0),), ((0, 1), (0, 2), (1, 0))),
    ),
    "break through finally": Looped(
        source="""\
for i in range(5):
    try:
        if i == 3: break
    finally:
        for j in range(2): pass
""",
        loops=(((4, 1),), ((2, 1), (2, 2), (2, 3), (2, 4))),
    ),
    "return through finally": Looped(
        source="""\
def f():
    for i in range(5):
        try:
            if i == 3: return
        finally:
            while False: pass
            for j in range(i): pass
f()
""",
        loops=(((4, 0),), ((0, 1), (0, 2), (0, 3), (0, 4)), ((0, 1), (1, 2), (2, 3), (3, 4))),
    ),
    "raise through finally": Looped(
        source="""\
try:
    for i in range(5):
        try:
            if i == 1: raise KeyError
        finally:
            for j in range(3):
                if j: break
except KeyError:
    while i < 3: i += 1
""",
        loops=(((2, 0),), ((2, 1), (2, 2)), ((2, 1),)),
    ),
    "an exception that finally swallows": Looped(
        source="""\
def f():
    for i in range(4):
        try:
            if i == 2: raise KeyError
            continue
        finally:
            if i == 2: break
    return i
f()
""",
        loops=(((3, 1),),),
    ),
    "break through with": Looped(
        source="""\
from contextlib import suppress
for i in range(5):
    with suppress(KeyError):
        if i == 1: raise KeyError
        if i == 3: break
""",
        loops=(((4, 1),),),
    ),
    "recursion": Looped(
        source="""\
def f(n):
    for i in range(n):
        f(n - 1)
f(2)
""",
        # f(2) is the first; its two calls of f(1), each with one of f(0), end before it.
        loops=(((2, 5), (1, 2), (0, 1), (1, 4), (0, 3)),),
    ),
    "generators that take turns": Looped(
        source="""\
def g(n):
    for i in range(n):
        yield i
one, other = g(2), g(5)
for pair in zip(one, other): pass
""",
        loops=(((2, 1), (2, 0)), ((2, 1),)),
    ),
    "a generator left suspended, then closed": Looped(
        source="""\
def g():
    try:
        while True:
            yield 1
    finally:
        for i in range(2): pass
held = g()
next(held), next(held), next(held)
held.close()
""",
        loops=(((3, 0),), ((2, 1),)),
    ),
    "generators made and dropped at one address": Looped(
        source="""\
def g(n):
    for i in range(n):
        yield i
for n in range(4):
    for x in g(n):
        if x: break
""",
        loops=(((0, 1), (1, 2), (2, 0), (2, 0)), ((4, 1),), ((0, 1), (1, 2), (2, 3), (2, 4))),
    ),
    "async": Looped(
        source="""\
async def ticks(n):
    for i in range(n):
        yield i
async def main():
    async for tick in ticks(4):
        while tick: tick -= 1
        if tick: break
    else:
        async for tick in ticks(2): return
try: main().send(None)
except StopIteration: pass
""",
        loops=(
            ((4, 1), (1, 0)),
            ((4, 0),),
            ((0, 1), (1, 2), (2, 3), (3, 4)),
            ((1, 0),),
        ),
    ),
    "class body, method and property": Looped(
        source="""\
class A:
    for step in range(2):
        pass
    @property
    def size(self):
        n = 3
        while n: n -= 1
        return n
A().size, A().size
""",
        loops=(((2, 1),), ((3, 1), (3, 2))),
    ),
    "except*": Looped(
        source="""\
try:
    for i in range(3):
        if i: raise ExceptionGroup("two", [KeyError(), ValueError()])
except* KeyError:
    for i in range(2): pass
except* ValueError:
    for i in range(3): pass
""",
        loops=(((2, 0),), ((2, 1),), ((3, 1),)),
    ),
    "match": Looped(
        source="""\
for i in range(5):
    match i:
        case 0: continue
        case 3: break
        case _ if i % 2: pass
        case _:
            while i: i -= 1
""",
        loops=(((4, 1),), ((2, 1),)),
    ),
    "the last statement of a function and of the program": Looped(
        source="""\
def f(n):
    for i in range(n):
        if i: n -= 1
f(3)
if f:
    while f:
        f = None
""",
        loops=(((3, 1),), ((1, 1),)),
    ),
    "CRLF, byte-order mark and tabs": Looped(
        source='\ufeff"""doc\r\n"""\r\nfor é in range(2):\r\n\tfor j in "é": pass\r\n',
        loops=(((2, 1),), ((1, 1), (1, 2))),
    ),
    "a semicolon before and a string over lines": Looped(
        source='s = """a\nb"""; t = 0\nfor c in s:\n    """no\ndoc"""; t += 1\n',
        loops=(((3, 1),),),
    ),
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as box:
        yield box


@pytest.fixture(scope="module", params=EXECUTABLES)
def runtime(request: pytest.FixtureRequest, sandbox: Sandbox) -> PythonRuntime:
    return runtime_with(sandbox, request.param)


def check_loops(observed: Observed, loops: tuple[tuple[tuple[int, int], ...], ...]) -> None:
    """Totals over all activations, and each of those that ended by itself."""
    assert len(observed.loops) == len(loops)
    for found, expected in zip(observed.loops, loops, strict=True):
        iterations = [count for count, _ in expected]
        ended = [
            Activation(ordinal=ordinal, iterations=count, exit_visit=number)
            for ordinal, (count, number) in enumerate(expected, start=1)
            if number
        ]
        assert found.entries == len(expected)
        assert found.visits == sum(iterations)
        assert found.exits == len(ended)
        assert found.most == max(iterations, default=0)
        assert sorted(found.activations, key=lambda each: each.ordinal) == ended


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_visits_ends_and_activations_are_those_counted_by_hand(
    case: Looped, runtime: PythonRuntime
) -> None:
    """What a loop did, by activation, whatever it is written like.

    A loop is named by the byte offset of its keyword, after a byte-order mark, in source order.
    """
    observed = runtime.observe(program(case.source), b"", HERE, Watch(keep=100))
    assert observed.reported and observed.outcome.clean, observed.outcome.stderr
    check_loops(observed, case.loops)
    bare = case.source.removeprefix("\ufeff").encode()
    offsets = [loop.loop for loop in observed.loops]
    assert offsets == sorted(offsets)
    for offset in offsets:
        assert bare[offset:].startswith((b"for ", b"while ", b"async for "))


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_watching_everything_changes_nothing(case: Looped, sandbox: Sandbox) -> None:
    """With opcodes and state sizes measured too, the output and the loops are the same."""
    runtime = runtime_with(sandbox, None)
    source = case.source + "\nprint('done', sorted(name for name in dir() if '__' not in name))\n"
    plain = runtime.run(program(source), b"", HERE)
    watch = Watch(trace_lengths=True, state_budget=100_000, keep=100)
    observed = runtime.observe(program(source), b"", HERE, watch)
    assert observed.outcome.stdout == plain.stdout
    assert observed.outcome.exit_code == plain.exit_code == 0
    check_loops(observed, case.loops)
