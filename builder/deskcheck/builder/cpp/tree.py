"""libclang's cursors as a tree of the program's own text, each visited once.

Walking cursors from Python is slow, and with a precompiled header libclang also lists what the
program made it instantiate; neither matters once the tree is built.
"""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import byref, c_uint, c_void_p
from functools import lru_cache
from typing import Any

from clang.cindex import Cursor, CursorKind, SourceLocation, TranslationUnit, conf

LOOPS = {
    "FOR_STMT": "for",
    "CXX_FOR_RANGE_STMT": "range for",
    "WHILE_STMT": "while",
    "DO_STMT": "do",
}
FUNCTIONS = frozenset(
    {
        "FUNCTION_DECL",
        "FUNCTION_TEMPLATE",
        "CXX_METHOD",
        "CONSTRUCTOR",
        "DESTRUCTOR",
        "CONVERSION_FUNCTION",
    }
)
CLASSES = frozenset(
    {
        "STRUCT_DECL",
        "CLASS_DECL",
        "UNION_DECL",
        "CLASS_TEMPLATE",
        "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION",
    }
)

_UNARY = {1: "++", 2: "--", 3: "++", 4: "--", 5: "&", 6: "*"}
_BINARY = {20: "&&", 21: "||", 22: "=", 33: ","}
"""By number in libclang's `CXUnaryOperatorKind` and `CXBinaryOperatorKind`."""

_LIBRARY: Any = conf.lib


class Node:
    """A cursor with its place in the tree."""

    __slots__ = ("_places", "_target", "children", "cursor", "kind", "parent")

    def __init__(self, cursor: Cursor, kind: str, parent: Node | None) -> None:
        self.cursor = cursor
        self.kind = kind
        self.parent = parent
        self.children: list[Node] = []
        self._places: tuple[int, int, int, int] | None = None
        self._target: int | None = None

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name!r} {self.start}..{self.end}>"

    @property
    def name(self) -> str:
        return str(self.cursor.spelling)

    @property
    def start(self) -> int:
        """The offset it begins at: of its first token, or of the macro use that makes it."""
        return self._extent()[0]

    @property
    def end(self) -> int:
        return self._extent()[1]

    @property
    def in_argument(self) -> bool:
        """An end of it was written as a macro's argument, and stands where the macro puts it."""
        start, end, written_start, written_end = self._extent()
        return start != written_start or end != written_end

    @property
    def end_in_text(self) -> bool:
        """Its last token is no part of a macro's argument; it may still be of its body."""
        _, end, _, written_end = self._extent()
        return end == written_end

    def _extent(self) -> tuple[int, int, int, int]:
        if self._places is None:
            extent = self.cursor.extent
            first, last = extent.start, extent.end
            self._places = (
                _expanded(first),
                _expanded(last),
                _written(first),
                _written(last),
            )
        return self._places

    @property
    def operator(self) -> str:
        """Of a built-in operator, if it is one that stores, chooses or takes an address."""
        if self.kind == "UNARY_OPERATOR":
            return _UNARY.get(_LIBRARY.clang_getCursorUnaryOperatorKind(self.cursor), "")
        if self.kind == "BINARY_OPERATOR":
            return _BINARY.get(_LIBRARY.clang_getCursorBinaryOperatorKind(self.cursor), "")
        return ""

    def walk(self) -> Iterator[Node]:
        """It and all below it, in the order of the text."""
        pending: list[Node] = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))

    def above(self) -> Iterator[Node]:
        """From the parent up to the file."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    @property
    def target(self) -> Cursor | None:
        """The declaration that it names, if it names one."""
        return self.cursor.referenced

    @property
    def refers_to(self) -> int:
        """The identity of the declaration that it names; 0 if it names none."""
        if self._target is None:
            target = self.target
            self._target = 0 if target is None else identity(target)
        return self._target


def identity(declaration: Cursor) -> int:
    """One number for a declaration and all its redeclarations and instantiations."""
    return int(declaration.canonical.location.int_data)


def is_anonymous(record: Cursor) -> bool:
    """A struct or union without a name or a variable: `union { int a; float b; };`."""
    return bool(_LIBRARY.clang_Cursor_isAnonymousRecordDecl(record))


def build(unit: TranslationUnit, main: str) -> Node:
    """The tree of what stands in the main file."""
    root = Node(unit.cursor, "TRANSLATION_UNIT", None)
    own: dict[int, Cursor] = {}
    for cursor in unit.cursor.get_children():
        file = cursor.location.file
        if file is None or file.name != main:
            continue
        holder = cursor.lexical_parent
        if holder is not None and kind_of(holder) != "TRANSLATION_UNIT":
            continue  # an instantiation of what stands elsewhere
        place = int(cursor.location.int_data)
        if place not in own or _specialises(own[place]):
            own[place] = cursor
    pending = [Node(cursor, kind_of(cursor), root) for cursor in own.values()]
    pending.sort(key=lambda node: int(node.cursor.location.int_data) & 0x7FFFFFFF)
    pending.sort(key=lambda node: node.start)
    root.children = list(pending)
    pending.reverse()
    classes = {node.cursor.hash for node in pending if node.kind in CLASSES}
    while pending:
        node = pending.pop()
        for child in node.cursor.get_children():
            kind = kind_of(child)
            if kind in CLASSES:  # `struct S {} s;` is listed by itself and below `s`
                if child.hash in classes:
                    continue
                classes.add(child.hash)
            node.children.append(Node(child, kind, node))
        pending.extend(reversed(node.children))
    return root


def _specialises(cursor: Cursor) -> bool:
    template = _LIBRARY.clang_getSpecializedCursorTemplate(cursor)
    return template is not None


@lru_cache(maxsize=1024)
def _kind_name(number: int) -> str:
    try:
        return str(CursorKind.from_id(number).name)
    except ValueError:  # newer than the binding
        return f"KIND_{number}"


def kind_of(cursor: Cursor) -> str:
    """The name of its kind, as `CursorKind` has it."""
    return _kind_name(cursor._kind_id)


def _expanded(location: SourceLocation) -> int:
    return int(location.offset)


def _written(location: SourceLocation) -> int:
    file, line, column, offset = c_void_p(), c_uint(), c_uint(), c_uint()
    _LIBRARY.clang_getFileLocation(location, byref(file), byref(line), byref(column), byref(offset))
    return offset.value
