"""The library pool: real source from installed packages, and programs that do what those do."""

from __future__ import annotations

import ast
import io
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from deskcheck.builder.parameters import Parameters
from deskcheck.builder.refusals import refusal
from deskcheck.builder.syntax import read_source
from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.identity import Draws
from deskcheck.sources.conformance import check_pool
from deskcheck.sources.library import packages
from deskcheck.sources.library.catalogue import ROUTINES
from deskcheck.sources.library.extraction import ExtractionError, Take, extract
from deskcheck.sources.library.pool import LibraryPool
from deskcheck.sources.library.routine import Routine, program_of
from deskcheck.sources.pools import Candidate, PoolOptions

each_routine = pytest.mark.parametrize("routine", ROUTINES, ids=lambda routine: routine.name)


def read(seed: int = 0, /, **options: str) -> list[Candidate]:
    return list(LibraryPool().candidates(PoolOptions(seed=seed, options=options)))


def printed(routine: Routine, stdin: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the routine's program prints, run in this process."""
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
    monkeypatch.setattr(sys, "stdout", out)
    exec(compile(program_of(routine), routine.name, "exec"), {"__name__": "program"})
    monkeypatch.undo()
    return out.getvalue()


@pytest.mark.slow
@each_routine
def test_a_program_prints_what_the_installed_routine_gives(
    routine: Routine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On inputs of all sizes, from the smallest one on."""
    for size in (4, 5, 9, routine.sizes[-1]):
        stdin = routine.generate(Draws("test", routine.name, size), size)
        assert printed(routine, stdin, monkeypatch) == routine.reference(stdin), size


@pytest.mark.slow
@each_routine
def test_a_program_is_one_file_that_runs_alone(routine: Routine) -> None:
    """Without any package at hand, in a new process."""
    stdin = routine.generate(Draws("test", routine.name, 9), 9)
    command = [sys.executable, "-I", "-S", "-c", program_of(routine).decode()]
    ended = subprocess.run(command, input=stdin.encode(), capture_output=True, check=True)
    assert ended.stdout.decode() == routine.reference(stdin)


@pytest.mark.slow
@each_routine
def test_a_program_is_refused_for_nothing(routine: Routine) -> None:
    """Admission has nothing against what it uses."""
    assert refusal(read_source(program_of(routine))) is None


@each_routine
def test_a_program_is_fit_to_be_shown(routine: Routine) -> None:
    """It is short enough, without doctests, and imports the standard library alone."""
    source = program_of(routine)
    assert len(source) <= Parameters().max_source_characters
    text = source.decode()
    assert ">>>" not in text and "_dispatchable" not in text and "not_implemented_for" not in text
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= sys.stdlib_module_names
        if isinstance(node, ast.ImportFrom):
            assert (node.module or "").partition(".")[0] in sys.stdlib_module_names


@each_routine
def test_the_routine_is_the_installed_one(routine: Routine) -> None:
    """Without docstrings and library decorators its tree is that of the package's own file."""
    take = routine.takes[0]
    path = import_module(take.module).__file__
    assert path is not None
    theirs, ours = (
        definition(ast.parse(text), take.names[0], take.members.get(take.names[0]))
        for text in (Path(path).read_bytes(), program_of(routine))
    )
    assert ours == theirs


def definition(tree: ast.Module, name: str, members: object) -> str:
    """One definition, spelled alike: `nx.f` as `f`, no docstrings, only the members kept."""
    (found,) = (
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name
    )
    found.decorator_list = []
    if members is not None:
        assert isinstance(members, tuple)
        found.body = [each for each in found.body if getattr(each, "name", "") in members]
    for node in ast.walk(found):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            node.body = node.body[1:]
    return ast.unparse(found).replace("nx.utils.", "").replace("nx.", "")


@pytest.mark.slow
def test_keeps_the_contract_of_pools() -> None:
    """Conformance holds, in two processes with different hash seeds too."""
    assert check_pool(LibraryPool(), PoolOptions(seed=3, options={"cases": "1"})) == []


def test_cases_rise_in_difficulty_and_start_again() -> None:
    """Candidates of one routine share a program and differ in the size of their inputs."""
    found = read(only="dijkstra", cases="4")
    assert [each.id for each in found] == [f"library/dijkstra-{n}" for n in (1, 2, 3, 4)]
    assert len({each.program.sha for each in found}) == 1
    assert [each.tags["level"] for each in found] == ["1", "2", "3", "1"]
    longest = [len(each.inputs[-1].data) for each in found]
    assert longest[0] < longest[1] < longest[2] > longest[3]
    assert found[0].inputs != found[3].inputs
    for each in found:
        lengths = [len(one.data) for one in each.inputs]
        assert lengths == sorted(lengths) and len(lengths) >= 3


def test_numbers_may_begin_anywhere() -> None:
    """Later candidates of a routine are the same without those before them."""
    assert read(only="getopt", first="3", cases="2") == read(only="getopt", cases="4")[2:]


def test_inputs_follow_from_the_seed() -> None:
    """The same seed gives the same inputs, another one others."""
    assert read(1, cases="1") == read(1, cases="1")
    for one, other in zip(read(1, cases="1"), read(2, cases="1"), strict=True):
        assert one.inputs != other.inputs
        assert one.program == other.program


def test_a_candidate_says_where_it_comes_from() -> None:
    """Licence, author and address of the package, and the version that is installed."""
    (drawn,) = read(only="kruskal", cases="1")
    assert (drawn.provenance.licence, drawn.provenance.origin) == ("BSD-3-Clause", "kruskal")
    assert drawn.tags["version"] == import_module("networkx").__version__
    assert drawn.tags["routine"] == "networkx.algorithms.tree.mst.kruskal_mst_edges"
    (drawn,) = read(only="punycode", cases="1")
    assert drawn.provenance.licence == "PSF-2.0"
    assert drawn.tags["version"] == ".".join(map(str, sys.version_info[:3]))


def test_without_networkx_the_standard_library_is_still_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One line says what to install; routines of the standard library need nothing."""
    monkeypatch.setattr(packages, "_installed", lambda name: None)
    with pytest.raises(PoolError, match="NetworkX, which is not installed") as caught:
        read()
    assert "pip install 'deskcheck[networkx]'" in str(caught.value.hint)
    assert len(read(package="cpython", cases="1")) >= 8


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"only": "dijkstr"}, "no routine 'dijkstr'"),
        ({"package": "numpy"}, "no package 'numpy'"),
        ({"cases": "0"}, "cases='0'"),
        ({"cases": "many"}, "cases='many'"),
        ({"case": "1"}, "no option 'case'"),
        ({"only": "kruskal", "package": "cpython"}, "no routine is both"),
    ],
)
def test_wrong_options_are_one_line(options: dict[str, str], expected: str) -> None:
    with pytest.raises(PoolError, match=expected):
        read(**options)


def test_data_are_refused() -> None:
    with pytest.raises(PoolError, match="reads no data"):
        LibraryPool().candidates(PoolOptions(data="x"))


PACKAGE = {
    "__init__.py": "from shelf.tools import double\n",
    "tools.py": '''\
import math as m
from os import path, sep
from shelf.deep.more import helper

LIMIT = 3
UNUSED = 4


class Failure(Exception):
    """One line."""


# About doubling.
def double(x):
    """Twice as much.

    >>> double(2)
    4
    """
    UNUSED = m.floor(x)
    if x > LIMIT:
        raise Failure(x)
    return helper(UNUSED)


class Shape:
    """A shape."""

    # Of no use.
    def area(self):
        return sep

    # Of use.
    def sides(self):
        return path.join("a")


try:
    from _fast import quick
except ImportError:
    quick = None


def quick(x):
    return x
''',
    "deep/__init__.py": "",
    "deep/more.py": """\
import shelf as sh
from ..registry import _dispatchable


@_dispatchable(
    name="x",
)
def helper(x):
    "Short."
    return sh.registry.FACTOR * sh.double(x) if x else sh.Store(x)
""",
    "registry.py": "FACTOR = 2\n\n\ndef _dispatchable(name):\n    return lambda f: f\n\n\n"
    "class Store:\n    pass\n",
}


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that can be taken from."""
    for name, text in PACKAGE.items():
        (tmp_path / "shelf" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "shelf" / name).write_text(text)
    init = tmp_path / "shelf/__init__.py"
    init.write_text(init.read_text() + "import shelf.registry\nfrom shelf.registry import Store\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [name for name in sys.modules if name.partition(".")[0] == "shelf"]:
        monkeypatch.delitem(sys.modules, name)


@pytest.mark.usefixtures("shelf")
def test_what_a_function_needs_is_taken_along() -> None:
    """Constants, classes and functions of other modules come along, as written; nothing else."""
    text = extract([Take(module="shelf.tools", names=("double",))], {"shelf.registry:Store": "Own"})
    assert (
        text
        == '''\
import math as m


# From shelf.registry


FACTOR = 2


# From shelf.deep.more


def helper(x):
    "Short."
    return FACTOR * double(x) if x else Own(x)


# From shelf.tools


LIMIT = 3


class Failure(Exception):
    """One line."""


# About doubling.
def double(x):
    """Twice as much."""
    UNUSED = m.floor(x)
    if x > LIMIT:
        raise Failure(x)
    return helper(UNUSED)
'''
    )


@pytest.mark.usefixtures("shelf")
def test_members_are_left_out_with_their_comments() -> None:
    """Of a class whose members are listed only those are shown, and only their imports taken."""
    take = Take(module="shelf.tools", names=("Shape",), members={"Shape": ("sides",)})
    assert extract([take], {}).endswith(
        '''\
class Shape:
    """A shape."""

    # Of use.
    def sides(self):
        return path.join("a")
'''
    )
    assert "from os import path\n" in extract([take], {})
    assert "sep" not in extract([take], {})


@pytest.mark.usefixtures("shelf")
def test_a_plain_definition_goes_before_a_conditional_one() -> None:
    """Where C code may take a function's place, the Python function is what is shown."""
    text = extract([Take(module="shelf.tools", names=("quick",))], {})
    assert text.endswith("def quick(x):\n    return x\n") and "_fast" not in text


@pytest.mark.usefixtures("shelf")
def test_what_is_not_there_is_a_fault() -> None:
    with pytest.raises(ExtractionError, match="no top-level 'triple'"):
        extract([Take(module="shelf.tools", names=("triple",))], {})
    with pytest.raises(ExtractionError, match="no Python source"):
        extract([Take(module="math", names=("floor",))], {})
