"""The fields of C++ programs: expressions, their answers, and what the shown program prints."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from tests.builder.cpp.compiled_programs import COMPILERS, printed, read
from tests.oracles.cpp.compilers import needs_clang

from deskcheck.builder.cpp.fields import Record, express, records
from deskcheck.builder.cpp.loops import CppLoop, find_loops
from deskcheck.builder.cpp.parsing import CppSource
from deskcheck.builder.instrument.cpp import instrument
from deskcheck.oracles.checkpoints import Checkpoint, Field
from deskcheck.oracles.expressions import Expressed, Inexpressible, compact_json
from deskcheck.oracles.values import ObjectValue, Opaque, Value

pytestmark = needs_clang


def record(name: str, /, **fields: Value) -> ObjectValue:
    return ObjectValue(class_name=name, attributes=fields, only_dict=False)


BEFORE = """\
#include <array>
#include <bitset>
#include <deque>
#include <list>
#include <map>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
using Text = std::string;
#define int long long
#define string char*
#define value wrong()
#define to_json(x) wrong
using namespace std;
struct Edge { int to; char kind; char name[4]; } first_edge;
namespace plane {
    typedef struct { double x, y; vector<bool> seen; } Point;

    struct Way {
        Point from;
        vector<Edge> edges;
        bool operator<(const Way& other) const { return edges.size() < other.edges.size(); }
    };
}
template <class... T>
priority_queue<T...> heap(initializer_list<int> items) {
    priority_queue<T...> made;
    for (int item : items) made.push(item);
    return made;
}
"""
VARIABLES: dict[str, tuple[str, Value, Any]] = {
    "flag": ("bool flag = true", True, True),
    "letter": ("char letter = 'x'", "x", "x"),
    "quote": ("char quote = '\"'", '"', '"'),
    "nul": ("char nul = 0", "\0", "\0"),
    "octet": ("unsigned char octet = 200", 200, 200),
    "small": ("signed char small = -3", -3, -3),
    "number": ("int number = -9223372036854775807", -(2**63) + 1, -(2**63) + 1),
    "natural": ("unsigned long natural = -1", 2**64 - 1, 2**64 - 1),
    "wide": ("__int128 wide = (__int128)-1 << 100", -(2**100), -(2**100)),
    "lowest": ("__int128 lowest = (__int128)1 << 127", -(2**127), -(2**127)),
    "nothing": ("__int128 nothing = 0", 0, 0),
    "bare": ("unsigned __int128 bare = -1", 2**128 - 1, 2**128 - 1),
    "share": ("double share = 2.0 / 3", 2 / 3, 0.666667),
    "huge": ("double huge = 1e22", 1e22, 1e22),
    "single": ("float single = 0.1f", 0.10000000149011612, 0.1),
    "exact": ("long double exact = -0.25L", -0.25, -0.25),
    "text": (r'Text text = "a\"b\\c\n\t"', 'a"b\\c\n\t', 'a"b\\c\n\t'),
    "letters": ('char letters[9] = "abc"', "abc", "abc"),
    "full": ("char full[2] = {'a', 'b'}", "ab", "ab"),
    "words": ('char words[2][4] = {"ab", "c"}', ["ab", "c"], ["ab", "c"]),
    "table": ("int table[2][3] = {{1, 2, 3}, {4}}", [[1, 2, 3], [4, 0, 0]], [[1, 2, 3], [4, 0, 0]]),
    "triple": ("std::array<char, 2> triple = {'p', 'q'}", ["p", "q"], ["p", "q"]),
    "hollow": ("vector<int> hollow", [], []),
    "bools": ("vector<bool> bools = {true, false}", [True, False], [True, False]),
    "grid": ("vector<vector<int>> grid = {{1}, {}, {2, 3}}", [[1], [], [2, 3]], [[1], [], [2, 3]]),
    "tail": ("deque<double> tail = {0.5, 2}", [0.5, 2.0], [0.5, 2.0]),
    "chain": ('list<Text> chain = {"x", ""}', ["x", ""], ["x", ""]),
    "down": ("set<int, greater<int>> down = {1, 3, 2}", [3, 2, 1], [3, 2, 1]),
    "bag": ("multiset<char> bag = {'b', 'a', 'b'}", ["a", "b", "b"], ["a", "b", "b"]),
    "couple": (
        "pair<int, pair<bool, char>> couple{4, {false, 'z'}}",
        (4, (False, "z")),
        [4, [False, "z"]],
    ),
    "row": ('tuple<int, Text> row{7, "t"}', (7, "t"), [7, "t"]),
    "named": (
        'map<Text, vector<int>> named = {{"b", {1}}, {"a", {}}}',
        [("a", []), ("b", [1])],
        {"a": [], "b": [1]},
    ),
    "counts": (
        "map<char, int> counts = {{'b', 1}, {'a', 2}}",
        [("a", 2), ("b", 1)],
        [["a", 2], ["b", 1]],
    ),
    "many": (
        'multimap<Text, int> many = {{"k", 2}, {"k", 1}}',
        [("k", 2), ("k", 1)],
        [["k", 2], ["k", 1]],
    ),
    "inner": (
        'pair<int, map<Text, bool>> inner{1, {{"q", true}}}',
        (1, [("q", True)]),
        [1, {"q": True}],
    ),
    "turns": ("queue<int> turns{deque<int>{1, 2, 3}}", [1, 2, 3], [1, 2, 3]),
    "pile": ("stack<int> pile{deque<int>{1, 2, 3}}", [3, 2, 1], [3, 2, 1]),
    "most": ("auto most = heap<int>({2, 3, 1})", [3, 2, 1], [3, 2, 1]),
    "least": (
        "auto least = heap<int, vector<int>, greater<int>>({2, 3, 1})",
        [1, 2, 3],
        [1, 2, 3],
    ),
    "lines": ("vector<queue<int>> lines{queue<int>{deque<int>{5, 6}}}", [[5, 6]], [[5, 6]]),
    "bits": ("bitset<5> bits{6}", "00110", "00110"),
    "edge": (
        "Edge edge{2, 'r', \"ab\"}",
        record("Edge", to=2, kind="r", name="ab"),
        {"to": 2, "kind": "r", "name": "ab"},
    ),
    "ways": (
        "set<plane::Way> ways{{{0.5, 1, {true}}, {{3, 's', \"\"}}}}",
        [
            record(
                "plane::Way",
                **{"from": record("plane::Point", x=0.5, y=1.0, seen=[True])},
                edges=[record("Edge", to=3, kind="s", name="")],
            )
        ],
        [
            {
                "from": {"x": 0.5, "y": 1.0, "seen": [True]},
                "edges": [{"to": 3, "kind": "s", "name": ""}],
            }
        ],
    ),
    "long_array": ("int long_array[1000] = {5, 6}", [5, 6, *[0] * 998], [5, 6, *[0] * 10]),
    "long_vector": ("vector<bool> long_vector(50, true)", [True] * 50, [True] * 12),
    "long_pairs": (
        "std::pair<int, int> long_pairs[30] = {{1, 2}}",
        [(1, 2), *[(0, 0)] * 29],
        [[1, 2], *[[0, 0]] * 11],
    ),
}
PROGRAM = (
    BEFORE
    + "".join(f"{declaration};\n" for declaration, _, _ in VARIABLES.values())
    + "signed main() { while (true) break; }\n"
)


@pytest.fixture(scope="module")
def everything() -> tuple[CppSource, CppLoop]:
    """A program with a variable of every kind, and its last loop."""
    source = read(PROGRAM)
    return source, find_loops(source)[-1]


def expressed(source: CppSource, loop: CppLoop, name: str, *samples: Value) -> Expressed:
    found = express(source, loop, name, samples, source.identifiers())
    assert isinstance(found, Expressed), found
    return found


@pytest.mark.parametrize("name", VARIABLES)
def test_the_answer_is_the_json_of_the_observed_value(
    everything: tuple[CppSource, CppLoop], name: str
) -> None:
    _, sample, answer = VARIABLES[name]
    found = expressed(*everything, name, sample)
    assert found.answers == (answer,)
    assert found.expression == (f"first_items({name}, 12)" if name.startswith("long_") else name)


@pytest.mark.slow
@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_shown_program_prints_every_kind_of_value(
    everything: tuple[CppSource, CppLoop], compiler: str
) -> None:
    """The author's macros rename types and even the printer's words; the printer does not care."""
    source, loop = everything
    found = {
        name: expressed(source, loop, name, sample) for name, (_, sample, _) in VARIABLES.items()
    }
    fields = [Field(name=name, expression=shown.expression) for name, shown in found.items()]
    used = frozenset().union(*(shown.builtins for shown in found.values()))
    checkpoint = Checkpoint(loop=loop.offset, place="post", visit=1)
    shown = instrument(source, loop, checkpoint, fields, used)
    state = json.loads(printed(shown.source, compiler))
    expected = {name: answer for name, (_, _, answer) in VARIABLES.items()}
    assert compact_json(state) == compact_json(expected), "1, 1.0 and true are not the same"


def test_records_are_the_simple_structs_of_the_file(everything: tuple[CppSource, CppLoop]) -> None:
    assert records(everything[0]) == (
        Record(name="Edge", fields=("to", "kind", "name")),
        Record(name="plane::Point", fields=("x", "y", "seen")),
        Record(name="plane::Way", fields=("from", "edges")),
    )


REFUSED = """\
#include <string>
#include <vector>
#define STRUCT(name) struct name { int n; }
STRUCT(Made) made;
struct Late { int width; } late;
std::vector<int> counts, hidden;
#define hidden counts
#define width height
int (*call)(int);
double real;
double& same = real;
std::string text;
char letter;
int number;
int main() {
    for (int i = 0; i < 3; i++) number++;
}
"""


@pytest.fixture(scope="module")
def refusing() -> tuple[CppSource, CppLoop]:
    source = read(REFUSED)
    (loop,) = find_loops(source)
    return source, loop


@pytest.mark.parametrize(
    ("name", "sample", "reason"),
    [
        ("i", 1, "it is not visible at the loop"),
        ("hidden", [], "its name is a macro's"),
        ("call", Opaque(type_name="int (*)(int)", why="unknown"), "a pointer"),
        ("made", record("Made", n=1), "a struct Made, which a macro writes or renames"),
        ("late", record("Late", width=1), "a struct Late, which a macro writes or renames"),
        ("same", 1.0, "a reference to another variable"),
        ("real", -0.0, "a number that is printed as a negative zero"),
        ("real", -4e-7, "a number that is printed as a negative zero"),
        ("real", math.inf, "a number that is not finite"),
        ("real", math.nan, "a number that is not finite"),
        ("text", "caf\u00e9", "a text with characters outside ASCII"),
        ("counts", Opaque(type_name="vector", why="too_large"), "a vector, not read: too_large"),
        ("number", "1", "what was read, 1, is not of its type"),
        ("number", True, "what was read, True, is not of its type"),
        ("number", 1.0, "what was read, 1.0, is not of its type"),
        ("letter", 65, "what was read, 65, is not of its type"),
    ],
)
def test_what_cannot_be_expressed_says_why(
    refusing: tuple[CppSource, CppLoop], name: str, sample: Value, reason: str
) -> None:
    source, loop = refusing
    found = express(source, loop, name, [sample], source.identifiers())
    assert found == Inexpressible(reason=reason)


def test_a_reference_is_a_field_only_where_its_object_has_no_other_name() -> None:
    source = read("""\
