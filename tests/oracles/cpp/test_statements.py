"""Control statements are found where a compiler finds them, by tokens alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.oracles.runtimes.cpp.lexing import tokens
from deskcheck.oracles.runtimes.cpp.statements import (
    LOOPS,
    Control,
    constant_evaluated,
    control_statements,
)


def controls(code: str) -> list[Control]:
    return control_statements(tokens(code.encode()))


def loops(code: str) -> list[tuple[str, str, str]]:
    """Kind, statement and body of each loop."""
    return [
        (found.kind, code[found.start : found.end], code[found.body_start : found.body_end])
        for found in controls(code)
        if found.kind in LOOPS
    ]


CASES = {
    "bodies of every kind": (
        "for (;;) { a; } while (x) a; do a; while (x); do { a; } while (x); for (;;) ;",
        [
            ("for", "for (;;) { a; }", "{ a; }"),
            ("while", "while (x) a;", "a;"),
            ("do", "do a; while (x);", "a;"),
            ("do", "do { a; } while (x);", "{ a; }"),
            ("for", "for (;;) ;", ";"),
        ],
    ),
    "for over a range": (
        "for (auto x : v) a; for (int i = 0; auto [k, v] : m) a; for (auto x : {1, b ? 2 : 3}) a;",
        [
            ("range for", "for (auto x : v) a;", "a;"),
            ("range for", "for (int i = 0; auto [k, v] : m) a;", "a;"),
            ("range for", "for (auto x : {1, b ? 2 : 3}) a;", "a;"),
        ],
    ),
    "a question in the head is no range": (
        "for (int i = a ? b : c; i; i--) x;",
        [("for", "for (int i = a ? b : c; i; i--) x;", "x;")],
    ),
    "an else belongs to the nearest if": (
        "while (a) if (b) c; else d; e;",
        [("while", "while (a) if (b) c; else d;", "if (b) c; else d;")],
    ),
    "an else of a block's if": (
        "while (a) if (b) { c; } else if (d) { e; } else f; g;",
        [
            (
                "while",
                "while (a) if (b) { c; } else if (d) { e; } else f;",
                "if (b) { c; } else if (d) { e; } else f;",
            )
        ],
    ),
    "an if inside an if takes one else": (
        "if (a) if (b) for (;;) c; else d; else while (e) f;",
        [("for", "for (;;) c;", "c;"), ("while", "while (e) f;", "f;")],
    ),
    "if constexpr and if with a declaration": (
        "for (;;) if constexpr (a) b; else c; for (;;) if (int x = f(); x) b; d;",
        [
            ("for", "for (;;) if constexpr (a) b; else c;", "if constexpr (a) b; else c;"),
            ("for", "for (;;) if (int x = f(); x) b;", "if (int x = f(); x) b;"),
        ],
    ),
    "a do inside a do": (
        "do do a; while (b); while (c); while (d) e;",
        [
            ("do", "do do a; while (b); while (c);", "do a; while (b);"),
            ("do", "do a; while (b);", "a;"),
            ("while", "while (d) e;", "e;"),
        ],
    ),
    "a do whose body is a while": (
        "do while (a) b; while (c);",
        [
            ("do", "do while (a) b; while (c);", "while (a) b;"),
            ("while", "while (a) b;", "b;"),
        ],
    ),
    "switch and its labels": (
        "while (a) switch (b) { case 1: c; case N::d: case x ? 1 : 2: e; default: f; } g;",
        [
            (
                "while",
                "while (a) switch (b) { case 1: c; case N::d: case x ? 1 : 2: e; default: f; }",
                "switch (b) { case 1: c; case N::d: case x ? 1 : 2: e; default: f; }",
            )
        ],
    ),
    "a loop behind a label": (
        "switch (a) { case 1: for (;;) b; again: while (c) d; default: do e; while (f); }",
        [
            ("for", "for (;;) b;", "b;"),
            ("while", "while (c) d;", "d;"),
            ("do", "do e; while (f);", "e;"),
        ],
    ),
    "a label as a body": (
        "for (;;) here: if (a) b; c;",
        [("for", "for (;;) here: if (a) b;", "here: if (a) b;")],
    ),
    "a case without a block": (
        "for (;;) switch (a) case 1: while (b) c; d;",
        [
            ("for", "for (;;) switch (a) case 1: while (b) c;", "switch (a) case 1: while (b) c;"),
            ("while", "while (b) c;", "c;"),
        ],
    ),
    "try and its handlers": (
        "for (;;) try { a; } catch (int) { while (b) c; } catch (...) { d; } e;",
        [
            (
                "for",
                "for (;;) try { a; } catch (int) { while (b) c; } catch (...) { d; }",
                "try { a; } catch (int) { while (b) c; } catch (...) { d; }",
            ),
            ("while", "while (b) c;", "c;"),
        ],
    ),
    "attributes": (
        "[[likely]] for (;;) [[unlikely]] { a; } while (b) [[x::y(1)]] c;",
        [
            ("for", "for (;;) [[unlikely]] { a; }", "[[unlikely]] { a; }"),
            ("while", "while (b) [[x::y(1)]] c;", "[[x::y(1)]] c;"),
        ],
    ),
    "lambdas in bodies, heads and arguments": (
        "for (auto f = [&] { while (a) b; }; f(); ) g([](int x) { do c; while (x); return 1; });",
        [
            (
                "for",
                "for (auto f = [&] { while (a) b; }; f(); )"
                " g([](int x) { do c; while (x); return 1; });",
                "g([](int x) { do c; while (x); return 1; });",
            ),
            ("while", "while (a) b;", "b;"),
            ("do", "do c; while (x);", "c;"),
        ],
    ),
    "lists in braces": (
        "for (;;) v = vector<int>{1, 2}; for (;;) int a[] = {1, {2}}, b{3}; c;",
        [
            ("for", "for (;;) v = vector<int>{1, 2};", "v = vector<int>{1, 2};"),
            ("for", "for (;;) int a[] = {1, {2}}, b{3};", "int a[] = {1, {2}}, b{3};"),
        ],
    ),
    "a local class as a body": (
        "for (;;) struct S { void f() { while (a) b; } } s; c;",
        [
            (
                "for",
                "for (;;) struct S { void f() { while (a) b; } } s;",
                "struct S { void f() { while (a) b; } } s;",
            ),
            ("while", "while (a) b;", "b;"),
        ],
    ),
    "methods, constructors and templates": (
        "struct S { S() : a{1} { while (a) b; } template <class T> void f() { for (;;) c; } };",
        [("while", "while (a) b;", "b;"), ("for", "for (;;) c;", "c;")],
    ),
    "a function that is one try": (
        "int f() try { for (;;) a; } catch (...) { while (b) c; }"
        " S::S() try : x(1) { do d; while (e); } catch (int) { }",
        [
            ("for", "for (;;) a;", "a;"),
            ("while", "while (b) c;", "c;"),
            ("do", "do d; while (e);", "d;"),
        ],
    ),
    "words in strings, comments and names": (
        'x = "for (;;)"; /* while (a) b; */ // do\n fortune(); while_ = dodo; R"(for)";',
        [],
    ),
    "digraphs": (
        "while (a) <% b; %> c<:0:> = 1;",
        [("while", "while (a) <% b; %>", "<% b; %>")],
    ),
    "operators of classes": (
        "for (;;) a.operator()(b); bool operator<(S x) { while (x) y; }",
        [
            ("for", "for (;;) a.operator()(b);", "a.operator()(b);"),
            ("while", "while (x) y;", "y;"),
        ],
    ),
    "statements in an expression": (
        "x = ({ for (;;) a; b; }); while (c) d;",
        [("for", "for (;;) a;", "a;"), ("while", "while (c) d;", "d;")],
    ),
    "pragmas between": (
        "for (;;)\n#pragma x for (\n{ a; }",
        [("for", "for (;;)\n#pragma x for (\n{ a; }", "{ a; }")],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_loops_of(name: str) -> None:
    """Every loop in textual order, with its whole statement and its body."""
    code, expected = CASES[name]
    assert loops(code) == expected


def test_braced_bodies_are_told_apart() -> None:
    """A body behind a label or an attribute has no brace of its own."""
    code = "for (;;) { } for (;;) ; for (;;) [[likely]] { } for (;;) here: { }"
    assert [found.braced for found in controls(code)] == [True, False, False, False]


def test_an_else_if_is_chained() -> None:
    code = "if (a) { if (b) c; } else if (d) e; else { if (f) g; }"
    assert [found.chained for found in controls(code)] == [False, False, True, False]


@dataclass(frozen=True, slots=True)
class Piece:
    """Text, and (kind, start, end, body start, body end) of each loop in it, in textual order."""

    text: str
    loops: tuple[tuple[str, int, int, int, int], ...] = ()


def joined(*parts: str | Piece) -> Piece:
    text, found = "", []
    for part in parts:
        if isinstance(part, str):
            text += part
            continue
        at = len(text)
        found += [(kind, *(place + at for place in places)) for kind, *places in part.loops]
        text += part.text
    return Piece(text, tuple(found))  # type: ignore[arg-type]


def a_loop(kind: str, head: Piece, body: Piece) -> Piece:
    if kind == "do":
        whole = joined("do ", body, " while (", head, ");")
        begin = 3
    else:
        word = "while" if kind == "while" else "for"
        inner = {
            "for": joined("int i = 0; ", head, "; i++"),
            "range for": joined("auto [p, q] : ", head),
            "while": head,
        }[kind]
        opening = joined(word, " (", inner, ") ")
        whole, begin = joined(opening, body), len(opening.text)
    own = (kind, 0, len(whole.text), begin, begin + len(body.text))
    return Piece(whole.text, tuple(sorted((own, *whole.loops), key=lambda found: found[1])))


def closed_if(condition: Piece, then: Piece, other: Piece) -> Piece:
    return joined("if (", condition, ") { ", then, " } else ", other)


SIMPLE = st.sampled_from(
    [
        *("x = a ? b : c;", ";", "int a[] = {1, {2}};", "return {1};", "f(g(1), {2, 3});"),
        *("goto here;", "struct S { int m[2]; } s;", "auto [a, b] = pair{1, 2};", "{ }"),
        *("x[\"for (;;)\"] = '{';", "y /* while { */ = // do {\n 1;", "break;", "using T = A::B;"),
    ]
).map(Piece)
CONDITION = st.sampled_from(["a < b", "f(x)[0]", "x == ':'", "!v.empty()", "T{}"]).map(Piece)


def _extended(statements: st.SearchStrategy[Piece]) -> st.SearchStrategy[Piece]:
    block = st.lists(statements, max_size=3).map(
        lambda inner: joined("{ ", *(part for piece in inner for part in (piece, " ")), "}")
    )
    lambdas = block.map(lambda body: joined("[&](int n) ", body, "(1)"))
    conditions = st.one_of(CONDITION, lambdas)
    wrapped: list[Callable[[Piece], Piece]] = [
        lambda inner: joined("if (x) { ", inner, " }"),
        lambda inner: joined("switch (x) { case 1: case A::b: ", inner, " default: ; }"),
        lambda inner: joined("here: ", inner),
        lambda inner: joined("try { ", inner, " } catch (...) { y; }"),
        lambda inner: joined("[[likely]] ", inner),
    ]
    return st.one_of(
        st.builds(a_loop, st.sampled_from(LOOPS), conditions, statements),
        block,
        st.builds(closed_if, conditions, statements, statements),
        st.builds(lambda how, inner: how(inner), st.sampled_from(wrapped), statements),
        lambdas.map(lambda value: joined("auto f = ", value, ";")),
    )


STATEMENTS = st.recursive(SIMPLE, _extended, max_leaves=12)


@given(st.lists(STATEMENTS, max_size=4))
def test_any_nesting_is_found_as_it_was_made(pieces: list[Piece]) -> None:
    """Every loop's kind, statement and body, in random programs."""
    made = joined("void f() { ", *(part for piece in pieces for part in (piece, " ")), "}")
    found = [
        (loop.kind, loop.start, loop.end, loop.body_start, loop.body_end)
        for loop in controls(made.text)
        if loop.kind in LOOPS
    ]
    assert found == list(made.loops), made.text


