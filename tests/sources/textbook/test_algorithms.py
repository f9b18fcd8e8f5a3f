"""Every textbook algorithm: what its program, its generator and its reference promise."""

from __future__ import annotations

import ast
import io
import json
import os
import re
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Iterable
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.catalogue import ALGORITHMS, source_of
from deskcheck.sources.textbook.pool import LARGEST

# For each algorithm the variables that its busiest loop carries from one iteration to the next.
CARRIED = {
    "knapsack": ["best"],
    "edit_distance": ["previous"],
    "longest_common_subsequence": ["i", "j", "positions"],
    "coin_change": ["fewest"],
    "matrix_chain": ["pending", "steps"],
    "dijkstra": ["distance", "queue"],
    "bellman_ford": ["cost"],
    "floyd_warshall": ["here", "driven", "entered"],
    "kruskal": ["parent", "members", "degree", "tree_cost", "spare_cost"],
    "topological_sort": ["missing", "ready", "order"],
    "breadth_first_search": ["distance", "queue"],
    "strongly_connected_components": ["order", "seen", "tried", "path"],
    "knuth_morris_pratt": ["matched", "comparisons", "found"],
    "z_function": ["z", "left", "right"],
    "rolling_hash": ["window", "hits"],
    "huffman": ["heap", "node"],
    "suffix_array": ["prefixes", "shared"],
    "longest_palindrome": ["radii", "centre", "right"],
    "insertion_sort": ["values", "moves"],
    "heap_sort": ["values", "swaps"],
    "merge_sort": ["merged", "i", "j", "inversions"],
    "radix_sort": ["buckets"],
    "quick_select": ["values", "less", "i", "greater"],
    "newton_integer_root": ["total", "perfect", "largest", "number"],
    "simpson_integration": ["odd", "even"],
    "linear_congruential_monte_carlo": ["state", "inside", "quarters"],
    "convex_hull": ["chain"],
    "polygon_area": ["twice_area", "boundary", "x1", "y1"],
    "bank_queue": ["events", "queue", "idle", "waited", "longest", "clock"],
    "langtons_ant": ["black", "row", "column", "heading"],
}
SEEDS = range(3)
ANSWER_LIMIT = 400
BY_NAME = {each.name: each for each in ALGORITHMS}

each_algorithm = pytest.mark.parametrize("name", BY_NAME)


def source(name: str) -> str:
    return source_of(BY_NAME[name]).decode()


def an_input(name: str, seed: int, size: int) -> str:
    """One input as the pool makes it."""
    return BY_NAME[name].generate(Draws("textbook", name, seed, size), size)


@dataclass
class Activation:
    """One execution of one loop: its carried state before each iteration's body and at its end."""

    states: list[str] = field(default_factory=list)
    end: str = ""


@dataclass
class Watch:
    """What a program run with `observe` did, loop by loop."""

    carried: list[str]
    activations: dict[int, list[Activation]] = field(default_factory=dict)
    running: dict[int, list[Activation]] = field(default_factory=dict)

    def enter(self, loop: int) -> None:
        activation = Activation()
        self.activations.setdefault(loop, []).append(activation)
        self.running.setdefault(loop, []).append(activation)

    def iterate(self, loop: int, variables: dict[str, Any]) -> None:
        self.running[loop][-1].states.append(self._state(variables))

    def leave(self, loop: int, variables: dict[str, Any]) -> None:
        self.running[loop].pop().end = self._state(variables)

    def iterations(self, loop: int) -> tuple[int, int]:
        """Of the largest activation, and of all together."""
        counts = [len(each.states) for each in self.activations.get(loop, [])]
        return max(counts, default=0), sum(counts)

    def busiest(self) -> int:
        return max(self.activations, key=lambda loop: self.iterations(loop)[0])

    def _state(self, variables: dict[str, Any]) -> str:
        shown = {name: variables[name] for name in self.carried if name in variables}
        return json.dumps(shown, separators=(",", ":"), default=_as_list)


