"""The folder pool: which files make which program, what is left out, and clear errors."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deskcheck.oracles.errors import PoolError
from deskcheck.sources import folder
from deskcheck.sources.conformance import check_pool
from deskcheck.sources.folder import FolderPool
from deskcheck.sources.folder_names import identity, natural_key, shown
from deskcheck.sources.folder_toml import DEFAULT_KEYS, INPUT_KEYS, PROGRAM_KEYS
from deskcheck.sources.pools import Candidate, PoolOptions, Unusable

ROOT = Path(__file__).parents[2]
ECHO = "print(input())\n"


def write(top: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = content.encode(errors="backslashreplace") if isinstance(content, str) else content
        path.write_bytes(text)


def lay(top: Path, *names: str) -> None:
    """Files of these names: programs that print their input, all others with their name in it."""
    write(top, {name: ECHO if name.endswith(".py") else name for name in names})


def read(top: Path) -> list[Candidate | Unusable]:
    return list(FolderPool().candidates(PoolOptions(data=str(top))))


def candidates(top: Path) -> dict[str, Candidate]:
    found = read(top)
    assert [each for each in found if isinstance(each, Unusable)] == []
    return {each.id: each for each in found if isinstance(each, Candidate)}


def inputs(top: Path) -> dict[str, list[str]]:
    return {name: [one.name for one in each.inputs] for name, each in candidates(top).items()}


def left_out(top: Path) -> Unusable:
    (each,) = read(top)
    assert isinstance(each, Unusable)
    return each


def refusal(top: Path) -> str:
    with pytest.raises(PoolError) as raised:
        FolderPool().candidates(PoolOptions(data=str(top)))
    assert "\n" not in str(raised.value)
    assert raised.value.hint
    return str(raised.value)


# Layouts


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["p.py", "p.in", "p.1.in"], {"folder/p.py": ["p.1.in", "p.in"]}),
        (["p.py", "p.a.txt", "p.b.txt"], {"folder/p.py": ["p.a.txt", "p.b.txt"]}),
        (["p.py", "p/1.in", "p/2.txt"], {"folder/p.py": ["p/1.in", "p/2.txt"]}),
        (["p.py", "p.inputs/1", "p.inputs/1.in", "p.inputs/2.in"],
         {"folder/p.py": ["p.inputs/1.in", "p.inputs/2.in"]}),
        (["p.py", "inputs/p/a.txt", "inputs/p/b.in", "inputs/p/c.dat"],
         {"folder/p.py": ["inputs/p/a.txt", "inputs/p/b.in"]}),
        (["p.py", "inputs/p/1.in", "p.inputs/1.in", "p/1.in", "p.1.in"],
         {"folder/p.py": ["p.1.in", "p/1.in", "p.inputs/1.in", "inputs/p/1.in"]}),
        (["p.py", "p.10.in", "p.9.in", "p.1.in"],
         {"folder/p.py": ["p.1.in", "p.9.in", "p.10.in"]}),
        (["b/p.py", "b/p.1.in", "b/p.2.in", "a/p.py", "a/p/x.in", "a/p/y.in"],
         {"folder/a/p.py": ["p/x.in", "p/y.in"], "folder/b/p.py": ["p.1.in", "p.2.in"]}),
        (["t10.py", "t10.1.in", "t10.2.in", "t9.py", "t9.1.in", "t9.2.in"],
         {"folder/t9.py": ["t9.1.in", "t9.2.in"], "folder/t10.py": ["t10.1.in", "t10.2.in"]}),
        (["p.py", "p.1.in", "p.2.in", "p.q.py", "p.q.1.in", "p.q.2.in", "p.q.in"],
         {"folder/p.py": ["p.1.in", "p.2.in"],
          "folder/p.q.py": ["p.q.1.in", "p.q.2.in", "p.q.in"]}),
        (["p.py", "p.1.in", "p.2.in", "p/q.py", "p/q.1.in", "p/q.2.in", "p/3.in"],
         {"folder/p/q.py": ["q.1.in", "q.2.in"],
          "folder/p.py": ["p.1.in", "p.2.in", "p/3.in"]}),
        (["p.py", "p.1.in", "p.2.in", "p.txt", "px.1.in", "p1.in", "README.md", "data.txt"],
         {"folder/p.py": ["p.1.in", "p.2.in"]}),
        (["p.py", "p.1.in", "p.2.in", ".q.py", "_q.py", "__pycache__/q.py", ".git/q.py",
          "_old/q.py", "p/.3.in", "_q.toml"], {"folder/p.py": ["p.1.in", "p.2.in"]}),
    ],
)  # fmt: skip
def test_inputs_are_found_by_name(
    tmp_path: Path, names: list[str], expected: dict[str, list[str]]
) -> None:
    """Each layout gives these programs in this order, with these inputs in this order."""
    lay(tmp_path, *names)
    assert inputs(tmp_path) == expected
    assert [*inputs(tmp_path)] == [*expected]


def test_a_program_without_more_said_has_the_defaults(tmp_path: Path) -> None:
    """Every field of one candidate that is found by name."""
    write(tmp_path, {"a/p.py": ECHO, "a/p.1.in": "x\n", "a/p.2.in": b"\xef\xbb\xbfy\r\n"})
    (each,) = candidates(tmp_path).values()
    assert (each.id, each.pool, each.study) == ("folder/a/p.py", "folder", "folder-python")
    assert (each.program.language, each.program.source) == ("python", ECHO.encode())
    assert [one.data for one in each.inputs] == [b"x\n", b"\xef\xbb\xbfy\r\n"]
    assert [one.listed_output for one in each.inputs] == [None, None]
    assert (each.provenance.licence, each.provenance.author) == ("unstated", "unstated")
    assert each.provenance.origin == "folder/a/p.py"
    assert each.final_rule == "tokens"
    assert each.tags == {"file": "a/p.py"}


def test_listed_outputs_lie_beside_their_inputs(tmp_path: Path) -> None:
    """An output has its input's name up to the suffix; `.out` goes before `.ans`."""
    lay(tmp_path, "p.py", "p.1.in", "p.1.out", "p.1.ans", "p/a.txt", "p/a.ans", "p.in", "p.2.out")
    (each,) = candidates(tmp_path).values()
    listed = {one.name: one.listed_output for one in each.inputs}
    assert listed == {"p.1.in": b"p.1.out", "p/a.txt": b"p/a.ans", "p.in": None}


