"""Which variables a name stands for at each loop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from clang.cindex import Cursor

from deskcheck.builder.cpp.headers import header
from deskcheck.builder.cpp.parsing import CppSource
from deskcheck.builder.cpp.tree import (
    CLASSES,
    FUNCTIONS,
    LOOPS,
    Node,
    identity,
    is_anonymous,
    kind_of,
)

Names = dict[str, Cursor | None]
"""A name that stands for no variable hides those further out."""

_BLOCKS = frozenset(
    {*LOOPS, "COMPOUND_STMT", "IF_STMT", "SWITCH_STMT", "CXX_CATCH_STMT", "NAMESPACE"}
)
_VARIABLES = frozenset({"VAR_DECL", "PARM_DECL", "FIELD_DECL"})
_OTHERS = frozenset(
    {
        *FUNCTIONS,
        *CLASSES,
        "ENUM_DECL",
        "ENUM_CONSTANT_DECL",
        "TYPEDEF_DECL",
        "TYPE_ALIAS_DECL",
        "TYPE_ALIAS_TEMPLATE_DECL",
        "NAMESPACE",
        "NAMESPACE_ALIAS",
        "USING_DECLARATION",
        "TEMPLATE_TYPE_PARAMETER",
        "TEMPLATE_NON_TYPE_PARAMETER",
        "TEMPLATE_TEMPLATE_PARAMETER",
    }
)
_REFERENCES = frozenset({"DECL_REF_EXPR", "MEMBER_REF_EXPR", "VARIABLE_REF"})


@dataclass(slots=True, eq=False)
class _Scope:
    node: Node
    kind: str
    """`block`, `function`, `lambda` or `class`."""
    names: Names = field(default_factory=dict)


def visible_names(source: CppSource) -> Mapping[Node, Mapping[str, Cursor]]:
    """For each loop: the variables that a bare name reaches both in its body and after it."""
    return _Walk(source).found


class _Walk:
    def __init__(self, source: CppSource) -> None:
        self.found: dict[Node, Mapping[str, Cursor]] = {}
        self._source = source
        self._scopes = [_Scope(source.tree, "block")]
        self._namespaces: dict[str, Names] = {}
        self._mentioned: dict[Node, frozenset[int]] = {}
        pending: list[Node | int] = list(reversed(source.tree.children))
        while pending:
            node = pending.pop()
            if isinstance(node, int):  # the scopes that were open before
                del self._scopes[node:]
                continue
            pending.append(len(self._scopes))
            self._enter(node)
            if len(self._scopes) == pending[-1]:
                pending.pop()
            pending.extend(reversed(node.children))

    def _enter(self, node: Node) -> None:
        name = declared(node)
        if node.kind in CLASSES and is_anonymous(node.cursor):  # its members are seen as they are
            self._scopes[-1].names.update(dict.fromkeys(_members(node.cursor)))
        if name is not None:
            self._scopes[-1].names[name] = node.cursor if _is_variable(node) else None
        if node.kind in LOOPS:
            self.found[node] = self._visible(node)
        if node.kind in FUNCTIONS:
            holder = node.cursor.semantic_parent
            if holder is not None and holder != node.cursor.lexical_parent:
                self._open_class_of(node, holder)
            self._scopes.append(_Scope(node, "function"))
        elif node.kind in CLASSES:
            self._scopes.append(_Scope(node, "class", _members(node.cursor)))
        elif node.kind == "LAMBDA_EXPR":
            self._scopes.append(_Scope(node, "lambda", dict(_own_captures(node))))
        elif node.kind == "NAMESPACE":
            self._open_namespace(node)
        elif node.kind in _BLOCKS:
            self._scopes.append(_Scope(node, "block"))

    def _open_namespace(self, node: Node) -> None:
        if node.name and not node.name.startswith("("):
            known = self._namespaces.setdefault(str(node.cursor.get_usr()), {})
            self._scopes.append(_Scope(node, "block", known))

    def _open_class_of(self, node: Node, holder: Cursor) -> None:
        """A member defined outside of its class sees what the class and its namespaces declare."""
        if kind_of(holder) == "NAMESPACE":
            known = self._namespaces.setdefault(str(holder.get_usr()), {})
            self._scopes.append(_Scope(node, "block", known))
        elif kind_of(holder) in CLASSES:
            above = holder.semantic_parent
            if above is not None and above != node.cursor.lexical_parent:
                self._open_class_of(node, above)
            self._scopes.append(_Scope(node, "class", _members(holder)))

    def _visible(self, loop: Node) -> Mapping[str, Cursor]:
        found: Names = dict.fromkeys(self._bound(loop))
        lambdas: list[Node] = []
        function: Node | None = None
        left_class = False
        for scope in reversed(self._scopes):
            for name, cursor in scope.names.items():
                if name in found:
                    continue
                found[name] = cursor
                if cursor is None:
                    continue
                lasting = _is_static(cursor)
                if scope.kind == "class":
                    usable = lasting or (not left_class and _is_method(function))
                else:
                    usable = lasting or not left_class
                if not lasting and usable:
                    usable = all(identity(cursor) in self._mentions(each) for each in lambdas)
                if not usable:
                    found[name] = None
            if scope.kind == "lambda":
                lambdas.append(scope.node)
            elif scope.kind == "function" and function is None:
                function = scope.node
            elif scope.kind == "class":
                left_class = True
        return {name: cursor for name, cursor in found.items() if cursor is not None}

    def _bound(self, loop: Node) -> Iterator[str]:
        """Names that the loop's header declares, or may declare where it is not seen."""
        parts = header(self._source, loop)
        yield from parts.unseen
        for part in (*parts.first, *parts.bound):
            for each in part.walk() if part.kind in ("DECL_STMT", "UNEXPOSED_DECL") else (part,):
                name = declared(each)
                if name is not None:
                    yield name

    def _mentions(self, within: Node) -> frozenset[int]:
        """What a lambda captures, or could not name without."""
        if within not in self._mentioned:
            # What an initialised capture is made from lies outside of the lambda.
            inside = [each for each in within.children if each.kind == "COMPOUND_STMT"]
            inside += [each for each in within.children if each.kind == "VARIABLE_REF"]
            self._mentioned[within] = frozenset(
                identity(target)
                for part in inside
                for node in part.walk()
                if node.kind in _REFERENCES and (target := node.target) is not None
            )
        return self._mentioned[within]


