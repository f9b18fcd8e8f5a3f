"""The LiveCodeBench pool: tests unpacked safely, programs found and driven, and every one told."""

from __future__ import annotations

import base64
import json
import pickle
import re
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from deskcheck.oracles.errors import PoolError
from deskcheck.sources.conformance import check_pool
from deskcheck.sources.contest_problems import Fault
from deskcheck.sources.livecodebench import OPTIONS, LiveCodeBenchPool
from deskcheck.sources.livecodebench_driver import with_driver, with_imports
from deskcheck.sources.livecodebench_rows import files_of_release
from deskcheck.sources.livecodebench_tests import private_tests
from deskcheck.sources.pools import Candidate, PoolOptions, Unusable

ROOT = Path(__file__).parents[2]
REAL = ROOT.parent / "shared/data/livecodebench"

SUMS = """\
n = int(input())
total = 0
for i in range(n):
    total = total * 3 % 101 + i
print(total)
"""
LONGEST_RUN = """\
class Solution:
    def longestRun(self, marks: List[str], least: int) -> int:
        best = run = 0
        for here, before in zip(marks, [None] + marks):
            run = run + 1 if here == before else 1
            best = max(best, run)
        return best if best >= least else pow(2, 5, 7)
"""


def packed(text: str, protocol: int = 4) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(text, protocol))).decode()


def listed(kind: str, *pairs: tuple[str, str]) -> str:
    return json.dumps([{"input": left, "output": right, "testtype": kind} for left, right in pairs])


def problem(**changes: Any) -> dict[str, Any]:
    """A row of ours in the public layout: eleven fields, all of them text."""
    return {
        "question_title": "Rolling Sum",
        "question_content": "Given N, print the rolling sum.",
        "platform": "atcoder",
        "question_id": "abc900_a",
        "contest_id": "abc900",
        "contest_date": "2024-05-04T00:00:00",
        "starter_code": "",
        "difficulty": "hard",
        "public_test_cases": listed("stdin", ("3\n", "5\n")),
        "private_test_cases": packed(listed("stdin", ("40", "52"))),
        "metadata": "{}",
    } | changes


def functional(**changes: Any) -> dict[str, Any]:
    pairs = (('["a","a","b"]\n1', "2"), ('["a"]\n2', "4"))
    return (
        problem(
            question_id="9001",
            question_title="longest-run",
            platform="leetcode",
            contest_id="weekly-contest-900",
            contest_date="2024-06-01T00:00:00",
            public_test_cases=listed("functional", *pairs),
            private_test_cases="[]",
            metadata='{"func_name": "longestRun"}',
        )
        | changes
    )


def graded(question_id: str, *programs: tuple[str, bool]) -> dict[str, Any]:
    """An entry of the public submissions layout."""
    return {
        "question_id": question_id,
        "code_list": [code for code, _ in programs],
        "graded_list": [grade for _, grade in programs],
        "metadata": ["{}"] * len(programs),
    }