@pytest.mark.parametrize(
    ("output", "rule"), [("1 2\n3\n", "tokens"), ("#  #\n", "lines"), (b"\xff\n", "tokens")]
)
def test_listed_outputs_with_a_layout_compare_by_lines(
    tmp_path: Path, output: str | bytes, rule: str
) -> None:
    """The rule is `lines` where one listed output would lose meaning as tokens."""
    write(tmp_path, {"p.py": ECHO, "p.1.in": "1", "p.2.in": "2", "p.2.out": output})
    assert [each.final_rule for each in candidates(tmp_path).values()] == [rule]


def test_of_equal_inputs_the_first_is_kept(tmp_path: Path) -> None:
    """Inputs with the same bytes are one input."""
    write(tmp_path, {"p.py": ECHO, "p.1.in": "x", "p.2.in": "x", "p.3.in": "y", "p.4.in": "x"})
    assert inputs(tmp_path) == {"folder/p.py": ["p.1.in", "p.3.in"]}


def test_source_bytes_are_carried_as_they_are(tmp_path: Path) -> None:
    """Line ends, marks and bytes that are not UTF-8 are for the builder to judge."""
    source = b"\xef\xbb\xbfprint('\xff')\r\n\x0c"
    write(tmp_path, {"p.py": source, "p.1.in": "1", "p.2.in": "2"})
    (each,) = candidates(tmp_path).values()
    assert each.program.source == source


# TOML files


FULL = """
program = "src/p.py"
language = "python"
licence = "MIT"
author = "A. Author"
origin = "the-problem"
url = "https://example.org"
study = "mine"
final_rule = "bytes"
tags = { difficulty = "easy", file = "elsewhere" }
inputs = [
  "1\\n",
  { text = "2\\n", output = "two\\n" },
  { name = "third", path = "src/3.in", output_path = "src/3.out" },
  { path = "src/4.txt" },
  { path = "src/../src/3.out", output = "" },
]
"""


