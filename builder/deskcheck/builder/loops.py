"""The loops of a Python program, where their checkpoints would stand, and who reads stdin."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass

import libcst as cst

from deskcheck.builder.names import bound_names
from deskcheck.builder.syntax import Source

Loop = cst.For | cst.While
Scope = cst.Module | cst.FunctionDef | cst.ClassDef


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopSite:
    """One `for` or `while` statement. `offset` names it, as in `Checkpoint.loop`."""

    offset: int
    line: int
    text: str
    """The first line of the statement, without indent."""
    kind: str
    """`for`, `async for` or `while`."""
    depth: int
    """1 for a loop in no other loop of its function, 2 for one inside that, and so on."""
    node: Loop
    scope: Scope
    targets: frozenset[str]
    """Names that the loop statement itself binds at each iteration."""
    ordered: tuple[cst.BaseExpression, ...]
    """Variables, attributes and elements whose own order the loop follows."""
    iterated: frozenset[str]
    """The variables that those are reached from."""
    iterates_set: bool
    """The iterated expression is itself a set display, comprehension or call."""
    reads_stdin: bool
    uneditable: str = ""


def find_loops(source: Source) -> tuple[LoopSite, ...]:
    """Every loop statement in source order."""
    readers = stdin_readers(source)
    return tuple(
        _site(source, node, readers)
        for node in source.walk(source.module)
        if isinstance(node, cst.For | cst.While)
    )


def _site(source: Source, node: Loop, readers: frozenset[str]) -> LoopSite:
    depth = 1
    scope: Scope = source.module
    for above in source.ancestors(node):
        if isinstance(above, cst.For | cst.While):
            depth += 1
        elif isinstance(above, cst.FunctionDef | cst.ClassDef):
            scope = above
            break
    kind = "while"
    ordered: tuple[cst.BaseExpression, ...] = ()
    targets: frozenset[str] = frozenset()
    if isinstance(node, cst.For):
        kind = "async for" if node.asynchronous else "for"
        ordered = tuple(_ordered(node.iter))
        targets = frozenset(bound_names(node.target))
    offset = source.start(node)
    return LoopSite(
        offset=offset,
        line=source.line(offset),
        text=source.code[offset:].splitlines()[0].decode("utf-8").rstrip(),
        kind=kind,
        depth=depth,
        node=node,
        scope=scope,
        targets=targets,
        ordered=ordered,
        iterated=frozenset(
            part.value
            for part in source.walk(*ordered)
            if isinstance(part, cst.Name) and not _is_attribute(source, part)
        ),
        iterates_set=isinstance(node, cst.For) and _is_set(node.iter),
        reads_stdin=_reads_stdin(source, node, readers),
    )


_WRAPPERS = frozenset({"list", "tuple", "enumerate", "iter", "reversed", "map", "filter", "zip"})
_SET_MAKERS = frozenset({"set", "frozenset"})


def _ordered(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The variables, attributes and elements whose own order an iterable follows."""
    match node:
        case cst.Name() | cst.Subscript() | cst.Attribute():
            yield node
        case cst.Call(func=cst.Attribute() as method):
            yield from _ordered(method.value)
        case cst.Call(func=cst.Name(value=name)) if name in _WRAPPERS:
            for argument in node.args:
                yield from _ordered(argument.value)
        case cst.ListComp() | cst.GeneratorExp():
            yield from _ordered(node.for_in.iter)
        case cst.BinaryOperation() | cst.BooleanOperation():  # `a | b` of two sets is one
            yield from _ordered(node.left)
            yield from _ordered(node.right)
        case cst.IfExp():
            yield from _ordered(node.body)
            yield from _ordered(node.orelse)
        case cst.List() | cst.Tuple():
            for element in node.elements:
                if isinstance(element, cst.StarredElement):
                    yield from _ordered(element.value)


def _is_set(node: cst.BaseExpression) -> bool:
    match node:
        case cst.Set() | cst.SetComp():
            return True
        case cst.NamedExpr():
            return _is_set(node.value)
        case cst.List() | cst.Tuple():
            starred = (e.value for e in node.elements if isinstance(e, cst.StarredElement))
            return any(map(_is_set, starred))
        case cst.Call(func=cst.Name(value=name), args=arguments):
            if name in _SET_MAKERS:
                return True
            return name in _WRAPPERS and any(_is_set(argument.value) for argument in arguments)
        case _:
            return False


def stdin_readers(source: Source) -> frozenset[str]:
    """Names that read standard input when called or iterated, found to a fixed point.

    `input` and `stdin` to begin with; then every function or lambda whose body mentions a
    reader, and every name given a reader itself (`readline = sys.stdin.readline`) or an iterator
    that reads as it goes (`map(int, sys.stdin)`). A value that was read at once
    (`sys.stdin.read().split()`) is not a reader.
    """
    readers = {*_READERS}
    while True:
        found = {
            name
            for node in source.walk(source.module)
            for name in _newly_tainted(source, node, readers)
        }
        if found <= readers:
            return frozenset(readers) - _given_another_meaning(source, found)
        readers |= found