def write(
    folder: Path,
    rows: Sequence[dict[str, Any] | bytes],
    entries: Sequence[Any] = (),
    name: str = "model_eval_all.json",
) -> Path:
    lines = [row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows]
    folder.mkdir(exist_ok=True)
    (folder / "test.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    if entries:
        (folder / name).write_text(json.dumps(list(entries)))
    return folder


def read(data: Path, **options: str) -> list[Candidate | Unusable]:
    return list(LiveCodeBenchPool().candidates(PoolOptions(data=str(data), options=options)))


def outcomes(data: Path, **options: str) -> dict[str, str]:
    """By id without the pool's name: what was wrong, or nothing."""
    return {
        each.id.partition("/")[2]: each.check if isinstance(each, Unusable) else ""
        for each in read(data, **options)
    }


def one(data: Path, **options: str) -> Candidate:
    (each,) = read(data, **options)
    assert isinstance(each, Candidate), each
    return each


def refusal(data: Path | None, **options: str) -> str:
    given = PoolOptions(data=None if data is None else str(data), options=options)
    with pytest.raises(PoolError) as raised:
        LiveCodeBenchPool().candidates(given)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def printed(source: str, stdin: bytes) -> str:
    command = [sys.executable, "-I", "-c", source]
    return subprocess.run(command, input=stdin, capture_output=True, check=True).stdout.decode()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two problems with a passing program each, one without, and one that is interactive."""
    rows = [
        problem(),
        functional(),
        problem(question_id="abc900_b", difficulty="easy", contest_date="2024-05-04"),
        problem(question_id="abc900_c", question_content="This is an interactive task."),
    ]
    entries = [
        graded("abc900_a", ("print(0)", False), (SUMS, True), (SUMS + "#", True)),
        graded("9001", (LONGEST_RUN, True)),
        graded("abc900_b", ("print(0)", False)),
        graded("abc900_c", (SUMS, True)),
    ]
    return write(tmp_path / "data", rows, entries)


# Candidates


def test_keeps_the_contract_of_pools(data: Path) -> None:
    """Conformance holds for the sample, in two processes with different hash seeds too."""
    options = PoolOptions(seed=3, data=str(data), options={"per_problem": "all"})
    assert check_pool(LiveCodeBenchPool(), options) == []


def test_the_first_passing_program_of_each_problem_is_taken(data: Path) -> None:
    """More on request; a problem without one is told, and one that cannot be measured too."""
    first = {
        "abc900_a/model-2": "",
        "9001/model-1": "",
        "abc900_b": "no_passing_program",
        "abc900_c/model-1": "interactive",
    }
    assert outcomes(data) == first
    assert outcomes(data, per_problem="2") == {"abc900_a/model-3": ""} | first
    assert outcomes(data, per_problem="all") == outcomes(data, per_problem="2")


def test_a_candidate_carries_provenance_and_tags(data: Path) -> None:
    """The problem is its origin; the licence is that of the submissions unless one is given."""
    stdin, function = (each for each in read(data) if isinstance(each, Candidate))
    assert stdin.study == "livecodebench-python"
    assert stdin.provenance.origin == "livecodebench/abc900_a"
    assert stdin.provenance.url == "https://atcoder.jp/contests/abc900/tasks/abc900_a"
    assert (stdin.provenance.licence, stdin.provenance.author) == ("MIT", "model")
    assert function.provenance.url == "https://leetcode.com/problems/longest-run"
    assert stdin.tags == {
        "platform": "atcoder",
        "difficulty": "hard",
        "date": "2024-05-04",
        "kind": "stdin",
    }
    told = read(data, licence="CC0-1.0", author="A. Author")[0]
    assert isinstance(told, Candidate)
    assert (told.provenance.licence, told.provenance.author) == ("CC0-1.0", "A. Author")


def test_inputs_are_public_and_private_tests_with_their_outputs(data: Path) -> None:
    """With the final line end that some lack, and the program prints what is listed."""
    for each in read(data):
        if isinstance(each, Candidate):
            assert len(each.inputs) == 2
            for given in each.inputs:
                assert given.data.endswith(b"\n")
                assert given.listed_output is not None
                assert printed(each.program.text, given.data).split() == [
                    given.listed_output.decode().strip()
                ]
    names = [given.name for given in read(data)[0].inputs]  # type: ignore[union-attr]
    assert names == ["public-1", "private-1"]


def test_added_inputs_come_first(data: Path) -> None:
    """From `inputs/<question_id>/` in the data's folder, or a folder that is named."""
    (data / "inputs" / "9001").mkdir(parents=True)
    long = json.dumps(["a", "b", "b"] * 9) + "\n3\n"
    (data / "inputs" / "9001" / "long.txt").write_text(long)
    each = read(data)[1]
    assert isinstance(each, Candidate)
    assert [given.name for given in each.inputs] == ["long.txt", "public-2", "public-1"]
    assert printed(each.program.text, each.inputs[0].data) == "4"


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"difficulty": "easy,medium"}, {"abc900_b"}),
        ({"platform": "LeetCode"}, {"9001"}),
        ({"since": "2024-05-05"}, {"9001"}),
        ({"until": "2024-05-04", "difficulty": "hard"}, {"abc900_a", "abc900_c"}),
        ({"since": "2024-05-04", "until": "2024-05-31"}, {"abc900_a", "abc900_b", "abc900_c"}),
        ({"release": "release_v1", "platform": "leetcode"}, {"9001"}),
    ],
)
def test_problems_are_filtered(data: Path, options: dict[str, str], found: set[str]) -> None:
    """By difficulty, platform, date and release; dates count from their first to their last day."""
    assert {name.partition("/")[0] for name in outcomes(data, **options)} == found


