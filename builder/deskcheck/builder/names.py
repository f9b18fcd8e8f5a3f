"""The names that a statement or expression binds."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst


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


def binds(node: cst.CSTNode) -> Iterator[str]:
    """The names that this node itself binds, not those of nodes below it."""
    match node:
        case cst.FunctionDef() | cst.ClassDef() | cst.Param():
            yield node.name.value
        case cst.AssignTarget() | cst.NamedExpr() | cst.AugAssign() | cst.AnnAssign():
            yield from bound_names(node.target)
        case cst.For() | cst.CompFor():
            yield from bound_names(node.target)
        case cst.AsName():  # of `with`, `except` and `import`
            yield from bound_names(node.name)
        case cst.ImportAlias(asname=None):
            yield node.evaluated_name.split(".")[0]
        case cst.MatchAs(name=cst.Name(value=name)) | cst.MatchStar(name=cst.Name(value=name)):
            yield name
        case cst.MatchMapping(rest=cst.Name(value=name)):
            yield name


def declared_outer(node: cst.CSTNode) -> Iterator[str]:
    """The names that a `global` or `nonlocal` statement takes from an outer scope."""
    if isinstance(node, cst.Global | cst.Nonlocal):
        yield from (item.name.value for item in node.names)
