"""Routines on text of the standard library: differences, wrapping, Punycode, options, columns."""

from __future__ import annotations

import cmd
import difflib
import getopt
import io
import textwrap

from deskcheck.oracles.identity import Draws
from deskcheck.sources.library.extraction import Take
from deskcheck.sources.library.inputs import LETTERS, lines, word
from deskcheck.sources.library.packages import CPYTHON
from deskcheck.sources.library.routine import Routine

MATCHER_MEMBERS = (
    *("__init__", "set_seqs", "set_seq1", "set_seq2", "__chain_b"),
    *("find_longest_match", "get_matching_blocks", "get_opcodes"),
)
DIFFERENCES = """
def main():
    a, b = sys.stdin.read().splitlines()
    matcher = SequenceMatcher(None, a, b)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        print(tag, a[i1:i2] or "-", b[j1:j2] or "-")


main()
"""


def generate_differences(draws: Draws, size: int) -> str:
    """A word of few letters, and the word with pieces moved, dropped and put in."""
    first = word(draws, size, size, "abcd")
    second = ""
    at = 0
    while at < size:
        piece = first[at : at + draws.integer(2, 6)]
        at += len(piece)
        second += draws.choice([piece, piece, piece[::-1], word(draws, 1, 3, "abcd"), ""])
    return lines([first, (second + "dcba")[:size]])


def reference_differences(stdin: str) -> str:
    first, second = stdin.splitlines()
    codes = difflib.SequenceMatcher(None, first, second).get_opcodes()
    return lines(
        f"{tag} {first[i1:i2] or '-'} {second[j1:j2] or '-'}" for tag, i1, i2, j1, j2 in codes
    )


WRAPPING = """
def main():
    width, text = sys.stdin.read().split("\\n", 1)
    wrapper = TextWrapper(width=int(width), subsequent_indent="  ")
    lines = wrapper.wrap(text)
    print("\\n".join(f"{line}|" for line in lines))


main()
"""


def generate_wrapping(draws: Draws, size: int) -> str:
    """Words on lines of their own lengths, some hyphenated, some longer than the width."""
    words: list[str] = []
    while len(words) < size:
        kind = draws.integer(0, 9)
        if kind == 0:
            words.append(f"{word(draws, 3, 6)}-{word(draws, 3, 6)}")
        elif kind == 1:
            words.append(word(draws, 15, 26))
        else:
            words.append(word(draws, 1, 7) + draws.choice(["", "", "", ",", "."]))
    rows = []
    while words:
        count = draws.integer(3, 7)
        rows.append(" ".join(words[:count]))
        del words[:count]
    return lines([draws.integer(12, 20), *rows])


def reference_wrapping(stdin: str) -> str:
    width, text = stdin.split("\n", 1)
    wrapper = textwrap.TextWrapper(width=int(width), subsequent_indent="  ")
    return lines(f"{line}|" for line in wrapper.wrap(text))


PUNYCODE = """
def main():
    text = sys.stdin.read().strip()
    encoded = punycode_encode(text)
    decoded = punycode_decode(encoded, "strict")
    print(encoded.decode("ascii"))
    print(" ".join(f"{ord(c):x}" for c in decoded))


main()
"""
GREEK = "αβγδεζηθικλμνξοπρστυφχψω"


def generate_punycode(draws: Draws, size: int) -> str:
    """Letters of two scripts in one word, more than half of them Greek."""
    return lines(
        ["".join(draws.choice(draws.choice([GREEK, GREEK, LETTERS])) for _ in range(size))]
    )


def reference_punycode(stdin: str) -> str:
    text = stdin.strip()
    return lines([text.encode("punycode").decode("ascii"), " ".join(f"{ord(c):x}" for c in text)])


OPTIONS = """
def main():
    short, long, *rest = sys.stdin.read().splitlines()
    opts, args = getopt(rest, short, long.split())
    print("\\n".join(f"{name} {value or '-'}" for name, value in opts))
    print("left:", *args)


main()
"""
SHORT = "ab:cd:ef:"
LONG = ("all", "block=", "case", "depth=", "exact", "file=")


