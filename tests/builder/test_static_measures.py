"""Complexity and nesting are those that a person counts by the stated conventions."""

from __future__ import annotations

import pytest

from deskcheck.builder.static_measures import cyclomatic, nesting
from deskcheck.builder.syntax import read_source

# Source, decision points, nesting.
CASES = {
    "straight": ("x = 1\nprint(x)\n", 0, 0),
    "if and elif": ("if a: pass\nelif b: pass\nelif c: pass\nelse: pass\n", 3, 1),
    "if in an else": ("if a: pass\nelse:\n    if b: pass\n", 2, 2),
    "if under an elif": ("if a: pass\nelif b:\n    if c: pass\n", 3, 2),
    "loops with else": ("for i in x:\n    while y: pass\nelse: pass\n", 2, 2),
    "comprehensions": ("[x for x in y if x if y for z in x]\n{i for i in y}\n", 5, 0),
    "conditions": ("x = a and b or not c and d\ny = 1 if a else 2\n", 4, 0),
    "try": (
        "try: pass\nexcept A: pass\nexcept (B, C): pass\nelse: pass\nfinally: pass\n",
        2,
        1,
    ),
    "try star": ("try: pass\nexcept* A:\n    with b: pass\n", 1, 2),
    "with and assert": ("with a, b:\n    assert c, d\n", 1, 1),
    "match": (
        "match a:\n    case 1: pass\n    case [x, *y] if x: pass\n    case 2 | 3: pass\n"
        "    case _: pass\n",
        3,
        1,
    ),
    "match with a guarded wildcard": ("match a:\n    case _ if b: pass\n", 1, 1),
    "functions and lambdas": (
        "def f(x):\n    class A:\n        def g(self):\n            for i in x: pass\n"
        "h = lambda v: v or f(v)\n",
        2,
        1,
    ),
    "async": ("async def f():\n    async for i in x:\n        async with i: pass\n", 1, 2),
}


@pytest.mark.parametrize("name", CASES)
def test_measures_are_those_counted_by_hand(name: str) -> None:
    """1 + the decision points; the most compound statements inside one another."""
    code, decisions, depth = CASES[name]
    source = read_source(code.encode())
    assert cyclomatic(source) == 1 + decisions
    assert nesting(source) == depth


def test_a_case_that_binds_a_name_is_not_the_wildcard() -> None:
    """Only the bare `_` is left out."""
    assert cyclomatic(read_source(b"match a:\n    case 1: pass\n    case z: pass\n")) == 3