def test_a_toml_file_says_everything(tmp_path: Path) -> None:
    """Every key arrives in the candidate; the program it names is not taken a second time."""
    lay(tmp_path, "a/src/p.py", "a/src/p.1.in", "a/src/3.in", "a/src/3.out", "a/src/4.txt")
    write(tmp_path, {"a/x.toml": FULL})
    (each,) = candidates(tmp_path).values()
    assert (each.id, each.study, each.final_rule) == ("folder/a/x.toml", "mine", "bytes")
    assert each.program.source == ECHO.encode()
    told = each.provenance
    assert (told.licence, told.author) == ("MIT", "A. Author")
    assert (told.origin, told.url) == ("the-problem", "https://example.org")
    assert each.tags == {"difficulty": "easy", "file": "elsewhere"}
    assert [(one.name, one.data, one.listed_output) for one in each.inputs] == [
        ("1", b"1\n", None),
        ("2", b"2\n", b"two\n"),
        ("third", b"a/src/3.in", b"a/src/3.out"),
        ("src/4.txt", b"a/src/4.txt", None),
        ("src/../src/3.out", b"a/src/3.out", b""),
    ]


def test_a_toml_file_may_hold_the_program(tmp_path: Path) -> None:
    """Source and inputs inline: one file, Python unless another language is given."""
    write(tmp_path, {"x.toml": "source = '''\nprint(input())\n'''\ninputs = ['1', '2']\n"})
    (each,) = candidates(tmp_path).values()
    assert each.program.source == ECHO.encode()
    assert [one.data for one in each.inputs] == [b"1", b"2"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("program = 'p.py'", ["p.py", "p.1.in", "p/2.in"]),
        ("program = '../p.py'", ["../p.py", "../p.1.in", "../p/2.in"]),
        ("program = 'q/p.x'\nlanguage = 'python'", ["q/p.x", "q/p/a.in", "q/p/b.in"]),
        ("source = 'print(input())'", ["x.1.in", "x/2.in"]),
    ],
)
def test_without_listed_inputs_they_are_found_by_name(
    tmp_path: Path, text: str, names: list[str]
) -> None:
    """By the name of the program, or of the TOML file that holds it."""
    lay(tmp_path, *(os.path.normpath(f"sub/{name}") for name in names))
    write(tmp_path, {"sub/x.toml": text})
    (each,) = candidates(tmp_path).values()
    assert len(each.inputs) == 2


PAIR = "\ninputs = ['1', '2']\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("program = 'p.py", "x.toml: not TOML: "),
        ("licence = 'MIT'\nsource = = 'x'", "(at line 2, column 10)"),
        ("a = " + "[" * 10_000, "x.toml: not TOML: "),
        ("a = " + "1" * 5_000, "x.toml: not TOML: "),
        (b"source = '\xff'", "x.toml: byte 10 is not UTF-8"),
        ("", "x.toml: neither program nor source is given"),
        ("program = 'p.py'\nsource = 'x'", "x.toml: both program and source are given"),
        ("progam = 'p.py'", "x.toml: unknown key 'progam'; did you mean program?"),
        ("[tool.x]", "x.toml: unknown key 'tool'; keys: program, source,"),
        ("program = 3", "x.toml: program is an integer; it must be a string"),
        ("program = ''", "x.toml: program is blank"),
        ("source = 'x'\nlicence = ' '", "x.toml: licence is blank"),
        ("source = 'x'\nauthor = ['A']", "x.toml: author is an array; it must be a string"),
        ("source = 'x'\ntags = 'easy'", "x.toml: tags is a string; it must be a table"),
        ("source = 'x'\ntags = { year = 1959 }", "x.toml: tags.year is an integer"),
        ("source = 'x'\nurl = 1979-05-27", "x.toml: url is a date; it must be a string"),
        (
            "source = 'x'\nlanguage = 'Python'",
            "language is 'Python'; it must be one of python, cpp",
        ),
        ("source = 'x'\nfinal_rule = 'exact'", "final_rule is 'exact'; it must be one of json, "),
        ("source = 'x'\ninputs = '1'", "x.toml: inputs is a string; it must be an array"),
        ("source = 'x'\ninputs = ['1', 2]", "x.toml: inputs[2] is an integer; give the input's"),
        ("source = 'x'\ninputs = [{}]", "neither inputs[1].path nor inputs[1].text is given"),
        (
            "source = 'x'\ninputs = [{ txt = '1' }]",
            "unknown key 'inputs[1].txt'; did you mean text",
        ),
        ("source = 'x'\ninputs = [{ text = true }]", "inputs[1].text is a boolean"),
        ("source = 'x'\ninputs = [{ text = '', path = 'p' }]", "both inputs[1].path and inputs[1]"),
        ("source = 'x'\ninputs = [{ text = '', name = '' }]", "inputs[1].name is blank"),
        (
            "source = 'x'\ninputs = [{ text = '1', output = '1', output_path = 'o' }]",
            "inputs[1] has both `output` and `output_path`",
        ),
        ("source = 'x'\ninputs = [{ text = '1', name = '2' }, '2']", "2 inputs are named '2'"),
        ("program = 'gone.py'" + PAIR, "does not exist; mend its name"),
        ("program = '.'" + PAIR, "is not a regular file"),
        ("program = '../out.py'" + PAIR, "out.py leads out of the folder; copy the file into"),
        ("program = '/etc/hosts'" + PAIR, "x.toml: /etc/hosts leads out of the folder"),
        ('program = "p\\u0000.py"' + PAIR, "p\\x00.py cannot be reached"),
        (f"program = '{'p' * 300}.py'" + PAIR, "cannot be reached: [Errno"),
        ("program = 'p.rb'" + PAIR, "p.rb does not tell its language; add language"),
        ("source = 'x'\ninputs = [{ path = 'gone.in' }]", "gone.in does not exist"),
        ("source = 'x'\ninputs = [{ text = '', output_path = '../out.py' }]", "leads out of the"),
    ],
)
def test_a_faulty_toml_file_is_refused(tmp_path: Path, text: str | bytes, said: str) -> None:
    """One line names the file, the fault and what to do, before the first program."""
    write(tmp_path, {"out.py": ECHO, "top/a.py": ECHO, "top/x.toml": text, "top/p.rb": "puts 1"})
    assert said in refusal(tmp_path / "top")
    assert "x.toml" in refusal(tmp_path / "top")


