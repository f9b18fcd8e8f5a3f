"""The observer counts every loop, reads variables where they are, and disturbs nothing."""

from __future__ import annotations

import re
from random import Random
from typing import Any, cast

import pytest
from tests.oracles.cpp.observed import KEY, ObservedProgram, flattened, needs_clang, plain

from deskcheck.oracles.observations import Activation, Watch
from deskcheck.oracles.runtimes.cpp.flattening import FlatProgram
from deskcheck.oracles.runtimes.cpp.observer import (
    job_text,
    loops_problem,
    observing_source,
    read_report,
)
from deskcheck.oracles.values import ObjectValue, Opaque

pytestmark = [needs_clang, pytest.mark.slow]

CONSTRUCTS = r"""
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#define rep(i, n) for (int i = 0; i < (n); i++)
#define both(n) rep(i, n) { total++; } do { total--; } while (0)
int total;
struct Pair { int a, b; };
struct List {
    int held[3] = {1, 2, 3};
    int *begin() { return held; }
    int *end() { return held + 3; }
    int sum() { int s = 0; for (int x : *this) s += x; return s; }      //= 3 1 1 3
    List() { for (int &x : held) x++; }                                 //= 6 2 2 3
    ~List() { int n = 2; while (n) n--; }                               //= 4 2 2 2
};
List at_the_end;
void nested() {
    for (int i = 0; i < 3; i++)                                         //= 3 1 1 3
        for (int j = 0; j < i; j++) total++;                            //= 3 3 3 2
}
void one_line() { rep(i, 2) rep(j, 2) while (false) ; }         //= 2 1 1 2, 4 2 2 2, 0 4 4 0
void macros() { both(2); }                                              //= 2 1 1 2, 1 1 1 1
void braceless(int n) {
    if (n) while (n) n--; else for (;;) break;                          //= 3 1 1 3, 1 1 1 1
    if (!n) rep(i, 2) if (i) total++; else total--; else total = 0;     //= 4 2 2 2
    do if (n) break; else n--; while (n > -2);                          //= 4 2 2 2
    do do n++; while (n < 1); while (n < 3);                            //= 6 2 2 3, 8 6 6 2
}
int leaves(int how) {
    for (int i = 0;; i++) {                                             //= 18 3 6 3
        if (how == 0 && i == 2) break;
        if (how == 1 && i == 2) return 1;
        if (how == 2 && i == 2) throw 2;
        if (how == 3 && i == 2) goto out;
        for (;;) { if (i < 9) break; }                                  //= 14 14 14 1
        if (how == 4 && i == 2) break;
        while (how == 5) { if (i == 2) goto next; break; }              //= 3 12 13 1
        continue;
    next:
        break;
    }
    return 0;
out:
    for (;;) try { throw 1; } catch (int) { break; }                    //= 1 1 1 1
    return 3;
}
int recursive(int n) {
    int s = 0;
    rep(i, n) s += 1 + recursive(i);                                    //= 7 8 8 3
    return s;
}
template <class T> T generic(T n) { T s = 0; while (n > 0) s += n--; return s; }  //= 9 2 2 5
void jumps(int n) {
    if (n == 1) goto middle;
    for (int i; n < 3; n++) {                                           //= 4 2 2 3
        total++;
    middle:
        total--;
    }
    switch (n % 4) {
    case 0: do { n--;                                                   //= 2 2 2 1
    case 3:     n--;
    case 2:     n--;
            } while (n > 0);
    case 1: for (;;) { break; }                                         //= 2 2 2 1
    default: while (n < 0) n++;                                         //= 4 2 2 2
    }
}
void switches() {
    rep(i, 5) {                                                         //= 5 1 1 5
        switch (i) {
        case 0: continue;
        case 1: break;
        case 2: for (int x : {1, 2, 3}) if (x == 2) break; else continue;  //= 2 1 1 2
            break;
        default: total++;
        }
    }
    rep(i, 3) switch (i) case 1: case 2: while (total) total /= 2;      //= 3 1 1 3, * 2 2 *
}
void bindings() {
    Pair pairs[] = {{1, 2}, {3, 4}};
    for (auto [a, b] : pairs) total += a * b;                           //= 2 1 1 2
    for (auto &[a, b] : pairs) { a = b; }                               //= 2 1 1 2
    for (int x : List().held) total += x;                         //= 3 1 1 3
}
void lambdas() {
    auto f = [&](int n) { rep(i, n) total++; return n; };               //= 5 2 2 3
    for (auto g = [&](int n) { while (n) n--; return 0; }; f(2) && g(2); ) ;  //= 0 1 1 0, 2 1 1 2
    struct Local { void go() { do total++; while (total < 0); } };      //= 1 1 1 1
    Local().go();
    [](auto x) { for (; x > 0; x--) ; }(f(3));                          //= 3 1 1 3
}
constexpr int constant(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += i;                                 //= 0 0 0 0
    return s;
}
static_assert(constant(4) == 6);
void reads() {
    int n, s = 0;
    while (scanf("%d", &n) == 1) s += n;                                //= 3 1 1 3
    printf("%d\n", s + constant(3));
}
int main() {
    nested(); one_line(); macros(); braceless(3); braceless(0);
    rep(i, 6) try { leaves(i); } catch (int) { }                        //= 6 1 1 6
    recursive(3); generic(4); generic(5.0);
    jumps(0); jumps(1);
    switches(); bindings(); lambdas(); reads();
    printf("%d\n", total);
    [[maybe_unused]] again:
    while (total < 100) { total += 50; if (total < 60) goto again; }    //= * 1 * *
    rep(i, 4) if (i == 2) exit(at_the_end.sum() - 9);                   //= 3 0 1 3
}
"""


