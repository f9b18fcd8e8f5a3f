"""A measured C++ program does what anybody would see, and what is undefined in it is found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.oracles.cpp.compilers import HERE, needs_clang, program, runtime_with

from deskcheck.oracles.observations import Moment, Watch
from deskcheck.oracles.outcomes import Ending, Outcome
from deskcheck.oracles.runtimes.cpp.runtime import CppRuntime
from deskcheck.oracles.runtimes.python import variation
from deskcheck.oracles.sandbox import Sandbox

pytestmark = needs_clang


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as box:
        yield box


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("builds")


@pytest.fixture(scope="module")
def runtime(sandbox: Sandbox, cache: Path) -> CppRuntime:
    return runtime_with(sandbox, cache)


SUM = """\
#include <cstdio>
int main() {
    int n, s = 0;
    if (scanf("%d", &n) != 1) return 3;
    for (int i = 0; i < n; ++i) {
        s += i;
    }
    printf("%d\\n", s);
}
"""

LOOPS = ((SUM.index("for ("), "for", 5),)


def test_every_way_of_running_prints_the_same(runtime: CppRuntime) -> None:
    """Whatever the circumstances, and with whatever is built in."""
    small = program(SUM)
    for repeat in range(4):
        assert runtime.run(small, b"9", variation(repeat)).stdout == b"36\n"
    counts = [runtime.count(small, b"9 10\n", variation(repeat)) for repeat in range(3)]
    assert {each.outcome.stdout for each in counts} == {b"36\n"}
    assert {(each.trace_length, each.unread) for each in counts} == {(1 + 1 + 1 + 10 + 9 + 9, 4)}
    assert runtime.sanitized(small, b"9").stdout == b"36\n"
    failing = runtime.run(small, b"", HERE)
    assert (failing.ending, failing.exit_code) == (Ending.EXITED, 3)


@pytest.mark.slow
def test_a_watched_run_tells_its_loops_and_variables(runtime: CppRuntime) -> None:
    """By activation and iteration, and it prints what the plain run prints."""
    (offset, _, _), moment = LOOPS[0], Moment(LOOPS[0][0], "inside", 1, 4)
    watch = Watch(wanted=[moment], names={offset: ["n", "s"]}, loops=LOOPS)
    seen = runtime.observe(program(SUM), b"9 10", variation(1), watch)
    assert seen.reported and seen.outcome.stdout == b"36\n"
    loop = seen.loop(offset)
    assert loop is not None and (loop.visits, loop.exits, loop.entries) == (9, 1, 1)
    shot = seen.at(moment)
    assert shot is not None and shot.variables == {"n": 9, "s": 3}


@pytest.mark.slow
def test_other_loops_than_the_builder_sees_are_a_problem(runtime: CppRuntime) -> None:
    """Both views of a program must find the same loops, or it is not measured."""
    for loops in ((), ((LOOPS[0][0], "while", 5),), ((LOOPS[0][0], "for", 6),), LOOPS * 2):
        seen = runtime.observe(program(SUM), b"9", HERE, Watch(loops=loops))
        assert not seen.reported and "loop" in seen.problem and "\n" not in seen.problem


def test_a_program_that_does_not_compile_is_a_finding_of_every_run(runtime: CppRuntime) -> None:
    """It ends with status 1, and the last line says what the compiler said first."""
    broken = program("#include <cstdio>\nint main() { int x = y; return x + z; }\n")
    outcomes = [
        runtime.run(broken, b"", HERE),
        runtime.run(broken, b"", variation(1)),
        runtime.count(broken, b"", HERE).outcome,
        runtime.observe(broken, b"", HERE, Watch()).outcome,
        runtime.sanitized(broken, b""),
    ]
    for outcome in outcomes:
        assert (outcome.ending, outcome.exit_code) == (Ending.EXITED, 1)
        assert outcome.stderr.decode().splitlines()[-1] == (
            "CompileError: program.cpp:2:22: error: use of undeclared identifier 'y'"
        )


UNSET = """\
#include <cstdio>
#include <cstdlib>
int main() {
    int here;
    int *there = static_cast<int *>(malloc(400));
    int which;
    if (scanf("%d", &which) != 1) return 1;
    printf("%d\\n", which ? here : there[50]);
}
"""


@pytest.mark.slow
def test_what_was_never_set_differs_between_circumstances(runtime: CppRuntime) -> None:
    """On the stack and on the heap."""
    for which in (b"0", b"1"):
        printed = {runtime.run(program(UNSET), which, variation(n)).stdout for n in range(4)}
        assert len(printed) > 1


def includes(*names: str) -> str:
    return "".join(f"#include <{name}>\n" for name in names)


UNDEFINED = {
    "overflow": ('int x = 2147483647; printf("%d", x + n);', "signed integer overflow"),
    "division": ('printf("%d", 7 / (n - 4));', "division by zero"),
    "shift": ('printf("%d", 1 << n * 10);', "shift exponent 40"),
    "conversion": ('printf("%d", (int)(1e20 * n));', "outside the range"),
    "array": ('int a[4] = {}; printf("%d", a[n]);', "out of bounds"),
    "null": ('int *p = n == 4 ? nullptr : &n; printf("%d", *p);', "null pointer"),
    "heap": ('int *p = new int[4]; printf("%d", p[n]);', "heap-buffer-overflow"),
    "freed": ('int *p = new int[9]; delete[] p; printf("%d", p[n]);', "heap-use-after-free"),
    "twice": ("int *p = new int; delete p; if (n == 4) delete p;", "double-free"),
    "gone": ('int *p; { volatile int x = n; p = (int *)&x; } printf("%d", *p);', "after-scope"),
    "vector": ('std::vector<int> v(4); printf("%d", v[n]);', "Assertion '__n < this->size()'"),
    "reserved": (
        'std::vector<int> v; v.reserve(9); printf("%d", v.data()[n]);',
        "container-overflow",
    ),
    "string": ('std::string s = "abc"; printf("%d", s[n]);', "Assertion"),
    "empty": ('std::vector<int> v; printf("%d", v.back());', "Assertion"),
    "iterator": (
        'std::vector<int> v(4, 1); auto i = v.begin(); v.resize(99); printf("%d", *i);',
        "heap-use-after-free",
    ),
}


def undefined(act: str) -> str:
    head = includes("cstdio", "string", "vector")
    return f'{head}int main() {{ int n; if (scanf("%d", &n) != 1) return 1; {act} }}\n'


def found(outcome: Outcome) -> str:
    assert not outcome.clean
    return outcome.stderr.decode("utf-8", "replace")


def test_an_overflow_is_found(runtime: CppRuntime) -> None:
    """Where it happens, and only there."""
    source = '#include <cstdio>\nint main() { int n; scanf("%d", &n); printf("%d", n + 9); }\n'
    assert "signed integer overflow" in found(runtime.sanitized(program(source), b"2147483647"))
    assert runtime.sanitized(program(source), b"2147483638").stdout == b"2147483647"


@pytest.mark.slow
@pytest.mark.parametrize("name", UNDEFINED)
def test_undefined_behaviour_is_found(name: str, runtime: CppRuntime) -> None:
    act, told = UNDEFINED[name]
    assert told in found(runtime.sanitized(program(undefined(act)), b"4"))


HARMLESS = {
    "a leak": 'int *p = new int[n]; p[0] = n; printf("%d", p[0]);',
    "unsigned": 'unsigned u = n; printf("%u", u - 5);',
    "one past the end": "int a[4] = {1, 2, 3, 4}; int s = 0; for (int *p = a; p != a + n; ++p) "
    's += *p; printf("%d", s);',
    "an exception": 'try { std::vector<int>(2).at(n); } catch (std::exception &e) { puts("no"); }',
    "reserve and grow": "std::vector<std::string> v; v.reserve(2); for (int i = 0; i < 40 * n; ++i)"
    ' v.push_back("x"); v.erase(v.begin()); v.shrink_to_fit(); printf("%zu", v.size());',
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HARMLESS)
def test_defined_behaviour_is_left_alone(name: str, runtime: CppRuntime) -> None:
    source = program(undefined(HARMLESS[name]))
    checked = runtime.sanitized(source, b"4")
    assert checked.clean, checked.stderr
    assert checked.stdout == runtime.run(source, b"4", HERE).stdout


DEEP = """\
#include <cstdio>
int down(int n) {
    volatile int held[8] = {n};
    return n == 0 ? 0 : 1 + down(n - 1) + held[1];
}
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    printf("%d\\n", down(n));
}
"""


@pytest.mark.slow
def test_a_recursion_that_fits_does_so_in_every_build(runtime: CppRuntime) -> None:
    """Only the plain build has the usual stack; frames of the others are larger."""
    deep = program(DEEP)
    depth = b"90000"
    outcomes = [runtime.run(deep, depth, variation(repeat)) for repeat in range(3)]
    outcomes += [runtime.count(deep, depth, HERE).outcome, runtime.sanitized(deep, depth)]
    outcomes.append(runtime.observe(deep, depth, HERE, Watch()).outcome)
    assert [outcome.stdout for outcome in outcomes] == [b"90000\n"] * 6
    assert runtime.run(deep, b"300000", HERE).signal == 11


@pytest.mark.slow
def test_a_sanitized_run_keeps_to_memory_too(sandbox: Sandbox, cache: Path) -> None:
    """It may not be bounded by addresses, so the sanitizer bounds what is really used."""
    small = runtime_with(sandbox, cache, memory=64 * 1024**2)
    source = includes("cstdio", "cstring", "unistd.h") + (
        'int main() { int n; if (scanf("%d", &n) != 1) return 1;\n'
        "    while (n--) {\n        char *volatile held = new char[1 << 20];\n"
        "        memset(held, 1, 1 << 20), usleep(10000);\n    }\n"
        '    puts("all"); }\n'
    )
    assert small.sanitized(program(source), b"20").stdout == b"all\n"
    assert "hard rss limit" in found(small.sanitized(program(source), b"400"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        includes("iostream") + "int main() { static int x; std::cout << &x; }",
        includes("iostream") + "int main() { std::cout << (void *)new int; }",
        includes("cstdio", "ctime")
        + 'int main() { time_t t = 86400; char s[9]; strftime(s, 9, "%H", '
        "localtime(&t)); puts(s); }",
        includes("cstdio", "cstdlib") + 'int main() { puts(getenv("LC_ALL")); }',
    ],
    ids=["address", "heap address", "time zone", "environment"],
)
def test_circumstances_show_in_what_depends_on_them(source: str, runtime: CppRuntime) -> None:
    """A program that prints of its circumstances does not print the same under all."""
    printed = [runtime.run(program(source), b"", variation(n)).stdout for n in range(4)]
    assert len(set(printed)) > 1


@pytest.mark.slow
def test_one_program_of_another_compilers_dialect_is_checked_all_the_same(
    runtime: CppRuntime,
) -> None:
    """What only the main compiler takes runs in its own other builds."""
    source = program(
        "#ifndef __clang__\n#error not for others\n#endif\n" + UNSET.replace("which ? ", "1 ? ")
    )
    outcomes = [runtime.run(source, b"1", variation(repeat)) for repeat in range(4)]
    assert all(outcome.clean for outcome in outcomes)
    assert len({outcome.stdout for outcome in outcomes}) > 1
