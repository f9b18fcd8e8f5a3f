"""C++ programs that cannot be measured or shown soundly are refused on sight, and no others."""

from __future__ import annotations

import pytest
from tests.builder.cpp.compiled_programs import read
from tests.oracles.cpp.compilers import needs_clang

from deskcheck.builder.cpp.refusals import refusal

pytestmark = needs_clang

HEAD = """\
#include <algorithm>
#include <cassert>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <iostream>
#include <list>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <sstream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>
#include <vector>
using namespace std;
"""

CLOCK = "reads_the_clock"
SURROUNDINGS = "depends_on_its_surroundings"
PROCESSES = "reaches_for_other_processes"
FILES = "uses_files"
ADDRESSES = "shows_addresses"
LINES = "depends_on_line_numbers"
ORDER = "follows_hash_order"

REFUSED = {
    "time": ("srand(time(0));", CLOCK),
    "std::time": ("auto t = std::time(nullptr);", CLOCK),
    "clock": ("double t = clock();", CLOCK),
    "a clock of chrono": (
        "mt19937 r(chrono::steady_clock::now().time_since_epoch().count());",
        CLOCK,
    ),
    "processor time": ("rusage r; getrusage(RUSAGE_SELF, &r);", CLOCK),
    "the time of translation": ("cout << __TIME__;", CLOCK),
    "sleep": ("this_thread::sleep_for(chrono::seconds(1));", CLOCK),
    "random_device": ("random_device d; cout << d();", SURROUNDINGS),
    "rand": ("cout << rand() % 6;", SURROUNDINGS),
    "a distribution": (
        "mt19937 r(5); cout << uniform_int_distribution<int>(0, 9)(r);",
        SURROUNDINGS,
    ),
    "another distribution": ("mt19937 r(5); normal_distribution<> d; cout << d(r);", SURROUNDINGS),
    "an engine that the library chooses": (
        "default_random_engine r(5); cout << r();",
        SURROUNDINGS,
    ),
    "shuffle": ("vector<int> v{3}; shuffle(v.begin(), v.end(), mt19937(5));", SURROUNDINGS),
    "environment": ('cout << getenv("HOME");', SURROUNDINGS),
    "arguments": ("cout << argv[0];", SURROUNDINGS),
    "process number": ("cout << getpid();", SURROUNDINGS),
    "cores": ("cout << thread::hardware_concurrency();", SURROUNDINGS),
    "a device": ('string s = "/dev/urandom";', SURROUNDINGS),
    "system": ('system("ls");', PROCESSES),
    "popen": ('popen("ls", "r");', PROCESSES),
    "fork": ("fork();", PROCESSES),
    "fopen": ('fopen("in.txt", "r");', FILES),
    "freopen": ('freopen("in.txt", "r", stdin);', FILES),
    "standard input by its name": ('ifstream f("/dev/stdin");', FILES),
    "a file's stream": ('ofstream f("out.txt");', FILES),
    "a file's stream, opened later": ('fstream f; f.open("x");', FILES),
    "filesystem": ('filesystem::exists("x");', FILES),
    "filesystem by another name": ('namespace fs = std::filesystem; fs::exists("x");', FILES),
    "a link": ('link("a", "b");', FILES),
    "a link's text": ('char to[9]; readlink("a", to, 9);', FILES),
    "a file's status": ("struct stat s; fstat(0, &s);", FILES),
    "a file's length": ("ftruncate(1, 0);", FILES),
    "a file in memory": ("mmap(0, 4096, 1, 2, 0, 0);", FILES),
    "a stream of a descriptor": ('fdopen(3, "r");', FILES),
    "remove of a file": ('remove("x");', FILES),
    "thread": ("thread t([] {}); t.join();", "runs_several_threads"),
    "async": ("auto f = async([] { return 3; }); f.get();", "runs_several_threads"),
    "socket": ("socket(1, 2, 3);", "uses_the_network"),
    "signal": ("signal(SIGSEGV, SIG_DFL);", "handles_signals"),
    "assembly": ('asm volatile("nop");', "contains_assembly"),
    "line": ("cout << __LINE__;", LINES),
    "line, through a macro": ("AT(3);", LINES),
    "line, built in": ("cout << __builtin_LINE();", LINES),
    "file": ("cerr << __FILE__;", "asks_where_its_source_lies"),
    "a loop over a hash table": ("unordered_set<int> s; for (int x : s) cout << x;", ORDER),
    "its entries": ("unordered_map<int, int> m; for (auto &[k, v] : m) cout << k;", ORDER),
    "a loop over what points to one": (
        "unordered_set<int> s; auto *p = &s; for (int x : *p) cout << x;",
        ORDER,
    ),
    "the beginning of one": ("unordered_set<int> s{1}; cout << *s.begin();", ORDER),
    "a copy of one": ("unordered_set<int> s; vector<int> v(s.begin(), s.end());", ORDER),
    "cbegin": ("unordered_set<int> s; auto i = s.cbegin();", ORDER),
    "begin that stands alone": ("unordered_set<int> s; auto i = begin(s);", ORDER),
    "a step from what was found": ("unordered_set<int> s; auto i = s.find(1); ++i;", ORDER),
    "a range from what was found": (
        "unordered_set<int> s; vector<int> v(s.find(1), s.end());",
        ORDER,
    ),
    "the next one": ("unordered_set<int> s; auto i = next(s.find(1));", ORDER),
    "its buckets": ("unordered_set<int> s; cout << s.bucket_count();", ORDER),
    "a lambda that goes through one": (
        "unordered_set<int> s; auto f = [](auto &t) { for (int x : t) cout << x; }; f(s);",
        ORDER,
    ),
    "%p": (r'int x; printf("%3d %p\n", 1, (void *)&x);', ADDRESSES),
    "<< of an address": ("int x; cout << &x;", ADDRESSES),
    "<< of a pointer": ("int *p = new int; cout << 1 << p;", ADDRESSES),
    "<< of a smart pointer": ("cout << make_shared<int>(1);", ADDRESSES),
    "an address as a number": ("int x; long k = (long)&x;", ADDRESSES),
    "an address as a number, by another cast": (
        "int x; auto k = reinterpret_cast<size_t>(&x);",
        ADDRESSES,
    ),
}
MACROS = "#define AT(x) cout << (x) << HERE\n#define HERE __LINE__\n"
MAIN = "int main(int argc, char **argv) {\n%s\n}\n"


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_named_with_its_line(name: str) -> None:
    """The reason, the line and the word that is the reason."""
    body, reason = REFUSED[name]
    code = HEAD + MACROS + MAIN % body
    found = refusal(read(code))
    assert found is not None
    assert found[0] == reason
    line = int(found[1].split(":")[0].removeprefix("line "))
    assert code.splitlines()[line - 1] == body
    word = found[1].split("`")[1]
    assert word in (*("asm", "cast"), *body.replace("(", " ").split()) or word in body


