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
#include <sys/resource.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>
using namespace std;
"""

CLOCK = "reads_the_clock"
SURROUNDINGS = "depends_on_its_surroundings"
PROCESSES = "reaches_for_other_processes"
FILES = "uses_files"
ADDRESSES = "shows_addresses"
LINES = "depends_on_line_numbers"

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


def test_assembly_outside_of_functions() -> None:
    found = refusal(read('asm("");\nint main() {}\n'))
    assert found is not None
    assert found[0] == "contains_assembly"


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
        " int accept = 1, pipe = 2, stat = 3, nice = 4;"
        " cout << a.time + accept + pipe + stat + nice;"
    ),
    "functions of the program of those names": "cout << kill(connect(3));",
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
    own = "int connect(int a) { return a; }\nint kill(int a) { return a; }\n"
    assert refusal(read(HEAD + MACROS + own + MAIN % KEPT[name])) is None
