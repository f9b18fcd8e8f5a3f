"""Measures of a source text: cyclomatic complexity and nesting, with stated conventions."""

from __future__ import annotations

import libcst as cst

from deskcheck.builder.syntax import Source

_DECISIONS = (
    cst.If,
    cst.IfExp,
    cst.For,
    cst.While,
    cst.ExceptHandler,
    cst.ExceptStarHandler,
    cst.CompFor,
    cst.CompIf,
    cst.BooleanOperation,
    cst.Assert,
)
_BLOCKS = (cst.If, cst.For, cst.While, cst.Try, cst.TryStar, cst.With, cst.Match)


def cyclomatic(source: Source) -> int:
    """1 + the decision points of the whole file, after McCabe.

    Counted: `if` and `elif`, conditional expressions, loops, comprehension `for` and `if`,
    `except` clauses, each `and` and `or`, `assert`, and each `case` that is not the bare `_`.
    Functions are not counted as such, so the figure is of the file and not a sum per function.
    """
    points = 0
    for node in source.walk(source.module):
        if isinstance(node, _DECISIONS):
            points += 1
        elif isinstance(node, cst.MatchCase):
            bare = cst.MatchAs(pattern=None, name=None)
            points += not (node.guard is None and node.pattern.deep_equals(bare))
    return 1 + points


def nesting(source: Source) -> int:
    """The most compound statements that stand inside one another; `elif` nests no deeper."""
    deepest = 0
    for node in source.walk(source.module):
        if isinstance(node, _BLOCKS):
            chain = [node, *source.ancestors(node)]
            deepest = max(deepest, sum(_nests(source, above) for above in chain))
    return deepest


def _nests(source: Source, node: cst.CSTNode) -> bool:
    if isinstance(node, cst.If):
        above = source.parents.get(node)
        return not (isinstance(above, cst.If) and above.orelse is node)
    return isinstance(node, _BLOCKS)