def expected_counts(code: str) -> list[list[str]]:
    notes = re.findall(r"//= (.*)", code)
    return [note.split() for line in notes for note in line.split(",")]


def test_every_loop_is_counted() -> None:
    """Visits, normal ends, entries and the largest activation, as written beside each loop."""
    run = ObservedProgram(code=CONSTRUCTS).run(stdin="4 5 6\n")
    assert (run.status, run.stdout) == plain(CONSTRUCTS, "4 5 6\n")
    counts = [list(map(str, row)) for row in run.counts()]
    flat = flattened(CONSTRUCTS)
    expected = expected_counts(CONSTRUCTS)
    assert len(counts) == len(expected)
    lines = CONSTRUCTS.splitlines()
    wrong = [
        (lines[loop.line - 1], found)
        for loop, found, told in zip(flat.loops, counts, expected, strict=True)
        if found != [a if b == "*" else b for a, b in zip(found, told, strict=True)]
    ]
    assert not wrong


RECURSIVE = """\
#include <cstdio>
int work(int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += 1 + work(i);
    return s;
}
int main() {
    for (int round = 0; round < 3; round++) {
        if (round == 1) std::printf("x");
        work(round + 2);
    }
}
"""


def test_activations_are_the_largest_that_ended() -> None:
    """Then by order; the largest one before anything was printed is always among them."""
    program = ObservedProgram(code=RECURSIVE, names={0: "n s"})
    most, one, none = program.runs(Watch(keep=3), Watch(keep=1), Watch(keep=0))
    # work(2) makes 4 activations, work(3) 8 and work(4) 16, each in the order of its calls.
    assert most.loops[0].activations == (
        Activation(ordinal=13, iterations=4, exit_visit=28),
        Activation(ordinal=5, iterations=3, exit_visit=12),
        Activation(ordinal=21, iterations=3, exit_visit=27),
        Activation(ordinal=1, iterations=2, exit_visit=4),
    )
    assert [a.ordinal for a in one.loops[0].activations] == [13, 1]
    assert [a.ordinal for a in none.loops[0].activations] == [1]
    assert most.counts() == one.counts() == [(25, 28, 28, 4), (3, 1, 1, 3)]


