"""What a checkpoint looks like in a C++ program, and that it stops exactly where declared.

Each rule has the program's text before and after; the texts are then compiled and run.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from tests.builder.cpp.compiled_programs import COMPILERS, printed, read
from tests.oracles.cpp.compilers import HERE, needs_clang, runtime_with

from deskcheck.builder.cpp.loops import CppLoop, find_loops
from deskcheck.builder.cpp.parsing import CppSource
from deskcheck.builder.cpp.printer import needs
from deskcheck.builder.cpp.types import describe
from deskcheck.builder.instrument.cpp import disarm, instrument
from deskcheck.builder.languages import Instrumented
from deskcheck.builder.syntax import BOM
from deskcheck.oracles.checkpoints import Checkpoint, Field, Place
from deskcheck.oracles.programs import Program
from deskcheck.oracles.sandbox import Sandbox

pytestmark = needs_clang

HEADER = """\
#include <cstdio>
#include <cstdlib>
#include <string>

static long long {counter} = 0;

template <class T>
std::string to_json(const T& value) {{
    return std::to_string(value);
}}

template <class T, class... Rest>
std::string json_fields(const char* name, const T& value, const Rest&... rest) {{
    std::string text = "\\"" + std::string(name) + "\\":" + to_json(value);
    if constexpr (sizeof...(rest) > 0) text += "," + json_fields(rest...);
    return text;
}}

template <class... Fields>
void stop_with(const Fields&... fields) {{
    std::printf("{{%s}}", json_fields(fields...).c_str());
    std::fflush(stdout);
    std::_Exit(0);
}}

"""
FRAME = """\
#include <cstdio>
#define rep(i, n) for (int i = 0; i < (n); ++i)
int main() {{
    int k = 0;
{body}    std::printf("%d\\n", k);
}}
"""
K = Field(name="k", expression="k")
NUMBER = frozenset({"number"})
PLACES: tuple[Place, ...] = ("inside", "post")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Texts are the body of `main`, or the `whole` program; `visits` and `states` are those of
    the checkpoint inside and of the one after the loop, the states as values of `k`."""

    before: str
    inside: str
    post: str
    visits: tuple[int, int]
    states: tuple[int, int]
    loop: int = 0
    whole: bool = False

    def text(self, body: str) -> str:
        return body if self.whole else FRAME.format(body=body)

    def read(self) -> tuple[CppSource, CppLoop]:
        source = read(self.text(self.before))
        return source, find_loops(source)[self.loop]

    def checkpoint(self, loop: CppLoop, place: Place) -> Checkpoint:
        visit = self.visits[place == "post"]
        return Checkpoint(loop=loop.offset, place=place, visit=visit)


