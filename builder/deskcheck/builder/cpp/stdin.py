"""Which loops read standard input, directly or through the program's functions.

Everything that stands for standard input or for code that reads it is followed to a fixed point:
`cin` and `stdin`, functions of the C library that read it, streams and pointers that may be it,
the program's functions and lambdas whose text mentions any of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from deskcheck.builder.cpp.headers import header
from deskcheck.builder.cpp.libraries import is_own
from deskcheck.builder.cpp.parsing import CppSource
from deskcheck.builder.cpp.tree import FUNCTIONS, Node, identity

_SOURCES = frozenset(
    {
        *("cin", "wcin", "stdin"),
        *("scanf", "vscanf", "wscanf", "getchar", "getchar_unlocked", "getwchar", "gets"),
        *("read", "pread", "readv", "mmap", "syscall"),
    }
)
_INPUT = re.compile(
    r"basic_(?:i|io|if|f)stream<|istream(?:buf)?_(?:iterator|view)|basic_streambuf<"
)
"""Types of what may be standard input; string streams are none of them."""
_LATER = re.compile(
    r"\(lambda|function<|\(\*|FILE\b|struct _IO_FILE|basic_\w*(?:stream|streambuf)<"
)
"""Types that may read later on, where other values have been read by the time they are made."""
_NAMES = frozenset(
    {
        "DECL_REF_EXPR",
        "MEMBER_REF_EXPR",
        "CALL_EXPR",
        "OVERLOADED_DECL_REF",
        "VARIABLE_REF",
        "MEMBER_REF",
    }
)


class StdinReaders:
    """What of a program reads standard input."""

    def __init__(self, source: CppSource) -> None:
        self._source = source
        self._readers: set[int] = set()
        self._reader_names: set[str] = set()
        self._plain: dict[int, bool] = {}
        held = [(node, owner) for node in source.tree.walk() for owner in self._owners(node)]
        while True:
            found = [
                owner
                for part, owner in held
                if owner.refers not in self._readers and self._mentions(part)
            ]
            if not found:
                break
            for owner in found:
                self._readers.add(owner.refers)
                if owner.called:
                    self._reader_names.add(owner.name)

    def reads(self, loop: Node) -> bool:
        """Whether an iteration of the loop does; what comes before the first does not count."""
        parts = header(self._source, loop)
        each_time = [*parts.condition, *parts.step, parts.body]
        if any(self._mentions(part) for part in each_time):
            return True
        lazily = loop.kind == "CXX_FOR_RANGE_STMT"
        return lazily and any(_INPUT.search(_type(part)) for part in parts.first)

    def _owners(self, node: Node) -> Iterator[_Owner]:
        """What reads later on if the node mentions a reader."""
        if node.kind in FUNCTIONS:
            yield _Owner(identity(node.cursor), node.name, called=True)
        elif node.kind == "VAR_DECL" and _LATER.search(_type(node)):
            yield _Owner(identity(node.cursor), node.name)
        elif node.operator == "=" or node.name == "operator=":
            stored = node.children[0] if node.children else None
            if stored is not None and stored.refers_to and _LATER.search(_type(stored)):
                yield _Owner(stored.refers_to, stored.name)

    def _mentions(self, within: Node) -> bool:
        return any(node.kind in _NAMES and self._is_reader(node) for node in within.walk())

    def _is_reader(self, node: Node) -> bool:
        if node.refers_to in self._readers:
            return True
        if node.kind == "OVERLOADED_DECL_REF":
            return node.name in self._reader_names or node.name in _SOURCES
        if node.refers_to not in self._plain:
            self._plain[node.refers_to] = not self._is_source(node)
        return not self._plain[node.refers_to]

    def _is_source(self, node: Node) -> bool:
        target = node.target
        if target is None:
            return False
        if not is_own(target) and target.spelling in _SOURCES:
            return True
        kind = target.kind.name
        return kind in ("VAR_DECL", "PARM_DECL", "FIELD_DECL") and bool(
            _INPUT.search(str(target.type.get_canonical().spelling))
        )


class _Owner:
    __slots__ = ("called", "name", "refers")

    def __init__(self, refers: int, name: str, *, called: bool = False) -> None:
        self.refers = refers
        self.name = name
        self.called = called


def _type(node: Node) -> str:
    return str(node.cursor.type.get_canonical().spelling)
