"""The functions pool: programs around functions, inputs from calls, and why a row is left out."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from deskcheck.oracles.errors import PoolError
from deskcheck.sources import functions
from deskcheck.sources.conformance import check_pool
from deskcheck.sources.functions import FunctionsPool
from deskcheck.sources.functions_rows import LINE_LIMIT
from deskcheck.sources.pools import Candidate, PoolOptions, Unusable

ROOT = Path(__file__).parents[2]
SAMPLE = Path(__file__).with_name("functions_sample.jsonl")
ROWS = [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()]
GUIDE = (ROOT / "docs/guides/functions-pool.md").read_text("utf-8")

WORD = re.compile(r"\w+")
CODE = "def f(values):\n    return values[::-1]"


def row(**changes: Any) -> dict[str, Any]:
    return {"id": "r", "code": CODE, "input": "[1, 2, 3]", "output": "[3, 2, 1]"} | changes


def write(path: Path, *rows: dict[str, Any] | bytes) -> Path:
    lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in rows]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def read(path: Path, **options: str) -> list[Candidate | Unusable]:
    return list(FunctionsPool().candidates(PoolOptions(data=str(path), options=options)))


def one(path: Path, **options: str) -> Candidate:
    (each,) = read(path, **options)
    assert isinstance(each, Candidate), each
    return each


def left_out(tmp_path: Path, *rows: dict[str, Any] | bytes) -> Unusable:
    """What is said of the rows after a good one, which must be one thing."""
    good = row(id="good")
    _, each = read(write(tmp_path / "rows.jsonl", good, *rows))
    assert isinstance(each, Unusable), each
    return each


def refusal(path: Path, **options: str) -> str:
    with pytest.raises(PoolError) as raised:
        FunctionsPool().candidates(PoolOptions(data=str(path), options=options))
    assert "\n" not in str(raised.value)
    return str(raised.value)


def inputs(each: Candidate) -> dict[str, tuple[Any, ...]]:
    """The arguments of each input, as the driver reads them."""
    return {
        given.name: tuple(map(ast.literal_eval, given.data.decode().splitlines()))
        for given in each.inputs
    }


def derived(tmp_path: Path, call: str, **options: str) -> dict[str, tuple[Any, ...]]:
    return inputs(one(write(tmp_path / "rows.jsonl", row(input=call)), **options))


def printed(each: Candidate, stdin: bytes) -> bytes:
    command = [sys.executable, "-I", "-c", each.program.text]
    return subprocess.run(command, input=stdin, capture_output=True, check=True).stdout


# Programs


@pytest.mark.slow
def test_keeps_the_contract_of_pools() -> None:
    """Conformance holds for the sample, in two processes with different hash seeds too."""
    assert check_pool(FunctionsPool(), PoolOptions(seed=5, data=str(SAMPLE))) == []


def test_a_program_is_the_function_and_a_call() -> None:
    """The function's source stands in it byte for byte, between two imports and two lines."""
    each = read(SAMPLE)[0]
    assert isinstance(each, Candidate)
    assert each.program.text == (
        "import ast\nimport sys\n\n\n"
        + ROWS[0]["code"]
        + "\n\n\narguments = [ast.literal_eval(line) for line in sys.stdin]\n"
        + "print(repr(f(*arguments)))\n"
    )


def test_every_program_prints_the_listed_output() -> None:
    """On the given input, whose listed output it is; no derived input has one."""
    found = [each for each in read(SAMPLE) if isinstance(each, Candidate)]
    assert len(found) == len(ROWS) - 1
    listed = {each["id"]: each["output"] for each in ROWS}
    for each in found:
        given, *others = each.inputs
        assert given.name == "given"
        assert given.listed_output == f"{listed[each.id.partition('/')[2]]}\n".encode()
        assert printed(each, given.data) == given.listed_output
        assert {other.listed_output for other in others} == {None}
        assert each.final_rule == "lines"


