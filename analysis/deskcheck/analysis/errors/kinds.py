"""Kinds of wrong answers, and what a proof of one has at hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from deskcheck.analysis.errors.moments import Seen
from deskcheck.builder.cases import Arm
from deskcheck.evaluate.cells import Cell, Status
from deskcheck.oracles.equivalence import Rule

Kind = Literal["execution", "arithmetic", "copying", "formatting", "truncation", "unclassified"]
KINDS: tuple[Kind, ...] = get_args(Kind)

MEANINGS: Mapping[Kind, str] = {
    "execution": "the state of the program at another moment of the same loop",
    "arithmetic": "right but for one number",
    "copying": "another arm's answer, the input, or the state before the loop",
    "formatting": "the right answer, written in a way that the rule does not allow",
    "truncation": "the right answer as far as it goes, or a reply that ran into a limit",
    "unclassified": "nothing of the above could be proved",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The kind of one wrong answer, what it is of that kind, and one line of evidence."""

    kind: Kind
    sub_kind: str
    """Snake case, such as `off_by_one`."""
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """What became of a reply that counts as wrong."""

    status: Status
    answer: str | None
    extraction: str | None = None
    finish_reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """All that is known about one task whose answer was wrong."""

    arm: Arm
    rule: Rule
    stdin: str
    answers: Mapping[Arm, str]
    """The expected answer of each arm of the case, this one's among them."""
    guessable: frozenset[Arm]
    """Arms whose answer a guess may hit, so that giving it proves nothing."""
    iteration: int
    """That of the inside checkpoint, from 1."""
    iterations: int
    states: Mapping[str, tuple[Seen, ...]] = field(default_factory=dict)
    """The moments at which a state was observed, by its canonical text; empty where no program
    was run again."""

    @property
    def expected(self) -> str:
        """The right answer."""
        return self.answers[self.arm]


def wrong_of(cell: Cell) -> Wrong:
    """What a cell tells of its reply."""
    return Wrong(
        status=cell.status,
        answer=cell.answer,
        extraction=cell.extraction,
        finish_reason=cell.finish_reason,
    )
