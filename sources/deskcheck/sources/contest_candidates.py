"""Candidates of contest pools, made of a problem, a program and inputs; or why there is none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from deskcheck.oracles.equivalence import Rule, layout_sensitive
from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.programs import Language, Program
from deskcheck.sources.contest_inputs import choose
from deskcheck.sources.contest_problems import (
    Fault,
    ListedTest,
    Problem,
    Submission,
    safe,
    writable,
)
from deskcheck.sources.contest_rows import RawRow, read_rows
from deskcheck.sources.json_rows import BrokenRow
from deskcheck.sources.pools import Candidate, Input, Provenance, Unusable

SOURCE_LIMIT = 1024**2
"""Characters of a program; what a dataset takes is for the builder to say."""


@dataclass(slots=True)
class Seen:
    """Problems met so far, to find those that come twice."""

    places: dict[str, str] = field(default_factory=dict)
    firsts: dict[bytes, str] = field(default_factory=dict)
    """Hash of a statement -> the first problem that has it."""

    def again(self, problem: Problem) -> BrokenRow | None:
        """What is wrong with a problem whose id an earlier row has."""
        if problem.id not in self.places:
            self.places[problem.id] = problem.place
            self.firsts.setdefault(_digest(problem), problem.id)
            return None
        detail = f"its id {problem.id} is that of {self.places[problem.id]}"
        return BrokenRow(place=problem.place, check="duplicate_id", detail=detail)

    def first(self, problem: Problem) -> str:
        """The problem's id, or that of an earlier one with the same statement.

        Contests for two divisions share problems, under two names.
        """
        if not problem.statement.strip():
            return problem.id
        return self.firsts.get(_digest(problem), problem.id)


def _digest(problem: Problem) -> bytes:
    return sha256(problem.statement.encode("utf-8", "surrogatepass")).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """Makes what one pool yields."""

    pool: str
    language: Language
    """Under which problems without a program are counted."""
    licence: str
    """In place of what programs say themselves; empty where that holds."""
    author: str
    seen: Seen

    def unusable(self, name: str, place: str, why: Fault, language: Language) -> Unusable:
        return Unusable(
            id=f"{self.pool}/{name}",
            pool=self.pool,
            study=f"{self.pool}-{language}",
            check=why.check,
            detail=" ".join(f"{place}: {why.detail}".split()),
        )

    def broken(self, row: BrokenRow, under: str = "") -> Unusable:
        """A row that cannot be read, by its place and, where that is known, below a problem."""
        name = "~" + safe(row.place.replace(" ", "-"))
        why = Fault(check=row.check, detail=row.detail)
        path = f"{safe(under)}/{name}" if under else name
        return self.unusable(path, row.place, why, self.language)

    def without_program(self, problem: Problem, why: Fault) -> Unusable:
        return self.unusable(safe(problem.id), problem.place, why, self.language)

    def refused(self, problem: Problem, submission: Submission, why: Fault) -> Unusable:
        name = f"{safe(problem.id)}/{submission.name}"
        return self.unusable(name, submission.place, why, submission.language)

    def orphan(self, submission: Submission, why: Fault) -> Unusable:
        """A program whose problem is not known."""
        name = f"{safe(submission.problem)}/{submission.name}"
        return self.unusable(name, submission.place, why, submission.language)

    def candidate(
        self,
        problem: Problem,
        submission: Submission,
        source: str,
        added: Sequence[Input],
        tests: Sequence[ListedTest],
        final_rule: Rule | None = None,
        tags: dict[str, str] | None = None,
    ) -> Candidate | Unusable:
        """The candidate; outputs compare by tokens, or lines if a listed one says so by layout."""
        fault = _source_fault(source)
        inputs = fault or choose(added, tests)
        if isinstance(inputs, Fault):
            return self.refused(problem, submission, inputs)
        return Candidate(
            id=f"{self.pool}/{safe(problem.id)}/{submission.name}",
            pool=self.pool,
            study=f"{self.pool}-{submission.language}",
            program=Program(language=submission.language, source=source.encode()),
            provenance=Provenance(
                licence=self.licence or submission.licence,
                author=self.author or submission.author,
                origin=f"{self.pool}/{safe(self.seen.first(problem))}",
                url=problem.url,
            ),
            inputs=inputs,
            final_rule=final_rule or ("lines" if _laid_out(inputs) else "tokens"),
            tags={**problem.all_tags(), **(tags or {})},
        )


def rows_of(files: Sequence[Path]) -> Iterator[RawRow | BrokenRow]:
    """The rows of all files, one after the other."""
    for path in files:
        yield from read_rows(path)


def require_layout(files: Sequence[Path], needed: Sequence[str], name: str) -> None:
    """PoolError unless some row has all the fields needed; reads as far as the first that does."""
    first: str | None = None
    for row in rows_of(files):
        if isinstance(row, BrokenRow):
            first = first or f"{row.place}: {row.detail}"
            continue
        missing = [field for field in needed if row.fields.get(field) is None]
        if not missing:
            return
        first = first or f"{row.place}: no {' and no '.join(missing)}"
    shown = ", ".join(path.name for path in files[:4]) + (" …" if len(files) > 4 else "")
    if first is None:
        raise PoolError(f"{shown} holds no rows", "name another file")
    raise PoolError(
        f"{shown} is not in the layout of {name}; {first}", f"each row has {', '.join(needed)}"
    )


def _source_fault(source: str) -> Fault | None:
    if not source.strip():
        return Fault(check="empty_source", detail="the source is blank")
    if len(source) > SOURCE_LIMIT:
        detail = f"the source has more than {SOURCE_LIMIT:,} characters"
        return Fault(check="too_large", detail=detail)
    if not writable(source):
        detail = "the source holds half of a surrogate pair, which UTF-8 cannot write"
        return Fault(check="not_utf8", detail=detail)
    return None


def _laid_out(inputs: Sequence[Input]) -> bool:
    """Whether a listed output says something by its spaces or empty lines."""
    return any(
        layout_sensitive(each.listed_output.decode("utf-8", "replace"))
        for each in inputs
        if each.listed_output is not None
    )
