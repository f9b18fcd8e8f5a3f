"""Programs that are refused on sight: what they use cannot be measured or shown soundly."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from deskcheck.builder.names import binds
from deskcheck.builder.syntax import Source

TEXT = "runs program text"
PLACE = "asks where its source lies"
LOADED = "asks how it was loaded"
OWN_SOURCE = "reads its own source"
PRINTS_LINES = "prints line numbers"
TRACES = "traces itself"
FRAMES = "looks at its own frames"
LINES = "depends on line numbers"
CLOCK = "reads the clock"
SURROUNDINGS = "depends on its surroundings"

_VARIABLES = {
    "exec": TEXT,
    "eval": TEXT,
    "__file__": PLACE,
    "__loader__": LOADED,
    "__spec__": LOADED,
}
_CALLS = {"compile": TEXT, "id": SURROUNDINGS}

_ANYWHERE = {
    "settrace": TRACES,
    "setprofile": TRACES,
    "monitoring": TRACES,
    "_getframe": FRAMES,
    "currentframe": FRAMES,
    "getframeinfo": FRAMES,
    "f_lineno": LINES,
    "tb_lineno": LINES,
    "co_firstlineno": LINES,
    "getsource": OWN_SOURCE,
    "getsourcelines": OWN_SOURCE,
    "print_exc": PRINTS_LINES,
    "format_exc": PRINTS_LINES,
}
"""Attributes that tell by their name alone."""

_OF_MODULES: Mapping[str, Mapping[str, str]] = {
    "time": dict.fromkeys(
        (
            *("time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns"),
            *("process_time", "process_time_ns", "thread_time", "clock_gettime"),
            *("localtime", "gmtime", "ctime", "strftime"),
        ),
        CLOCK,
    ),
    "datetime": dict.fromkeys(("now", "utcnow", "today"), CLOCK),
    "os": dict.fromkeys(
        (
            *("getpid", "getppid", "getcwd", "getcwdb", "environ", "getenv", "cpu_count", "uname"),
            *("sched_getaffinity", "listdir", "scandir", "getlogin", "urandom", "getrandom"),
            *("getuid", "geteuid", "getgid", "getegid", "isatty", "get_terminal_size"),
            *("lseek", "ftruncate", "st_mode", "st_ino", "st_mtime", "st_dev"),
        ),
        SURROUNDINGS,
    ),
    "sys": dict.fromkeys(
        ("argv", "executable", "flags", "path", "getrefcount", "getrecursionlimit"), SURROUNDINGS
    ),
    "threading": dict.fromkeys(("native_id", "get_native_id", "get_ident", "ident"), SURROUNDINGS),
    "random": {"SystemRandom": SURROUNDINGS},
    "gc": {"get_count": SURROUNDINGS, "get_stats": SURROUNDINGS},
    **{name: {"*": SURROUNDINGS} for name in ("platform", "resource", "secrets", "uuid")},
}
"""What of a module tells of the machine or the moment; `*` is any use of it."""


def refusal(source: Source) -> tuple[str, str] | None:
    """The first use that rules the program out, as (reason, detail), or None."""
    modules = _imported(source)
    bound = {name for node in source.walk(source.module) for name in binds(node)}
    for node in source.walk(source.module):
        if isinstance(node, cst.SimpleString):
            why = SURROUNDINGS if _names_a_device(node.raw_value) else None
        else:
            why = _why(source, node, modules, bound) if isinstance(node, cst.Name) else None
        if why is not None:
            assert isinstance(node, cst.Name | cst.SimpleString)
            line = source.line(source.start(node))
            return why.replace(" ", "_"), f"line {line}: `{node.value}` {why}"
    return None


def _names_a_device(text: str) -> bool:
    return text.startswith(("/dev/", "/proc/", "/sys/", "/etc/"))


def _why(source: Source, node: cst.Name, modules: Mapping[str, str], bound: set[str]) -> str | None:
    above = source.parents.get(node)
    if isinstance(above, cst.Attribute) and above.attr is node:
        told = _OF_MODULES.get(modules.get(_leftmost(above), ""), {})
        return _ANYWHERE.get(node.value) or told.get(node.value) or told.get("*")
    if isinstance(above, cst.ImportAlias):
        statement = source.parents.get(above)
        if isinstance(statement, cst.ImportFrom) and isinstance(statement.module, cst.Name):
            told = _OF_MODULES.get(statement.module.value, {})
            return _ANYWHERE.get(node.value) or told.get(node.value) or told.get("*")
        return _ANYWHERE.get(node.value)
    if isinstance(above, cst.Call) and above.func is node and node.value not in bound:
        return _CALLS.get(node.value) or _VARIABLES.get(node.value)
    return _VARIABLES.get(node.value)


def _imported(source: Source) -> Mapping[str, str]:
    """The name by which each module of `_OF_MODULES` is known, or a class of `datetime`."""
    known: dict[str, str] = {}
    for node in source.walk(source.module):
        if not isinstance(node, cst.ImportAlias):
            continue
        statement = source.parents.get(node)
        name = node.evaluated_name
        alias = node.evaluated_alias or name
        if isinstance(statement, cst.Import) and name in _OF_MODULES:
            known[alias] = name
        elif isinstance(statement, cst.ImportFrom) and isinstance(statement.module, cst.Name):
            if statement.module.value == "datetime":
                known[alias] = "datetime"
            elif statement.module.value in _OF_MODULES and name.endswith("thread"):
                known[alias] = statement.module.value
    return known


def _leftmost(node: cst.BaseExpression) -> str:
    """`os` of `os.fstat(0).st_mode`."""
    while not isinstance(node, cst.Name):
        if isinstance(node, cst.Attribute | cst.Subscript):
            node = node.value
        elif isinstance(node, cst.Call):
            node = node.func
        else:
            return ""
    return node.value


def handles_order(source: Source) -> bool:
    """True where an order may follow from hashes: sets, `hash`, and methods of key views."""
    return any(
        isinstance(node, cst.Set | cst.SetComp)
        or (isinstance(node, cst.Name) and node.value in ("set", "frozenset", "hash", "keys"))
        for node in source.walk(source.module)
    )