def test_releases_are_files(data: Path) -> None:
    """`release_v3` is the first three, `v4_v5` those alone; local files must have their names."""
    assert files_of_release("release_v3") == ["test.jsonl", "test2.jsonl", "test3.jsonl"]
    assert files_of_release("v1") == ["test.jsonl"]
    assert files_of_release("v4_v5") == ["test4.jsonl", "test5.jsonl"]
    for wrong in ("release_v7", "v5_v4", "v0", "latest"):
        with pytest.raises(PoolError, match="unknown"):
            files_of_release(wrong)
    assert "needs test2.jsonl" in refusal(data, release="release_v2")


# Programs


def test_programs_may_lie_in_folders_by_problem(tmp_path: Path) -> None:
    """Python and C++, each language with its own first; C++ keeps its language for the builder."""
    data = write(tmp_path / "d", [problem()])
    folder = data / "abc900_a"
    folder.mkdir()
    for name, text in {
        "2.py": SUMS,
        "10.py": SUMS,
        "a.cpp": "#include <iostream>\nint main() {}\n",
        "notes.txt": "",
        "_x.py": "",
    }.items():
        (folder / name).write_text(text)
    assert outcomes(data) == {"abc900_a/2.py": ""}
    assert outcomes(data, language="cpp") == {"abc900_a/a.cpp": ""}
    both = read(data, language="all", per_problem="all")
    found = [(each.study, each.program.language) for each in both if isinstance(each, Candidate)]
    assert found == [("livecodebench-python", "python")] * 2 + [("livecodebench-cpp", "cpp")]
    assert isinstance(both[0], Candidate)
    assert both[0].provenance.licence == "unstated"


def test_a_program_for_a_function_in_cpp_has_no_driver(tmp_path: Path) -> None:
    """It is told, like any other program."""
    data = write(tmp_path / "d", [functional()])
    (data / "9001").mkdir()
    (data / "9001" / "a.cpp").write_text("class Solution {};")
    assert outcomes(data, language="all") == {"9001/a.cpp": "no_driver"}
    assert outcomes(data) == {"9001": "no_program"}


def test_graded_cpp_is_told_by_what_it_includes(tmp_path: Path) -> None:
    """The layout of submissions does not name languages."""
    cpp = "// x\n#include <bits/stdc++.h>\nint main() {}\n"
    entries = [graded("abc900_a", (cpp, True), ("# include this\n" + SUMS, True))]
    data = write(tmp_path / "d", [problem()], entries)
    assert outcomes(data, language="cpp") == {"abc900_a/model-1": ""}
    assert outcomes(data) == {"abc900_a/model-2": ""}


def test_submissions_are_named_by_file_or_folder(tmp_path: Path) -> None:
    """`Scenario.…` files lie in a folder of the model's name; equal names stay apart."""
    data = write(tmp_path / "d", [problem()])
    for model in ("Model A", "B"):
        for run in ("Scenario.codegeneration_10_0.2_eval_all", "Scenario.x_eval_all"):
            path = data / "submissions" / model / f"{run}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps([graded("abc900_a", (SUMS, True))]))
    found = [each for each in read(data, per_problem="all") if isinstance(each, Candidate)]
    assert [each.provenance.author for each in found] == ["B", "B", "Model A", "Model A"]
    assert len({each.id for each in found}) == 4
    assert check_pool(LiveCodeBenchPool(), PoolOptions(data=str(data))) == []


CALLED = "def longestRun(marks: List[str], least: int) -> List[str]:\n    return marks[:least]\n"


def execution(**changes: Any) -> dict[str, Any]:
    """A row of ours in the layout of execution-v2."""
    return {
        "question_id": "9001",
        "id": "sample_0",
        "function_name": "longestRun",
        "code": CALLED,
        "input": "longestRun(least = 1, marks = ['a', 'b'])",
        "output": "['a']",
        "contest_date": "2024-06-01 00:00:00",
        "difficulty": "easy",
    } | changes


def write_execution(folder: Path, *rows: dict[str, Any]) -> None:
    lines = (json.dumps(row) + "\n" for row in rows)
    (folder / "execution.jsonl").write_text("".join(lines))


