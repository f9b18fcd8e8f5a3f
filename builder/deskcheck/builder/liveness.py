"""Which variables matter at a loop's head: those whose present value may still be read.

A backward analysis over the structured syntax tree. It errs on the side of live: a name that
stands for one of the program's own functions counts as a read of every global or outer variable
that the function reads, directly or through others, and all such variables are live wherever the
scope may be left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import libcst as cst

from deskcheck.builder.loops import LoopSite, bound_names
from deskcheck.builder.syntax import Source

Names = frozenset[str]
NONE: Names = frozenset()

Comprehension = cst.ListComp | cst.SetComp | cst.DictComp | cst.GeneratorExp


def live_at_head(source: Source, loop: LoopSite) -> tuple[str, ...]:
    """The names live just before an iteration of `loop` begins, in order of first appearance."""
    effects = Effects.of(source.module)
    analysis = _Analysis(effects, loop)
    analysis.scope(loop.scope)
    return tuple(name for name in _names_in_order(source.module) if name in analysis.at_head)


def _names_in_order(module: cst.Module) -> Sequence[str]:
    return list(dict.fromkeys(node.value for node in _walk(module) if isinstance(node, cst.Name)))


def _walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        yield from _walk(child)


@dataclass(frozen=True, slots=True)
class Effects:
    """For each function or class name of the program: outer variables its code may read."""

    reads: dict[str, Names] = field(default_factory=dict)

    @staticmethod
    def of(module: cst.Module) -> Effects:
        direct: dict[str, set[str]] = {}
        for node in _walk(module):
            if isinstance(node, cst.FunctionDef):
                free = _all_names(node) - _locals(node)
                direct.setdefault(node.name.value, set()).update(free)
            elif isinstance(node, cst.ClassDef):
                direct.setdefault(node.name.value, set()).update(_all_names(node))
        changed = True
        while changed:
            changed = False
            for names in direct.values():
                more = {r for name in names if name in direct for r in direct[name]} - names
                if more:
                    names |= more
                    changed = True
        return Effects({name: frozenset(names) for name, names in direct.items()})

    def escaping(self) -> Names:
        """Every outer variable that some function reads: live wherever control may leave."""
        return frozenset().union(*self.reads.values()) if self.reads else NONE


def _all_names(node: cst.CSTNode) -> set[str]:
    return {n.value for n in _walk(node) if isinstance(n, cst.Name)}


def _locals(function: cst.FunctionDef) -> set[str]:
    """Names that the function binds itself, less those it declares global or nonlocal."""
    bound: set[str] = set()
    outer: set[str] = set()
    for node in _walk(function):
        match node:
            case cst.Param():
                bound.add(node.name.value)
            case cst.AssignTarget() | cst.NamedExpr() | cst.AugAssign() | cst.AnnAssign():
                bound.update(bound_names(node.target))
            case cst.For() | cst.CompFor():
                bound.update(bound_names(node.target))
            case cst.Global() | cst.Nonlocal():
                outer.update(item.name.value for item in node.names)
    return bound - outer


@dataclass(frozen=True, slots=True)
class _Exits:
    """What is live at each place that control may jump to."""

    leave_loop: Names = NONE
    next_iteration: Names = NONE
    leave_scope: Names = NONE
    raised: Names = NONE


class _Analysis:
    """Backward over one scope; `at_head` is what was live at the head of `loop`."""

    def __init__(self, effects: Effects, loop: LoopSite) -> None:
        self._effects = effects
        self._loop = loop
        self._escaping = effects.escaping()
        self.at_head: Names = NONE

    def scope(self, scope: cst.Module | cst.FunctionDef | cst.ClassDef) -> None:
        body: Sequence[cst.CSTNode]
        body = scope.body if isinstance(scope, cst.Module) else scope.body.body
        self._block(body, self._escaping, _Exits(leave_scope=self._escaping))

    def _block(self, statements: Iterable[cst.CSTNode], live: Names, exits: _Exits) -> Names:
        for statement in reversed(list(statements)):
            live = self._statement(statement, live, exits)
        return live

    def _suite(self, suite: cst.BaseSuite | None, live: Names, exits: _Exits) -> Names:
        return live if suite is None else self._block(suite.body, live, exits)

    def _statement(self, node: cst.CSTNode, live: Names, exits: _Exits) -> Names:
        live = live | exits.raised
        match node:
            case cst.SimpleStatementLine():
                return self._block(node.body, live, exits)
            case cst.Assign():
                for target in reversed(node.targets):
                    live = self._store(target.target, live)
                return live | self._reads(node.value)
            case cst.AnnAssign():
                if node.value is None:
                    return live
                return self._store(node.target, live) | self._reads(node.value)
            case cst.AugAssign():
                return live | self._reads(node.target) | self._reads(node.value)
            case cst.Break():
                return exits.leave_loop
            case cst.Continue():
                return exits.next_iteration
            case cst.Return():
                return exits.leave_scope | self._reads(node.value)
            case cst.Raise():
                return exits.leave_scope | exits.raised | self._reads(node)
            case cst.If():
                return self._if(node, live, exits)
            case cst.While():
                return self._while(node, live, exits)
            case cst.For():
                return self._for(node, live, exits)
            case cst.Try() | cst.TryStar():
                return self._try(node, live, exits)
            case cst.With():
                live = self._suite(node.body, live, exits)
                for item in reversed(node.items):
                    if item.asname is not None:
                        live = self._store(item.asname.name, live)
                    live |= self._reads(item.item)
                return live
            case cst.Match():
                cases = (
                    self._suite(case.body, live, exits) | self._reads(case.guard)
                    for case in node.cases
                )
                return live.union(*cases) | self._reads(node.subject)
            case cst.FunctionDef() | cst.ClassDef():
                outside = [*node.decorators]
                if isinstance(node, cst.FunctionDef):
                    read = self._reads(node.params)
                else:
                    read = self._reads(node.body).union(*(self._reads(b) for b in node.bases))
                return (live - {node.name.value}) | read.union(*map(self._reads, outside))
            case cst.Del():
                return live | self._reads(node.target)
            case cst.Global() | cst.Nonlocal() | cst.Pass() | cst.Import() | cst.ImportFrom():
                return live
            case _:
                return live | self._reads(node)

    def _if(self, node: cst.If, live: Names, exits: _Exits) -> Names:
        if isinstance(node.orelse, cst.If):
            otherwise = self._if(node.orelse, live, exits)
        else:
            otherwise = self._suite(node.orelse.body if node.orelse else None, live, exits)
        return self._suite(node.body, live, exits) | otherwise | self._reads(node.test)

    def _while(self, node: cst.While, live: Names, exits: _Exits) -> Names:
        endless = isinstance(node.test, cst.Name | cst.Integer) and (
            node.test.value not in ("False", "None", "0")
            and (isinstance(node.test, cst.Integer) or node.test.value == "True")
        )
        ended = self._suite(node.orelse.body if node.orelse else None, live, exits)
        head = self._reads(node.test) | (NONE if endless else ended)
        return self._to_fixed_point(node, head, NONE, live, exits)

    def _for(self, node: cst.For, live: Names, exits: _Exits) -> Names:
        ended = self._suite(node.orelse.body if node.orelse else None, live, exits)
        # An object that is iterated is still read by the loop's iterator at every iteration.
        held = frozenset({node.iter.value}) if isinstance(node.iter, cst.Name) else NONE
        targets = frozenset(bound_names(node.target))
        head = self._to_fixed_point(node, ended | held, targets, live, exits)
        return head | self._reads(node.iter)

    def _to_fixed_point(
        self, node: cst.For | cst.While, head: Names, targets: Names, live: Names, exits: _Exits
    ) -> Names:
        while True:
            inner = replace(exits, leave_loop=live, next_iteration=head)
            below = self._suite(node.body, head, inner) - targets
            if below <= head:
                break
            head |= below
        if node is self._loop.node:
            self.at_head = head
        return head

    def _try(self, node: cst.Try | cst.TryStar, live: Names, exits: _Exits) -> Names:
        if node.finalbody is not None:
            live = self._suite(node.finalbody.body, live | exits.leave_scope, exits)
            exits = _Exits(
                leave_loop=live | exits.leave_loop,
                next_iteration=live | exits.next_iteration,
                leave_scope=live | exits.leave_scope,
                raised=live,
            )
        handlers = NONE
        for handler in node.handlers:
            bound = frozenset({_handler_name(handler)})
            handlers |= self._reads(handler.type)
            handlers |= self._suite(handler.body, live, exits) - bound
        after = self._suite(node.orelse.body if node.orelse else None, live, exits)
        return self._suite(node.body, after, replace(exits, raised=exits.raised | handlers))

    def _store(self, target: cst.CSTNode, live: Names) -> Names:
        bound = frozenset(bound_names(target))
        return (live - bound) | (self._reads(target) - bound)

    def _reads(self, node: cst.CSTNode | None) -> Names:
        """Names that evaluating an expression may read, through the program's functions too."""
        if node is None:
            return NONE
        names: set[str] = set()
        for part in _walk(node):
            if isinstance(part, cst.Name) and part.value not in names:
                names.add(part.value)
                names |= self._effects.reads.get(part.value, NONE)
        return frozenset(names)


def _handler_name(handler: cst.ExceptHandler | cst.ExceptStarHandler) -> str:
    if handler.name is not None and isinstance(handler.name.name, cst.Name):
        return handler.name.name.value
    return ""
