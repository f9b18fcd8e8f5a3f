"""The two state oracles of C++ are independent, and a fault planted in either one is caught.

The first oracle is the text that the instrumentation writes; faults are planted in that text or
in its checkpoint. The second is the header that is compiled around the flat text of the program;
faults are planted in a copy of it. Each program is admitted when nothing is planted.
"""

from __future__ import annotations

import ast
import importlib.util
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from deskcheck.builder.admission import judge
from deskcheck.builder.cases import Admitted, Rejected, Verdict
from deskcheck.builder.cpp.loops import CppLoop
from deskcheck.builder.cpp.parsing import CppSource
from deskcheck.builder.instrument.cpp import instrument
from deskcheck.builder.languages import Instrumented, Languages
from deskcheck.builder.languages import cpp as cpp_language
from deskcheck.builder.languages.tools import compiler_for
from deskcheck.builder.languages.tools import languages as languages_here
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.checkpoints import Checkpoint, Field, Place
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.cpp import observer
from deskcheck.oracles.runtimes.python import find_interpreter
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.pools import Candidate, Input, Provenance

pytestmark = [
    pytest.mark.skipif(
        shutil.which("clang++") is None,
        reason="C++ is measured with clang++, which is not installed",
    ),
    pytest.mark.slow,
]

# Few repeats: what is planted here depends on nothing that they vary.
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
#include <iostream>

int main() {
    int n, i, value = 7;
    std::cin >> n;
    for (i = 0; i < n; i++) {
        value = (value * 31 + i) % 1009;
        // end of the body
    }
    std::cout << value << ' ' << i << std::endl;
}
""",
    short="3",
    long="40",
    line=6,
    fields=("i", "value"),
)

STACK = Case(
    source="""\
#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<int> stack;
    for (int token = 0; token < n; token++) {
        if (token % 3 == 2) {
            int top = stack.back();
            stack.pop_back();
            stack.back() = (top * 2 + stack.back()) % 100;
            continue;
        }
        stack.push_back(token % 7 + 1);
    }
    cout << stack.size() << ' ' << stack.back() << endl;
}
""",
    short="6",
    long="30",
    line=9,
    fields=("stack",),
)

DIGITS = Case(
    source="""\
#include <cstdio>

int main() {
    unsigned long long number, mirrored = 0;
    scanf("%llu", &number);
    do {
        mirrored = mirrored * 3 + number % 3;
        number /= 3;
        // end of the body
    } while (number != 0);
    printf("%llu\\n", mirrored);
}
""",
    short="7",
    long="98765432109876",
    line=6,
    fields=("number", "mirrored"),
)

COMPLEX_TEST = Case(
    source="""\
#include <iostream>

int turns, seen = 5;

int main() {
    std::cin >> turns;
    int number = 3;
    while ((number = number * 11 % 1009) != 0 && turns-- > 0) {
        seen = (seen * number + 3) % 211;
        // end of the body
    }
    std::cout << seen << ' ' << number << std::endl;
}
""",
    short="5",
    long="36",
    line=8,
    fields=("turns", "seen", "number"),
)

TWO_STEPS = Case(
    source="""\
#include <iostream>
#include <string>

int main() {
    std::string word;
    std::cin >> word;
    int same = 0, i, j;
    for (i = 0, j = (int)word.size() - 1; i < j; ++i, --j) {
        std::swap(word[i], word[j]);
        same += word[i] == word[j];
        // end of the body
    }
    std::cout << word << ' ' << same << ' ' << i - j << std::endl;
}
""",
    short="abc",
    long="abcdefghijklmzlzjzhzfzdzbz",
    line=8,
    fields=("word", "same", "i", "j"),
)

ROWS = Case(
    source="""\
#include <iostream>
#define rep(i, n) for (int i = 0; i < (n); ++i)

int main() {
    int n, value = 1;
    std::cin >> n;
    rep(row, n) rep(column, 12) value = (value * 3 + row + column) % 1013;
    std::cout << value << std::endl;
}
""",
    short="2",
    long="10",
    line=7,
    fields=("value",),
    stride=12,
)

PAIRS = Case(
    source="""\
#include <iostream>
#include <utility>
#include <vector>
using namespace std;

int weight = 0;

void weigh(const vector<pair<int, int>>& pairs) {
    for (const auto& [left, right] : pairs) {
        weight = (weight * 5 + left * right + 1) % 997;
    }
}

int main() {
    int n;
    cin >> n;
    vector<pair<int, int>> pairs;
    pairs.resize(17, {3, 4});
    pairs[5] = {1, 9};
    while (n-- > 0) weigh(pairs);
    cout << weight << endl;
}
""",
    short="1",
    long="7",
    line=9,
    fields=("weight",),
    stride=17,
)

METHOD_OFTEN = Case(
    source="""\