def test_execution_rows_are_programs_with_inputs_of_their_own(tmp_path: Path) -> None:
    """Rows of one function are one program; its calls come as JSON, its problem's tests after."""
    second = execution(id="sample_1", input="longestRun(['a', True, None], 2)", output="x")
    other = execution(id="sample_0", code=CALLED.replace("least]", "1]"))
    data = write(tmp_path / "d", [functional()])
    write_execution(data, execution(), second, other)
    first, third = (each for each in read(data, per_problem="all") if isinstance(each, Candidate))
    assert first.id == "livecodebench/9001/sample_0"
    assert re.fullmatch(r"livecodebench/9001/sample_0~[0-9a-f]{8}", third.id)
    texts = {given.name: (given.data, given.listed_output) for given in first.inputs}
    assert texts["call-sample_0"] == (b'["a", "b"]\n1\n', b'["a"]')
    assert texts["call-sample_1"] == (b'["a", true, null]\n2\n', None)
    assert {"public-1", "public-2"} < texts.keys()
    assert printed(first.program.text, b'["a", "b"]\n1\n') == '["a"]'
    assert first.program.text.startswith("from typing import List\n\ndef longestRun(")


def test_execution_rows_need_no_problem_rows(tmp_path: Path) -> None:
    """What they say of their problem is enough, and filters hold for it."""
    second = execution(id="sample_1", input="longestRun(['a', 'c'], 2)")
    (tmp_path / "d").mkdir()
    write_execution(tmp_path / "d", execution(), second)
    each = one(tmp_path / "d")
    assert len(each.inputs) == 2
    assert (each.tags["difficulty"], each.tags["date"]) == ("easy", "2024-06-01")
    assert read(tmp_path / "d", difficulty="hard") == []
    assert one(tmp_path / "d", programs=str(tmp_path / "d" / "execution.jsonl")) == each


# Drivers


def test_a_function_becomes_a_readable_program(data: Path) -> None:
    """The solution as it is, the imports it lacks above it, and four lines below it."""
    each = read(data)[1]
    assert isinstance(each, Candidate)
    assert each.final_rule == "json"
    assert each.tags["imports_added"] == "1"
    assert each.program.text == (
        f"from typing import List\n\n{LONGEST_RUN}\n\n"
        "import json\nimport sys\n\n"
        "arguments = [json.loads(line) for line in sys.stdin]\n"
        "json.dump(Solution().longestRun(*arguments), sys.stdout)\n"
    )


@pytest.mark.parametrize(
    ("code", "stdin", "output"),
    [
        (
            "from math import *\n\nclass Solution:\n    def f(self, a):\n        return pow(a, 2)",
            "3",
            "9.0",
        ),
        ("class Solution:\n    def f(self, a):\n        return pow(a, 2, 5) + gcd(a, 9)", "3", "7"),
        ("from os import *\nfrom io import *\n\ndef f(a):\n    return a", "[1]", "[1]"),
        (
            "from builtins import print as dump, sum as line\n\ndef f(a):\n    return line(a)",
            "[1]",
            "1",
        ),
        ("print = open = list = map = None\n\ndef f(a):\n    return a", '"é"', '"\\u00e9"'),
        ("sys = json = arguments = line = 1\n\ndef f(a):\n    return sys + json + line", "0", "3"),
        (
            "import sys\nimport json\n\ndef f(a):\n    return sys.maxsize > 0, json.dumps(a)",
            "1",
            '[true, "1"]',
        ),
        ("def f(a):\n    return inf if a else math.pi > 3", "0", "true"),
        ("def f(a):\n    return Counter(a).most_common(1)", '"aab"', '[["a", 2]]'),
        ("def f(a):\n    gcd = 4\n    return [gcd for lcm in a]", "[1, 2]", "[4, 4]"),
        (
            "def f(a):\n    return a\n\n\nclass Solution:\n    def f(self, a):\n        return 2",
            "1",
            "2",
        ),
    ],
)
def test_nothing_hides_what_the_driver_or_the_solution_needs(
    code: str, stdin: str, output: str
) -> None:
    """Star imports, rebound builtins, names like the driver's own, and names that are lacking."""
    made = with_driver(code, "f")
    assert not isinstance(made, Fault), made
    assert printed(made.source, stdin.encode() + b"\n") == output
    assert code in made.source


