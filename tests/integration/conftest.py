"""Datasets of the pools that there are, each admitted once, as a user would."""

from __future__ import annotations

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
