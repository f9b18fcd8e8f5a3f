"""The small JSON printer at the top of a shown C++ program, written for the values it must print.

It stands before the author's first line, so that no macro of the author's reaches it, and is put
together from what the chosen fields need: one template for what prints alike, and an overload for
each class that does not. Its names occur nowhere in the program, so nothing hides them and they
hide nothing; a struct gets its overload where it is defined, which argument-dependent lookup
finds.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from textwrap import indent

from deskcheck.builder.cpp.parsing import PASTE
from deskcheck.builder.cpp.types import (
    Adapter,
    Bits,
    Boolean,
    Character,
    CppType,
    Floating,
    Integer,
    Mapping,
    Row,
    Series,
    String,
    Struct,
    Unshowable,
    parts_of,
)

FIRST = "first items"
"""The need of a function for the first elements of a long sequence."""
STRUCT = "struct "
"""The need of a struct's own overload is this and the struct's name."""


def needs(shown: CppType) -> frozenset[str]:
    """What the printer must have for values of this type."""
    return frozenset(_needs(shown))


def _needs(shown: CppType) -> Iterator[str]:
    yield _part(shown)
    if isinstance(shown, Character) or shown == String(array=True):
        yield "string"
    for inner in _inner(shown):
        yield from _needs(inner)
        yield from _declared_first(_part(shown), _part(inner))


def _declared_first(outer: str, inner: str) -> Iterator[str]:
    """The need of a declaration, where one overload calls another that is defined after it."""
    if outer in _OVERLOADS and inner in _OVERLOADS and outer != inner:
        order = list(_OVERLOADS)
        if order.index(inner) > order.index(outer):
            yield f"{_DECLARED}{inner}"


_DECLARED = "declared "


def _part(shown: CppType) -> str:
    match shown:
        case Boolean():
            return "boolean"
        case Character():
            return "character"
        case Integer(wide=""):
            return "number"
        case Integer(wide=wide):
            return wide
        case Floating():
            return "number"
        case String(array=array):
            return "char array" if array else "string"
        case Series():
            return "sequence"
        case Row(kind=kind) | Adapter(kind=kind):
            return kind
        case Mapping():
            return "map" if is_object(shown) else "sequence"
        case Bits():
            return "bitset"
        case Struct(name=name):
            return STRUCT + name
        case Unshowable():
            raise ValueError(f"nothing prints {shown.reason}")


def is_object(mapping: Mapping) -> bool:
    """Keys that are texts, each once, make a JSON object; other maps are arrays of pairs."""
    return mapping.key == String() and not mapping.multi


def _inner(shown: CppType) -> tuple[CppType, ...]:
    if isinstance(shown, Mapping) and not is_object(shown):
        return (Row("pair", (shown.key, shown.value)),)
    return parts_of(shown)


class Names:
    """What the inserted code calls its own: by the name wanted, one that occurs nowhere.

    Nor may words of the text make it, where a `##` among them says that macros paste words.
    """

    def __init__(self, taken: frozenset[str]) -> None:
        self._free = {name: _fresh(name, taken) for name in _OWN}

    def __getitem__(self, wanted: str) -> str:
        return self._free[wanted]

    def rename(self, text: str) -> str:
        """A text of our own alone, in the free names."""
        return _OWN_NAME.sub(lambda found: self._free[found[0]], text)


def _fresh(wanted: str, taken: frozenset[str]) -> str:
    name, number = wanted, 1
    pasted = PASTE in taken and _pasted(wanted, taken)
    while name in taken or (pasted and number == 1):
        number += 1
        name = f"{wanted}_{number}"
    return name


def _pasted(name: str, words: frozenset[str]) -> bool:
    """Whether a name is made of two words or more."""
    cuts = ((name[:cut], name[cut:]) for cut in range(1, len(name)))
    return any(first in words and (rest in words or _pasted(rest, words)) for first, rest in cuts)


_OWN = ("body_visits", "loop_ends", "stop_with", "to_json", "json_fields", "first_items", "shown")
_OWN_NAME = re.compile(rf"\b(?:{'|'.join(_OWN)})\b")


def header(counter: str, needed: frozenset[str], names: Names) -> str:
    """The text before the author's first line; an empty line ends it."""
    overloads = [text for part, text in _OVERLOADS.items() if part in needed]
    declared = [
        _declaration(text) for part, text in _OVERLOADS.items() if _DECLARED + part in needed
    ]
    general = _general(needed)
    if general and any(part in needed for part in _ELEMENTWISE):
        declared.insert(0, _declaration(general))
    pieces = [
        _includes(needed),
        f"static long long {counter} = 0;\n",
        *declared,
        *overloads,
        *([general] if general else []),
        *([_FIRST_ITEMS] if FIRST in needed else []),
        _JSON_FIELDS,
        _STOP_WITH,
    ]
    return names.rename("\n".join(pieces) + "\n")


def struct_overload(name: str, fields: Sequence[str], names: Names, meant: Container[str]) -> str:
    """The function that prints a struct by its fields, to stand right after its definition.

    It stands among the author's code, where words that are `meant` otherwise, by a macro or in
    a namespace, are not the library's.
    """
    text = "auto" if "std" in meant or "string" in meant else "std::string"
    value = names["shown"]
    pairs = ", ".join(f'"{field}", {value}.{field}' for field in fields)
    return (
        f"{text} {names['to_json']}(const {name}& {value}) {{\n"
        f'    return "{{" + {names["json_fields"]}({pairs}) + "}}";\n'
        "}\n"
    )