def declared(node: Node) -> str | None:
    """The name that a node declares in the scope that it stands in."""
    if node.kind in _VARIABLES or node.kind in _OTHERS:
        return node.name or None
    if node.kind == "UNEXPOSED_DECL" and node.name.isidentifier():  # of a structured binding
        return node.name
    return None


def _is_variable(node: Node) -> bool:
    if node.kind == "PARM_DECL":
        return not str(node.cursor.type.spelling).endswith("...")  # a pack is no variable
    return node.kind in _VARIABLES or node.kind == "UNEXPOSED_DECL"


def _is_static(cursor: Cursor) -> bool:
    """It exists once: globals, static members, static locals."""
    if kind_of(cursor) != "VAR_DECL":
        return False
    if cursor.storage_class.name in ("STATIC", "EXTERN"):
        return True
    holder = cursor.semantic_parent
    return holder is None or kind_of(holder) in ("TRANSLATION_UNIT", "NAMESPACE", *CLASSES)


def _is_method(function: Node | None) -> bool:
    if function is None or function.cursor.is_static_method():
        return False
    holder = function.cursor.semantic_parent
    return holder is not None and kind_of(holder) in CLASSES


def _members(holder: Cursor) -> Names:
    """What a class declares, its bases' members included where they are known."""
    names: Names = {}
    for child in holder.get_children():
        kind = kind_of(child)
        if kind == "CXX_BASE_SPECIFIER":
            base = child.referenced
            definition = None if base is None else base.get_definition()
            if definition is not None and definition.location.file is not None:
                names = _members(definition) | names
    for child in holder.get_children():
        kind = kind_of(child)
        if kind in CLASSES and is_anonymous(child):
            names |= dict.fromkeys(_members(child))
        if kind in _VARIABLES or kind in _OTHERS:
            name = str(child.spelling)
            if name:
                names[name] = child if kind in _VARIABLES else None
    return names


def _own_captures(node: Node) -> Iterator[tuple[str, Cursor]]:
    """Variables that a lambda's capture list makes: `[best = 0]`."""
    for child in node.children:
        if child.kind == "VARIABLE_REF":
            target = child.target
            if target is not None and target.location == child.cursor.location:
                yield child.name, target
