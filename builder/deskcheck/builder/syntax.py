"""A Python source and its concrete syntax tree, tied together by byte offsets.

Edits insert text at offsets and leave every other byte, so the tree is only ever read. libcst
does not reproduce every source (a lone carriage return, a form feed) and its parser has limits;
where its rendering differs from the source by one byte the offsets cannot be trusted, and that
is a reason to reject the program.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from tokenize import detect_encoding

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, CodeSpan, MetadataWrapper

BOM = b"\xef\xbb\xbf"
MAX_DEPTH = 400
"""Deepest syntax tree that is read: libcst recurses, and far past this depth it crashes."""
RECURSION = 20_000
"""Python's recursion limit while a source is read: more than `MAX_DEPTH` levels need."""
_BLANK = " \t\r\n\f"
"""What libcst may lose at a file's end without moving anything that is edited."""
_TOO_DEEP = "it is nested too deeply for the parser"


class UnreadableSourceError(Exception):
    """The source cannot be analysed; `reason` is a snake_case name, `detail` one line."""

    def __init__(self, reason: str, detail: str) -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(f"{reason}: {detail}")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Source:
    """`code` is the source after a byte-order mark; spans are offsets into it."""

    code: bytes
    bom: bytes
    module: cst.Module
    spans: Mapping[cst.CSTNode, CodeSpan]
    parents: Mapping[cst.CSTNode, cst.CSTNode]
    children: Mapping[cst.CSTNode, Sequence[cst.CSTNode]]

    def start(self, node: cst.CSTNode) -> int:
        return self.spans[node].start

    def end(self, node: cst.CSTNode) -> int:
        span = self.spans[node]
        return span.start + span.length

    def line(self, offset: int) -> int:
        """The 1-based line that an offset stands in."""
        return len((self.code[:offset] + b".").splitlines())

    def walk(self, *nodes: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes and all below them, in source order."""
        pending = list(reversed(nodes))
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(self.children.get(node, ())))

    def ancestors(self, node: cst.CSTNode) -> Sequence[cst.CSTNode]:
        """From the parent up to the module."""
        out = []
        while (parent := self.parents.get(node)) is not None:
            out.append(parent)
            node = parent
        return out


def read_source(source: bytes) -> Source:
    """Parse a program; UnreadableSourceError says why it cannot be."""
    bom = BOM if source.startswith(BOM) else b""
    code = source.removeprefix(BOM)
    text = _text(code)
    _check_depth(text)
    # libcst recurses in Python; the verdict must not depend on how deep its caller stands.
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION))
    try:
        module = cst.parse_module(text)
        if module.code.rstrip(_BLANK) != text.rstrip(_BLANK):
            raise UnreadableSourceError("parser_limit", "it cannot be reproduced byte for byte")
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        spans = wrapper.resolve(ByteSpanPositionProvider)
        family = _Family()
        wrapper.module.visit(family)
    except cst.ParserSyntaxError as error:  # Python itself has parsed it by now
        detail = f"line {error.raw_line}: {error.message}"
        raise UnreadableSourceError("parser_limit", detail) from None
    except RecursionError:
        raise UnreadableSourceError("parser_limit", _TOO_DEEP) from None
    finally:
        sys.setrecursionlimit(limit)
    return Source(
        code=code,
        bom=bom,
        module=wrapper.module,
        spans=spans,
        parents=family.parents,
        children=family.children,
    )


def _text(code: bytes) -> str:
    try:
        encoding, _ = detect_encoding(BytesIO(code).readline)
        if encoding not in ("utf-8", "utf-8-sig"):
            raise UnreadableSourceError("not_utf8", f"it declares the encoding {encoding}")
        text = code.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableSourceError("not_utf8", f"byte {error.start} is not UTF-8") from None
    except SyntaxError as error:  # an unknown encoding, or bytes that are not UTF-8 so far
        raise UnreadableSourceError("not_utf8", str(error.msg)) from None
    if "\0" in text:
        raise UnreadableSourceError("does_not_parse", "it contains a NUL byte")
    return text


class _Family(cst.CSTVisitor):
    """Parents and children of the nodes that mean something; layout is left out."""

    def __init__(self) -> None:
        super().__init__()
        self.parents: dict[cst.CSTNode, cst.CSTNode] = {}
        self.children: dict[cst.CSTNode, list[cst.CSTNode]] = {}
        self._path: list[cst.CSTNode] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, _LAYOUT):
            return False
        if self._path:
            self.parents[node] = self._path[-1]
            self.children.setdefault(self._path[-1], []).append(node)
        self._path.append(node)
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if not isinstance(original_node, _LAYOUT):
            self._path.pop()


_LAYOUT = (
    cst.BaseParenthesizableWhitespace,
    cst.TrailingWhitespace,
    cst.EmptyLine,
    cst.Comma,
    cst.LeftParen,
    cst.RightParen,
    cst.Semicolon,
    cst.AssignEqual,
    cst.BaseBinaryOp,
    cst.BaseCompOp,
    cst.Dot,
    cst.Colon,
)


def _check_depth(text: str) -> None:
    """Refuse what does not parse and what would overrun libcst's recursion."""
    try:
        level: list[ast.AST] = [ast.parse(text)]
    except SyntaxError as error:
        detail = f"line {error.lineno}: {error.msg}"
        raise UnreadableSourceError("does_not_parse", detail) from None
    except (RecursionError, MemoryError):
        raise UnreadableSourceError("parser_limit", _TOO_DEEP) from None
    depth = 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            detail = f"its syntax tree is more than {MAX_DEPTH} levels deep"
            raise UnreadableSourceError("parser_limit", detail)
        level = [child for node in level for child in ast.iter_child_nodes(node)]
