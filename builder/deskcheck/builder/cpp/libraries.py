"""What of a program's names is the library's, whether a header or the program declares it."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import c_uint
from typing import Any

from clang.cindex import Cursor, conf

from deskcheck.builder.cpp.parsing import MAIN
from deskcheck.builder.cpp.tree import Node, kind_of

_LIBRARY: Any = conf.lib
_LINKED = frozenset({"FUNCTION_DECL", "VAR_DECL"})


def is_own(target: Cursor) -> bool:
    """The program's text says what it is.

    `extern "C" int rand();` without a body does not; linking finds the library's.
    """
    file = target.location.file
    if file is None or file.name != MAIN:
        return False
    if kind_of(target) not in _LINKED or template_of(target) is not None:
        return True
    return target.get_definition() is not None


def template_of(target: Cursor) -> Cursor | None:
    """What an instance is made from."""
    template: Cursor | None = _LIBRARY.clang_getSpecializedCursorTemplate(target)
    return template


def overloads(node: Node) -> Iterator[Cursor]:
    """The declarations that a name inside a template may stand for."""
    count, each = _LIBRARY.clang_getNumOverloadedDecls, _LIBRARY.clang_getOverloadedDecl
    count.argtypes, count.restype = [Cursor], c_uint
    each.argtypes, each.restype = [Cursor, c_uint], Cursor
    named = node.target
    if named is None:
        return
    for place in range(count(named)):
        target = each(named, place)
        target._tu = named._tu
        yield target
