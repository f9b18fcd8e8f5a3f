"""Which variables matter at a loop's head: those whose present value may still be read.

A backward analysis over the statements of each function and lambda. It errs on the side of live:
`aliases` says what may be read without being named, and whatever `goto` can reach is read. At a
loop inside an expression all that is visible is live.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from clang.cindex import Cursor

from deskcheck.builder.cpp.aliases import NONE, Ids, Reads
from deskcheck.builder.cpp.headers import Header, header
from deskcheck.builder.cpp.loops import CppLoop
from deskcheck.builder.cpp.parsing import CppSource
from deskcheck.builder.cpp.tree import FUNCTIONS, LOOPS, Node, identity
from deskcheck.builder.syntax import RECURSION

_NOT_SHOWN = re.compile(
    r"(?:const )?(?:std::basic_\w*stream(?:buf)?<|\(lambda|std::function<|[^<]*\([*&])"
)
"""Streams and functions."""
_EXTRACTED = re.compile(
    r"^(?:unsigned |signed )?(?:int|long|long long|short|char|double|float|bool"
    r"|long double|__int128)$|^std::(?:__cxx11::)?basic_string<char"
)
_JUMPS = frozenset({"GOTO_STMT", "INDIRECT_GOTO_STMT"})
_WAYS_OUT = frozenset({"BREAK_STMT", "CONTINUE_STMT", "RETURN_STMT"})
_WRAPPERS = frozenset({"UNEXPOSED_EXPR", "PAREN_EXPR"})


def live_at_heads(source: CppSource, loops: Sequence[CppLoop]) -> Mapping[int, tuple[str, ...]]:
    """By loop offset: the names live just before an iteration begins, by first appearance."""
    reads = Reads(source)
    heads: dict[int, Ids] = {}
    # Statements within statements recurse; the verdict must not depend on the caller's depth.
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION))
    try:
        for node in source.tree.walk():
            if node.kind in FUNCTIONS or node.kind == "LAMBDA_EXPR":
                for loop, live in _Analysis(source, reads, node).heads.items():
                    heads[loop.cursor.hash] = live
    finally:
        sys.setrecursionlimit(limit)
    return {
        loop.offset: _names(loop, heads.get(loop.cursor.hash, _visible(loop)) | reads.anytime)
        for loop in loops
    }


def _visible(loop: CppLoop) -> Ids:
    return frozenset(identity(cursor) for cursor in loop.names.values())


def _names(loop: CppLoop, live: Ids) -> tuple[str, ...]:
    found = [
        (int(cursor.location.offset), name)
        for name, cursor in loop.names.items()
        if (identity(cursor) in live or _refers(cursor)) and _varies(cursor)
    ]
    return tuple(name for _, name in sorted(found))


def _refers(cursor: Cursor) -> bool:
    """A reference, whose variable may be read by another name."""
    return str(cursor.type.kind.name) in ("LVALUEREFERENCE", "RVALUEREFERENCE")


def _varies(cursor: Cursor) -> bool:
    """False for constants, streams and functions."""
    kind = cursor.type.get_canonical()
    spelling = str(kind.spelling)
    if _NOT_SHOWN.match(spelling):
        return False
    if _refers(cursor):
        return True
    return not (kind.is_const_qualified() or _is_constant_array(spelling))


def _is_constant_array(spelling: str) -> bool:
    return spelling.startswith("const ") and spelling.endswith("]")


@dataclass(frozen=True, slots=True)
class _Exits:
    """What is live at each place that control may jump to."""

    leave_loop: Ids = NONE
    next_iteration: Ids = NONE
    leave_scope: Ids = NONE
    raised: Ids = NONE
    cases: list[Ids] = field(default_factory=list)
    """What is live at each label of the switch around."""


class _Analysis:
    """Backward over one function or lambda; `heads` is what is live at each loop's head."""

    def __init__(self, source: CppSource, reads: Reads, scope: Node) -> None:
        self._source = source
        self._reads = reads
        self.heads: dict[Node, Ids] = {}
        # Analysed again, inside another loop, a loop begins where it ended before.
        self._reached: dict[Node, Ids] = {}
        body = next((each for each in scope.children if each.kind == "COMPOUND_STMT"), None)
        if body is None:
            return
        # What other functions read outlives this one; its own variables do not.
        outlives = reads.anytime if scope.name == "main" else reads.outside
        outlives |= frozenset(
            identity(each.cursor)
            for each in scope.children
            if each.kind == "PARM_DECL" and _refers(each.cursor)
        )
        if scope.kind == "LAMBDA_EXPR":
            *_, around, _ = scope.above()  # the declaration that it stands in
            outlives |= reads.of(around) - _declared(scope)
        self._everything = NONE
        if any(part.kind in _JUMPS or _flows_within(part) for part in body.walk()):
            self._everything = outlives | reads.of(body)
        self._statement(body, outlives, _Exits(leave_scope=outlives))

    def _block(self, statements: Iterable[Node], live: Ids, exits: _Exits) -> Ids:
        for statement in reversed(list(statements)):
            live = self._statement(statement, live, exits)
        return live

    def _statement(self, node: Node, live: Ids, exits: _Exits) -> Ids:
        # It may throw before it has stored anything.
        return self._before(node, live, exits) | exits.raised | self._everything

    def _before(self, node: Node, live: Ids, exits: _Exits) -> Ids:
        match node.kind:
            case "COMPOUND_STMT":
                return self._block(node.children, live, exits)
            case "DECL_STMT":
                for child in reversed(node.children):
                    live = self._declaration(child, live)
                return live
            case "VAR_DECL" | "UNEXPOSED_DECL":
                return self._declaration(node, live)
            case "IF_STMT":
                return self._if(node, live, exits)
            case "SWITCH_STMT":
                return self._switch(node, live, exits)
            case "CASE_STMT" | "DEFAULT_STMT":
                inside = self._statement(node.children[-1], live, exits) if node.children else live
                exits.cases.append(inside)
                return inside
            case "LABEL_STMT" | "UNEXPOSED_STMT":
                return self._block(node.children, live, exits)
            case "BREAK_STMT":
                return exits.leave_loop
            case "CONTINUE_STMT":
                return exits.next_iteration
            case "RETURN_STMT":
                return self._evaluate_all(node.children, exits.leave_scope)
            case "GOTO_STMT" | "INDIRECT_GOTO_STMT":
                return self._everything
            case "CXX_THROW_EXPR":
                return exits.leave_scope | exits.raised | self._reads.of(node)
            case "CXX_TRY_STMT":
                return self._try(node, live, exits)
            case "NULL_STMT":
                return live
            case kind if kind in LOOPS:
                return self._loop(node, live, exits)
            case _:
                return self._evaluate(node, live)

    def _declaration(self, node: Node, live: Ids) -> Ids:
        given = {
            identity(part.cursor)
            for part in (node, *node.children)
            if part.kind in ("VAR_DECL", "UNEXPOSED_DECL")
        }
        if node.cursor.storage_class.name == "STATIC":  # given its value once
            given = set()
        return (live - given) | self._reads.of(*node.children)

    def _if(self, node: Node, live: Ids, exits: _Exits) -> Ids:
        first: list[Node] = []
        rest = list(node.children)
        while rest and rest[0].kind in ("DECL_STMT", "VAR_DECL"):
            first.append(rest.pop(0))
        if not rest:
            return live
        condition, *branches = rest
        before = NONE.union(*[self._statement(each, live, exits) for each in branches])
        if len(branches) < 2:
            before |= live
        return self._block(first, self._evaluate(condition, before), exits)

    def _switch(self, node: Node, live: Ids, exits: _Exits) -> Ids:
        *first, body = node.children
        inner = replace(exits, leave_loop=live, cases=[])
        before = self._statement(body, live, inner)
        return self._evaluate_all(first, before | live | NONE.union(*inner.cases))

    def _loop(self, node: Node, live: Ids, exits: _Exits) -> Ids:
        parts = header(self._source, node)
        unseen = self._unseen(node, parts)
        match node.kind:
            case "DO_STMT":
                return self._do(node, parts, live, exits)
            case "CXX_FOR_RANGE_STMT":
                # What is gone through is read at every iteration.
                held = self._reads.of(*parts.first) | unseen
                bound = _declared(*parts.bound)
                head = self._to_fixed_point(
                    node, live | held, lambda below: below - bound, parts, live, exits
                )
                return self._evaluate_all(parts.first, head) | unseen
            case _:
                endless = _is_endless(self._source, node, parts)
                head = self._condition(parts, NONE if endless else live)
                head = self._to_fixed_point(
                    node, head, lambda below: self._condition(parts, below), parts, live, exits
                )
                return self._block(parts.first, head, exits)

    def _unseen(self, node: Node, parts: Header) -> Ids:
        """Every variable that the function knows, where part of a header is not visited."""
        if not parts.unseen:
            return NONE
        top = node
        for above in node.above():
            top = above
            if above.kind in FUNCTIONS:
                break
        return frozenset(
            each.refers_to for each in top.walk() if each.refers_to and each.name in parts.unseen
        )

    def _condition(self, parts: Header, live: Ids) -> Ids:
        for part in reversed(parts.condition):
            if part in parts.bound:
                live = self._declaration(part, live)
            else:
                live = self._evaluate(part, live)
        return live

    def _do(self, node: Node, parts: Header, live: Ids, exits: _Exits) -> Ids:
        head = self._reached.get(node, NONE)
        while True:
            condition = self._evaluate_all(parts.condition, live | head)
            inner = replace(exits, leave_loop=live, next_iteration=condition)
            below = self._statement(parts.body, condition, inner)
            if below <= head:
                break
            head |= below
        self._reached[node] = self.heads[node] = head
        return head

    def _to_fixed_point(
        self,
        node: Node,
        head: Ids,
        before_body: Callable[[Ids], Ids],
        parts: Header,
        live: Ids,
        exits: _Exits,
    ) -> Ids:
        head |= self._reached.get(node, NONE)
        while True:
            again = self._evaluate_all(parts.step, head)
            inner = replace(exits, leave_loop=live, next_iteration=again)
            body = self._statement(parts.body, again, inner)
            below = before_body(body)
            if below <= head:
                break
            head |= below
        self._reached[node] = head
        self.heads[node] = head | body
        return head

    def _try(self, node: Node, live: Ids, exits: _Exits) -> Ids:
        body, *handlers = node.children
        caught = NONE.union(*[self._block(each.children, live, exits) for each in handlers])
        return self._statement(body, live, replace(exits, raised=exits.raised | caught))

    def _evaluate_all(self, nodes: Iterable[Node], live: Ids) -> Ids:
        for node in reversed(list(nodes)):
            if node.kind in ("DECL_STMT", "VAR_DECL", "UNEXPOSED_DECL"):
                live = self._before(node, live, _Exits())
            else:
                live = self._evaluate(node, live)
        return live

    def _evaluate(self, node: Node, live: Ids) -> Ids:
        """What is live before an expression; `x = ...` as a whole gives `x` its value."""
        while node.kind in _WRAPPERS and len(node.children) == 1:
            node = node.children[0]
        while node.operator == ",":
            node, last = node.children
            live = self._evaluate(last, live)
        if node.operator == "=" or (node.kind == "CALL_EXPR" and node.name == "operator="):
            target, *rest = node.children
            if (given := _plain(target)) is not None:
                return self._evaluate_all(rest, live - {given})
        extracted = self._extracted(node)
        if extracted:
            streams, given_names = extracted
            return (live - given_names) | self._reads.of(*streams)
        return live | self._reads.of(node)

    def _extracted(self, node: Node) -> tuple[list[Node], Ids] | None:
        """What `in >> a >> b` reads, and the plain variables that it gives values."""
        given: set[int] = set()
        streams: list[Node] = []
        while node.kind == "CALL_EXPR" and node.name == "operator>>" and len(node.children) == 3:
            node, operator, target = node.children
            variable = _plain(target)
            if variable is None or not _EXTRACTED.search(_type(target)):
                streams.append(target)
            else:
                given.add(variable)
            streams.append(operator)
            while node.kind in _WRAPPERS and len(node.children) == 1:
                node = node.children[0]
        if not streams or "istream" not in _type(node):
            return None
        streams.append(node)
        return streams, frozenset(given) - self._reads.of(*streams)


