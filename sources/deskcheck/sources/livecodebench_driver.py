"""From an accepted solution to a program that runs alone: with imports and, if need be, a driver.

Graders of LiveCodeBench star-import half the standard library above a solution. Here a solution
gets exactly the names that it lacks, so nothing hides a builtin such as `pow`.
"""

from __future__ import annotations

import ast
import builtins
import re
import symtable
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import count

from deskcheck.sources.contest_problems import Fault

_NAMES_OF = {
    "bisect": "bisect bisect_left bisect_right insort insort_left insort_right",
    "collections": "ChainMap Counter OrderedDict defaultdict deque namedtuple",
    "copy": "deepcopy",
    "fractions": "Fraction",
    "functools": "cache cached_property cmp_to_key lru_cache partial reduce",
    "heapq": "heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest",
    "itertools": "accumulate chain combinations combinations_with_replacement cycle dropwhile "
    "groupby islice pairwise permutations product repeat starmap takewhile zip_longest",
    "math": "ceil comb dist exp factorial floor gcd hypot inf isqrt lcm log log10 log2 nan perm pi "
    "prod sqrt",
    "operator": "and_ attrgetter itemgetter mul or_ xor",
    "string": "ascii_letters ascii_lowercase ascii_uppercase digits",
    "sortedcontainers": "SortedDict SortedList SortedSet",
    "typing": "Any Callable DefaultDict Deque Dict FrozenSet Generator Iterable Iterator List "
    "Optional Sequence Set Tuple Union",
}
_MODULE_OF = {name: module for module, names in _NAMES_OF.items() for name in names.split()}
_MODULES = frozenset(
    (*_NAMES_OF, "datetime", "decimal", "json", "os", "random", "re", "statistics", "sys", "time")
) - {"sortedcontainers"}
"""Modules of the standard library that a solution may lack, or star-import."""

_DRIVER = """\
{code}

import json{as_json}
import sys{as_sys}

{arguments} = [{json}.loads({line}) for {line} in {sys}.stdin]
{json}.dump({call}(*{arguments}), {sys}.stdout)
"""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Runnable:
    """A program made of a solution."""

    source: str
    imports: int
    """Lines of imports that were added."""
    prints_json: bool
    """True when all that it prints is one JSON value."""


def with_imports(code: str) -> Runnable | Fault:
    """The solution below the imports that it lacks; as it is where it lacks none."""
    tree = _parsed(code)
    if isinstance(tree, Fault):  # whether it is a program after all is for its run to show
        return Runnable(source=code, imports=0, prints_json=False)
    return _completed(code, tree)


def with_driver(code: str, function: str) -> Runnable | Fault:
    """The solution above a driver that reads one JSON value per line and prints the result's JSON.

    The driver's imports stand behind the solution and it calls no builtin, so whatever the
    solution imports or binds, the driver works.
    """
    tree = _parsed(code)
    if isinstance(tree, Fault):
        return tree
    call = _call(tree, function)
    if call is None:
        detail = f"it defines no function {function} and no class Solution that has one"
        return Fault(check="no_function", detail=detail)
    completed = _completed(code.rstrip() + "\n", tree)
    if isinstance(completed, Fault):
        return completed
    taken = set(_WORD.findall(code))
    modules = {name: _module_name(name, tree, taken) for name in ("json", "sys")}
    source = _DRIVER.format(
        code=completed.source,
        as_json="" if modules["json"] == "json" else f" as {modules['json']}",
        as_sys="" if modules["sys"] == "sys" else f" as {modules['sys']}",
        arguments=_free("arguments", taken),
        line=_free("line", taken),
        call=call,
        **modules,
    )
    return Runnable(source=source, imports=completed.imports, prints_json=not _writes(tree))


