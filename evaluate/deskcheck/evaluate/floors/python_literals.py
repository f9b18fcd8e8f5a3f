"""The literals that a Python source prints, read from its syntax tree.

What prints is a call of `print` that does not go to another file, or of `write` on standard
output, under other names too where the source assigns those. A literal is an argument that is a
constant or a display of constants. Where an argument is a choice (`"YES" if ok else "NO"`,
`a or "NO"`, `["NO", "YES"][ok]`) each of its branches counts. Literals that are formatted,
joined or added to something do not stand in the output as they are, and do not count.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field


def printed_by_python(source: str) -> list[str]:
    """What `print` makes of each printed literal, in source order; none where it cannot parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in a program is no business of ours
            tree = ast.parse(source.removeprefix("\ufeff"))
        found = sorted(_found(tree), key=lambda at: at[:2])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [text for _, _, text in found]


def _found(tree: ast.Module) -> Iterator[tuple[int, int, str]]:
    """Line, column and text of each printed literal."""
    outputs = _outputs(tree)
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not outputs.prints(call):
            continue
        for node in (branch for argument in call.args for branch in _branches(argument)):
            text = _text(node)
            if text is not None:
                yield node.lineno, node.col_offset, text


@dataclass(slots=True)
class _Outputs:
    """The names by which a source reaches standard output."""

    streams: set[str] = field(default_factory=lambda: {"stdout", "__stdout__"})
    writers: set[str] = field(default_factory=lambda: {"print"})

    def prints(self, call: ast.Call) -> bool:
        return self.is_writer(call.func) and all(
            keyword.arg != "file" or self.is_stream(keyword.value) for keyword in call.keywords
        )

    def is_writer(self, node: ast.expr) -> bool:
        match node:
            case ast.Name(id=name):
                return name in self.writers
            case ast.Attribute(value=holder, attr="write"):
                return self.is_stream(holder)
        return False

    def is_stream(self, node: ast.expr) -> bool:
        match node:
            case ast.Name(id=name):
                return name in self.streams
            case ast.Attribute(value=holder, attr="buffer"):
                return self.is_stream(holder)
            case ast.Attribute(attr=name):
                return name in ("stdout", "__stdout__")
        return False


def _outputs(tree: ast.Module) -> _Outputs:
    """Standard output's own names, and those that the source assigns it to."""
    outputs = _Outputs()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign):
            continue
        names = {target.id for target in node.targets if isinstance(target, ast.Name)}
        if outputs.is_stream(node.value):
            outputs.streams |= names
        elif outputs.is_writer(node.value):
            outputs.writers |= names
    return outputs


def _branches(node: ast.expr) -> Iterator[ast.expr]:
    """The expressions that a printed argument may be, depending on how the program goes."""
    match node:
        case ast.IfExp(body=body, orelse=other):
            yield from _branches(body)
            yield from _branches(other)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _branches(value)
        case ast.Subscript(value=ast.List(elts=elements) | ast.Tuple(elts=elements), slice=index):
            if not isinstance(index, ast.Slice):
                for element in elements:
                    yield from _branches(element)
        case _:
            yield node


def _text(node: ast.expr) -> str | None:
    """What is printed of a literal; None for any other expression."""
    if not isinstance(node, ast.Constant | ast.UnaryOp | ast.List | ast.Tuple):
        return None
    # Among the errors: an integer of too many digits to be written in decimal.
    with suppress(ValueError, TypeError, RecursionError, MemoryError):
        value = ast.literal_eval(node)
        return value.decode("utf-8") if isinstance(value, bytes) else str(value)
    return None
