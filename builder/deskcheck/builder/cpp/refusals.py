"""Programs that are refused on sight: what they use cannot be measured or shown soundly.

Only what is compiled of the program's own text counts, with macros expanded: what stands under
`#ifdef LOCAL`, and what system headers use themselves, does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from clang.cindex import Cursor

from deskcheck.builder.cpp.hash_order import HashOrder
from deskcheck.builder.cpp.libraries import is_own, overloads
from deskcheck.builder.cpp.parsing import CppSource
from deskcheck.builder.cpp.tree import FUNCTIONS, Node, identity, kind_of
from deskcheck.builder.refusals import (
    CLOCK,
    FRAMES,
    LINES,
    NETWORK,
    PLACE,
    PROCESSES,
    SURROUNDINGS,
)

FILES = "uses files"
THREADS = "runs several threads"
SIGNALS = "handles signals"
ASSEMBLY = "contains assembly"
ADDRESSES = "shows addresses"
HASH_ORDER = "follows hash order"


def _each(why: str, *names: str) -> dict[str, str]:
    return dict.fromkeys(names, why)


_ANYWHERE: Mapping[str, str] = (
    _each(
        CLOCK,
        *("time", "clock", "gettimeofday", "clock_gettime", "ftime", "timespec_get", "times"),
        *("system_clock", "steady_clock", "high_resolution_clock", "utc_clock", "file_clock"),
        *("localtime", "localtime_r", "sleep", "usleep", "nanosleep", "sleep_for", "sleep_until"),
        *("alarm", "ualarm", "setitimer", "timer_create", "getrusage", "clock_nanosleep"),
        *("__rdtsc", "__rdtscp", "__builtin_ia32_rdtsc", "__builtin_ia32_rdtscp"),
        *("__builtin_readcyclecounter", "_rdtsc"),
    )
    | _each(
        SURROUNDINGS,
        *("random_device", "getrandom", "getentropy", "getenv", "secure_getenv", "environ"),
        *("gethostname", "getpid", "getppid", "gettid", "getuid", "geteuid", "getgid", "getlogin"),
        # numbers that another C library gives otherwise
        *("rand", "rand_r", "random", "drand48", "lrand48", "mrand48", "random_shuffle"),
        *("erand48", "nrand48", "jrand48", "shuffle", "sample", "generate_canonical"),
        *("default_random_engine", "uniform_int_distribution", "uniform_real_distribution"),
        *("bernoulli_distribution", "binomial_distribution", "negative_binomial_distribution"),
        *("geometric_distribution", "poisson_distribution", "exponential_distribution"),
        *("gamma_distribution", "weibull_distribution", "extreme_value_distribution"),
        *("normal_distribution", "lognormal_distribution", "chi_squared_distribution"),
        *("cauchy_distribution", "fisher_f_distribution", "student_t_distribution"),
        *("discrete_distribution", "piecewise_constant_distribution"),
        *("piecewise_linear_distribution",),
        *("getcwd", "get_current_dir_name", "uname", "sysconf", "isatty", "ttyname", "getpagesize"),
        *("hardware_concurrency", "get_nprocs", "sbrk", "malloc_usable_size", "mallinfo"),
        *("mallinfo2", "getrlimit", "ioctl", "fcntl", "sysinfo", "getpwuid", "getauxval"),
        *("__builtin_ia32_rdrand32_step", "__builtin_ia32_rdrand64_step", "arc4random"),
    )
    | _each(
        PROCESSES,
        *("system", "popen", "fork", "vfork", "posix_spawn", "posix_spawnp", "kill", "killpg"),
        *("execl", "execle", "execlp", "execv", "execve", "execvp", "execvpe", "fexecve"),
        *("wait", "waitpid", "waitid", "wait3", "wait4", "ptrace", "prctl", "syscall"),
        *("setpriority", "nice", "sched_setaffinity", "sched_getaffinity", "pipe"),
        *("dlopen", "dlmopen", "dlsym", "dlvsym", "pipe2", "clone"),
    )
    | _each(
        FILES,
        *("fopen", "freopen", "fopen64", "freopen64", "open", "open64", "openat", "creat"),
        *("tmpfile", "tmpnam", "mkstemp", "remove", "rename", "unlink", "opendir", "readdir"),
        *("mkdir", "rmdir", "chdir", "access", "faccessat", "basic_filebuf", "fdopen"),
        *("stat", "lstat", "fstat", "fstatat", "stat64", "lstat64", "fstat64", "fstatat64"),
        *("statx", "statfs", "fstatfs", "statvfs", "fstatvfs", "pathconf", "fpathconf"),
        *("readlink", "readlinkat", "realpath", "canonicalize_file_name", "glob", "glob64"),
        *("scandir", "scandir64", "fdopendir", "readdir64", "readdir_r", "ftw", "nftw"),
        *("fts_open", "truncate", "truncate64", "ftruncate", "ftruncate64", "symlink", "symlinkat"),
        *("link", "linkat", "unlinkat", "renameat", "mkdirat", "mkfifo", "mknod", "chmod", "chown"),
        *("openat64", "creat64", "tmpfile64", "tempnam", "mkostemp", "mkdtemp", "memfd_create"),
        *("shm_open", "select", "pselect", "poll", "ppoll", "epoll_create", "epoll_create1"),
        *("mmap", "mmap64"),
    )
    | _each(
        THREADS,
        *("thread", "jthread", "async", "pthread_create", "thrd_create", "packaged_task"),
        *("this_thread", "get_id", "pthread_self"),
    )
    | _each(
        NETWORK,
        *("socket", "connect", "bind", "listen", "accept", "recv", "send", "gethostbyname"),
        *("getaddrinfo", "socketpair"),
    )
    | _each(SIGNALS, "signal", "sigaction", "sigsetjmp", "sigprocmask", "signalfd", "raise")
    | _each(FRAMES, "backtrace", "backtrace_symbols", "__builtin_return_address", "getcontext")
    | _each(FRAMES, "__builtin_frame_address", "stacktrace", "makecontext", "swapcontext")
    | _each(LINES, "source_location")
)
"""Names of the C and C++ libraries that tell by themselves, whichever header declares them."""

_OF_MACROS: Mapping[str, str] = {
    "__LINE__": LINES,
    "__COUNTER__": LINES,
    "__builtin_LINE": LINES,
    "__builtin_COLUMN": LINES,
    "__builtin_FILE": PLACE,
    "__FILE__": PLACE,
    "__FILE_NAME__": PLACE,
    "__BASE_FILE__": PLACE,
    "__TIME__": CLOCK,
    "__DATE__": CLOCK,
    "__TIMESTAMP__": CLOCK,
}
_STREAMS_OF_FILES = ("basic_ifstream", "basic_ofstream", "basic_fstream")
_DEVICES = re.compile(r'^(?:u8|[uUL])?"/(?:dev|proc|sys|etc)/')
_PRINTS_POINTER = re.compile(r"(?<!%)(?:%%)*%[-+ #0-9.*]*p")
_PRINTERS = frozenset({"printf", "fprintf", "sprintf", "snprintf", "dprintf", "vprintf"})
_LITERALS = frozenset({"INTEGER_LITERAL", "STRING_LITERAL"})
_NAMES = frozenset(
    {"DECL_REF_EXPR", "MEMBER_REF_EXPR", "CALL_EXPR", "TYPE_REF", "TEMPLATE_REF", "NAMESPACE_REF"}
)
_CASTS = frozenset({"CSTYLE_CAST_EXPR", "CXX_REINTERPRET_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR"})
_ASSEMBLY = frozenset({"ASM_STMT", "MS_ASM_STMT", "ASM_LABEL_ATTR"})
_OUTSIDE = frozenset({"TRANSLATION_UNIT", "LINKAGE_SPEC", "NAMESPACE"})
_ASM = ("asm", "__asm", "__asm__")
_OTHER_NAMES = ("weakref", "__weakref__")
_RENAMING = re.compile(r'(?:#[ \t]*pragma[ \t]+|_Pragma[ \t]*\([ \t]*")(redefine_extname|weak)\b')
"""Pragmas that give a function the name of another, as an assembler's label would."""
_MOVED_LINES = re.compile(r"^[ \t]*#[ \t]*(?:line\b|\d)", re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_WORDS = re.compile(r"[^\W\d]\w*")
_TEMPLATES = frozenset(
    {
        *("async", "sleep_for", "sleep_until"),
        *("random_shuffle", "shuffle", "sample", "generate_canonical"),
    }
)
_SMART_POINTER = re.compile(r"^const (?:class )?std::(?:__shared_ptr|shared_ptr|unique_ptr)<")
_INTEGERS = re.compile(r"^(?:unsigned |signed )?(?:int|long|long long|short|char|__int128)$")


def refusal(source: CppSource) -> tuple[str, str] | None:
    """The first use that rules the program out, as (reason, detail), or None."""
    for node, why, word in _Uses(source).found():
        return _named(why), f"line {source.line(node.start)}: `{word}` {why}"
    text = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), source.text)
    for pattern, why in ((_MOVED_LINES, LINES), (_RENAMING, ASSEMBLY)):
        found = pattern.search(text)
        if found is not None:
            line = text.count("\n", 0, found.start()) + 1
            word = found[1] if found.groups() else "#line"
            return _named(why), f"line {line}: `{word}` {why}"
    return None


