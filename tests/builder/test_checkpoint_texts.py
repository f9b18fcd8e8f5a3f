"""What a checkpoint looks like in a program: each rule with the text before and after it.

`<header>` stands for the lines at the top, written out in the first cases.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from deskcheck.builder.instrument.python import disarm, instrument
from deskcheck.builder.loops import find_loops
from deskcheck.builder.syntax import BOM, read_source
from deskcheck.oracles.checkpoints import Checkpoint, Field, Place

HEADER = """\
from itertools import count as visit_count
from json import dumps as state_json
from os import _exit as stop_here
from os import write as write_bytes

body_visits = visit_count(1)


def stop_with(**state):
    write_bytes(1, state_json(state, separators=(",", ":")).encode())
    stop_here(0)


"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """`visit` is 5 in all of them."""

    before: str
    after: str
    place: Place = "inside"
    loop: int = 0
    fields: tuple[tuple[str, str], ...] = (("total", "total"),)
    builtins: frozenset[str] = frozenset()
    unit: str = "    "


SORTED = (("seen", "sorted(seen)"),)

RULES = {
    "plain for, inside": Rule(
        before="""\
total = 0
for i in range(9):
    total += i
print(total)
""",
        after="""\
from itertools import count as visit_count
from json import dumps as state_json
from os import _exit as stop_here
from os import write as write_bytes

body_visits = visit_count(1)


def stop_with(**state):
    write_bytes(1, state_json(state, separators=(",", ":")).encode())
    stop_here(0)


total = 0
for i in range(9):
    if next(body_visits) == 5:
        stop_with(total=total)
    total += i
print(total)
""",
    ),
    "plain for, post": Rule(
        place="post",
        before="""\
total = 0
for i in range(9):
    total += i
print(total)
""",
        after="""\
from itertools import count as visit_count
from json import dumps as state_json
from os import _exit as stop_here
from os import write as write_bytes

loop_ends = visit_count(1)


def stop_with(**state):
    write_bytes(1, state_json(state, separators=(",", ":")).encode())
    stop_here(0)


total = 0
for i in range(9):
    total += i
if next(loop_ends) == 5:
    stop_with(total=total)
print(total)
""",
    ),
    "one-line body": Rule(
        before="""\
total = 0
while total < 9: total += 1; total *= 2  # why
""",
        after="""\
<header>
total = 0
while total < 9:
    if next(body_visits) == 5:
        stop_with(total=total)
    total += 1; total *= 2  # why
""",
    ),
    "one-line body, no blank after the colon": Rule(
        before="""\
for total in range(9):pass
""",
        after="""\
<header>
for total in range(9):
    if next(body_visits) == 5:
        stop_with(total=total)
    pass
""",
    ),
    "one-line body with an else, post": Rule(
        place="post",
        before="""\
for total in range(9): pass
else: total = 70
print(total)
""",
        after="""\
<header>
for total in range(9): pass
else: total = 70
if next(loop_ends) == 5:
    stop_with(total=total)
print(total)
""",
    ),
    "tabs": Rule(
        unit="\t",
        before="""\
def f(n):
\ttotal = 0
\tfor i in range(n):
\t\ttotal += i
\treturn total
print(f(9))
""",
        after="""\
<header>
def f(n):
\ttotal = 0
\tfor i in range(n):
\t\tif next(body_visits) == 5:
\t\t\tstop_with(total=total)
\t\ttotal += i
\treturn total
print(f(9))
""",
    ),
    "tabs, one-line body": Rule(
        unit="\t",
        before="""\
def f(n):
\ttotal = n
\twhile total < 9:\ttotal += 1
\treturn total
""",
        after="""\