def test_only_lacking_names_are_imported() -> None:
    """One line per module, none where nothing lacks or an unknown star import may bring it."""

    def head(code: str) -> str:
        made = with_imports(code)
        assert not isinstance(made, Fault)
        assert made.source.endswith(code)
        return made.source.removesuffix(code)

    assert head("print(sum(map(int, input().split())))") == ""
    assert head("import math\nprint(math.inf, pow(2, 3))") == ""
    assert head("from collections import *\nd = defaultdict(list)") == ""
    assert head("from somewhere import *\nd = defaultdict(list)") == ""
    assert head("d = deque([inf]); c = Counter(); print(math.pi)") == (
        "from collections import Counter, deque\nfrom math import inf\nimport math\n\n"
    )
    assert head("def f():\n    global inf\n    inf = 1\nprint(inf)") == ""
    assert head("class A:\n    def gcd(self): ...\nprint(A().gcd())") == ""
    assert head("print(undefined_name)") == ""
    assert head("s = SortedList()") == "from sortedcontainers import SortedList\n\n"
    assert head("this is no program") == ""


@pytest.mark.parametrize(
    ("code", "check"),
    [
        ("def g(a):\n    return a", "no_function"),
        ("class Solution:\n    def g(self):\n        return 1", "no_function"),
        ("def f(:", "code_unreadable"),
        ("x = " + "(" * 5000, "code_unreadable"),
        ("from __future__ import annotations\ndef f(a):\n    return gcd(a, 1)", "future_import"),
    ],
)
def test_a_solution_that_cannot_be_driven_is_told(tmp_path: Path, code: str, check: str) -> None:
    """With a reason of its own, as one program that was inspected."""
    row = functional(metadata='{"func_name": "f"}')
    data = write(tmp_path / "d", [row], [graded("9001", (code, True))])
    assert outcomes(data) == {"9001/model-1": check}


def test_a_solution_that_writes_itself_is_compared_by_lines(tmp_path: Path) -> None:
    """Then its output is not one JSON value."""
    code = LONGEST_RUN + "\nprint('ready')\n"
    data = write(tmp_path / "d", [functional()], [graded("9001", (code, True))])
    assert one(data).final_rule == "lines"


def test_arguments_stand_on_lines_of_their_own(tmp_path: Path) -> None:
    """Blank lines go; a test that is no JSON is left out; listed JSON is spaced as the driver's."""
    pairs = (('["a"]\n\n 1 \n', "[1,2]"), ("[1", "1"), ('["b"]\n2', "a [1,2]"))
    row = functional(public_test_cases=listed("functional", *pairs))
    data = write(tmp_path / "d", [row], [graded("9001", (LONGEST_RUN, True))])
    assert [(given.data, given.listed_output) for given in one(data).inputs] == [
        (b'["a"]\n1\n', b"[1, 2]"),
        (b'["b"]\n2\n', b"a [1,2]"),
    ]


# Private tests


