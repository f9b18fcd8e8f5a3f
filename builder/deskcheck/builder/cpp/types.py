"""What kind of value a C++ variable holds, as far as it can be shown.

Types are read through libclang's canonical types and template arguments, never from how they are
spelled, so typedefs, `using`, `auto` and macros make no difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from clang.cindex import Cursor, Type

from deskcheck.builder.cpp.tree import kind_of

MAX_NESTED = 3
"""Containers inside one another."""


@dataclass(frozen=True, slots=True)
class Integer:
    """Any integer but `bool` and `char`; `wide` is `__int128` or `unsigned __int128`, or empty."""

    wide: str = ""


@dataclass(frozen=True, slots=True)
class Boolean:
    """`bool`."""


@dataclass(frozen=True, slots=True)
class Character:
    """`char`; `signed char` and `unsigned char` are integers."""


@dataclass(frozen=True, slots=True)
class Floating:
    """`float`, `double` or `long double`."""


@dataclass(frozen=True, slots=True)
class String:
    """`std::string`; with `array`, an array of `char`, which is a text up to its first NUL."""

    array: bool = False


@dataclass(frozen=True, slots=True)
class Series:
    """What a range-based `for` goes through in an order of its own; `extent` of a C array."""

    element: CppType
    extent: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """`std::pair` or `std::tuple`."""

    kind: str
    parts: tuple[CppType, ...]


@dataclass(frozen=True, slots=True)
class Mapping:
    """`std::map`, or `std::multimap` where `multi`."""

    key: CppType
    value: CppType
    multi: bool


@dataclass(frozen=True, slots=True)
class Adapter:
    """`std::queue`, `std::stack` or `std::priority_queue`, by `kind`."""

    kind: str
    element: CppType


@dataclass(frozen=True, slots=True)
class Bits:
    """`std::bitset`."""


@dataclass(frozen=True, slots=True)
class Struct:
    """A simple struct of the program's own, named as at file scope."""

    name: str
    fields: tuple[tuple[str, CppType], ...]


@dataclass(frozen=True, slots=True)
class Unshowable:
    """A type of which no value is shown, and why: a noun phrase."""

    reason: str


type CppType = (
    Integer
    | Boolean
    | Character
    | Floating
    | String
    | Series
    | Row
    | Mapping
    | Adapter
    | Bits
    | Struct
    | Unshowable
)


def describe(cpp_type: Type) -> CppType:
    """What a variable of this type holds; Unshowable if any part of it cannot be shown."""
    return _describe(cpp_type, 0, ())


def parts_of(shown: CppType) -> tuple[CppType, ...]:
    """The types that a type is made of."""
    match shown:
        case Series(element=element) | Adapter(element=element):
            return (element,)
        case Row(parts=parts):
            return parts
        case Mapping(key=key, value=value):
            return (key, value)
        case Struct(fields=fields):
            return tuple(part for _, part in fields)
        case _:
            return ()


def _describe(cpp_type: Type, nested: int, within: tuple[str, ...]) -> CppType:
    canonical = cpp_type.get_canonical()
    if _kind(canonical) in ("LVALUEREFERENCE", "RVALUEREFERENCE"):
        canonical = canonical.get_pointee().get_canonical()
    if canonical.is_volatile_qualified():
        return Unshowable("a volatile value")
    kind = _kind(canonical)
    if kind in _SCALARS:
        return _SCALARS[kind]
    if kind == "CONSTANTARRAY":
        return _array(canonical, nested, within)
    if kind == "RECORD":
        return _class(canonical, nested, within)
    return Unshowable(_REASONS.get(kind, "a value of a type that is not known here"))


def _kind(canonical: Type) -> str:
    return str(canonical.kind.name)


def _array(canonical: Type, nested: int, within: tuple[str, ...]) -> CppType:
    element = canonical.element_type.get_canonical()
    if _kind(element) in _CHARACTERS:
        return String(array=True)
    shown = _describe(element, nested + 1, within)
    return _container(nested, Series(shown, extent=int(canonical.element_count)), shown)


def _class(canonical: Type, nested: int, within: tuple[str, ...]) -> CppType:
    declaration = canonical.get_declaration()
    declaration = declaration.get_definition() or declaration
    if not _in_std(declaration):
        return _struct(declaration, nested, within)
    name = str(declaration.spelling)
    arguments = [
        canonical.get_template_argument_type(i)
        for i in range(max(0, canonical.get_num_template_arguments()))
    ]

    def element(number: int = 0) -> CppType:
        return _describe(arguments[number], nested + 1, within)

    match name:
        case "basic_string" if _kind(arguments[0].get_canonical()) in _CHARACTERS:
            return String()
        case "vector" | "array" | "deque" | "list" | "set" | "multiset":
            return _container(nested, Series(element()), element())
        case "pair" | "tuple" if arguments:
            parts = tuple(_describe(argument, nested, within) for argument in arguments)
            return _whole(Row(name, parts), *parts)
        case "map" | "multimap":
            mapping = Mapping(element(), element(1), multi=name == "multimap")
            return _container(nested, mapping, mapping.key, mapping.value)
        case "queue" | "stack" | "priority_queue":
            return _container(nested, Adapter(name, element()), element())
        case "bitset":
            return Bits()
        case _:
            return Unshowable(_LIBRARY.get(name, f"the library's {name}"))


