"""The CodeContests pool: solutions by language, tests of three groups, and every program told."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from deskcheck.oracles.errors import PoolError
from deskcheck.sources import codecontests, contest_inputs
from deskcheck.sources.codecontests import OPTIONS, CodeContestsPool
from deskcheck.sources.codecontests_rows import rating_window
from deskcheck.sources.conformance import check_pool
from deskcheck.sources.contest_options import COMMON
from deskcheck.sources.livecodebench import OPTIONS as LIVECODEBENCH_OPTIONS
from deskcheck.sources.pools import Candidate, PoolOptions, Unusable

ROOT = Path(__file__).parents[2]
REAL = ROOT.parent / "shared/data/codecontests/dev.jsonl"
GUIDE = (ROOT / "docs/guides/contest-pools.md").read_text("utf-8")

PYTHON_2, CPP, PYTHON_3, JAVA = 1, 2, 3, 4
SOLUTION = "print(sum(map(int, input().split())))\n"


def lists(left: str, right: str, *pairs: tuple[Any, Any]) -> dict[str, list[Any]]:
    return {left: [one for one, _ in pairs], right: [other for _, other in pairs]}


def row(*languages: int, **changes: Any) -> dict[str, Any]:
    """A row of ours in the public layout, with a solution in each of the languages."""
    solutions = [(kind, f"{SOLUTION}# {number}\n") for number, kind in enumerate(languages, 1)]
    return {
        "name": "900_A. Even Sums",
        "description": "Print the sum.",
        "public_tests": lists("input", "output", ("1 2", "3\n")),
        "private_tests": lists("input", "output", ("4 5 6\n", "15")),
        "generated_tests": lists("input", "output", ("1 2\n", "3"), ("7\n", "7")),
        "source": 2,
        "difficulty": 7,
        "solutions": lists("language", "solution", *solutions),
        "incorrect_solutions": lists("language", "solution"),
        "cf_contest_id": 900,
        "cf_index": "A",
        "cf_points": 500.0,
        "cf_rating": 2400,
        "cf_tags": ["math", "", "greedy"],
        "is_description_translated": False,
        "untranslated_description": "",
        "time_limit": None,
        "memory_limit_bytes": 0,
        "input_file": "",
        "output_file": "",
    } | changes


def write(path: Path, *rows: dict[str, Any] | bytes) -> Path:
    lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in rows]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def read(path: Path, **options: str) -> list[Candidate | Unusable]:
    return list(CodeContestsPool().candidates(PoolOptions(data=str(path), options=options)))


def outcomes(path: Path, **options: str) -> dict[str, str]:
    """By id without the pool's name: what was wrong, or nothing."""
    return {
        each.id.partition("/")[2]: each.check if isinstance(each, Unusable) else ""
        for each in read(path, **options)
    }


def refusal(path: Path | None, **options: str) -> str:
    given = PoolOptions(data=None if path is None else str(path), options=options)
    with pytest.raises(PoolError) as raised:
        CodeContestsPool().candidates(given)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_keeps_the_contract_of_pools(tmp_path: Path) -> None:
    """Conformance holds for rows of every kind, in two processes with different hash seeds too."""
    rows = (
        row(PYTHON_3, CPP),
        row(PYTHON_2, name="900_B. Odd"),
        row(name="none"),
        b"{",
        row(PYTHON_3, name="p00001 Top Hills", source=6),
        row(PYTHON_3),
    )
    path = write(tmp_path / "x.jsonl", *rows)
    options = PoolOptions(data=str(path), options={"language": "all"})
    assert check_pool(CodeContestsPool(), options) == []


