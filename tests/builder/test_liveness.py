"""What may still be read is live at a loop's head; what is always written first is not."""

from __future__ import annotations

import pytest

from deskcheck.builder.liveness import live_at_heads
from deskcheck.builder.loops import find_loops
from deskcheck.builder.syntax import read_source


def live(code: str, loop: int = 0) -> set[str]:
    source = read_source(code.encode())
    sites = find_loops(source)
    return set(live_at_heads(source, sites)[sites[loop].offset])


# Source of which the first loop counts; what is live among these names; what is not.
CASES = {
    "read later": ("for i in x: t = 1\nprint(a)\n", "a", "t"),
    "written before it is read": ("for i in x:\n    t = i\n    print(t)\n", "", "t i"),
    "augmented": ("for i in x: t += i\n", "t", "i"),
    "the target read after": ("for i in x: pass\nprint(i)\n", "i", ""),
    "the target written after": ("for i in x: pass\ni = 1\nprint(i)\n", "", "i"),
    "what a while tests": ("while n > m: n -= 1\n", "n m", ""),
    "a walrus in the test": ("while (n := f(m)): print(n)\n", "m", ""),
    "what is iterated": ("for i in x: pass\n", "x", ""),
    "what gave the iterable": ("for i in range(n): pass\n", "", "n"),
    "on one branch": ("for i in x:\n    if i: t = 1\n    print(t)\n", "t", ""),
    "on both branches": (
        "for i in x:\n    if i: t = 1\n    else: t = 2\n    print(t)\n",
        "",
        "t",
    ),
    "after a break": ("for i in x:\n    if i: break\n    t = 1\nelse: t = 2\nprint(t)\n", "t", ""),
    "after no break": ("for i in x: t = 1\nelse: t = 2\nprint(t)\n", "", "t"),
    "after while True": ("while True:\n    t = 1\n    if f(): break\nprint(t)\n", "", "t"),
    "after a continue": (
        "for i in x:\n    if i: continue\n    print(t)\n    t = 1\n",
        "t",
        "",
    ),
    "returned": ("def f(x):\n    for i in x:\n        if i: return t\n        t = 2\n", "t", ""),
    "a local of no more use": (
        "def f(x):\n    t = 1\n    for i in x: u = i\n    t = u = 2\n    return t\n",
        "",
        "t u",
    ),
    "in a handler": (
        "for i in x:\n    try: f(i)\n    except E as e: print(t, e)\n    t = 1\n",
        "t",
        "e",
    ),
    "in finally": ("for i in x:\n    try: g(i)\n    finally: print(t)\n    t = 1\n", "t", ""),
    "in finally, after a return": (
        "def f(x):\n    try:\n        for i in x:\n            if i: return\n            t = 1\n"
        "    finally: print(t)\n",
        "t",
        "",
    ),
    "a with that binds": ("for i in x:\n    with f(a) as t: print(t)\n", "a", "t"),
    "a match": (
        "for i in x:\n    match a:\n        case 1 if b: c = 1\n    print(c)\n",
        "a b c",
        "",
    ),
    "a subscript written": ("for i in x: t[i] = u\n", "t u", ""),
    "an attribute written": ("for i in x: t.a = u\n", "t u", "a"),
    "a keyword argument": ("for i in x: f(a=b)\n", "b", "a"),
    "compared with in a pattern": (
        "for i in x:\n    match i:\n        case t.y: pass\n    t = 1\n",
        "t",
        "",
    ),
    "deleted": ("for i in x:\n    del t\n    t = 1\n", "t", ""),
    "unpacked": ("for i in x:\n    a, *b = c\n    print(a, b)\n", "c", "a b"),
    "a global read by a callee first": (
        "def f(): return t\nfor i in x:\n    f()\n    t = 2\n",
        "t",
        "",
    ),
    "a global read through two callees": (
        "def f(): return t\ndef g(): return f()\nfor i in x:\n    g()\n    t = 2\n",
        "t",
        "",
    ),
    "a global read after the function has ended": (
        "def f(x):\n    global t\n    for i in x: t = i\nf(y)\nprint(t)\ndef h(): return t\n",
        "t",
        "",
    ),
    "a variable of a closure": (
        "def f(x):\n    t = 0\n    def g():\n        nonlocal t\n        t += 1\n"
        "    for i in x: g()\n    return 1\n",
        "t",
        "",
    ),
    "a function handed on": (
        "def f(): return t\nfor i in x:\n    run(f)\n    t = 1\n",
        "t",
        "",
    ),
    "a method that reads": (
        "class A:\n    def m(self): return t\na = A()\nfor i in x:\n    a.m()\n    t = 1\n",
        "t a",
        "",
    ),
    "a generator's own": (
        "def f(x):\n    t = 0\n    for i in x:\n        t += i\n        yield t\n",
        "t",
        "",
    ),
    "an outer loop's": ("for i in x:\n    for j in y: pass\n    print(t)\n    t = 1\n", "t", "j"),
}


@pytest.mark.parametrize("name", CASES)
def test_live_is_what_may_still_be_read(name: str) -> None:
    """By hand, over every way that control takes."""
    code, expected, dead = CASES[name]
    found = live(code)
    assert set(expected.split()) <= found
    assert not set(dead.split()) & found


def test_names_come_by_first_appearance() -> None:
    """The order is that of the source, and the same every time."""
    code = "z = 1\ndef f(b): return c\na = y = 2\nfor i in x: a = z + y + a + f(i)\n"
    source = read_source(code.encode())
    sites = find_loops(source)
    assert live_at_heads(source, sites)[sites[0].offset] == ("z", "f", "c", "a", "y", "x")


def test_names_of_two_underscores_are_left_out() -> None:
    """Inside a class they mean other names than they say."""
    assert "__t" not in live("for i in x: __t = f(__t)\n")


MISSED = {
    "a value kept when its assignment fails": (
        "for i in x:\n    try: t = int(i)\n    except ValueError: pass\n    u = u + t\n"
    ),
    "a value that finally reads when its assignment fails": (
        "for i in x:\n    try: t = g(i)\n    finally: print(t)\n"
    ),
    "a global read through another name": "def f(): return t\ng = f\nfor i in x: pass\ng()\n",
    "a global read by a special method": (
        "class A:\n    def __str__(self): return t\na = A()\nfor i in x: pass\nprint(a)\n"
    ),
    "a global read by an exit function": (
        "import atexit\n@atexit.register\ndef f(): print(t)\nfor i in x: pass\n"
    ),
}


@pytest.mark.parametrize("name", MISSED)
def test_what_is_missed(name: str) -> None:
    """The analysis means to err on the side of live; here it does not."""
    assert "t" in live(MISSED[name])