class Writes:
    """A pickle that writes a file when it is loaded."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (str(self.path), "w")


def blob(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data)).decode()


@pytest.mark.parametrize("size", [10, 300, 70_000])
def test_private_tests_are_unpacked(size: int) -> None:
    """Texts of any length, as the public data pack them, or plain."""
    text = listed("stdin", ("é" * size, "1"))
    for given in (packed(text), text, " " + text):
        found = private_tests(given)
        assert not isinstance(found, Fault), found
        assert found[0].input == "é" * size


def test_a_pickle_is_never_run(tmp_path: Path) -> None:
    """One that would write a file is a reason, and the file is not written."""
    path = tmp_path / "written"
    found = private_tests(blob(pickle.dumps(Writes(path))))
    assert isinstance(found, Fault)
    assert found.check == "private_tests_unreadable"
    assert "more than one text: opcode" in found.detail
    assert not path.exists()


def pickled(*operations: bytes) -> bytes:
    return b"\x80\x04" + b"".join(operations) + b"."


TEXT = b"\x8c\x02[]"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (blob(pickle.dumps(["[]"])), "opcode 0x5d"),
        (blob(pickle.dumps(b"[]")), "opcode"),
        (blob(pickle.dumps("[]", 0)), "opcode 0x56"),
        (blob(pickle.dumps("[]", 2)), "opcode 0x71"),
        (blob(pickled(TEXT, TEXT)), "opcode 0x8c"),
        (blob(pickled(b"\x94", TEXT)), "opcode 0x94"),
        (blob(pickled()), "opcode 0x2e"),
        (blob(pickled(TEXT) + b"x"), "something follows"),
        (blob(pickled(TEXT)[:-1]), "ends too soon"),
        (blob(b"\x80\x04\x8d" + b"\xff" * 8 + b"x"), "ends too soon"),
        (blob(pickled(b"\x8c\x01\xff")), "not UTF-8"),
        (blob(b""), "ends too soon"),
        (packed("[" * 100_000), "not JSON"),
        (packed("{}"), "no list"),
        (packed('[{"input": 1, "output": "2"}]'), "number 1 has no input"),
        ("not base64!", "neither JSON nor base64"),
        ("", "no zlib data|end too soon"),
        (base64.b64encode(b"plain").decode(), "no zlib data"),
        (base64.b64encode(zlib.compress(b"x" * 999)[:-9]).decode(), "zlib"),
        ("[1]", "number 1 has no input"),
    ],
)
def test_unreadable_private_tests_are_a_reason(given: str, said: str) -> None:
    """Whatever is wrong with them, in one line and without an exception."""
    found = private_tests(given)
    assert isinstance(found, Fault)
    assert found.check == "private_tests_unreadable"
    assert re.search(said, found.detail)


def test_unpacking_is_bounded() -> None:
    """A small text that unpacks to a huge one is given up at the limit."""
    bomb = base64.b64encode(zlib.compress(b"x" * 10_000_000)).decode()
    found = private_tests(bomb, limit=1_000_000)
    assert isinstance(found, Fault)
    assert "unpack to more than 1,000,000 bytes" in found.detail


def test_any_broken_blob_gives_a_reason() -> None:
    """Each single byte of a pickle changed, or the pickle cut anywhere."""
    whole = pickle.dumps(listed("stdin", ("1", "2")), 4)
    for place in range(len(whole)):
        for data in (whole[:place], whole[:place] + b"R" + whole[place + 1 :]):
            found = private_tests(blob(data))
            assert isinstance(found, Fault) or found[0].name == "private-1"


# Rows


@pytest.mark.parametrize(
    ("changes", "check"),
    [
        ({"private_test_cases": blob(pickle.dumps(["[]"]))}, "private_tests_unreadable"),
        ({"public_test_cases": "[{}]"}, "public_tests_unreadable"),
        ({"public_test_cases": "[]", "private_test_cases": "[]"}, "too_few_inputs"),
    ],
)
def test_a_problem_with_bad_tests_is_told_by_program(
    tmp_path: Path, changes: dict[str, Any], check: str
) -> None:
    """Each program for it is accounted for, and other problems are read."""
    rows = [problem(question_id="bad", **changes), problem()]
    entries = [graded(name, (SUMS, True)) for name in ("bad", "abc900_a")]
    data = write(tmp_path / "d", rows, entries)
    assert outcomes(data) == {"bad/model-1": check, "abc900_a/model-1": ""}


@pytest.mark.parametrize(
    ("broken", "check", "said"),
    [
        (b"{", "row_not_json", "line 1 of test.jsonl: it is not JSON"),
        (problem(private_test_cases=None), "row_incomplete", "no private_test_cases"),
        (problem(public_test_cases=[1]), "row_incomplete", "no public_test_cases that is text"),
        (problem(question_id=" "), "row_incomplete", "question_id is blank"),
        (problem(metadata="{"), "row_mistyped", "metadata cannot be read"),
        (problem(metadata='{"func_name": "a.b"}'), "row_mistyped", "func_name is no name"),
        (problem(metadata="[]"), "row_mistyped", "metadata cannot be read"),
        (problem(question_id="\ud800"), "row_not_utf8", "surrogate"),
    ],
)
def test_a_broken_row_is_named_and_counted(
    tmp_path: Path, broken: dict[str, Any] | bytes, check: str, said: str
) -> None:
    """With its line; rows after it are read, and an id that comes twice is told."""
    good = problem()
    data = write(tmp_path / "d", [broken, good, good], [graded("abc900_a", (SUMS, True))])
    first, second, third = read(data)
    assert isinstance(first, Unusable)
    assert first.check == check
    assert said in first.detail
    assert first.id == "livecodebench/~line-1-of-test.jsonl"
    assert isinstance(second, Candidate)
    assert isinstance(third, Unusable)
    assert third.check == "duplicate_id"
    assert "its id abc900_a is that of line 2 of test.jsonl" in third.detail


def test_broken_entries_of_program_files_are_counted(tmp_path: Path) -> None:
    """They come first, by their place; programs without a problem come last."""
    entries: list[Any] = [
        1,
        {"question_id": "abc900_a"},
        graded("abc900_a", (SUMS, True)) | {"graded_list": []},
        graded("abc900_a", (SUMS, True)) | {"graded_list": ["yes"]},
        graded("abc900_a", ("", True), (SUMS, True)),
        graded("unknown", (SUMS, True)),
        graded("surrogate", ("'\ud800'", True)),
    ]
    rows = [problem(), problem(question_id="surrogate"), problem(question_id="none")]
    data = write(tmp_path / "d", rows, entries)
    (data / "abc900_a").mkdir()
    (data / "abc900_a" / "x.py").write_bytes(b"'\xff'")
    write_execution(data, execution(input="f(1)"), execution(code="x = 1"), execution(output=3))
    found = outcomes(data)
    assert found == {
        "~entry-1-of-model_eval_all.json": "row_not_json",
        "~entry-2-of-model_eval_all.json": "row_incomplete",
        "~entry-3-of-model_eval_all.json": "row_mistyped",
        "~entry-4-of-model_eval_all.json": "row_mistyped",
        next(name for name in found if name.startswith("~abc900_a_x.py")): "program_unreadable",
        "~line-1-of-execution.jsonl": "input_unreadable",
        "~line-2-of-execution.jsonl": "no_function",
        "~line-3-of-execution.jsonl": "row_incomplete",
        "abc900_a/model-1": "empty_source",
        "surrogate/model-1": "not_utf8",
        "none": "no_program",
        "unknown/model-1": "no_problem",
    }
    assert check_pool(LiveCodeBenchPool(), PoolOptions(data=str(data))) == []


def test_parquet_holds_the_same_problems(data: Path, tmp_path: Path) -> None:
    """Dates may be dates there, as the Hub's own conversion makes them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [json.loads(line) for line in (data / "test.jsonl").read_text().splitlines()]
    for row in rows:
        row["contest_date"] = datetime.fromisoformat(row["contest_date"])
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "x.parquet")
    found = read(data, problems=str(tmp_path / "x.parquet"))
    assert [each for each in found if isinstance(each, Candidate)] == [
        each for each in read(data) if isinstance(each, Candidate)
    ]


