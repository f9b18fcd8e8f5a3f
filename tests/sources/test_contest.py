"""What contest pools share: rows, options, added inputs, generators, and what statements say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.programs import Language
from deskcheck.sources.contest_candidates import require_layout
from deskcheck.sources.contest_hub import fetch
from deskcheck.sources.contest_inputs import LONGEST, MOST, AddedInputs, choose
from deskcheck.sources.contest_options import COMMON, Common, number, one_of, read_common, several
from deskcheck.sources.contest_problems import (
    Fault,
    ListedTest,
    Problem,
    Submission,
    first_of_each_language,
    safe,
    writable,
)
from deskcheck.sources.contest_rows import RawRow, files_of_rows, read_rows
from deskcheck.sources.json_rows import BrokenRow
from deskcheck.sources.pools import Input, PoolOptions

COMMIT = "0123456789" * 4


def rows(path: Path) -> list[tuple[str, object]]:
    """Place and content of each row, or its fault's check."""
    return [
        (each.place, dict(each.fields) if isinstance(each, RawRow) else each.check)
        for each in read_rows(path)
    ]


def added(folder: Path, problem: str = "p", seed: int = 0, generated: int = 3) -> dict[str, bytes]:
    found = added_or_fault(folder, problem, seed, generated)
    assert not isinstance(found, Fault), found
    return {each.name: each.data for each in found}


def added_or_fault(
    folder: Path | None, problem: str = "p", seed: int = 0, generated: int = 3
) -> Sequence[Input] | Fault:
    with AddedInputs(folder, "pool", seed, generated) as inputs:
        return inputs.of(problem)


def listed(*texts: str) -> list[ListedTest]:
    return [ListedTest(name=f"t{place}", input=text, output="") for place, text in enumerate(texts)]


def names(chosen: Sequence[Input] | Fault) -> list[str]:
    assert not isinstance(chosen, Fault), chosen
    return [each.name for each in chosen]


# Rows


def test_a_broken_line_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    """Whatever is wrong with it; a byte-order mark, CRLF and blank lines are no faults."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n\n{\n[1]\n{"b": "\xff"}\n{"c": 3}')
    assert rows(path) == [
        ("line 1 of x.jsonl", {"a": 1}),
        ("line 3 of x.jsonl", "row_not_json"),
        ("line 4 of x.jsonl", "row_not_json"),
        ("line 5 of x.jsonl", "row_not_utf8"),
        ("line 6 of x.jsonl", {"c": 3}),
    ]


def test_a_line_that_is_too_long_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without being held in memory; the next line is read."""
    monkeypatch.setattr("deskcheck.sources.contest_rows.ROW_LIMIT", 1000)
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({"a": "x" * 5000}) + '\n{"b": 2}\n')
    assert rows(path) == [
        ("line 1 of x.jsonl", "row_too_long"),
        ("line 2 of x.jsonl", {"b": 2}),
    ]


@pytest.mark.parametrize("chunk", [1, 7, 1 << 20])
def test_a_json_list_is_read_entry_by_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    """However the file falls into pieces; an entry that is no object is a fault of its own."""
    monkeypatch.setattr("deskcheck.sources.contest_rows._CHUNK", chunk)
    path = tmp_path / "x.json"
    path.write_text(' [ {"a": "]},[{"},\n{"b": [1, {"c": "\\u00e9é"}]}, [2] , {"d": {}} ]\n')
    assert rows(path) == [
        ("entry 1 of x.json", {"a": "]},[{"}),
        ("entry 2 of x.json", {"b": [1, {"c": "éé"}]}),
        ("entry 3 of x.json", "row_not_json"),
        ("entry 4 of x.json", {"d": {}}),
    ]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        (b'[{"a": 1}, {"b": }, {"c": 3}]', 1),
        (b'[{"a": 1}, {"b": 2}', 2),
        (b'[{"a": 1}, {"b": "\xff"}]', 0),
        (b'[{"a": 1}, ' + b"[" * 100_000, 1),
        (b'{"a": 1}', 0),
        (b"", 0),
    ],
)
def test_a_list_that_breaks_off_is_one_fault(tmp_path: Path, text: bytes, whole: int) -> None:
    """The entries before it are read, and it says that nothing behind it is."""
    path = tmp_path / "x.json"
    path.write_bytes(text)
    *good, last = read_rows(path)
    assert len(good) == whole
    assert isinstance(last, BrokenRow)
    assert last.detail.endswith("so nothing is read from there on")


