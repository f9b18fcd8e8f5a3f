"""The loops of a C++ program, where their checkpoints would stand, and what is visible there.

A loop is named by the offset of its keyword, or of the macro's use that it comes out of. Whether
text can be inserted at it is decided by the bytes: the braces or the semicolon must stand where
libclang and the text agree that they stand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from clang.cindex import Cursor

from deskcheck.builder.cpp.headers import Header, changes, header
from deskcheck.builder.cpp.lexing import tokens
from deskcheck.builder.cpp.parsing import CppSource
from deskcheck.builder.cpp.places import statement_end
from deskcheck.builder.cpp.scopes import declared, visible_names
from deskcheck.builder.cpp.stdin import StdinReaders
from deskcheck.builder.cpp.tree import FUNCTIONS, LOOPS, Node

_UNORDERED = re.compile(r"^(?:const )?std::(?:__\w+::)?unordered_")
_CONSTANT = frozenset({b"constexpr", b"consteval"})
_BEFORE_STATEMENT = frozenset({b")", b":", b"]", b"else", b"do"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CppLoop:
    """One loop statement. `offset` names it, as in `Checkpoint.loop`."""

    offset: int
    line: int
    text: str
    """The first line of the statement, without indent."""
    kind: str
    """`for`, `range for`, `while` or `do`."""
    depth: int
    """1 for a loop in no other loop of its function, 2 for one inside that, and so on."""
    targets: frozenset[str]
    """Names that the loop's header binds or steps at each iteration."""
    reads_stdin: bool
    iterates_set: bool
    """It goes through an unordered container."""
    start: int
    end: int
    """The whole statement, its last `;` or `}` included."""
    body_start: int
    body_end: int
    braced: bool
    """The body's braces stand in the text."""
    alone: bool
    """It stands directly between braces: what is inserted after it is not taken for anything
    else's."""
    uneditable: str
    """Why its text cannot be edited; "" where it can be."""
    cursor: Cursor
    names: Mapping[str, Cursor]
    """The variable that each name stands for both at the body's start and after the loop."""


def find_loops(source: CppSource) -> tuple[CppLoop, ...]:
    """Every loop in the order of the text; those of one macro use in the order it gives them."""
    nodes = sorted(loop_nodes(source), key=lambda node: node.start)
    visible = visible_names(source)
    readers = StdinReaders(source)
    uses = Counter(node.start for node in nodes)
    return tuple(_loop(source, node, visible[node], readers, uses) for node in nodes)


def loop_nodes(source: CppSource) -> Iterator[Node]:
    """The loop statements of the program, as the tree has them."""
    return (node for node in source.tree.walk() if node.kind in LOOPS)


def _loop(
    source: CppSource,
    node: Node,
    names: Mapping[str, Cursor],
    readers: StdinReaders,
    uses: Mapping[int, int],
) -> CppLoop:
    parts = header(source, node)
    body = parts.body
    braced = body.kind == "COMPOUND_STMT" and source.code.startswith(b"{", body.start)
    body_end = statement_end(source, body)
    end = statement_end(source, node)
    parent = node.parent
    return CppLoop(
        offset=node.start,
        line=source.line(node.start),
        text=source.line_text(node.start),
        kind=LOOPS[node.kind],
        depth=_depth(node),
        targets=_targets(parts),
        reads_stdin=readers.reads(node),
        iterates_set=_iterates_set(node),
        start=node.start,
        end=node.end if end is None else end,
        body_start=body.start,
        body_end=body.end if body_end is None else body_end,
        braced=braced,
        alone=parent is not None and parent.kind == "COMPOUND_STMT",
        uneditable=_why_not(source, node, parts, body_end, end, uses),
        cursor=node.cursor,
        names=names,
    )


def _depth(node: Node) -> int:
    depth = 1
    for above in node.above():
        if above.kind in LOOPS:
            depth += 1
        elif above.kind in FUNCTIONS or above.kind == "LAMBDA_EXPR":
            break
    return depth


def _targets(parts: Header) -> frozenset[str]:
    bound = {
        name
        for part in parts.bound
        for each in part.walk()
        if each.kind in ("VAR_DECL", "UNEXPOSED_DECL") and (name := declared(each)) is not None
    }
    stepped = frozenset[str]().union(*(changes(part) for part in parts.step))
    return stepped | bound


def _iterates_set(node: Node) -> bool:
    if node.kind != "CXX_FOR_RANGE_STMT" or len(node.children) < 3:
        return False
    through = node.children[-2].cursor.type.get_canonical().spelling
    return _UNORDERED.match(through) is not None


def _why_not(
    source: CppSource,
    node: Node,
    parts: Header,
    body_end: int | None,
    end: int | None,
    uses: Mapping[int, int],
) -> str:
    body = parts.body
    if uses[node.start] > 1:
        return "several loops come out of one use of a macro"
    if _in_constant(source, node):
        return "it may run while the program is compiled"
    header_start = max(
        (part.start for part in (*parts.first, *parts.condition, *parts.step)), default=node.start
    )
    if node.kind == "DO_STMT":
        header_start = node.start
    if body.start <= header_start:
        return "its body comes out of a macro"
    if source.code.startswith(b"<%", body.start) or source.code.endswith(b"%>", 0, body.end):
        return "its body's braces are written as digraphs"
    if body.kind == "COMPOUND_STMT" and not source.code.startswith(b"{", body.start):
        return "its body's braces come out of a macro"
    if body_end is None:
        return "the end of its body comes out of a macro"
    if end is None or end < body_end:
        return "its end comes out of a macro"
    return _why_not_alone(source, node)


def _why_not_alone(source: CppSource, node: Node) -> str:
    """A loop that is another statement's body or branch may have to be put into braces."""
    parent = node.parent
    if parent is None or parent.kind == "COMPOUND_STMT":
        return ""
    before = tokens(source.code, parent.start, node.start)
    in_text = before and (before[-1] in _BEFORE_STATEMENT or _is_macro(source, before[-1]))
    return "" if in_text else "its start comes out of a macro"


def _is_macro(source: CppSource, token: bytes) -> bool:
    return token.decode("utf-8", "replace") in source.macros


def _in_constant(source: CppSource, node: Node) -> bool:
    """Inside a constexpr function, lambda or variable, or an assertion at compile time."""
    for above in node.above():
        if above.kind in ("STATIC_ASSERT", "ENUM_CONSTANT_DECL"):
            return True
        if above.kind in FUNCTIONS or above.kind in ("LAMBDA_EXPR", "VAR_DECL"):
            inner = [child.start for child in above.children if child.kind == "COMPOUND_STMT"]
            end = inner[-1] if inner else int(above.cursor.location.offset)
            words = tokens(source.code, above.start, end)
            if any(word in _CONSTANT or _means_constant(source, word) for word in words):
                return True
    return False


def _means_constant(source: CppSource, word: bytes) -> bool:
    body = source.macros.get(word.decode("utf-8", "replace"), "")
    return "constexpr" in body or "consteval" in body