<header>
def f(n):
\ttotal = n
\twhile total < 9:
\t\tif next(body_visits) == 5:
\t\t\tstop_with(total=total)
\t\ttotal += 1
\treturn total
""",
    ),
    "CRLF": Rule(
        before="total = 0\r\nfor i in range(9):\r\n    total += i\r\nprint(total)\r\n",
        after="<header>\r\ntotal = 0\r\nfor i in range(9):\r\n"
        "    if next(body_visits) == 5:\r\n        stop_with(total=total)\r\n"
        "    total += i\r\nprint(total)\r\n",
    ),
    "CRLF, post, one-line body": Rule(
        place="post",
        before="total = 0\r\nfor i in range(9): total += i\r\nprint(total)\r\n",
        after="<header>\r\ntotal = 0\r\nfor i in range(9): total += i\r\n"
        "if next(loop_ends) == 5:\r\n    stop_with(total=total)\r\nprint(total)\r\n",
    ),
    "byte-order mark": Rule(
        before="\ufefftotal = 0\nfor i in range(9):\n    total += i\n",
        after="\ufeff<header>\ntotal = 0\nfor i in range(9):\n"
        "    if next(body_visits) == 5:\n        stop_with(total=total)\n    total += i\n",
    ),
    "no final newline, post": Rule(
        place="post",
        before="total = 0\nfor i in range(9):\n    total += i",
        after="<header>\ntotal = 0\nfor i in range(9):\n    total += i\n"
        "if next(loop_ends) == 5:\n    stop_with(total=total)",
    ),
    "no final newline, one-line body with a comment, post": Rule(
        place="post",
        before="total = 0\nfor i in range(9): total += i  # the end",
        after="<header>\ntotal = 0\nfor i in range(9): total += i  # the end\n"
        "if next(loop_ends) == 5:\n    stop_with(total=total)",
    ),
    "else, post": Rule(
        place="post",
        before="""\
total = 0
for i in range(9):
    total += i
else:
    if total:
        total = -total
    elif i:
        total = 1
print(total)
""",
        after="""\
<header>
total = 0
for i in range(9):
    total += i
else:
    if total:
        total = -total
    elif i:
        total = 1
if next(loop_ends) == 5:
    stop_with(total=total)
print(total)
""",
    ),
    "try, finally and a comment end the body, post": Rule(
        place="post",
        before="""\
total = 0
while total < 9:
    try:
        total += 1
    except ValueError:
        raise
    finally:
        with open(0):
            total += 2
        # so much for that
    # and for this
print(total)
""",
        after="""\
<header>
total = 0
while total < 9:
    try:
        total += 1
    except ValueError:
        raise
    finally:
        with open(0):
            total += 2
if next(loop_ends) == 5:
    stop_with(total=total)
        # so much for that
    # and for this
print(total)
""",
    ),
    "decorator first in the body": Rule(
        before="""\
total = 0
for i in range(9):
    # first of all

    @staticmethod
    # really
    def f(value):
        return value
    total += f(i)
""",
        after="""\
<header>
total = 0
for i in range(9):
    # first of all

    if next(body_visits) == 5:
        stop_with(total=total)
    @staticmethod
    # really
    def f(value):
        return value
    total += f(i)
""",
    ),
    "docstring and future imports": Rule(
        before='''\
#!/usr/bin/env python3
"""Adds up.

from itertools import count
"""
from __future__ import annotations
from __future__ import generator_stop

# Now it begins.
import math
total = 0
for i in range(9):
    total += i
''',
        after='''\
#!/usr/bin/env python3
"""Adds up.

from itertools import count
"""
from __future__ import annotations
from __future__ import generator_stop

# Now it begins.
<header>
import math
total = 0
for i in range(9):
    if next(body_visits) == 5:
        stop_with(total=total)
    total += i
''',
    ),
    "decorated definition first in the program": Rule(
        before="""\
@(lambda f: f)
def total():
    pass
for i in range(9):
    i += 1
""",
        after="""\
<header>
@(lambda f: f)
def total():
    pass
for i in range(9):
    if next(body_visits) == 5:
        stop_with(total=total)
    i += 1
""",
    ),
    "rebound next and sorted": Rule(
        fields=SORTED,
        builtins=frozenset({"sorted"}),
        before="""\
def next(value): return value + 1
seen = set()
for sorted in range(9):
    seen.add(next(sorted))
""",
        after="""\
from builtins import next as builtin_next
from builtins import sorted as builtin_sorted
<header>
def next(value): return value + 1
seen = set()
for sorted in range(9):
    if builtin_next(body_visits) == 5:
        stop_with(seen=builtin_sorted(seen))
    seen.add(next(sorted))
