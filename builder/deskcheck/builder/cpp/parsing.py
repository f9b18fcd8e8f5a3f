"""A C++ program and libclang's reading of it.

Standard headers are most of what a parser has to read. Those that a program includes first are
parsed once per process, without function bodies, into a precompiled header; its programs then
take hundredths of a second. Wherever that header might make a difference (the program does not
parse with it, or defines something before it includes), the program is parsed as it stands.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

from clang.cindex import Diagnostic, TranslationUnit, TranslationUnitLoadError

from deskcheck.builder.cpp.lexing import CONTINUED, tokens
from deskcheck.builder.cpp.precompiled import errors, index, precompiled
from deskcheck.builder.cpp.tree import Node, build
from deskcheck.builder.syntax import UnreadableSourceError

MAIN = "program.cpp"
"""The name that a program has for libclang; no such file exists."""
MAX_NESTING = 200
"""Deepest brackets that are read: libclang and Python recurse over them."""
MAX_CHAIN = 2_000
"""Longest expression or chain of statements within others that is read, for the same reason."""
PASTE = "##"
"""The operator by which macros make one word of two."""
_WORD = re.compile(rf"[^\W\d]\w*|{PASTE}")
_LEADING = re.compile(
    r"(?:\ufeff|\s+|//[^\n]*\n|/\*.*?\*/|#[ \t]*pragma[ \t][^\n\\]*\n"
    r"|#[ \t]*include[ \t]*(?P<header><[^>\n]+>)[ \t\r]*(?://[^\n]*)?\n)",
    re.DOTALL,
)
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(.*)$", re.MULTILINE)
_SPLICE = re.compile(CONTINUED.decode())


class CppSource:
    """One parsed program, equal to itself alone. Offsets are bytes of `code`, as given."""

    def __init__(self, code: bytes, text: str, unit: TranslationUnit) -> None:
        self.code = code
        self.text = text
        self.unit = unit

    @cached_property
    def tree(self) -> Node:
        """What the program itself declares, at file scope."""
        return build(self.unit, MAIN)

    @cached_property
    def macros(self) -> dict[str, str]:
        """What each macro of the text stands for; all definitions of it together."""
        found: dict[str, str] = {}
        for match in _MACRO.finditer(_SPLICE.sub(" ", self.text)):
            found[match[1]] = found.get(match[1], "") + " " + match[2]
        return found

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(rb"\r\n|\r|\n", self.code))]

    def line(self, offset: int) -> int:
        """The 1-based line that an offset stands in."""
        return bisect_right(self._line_starts, offset)

    def line_text(self, offset: int) -> str:
        """From an offset to the end of its line, without blanks at the end."""
        line = re.match(rb"[^\r\n]*", self.code[offset:])
        return line[0].decode("utf-8", "replace").rstrip() if line else ""

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self.text))

    def identifiers(self) -> frozenset[str]:
        """Every word of the text that could be a name; strings, comments and macros included.

        Where macros may paste words into others, PASTE is among them.
        """
        return self._words


def read_cpp(code: bytes, standard: str, system_includes: Sequence[str]) -> CppSource:
    """Parse a program; UnreadableSourceError says why it cannot be."""
    try:
        text = code.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableSourceError("not_utf8", f"byte {error.start} is not UTF-8") from None
    if "\0" in text:
        raise UnreadableSourceError("does_not_parse", "it contains a NUL byte")
    _check_depth(code)
    arguments = (
        f"-std={standard}",
        "-xc++",
        *(part for folder in system_includes for part in ("-isystem", folder)),
    )
    headers = _leading_headers(text)
    ready = precompiled(headers, arguments) if headers else None
    unit = None
    if ready is not None:
        unit = _parse(code, (*arguments, "-include-pch", ready.path))
    if unit is None or errors(unit):
        unit = _parse(code, arguments)
    if unit is None:
        raise UnreadableSourceError("does_not_parse", "libclang cannot read it")
    found = errors(unit)
    if found:
        raise UnreadableSourceError(*_described(found[0]))
    return CppSource(code, text, unit)


def _check_depth(code: bytes) -> None:
    """Refuse what would overrun libclang's stack, or the recursion over its tree."""
    longest = [0]  # of what stands between two separators, by brackets that are open
    branches = 0
    for token in tokens(code, 0, len(code)):
        if token in (b"(", b"[", b"{"):
            longest[-1] += 1
            longest.append(0)
        elif token in (b")", b"]", b"}"):
            if len(longest) > 1:
                longest.pop()
            if token == b"}":
                longest[-1] = 0
        elif token in (b";", b",", b"#"):  # a directive begins
            longest[-1] = 0
        else:
            longest[-1] += 1
        branches += token == b"else"
        if len(longest) > MAX_NESTING:
            detail = f"its brackets are nested more than {MAX_NESTING} deep"
            raise UnreadableSourceError("parser_limit", detail)
        if longest[-1] > MAX_CHAIN or branches > MAX_CHAIN:
            detail = f"more than {MAX_CHAIN} words follow one another without an end"
            raise UnreadableSourceError("parser_limit", detail)


def _parse(code: bytes, arguments: Sequence[str]) -> TranslationUnit | None:
    try:
        return index().parse(MAIN, args=list(arguments), unsaved_files=[(MAIN, code)])
    except TranslationUnitLoadError:
        return None


def _described(error: Diagnostic) -> tuple[str, str]:
    said = " ".join(str(error.spelling).split())
    file = error.location.file
    where = f"line {error.location.line}: " if file is not None and file.name == MAIN else ""
    missing = said.startswith("'") and said.endswith("file not found")
    return ("missing_module" if missing else "does_not_parse"), f"{where}{said}"


def _leading_headers(text: str) -> tuple[str, ...]:
    """The headers that a program includes before it says anything that could change them."""
    found: list[str] = []
    position = 0
    while (match := _LEADING.match(text, position)) is not None and match.end() > position:
        if match["header"]:
            found.append(match["header"])
        position = match.end()
    return tuple(dict.fromkeys(found))