def test_a_moment_is_read_in_its_own_frame() -> None:
    """By activation and iteration, though deeper calls pass the same loop in between."""
    program = ObservedProgram(code=RECURSIVE, names={0: "n s"})
    run = program.run((0, "inside", 13, 4), (0, "post", 5, 0), (0, "before", 21, 0))
    shots = {shot.moment.activation: shot for shot in run.snapshots}
    assert shots[13].variables == {"n": 4, "s": 7}
    assert shots[13].visit == 10 + 3 + 4 + 1
    assert shots[5].variables == {"n": 3, "s": 7}
    assert shots[5].visit == 12
    assert shots[21].variables == {"n": 3, "s": 0}
    assert shots[21].visit == 21
    assert [shot.printed for shot in run.snapshots] == [1, 1, 1]


VALUES = r"""
#include <climits>
#include <cmath>
#include <deque>
#include <map>
#include <queue>
#include <string>
#include <tuple>
#include <vector>
struct Edge { int to; double weight; std::string name; };
namespace { struct Point { int x, y; bool operator<(const Point &p) const { return x < p.x; } }; }
template <class T> struct Box { T held; };
namespace deep { namespace { struct Bits { int low : 3, high; }; } }
struct Outer { struct Point { int x, y; }; };
struct Other { int x, y; };
struct Node { int key; std::vector<Node> children; };
class Hidden { int x = 1, y = 2; };
struct Later {
    template <class T> bool operator()(const T &a, const T &b) const {
        for (int i = 0; i < 2; i++) if (a < b) return false;
        return b < a;
    }
};
int at_work = 0;
int main(int argc, char **argv) {
    bool yes = true; char letter = 'c', zero = 0; signed char small = -1; unsigned char byte = 200;
    short narrow = -3; unsigned wide = 4000000000u; long long most = LLONG_MIN;
    unsigned long long all = ULLONG_MAX; __int128 huge = -((__int128)1 << 100);
    float tenth = 0.1f; double other = 0.1, infinite = -INFINITY, none = NAN;
    long double longest = 0.1L; volatile int shaky = 7; const int fixed = 8;
    std::string text = "a\"\\\n", odd = "\xff"; char buffer[10] = "hey", rows[2][3] = {"ab", "c"};
    char full[2] = {'x', 'y'}; const char *pointer = text.c_str();
    int grid[2][2] = {{1, 2}, {3, 4}};
    std::vector<int> numbers{3, 1}; std::vector<bool> flags{true, false};
    std::vector<std::vector<char>> letters{{'a'}, {}}; std::deque<std::string> words{"x", ""};
    std::map<std::string, std::vector<int>> table{{"b", {1}}, {"a", {}}};
    std::pair<int, std::tuple<bool, char>> both{1, {true, 'z'}}; std::tuple<> nothing;
    std::queue<int> line; line.push(1); line.push(2);
    std::priority_queue<int, std::vector<int>, Later> heap;
    heap.push(3); heap.push(1); heap.push(2);
    Edge edge{1, 0.5, "e"}; std::vector<Edge> edges{edge}; Point point{1, -2}; Other like{3, 4};
    Box<char> box{'q'}; deep::Bits bits{-1, 2}; Outer::Point inner{5, 6}; Hidden hidden;
    int size = argc + 2, moving[size]; int *address = &size;
    auto lambda = [&](int x) { return x; }; enum { red } color = red;
    Node tree{1, {{2, {}}, {3, {{4, {}}}}}};
    auto &alias = numbers; auto &[first, second] = both; int &number = size;
    std::vector<int>::iterator place = numbers.begin();
    for (int i = 0; i < 1; i++) at_work++;
}
"""
RECORDS = [
    ("Point", ("x", "y")),
    ("Edge", ("to", "weight", "name")),
    ("Box", ("held",)),
    ("deep::Bits", ("low", "high")),
    ("Hidden", ("x", "y")),
    ("Node", ("key", "children")),
]


