"""From installed modules to one readable file: the definitions that a routine needs, as written.

What is taken is the text of top-level statements, with the comments directly above them. Nothing
is printed back from a syntax tree, so that what is shown is what the library's authors wrote, but
for these edits:

- a docstring keeps its first paragraph;
- decorators of the library that only register or guard a function are left out;
- the library's own modules are not imported: `nx.f` becomes `f`, and `f` is taken too;
- of a class whose members are listed, the other members are left out.

What the standard library offers beyond the modules named stays an import.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec, resolve_name
from pathlib import Path
from types import ModuleType

DROPPED_DECORATORS = frozenset({"_dispatchable", "not_implemented_for"})
"""Of NetworkX: the one chooses a backend, the other refuses kinds of graphs."""

_BUILT_IN = frozenset(dir(builtins)) | {"__name__", "__class__"}

type Definition = ast.FunctionDef | ast.ClassDef
type Edit = tuple[int, int, bytes]


class ExtractionError(Exception):
    """A routine that this extractor does not understand: a fault in how it is declared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Take:
    """Top-level names wanted of one module, with all that they need."""

    module: str
    names: tuple[str, ...]
    members: Mapping[str, Sequence[str]] = field(default_factory=dict, hash=False)
    """Of these classes, the members to keep; of any other class, all."""
    heading: str = ""
    """The comment above, where it is not to say from which module this is."""


def extract(
    takes: Sequence[Take], stand_ins: Mapping[str, str], imports: Sequence[str] = ()
) -> str:
    """Imports, then the definitions module by module; what a module needs comes before it.

    `stand_ins` maps `module:name` of the library to a name that the rest of the program defines;
    `imports` are statements that the rest of the program needs.
    """
    extraction = _Extraction(takes, stand_ins)
    extraction.imports.update(imports)
    return extraction.text()