# pool.toml


def test_defaults_hold_where_a_program_is_silent(tmp_path: Path) -> None:
    """`pool.toml` speaks for all programs; a program's own word goes before it."""
    lay(tmp_path, "p.py", "p.1.in", "p.2.in", "a/q.py", "a/q.1.in", "a/q.2.in")
    told = "licence = 'CC0-1.0'\nauthor = 'All'\nstudy = 'ours'\norigin = 'directory'\n"
    own = "source = 'x'\nlicence = 'MIT'\nstudy = 's'\norigin = 'o'" + PAIR
    write(tmp_path, {"pool.toml": told, "a/r.toml": own})
    found = [
        (
            each.id,
            each.study,
            each.provenance.licence,
            each.provenance.author,
            each.provenance.origin,
        )
        for each in candidates(tmp_path).values()
    ]
    assert found == [
        ("folder/a/q.py", "ours", "CC0-1.0", "All", "folder/a"),
        ("folder/a/r.toml", "s", "MIT", "All", "o"),
        ("folder/p.py", "ours", "CC0-1.0", "All", "folder"),
    ]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("pool.toml", "license = 'MIT'", "pool.toml: unknown key 'license'; did you mean licence"),
        ("pool.toml", "licence = 1", "pool.toml: licence is an integer; it must be a string"),
        ("pool.toml", "origin = 'folder'", "origin is 'folder'; it must be one of file, directory"),
        ("pool.toml", "licence", "pool.toml: not TOML: "),
        ("a/pool.toml", "licence = 'MIT'", "a/pool.toml is not at the top of "),
    ],
)
def test_faulty_defaults_are_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    """A wrong `pool.toml`, or one in the wrong place, is named and not passed over."""
    lay(tmp_path, "p.py", "p.1.in", "p.2.in")
    write(tmp_path, {name: text})
    assert said in refusal(tmp_path)


# What is left out


@pytest.mark.parametrize(
    ("files", "check", "said"),
    [
        ({"p.py": ECHO}, "too_few_inputs", "0 inputs, where a case needs 2 that differ; looked"),
        ({"p.py": ECHO}, "too_few_inputs", "beside p.py for p.in, p.*.in and p.*.txt, and for"),
        ({"p.py": ECHO, "p.in": ""}, "too_few_inputs", "1 input, where a case needs 2"),
        (
            {"p.py": ECHO, "p.1.in": "x", "p.2.in": "x"},
            "too_few_inputs",
            "2 inputs with the same bytes, where",
        ),
        (
            {"p.toml": "source = 'x'\ninputs = ['1']"},
            "too_few_inputs",
            "1 input, where a case needs 2 that differ; they are listed in p.toml",
        ),
        (
            {"p.py": ECHO, "p.1.in": "x", "p.2.in": b"ab\xff"},
            "input_not_utf8",
            "input p.2.in: byte 2 is not UTF-8",
        ),
        ({"p.py": " \n\t", "p.1.in": "1", "p.2.in": "2"}, "empty_source", "the source is blank"),
    ],
)
def test_what_cannot_make_a_case_is_left_out_with_a_reason(
    tmp_path: Path, files: dict[str, str | bytes], check: str, said: str
) -> None:
    """The program is yielded as unusable, with the check and what was seen."""
    write(tmp_path, files)
    each = left_out(tmp_path)
    assert each.check == check
    assert said in each.detail
    assert each.study == "folder-python"


