"""A flat program is the same program without macros, and knows where its loops came from."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

import pytest
from tests.oracles.cpp.observed import built, flattened, needs_clang, plain

from deskcheck.oracles.runtimes.cpp.flattening import FlatProgram

pytestmark = needs_clang

PROGRAM = """\
#define _USE_EARLY 1
#include <cstdio>
#ifdef NOWHERE
#include <nowhere>
#endif
#define rep(i, n) for (int i = 0; i < (n); i++)
#define twice(x) while (x) break; do { } while (0)
#define ALL(...) __VA_ARGS__
#define HEADER <cassert>
#include HEADER
#include \\
  <climits>
#undef EOF
#pragma GCC optimize("O3")
#pragma GCC ivdep
const char *text = R"x(
# 1 "program.cpp" 2
for (;;) #define a
)x";
int f(int n) {  // line 20
    int s = 0;
    rep(i,
        n)
        rep(j, 3) { s += i * j; }
    twice(s);
    ALL(
        for (int k = 0; k < 2; k++)
            s++;
    )
    _Pragma("unroll") for (;;) { break; }
#if 0
    for (;;) { }
#endif












    for (int i = 0; i < n; i++) s += INT_MAX / 1'000'000'000 + __LINE__;
    assert(s);
    return s;
}
#include <cerrno>
int main() { while (errno) break; std::printf("%d%s", f(4), text); }
"""


@pytest.fixture(scope="module")
def flat() -> FlatProgram:
    return flattened(PROGRAM)


def test_loops_have_the_lines_of_the_original(flat: FlatProgram) -> None:
    """A loop out of a macro, or in its argument, has the line where the macro is used."""
    assert [(loop.kind, loop.line) for loop in flat.loops] == [
        ("for", 22),
        ("for", 24),
        ("while", 25),
        ("do", 25),
        ("for", 26),
        ("for", 30),
        ("for", 46),
        ("while", 51),
    ]


def test_no_macro_of_the_program_is_left(flat: FlatProgram) -> None:
    """Its definitions are there for the headers only, and taken back after each."""
    text = flat.text.decode()
    assert not re.search(r"\b(rep|twice|ALL)\(", re.sub(r"(?m)^#.*$", "", text))
    assert text.count("#define rep") == text.count("#undef rep") == 3
    assert text.count("#define _USE_EARLY") == text.count("#undef _USE_EARLY") == 4


def test_includes_are_back_in_their_places(flat: FlatProgram) -> None:
    """Those that were taken, under the names that macros stood for."""
    names = re.findall(r"(?m)^#include (.*)$", flat.text.decode())
    assert names == ["<cstdio>", "<cassert>", "<climits>", "<cerrno>"]


def test_only_pragmas_without_a_loop_are_kept(flat: FlatProgram) -> None:
    """A hint to unroll would have to stand right before its loop."""
    pragmas = re.findall(r"(?m)^#pragma (.*)$", flat.text.decode())
    assert pragmas == ['GCC optimize("O3")']


def test_every_line_of_the_text_has_a_number(flat: FlatProgram) -> None:
    assert len(flat.lines) == flat.text.count(b"\n")
    assert list(flat.lines) == sorted(flat.lines)


@pytest.mark.slow
def test_the_flat_program_does_the_same(flat: FlatProgram) -> None:
    """Compiled, it prints what the original prints."""
    with tempfile.TemporaryDirectory() as folder:
        program = built(flat.text, folder, "gnu++17")
        done = subprocess.run([program], capture_output=True, check=True, text=True)
    assert (0, done.stdout) == plain(PROGRAM)


def test_a_header_finds_the_macros_that_were_defined_before_it() -> None:
    """As NDEBUG, which decides what `assert` is each time that its header is included."""
    source = """\
#define NDEBUG
#include <cassert>
int f(int a) { assert(a); return 0; }
#undef NDEBUG
#include <cassert>
int g(int a) { assert(a); return 0; }
"""
    before, _, after = flattened(source).text.decode().partition("int f")
    f, _, g = after.partition("int g")
    assert "#define NDEBUG \n#include <cassert>\n#undef NDEBUG" in before
    assert "__assert_fail" not in f
    assert "NDEBUG\n#include" not in f
    assert "__assert_fail" in g


WITHOUT_HEADERS = r"""
#define rep(i, n) for (int i = 0; i < (n); i++)
#define until(x) while (!(x))
#define forever until(false)
#define twice(x) do { x } while (0); do { x } while (0)
#define pasted(a, b) a##b
#define nothing(...)
#define all(...) __VA_ARGS__
struct Five { int a[5]; int *begin() { return a; } int *end() { return a + 5; } };
template <class T> struct Box {
    T sum(Five &f) { T s{}; for (T x : f) rep(i, x) s += i; return s; }
};
constexpr int constant(int n) { int s = 0; rep(i, n) s += i; return s; }
int main() {
    auto f = [](auto n) { until (n < 0) { n--; } return n; };
    twice(rep(i, 2) f(i););
    pasted(wh, ile) (f(1) > 0) rep(i,
                                   3)
        rep(j, 2) if (i) forever break; else
            do f(j); while (f(j) > 0);
    const char *text; /* for (;;)
        do */ for (;;) { break; } /*
    */ while (f(1) > 0) { } int k \
        ; for (k = 0; k < 1; k++) text = "\
        "; rep(i, 1) ;
    nothing(for (;;) { }) for (auto g = [] { rep(i, 2) ; return 0; }; g(); ) { }
    all(for (;;) { break; }
        rep(k, 2) { })
    text = R"(
    for (;;) rep(i, 3) {
)"; for (; *text; text++)
        ;
#line 400
    rep(i, 3) rep(j, 3) ;
}
"""


@pytest.mark.slow
def test_loops_agree_with_a_compiler() -> None:
    """libclang finds the same loops in the same lines, and numbers them as the program says."""
    cindex = pytest.importorskip("clang.cindex")
    kinds = {
        cindex.CursorKind.FOR_STMT: "for",
        cindex.CursorKind.CXX_FOR_RANGE_STMT: "range for",
        cindex.CursorKind.WHILE_STMT: "while",
        cindex.CursorKind.DO_STMT: "do",
    }
    text, _, renumbered = WITHOUT_HEADERS.partition("#line 400\n")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.cpp")
        path.write_text(text + renumbered)
        unit = cindex.Index.create().parse(str(path), args=["-std=gnu++17", "-w"])
        assert not list(unit.diagnostics)
        found = [
            (kinds[node.kind], node.location.line)
            for node in unit.cursor.walk_preorder()
            if node.kind in kinds
        ]
    assert [(loop.kind, loop.line) for loop in flattened(text + renumbered).loops] == found
    last = [loop.line for loop in flattened(WITHOUT_HEADERS).loops][-2:]
    assert last == [400, 400]