@pytest.mark.slow
def test_values_of_every_kind_are_read() -> None:
    """As the trees of the other language's values have them; what is not shown is opaque."""
    names = (
        "yes letter zero small byte narrow wide most all huge tenth other infinite none longest"
        " shaky fixed text odd buffer rows full pointer grid numbers flags letters words table"
        " both nothing line heap edge edges point like box bits inner hidden moving address"
        " lambda color tree alias first second number place argv at_work"
    )
    program = ObservedProgram(code=VALUES, names={1: names}, records=RECORDS)
    run = program.run((1, "inside", 1, 1))
    (shot,) = run.snapshots
    shown = {name: plainly(value) for name, value in shot.variables.items()}
    assert repr(shown.pop("none")) == "nan"
    edge = ["Edge", {"to": 1, "weight": 0.5, "name": "e"}]
    leaf = ["Node", {"key": 4, "children": []}]
    children = [["Node", {"key": 2, "children": []}], ["Node", {"key": 3, "children": [leaf]}]]
    unknown = ["moving", "lambda", "color", "place", "like", "hidden", "inner", "box"]
    pointers = ["pointer", "address", "argv"]
    integers = {
        "small": -1,
        "byte": 200,
        "narrow": -3,
        "wide": 4000000000,
        "most": -(2**63),
        "all": 2**64 - 1,
        "huge": -(2**100),
        "shaky": 7,
        "fixed": 8,
        "number": 3,
        "first": 1,
        "at_work": 0,
    }
    others = {
        "yes": True,
        "letter": "c",
        "zero": "opaque text",
        "tenth": 0.10000000149011612,
        "other": 0.1,
        "longest": 0.1,
        "infinite": float("-inf"),
        "text": 'a"\\\n',
        "odd": "opaque text",
        "buffer": "hey",
        "full": "xy",
        "both": (1, (True, "z")),
        "second": (True, "z"),
        "nothing": (),
    }
    lists = {
        "rows": ["ab", "c"],
        "grid": [[1, 2], [3, 4]],
        "numbers": [3, 1],
        "alias": [3, 1],
        "flags": [True, False],
        "letters": [["a"], []],
        "words": ["x", ""],
        "table": [("a", []), ("b", [1])],
        "line": [1, 2],
        "heap": [1, 2, 3],
        "edge": edge,
        "edges": [edge],
        "point": ["Point", {"x": 1, "y": -2}],
        "bits": ["deep::Bits", {"low": -1, "high": 2}],
        "tree": ["Node", {"key": 1, "children": children}],
    }
    opaque = dict.fromkeys(unknown, "opaque unknown") | dict.fromkeys(pointers, "opaque pointer")
    expected = integers | others | lists | opaque
    assert shown == expected
    # 1, 1.0 and True are equal to Python.
    assert repr(sorted(shown.items())) == repr(sorted(expected.items()))
    assert {name: of for name, of in shot.aliases.items() if name != of} == {"alias": "numbers"}
    # The order of the heap was worked out by the program's own loop, which does not count.
    assert run.counts()[1] == (1, 1, 1, 1)
    function = shot.variables["lambda"]
    assert isinstance(function, Opaque)
    assert function.type_name == "(lambda)"


def plainly(value: object) -> object:
    """Records as lists of their name and fields, opaque values by their reason."""
    if isinstance(value, Opaque):
        return f"opaque {value.why}"
    if isinstance(value, ObjectValue):
        return [value.class_name, {k: plainly(v) for k, v in value.attributes.items()}]
    if isinstance(value, list):
        return [plainly(item) for item in value]
    return value


BOUNDS = r"""
#include <string>
#include <vector>
struct Chain { std::vector<Chain> next; };
int main() {
    std::vector<int> long_one(50, 1), short_one(3, 1);
    std::string text(64 * 10, 'x');
    std::vector<std::vector<int>> nested(4, short_one);
    Chain chain;
    for (int i = 0; i < 30; i++) { Chain outer; outer.next.push_back(chain); chain = outer; }
    for (int i = 0; i < 2; i++) ;
}
"""


