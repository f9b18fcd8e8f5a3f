"""Find loop boundaries in a clean program: no-op statements whose line numbers are events.

Neither LINE nor JUMP events of the program's own lines count iterations: a one-line loop gives
one LINE event, `if c: break` leaves no instruction of its own, and the code of a `finally` is
copied to every way out. So each loop gets three `pass` statements in the syntax tree (before it,
at the start of its body, after it and its `else`) with line numbers that no source has. The
compiler makes at most a NOP of each, and a LINE event with that number is exactly the boundary.
"""

from __future__ import annotations

import _ast

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes longer to import than the whole agent
    from typing import Any

FIRST_LINE = 1_000_000
"""Marker line numbers start here; a program longer than that is refused."""

BEFORE, INSIDE, POST = "before", "inside", "post"
PLACES = (BEFORE, INSIDE, POST)
BOM = b"\xef\xbb\xbf"


def boundary(line: int) -> tuple[int, str]:
    """The (loop ordinal, place) that a marker line stands for."""
    ordinal, place = divmod(line - FIRST_LINE, 3)
    return ordinal, PLACES[place]


class MarkedProgram:
    """The program's syntax tree with its loop boundaries marked.

    `loops[ordinal]` is the byte offset of the loop's first keyword, after a byte-order mark.
    """

    def __init__(self, source: bytes, filename: str) -> None:
        bare = source.removeprefix(BOM)
        self._starts = [0]
        for line in bare.splitlines(keepends=True):  # at LF, CR and CRLF, as the tokenizer does
            self._starts.append(self._starts[-1] + len(line))
        if len(self._starts) >= FIRST_LINE:
            raise ValueError(f"a program of {len(self._starts)} lines is too long to mark")
        self.loops: list[int] = []
        tree: Any = compile(source, filename, "exec", flags=_ast.PyCF_ONLY_AST, dont_inherit=True)
        self._mark_below(tree)
        self.code = compile(tree, filename, "exec", dont_inherit=True)

    def _mark_below(self, node: _ast.AST) -> None:
        for name in node._fields:
            value = getattr(node, name, None)
            if not isinstance(value, list):
                if isinstance(value, _ast.AST):
                    self._mark_below(value)
                continue
            marked: list[object] = []
            for child in value:
                if isinstance(child, _ast.For | _ast.AsyncFor | _ast.While):
                    marked.extend(self._marked_loop(child))
                else:
                    if isinstance(child, _ast.AST):
                        self._mark_below(child)
                    marked.append(child)
            setattr(node, name, marked)

    def _marked_loop(self, loop: _ast.For | _ast.AsyncFor | _ast.While) -> list[_ast.stmt]:
        line = FIRST_LINE + 3 * len(self.loops)
        self.loops.append(self._starts[loop.lineno - 1] + loop.col_offset)
        self._mark_below(loop)
        loop.body.insert(0, _pass_at(line + 1))
        return [_pass_at(line), loop, _pass_at(line + 2)]


def _pass_at(line: int) -> _ast.Pass:
    return _ast.Pass(lineno=line, end_lineno=line, col_offset=0, end_col_offset=0)
