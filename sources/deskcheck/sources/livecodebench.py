"""The pool of LiveCodeBench: its problems' tests, and programs that solve them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from deskcheck.oracles.errors import PoolError
from deskcheck.sources.contest_candidates import Maker, Seen, require_layout, rows_of
from deskcheck.sources.contest_hub import fetch
from deskcheck.sources.contest_inputs import AddedInputs
from deskcheck.sources.contest_options import COMMON, Common, read_common
from deskcheck.sources.contest_problems import (
    Fault,
    ListedTest,
    Submission,
    first_of_each_language,
)
from deskcheck.sources.contest_rows import RawRow, files_of_rows
from deskcheck.sources.json_rows import BrokenRow
from deskcheck.sources.livecodebench_driver import Runnable, with_driver, with_imports
from deskcheck.sources.livecodebench_programs import (
    Programs,
    find_programs,
    is_execution,
    unclaimed,
)
from deskcheck.sources.livecodebench_rows import (
    FILTERS,
    REPO,
    REVISION,
    Question,
    Wanted,
    files_of_release,
    of_release,
    question_of,
    wanted,
)
from deskcheck.sources.pools import Candidate, Input, PoolInfo, PoolOptions, Unusable

POOL = "livecodebench"

OPTIONS = {
    **COMMON,
    "programs": "a *_eval_all.json, a folder, or execution-v2 rows (those in data)",
    **FILTERS,
}
_DESCRIPTION = """\
Programs for the problems of LiveCodeBench, on the tests that its rows carry.
Problems are rows of code_generation_lite as .jsonl or .parquet, or on the Hub.
Programs are looked for in the data's folder: those graded as passing in
*_eval_all*.json, sources in <question_id>/*.py, and rows of execution-v2 in
execution*.jsonl. Where a problem asks for a function, the program reads its
arguments from standard input, one JSON value per line.
Further inputs lie in inputs/<question_id>/, or generator.py there writes them."""


class LiveCodeBenchPool:
    """One program for each problem of LiveCodeBench that has one."""

    def info(self) -> PoolInfo:
        return PoolInfo(
            name=POOL,
            title="Programs for LiveCodeBench problems",
            description=_DESCRIPTION,
            options=OPTIONS,
        )

    def candidates(self, options: PoolOptions) -> Iterator[Candidate | Unusable]:
        given = options.options
        common = read_common(POOL, options, OPTIONS, REVISION)
        filters = wanted(given)
        files = _files(common, given.get("release"))
        programs = find_programs(given.get("programs"), common.data)
        if files:
            needed = ("question_id", "public_test_cases", "private_test_cases")
            require_layout(files, needed, REPO)
        elif not programs.questions:
            hint = "name rows of code_generation_lite with --option problems=PATH"
            raise PoolError(f"there are no problems in {common.problems}", hint)
        return _each(files, common, filters, programs)


def _files(common: Common, release: str | None) -> list[Path]:
    if common.problems is None:
        return fetch(REPO, common.revision, files_of_release(release or "release_v6"))
    files = [path for path in files_of_rows(common.problems) if not is_execution(path)]
    return files if release is None else of_release(files, release)


def _each(
    files: Sequence[Path], common: Common, filters: Wanted, programs: Programs
) -> Iterator[Candidate | Unusable]:
    """What is wrong with program files, then problem by problem, then programs without one."""
    maker = Maker(
        pool=POOL,
        language=common.languages[0],
        licence=common.licence,
        author=common.author,
        seen=Seen(),
    )
    for broken in programs.broken:
        yield maker.broken(broken)
    with AddedInputs(common.inputs, POOL, common.seed, common.generated) as added:
        work = _Work(common, filters, programs, maker, added)
        for row in rows_of(files):
            read = row if isinstance(row, BrokenRow) else _question(row, maker.seen)
            if isinstance(read, BrokenRow):
                yield maker.broken(read)
            else:
                yield from work.on(read)
        for identity in unclaimed(programs, set(maker.seen.places)):
            question = programs.questions.get(identity)
            if question is not None:
                yield from work.on(question)
                continue
            detail = f"no row that can be read has its question_id {identity}"
            for submission in work.taken(identity):
                yield maker.orphan(submission, Fault(check="no_problem", detail=detail))


def _question(row: RawRow, seen: Seen) -> Question | BrokenRow:
    """The problem of a row, unless an earlier row has its id."""
    question = question_of(row)
    return question if isinstance(question, BrokenRow) else seen.again(question.problem) or question


class _Work:
    """What is made of one problem after the other."""

    def __init__(
        self,
        common: Common,
        filters: Wanted,
        programs: Programs,
        maker: Maker,
        added: AddedInputs,
    ) -> None:
        self._common = common
        self._filters = filters
        self._programs = programs
        self._maker = maker
        self._added = added

    def taken(self, problem: str) -> list[Submission]:
        found = self._programs.by_problem.get(problem, [])
        return first_of_each_language(found, self._common.languages, self._common.per_problem)

    def on(self, question: Question) -> Iterator[Candidate | Unusable]:
        """Every program taken for the problem; one line for a problem that has none."""
        problem = question.problem
        if not self._filters.has(problem):
            return
        taken = self.taken(problem.id)
        if not taken:
            yield self._maker.without_program(problem, self._no_program(problem.id))
            return
        tests = problem.excluded() or question.tests()
        added = tests if isinstance(tests, Fault) else self._added.of(problem.id)
        for submission in taken:
            if isinstance(tests, Fault):
                yield self._maker.refused(problem, submission, tests)
            elif isinstance(added, Fault):
                yield self._maker.refused(problem, submission, added)
            else:
                yield self._made(question, submission, tests, added)

    def _made(
        self,
        question: Question,
        submission: Submission,
        tests: Sequence[ListedTest],
        added: Sequence[Input],
    ) -> Candidate | Unusable:
        problem = question.problem
        tests = [*submission.tests, *tests]
        if submission.language != "python":
            if question.function:
                detail = "only Python programs get a driver for a problem that asks for a function"
                return self._maker.refused(
                    problem, submission, Fault(check="no_driver", detail=detail)
                )
            return self._maker.candidate(problem, submission, submission.source, added, tests)
        if question.function:
            runnable = with_driver(submission.source, question.function)
            tests = [each for test in tests if (each := _values(test)) is not None]
        else:
            runnable = with_imports(submission.source)
        if isinstance(runnable, Fault):
            return self._maker.refused(problem, submission, runnable)
        return self._maker.candidate(
            problem,
            submission,
            runnable.source,
            added,
            tests,
            ("json" if runnable.prints_json else "lines") if question.function else None,
            _tags(runnable),
        )

    def _no_program(self, problem: str) -> Fault:
        count = self._programs.inspected.get(problem, 0)
        if not count:
            return Fault(check="no_program", detail="there is no program for this problem")
        passing = len(self._programs.by_problem.get(problem, []))
        if passing:
            asked = " or ".join(self._common.languages)
            detail = f"none of its {passing} programs is written in {asked}"
            return Fault(check="no_program", detail=detail)
        detail = f"none of its {count} program{'s' * (count > 1)} is graded as passing"
        return Fault(check="no_passing_program", detail=detail)


def _values(test: ListedTest) -> ListedTest | None:
    """A test of a function with one JSON value per line, and its output as the driver writes it.

    None where a line holds no value.
    """
    lines = [line for line in test.input.splitlines() if line.strip()]
    try:
        for line in lines:
            json.loads(line)
    except (ValueError, RecursionError):
        return None
    output = test.output
    if output is not None:
        with suppress(ValueError, RecursionError):
            output = json.dumps(json.loads(output))
    return replace(test, input="".join(f"{line.strip()}\n" for line in lines), output=output)


def _tags(runnable: Runnable) -> dict[str, str]:
    return {"imports_added": str(runnable.imports)} if runnable.imports else {}