def test_a_value_past_its_budget_is_opaque() -> None:
    """The whole value is, by elements and by the length of texts; so is one nested too deep."""
    names = {1: "long_one short_one text nested chain"}
    program = ObservedProgram(code=BOUNDS, names=names, records=[("Chain", ("next",))])
    budgets = (17, 16, 11, 10, 4000)
    shots = [program.run((1, "post", 1, 0), value_budget=most).values() for most in budgets]
    kinds = [{k: isinstance(v, Opaque) for k, v in shot.items()} for shot in shots]
    assert [kind["nested"] for kind in kinds] == [False, True, True, True, False]
    assert [kind["text"] for kind in kinds] == [False, False, False, True, False]
    assert [kind["long_one"] for kind in kinds] == [True, True, True, True, False]
    assert not any(kind["short_one"] for kind in kinds)
    too_large = shots[0]["long_one"]
    assert isinstance(too_large, Opaque)
    assert (too_large.type_name, too_large.why) == ("std::vector<int>", "too_large")
    value: Any = shots[-1]["chain"]
    depth = 0
    while isinstance(value, ObjectValue):
        (value,) = cast("list[object]", value.attributes["next"])
        depth += 2
    assert (plainly(value), depth) == ("opaque too_deep", 50)


STRIDES = r"""
#include <cstdio>
int main() {
    bool flag = false; char letter = 'a'; double real = 0;
    unsigned char byte = 250; long long up = -3; int still = 4, down = 9, uneven = 1;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 5; i++) {
            up += 2; down -= 1; uneven *= 2; byte += 3; letter += 1; real += 1; flag = !flag;
        }
    }
}
"""


def test_names_that_step_evenly_are_told() -> None:
    """Integers only, over the followed activation; what stays as it is does not step."""
    names = {1: "flag letter real byte up still down uneven"}
    program = ObservedProgram(code=STRIDES, names=names)
    run = program.run(watch={1: [2, 7]})
    assert dict(run.loops[1].constant_strides) == {2: ("byte", "up", "down")}
    assert dict(program.run(watch={1: [1]}).loops[1].constant_strides) == {1: ("up", "down")}
    assert not run.loops[0].constant_strides


STREAMS = r"""
#include <cstdio>
#include <iostream>
#include <cerrno>
int main() {
    int a, b; char c;
    std::ios::sync_with_stdio(SYNC);
    std::cout << std::hex;
    std::cout.width(6);
    errno = 7;
    for (int i = 0; i < 2; i++) ;
    std::cin >> a;
    for (int i = 0; i < 2; i++) ;
    std::cin.get(c); std::cin.unget();
    for (int i = 0; i < 2; i++) ;
    std::cout << 255 << ' ' << errno;
    for (int i = 0; i < 2; i++) ;
    std::printf("|%d|", a);
    for (int i = 0; i < 2; i++) ;
    while (std::cin >> b) a += b;
    std::cout << a << '\n';
}
"""


@pytest.mark.parametrize("sync", ["true", pytest.param("false", marks=pytest.mark.slow)])
def test_streams_are_looked_at_and_left_alone(sync: str) -> None:
    """What was read and printed is known without a flush, and the order of output is kept."""
    code = STREAMS.replace("SYNC", sync)
    program = ObservedProgram(code=code, names=dict.fromkeys(range(5), "a"))
    wanted = [(loop, place, 1, k) for loop in range(5) for place, k in (("before", 0), ("post", 0))]
    run = program.run(*wanted, (5, "inside", 1, 1), (5, "inside", 1, 2), stdin="12 5 6\n")
    assert (run.status, run.stdout) == plain(code, "12 5 6\n")
    shots = run.snapshots
    assert [shot.printed for shot in shots] == [0] * 6 + [8] * 2 + [12] * 4
    positions = [shot.stdin for shot in shots]
    # Nothing is read in the first loop, `12` after it, then nothing that was not put back.
    assert positions[0] == positions[1] != positions[2]
    assert len(set(positions[2:10])) == 1
    assert len(set(positions[9:])) == 3


def test_the_end_of_the_limit_is_the_end_of_the_run() -> None:
    """At the first boundary past it, with what was counted until then."""
    code = '#include <cstdio>\nint main() { for (int i = 0; i < 9; i++) ; std::puts("x"); }'
    enough, short = ObservedProgram(code=code).runs(
        Watch(boundary_limit=11), Watch(boundary_limit=5)
    )
    assert (enough.status, enough.stdout, enough.report["too_long"]) == (0, "x\n", False)
    assert (short.status, short.stdout, short.report["too_long"]) == (0, "", True)
    assert short.counts()[0][2] == 1
    assert short.counts()[0][0] in {4, 5}


