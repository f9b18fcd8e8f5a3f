"""Kinds of errors against wrong answers that were planted on real cases and observed states."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from tests.analysis.planting import Plant, plants
from tests.builder.cpp.compiled_programs import COMPILERS

from deskcheck.analysis.errors.kinds import KINDS, Found
from deskcheck.analysis.errors.moments import REACH, Moments
from deskcheck.analysis.errors.observing import observe
from deskcheck.analysis.errors.proofs import classify
from deskcheck.analysis.errors.wrong import questions_of
from deskcheck.builder.cli import run
from deskcheck.builder.contents import Dataset
from deskcheck.builder.dataset import read_answers, read_dataset
from deskcheck.builder.engines.local import LocalEngine
from deskcheck.oracles.runtimes.python import find_interpreter

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("datasets of pools")]

LEAST = 0.98
"""Of precision and of recall, of every kind."""


@pytest.fixture(scope="module")
def dataset(textbook_folder: Path) -> Dataset:
    return read_dataset(textbook_folder)


@pytest.fixture(scope="module")
def moments(textbook_folder: Path, dataset: Dataset) -> Moments:
    """What `builder errors --observe` keeps of the textbook pool."""
    answers = read_answers(textbook_folder)
    return observe(dataset, answers, find_interpreter(None), LocalEngine(2))


@pytest.fixture(scope="module")
def judged(textbook_folder: Path, dataset: Dataset, moments: Moments) -> list[tuple[Plant, Found]]:
    questions = questions_of(dataset, read_answers(textbook_folder), moments)
    return [
        (plant, classify(plant.wrong, questions[task.id]))
        for seed, task in enumerate(dataset.tasks)
        for plant in plants(questions[task.id], moments.states[task.case_id], seed)
    ]


def test_every_case_is_observed(dataset: Dataset, moments: Moments) -> None:
    """Each program shows its states around both checkpoints again."""
    assert moments.unseen == {}
    assert moments.states.keys() == {case.id for case in dataset.cases}


def test_planted_errors_are_found_and_no_others(judged: list[tuple[Plant, Found]]) -> None:
    """Precision and recall of each kind, over more than a thousand answers."""
    assert len(judged) > 1000
    pairs = Counter((plant.kind, found.kind) for plant, found in judged)
    for kind in KINDS:
        right = pairs[kind, kind]
        planted = sum(pairs[kind, each] for each in KINDS)
        called = sum(pairs[each, kind] for each in KINDS)
        print(f"{kind}: precision {right}/{called}, recall {right}/{planted}")
        assert planted >= 30
        assert right >= LEAST * called, kind
        assert right >= LEAST * planted, kind


def test_off_by_is_that_of_the_planted_iteration(judged: list[tuple[Plant, Found]]) -> None:
    """The evidence of a neighbouring state names an iteration at most as far away."""
    near = [found for plant, found in judged if plant.how == "neighbouring iteration"]
    assert len(near) > 100
    assert {found.sub_kind for found in near} <= {"off_by_one", "off_by_more", "other_end"}
    assert all("iteration" in found.evidence for found in near)


CPP = b"""\
#include <iostream>
#include <map>
#include <string>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::map<std::string, int> seen;
    std::vector<int> kept;
    long long total = 7;
    for (int i = 0; i < n; ++i) {
        total = (total * 31 + i) % 1009;
        if (total % 3 == 0) kept.push_back(total % 50);
        seen[std::string(1, 'a' + total % 5)] += 1;
    }
    std::cout << total << ' ' << kept.size() << ' ' << seen.size() << '\\n';
}
"""


def cpp_state(k: int) -> dict[str, object]:
    """What that program holds as iteration k begins, worked out here."""
    total, kept, seen = 7, list[int](), dict[str, int]()
    for i in range(k - 1):
        total = (total * 31 + i) % 1009
        if total % 3 == 0:
            kept.append(total % 50)
        letter = "abcde"[total % 5]
        seen[letter] = seen.get(letter, 0) + 1
    return {"total": total, "kept": kept, "seen": seen}


@pytest.mark.skipif("clang++" not in COMPILERS, reason="C++ is measured with clang++")
def test_a_cpp_program_is_observed_alike(tmp_path: Path) -> None:
    """Every state is the one worked out here."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "mix.cpp").write_bytes(CPP)
    (programs / "mix.1.in").write_text("4\n")
    (programs / "mix.2.in").write_text("40\n")
    admit = ["admit", "--pool", "folder", "--data", str(programs), "--workers", "1"]
    assert run([*admit, "-o", str(tmp_path / "out"), "--min-admitted", "1"]) == 0
    (folder,) = (tmp_path / "out").iterdir()
    dataset, answers = read_dataset(folder), read_answers(folder)
    moments = observe(dataset, answers, find_interpreter(None), LocalEngine(1))
    (seen,) = moments.states.values()
    assert sum(each.place == "inside" for each in seen) >= REACH
    for each in seen:
        k = {"before": 1, "inside": each.iteration, "post": 41}[each.place]
        state = json.loads(each.state)
        assert state == {name: cpp_state(k)[name] for name in state}