def _named(why: str) -> str:
    return why.replace(" ", "_")


class _Uses:
    """The uses in one program that rule it out."""

    def __init__(self, source: CppSource) -> None:
        self._source = source
        self._known: dict[int, str | None] = {}
        self._own: dict[int, bool] = {}
        self._order = HashOrder(source)
        self._arguments = _arguments_of_main(source)

    def found(self) -> Iterator[tuple[Node, str, str]]:
        for node in self._source.tree.walk():
            why, word = self._why(node)
            if why:
                yield node, why, word or re.split(r"::| ", node.name)[-1]

    def _why(self, node: Node) -> tuple[str | None, str]:
        why, word = self._of_itself(node)
        if why:
            return why, word
        ordered = self._order.word(node)
        return (HASH_ORDER, ordered) if ordered else (None, "")

    def _of_itself(self, node: Node) -> tuple[str | None, str]:
        if node.kind in _ASSEMBLY or self._is_file_assembly(node):
            return ASSEMBLY, "asm"
        if node.kind == "UNEXPOSED_ATTR" and self._begins(node, *_OTHER_NAMES):
            return ASSEMBLY, "weakref"
        if node.kind == "OVERLOADED_DECL_REF":
            told = (_told(each) for each in overloads(node) if not is_own(each))
            return next(filter(None, told), None), ""
        if node.kind in _LITERALS or (node.kind == "UNEXPOSED_EXPR" and not node.children):
            return self._of_literal(node)
        if node.kind in _CASTS:
            return (ADDRESSES, "cast") if _makes_number_of_address(node) else (None, "")
        if node.kind not in _NAMES:
            return None, ""
        if node.refers_to in self._arguments and node.kind == "DECL_REF_EXPR":
            return SURROUNDINGS, ""
        if node.kind == "CALL_EXPR":
            called = self._of_call(node)
            if called[0]:
                return called
        return self._of_name(node), ""

    def _of_literal(self, node: Node) -> tuple[str | None, str]:
        """Constants that the compiler makes where they stand, and paths of devices."""
        if node.kind == "STRING_LITERAL" and _DEVICES.match(node.name):
            return SURROUNDINGS, node.name.strip('"')
        word = _WORD.match(self._source.code, node.start)
        if word is None:
            return None, ""
        text = word[0].decode("ascii")
        for name, why in _OF_MACROS.items():
            if text == name or (text in self._source.macros and self._uses(text, name)):
                return why, text
        return None, ""

    def _is_file_assembly(self, node: Node) -> bool:
        outside = node.parent is not None and node.parent.kind in _OUTSIDE
        return outside and node.kind == "UNEXPOSED_DECL" and self._begins(node, *_ASM)

    def _begins(self, node: Node, *names: str) -> bool:
        """Whether one of the words is its first, or is what the macro there makes."""
        first = _WORD.match(self._source.code, node.start, node.end)
        if first is None:
            return False
        text = first[0].decode("ascii", "replace")
        return text in names or any(self._uses(text, name) for name in names)

    def _uses(self, macro: str, name: str) -> bool:
        pending, seen = [macro], {macro}
        while pending:
            for word in _WORDS.findall(self._source.macros.get(pending.pop(), "")):
                if word == name:
                    return True
                if word not in seen:
                    seen.add(word)
                    pending.append(word)
        return False

    def _of_name(self, node: Node) -> str | None:
        refers = node.refers_to
        if refers not in self._known:
            target = node.target
            self._known[refers] = None if target is None or is_own(target) else _told(target)
        return self._known[refers]

    def _of_call(self, node: Node) -> tuple[str | None, str]:
        target = node.target
        if target is None or self._is_own(node.refers_to, target):
            return None, ""
        name = str(target.spelling)
        if name in _STREAMS_OF_FILES and any(True for _ in node.cursor.get_arguments()):
            return FILES, name.removeprefix("basic_")
        if name == "open" and _holder(target) in _STREAMS_OF_FILES:
            return FILES, name
        if name == "operator<<" and _writes_pointer(target):
            return ADDRESSES, "<<"
        if name in _PRINTERS:
            for part in node.walk():
                if part.kind == "STRING_LITERAL" and _PRINTS_POINTER.search(part.name):
                    return ADDRESSES, "%p"
        return None, ""

    def _is_own(self, refers: int, target: Cursor) -> bool:
        if refers not in self._own:
            self._own[refers] = is_own(target)
        return self._own[refers]