def test_what_a_function_or_template_uses_counts() -> None:
    code = (
        HEAD + "template <class T> T f(T x) { return x + time(0); }\nint main() { return f(3); }\n"
    )
    found = refusal(read(code))
    assert found is not None
    assert found[0] == CLOCK


@pytest.mark.parametrize(
    "text",
    ["#line 5\nint main() {}\n", 'int main() {}\n# 7 "x.cpp"\n', "#define A \\\n#line\n#line 3\n"],
)
def test_lines_that_are_given_other_numbers(text: str) -> None:
    found = refusal(read(text))
    assert found is not None
    assert found[0] == LINES


@pytest.mark.parametrize(
    "text",
    [
        'asm("");',
        'namespace a { asm(""); }',
        'extern "C" { __asm__(""); }',
        '#define A asm("")\nA;',
        'extern "C" int mine(const char *, int, ...) __asm__("open");',
        'static int mine(const char *, int) __attribute__((weakref("open")));',
        "#pragma redefine_extname mine open",
        '_Pragma("redefine_extname mine open")',
        "#pragma weak mine = open",
    ],
)
def test_assembly_and_names_given_past_the_compiler(text: str) -> None:
    found = refusal(read(text + "\nint main() {}\n"))
    assert found is not None
    assert found[0] == "contains_assembly"


@pytest.mark.parametrize(
    ("declared", "used", "reason"),
    [
        ('extern "C" int rand(void);', "rand()", SURROUNDINGS),
        ('extern "C" { long clock(void); }', "clock()", CLOCK),
        ('namespace a { extern "C" long time(long *); }', "a::time(nullptr)", CLOCK),
        ("extern char **environ;", "environ[0][0]", SURROUNDINGS),
        ('extern "C" int open(const char *, int, ...);', 'open("x", 0)', FILES),
        ('extern "C" int printf(const char *, ...);', 'printf("%p", "")', ADDRESSES),
    ],
)
def test_what_is_declared_without_a_header_is_the_librarys(
    declared: str, used: str, reason: str
) -> None:
    found = refusal(read(declared + MAIN % f"return {used};"))
    assert found is not None
    assert found[0] == reason


def test_what_a_function_in_c_linkage_declares_is_the_librarys() -> None:
    found = refusal(read('extern "C" int f() { int rand(); return rand(); }\nint main() {}\n'))
    assert found is not None
    assert found[0] == SURROUNDINGS