def _struct(declaration: Cursor, nested: int, within: tuple[str, ...]) -> CppType:
    """A struct of the program's file whose every member can be named and shown from outside."""
    reason = _no_plain_struct(declaration)
    if reason:
        return Unshowable(reason)
    name = qualified_name(declaration)
    if name in within:
        return Unshowable(f"a struct {name}, which contains others of its own type")
    fields = tuple(
        (str(member.spelling), _describe(member.type, nested, (*within, name)))
        for member in _members(declaration)
    )
    if not fields:
        return Unshowable(f"a struct {name} without members")
    return _whole(Struct(name, fields), *(part for _, part in fields))


def _no_plain_struct(declaration: Cursor) -> str:
    """Why an object of this class cannot be shown member by member, or nothing."""
    if kind_of(declaration) == "UNION_DECL":
        return "a union"
    file = declaration.location.file
    if file is None or file.name != declaration.translation_unit.spelling:
        return f"the library's {declaration.spelling}"
    name = str(declaration.spelling)
    if not declaration.is_definition():
        return f"a struct {name}, which is never defined"
    if declaration.is_anonymous() or not name.isidentifier():
        return "a function object or struct without a name"
    if declaration.type.get_num_template_arguments() >= 0:
        return f"a struct {name}, which is an instance of a template"
    scopes = [kind_of(scope) for scope in _scopes(declaration)]
    if not _AT_FILE_SCOPE.issuperset(scopes):
        return f"a struct {name}, which is declared inside a function or class"
    if "LINKAGE_SPEC" in scopes:  # functions there that have one name are one function
        return f'a struct {name}, which is declared inside extern "C"'
    for child in declaration.get_children():
        match kind_of(child):
            case "CXX_BASE_SPECIFIER":
                return f"a struct {name}, which has a base class"
            case "UNION_DECL" | "STRUCT_DECL" | "CLASS_DECL":
                if child.is_anonymous():
                    return f"a struct {name}, which has members without a name"
            case "FIELD_DECL":
                if child.access_specifier.name != "PUBLIC":
                    return f"a struct {name}, which has members that are not public"
    return ""


def _members(declaration: Cursor) -> Iterator[Cursor]:
    for child in declaration.get_children():
        if kind_of(child) == "FIELD_DECL" and child.spelling:  # a padding bit-field has none
            yield child


def qualified_name(declaration: Cursor) -> str:
    """The name of a class as it can be written at file scope."""
    names = [str(declaration.spelling)]
    for scope in _scopes(declaration):
        if kind_of(scope) != "NAMESPACE":
            break
        if scope.spelling:
            names.insert(0, str(scope.spelling))
    return "::".join(names)


def _in_std(declaration: Cursor) -> bool:
    scopes = _scopes(declaration)
    scope = next((each for each in scopes if not each.spelling.startswith("__")), None)
    if scope is None or kind_of(scope) != "NAMESPACE" or scope.spelling != "std":
        return False
    return all(kind_of(outer) in ("TRANSLATION_UNIT", "LINKAGE_SPEC") for outer in scopes)


def _scopes(declaration: Cursor) -> Iterator[Cursor]:
    """What a declaration stands in, from the innermost out to the file."""
    scope = declaration.semantic_parent
    while scope is not None:
        yield scope
        scope = scope.semantic_parent


def _container(nested: int, container: CppType, *parts: CppType) -> CppType:
    if nested >= MAX_NESTED:
        return Unshowable(f"containers nested more than {MAX_NESTED} deep")
    return _whole(container, *parts)


def _whole(whole: CppType, *parts: CppType) -> CppType:
    """The whole, or the first of its parts that cannot be shown."""
    return next((part for part in parts if isinstance(part, Unshowable)), whole)


_AT_FILE_SCOPE = frozenset({"TRANSLATION_UNIT", "NAMESPACE", "LINKAGE_SPEC"})
_CHARACTERS = ("CHAR_S", "CHAR_U")
_SCALARS: dict[str, CppType] = {
    "BOOL": Boolean(),
    **dict.fromkeys(_CHARACTERS, Character()),
    **dict.fromkeys(
        (
            *("SCHAR", "SHORT", "INT", "LONG", "LONGLONG"),
            *("UCHAR", "USHORT", "UINT", "ULONG", "ULONGLONG"),
        ),
        Integer(),
    ),
    "INT128": Integer(wide="__int128"),
    "UINT128": Integer(wide="unsigned __int128"),
    **dict.fromkeys(("FLOAT", "DOUBLE", "LONGDOUBLE"), Floating()),
}
_REASONS = {
    "POINTER": "a pointer",
    "MEMBERPOINTER": "a pointer",
    "NULLPTR": "a pointer",
    "ENUM": "a value of an enumeration",
    "WCHAR": "a wide character",
    "CHAR16": "a wide character",
    "CHAR32": "a wide character",
    "VARIABLEARRAY": "an array whose length is not a constant",
    "INCOMPLETEARRAY": "an array whose length is not a constant",
    "UNEXPOSED": "a value whose type depends on a template's argument",
    "AUTO": "a value whose type depends on a template's argument",
    "FUNCTIONPROTO": "a function",
}
_LIBRARY = {
    "unordered_map": "an unordered container",
    "unordered_set": "an unordered container",
    "unordered_multimap": "an unordered container",
    "unordered_multiset": "an unordered container",
    "basic_string": "a text of wide characters",
    "tuple": "an empty tuple",
}