@pytest.mark.parametrize(
    ("name", "limit", "said"),
    [
        ("p.py", "SOURCE_LIMIT", "the source has more than 20 bytes"),
        ("p.1.in", "INPUT_LIMIT", "input p.1.in has more than 20 bytes"),
        ("p.1.out", "INPUT_LIMIT", "the listed output of input p.1.in has more than 20 bytes"),
    ],
)
def test_large_files_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, limit: str, said: str
) -> None:
    """A file of the limit's size is taken, one byte more is not."""
    monkeypatch.setattr(folder, limit, 20)
    write(tmp_path, {"p.py": ECHO, "p.1.in": "1", "p.2.in": "2", "p.1.out": "3"})
    write(tmp_path, {name: "#" * 20})
    assert candidates(tmp_path)
    write(tmp_path, {name: "#" * 21})
    assert (left_out(tmp_path).check, left_out(tmp_path).detail) == ("too_large", said)


@pytest.mark.parametrize(
    "files",
    [
        {"p.cpp": "int main() {}", "p.1.in": "1", "p.2.in": "2"},
        {"p.toml": "source = 'int main() {}'\nlanguage = 'cpp'" + PAIR},
    ],
)
def test_cpp_is_told_by_its_suffix_or_its_description(
    tmp_path: Path, files: dict[str, str | bytes]
) -> None:
    write(tmp_path, files)
    (each,) = candidates(tmp_path).values()
    assert (each.study, each.program.language) == ("folder-cpp", "cpp")


def test_one_left_out_does_not_stop_the_others(tmp_path: Path) -> None:
    """All programs are yielded, usable or not, each once and in order."""
    lay(tmp_path, "a.py", "b.py", "b.1.in", "b.2.in", "c.cpp")
    assert [(each.id, type(each)) for each in read(tmp_path)] == [
        ("folder/a.py", Unusable),
        ("folder/b.py", Candidate),
        ("folder/c.cpp", Unusable),
    ]


# Folders and files that cannot be used


@pytest.mark.parametrize("data", [None, ""])
def test_a_folder_must_be_given(data: str | None) -> None:
    """Without data there is nothing to read."""
    with pytest.raises(PoolError, match="was given no folder; name one with `--data FOLDER`"):
        FolderPool().candidates(PoolOptions(data=data))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gone", "there is no folder {}; give the folder that holds the programs"),
        ("file.py", "{} is not a folder; give the folder that holds the programs"),
        ("file.py/x", "there is no folder {}"),
        ("empty", "there is no program in {}; put prog.py with prog.1.in"),
        ("notes", "there is no program in {}"),
        ("n" * 300, "{} cannot be reached: File name too long"),
    ],
)
def test_a_folder_that_is_none_is_refused(tmp_path: Path, name: str, said: str) -> None:
    """Missing, a file, empty, or without a program: one line names it and what is expected."""
    (tmp_path / "empty").mkdir()
    write(tmp_path, {"file.py": ECHO, "notes/README.md": "", "notes/p.1.in": "1", "notes/_.py": ""})
    assert said.format(tmp_path / name) in refusal(tmp_path / name)


def test_options_are_refused(tmp_path: Path) -> None:
    """The pool has none, so a misplaced one is not passed over."""
    with pytest.raises(PoolError, match="pool 'folder' has no option 'only'; it takes none"):
        FolderPool().candidates(PoolOptions(data=str(tmp_path), options={"only": "p"}))


