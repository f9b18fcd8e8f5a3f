"""Exact opcode counts near native speed: the program's bytecode counts itself.

The number is that of `counting.NativeCounter`. Where that cannot be kept (an interpreter whose
bytecode is not known, code that looks at bytecode or makes some of its own), the native counter
counts, and `reference` says why.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes longer to import than the whole agent
    from collections.abc import Callable, Iterator
    from types import CodeType, ModuleType
    from typing import Any

    from deskcheck.oracles.inside.rewriting import Rewritten

TELLING_WORDS = (
    *("__code__", "f_code", "gi_code", "cr_code", "ag_code", "CodeType", "f_lasti", "tb_lasti"),
    *("settrace", "setprofile", "f_trace", "monitoring", "getsizeof"),
    *("get_objects", "get_referrers", "get_referents"),
)
"""Names by which a program can see that its bytecode was rewritten, or make more of it."""
TELLING_MODULES = frozenset(("bdb", "ctypes", "dis", "marshal", "opcode", "pdb", "trace"))
COMPILING = frozenset(("LOAD_NAME", "LOAD_GLOBAL"))


class FastCounter:
    """Counts the opcodes of `code`, which is to be run in place of the one given."""

    def __init__(self, load: Callable[[str], Any], code: CodeType, filename: str) -> None:
        self.code = code
        self.reference = ""
        """Why the native counter counts instead, or nothing."""
        self.problem = ""
        """Why the counts of this run cannot be told, or nothing."""
        self._opcodes: int | None = 0
        self._native: Any = None
        self._rewritten: list[Rewritten] = []
        bytecode, self._flow = load("bytecode"), load("flow")
        self.reference = bytecode.unknown() or telling(bytecode, code)
        if not self.reference:
            rewriter = load("rewriting").Rewriter(bytecode, self._flow)
            try:
                self.code = rewriter.rewrite(code)
            except self._flow.UnsupportedError as error:
                self.reference = str(error)
            self._rewritten = rewriter.rewritten
        if self.reference:
            self._native = load("counting").NativeCounter(filename)

    def begin(self) -> None:
        if self._native is not None:
            self._native.begin()

    def end(self) -> None:
        """Read the counters: what runs from now on is not counted."""
        if self._native is not None:
            self._native.end()
            self._opcodes = self._native.opcodes
            return
        try:
            self._opcodes = sum(each.total() for each in self._rewritten)
        except self._flow.InconsistentError:
            self._opcodes, self.problem = None, "the counters contradict each other"

    @property
    def opcodes(self) -> int | None:
        return self._opcodes

    def by_offset(self) -> dict[tuple[Any, int], int]:
        """Counts by what identifies the code (name, line, positions) and offset, 0 left out."""
        found: dict[tuple[Any, int], int] = {}
        for each in self._rewritten:
            for offset, count in each.counts().items():
                if count:
                    key = (each.identity, offset)
                    found[key] = found.get(key, 0) + count
        return found


def telling(bytecode: ModuleType, code: CodeType) -> str:
    """What in the code may see, or make, bytecode; nothing where there is no such thing."""
    for each in _all(code):
        for word in (*each.co_names, *_strings(each.co_consts)):
            for telling_word in TELLING_WORDS:
                if telling_word in word:
                    return f"the program mentions {telling_word}"
        if TELLING_MODULES.isdisjoint(each.co_names) and "compile" not in each.co_names:
            continue
        for instruction in bytecode.decode(each.co_code):
            name = bytecode.NAMES[instruction.opcode]
            if name == "IMPORT_NAME" and each.co_names[instruction.arg] in TELLING_MODULES:
                return f"the program imports {each.co_names[instruction.arg]}"
            if name in COMPILING:
                index = instruction.arg >> (name == "LOAD_GLOBAL")
                if each.co_names[index] == "compile":
                    return "the program compiles"
    return ""


def _all(code: CodeType) -> Iterator[CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, type(code)):
            yield from _all(const)


def _strings(consts: tuple[Any, ...]) -> Iterator[str]:
    for const in consts:
        if isinstance(const, str):
            yield const
        elif isinstance(const, tuple | frozenset):
            yield from _strings(tuple(const))
