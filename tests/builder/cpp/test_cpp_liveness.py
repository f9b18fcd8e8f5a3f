"""Variables are live where their present value may still be read, and only there.

Each snippet's loops are marked by the names that are live at them. A slow test changes, in a
compiled program, what is said not to be live, and sees that nothing else changes.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from tests.builder.cpp.compiled_programs import read
from tests.oracles.cpp.compilers import needs_clang

from deskcheck.builder.cpp.liveness import live_at_heads
from deskcheck.builder.cpp.loops import CppLoop, find_loops
from deskcheck.builder.cpp.parsing import CppSource
from deskcheck.builder.edits import Edit, apply, insert

pytestmark = needs_clang

HEAD = """\
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <sstream>
#include <string>
#include <vector>
using namespace std;
void use(int); void use(const string &); int make(); bool more();
"""

LIVE = {
    "what is read in the body": (
        "void f(int a, int b) { while (more()) /* a */ use(a); }",
        ["a"],
    ),
    "what is read after the loop": (
        "void f(int a, int b) { while (more()) {} use(b); }",
        ["b"],
    ),
    "what is given a new value first is dead": (
        "void f(int a) { while (more()) { a = make(); use(a); } a = 2; use(a); }",
        [""],
    ),
    "a loop inside an expression": (
        "void f(int a, int b) { ({ int z = 0; for (int i = 0; i < 3; i++) z += a; b = z; }); }",
        ["a b z"],
    ),
    "a way out of an expression": (
        "void f(int a, int b) { while (more()) { ({ if (more()) break; 1; }); a = 1; use(b); }"
        " use(a); }",
        ["a b"],
    ),
    "what is given a new value on one way only": (
        "void f(int a) { while (more()) { if (more()) a = make(); use(a); } }",
        ["a"],
    ),
    "both branches give it a value": (
        "void f(int a) { while (more()) { if (more()) a = 1; else { a = 2; } use(a); } }",
        [""],
    ),
    "the next iteration reads it": (
        "void f(int a, int b) { while (more()) { use(a); a = b; b = 2; } }",
        ["a b"],
    ),
    "break and continue": (
        "void f(int a, int b, int c) { while (more()) { if (more()) break; if (more()) continue;"
        " a = b = c = 1; use(b); } use(a); while (more()) { b = make(); if (b) continue; use(b);"
        " return; } use(c); }",
        ["a c", "c"],
    ),
    "return": (
        "int f(int a, int b) { while (true) { if (more()) return a; b = 1; use(b); } return b; }",
        ["a"],
    ),
    "endless loops end by break": (
        "void f(int a, int b) { for (;;) { if (more()) { b = 1; break; } use(a); } use(b); }",
        ["a"],
    ),
    "the header's parts": (
        "void f(int n, int k, int s) { for (int i = s; i < n; i += k) { use(i); } }",
        ["n k"],
    ),
    "a loop variable declared outside": (
        "void f(int i, int n) { for (i = 0; i < n; i++) { } for (i = 0; i < 3; i++) {} use(i); }",
        ["i n", "i"],
    ),
    "what a range-for goes through": (
        "void f(vector<int> v, vector<int> w) { for (int x : v) w = {x}; use(w[0]); }",
        ["v w"],
    ),
    "mutation is no new value": (
        "void f(vector<int> v, string s, int a[3]) { while (more()) { v.push_back(1); v[0] = 2;"
        " s += 'a'; a[0] = 1; v.clear(); } }",
        ["v s a"],
    ),
    "assignment to the whole is": (
        'void f(vector<int> v, string s, pair<int, int> p) { while (more()) { v = {1}; s = "a";'
        " p = {1, 2}; p.first = 3; use(s); use(v[0]); use(p.first); } }",
        [""],
    ),
    "assignment from itself": (
        "void f(int a, int b) { while (more()) { a = a + 1; b += 1; } }",
        ["a b"],
    ),
    "short circuits": (
        "void f(int a, int b) { while (more() && (a = make())) { use(a); } while (more()) {"
        " if (more() || (b = 1)) use(b); } }",
        ["a b", "b"],
    ),
    "one after the other": (
        "void f(int a, int b) { while (more()) { a = 1, b = a; use(b); } }",
        [""],
    ),
    "reading a value in": (
        "void f(int n, string s, vector<int> v) { while (more()) { cin >> n >> s >> v[0]; use(n);"
        " use(s); } }",
        ["v"],
    ),
    "do": (
        "void f(int a, int b, int c) { do { use(a); b = make(); } while (b > c); }",
        ["a c"],
    ),
    "switch": (
        "void f(int a, int b, int k) { while (more()) { switch (k) { case 1: use(a); break; case 2:"
        " b = 1; default: use(b); } } }",
        ["a b k"],
    ),
    "switch that gives all a value": (
        "void f(int b) { while (more()) { switch (make()) { case 1: b = 2; break; default: b = 3; }"
        " use(b); } }",
        ["b"],
    ),
    "goto reaches everything": (
        "void f(int a, int b) { again: use(b); while (more()) { a = 1; use(a); } b = 2;"
        " if (more()) goto again; }",
        ["a b"],
    ),
    "exceptions": (
        "void f(int a) { try { while (more()) { a = make(); use(a); } } catch (...) { use(a); } }",
        ["a"],
    ),
    "globals that functions read": (
        "int g, h, k; void p(); void q() { p(); } void p() { use(g); } void f() { while (more())"
        " { h = 1; q(); g = 2; k = 3; } } int main() { f(); use(h); }",
        ["g h"],
    ),
    "globals at the end of the program": (
        "int g, h; int main() { while (more()) { g = 1; use(g); } use(h); }",
        ["h"],
    ),
    "static locals outlive the call": (
        "void f() { static int n; use(n); while (more()) { n = 1; } } ",
        ["n"],
    ),
    "members": (
        "struct S { int a, b, c; void f() { while (more()) { a = 1; } } void g() { use(a + b); } };"
        " void f(S s) { use(s.b); }",
        ["a b"],
    ),
    "lambdas read when they are called": (
        "void f(int a, int b) { auto g = [&] { use(a); }; while (more()) { a = 1; g(); } a = 2;"
        " while (more()) { g(); } b = 1; }",
        ["", "a"],
    ),
    "lambdas that are kept": (
        "void f(vector<int> d) { auto less_ = [&](int x, int y) { return d[x] < d[y]; };"
        " set<int, decltype(less_)> q(less_); while (more()) q.insert(1); }",
        ["d q"],
    ),
    "inside a lambda, what others read later": (
        "void f(int a, int b) { auto g = [&](int n) { while (n--) { a = 1; } }; g(2); use(a); }",
        ["a n"],
    ),
    "recursion": (
        "void f(int d, vector<int> &v) { for (int x : v) { if (x < d) f(d - 1, v); } }",
        ["d v"],
    ),
    "addresses and references": (
        "void f(int a, int b, int c) { int *p = &a; int &r = b; auto it = &c; while (more()) {"
        " use(*p); use(r); } }",
        ["a b c p r"],
    ),
    "iterators": (
        "void f(vector<int> v, vector<int> w) { auto it = v.begin(), last = v.end(); while (it !="
        " last) use(*it++); }",
        ["v it last"],
    ),
    "references given": (
        "void f(int &a, const int &b, int c) { while (more()) { a = 1; c = 2; } }",
        ["a b"],
    ),
    "constants, streams and functions are none": (
        "const int K = 3; void f(const int k, const int t[3]) { constexpr int c = 1;"
        " ostringstream o;"
        " auto g = [&] { return 1; }; function<int()> h = g; while (K + k + c + t[0] > 0) { o <<"
        " g() + h(); cout << o.str(); } }",
        [""],
    ),
    "hidden names": (
        "int n, m; void f(int a) { for (int n = 0; n < m; n++) use(n + a); use(n); { int a = 1;"
        " while (more()) use(a); } }",
        ["m a", "n m a"],
    ),
    "order is that of the declarations": (
        "int z; void f(int b, int a) { int c = 0; while (more()) use(c + a + b + z); }",
        ["z b a c"],
    ),
    "templates": (
        "template <class T> T f(vector<T> v, T a, T b) { T t{};"
        " for (auto &x : v) t += x + a; b = a;"
        " return t + b; }",
        ["v a t"],
    ),
}


def _live(text: str) -> list[str]:
    source = read(HEAD + text)
    loops = find_loops(source)
    live = live_at_heads(source, loops)
    return [" ".join(live[loop.offset]) for loop in loops]


@pytest.mark.parametrize("name", LIVE)
def test_what_is_live(name: str) -> None:
    text, expected = LIVE[name]
    assert _live(text) == expected


_INTEGER = re.compile(r"(?:unsigned |signed )?(?:int|long|long long|short|char)")


def _change(loop: CppLoop, name: str) -> str | None:
    """A statement that gives the variable another value."""
    spelling = loop.names[name].type.get_canonical().spelling.replace("__cxx11::", "")
    if _INTEGER.fullmatch(spelling):
        return f"{name} ^= 5;"
    if spelling == "bool":
        return f"{name} = !{name};"
    if spelling in ("float", "double"):
        return f"{name} += 1.5;"
    if spelling.startswith("std::basic_string<char"):
        return f'{name} += "#";'
    if re.match(r"std::(?:vector|deque)<", spelling):
        return f"{name}.emplace_back();"
    if re.match(r"std::(?:multi)?(?:map|set)<|std::(?:queue|stack|priority_queue)<", spelling):
        return f"{name} = decltype({name})();"
    return None


def _changing(source: CppSource) -> tuple[bytes, list[str]]:
    """The program that changes one variable, said not to be live, at each body's start."""
    loops = find_loops(source)
    live = live_at_heads(source, loops)
    changes: list[str] = []
    edits: list[Edit] = []
    for loop in loops:
        if not loop.braced or loop.uneditable:
            continue
        text = ""
        for name in loop.names.keys() - set(live[loop.offset]):
            statement = _change(loop, name)
            if statement is not None and not loop.names[name].type.is_const_qualified():
                changes.append(f"line {loop.line}: {statement}")
                text += f" if (changed_now == {len(changes)}) {{ {statement} }}"
        edits.append(insert(loop.body_start + 1, text.encode()))
    head = b'#include <cstdlib>\nstatic int changed_now = atoi(getenv("CHANGED"));\n'
    return head + apply(source.code, edits), changes