def test_the_drivers_names_are_not_the_functions(tmp_path: Path) -> None:
    """Where the function's source holds a name of the driver's, the driver takes another one."""
    code = "def f(arguments, given, line):\n    sys = ast = row = given\n    return [sys, received]"
    each = one(write(tmp_path / "x.jsonl", row(code=f"received = 0\n{code}", input="1, 2, 3")))
    head, body, tail = each.program.text.partition(code)
    assert head == "import ast as ast_2\nimport sys as sys_2\n\n\nreceived = 0\n"
    assert body == code
    assert tail == (
        "\n\n\narguments_2 = [ast_2.literal_eval(written) for written in sys_2.stdin]\n"
        "print(repr(f(*arguments_2)))\n"
    )
    assert printed(each, each.inputs[0].data) == b"[2, 0]\n"


@pytest.mark.parametrize(
    ("code", "called"),
    [
        ("def g(v):\n    return v\n\ndef f(v):\n    return g(v)", "f"),
        ("def only(v):\n    return v\nlimit = 3\n", "only"),
        ("def f(v):\n    return v\n\nclass A:\n    def g(self): ...", "f"),
    ],
)
def test_the_function_called_is_f_or_the_only_one(tmp_path: Path, code: str, called: str) -> None:
    """Other functions may stand beside `f`."""
    each = one(write(tmp_path / "x.jsonl", row(code=code)))
    assert f"repr({called}(*arguments))" in each.program.text
    assert code in each.program.text


def test_a_candidate_carries_its_provenance(tmp_path: Path) -> None:
    """Each function is an origin; licence, author and URL are unstated unless they are given."""
    path = write(tmp_path / "x.jsonl", row(id="HumanEval/7 b", input="[1], 'x', 2"))
    each = one(path)
    assert (each.pool, each.study) == ("functions", "functions-python")
    assert re.fullmatch(r"functions/HumanEval_7_b~[0-9a-f]{8}", each.id)
    assert each.provenance.origin == each.id
    assert (each.provenance.licence, each.provenance.author) == ("unstated", "unstated")
    assert each.tags == {"arguments": "list, str, int"}
    told = one(path, licence="CC0-1.0", author="A. Author", url="https://example.org").provenance
    assert (told.licence, told.author, told.url) == ("CC0-1.0", "A. Author", "https://example.org")


# Arguments


@pytest.mark.parametrize(
    ("call", "stdin"),
    [
        ("[1, 1], 'a b'", "[1, 1]\n'a b'\n"),
        ("(1, ), ()", "(1,)\n()\n"),
        ('"it\'s", "two\\nlines"', "\"it's\"\n'two\\nlines'\n"),
        ("{'b', 'a', 'c'}, {2: None}", "{'a', 'b', 'c'}\n{2: None}\n"),
        ("-1.5, 1e999, set(), b'\\x00'", "-1.5\n1e999\nset()\nb'\\x00'\n"),
        ("[1]  # one\n", "[1]\n"),
        ("'\u2028', 'é'", "'\\u2028'\n'é'\n"),
        ("dict(a=1), [0] * 3", "{'a': 1}\n[0, 0, 0]\n"),
        ("known[:], *known", "[5, 6]\n5\n6\n"),
    ],
)
def test_arguments_stand_on_lines_of_their_own(tmp_path: Path, call: str, stdin: str) -> None:
    """As literals, worked out where the call has none, after the module has run."""
    code = "known = [5, 6]\n\ndef f(*values):\n    return values"
    each = one(write(tmp_path / "x.jsonl", row(code=code, input=call)))
    assert each.inputs[0].data.decode() == stdin
    values = eval(f"(lambda *values: values)({call}\n)", {"known": [5, 6]})
    assert printed(each, each.inputs[0].data).decode() == f"{values!r}\n" or isinstance(
        values[0], set
    )