def _includes(needed: frozenset[str]) -> str:
    wanted = {"cstdio", "cstdlib", "string"}
    for part in needed:
        wanted.update(_INCLUDES.get(part, ()))
    if len(_branches(needed)) > 1:
        wanted.add("type_traits")
    return "".join(f"#include <{name}>\n" for name in sorted(wanted))


def _declaration(definition: str) -> str:
    return definition[: definition.index(" {\n")] + ";\n"


def _branches(needed: frozenset[str]) -> list[str]:
    return [part for part in _BRANCHES if part in needed]


def _general(needed: frozenset[str]) -> str:
    """The template that prints whatever has no overload; empty if nothing is left to it."""
    branches = _branches(needed)
    if not branches:
        return ""
    text = "template <class T>\nstd::string to_json(const T& value) {\n"
    if len(branches) == 1:
        return text + indent(_BRANCHES[branches[0]][1], "    ") + "}\n"
    opening = "    if"
    for part in branches[:-1]:
        condition, body = _BRANCHES[part]
        text += f"{opening} constexpr ({condition}) {{\n" + indent(body, " " * 8)
        opening = "    } else if"
    return text + "    } else {\n" + indent(_BRANCHES[branches[-1]][1], " " * 8) + "    }\n}\n"


_BRANCHES = {
    "boolean": ("std::is_same_v<T, bool>", 'return value ? "true" : "false";\n'),
    "character": ("std::is_same_v<T, char>", "return to_json(std::string(1, value));\n"),
    "number": ("std::is_arithmetic_v<T>", "return std::to_string(value);\n"),
    "sequence": (
        "",
        """\
std::string items;
for (const auto& item : value) items += (items.empty() ? "" : ",") + to_json(item);
return "[" + items + "]";
""",
    ),
}
"""Condition and body by part; that of a sequence is always the last."""

_WIDE = """\
std::string to_json({type} value) {{
    std::string digits;
    for (auto rest = value; digits.empty() || rest != 0; rest /= 10) {{
        digits.insert(0, std::to_string(std::abs(int(rest % 10))));
    }}
    return value < 0 ? "-" + digits : digits;
}}
"""
_QUEUE = """\
template <class T, class Store>
std::string to_json(std::{type}<T, Store> {type}) {{
    std::string items;
    for (; !{type}.empty(); {type}.pop()) {{
        const T& item = {type}.{next}();
        items += (items.empty() ? "" : ",") + to_json(item);
    }}
    return "[" + items + "]";
}}
"""
_OVERLOADS = {
    "string": """\
std::string to_json(const std::string& text) {
    std::string quoted = "\\"";
    for (char c : text) {
        char code[8];
        std::snprintf(code, sizeof code, c < ' ' ? "\\\\u%04x" : "%c", c);
        quoted += (c == '"' || c == '\\\\' ? "\\\\" : "") + std::string(code);
    }
    return quoted + "\\"";
}
""",
    "char array": """\
template <std::size_t N>
std::string to_json(const char (&text)[N]) {
    return to_json(std::string(text, std::find(text, text + N, 0)));
}
""",
    "__int128": _WIDE.format(type="__int128"),
    "unsigned __int128": _WIDE.format(type="unsigned __int128"),
    "bitset": """\
template <std::size_t N>
std::string to_json(const std::bitset<N>& bits) {
    return "\\"" + bits.to_string() + "\\"";
}
""",
    "pair": """\
template <class A, class B>
std::string to_json(const std::pair<A, B>& pair) {
    return "[" + to_json(pair.first) + "," + to_json(pair.second) + "]";
}
""",
    "tuple": """\
template <class... Parts>
std::string to_json(const std::tuple<Parts...>& tuple) {
    std::string items;
    std::apply([&](const auto&... part) { ((items += "," + to_json(part)), ...); }, tuple);
    return "[" + items.substr(1) + "]";
}
""",
    "map": """\
template <class Value, class Order>
std::string to_json(const std::map<std::string, Value, Order>& map) {
    std::string items;
    for (const auto& [key, item] : map) {
        items += (items.empty() ? "" : ",") + to_json(key) + ":" + to_json(item);
    }
    return "{" + items + "}";
}
""",
    "queue": _QUEUE.format(type="queue", next="front"),
    "stack": _QUEUE.format(type="stack", next="top"),
    "priority_queue": _QUEUE.format(type="priority_queue", next="top")
    .replace("class Store>", "class Store, class Order>")
    .replace("Store> priority_queue", "Store, Order> queue")
    .replace("priority_queue.", "queue."),
}
_ELEMENTWISE = ("pair", "tuple", "map", "queue", "stack", "priority_queue")
"""Overloads that call the template for their parts, and stand before it."""

_FIRST_ITEMS = """\
template <class Items>
auto first_items(const Items& items, std::size_t count) {
    auto begin = std::begin(items);
    return std::vector(begin, std::next(begin, std::min(count, std::size(items))));
}
"""
_JSON_FIELDS = """\
template <class T, class... Rest>
std::string json_fields(const char* name, const T& value, const Rest&... rest) {
    std::string text = "\\"" + std::string(name) + "\\":" + to_json(value);
    if constexpr (sizeof...(rest) > 0) text += "," + json_fields(rest...);
    return text;
}
"""
_STOP_WITH = """\
template <class... Fields>
void stop_with(const Fields&... fields) {
    std::printf("{%s}", json_fields(fields...).c_str());
    std::fflush(stdout);
    std::_Exit(0);
}
"""
_INCLUDES = {
    "char array": ("algorithm",),
    "bitset": ("bitset",),
    "pair": ("utility",),
    "tuple": ("tuple",),
    "map": ("map",),
    "queue": ("queue",),
    "stack": ("stack",),
    "priority_queue": ("queue",),
    FIRST: ("algorithm", "iterator", "vector"),
}