def test_parquet_rows_are_those_of_lines(tmp_path: Path) -> None:
    """With their number; columns that are never used are not read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "x.parquet"
    found = [{"a": 1, "t": {"input": ["x"]}, "incorrect_solutions": "…"} for _ in range(20)]
    pq.write_table(pa.Table.from_pylist(found), path)
    assert rows(path)[19] == ("row 20 of x.parquet", {"a": 1, "t": {"input": ["x"]}})
    path.write_bytes(b"PAR1")
    with pytest.raises(PoolError, match="not a Parquet file"):
        rows(path)


def test_files_come_in_natural_order(tmp_path: Path) -> None:
    """Those of the folder, or of its sub-folder `data`; a path that is not there is refused."""
    (tmp_path / "data").mkdir()
    for name in ("test10.jsonl", "test.jsonl", "test2.jsonl", "notes.txt"):
        (tmp_path / "data" / name).write_text("")
    found = [path.name for path in files_of_rows(tmp_path)]
    assert found == ["test.jsonl", "test2.jsonl", "test10.jsonl"]
    assert files_of_rows(tmp_path / "data" / "test.jsonl") == [tmp_path / "data" / "test.jsonl"]
    for path, said in (("none", "there is no"), ("data/notes.txt", "ends in neither")):
        with pytest.raises(PoolError, match=said):
            files_of_rows(tmp_path / path)


def test_a_file_of_other_rows_is_refused(tmp_path: Path) -> None:
    """With the first row and what it lacks; one good row after a bad one is enough."""
    path = tmp_path / "x.jsonl"
    path.write_text('{"a": 1}\n')
    with pytest.raises(PoolError, match=r"layout of L; line 1 of x\.jsonl: no b; each row"):
        require_layout([path], ("a", "b"), "L")
    path.write_text("\n")
    with pytest.raises(PoolError, match="holds no rows"):
        require_layout([path], ("a",), "L")
    path.write_text('{\n{"a": 1}\n')
    require_layout([path], ("a",), "L")


# Options


def common(tmp_path: Path, data: Path | None, **options: str) -> Common:
    given = PoolOptions(data=None if data is None else str(data), options=options)
    return read_common("pool", given, COMMON, COMMIT)


def test_options_have_defaults(tmp_path: Path) -> None:
    """One Python program per problem, and inputs beside the data where there are any."""
    read = common(tmp_path, tmp_path)
    assert (read.languages, read.per_problem, read.inputs) == (("python",), 1, None)
    (tmp_path / "inputs").mkdir()
    (tmp_path / "x.jsonl").write_text("")
    assert common(tmp_path, tmp_path / "x.jsonl").inputs == tmp_path / "inputs"
    read = common(tmp_path, None, problems="hub", per_problem="all", language="all")
    assert (read.problems, read.per_problem, read.revision) == (None, None, COMMIT)
    assert read.languages == ("python", "cpp")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"per_problem": "0"}, "per_problem='0' is wrong; give a number from 1"),
        ({"language": "java"}, "language='java' is unknown; known: python, cpp, all"),
        ({"revision": "main"}, "revision='main' pins nothing"),
        ({"revision": COMMIT[:12]}, "pins nothing; name a commit by its 40"),
        ({"generated": "1000"}, "generated='1000' is wrong; give a number from 2 to 12"),
        ({"inputs": "nowhere"}, "there is no folder nowhere"),
        ({"license": "MIT"}, "pool 'pool' has no option 'license'"),
    ],
)
def test_a_bad_option_is_one_line(tmp_path: Path, options: dict[str, str], said: str) -> None:
    """It says what may stand there."""
    with pytest.raises(PoolError) as raised:
        common(tmp_path, tmp_path, **options)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_data_must_be_named_and_there(tmp_path: Path) -> None:
    """Unless problems are on the Hub."""
    for data, said in ((None, "needs data"), (tmp_path / "none", "there is no")):
        with pytest.raises(PoolError, match=said):
            common(tmp_path, data)


def test_values_of_options_are_checked() -> None:
    """Words with commas, whole numbers within bounds, and one of several."""
    assert several({"x": "Hard, easy,"}, "x") == {"hard", "easy"}
    assert several({}, "x") == frozenset()
    assert number({"x": "3"}, "x", 1, 1, 5) == 3
    assert one_of({}, "x", "a", {"a": 1}) == "a"
    for wrong in (lambda: several({"x": " "}, "x"), lambda: number({"x": "²"}, "x", 1, 1, 5)):
        with pytest.raises(PoolError):
            wrong()


def test_what_the_hub_does_not_have_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A revision that is not in the cache, with no network to ask for it."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(PoolError) as raised:
        fetch("deskcheck-tests/no-such-dataset", COMMIT, ["test.jsonl"])
    assert "deskcheck-tests/no-such-dataset at 012345678901 cannot be had" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_what_was_fetched_before_is_used_without_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the library's own cache, at that commit; a cache that was cut short is refused."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    folder = tmp_path / "datasets--org--name" / "snapshots" / COMMIT
    (folder / "data").mkdir(parents=True)
    for name in ("test2.jsonl", "test.jsonl", "data/a-00000-of-00002.parquet"):
        (folder / name).write_text("")
    found = fetch("org/name", COMMIT, ["test.jsonl", "test2.jsonl"])
    assert [path.name for path in found] == ["test.jsonl", "test2.jsonl"]
    for missing in ("test3.jsonl", "data/a-*.parquet"):
        with pytest.raises(PoolError, match="or not all parts of it"):
            fetch("org/name", COMMIT, ["test.jsonl", missing])
    (folder / "data" / "a-00001-of-00002.parquet").write_text("")
    assert len(fetch("org/name", COMMIT, ["data/a-*.parquet"])) == 2
    with pytest.raises(PoolError, match="cannot be had"):
        fetch("org/name", COMMIT[::-1], ["test.jsonl"])


# Added inputs


def test_files_of_a_problem_are_its_inputs(tmp_path: Path) -> None:
    """In natural order, as they are, with the listed output that lies beside one."""
    folder = tmp_path / "p"
    folder.mkdir()
    for name, text in {
        "10.txt": "10",
        "9.in": "9\n",
        "9.out": "nine\n",
        "_x.txt": "no",
        "notes.md": "no",
    }.items():
        (folder / name).write_text(text)
    found = added_or_fault(tmp_path)
    assert found == [
        Input(name="9.in", data=b"9\n", listed_output=b"nine\n"),
        Input(name="10.txt", data=b"10"),
    ]
    assert added(tmp_path, "other") == {}
    assert added_or_fault(None) == ()


@pytest.mark.parametrize("problem", ["..", ".", "a/b", "x" * 5000, "a\0b", "~"])
def test_a_problems_id_leads_nowhere_else(tmp_path: Path, problem: str) -> None:
    """A row cannot have files read that do not lie in a folder named by it."""
    (tmp_path / "x.txt").write_text("1")
    (tmp_path / "inputs").mkdir()
    assert added(tmp_path / "inputs", problem) == {}


def test_an_odd_id_has_a_folder_of_its_safe_name(tmp_path: Path) -> None:
    """As it stands in the candidate's id, or as the row has it."""
    name = safe("two sum")
    assert name.startswith("two_sum~")
    (tmp_path / name).mkdir()
    (tmp_path / name / "1.txt").write_text("1")
    assert added(tmp_path, "two sum") == {"1.txt": b"1"}


