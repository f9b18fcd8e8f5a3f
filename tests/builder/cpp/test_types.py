"""What can be shown of a C++ type, whatever it is called in the program."""

from __future__ import annotations

import re

import pytest
from tests.builder.cpp.compiled_programs import read
from tests.oracles.cpp.compilers import needs_clang

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
    describe,
)

pytestmark = needs_clang

INT, REAL = Integer(), Floating()
SHOWN: dict[str, CppType] = {
    "bool a": Boolean(),
    "char a": Character(),
    "const char a = 'x'": Character(),
    "signed char a": INT,
    "unsigned char a": INT,
    "std::uint8_t a": INT,
    "short a": INT,
    "std::size_t a": INT,
    "ll a": INT,
    "int& a = number": INT,
    "const int& a = number": INT,
    "auto a = number + 1LL": INT,
    "decltype(number) a": INT,
    "std::vector<ll>::value_type a": INT,
    "__int128 a": Integer(wide="__int128"),
    "unsigned __int128 a": Integer(wide="unsigned __int128"),
    "float a": REAL,
    "double a": REAL,
    "long double a": REAL,
    "std::string a": String(),
    "char a[20]": String(array=True),
    "char a[3][20]": Series(String(array=True), extent=3),
    "int a[4]": Series(INT, extent=4),
    "int a[N][2]": Series(Series(INT, extent=2), extent=7),
    "std::vector<bool> a": Series(Boolean()),
    "Grid a": Series(Series(INT)),
    "std::array<char, 3> a": Series(Character()),
    "std::deque<double> a": Series(REAL),
    "std::list<std::string> a": Series(String()),
    "std::set<int, std::greater<int>> a": Series(INT),
    "std::multiset<char> a": Series(Character()),
    "std::pair<int, std::vector<ll>> a": Row("pair", (INT, Series(INT))),
    "std::tuple<int, bool, char> a": Row("tuple", (INT, Boolean(), Character())),
    "std::map<std::string, int> a": Mapping(String(), INT, multi=False),
    "std::map<int, char, std::greater<int>> a": Mapping(INT, Character(), multi=False),
    "std::multimap<int, int> a": Mapping(INT, INT, multi=True),
    "std::queue<int> a": Adapter("queue", INT),
    "std::stack<int, std::vector<int>> a": Adapter("stack", INT),
    "std::stack<bool, std::vector<bool>> a": Adapter("stack", Boolean()),
    "std::priority_queue<P, std::vector<P>, std::greater<P>> a": Adapter(
        "priority_queue", Row("pair", (INT, INT))
    ),
    "std::bitset<9> a": Bits(),
    "std::vector<std::vector<std::vector<int>>> a": Series(Series(Series(INT))),
    "Point a": Struct("Point", (("x", REAL), ("y", REAL))),
    "plane::Edge a": Struct(
        "plane::Edge",
        (("to", INT), ("at", Struct("Point", (("x", REAL), ("y", REAL)))), ("tags", Series(INT))),
    ),
    "Counted a": Struct("Counted", (("n", INT),)),
}
REFUSED = {
    "int* a": "a pointer",
    "std::vector<int*> a": "a pointer",
    "std::vector<int>::iterator a": "the library's __normal_iterator",
    "std::unique_ptr<int> a": "the library's unique_ptr",
    "std::unordered_map<int, int> a": "an unordered container",
    "std::pair<int, std::unordered_set<int>> a": "an unordered container",
    "std::wstring a": "a text of wide characters",
    "wchar_t a": "a wide character",
    "volatile int a": "a volatile value",
    "volatile bool a[3]": "a volatile value",
    "std::tuple<> a": "an empty tuple",
    "Colour a": "a value of an enumeration",
    "Either a": "a union",
    "auto a = [](int n) { return n; }": "a function object or struct without a name",
    "int (*a)(int)": "a pointer",
    "Box<int> a": "a struct Box, which is an instance of a template",
    "Derived a": "a struct Derived, which has a base class",
    "Hidden a": "a struct Hidden, which has members that are not public",
    "Tree a": "a struct Tree, which contains others of its own type",
    "Overlaid a": "a struct Overlaid, which has members without a name",
    "Empty a": "a struct Empty without members",
    "Outer::Inner a": "a struct Inner, which is declared inside a function or class",
    "Shared a": 'a struct Shared, which is declared inside extern "C"',
    "shared::Deep a": 'a struct Deep, which is declared inside extern "C"',
    "mine::std::vector<int> a": "a struct vector, which is an instance of a template",
    "mine::std::Plain* a": "a pointer",
    "Linked a": "a pointer",
    "std::vector<std::vector<std::vector<std::vector<int>>>> a": (
        "containers nested more than 3 deep"
    ),
    "int a[2][2][2][2]": "containers nested more than 3 deep",
}
BEFORE = """\
#include <bits/stdc++.h>
typedef long long ll;
using Grid = std::vector<std::vector<int>>;
#define P std::pair<int, int>
const int N = 7;
int number;
typedef struct { double x, y; } Point;
namespace plane {
namespace {
class Edge { public: int to; Point at; std::vector<int> tags; bool operator<(const Edge&) const; };
}
}
struct Counted { int n = 0; static int made; Counted(); void grow(); };
enum class Colour { red };
union Either { int a; float b; };
template <class T> struct Box { T held; };
struct Derived : Counted { int m; };
class Hidden { int n; };
struct Tree { int n; std::vector<Tree> below; };
struct Overlaid { union { int a; float b; }; };
struct Empty {};
struct Outer { struct Inner { int n; }; };
struct Linked { int n; Linked* next; };
extern "C" { struct Shared { int n; }; namespace shared { struct Deep { int n; }; } }
namespace mine { namespace std { template <class T> struct vector { T v; }; struct Plain {}; } }
"""


