"""A program is read as its bytes stand, quickly, and what cannot be read is told in one line."""

from __future__ import annotations

import time

import pytest
from tests.builder.cpp.compiled_programs import read
from tests.oracles.cpp.compilers import needs_clang

from deskcheck.builder.cpp.liveness import live_at_heads
from deskcheck.builder.cpp.loops import find_loops
from deskcheck.builder.cpp.parsing import MAX_NESTING, read_cpp
from deskcheck.builder.syntax import BOM, UnreadableSourceError
from deskcheck.oracles.runtimes.cpp.toolchain import find_toolchain

pytestmark = needs_clang

UNREADABLE = {
    "latin-1": (b"int main() {} // caf\xe9\n", "not_utf8", "byte 20"),
    "NUL": (b"int main() {}\0\n", "does_not_parse", "NUL"),
    "syntax": (b"int main() {\n  int x = ;\n}\n", "does_not_parse", "line 2"),
    "unknown name": (b"int main() {\n  return y;\n}\n", "does_not_parse", "line 2"),
    "missing header": (b"#include <atcoder/all>\nint main() {}\n", "missing_module", "atcoder/all"),
    "missing header after others": (
        b"#include <vector>\n#include <nowhere.h>\nint main() {}\n",
        "missing_module",
        "line 2",
    ),
    "Python": (b"for i in range(3):\n    print(i)\n", "does_not_parse", "line 1"),
    "deep brackets": (
        b"int x = " + b"(" * (MAX_NESTING + 1) + b"1" + b")" * (MAX_NESTING + 1) + b";",
        "parser_limit",
        "deep",
    ),
    "asserts at once": (b'static_assert(1 == 2, "no");\n', "does_not_parse", "line 1"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_told_in_one_line(name: str) -> None:
    """The reason, and a detail that says where."""
    code, reason, detail = UNREADABLE[name]
    with pytest.raises(UnreadableSourceError) as raised:
        read(code)
    assert raised.value.reason == reason
    assert detail in raised.value.detail
    assert "\n" not in raised.value.detail


READABLE = {
    "nothing": b"",
    "no header": b"int main() {}",
    "byte-order mark": BOM + b"#include <vector>\nint main() { std::vector<int> v; }",
    "CRLF": b"#include <vector>\r\nint main() {\r\n  std::vector<int> v;\r\n}\r\n",
    "old Mac lines": b"int main() {\r  while (false) {}\r}\r",
    "UTF-8": '// größer\n#include <string>\nint main() { std::string s = "ß"; }'.encode(),
    "a warning": b"int main() { int x; return x; }",
    "a setting before the headers": (
        b"#define _USE_MATH_DEFINES\n#include <cmath>\ndouble x = M_PI;"
    ),
    "a header that another setting changes": (
        b"#define NDEBUG\n#include <cassert>\nint main() { assert(nothing); }"
    ),
    "its own name that another header takes": (
        b"#include <iostream>\nusing namespace std;\n"
        b"int gcd(int a, int b) { return b ? gcd(b, a % b)"
        b" : a; }\nint main() { cout << gcd(4, 6); }"
    ),
    "pragmas first": b'#pragma GCC optimize("O3")\n#include <bits/stdc++.h>\nint main() {}',
}


@pytest.mark.parametrize("name", READABLE)
def test_the_bytes_stay_as_they_are(name: str) -> None:
    source = read(READABLE[name])
    assert source.code == READABLE[name]
    assert source.text.encode() == READABLE[name]


def test_headers_matter_as_they_stand_in_the_program() -> None:
    """What is kept for one program's headers does not help another that lacks them."""
    read("#include <vector>\n#include <climits>\nint x = INT_MAX;")
    with pytest.raises(UnreadableSourceError, match="INT_MAX"):
        read("#include <vector>\nint x = INT_MAX;")


def test_the_second_program_with_the_same_headers_is_read_at_once() -> None:
    """A second of reading headers is paid once; a bound with room for a busy machine."""
    text = "#include <bits/stdc++.h>\nusing namespace std;\nint main() {{ cout << {}; }}\n"
    read(text.format(1))
    started = time.process_time()
    for number in range(2, 7):
        read(text.format(number))
    assert time.process_time() - started < 1.5


def test_reads_of_different_standards_keep_apart() -> None:
    includes = find_toolchain().system_includes()
    code = b"#include <vector>\nint main() { return __cplusplus / 100; }\n"
    twenty = b"#include <vector>\n#if __cplusplus < 202002L\n#error\n#endif\n"
    read_cpp(code, "gnu++17", includes)
    read_cpp(twenty, "gnu++20", includes)
    with pytest.raises(UnreadableSourceError):
        read_cpp(twenty, "gnu++17", includes)


def test_identifiers_are_every_word_and_macro() -> None:
    """Strings, comments, macros and what is not compiled count."""
    source = read(
        "#define each(i) for (int i = 0;;)\n// remark\n#if 0\nint hidden;\n#endif\n"
        'int main() { const char *s = "quoted words"; }\n'
    )
    assert source.identifiers() >= {"each", "remark", "hidden", "quoted", "words", "main", "s"}


def test_lines_are_counted_as_compilers_do() -> None:
    code = b"int a;\r\nint b;\n\nint c;\x0c\nint d;"
    source = read(code)
    assert [source.line(code.index(name)) for name in (b"a;", b"b;", b"c;", b"d;")] == [1, 2, 4, 5]


def test_a_struct_with_variables_is_read_once() -> None:
    """libclang lists `struct S {...} s;` twice."""
    source = read(
        "struct S { void f() { while (false) {} } } s, *p;\ntypedef struct { int a; } T;\n"
    )
    assert len(find_loops(source)) == 1


def test_instantiations_are_no_text_of_the_program() -> None:
    source = read(
        "#include <vector>\n"
        "template <class T> struct Q { std::vector<T> v; "
        "void f() { for (auto x : v) v[0] += x; } };\n"
        "template <class T> T twice(T x) { for (int i = 0; i < 2; ++i) x += x; return x; }\n"
        "template <> char twice(char x) { while (x < 9) ++x; return x; }\n"
        "int main() { Q<int> q; Q<double> r; q.f(); r.f(); twice(1); twice(1.0); twice('a');\n"
        "  auto f = [](auto n) { while (n > 0) --n; return n; }; f(3); f(2.0); }\n"
    )
    assert [loop.line for loop in find_loops(source)] == [2, 3, 4, 6]


DEEP = {
    "prefix operators": "int x = " + "!" * 3_000 + "1;",
    "casts": "int x = " + "(int)" * 3_000 + "1;",
    "loops in one another": "void f() { " + "for (;;) " * 3_000 + "; }",
    "branches": "void f(int x) { " + "else ".join(["if (x) ++x; "] * 5_000) + " }",
    "template arguments": "template <class T> struct V {}; " + "V<" * 3_000 + "int",
    "a sum": "int x = " + "1 + " * 3_000 + "1;",
}


@pytest.mark.parametrize("name", DEEP)
def test_what_would_overrun_the_parser_is_refused(name: str) -> None:
    with pytest.raises(UnreadableSourceError) as raised:
        read(DEEP[name])
    assert raised.value.reason == "parser_limit"


LONG = {
    "a table": "int t[] = {" + "1, " * 5_000 + "1};",
    "many macros": "".join(f"#define A{n} B{n} (1 + 2)\n" for n in range(1_000)),
    "many functions": "".join(f"int f{n}(int x) {{ return x + {n}; }}\n" for n in range(500)),
    "brackets in text and comments": f'const char *s = "{"(" * 300}"; // {"(" * 300}\n',
    "one loop in another": "void f(int x) { " + "for (;;) " * 60 + "{ if (x) break; ++x; } }",
    "branches": "void f(int x) { while (x) { " + "else ".join(["if (x) ++x; "] * 900) + " } }",
}


@pytest.mark.parametrize("name", LONG)
def test_what_is_only_long_is_read(name: str) -> None:
    source = read(LONG[name])
    loops = find_loops(source)
    assert len(live_at_heads(source, loops)) == len(loops)