WAYS_OUT = r"""
#include <cstdio>
#include <cstdlib>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
struct Last { ~Last() { for (int i = 0; i < 3; i++) ; } } last;
int main() {
    int way = 0;
    while (scanf("%d", &way) == 1) {
        switch (way) {
        case 1: return 1;
        case 2: exit(2);
        case 3: quick_exit(3);
        case 4: _Exit(4);
        case 5: _exit(5);
        case 6: abort();
        case 7: throw 7;
        case 8: if (fork() == 0) { return 0; } wait(nullptr); break;
        case 9: chdir("/"); break;
        }
    }
}
"""


@pytest.mark.slow
def test_there_is_a_report_of_every_orderly_way_out() -> None:
    """With what destructors still do, and none of a run that is killed or of another process."""
    program = ObservedProgram(code=WAYS_OUT)
    runs = [program.run(stdin=f"{way}\n") for way in range(10)]
    assert [run.status for run in runs] == [0, 1, 2, 3, 4, 5, -6, -6, 0, 0]
    assert [bool(run.report) for run in runs] == [way not in {6, 7} for way in range(10)]
    destructor = [run.counts()[0][0] for run in runs if run.report]
    assert destructor == [3, 3, 3, 0, 0, 0, 3, 3]
    assert [run.counts()[1][1] for run in runs if run.report] == [1, 0, 0, 0, 0, 0, 1, 1]


HOSTILE_NAMES = r"""
#include <iostream>
#include <vector>
#include <unistd.h>
#undef __NR_write
using namespace std;
int size_ = 3, text = 1, loops = 2, now, copied, resized, activation, record, get, yes, no, view;
int system_call = 4, standard_input = 5, before, inside, post, begin_ = 6, wanted;
double data[2], next_, distance_, count_, y1_;
namespace deskcheck_observer { int value = 7; struct writer { int a; }; }
template <class... T> auto operator,(const vector<int> &a, const T &...) { return a; }
struct S { int name, out; S *operator&() { return nullptr; } };
int main() {
    S s{1, 2}, &same = s;
    vector<int> a{1}, finish(2), leave{3};
    for (int i = 0; i < 2; i++) size_ += system_call + deskcheck_observer::value, text++;
    for (auto v : (a, 1, 2)) now += v;
    cout << size_ << text << now << endl;
}
"""


@pytest.mark.slow
def test_names_of_the_program_do_not_meet_the_observers() -> None:
    """Whatever they are, overloaded commas and addresses among them."""
    names = "s same a finish leave size_ text now deskcheck_observer::value"
    program = ObservedProgram(
        code=HOSTILE_NAMES, names={0: names}, records=[("S", ("name", "out"))]
    )
    run = program.run((0, "post", 1, 0))
    assert (run.status, run.stdout) == plain(HOSTILE_NAMES)
    (shot,) = run.snapshots
    assert {name: plainly(value) for name, value in shot.variables.items()} == {
        "s": ["S", {"name": 1, "out": 2}],
        "same": ["S", {"name": 1, "out": 2}],
        "a": [1],
        "finish": [0, 0],
        "leave": [3],
        "size_": 25,
        "text": 3,
        "now": 0,
        "deskcheck_observer::value": 7,
    }
    assert shot.aliases["same"] == "s"


def test_globals_may_be_called_like_functions_of_the_system() -> None:
    """In a program that includes little, `read` and `write` may be arrays."""
    code = """\
extern "C" int puts(const char *);
int read[9], write[9], open, close, lseek, link, getpid, memmove_, begin, end;
int main() { for (int i = 0; i < 9; i++) read[i] = write[i] = i; puts("x"); }
"""
    run = ObservedProgram(code=code, names={0: "read open"}).run((0, "post", 1, 0))
    assert run.stdout == "x\n"
    assert run.values() == {"read": list(range(9)), "open": 0}