@pytest.mark.slow
def test_a_generator_is_given_a_number_and_a_seed(tmp_path: Path) -> None:
    """Its inputs follow from the pool's seed and the problem, and grow as it likes."""
    (tmp_path / "p").mkdir()
    (tmp_path / "q").mkdir()
    source = (
        "import random\nnumber, seed = map(int, input().split())\n"
        "draw = random.Random(seed)\nprint(*(draw.randint(1, 9) for _ in range(number * 5)))\n"
    )
    for problem in ("p", "q"):
        (tmp_path / problem / "generator.py").write_text(source)
    first = added(tmp_path)
    assert list(first) == ["generator-1", "generator-2", "generator-3"]
    assert [len(text.split()) for text in first.values()] == [5, 10, 15]
    assert added(tmp_path) == first
    assert added(tmp_path, seed=1) != first
    assert added(tmp_path, "q") != first


@pytest.mark.parametrize(
    ("source", "check", "said"),
    [
        ("print(1 // 0)", "generator_fails", "'1 "),
        ("print(1 // 0)", "generator_fails", "ZeroDivisionError"),
        ("pass", "generator_fails", "it writes nothing"),
        ("open('/etc/mine', 'w')", "generator_fails", "Error"),
        ("print(list({'a', 'b', 'c', 'd', 'e', 'f'}))", "generator_varies", "hash seed"),
    ],
)
def test_a_bad_generator_is_a_reason(tmp_path: Path, source: str, check: str, said: str) -> None:
    """Never a crash of the run, and nothing that it does reaches this machine."""
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "generator.py").write_text(source)
    found = added_or_fault(tmp_path)
    assert isinstance(found, Fault)
    assert found.check == check
    assert said in found.detail


