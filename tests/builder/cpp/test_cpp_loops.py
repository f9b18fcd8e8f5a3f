"""Loops are found where they are, and what is inserted at them means what it should.

Each snippet states by hand, loop by loop, how often its body begins and how often it ends
normally when `run` is called. Text is inserted at every editable loop at once, and the compiled
program counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest
from tests.builder.cpp.compiled_programs import COMPILERS, printed, read
from tests.oracles.cpp.compilers import needs_clang

from deskcheck.builder.cpp.headers import header
from deskcheck.builder.cpp.loops import CppLoop, find_loops, loop_nodes
from deskcheck.builder.cpp.parsing import CppSource, read_cpp
from deskcheck.builder.edits import apply, insert
from deskcheck.oracles.runtimes.cpp.toolchain import find_toolchain

pytestmark = needs_clang

HEAD = """\
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <sstream>
#include <string>
#include <vector>
using namespace std;
#define rep(i, n) for (int i = 0; i < (int)(n); ++i)
#define all(x) begin(x), end(x)
"""

Counts = list[tuple[int, int]]

SNIPPETS: dict[str, tuple[str, Counts]] = {
    "plain": (
        "void run() { int s = 0; for (int i = 0; i < 3; ++i) { s += i; } while (s) { --s; }"
        " do { ++s; } while (s < 4); for (int x : {1, 2}) { s += x; } }",
        [(3, 1), (3, 1), (4, 1), (2, 1)],
    ),
    "without braces": (
        "void run() { int s = 0; for (int i = 0; i < 3; ++i) s += i; while (s) --s;"
        " do ++s; while (s < 4); for (int x : {1, 2}) s += x; for (; s; s--); }",
        [(3, 1), (3, 1), (4, 1), (2, 1), (7, 1)],
    ),
    "inside one another without braces": (
        "void run() { int s = 0; for (int i = 0; i < 2; ++i) for (int j = 0; j < 3; ++j) while"
        " (s < j) ++s; for (int i : {1, 2}) if (i > 1) for (int j : {3, 4}) s += j; else s -= i; }",
        [(2, 1), (6, 2), (2, 6), (2, 1), (2, 1)],
    ),
    "a macro's header": (
        "void run() { int s = 0; rep(i, 3) { s += i; } rep(i, 2) s += i;"
        " rep(i, 2) rep(j, 2) { s++; } rep(i, 2) rep(j, 2) s++; }",
        [(3, 1), (2, 1), (2, 1), (4, 2), (2, 1), (4, 2)],
    ),
    "a macro that uses a macro": (
        "#define forn(i, n) rep(i, n)\n#define FOR forn(q, 2)\n#define ever (;;)\n"
        "void run() { int s = 0; forn(i, 3) s += i; FOR s += q; for ever { if (s++ > 5) break; } }",
        [(3, 1), (2, 1), (3, 1)],
    ),
    "macros in the body": (
        "#define pb push_back\n#define show(x) acc << (x)\n#define nl << '\\n"
        "'\n#define inc(x) x++\n"
        "void run() { ostringstream acc; vector<int> v; rep(i, 3) v.pb(i); rep(i, 2) show(i);"
        " rep(i, 2) acc << i nl; for (int x : v) inc(x); while (!v.empty()) v.pop_back();"
        " rep(i, 2) accumulate(all(v), 0), acc << 1; }",
        [(3, 1), (2, 1), (2, 1), (3, 1), (3, 1), (2, 1)],
    ),
    "an empty macro before the body": (
        "#define debug(x)\n#define nothing\nvoid run() { int s = 0; rep(i, 2) debug(i); rep(i, 2)"
        " nothing s += i; }",
        [(2, 1), (2, 1)],
    ),
    "a branch without braces": (
        "void run() { int s = 0; if (s == 0) for (int i = 0; i < 3; ++i) s += i; else while (true)"
        " s++; if (s == 0) while (s) s--; else for (int x : {1, 2}) { s += x; } if (s > 100)"
        " rep(i, 2) s++; if (s) do s--; while (s > 2); }",
        [(3, 1), (0, 0), (0, 0), (2, 1), (0, 0), (4, 1)],
    ),
    "labels and cases": (
        "void run() { int s = 0; again: for (int i = 0; i < 2; ++i) s++; if (s < 4) goto again;"
        " switch (s) { case 1: break; case 4: for (int x : {1}) s += x; while (s < 7) s++; break;"
        " default: do s++; while (s < 9); } }",
        [(4, 2), (1, 1), (2, 1), (0, 0)],
    ),
    "ways out": (
        "int f(int n) { for (int i = 0; i < 5; ++i) { if (i == n) return i; if (i == 3) break; }"
        " return -1; } void run() { f(1); f(4); int s = 0; while (true) { if (++s == 2) continue;"
        " if (s > 3) goto out; } out: try { for (;;) throw 1; } catch (int) { s = 9; }"
        " for (int i = 0; i < 3; i++) { if (i % 2) continue; s++; } }",
        [(6, 1), (4, 0), (1, 0), (3, 1)],
    ),
    "lambdas": (
        "void run() { int s = 0; auto f = [&](int n) { for (int i = 0; i < n; ++i) s += i;"
        " return s; }; f(2); f(3); function<void(int)> g = [&](int d) { for (int i = 0; i < d; ++i)"
        " g(d - 1); }; g(2); auto h = [](auto v) { for (auto x : v) v[0] += x; return v[0]; };"
        ' h(vector<int>{1, 2}); h(string("ab")); }',
        [(5, 2), (4, 5), (4, 2)],
    ),
    "lambdas in headers and arguments": (
        "int id(int x, function<int()> f) { return x + f(); } void run() { int s = 0;"
        " for (int x : [&] { vector<int> v; "
        "while (v.size() < 2) v.push_back(1); return v; }()) s += x;"
        " while ([&] { for (int i = 0; i < 2; ++i) s++; return s; }() < 8) s++;"
        " s = id(1, [&] { do s--; while (s > 3); return s; }) +"
        " id(2, [] { int t = 0; for (; t < 2;) t++; return t; }); }",
        [(2, 1), (2, 1), (2, 1), (6, 3), (7, 1), (2, 1)],
    ),
    "methods": (
        "struct S { int n = 0; vector<int> v; S(int k) : n(k) { while (k--) v.push_back(k); }"
        " int sum() const { int t = 0; for (int x : v) t += x; return t; } void out();"
        " static int two() { int t = 0; do t++; while (t < 2); return t; }"
        " bool operator<(const S &o) const { for (int i = 0; i < 1; i++) if (n) return n < o.n;"
        " return false; } ~S() { for (auto &x : v) x = 0; } };"
        " void S::out() { for (; n > 0; n--) v.pop_back(); }"
        " void run() { S s(3), t(0); s.sum(); S::two(); (void)(s < t); (void)(t < s); s.out(); }",
        [(3, 2), (3, 1), (2, 1), (2, 1), (0, 2), (3, 1)],
    ),
    "templates": (
        "template <class T> T total(const vector<T> &v) { T t{}; for (const T &x : v) t += x;"
        " return t; } template <class T> struct Box { vector<T> v; void fill(int n) { while (n--)"
        " v.push_back(T()); } }; template <int N> int count() { int c = 0; for (int i = 0; i < N;"
        " ++i) c++; return c; } void run() { total(vector<int>{1, 2}); total(vector<double>{1.5});"
        " Box<int> a; a.fill(2); Box<string> b; b.fill(1); count<3>(); count<1>(); }",
        [(3, 2), (3, 2), (4, 2)],
    ),
    "structured bindings and auto": (
        'void run() { map<int, string> m{{1, "a"}, {2, "b"}}; int s = 0;'
        " for (auto &[k, v] : m) s += k; for (const auto &[k, v] : m) { s += v.size(); }"
        " for (auto it = m.begin(); it != m.end(); ++it) s++; for (auto &&x : m) s += x.first; }",
        [(2, 1), (2, 1), (2, 1), (2, 1)],
    ),
    "conditions that declare": (
        "void run() { int n = 3; while (int k = n--) n -= k > 5; n = 2; "
        "for (; int k = n;) n -= k > 0;"
        " if (int q = 2; q) for (int i = 0; i < q; ++i) n++; }",
        [(3, 1), (2, 1), (2, 1)],
    ),
    "several on one line": (
        "void run() { int a = 0; for (int i = 0; i < 2; ++i) a++; for (int i = 0; i < 1; ++i) a++;"
        " while (a) { a--; } while (a < 2) a++; }",
        [(2, 1), (1, 1), (3, 1), (2, 1)],
    ),
    "comments and strings in between": (
        'void run() { string s; for (int i = 0; i < 2; ++i) // {\n s += "};{" /* ; */\n ; // done\n'
        "  while (s.size() > 3) /* { */ s.pop_back() /* } */;\n"
        '  for (char c : string("\';\\"")) { s += c; } // größer\n'
        '  for (char c : R"x({)" ;)x") { s += \'{\'; }\n'
        "  for (int i = 1'000; i < 1'002; ++i) s += '\\'';\n}",
        [(2, 1), (3, 1), (3, 1), (6, 1), (2, 1)],
    ),
    "tabs, line ends and continued lines": (
        "void run() {\r\n\tint s = 0;\r\n\tfor (int i = 0;\r\n"
        "\t     i < 2;\r\n\t     ++i)\r\n\t\ts++\r\n"
        "\t\t;\r\n\twhile (s)\r\n\t{\r\n\t\ts--;\r\n\t}\r\n\tdo\r\n"
        "\t\ts++;\r\n\twhile (s < 3)\r\n\t;\r\n"
        "\tfor (int x : {1}) \\\r\n\t\ts += \\\r\n\t\tx;\r\n}\r\n",
        [(2, 1), (2, 1), (3, 1), (1, 1)],
    ),
    "alternatives by the preprocessor": (
        "void run() { int s = 0;\n#ifdef LOCAL\nfor (int i = 0; i < 9; ++i) {\n#else\n"
        "for (int i = 0; i < 2; ++i) {\n#endif\n s++; }\nwhile (s)\n"
        "#ifdef LOCAL\n ++s;\n#else\n --s;\n"
        "#endif\n}",
        [(2, 1), (2, 1)],
    ),
    "bodies that are statements with statements": (
        "void run() { int s = 0; for (int i = 0; i < 2; ++i) if (i) s++; else s--;"
        " for (int i = 0; i < 2; ++i) switch (i) { case 0: s++; } for (int i = 0; i < 2; ++i) try {"
        " s++; } catch (...) { s--; } for (int i = 0; i < 2; ++i) if (i) { s++; }"
        " for (int i = 0; i < 2; ++i) { int a[2]{}; s += a[0]; } for (int i = 0; i < 2; ++i) [&] {"
        " s++; }(); for (int i = 0; i < 2; ++i) int q = i; for (int i = 0; i < 2; ++i) { } }",
        [(2, 1)] * 8,
    ),
    "attributes": (
        "void run() { int s = 0; if (s == 0) [[likely]] for (int i = 0; i < 2; ++i) [[likely]] s++;"
        " for ([[maybe_unused]] int x : {1, 2}) s++; }",
        [(2, 1), (2, 1)],
    ),
    "the global initialiser and the statement expression": (
        "int g = [] { int t = 0; for (int i = 0; i < 3; ++i) t += i; return t; }();"
        " void run() { int s = ({ int r = 2; while (r) r--; r; }); }",
        [(3, 1), (2, 1)],
    ),
    "a class in a function, and a friend in a class": (
        "struct V { int n; friend int size(const V &v) { int t = 0; "
        "while (t < v.n) t++; return t; } };"
        " void run() { struct In { int f(int u) { while (u) u--; return u; } } in; in.f(2);"
        " size(V{3}); }",
        [(3, 1), (2, 1)],
    ),
    "a macro's header in a branch and after a label": (
        "void run() { int s = 0; if (!s) rep(i, 2) s++; else rep(i, 3) s--; "
        "here: rep(i, 2) { s++; }"
        " if (s < 0) goto here; }",
        [(2, 1), (0, 0), (2, 1)],
    ),
}


@dataclass(frozen=True, slots=True)
class _Piece:
    offset: int
    opens: bool
    other_end: float
    """Of two that open at one place the longer comes first, of two that close the shorter."""
    text: bytes


def _edited(source: CppSource, loops: Sequence[CppLoop], first: int = 0) -> bytes:
    """The text with a call at each body's start and after each loop, by the loops' numbers."""
    pieces: list[_Piece] = []
    for number, loop in enumerate(loops, first):
        begins, ends = b" begins(%d);" % number, b" ends(%d);" % number
        if loop.braced:
            pieces.append(_Piece(loop.body_start + 1, True, loop.body_start + 1, begins))
        else:
            pieces.append(_Piece(loop.body_start, True, loop.body_end + 0.5, b"{" + begins))
            pieces.append(_Piece(loop.body_end, False, loop.body_start - 0.5, b"}"))
        if not loop.alone:
            pieces.append(_Piece(loop.start, True, loop.end, b"{"))
            ends += b"}"
        pieces.append(_Piece(loop.end, False, loop.start, ends))
    pieces.sort(key=lambda piece: (piece.offset, piece.opens, -piece.other_end))
    return apply(source.code, [insert(piece.offset, piece.text) for piece in pieces])


@pytest.mark.parametrize("name", SNIPPETS)
def test_what_is_inserted_stands_first_in_the_body_and_right_after_the_loop(name: str) -> None:
    """As libclang reads the edited text; it still compiles, and its loops are the same."""
    text, counts = SNIPPETS[name]
    source = read(HEAD + "void begins(int); void ends(int);\n" + text)
    loops = find_loops(source)
    assert [loop.uneditable for loop in loops] == [""] * len(counts)
    edited = read(_edited(source, loops))
    nodes = sorted(loop_nodes(edited), key=lambda node: node.start)
    assert len(nodes) == len(loops)
    for number, node in enumerate(nodes):
        body = header(edited, node).body
        assert body.kind == "COMPOUND_STMT"
        inside = body.children[0]
        assert edited.code[inside.start : inside.end] == b"begins(%d)" % number
        assert node.parent is not None
        assert node.parent.kind == "COMPOUND_STMT"
        after = node.parent.children[node.parent.children.index(node) + 1]
        assert edited.code[after.start : after.end] == b"ends(%d)" % number


@pytest.mark.slow
@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_is_inserted_counts_iterations_and_normal_ends(compiler: str) -> None:
    """One program of all the snippets, each in a namespace of its own, compiled and run."""
    pieces: list[bytes] = []
    expected: Counts = []
    for number, (text, counts) in enumerate(SNIPPETS.values()):
        source = read(HEAD + "void begins(int); void ends(int);\n" + text)
        start = source.code.index(b"void ends(int);\n") + len(b"void ends(int);\n")
        edited = _edited(source, find_loops(source), len(expected))
        pieces.append(b"namespace s%d {\n%s\n}\n" % (number, edited[start:]))
        expected += counts
    program = (
        HEAD.encode()
        + b"#include <cstdio>\nint begun[999], ended[999];\n"
        + b"void begins(int n) { begun[n]++; }\nvoid ends(int n) { ended[n]++; }\n"
        + b"".join(pieces)
        + b"int main() {\n"
        + b"".join(b"s%d::run();\n" % number for number in range(len(pieces)))
        + b'for (int i = 0; i < %d; ++i) printf("%%d %%d\\n", begun[i], ended[i]);\n}\n'
        % len(expected)
    )
    lines = printed(program, compiler).decode().splitlines()
    counted = [tuple(map(int, line.split())) for line in lines]
    names = [f"{name}, loop {k}" for name, (_, c) in SNIPPETS.items() for k in range(len(c))]
    wrong = {
        name: (got, right)
        for name, got, right in zip(names, counted, expected, strict=True)
        if got != right
    }
    assert not wrong


UNEDITABLE = {
    "a whole loop": (
        "#define fill(v) for (auto &x : v) { x = 0; }\nvoid f() { int v[3]; fill(v) }",
        1,
    ),
    "a loop as an argument": (
        "#define run(x) x\nvoid f() { run(for (int i = 0; i < 2; ++i) {}) }",
        1,
    ),
    "braces": ("#define BEGIN {\nvoid f() { while (true) BEGIN break; } }", 1),
    "a closing brace": ("#define END }\nvoid f() { while (true) { break; END }", 1),
    "a header with its brace": (
        "#define rep(n) for (int i = 0; i < n; ++i) {\nvoid f() { rep(2) } }",
        1,
    ),
    "two loops in one": (
        "#define grid(i, j, n) for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j)\n"
        "void f() { grid(i, j, 3) { } }",
        2,
    ),
    "a condition after the header": (
        "#define odd(i, n) for (int i = 0; i < n; ++i) if (i % 2)\nvoid f() { odd(i, 3) { } }",
        1,
    ),
    "a condition before the header": (
        "#define some(n) if (n) for (int i = 0; i < n; ++i)\nvoid f(int n) { some(n) { } }",
        1,
    ),
    "a statement with its semicolon": (
        "#define step(x) ++x;\nvoid f(int n) { while (n < 3) step(n) --n; }",
        1,
    ),
    "two statements": ("#define both(x) ++x; --x\nvoid f(int n) { while (n < 3) both(n); }", 1),
    "two statements, by another macro": (
        "#define both(x) ++x; --x\n#define more(x) both(x)\n"
        "void f(int n) { while (n < 3) more(n); }",
        1,
    ),
    "a constexpr function": (
        "constexpr int f(int n) { int t = 0; while (n--) t += n; return t; }\nint x = f(3);",
        1,
    ),
    "a constexpr function, by a macro": (
        "#define CE constexpr\nCE int f(int n) { int t = 0; while (n--) t += n; return t; }",
        1,
    ),
    "a constexpr lambda": (
        "constexpr int x = [] { int t = 0; while (t < 3) ++t; return t; }();",
        1,
    ),
    "its `else`": (
        "#define otherwise else while (n < 3)\nvoid f(int n) { if (n) ++n; otherwise ++n; }",
        1,
    ),
    "an argument that stands twice": (
        "#define twice(x) (x) + (x)\n"
        "int f() { return twice([] { while (true) break; return 1; }()); }",
        2,
    ),
}


@pytest.mark.parametrize("name", UNEDITABLE)
def test_what_cannot_be_trusted_is_uneditable_and_says_why(name: str) -> None:
    text, number = UNEDITABLE[name]
    loops = find_loops(read(text))
    assert len(loops) == number
    assert all(loop.uneditable for loop in loops), loops


@pytest.mark.parametrize("body", ["<% break; %>", "<% break; }", "{ break; %>"])
def test_digraphs_are_called_what_they_are(body: str) -> None:
    (loop,) = find_loops(read(f"void f() {{ while (true) {body} }}"))
    assert loop.uneditable == "its body's braces are written as digraphs"


@pytest.mark.parametrize("end", ["\\\n", "\\ \t\n", "\\\r\n", "\\ \r\n"])
def test_a_comment_may_go_on_in_the_next_line(end: str) -> None:
    """Compilers let blanks stand between the backslash and the end of the line."""
    source = read(f"void f(int n) {{\n  while (n) n-- // down {end} ; and on\n  ;\n}}\n")
    (loop,) = find_loops(source)
    assert loop.uneditable == ""
    assert loop.end == source.code.rindex(b";") + 1


def _facts(text: str) -> Iterator[tuple[int, str, int, str]]:
    source = read(text)
    for loop in find_loops(source):
        yield loop.line, loop.kind, loop.depth, " ".join(sorted(loop.targets))


def test_kind_line_depth_and_targets() -> None:
    """Depth counts the loops of one function; targets are bound or stepped by the header."""
    found = list(
        _facts(
            HEAD
            + """\
