"""The strings, sorting, numerical, geometry and simulation programs of the textbook pool."""

from __future__ import annotations

import ast
import importlib
import io
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deskcheck.oracles.identity import Draws
from deskcheck.sources import textbook
from deskcheck.sources.textbook.algorithm import Algorithm

NAMES = (
    "huffman", "suffix_array", "longest_palindrome",
    "insertion_sort", "heap_sort", "merge_sort", "radix_sort", "quick_select",
    "newton_integer_root", "simpson_integration", "linear_congruential_monte_carlo",
    "convex_hull", "polygon_area",
    "bank_queue", "langtons_ant",
)  # fmt: skip
PROGRAMS = Path(str(textbook.__file__)).parent / "programs"
SEEDS = range(5)

each_algorithm = pytest.mark.parametrize("name", NAMES)


def algorithm(name: str) -> Algorithm:
    """The module's declaration."""
    declared = importlib.import_module(f"deskcheck.sources.textbook.{name}").ALGORITHM
    assert isinstance(declared, Algorithm)
    return declared


def an_input(name: str, seed: int, size: int) -> str:
    """One input, the same for the same arguments."""
    return algorithm(name).generate(Draws(name, seed, size), size)


def tree(name: str) -> ast.Module:
    """The program's syntax tree."""
    return ast.parse((PROGRAMS / f"{name}.py").read_text(encoding="utf-8"))


def execute(program: ast.Module, stdin: str, **names: object) -> str:
    """What the program prints when it runs in this process, with extra names defined."""
    code = compile(ast.fix_missing_locations(program), "program", "exec")
    with patch("sys.stdin", io.StringIO(stdin)), patch("sys.stdout", io.StringIO()) as stdout:
        exec(code, {"__name__": "__main__", **names})
    return stdout.getvalue()


class CountIterations(ast.NodeTransformer):
    """Makes every `for` and `while` statement report its activations and iterations."""

    def __init__(self) -> None:
        self.activations: list[list[int]] = []
        """One pair per activation, in order: the loop's line and its iterations."""

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        return self._counted(node)

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        return self._counted(node)

    def _counted(self, node: ast.For | ast.While) -> list[ast.stmt]:
        self.generic_visit(node)
        counter = f"counter_{node.lineno}"
        node.body[:0] = ast.parse(f"{counter}[1] += 1").body
        return [*ast.parse(f"{counter} = activation({node.lineno})").body, node]

    def activation(self, line: int) -> list[int]:
        """Called by the running program where a loop begins."""
        self.activations.append([line, 0])
        return self.activations[-1]


def iterations(name: str, stdin: str) -> list[list[int]]:
    """Line and iterations of every loop activation of one run."""
    counting = CountIterations()
    execute(counting.visit(tree(name)), stdin, activation=counting.activation)
    return counting.activations


@each_algorithm
@pytest.mark.parametrize("seed", SEEDS[:2])
def test_program_prints_what_the_reference_says(name: str, seed: int) -> None:
    """Run as a file of its own, the program prints the reference's output, silently and cleanly."""
    for size in (algorithm(name).short, algorithm(name).long):
        stdin = an_input(name, seed, size)
        run = subprocess.run(
            [sys.executable, "-s", "-P", str(PROGRAMS / f"{name}.py")],
            input=stdin, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (run.returncode, run.stderr) == (0, "")
        assert run.stdout == algorithm(name).reference(stdin)


@each_algorithm
@settings(max_examples=12, deadline=None)
@given(size=st.integers(2, 80), seed=st.integers(0, 2**32))
def test_program_agrees_with_the_reference_at_every_size(name: str, size: int, seed: int) -> None:
    """Whatever the size and the seed, program and reference agree."""
    stdin = an_input(name, seed, size)
    assert execute(tree(name), stdin) == algorithm(name).reference(stdin)


@each_algorithm
@pytest.mark.parametrize("size", [2, 3, 300])
def test_inputs_are_legal_at_the_extreme_sizes(name: str, size: int) -> None:
    """The smallest and the largest sizes give inputs that the program answers correctly."""
    stdin = an_input(name, 0, size)
    assert execute(tree(name), stdin) == algorithm(name).reference(stdin)


@each_algorithm
def test_long_input_has_many_times_the_iterations(name: str) -> None:
    """The busiest loop iterates at least 8 times on the long input, and 8 times the short one's."""
    for seed in SEEDS:
        short, long = (
            iterations(name, an_input(name, seed, size))
            for size in (algorithm(name).short, algorithm(name).long)
        )
        busiest, most = max(long, key=lambda activation: activation[1])
        assert 24 <= most <= 150
        assert most >= 8 * max(count for line, count in short if line == busiest)
        all_visits = [Counter[int](), Counter[int]()]
        for visits, run in zip(all_visits, (short, long), strict=True):
            for line, count in run:
                visits[line] += count
        assert all_visits[1][busiest] >= 8 * all_visits[0][busiest]


@each_algorithm
def test_outputs_differ_and_are_short(name: str) -> None:
    """Short and long outputs are different, not blank, and at most 400 characters."""
    for seed in SEEDS:
        short, long = (
            algorithm(name).reference(an_input(name, seed, size))
            for size in (algorithm(name).short, algorithm(name).long)
        )
        assert short != long
        assert short.strip()
        assert max(len(short), len(long)) <= 400


@each_algorithm
def test_seeds_give_different_inputs(name: str) -> None:
    """Every seed gives an input of its own."""
    assert len({an_input(name, seed, algorithm(name).long) for seed in SEEDS}) == len(SEEDS)


def test_inputs_do_not_depend_on_the_hash_seed() -> None:
    """The generators write the same bytes under two hash seeds."""
    script = (
        "import importlib, sys\n"
        "from deskcheck.oracles.identity import Draws\n"
        "for name in sys.argv[1:]:\n"
        "    module = importlib.import_module(f'deskcheck.sources.textbook.{name}')\n"
        "    for size in (2, module.ALGORITHM.short, module.ALGORITHM.long):\n"
        "        print(module.ALGORITHM.generate(Draws(name, size), size))\n"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", script, *NAMES],
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True,
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert outputs[0] == outputs[1]


@each_algorithm
def test_declaration_matches_its_program(name: str) -> None:
    """The declared name is the module's, and the program has 25 to 70 lines and a docstring."""
    assert algorithm(name).name == name
    assert ast.get_docstring(tree(name))
    lines = (PROGRAMS / f"{name}.py").read_text(encoding="utf-8").splitlines()
    assert 25 <= len(lines) <= 70