def _flows_within(node: Node) -> bool:
    """`({ ... })` with a loop or a way out of it: expressions are not followed."""
    return node.kind == "StmtExpr" and any(
        part.kind in LOOPS or part.kind in _WAYS_OUT for part in node.walk()
    )


def _plain(node: Node) -> int | None:
    """The variable or member of the own object that an expression is, and nothing more."""
    while node.kind in _WRAPPERS and len(node.children) == 1:
        node = node.children[0]
    if node.kind == "DECL_REF_EXPR" and not _refers_type(node):
        return node.refers_to or None
    if node.kind == "MEMBER_REF_EXPR" and all(c.kind == "CXX_THIS_EXPR" for c in node.children):
        return node.refers_to or None
    return None


def _refers_type(node: Node) -> bool:
    target = node.target
    return target is not None and _refers(target)


def _declared(*nodes: Node) -> Ids:
    return frozenset(
        identity(part.cursor)
        for node in nodes
        for part in node.walk()
        if part.kind in ("VAR_DECL", "PARM_DECL", "UNEXPOSED_DECL")
    )


def _is_endless(source: CppSource, node: Node, parts: Header) -> bool:
    """No condition, or one that is a true constant."""
    if not parts.condition:
        return node.kind == "FOR_STMT"
    (first, *more) = parts.condition
    text = source.code[first.start : first.end]
    return not more and text in (b"true", b"1")


def _type(node: Node) -> str:
    return str(node.cursor.type.get_canonical().spelling)