void f(vector<int> v, map<int, int> m) {
  for (int i = 0, j = 9; i < j; i++, j -= 2)
    for (auto it = v.begin(); it != v.end(); ++it) {
      auto g = [&] { while (i--) do j = next_(j); while (j); };
      struct L { void h(int k) { for (;;) { break; } } };
    }
  for (auto [a, b] : m) for (int x : v) x = a;
  for (int i = 0; i < 3; i = i * 2 + 1) { i++; }
  while (int w = v.size()) { v.pop_back(); }
  rep(q, 3) {}
}
""".replace("next_(j)", "j - 1")
        )
    )
    first = HEAD.count("\n") + 1
    assert [(line - first, kind, depth, targets) for line, kind, depth, targets in found] == [
        (1, "for", 1, "i j"),
        (2, "for", 2, "it"),
        (3, "while", 1, ""),
        (3, "do", 2, ""),
        (4, "for", 1, ""),
        (6, "range for", 1, "a b"),
        (6, "range for", 2, "x"),
        (7, "for", 1, "i"),
        (8, "while", 1, "w"),
        (9, "for", 1, "q"),
    ]


def test_a_loop_is_named_by_its_keyword_or_the_use_of_its_macro() -> None:
    """Offsets count bytes, whatever characters and line ends came before."""
    text = "// größer\r\n#define each(n) for (int i = 0; i < n; ++i)\r\n/* ß */ void f() {\r\n"
    text += "  each(3) { while (false) {} }\r\n}\r\n"
    source = read(text.encode())
    loops = find_loops(source)
    assert [source.code[loop.offset :].split(b"(")[0].strip() for loop in loops] == [
        b"each",
        b"while",
    ]
    assert [loop.text for loop in loops] == ["each(3) { while (false) {} }", "while (false) {} }"]
    assert [loop.line for loop in loops] == [4, 4]


def test_range_for_with_a_first_statement() -> None:
    """libclang does not visit that statement; what it declares is not taken for what is outside."""
    code = b"#include <vector>\nint f(std::vector<int> v, int c) {\n"
    code += b"  for (int c = 1; auto x : v) c += x;\n  return c;\n}\n"
    (loop,) = find_loops(read_cpp(code, "gnu++20", find_toolchain().system_includes()))
    assert (loop.kind, sorted(loop.targets), loop.uneditable) == ("range for", ["x"], "")
    assert set(loop.names) == {"v"}


def test_what_goes_through_an_unordered_container_is_known() -> None:
    source = read(
        "#include <unordered_map>\n#include <set>\n#include <unordered_set>\nusing namespace std;\n"
        "typedef unordered_map<int, int> M;\n"
        "void f(M m, const unordered_set<int> &s, set<int> t) {\n"
        "  for (auto &x : m) {}\n  for (int x : s) {}\n  for (int x : t) {}\n"
        "  for (int x : unordered_multiset<int>{1}) {}\n}\n"
    )
    assert [loop.iterates_set for loop in find_loops(source)] == [True, True, False, True]


NAMES = {
    "locals, parameters and globals": (
        "int g; static int h; int f(int p) { int a; { int b; "
        "} for (int i = 0;;) { int c; } int d; }",
        "a g h p",
    ),
    "the innermost of a name": ("int a; void f(int a) { { int a; while (a) {} } }", "a"),
    "hidden by the header": ("int n; void f(int a) { for (int n = 0, a = 1;;) {} }", ""),
    "hidden by a type or a function": (
        "int a, b, c; void f() { struct a {}; using b = int; enum { c }; while (true) {} }",
        "",
    ),
    "members": (
        "int g; struct S { int m; static int s; int m2() { while (m) {} return 0; } int late; };",
        "g late m s",
    ),
    "members by a definition outside": (
        "struct S { int m; void f(int); }; int g; void S::f(int k) { while (m) {} }",
        "g k m",
    ),
    "members of a base": (
        "struct A { int a, b; }; struct B : A { int b; void f() { while (a) {} } };",
        "a b",
    ),
    "no members in a static method or a friend": (
        "struct S { int m; static int s; static void f() { while (true) {} } };",
        "s",
    ),
    "no members of an outer class": (
        "struct S { int m; static int s; struct In { int n; void f() { while (n) {} } }; };",
        "n s",
    ),
    "no locals of an outer function": (
        "int g; void f(int p) { static int s; struct L { int m; void h() { while (m) {} } }; }",
        "g m s",
    ),
    "namespaces": (
        "namespace a { int x; } namespace b { int y; namespace { int z; "
        "} void f() { while (y) {} } }",
        "y z",
    ),
    "a namespace opened again": (
        "namespace a { int x; } int g; namespace a { void f() { while (x) {} } }",
        "g x",
    ),
    "a lambda that captures": (
        "int g; void f(int p, int q) { int a = 0, b = 0; auto h = [&](int k) { while (a) {} }; }",
        "a g k",
    ),
    "a lambda with its own captures": (
        "void f(int p) { int a = 0; auto h = [n = a, &p] { while (n) {} }; }",
        "n p",
    ),
    "a lambda in a method": (
        "struct S { int m, n; void f(int p) { auto h = [&] { while (m) {} }; } };",
        "m",
    ),
    "structured bindings": (
        "struct P { int x, y; }; void f(P p) { auto [a, b] = p; while (a) {} }",
        "a b p",
    ),
    "what a condition declares": ("void f(int n) { if (int k = n; k) while (n) {} }", "k n"),
    "a macro's": (
        "#define VAR(t, n) t n\nVAR(int, g); void f() { VAR(int, a); while (a) {} }",
        "a g",
    ),
    "template parameters are no variables": (
        "int T; template <class T, int N> void f(T t) { while (N) {} }",
        "t",
    ),
    "a caught exception": ("void f() { try {} catch (int e) { while (e) {} } }", "e"),
}


@pytest.mark.parametrize("name", NAMES)
def test_names_are_the_variables_that_body_and_rest_share(name: str) -> None:
    text, names = NAMES[name]
    (loop,) = find_loops(read(text))
    assert " ".join(sorted(loop.names)) == names


def test_names_stand_for_the_innermost_declaration() -> None:
    source = read(
        "int a;\nvoid f(int a) {\n  {\n    int a = 1;\n    while (a) {}\n  }\n  while (a) {}\n}"
    )
    lines = [loop.names["a"].location.line for loop in find_loops(source)]
    assert lines == [4, 2]


READS = (
    HEAD
    + """\
