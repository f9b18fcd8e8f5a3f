"""A straightened program has the same tokens, each beginning the line that it stood in."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.cpp.observed import needs_clang, plain

from deskcheck.oracles.runtimes.cpp.lexing import Token, tokens
from deskcheck.oracles.runtimes.cpp.straightening import straightened

PIECES = st.sampled_from(
    [
        *("a", "for (;;)", "x;", "(", ")", " ", "\n", "\r\n", "\\\n", "// c\n", "// c \\\n d\n"),
        *("/* c */", "/* c\n d */", '"s"', '"s\\\nt"', 'R"(r)"', 'R"-(r"\n\n)-"', "_suffix", "'c'"),
        *("\n#define rep(i, n) a /*\n*/ b\n", "rep(1,\n 2)", "rep", "\n#undef x\n", "rep /*\n*/ ("),
    ]
)


def words(code: bytes) -> list[Token]:
    return [token for token in tokens(code) if token.kind != "comment"]


def line_breaks(code: bytes) -> int:
    return len(re.findall(rb"\r\n|\r|\n", code))


@given(st.lists(PIECES, max_size=20))
def test_tokens_and_lines_are_kept(pieces: list[str]) -> None:
    """Every token but a folded string is as it was; outside of macros, so is its line."""
    code = "".join(pieces).encode()
    result = straightened(code)
    assert line_breaks(result) == line_breaks(code)
    before, after = words(code), words(result)
    assert len(before) == len(after), result
    calls = any("rep" in piece for piece in pieces)
    end = 0
    for old, new in zip(before, after, strict=True):
        assert old.kind == new.kind
        assert old.text == new.text or old.kind == "string"
        assert new.kind == "directive" or not line_breaks(new.text.encode("latin-1"))
        if not calls and old.start > end:  # what touches a string may be its suffix
            assert line_breaks(code[: old.start]) == line_breaks(result[: new.start])
        end = old.end


def test_what_follows_a_line_break_begins_its_line() -> None:
    """Behind comments, strings, continued lines and the arguments of macros."""
    code = """\
#define rep(i, n) for (;;)
/* a
 */ b; rep(i, // x
  f(1,
    2)) c; "s\\
t" d; e \\
 f; R"(
)"_g h; k(1,
2) l; /* m */ n;
"""
    lines = [" ".join(line.split()) for line in straightened(code.encode()).decode().split("\n")]
    assert lines == [
        *("#define rep(i, n) for (;;)", "", "b; rep(i, f(1, 2))", "", 'c; "st"', "d; e"),
        *('f; "\\012"_g', "h; k(1,", "2) l; /* m */ n;", ""),
    ]


def test_arguments_with_directives_are_left_alone() -> None:
    code = b"#define f(x) x\nf(1 +\n#if 1\n2\n#endif\n) g;\n"
    assert straightened(code) == code


def test_a_plain_source_is_left_alone() -> None:
    code = (
        b'// a \\\n b\n#define x \\\n R"(\n)"\n'
        b'R"(x)" // R"(\n "R\\"(" R"(y)" /* c */\r\n\tf(1,\n2);\n'
    )
    assert straightened(code) == code


@needs_clang
def test_a_raw_string_keeps_its_value() -> None:
    """Escapes, quotes, trigraphs, line breaks and bytes past ASCII."""
    code = (
        '#include <cstdio>\nint main() { fputs(R"(a\\n"\'??=\n\té\\x41 1\n\n)" "|" u8R"x(\n)")x"'
        ', stdout); printf("%d", __LINE__); }'
    )
    changed = straightened(code.encode()).decode()
    assert 'R"' not in changed
    assert plain(changed) == plain(code)