@pytest.mark.slow
def test_a_million_activations_take_no_memory() -> None:
    """Only the largest are kept; the others are counted."""
    code = """\
#include <cstdio>
int main() {
    long s = 0, all, resident;
    for (int i = 0; i < 1000000; i++) for (int j = 0; j < (i == 777777 ? 5 : 1); j++) s += j;
    fscanf(fopen("/proc/self/statm", "r"), "%ld %ld", &all, &resident);
    printf("%d\\n", resident < 2000);
}
"""
    run = ObservedProgram(code=code).run(boundary_limit=10**9)
    assert run.stdout == "1\n"
    assert run.counts()[1] == (1_000_004, 1_000_000, 1_000_000, 5)
    assert [a.ordinal for a in run.loops[1].activations] == [777778, 1, 2]


GENERATOR = r"""
#include <coroutine>
#include <cstdio>
#include <vector>
#include <span>
struct Values {
    struct promise_type {
        int value;
        using handle_type = std::coroutine_handle<promise_type>;
        Values get_return_object() { return {handle_type::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int v) { value = v; return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};
Values count(int from) { for (int i = 0; i < 3; i++) co_yield from += i; }
template <class T> concept Small = requires(T t) { sizeof(t) < 9; };
consteval int constant(int n) { int s = 0; while (n) s += n--; return s; }
int main() {
    Values one = count(10), other = count(20);
    for (int i = 0; i < 4; i++) { one.handle.resume(); other.handle.resume(); }
    auto f = []<Small T>(std::vector<T> v) { for (auto s = 0; T x : v) s += x; return v.size(); };
    std::printf("%d %zu\n", constant(4), f(std::vector<int>{1, 2}));
}
"""


@pytest.mark.slow
def test_suspended_activations_are_told_apart() -> None:
    """Two coroutines take turns in one loop; other things of C++20 compile too."""
    program = ObservedProgram(code=GENERATOR, names={0: "from"}, standard="gnu++20")
    run = program.run((0, "inside", 1, 3), (0, "inside", 2, 3))
    assert run.stdout == "10 2\n"
    assert run.counts() == [(6, 2, 2, 3), (0, 0, 0, 0), (4, 1, 1, 4), (2, 1, 1, 2)]
    assert [(shot.visit, shot.variables["from"]) for shot in run.snapshots] == [(5, 11), (6, 21)]


def test_a_report_without_its_key_is_refused() -> None:
    """A torn one, one with another key, and one in which the program has written."""
    seal = KEY.hex().encode()
    body = b'{"too_long": false, "loops": [], "snapshots": []}'
    assert read_report(seal + body + seal, KEY)["loops"] == []
    for data in (b"", seal, seal + body, seal + body + seal[:-1], body, b"x" + body + seal):
        with pytest.raises(ValueError, match="key"):
            read_report(data, KEY)
    with pytest.raises(ValueError, match="key"):
        read_report(seal + body + seal, b"another key")


def test_the_job_tells_loops_by_their_order() -> None:
    watch = Watch(loops=[(10, "for", 1), (90, "do", 4)], watch={90: [3, 3, 5]}, keep=2)
    lines = job_text(watch, b"\x01\x02").decode().splitlines()
    assert lines == ["0102", "2 4000 2000000", "2 10 90", "0", "2", "1 3", "1 5"]


def test_other_loops_are_a_problem_in_one_line() -> None:
    """Number, kind and line must be as the source has them."""
    text = "int main() {\n for (;;) break;\n do ; while (0);\n}\n"
    flat = flattened(text)
    right = [(1, "for", 2), (2, "do", 3)]
    assert loops_problem(flat, right) is None
    assert "1 loops" in str(loops_problem(flat, right[:1]))
    assert "loop 2 is a do of line 4" in str(loops_problem(flat, [right[0], (2, "do", 4)]))
    assert "loop 1 is a while" in str(loops_problem(flat, [(1, "while", 2), right[1]]))


def test_a_program_without_loops_is_watched_too() -> None:
    source = observing_source(FlatProgram(text=b"int main() { }", lines=(1,), loops=()))
    assert b"int main() { }" in source