""",
    ),
    "a builtin rebound where it is not used": Rule(
        fields=SORTED,
        builtins=frozenset({"sorted"}),
        before="""\
seen = set()
list = len = 3
for i in range(9):
    seen.add(i)
""",
        after="""\
<header>
seen = set()
list = len = 3
for i in range(9):
    if next(body_visits) == 5:
        stop_with(seen=sorted(seen))
    seen.add(i)
""",
    ),
    "star import": Rule(
        fields=SORTED,
        builtins=frozenset({"sorted"}),
        before="""\
from math import *
seen = set()
for i in range(9): seen.add(floor(i / 2))
""",
        after="""\
from builtins import next as builtin_next
from builtins import sorted as builtin_sorted
<header>
from math import *
seen = set()
for i in range(9):
    if builtin_next(body_visits) == 5:
        stop_with(seen=builtin_sorted(seen))
    seen.add(floor(i / 2))
""",
    ),
    "an attribute and a name that only look like the builtin": Rule(
        fields=(("box", "box.sorted(list(box.unsorted(box)))"),),
        builtins=frozenset({"sorted", "list"}),
        before="""\
import box
sorted = list = 2
for i in range(9):
    pass
""",
        after="""\
from builtins import list as builtin_list
from builtins import sorted as builtin_sorted
<header>
import box
sorted = list = 2
for i in range(9):
    if next(body_visits) == 5:
        stop_with(box=box.sorted(builtin_list(box.unsorted(box))))
    pass
""",
    ),
    "names already taken": Rule(
        before="""\
total = body_visits = 0  # not stop_with, and not stop_with_2
for state_json in range(9):
    total += state_json
print("visit_count", body_visits)
""",
        after="""\
from itertools import count as visit_count_2
from json import dumps as state_json_2
from os import _exit as stop_here
from os import write as write_bytes

body_visits_2 = visit_count_2(1)


def stop_with_3(**state):
    write_bytes(1, state_json_2(state, separators=(",", ":")).encode())
    stop_here(0)


total = body_visits = 0  # not stop_with, and not stop_with_2
for state_json in range(9):
    if next(body_visits_2) == 5:
        stop_with_3(total=total)
    total += state_json
print("visit_count", body_visits)
""",
    ),
    "loop as the last statement, post": Rule(
        place="post",
        before="""\
def f(n):
    total = 0
    while total < n:
        total += 1
""",
        after="""\
<header>
def f(n):
    total = 0
    while total < n:
        total += 1
    if next(loop_ends) == 5:
        stop_with(total=total)
""",
    ),
    "nested loop in a nested function": Rule(
        unit="  ",
        loop=1,
        before="""\
def f(n):
  def g(m):
    total = 0
    for i in range(m):
      for j in range(i):
        total += j
      total += 1
    return total
  return g(n)
""",
        after="""\
<header>
def f(n):
  def g(m):
    total = 0
    for i in range(m):
      for j in range(i):
        if next(body_visits) == 5:
          stop_with(total=total)
        total += j
      total += 1
    return total
  return g(n)
""",
    ),
    "nested loop ends the outer body, post of the outer": Rule(
        place="post",
        before="""\
total = 0
for i in range(9):
    for j in range(i):
        total += j
        # the inner one ends
    # the outer one ends
print(total)
""",
        after="""\
<header>
total = 0
for i in range(9):
    for j in range(i):
        total += j
if next(loop_ends) == 5:
    stop_with(total=total)
        # the inner one ends
    # the outer one ends
print(total)
""",
    ),
    "comment after the last statement, post": Rule(
        place="post",
        before="""\
total = 0
for i in range(9):
    total += i  # more
    # enough
# done
print(total)
""",
        after="""\
<header>
total = 0
for i in range(9):
    total += i  # more
if next(loop_ends) == 5:
    stop_with(total=total)
    # enough
# done
print(total)
""",
    ),
    "string over lines ends the body, post": Rule(
        place="post",
        before='''\
total = ""
for i in range(9):
    total += """one
two
"""
print(total)
''',
        after='''\
<header>
total = ""
for i in range(9):
    total += """one
