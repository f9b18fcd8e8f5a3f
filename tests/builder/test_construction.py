"""A case is planned by declared rules: which loop, which activation, which iteration and inputs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from deskcheck.builder.admission import judge
from deskcheck.builder.cases import Admitted, Rejected, Verdict
from deskcheck.builder.languages.python import PythonLanguage
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.python import PythonRuntime, find_interpreter
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.pools import Candidate, Input, Provenance


@pytest.fixture(scope="module")
def runtime() -> Iterator[PythonRuntime]:
    with Sandbox() as sandbox:
        yield PythonRuntime(sandbox, find_interpreter(), Parameters().limits())


def verdict_on(
    runtime: PythonRuntime, source: str, *inputs: str, seed: int = 0, name: str = "program"
) -> Verdict:
    candidate = Candidate(
        id=f"rules/{name}",
        pool="rules",
        study="rules-python",
        program=Program(language="python", source=source.encode()),
        provenance=Provenance(licence="Apache-2.0", author="the tests", origin=name),
        inputs=tuple(Input(name=f"input {i}", data=data.encode()) for i, data in enumerate(inputs)),
    )
    return judge(candidate, {"python": PythonLanguage(runtime)}, Parameters(seed=seed, repeats=1))


def admitted(verdict: Verdict) -> Admitted:
    assert isinstance(verdict, Admitted), verdict.findings
    return verdict


def reasons(verdict: Verdict) -> list[tuple[int | None, str]]:
    findings = verdict.findings if isinstance(verdict, Rejected) else verdict.passed_over
    return [(finding.loop_line, finding.reason) for finding in findings]


MIX = "    value = (value * 31 + i) % 1009\n"


@pytest.mark.slow
def test_the_loop_with_most_iterations_in_one_activation_is_chosen(
    runtime: PythonRuntime,
) -> None:
    """Not the one with most visits over all, and of equals the first in the source."""
    source = f"""\
n = int(input())
value = 3
for i in range(n):
{MIX}for turn in range(9):
    for i in range(n):
    {MIX}for i in range(n):
{MIX}for i in range(n + 1):
{MIX}print(value)
"""
    case = admitted(verdict_on(runtime, source, "4", "30")).case
    assert (case.loop_line, case.iterations) == (10, 31)
    again = admitted(verdict_on(runtime, source.replace("n + 1", "n"), "4", "30")).case
    assert (again.loop_line, again.iterations) == (3, 30)


@pytest.mark.slow
def test_the_iteration_is_drawn_from_the_middle_half(runtime: PythonRuntime) -> None:
    """Between n/4 and 3n/4, the same for one seed whatever the program is called."""
    source = f"value = 3\nfor i in range(int(input())):\n{MIX}print(value)\n"
    drawn = {}
    for seed in range(3):
        case = admitted(verdict_on(runtime, source, "4", "100", seed=seed)).case
        assert 25 <= case.iteration <= 75
        assert case.inside_visit == case.iteration
        drawn[seed] = case.iteration
    assert len(set(drawn.values())) > 1
    again = admitted(verdict_on(runtime, source, "4", "100", seed=2, name="other")).case
    assert again.iteration == drawn[2]


def test_the_long_input_has_most_iterations_and_the_short_one_fewest(
    runtime: PythonRuntime,
) -> None:
    """Whatever order the inputs come in, and not by their length."""
    source = f"value = 3\nfor i in range(int(input())):\n{MIX}print(value)\n"
    case = admitted(verdict_on(runtime, source, "20", "  00000005", "100", "30")).case
    assert (case.short_input, case.long_input) == ("input 1", "input 2")
    assert (case.short_iterations, case.long_iterations) == (5, 100)


def test_a_short_input_prints_something_else(runtime: PythonRuntime) -> None:
    """An input with the long one's output is passed over for the next."""
    source = f"""\
n = int(input())
value = 3
for i in range(n):
{MIX}print(n > 5)
"""
    same = verdict_on(runtime, source, "7", "100", "8")
    assert reasons(same) == [(3, "no_short_input")]
    case = admitted(verdict_on(runtime, source, "7", "100", "4")).case
    assert case.short_input == "input 2"