int sum(int& total, int (&items)[3]) {
    int& first = items[0]; const int& last = items[2];
    for (int& item : items) { while (item-- > 0) total++; }
    return total;
}
""")
    loop = find_loops(source)[-1]
    found = {
        name: isinstance(express(source, loop, name, [sample], frozenset()), Expressed)
        for name, sample in [("total", 3), ("items", [1, 2, 3]), ("item", 1)]
    }
    assert found == {"total": True, "items": True, "item": True}
    for name in ("first", "last"):
        assert express(source, loop, name, [1], frozenset()) == Inexpressible(
            reason="a reference to another variable"
        )


def test_one_expression_shows_every_sample(everything: tuple[CppSource, CppLoop]) -> None:
    """A vector that is long at one moment is shown by its first elements at all of them."""
    short, long = [True, False], [True] * 60
    found = expressed(*everything, "bools", short, long)
    assert found.expression == "first_items(bools, 12)"
    assert found.answers == (short, [True] * 12)
    assert expressed(*everything, "bools", short, short).expression == "bools"


def test_a_long_sequence_of_containers_is_shown_whole(
    everything: tuple[CppSource, CppLoop],
) -> None:
    rows: list[Value] = [[1, 2]] * 50
    assert expressed(*everything, "grid", rows).expression == "grid"


def test_the_name_of_the_first_items_is_free(everything: tuple[CppSource, CppLoop]) -> None:
    source, loop = everything
    taken = source.identifiers() | {"first_items"}
    found = express(source, loop, "long_array", [[0] * 1000], taken)
    assert isinstance(found, Expressed)
    assert found.expression == "first_items_2(long_array, 12)"
