"""The loops of a Python program, where their checkpoints would stand, and who reads stdin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from deskcheck.builder.syntax import Source

Loop = cst.For | cst.While
Scope = cst.Module | cst.FunctionDef | cst.ClassDef


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopSite:
    """One `for` or `while` statement. `offset` names it, as in `Checkpoint.loop`."""

    offset: int
    line: int
    kind: str
    """`for`, `async for` or `while`."""
    depth: int
    """1 for a loop in no other loop of its function, 2 for one inside that, and so on."""
    node: Loop
    scope: Scope
    targets: frozenset[str]
    """Names that the loop statement itself binds at each iteration."""
    iterated: frozenset[str]
    """Names whose iteration order the loop follows (not those under `sorted`, `len`, ...)."""
    iterates_set: bool
    """The iterated expression is itself a set display, comprehension or call."""
    reads_stdin: bool


def find_loops(source: Source) -> tuple[LoopSite, ...]:
    """Every loop statement in source order."""
    readers = stdin_readers(source.module)
    return tuple(_site(source, node, readers) for node in _loops_below(source.module))


def _loops_below(node: cst.CSTNode) -> Iterator[Loop]:
    for child in node.children:
        if isinstance(child, Loop):
            yield child
        yield from _loops_below(child)


def _site(source: Source, node: Loop, readers: frozenset[str]) -> LoopSite:
    depth, scope = 1, source.module
    enclosing: Scope | None = None
    for above in source.ancestors(node):
        if enclosing is None and isinstance(above, Loop):
            depth += 1
        if enclosing is None and isinstance(above, cst.FunctionDef | cst.ClassDef):
            enclosing = above
    iterated: frozenset[str] = frozenset()
    targets: frozenset[str] = frozenset()
    if isinstance(node, cst.For):
        kind = "async for" if node.asynchronous else "for"
        iterated = frozenset(_ordered_names(node.iter))
        targets = frozenset(bound_names(node.target))
    else:
        kind = "while"
    offset = source.start(node)
    return LoopSite(
        offset=offset,
        line=source.line(offset),
        kind=kind,
        depth=depth,
        node=node,
        scope=enclosing or scope,
        targets=targets,
        iterated=iterated,
        iterates_set=isinstance(node, cst.For) and _is_set(node.iter),
        reads_stdin=_reads_stdin(node, readers),
    )


def bound_names(target: cst.CSTNode) -> Iterator[str]:
    """The plain names that an assignment to `target` binds."""
    match target:
        case cst.Name():
            yield target.value
        case cst.Tuple() | cst.List():
            for element in target.elements:
                yield from bound_names(element.value)
        case cst.StarredElement():
            yield from bound_names(target.value)


_ORDER_FREE = frozenset(
    {"sorted", "len", "min", "max", "sum", "range", "any", "all", "str", "int", "abs"}
)
_SET_MAKERS = frozenset({"set", "frozenset"})


def _ordered_names(node: cst.CSTNode) -> Iterator[str]:
    match node:
        case cst.Call(func=cst.Name(value=name)) if name in _ORDER_FREE:
            return
        case cst.Subscript():
            yield from _ordered_names(node.value)
        case cst.Attribute():
            yield from _ordered_names(node.value)
        case cst.Call():
            if isinstance(node.func, cst.Attribute):
                yield from _ordered_names(node.func.value)
            for argument in node.args:
                yield from _ordered_names(argument.value)
        case cst.Name():
            yield node.value
        case _:
            for child in node.children:
                yield from _ordered_names(child)


def _is_set(node: cst.BaseExpression) -> bool:
    match node:
        case cst.Set() | cst.SetComp():
            return True
        case cst.Call(func=cst.Name(value=name), args=arguments):
            if name in _SET_MAKERS:
                return True
            wraps = name in ("list", "tuple", "enumerate", "iter", "reversed", "map", "zip")
            return wraps and any(_is_set(argument.value) for argument in arguments)
        case _:
            return False


def stdin_readers(module: cst.Module) -> frozenset[str]:
    """Names that read standard input when called or iterated, found to a fixed point.

    `input` and `stdin` to begin with; then every function or lambda whose body mentions a
    reader, and every name given a reader itself (`readline = sys.stdin.readline`) or an iterator
    that reads as it goes (`map(int, sys.stdin)`). A value that was read at once
    (`sys.stdin.read().split()`) is not a reader.
    """
    readers = {"input", "stdin", "__stdin__", "raw_input", "fileinput"}
    while True:
        found = set(_newly_tainted(module, readers))
        if found <= readers:
            return frozenset(readers)
        readers |= found


def _newly_tainted(node: cst.CSTNode, readers: set[str]) -> Iterator[str]:
    match node:
        case cst.FunctionDef():
            if _mentions(node.body, readers):
                yield node.name.value
        case cst.Assign():
            if _stays_a_reader(node.value, readers):
                for target in node.targets:
                    yield from bound_names(target.target)
        case cst.AnnAssign(value=cst.BaseExpression() as value):
            if _stays_a_reader(value, readers):
                yield from bound_names(node.target)
    for child in node.children:
        yield from _newly_tainted(child, readers)


def _mentions(node: cst.CSTNode, readers: set[str] | frozenset[str]) -> bool:
    if isinstance(node, cst.Name):
        return node.value in readers
    if isinstance(node, cst.Call) and _opens_stdin(node):
        return True
    return any(_mentions(child, readers) for child in node.children)


def _opens_stdin(call: cst.Call) -> bool:
    """`open(0)`, `os.read(0, n)`, `os.fdopen(0)`: standard input by its number."""
    name = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
    return (
        isinstance(name, cst.Name)
        and name.value in ("open", "read", "fdopen")
        and bool(call.args)
        and isinstance(call.args[0].value, cst.Integer)
        and call.args[0].value.value == "0"
    )


_LAZY = frozenset({"map", "filter", "zip", "iter", "enumerate", "partial", "BufferedReader"})


def _stays_a_reader(value: cst.BaseExpression, readers: set[str]) -> bool:
    """True if `value` reads later on, False if it has read by the time it is bound."""
    match value:
        case cst.Name():
            return value.value in readers
        case cst.Attribute():
            return value.attr.value in readers or _stays_a_reader(value.value, readers)
        case cst.Lambda() | cst.GeneratorExp():
            return _mentions(value, readers)
        case cst.Call():
            name = value.func.attr if isinstance(value.func, cst.Attribute) else value.func
            if isinstance(name, cst.Name) and name.value in _LAZY | {"open", "fdopen"}:
                return _opens_stdin(value) or any(
                    _stays_a_reader(argument.value, readers) for argument in value.args
                )
            return False
        case cst.Tuple():
            return any(_stays_a_reader(element.value, readers) for element in value.elements)
        case _:
            return False


def _reads_stdin(node: Loop, readers: frozenset[str]) -> bool:
    """True if an iteration reads stdin; `for` evaluates its iterable once, before the first."""
    if isinstance(node, cst.For):
        lazily = _stays_a_reader(node.iter, set(readers))
        parts: list[cst.CSTNode] = [node.body, *([node.orelse] if node.orelse else [])]
        return lazily or any(_mentions(part, readers) for part in parts)
    return _mentions(node, readers)