def test_a_candidate_is_a_solution_with_tests_of_all_groups(tmp_path: Path) -> None:
    """The source as it is; equal tests once; listed outputs with them; tags for tables."""
    (each,) = read(write(tmp_path / "x.jsonl", row(PYTHON_3)))
    assert isinstance(each, Candidate)
    assert each.id == "codecontests/900_A/python3-1"
    assert each.study == "codecontests-python"
    assert each.program.text == f"{SOLUTION}# 1\n"
    assert {given.name: (given.data, given.listed_output) for given in each.inputs} == {
        "public-1": (b"1 2\n", b"3\n"),
        "private-1": (b"4 5 6\n", b"15"),
        "generated-2": (b"7\n", b"7"),
    }
    assert each.provenance.origin == "codecontests/900_A"
    assert each.provenance.licence == "CC-BY-4.0"
    assert each.provenance.url == "https://codeforces.com/problemset/problem/900/A"
    assert each.tags == {
        "platform": "codeforces",
        "rating": "2400",
        "topics": "math, greedy",
        "title": "Even Sums",
    }


def test_one_problem_under_two_names_is_one_origin(tmp_path: Path) -> None:
    """That of the first row with its statement; rows without one stand alone."""
    rows = (
        row(PYTHON_3, name="900_F. Even Sums", cf_rating=800),
        row(PYTHON_3, name="901_D. Even Sums"),
        row(PYTHON_3, name="other", description="Print another sum."),
        row(PYTHON_3, name="blank", description=" "),
        row(PYTHON_3, name="empty", description=""),
    )
    path = write(tmp_path / "x.jsonl", *rows)
    found = [each.provenance.origin for each in read(path) if isinstance(each, Candidate)]
    assert [each.partition("/")[2] for each in found] == [
        *("900_F", "900_F", "other", "blank", "empty")
    ]
    rated = [each for each in read(path, rating="2400-") if isinstance(each, Candidate)]
    assert [each.provenance.origin for each in rated] == found[1:]


def test_solutions_are_taken_in_their_order(tmp_path: Path) -> None:
    """The first in Python 3, after those in Python 2, each of which is told; more on request."""
    path = write(tmp_path / "x.jsonl", row(CPP, PYTHON_2, JAVA, PYTHON_3, PYTHON_2, PYTHON_3))
    first = {"900_A/python2-2": "python_2", "900_A/python3-4": ""}
    assert outcomes(path) == first
    more = first | {"900_A/python2-5": "python_2", "900_A/python3-6": ""}
    assert outcomes(path, per_problem="2") == more
    assert outcomes(path, per_problem="all") == more
    assert outcomes(path, language="cpp") == {"900_A/cpp-1": ""}
    assert outcomes(path, language="all") == {"900_A/cpp-1": ""} | first
    (cpp,) = read(path, language="cpp")
    assert isinstance(cpp, Candidate)
    assert (cpp.study, cpp.program.language) == ("codecontests-cpp", "cpp")


def test_a_problem_without_a_program_is_told(tmp_path: Path) -> None:
    """With the languages that there are; one with Python 2 alone by its programs."""
    path = write(
        tmp_path / "x.jsonl", row(CPP, CPP, JAVA, 0), row(PYTHON_2, name="b"), row(name="c")
    )
    assert outcomes(path) == {"900_A": "no_program", "b/python2-1": "python_2", "c": "no_program"}
    first, _, last = read(path)
    assert isinstance(first, Unusable)
    assert (
        "none of its solutions is in python: 2 in C++, 1 in Java, 1 in language 0" in first.detail
    )
    assert isinstance(last, Unusable)
    assert "it has no solutions" in last.detail


@pytest.mark.parametrize(
    ("changes", "check", "said"),
    [
        ({"input_file": "sum.in"}, "file_input", "use sum.in, not standard input"),
        ({"input_file": " ", "output_file": "o.txt"}, "file_input", "use o.txt"),
        ({"description": "This is an interactive problem."}, "interactive", "interactive"),
        (
            {"public_tests": lists("input", "output"), "private_tests": lists("input", "output")}
            | {"generated_tests": lists("input", "output", ("1", "1"))},
            "too_few_inputs",
            "1 usable of 1 listed tests",
        ),
        ({"solutions": lists("language", "solution", (3, " "))}, "empty_source", "blank"),
        ({"solutions": lists("language", "solution", (3, "'\ud800'"))}, "not_utf8", "surrogate"),
        ({"solutions": lists("language", "solution", (3, "#" * 2**21))}, "too_large", "1,048,576"),
    ],
)
def test_a_program_that_makes_no_case_is_told(
    tmp_path: Path, changes: dict[str, Any], check: str, said: str
) -> None:
    """With a reason of its own and the place of its row."""
    (each,) = read(write(tmp_path / "x.jsonl", row(PYTHON_3, **changes)))
    assert isinstance(each, Unusable)
    assert (each.id, each.check) == ("codecontests/900_A/python3-1", check)
    assert said in each.detail
    assert each.detail.startswith("line 1 of x.jsonl, solution 1: ")


