"""Datasets of the pools that there are, each admitted once, as a user would."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLE = Path(__file__).parents[1] / "sources/functions_sample.jsonl"

SUMS = """\
total = 0
for word in input().split():
    total = total * 2 + int(word)
print(total)
"""
RUNS = """\
longest = run = 0
before = None
for mark in input():
    run = run + 1 if mark == before else 1
    longest = max(longest, run * 3 + ord(mark) % 3)
    before = mark
print("longest:", longest, before)
"""


def admitted(out: Path, *arguments: str) -> Path:
    """The folder that `builder admit` leaves."""
    command = [sys.executable, "-m", "deskcheck.builder.cli", "admit", "-o", str(out), *arguments]
    subprocess.run(command, check=True, capture_output=True)
    (made,) = out.iterdir()
    return made


@pytest.fixture(scope="session")
def textbook_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("textbook")
    return admitted(out, "--pool", "textbook", "--min-admitted", "30")


@pytest.fixture(scope="session")
def functions_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("functions")
    return admitted(out, "--pool", "functions", "--data", str(SAMPLE))


@pytest.fixture(scope="session")
def library_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A routine of each package."""
    out = tmp_path_factory.mktemp("library")
    options = ["--option", "only=getopt,topological_sort", "--option", "cases=1"]
    return admitted(out, "--pool", "library", *options, "--min-admitted", "2")


@pytest.fixture(scope="session")
def network_simplex_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two graphs for which the routine is done soon."""
    seeds = tmp_path_factory.mktemp("seeds") / "seeds.txt"
    seeds.write_text("2\n9\n", "utf-8")
    out = tmp_path_factory.mktemp("network-simplex")
    options = ["--option", f"seeds={seeds}"]
    return admitted(out, "--pool", "network-simplex", *options, "--min-admitted", "2")


WORDS = (("3 1 4\n", "3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 3\n"), SUMS)
MARKS = (("abb\n", "aabbbbacccccabbaaaaaacbbbb\n"), RUNS)


def listed(program: str, inputs: tuple[str, str]) -> list[tuple[str, str]]:
    """Both inputs, each with what the program prints for it."""
    command = [sys.executable, "-I", "-c", program]
    return [
        (
            text,
            subprocess.run(
                command, input=text, stdout=subprocess.PIPE, text=True, check=True
            ).stdout,
        )
        for text in inputs
    ]


@pytest.fixture(scope="session")
def livecodebench_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two problems in the public layout, and a graded program for each."""
    data = tmp_path_factory.mktemp("problems")
    rows, graded = [], []
    for number, (inputs, program) in enumerate((WORDS, MARKS)):
        tests = [
            {"input": text, "output": output, "testtype": "stdin"}
            for text, output in listed(program, inputs)
        ]
        rows.append(
            {
                "question_title": f"Problem {number}",
                "question_content": "Print what is asked for.",
                "platform": "atcoder",
                "question_id": f"abc90{number}_a",
                "contest_id": f"abc90{number}",
                "contest_date": "2024-05-04T00:00:00",
                "starter_code": "",
                "difficulty": "hard",
                "public_test_cases": json.dumps(tests),
                "private_test_cases": "[]",
                "metadata": "{}",
            }
        )
        graded.append(
            {
                "question_id": f"abc90{number}_a",
                "code_list": [program],
                "graded_list": [True],
                "metadata": ["{}"],
            }
        )
    (data / "test.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (data / "model_eval_all.json").write_text(json.dumps(graded))
    out = tmp_path_factory.mktemp("livecodebench")
    return admitted(out, "--pool", "livecodebench", "--data", str(data), "--min-admitted", "2")


@pytest.fixture(scope="session")
def codecontests_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two problems in the public layout, with a Python 3 solution each."""
    data = tmp_path_factory.mktemp("contests") / "rows.jsonl"
    none: dict[str, list[str]] = {"input": [], "output": []}
    rows = []
    for number, (inputs, program) in enumerate((WORDS, MARKS)):
        pairs = listed(program, inputs)
        rows.append(
            {
                "name": f"90{number}_A. Problem {number}",
                "description": f"Print what is asked for in problem {number}.",
                "public_tests": {
                    "input": [text for text, _ in pairs],
                    "output": [output for _, output in pairs],
                },
                "private_tests": none,
                "generated_tests": none,
                "source": 2,
                "difficulty": 7,
                "solutions": {"language": [3], "solution": [program]},
                "incorrect_solutions": {"language": [], "solution": []},
                "cf_contest_id": 900 + number,
                "cf_index": "A",
                "cf_points": 500.0,
                "cf_rating": 2400,
                "cf_tags": ["math"],
                "is_description_translated": False,
                "untranslated_description": "",
                "time_limit": None,
                "memory_limit_bytes": 0,
                "input_file": "",
                "output_file": "",
            }
        )
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = tmp_path_factory.mktemp("codecontests")
    return admitted(out, "--pool", "codecontests", "--data", str(data), "--min-admitted", "2")


@pytest.fixture(scope="session")
def own_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two programs with files beside them."""
    programs = tmp_path_factory.mktemp("programs")
    for name, program, short, long in (
        ("sums", SUMS, "3 1 4\n", "3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 3\n"),
        ("runs", RUNS, "abb\n", "aabbbbacccccabbaaaaaacbbbb\n"),
    ):
        (programs / f"{name}.py").write_text(program, "utf-8")
        (programs / f"{name}.short.in").write_text(short, "utf-8")
        (programs / f"{name}.long.in").write_text(long, "utf-8")
    out = tmp_path_factory.mktemp("own")
    return admitted(out, "--pool", "folder", "--data", str(programs), "--min-admitted", "2")