def test_data_that_is_none_is_refused(tmp_path: Path, data: Path) -> None:
    """One line, before the first program."""
    assert "needs data" in refusal(None)
    assert "there are no programs in" in refusal(write(tmp_path / "d", [problem()]))
    assert "there is no " in refusal(data, programs=str(tmp_path / "none"))
    assert "no programs are named" in refusal(None, problems=str(data / "test.jsonl"))
    assert "no option 'rating'" in refusal(data, rating="2400-")
    assert "since='May' is no date" in refusal(data, since="May")
    other = write(tmp_path / "o", [{"question": 1}], [graded("a", (SUMS, True))])
    said = refusal(other)
    assert "not in the layout of livecodebench/code_generation_lite" in said
    assert "line 1 of test.jsonl: no question_id" in said
    (other / "test.jsonl").unlink()
    assert "there are no problems in" in refusal(other)


def test_what_is_offered_is_described() -> None:
    """Each option has a line of help."""
    assert LiveCodeBenchPool().info().options == OPTIONS
    assert all(OPTIONS.values())


# The real data


@pytest.mark.slow
def test_every_passing_program_of_the_real_data_is_told() -> None:
    """64 of them, each a candidate or a reason; each problem without one is told too."""
    if not REAL.exists():
        pytest.skip("LiveCodeBench's rows are not part of the repository")
    passing = Counter(
        entry["question_id"]
        for path in REAL.glob("*_eval_all*.json")
        for entry in json.loads(path.read_text("utf-8"))
        for grade in entry["graded_list"]
        if grade
    )
    found = read(REAL, per_problem="all")
    told = Counter(each.id.split("/")[1] for each in found if each.id.count("/") == 2)
    assert told == passing
    assert sum(passing.values()) == 64
    rest = [each for each in found if each.id.count("/") == 1]
    assert {each.check for each in rest if isinstance(each, Unusable)} == {"no_passing_program"}
    assert len(rest) + len(passing) == 137


@pytest.mark.slow
def test_functions_of_the_real_data_print_what_is_listed() -> None:
    """On every listed test: drivers and added imports change nothing."""
    if not REAL.exists():
        pytest.skip("LiveCodeBench's rows are not part of the repository")
    checked = 0
    for each in read(REAL, platform="leetcode"):
        if isinstance(each, Candidate):
            for given in each.inputs:
                assert given.listed_output is not None
                said = json.loads(printed(each.program.text, given.data))
                assert said == json.loads(given.listed_output), each.id
                checked += 1
    assert checked > 40