@pytest.mark.parametrize(
    ("broken", "check", "said"),
    [
        (b"{", "row_not_json", "not JSON"),
        (row(name=""), "row_incomplete", "no name"),
        (row(name="\ud800"), "row_incomplete", "no name"),
        (row(private_tests=None), "row_incomplete", "no private_tests (900_A. Even Sums)"),
        (row(solutions=None), "row_incomplete", "no solutions"),
        (row(public_tests=["a"]), "row_mistyped", "public_tests is a list"),
        (row(public_tests={"input": ["1"], "output": []}), "row_mistyped", "one length"),
        (row(public_tests={"input": [1], "output": ["1"]}), "row_mistyped", "no str"),
        (row(public_tests={"input": ["1"], "output": [1]}), "row_mistyped", "no text"),
        (row(solutions={"language": ["3"], "solution": [""]}), "row_mistyped", "no int"),
        (row(solutions={"language": [True], "solution": [""]}), "row_mistyped", "no int"),
        (row(cf_rating="high"), "row_mistyped", "cf_rating is a str"),
    ],
)
def test_a_broken_row_is_named_and_counted(
    tmp_path: Path, broken: dict[str, Any] | bytes, check: str, said: str
) -> None:
    """With its line; rows after it are read, and a name that comes twice is told."""
    good = row(PYTHON_3)
    first, second, third = read(write(tmp_path / "x.jsonl", broken, good, good))
    assert isinstance(first, Unusable)
    assert (first.id, first.check) == ("codecontests/~line-1-of-x.jsonl", check)
    assert said in first.detail
    assert isinstance(second, Candidate)
    assert isinstance(third, Unusable)
    assert third.check == "duplicate_id"


def test_tests_may_be_pairs(tmp_path: Path) -> None:
    """A list of objects says the same as an object of lists."""
    changed = row(PYTHON_3, public_tests=[{"input": "1 2", "output": "3\n"}])
    assert read(write(tmp_path / "x.jsonl", changed)) == read(
        write(tmp_path / "x.jsonl", row(PYTHON_3))
    )


def test_problems_of_other_platforms_have_their_names(tmp_path: Path) -> None:
    """As ids, made safe; numbers of the Hub's copy name the platform."""
    rows = (
        row(PYTHON_3, name="brcktsrm", source=1, cf_rating=0, cf_tags=[""]),
        row(PYTHON_3, name="p02547 AtCoder Beginner Contest - Three", source=5),
        row(PYTHON_3, name="p00001 List of Top 3 Hills", source=6),
        row(PYTHON_3, name="1_A. Like a Codeforces name", source=3, cf_rating=None),
        row(PYTHON_3, name="other", source=77),
    )
    path = write(tmp_path / "x.jsonl", *rows)
    found = [each for each in read(path) if isinstance(each, Candidate)]
    assert [each.tags["platform"] for each in found] == [
        *("codechef", "atcoder", "aizu", "hackerearth", "source 77")
    ]
    assert found[0].id == "codecontests/brcktsrm/python3-1"
    assert re.fullmatch(r"codecontests/p02547_AtCoder_\S+~[0-9a-f]{8}/python3-1", found[1].id)
    assert {each.provenance.url for each in found} == {""}
    assert found[0].tags == {"platform": "codechef", "title": "brcktsrm"}
    assert read(path, platform="aizu,codechef") == [found[0], found[2]]