PROGRAM = (
    HEAD.replace("void use(int); void use(const string &); int make(); bool more();", "")
    + """
int total, rounds, spare = 4;
vector<int> seen;
string word = "abc";
struct Heap {
  int last = 0, size = 0;
  vector<int> data;
  void push(int x) {
    last = x;
    for (int i = size++; i >= 0; i--) { rounds = i; seen = {x}; last = i; }
    data.push_back(x + last);
  }
};
int walk(int n) {
  int best = 0, step = 0, unused = 7;
  vector<int> row(5), next(5);
  for (int i = 0; i < n; i++) {
    step = i * 2;
    next = row;
    for (int j = 1; j < 5; j++) { next[j] = row[j - 1] + step; best = max(best, next[j]); }
    row = next;
    word = "x";
  }
  unused = best;
  while (unused > 3) { step = unused % 3; if (step == 2) { unused--; continue; } unused -= 2; }
  do { best = unused + 1; unused = best % 2; } while (unused > 0 && best < 100);
  return best + row[4];
}
int main() {
  int a = 1, b = 2, c = 3;
  bool done = false;
  double mean = 0;
  string text;
  Heap heap;
  for (int i = 0; i < 4; i++) { heap.push(i); c = i; total += c; }
  while (!done) { b = a + 1; a = b; if (a > 6) { done = true; c = 5; break; } mean = a; }
  for (int x : heap.data) { switch (x) { case 0: b = 1; break; case 1: b = 2; [[fallthrough]];
    default: b = 3; } mean = b; text = to_string(mean) + text; }
  auto add = [&](int n) { while (n-- > 0) { c = n; b = c + 1; text += "."; } };
  for (int i = 0; i < 3; i++) { c = 2; add(i); a = c; word = text; }
  done = a < 9;
  for (;;) { if (done) { a = 4; spare = a; break; } }
  try { for (int i = 0;; i++) { b = i; if (i == 3) throw i; } } catch (int) { b++; }
  total = walk(6);
  for (int i = 0; i < 2; i++) { int a = i; c = a; spare += c; }
  cout << a << b << c << done << mean << text << word << total << spare << seen.size() << '\\n';
}
"""
)


@pytest.mark.slow
def test_no_output_depends_on_what_is_not_live(tmp_path: Path) -> None:
    code, changes = _changing(read(PROGRAM))
    built = tmp_path / "program"
    command = ["clang++", "-std=gnu++17", "-w", "-o", str(built), "-xc++", "-"]
    subprocess.run(command, input=code, check=True)
    outputs = [
        subprocess.run(
            [built],
            capture_output=True,
            env={**os.environ, "CHANGED": str(number)},
            timeout=60,
            check=True,
        ).stdout
        for number in range(len(changes) + 1)
    ]
    wrong = [
        change for change, output in zip(changes, outputs[1:], strict=True) if output != outputs[0]
    ]
    assert not wrong
    assert len(changes) > 30