WORDS = st.sampled_from(
    [
        *("for", "while", "do", "if", "else", "switch", "try", "catch", "case", "default", "rep"),
        *("(", ")", "{", "}", "[", "]", "<%", "%>", "[[", "]]", ";", ":", "?", ",", "=", "x"),
        *("constexpr", "operator", '"{"', "//", "\n", "#define", "auto"),
    ]
)


@given(
    st.one_of(
        st.binary(max_size=60),
        st.lists(WORDS, max_size=40).map(lambda words: " ".join(words).encode()),
    )
)
def test_any_text_has_an_answer(code: bytes) -> None:
    """Positions lie in the text and in order, whatever it is."""
    found = tokens(code)
    for one in control_statements(found):
        assert 0 <= one.start <= one.body_start < one.body_end <= one.end <= len(code)
    for span in constant_evaluated(found):
        assert 0 <= span.start < span.end <= len(code)


def test_macros_that_stand_for_heads_are_guessed() -> None:
    """The statement after `rep(i, n)` is taken for its body."""
    code = "if (a) rep(i, n) { b; } while (c) rep(i, n) rep(j, m) if (d) e; else f; g;"
    assert loops(code)[0][1] == "while (c) rep(i, n) rep(j, m) if (d) e; else f;"
    assert code[controls(code)[0].start :].startswith("if (a) rep(i, n) { b; }")
    assert controls(code)[0].end == len("if (a) rep(i, n) { b; }")


