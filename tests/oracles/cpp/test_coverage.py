"""Trace lengths are sums of region counts that one can add up by hand, or that LLVM gives."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.oracles.cpp.compilers import HERE, Counting, needs_clang, program, runtime_with
from tests.oracles.cpp.test_building import CONTEST

from deskcheck.oracles.observations import Counted
from deskcheck.oracles.outcomes import Ending
from deskcheck.oracles.runtimes.cpp.building import Builder, Built
from deskcheck.oracles.runtimes.cpp.coverage import PROFILE, RegionCounts, code_regions, line_starts
from deskcheck.oracles.runtimes.cpp.runtime import CppRuntime
from deskcheck.oracles.runtimes.cpp.stored import BuildStore
from deskcheck.oracles.runtimes.cpp.toolchain import find_toolchain
from deskcheck.oracles.sandbox import Sandbox

pytestmark = [needs_clang, pytest.mark.slow]


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


def counted(runtime: CppRuntime, source: str | bytes, stdin: bytes, **options: Any) -> Counted:
    return runtime.count(program(source), stdin, HERE, **options)


# Each function of a name is counted on its own: what it adds is known by hand.
KNOWN = """\
#include <cstdio>
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
template <class T> T half(T x) { return x / 2; }
int loop(int n) {
    int s = 0;
    for (int i = 0; i < n; ++i) s += i;
    return s;
}
int branches(int x) {
    if (x % 2) return 1;
    else return 2;
}
int main() {
    int n, which;
    if (scanf("%d %d", &which, &n) != 2) return 1;
    auto twice = [](int x) { return 2 * x; };
    if (which == 1) printf("%d\\n", loop(n));
    if (which == 2) printf("%d\\n", branches(n));
    if (which == 3) printf("%d\\n", twice(1) + twice(2) + twice(3));
    if (which == 4) printf("%d %g\\n", half(6) + half(7) + half(8), half(1.0) + half(3.0));
    if (which == 5) printf("%d\\n", LARGER(n, 3));
}
"""

MAIN = 1 + 1 + 1 + 5
"""main, the condition on the input and what follows its return, and five conditions."""


def test_counts_are_known_by_hand(runtime: CppRuntime) -> None:
    """Loops, branches, lambdas, instantiations and macros count as often as they ran."""
    # The printf itself, and what it calls.
    expected = {
        (0, 0): 0,
        (1, 0): 1 + 1 + 1,  # the function, and the condition that fails at once
        (1, 7): 1 + 1 + 8 + 7 + 7,  # condition, step and body
        (2, 3): 1 + 1 + 1 + 1,  # the function, its condition and one branch
        (3, 0): 1 + 3,
        (4, 0): 1 + 3 + 2,  # both instantiations
        (5, 9): 1 + 1 + 1 + 1,  # the macro's text, its condition and one of its ends
    }
    for (which, n), beyond in expected.items():
        run = counted(runtime, KNOWN, f"{which} {n}".encode())
        assert (which, n, run.trace_length) == (which, n, MAIN + beyond)
        assert run.outcome.clean and not run.too_long


def test_a_limit_is_kept(runtime: CppRuntime) -> None:
    """At the limit a run is counted, past it it is too long."""
    whole = MAIN + 1 + 1 + 8 + 7 + 7
    assert counted(runtime, KNOWN, b"1 7", limit=whole).trace_length == whole
    over = counted(runtime, KNOWN, b"1 7", limit=whole - 1)
    assert over.too_long and over.trace_length is None


def test_what_is_ignored_is_known_by_its_first_byte(runtime: CppRuntime) -> None:
    """Regions that begin inside a span are left out, whatever the line ends and characters."""
    source = KNOWN.replace("int loop", "/* é€ */ int loop").replace("\n", "\r\n").encode()
    body = source.index(b"s += i")
    function = source.index(b"int loop"), source.index(b"int branches")
    whole = MAIN + 1 + 1 + 8 + 7 + 7
    for spans, left_out in (
        ([], 0),
        ([(body, body + 1)], 7),
        ([(body - 1, body)], 0),
        ([(body + 1, len(source))], MAIN - 1 - 1),
        ([function], 1 + 8 + 7 + 7),
        ([function, (body, body + 1)], 1 + 8 + 7 + 7),
    ):
        run = counted(runtime, source, b"1 7", ignoring=spans)
        if spans and spans[0][1] == len(source):
            assert run.trace_length is not None and run.trace_length < whole
        else:
            assert run.trace_length == whole - left_out


def test_lines_begin_where_clang_says() -> None:
    """It takes a lone carriage return for the end of a line too."""
    assert line_starts(b"a\nb\r\nc\rd\n") == [0, 2, 5, 7, 9]


LEAVING = """\
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
struct Last {
    ~Last() { if (getenv("HOME")) puts("last"); }
} last;
__attribute__((noinline)) void leave(int how) {
    if (how == 1) exit(0);
    if (how == 2) { fflush(stdout); _exit(0); }
    if (how == 3) { fflush(stdout); _Exit(0); }
    if (how == 4) { fflush(stdout); quick_exit(0); }
    if (how == 5) abort();
    if (how == 6) raise(SIGKILL);
    if (how == 7) *(volatile int *)8 = 0;
}
int main() {
    int how;
    if (scanf("%d", &how) != 1) return 1;
    puts("begin");
    for (int i = 0;; ++i)
        if (i == 100) leave(how);
        else if (i > 100) return 0;
}
"""


def test_every_way_out_is_counted_to_its_end(runtime: CppRuntime) -> None:
    """Destructors of static objects count where they run, and leaving at once loses nothing."""
    by_return = counted(runtime, LEAVING, b"0")
    assert by_return.outcome.stdout == b"begin\nlast\n"
    lengths = {}
    for how in (1, 2, 3, 4):
        run = counted(runtime, LEAVING, str(how).encode())
        assert run.outcome.clean and run.unread == 0
        assert run.outcome.stdout == (b"begin\nlast\n" if how == 1 else b"begin\n")
        assert run.trace_length is not None
        lengths[how] = run.trace_length
    # main, its condition and what follows; then the step, which is reckoned from the body, the
    # body, its condition, one call, and 100 times the other branch with its condition.
    main = 1 + 1 + 1 + 101 + 101 + 101 + 1 + 100 + 100
    # leave: the conditions up to the one that holds, what lies between them, and its branch.
    assert lengths == {
        how: main + 1 + how + (how - 1) + 1 + (3 if how == 1 else 0) for how in lengths
    }


def test_a_run_that_is_cut_short_has_no_length(runtime: CppRuntime) -> None:
    """Where the profile is lost nothing is guessed."""
    for how, number in ((5, 6), (6, 9), (7, 11)):
        run = counted(runtime, LEAVING, str(how).encode())
        assert (run.trace_length, run.unread, run.too_long) == (None, None, False)
        assert (run.outcome.ending, run.outcome.signal) == (Ending.SIGNALLED, number)


READING = """\
#include <cstdio>
#include <iostream>
#include <string>
#include <unistd.h>
int main(int, char **) {
    char how;
    if (read(0, &how, 1) != 1) return 1;
    int n;
    std::string line;
    if (how == 's') std::cin >> n;
    if (how == 'f') { std::ios::sync_with_stdio(false); std::cin >> n; }
    if (how == 'c') return scanf("%d", &n) != 1;
    if (how == 'g') return getchar() == EOF;
    if (how == 'u') return ungetc(getchar(), stdin) == EOF;
    if (how == 'l') getline(std::cin, line);
    if (how == 'a') while (getline(std::cin, line)) {}
    if (how == 'x') return freopen("/dev/null", "r", stdin) == nullptr;
    if (how == 'z') return close(0);
    if (how == 'p') { std::cin >> n; std::cin.rdbuf(nullptr); }
}
"""


@pytest.mark.slow
def test_what_was_left_unread_is_told(runtime: CppRuntime) -> None:
    """By whatever way it was read; None where the stream can no longer tell."""
    left = [
        counted(runtime, READING, letter.encode() + b"12 34\n56\n").unread
        for letter in "-sfcgulaxzp"
    ]
    assert left == [9, 7, 7, 7, 8, 9, 3, 0, None, None, None]


def test_equal_runs_are_read_once(sandbox: Sandbox, cache: Path) -> None:
    """Their profiles are equal bytes, so the tools are started for the first alone."""
    counting = Counting(sandbox)
    toolchain = find_toolchain()
    builder = Builder(counting, toolchain, BuildStore(cache))
    built = builder.build(KNOWN.encode(), builder.variants.coverage)
    assert isinstance(built, Built)
    counts = RegionCounts(counting, toolchain)
    profiles = []
    for _ in range(3):
        ended = counting.run(
            ["program"],
            stdin=b"1 7",
            files={"program": built.binary},
            collect=[PROFILE],
            env={},
            limits=runtime_with(sandbox, cache).limits,
        )
        profiles.append(ended.collected[PROFILE])
        total = counts.total(built, profiles[-1], KNOWN.encode())
        assert total == MAIN + 1 + 1 + 8 + 7 + 7
    assert counting.started[-5:] == ["program", "llvm-profdata", "llvm-cov", "program", "program"]
    whole = profiles[0]
    for torn in (whole[:-8], whole[: len(whole) // 2], whole[:20], b"", b"text\n"):
        assert counts.total(built, torn, KNOWN.encode()) is None
    other = builder.build(LEAVING.encode(), builder.variants.coverage)
    assert isinstance(other, Built)
    assert counts.total(other, whole, LEAVING.encode()) is None


def by_llvm_alone(folder: Path, source: str, stdin: bytes, *flags: str) -> int:
    """The sum that clang++ and LLVM's tools give by themselves, without anything of ours."""
    tools = find_toolchain()
    (folder / "program.cpp").write_text(source)
    report = [tools.cov, "export", "-instr-profile=merged", "program"]
    for command in (
        [
            *(tools.clang.path, "-std=gnu++17", *flags),
            *("-fprofile-instr-generate", "-fcoverage-mapping", "program.cpp", "-o", "program"),
        ],
        ["./program"],
        [tools.profdata, "merge", "-sparse", "raw", "-o", "merged"],
        report,
    ):
        done = subprocess.run(
            command,
            cwd=folder,
            input=stdin,
            capture_output=True,
            check=True,
            env={"PATH": os.environ["PATH"], "LLVM_PROFILE_FILE": "raw"},
        )
    regions = code_regions(json.loads(done.stdout), str(folder / "program.cpp"))
    return sum(region.count for region in regions)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2"])
@pytest.mark.parametrize(
    ("source", "stdin"),
    [
        pytest.param(CONTEST.decode(), b"4\na 1\nb 22\na 3\nc -4\n", id="contest"),
        pytest.param(KNOWN, b"1 50", id="loop"),
        pytest.param(KNOWN, b"4 50", id="templates"),
    ],
)
def test_llvm_gives_the_same_at_every_level(
    source: str, stdin: bytes, level: str, runtime: CppRuntime, tmp_path: Path
) -> None:
    """With a precompiled header or without, optimised or not, the sum is the same."""
    assert counted(runtime, source, stdin).trace_length == by_llvm_alone(
        tmp_path, source, stdin, level
    )
