"""The interpreters that programs are measured with in these tests, and programs that mix much."""

from __future__ import annotations

import os

import pytest

from deskcheck.oracles.outcomes import Limits
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.python import PythonRuntime, find_interpreter, variation
from deskcheck.oracles.sandbox import Sandbox

OTHER = os.environ.get("DESKCHECK_OTHER_PYTHON")

EXECUTABLES = (
    pytest.param(None, id="this interpreter"),
    pytest.param(
        OTHER,
        id="the other interpreter",
        marks=pytest.mark.skipif(
            OTHER is None, reason="DESKCHECK_OTHER_PYTHON does not name a second interpreter"
        ),
    ),
)
"""None is the interpreter under the one that runs the tests."""


def runtime_with(sandbox: Sandbox, executable: str | None) -> PythonRuntime:
    return PythonRuntime(sandbox, find_interpreter(executable), Limits(cpu_s=20, wall_s=60))


def program(source: str | bytes) -> Program:
    text = source.encode() if isinstance(source, str) else source
    return Program(language="python", source=text)


HERE = variation(0)

LONG_BODY = "\n".join(f"    v{i} = v{i - 1} + {i} if v{i - 1} % 3 else {i}" for i in range(1, 300))

PROGRAMS = {
    "exceptions": """\
def check(value):
    try:
        if value % 3 == 0:
            raise ValueError(value)
        if value % 3 == 1:
            return value
    except ValueError as error:
        return -error.args[0]
    else:
        return value * 2
    finally:
        value += 1


total = 0
for i in range(12):
    try:
        total += check(i) // (i % 4)
    except ZeroDivisionError:
        continue
print(total)
""",
    "generators": """\
def count(n):
    try:
        for i in range(n):
            got = yield i
            if got:
                yield got * 10
    finally:
        print("closed")


def chain(n):
    yield from count(n)
    yield from (x * x for x in count(n))


one, other = count(5), count(7)
print(next(one), next(other), one.send(3), list(other))
one.close()
print(list(chain(3)))
""",
    "async": """\
import asyncio


async def ticks(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i


class Held:
    async def __aenter__(self):
        await asyncio.sleep(0)
        return 3

    async def __aexit__(self, *error):
        return True


async def main():
    total = 0
    async for tick in ticks(4):
        total += tick
    async with Held() as held:
        total += held
        raise ValueError
    total += sum([tick async for tick in ticks(3)])
    print(total, await asyncio.gather(*(asyncio.sleep(0, i) for i in range(3))))


asyncio.run(main())
""",
    "with and finally": """\
from contextlib import contextmanager, suppress


@contextmanager
def held(name):
    print("in", name)
    try:
        yield name
    finally:
        print("out", name)


def leave(n):
    for i in range(n):
        with held(i) as name, suppress(KeyError):
            if i == 2:
                raise KeyError
            if i == 4:
                return name
            if i == 1:
                continue


print(leave(3), leave(9))
""",
    "comprehensions": """\
grid = [[x * y for x in range(3)] for y in range(4)]
table = {x: {y for y in row if y % 2} for x, row in enumerate(grid)}
print(sum(x for row in grid for x in row), len(table))


class Rows:
    width = 3
    rows = [[i] * 2 for i in range(width)]


print(Rows.rows, [last := i for i in range(4)], last)
""",
    "recursion": """\
import sys
sys.setrecursionlimit(5000)


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


def hanoi(n, a, b, c):
    if n:
        hanoi(n - 1, a, c, b)
        c.append(a.pop())
        hanoi(n - 1, b, a, c)


towers = [5, 4, 3, 2, 1], [], []
hanoi(5, *towers)
print(depth(2000), towers)
""",
    "match": """\
from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int = 0


def kind(value):
    match value:
        case Point(x=0) | 0:
            return "origin"
        case [first, *rest] if rest:
            return len(rest)
        case {"key": key, **others}:
            return key, others
        case str() as text:
            return text
        case _:
            return None


for value in (Point(0), Point(1), 0, [1, 2, 3], [1], {"key": 2, "b": 3}, "text", 4.5):
    print(kind(value))
""",
    "replaced code": """\
import types


def plain(n):
    total = 0
    for i in range(n):
        total += i
    return total


renamed = types.FunctionType(plain.__code__.replace(co_name="renamed"), globals())


@types.coroutine
def pause():
    yield 5
    return 6


async def wait():
    return await pause() + await pause()


waiting = wait()
print(waiting.send(None), waiting.send(None))
try:
    waiting.send(None)
except StopIteration as done:
    print(done.value, plain(5), renamed(7), renamed(7))
""",
    "long function": f"""\
def long(v0):
{LONG_BODY}
    while v0 < 500:
        v0 += v299 % 7 + 200
    return v299 + v0


print(long(3), long(4))
""",
    "classes": """\
def noted(cls):
    cls.noted = True
    return cls


class Meta(type):
    def __call__(cls, *args):
        made = super().__call__(*args)
        made.made = True
        return made


@noted
class Base(metaclass=Meta):
    count = 0
    for step in range(3):
        count += step

    def __init__(self, value):
        self.value = value

    @property
    def double(self):
        return self.value * 2

    def __lt__(self, other):
        return self.value < other.value


class Child(Base):
    def __init__(self, value):
        super().__init__(value + 1)


print([x.double for x in sorted(Child(v) for v in (3, 1, 2))], Base.count, Child(1).made)
print((lambda *a, k=2: sum(a) * k)(1, 2, 3), sorted([3, -1], key=lambda v: -v))
""",
    "threads": """\
import threading

results = []


def work(n):
    total = 0
    for i in range(n):
        total += i
    results.append(total)


threads = [threading.Thread(target=work, args=(n,)) for n in (10, 20)]
for thread in threads:
    thread.start()
    thread.join()
print(results)
""",
    "late": """\
import atexit


class Gone:
    def __del__(self):
        for i in range(3):
            count.append(i)


count = []


@atexit.register
def last():
    for i in range(4):
        count.append(i)
    print(count)


Gone()
raise SystemExit
""",
}