class Author:
    """Writes programs that count their own loops, by a seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.loops = 0

    def program(self, functions: int) -> str:
        bodies = "\n".join(
            f"int f{n}(int depth) {{ int x = depth + {n}; {self.statements(4, looping=False)}"
            " return x; }"
            for n in range(functions)
        )
        calls = "\n".join(f"try {{ f{n}(0); }} catch (int) {{ }}" for n in range(functions))
        return f"""\
#include <cstdio>
#include <initializer_list>
#define rep(i, n) for (int i = 0; i < (n); i++)
#define forever while (true)
static int before[1000], inside[1000], post[1000];
bool b(int k) {{ return ++before[k]; }}
bool i(int k) {{ return ++inside[k]; }}
bool p(int k) {{ return ++post[k]; }}
{bodies}
int main() {{
{calls}
rep(k, {self.loops}) printf("%d %d %d\\n", inside[k], post[k], before[k]);
}}
"""

    def statements(self, depth: int, *, looping: bool) -> str:
        return " ".join(
            self.statement(depth, looping=looping) for _ in range(self.random.choice((1, 2, 3)))
        )

    def statement(self, depth: int, *, looping: bool) -> str:
        def inner() -> str:
            return self.statement(depth - 1, looping=looping)

        if depth == 0:
            return self.simple(looping=looping)
        test = f"x % {self.random.choice((2, 3, 5))} == {self.random.choice((0, 1))}"
        match self.random.randrange(11):
            case 0 | 1 | 2 | 3:
                return self.loop(depth)
            case 4:
                return f"if ({test}) {inner()} else {inner()}"
            case 5:
                return f"if ({test}) {{ {inner()} }} else if (x > 9) {{ {inner()} }}"
            case 6:
                return f"switch (x % 3) {{ case 0: {inner()} case 1: {inner()} default: x++; }}"
            case 7:
                return f"try {{ {inner()} if ({test}) throw 1; }} catch (int) {{ {inner()} }}"
            case 8:
                body = self.statements(depth - 1, looping=False)
                return f"[&](int depth) -> int {{ {body} return 0; }}(depth + 1);"
            case 9:
                return f"{{ {self.statements(depth - 1, looping=looping)} }}"
            case _:
                return self.simple(looping=looping)

    def simple(self, *, looping: bool) -> str:
        choices = ["x++;", ";", "x = x * 3 % 17;", "if (x % 7 == 3) return x;", "{ }"]
        choices += ["if (x % 11 == 4) throw 2;", "if (depth < 2) x += f0(depth + 1);"]
        if looping:
            choices += ["if (x % 4 == 1) break;", "if (x % 3 == 2) continue;", "break;"]
        return self.random.choice(choices)

    def loop(self, depth: int) -> str:
        number, self.loops = self.loops, self.loops + 1
        times = self.random.choice((0, 1, 2, 3))
        body = self.statement(depth - 1, looping=True)
        shape = self.random.randrange(6)
        if shape == 5:
            # No `continue` may keep it from its end.
            body = f"{{ i({number}); if (w{number}-- <= 0) break; {body} }}"
        elif self.random.random() < 0.5:
            body = f"{{ i({number}); {body} }}"
        else:
            body = f"if (i({number})) {body} else x = 0;"
        loop = (
            f"for (int v = 0; v < {times}; v++) {body}",
            f"rep(v, {times}) {body}",
            f"while (w{number}-- > 0) {body}",
            f"do {body} while (w{number}-- > 0);",
            f"for (int v : {{1, 2, {times}}}) {body}",
            f"forever {body}",
        )[shape]
        label = f"again{number}: " if self.random.random() < 0.1 else ""
        return f"{{ int w{number} = {times}; b({number}); {label}{loop} p({number}); }}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_programs_count_what_the_observer_counts(seed: int) -> None:
    """Random nests of loops, jumps and exceptions, which keep count by themselves."""
    code = Author(seed).program(30)
    run = ObservedProgram(code=code).run()
    assert (run.status, run.stdout) == plain(code)
    own = [tuple(map(int, line.split())) for line in run.stdout.splitlines()]
    counts = [row[:3] for row in run.counts()]
    # Loops in textual order are numbered from the outside in, but the last is that of `main`.
    assert counts[:-1] == own
    assert sum(visits for visits, _, _ in own) > 100