_READERS = frozenset({"input", "stdin", "__stdin__", "fileinput"})


def _given_another_meaning(source: Source, found: Set[str]) -> Set[str]:
    """Built-in readers that the program rebinds, and never to something that reads.

    `input = iter(sys.stdin.read().split()).__next__` reads memory.
    """
    bound: set[str] = set()
    for node in source.walk(source.module):
        if isinstance(node, cst.FunctionDef):
            bound.add(node.name.value)
        elif isinstance(node, cst.AssignTarget | cst.AnnAssign):
            bound.update(bound_names(node.target))
    return (_READERS & bound) - found


def _newly_tainted(source: Source, node: cst.CSTNode, readers: set[str]) -> Iterator[str]:
    match node:
        case cst.FunctionDef():
            if _mentions(source, node.body, readers):
                yield node.name.value
        case cst.Assign():
            # Unpacking an iterator reads it at once; unpacking a tuple display does not.
            unpacked = not isinstance(node.value, cst.Tuple)
            if _stays_a_reader(source, node.value, readers):
                for target in node.targets:
                    if not (unpacked and isinstance(target.target, cst.Tuple | cst.List)):
                        yield from bound_names(target.target)
        case cst.NamedExpr(target=cst.Name(value=name)) if _stays_a_reader(
            source, node.value, readers
        ):
            yield name
        case cst.WithItem(asname=cst.AsName(name=cst.Name(value=name))) if _stays_a_reader(
            source, node.item, readers
        ):
            yield name
        case cst.Param(default=cst.BaseExpression() as value) if _stays_a_reader(
            source, value, readers
        ):
            yield node.name.value
        case cst.ImportAlias(asname=cst.AsName(name=cst.Name(value=name))) if (
            node.evaluated_name in readers
        ):
            yield name
        case cst.AnnAssign(value=cst.BaseExpression() as value):
            if _stays_a_reader(source, value, readers):
                yield from bound_names(node.target)


def _mentions(source: Source, node: cst.CSTNode, readers: Set[str]) -> bool:
    return any(
        (isinstance(part, cst.Name) and _is_reader(source, part, readers))
        or (isinstance(part, cst.Call) and _opens_stdin(part))
        for part in source.walk(node)
    )


def _is_reader(source: Source, name: cst.Name, readers: Set[str]) -> bool:
    if _is_attribute(source, name):
        return name.value in readers or name.value in ("stdin", "__stdin__")
    return name.value in readers


def _called(call: cst.Call) -> str:
    """The name that a call ends in: `f` of `f()` and of `a.b.f()`."""
    name = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
    return name.value if isinstance(name, cst.Name) else ""


def _is_attribute(source: Source, name: cst.Name) -> bool:
    above = source.parents.get(name)
    return isinstance(above, cst.Attribute) and above.attr is name


def _opens_stdin(call: cst.Call) -> bool:
    """`open(0)`, `os.read(0, n)`, `os.fdopen(0)`: standard input by its number."""
    return (
        _called(call) in ("open", "read", "fdopen")
        and bool(call.args)
        and isinstance(call.args[0].value, cst.Integer)
        and call.args[0].value.value == "0"
    )


_LAZY = frozenset({"map", "filter", "zip", "iter", "enumerate", "partial", "BufferedReader"})


def _stays_a_reader(source: Source, value: cst.BaseExpression, readers: Set[str]) -> bool:
    """True if `value` reads later on, False if it has read by the time it is bound."""
    match value:
        case cst.Name():
            return value.value in readers
        case cst.Attribute():
            return _is_reader(source, value.attr, readers) or _stays_a_reader(
                source, value.value, readers
            )
        case cst.Lambda():
            return _mentions(source, value.body, readers)
        case cst.GeneratorExp():  # its first iterable is evaluated at once
            return _mentions(source, value.elt, readers) or _stays_a_reader(
                source, value.for_in.iter, readers
            )
        case cst.Call():
            if _called(value) in _LAZY | {"open", "fdopen"}:
                return _opens_stdin(value) or any(
                    _stays_a_reader(source, argument.value, readers) for argument in value.args
                )
            return False
        case cst.Tuple():
            return any(
                _stays_a_reader(source, element.value, readers) for element in value.elements
            )
        case _:
            return False


def _reads_stdin(source: Source, node: Loop, readers: frozenset[str]) -> bool:
    """True if an iteration reads stdin; `for` evaluates its iterable once, before the first."""
    if isinstance(node, cst.For):
        lazily = _stays_a_reader(source, node.iter, readers)
        parts: list[cst.CSTNode] = [node.body, *([node.orelse] if node.orelse else [])]
        return lazily or any(_mentions(source, part, readers) for part in parts)
    return _mentions(source, node, readers)
