"""The two state oracles are independent, and a fault planted in either one is caught.

The first oracle is the text that the instrumentation writes; faults are planted in that text or
in its checkpoint. The second is the code that runs beside the clean program; faults are planted
in a copy of it. Each program is admitted when nothing is planted.
"""

from __future__ import annotations

import ast
import importlib.util
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from deskcheck.builder.admission import judge
from deskcheck.builder.cases import Admitted, Rejected, Verdict
from deskcheck.builder.instrument.python import instrument
from deskcheck.builder.languages import python as python_language
from deskcheck.builder.languages.python import PythonLanguage
from deskcheck.builder.loops import LoopSite
from deskcheck.builder.parameters import Parameters
from deskcheck.builder.syntax import Source
from deskcheck.oracles.checkpoints import Checkpoint, Field, Place
from deskcheck.oracles.observations import Counted, Observed, Watch
from deskcheck.oracles.outcomes import Outcome
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes import python as python_runtime
from deskcheck.oracles.runtimes.python import PythonRuntime, Variation, find_interpreter
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.pools import Candidate, Input, Provenance

# Few repeats: what is planted here does not depend on the hash seed.
PARAMETERS = Parameters(repeats=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A program with two inputs, the line of the loop that is selected, and its fields."""

    source: str
    short: str
    long: str
    line: int
    fields: tuple[str, ...]
    stride: int = 1
    """Visits from one activation to the same iteration of the next."""


MIXING = Case(
    source="""\
n = int(input())
value = 7
for i in range(n):
    value = (value * 31 + i) % 1009
    # end of the body
print(value, i)
""",
    short="3",
    long="40",
    line=3,
    fields=("value", "i"),
)

COLLATZ = Case(
    source="""\
n = int(input())
steps = 0
while n != 1:
    n = 3 * n + 1 if n % 2 else n // 2
    steps += 1
print(steps)
""",
    short="3",
    long="27",
    line=3,
    fields=("n", "steps"),
)

STACK = Case(
    source="""\
class Solution:
    def run(self, n):
        stack = []
        for token in range(n):
            if token % 3 == 2:
                stack.append(stack.pop() * 2 + stack.pop())
                continue
            stack.append(token % 7)
        return stack


print(*Solution().run(int(input())))
""",
    short="6",
    long="30",
    line=4,
    fields=("stack",),
)

PAIRS = Case(
    source="""\
def last_pair(pairs):
    weight = 0
    for left, right in pairs:
        weight = (weight + left * right) % 997
        # end of the body
    return weight, left, right


n = int(input())
print(last_pair([(i * 7 % 11, i * i % 13) for i in range(n)]))
""",
    short="4",
    long="34",
    line=3,
    fields=("weight", "left", "right"),
)

WALRUS = Case(
    source="""\
turns = int(input())
number = 3
seen = 5
while (number := number * 11 % 1009) and turns:
    seen = (seen * number + 3) % 211
    turns -= 1
    # end of the body
print(seen, number)
""",
    short="5",
    long="36",
    line=4,
    fields=("turns", "number", "seen"),
)

ROWS = Case(
    source="""\
n = int(input())
value = 1
for row in range(n):
    for column in range(12):
        value = (value * 3 + row + column) % 1013
print(value)
""",
    short="2",
    long="10",
    line=4,
    fields=("value",),
    stride=12,
)

CALLED_OFTEN = Case(
    source="""\
def digits(number):
    out = []
    while len(out) < 12:
        number = (number * 7 + 1) % 1009
        out.append(number % 10)
    return out


rounds = int(input())
print(sum(sum(digits(each)) for each in range(rounds)))
""",
    short="2",
    long="11",
    line=3,
    fields=("number", "out"),
    stride=12,
)

METHOD_OFTEN = Case(
    source="""\
class Register:
    def __init__(self):
        self.value = 1

    def feed(self, count):
        value = self.value
        for i in range(count):
            value = (value * 5 + i) % 101
            if value == 200:
                break
        self.value = value


register = Register()
turns = int(input())
while turns:
    turns -= 1
    register.feed(15)
print(register.value)
""",
    short="2",
    long="9",
    line=7,
    fields=("value",),
    stride=15,
)

ELSE_OF_FOR = Case(
    source="""\
n = int(input())
value = 2
for i in range(n):
    value = value * 3 % 509
else:
    # the else begins
    value += 1000
print(value)
""",
    short="3",
    long="25",
    line=3,
    fields=("value",),
)

ELSE_OF_WHILE = Case(
    source="""\
def drain(amount):
    taken = []
    while amount > 0:
        amount -= 1 + len(taken) % 2
        taken.append(amount)
    else:
        # the else begins
        taken.append(-1)
    return taken


print(len(drain(int(input()))))
""",
    short="5",
    long="40",
    line=3,
    fields=("amount", "taken"),
)

ELSE_WITH_A_LOOP = Case(
    source="""\
n = int(input())
value = 9
for i in range(n):
    value = (value * 11 + i) % 307
    if value < 0:
        break
else:
    # the else begins
    for j in range(2):
        value += 500
print(value)
""",
    short="4",
    long="30",
    line=3,
    fields=("value",),
)

RECURSION = Case(
    source="""\
def walk(width, depth):
    total = depth
    for i in range(width):
        if depth:
            total += walk(width, depth - 1) % 10 + i
        else:
            total += i * i
    return total


print(walk(int(input()), 1))
""",
    short="2",
    long="12",
    line=3,
    fields=("total",),
)

RECURSIVE_METHOD = Case(
    source="""\
class Tree:
    def __init__(self, width):
        self.width = width

    def paths(self, depth):
        found = [depth]
        child = 0
        while child < self.width:
            if depth < 2:
                found.append(sum(self.paths(depth + 1)) % 50 + child)
            else:
                found.append(child * 3 % 5)
            child += 1
        return found


print(*Tree(int(input())).paths(1))
""",
    short="3",
    long="11",
    line=8,
    fields=("found", "child"),
)

RECURSIVE_CLOSURE = Case(
    source="""\
def count(width):
    calls = 0

    def visit(depth):
        nonlocal calls
        calls += 1
        score = 100 * depth
        for step in range(width):
            score += step if depth else visit(depth + 1) * step % 7
        return score

    return visit(0) + calls


print(count(int(input())))
""",
    short="2",
    long="13",
    line=8,
    fields=("calls", "score"),
)

TWO_GENERATORS = Case(
    source="""\
def stream(value, count):
    for _ in range(count):
        value = value * 5 % 97
        yield value


n = int(input())
value = 1
for one, other in zip(stream(3, n), stream(5, n)):
    value = (value * one + other) % 1009
print(value)
""",
    short="3",
    long="30",
    line=2,
    fields=("value",),
)

PULLED_GENERATORS = Case(
    source="""\
def spread(seed, out):
    turn = 0
    while turn < out:
        turn += 1
        seed = (seed * 7 + turn) % 211
        yield seed


def merge(out):
    seed = 0
    turn = 100
    sources = [spread(10, out), spread(20, out), spread(30, out)]
    for pulled in zip(*sources):
        seed = (seed * 2 + sum(pulled)) % 499
        turn += 3
    return seed + turn


print(merge(int(input())))
""",
    short="2",
    long="20",
    line=3,
    fields=("seed", "turn"),
)

METHOD_GENERATORS = Case(
    source="""\
class Source:
    def __init__(self, level):
        self.level = level

    def __iter__(self):
        level = self.level
        for turn in range(16):
            level = (level * 3 + turn) % 127
            yield level


level = 0
rounds = int(input())
while rounds:
    rounds -= 1
    for one, other in zip(Source(rounds + 1), Source(rounds + 50)):
        level = (level + one * other) % 1009
print(level)
""",
    short="1",
    long="5",
    line=7,
    fields=("level",),
)

NUMBER_SET = Case(
    source="""\
n = int(input())
seen = set()
value = 900
for i in range(n):
    value = value * 37 % 1009
    seen.add(-value)
print(len(seen), sum(seen))
""",
    short="3",
    long="14",
    line=4,
    fields=("seen", "value"),
)

SET_IN_FUNCTION = Case(
    source="""\
def reach(limit):
    seen = {500}
    front = 500
    while len(seen) < limit:
        front = front * 11 % 1009
        seen.add(front)
    return seen


print(sum(reach(int(input()))))
""",
    short="3",
    long="24",
    line=4,
    fields=("seen", "front"),
)

SET_IN_METHOD = Case(
    source="""\
class Walker:
    def __init__(self):
        self.place = 640

    def run(self, turns):
        seen = set()
        for turn in range(turns):
            self.place = self.place * 29 % 2003 + turn
            seen |= {self.place}
        return seen


print(sum(Walker().run(int(input()))))
""",
    short="2",
    long="13",
    line=7,
    fields=("self", "seen"),
)

ANY_LOOP = {"mixing": MIXING, "collatz": COLLATZ, "stack": STACK}
TARGET_READ_LATER = {"mixing": MIXING, "pairs": PAIRS, "walrus": WALRUS}
ENTERED_OFTEN = {"rows": ROWS, "called often": CALLED_OFTEN, "method often": METHOD_OFTEN}
WITH_ELSE = {
    "else of for": ELSE_OF_FOR,
    "else of while": ELSE_OF_WHILE,
    "else with a loop": ELSE_WITH_A_LOOP,
}
RECURSIVE = {
    "recursion": RECURSION,
    "recursive method": RECURSIVE_METHOD,
    "recursive closure": RECURSIVE_CLOSURE,
}
GENERATORS = {
    "two generators": TWO_GENERATORS,
    "pulled generators": PULLED_GENERATORS,
    "method generators": METHOD_GENERATORS,
}
SETS = {
    "number set": NUMBER_SET,
    "set in a function": SET_IN_FUNCTION,
    "set in a method": SET_IN_METHOD,
}
EVERY = ANY_LOOP | TARGET_READ_LATER | ENTERED_OFTEN | WITH_ELSE | RECURSIVE | GENERATORS | SETS


class Remembering(PythonRuntime):
    """Runs each clean measurement once; a planted fault then costs its own runs only."""

    def __init__(self, sandbox: Sandbox) -> None:
        super().__init__(sandbox, find_interpreter(), PARAMETERS.limits())
        self._known: dict[str, Any] = {}

    def _once(self, key: str, run: Callable[[], Any]) -> Any:
        key = f"{python_runtime.AGENT} {key}"
        if key not in self._known:
            self._known[key] = run()
        return self._known[key]

    def run(self, program: Program, stdin: bytes, circumstances: Variation) -> Outcome:
        def now() -> Outcome:
            return super(Remembering, self).run(program, stdin, circumstances)

        found: Outcome = self._once(f"run {program} {stdin!r} {circumstances}", now)
        return found

    def count(
        self, program: Program, stdin: bytes, circumstances: Variation, limit: int | None = None
    ) -> Counted:
        def now() -> Counted:
            return super(Remembering, self).count(program, stdin, circumstances, limit)

        found: Counted = self._once(f"count {program} {stdin!r} {circumstances} {limit}", now)
        return found

    def observe(
        self, program: Program, stdin: bytes, circumstances: Variation, watch: Watch
    ) -> Observed:
        def now() -> Observed:
            return super(Remembering, self).observe(program, stdin, circumstances, watch)

        found: Observed = self._once(f"observe {program} {stdin!r} {circumstances} {watch}", now)
        return found


@pytest.fixture(scope="module")
def runtime() -> Iterator[PythonRuntime]:
    """One sandbox for the module, its clean runs remembered."""
    with Sandbox() as sandbox:
        yield Remembering(sandbox)


def verdict_on(case: Case, runtime: PythonRuntime) -> Verdict:
    candidate = Candidate(
        id="planted/program",
        pool="planted",
        study="planted-python",
        program=Program(language="python", source=case.source.encode()),
        provenance=Provenance(licence="Apache-2.0", author="the tests", origin="program"),
        inputs=(
            Input(name="short", data=case.short.encode()),
            Input(name="long", data=case.long.encode()),
        ),
    )
    return judge(candidate, {"python": PythonLanguage(runtime)}, PARAMETERS)


Fault = Callable[[Case, Checkpoint, bytes, Callable[[Checkpoint], bytes]], bytes]
"""From the checkpoint, the sound text and a way to write another checkpoint: the faulty text."""


def plant(monkeypatch: pytest.MonkeyPatch, case: Case, place: Place, fault: Fault) -> None:
    """Let admission see the faulty text wherever it arms a checkpoint at `place`."""

    def faulty(
        source: Source,
        loop: LoopSite,
        checkpoint: Checkpoint,
        fields: Sequence[Field],
        used: frozenset[str],
    ) -> bytes:
        def rewrite(moved: Checkpoint) -> bytes:
            return instrument(source, loop, moved, fields, used)

        sound = rewrite(checkpoint)
        if checkpoint.place != place:
            return sound
        text = fault(case, checkpoint, sound, rewrite)
        assert text != sound, "nothing was planted"
        return text

    monkeypatch.setattr(python_language, "instrument", faulty)


def caught(verdict: Verdict, check: str, reason: str) -> None:
    assert isinstance(verdict, Rejected), "the planted fault went through"
    found = [(finding.check, finding.reason) for finding in verdict.findings]
    assert found == [(check, reason)], verdict.findings


def later(by: int) -> Fault:
    """The checkpoint some visits off."""

    def fault(
        _case: Case, checkpoint: Checkpoint, _sound: bytes, rewrite: Callable[[Checkpoint], bytes]
    ) -> bytes:
        return rewrite(replace(checkpoint, visit=checkpoint.visit + by))

    return fault


def next_activation(
    case: Case, checkpoint: Checkpoint, _sound: bytes, rewrite: Callable[[Checkpoint], bytes]
) -> bytes:
    """The same iteration of the next activation, or its end."""
    by = case.stride if checkpoint.place == "inside" else 1
    return rewrite(replace(checkpoint, visit=checkpoint.visit + by))


def moved_to(comment: str, visits: int = 0) -> Fault:
    """The two lines of the checkpoint at a comment of the program instead."""

    def fault(
        _case: Case, checkpoint: Checkpoint, sound: bytes, _rewrite: Callable[[Checkpoint], bytes]
    ) -> bytes:
        lines = sound.decode().splitlines()
        at = next(i for i, line in enumerate(lines) if line.lstrip().startswith("if next("))
        test, stop = lines.pop(at).strip(), lines.pop(at).strip()
        test = test.replace(f"== {checkpoint.visit}:", f"== {checkpoint.visit + visits}:")
        here = next(i for i, line in enumerate(lines) if line.strip() == comment)
        indent = lines[here][: -len(comment)]
        lines[here : here + 1] = [f"{indent}{test}", f"{indent}    {stop}"]
        return "\n".join(lines).encode() + b"\n"

    return fault


def expression(old: str, new: str) -> Fault:
    """One field shown by another expression."""

    def fault(
        _case: Case, _checkpoint: Checkpoint, sound: bytes, _rewrite: Callable[[Checkpoint], bytes]
    ) -> bytes:
        return sound.replace(old.encode(), new.encode())

    return fault


def each(cases: dict[str, Case]) -> pytest.MarkDecorator:
    # The quick suite has the first program of each kind, the whole has them all.
    return pytest.mark.parametrize(
        "case",
        [
            pytest.param(case, id=name, marks=[pytest.mark.slow] if place else [])
            for place, (name, case) in enumerate(cases.items())
        ],
    )


@pytest.mark.slow
@each(EVERY)
def test_each_program_is_admitted_when_nothing_is_planted(
    case: Case, runtime: PythonRuntime
) -> None:
    """What is rejected below is sound as it stands, at the loop and with the fields meant."""
    verdict = verdict_on(case, runtime)
    assert isinstance(verdict, Admitted), verdict.findings
    assert verdict.case.loop_line == case.line
    assert tuple(field.name for field in verdict.case.fields) == case.fields


@pytest.mark.parametrize("by", [1, -1])
@each(ANY_LOOP | ENTERED_OFTEN)
def test_the_iteration_before_or_after_is_caught(
    case: Case, by: int, runtime: PythonRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A checkpoint at k + 1 or k - 1 prints another state than the clean program has at k."""
    plant(monkeypatch, case, "inside", later(by))
    caught(verdict_on(case, runtime), "two_oracles", "states_differ")


@each(TARGET_READ_LATER)
def test_a_checkpoint_before_the_target_is_bound_is_caught(
    case: Case, runtime: PythonRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the end of iteration k - 1 all is as at k, but the target is still the old one."""
    plant(monkeypatch, case, "inside", moved_to("# end of the body", visits=-1))
    caught(verdict_on(case, runtime), "two_oracles", "states_differ")


@pytest.mark.parametrize("place", ["inside", "post"])
@each(ENTERED_OFTEN)
def test_another_activation_of_the_loop_is_caught(
    case: Case, place: Place, runtime: PythonRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same iteration, or the end, of the loop's next activation is not the one declared."""
    plant(monkeypatch, case, place, next_activation)
    caught(verdict_on(case, runtime), "two_oracles", "states_differ")


@each(WITH_ELSE)
def test_a_skipped_else_is_caught(
    case: Case, runtime: PythonRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of a loop comes after its `else`."""
    plant(monkeypatch, case, "post", moved_to("# the else begins"))
    caught(verdict_on(case, runtime), "two_oracles", "states_differ")


@each(RECURSIVE)
def test_a_recursive_callees_frame_is_caught(
    case: Case, runtime: PythonRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The visit right after iteration k has begun is the callee's, with locals of its own."""
    plant(monkeypatch, case, "inside", later(1))
    caught(verdict_on(case, runtime), "two_oracles", "states_differ")


@each(RECURSIVE)
def test_the_end_of_a_recursive_callees_loop_is_caught(
    case: Case, runtime: PythonRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end before the caller's own is that of the last callee."""
    plant(monkeypatch, case, "post", later(-1))
    caught(verdict_on(case, runtime), "two_oracles", "states_differ")


@each(GENERATORS)
def test_another_instance_of_a_generator_is_caught(
    case: Case, runtime: PythonRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Instances take turns: the next visit is another instance's."""
    plant(monkeypatch, case, "inside", later(1))
    caught(verdict_on(case, runtime), "two_oracles", "states_differ")


@each(SETS)
def test_a_set_in_its_own_order_is_caught(
    case: Case, runtime: PythonRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order in which a set is iterated is not the one that was declared."""
    plant(monkeypatch, case, "inside", expression("=sorted(seen)", "=list(seen)"))
    caught(verdict_on(case, runtime), "two_oracles", "states_differ")


@pytest.mark.parametrize("place", ["inside", "post"])
@each(SETS)
def test_a_field_shown_by_another_value_is_caught(
    case: Case, place: Place, runtime: PythonRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A field that is wrong in one element is found, and the finding says where."""
    plant(monkeypatch, case, place, expression("=sorted(seen)", "=sorted(seen)[:-1] + [0]"))
    verdict = verdict_on(case, runtime)
    caught(verdict, "two_oracles", "states_differ")
    assert isinstance(verdict, Rejected)
    assert f"{place} state, at $.seen[" in verdict.findings[0].detail


@each(ANY_LOOP)
def test_an_end_that_never_comes_is_caught(
    case: Case, runtime: PythonRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A post visit past the last leaves the program to print what it always prints."""
    plant(monkeypatch, case, "post", later(1))
    caught(verdict_on(case, runtime), "reachability", "checkpoint_not_reached")


@each(ANY_LOOP)
def test_both_states_from_one_place_are_caught(
    case: Case, runtime: PythonRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A post arm that stops inside the loop does not print the state of its end."""

    def inside_again(
        _case: Case, checkpoint: Checkpoint, _sound: bytes, rewrite: Callable[[Checkpoint], bytes]
    ) -> bytes:
        return rewrite(replace(checkpoint, place="inside"))

    plant(monkeypatch, case, "post", inside_again)
    caught(verdict_on(case, runtime), "two_oracles", "states_differ")


Patch = tuple[str, str]

ONE_ITERATION_LATE: tuple[Patch, ...] = (
    (
        'iteration = activation.iterations if place == "inside" else 0',
        'iteration = activation.iterations - 1 if place == "inside" else 0',
    ),
    ('"iteration": activation.iterations,', '"iteration": activation.iterations - 1,'),
    ('"visit": visit,', '"visit": visit - (place == "inside"),'),
)

CALLERS_FRAME: tuple[Patch, ...] = (
    (
        "values = _variables(frame, self._names.get(loop, ()))",
        "values = _variables(frame.f_back or frame, self._names.get(loop, ()))",
    ),
)

NEXT_VISITS_NUMBER: tuple[Patch, ...] = (('"visit": visit,', '"visit": visit + 1,'),)


def break_second_oracle(
    monkeypatch: pytest.MonkeyPatch, folder: Path, changes: Sequence[Patch]
) -> None:
    """Put a patched copy of the observing code in the place of the real one."""
    copy = folder / "inside"
    shutil.copytree(python_runtime.AGENT.parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    path = copy / "observing.py"
    text = path.read_text("utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path.write_text(text, "utf-8")
    monkeypatch.setattr(python_runtime, "AGENT", copy / "agent.py")


@each(ANY_LOOP | ENTERED_OFTEN)
def test_a_second_oracle_that_is_one_iteration_late_is_caught(
    case: Case, runtime: PythonRuntime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What the observer reads at k + 1 and calls k is not what the shown source prints."""
    break_second_oracle(monkeypatch, tmp_path, ONE_ITERATION_LATE)
    caught(verdict_on(case, runtime), "two_oracles", "states_differ")


@each(GENERATORS)
def test_a_second_oracle_that_reads_the_callers_frame_is_caught(
    case: Case, runtime: PythonRuntime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Variables of the same names in the frame that called are others."""
    break_second_oracle(monkeypatch, tmp_path, CALLERS_FRAME)
    caught(verdict_on(case, runtime), "two_oracles", "states_differ")


@each(ENTERED_OFTEN)
def test_a_second_oracle_that_numbers_visits_wrongly_is_caught(
    case: Case, runtime: PythonRuntime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The right state under the next visit's number puts the checkpoint somewhere else."""
    break_second_oracle(monkeypatch, tmp_path, NEXT_VISITS_NUMBER)
    caught(verdict_on(case, runtime), "two_oracles", "states_differ")


def imported(module: str, seen: frozenset[str] = frozenset()) -> frozenset[str]:
    """Modules of ours that a module loads, itself included, directly or through others."""
    if module in seen:
        return seen
    seen |= {module}
    spec = importlib.util.find_spec(module)
    assert spec is not None and spec.origin is not None
    for node in ast.walk(ast.parse(Path(spec.origin).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.module is not None and node.level == 0
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            if name.startswith("deskcheck.") and _is_module(name):
                seen = imported(name, seen)
    return seen


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


FIRST_ORACLE = "deskcheck.builder.instrument.python"
PACKAGES = {"deskcheck.builder", "deskcheck.oracles"}
"""Nothing but a docstring is in these two."""


TYPES_ONLY = "TYPE_CHECKING"
"""False where the program runs."""


def test_what_runs_beside_the_program_imports_nothing_of_ours() -> None:
    """The observer is loaded by path; its modules know no package of ours."""
    folder = python_runtime.AGENT.parent
    for path in folder.glob("*.py"):
        module = ast.parse(path.read_text("utf-8"))
        executed = [
            node
            for statement in module.body
            if not (isinstance(statement, ast.If) and ast.unparse(statement.test) == TYPES_ONLY)
            for node in ast.walk(statement)
        ]
        imported = [node for node in executed if isinstance(node, ast.Import | ast.ImportFrom)]
        assert "deskcheck" not in " ".join(map(ast.unparse, imported))
    assert {path.stem for path in folder.glob("*.py")} >= {"agent", "markers", "observing"}


def test_the_two_oracles_share_no_code() -> None:
    """What each of them loads meets in the plain record that says where to stop, and nowhere."""
    first = imported(FIRST_ORACLE)
    second = imported("deskcheck.oracles.runtimes.python")
    assert not any(name.startswith("deskcheck.builder") for name in second)
    assert not any(name.startswith("deskcheck.oracles.inside") for name in first)
    assert (first & second) - PACKAGES == {"deskcheck.oracles.checkpoints"}