class _Extraction:
    def __init__(self, takes: Sequence[Take], stand_ins: Mapping[str, str]) -> None:
        self._members = {
            f"{take.module}:{name}": frozenset(kept)
            for take in takes
            for name, kept in take.members.items()
        }
        self._headings = {take.module: take.heading for take in takes if take.heading}
        self._roots = {_root(take.module) for take in takes} - sys.stdlib_module_names
        self._stand_ins = stand_ins
        self._modules: dict[str, _Module] = {}
        self._taken: dict[str, dict[int, list[Edit]]] = {}
        self._needed: dict[str, set[str]] = {}
        self.imports: set[str] = set()
        self._owner: dict[str, str] = {}
        for take in takes:
            for name in take.names:
                self._take(take.module, name)

    def text(self) -> str:
        future = "from __future__ import annotations"
        imports = sorted(self.imports - {future}, key=lambda line: (line.startswith("from"), line))
        head = [future, ""] if future in self.imports else []
        parts = ["\n".join([*head, *imports])] if imports or head else []
        for module in self._order():
            source = self._modules[module]
            bodies = [
                source.cut(index, edits) for index, edits in sorted(self._taken[module].items())
            ]
            heading = self._headings.get(module, f"From {module}")
            parts.append(f"# {heading}\n\n\n{_joined(bodies)}")
        return "\n\n\n".join(parts) + "\n"

    def _module(self, name: str) -> _Module:
        if name not in self._modules:
            self._modules[name] = _Module(name)
        return self._modules[name]

    def _take(self, module: str, name: str) -> None:
        """The statement that binds this name, and everything that it needs."""
        source = self._module(module)
        index = source.bindings.get(name)
        if index is None:
            raise ExtractionError(f"{module} has no top-level {name!r}")
        if self._owner.setdefault(name, module) != module:
            raise ExtractionError(f"{name!r} is both of {self._owner[name]} and of {module}")
        taken = self._taken.setdefault(module, {})
        if index in taken:
            return
        node = source.tree.body[index]
        taken[index] = []
        left_out, edits = self._left_out(source, module, node)
        edits += list(_shortened(source, node, left_out))
        taken[index] = edits
        for part in _free(node, left_out):
            self._need(source, part, edits)

    def _left_out(
        self, source: _Module, module: str, node: ast.stmt
    ) -> tuple[set[ast.AST], list[Edit]]:
        """Decorators and members that are not shown, and the edits that remove them."""
        gone: set[ast.AST] = set()
        edits: list[Edit] = []
        for definition in _definitions(node):
            for decorator in definition.decorator_list:
                if _last_name(decorator) in DROPPED_DECORATORS:
                    gone.add(decorator)
                    edits.append(source.lines_of(decorator))
        if isinstance(node, ast.ClassDef):
            kept = self._members.get(f"{module}:{node.name}")
            for member in node.body:
                if kept is not None and not _is_docstring(member) and not kept & _bound(member):
                    gone.add(member)
                    edits.append(source.lines_of(member, above=True))
        return gone, edits

    def _need(self, source: _Module, node: ast.AST, edits: list[Edit]) -> None:
        """Take what one name or attribute of a kept statement stands for."""
        if isinstance(node, ast.Attribute):
            self._need_of_library(source, node, edits)
        elif isinstance(node, ast.Name):
            if node.id in source.bindings:
                self._take(source.name, node.id)
            elif node.id in source.imports:
                statement, alias = source.imports[node.id]
                self._import(source, statement, alias)
            elif node.id not in _BUILT_IN:
                raise ExtractionError(f"{source.name} binds {node.id!r} in a way unknown here")

    def _import(
        self, source: _Module, statement: ast.Import | ast.ImportFrom, alias: ast.alias
    ) -> None:
        if isinstance(statement, ast.Import):
            if _root(alias.name) not in self._roots:
                self.imports.add(ast.unparse(ast.Import([alias])))
            return
        module = resolve_name("." * statement.level + (statement.module or ""), source.package)
        if _root(module) not in self._roots:
            self.imports.add(ast.unparse(ast.ImportFrom(module, [alias], 0)))
            return
        if alias.asname:
            raise ExtractionError(f"{source.name} gives {alias.name!r} another name")
        self._take_of_library(source, import_module(module), alias.name)

    def _need_of_library(self, source: _Module, node: ast.Attribute, edits: list[Edit]) -> None:
        """Turn `nx.utils.f` into `f`, and take `f`."""
        names: list[str] = []
        part: ast.expr = node
        while isinstance(part, ast.Attribute):
            names.insert(0, part.attr)
            part = part.value
        if not isinstance(part, ast.Name) or part.id not in source.imports:
            return
        statement, alias = source.imports[part.id]
        if not isinstance(statement, ast.Import) or _root(alias.name) not in self._roots:
            return
        owner = import_module(alias.name)
        for name in names[:-1]:
            owner = getattr(owner, name)
            if not isinstance(owner, ModuleType):
                return  # an attribute of what the library offers; an inner node is that itself
        if isinstance(getattr(owner, names[-1]), ModuleType):
            return  # an outer node is what is meant
        known = self._take_of_library(source, owner, names[-1])
        edits.append((*source.span(node), known.encode()))

    def _take_of_library(self, source: _Module, owner: ModuleType, name: str) -> str:
        """Take what the library offers by this name, from where it is defined."""
        found = getattr(owner, name)
        module = str(getattr(found, "__module__", owner.__name__))
        defined = str(getattr(found, "__name__", name))
        stand_in = self._stand_ins.get(f"{module}:{defined}")
        if stand_in is not None:
            return stand_in
        self._needed.setdefault(source.name, set()).add(module)
        self._take(module, defined)
        return defined

    def _order(self) -> list[str]:
        """The modules that something is taken of, those that one needs before it."""
        order: list[str] = []
        begun: set[str] = set()

        def place(module: str) -> None:
            if module not in begun:
                begun.add(module)
                for needed in sorted(self._needed.get(module, ())):
                    place(needed)
                order.append(module)

        for module in self._taken:
            place(module)
        return order


