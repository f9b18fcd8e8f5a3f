"""Problems of CodeContests: rows of `deepmind/code_contests`, with tests and solutions in them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.programs import Language
from deskcheck.sources.contest_problems import Fault, ListedTest, Problem, Submission, writable
from deskcheck.sources.contest_rows import RawRow
from deskcheck.sources.json_rows import BrokenRow

REPO = "deepmind/code_contests"
REVISION = "802411c3010cb00d1b05bad57ca77365a3c699d6"
LICENCE = "CC-BY-4.0"
AUTHOR = "unnamed contestants (CodeContests, Li et al. 2022)"

PYTHON_2, CPP, PYTHON_3, JAVA = 1, 2, 3, 4
LANGUAGES: Mapping[int, Language] = {PYTHON_3: "python", CPP: "cpp"}
NAMES = {PYTHON_2: "Python 2", CPP: "C++", PYTHON_3: "Python 3", JAVA: "Java"}

GROUPS = ("public", "private", "generated")
PLATFORMS = ("", "codechef", "codeforces", "hackerearth", "codejam", "atcoder", "aizu")
"""By number, in the columns of the Hub's copy; the protocol buffers number them otherwise."""
CODEFORCES = 2
HIGHEST = 9999

_SHORT = re.compile(r"(\d+_[A-Z]\d*)\. ")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedProblem:
    """A problem with all that its row holds."""

    problem: Problem
    rating: int
    """0 where there is none."""
    file_input: str
    """What it is read from in place of standard input; empty for most."""
    tests: Sequence[ListedTest]
    solutions: Sequence[tuple[int, str]]
    """Number of the language and source, in their order."""

    def excluded(self) -> Fault | None:
        """Why no program for this problem can be a case."""
        if self.file_input:
            detail = f"programs for it use {self.file_input}, not standard input and output"
            return Fault(check="file_input", detail=detail)
        return self.problem.excluded()


class _WrongTypeError(Exception):
    """A field is not what it must be; caught in `listed_problem`."""


def listed_problem(row: RawRow) -> ListedProblem | BrokenRow:
    """The problem of a row; what is wrong with it where a needed field is not what it must be."""
    fields = row.fields
    name = fields.get("name")
    if not isinstance(name, str) or not name.strip() or not writable(name):
        detail = "no name that is text"
        return BrokenRow(place=row.place, check="row_incomplete", detail=detail)
    try:
        tests = [test for group in GROUPS for test in _tests(fields, group)]
        solutions = _solutions(fields)
        rating = _integer(fields, "cf_rating")
        source = _integer(fields, "source")
    except _WrongTypeError as error:
        return BrokenRow(place=row.place, check="row_mistyped", detail=f"{error} ({name})")
    except KeyError as error:
        detail = f"no {error.args[0]} ({name})"
        return BrokenRow(place=row.place, check="row_incomplete", detail=detail)
    files = [str(fields.get(each) or "").strip() for each in ("input_file", "output_file")]
    return ListedProblem(
        problem=_problem(row, name, source, rating),
        rating=rating,
        file_input=" and ".join(each for each in files if each),
        tests=tests,
        solutions=solutions,
    )


def submission(listed: ListedProblem, number: int) -> Submission:
    """Solution `number` from 1, which must be in a language that is measured."""
    language, source = listed.solutions[number - 1]
    return Submission(
        problem=listed.problem.id,
        name=name_of(listed, number),
        place=f"{listed.problem.place}, solution {number}",
        language=LANGUAGES.get(language, "python"),
        source=source,
        licence=LICENCE,
        author=AUTHOR,
    )


def name_of(listed: ListedProblem, number: int) -> str:
    """`python3-7` for the seventh solution, where that is Python 3."""
    kinds = {PYTHON_2: "python2", CPP: "cpp", PYTHON_3: "python3"}
    return f"{kinds.get(listed.solutions[number - 1][0], 'other')}-{number}"


def _problem(row: RawRow, name: str, source: int, rating: int) -> Problem:
    platform = PLATFORMS[source] if 0 <= source < len(PLATFORMS) else f"source {source}"
    short = _SHORT.match(name)
    identity = short[1] if short and source == CODEFORCES else name
    raw = row.fields.get("cf_tags")
    raw = raw if isinstance(raw, list) else []
    topics = [each for each in raw if isinstance(each, str) and each]
    tags = {
        "platform": platform,
        "rating": str(rating) if rating else "",
        "topics": ", ".join(topics),
        "title": name[short.end() :] if short else name,
    }
    return Problem(
        id=identity,
        place=row.place,
        url=f"https://codeforces.com/problemset/problem/{identity.replace('_', '/')}"
        if short and source == CODEFORCES
        else "",
        statement=str(row.fields.get("description") or ""),
        tags={key: value for key, value in tags.items() if value},
    )


def _tests(fields: Mapping[str, Any], group: str) -> list[ListedTest]:
    texts = _columns(fields, f"{group}_tests", "input", "output")
    return [
        ListedTest(name=f"{group}-{number}", input=given, output=output)
        for number, (given, output) in enumerate(texts, 1)
    ]


def _solutions(fields: Mapping[str, Any]) -> list[tuple[int, str]]:
    return _columns(fields, "solutions", "language", "solution", number=True)


def _columns(
    fields: Mapping[str, Any], name: str, left: str, right: str, number: bool = False
) -> list[tuple[Any, Any]]:
    """A field that holds two lists of equal length, or a list of pairs by name, as pairs."""
    value = fields.get(name)
    if value is None:
        raise KeyError(name)
    if isinstance(value, dict):
        first, second = value.get(left), value.get(right)
    elif isinstance(value, list) and all(isinstance(each, dict) for each in value):
        first, second = [each.get(left) for each in value], [each.get(right) for each in value]
    else:
        raise _WrongTypeError(f"{name} is a {type(value).__name__}, not two lists or pairs")
    if not isinstance(first, list) or not isinstance(second, list) or len(first) != len(second):
        raise _WrongTypeError(f"{left} and {right} of {name} are not two lists of one length")
    kind = int if number else str
    if not all(type(each) is kind for each in first):
        raise _WrongTypeError(f"{left} of {name} holds something that is no {kind.__name__}")
    if not all(type(each) is str for each in second):
        raise _WrongTypeError(f"{right} of {name} holds something that is no text")
    return list(zip(first, second, strict=True))


def _integer(fields: Mapping[str, Any], name: str) -> int:
    value = fields.get(name)
    if value is None:
        return 0
    if type(value) is not int:
        raise _WrongTypeError(f"{name} is a {type(value).__name__}")
    return value


def rating_window(text: str | None) -> tuple[int, int] | None:
    """`2400-3500`, `2400-` or `-1200`; None for all problems, those without a rating included."""
    if text is None:
        return None
    low, dash, high = text.partition("-")
    bounds = (low.strip() or "0", high.strip() or str(HIGHEST))
    if not dash or not all(each.isascii() and each.isdigit() for each in bounds) or text == "-":
        raise PoolError(f"option rating={text!r} is no window", "write 2400-3500 or 2400-")
    window = int(bounds[0][:9]), int(bounds[1][:9])
    if window[0] > window[1]:
        raise PoolError(f"option rating={text!r} is empty", "write the lower rating first")
    return window
