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
        ("import os.path\nk = os.getcwd()", "depends_on_its_surroundings"),
        ("from os import *\nk = getpid()", "depends_on_its_surroundings"),
        ("from os.path import abspath", "depends_on_its_surroundings"),
        ("import os\no = os\nk = o.getpid()", "depends_on_its_surroundings"),
        ("k = __import__('time').time()", "reads_the_clock"),
        ("import os\nk = getattr(os, 'getpid')()", "depends_on_its_surroundings"),
        ("import os\nk = getattr(os, 'get' + 'pid')()", "computes_the_names_of_what_it_uses"),
        ("import os\nk = vars(os)", "computes_the_names_of_what_it_uses"),
        ("import os\nk = os.__dict__", "computes_the_names_of_what_it_uses"),
        ("k = __import__('o' + 's')", "computes_the_names_of_what_it_uses"),
        ("k = open('/bin/sh', 'rb').read()", "depends_on_its_surroundings"),
        ("k = open(f'/proc/{1}/stat').read()", "depends_on_its_surroundings"),
        ("import os\nos.fork()", "reaches_for_other_processes"),
        ("from multiprocessing import Pool", "reaches_for_other_processes"),
        ("import socket as s\ns.socket()", "uses_the_network"),
        ("import ctypes\nctypes.CDLL(None)", "reaches_into_its_interpreter"),
        ("import gc\ngc.get_objects()", "reaches_into_its_interpreter"),
        ("def f(e): return e.__traceback__.tb_frame.f_back", "looks_at_its_own_frames"),
        ("import pickle\npickle.loads(b'')", "runs_program_text"),
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
        "import pickle\nk = pickle.loads(pickle.dumps([1], -1))",
        "import socket, multiprocessing, subprocess, ctypes",
        "getattr(k, name)(1); vars(k); k.__dict__; k.kill(); k.fork",
        "k = '/usr/a/../x'.split('/'); box.open('/a')[0:1]",
        "sys = __import__('sys'); k = sys.stdin.readline()",
    ],
)
def test_what_only_looks_like_it_is_not_refused(line: str) -> None:
    """Fast input, deep recursion, and names of the program's own."""
    assert refusal(read_source(f"{line}\n".encode())) is None