def test_arguments_are_worked_out_in_the_sandbox(tmp_path: Path) -> None:
    """Neither a row's code nor its arguments run in this process, whatever they do there."""
    code = f"open({str(tmp_path / 'code')!r}, 'w')\n{CODE}"
    call = f"open({str(tmp_path / 'call')!r}, 'w')"
    assert left_out(tmp_path, row(code=code, input="str(1)")).check == "argument_fails"
    assert left_out(tmp_path, row(input=call)).check == "argument_fails"
    assert left_out(tmp_path, row(input="__import__('os')._exit(0)")).check == "argument_fails"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows.jsonl"]


def test_working_out_can_be_switched_off(tmp_path: Path) -> None:
    """With evaluate=no such a row is left out by name and nothing is run."""
    (each,) = read(write(tmp_path / "x.jsonl", row(input="dict(a=1)")), evaluate="no")
    assert isinstance(each, Unusable)
    assert each.check == "argument_not_literal"
    assert "line 1 of x.jsonl: the arguments (dict(a=1),) are no literals" in each.detail


# Derived inputs


@pytest.mark.parametrize(
    "call", [repr([*range(9, -1, -1)]), "'marsh fern'", repr({n: n for n in range(10)})]
)
def test_inputs_are_longer_and_shorter(tmp_path: Path, call: str) -> None:
    """A list, a text and a dict of 10 each get inputs of 2 and 5, and of 32 elements."""
    found = derived(tmp_path, call)
    lengths = {name: len(values[0]) for name, values in found.items()}
    assert (lengths["given"], lengths["first"], lengths["few"]) == (10, 5, 2)
    assert lengths["some"] == lengths["odd"] == 5
    assert found["some"] != found["odd"] != found["first"]
    assert {lengths[name] for name in ("alike", "many", "mixed")} == {32}
    kind = type(found["given"][0])
    assert {type(values[0]) for values in found.values()} == {kind}


@pytest.mark.parametrize("call", ["[1, 2, 3]", "'sedge', 'e'", "{1: 2, 3: 4, 5: 6, 7: 8}"])
def test_a_short_call_stays_the_shortest(tmp_path: Path, call: str) -> None:
    """So the builder, which takes the shortest that will do, can take the given input."""
    found = derived(tmp_path, call)
    size = len(found["given"][0])
    assert min(len(values[0]) for values in found.values()) == size
    assert next(iter(found)) == "given"
    assert len(found["some"][0]) == size


def test_the_length_can_be_chosen(tmp_path: Path) -> None:
    """`longest` counts the elements of the long inputs; a given one is never cut to it."""
    assert len(derived(tmp_path, "[1]", longest="100")["many"][0]) == 100
    assert len(derived(tmp_path, repr([*range(50)]), longest="16")["many"][0]) == 50


def test_wide_elements_make_fewer(tmp_path: Path) -> None:
    """So a long input can still be read: about eight characters an element asked for."""
    many = derived(tmp_path, repr(["a long element of thirty marks"] * 3))["many"][0]
    assert len(many) == 16


def test_sizes_and_places_are_scaled_apart_from_containers(tmp_path: Path) -> None:
    """One integer is larger or smaller with the containers as they are, and with longer ones."""
    found = derived(tmp_path, "'abc', 4, True")
    assert found["high"][0] == found["low"][0] == "abc"
    assert 16 <= found["high"][1] <= 24
    assert 1 <= found["low"][1] <= 3
    assert len(found["many-high"][0]) == 32
    assert found["many-high"][1] >= 16
    assert found["many-low"][1] <= 3
    assert {values[2] for values in found.values()} == {True}
    assert -24 <= derived(tmp_path, "-4")["high"][0] <= -16


def test_marks_occur_in_the_long_text(tmp_path: Path) -> None:
    """What other arguments hold is found many times in the longest one, also at its ends."""
    found = derived(tmp_path, "'one::two', '::'")
    assert found["joined"][0].count("::") >= 12
    assert found["stacked"][0].startswith("::" * 10)
    assert found["stacked"][0].endswith("::" * 10)
    assert {name for name, values in found.items() if values[1] != "::"} == {"many"}
    assert derived(tmp_path, "[1, 2, 3], 2")["joined"][0].count(2) >= 16


