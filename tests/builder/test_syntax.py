"""A source and its tree are tied by byte offsets, or the source is refused with a reason."""

from __future__ import annotations

import libcst as cst
import pytest

from deskcheck.builder.loops import find_loops
from deskcheck.builder.syntax import BOM, MAX_DEPTH, UnreadableSourceError, read_source


@pytest.mark.parametrize("bom", [b"", BOM], ids=["plain", "byte-order mark"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_offsets_are_bytes_after_the_mark(newline: str, bom: bytes) -> None:
    """Letters of more than one byte and the mark do not shift what a node's span names."""
    text = "é = 'ü€𝄞'\nfor ö in é:\n    print(ö)\nasync def f():\n\tasync for x in f(): pass\n"
    code = text.replace("\n", newline).encode()
    source = read_source(bom + code)
    assert (source.bom, source.code) == (bom, code)
    loops = find_loops(source)
    assert [code[loop.offset :][:5] for loop in loops] == [b"for \xc3", b"async"]
    assert [loop.line for loop in loops] == [2, 5]
    for loop in loops:
        assert (
            code[source.start(loop.node) : source.end(loop.node)].rstrip().endswith((b")", b"pass"))
        )


def test_walks_are_in_source_order_and_leave_layout_out() -> None:
    """Names come as they are read; white space and commas do not come at all."""
    source = read_source(b"a = b(c, d)[e] + f.g  # h\nif i: j\nelif k: l\n")
    names = [node.value for node in source.walk(source.module) if isinstance(node, cst.Name)]
    assert "".join(names) == "abcdefgijkl"
    assert not any(isinstance(node, cst.Comma) for node in source.walk(source.module))


def test_ancestors_go_up_to_the_module() -> None:
    """From the parent of a node to the module, each the parent of the one before."""
    source = read_source(b"class A:\n    def f(self):\n        while 1: pass\n")
    (loop,) = find_loops(source)
    above = [type(node).__name__ for node in source.ancestors(loop.node)]
    assert above == ["IndentedBlock", "FunctionDef", "IndentedBlock", "ClassDef", "Module"]


REFUSED = {
    "not UTF-8": (b"x = 1\n\n\ny = '\xff'\n", "not_utf8", "byte 13"),
    "another encoding": (b"# coding: latin-1\nx = 1\n", "not_utf8", "iso-8859-1"),
    "NUL": (b"x = 1\0\n", "does_not_parse", "NUL"),
    "syntax": (b"x = 1\nfor\n", "does_not_parse", "line 2"),
    "indent": (b"if 1:\nx\n", "does_not_parse", "line 2"),
    "Python 2": (b"print 'x'\n", "does_not_parse", "line 1"),
    "a deep expression": (b"x = " + b"-" * 500 + b"1\n", "parser_limit", f"{MAX_DEPTH}"),
    "a chain": (b"x = " + b"+".join([b"1"] * 600) + b"\n", "parser_limit", f"{MAX_DEPTH}"),
    "deep parentheses": (b"x = " + b"(" * 300 + b")" * 300 + b"\n", "does_not_parse", "line 1"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_says_why_in_one_line(name: str) -> None:
    """A reason by name and one line of detail, and never a crash of the parser."""
    code, reason, detail = REFUSED[name]
    with pytest.raises(UnreadableSourceError) as caught:
        read_source(code)
    assert caught.value.reason == reason
    assert detail in caught.value.detail
    assert "\n" not in caught.value.detail


READ = {
    "empty": b"",
    "no newline": b"x = 1",
    "form feed": b"x = 1\n\x0c\nfor i in range(3):\n    pass\n",
    "declared UTF-8": b"# -*- coding: utf-8 -*-\nx = '\xc3\xa9'\n",
    "mark and declaration": BOM + b"# coding: utf-8\nx = 1\n",
    "type parameters": b"def f[T](x: T) -> T: return x\ntype A[T] = list[T]\n",
    "except*": b"try: pass\nexcept* KeyError: pass\n",
    "deep enough": b"x = " + b"-" * 100 + b"1\n",
    "a lone carriage return": b"x = 1\ry = 2\n",
    "continuation": b"x = 1 + \\\n  2\nif x: \\\n  y = 1\n",
    "nested f-strings": b"x = f'{1:{2}}' f\"{'a' + f'{3}'}\"\n",
}


@pytest.mark.parametrize("name", READ)
def test_what_python_reads_is_read(name: str) -> None:
    """Odd sources that are legal come back byte for byte."""
    source = read_source(READ[name])
    assert source.bom + source.code == READ[name]


def nested(frames: int, code: bytes) -> bool:
    """Whether the code is read when that many frames are below."""
    if frames:
        return nested(frames - 1, code)
    try:
        read_source(code)
    except UnreadableSourceError:
        return False
    return True


def test_what_is_too_deep_does_not_depend_on_the_caller() -> None:
    """The verdict on a program is the same from a deep stack and from a shallow one."""
    for depth in range(150, MAX_DEPTH, 10):
        code = b"x = " + b"-" * depth + b"1\n"
        assert nested(0, code) == nested(200, code)
