"""Programs that are refused on sight: what they use cannot be measured or shown soundly.

Some of it would only fail in the sandbox, but a program may catch that and print something else;
then its output would be the sandbox's. Names are followed as far as a program has no reason to
hide them; who hides them is found out by running, or runs as measured.
"""

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
PROCESSES = "reaches for other processes"
NETWORK = "uses the network"
INTERPRETER = "reaches into its interpreter"
COMPUTED = "computes the names of what it uses"

_VARIABLES = {
    "exec": TEXT,
    "eval": TEXT,
    "__file__": PLACE,
    "__loader__": LOADED,
    "__spec__": LOADED,
}
_CALLS = {"compile": TEXT, "id": SURROUNDINGS, "breakpoint": TRACES}

_ANYWHERE = {
    "settrace": TRACES,
    "setprofile": TRACES,
    "settrace_all_threads": TRACES,
    "setprofile_all_threads": TRACES,
    "monitoring": TRACES,
    "_getframe": FRAMES,
    "currentframe": FRAMES,
    "getframeinfo": FRAMES,
    "_current_frames": FRAMES,
    "f_back": FRAMES,
    "f_builtins": FRAMES,
    "f_globals": FRAMES,
    "f_locals": FRAMES,
    "tb_frame": FRAMES,
    "gi_frame": FRAMES,
    "cr_frame": FRAMES,
    "ag_frame": FRAMES,
    "f_lineno": LINES,
    "tb_lineno": LINES,
    "co_firstlineno": LINES,
    "getsource": OWN_SOURCE,
    "getsourcelines": OWN_SOURCE,
    "print_exc": PRINTS_LINES,
    "format_exc": PRINTS_LINES,
    "extract_stack": PRINTS_LINES,
    "extract_tb": PRINTS_LINES,
    "format_stack": PRINTS_LINES,
    "format_tb": PRINTS_LINES,
    "print_stack": PRINTS_LINES,
    "print_tb": PRINTS_LINES,
    "addaudithook": TRACES,
    "ProcessPoolExecutor": PROCESSES,
    "create_subprocess_exec": PROCESSES,
    "create_subprocess_shell": PROCESSES,
    "open_connection": NETWORK,
    "open_unix_connection": NETWORK,
    "urlopen": NETWORK,
    "HTTPConnection": NETWORK,
    "HTTPSConnection": NETWORK,
}
"""Attributes that tell by their name alone."""


def _each(why: str, *names: str) -> dict[str, str]:
    return dict.fromkeys(names, why)


_OS = _each(
    SURROUNDINGS,
    *("getpid", "getppid", "getcwd", "getcwdb", "environ", "getenv", "cpu_count", "uname"),
    *("environb", "getenvb", "getlogin", "urandom", "getrandom", "getloadavg", "sysconf"),
    *("listdir", "scandir", "walk", "fwalk", "statvfs", "fstatvfs", "ttyname", "umask"),
    *("getuid", "geteuid", "getgid", "getegid", "getgroups", "isatty", "get_terminal_size"),
    *("lseek", "ftruncate", "st_mode", "st_ino", "st_mtime", "st_dev"),
    *("chmod", "fchmod", "lchmod", "chown", "fchown", "lchown", "chroot", "mknod", "utime"),
    *("abspath", "realpath", "expanduser", "expandvars", "memfd_create"),
    *("setxattr", "getxattr", "listxattr", "removexattr", "openpty"),
) | _each(
    PROCESSES,
    *("fork", "forkpty", "kill", "killpg", "system", "popen", "posix_spawn", "posix_spawnp"),
    *("execl", "execle", "execlp", "execlpe", "execv", "execve", "execvp", "execvpe"),
    *("spawnl", "spawnle", "spawnlp", "spawnlpe", "spawnv", "spawnve", "spawnvp", "spawnvpe"),
    *("wait", "wait3", "wait4", "waitid", "waitpid", "pidfd_open", "register_at_fork"),
    *("setsid", "getsid", "setpgid", "getpgid", "setpgrp", "getpgrp", "nice"),
    *("getpriority", "setpriority", "sched_getaffinity", "sched_setaffinity"),
    *("sched_setscheduler", "sched_setparam", "setuid", "setgid", "setresuid", "setresgid"),
)
_OS["sched_getaffinity"] = SURROUNDINGS
_OS["times"] = CLOCK