two
"""
if next(loop_ends) == 5:
    stop_with(total=total)
print(total)
''',
    ),
    "method of a class": Rule(
        before="""\
class Solution:
    def run(self, n):
        while n: n -= 1
        return n
""",
        after="""\
<header>
class Solution:
    def run(self, n):
        while n:
            if next(body_visits) == 5:
                stop_with(total=total)
            n -= 1
        return n
""",
    ),
    "if line before, post": Rule(
        place="post",
        before="""\
total = 0
if not total: total = 4
for i in range(9):
    if i: total += 1
else: total += 2
if total: print(total)
""",
        after="""\
<header>
total = 0
if not total: total = 4
for i in range(9):
    if i: total += 1
else: total += 2
if next(loop_ends) == 5:
    stop_with(total=total)
if total: print(total)
""",
    ),
    "semicolon line first": Rule(
        before="""\
import sys; total = 0
for i in range(9):
    total += 1; total += i;
    total += 2
""",
        after="""\
<header>
import sys; total = 0
for i in range(9):
    if next(body_visits) == 5:
        stop_with(total=total)
    total += 1; total += i;
    total += 2
""",
    ),
    "parenthesis and line continuation": Rule(
        before="""\
total = 0
for i in \\
        range(9) \\
        :
    (total
     ) = i
""",
        after="""\
<header>
total = 0
for i in \\
        range(9) \\
        :
    if next(body_visits) == 5:
        stop_with(total=total)
    (total
     ) = i
""",
    ),
    "async for": Rule(
        before="""\
async def f(stream):
    async for total in stream:
        async with total: pass
""",
        after="""\
<header>
async def f(stream):
    async for total in stream:
        if next(body_visits) == 5:
            stop_with(total=total)
        async with total: pass
""",
    ),
    "match ends the body, post": Rule(
        place="post",
        before="""\
for total in range(9):
    match total:
        case 1: pass
        case _:
            total += 1
print(total)
""",
        after="""\
<header>
for total in range(9):
    match total:
        case 1: pass
        case _:
            total += 1
if next(loop_ends) == 5:
    stop_with(total=total)
print(total)
""",
    ),
}


def expected(rule: Rule) -> bytes:
    """The text after, with the header in place and the rule's line ends and indents."""
    newline = "\r\n" if "\r\n" in rule.before else "\n"
    header = HEADER if rule.place == "inside" else HEADER.replace("body_visits", "loop_ends")
    header = header.replace("    ", rule.unit).replace("\n", newline)
    return rule.after.replace(f"<header>{newline}", header).encode()


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_the_text_after_is_the_text_written_here(rule: Rule) -> None:
    """Instrumenting the text before gives the text after, byte for byte."""
    source = read_source(rule.before.encode())
    site = find_loops(source)[rule.loop]
    checkpoint = Checkpoint(loop=site.offset, place=rule.place, visit=5)
    fields = [Field(name=name, expression=expression) for name, expression in rule.fields]
    text = instrument(source, site, checkpoint, fields, rule.builtins)
    assert text.decode() == expected(rule).decode()
    compile(text, "program.py", "exec", dont_inherit=True)


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_disarmed_is_the_same_text_with_no_visit(rule: Rule) -> None:
    """Only the number of the visit differs, and no visit has the number 0."""
    source = read_source(rule.before.encode())
    site = find_loops(source)[rule.loop]
    checkpoint = Checkpoint(loop=site.offset, place=rule.place, visit=5)
    fields = [Field(name=name, expression=expression) for name, expression in rule.fields]
    text = disarm(source, site, checkpoint, fields, rule.builtins)
    assert text == expected(rule).replace(b") == 5:", b") == 0:")
    assert text.startswith(BOM) == rule.before.startswith("\ufeff")


def test_a_future_import_with_more_on_its_line_stays_first() -> None:
    """The header comes after the line."""
    code = b"from __future__ import annotations; import sys\nfor i in range(9): pass\n"
    source = read_source(code)
    (site,) = find_loops(source)
    checkpoint = Checkpoint(loop=site.offset, place="inside", visit=5)
    text = instrument(source, site, checkpoint, [Field(name="i", expression="i")], frozenset())
    compile(text, "program.py", "exec", dont_inherit=True)
