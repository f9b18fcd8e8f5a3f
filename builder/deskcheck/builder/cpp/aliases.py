"""What the program's functions read, and which variables may be read without being named.

The units are functions and the lambdas that variables are made of. A name that stands for one
counts as a read of every variable from outside that its text reads, directly or through others.
Where a variable may be read by another way (through a pointer, a reference, an iterator, a
comparison that a container keeps), it is taken to be live everywhere.
"""

from __future__ import annotations

import re

from deskcheck.builder.cpp.parsing import MAIN, CppSource
from deskcheck.builder.cpp.tree import FUNCTIONS, Node, identity

Ids = frozenset[int]
"""Identities of declarations."""
NONE: Ids = frozenset()

_LOCALS = frozenset({"VAR_DECL", "PARM_DECL", "UNEXPOSED_DECL"})
_REFERENCES = frozenset({"DECL_REF_EXPR", "MEMBER_REF_EXPR", "VARIABLE_REF"})
_NAMES = _REFERENCES | {"MEMBER_REF", "CALL_EXPR"}
_POINTING = re.compile(
    r"[*&]|iterator|string_view|span<|initializer_list|reference_wrapper|ranges::"
)
_ADDRESS_MAKERS = frozenset({"ref", "cref", "addressof"})
_WRAPPERS = frozenset({"UNEXPOSED_EXPR", "PAREN_EXPR"})


class Reads:
    """Who reads what, for one program."""

    def __init__(self, source: CppSource) -> None:
        self._source = source
        self._declared: set[int] = set()
        self._by_name: dict[str, set[int]] = {}
        self._units: dict[int, Node] = {}
        self._collect_units()
        self._effects = self._to_fixed_point()
        self.anytime = self._anytime()
        """Live at every place where they are visible."""
        self.outside = NONE.union(*self._effects.values(), self.anytime)
        """What some function reads that it does not declare itself."""

    def of(self, *nodes: Node) -> Ids:
        """What evaluating the nodes may read."""
        found: set[int] = set()
        for node in nodes:
            for part in node.walk():
                found |= self.at(part)
        return frozenset(found)

    def at(self, node: Node) -> Ids:
        """What a node itself reads, those below it left out."""
        if node.kind == "OVERLOADED_DECL_REF":
            units = self._by_name.get(node.name, set())
            return NONE.union(*(self._effects[unit] for unit in units))
        if node.kind not in _NAMES or is_stored_to(node):
            return NONE
        refers = node.refers_to
        return self._effects.get(refers, NONE) | {refers}

    def _collect_units(self) -> None:
        for node in self._source.tree.walk():
            if node.kind in _LOCALS or node.kind == "FIELD_DECL":
                self._declared.add(identity(node.cursor))
            if node.kind in FUNCTIONS and any(c.kind == "COMPOUND_STMT" for c in node.children):
                self._add_unit(identity(node.cursor), node.name, node)
            elif node.kind == "LAMBDA_EXPR":
                variable = _kept_in(node)
                if variable is not None:
                    self._add_unit(variable, "", node)

    def _add_unit(self, unit: int, name: str, node: Node) -> None:
        self._units[unit] = node
        self._by_name.setdefault(name, set()).add(unit)

    def _to_fixed_point(self) -> dict[int, Ids]:
        mentioned: dict[int, set[int]] = {}
        inner: dict[int, set[int]] = {}
        for unit, node in self._units.items():
            mentioned[unit] = set()
            inner[unit] = set()
            for part in node.walk():
                if part.kind == "OVERLOADED_DECL_REF":
                    mentioned[unit] |= self._by_name.get(part.name, set())
                elif part.kind in _NAMES and not is_stored_to(part):
                    mentioned[unit].add(part.refers_to)
                elif part.kind in _LOCALS and part.cursor.storage_class.name != "STATIC":
                    inner[unit].add(identity(part.cursor))  # a static one outlives the call
        while True:
            more = {
                unit: set[int]().union(
                    *(mentioned[name] - inner[name] for name in names if name in mentioned)
                )
                - names
                for unit, names in mentioned.items()
            }
            if not any(more.values()):
                break
            for unit, names in more.items():
                mentioned[unit] |= names
        kept = self._declared
        return {unit: frozenset((names & kept) - inner[unit]) for unit, names in mentioned.items()}

    def _anytime(self) -> Ids:
        found: set[int] = set()
        for unit, node in self._units.items():
            if node.kind in FUNCTIONS and _is_implicit(node):
                found |= self._effects[unit]
        for node in self._source.tree.walk():
            found |= self._kept(node)
        return frozenset(found)

    def _kept(self, node: Node) -> Ids:
        """What may be read later on through what the node makes or stores."""
        if node.kind == "LAMBDA_EXPR":
            named = _kept_in(node) is not None or _is_callee(node) or _runs_at_once(node)
            return NONE if named else self.of(node)
        if node.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR"):
            called = node.refers_to not in self._units or _is_callee(node) or _runs_at_once(node)
            return NONE if called else self._effects[node.refers_to]
        if node.operator == "&" or (node.kind == "CALL_EXPR" and node.name in _ADDRESS_MAKERS):
            return NONE if _runs_at_once(node) else self._variables(node)
        if node.kind in ("VAR_DECL", "FIELD_DECL", "UNEXPOSED_DECL"):
            return self._variables(node) if self._points(node) else NONE
        if node.children and (node.operator == "=" or node.name == "operator="):
            stored, *given = node.children
            return self._variables(*given) if _POINTING.search(_type(stored)) else NONE
        return NONE

    def _variables(self, *nodes: Node) -> Ids:
        """Variables that the nodes name, by themselves or as parts of others."""
        return frozenset(
            part.refers_to
            for node in nodes
            for part in node.walk()
            if part.kind in _REFERENCES and part.refers_to in self._declared
        )

    def _points(self, node: Node) -> bool:
        """Whether a variable may lead to those that it is made from."""
        if node.kind == "UNEXPOSED_DECL":
            text = self._source.code[node.start : node.end]
            return b"&" in text.partition(b"[")[0]
        if node.parent is not None and node.parent.kind == "CXX_FOR_RANGE_STMT":
            return False  # the loop itself names what it goes through
        if _POINTING.search(_outermost(_type(node))):
            return True
        record = node.cursor.type.get_canonical().get_declaration()
        file = record.location.file
        return (
            file is not None
            and file.name == MAIN
            and any(
                field.kind.name == "FIELD_DECL"
                and _POINTING.search(_outermost(field.type.get_canonical().spelling))
                for field in record.get_children()
            )
        )