_OF_MODULES: Mapping[str, Mapping[str, str]] = {
    "time": _each(
        CLOCK,
        *("time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns"),
        *("process_time", "process_time_ns", "thread_time", "thread_time_ns"),
        *("clock_gettime", "clock_gettime_ns"),
        *("localtime", "gmtime", "ctime", "strftime"),
    ),
    "datetime": _each(CLOCK, "now", "utcnow", "today"),
    "signal": _each(CLOCK, "alarm", "setitimer", "sigtimedwait")
    | _each(PROCESSES, "pidfd_send_signal", "pthread_kill"),
    "os": _OS,
    "posix": _OS,
    "sys": _each(
        SURROUNDINGS,
        *("argv", "orig_argv", "executable", "flags", "path", "getrefcount"),
        *("getrecursionlimit", "getallocatedblocks", "_debugmallocstats"),
        # of the standard streams, which may be pipes elsewhere
        *("isatty", "seek", "seekable", "tell", "truncate"),
    ),
    "pathlib": _each(
        SURROUNDINGS, "cwd", "home", "absolute", "resolve", "expanduser", "iterdir", "chmod"
    ),
    "threading": _each(SURROUNDINGS, "native_id", "get_native_id", "get_ident", "ident"),
    "random": {"SystemRandom": SURROUNDINGS},
    "tempfile": _each(SURROUNDINGS, "gettempdir", "gettempdirb", "mktemp"),
    "gc": _each(SURROUNDINGS, "get_count", "get_stats", "get_freeze_count")
    | _each(INTERPRETER, "get_objects", "get_referrers", "get_referents", "unfreeze"),
    "pickle": _each(TEXT, "load", "loads", "Unpickler"),
    "marshal": _each(TEXT, "load", "loads"),
    "inspect": _each(FRAMES, "stack", "trace", "getouterframes", "getinnerframes"),
    **{
        name: {"*": why}
        for why, names in {
            SURROUNDINGS: (
                *("platform", "resource", "secrets", "uuid", "pwd", "grp", "getpass", "fcntl"),
                *("termios", "tty", "tracemalloc", "sysconfig", "site"),
            ),
            PROCESSES: ("subprocess", "multiprocessing", "_posixsubprocess", "_posixshmem", "pty"),
            NETWORK: ("socket", "_socket", "ssl", "socketserver", "ftplib", "smtplib"),
            INTERPRETER: ("ctypes", "_ctypes", "_testcapi", "_testinternalcapi"),
            TRACES: ("cProfile", "profile", "trace", "bdb", "pdb"),
            TEXT: ("runpy", "code"),
            CLOCK: ("timeit",),
        }.items()
        for name in names
    },
}
"""What of a module tells of the machine or the moment; `*` is any use of it."""

_IMPORTERS = ("__import__", "import_module")
_CLASSES_OF = ("datetime", "pathlib")
"""Modules whose classes tell as they do."""


def refusal(source: Source) -> tuple[str, str] | None:
    """The first use that rules the program out, as (reason, detail), or None."""
    uses = _Uses(source)
    for node in source.walk(source.module):
        found = uses.why(node)
        if found is not None:
            why, word = found
            line = source.line(source.start(node))
            return why.replace(" ", "_"), f"line {line}: `{word}` {why}"
    return None


