"""Where a program goes through a hash table: that order is the library's, and nobody's to know.

Looking up, counting and storing are none of it.
"""

from __future__ import annotations

import re
from functools import cached_property

from clang.cindex import Cursor, Type

from deskcheck.builder.cpp.libraries import template_of
from deskcheck.builder.cpp.parsing import MAIN, CppSource
from deskcheck.builder.cpp.tree import CLASSES, Node, kind_of

_TABLES = r"(?:unordered_(?:multi)?(?:map|set)|[gc][pc]_hash_table|hash_(?:multi)?(?:map|set))"
_TABLE = re.compile(rf"(?:(?:const|volatile|class|struct) )*(?:\w+::)*{_TABLES}<.*>", re.DOTALL)
_HOLDS_TABLE = re.compile(rf"\b{_TABLES}<")
_ITERATOR = re.compile(r"(?:const )?std::(?:\w+::)*_(?:Node|Local)_(?:const_)?iterator(?:_base)?<")
_OPEN = re.compile(r"(?:const )?(?:type-parameter-|auto\b|decltype|typename |<dependent)")
"""Types that only an instance of the template knows."""
_NAMES = frozenset({"begin", "cbegin", "bucket", "bucket_count", "bucket_size", "load_factor"})
_STEPS = frozenset({"next", "advance", "distance"})
_LAST_WORD = re.compile(rb"(\w+)\s*$")


class HashOrder:
    """The uses of that order in one program."""

    def __init__(self, source: CppSource) -> None:
        self._source = source
        self._used = re.search(_TABLES.encode(), source.code) is not None

    def word(self, node: Node) -> str:
        """What of a node follows the order; "" where it does not."""
        if not self._used:
            return ""
        match node.kind:
            case "CXX_FOR_RANGE_STMT":
                return "for" if any(map(self._goes_through, node.children[:-1])) else ""
            case "MEMBER_REF_EXPR" | "DECL_REF_EXPR":
                return self._of_member(node)
            case "CALL_EXPR":
                return self._of_call(node)
            case _:
                return ""

    def _goes_through(self, node: Node) -> bool:
        return node.kind not in ("VAR_DECL", "UNEXPOSED_DECL") and self._is_table(node)

    def _is_table(self, node: Node) -> bool:
        """A table, or what an instance of a template may have one for."""
        kind = node.cursor.type
        return _is_table(kind) or (
            _OPEN.match(str(_bare(kind).spelling)) is not None and self._given_to_template
        )

    def _of_member(self, node: Node) -> str:
        target = node.target
        if target is None:  # in a template, where libclang does not tell the name
            text = _LAST_WORD.search(self._source.code, node.start, node.end)
            name = text[1].decode("utf-8", "replace") if text else ""
            held = any(map(self._is_table, node.children))
            return name if name in _NAMES and held and node.kind == "MEMBER_REF_EXPR" else ""
        name = str(target.spelling)
        if name not in _NAMES or kind_of(target) not in ("CXX_METHOD", "FUNCTION_TEMPLATE"):
            return ""
        holder = target.semantic_parent
        held = holder is not None and re.fullmatch(_TABLES, str(holder.spelling)) is not None
        return name if held or any(_is_table(child.cursor.type) for child in node.children) else ""

    def _of_call(self, node: Node) -> str:
        target = node.target
        if target is None:
            return self._of_open_call(node)
        file = target.location.file
        if file is not None and file.name == MAIN:
            return ""
        name = str(target.spelling)
        given = [each.type for each in node.cursor.get_arguments() if each is not None]
        if name in _NAMES or name == "operator|" or (name == "operator()" and _of_ranges(target)):
            return name if any(map(_is_table, given)) else ""
        iterators = sum(_ITERATOR.match(str(_bare(each).spelling)) is not None for each in given)
        if name == "operator++" or name in _STEPS:
            return name.removeprefix("operator") if iterators else ""
        return name if iterators > 1 and not name.startswith("operator") else ""

    def _of_open_call(self, node: Node) -> str:
        named = next((part.name for part in node.walk() if part.kind == "OVERLOADED_DECL_REF"), "")
        return named if named in _NAMES and any(map(self._is_table, node.children[1:])) else ""

    @cached_property
    def _given_to_template(self) -> bool:
        """Whether a template of the program may be instantiated for a table."""
        for node in self._source.tree.walk():
            if node.kind == "CALL_EXPR":
                target = node.target
                given: list[Type] = []
                if target is None:
                    given = [child.cursor.type for child in node.children]
                elif _is_instance(target):
                    given = [each.type for each in node.cursor.get_arguments() if each is not None]
                if any(_HOLDS_TABLE.search(str(_bare(each).spelling)) for each in given):
                    return True
            elif node.kind in ("VAR_DECL", "FIELD_DECL"):
                kind = _bare(node.cursor.type)
                if _HOLDS_TABLE.search(str(kind.spelling)) and _is_instance(kind.get_declaration()):
                    return True
        return False


def _is_instance(target: Cursor) -> bool:
    file = target.location.file
    return file is not None and file.name == MAIN and template_of(target) is not None


def _bare(kind: Type) -> Type:
    """Without references and pointers."""
    bare = kind.get_canonical()
    while bare.kind.name in ("LVALUEREFERENCE", "RVALUEREFERENCE", "POINTER"):
        bare = bare.get_pointee().get_canonical()
    return bare


def _is_table(kind: Type) -> bool:
    bare = _bare(kind)
    if _TABLE.fullmatch(str(bare.spelling)):
        return True
    declaration = bare.get_declaration()
    if kind_of(declaration) not in CLASSES:
        return False
    file = declaration.location.file
    if file is None or file.name != MAIN:
        return False
    described = template_of(declaration) or declaration
    return any(
        _is_table(base.type)
        for base in described.get_children()
        if kind_of(base) == "CXX_BASE_SPECIFIER"
    )


def _of_ranges(target: Cursor) -> bool:
    holder = target.semantic_parent
    while holder is not None and kind_of(holder) != "TRANSLATION_UNIT":
        if holder.spelling in ("ranges", "views"):
            return True
        holder = holder.semantic_parent
    return False