def test_problems_are_chosen_by_rating(tmp_path: Path) -> None:
    """Both ends of the window count; unrated problems are in no window."""
    rows = [
        row(PYTHON_3, name=str(rating), cf_rating=rating) for rating in (0, 2399, 2400, 3500, 3600)
    ]
    path = write(tmp_path / "x.jsonl", *rows)

    def rated(**options: str) -> list[int]:
        return [int(name.split("/")[0]) for name in outcomes(path, **options)]

    assert rated() == [0, 2399, 2400, 3500, 3600]
    assert rated(rating="2400-3500") == [2400, 3500]
    assert rated(rating="2400-") == [2400, 3500, 3600]
    assert rated(rating="-2400") == [2399, 2400]
    for wrong in ("2400", "-", "3500-2400", "a-b", "2400--1"):
        with pytest.raises(PoolError, match="rating="):
            rating_window(wrong)


def test_parquet_holds_the_same_rows(tmp_path: Path) -> None:
    """As the Hub lays them down, in a folder `data`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [row(PYTHON_3, CPP), row(PYTHON_2, PYTHON_3, name="b", cf_rating=0)]
    (tmp_path / "hub" / "data").mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "hub" / "data" / "test-00000.parquet")
    candidates = [
        each for each in read(write(tmp_path / "x.jsonl", *rows)) if isinstance(each, Candidate)
    ]
    found = read(tmp_path / "hub")
    assert [each for each in found if isinstance(each, Candidate)] == candidates
    assert [each.check for each in found if isinstance(each, Unusable)] == ["python_2"]


def test_data_that_is_none_is_refused(tmp_path: Path) -> None:
    """One line, before the first program."""
    path = tmp_path / "x.jsonl"
    assert "needs data" in refusal(None)
    assert "there is no " in refusal(path)
    assert "there is no .jsonl or .parquet file in" in refusal(tmp_path)
    assert "line 1 of x.jsonl: no name" in refusal(write(path, {"id": 1}))
    write(path, row(PYTHON_3))
    assert "no option 'difficulty'" in refusal(path, difficulty="hard")
    assert "split='dev' is unknown" in refusal(path, split="dev")


# The real data


@pytest.mark.slow
def test_every_problem_of_the_real_data_is_told() -> None:
    """152 problems with one solution each; one is interactive, and 26 are rated 2400 or more."""
    if not REAL.exists():
        pytest.skip("CodeContests' rows are not part of the repository")
    assert Counter(outcomes(REAL).values()) == {"": 151, "interactive": 1}
    assert len(outcomes(REAL, rating="2400-3500")) == 26
    found = {each.id.split("/")[1]: each for each in read(REAL)}
    for several in ("521_D", "1427_E"):
        each = found[several]
        assert isinstance(each, Candidate)
        assert each.tags["answers"] == "several accepted"


# The guide


def test_the_guide_names_every_reason_and_option() -> None:
    """Of both contest pools: each check and option is explained, and no other."""
    folder = Path(codecontests.__file__).parent
    modules = [
        path
        for kind in ("contest", "livecodebench", "codecontests", "json_rows")
        for path in sorted(folder.glob(f"{kind}*.py"))
    ]
    code = "\n".join(path.read_text("utf-8") for path in modules)
    reasons = {*re.findall(r'check="(\w+)"', code), *re.findall(r'_broken\(\s*row, "(\w+)"', code)}
    reasons |= {"public_tests_unreadable"}  # by the group's name
    table = GUIDE.partition("## What is left out")[2].partition("\n## ")[0]
    told = {
        name
        for cell in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        for name in re.findall(r"\w+", cell)
    }
    assert reasons == told
    options = {*COMMON, *OPTIONS, *LIVECODEBENCH_OPTIONS}
    assert options == {*re.findall(r"^- `(\w+)=", GUIDE, re.MULTILINE)}


def test_the_guides_generator_does_what_it_says(tmp_path: Path) -> None:
    """It runs as it stands there, and its inputs grow."""
    (source,) = re.findall(r"^```python generator\.py\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    (tmp_path / "900_A").mkdir()
    (tmp_path / "900_A" / "generator.py").write_text(source)
    with contest_inputs.AddedInputs(tmp_path, "codecontests", 0, 6) as added:
        found = added.of("900_A")
    assert isinstance(found, list)
    sizes = [len(each.data) for each in found]
    assert sizes == sorted(sizes)
    assert sizes[-1] > 8 * sizes[0]
