"""|S| at every boundary is what a person counts: bound variables, and containers with slots."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.oracles.interpreters import EXECUTABLES, HERE, program, runtime_with

from deskcheck.oracles.observations import Moment, Watch
from deskcheck.oracles.runtimes.python import PythonRuntime
from deskcheck.oracles.sandbox import Sandbox

# Each program has one loop that is entered once. The sizes are those at the start of each of its
# iterations and at its end.
CASES: dict[str, tuple[str, list[int]]] = {
    # `n`, `i`
    "atoms are variables and no containers": (
        "n = 'text'\nfor i in range(2): n = b'x' * i\n",
        [2, 2, 2],
    ),
    # `n`; `values` 1 + (1 + its elements); `i`
    "a list that grows": (
        "n = 3\nvalues = [1, 2]\nfor i in range(2):\n    values.append(i)\n",
        [6, 7, 8],
    ),
    # At the start of the first iteration `total` is not bound yet.
    "bound so far": ("for i in range(2):\n    total = i\n", [1, 2, 2]),
    "deleted again": ("n = 1\nfor i in range(2):\n    n = 1\n    del n\n", [2, 1, 1]),
    # `row`, `grid`, `i`; grid 1 + 2; row 1 + 1, once
    "shared": ("row = [1]\ngrid = [row, row]\nfor i in range(1): pass\n", [8, 8]),
    # `a`, `i`; a 1 + 1
    "inside itself": ("a = []\na.append(a)\nfor i in range(1): a = a[0]\n", [4, 4]),
    # `one`, `other`, `i`; two lists of one element
    "equal and not the same": ("one, other = [1], [1]\nfor i in range(1): pass\n", [7, 7]),
    # `table`, `i`; dict 1 + 2; list 1 + 1; tuple key 1 + 2
    "entries": ("table = {'a': [1], (1, 2): 3}\nfor i in range(1): pass\n", [10, 10]),
    # `seen`, `queue`, `raw`, `i`; 1 + 2; 1 + 3; 1 + 4
    "sets, deques and byte arrays": (
        "from collections import deque\nseen, queue, raw = {1, 2}, deque('abc'), bytearray(4)\n"
        "for i in range(1): pass\n",
        [16, 16],
    ),
    # `words`, `i`; 1 + 2 entries
    "counters and default dicts": (
        "from collections import Counter\nwords = Counter('aab')\nfor i in range(1): pass\n",
        [5, 5],
    ),
    # `t`, `i`; 1 + 3; 1 + 2; the empty tuple 1 + 0
    "nested tuples": ("t = (1, (2, 3), ())\nfor i in range(1): pass\n", [10, 10]),
    # `p`, `i`; object 1 + 1 attribute that is set
    "slots that are set": (
        "class P:\n    __slots__ = ('a', 'b')\np = P()\np.a = 1\nfor i in range(1): p.b = 2\n",
        [4, 5],
    ),
    # `p`, `i`; object 1 + 2; list 1 + 1; the class's own `shared` is the class's
    "attributes": (
        "class P:\n    shared = [1, 2, 3]\np = P()\np.x, p.y = 1, [2]\nfor i in range(1): pass\n",
        [7, 7],
    ),
    # `p`, `q`, `i`; 1 + 1; 1 + 1
    "objects that point at each other": (
        "class P: pass\np, q = P(), P()\np.to, q.to = q, p\nfor i in range(1): pass\n",
        [7, 7],
    ),
    "modules, functions, classes and dunders": (
        "import sys, math as m\n__version__ = [1, 2]\ndef f(): pass\nclass C: pass\n"
        "g = lambda: 0\nread = sys.stdin.readline\nfor i in range(1): pass\n",
        [1, 1],
    ),
    # `out`; `n`, `kept`; kept 1 + 0
    "a function and the module below it": (
        "out = 5\ndef f(n):\n    kept = []\n    for i in range(2): kept.append(i)\nf(1)\n",
        [5, 6, 7],
    ),
    # Depth 2 to 0: each frame has `n`, `own`; own 1 + n
    "each frame of a recursion": (
        "def f(n):\n    own = [0] * n\n    if n: return f(n - 1)\n"
        "    for i in range(1): pass\nf(2)\n",
        [2 * 3 + (3 + 2 + 1) + 1, 2 * 3 + (3 + 2 + 1) + 1],
    ),
    # `x` of `outer` and `k` of `inner`; `x` is one variable, though both use it; list 1 + 1
    "a variable of a closure is one": (
        "def outer():\n    x = [1]\n    def inner():\n        for k in range(1): x.append(k)\n"
        "    inner()\nouter()\n",
        [4, 5],
    ),
    # `s`, the object; `n`; `self`; object 1 + 1
    "a method and its object": (
        "class S:\n    def run(self, n):\n        for i in range(1): self.total += n\n"
        "s = S()\ns.total = 0\ns.run(3)\n",
        [6, 6],
    ),
    # Suspended, it holds `kept` and the list; they are not in a live frame. `held`, `i`.
    "a suspended generator": (
        "def g():\n    kept = [1, 2, 3]\n    yield 1\nheld = g()\nnext(held)\n"
        "for i in range(1): pass\n",
        [2, 2],
    ),
    # `n`, `kept`, `i` of the generator, `held` of the module; kept 1 + 2
    "a running generator": (
        "def g(n):\n    kept = [1, 2]\n    for i in range(1): yield i\n"
        "held = g(3)\nnext(held), next(held, 0)\n",
        [7, 7],
    ),
    # `row`, `i`; 1 + 2; the object 1 + 0
    "classes that are compared by the program": (
        "class M(type):\n    def __hash__(self): print('hashed')\n"
        "    def __eq__(self, other): print('compared')\n"
        "class P(metaclass=M): pass\nrow = [P(), 1]\nfor i in range(1): pass\n",
        [6, 6],
    ),
    # `hidden`, `i`
    "attributes are not looked up through the program": (
        "class P:\n    def __getattribute__(self, name): print(name)\n"
        "    @property\n    def __class__(self): print('asked')\n"
        "hidden = P()\nfor i in range(1): pass\n",
        [3, 3],
    ),
    # `e`, `i`
    "ranges and iterators are no containers": (
        "e, it = range(9), iter([1, 2])\nfor i in e[:1]: pass\n",
        [3, 3],
    ),
    # `d`, `i`; 1 + 2 entries
    "a class of dict": (
        "class D(dict): pass\nd = D(a=1, b=2)\nfor i in range(1): pass\n",
        [5, 5],
    ),
    # `l`, `i`; 1 + 2 elements + 1 attribute
    "a class of list with an attribute": (
        "class L(list): pass\nl = L([1, 2])\nl.a = 0\nfor i in range(1): pass\n",
        [6, 6],
    ),
    # `n` and `step` of the class body; its `__module__` and such are dunders
    "a class body": ("class A:\n    n = 1\n    for step in range(1): pass\n", [2, 2]),
    # `f` left out; `n`, `i` of it; `x` of the generator expression, which has no other variable
    "a generator expression": (
        "def f(n):\n    for i in range(1): pass\nsum(f(x) or 0 for x in (1,))\n",
        [3, 3],
    ),
    # `rows` of main; `x`, the comprehension's; `n`, `i`; rows 1 + 1
    "a comprehension in a function": (
        "def f(n):\n    for i in range(1): pass\ndef main(rows):\n    return [f(x) for x in rows]\n"
        "main([1])\n",
        [6, 6],
    ),
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as box:
        yield box


@pytest.fixture(scope="module", params=EXECUTABLES)
def runtime(request: pytest.FixtureRequest, sandbox: Sandbox) -> PythonRuntime:
    return runtime_with(sandbox, request.param)


def sizes(runtime: PythonRuntime, source: str, iterations: int) -> list[int] | None:
    offset = max(source.find("for "), 0)
    while source[:offset].rsplit("\n", 1)[-1].strip() or source[offset - 1 : offset] == "(":
        offset = source.index("for ", offset + 1)
    wanted = [Moment(offset, "inside", 1, k) for k in range(1, iterations + 1)]
    wanted.append(Moment(offset, "post", 1))
    observed = runtime.observe(
        program(source), b"", HERE, Watch(wanted=wanted, state_budget=100_000)
    )
    assert observed.outcome.clean, observed.outcome.stderr
    assert observed.outcome.stdout == b""
    found: list[int] = []
    for moment in wanted:
        shot = observed.at(moment)
        assert shot is not None and shot.state is not None
        assert shot.state.boundaries == len(found) + 1
        found.append(shot.state.load - sum(found))
        assert shot.state.peak == max(found)
    assert observed.state is not None
    assert (observed.state.peak, observed.state.load) == (max(found), sum(found))
    return found


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_sizes_are_those_counted_by_hand(
    case: tuple[str, list[int]], runtime: PythonRuntime
) -> None:
    """At the start of every iteration and at the end of the loop."""
    source, expected = case
    assert sizes(runtime, source, len(expected) - 1) == expected


def test_interning_does_not_matter(runtime: PythonRuntime) -> None:
    """Elements that are the same object and elements that are merely equal count alike."""
    text = "values = [{}]\nfor i in range(1): pass\n"
    same = sizes(runtime, text.format("7, 7, 'a', 'a'"), 1)
    equal = sizes(runtime, text.format("10**30, 10**30, 'a b'.upper(), 'a b'.upper()"), 1)
    assert same == equal == [7, 7]


def test_a_spent_budget_leaves_the_load_unmeasured(runtime: PythonRuntime) -> None:
    """Up to the budget a size is known; past it there is none, and nothing else is lost."""
    source = "kept = []\nfor i in range(50):\n    kept.append([i])\n"
    offset = source.index("for ")
    early, late = Moment(offset, "inside", 1, 3), Moment(offset, "inside", 1, 49)
    watch = Watch(wanted=[early, late], names={offset: ["kept"]}, state_budget=500)
    observed = runtime.observe(program(source), b"", HERE, watch)
    first, last = observed.at(early), observed.at(late)
    assert first is not None and last is not None
    # `kept`, `i`; 1 + k - 1; k - 1 lists of one element
    assert first.state is not None and first.state.load == (2 + 1) + (2 + 2 + 2) + (2 + 3 + 4)
    assert last.state is None and observed.state is None
    assert len(last.variables) == 1 and observed.loops[0].visits == 50


def test_both_places_and_every_loop_are_boundaries(runtime: PythonRuntime) -> None:
    """Each iteration's start and each loop's end count once; where a loop begins does not."""
    source = "for i in range(3):\n    for j in range(2): pass\nwhile 0: pass\n"
    observed = runtime.observe(program(source), b"", HERE, Watch(state_budget=1000))
    assert observed.state is not None
    assert observed.state.boundaries == (3 + 1) + 3 * (2 + 1) + 1
