"""The pool of CodeContests: its problems with the solutions and tests that their rows hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.programs import Language
from deskcheck.sources.codecontests_rows import (
    LANGUAGES,
    NAMES,
    PYTHON_2,
    REPO,
    REVISION,
    ListedProblem,
    listed_problem,
    rating_window,
    submission,
)
from deskcheck.sources.contest_candidates import Maker, Seen, require_layout, rows_of
from deskcheck.sources.contest_hub import fetch
from deskcheck.sources.contest_inputs import AddedInputs
from deskcheck.sources.contest_options import COMMON, Common, one_of, read_common, several
from deskcheck.sources.contest_problems import Fault
from deskcheck.sources.contest_rows import RawRow, files_of_rows
from deskcheck.sources.json_rows import BrokenRow
from deskcheck.sources.pools import Candidate, PoolInfo, PoolOptions, Unusable

POOL = "codecontests"
SPLITS = {"train": "train", "valid": "valid", "test": "test", "all": "*"}

OPTIONS = {
    **COMMON,
    "rating": "window of Codeforces ratings, e.g. 2400-3500 (all, unrated ones too)",
    "platform": "codeforces, atcoder, aizu, codechef, hackerearth; several with commas (all)",
    "split": "on the Hub: train, valid, test or all (all)",
}
_DESCRIPTION = """\
Solutions of the problems of CodeContests, on the tests of all three groups.
Rows have the columns of deepmind/code_contests, as .jsonl or .parquet, or are read
on the Hub. Solutions are taken in their order; those in Python 2 are left out.
Further inputs lie in inputs/<problem>/, e.g. inputs/598_F/ for `598_F. Cut Length`,
or generator.py there writes them."""


class CodeContestsPool:
    """One solution for each problem of CodeContests that has one."""

    def info(self) -> PoolInfo:
        return PoolInfo(
            name=POOL,
            title="Solutions of CodeContests problems",
            description=_DESCRIPTION,
            options=OPTIONS,
        )

    def candidates(self, options: PoolOptions) -> Iterator[Candidate | Unusable]:
        given = options.options
        common = read_common(POOL, options, OPTIONS, REVISION)
        window = rating_window(given.get("rating"))
        platforms = several(given, "platform")
        files = _files(common, SPLITS[one_of(given, "split", "all", SPLITS)])
        require_layout(files, ("name", "solutions", "public_tests"), REPO)
        return _each(files, common, window, platforms)


def _files(common: Common, split: str) -> list[Path]:
    if common.problems is None:
        return fetch(REPO, common.revision, [f"data/{split}-*.parquet"])
    files = files_of_rows(common.problems)
    if not files:
        hint = "name rows of deepmind/code_contests with --data"
        raise PoolError(f"there is no .jsonl or .parquet file in {common.problems}", hint)
    return files


def _each(
    files: Sequence[Path],
    common: Common,
    window: tuple[int, int] | None,
    platforms: frozenset[str],
) -> Iterator[Candidate | Unusable]:
    maker = Maker(
        pool=POOL,
        language=common.languages[0],
        licence=common.licence,
        author=common.author,
        seen=Seen(),
    )
    with AddedInputs(common.inputs, POOL, common.seed, common.generated) as added:
        for row in rows_of(files):
            listed = row if isinstance(row, BrokenRow) else _listed(row, maker.seen)
            if isinstance(listed, BrokenRow):
                yield maker.broken(listed)
            elif _is_wanted(listed, window, platforms):
                yield from _programs(listed, common, maker, added)


def _listed(row: RawRow, seen: Seen) -> ListedProblem | BrokenRow:
    """The problem of a row, unless an earlier row has its id."""
    listed = listed_problem(row)
    return listed if isinstance(listed, BrokenRow) else seen.again(listed.problem) or listed


def _is_wanted(
    listed: ListedProblem, window: tuple[int, int] | None, platforms: frozenset[str]
) -> bool:
    if platforms and listed.problem.tags.get("platform", "") not in platforms:
        return False
    return window is None or (listed.rating > 0 and window[0] <= listed.rating <= window[1])


def _programs(
    listed: ListedProblem, common: Common, maker: Maker, added: AddedInputs
) -> Iterator[Candidate | Unusable]:
    """Every program taken, and those in Python 2 before the last of them; one line if none is."""
    numbers = _taken(listed, common.languages, common.per_problem)
    if not numbers:
        yield maker.without_program(listed.problem, _no_program(listed, common.languages))
        return
    fault = listed.excluded()
    inputs = fault or added.of(listed.problem.id)
    for number in numbers:
        program = submission(listed, number)
        if listed.solutions[number - 1][0] == PYTHON_2:
            detail = "it is written in Python 2, which is not measured"
            yield maker.refused(listed.problem, program, Fault(check="python_2", detail=detail))
        elif isinstance(inputs, Fault):
            yield maker.refused(listed.problem, program, inputs)
        else:
            yield maker.candidate(listed.problem, program, program.source, inputs, listed.tests)


def _taken(listed: ListedProblem, languages: Sequence[Language], most: int | None) -> list[int]:
    """Numbers of the solutions that are inspected, from 1 and in their order.

    Where Python is asked for, those in Python 2 are inspected until there is enough Python 3.
    """
    counts: Counter[Language] = Counter()
    taken: list[int] = []
    for number, (kind, _) in enumerate(listed.solutions, 1):
        language = "python" if kind == PYTHON_2 else LANGUAGES.get(kind)
        if language is None or language not in languages:
            continue
        if most is None or counts[language] < most:
            taken.append(number)
            counts[language] += kind != PYTHON_2
    return taken


def _no_program(listed: ListedProblem, languages: Sequence[Language]) -> Fault:
    counts = Counter(NAMES.get(kind, f"language {kind}") for kind, _ in listed.solutions)
    asked = " or ".join(languages)
    there = ", ".join(f"{count} in {name}" for name, count in sorted(counts.items()))
    detail = f"none of its solutions is in {asked}: {there}" if there else "it has no solutions"
    return Fault(check="no_program", detail=detail)