def test_texts_of_the_code_occur_in_the_long_text(tmp_path: Path) -> None:
    """What the function may look for is there to be found."""
    code = "def f(text):\n    return text.split('=>')"
    found = inputs(one(write(tmp_path / "x.jsonl", row(code=code, input="'a b c'"))))
    assert found["quoted"][0].count("=>") >= 12


def test_text_of_words_gets_more_words(tmp_path: Path) -> None:
    """With the separator that it has most of, or line ends where there are any."""
    assert len(derived(tmp_path, "'ab, cd, ef'")["words"][0].split(",")) >= 12
    assert len(derived(tmp_path, "'a b\\nc d'")["words"][0].split("\n")) >= 12


def test_order_is_kept(tmp_path: Path) -> None:
    """Where a given sequence is in order, so are those like it; else they are not."""
    ordered = derived(tmp_path, "[1, 4, 9]")["many"][0]
    assert ordered == sorted(ordered)
    other = derived(tmp_path, "[1, 9, 4]")["many"][0]
    assert other != sorted(other)


@pytest.mark.parametrize("call", ["[]", "''", "{}", "()", "set()"])
def test_empty_containers_get_guessed_elements(tmp_path: Path, call: str) -> None:
    """Of more than one kind, as nothing says what belongs there."""
    found = derived(tmp_path, call)
    assert found["given"] == (ast.literal_eval(call),)
    assert max(len(values[0]) for values in found.values()) >= 16
    assert min(len(values[0]) for values in found.values() if values[0]) <= 5


def test_entries_stay_apart(tmp_path: Path) -> None:
    """A dict gets new keys, wherever its keys can be made to differ, and no more where not."""
    assert len(derived(tmp_path, "{1: 0, 2: 0}")["many"][0]) == 32
    assert len(derived(tmp_path, "{'k': [1]}")["many"][0]) >= 16
    assert {len(values[0]) for values in derived(tmp_path, "{None: 1}, 2").values()} == {1}


def test_at_most_eleven_are_derived(tmp_path: Path) -> None:
    """So the builder, which tries twelve inputs, tries all of them."""
    for call in ("'abc', 'de', 'f', 3, 4", "[1, 2], 1, 2, [3]", "{'a': 1}, 'ab', 5, []"):
        found = derived(tmp_path, call)
        assert 8 <= len(found) <= 12
        assert {"mixed", "many", "some"} <= found.keys()


def test_inputs_follow_from_content_and_seed(tmp_path: Path) -> None:
    """A row's name and place do not matter, the seed does."""

    def data(seed: int, *rows: dict[str, Any]) -> Sequence[bytes]:
        options = PoolOptions(seed=seed, data=str(write(tmp_path / "x.jsonl", *rows)))
        each = list(FunctionsPool().candidates(options))[-1]
        assert isinstance(each, Candidate)
        return [given.data for given in each.inputs]

    assert data(1, row()) == data(1, row(id="b", input="[]"), row(id="c"))
    assert data(1, row()) != data(2, row())


# What is left out