def _told(target: Cursor) -> str | None:
    name = str(target.spelling)
    why = _ANYWHERE.get(name)
    if why is None:
        return FILES if name == "filesystem" and kind_of(target) == "NAMESPACE" else None
    holder = target.semantic_parent
    if holder is None:
        return why
    # A container's `remove` or a `condition_variable`'s `wait` are none of these.
    within = kind_of(holder)
    if within in ("TRANSLATION_UNIT", "LINKAGE_SPEC"):
        return why
    if within in FUNCTIONS and kind_of(target) in ("FUNCTION_DECL", "VAR_DECL"):
        return why  # `extern "C"` around a function goes for what is declared in it
    if within == "NAMESPACE":
        return why if _is_plain(target, name) else None
    return why if str(holder.spelling) in ("thread", "jthread", "random_device") else None


def _is_plain(target: Cursor, name: str) -> bool:
    """Not an algorithm or other template of the same name, such as `std::remove`."""
    if name in ("remove", "bind"):  # `remove` of <cstdio> takes a name alone
        spelling = str(target.type.spelling)
        return name == "remove" and spelling.startswith("int (") and "," not in spelling
    return kind_of(target) != "FUNCTION_TEMPLATE" or name in _TEMPLATES


def _holder(target: Cursor) -> str:
    holder = target.semantic_parent
    return "" if holder is None else str(holder.spelling)


def _writes_pointer(target: Cursor) -> bool:
    """`ostream::operator<<(const void *)`, or that of a smart pointer."""
    given = [str(each.get_canonical().spelling) for each in target.type.argument_types()]
    return given[:1] in (["const void *"], ["const volatile void *"]) or any(
        _SMART_POINTER.match(each) for each in given
    )


def _makes_number_of_address(node: Node) -> bool:
    if not _INTEGERS.match(str(node.cursor.type.get_canonical().spelling)):
        return False
    return any(
        str(child.cursor.type.get_canonical().kind.name) == "POINTER" for child in node.children
    )


def _arguments_of_main(source: CppSource) -> frozenset[int]:
    """The second and third parameter of `main`."""
    return frozenset(
        identity(parameter.cursor)
        for node in source.tree.children
        if node.kind == "FUNCTION_DECL" and node.name == "main"
        for parameter in [each for each in node.children if each.kind == "PARM_DECL"][1:]
    )