def test_the_ratio_is_of_the_chosen_loop(runtime: PythonRuntime) -> None:
    """Four times the iterations pass, and fewer do not."""
    source = f"value = 3\nfor i in range(int(input())):\n{MIX}print(value)\n"
    assert admitted(verdict_on(runtime, source, "10", "40")).case.long_iterations == 40
    assert reasons(verdict_on(runtime, source, "10", "39")) == [(2, "no_short_input")]


RULED_OUT = {
    "too few": ("for i in range(7):\n    n += i * n\n", "too_few_iterations"),
    "reads": ("for i in range(n): n += len(input())\n", "reads_stdin"),
    "a set": ("for i in {x * 7 % 101 for x in range(n)}: n = n * 3 % 1009 + i\n", "iterates_set"),
    "a set by name": (
        "s = {x * 7 % 101 for x in range(n)}\nfor i in s: n = n * 3 % 1009 + i\n",
        "iterates_set",
    ),
    "left by return": (
        "def f(n):\n    for i in range(n):\n        n = n * 3 % 1009\n"
        "        if i > 8: return n\nn = f(n) or 1\n",
        "left_abnormally",
    ),
    "counters": ("m = 0\nfor i in range(n): m += 2\nn = m + i\n", "only_counters"),
    "standing still": ("for i in range(n): n += i // 1000\n", "nothing_changes"),
    "too long": (
        "kept = [10 ** 500]\nfor i in range(n): kept[0] = kept[0] * 3 + i\nn = kept[0] % 11\n",
        "state_too_long",
    ),
}


@pytest.mark.parametrize("name", RULED_OUT)
def test_a_loop_that_is_ruled_out_gives_its_reason(name: str, runtime: PythonRuntime) -> None:
    """One finding for the one loop, with its line."""
    loop, reason = RULED_OUT[name]
    source = f"n = int(input())\n{loop}print(n)\n"
    lines = "".join(f"{'x' * (i % 5)}\n" for i in range(60))
    verdict = verdict_on(runtime, source, f"9\n{lines}", f"50\n{lines}")
    assert isinstance(verdict, Rejected), verdict.case
    line = next(i for i, text in enumerate(source.splitlines(), 1) if text.lstrip()[:4] == "for ")
    assert reasons(verdict) == [(line, reason)]


@pytest.mark.parametrize("iterable", ["box.items", "box.table[0]"], ids=["attribute", "element"])
def test_a_set_that_is_reached_otherwise_is_found_out(
    iterable: str, runtime: PythonRuntime
) -> None:
    """The order of a set is nobody's to foresee, however the loop came by it."""
    source = f"""\
n = int(input())
def made(n): return {{x * 7 % 101 for x in range(n)}}
class Box: pass
box = Box()
box.items, box.table = made(n), [made(n)]
total = 1
for v in {iterable}:
    total = (total * 3 + v) % 1009
print(total)
"""
    assert (7, "iterates_set") in reasons(verdict_on(runtime, source, "3", "40"))


def test_a_loop_before_which_nothing_is_printed_is_preferred(runtime: PythonRuntime) -> None:
    """A smaller loop is taken where the largest would show output before its state."""
    source = f"""\
n = int(input())
value = 3
for i in range(n):
{MIX}print("half way")
for i in range(n * 2):
{MIX}print(value)
"""
    verdict = admitted(verdict_on(runtime, source, "4", "30"))
    assert verdict.case.loop_line == 3
    assert not verdict.case.printed_before
    assert (6, "prints_before") in reasons(verdict)
    alone = source.replace("range(n):", "range(2):")
    verdict = admitted(verdict_on(runtime, alone, "4", "30"))
    assert verdict.case.loop_line == 6
    assert verdict.case.printed_before


def test_both_checkpoints_are_in_one_activation(runtime: PythonRuntime) -> None:
    """The post visit is that of the activation whose iteration was drawn."""
    source = f"""\
def work(n, value):
    for i in range(n):
    {MIX}    return value
n = int(input())
print(work(3, 1) + work(n, 2) + work(5, 3))
"""
    case = admitted(verdict_on(runtime, source, "1", "60")).case
    assert case.iterations == 60
    assert case.inside_visit == 3 + case.iteration
    assert case.post_visit == 2