@pytest.mark.parametrize(
    ("broken", "check", "said"),
    [
        (b"{", "row_not_json", "line 2 of rows.jsonl: it is not JSON: "),
        (b"[1]", "row_not_json", "a list, not an object"),
        (b"[" * 100_000, "row_not_json", "it is not JSON: "),
        (b'{"id": "\xff"}', "row_not_utf8", "byte 8 is not UTF-8"),
        (b'"' + b"x" * LINE_LIMIT + b'"', "row_too_long", "more than 4,194,304 bytes"),
        ({"id": "a"}, "row_incomplete", "no code and no input"),
        (row(id=" "), "row_incomplete", "its id is blank"),
        (row(code=3), "row_mistyped", "code is of type int, not text"),
        (row(output=[1]), "row_mistyped", "output is of type list, not text"),
        (row(input="'\ud800'"), "row_not_utf8", "half of a surrogate pair"),
        (row(id="good"), "duplicate_id", "its id good is that of line 1"),
        (row(code="def f(:"), "code_unreadable", "code cannot be parsed: "),
        (row(code="def f(): \0"), "code_unreadable", "code cannot be parsed: "),
        (row(code="x = " + "(" * 5_000), "code_unreadable", "code cannot be parsed: "),
        (row(code="#" * 40_000), "too_large", "code has more than 32,000 characters"),
        (row(code="f = len"), "no_function", "no function at its top level"),
        (row(code="def a(): ...\ndef b(): ..."), "several_functions", "code defines a, b"),
        (row(code=f"print = len\n{CODE}"), "rebinds_builtin", "print another meaning"),
        (row(code="def f():\n    global repr\n    repr = 1"), "rebinds_builtin", "repr another"),
        (row(code=f"from __future__ import annotations\n{CODE}"), "future_import", "__future__"),
        (row(input="1 +"), "input_unreadable", "input cannot be parsed: "),
        (row(input="1), (2"), "input_unreadable", "input is no list of arguments"),
        (row(input="1)(2"), "input_unreadable", "input is no list of arguments"),
        (row(input="values=[1]"), "keyword_arguments", "by keyword"),
        (row(input="'" + "x" * 40_000 + "'"), "too_large", "input has more than 32,000"),
        (row(input="'x' * 40_000"), "too_large", "come to more than 32,000 bytes"),
        (row(input="[1], lambda x: x"), "argument_not_literal", "number 2 of the arguments"),
        (row(input="range(3)"), "argument_not_literal", "number 1 of the arguments"),
        (row(input="list({'a', 'b', 'c', 'd'})"), "argument_varies", "every hash seed"),
        (row(input="1 // 0"), "argument_fails", "ZeroDivisionError"),
        (row(input="[0] * 10**12"), "argument_fails", "MemoryError"),
        (row(input=""), "too_few_inputs", "no other input can be derived"),
        (row(input="None, True"), "too_few_inputs", "no other input can be derived"),
    ],
    ids=lambda value: value if isinstance(value, str) and "_" in value and " " not in value else "",
)
def test_a_bad_row_is_named(
    tmp_path: Path, broken: dict[str, Any] | bytes, check: str, said: str
) -> None:
    """With its line, a reason and what is wrong; the rows before and after it are read."""
    each = left_out(tmp_path, broken)
    assert each.check == check
    assert each.detail.startswith("line 2 of rows.jsonl: ")
    assert said in each.detail
    assert "\n" not in each.detail
    path = write(tmp_path / "rows.jsonl", row(id="good"), b"", broken, row(id="after"))
    assert [type(one) for one in read(path)] == [Candidate, Unusable, Candidate]


@pytest.mark.slow
def test_what_is_left_out_has_ids_of_its_own(tmp_path: Path) -> None:
    """Whatever rows are broken, and however often one id is used."""
    rows = (row(), row(), row(), b"{", b"{", row(id="line-2"), row(id=".."), row(id="..."))
    found = read(write(tmp_path / "x.jsonl", *rows))
    assert len({each.id for each in found}) == len(rows)
    path = str(tmp_path / "x.jsonl")
    assert check_pool(FunctionsPool(), PoolOptions(data=path)) == []


# Files