def test_added_inputs_come_first_and_tests_fill_up() -> None:
    """At most twelve in all, each group in order of size, spread over the sizes it has."""
    mine = [Input(name="b", data=b"22\n"), Input(name="a", data=b"1\n")]
    tests = listed(*("x" * size for size in range(1, 101)))
    chosen = names(choose(mine, tests))
    assert len(chosen) == MOST
    assert chosen[:2] == ["a", "b"]
    assert (chosen[2], chosen[-1]) == ("t0", "t99")
    sizes = [int(name[1:]) for name in chosen[2:]]
    assert sizes == sorted(sizes)
    assert max(right - left for left, right in pairwise(sizes)) <= 12
    many = [Input(name=str(size), data=b"x" * size) for size in range(1, 30)]
    assert len(names(choose(many, tests))) == MOST


def test_equal_and_long_tests_are_passed_over() -> None:
    """The first of equal ones is kept, the final line end added; the reason counts the rest."""
    chosen = choose([], listed("1", "1\n", "2"))
    assert not isinstance(chosen, Fault)
    assert [(each.name, each.data) for each in chosen] == [("t0", b"1\n"), ("t2", b"2\n")]
    few = choose([Input(name="a", data=b"1\n")], listed("1", "x" * (LONGEST + 1)))
    assert isinstance(few, Fault)
    assert few.check == "too_few_inputs"
    assert few.detail.startswith("1 usable of 2 listed tests and 1 added inputs")
    assert few.detail.endswith("1 have more than 64,000 characters")


# Statements, names and order


@pytest.mark.parametrize(
    ("statement", "interactive", "several_accepted"),
    [
        ("This is an interactive problem.", True, False),
        ("This is an **interactive task**, where your program", True, False),
        ("This is an interactive task (where your program", True, False),
        ("Note that the problem is interactive.", True, False),
        ("This is not an interactive problem.", False, False),
        ("If there are multiple solutions, you may print any of them.", False, True),
        ("If there are several ways to achieve it, print any of them.", False, True),
        ("If several right answers exist, you can print any.", False, True),
        ("You can output any suitable sequence of operations.", False, True),
        ("She did not want to marry any of them anyway.", False, False),
        ("Print one integer without skipping any of them.", False, False),
        ("Print the answers in any order.", False, True),
        ("You can print each letter in any case (upper or lower).", False, True),
        ("Other answers are also possible.", False, True),
        ("If there are several partitions, Petya is satisfied by any.", False, True),
        ("He may eat the dishes in any order.", False, False),
    ],
)
def test_statements_tell_of_their_judges(
    statement: str, interactive: bool, several_accepted: bool
) -> None:
    """Interactive problems are excluded; where several answers are right there is a tag."""
    problem = Problem(id="p", place="line 1", url="", statement=statement)
    fault = problem.excluded()
    assert (fault is not None and fault.check == "interactive") == interactive
    assert ("answers" in problem.all_tags()) == several_accepted


def test_statements_tell_of_tolerances() -> None:
    """Numbers that are near the listed ones are right there."""
    said = "Correct if the absolute or relative error does not exceed 1e-6. Print any of them."
    problem = Problem(id="p", place="line 1", url="", statement=said)
    assert problem.all_tags() == {"answers": "several accepted, near ones accepted"}


def test_names_are_safe_and_stay_apart() -> None:
    """Plain ones are kept; odd ones get a hash; half a surrogate pair is no text to write."""
    assert safe("598_F") == "598_F"
    odd = {safe(name) for name in ("a b", "a_b", "a/b", "..", ".", "é", "\ud800")}
    assert len(odd) == 7
    assert all(set(name) <= set("abcdef0123456789_~.") for name in odd - {safe("\ud800")})
    assert not writable("\ud800")


def test_the_first_program_in_each_language_is_taken() -> None:
    """In file order; more where more are asked for."""
    named: list[tuple[str, Language]] = [
        *(("a", "cpp"), ("b", "python"), ("c", "python"), ("d", "cpp"))
    ]
    found = [
        Submission(
            problem="p", name=name, place="", language=language, source="", licence="", author=""
        )
        for name, language in named
    ]

    def taken(most: int | None, *languages: Language) -> str:
        return "".join(each.name for each in first_of_each_language(found, languages, most))

    assert taken(1, "python") == "b"
    assert taken(1, "python", "cpp") == "ab"
    assert taken(2, "cpp") == "ad"
    assert taken(None, "python", "cpp") == "abcd"