def _as_list(value: object) -> list[Any]:
    if isinstance(value, set):
        return sorted(value)
    assert isinstance(value, deque)
    return list(value)


class _Marks(ast.NodeTransformer):
    """Calls before every loop, at the start of its body, and behind it; loops go by their line."""

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        return self._marked(node)

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        return self._marked(node)

    def _marked(self, node: ast.For | ast.While) -> list[ast.stmt]:
        self.generic_visit(node)
        node.body[:0] = ast.parse(f"_iterate({node.lineno}, locals())").body
        before = ast.parse(f"_enter({node.lineno})").body
        return [*before, node, *ast.parse(f"_leave({node.lineno}, locals())").body]


def run_here(
    name: str, stdin: str, code: str | ast.Module, names: dict[str, Any] | None = None
) -> str:
    """Standard output of the program, run inside this process."""
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out):
        patch.setattr(sys, "stdin", io.StringIO(stdin))
        exec(compile(code, f"{name}.py", "exec"), {"__name__": "__main__", **(names or {})})
    return out.getvalue()


@cache
def observed(name: str, seed: int, size: int) -> tuple[Watch, str]:
    """One run, watched, and what it printed."""
    tree = ast.fix_missing_locations(_Marks().visit(ast.parse(source(name))))
    watch = Watch(CARRIED[name])
    marks = {"_enter": watch.enter, "_iterate": watch.iterate, "_leave": watch.leave}
    return watch, run_here(name, an_input(name, seed, size), tree, marks)


