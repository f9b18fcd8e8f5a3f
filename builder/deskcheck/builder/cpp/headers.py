"""What a loop's header consists of: libclang lists its parts without saying which is which."""

from __future__ import annotations

from dataclasses import dataclass

from deskcheck.builder.cpp.lexing import skip_blanks, tokens
from deskcheck.builder.cpp.parsing import CppSource
from deskcheck.builder.cpp.tree import Node

_CHANGES = frozenset({"++", "--"})
_NAMES = frozenset({"DECL_REF_EXPR", "MEMBER_REF_EXPR"})
_COMPARISONS = frozenset({"==", "!=", "<=", ">="})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Header:
    """The parts of a loop statement; those that it lacks, or that are not seen, are empty."""

    first: tuple[Node, ...] = ()
    """Evaluated once, before the first iteration."""
    condition: tuple[Node, ...] = ()
    step: tuple[Node, ...] = ()
    bound: tuple[Node, ...] = ()
    """Declarations that are made anew at each iteration."""
    body: Node
    unseen: frozenset[str] = frozenset()
    """Words of a part that libclang does not visit: the first statement of a range-for."""


def header(source: CppSource, loop: Node) -> Header:
    """The parts of a loop."""
    children = loop.children
    match loop.kind:
        case "DO_STMT":
            return Header(condition=tuple(children[1:]), body=children[0])
        case "WHILE_STMT":
            *parts, body = children
            return Header(condition=tuple(parts), bound=_declarations(parts), body=body)
        case "CXX_FOR_RANGE_STMT":
            *parts, body = children
            bound = _declarations(parts)
            first = tuple(part for part in parts if part not in bound)
            unseen = _unseen(source, loop, bound)
            return Header(first=first, bound=bound, body=body, unseen=unseen)
        case _:
            return _for(source, loop)


def _declarations(parts: list[Node]) -> tuple[Node, ...]:
    return tuple(part for part in parts if part.kind in ("VAR_DECL", "UNEXPOSED_DECL"))


def _for(source: CppSource, loop: Node) -> Header:
    *parts, body = loop.children
    by_place: tuple[list[Node], list[Node], list[Node]] = ([], [], [])
    for part, place in zip(parts, _for_places(source, loop, parts), strict=True):
        by_place[place].append(part)
    first, condition, step = by_place
    return Header(
        first=tuple(first),
        condition=tuple(condition),
        step=tuple(step),
        bound=_declarations(condition),
        body=body,
    )


def _for_places(source: CppSource, loop: Node, parts: list[Node]) -> list[int]:
    """0, 1 or 2 for each part: before the first semicolon, between the two, after the second."""
    if len(parts) == 3 and parts[1].kind != "VAR_DECL":
        return [0, 1, 2]
    semicolons = _semicolons(source, loop)
    if len(semicolons) == 2:
        return [sum(part.start >= each for each in semicolons) for part in parts]
    # In a macro the text does not tell; the shape does, as far as programs are written.
    places = []
    for part in parts:
        if part.kind == "DECL_STMT":
            places.append(0)
        elif part is parts[-1] and changes(part):
            places.append(2)
        else:
            places.append(1)
    return places


def _semicolons(source: CppSource, loop: Node) -> list[int]:
    """Offsets of the semicolons of a `for` header that stands in the text."""
    code = source.code
    if not code.startswith(b"for", loop.start) or "for" in source.macros:
        return []
    offset = loop.start + len(b"for")
    found: list[int] = []
    depth = 0
    while (offset := skip_blanks(code, offset)) < loop.end:
        (token, *_) = tokens(code, offset, offset + 1)
        depth += token in (b"(", b"[", b"{")
        depth -= token in (b")", b"]", b"}")
        if depth == 0:
            break
        if token == b";" and depth == 1:
            found.append(offset)
        offset += len(token)
    return found


def _unseen(source: CppSource, loop: Node, bound: tuple[Node, ...]) -> frozenset[str]:
    if not bound or bound[0].start <= loop.start:
        return frozenset()
    words = tokens(source.code, loop.start, bound[0].start)
    if b";" not in words:
        return frozenset()
    return frozenset(word.decode("utf-8", "replace") for word in words)


def changes(node: Node) -> frozenset[str]:
    """Names of variables that an expression assigns to or steps."""
    found: set[str] = set()
    for part in node.walk():
        if part.kind == "COMPOUND_ASSIGNMENT_OPERATOR" or _operator(part):
            named = (each.name for each in part.walk() if each.kind in _NAMES)
            found.update([next(named, "")])
    return frozenset(found - {""})


def _operator(node: Node) -> bool:
    """`++`, `--`, `=` and such, built in or overloaded."""
    if node.kind == "CALL_EXPR":
        name = node.name.removeprefix("operator")
        return name in _CHANGES or (
            name != node.name and name.endswith("=") and name not in _COMPARISONS
        )
    return node.operator in _CHANGES or node.operator == "="