def generate_options(draws: Draws, size: int) -> str:
    """Short options alone and run together, long ones, some cut short, and values for some."""
    given: list[str] = []
    while len(given) < size:
        kind = draws.integer(0, 5)
        if kind == 0:
            given.append("-" + "".join(draws.sample("ace", draws.integer(1, 3))))
        elif kind == 1:
            given += [f"-{draws.choice('bdf')}", word(draws, 1, 3)]
        elif kind == 2:
            given.append(f"-{draws.choice('ac')}{draws.choice('bdf')}{word(draws, 1, 3)}")
        elif kind == 3:
            name = draws.choice([name for name in LONG if not name.endswith("=")])
            given.append(f"--{name[: draws.integer(1, len(name))]}")
        elif kind == 4:
            name = draws.choice([name[:-1] for name in LONG if name.endswith("=")])
            given.append(f"--{name[: draws.integer(1, len(name))]}={word(draws, 1, 3)}")
        else:
            name = draws.choice([name[:-1] for name in LONG if name.endswith("=")])
            given += [f"--{name}", word(draws, 1, 3)]
    return lines([SHORT, " ".join(LONG), *given, word(draws, 2, 4), "-a"])


def reference_options(stdin: str) -> str:
    short, long, *rest = stdin.splitlines()
    found, left = getopt.getopt(rest, short, long.split())
    return lines([*(f"{name} {value or '-'}" for name, value in found), f"left: {' '.join(left)}"])


COLUMNS = """
def main():
    width, *words = sys.stdin.read().split()
    columns = Cmd()
    columns.stdout = sys.stdout
    columns.columnize(words, int(width))


main()
"""


def generate_columns(draws: Draws, size: int) -> str:
    """Words of one to nine letters, few of them long."""
    longest = [draws.choice([2, 3, 4, 4, 5, 9]) for _ in range(size)]
    return lines([draws.integer(28, 40), *(word(draws, 1, each) for each in longest)])


def reference_columns(stdin: str) -> str:
    width, *words = stdin.split()
    written = io.StringIO()
    cmd.Cmd(stdout=written).columnize(words, int(width))
    return written.getvalue()


DIFFERENCES_OF = Routine(
    name="sequence_matcher",
    title="Differences of two sequences by difflib",
    package=CPYTHON,
    takes=(
        Take(
            module="difflib",
            names=("SequenceMatcher",),
            members={"SequenceMatcher": MATCHER_MEMBERS},
        ),
    ),
    driver=DIFFERENCES,
    layout="two lines, each one word of letters",
    generate=generate_differences,
    reference=reference_differences,
    sizes=(32, 64, 120),
)
WRAPPED = Routine(
    name="text_wrapper",
    title="Wrapping of a text by textwrap",
    package=CPYTHON,
    takes=(Take(module="textwrap", names=("TextWrapper",)),),
    driver=WRAPPING,
    layout="the width; then the text, on any number of lines",
    generate=generate_wrapping,
    reference=reference_wrapping,
    sizes=(32, 56, 90),
)
PUNYCODED = Routine(
    name="punycode",
    title="Punycode, there and back",
    package=CPYTHON,
    takes=(Take(module="encodings.punycode", names=("punycode_encode", "punycode_decode")),),
    driver=PUNYCODE,
    layout="one word of Greek and Latin letters, in UTF-8",
    generate=generate_punycode,
    reference=reference_punycode,
    sizes=(16, 28, 44),
)
OPTIONS_OF = Routine(
    name="getopt",
    title="Command-line options by getopt",
    package=CPYTHON,
    takes=(Take(module="getopt", names=("getopt",)),),
    driver=OPTIONS,
    layout="the short options; the long options; then one argument a line",
    generate=generate_options,
    reference=reference_options,
    sizes=(16, 28, 40),
)
COLUMNS_OF = Routine(
    name="columnize",
    title="Words in columns by cmd",
    package=CPYTHON,
    takes=(Take(module="cmd", names=("Cmd",), members={"Cmd": ("columnize",)}),),
    driver=COLUMNS,
    layout="the width; then one word a line",
    generate=generate_columns,
    reference=reference_columns,
    sizes=(44, 64, 96),
)