@pytest.mark.parametrize(
    "code",
    [
        "template <class T> void f(const T &t) { for (auto &x : t) cout << x; }",
        "template <class T> void f(const T &t) { auto i = t.begin(); }",
        "template <class T> void f(const T &t) { auto i = begin(t); }",
        "template <class T> void f(const unordered_set<T> &t) { for (auto &x : t) cout << x; }",
        "struct T : unordered_set<int> {}; void f(T &t) { for (int x : t) cout << x; }",
        "template <class T> struct U : unordered_set<T> {};"
        " void f(U<int> &t) { for (int x : t) cout << x; }",
        "struct U : unordered_set<int> { int first() { return *begin(); } };",
    ],
)
def test_hash_order_through_templates_and_bases(code: str) -> None:
    call = " unordered_set<int> s; f(s);" if code.startswith("template <class T> void") else ""
    found = refusal(read(HEAD + code + "\n" + MAIN % call))
    assert found is not None
    assert found[0] == ORDER
    assert int(found[1].split(":")[0].removeprefix("line ")) == HEAD.count("\n") + 1


def test_what_a_template_leaves_open_counts() -> None:
    code = "template <class T> void f(vector<T> &v) { shuffle(v.begin(), v.end(), mt19937(5)); }\n"
    found = refusal(read(HEAD + code + MAIN % ""))
    assert found is not None
    assert found[0] == SURROUNDINGS


KEPT = {
    "what is not compiled": (
        '#ifdef LOCAL\nfreopen("in", "r", stdin);\n#endif\n#if 0\ncout << __LINE__;\n#endif'
    ),
    "comments and text": '// time(0) /dev/null\ncout << "time(0) __LINE__ fopen";',
    "a list in a comment": "/* Steps:\n# 1 read\n# line 2 write\n*/",
    "assertions": "assert(argc == 1);",
    "argc": "cout << argc;",
    "a fixed seed": "mt19937 r(5); srand(7); cout << r() % 3;",
    "algorithms of those names": (
        "vector<int> v{3}; v.erase(remove(v.begin(), v.end(), 3), v.end()); list<int> l;"
        " l.remove(3);"
        " auto f = bind([](int x) { return x; }, placeholders::_1); cout << f(2);"
    ),
    "variables and members of those names": (
        "struct A { int time, open, send; void clock() {} } a; a.time = 3; a.clock();"
        " int accept = 1, pipe = 2, stat = 3, nice = 4, link = 5, select = 6, poll = 7;"
        " cout << link + select + poll;"
        " cout << a.time + accept + pipe + stat + nice;"
    ),
    "functions of the program of those names": "cout << kill(connect(3));",
    "hash tables that are only looked into": (
        "unordered_map<int, int> m{{1, 2}}; m[3] = 4; m.insert({5, 6}); m.emplace(7, 8);"
        " auto i = m.find(3); if (i != m.end()) cout << i->second; m.erase(i); m.erase(1);"
        " unordered_set<int> s{1}, t[2]; for (auto &u : t) cout << u.count(1);"
        " vector<int> v{1}; s.insert(v.begin(), v.end());"
        " cout << m.size() << (s == s);"
        " m.reserve(9); m.max_load_factor(0.5); swap(t[0], t[1]); auto p = m.insert({1, 1});"
        " if (p.second) p.first->second++;"
    ),
    "a template that goes through something else": (
        "unordered_set<int> s; vector<int> v; auto f = [](auto &t) { for (int x : t) cout << x; };"
        " f(v);"
    ),
    "engines that the standard describes": "mt19937_64 r(5); minstd_rand m(3); cout << r() << m();",
    "durations": "chrono::seconds s(3); cout << s.count();",
    "a lock": "mutex m; m.lock();",
    "files' streams that open nothing": "ofstream f; ostream &o = cout; o << 1;",
    "text by pointer": 'const char *s = "a"; char b[3] = ""; cout << s << b << "c";',
    "manipulators": "cout << hex << 5 << endl << boolalpha << true;",
    "numbers by casts": "double d = 3; char c = 'a'; cout << (int)d << int(c) << (long long)c;",
    "per cent": r'printf("100%%pass %d %5.2f\n", 3, 1.5);',
    "limits": "rlimit r{1, 1}; setrlimit(RLIMIT_STACK, &r);",
    "string streams": 'istringstream in("3"); int x; in >> x; ostringstream o; o << x;',
    "its function's name": "cout << __func__;",
    "sets of pointers": "set<int *> s; cout << s.size();",
    "a macro that is not used": "",
}


@pytest.mark.parametrize("name", KEPT)
def test_what_only_looks_alike_is_kept(name: str) -> None:
    own = "int kill(int a);\nint connect(int a) { return a; }\nint kill(int a) { return a; }\n"
    assert refusal(read(HEAD + MACROS + own + MAIN % KEPT[name])) is None