@pytest.mark.parametrize("name", ["p.py", "p.1.in", "p.1.out", "x.toml", "pool.toml"])
def test_links_may_not_lead_out(tmp_path: Path, name: str) -> None:
    """Neither a program nor an input, an output or a TOML file comes from outside the folder."""
    top = tmp_path / "top"
    lay(top, "p.py", "p.1.in", "p.2.in")
    write(tmp_path, {"outside": "licence = 'MIT'\n"})
    (top / name).unlink(missing_ok=True)
    (top / name).symlink_to(tmp_path / "outside")
    assert f"{top / name} leads out of the folder; copy the file into {top}" in refusal(top)


def test_links_inside_are_followed_to_files_and_not_to_folders(tmp_path: Path) -> None:
    """A link to a file is that file; a link to a folder, such as a loop, is passed over."""
    lay(tmp_path, "p.py", "p.1.in", "a/2.in")
    (tmp_path / "p.2.in").symlink_to("a/2.in")
    (tmp_path / "a/again").symlink_to("..")
    (each,) = candidates(tmp_path).values()
    assert [one.data for one in each.inputs] == [b"p.1.in", b"a/2.in"]


@pytest.mark.parametrize("name", ["p.py", "p.1.in", "x.toml"])
@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("dangling", r"does not exist; mend"),
        ("loop", r"is a link to itself; remove it|does not exist; mend"),
        ("pipe", r"is not a regular file; put a regular file there"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str, kind: str, said: str) -> None:
    """A link to nothing, a link to itself and a pipe are refused, and never waited for."""
    lay(tmp_path, "p.py", "p.1.in", "p.2.in")
    (tmp_path / name).unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(tmp_path / name)
    else:
        (tmp_path / name).symlink_to("nothing" if kind == "dangling" else name)
    assert re.search(rf"{re.escape(str(tmp_path / name))} ({said})", refusal(tmp_path))


@pytest.mark.parametrize("name", ["p.py", "p.1.in", "x.toml", "sub"])
def test_what_may_not_be_read_is_named(tmp_path: Path, name: str) -> None:
    """A file or folder without the right to read it is refused by name."""
    lay(tmp_path, "p.py", "p.1.in", "p.2.in", "sub/q.py")
    write(tmp_path, {"x.toml": "source = 'x'" + PAIR})
    (tmp_path / name).chmod(0)
    try:
        if os.access(tmp_path / name, os.R_OK):
            pytest.skip("this user may read everything")
        assert f"{tmp_path / name} cannot be" in refusal(tmp_path)
    finally:
        (tmp_path / name).chmod(0o700)


def test_a_file_that_goes_while_reading_is_named(tmp_path: Path) -> None:
    """A program that was there when the folder was listed is not dropped without a word."""
    lay(tmp_path, "p.py", "p.1.in", "p.2.in")
    planned = FolderPool().candidates(PoolOptions(data=str(tmp_path)))
    (tmp_path / "p.2.in").unlink()
    with pytest.raises(PoolError, match=r"p\.2\.in cannot be read: No such file"):
        list(planned)


# Names


def test_odd_names_make_sound_ids(tmp_path: Path) -> None:
    """Space, colon, line break, non-ASCII and undecodable names: the contract of pools holds."""
    odd = ["two sum", "a:b", "größe", "x\ny", "back\\slash", "x_y", "~", "a\udcffb", "100%", "ﬁ"]
    for name in odd:
        lay(tmp_path, f"{name}.py", f"{name}.1.in", f"{name}/ 2.in", f"deep {name}/p.py")
    found = read(tmp_path)
    assert len({each.id for each in found}) == len(found) == 2 * len(odd)
    assert check_pool(FolderPool(), PoolOptions(data=str(tmp_path))) == []
    assert all(re.fullmatch(r"folder/[A-Za-z0-9._+/~-]+", each.id) for each in found)
    for each in found:
        if isinstance(each, Candidate):
            assert all(one.name.isprintable() for one in each.inputs)
            assert each.tags["file"].isprintable()


# File names as Linux has them: no NUL, no slash, undecodable bytes as lone surrogates.
names = st.one_of(
    st.from_regex(r"[a-z0-9._~ -]{1,6}", fullmatch=True),
    st.binary(min_size=1, max_size=6).filter(lambda raw: not {0, 47} & {*raw}).map(os.fsdecode),
).filter(lambda name: name not in (".", ".."))
places = st.lists(names, min_size=1, max_size=3).map(lambda parts: PurePosixPath(*parts))


