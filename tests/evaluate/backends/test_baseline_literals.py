"""Printed literals: what a source prints as it stands is found, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.evaluate.floors.cpp_literals import printed_by_cpp
from deskcheck.evaluate.floors.python_literals import printed_by_python


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("print('a')\nprint(b)", ["a"]),
        ("print(x, 'found', y)", ["found"]),
        ("print(-1)\nprint(1.50, None, True)", ["-1", "1.5", "None", "True"]),
        ("print('YES' if ok else 'NO')", ["YES", "NO"]),
        ("print(['NO', 'YES'][ok], best or 'none')", ["NO", "YES", "none"]),
        ("print([1, 2], (), 'a' 'b')", ["[1, 2]", "()", "ab"]),
        ("print(f'{x} left', 'all %d' % x, '{}'.format(x), 'a' + b, ','.join(c))", []),
        ("print(x, sep=', ', end='')", []),
        ("print('lost', file=sys.stderr)\nprint('kept', file=sys.stdout)", ["kept"]),
        ("import sys\nsys.stdout.write('a\\n')\nsys.stderr.write('b')", ["a\n"]),
        ("sys.stdout.buffer.write(b'raw')\nsys.stdout.buffer.write(b'\\xff')", ["raw"]),
        ("out = sys.stdout\nw = out.write\nw('one')\nout.write('two')", ["one", "two"]),
        ("say = print\nsay('said')\nlog('not')\nfile.write('nor this')", ["said"]),
        ("def f():\n    print('inner')\n\n\nprint('outer')", ["inner", "outer"]),
        ("\ufeffprint('after a mark')", ["after a mark"]),
        ("print('\\d')", ["\\d"]),
        ("print(0x" + "f" * 4000 + ")", []),
        ("print('unclosed", []),
    ],
)
def test_literals_that_a_python_source_prints(source: str, printed: list[str]) -> None:
    """Whole arguments and branches of choices count, in source order; built texts do not."""
    assert printed_by_python(source) == printed


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ('cout << "a" << x << "b\\n";', ["a", "b\n"]),
        ('std::cout << (ok ? "YES" : "NO") << endl;', ["YES", "NO"]),
        ("cout << -1 << ' ' << 0 << 'c' << 10LL;", ["-1", " ", "0", "c", "10"]),
        ('cout << x - 1 << 1 + 2 << setw(3) << a[0] << f("g") << "q" + s;', []),
        ('if (ok) cout << "one"; else cerr << "two"; string s = "three";', ["one"]),
        ("puts(\"x\\x41\\102\\t\");putchar('z');", ["xAB\t", "z"]),
        ('printf("%d items\\n", n); printf("none\\n"); printf("100%%");', ["none\n", "100%%"]),
        ('printf("%s\\n", ok ? "YES" : "NO");', ["YES", "NO"]),
        ('println("{} left", n); println("done");', ["done"]),
        ('cout << "two" " parts" << R"x(raw "(text)")x";', ["two parts", 'raw "(text)"']),
        ('// cout << "a";\n/* cout << "b"; */ cout << "c";', ["c"]),
        ('#include "cout"\n  #define no cout << "NO"\n#pragma x "cout << y"\n', ["NO"]),
        ('log("cout"); cin >> x; x = y << 3;', []),
        ('cout << "unclosed', []),
    ],
)
def test_literals_that_a_cpp_source_prints(source: str, printed: list[str]) -> None:
    """Whole operands of a stream, whole arguments and branches count; formats do not."""
    assert printed_by_cpp(source) == printed


PIECES = st.sampled_from(
    [
        *('"', "'", "\\", "cout", "<<", ";", "(", ")", "?", ":", "printf(", 'R"x(', ')x"', "#"),
        *("/*", "*/", "//", "print(", "if", "\n", "-", "1", "e", "{", "}", "[", "]", ",", " ", "é"),
        "\0",
    ]
)


@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=60).map("".join)))
def test_any_text_has_some_literals_or_none(source: str) -> None:
    """However broken a source is, reading it is no error."""
    for printed in (printed_by_python(source), printed_by_cpp(source)):
        assert all(isinstance(text, str) for text in printed)


def test_a_long_source_is_read_in_proportion() -> None:
    """Openings that nothing closes, as many as a program may have, hang no reader."""
    for piece in ('"', "'", "(", 'R"x(', "/*", "cout<<", '"a" ', "# \\\n", "-", "1'"):
        printed_by_cpp(piece * (32_000 // len(piece)))
    for piece in ("print(", "'", "[", "-", "1 if x else "):
        printed_by_python(piece * (32_000 // len(piece)))