@pytest.fixture(scope="module")
def described() -> dict[str, CppType]:
    """Every declaration's type, from one program with all of them."""
    declarations = [*SHOWN, *REFUSED]
    named = [re.sub(r"\ba\b", f"a_{number}", text) for number, text in enumerate(declarations)]
    source = read(BEFORE + "".join(f"{text};\n" for text in named))
    types = {node.name: describe(node.cursor.type) for node in source.tree.children}
    return {text: types[f"a_{number}"] for number, text in enumerate(declarations)}


@pytest.mark.parametrize("declaration", SHOWN)
def test_types_that_can_be_shown(described: dict[str, CppType], declaration: str) -> None:
    assert described[declaration] == SHOWN[declaration]


@pytest.mark.parametrize("declaration", REFUSED)
def test_types_that_cannot_be_shown_say_why(
    described: dict[str, CppType], declaration: str
) -> None:
    assert described[declaration] == Unshowable(REFUSED[declaration])


def test_what_depends_on_a_template_is_not_shown() -> None:
    """Inside a template only what has one type in every instance is."""
    source = read(
        "#include <vector>\n"
        "template <class T> T sum(std::vector<T> all, int from) {\n"
        "    T total = 0; auto twice = total * 2; int steps = 0; int sizes[from];\n"
        "    return total;\n"
        "}\n"
    )
    variables = {
        node.name: describe(node.cursor.type)
        for node in source.tree.walk()
        if node.kind in ("VAR_DECL", "PARM_DECL")
    }
    depends = Unshowable("a value whose type depends on a template's argument")
    unsized = Unshowable("an array whose length is not a constant")
    assert variables == {
        "all": depends,
        "from": INT,
        "total": depends,
        "twice": depends,
        "steps": INT,
        "sizes": unsized,
    }


def test_parts_of_a_structured_binding_have_their_own_types() -> None:
    source = read(
        "#include <utility>\n"
        "std::pair<int, char> made();\n"
        "void use() { auto [number, letter] = made(); }\n"
    )
    found = {node.name: describe(node.cursor.type) for node in source.tree.walk()}
    assert (found["number"], found["letter"]) == (INT, Character())
