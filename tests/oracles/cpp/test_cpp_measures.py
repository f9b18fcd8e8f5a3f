"""Complexity and nesting of C++ text follow their stated conventions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.oracles.cpp_measures import cyclomatic, nesting

DECISIONS = {
    "int f() { return 1; }": 0,
    "if (a) b; else if (c) d; else e;": 2,
    "if constexpr (a) b;": 1,
    "for (;;) a; for (auto x : v) b; while (c) d;": 3,
    "do a; while (b);": 1,
    "do { a; } while (b); while (c) d;": 2,
    "switch (a) { case 1: case 2: b; default: c; }": 2,
    "try { a; } catch (int) { } catch (...) { }": 2,
    "x = a ? b : c ? d : e;": 2,
    "x = a && b || !c && d;": 3,
    "x = a and b or not c;": 2,
    "x = (a > b) && (c >> 1) && d[0] && f() && *p && !q && 1 && x;": 7,
    "template <class T, typename... U> void f(T &&a, U &&...b, auto &&c, int &&, T &&);": 0,
    "vector<int> &&f(vector<vector<int>> &&a) && noexcept; S &&operator=(S &&) && { }": 0,
    "auto &&[a, b] = c; for (auto &&x : v) d; using R = int &&; x = static_cast<T &&>(y);": 1,
    "bool operator&&(A, B); bool operator||(A, B); bool operator and(A, B);": 0,
    "goto *p; void *p = &&here; x = {&&one, &&two};": 0,
    '"if (a && b)"; /* for (;;) ? */ // while (c) ||\n \'?\'; R"(case 1:)"': 0,
    "#if A && B\n#define rep(i, n) for (;;) if (a ? b : c)\n#endif\nrep(i, n) x;": 0,
    "[&](int x) { return x ? 1 : 2; }(3);": 1,
}


@pytest.mark.parametrize("code", DECISIONS)
def test_decisions_are_counted(code: str) -> None:
    """Each of them adds one to the one that every file has."""
    assert cyclomatic(code.encode()) == 1 + DECISIONS[code]


DEPTHS = {
    "int f() { return 1; }": 0,
    "{ { { } } }": 0,
    "if (a) b; for (;;) c; while (d) { e; }": 1,
    "if (a) b; else if (c) d; else if (e) f; else g;": 1,
    "if (a) b; else { if (c) d; }": 2,
    "if (a) b; else if (c) { while (d) e; }": 2,
    "for (;;) for (;;) for (;;) a;": 3,
    "do do a; while (b); while (c);": 2,
    "switch (a) { case 1: if (b) c; default: while (d) do e; while (f); }": 3,
    "try { for (;;) a; } catch (...) { if (b) { while (c) d; } }": 3,
    "if (a) x = [&] { while (b) c; }; d;": 2,
    "while (a) { b; } if (c) { d; }": 1,
    "rep(i, n) rep(j, m) { if (a) b; }": 1,
    "struct S { void f() { if (a) b; } }; void g() { for (;;) { if (c) d; } }": 2,
}


@pytest.mark.parametrize("code", DEPTHS)
def test_statements_that_nest_are_counted(code: str) -> None:
    """With or without braces; an `else if` stands where its `if` does."""
    assert nesting(code.encode()) == DEPTHS[code]


@given(
    st.one_of(
        st.binary(max_size=60),
        st.lists(
            st.sampled_from(["if", "(", ")", "{", "}", "else", "do", "while", "&&", "?", "x", ";"]),
            max_size=40,
        ).map(lambda words: " ".join(words).encode()),
    )
)
def test_any_text_has_measures(code: bytes) -> None:
    assert cyclomatic(code) >= 1
    assert nesting(code) >= 0