def is_stored_to(node: Node) -> bool:
    """`x` of `x = ...`: its old value is not read."""
    above = node.parent
    if above is None or node.kind not in ("DECL_REF_EXPR", "MEMBER_REF_EXPR"):
        return False
    if any(child.kind != "CXX_THIS_EXPR" for child in node.children):
        return False  # a part of what another expression gives
    stores = above.operator == "=" or (above.kind == "CALL_EXPR" and above.name == "operator=")
    return stores and above.children[0] is node


def _kept_in(node: Node) -> int | None:
    """The variable that is made of a lambda: `auto f = [&] {...}` or a `function`."""
    above = node.parent
    while above is not None and above.kind in (*_WRAPPERS, "CALL_EXPR"):
        if above.kind == "CALL_EXPR" and above.name not in ("function", "y_combinator"):
            return None
        above = above.parent
    if above is not None and above.kind == "VAR_DECL":
        return identity(above.cursor)
    if above is not None and (above.operator == "=" or above.name == "operator="):
        return above.children[0].refers_to or None
    return None


def _is_callee(node: Node) -> bool:
    """`f` of `f(x)`, of a function, a lambda or what holds one."""
    below, above = node, node.parent
    while above is not None and above.kind in _WRAPPERS:
        below, above = above, above.parent
    if above is None or above.kind != "CALL_EXPR":
        return False
    if above.children and above.children[0] is below:
        return True
    return node.name.startswith("operator")


def _runs_at_once(node: Node) -> bool:
    """An argument of a function that uses it while it runs and keeps nothing of it."""
    above = node.parent
    while above is not None and (above.kind in _WRAPPERS or above.kind.endswith("CAST_EXPR")):
        above = above.parent
    if above is None or above.kind != "CALL_EXPR":
        return False
    target = above.target
    if target is None or target.kind.name not in ("FUNCTION_DECL", "FUNCTION_TEMPLATE"):
        return False
    file = target.location.file
    return file is None or file.name != MAIN


def _is_implicit(function: Node) -> bool:
    """It may be called without being named: operators, destructors, virtual functions."""
    cursor = function.cursor
    return (
        function.kind in ("DESTRUCTOR", "CONVERSION_FUNCTION")
        or function.name.startswith("operator")
        or bool(cursor.is_virtual_method())
    )


def _type(node: Node) -> str:
    return str(node.cursor.type.get_canonical().spelling)


def _outermost(spelling: str) -> str:
    """A type without its template arguments' own: `vector<int *>` holds, `int *` points."""
    head, opened, rest = spelling.partition("<")
    tail = rest.rpartition(">")[2] if opened else ""
    return f"{head}<{tail}" if opened else head
