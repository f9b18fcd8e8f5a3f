"""Mutated replies: none does harm, and where a mutation's effect is known the grade shows it.

`DESKCHECK_FUZZ` says how many; a number in a failure names its reply for good.
"""

from __future__ import annotations

import os
import resource
from collections import Counter
from random import Random

import pytest
from tests.evaluate.reply_mutations import DAMAGES, DECIDING, KEEPING, Case, known, right, unknown
from tests.evaluate.specimens import HARD_PIECES, SPECIMENS

from deskcheck.evaluate.cells import COMPLETED
from deskcheck.evaluate.extraction import RULES
from deskcheck.evaluate.grading import CUT_OFF, KEPT, Grade
from deskcheck.oracles.equivalence import compare

COUNT = int(os.environ.get("DESKCHECK_FUZZ", "3000"))

MEBIBYTE = 1024


def mutated(number: int) -> Case:
    """The reply of this number, always the same."""
    rng = Random(number)
    return known(rng) if number % 2 else unknown(rng)


def require_known(case: Case, found: Grade) -> None:
    """The grade shows what the mutations made of the reply."""
    assert found.status in case.status, (case, found)
    if case.worth is not None:
        assert found.answer_correct is case.worth, (case, found)
    if case.valid is not None:
        assert found.envelope_valid is case.valid, (case, found)
    if case.rule == "json" and case.worth:
        assert found.field_credit == 1, (case, found)


def require_harmless(case: Case, found: Grade) -> None:
    """The grade is whole, and a right answer is really there."""
    cut_off = case.finish.casefold() in CUT_OFF
    assert found.status in COMPLETED
    assert (found.status == "truncated") == cut_off, (case, found)
    assert found.extraction in RULES
    assert (found.answer is None) == (found.extraction == "none")
    assert len(found.answer or "") < KEPT + 50
    assert (found.difference_at is None) == (found.answer_correct is not False), (case, found)
    if found.answer_correct:
        assert found.answer is not None
        assert compare(case.rule, case.expected, found.answer) is None, (case, found)
        assert found.answer.strip() in case.text, (case, found)
    if found.status == "correct":
        assert found.answer_correct
    if found.field_credit is not None:
        assert 0 <= found.field_credit <= 1


def grade_all(numbers: range) -> Counter[str]:
    """Grade the replies of these numbers; how often each status came."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    statuses: Counter[str] = Counter()
    for number in numbers:
        case = mutated(number)
        found = case.grade()
        if number % 2:
            require_known(case, found)
        else:
            require_harmless(case, found)
        statuses[found.status] += 1
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 300 * MEBIBYTE, f"{grown // MEBIBYTE} MiB more than before"
    return statuses


def test_mutated_replies_are_graded_as_their_mutations_say() -> None:
    """No crash, no hang, bounded memory, and every status that a reply can have comes up."""
    statuses = grade_all(range(COUNT))
    assert statuses.keys() == COMPLETED or COUNT < 1_000
    assert statuses.total() == COUNT


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_a_hundred_thousand_more_are_too(part: int) -> None:
    """The same of other numbers, in parts that can run beside each other."""
    start = 1_000_000_000 + part * 25_000
    assert grade_all(range(start, start + 25_000)).keys() == COMPLETED


def test_a_number_names_its_reply() -> None:
    """What failed once can be looked at again."""
    for number in range(60):
        assert mutated(number) == mutated(number)
        assert mutated(number).grade() == mutated(number).grade()


def test_the_mutations_do_something() -> None:
    """There are enough seeds, and each kind of mutation changes some reply."""
    assert len(SPECIMENS) + len(HARD_PIECES) > 120
    assert len({each.text for each in SPECIMENS}) > 60
    cases = [right(Random(number)) for number in range(200)]
    for change in (*KEEPING, *DECIDING[1:]):
        changed = [change(case, Random(number)) for number, case in enumerate(cases)]
        assert changed != cases, change
    for damage in DAMAGES:
        assert any(damage(each.text, Random(1)) != each.text for each in SPECIMENS), damage