@pytest.mark.slow
def test_parquet_holds_the_same_rows(tmp_path: Path) -> None:
    """A Parquet file gives the candidates that the lines give, in a folder as hubs lay it down."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    (tmp_path / "data").mkdir()
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "data" / "test-00000-of-00001.parquet")
    (tmp_path / "README.md").write_text("")
    assert [each.id for each in read(tmp_path)] == [each.id for each in read(SAMPLE)]
    candidates = [each for each in read(tmp_path) if isinstance(each, Candidate)]
    assert candidates == [each for each in read(SAMPLE) if isinstance(each, Candidate)]
    (unusable,) = (each for each in read(tmp_path) if isinstance(each, Unusable))
    assert unusable.detail.startswith("row 14 of test-00000-of-00001.parquet: ")


def test_lines_may_end_and_begin_as_they_like(tmp_path: Path) -> None:
    """A byte-order mark, CRLF, blank lines and a missing last line end are no faults."""
    path = tmp_path / "x.jsonl"
    text = json.dumps(row(id="a")) + "\r\n\r\n" + json.dumps(row(id=7))
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert [each.id for each in read(path)] == ["functions/a", "functions/7"]


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    """One line says what is wrong, before the first program."""
    path = tmp_path / "x.jsonl"
    assert "needs data" in refusal_without_data()
    assert "there is no file" in refusal(path)
    assert "holds no rows" in refusal(write(path))
    assert "line 1: no id and no code and no input" in refusal(write(path, {"question": "?"}))
    path.rename(tmp_path / "x.json")
    assert "ends in neither .jsonl nor .parquet" in refusal(tmp_path / "x.json")
    assert "holds no .jsonl or .parquet file" in refusal(tmp_path)
    write(tmp_path / "a.jsonl", row())
    write(tmp_path / "b.jsonl", row())
    assert "holds several files: a.jsonl, b.jsonl" in refusal(tmp_path)
    (tmp_path / "c.parquet").write_bytes(b"PAR1")
    assert "is not a Parquet file that can be read" in refusal(tmp_path / "c.parquet")


def refusal_without_data() -> str:
    with pytest.raises(PoolError) as raised:
        FunctionsPool().candidates(PoolOptions())
    return str(raised.value)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({"longest": "15"}, "longest='15' is not a length; give a number from 16 to 400"),
        ({"longest": "many"}, "longest='many' is not a length"),
        ({"evaluate": "maybe"}, "evaluate='maybe' is neither yes nor no"),
        ({"license": "MIT"}, "no option 'license'"),
    ],
)
def test_a_bad_option_is_refused(option: dict[str, str], said: str) -> None:
    """Before the file is read."""
    assert said in refusal(SAMPLE, **option)


# The published file


PUBLISHED = ROOT.parent / "shared/data/cruxeval/cruxeval.jsonl"


def test_the_published_rows_are_known() -> None:
    """CRUXEval's own file has its licence, author and address; 797 of 800 calls are literal."""
    if not PUBLISHED.exists():
        pytest.skip("CRUXEval's file is not part of the repository")
    found = read(PUBLISHED, evaluate="no")
    assert len(found) == 800
    candidates = [each for each in found if isinstance(each, Candidate)]
    assert {each.provenance.licence for each in candidates} == {"MIT"}
    assert {each.provenance.url for each in candidates} == {
        "https://github.com/facebookresearch/cruxeval/tree/190faf16"
    }
    assert len({each.provenance.origin for each in candidates}) == len(candidates)
    reasons = [each.check for each in found if isinstance(each, Unusable)]
    assert sorted(reasons) == ["argument_not_literal"] * 12 + ["too_few_inputs"] * 2


# The guide


def test_the_guide_names_every_reason_and_option() -> None:
    """Each check and option is explained, and no other."""
    folder = Path(functions.__file__).parent
    modules = [*sorted(folder.glob("functions*.py")), folder / "json_rows.py"]
    code = "\n".join(path.read_text("utf-8") for path in modules)
    table = GUIDE.partition("## What is left out")[2]
    told = {
        name
        for cell in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        for name in WORD.findall(cell)
    }
    assert {*re.findall(r'check="(\w+)"', code)} == told
    assert {*functions.OPTIONS} == {*re.findall(r"`(\w+)=[^`]+`", GUIDE)}


def test_the_guides_example_is_what_happens(tmp_path: Path) -> None:
    """The row that it shows gives the program and the inputs that it shows."""
    shown = dict(re.findall(r"^```\w+ (\w+)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL))
    (tmp_path / "x.jsonl").write_text(shown["row"], "utf-8")
    each = one(tmp_path / "x.jsonl")
    assert each.program.text == shown["program"]
    assert each.inputs[0].data.decode() == shown["given"]
