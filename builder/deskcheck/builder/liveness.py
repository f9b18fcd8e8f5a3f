"""Which variables matter at a loop's head: those whose present value may still be read.

A backward analysis over the structured syntax tree. It errs on the side of live: a name that
stands for one of the program's own functions counts as a read of every global or outer variable
that the function reads, directly or through others, and all such variables are live wherever the
scope may be left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import libcst as cst

from deskcheck.builder.loops import Loop, LoopSite, Scope
from deskcheck.builder.names import binds, bound_names, declared_outer
from deskcheck.builder.syntax import Source

Names = frozenset[str]
NONE: Names = frozenset()


def live_at_heads(source: Source, loops: Sequence[LoopSite]) -> Mapping[int, tuple[str, ...]]:
    """By loop offset: the names live just before an iteration begins, by first appearance."""
    effects = _effects(source)
    heads: dict[Loop, Names] = {}
    for scope in {loop.scope: None for loop in loops}:
        heads |= _Analysis(source, effects, scope).heads
    order = dict.fromkeys(name for node in source.walk(source.module) for name in _plain(node))
    return {
        loop.offset: tuple(
            name
            for name in order
            # A name that begins with two underscores means another one inside a class.
            if name in heads.get(loop.node, NONE) and not name.startswith("__")
        )
        for loop in loops
    }


def _plain(node: cst.CSTNode) -> Iterator[str]:
    if isinstance(node, cst.Name):
        yield node.value


def _effects(source: Source) -> Mapping[str, Names]:
    """For each function or class name: the outer variables that its code may read.

    Methods go by their bare names, so `x.push()` counts for every `push` of the program.
    """
    reads: dict[str, set[str]] = {}
    for node in source.walk(source.module):
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            # Defaults and decorators are read where it is defined, not where it is called.
            names = {name for part in source.walk(node.body) for name in _plain(part)}
            reads.setdefault(node.name.value, set()).update(names - _locals(source, node))
    changed = True
    while changed:
        changed = False
        for names in reads.values():
            more = {read for name in names if name in reads for read in reads[name]} - names
            names.update(more)
            changed = changed or bool(more)
    return {name: frozenset(names) for name, names in reads.items()}


def _locals(source: Source, scope: Scope) -> Names:
    """Names bound in the scope or below it, less those declared global or nonlocal."""
    bound = {name for node in source.walk(scope) for name in binds(node)}
    outer = {name for node in source.walk(scope) for name in declared_outer(node)}
    return frozenset(bound - outer)


def _called_anytime(source: Source, effects: Mapping[str, Names]) -> Names:
    """What is read by functions that may be called without their names being mentioned.

    Special methods, decorated functions, and functions that are handed on as values.
    """
    found: Names = NONE
    for node in source.walk(source.module):
        if isinstance(node, cst.FunctionDef):
            special = node.name.value.startswith("__") and node.name.value.endswith("__")
            if special or node.decorators:
                found |= effects[node.name.value]
        elif isinstance(node, cst.Name) and node.value in effects:
            above = source.parents.get(node)
            if isinstance(above, cst.Attribute) and above.attr is node:
                above = source.parents.get(above)
            if not isinstance(above, cst.Call | cst.FunctionDef | cst.ClassDef):
                found |= effects[node.value]
    return found


@dataclass(frozen=True, slots=True)
class _Exits:
    """What is live at each place that control may jump to."""

    leave_loop: Names = NONE
    next_iteration: Names = NONE
    leave_scope: Names = NONE
    raised: Names = NONE


class _Analysis:
    """Backward over one scope; `heads` is what is live at the head of each of its loops."""

    def __init__(self, source: Source, effects: Mapping[str, Names], scope: Scope) -> None:
        self._source = source
        self._effects = effects
        self._anytime = _called_anytime(source, effects)
        self.heads: dict[Loop, Names] = {}
        if isinstance(scope, cst.Module):
            self._block(scope.body, NONE, _Exits())
        else:
            # What other functions read outlives this one; its own locals do not.
            outlives = NONE.union(*effects.values()) - _locals(source, scope)
            self._suite(scope.body, outlives, _Exits(leave_scope=outlives))

    def _block(self, statements: Iterable[cst.CSTNode], live: Names, exits: _Exits) -> Names:
        for statement in reversed(list(statements)):
            live = self._statement(statement, live, exits)
        return live

    def _suite(self, suite: cst.BaseSuite | None, live: Names, exits: _Exits) -> Names:
        return live if suite is None else self._block(suite.body, live, exits)

    def _statement(self, node: cst.CSTNode, live: Names, exits: _Exits) -> Names:
        # It may raise before it has bound anything.
        return self._before(node, live, exits) | exits.raised

    def _before(self, node: cst.CSTNode, live: Names, exits: _Exits) -> Names:
        match node:
            case cst.SimpleStatementLine():
                return self._block(node.body, live, exits)
            case cst.Assign():
                for target in reversed(node.targets):
                    live = self._store(target.target, live)
                return self._evaluate(live, node.value)
            case cst.AnnAssign():
                if node.value is None:
                    return live
                return self._evaluate(self._store(node.target, live), node.value)
            case cst.AugAssign():
                return live | self._reads(node.target) | self._reads(node.value)
            case cst.Break():
                return exits.leave_loop
            case cst.Continue():
                return exits.next_iteration
            case cst.Return():
                return self._evaluate(exits.leave_scope, node.value)
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
                return self._match(node, live, exits)
            case cst.FunctionDef() | cst.ClassDef():
                inside = node.params if isinstance(node, cst.FunctionDef) else node.body
                bases = node.bases if isinstance(node, cst.ClassDef) else ()
                read = self._reads(inside, *bases, *node.decorators)
                return (live - {node.name.value}) | read
            case cst.Del():
                return live | self._reads(node.target)
            case cst.Global() | cst.Nonlocal() | cst.Pass() | cst.Import() | cst.ImportFrom():
                return live
            case _:
                return self._evaluate(live, node)

    def _if(self, node: cst.If, live: Names, exits: _Exits) -> Names:
        if isinstance(node.orelse, cst.If):
            otherwise = self._if(node.orelse, live, exits)
        else:
            otherwise = self._suite(node.orelse.body if node.orelse else None, live, exits)
        return self._evaluate(self._suite(node.body, live, exits) | otherwise, node.test)

    def _while(self, node: cst.While, live: Names, exits: _Exits) -> Names:
        endless = isinstance(node.test, cst.Name | cst.Integer) and (
            node.test.value not in ("False", "None", "0")
            and (isinstance(node.test, cst.Integer) or node.test.value == "True")
        )
        ended = self._suite(node.orelse.body if node.orelse else None, live, exits)
        head = self._evaluate(NONE if endless else ended, node.test)
        return self._to_fixed_point(
            node, head, lambda below: self._evaluate(below, node.test), live, exits
        )

    def _for(self, node: cst.For, live: Names, exits: _Exits) -> Names:
        ended = self._suite(node.orelse.body if node.orelse else None, live, exits)
        # An object that is iterated is still read by the loop's iterator at every iteration.
        held = frozenset({node.iter.value}) if isinstance(node.iter, cst.Name) else NONE
        targets = frozenset(bound_names(node.target))
        head = self._to_fixed_point(node, ended | held, lambda below: below - targets, live, exits)
        return self._evaluate(head, node.iter)

    def _to_fixed_point(
        self,
        node: Loop,
        head: Names,
        before_body: Callable[[Names], Names],
        live: Names,
        exits: _Exits,
    ) -> Names:
        while True:
            inner = replace(exits, leave_loop=live, next_iteration=head)
            below = before_body(self._suite(node.body, head, inner))
            if below <= head:
                break
            head |= below
        self.heads[node] = head | self._anytime
        return head

    def _match(self, node: cst.Match, live: Names, exits: _Exits) -> Names:
        last = node.cases[-1]
        wildcard = isinstance(last.pattern, cst.MatchAs) and last.pattern.pattern is None
        before = NONE if wildcard and last.guard is None else live
        for case in node.cases:
            inside = self._suite(case.body, live, exits) | self._reads(case.guard)
            captured = {name for part in self._source.walk(case.pattern) for name in binds(part)}
            before |= (inside - captured) | (self._reads(case.pattern) - captured)
        return self._evaluate(before, node.subject)

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

    def _evaluate(self, live: Names, node: cst.CSTNode | None) -> Names:
        """What is live before an expression; a walrus that comes first gives its name a value."""
        if node is None:
            return live
        first: dict[str, cst.Name] = {}
        for part in self._source.walk(node):
            if isinstance(part, cst.Name):
                first.setdefault(part.value, part)
        given = frozenset(name for name, part in first.items() if self._always_given(part, node))
        return (live | self._reads(node)) - given

    def _always_given(self, name: cst.Name, within: cst.CSTNode) -> bool:
        """True for the target of a walrus that is evaluated whenever `within` is."""
        below: cst.CSTNode = name
        above = self._source.parents.get(name)
        if not (isinstance(above, cst.NamedExpr) and above.target is name):
            return False
        if name.value in self._reads(above.value):
            return False
        while below is not within and above is not None:
            if isinstance(above, cst.BooleanOperation | cst.Comparison) and below is not above.left:
                return False
            if isinstance(above, cst.IfExp) and below is not above.test:
                return False
            if isinstance(above, cst.Lambda | cst.BaseComp):
                return False
            below, above = above, self._source.parents.get(above)
        return True

    def _reads(self, *nodes: cst.CSTNode | None) -> Names:
        """Names that evaluating the expressions may read, through the program's functions too."""
        names: set[str] = set()
        for part in self._source.walk(*(node for node in nodes if node is not None)):
            if not isinstance(part, cst.Name):
                continue
            names |= self._effects.get(part.value, NONE)
            if not self._is_label(part):
                names.add(part.value)
        return frozenset(names)

    def _is_label(self, name: cst.Name) -> bool:
        """True for an attribute, a keyword or a walrus target: a name that is not read."""
        above = self._source.parents.get(name)
        if isinstance(above, cst.NamedExpr):
            return above.target is name
        if isinstance(above, cst.Attribute):
            return above.attr is name
        return isinstance(above, cst.Arg) and above.keyword is name


def _handler_name(handler: cst.ExceptHandler | cst.ExceptStarHandler) -> str:
    if handler.name is not None and isinstance(handler.name.name, cst.Name):
        return handler.name.name.value
    return ""