CONSTANT = {
    "constexpr int f(int n) { for (;;) a; }": True,
    "static constexpr auto f(int n) -> int { for (;;) a; }": True,
    "consteval int f() noexcept { for (;;) a; }": True,
    "struct S { constexpr S(int a) : x{a}, y{a} { for (;;) b; } };": True,
    "constexpr auto f = [](int n) { for (;;) a; };": True,
    "auto f = [](int n) constexpr { for (;;) a; };": True,
    "constexpr int a = g([] { for (;;) a; }), b = 2;": True,
    "template <class T> requires requires(T t) { t.x; } constexpr int f() { for (;;) a; }": True,
    "constexpr bool operator==(S a, S b) { for (;;) c; }": True,
    "constexpr int N = 5; int f() { for (;;) a; }": False,
    "constexpr int a[]{1, 2}; int f() { for (;;) a; }": False,
    "constexpr int a[] = {1, 2}; int f() { for (;;) a; }": False,
    "constexpr int g() { return 1; } int f() { for (;;) a; }": False,
    "struct S { constexpr S() : x{1} { } void f() { for (;;) a; } };": False,
    "void f() { if constexpr (a) { for (;;) b; } }": False,
    "constexpr int g(int = 1); void f() { for (;;) b; }": False,
    "sort(a, b, [](int x) constexpr { return x; }); for (;;) b;": False,
}


@pytest.mark.parametrize("code", CONSTANT)
def test_what_is_constexpr_is_known_by_its_declaration(code: str) -> None:
    """Functions, lambdas and initialisers, but not what follows them nor `if constexpr`."""
    at = code.index("for")
    spans = constant_evaluated(tokens(code.encode()))
    assert any(span.holds(at) for span in spans) == CONSTANT[code]


def test_a_long_text_is_quick() -> None:
    """Nothing in a text makes the time grow faster than its length."""
    for piece in (
        "if (a) b; else ",
        "for (;;) ",
        "{",
        "(",
        "do x ",
        "case 1: ",
        "if x ",
        "f(a) b ",
    ):
        code = tokens((piece * (16 * 1024 // len(piece))).encode())
        begun = time.process_time()
        control_statements(code)
        constant_evaluated(code)
        assert time.process_time() - begun < 1, piece