RULES = {
    "braces": Rule(
        before="""\
    for (int i = 0; i < 4; i++) {
        k += i;
    }
""",
        inside="""\
    for (int i = 0; i < 4; i++) {
        if (++body_visits == 3) stop_with("k", k);
        k += i;
    }
""",
        post="""\
    for (int i = 0; i < 4; i++) {
        k += i;
    }
    if (++loop_ends == 1) stop_with("k", k);
""",
        visits=(3, 1),
        states=(1, 6),
    ),
    "comments after braces": Rule(
        before="""\
    while (k < 4) {  // up
        k++;
    }  // done
""",
        inside="""\
    while (k < 4) {  // up
        if (++body_visits == 3) stop_with("k", k);
        k++;
    }  // done
""",
        post="""\
    while (k < 4) {  // up
        k++;
    }  // done
    if (++loop_ends == 1) stop_with("k", k);
""",
        visits=(3, 1),
        states=(2, 4),
    ),
    "braces on one line": Rule(
        before="""\
    for (int i = 0; i < 4; i++) { k += i; } k++;
""",
        inside="""\
    for (int i = 0; i < 4; i++) { if (++body_visits == 3) stop_with("k", k); k += i; } k++;
""",
        post="""\
    for (int i = 0; i < 4; i++) { k += i; } if (++loop_ends == 1) stop_with("k", k); k++;
""",
        visits=(3, 1),
        states=(1, 6),
    ),
    "empty braces": Rule(
        before="""\
    while (k++ < 3) {}
""",
        inside="""\
    while (k++ < 3) { if (++body_visits == 3) stop_with("k", k); }
""",
        post="""\
    while (k++ < 3) {}
    if (++loop_ends == 1) stop_with("k", k);
""",
        visits=(3, 1),
        states=(3, 4),
    ),
    "no braces": Rule(
        before="""\
    for (int i = 0; i < 4; i++) k += i;
""",
        inside="""\
    for (int i = 0; i < 4; i++) {
        if (++body_visits == 3) stop_with("k", k);
        k += i;
    }
""",
        post="""\
    for (int i = 0; i < 4; i++) k += i;
    if (++loop_ends == 1) stop_with("k", k);
""",
        visits=(3, 1),
        states=(1, 6),
    ),
    "no braces, two lines": Rule(
        before="""\
    for (int i = 0; i < 4; i++)
        k += i;  // sum
    k++;
""",
        inside="""\
    for (int i = 0; i < 4; i++) {
        if (++body_visits == 3) stop_with("k", k);
        k += i;  // sum
    }
    k++;
""",
        post="""\
    for (int i = 0; i < 4; i++)
        k += i;  // sum
    if (++loop_ends == 1) stop_with("k", k);
    k++;
""",
        visits=(3, 1),
        states=(1, 6),
    ),
    "a comment before the body": Rule(
        before="""\
    for (int i = 0; i < 4; i++)  // all
        k += i;
""",
        inside="""\
    for (int i = 0; i < 4; i++)  // all
    {
        if (++body_visits == 3) stop_with("k", k);
        k += i;
    }
""",
        post="""\
    for (int i = 0; i < 4; i++)  // all
        k += i;
    if (++loop_ends == 1) stop_with("k", k);
""",
        visits=(3, 1),
        states=(1, 6),
    ),
    "a comment that goes on": Rule(
        before="""\
    for (int i = 0; i < 4; i++)  // all \\
        of them
        k += i;  // sum \\
        of them
""",
        inside="""\
    for (int i = 0; i < 4; i++)  // all \\
        of them
    {
        if (++body_visits == 3) stop_with("k", k);
        k += i;  // sum \\
        of them
    }
""",
        post="""\
    for (int i = 0; i < 4; i++)  // all \\
        of them
        k += i;  // sum \\
        of them
    if (++loop_ends == 1) stop_with("k", k);
""",
        visits=(3, 1),
        states=(1, 6),
    ),
    "a comment that goes on after blanks": Rule(
        before="""\
    for (int i = 0; i < 4; i++) {  // all \\\x20
        of them
        k += i;
    }  // sum \\\x20
        of them
""",
        inside="""\
    for (int i = 0; i < 4; i++) {  // all \\\x20
        of them
        if (++body_visits == 3) stop_with("k", k);
        k += i;
    }  // sum \\\x20
        of them
""",
        post="""\
    for (int i = 0; i < 4; i++) {  // all \\\x20
        of them
        k += i;
    }  // sum \\\x20
        of them
    if (++loop_ends == 1) stop_with("k", k);
""",
        visits=(3, 1),
        states=(1, 6),
    ),
    "directives over lines before the body": Rule(
        before="""\
    for (int i = 0; i < 4; i++)
#define STEP \\
    i
#define MORE /* or
    less */ STEP
        k += MORE;
""",
        inside="""\
    for (int i = 0; i < 4; i++)
#define STEP \\
    i
#define MORE /* or
    less */ STEP
    {
        if (++body_visits == 3) stop_with("k", k);
        k += MORE;
    }
""",
        post="""\
    for (int i = 0; i < 4; i++)
#define STEP \\
    i
#define MORE /* or
    less */ STEP
        k += MORE;
    if (++loop_ends == 1) stop_with("k", k);
""",
        visits=(3, 1),
        states=(1, 6),
    ),
    "a backslash before the body": Rule(
        before="""\
    for (int i = 0; i < 4; i++) \\
        k += i;
""",
        inside="""\
    for (int i = 0; i < 4; i++) \\
    {
        if (++body_visits == 3) stop_with("k", k);
        k += i;
    }
""",
        post="""\
    for (int i = 0; i < 4; i++) \\
        k += i;
    if (++loop_ends == 1) stop_with("k", k);
""",
        visits=(3, 1),
        states=(1, 6),
    ),
    "a lone semicolon": Rule(
        before="""\
    while (k++ < 3);
""",
        inside="""\
    while (k++ < 3) {
        if (++body_visits == 2) stop_with("k", k);
        ;
    }
""",
        post="""\
    while (k++ < 3);
    if (++loop_ends == 1) stop_with("k", k);
""",
        visits=(2, 1),
        states=(2, 4),
    ),
    "a loop as the body": Rule(
        before="""\
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            k += j + 1;
""",
        inside="""\
    for (int i = 0; i < 3; i++) {
        if (++body_visits == 2) stop_with("k", k);
        for (int j = 0; j < i; j++)
            k += j + 1;
    }
""",
        post="""\
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            k += j + 1;
    if (++loop_ends == 1) stop_with("k", k);
""",
        visits=(2, 1),
        states=(0, 4),
    ),
    "the body of a loop": Rule(
        before="""\
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            k += j + 1;
""",
        inside="""\
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) {
            if (++body_visits == 3) stop_with("k", k);
            k += j + 1;
        }
""",
        post="""\
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++)
            k += j + 1;
        if (++loop_ends == 2) stop_with("k", k);
    }
""",
        loop=1,
        visits=(3, 2),
        states=(2, 1),
    ),
    "the body of a loop, one line": Rule(
        before="""\
    for (int i = 0; i < 3; i++) while (k < i) k++;
""",
        inside="""\
    for (int i = 0; i < 3; i++) while (k < i) {
        if (++body_visits == 2) stop_with("k", k);
        k++;
    }
""",
        post="""\
    for (int i = 0; i < 3; i++) { while (k < i) k++; if (++loop_ends == 2) stop_with("k", k); }
""",
        loop=1,
        visits=(2, 2),
        states=(1, 1),
    ),
    "else on the next line": Rule(
        before="""\
    if (k == 0)
        for (int i = 0; i < 4; i++)
            k += i;
    else
        k = 9;
""",
        inside="""\
    if (k == 0)
        for (int i = 0; i < 4; i++) {
            if (++body_visits == 3) stop_with("k", k);
            k += i;
        }
    else
        k = 9;
""",
        post="""\
    if (k == 0) {
        for (int i = 0; i < 4; i++)
            k += i;
        if (++loop_ends == 1) stop_with("k", k);
    }
    else
        k = 9;
""",
        visits=(3, 1),
        states=(1, 6),
    ),
    "else on the same line": Rule(
        before="""\
    if (!k) while (k < 4) k++; else k = 9;
""",
        inside="""\
    if (!k) while (k < 4) { if (++body_visits == 3) stop_with("k", k); k++; } else k = 9;
""",
        post="""\
    if (!k) { while (k < 4) k++; if (++loop_ends == 1) stop_with("k", k); } else k = 9;
""",
        visits=(3, 1),
        states=(2, 4),
    ),
    "an if with else as the body": Rule(
        before="""\
    for (int i = 0; i < 4; i++)
        if (i % 2) k += i;
        else k += 5;
""",
        inside="""\
    for (int i = 0; i < 4; i++) {
        if (++body_visits == 3) stop_with("k", k);
        if (i % 2) k += i;
        else k += 5;
    }
""",
        post="""\
    for (int i = 0; i < 4; i++)
        if (i % 2) k += i;
        else k += 5;
    if (++loop_ends == 1) stop_with("k", k);
""",
        visits=(3, 1),
        states=(6, 14),
    ),
    "do": Rule(
        before="""\
    do {
        k += 2;
    } while (k < 7);
""",
        inside="""\
    do {
        if (++body_visits == 3) stop_with("k", k);
        k += 2;
    } while (k < 7);
""",
        post="""\
    do {
        k += 2;
    } while (k < 7);
    if (++loop_ends == 1) stop_with("k", k);
""",
        visits=(3, 1),
        states=(4, 8),
    ),
    "do on one line": Rule(
        before="""\
    do k += 2; while (k < 7);
""",
        inside="""\
    do { if (++body_visits == 3) stop_with("k", k); k += 2; } while (k < 7);
""",
        post="""\
    do k += 2; while (k < 7);
    if (++loop_ends == 1) stop_with("k", k);
""",
        visits=(3, 1),
        states=(4, 8),
    ),
    "do without braces": Rule(
        before="""\
    do
        k += 2;
    while (k < 7);
""",
        inside="""\
    do {
        if (++body_visits == 3) stop_with("k", k);
        k += 2;
    }
    while (k < 7);
""",
        post="""\
    do
        k += 2;
    while (k < 7);
    if (++loop_ends == 1) stop_with("k", k);
""",
        visits=(3, 1),
        states=(4, 8),
    ),
    "a macro with braces": Rule(
        before="""\
    rep(i, 4) {
        k += i;
    }
""",
        inside="""\
    rep(i, 4) {
        if (++body_visits == 3) stop_with("k", k);
        k += i;
    }
""",
        post="""\
    rep(i, 4) {
        k += i;
    }
    if (++loop_ends == 1) stop_with("k", k);
""",
        visits=(3, 1),
        states=(1, 6),
    ),
    "a macro without braces": Rule(
        before="""\
    rep(i, 4) k += i;
""",
        inside="""\
    rep(i, 4) {
        if (++body_visits == 3) stop_with("k", k);
        k += i;
    }
""",
        post="""\
    rep(i, 4) k += i;
    if (++loop_ends == 1) stop_with("k", k);
""",
        visits=(3, 1),
        states=(1, 6),
    ),
    "two macros on one line": Rule(
        before="""\
    rep(i, 3) rep(j, i) k += j + 1;
""",
        inside="""\
    rep(i, 3) rep(j, i) {
        if (++body_visits == 3) stop_with("k", k);
        k += j + 1;
    }
""",
        post="""\
    rep(i, 3) { rep(j, i) k += j + 1; if (++loop_ends == 2) stop_with("k", k); }
""",
        loop=1,
        visits=(3, 2),
        states=(2, 1),
    ),
    "an unbraced loop beside a goto": Rule(
        before="""\
    for (int i = 0; i < 9; i++) {
        if (i == 3) goto out;
        k += i;
        for (int j = 0; j < i; j++) k++;
    }
out:
    k++;
""",
        inside="""\
    for (int i = 0; i < 9; i++) {
        if (i == 3) goto out;
        k += i;
        for (int j = 0; j < i; j++) {
            if (++body_visits == 2) stop_with("k", k);
            k++;
        }
    }
out:
    k++;
""",
        post="""\
    for (int i = 0; i < 9; i++) {
        if (i == 3) goto out;
        k += i;
        for (int j = 0; j < i; j++) k++;
        if (++loop_ends == 2) stop_with("k", k);
    }
out:
    k++;
""",
        loop=1,
        visits=(2, 2),
        states=(4, 2),
    ),
    "after a case label": Rule(
        before="""\
    switch (k) {
        case 0: for (int i = 0; i < 4; i++) k += i;
        case 7: k++; break;
        default: k = 5;
    }
""",
        inside="""\
    switch (k) {
        case 0: for (int i = 0; i < 4; i++) {
            if (++body_visits == 3) stop_with("k", k);
            k += i;
        }
        case 7: k++; break;
        default: k = 5;
    }
""",
        post="""\
    switch (k) {
        case 0: { for (int i = 0; i < 4; i++) k += i; if (++loop_ends == 1) stop_with("k", k); }
        case 7: k++; break;
        default: k = 5;
    }
""",
        visits=(3, 1),
        states=(1, 6),
    ),
    "a switch as the body": Rule(
        before="""\
    for (int i = 0; i < 4; i++) switch (i) {
        case 0: k++;
        default: k += 2;
    }
""",
        inside="""\
    for (int i = 0; i < 4; i++) {
        if (++body_visits == 3) stop_with("k", k);
        switch (i) {
        case 0: k++;
        default: k += 2;
    }
    }
""",
        post="""\
    for (int i = 0; i < 4; i++) switch (i) {
        case 0: k++;
        default: k += 2;
    }
    if (++loop_ends == 1) stop_with("k", k);
""",
        visits=(3, 1),
        states=(5, 9),
    ),
    "tabs": Rule(
        before="""\
#include <cstdio>
int main() {
\tint k = 0;
\tfor (int i = 0; i < 4; i++)
\t\tk += i;
\tstd::printf("%d\\n", k);
}
""",
        inside="""\
#include <cstdio>
int main() {
\tint k = 0;
\tfor (int i = 0; i < 4; i++) {
\t\tif (++body_visits == 3) stop_with("k", k);
\t\tk += i;
\t}
\tstd::printf("%d\\n", k);
}
""",
        post="""\
#include <cstdio>
int main() {
\tint k = 0;
\tfor (int i = 0; i < 4; i++)
\t\tk += i;
\tif (++loop_ends == 1) stop_with("k", k);
\tstd::printf("%d\\n", k);
}
""",
        whole=True,
        visits=(3, 1),
        states=(1, 6),
    ),
    "in a lambda": Rule(
        before="""\
    auto add = [&](int n) {
        while (n-- > 0) k += n;
    };
    add(2), add(3);
""",
        inside="""\
    auto add = [&](int n) {
        while (n-- > 0) {
            if (++body_visits == 4) stop_with("k", k);
            k += n;
        }
    };
    add(2), add(3);
""",
        post="""\
    auto add = [&](int n) {
        while (n-- > 0) k += n;
        if (++loop_ends == 2) stop_with("k", k);
    };
    add(2), add(3);
""",
        visits=(4, 2),
        states=(3, 4),
    ),
    "in a method": Rule(
        before="""\
#include <cstdio>
struct Heap {
    int k = 0;
    void fill(int n) {
        for (int i = 0; i < n; i++) k += i;
    }
};
int main() {
    Heap heap;
    heap.fill(2), heap.fill(3);
    std::printf("%d\\n", heap.k);
}
""",
        inside="""\
#include <cstdio>
struct Heap {
    int k = 0;
    void fill(int n) {
        for (int i = 0; i < n; i++) {
            if (++body_visits == 4) stop_with("k", k);
            k += i;
        }
    }
};
int main() {
    Heap heap;
    heap.fill(2), heap.fill(3);
    std::printf("%d\\n", heap.k);
}
""",
        post="""\
#include <cstdio>
struct Heap {
    int k = 0;
    void fill(int n) {
        for (int i = 0; i < n; i++) k += i;
        if (++loop_ends == 2) stop_with("k", k);
    }
};
int main() {
    Heap heap;
    heap.fill(2), heap.fill(3);
    std::printf("%d\\n", heap.k);
}
""",
        whole=True,
        visits=(4, 2),
        states=(1, 4),
    ),
    "in a template": Rule(
        before="""\
#include <cstdio>
template <class T>
int total(T step) {
    int k = 0;
    for (T i = 0; i < 4; i += step) k += 2;
    return k;
}
int main() {
    int first = total(1);
    std::printf("%d\\n", first + total(2.0));
}
""",
        inside="""\
#include <cstdio>
template <class T>
int total(T step) {
    int k = 0;
    for (T i = 0; i < 4; i += step) {
        if (++body_visits == 6) stop_with("k", k);
        k += 2;
    }
    return k;
}
int main() {
    int first = total(1);
    std::printf("%d\\n", first + total(2.0));
}
""",
        post="""\
#include <cstdio>
template <class T>
int total(T step) {
    int k = 0;
    for (T i = 0; i < 4; i += step) k += 2;
    if (++loop_ends == 2) stop_with("k", k);
    return k;
}
int main() {
    int first = total(1);
    std::printf("%d\\n", first + total(2.0));
}
""",
        whole=True,
        visits=(6, 2),
        states=(2, 4),
    ),
    "in a recursive function": Rule(
        before="""\
#include <cstdio>
int walk(int n) {
    int k = n;
    for (int i = 1; i < n; i++) k += walk(i);
    return k;
}
int main() {
    std::printf("%d\\n", walk(4));
}
""",
        inside="""\
#include <cstdio>
int walk(int n) {
    int k = n;
    for (int i = 1; i < n; i++) {
        if (++body_visits == 3) stop_with("k", k);
        k += walk(i);
    }
    return k;
}
int main() {
    std::printf("%d\\n", walk(4));
}
""",
        post="""\
#include <cstdio>
int walk(int n) {
    int k = n;
    for (int i = 1; i < n; i++) k += walk(i);
    if (++loop_ends == 2) stop_with("k", k);
    return k;
}
int main() {
    std::printf("%d\\n", walk(4));
}
""",
        whole=True,
        visits=(3, 2),
        states=(2, 1),
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_text_before_and_after(name: str) -> None:
    rule = RULES[name]
    source, loop = rule.read()
    for place, after in zip(PLACES, (rule.inside, rule.post), strict=True):
        written = instrument(source, loop, rule.checkpoint(loop, place), [K], NUMBER)
        counter = "body_visits" if place == "inside" else "loop_ends"
        header = HEADER.format(counter=counter)
        if "\t" in after:
            header = header.replace("    ", "\t")
        assert written.source.decode() == header + rule.text(after)


FEW = ("else on the same line",)


@pytest.mark.parametrize(
    "name", [name if name in FEW else pytest.param(name, marks=pytest.mark.slow) for name in RULES]
)
def test_it_stops_where_declared_and_changes_nothing_else(name: str) -> None:
    """Armed it prints the state of that visit; disarmed, what the clean program prints."""
    rule = RULES[name]
    source, loop = rule.read()
    clean = printed(source.code, COMPILERS[0])
    for number, place in enumerate(PLACES):
        checkpoint = rule.checkpoint(loop, place)
        armed = instrument(source, loop, checkpoint, [K], NUMBER)
        state = printed(armed.source, COMPILERS[number % len(COMPILERS)])
        assert state == b'{"k":%d}' % rule.states[number]
        disarmed = disarm(source, loop, checkpoint, [K], NUMBER)
        assert printed(disarmed.source, COMPILERS[-number % len(COMPILERS)]) == clean


def test_disarmed_differs_in_the_visit_alone() -> None:
    source, loop = RULES["braces"].read()
    checkpoint = Checkpoint(loop=loop.offset, place="inside", visit=57)
    armed = instrument(source, loop, checkpoint, [K], NUMBER)
    disarmed = disarm(source, loop, checkpoint, [K], NUMBER)
    assert armed.source.replace(b"== 57)", b"== 0)") == disarmed.source
    assert armed.source != disarmed.source


WINDOWS = """\
#define _GLIBCXX_ASSERTIONS
#pragma GCC optimize("O2")
#include <cstdio>
int main() {
  int k = 0;
  while (k < 3)
    k++;
  std::printf("%d", k);
}
""".replace("\n", "\r\n")


def test_line_ends_and_what_must_come_first_stay() -> None:
    """A byte-order mark stays first, settings of the library come before its headers."""
    source = read(BOM + WINDOWS.encode())
    (loop,) = find_loops(source)
    checkpoint = Checkpoint(loop=loop.offset, place="inside", visit=2)
    text = instrument(source, loop, checkpoint, [K], NUMBER).source
    header = HEADER.format(counter="body_visits").replace("\n", "\r\n")
    settings, rest = WINDOWS.split('#pragma GCC optimize("O2")\r\n')
    assert text.decode("utf-8-sig") == settings + '#pragma GCC optimize("O2")\r\n' + header + (
        rest.replace(
            "(k < 3)\r\n    k++;\r\n",
            '(k < 3) {\r\n    if (++body_visits == 2) stop_with("k", k);\r\n    k++;\r\n  }\r\n',
        )
    )
    assert text.startswith(BOM)
    assert printed(text, COMPILERS[0]) == b'{"k":1}'


@pytest.mark.parametrize(
    "settings",
    [
        "#define _FILE_OFFSET_BITS \\\n    64\n",
        "// one \\ \n#include two\n#define _GNU_SOURCE  // /* set\n",
        "#define _GNU_SOURCE /* 1 */ 1\n",
    ],
)
def test_settings_of_the_library_end_where_their_last_line_does(settings: str) -> None:
    source = read(settings + FRAME.format(body="    while (k < 3) k++;\n"))
    checkpoint = Checkpoint(loop=find_loops(source)[0].offset, place="post", visit=1)
    text = instrument(source, find_loops(source)[0], checkpoint, [K], NUMBER).source.decode()
    assert text.startswith(settings + HEADER.format(counter="loop_ends"))


def test_a_comment_that_begins_after_a_setting_is_left_whole() -> None:
    source = read("#define _GNU_SOURCE /* for\n */\n" + FRAME.format(body="    while (k) k--;\n"))
    checkpoint = Checkpoint(loop=find_loops(source)[0].offset, place="post", visit=1)
    text = instrument(source, find_loops(source)[0], checkpoint, [K], NUMBER).source.decode()
    assert text.startswith(HEADER.format(counter="loop_ends"))


@pytest.mark.parametrize(
    ("macro", "uses", "counter"),
    [
        ("#define CAT(a, b) a##b", "CAT(body_, visits)", "body_visits_2"),
        ("#define CAT(a, b, c) a##b##c", "CAT(bo, dy_vis, its)", "body_visits_2"),
        ("#define VISITS(of) of##_visits", "VISITS(body)", "body_visits_2"),
        ("#define CAT(a, b) a##b", "CAT(body, ends)", "body_visits"),
        ("#define BOTH(a, b) a, b", "BOTH(body_, visits)", "body_visits"),
    ],
)
def test_names_are_not_those_that_macros_paste(macro: str, uses: str, counter: str) -> None:
    body = f"    int {uses} = 0;\n    while (k < 3) k++;\n"
    source = read(f"{macro}\n" + FRAME.format(body=body))
    (loop,) = find_loops(source)
    checkpoint = Checkpoint(loop=loop.offset, place="inside", visit=2)
    text = instrument(source, loop, checkpoint, [K], NUMBER).source.decode()
    assert f"static long long {counter} = 0;" in text
    assert f"if (++{counter} == 2)" in text


HIDDEN_STD = """\
#include <cstdio>
namespace shop {
namespace std {}
struct Item { int price; } item;
}
int main() {
    while (shop::item.price < 3) shop::item.price++;
    shop::Item item = shop::item;
    for (int i = 0; i < 2; i++) item.price += i;
    std::printf("%d", item.price);
}
"""


@pytest.mark.parametrize("compiler", [pytest.param(c, marks=pytest.mark.slow) for c in COMPILERS])
def test_a_struct_prints_itself_beside_another_std(compiler: str) -> None:
    text = _written_hidden_std()
    assert printed(text, compiler) == b'{"item":{"price":4}}'


def test_no_std_is_written_beside_another() -> None:
    """A namespace of the program's own, called `std`, would be taken for the library's."""
    assert "auto to_json(const Item& shown) {" in _written_hidden_std().decode()


def _written_hidden_std() -> bytes:
    source = read(HIDDEN_STD)
    loop = find_loops(source)[1]
    checkpoint = Checkpoint(loop=loop.offset, place="post", visit=1)
    item = Field(name="item", expression="item")
    return instrument(source, loop, checkpoint, [item], NUMBER | {"struct shop::Item"}).source


@pytest.mark.slow
@pytest.mark.parametrize("compiler", COMPILERS)
def test_truth_values_are_printed_as_such_from_whatever_holds_them(compiler: str) -> None:
    """The elements of a `vector<bool>` are no `bool`, so neither is the top of a stack on it."""
    held = {
        "std::vector<bool> a{true, false}": [True, False],
        "std::stack<bool, std::vector<bool>> b({true, false})": [False, True],
        "std::queue<bool> c({true, false})": [True, False],
        "std::priority_queue<bool> d({}, {false, true})": [True, False],
        "bool e[2] = {true, false}": [True, False],
    }
    declared = "".join(f"    {each};\n" for each in held)
    source = read(
        "#include <bits/stdc++.h>\n" + FRAME.format(body=declared + "    do k++; while (0);\n")
    )
    (loop,) = find_loops(source)
    shown = {name: describe(loop.names[name].type) for name in "abcde"}
    fields = [Field(name=name, expression=name) for name in shown]
    used = frozenset[str]().union(*map(needs, shown.values()))
    checkpoint = Checkpoint(loop=loop.offset, place="post", visit=1)
    text = instrument(source, loop, checkpoint, fields, used).source
    assert json.loads(printed(text, compiler)) == dict(zip("abcde", held.values(), strict=True))


TAKEN = """\
// stop_with, and json_fields_2
#include <cstdio>
#define to_json body_visits
namespace shop {
\tstruct Item { int shown, price; } item;

\tstruct Box { Item item; } box;
\tint sold() {
\t\tfor (int i = 0; i < 3; i++) item.price += i, box.item = item;
\t\treturn item.price;
\t}
}
int main() { std::printf("%d", shop::sold()); }
"""


def test_names_are_free_and_structs_print_themselves() -> None:
    """No name of the program is used; an overload follows each struct that a field needs."""
    source = read(TAKEN)
    (loop,) = find_loops(source)
    fields = [Field(name=name, expression=name) for name in ("item", "box")]
    used = NUMBER | {"struct shop::Item", "struct shop::Box"}
    checkpoint = Checkpoint(loop=loop.offset, place="post", visit=1)
    text = instrument(source, loop, checkpoint, fields, used).source
    after = """\
\tstruct Item { int shown, price; } item;

\tstd::string to_json_2(const Item& shown_2) {
\t\treturn "{" + json_fields("shown", shown_2.shown, "price", shown_2.price) + "}";
\t}

\tstruct Box { Item item; } box;

\tstd::string to_json_2(const Box& shown_2) {
\t\treturn "{" + json_fields("item", shown_2.item) + "}";
\t}

\tint sold() {
"""
    assert after in text.decode()
    assert 'if (++loop_ends == 1) stop_with_2("item", item, "box", box);' in text.decode()
    item = {"shown": 0, "price": 3}
    assert json.loads(printed(text, COMPILERS[0])) == {"item": item, "box": {"item": item}}


def test_a_loop_that_cannot_be_edited_is_refused() -> None:
    source, loop = RULES["braces"].read()
    checkpoint = Checkpoint(loop=loop.offset, place="inside", visit=1)
    with pytest.raises(ValueError, match="comes out of a macro"):
        instrument(
            source, replace(loop, uneditable="it comes out of a macro"), checkpoint, [], NUMBER
        )


COUNTED = """\
#include <cstdio>
#define rep(i, n) for (int i = 0; i < (n); ++i)
int first(int n) {
    rep(i, n) if (i * i > 40) return i;
    return 0;
}
int many(int n) {
    int k = 0;
    while (true) {
        if (k > n) break;
        k++;
    }
    {
        for (int i = 0; i < 4; i++) if (i == n) return 1;
    }
    k++;
    switch (n % 3) {
        case 0: for (int i = 0; i < 5; i++) { if (i == 3) break; k++; }
        case 1: k++; break;
        default: do k++; while (k < 9);
    }
    if (n > 2) for (int i = 0; i < 4; i++) k++; else k--;
    for (int i = 0; i < 4; i++) for (int j = 0; j < i; j++) if (j == 2) break; else k += j;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < i; j++) if (j == 2) goto out;
    }
out:
    k++;
    for (int i = 0; i < 4; i++) { if (i == 2) continue; k++; }
    return k;
}
template <class T> T total(T x) {
    T sum = 0;
    for (int i = 0; i < 5; i++) { if (sum > 100) return sum; sum += x; }
    return sum;
}
void last(int n) {
    for (int i = 0; i < n; i++) { if (i == 3) return; }
}
int main() {
    int sum = 0, few[] = {1, 2, 3};
    for (int x : few) sum += x;
    auto down = [&](int k) { while (k--) sum++; };
    down(4), last(10);
    std::printf("%d %d %d %d %f %d", first(3), first(30), many(5), total(4), total(2.5), sum);
    for (int i = 0; i < 3; i++) { if (i == 5) return 1; }
}
"""


@pytest.mark.slow
def test_what_is_inserted_adds_no_region_of_the_authors(tmp_path: Path) -> None:
    """Without the regions that begin in what was inserted, a disarmed text counts as the clean.

    Clang begins regions at braces, after an `if` that never comes back, and after a loop that may
    be left by `return`, `break` or `goto`.
    """
    source = read(COUNTED)
    with Sandbox() as sandbox:
        runtime = runtime_with(sandbox, tmp_path)

        def length(shown: Instrumented) -> int | None:
            program = Program(language="cpp", source=shown.source)
            counted = runtime.count(program, b"", HERE, ignoring=shown.inserted)
            assert counted.outcome.clean, counted.outcome
            return counted.trace_length

        clean = length(Instrumented(source=source.code))
        field = [Field(name="k", expression="1")]
        loops = find_loops(source)
        for loop in loops:
            for place in PLACES:
                checkpoint = Checkpoint(loop=loop.offset, place=place, visit=1)
                assert length(disarm(source, loop, checkpoint, field, NUMBER)) == clean, loop
        checkpoint = Checkpoint(loop=loops[-1].offset, place="inside", visit=2)
        armed = length(instrument(source, loops[-1], checkpoint, field, NUMBER))
        assert clean is not None and armed is not None
        assert 0 < armed < clean