def parameters(code: str, function: str) -> list[str] | None:
    """Names of the function's parameters by position; None where the code has no such function."""
    tree = _parsed(code)
    if not isinstance(tree, Fault):
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name == function:
                return [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    return None


def _parsed(code: str) -> ast.Module | Fault:
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return Fault(check="code_unreadable", detail=f"it cannot be parsed: {error}")


def _call(tree: ast.Module, function: str) -> str | None:
    for node in reversed(tree.body):  # the last definition counts
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return function
        if isinstance(node, ast.ClassDef) and node.name == "Solution":
            methods = [each.name for each in node.body if isinstance(each, ast.FunctionDef)]
            if function in methods:
                return f"Solution().{function}"
    return None


def _completed(code: str, tree: ast.Module) -> Runnable | Fault:
    lines = sorted(_import_of(name) for name in _lacking(code, tree))
    if lines and any(
        isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body
    ):
        detail = "it lacks imports, and imports from __future__ must stand above them"
        return Fault(check="future_import", detail=detail)
    imports = _joined(lines)
    source = "".join(f"{line}\n" for line in imports) + ("\n" if imports else "") + code
    return Runnable(source=source, imports=len(imports), prints_json=False)


def _joined(lines: list[str]) -> list[str]:
    """One line per module: `from typing import Dict, List`."""
    names: dict[str, list[str]] = {}
    for line in lines:
        head, found, name = line.partition(" import ")
        names.setdefault(head, []).extend([name] if found else [])
    return [f"{head} import {', '.join(each)}" if each else head for head, each in names.items()]


def _import_of(name: str) -> str:
    return f"from {_MODULE_OF[name]} import {name}" if name in _MODULE_OF else f"import {name}"


def _lacking(code: str, tree: ast.Module) -> Iterator[str]:
    """Names that the code uses, that nothing in it can have bound, and that are known here."""
    try:
        tables = list(_tables(symtable.symtable(code, "program.py", "exec")))
    except (SyntaxError, ValueError, RecursionError):
        return
    bound = set(dir(builtins))
    used: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any(each.name == "*" for each in node.names):
            starred = _starred(node.module)
            if starred is None:
                return
            bound |= starred
    for table in tables:
        top = table.get_type() == "module"
        for symbol in table.get_symbols():
            outside = top or symbol.is_global()
            if outside and (symbol.is_assigned() or symbol.is_imported()):
                bound.add(symbol.get_name())
            if outside and symbol.is_referenced():
                used.add(symbol.get_name())
    for name in used - bound:
        if name in _MODULE_OF or name in _MODULES:
            yield name


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    waiting = [table]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += each.get_children()


def _starred(module: str | None) -> set[str] | None:
    """What a star import binds; None of modules that are not to be imported here."""
    if module not in _MODULES:
        return None
    loaded = import_module(module)
    public = [name for name in vars(loaded) if not name.startswith("_")]
    return set(getattr(loaded, "__all__", public))


def _writes(tree: ast.Module) -> bool:
    """Whether the solution itself may write to standard output."""
    return any(
        (isinstance(node, ast.Name) and node.id in ("print", "stdout"))
        or (isinstance(node, ast.Attribute) and node.attr in ("stdout", "write", "pprint"))
        for node in ast.walk(tree)
    )


def _module_name(module: str, tree: ast.Module, taken: set[str]) -> str:
    """The module's own name, unless the code may have bound that to something else."""
    plain = all(
        node.asname is None and node.name == module
        for node in ast.walk(tree)
        if isinstance(node, ast.alias) and (node.asname or node.name) == module
    )
    others: Mapping[type[ast.AST], str] = {
        ast.FunctionDef: "name",
        ast.AsyncFunctionDef: "name",
        ast.ClassDef: "name",
        ast.arg: "arg",
    }
    rebound = any(
        (isinstance(node, ast.Name) and node.id == module and not isinstance(node.ctx, ast.Load))
        or getattr(node, others.get(type(node), ""), None) == module
        for node in ast.walk(tree)
    )
    return module if plain and not rebound else _free(module, taken)


def _free(name: str, taken: set[str]) -> str:
    numbered = (f"{name}_{number}" for number in count(2))
    return name if name not in taken else next(each for each in numbered if each not in taken)