#include <cstdio>
#include <unistd.h>
template <class T> void rd(T &x) { cin >> x; }
template <class T> void rdv(vector<T> &v) { for (auto &x : v) rd(x); }
struct In {
  template <class T> operator T() { T x; cin >> x; return x; }
  int next() { return getchar(); }
} in;
struct Solver { int n; Solver() { scanf("%d", &n); } void run() { while (n) n--; } };
istream &is = cin;
int later();
int plain(int x) { return x + 1; }
"""
)


@pytest.mark.parametrize(
    ("loop", "reads"),
    [
        ("while (t--) { cin >> t; }", True),
        ("while (cin >> t) {}", True),
        ("for (int i = 0; i < t; ++i) rd(t);", True),
        ("while (t--) rdv(v);", True),
        ("while (t--) { int k = in; }", True),
        ("while (t--) t = in.next();", True),
        ("while (t--) Solver s;", True),
        ("while (getline(is, w)) {}", True),
        ("while (t--) later();", True),
        ("while ((t = getchar()) != EOF) {}", True),
        ("while (read(0, &t, 1) > 0) {}", True),
        ("while (fgets(&w[0], 3, stdin)) {}", True),
        ("auto f = [&] { cin >> t; }; while (t--) f();", True),
        ("function<int()> f; f = [&] { return later(); }; while (t--) f();", True),
        ("istream &mine = cin; while (mine >> t) {}", True),
        ("auto *mine = &cin; while (*mine >> t) {}", True),
        ("for (int i = later(); i < 3; ++i) {}", False),
        ("for (int x : {later(), 2}) t += x;", False),
        ("while (t--) t = plain(t);", False),
        ("Solver s; while (t--) s.run();", False),
        ("while (t--) cout << t;", False),
    ],
)
def test_reading_of_standard_input(loop: str, reads: bool) -> None:
    """Directly, by another name, or through the program's functions."""
    source = read(
        READS + f"int f(int t, vector<int> v, string w) {{ {loop} return 0; }}\n"
        "int later() { int x; cin >> x; return x; }\n"
    )
    found = find_loops(source)
    assert found[-1].reads_stdin == reads
    assert found[0].reads_stdin
    assert not found[1].reads_stdin


def test_a_string_stream_is_not_standard_input() -> None:
    source = read(
        "#include <sstream>\nint f(std::string s) { std::istringstream in(s); int t = 0, x;\n"
        "  while (in >> x) t += x;\n  return t; }\n"
    )
    (loop,) = find_loops(source)
    assert not loop.reads_stdin
