"""Programs that cannot be measured or shown soundly are refused on sight, and no others."""

from __future__ import annotations

import pytest

from deskcheck.builder.refusals import refusal
from deskcheck.builder.syntax import read_source

REFUSED = {
    "exec": ("exec('x = 1')", "runs_program_text"),
    "eval by another name": ("run = eval\nrun('1')", "runs_program_text"),
    "compile": ("compile('1', '', 'eval')", "runs_program_text"),
    "its file": ("print(open(__file__).read())", "asks_where_its_source_lies"),
    "its spec": ("print(__spec__)", "asks_how_it_was_loaded"),
    "tracing": ("import sys\nsys.settrace(print)", "traces_itself"),
    "tracing, imported": ("from sys import setprofile as p", "traces_itself"),
    "monitoring": ("import sys\nsys.monitoring.use_tool_id(0, 'x')", "traces_itself"),
    "frames": ("import sys\nsys._getframe().f_locals", "looks_at_its_own_frames"),
    "frames, inspect": ("from inspect import currentframe", "looks_at_its_own_frames"),
    "line numbers": ("def f(e): return e.__traceback__.tb_lineno", "depends_on_line_numbers"),
    "printed traceback": ("import traceback\ntraceback.print_exc()", "prints_line_numbers"),
    "source": ("import inspect\ninspect.getsource(len)", "reads_its_own_source"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_named_with_its_line(name: str) -> None:
    """The reason, the line and the word that is the reason."""
    code, reason = REFUSED[name]
    found = refusal(read_source(code.encode()))
    assert found is not None
    assert found[0] == reason
    line = int(found[1].split(":")[0].removeprefix("line "))
    word = found[1].split("`")[1]
    assert word in code.splitlines()[line - 1]


KEPT = {
    "methods of those names": "model.eval()\nbox.exec(1)\ncursor.compile('x')",
    "regular expressions": "import re\nword = re.compile('a')\nprint(word.match('a'))",
    "text and comments": "# eval(__file__)\nprint('exec sys.settrace')",
    "a function called compile in a method": "class A:\n    def compile(self): return 1",
    "attributes that only end alike": "x.settraces = 1\nx.my_getframe = 2",
}


@pytest.mark.parametrize("name", KEPT)
def test_what_only_looks_alike_is_kept(name: str) -> None:
    """Attributes, text and other names are no reason."""
    assert refusal(read_source(KEPT[name].encode())) is None


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("import os\nk = os.getpid()", "depends_on_its_surroundings"),
        ("from os import environ", "depends_on_its_surroundings"),
        ("import os\nk = os.fstat(0).st_mode", "depends_on_its_surroundings"),
        ("import sys as s\nk = len(s.argv)", "depends_on_its_surroundings"),
        ("import threading\nk = threading.main_thread().ident", "depends_on_its_surroundings"),
        ("k = id(k) % 64", "depends_on_its_surroundings"),
        ("k = open('/dev/stdin').read()", "depends_on_its_surroundings"),
        ("import time\nk = time.time()", "reads_the_clock"),
        ("from time import perf_counter as now", "reads_the_clock"),
        ("from datetime import datetime as d\nk = d.now()", "reads_the_clock"),
    ],
)
def test_what_depends_on_machine_or_moment_is_refused(line: str, reason: str) -> None:
    """However the module or the function is called here."""
    told = refusal(read_source(f"{line}\n".encode()))
    assert told is not None
    assert told[0] == reason


@pytest.mark.parametrize(
    "line",
    [
        "import os, io\nn = os.fstat(0).st_size; b = io.BytesIO(os.read(0, n)); b.truncate(0)",
        "import sys\nsys.setrecursionlimit(10 ** 6); sys.stdin.readline()",
        "import threading\nt = threading.Thread(target=print); t.start(); t.join()",
        "id = 3\nk = id + 1",
        "class Node:\n    def now(self): return self.flags\nNode().now",
        "from datetime import date\nk = date(2020, 2, 29).weekday()",
    ],
)
def test_what_only_looks_like_it_is_not_refused(line: str) -> None:
    """Fast input, deep recursion, and names of the program's own."""
    assert refusal(read_source(f"{line}\n".encode())) is None
