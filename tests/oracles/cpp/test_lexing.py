"""Tokens tell strings, comments and directives from code, and lose no byte."""

from __future__ import annotations

import time

from hypothesis import example, given
from hypothesis import strategies as st

from deskcheck.oracles.runtimes.cpp.lexing import tokens

PIECES = st.sampled_from(
    [
        *('"', "'", 'R"(', ')"', 'u8R"x(', ')x"', "//", "/*", "*/", "\\", "\\\n", "\n", "\r\n"),
        *("#define A", "#", "%:", "1'000", "0x1p-3", "1e+5", "a", "u8", "L'", "<%", "::", "<::"),
        *("...", "->*", "<=>", " ", "\t", "(", ")", "{", "}", ";", "\xff", "\x00", "`"),
    ]
)
TEXTS = st.one_of(
    st.binary(max_size=80),
    st.lists(PIECES, max_size=30).map(lambda pieces: "".join(pieces).encode("latin-1")),
)


def kinds(code: str) -> list[tuple[str, str]]:
    return [(token.kind, token.text) for token in tokens(code.encode())]


def words(code: str) -> list[str]:
    return [token.text for token in tokens(code.encode())]


@given(TEXTS)
@example(b'R"(')
@example(b"'\\")
@example(b"#\\\r\n")
def test_tokens_and_white_space_are_the_whole_text(code: bytes) -> None:
    """Tokens come in order, none is empty, and between them are blanks and line splices only."""
    done = 0
    for token in tokens(code):
        gap = code[done : token.start]
        assert not gap.replace(b"\\", b"").strip(), (gap, token)
        assert token.start < token.end
        assert token.text == code[token.start : token.end].decode("latin-1")
        done = token.end
    assert not code[done:].replace(b"\\", b"").strip()


def test_numbers_may_have_separators_and_signed_exponents() -> None:
    numbers = ["1'000'000", "0x1.8p-3", "1e+5", ".5f", "0b1'0", "12ull", "1.", "1..2"]
    assert kinds(" ".join(numbers)) == [("number", number) for number in numbers]
    assert words("x+1-e") == ["x", "+", "1", "-", "e"]


def test_a_separator_begins_no_character() -> None:
    assert words("f(1'000, 'a')") == ["f", "(", "1'000", ",", "'a'", ")"]


def test_strings_keep_what_looks_like_code() -> None:
    strings = ['"for // (\\" {"', "'\\''", "'{'", 'u8"x"', "L'}'", 'U"/*"']
    assert words(" ".join(strings)) == strings


def test_raw_strings_end_at_their_own_fence() -> None:
    raw = 'LR"ab(x)" )a" \\ // )ab"'
    assert kinds(f"f({raw});")[2] == ("string", raw)
    assert kinds('R"()";')[0] == ("string", 'R"()"')
    assert words('R"( " )" ;') == ['R"( " )"', ";"]


def test_what_is_not_closed_ends_somewhere() -> None:
    """Strings and characters with their line, comments and raw strings with the text."""
    assert words('"abc\nd') == ['"abc', "d"]
    assert words("'abc\nd") == ["'abc", "d"]
    assert words('"abc\\\nd" e') == ['"abc\\\nd"', "e"]
    assert words("a /* b\nc") == ["a", "/* b\nc"]
    assert words('a R"x( b\n)" c') == ["a", 'R"x( b\n)" c']


def test_comments_are_tokens() -> None:
    assert kinds("a /* for */ b // c \\\n d\ne") == [
        ("identifier", "a"),
        ("comment", "/* for */"),
        ("identifier", "b"),
        ("comment", "// c \\\n d"),
        ("identifier", "e"),
    ]


def test_a_directive_is_one_token_with_its_continued_lines() -> None:
    directive = '#define A(x) /* a\n */ "b // c" \\\n  R"(\n)" d // e \\\n f'
    assert kinds(f"{directive}\nint") == [("directive", directive), ("identifier", "int")]
    assert words("#error don't\nx") == ["#error don't", "x"]


def test_a_directive_begins_its_line() -> None:
    """Comments may stand before it; anywhere else its sign is punctuation."""
    assert kinds("/* c */ # if 1")[1] == ("directive", "# if 1")
    assert kinds("%:pragma x")[0] == ("directive", "%:pragma x")
    assert kinds("a # if")[1] == ("punctuator", "#")


def test_the_longest_punctuator_is_taken() -> None:
    assert words("a<::b>c<:0:>->*...<=>>>=") == [
        *("a", "<", "::", "b", ">", "c", "<:", "0", ":>", "->*", "...", "<=>", ">>=")
    ]


def test_names_may_have_bytes_past_ascii() -> None:
    assert tokens("größe = 1".encode())[0].text == "größe".encode().decode("latin-1")


def test_a_long_text_is_quick() -> None:
    """Nothing in a text makes the time grow faster than its length."""
    for piece in (
        b"for (int i=0;i<n;++i) x += 'a'; // c\n",
        b'"',
        b"/*",
        b"'",
        b"\\",
        b"#'",
        b'R"(',
    ):
        code = piece * (16 * 1024 // len(piece))
        begun = time.process_time()
        tokens(code)
        assert time.process_time() - begun < 1