@given(one=places, other=places)
@example(one=PurePosixPath("a b"), other=PurePosixPath("a_b"))
@example(one=PurePosixPath("a b"), other=PurePosixPath("a:b"))
@example(one=PurePosixPath("x\n"), other=PurePosixPath("x\\n"))
def test_different_files_have_different_names(one: PurePosixPath, other: PurePosixPath) -> None:
    """Ids, shown paths and places in the order tell any two files apart, and are clean text."""
    for each in (one, other):
        assert re.fullmatch(r"folder(/[A-Za-z0-9._+~-]+)+", identity("folder", each))
        assert shown(each).isprintable()
    same = one == other
    assert (identity("folder", one) == identity("folder", other)) == same
    assert (shown(one) == shown(other)) == same
    assert (natural_key(one) == natural_key(other)) == same


@given(number=st.integers(0, 10**12), larger=st.integers(1, 10**12), text=st.sampled_from("at-."))
def test_numbers_in_names_count_by_value(number: int, larger: int, text: str) -> None:
    """`t9` comes before `t10`, whatever the number of digits."""
    one, other = (PurePosixPath(f"{text}{n}.in") for n in (number, number + larger))
    assert natural_key(one) < natural_key(other)


# The whole


def test_keeps_the_contract_of_pools(tmp_path: Path) -> None:
    """A folder with every layout and reason passes, in processes with two hash seeds too."""
    lay(tmp_path, "p.py", "p.2.in", "p.10.in", "q/r.py", "q/r.inputs/a.txt", "q/r.inputs/b.txt")
    write(tmp_path, {"x/full.toml": "source = 'x'\ntags = { b = '1', a = '2' }" + PAIR})
    write(tmp_path, {"s.py": ECHO, "t.cpp": "", "pool.toml": "origin = 'directory'"})
    assert check_pool(FolderPool(), PoolOptions(data=str(tmp_path))) == []
    assert len(read(tmp_path)) == 5


# The guide


GUIDE = (ROOT / "docs/guides/folder-pool.md").read_text("utf-8")
FENCE = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples() -> Iterator[tuple[dict[str, str | bytes], str]]:
    """The guide's examples: the files of each, up to the list of what they give."""
    files: dict[str, str | bytes] = {}
    for _, name, body in FENCE.findall(GUIDE):
        if name == "gives":
            yield files, body
            files = {}
        elif name == "files":
            files |= {each: ECHO if each.endswith(".py") else each for each in body.split()}
        else:
            files[name] = body


EXAMPLES = list(examples())


@pytest.mark.parametrize(("files", "gives"), EXAMPLES, ids=[next(iter(f)) for f, _ in EXAMPLES])
def test_the_guide_tells_what_happens(
    tmp_path: Path, files: dict[str, str | bytes], gives: str
) -> None:
    """Each layout of the guide gives the programs and inputs that it says."""
    write(tmp_path, files)
    assert "".join(f"{name}: {', '.join(one)}\n" for name, one in inputs(tmp_path).items()) == gives


def test_programs_of_the_guide_run(tmp_path: Path) -> None:
    """Those it shows in full print something on every input, and what it lists."""
    written = [files for files, _ in EXAMPLES if {"sums.py", "halve.toml"} & {*files}]
    assert len(written) == 2
    for number, files in enumerate(written):
        write(tmp_path / str(number), files)
        for each in candidates(tmp_path / str(number)).values():
            for one in each.inputs:
                command = [sys.executable, "-I", "-c", each.program.text]
                ended = subprocess.run(command, input=one.data, capture_output=True, check=True)
                assert ended.stdout.strip()
                assert one.listed_output in (None, ended.stdout)


def test_the_guide_names_every_reason_key_and_limit() -> None:
    """Each check and TOML key is explained; the id of an odd name is the real one."""
    code = Path(folder.__file__).read_text("utf-8")
    reasons = {*re.findall(r'check="(\w+)"', code), "too_large"}
    assert reasons == {*re.findall(r"^\| `(\w+)` \|", GUIDE, re.MULTILINE)}
    for key in {*PROGRAM_KEYS, *DEFAULT_KEYS, *INPUT_KEYS}:
        assert re.search(rf"\b{key}\b( =|`)", GUIDE), key
    assert f"`{identity('folder', PurePosixPath('two sum.py'))}`" in GUIDE
    assert (folder.SOURCE_LIMIT, folder.INPUT_LIMIT) == (1 << 20, 32 << 20)
    assert "over 1 MiB" in GUIDE
    assert "over 32 MiB" in GUIDE
