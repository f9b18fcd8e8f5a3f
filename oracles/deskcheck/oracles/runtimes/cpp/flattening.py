"""A program with its macros expanded: the text in which loops are found from tokens alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deskcheck.oracles.runtimes.cpp.lexing import tokens
from deskcheck.oracles.runtimes.cpp.statements import (
    LOOPS,
    LoopKind,
    constant_evaluated,
    control_statements,
)

PREPROCESS = ("-E", "-dD", "-dI")
"""Flags of clang++ whose output `flat_program` reads, when it is given `straightened` text."""


_MARKER = re.compile(rb'# (\d+) "(?:[^"\\\n]|\\.)*"((?: \d)*)$')
_INCLUDE = re.compile(rb"#\s*(?:include|include_next|import)\b.*(?= /\* clang -E -dI \*/$)")
_DEFINE = re.compile(rb"#define ([^\s(]+)")
_UNDEF = re.compile(rb"#undef (\S+)")
# Hints to the optimiser must stand right before a loop, where a recorder will be; the others
# would bring macros back or forbid words.
_DROPPED_PRAGMA = re.compile(
    rb"#pragma\s+(?:omp\b|clang\s+loop\b|(?:GCC\s+)?(?:no)?unroll|GCC\s+(?:ivdep|poison)\b"
    rb"|push_macro\b|pop_macro\b|once\b)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatLoop:
    """One loop; positions are bytes of the flat text, `line` is one of the original file.

    A loop out of a macro has the line of the macro's use. `constant` says that it stands in what
    `constexpr` or `consteval` declares.
    """

    kind: LoopKind
    line: int
    start: int
    end: int
    body_start: int
    body_end: int
    braced: bool
    constant: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatProgram:
    """The program's own text after preprocessing, its `#include` lines back in place."""

    text: bytes
    lines: tuple[int, ...]
    """The line of the original file that each line of the text comes from."""
    loops: tuple[FlatLoop, ...]


def flat_program(preprocessed: bytes) -> FlatProgram:
    """What clang++ with `PREPROCESS` wrote, the headers' own text and all macros left out."""
    rows = list(_own_lines(preprocessed))
    text = b"".join(row + b"\n" for row, _ in rows)
    lines = tuple(line for _, line in rows)
    return FlatProgram(text=text, lines=lines, loops=_loops(text, lines))


def _own_lines(preprocessed: bytes) -> Iterator[tuple[bytes, int]]:
    """Lines of the main file with the original numbers."""
    defined: dict[bytes, bytes] = {}
    depth, number = 0, 1
    for line in preprocessed.split(b"\n"):
        if line.startswith(b"# ") and (marker := _MARKER.match(line)):
            flags = marker[2].split()
            depth += (b"1" in flags) - (b"2" in flags)
            if depth == 0:
                number = int(marker[1])
            continue
        if depth:
            continue
        if line.startswith(b"#"):
            for kept in _directive(line, defined):
                yield kept, number
            yield b"", number
        else:
            yield line, number
        number += 1


def _directive(line: bytes, defined: dict[bytes, bytes]) -> list[bytes]:
    """What stands for a directive in the flat text; `defined` holds the program's macros."""
    if define := _DEFINE.match(line):
        defined[define[1]] = line
    elif undef := _UNDEF.match(line):
        defined.pop(undef[1], None)
        return [line]
    elif include := _INCLUDE.match(line):
        # A header may ask for macros that were defined before it.
        taken_back = [b"#undef " + name for name in defined]
        return [*defined.values(), include[0], *taken_back]
    elif line.startswith(b"#pragma") and not _DROPPED_PRAGMA.match(line):
        return [line]
    return []


def _loops(text: bytes, lines: Sequence[int]) -> tuple[FlatLoop, ...]:
    found = tokens(text)
    constants = constant_evaluated(found)
    starts = [0, *(at + 1 for at, byte in enumerate(text) if byte == 0x0A)]
    return tuple(
        FlatLoop(
            kind=statement.kind,
            line=lines[bisect_right(starts, statement.start) - 1],
            start=statement.start,
            end=statement.end,
            body_start=statement.body_start,
            body_end=statement.body_end,
            braced=statement.braced,
            constant=any(span.holds(statement.start) for span in constants),
        )
        for statement in control_statements(found)
        if statement.kind in LOOPS
    )