#include <iostream>

class Register {
    int value = 1, fed = 0;

public:
    void feed(int count) {
        for (int i = 0; i < count; i++) {
            value = (value * 5 + i) % 101;
            if (value == 200) break;
        }
        fed += count;
    }
    int read() const { return value * 1000 + fed; }
};

int main() {
    int turns;
    std::cin >> turns;
    Register cells;
    do cells.feed(15); while (--turns);
    std::cout << cells.read() << std::endl;
}
""",
    short="2",
    long="9",
    line=8,
    fields=("value",),
    stride=15,
)

RECURSION = Case(
    source="""\
#include <iostream>

int walk(int width, int depth) {
    int total = depth;
    for (int i = 0; i < width; i++) {
        if (depth)
            total += walk(width, depth - 1) % 10 + i;
        else
            total += i * i;
    }
    return total;
}

int main() {
    int width;
    std::cin >> width;
    std::cout << walk(width, 1) << std::endl;
}
""",
    short="2",
    long="12",
    line=5,
    fields=("total",),
)

RECURSIVE_METHOD = Case(
    source="""\
#include <iostream>
#include <numeric>
#include <vector>

struct Tree {
    int width;
    std::vector<int> paths(int depth) const {
        std::vector<int> found{depth};
        int child = 0;
        while (child < width) {
            if (depth < 2) {
                auto below = paths(depth + 1);
                found.push_back(std::accumulate(below.begin(), below.end(), child) % 50);
            } else {
                found.push_back(child * 3 % 5);
            }
            child++;
        }
        return found;
    }
};

int main() {
    int width;
    std::cin >> width;
    auto paths = Tree{width}.paths(1);
    std::cout << paths.size() << ' ' << paths.back() << std::endl;
}
""",
    short="3",
    long="11",
    line=10,
    fields=("found", "child"),
)

RECURSIVE_LAMBDA = Case(
    source="""\
#include <functional>
#include <iostream>

int main() {
    int width, calls = 0;
    std::cin >> width;
    std::function<int(int)> visit = [&](int depth) {
        calls++;
        int score = 100 * depth;
        for (int step = 0; step < width; step++)
            score += depth ? step : visit(depth + 1) * step % 7;
        return score;
    };
    int score = visit(0);
    std::cout << score + calls << std::endl;
}
""",
    short="2",
    long="13",
    line=10,
    fields=("calls", "score"),
)

ANY_LOOP = {"mixing": MIXING, "stack": STACK, "digits": DIGITS}
HEADER_STEPS = {"mixing": MIXING, "complex test": COMPLEX_TEST, "two steps": TWO_STEPS}
ENTERED_OFTEN = {"rows": ROWS, "pairs": PAIRS, "method often": METHOD_OFTEN}
RECURSIVE = {
    "recursion": RECURSION,
    "recursive method": RECURSIVE_METHOD,
    "recursive lambda": RECURSIVE_LAMBDA,
}
EVERY = ANY_LOOP | HEADER_STEPS | ENTERED_OFTEN | RECURSIVE


@pytest.fixture(scope="module")
def languages() -> Iterator[Languages]:
    with Sandbox() as sandbox:
        limits = PARAMETERS.limits()
        yield languages_here(sandbox, limits, find_interpreter(), compiler_for({"cpp"}))


def verdict_on(case: Case, languages: Languages) -> Verdict:
    candidate = Candidate(
        id="planted/program",
        pool="planted",
        study="planted-cpp",
        program=Program(language="cpp", source=case.source.encode()),
        provenance=Provenance(licence="Apache-2.0", author="the tests", origin="program"),
        inputs=(
            Input(name="short", data=case.short.encode()),
            Input(name="long", data=case.long.encode()),
        ),
    )
    return judge(candidate, languages, PARAMETERS)


Fault = Callable[[Case, Checkpoint, bytes, Callable[[Checkpoint], bytes]], bytes]
"""From the checkpoint, the sound text and a way to write another checkpoint: the faulty text."""


def plant(monkeypatch: pytest.MonkeyPatch, case: Case, place: Place, fault: Fault) -> None:
    """Let admission see the faulty text wherever it arms a checkpoint at `place`."""

    def faulty(
        source: CppSource,
        loop: CppLoop,
        checkpoint: Checkpoint,
        fields: Sequence[Field],
        used: frozenset[str],
    ) -> Instrumented:
        def rewrite(moved: Checkpoint) -> bytes:
            return instrument(source, loop, moved, fields, used).source

        sound = instrument(source, loop, checkpoint, fields, used)
        if checkpoint.place != place:
            return sound
        text = fault(case, checkpoint, sound.source, rewrite)
        assert text != sound.source, "nothing was planted"
        return replace(sound, source=text)

    monkeypatch.setattr(cpp_language, "instrument", faulty)


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
    """The line of the checkpoint at a comment of the program instead."""

    def fault(
        _case: Case, checkpoint: Checkpoint, sound: bytes, _rewrite: Callable[[Checkpoint], bytes]
    ) -> bytes:
        lines = sound.decode().splitlines()
        at = next(i for i, line in enumerate(lines) if line.lstrip().startswith("if (++"))
        stop = lines.pop(at).strip()
        stop = stop.replace(f"== {checkpoint.visit})", f"== {checkpoint.visit + visits})")
        here = next(i for i, line in enumerate(lines) if line.strip() == comment)
        lines[here] = lines[here][: -len(comment)] + stop
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
    return pytest.mark.parametrize("case", [pytest.param(case, id=n) for n, case in cases.items()])


@each(EVERY)
def test_each_program_is_admitted_when_nothing_is_planted(case: Case, languages: Languages) -> None:
    """What is rejected below is sound as it stands, at the loop and with the fields meant."""
    verdict = verdict_on(case, languages)
    assert isinstance(verdict, Admitted), verdict.findings
    assert verdict.case.loop_line == case.line
    assert tuple(field.name for field in verdict.case.fields) == case.fields


@pytest.mark.parametrize("by", [1, -1])
@each(ANY_LOOP | ENTERED_OFTEN)
def test_the_iteration_before_or_after_is_caught(
    case: Case, by: int, languages: Languages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A checkpoint at k + 1 or k - 1 prints another state than the clean program has at k."""
    plant(monkeypatch, case, "inside", later(by))
    caught(verdict_on(case, languages), "two_oracles", "states_differ")