class _Uses:
    """What the names of one program stand for, and which uses of them rule it out."""

    def __init__(self, source: Source) -> None:
        self._parents = source.parents
        self._bound = {name for node in source.walk(source.module) for name in binds(node)}
        self._modules: dict[str, str] = {}
        self._starred: dict[str, str] = {}
        for node in source.walk(source.module):
            if isinstance(node, cst.Import | cst.ImportFrom):
                self._import(node)
            elif isinstance(node, cst.Assign):
                self._assign(node)

    def why(self, node: cst.CSTNode) -> tuple[str, str] | None:
        """Why this node rules the program out, and the word that tells."""
        why: str | None = None
        word = ""
        if isinstance(node, cst.SimpleString):
            word = node.value
            opened = node.raw_value.startswith("/") and self._is_opened(node)
            why = SURROUNDINGS if opened or _is_device(node.raw_value) else None
        elif isinstance(node, cst.FormattedStringText):
            word = node.value
            why = SURROUNDINGS if _is_device(node.value) else None
        elif isinstance(node, cst.Call):
            word = _last_name(node)
            why = self._of_call(node, word)
        elif isinstance(node, cst.Name):
            word = node.value
            why = self._of_name(node, word)
        return None if why is None else (why, word)

    def _of_call(self, call: cst.Call, name: str) -> str | None:
        """Modules and attributes whose names are text, which may be known only as it runs."""
        given = [arg.value for arg in call.args]
        if name in _IMPORTERS and given:
            return None if isinstance(given[0], cst.SimpleString) else COMPUTED
        if name not in ("getattr", "vars") or not given:
            return None
        module = self._module(given[0])
        if len(given) > 1 and isinstance(given[1], cst.SimpleString):
            return _told(module, str(given[1].evaluated_value))
        return COMPUTED if module in _OF_MODULES and isinstance(given[0], cst.Name) else None

    def _of_name(self, node: cst.Name, name: str) -> str | None:
        above = self._parents.get(node)
        if isinstance(above, cst.Attribute) and above.attr is node:
            module = self._module(above.value)
            if module == "pickle" and self._copies(above):
                return None
            if name == "__dict__" and module in _OF_MODULES and isinstance(above.value, cst.Name):
                return COMPUTED
            return _told(module, name)
        if isinstance(above, cst.ImportAlias):
            statement = self._parents.get(above)
            return _told(_from(statement), name)
        if isinstance(above, cst.Call) and above.func is node and name not in self._bound:
            return _CALLS.get(name) or _VARIABLES.get(name) or self._starred.get(name)
        return _VARIABLES.get(name)

    def _copies(self, loads: cst.Attribute) -> bool:
        """Whether this is `pickle.loads(pickle.dumps(...))`, a way to copy."""
        call = self._parents.get(loads)
        given = call.args[0].value if isinstance(call, cst.Call) and call.args else None
        return isinstance(given, cst.Call) and _last_name(given) == "dumps"

    def _is_opened(self, node: cst.SimpleString) -> bool:
        above = self._parents.get(node)
        call = self._parents.get(above) if isinstance(above, cst.Arg) else None
        if not isinstance(call, cst.Call) or _last_name(call) != "open":
            return False
        if isinstance(call.func, cst.Attribute):
            return self._module(call.func.value) in ("os", "io", "codecs")
        return "open" not in self._bound

    def _import(self, statement: cst.Import | cst.ImportFrom) -> None:
        module = _from(statement)
        if isinstance(statement.names, cst.ImportStar):
            self._starred |= _OF_MODULES.get(module, {})
            return
        for alias in statement.names:
            name = alias.evaluated_name
            known = alias.evaluated_alias or name
            if isinstance(statement, cst.Import):
                if alias.evaluated_alias is None:
                    known = name = name.partition(".")[0]  # `import os.path` makes `os` known
                self._modules[known] = name
            elif module in _CLASSES_OF or name == "path" or name.endswith("thread"):
                self._modules[known] = module  # `datetime`, `os.path`, `current_thread`

    def _assign(self, node: cst.Assign) -> None:
        """Another name for a module: `o = os`, `o = __import__("os")`."""
        if isinstance(node.value, cst.Name) or _imports(node.value):
            module = self._module(node.value)
            for target in node.targets:
                if module and isinstance(target.target, cst.Name):
                    self._modules[target.target.value] = module

    def _module(self, node: cst.BaseExpression) -> str:
        """`os` of `os.fstat(0).st_mode`, by whatever name it is known; "" of other values."""
        while not isinstance(node, cst.Name):
            if isinstance(node, cst.Attribute | cst.Subscript):
                node = node.value
            elif isinstance(node, cst.Call):
                if _imports(node):
                    named = node.args[0].value
                    return str(named.evaluated_value) if isinstance(named, cst.SimpleString) else ""
                node = node.func
            else:
                return ""
        return self._modules.get(node.value, "")


def _told(module: str, name: str) -> str | None:
    told = _OF_MODULES.get(module, {})
    return _ANYWHERE.get(name) or told.get(name) or told.get("*")


def _is_device(text: str) -> bool:
    return text.startswith(("/dev/", "/proc/", "/sys/", "/etc/"))


def _from(statement: cst.CSTNode | None) -> str:
    """`os` of `from os.path import join`."""
    module = statement.module if isinstance(statement, cst.ImportFrom) else None
    while isinstance(module, cst.Attribute):
        module = module.value if isinstance(module.value, cst.Attribute | cst.Name) else None
    return module.value if isinstance(module, cst.Name) else ""


def _imports(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and _last_name(node) in _IMPORTERS and bool(node.args)


def _last_name(call: cst.Call) -> str:
    """`open` of `open(...)` and of `os.open(...)`."""
    called = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
    return called.value if isinstance(called, cst.Name) else ""


def handles_order(source: Source) -> bool:
    """True where an order may follow from hashes: sets, `hash`, and methods of key views."""
    return any(
        isinstance(node, cst.Set | cst.SetComp)
        or (isinstance(node, cst.Name) and node.value in ("set", "frozenset", "hash", "keys"))
        for node in source.walk(source.module)
    )