class _Module:
    """One module's text, its tree, and what its top level binds."""

    def __init__(self, name: str) -> None:
        spec = find_spec(name)
        if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
            raise ExtractionError(f"{name} has no Python source")
        self.name = name
        self.package = name if spec.submodule_search_locations else name.rpartition(".")[0]
        self.data = Path(spec.origin).read_bytes().replace(b"\r\n", b"\n")
        self.tree = ast.parse(self.data)
        self.rows = self.data.splitlines(keepends=True)
        self.starts = [0]
        for row in self.rows:
            self.starts.append(self.starts[-1] + len(row))

    @cached_property
    def bindings(self) -> dict[str, int]:
        """Name -> the top-level statement that defines it; a definition goes before a fallback."""
        found: dict[str, int] = {}
        for conditional in (True, False):
            for index, node in enumerate(self.tree.body):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    continue
                if isinstance(node, ast.Try | ast.If) == conditional:
                    found.update(dict.fromkeys(_bound(node), index))
        return found

    @cached_property
    def imports(self) -> dict[str, tuple[ast.Import | ast.ImportFrom, ast.alias]]:
        return {
            alias.asname or alias.name.partition(".")[0]: (node, alias)
            for node in self.tree.body
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Byte offsets of a node, without decorators."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def lines_of(self, node: ast.expr | ast.stmt, *, above: bool = False) -> Edit:
        """The edit that removes the lines of a node; `above`: comments and blanks above it too."""
        assert node.end_lineno is not None
        first = _first_line(node)
        while above and (not self.rows[first - 2].strip() or self._is_comment(first - 2)):
            first -= 1
        return self.starts[first - 1], self.starts[node.end_lineno], b""

    def _is_comment(self, row: int) -> bool:
        return self.rows[row].lstrip().startswith(b"#")

    def cut(self, index: int, edits: Sequence[Edit]) -> str:
        """The text of one top-level statement with its comments, as edited."""
        node = self.tree.body[index]
        assert node.end_lineno is not None
        first = _first_line(node)
        while first > 1 and self._is_comment(first - 2):
            first -= 1
        start, end = self.starts[first - 1], self.starts[node.end_lineno]
        parts: list[bytes] = []
        at = start
        for begin, stop, text in sorted(edits):
            if begin >= at:  # not inside what is left out
                parts += [self.data[at:begin], text]
                at = stop
        return b"".join([*parts, self.data[at:end]]).decode("utf-8").strip("\n")


def _shortened(source: _Module, node: ast.stmt, gone: set[ast.AST]) -> Iterator[Edit]:
    """Edits that leave of each docstring its first paragraph."""
    for definition in _definitions(node):
        first = definition.body[0]
        if first in gone or not _is_docstring(first):
            continue
        begin, end = source.span(first)
        raw = source.data[begin:end].decode("utf-8")
        match = re.fullmatch(r"(?s)([rRuU]?)(\"{3}|'{3}|\"|')(.*)\2", raw)
        if match is None:
            raise ExtractionError(f"{source.name}: the docstring {raw[:40]!r} is put together")
        prefix, quotes, text = match.groups()
        kept = re.split(r"\n\s*\n", text.strip())[0].rstrip()
        if kept != text:
            quotes = quotes if len(quotes) == 3 else quotes * 3
            kept += " " if kept.endswith(quotes[0]) else ""
            yield begin, end, f"{prefix}{quotes}{kept}{quotes}".encode()


def _free(
    node: ast.AST, left_out: set[ast.AST], bound: frozenset[str] = frozenset()
) -> Iterator[ast.AST]:
    """The names and attributes that are looked up outside of the functions that bind them."""
    if node in left_out:
        return
    if isinstance(node, ast.Attribute):
        yield node
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in bound:
        yield node
    inner = bound
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        inner |= _local(node)
    elif isinstance(node, ast.ClassDef):
        own = bound.union(*map(_bound, node.body))
        for child in ast.iter_child_nodes(node):
            yield from _free(child, left_out, bound if isinstance(child, ast.FunctionDef) else own)
        return
    for child in ast.iter_child_nodes(node):
        yield from _free(child, left_out, inner)


def _local(function: ast.FunctionDef | ast.Lambda) -> frozenset[str]:
    """Parameters and all that is assigned inside, inner functions included."""
    found: set[str] = set()
    outer: set[str] = set()
    for part in ast.walk(function):
        if isinstance(part, ast.arg):
            found.add(part.arg)
        elif isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            found.add(part.id)
        elif isinstance(part, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler):
            if part is not function and part.name:
                found.add(part.name)
        elif isinstance(part, ast.Global):
            outer.update(part.names)
        elif isinstance(part, ast.Import | ast.ImportFrom):
            found.update(_bound(part))
    return frozenset(found - outer)


def _definitions(node: ast.AST) -> Iterator[Definition]:
    for part in ast.walk(node):
        if isinstance(part, ast.FunctionDef | ast.ClassDef):
            yield part


def _bound(node: ast.stmt) -> frozenset[str]:
    """The names that a statement binds in its own scope."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return frozenset({node.name})
    if isinstance(node, ast.Import | ast.ImportFrom):
        return frozenset(alias.asname or alias.name for alias in node.names)
    if isinstance(node, ast.Try | ast.If):
        inner = [*node.body, *node.orelse]
        if isinstance(node, ast.Try):
            inner += [each for handler in node.handlers for each in handler.body]
        return frozenset().union(*map(_bound, inner))
    return frozenset(
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    )


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _first_line(node: ast.expr | ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
    return min([node.lineno, *(each.lineno for each in decorators)])


def _last_name(node: ast.expr) -> str:
    """`f` of `a.f`, and of `a.f(...)`."""
    while isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _root(module: str) -> str:
    return module.partition(".")[0]


def _joined(bodies: Sequence[str]) -> str:
    """Two blank lines around functions and classes, none between other statements."""
    text = ""
    for body, after in zip(bodies, [*bodies[1:], ""], strict=True):
        large = any(re.search(r"(?m)^(@|def |class )", each) for each in (body, after))
        text += body + ("\n\n\n" if large else "\n")
    return text.rstrip("\n")
