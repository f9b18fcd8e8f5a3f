"""A flat program is the same program without macros, and knows where its loops came from."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.cpp.observed import CLANG, built, flattened, needs_clang, plain

from deskcheck.oracles.runtimes.cpp.flattening import FlatProgram, one_line_literals

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
int f() { assert(false); return 0; }
#undef NDEBUG
#include <cassert>
int g() { assert(true); return 0; }
"""
    text = flattened(source).text.decode()
    assert (
        re.search(r"f\(\) \{ *\(static_cast", text) or "__assert_fail" not in text.split("g()")[0]
    )
    assert "#define NDEBUG" in text.split("int f")[0]
    assert "#define NDEBUG" not in text.split("int f")[1]


RAW = st.text(alphabet="ab\"\\?\n\r\t'(){}é\x01#/", max_size=12)


@given(st.lists(RAW, min_size=1, max_size=3))
def test_raw_strings_come_onto_one_line(bodies: list[str]) -> None:
    """Every other byte is kept, and so is the number of lines."""
    code = "".join(f'a = R"-({body})-";\n' for body in bodies).encode()
    result = one_line_literals(code)
    lines = [len(re.split(rb"\r\n|\r|\n", text)) for text in (code, result)]
    assert lines[0] == lines[1]
    for body in bodies:
        if not {"\r", "\n"} & set(body):
            assert f'R"-({body})-"'.encode() in result


def test_a_raw_string_keeps_its_value() -> None:
    """Escapes, quotes, trigraphs, line breaks and bytes past ASCII."""
    code = (
        '#include <cstdio>\nint main() { fputs(R"(a\\n"\'??=\n\té\\x41 1\n\n)" "|" u8R"x(\n)")x"'
        ', stdout); printf("%d", __LINE__); }'
    )
    changed = one_line_literals(code.encode()).decode()
    assert 'R"' not in changed
    assert plain(changed) == plain(code)


def test_the_source_is_left_alone_without_such_strings() -> None:
    code = b'R"(x)" // R"(\n "R\\"(" R"(y)"'
    assert one_line_literals(code) is not None
    assert one_line_literals(code) == code


def test_loops_agree_with_a_compiler() -> None:
    """libclang finds the same loops at the same lines in the original source."""
    cindex = pytest.importorskip("clang.cindex")
    kinds = {
        cindex.CursorKind.FOR_STMT: "for",
        cindex.CursorKind.CXX_FOR_RANGE_STMT: "range for",
        cindex.CursorKind.WHILE_STMT: "while",
        cindex.CursorKind.DO_STMT: "do",
    }
    source = re.sub(r"(?m)^#include.*$|assert\(s\);|errno|INT_MAX", "1", PROGRAM)
    source = source.replace("\n1\n", "\n\n").replace("std::printf", "").replace("1  <climits>", "")
    source = source.replace("1 \\\n", "\n")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.cpp")
        path.write_text(source)
        unit = cindex.Index.create().parse(str(path), args=["-std=gnu++17"])
        found = [
            (kinds[node.kind], node.location.line)
            for node in unit.cursor.walk_preorder()
            if node.kind in kinds
        ]
    assert [(loop.kind, loop.line) for loop in flattened(source).loops] == found
    assert CLANG
