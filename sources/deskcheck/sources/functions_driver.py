"""From a function to a program: its source as it is, between two imports and a call."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count

CODE_LIMIT = 32_000
"""Characters of a function's source."""

TEXT_LIMIT = 8

_DRIVER = """\
import ast{as_ast}
import sys{as_sys}


{code}

{arguments} = [{ast}.literal_eval({line}) for {line} in {sys}.stdin]
print(repr({function}(*{arguments})))
"""
_NAMES = (("arguments", "given", "received"), ("line", "row", "written"), ("ast",), ("sys",))
"""The driver's names, and what else each may be called."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class NotDriven:
    """Why no program can be made of a function: a short reason and one line."""

    check: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Driven:
    """A program that reads one argument per line, calls the function and prints the result."""

    source: str
    texts: Sequence[str]
    """Short texts that the code holds, in their order."""


def drive(code: str) -> Driven | NotDriven:
    """The program of a function, whose source stands in it unchanged.

    The driver's own names are ones that the function's source does not hold anywhere.
    """
    if len(code) > CODE_LIMIT:
        return NotDriven(check="too_large", detail=f"code has more than {CODE_LIMIT:,} characters")
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return NotDriven(check="code_unreadable", detail=f"code cannot be parsed: {error}")
    function = _function(tree)
    if isinstance(function, NotDriven):
        return function
    bound = set(_bound_at_top(tree))
    for name in ("print", "repr"):
        if name in bound:
            detail = f"code gives {name} another meaning, and the driver calls it"
            return NotDriven(check="rebinds_builtin", detail=detail)
    taken = set(_WORD.findall(code))
    names = {names[0]: _free(names, taken) for names in _NAMES}
    source = _DRIVER.format(
        code=code if code.endswith("\n") else code + "\n",
        function=function,
        as_ast="" if names["ast"] == "ast" else f" as {names['ast']}",
        as_sys="" if names["sys"] == "sys" else f" as {names['sys']}",
        **names,
    )
    return Driven(source=source, texts=_texts(tree))


def _function(tree: ast.Module) -> str | NotDriven:
    """The function to call: `f`, or the only one there is."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            detail = "code imports from __future__, which must stand at the top of a program"
            return NotDriven(check="future_import", detail=detail)
    names = list(
        dict.fromkeys(node.name for node in tree.body if isinstance(node, ast.FunctionDef))
    )
    if "f" in names:
        return "f"
    if len(names) == 1:
        return names[0]
    if not names:
        return NotDriven(check="no_function", detail="code defines no function at its top level")
    detail = f"code defines {', '.join(names)}, and none of them is called f"
    return NotDriven(check="several_functions", detail=detail)


def _texts(tree: ast.Module) -> Sequence[str]:
    """Short texts in the code: what it looks for, often, or takes apart at."""
    found = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return [text for text in dict.fromkeys(found) if 0 < len(text) <= TEXT_LIMIT]


def _bound_at_top(tree: ast.Module) -> Iterator[str]:
    """Names that the source binds in the module's scope, as far as its text tells."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Global):
                        yield from inner.names
                continue
            case ast.Lambda():
                continue
            case ast.Name(ctx=ast.Store() | ast.Del()):
                yield node.id
            case ast.alias():
                yield (node.asname or node.name).split(".")[0]
        waiting.extend(ast.iter_child_nodes(node))


def _free(names: tuple[str, ...], taken: set[str]) -> str:
    numbered = (f"{names[0]}_{number}" for number in count(2))
    return next(name for name in chain(names, numbered) if name not in taken)