def middle(count: int) -> Iterable[int]:
    """The iterations, counted from 0, at which a checkpoint may lie."""
    return range(max(1, count // 4 - 1), min(count - 1, 3 * count // 4 + 1))


def words(text: str) -> list[str]:
    return re.findall(r"-?\w+", text)


@each_algorithm
def test_program_is_made_to_be_read(name: str) -> None:
    """It has 25 to 70 lines, and a docstring that says what it reads and what it prints."""
    text = source(name)
    assert 25 <= len(text.splitlines()) <= 70
    described = ast.get_docstring(ast.parse(text)) or ""
    assert "Input: " in described
    assert "Output: " in described


@each_algorithm
@given(seed=st.integers(0, 2**32), size=st.integers(2, 80))
@example(seed=0, size=2)
@example(seed=0, size=3)
@example(seed=0, size=110)
@settings(max_examples=12, deadline=None)
def test_program_prints_what_the_reference_finds(name: str, seed: int, size: int) -> None:
    """For every seed and size the program and the independent method print the same text."""
    stdin = an_input(name, seed, size)
    assert run_here(name, stdin, source(name)) == BY_NAME[name].reference(stdin)


@each_algorithm
def test_program_stands_alone(name: str) -> None:
    """Run as a script, the program needs nothing but its input, and its outputs are short."""
    outputs = set()
    for size in (BY_NAME[name].short, BY_NAME[name].long):
        stdin = an_input(name, 0, size)
        ended = subprocess.run(
            [sys.executable, "-I", "-c", source(name)],
            input=stdin,
            capture_output=True,
            text=True,
            check=True,
        )
        assert ended.stdout == BY_NAME[name].reference(stdin)
        assert not ended.stderr
        assert ended.stdout.strip()
        assert len(ended.stdout) <= ANSWER_LIMIT
        outputs.add(ended.stdout)
    assert len(outputs) == 2


@each_algorithm
def test_largest_inputs_can_be_generated(name: str) -> None:
    """At the largest size the pool offers, an input is more than one word, or a word that long."""
    stdin = an_input(name, 0, LARGEST)
    assert stdin.endswith("\n")
    assert len(stdin.split()) > 1 or len(stdin.strip()) == LARGEST


@each_algorithm
def test_seeds_give_different_inputs(name: str) -> None:
    """Every seed gives a long input of its own."""
    inputs = {an_input(name, seed, BY_NAME[name].long) for seed in range(8)}
    assert len(inputs) == 8


@pytest.mark.parametrize("seed", SEEDS)
@each_algorithm
def test_long_input_makes_the_busiest_loop_much_longer(name: str, seed: int) -> None:
    """It has 24 to 150 iterations at once; at once and in all, 8 times the short input's."""
    long, long_output = observed(name, seed, BY_NAME[name].long)
    short, short_output = observed(name, seed, BY_NAME[name].short)
    loop = long.busiest()
    assert 24 <= long.iterations(loop)[0] <= 150
    for of_long, of_short in zip(long.iterations(loop), short.iterations(loop), strict=True):
        assert of_long >= 8 * of_short
    largest = Counter(long.iterations(each)[0] for each in long.activations)
    assert largest[long.iterations(loop)[0]] == 1, "two loops are equally busy"
    assert short_output != long_output
    assert max(len(short_output), len(long_output)) <= ANSWER_LIMIT


@pytest.mark.parametrize("seed", SEEDS)
@each_algorithm
def test_state_of_the_busiest_loop_is_worth_asking_for(name: str, seed: int) -> None:
    """It fits an answer, changes with every iteration, and is neither its end nor the output."""
    watch, output = observed(name, seed, BY_NAME[name].long)
    activation = max(watch.activations[watch.busiest()], key=lambda each: len(each.states))
    states = activation.states
    assert set(json.loads(activation.end)) == set(CARRIED[name])
    assert len(activation.end) <= ANSWER_LIMIT
    for k in middle(len(states)):
        assert set(json.loads(states[k])) == set(CARRIED[name])
        assert len(states[k]) <= ANSWER_LIMIT
        assert states[k] not in (states[0], states[k - 1], states[k + 1], activation.end)
    printed = words(output)
    values = [words(json.dumps(value)) for value in json.loads(activation.end).values()]
    assert printed not in values
    assert printed != [word for value in values for word in value]


def test_inputs_do_not_depend_on_the_hash_seed() -> None:
    """A generator is a function of its draws and size: the same text in every process."""
    listing = (
        "from deskcheck.oracles.identity import Draws\n"
        "from deskcheck.sources.textbook.catalogue import ALGORITHMS\n"
        "for each in ALGORITHMS:\n"
        "    for size in (2, each.short, each.long, 120):\n"
        "        print(each.name, size, repr(each.generate(Draws('hash', size), size)))\n"
    )
    listed = [
        subprocess.run(
            [sys.executable, "-c", listing],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "4242")
    ]
    assert listed[0] == listed[1]
    assert listed[0].count(b"\n") == 4 * len(ALGORITHMS)


@pytest.mark.parametrize(
    ("name", "stdin", "stdout"),
    [
        ("knapsack", "50\n10 60\n20 100\n30 120\n", "value 220\nload 50 of 50\n"),
        ("edit_distance", "kitten\nsitting\n", "distance 3\n"),
        ("longest_common_subsequence", "abcbdab\nbdcaba\n", "4\n"),
        ("coin_change", "100\n1 5 10 25 50\n", "ways 292\ncoins 2\n50 + 50\n"),
        ("matrix_chain", "30 35 15 5 10 20 25\n", "15125\n40500\n((1 (2 3)) ((4 5) 6))\n"),
        ("z_function", "aabxaabxcaabxaabxay\n", "borders\n"),
        ("rolling_hash", "2359023141526739921\n31415\n", "1 found at 6\n"),
        ("knuth_morris_pratt", "aaaaa\naa\n", "4 occurrences from 0 to 3\n3 overlap"),
        ("topological_sort", "3\nb c\na b\nc\n", "a b c\n"),
        ("breadth_first_search", "2 3\nS#E\n...\n", "steps 4\nDRRU\n"),
    ],
)
def test_known_answers(name: str, stdin: str, stdout: str) -> None:
    """Program and reference begin with the answer that textbooks print, or that is plain to see."""
    assert run_here(name, stdin, source(name)).startswith(stdout)
    assert BY_NAME[name].reference(stdin).startswith(stdout)