@each(HEADER_STEPS)
def test_a_checkpoint_before_the_head_has_stepped_is_caught(
    case: Case, languages: Languages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the end of iteration k - 1 all is as at k, but for what the loop's head then changes."""
    plant(monkeypatch, case, "inside", moved_to("// end of the body", visits=-1))
    caught(verdict_on(case, languages), "two_oracles", "states_differ")


@pytest.mark.parametrize("place", ["inside", "post"])
@each(ENTERED_OFTEN)
def test_another_activation_of_the_loop_is_caught(
    case: Case, place: Place, languages: Languages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same iteration, or the end, of the loop's next activation is not the one declared."""
    plant(monkeypatch, case, place, next_activation)
    caught(verdict_on(case, languages), "two_oracles", "states_differ")


@each(RECURSIVE)
def test_a_recursive_callees_frame_is_caught(
    case: Case, languages: Languages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The visit right after iteration k has begun is the callee's, with locals of its own."""
    plant(monkeypatch, case, "inside", later(1))
    caught(verdict_on(case, languages), "two_oracles", "states_differ")


@each(RECURSIVE)
def test_the_end_of_a_recursive_callees_loop_is_caught(
    case: Case, languages: Languages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end before the caller's own is that of the last callee."""
    plant(monkeypatch, case, "post", later(-1))
    caught(verdict_on(case, languages), "two_oracles", "states_differ")


@pytest.mark.parametrize("place", ["inside", "post"])
@pytest.mark.parametrize(
    ("case", "old", "new"),
    [
        pytest.param(MIXING, '"value", value', '"value", value + 1', id="another value"),
        pytest.param(MIXING, '"value", value', '"value", n', id="another variable"),
        pytest.param(
            DIGITS, '"mirrored", mirrored', '"mirrored", (unsigned char)mirrored', id="narrowed"
        ),
    ],
)
def test_a_field_shown_by_another_value_is_caught(
    case: Case,
    old: str,
    new: str,
    place: Place,
    languages: Languages,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A field that is wrong is found, and the finding says which."""
    plant(monkeypatch, case, place, expression(old, new))
    verdict = verdict_on(case, languages)
    caught(verdict, "two_oracles", "states_differ")
    assert isinstance(verdict, Rejected)
    assert f"{place} state, at $.{old.split('"')[1]}" in verdict.findings[0].detail


@each(ANY_LOOP)
def test_an_end_that_never_comes_is_caught(
    case: Case, languages: Languages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A post visit past the last leaves the program to print what it always prints."""
    plant(monkeypatch, case, "post", later(1))
    caught(verdict_on(case, languages), "reachability", "checkpoint_not_reached")


@each(ANY_LOOP)
def test_both_states_from_one_place_are_caught(
    case: Case, languages: Languages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A post arm that stops inside the loop does not print the state of its end."""

    def inside_again(
        _case: Case, checkpoint: Checkpoint, _sound: bytes, rewrite: Callable[[Checkpoint], bytes]
    ) -> bytes:
        return rewrite(replace(checkpoint, place="inside"))

    plant(monkeypatch, case, "post", inside_again)
    caught(verdict_on(case, languages), "two_oracles", "states_differ")


@each(ANY_LOOP)
def test_a_text_that_does_not_compile_is_caught(
    case: Case, languages: Languages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the compiler says of the shown text ends up in the finding."""

    def torn(
        _case: Case, _checkpoint: Checkpoint, sound: bytes, _rewrite: Callable[[Checkpoint], bytes]
    ) -> bytes:
        return sound.replace(b"if (++", b"if ((++", 1)

    plant(monkeypatch, case, "inside", torn)
    caught(verdict_on(case, languages), "source", "parser_limit")


Patch = tuple[str, str]

ONE_ITERATION_LATE: tuple[Patch, ...] = (
    (
        "const size iteration = where == inside ? iterations : 0;",
        "const size iteration = where == inside ? iterations - 1 : 0;",
    ),
    ("out.number(visit);", "out.number(visit - (where == inside));"),
    (
        'out.put(", \\"iteration\\": ");\n        out.number(iterations);',
        'out.put(", \\"iteration\\": ");\n        out.number(iterations - (where == inside));',
    ),
)

NEXT_VISITS_NUMBER: tuple[Patch, ...] = (("out.number(visit);", "out.number(visit + 1);"),)

LARGE_NUMBERS_WRAP: tuple[Patch, ...] = (
    (
        "out.number(static_cast<wide>(value));\n        } else if constexpr (is_floating",
        "out.number(static_cast<wide>((short)value));\n        } else if constexpr (is_floating",
    ),
)

LAST_ELEMENT_MISSING: tuple[Patch, ...] = (
    (
        "for (const auto &element : value) {\n            if (spent()) return;",
        "for (const auto &element : value) {\n            if (&element == &value.back()) break;",
    ),
)


def break_second_oracle(monkeypatch: pytest.MonkeyPatch, changes: Sequence[Patch]) -> None:
    """Compile programs around a patched copy of the observer's header."""
    sound = observer._part

    def patched(name: str) -> bytes:
        text = sound(name).decode()
        for old, new in changes if name == "observer.h" else ():
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        return text.encode()

    monkeypatch.setattr(observer, "_part", patched)


@each(ANY_LOOP | ENTERED_OFTEN)
def test_a_second_oracle_that_is_one_iteration_late_is_caught(
    case: Case, languages: Languages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the observer reads at k + 1 and calls k is not what the shown source prints."""
    break_second_oracle(monkeypatch, ONE_ITERATION_LATE)
    caught(verdict_on(case, languages), "two_oracles", "states_differ")


@each(ENTERED_OFTEN)
def test_a_second_oracle_that_numbers_visits_wrongly_is_caught(
    case: Case, languages: Languages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The right state under the next visit's number puts the checkpoint somewhere else."""
    break_second_oracle(monkeypatch, NEXT_VISITS_NUMBER)
    caught(verdict_on(case, languages), "two_oracles", "states_differ")


@pytest.mark.parametrize(
    ("case", "changes"),
    [
        pytest.param(DIGITS, LARGE_NUMBERS_WRAP, id="large numbers wrap"),
        pytest.param(STACK, LAST_ELEMENT_MISSING, id="last element missing"),
    ],
)
def test_a_second_oracle_that_reads_values_wrongly_is_caught(
    case: Case, changes: Sequence[Patch], languages: Languages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The two oracles read values by code of their own."""
    break_second_oracle(monkeypatch, changes)
    caught(verdict_on(case, languages), "two_oracles", "states_differ")


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


SHARED = {
    # nothing but a docstring
    *("deskcheck.oracles", "deskcheck.oracles.runtimes", "deskcheck.oracles.runtimes.cpp"),
    # plain records: where to stop, what was seen there, how a run ended
    *("deskcheck.oracles.checkpoints", "deskcheck.oracles.observations"),
    *("deskcheck.oracles.outcomes", "deskcheck.oracles.values"),
}


def test_the_two_oracles_share_no_code() -> None:
    """What writes the shown text and what writes the observed one meet in plain records only."""
    first = imported("deskcheck.builder.instrument.cpp")
    second = imported("deskcheck.oracles.runtimes.cpp.observer")

    assert not any(name.startswith("deskcheck.builder") for name in second)
    assert (first & second) - SHARED == set()
