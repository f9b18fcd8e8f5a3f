"""Programs that look at whatever can be seen of the interpreter that runs them."""

from __future__ import annotations

LOOKING = {
    "arguments and flags": """\
import sys
print(sys.argv, sys.orig_argv, sys.flags, sys.path, sys.executable, sys.prefix, sys._xoptions)
print(sys.dont_write_bytecode, sys.warnoptions, sys.meta_path, len(sys.path_hooks))
print(sorted(sys.path_importer_cache), sys.getrecursionlimit(), sys.get_int_max_str_digits())
print(sys.gettrace(), sys.getprofile(), sys.getswitchinterval(), sys.excepthook, sys.displayhook)
print([sys.monitoring.get_tool(i) for i in range(6)], sys.exc_info(), dir(sys))
""",
    "itself": """\
import sys
import __main__
shown = {n: v for n, v in vars(__main__).items() if n not in ("__file__", "__main__")}
print(shown, __name__, list(globals()), vars().keys())
print([name for name in dir(__builtins__)], __loader__, __spec__)
f = sys._getframe()
while f: print(f.f_code.co_name); f = f.f_back
""",
    "environment and folder": """\
import os, sys
print({n: v for n, v in os.environ.items() if os.getcwd() != v}, list(os.environ))
print(os.environ["HOME"] == os.environ["TMPDIR"] == os.getcwd(), sorted(os.listdir()))
print(os.getpid(), os.getppid(), os.getsid(0), os.getpgid(0), os.getuid(), os.getgroups())
print(oct(os.umask(0)), os.nice(0), os.sched_getaffinity(0) != set())
print(os.path.expanduser("~") == os.getcwd(), os.getenv("TZ"), os.getresuid(), os.getresgid())
print(sorted(os.listdir("/proc/self/fd")), os.access("/proc/self/mem", os.R_OK))
import tempfile
print(tempfile.gettempdir() == os.getcwd())
""",
    "streams": """\
import io, os, sys
for s in (sys.stdin, sys.stdout, sys.stderr):
    print(s, s.name, s.mode, s.encoding, s.errors, s.newlines, s.line_buffering, s.write_through)
    print(s.fileno(), s.isatty(), s.readable(), s.writable(), s.seekable(), s.closed, vars(s))
    print(s.buffer.raw, s.buffer.raw.name, s.buffer.raw.mode, s.buffer.raw.closefd, s._CHUNK_SIZE)
print(sys.stdin is sys.__stdin__, sys.stdout is sys.__stdout__, sys.stderr is sys.__stderr__)
print(input(), sys.stdin.readline(), sys.stdin.buffer.read(3), sys.stdin.read())
print("\\udcff\\u20ac", io.text_encoding(None), sys.getfilesystemencoding())
sys.stderr.write("\\udcff half a line"); os.write(2, b" and the rest\\n")
sys.stdout.write("buffered"); os.write(1, b"first\\n")
print(io.open("new.txt", "w").fileno(), file=sys.stderr)
""",
    "modules": """\
import sys
print(sorted(sys.modules), sys.stdlib_module_names >= {"os"})
""",
    "imports": """\
import collections, contextlib, ctypes, decimal, enum, errno, fractions, functools, json, math
import numbers, operator, pickle, random, re, resource, select, signal, statistics, string, struct
import threading, time, types, typing, uuid, warnings, weakref, dataclasses, copy, heapq, datetime
import logging, hashlib, tempfile, asyncio, itertools, array, bisect, traceback, ast, io, inspect
print(isinstance(decimal.Decimal(1), numbers.Number), issubclass(int, numbers.Integral))
print(ctypes.CDLL(None).abs(-3), ctypes.sizeof(ctypes.c_int * 3), ctypes.POINTER(ctypes.c_int))
class Pair(ctypes.Structure): _fields_ = [("a", ctypes.c_int), ("b", ctypes.c_byte)]
print(Pair(1, 2).b, ctypes.sizeof(Pair), ctypes.cast(ctypes.pointer(Pair(7, 1)), ctypes.POINTER(
    ctypes.c_int))[0])
class Colour(enum.Enum): RED = 1
print(Colour.RED, re.findall("a|b", "cab"), json.dumps({"a": [1.5, None]}), struct.pack("<i", 3))
print(pickle.loads(pickle.dumps([collections.Counter("aa"), Colour.RED, re.compile("x")])))
print(signal.SIGINT, signal.getsignal(signal.SIGINT), signal.Signals(9))
print(select.select([], [], [], 0))
print(functools.reduce(operator.add, [1, 2]), functools.lru_cache(len)('ab'), copy.deepcopy([[1]]))
print(typing.get_type_hints(lambda: 0), typing.Optional[int], types.SimpleNamespace(a=1))
@dataclasses.dataclass
class Point: x: int = 0
print(Point(3), isinstance(collections.deque(), collections.abc.MutableSequence))
print(random.Random(5).random(), statistics.mean([1, 2]), fractions.Fraction(1, 3), math.pi)
print(threading.main_thread().name, threading.active_count(), hashlib.sha256(b"a").hexdigest()[:8])
print(resource.getrlimit(resource.RLIMIT_NOFILE), time.tzname, datetime.date(2020, 1, 1))
print(asyncio.run(asyncio.sleep(0, 5)), array.array("i", [1]), inspect.getsource(Point))
print(sorted(sys for sys in __import__("sys").modules if "deskcheck" in sys or "isolation" in sys))
""",
    "chance": """\
import random, os, uuid, secrets, time
print(len({random.random(), os.urandom(8), uuid.uuid4(), secrets.token_hex()}))
""",
    "warnings": """\
import warnings
print(warnings.filters, warnings._onceregistry, warnings.defaultaction)
warnings.warn("said once"); warnings.warn("said once")
warnings.warn("deprecated", DeprecationWarning)
def f():
    warnings.warn("in f", ResourceWarning)
f()
print(__warningregistry__)
""",
    "what the compiler warns of": """\
print("\\d" if 1 is 1 else 0)
assert (1, "always")
""",
    "signals": """\
import signal, os
for n in sorted(signal.valid_signals()):
    print(n, signal.getsignal(n))
print(signal.pthread_sigmask(signal.SIG_BLOCK, []), signal.getitimer(signal.ITIMER_REAL))
print(signal.siginterrupt, signal.set_wakeup_fd(-1))
signal.signal(signal.SIGUSR1, lambda n, f: print("got", n)); signal.raise_signal(signal.SIGUSR1)
signal.signal(signal.SIGALRM, lambda n, f: print("rung"))
signal.setitimer(signal.ITIMER_REAL, 0.01); signal.pause()
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print("interrupted")
print(open("/proc/self/status").read().partition("SigBlk")[2].partition("Cap")[0])
""",
    "interrupted": "import signal\nprint('x')\nsignal.raise_signal(signal.SIGINT)\n",
    "a signal's default": "import os\nprint('x', flush=True)\nos.kill(os.getpid(), 15)\n",
    "depth": """\
import sys
def depth(n):
    try:
        return depth(n + 1)
    except RecursionError:
        return n
print(depth(0))
sys.setrecursionlimit(200)
print(depth(0))
def show(n):
    return show(n + 1)
show(0)
""",
    "time zone and locale": """\
import time, locale, datetime
print(time.tzname, time.timezone, time.localtime(0), locale.setlocale(locale.LC_ALL, None))
print(locale.getlocale(), locale.localeconv()["decimal_point"], locale.getpreferredencoding())
print(datetime.datetime.fromtimestamp(0), time.strftime("%A", time.gmtime(0)))
""",
    "hashes": """\
print(hash("x"), hash(b"y"), hash(1.5), hash((1, "a")), list(set("ab cd ef gh".split())))
import sys
print(sys.hash_info, list({str(i) for i in range(30)}))
""",
    "the collector": """\
import gc
print(gc.isenabled(), gc.get_threshold(), gc.get_count()[1:], gc.garbage, gc.callbacks)
class Node:
    def __del__(self): print("gone")
n = Node(); n.n = n; del n
gc.collect()
""",
    "the end": """\
import atexit, sys, threading, weakref
class Last:
    def __init__(self, name): self.name = name
    def __del__(self, print=print): print("finalized", self.name)
at_module, kept = Last("module"), [Last("list")]
cycle = Last("cycle"); cycle.self = cycle
sys.kept = Last("sys")
import builtins, string
builtins.kept = Last("builtins"); string.kept = Last("a module")
weakref.finalize(at_module, print, "weakly")
atexit.register(print, "first registered"); atexit.register(print, "last registered")
class Local(threading.local): pass
local = Local(); local.x = Last("thread")
def wait():
    import time
    time.sleep(0.05); print("thread done")
threading.Thread(target=wait).start()
def hold():
    x = Last("generator")
    try: yield
    finally: print("closed")
g = hold(); next(g)
print("body done")
sys.exit("a message")
""",
    "an exception at the end": """\
class Odd(Exception):
    def __str__(self): return "odd"
def f(x):
    return g(x)
def g(x):
    try: 1 / x
    except ZeroDivisionError as error: raise Odd("\\udcff") from error
f(0)
""",
    "a closed output": "import os\nprint('lost')\nos.close(1)\n",
    "exit statuses": "import os, sys\nprint(1, flush=True)\nos._exit(77)\n",
    "an exit in a thread": """\
import threading, sys
threading.excepthook = lambda a: print("hook", a.exc_type)
t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join()
sys.excepthook = lambda *a: print("excepthook", a[0])
raise ValueError
""",
    "another coding": """\
# -*- coding: latin-1 -*-
import sys
print("\xe9", len(sys.modules), "encodings.latin_1" in sys.modules)
""",
    "the same name again": """\
print(id(object()) == id(object()), [] is [], () is (), "ab" is "a" "b")
""",
}
