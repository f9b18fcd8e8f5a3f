"""Loops are found where they are, and it is known what they iterate and whether they read."""

from __future__ import annotations

import libcst as cst
import pytest

from deskcheck.builder.loops import LoopSite, find_loops, stdin_readers
from deskcheck.builder.syntax import read_source


def loops(code: str) -> tuple[LoopSite, ...]:
    return find_loops(read_source(code.encode()))


def test_kind_line_depth_and_scope() -> None:
    """Depth counts the loops of one function; a comprehension is no loop of ours."""
    found = loops("""\
while 1:
    for i in [j for j in x]: pass
    def f():
        for k in y:
            if k:
                while z: pass
    class A:
        while 0: pass
async def g():
    async for w in v:
        pass
    else:
        for u in t: pass
""")
    assert [(site.kind, site.line, site.depth) for site in found] == [
        ("while", 1, 1),
        ("for", 2, 2),
        ("for", 4, 1),
        ("while", 6, 2),
        ("while", 8, 1),
        ("async for", 10, 1),
        ("for", 13, 2),
    ]
    kinds = [type(site.scope) for site in found]
    assert kinds[:2] == [cst.Module] * 2
    assert kinds[2:4] == [cst.FunctionDef] * 2
    assert kinds[4] is cst.ClassDef
    assert kinds[5:] == [cst.FunctionDef] * 2


@pytest.mark.parametrize(
    ("header", "targets", "iterated"),
    [
        ("for a in b:", "a", "b"),
        ("for a, (b, *c), [d] in e:", "a b c d", "e"),
        ("for a[0], b.c in d:", "", "d"),
        ("for a in sorted(b):", "a", ""),
        ("for a in range(len(b)):", "a", ""),
        ("for a in enumerate(b):", "a", "b"),
        ("for a in zip(b, c.items(), d[e]):", "a", "b c d"),
        ("for a in b.keys():", "a", "b"),
        ("for a in list(b) + c:", "a", "b c"),
        ("for a in b | c - d:", "a", "b c d"),
        ("for a in reversed(list(b)):", "a", "b"),
        ("while a in b:", "", ""),
    ],
)
def test_targets_and_what_gives_the_order(header: str, targets: str, iterated: str) -> None:
    """Names bound by the loop, and names whose own order the loop follows."""
    (site,) = loops(f"{header} pass\n")
    assert site.targets == set(targets.split())
    assert set(iterated.split()) <= site.iterated
    assert "sorted" not in site.iterated
    if not iterated:
        assert site.iterated == set()


@pytest.mark.parametrize("iterable", ["(b if c else d)", "(b or d)", "[*b, *d]"])
def test_either_of_two_gives_the_order(iterable: str) -> None:
    """Each of them may be a set."""
    assert loops(f"for a in {iterable}: pass\n")[0].iterated >= {"b", "d"}


@pytest.mark.parametrize(
    ("iterable", "is_set"),
    [
        ("{1, 2}", True),
        ("{x for x in y}", True),
        ("set(y)", True),
        ("list(set(y))", True),
        ("enumerate(frozenset(y))", True),
        ("reversed(list({*y}))", True),
        ("sorted({1, 2})", False),
        ("range(len({1, 2}))", False),
        ("{1: 2}", False),
        ("{x: 1 for x in y}", False),
        ("[set(), set()]", False),
        ("[x for x in {1, 2}]", False),
    ],
)
def test_sets_are_seen_in_the_header(iterable: str, is_set: bool) -> None:
    """An iterable that is a set on sight, also in what keeps its order."""
    (site,) = loops(f"for a in {iterable}: pass\n")
    assert site.iterates_set is is_set


READS = {
    "input in the body": "for i in range(9): x = input()",
    "input in the test": "while input(): pass",
    "input in the else": "for i in y: pass\nelse: input()",
    "nested": "for i in y:\n    for j in z: print(int(input()) + 1)",
    "stdin iterated": "import sys\nfor line in sys.stdin: pass",
    "map over stdin": "import sys\nfor n in map(int, sys.stdin): pass",
    "iter of input": "for line in iter(input, ''): pass",
    "another name": "import sys\nread = sys.stdin.readline\nfor i in y: read()",
    "a name's name": "import sys\nread = sys.stdin.readline\nr = read\nwhile 1: r()",
    "a tuple of names": "import sys\nread, n = sys.stdin.readline, 1\nwhile 1: read()",
    "a function": "def ints(): return [int(x) for x in input().split()]\nfor i in y: ints()",
    "a function's function": (
        "def one(): return input()\ndef two(): return one()\nfor i in y: two()"
    ),
    "a lambda": "ints = lambda: list(map(int, input().split()))\nfor i in y: ints()",
    "a method": (
        "class In:\n    def next(self): return input()\nreader = In()\nfor i in y: reader.next()"
    ),
    "a lazy iterator": "import sys\nnumbers = map(int, sys.stdin)\nfor i in y: next(numbers)",
    "a generator expression": "import sys\nrows = (r for r in sys.stdin)\nfor row in rows: pass",
    "a generator": "def rows():\n    while 1: yield 1\nfor i in y: x = input()",
    "open(0)": "for line in open(0): pass",
    "a stream held": "stream = open(0)\nfor line in stream: pass",
    "os.read": "import os\nwhile os.read(0, 1): pass",
    "from sys": "from sys import stdin\nfor line in stdin: pass",
    "buffer": "import sys\nread = sys.stdin.buffer.readline\nwhile read(): pass",
}

DOES_NOT_READ = {
    "read at once": "import sys\ndata = sys.stdin.read().split()\nfor x in data: print(x)",
    "read in the header, once": "for x in input().split(): pass",
    "read by a header's call": "import sys\nfor x in sys.stdin.read().split(): pass",
    "lines held": "import sys\nlines = sys.stdin.readlines()\nfor line in lines: pass",
    "list of a map": "n, m = map(int, input().split())\nfor i in range(n): print(m)",
    "read before": "x = input()\nfor c in x: pass",
    "a text": "for i in y: print('input', i)  # stdin",
    "a function that is handed data": "def f(data): return data\nx = f(input())\nfor i in x: f(i)",
}


@pytest.mark.parametrize("name", READS)
def test_loops_that_read_are_known(name: str) -> None:
    """Every way to reach standard input while the loop goes on."""
    assert loops(READS[name] + "\n")[-1].reads_stdin


@pytest.mark.parametrize("name", DOES_NOT_READ)
def test_loops_over_what_was_read_do_not_read(name: str) -> None:
    """Input that is held already is data like any other."""
    assert not loops(DOES_NOT_READ[name] + "\n")[0].reads_stdin


def test_readers_are_found_whatever_their_order() -> None:
    """A name may be given to a reader that is defined below it."""
    code = "def a(): return b()\ndef b(): return c()\nc = input\nd = c\ne = c()\n"
    readers = stdin_readers(read_source(code.encode()))
    assert {"a", "b", "c", "d", "input"} <= readers
    assert "e" not in readers
