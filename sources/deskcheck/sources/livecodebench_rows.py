"""Problems of LiveCodeBench: the rows of `code_generation_lite` and which of them are wanted."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from deskcheck.oracles.errors import PoolError
from deskcheck.sources.contest_options import several
from deskcheck.sources.contest_problems import Fault, ListedTest, Problem, writable
from deskcheck.sources.contest_rows import RawRow
from deskcheck.sources.json_rows import BrokenRow
from deskcheck.sources.livecodebench_tests import private_tests, public_tests

REPO = "livecodebench/code_generation_lite"
REVISION = "0fe84c3912ea0c4d4a78037083943e8f0c4dd505"
"""The commit with the six files of release v6."""
RELEASES = 6

FILTERS = {
    "difficulty": "easy, medium or hard; several with commas (all)",
    "platform": "atcoder, codeforces or leetcode; several with commas (all)",
    "since": "date of the first contests, YYYY-MM-DD",
    "until": "date of the last contests, YYYY-MM-DD",
    "release": "release_v1 to release_v6, or files alone: v4, v4_v6 (release_v6 on the Hub)",
}
_NEEDED = (
    *("question_id", "platform", "contest_date", "difficulty"),
    *("public_test_cases", "private_test_cases", "metadata"),
)
_RELEASE = re.compile(r"(?:release_v(?P<last>\d)|v(?P<low>\d)(?:_v(?P<high>\d))?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A problem, its tests still packed."""

    problem: Problem
    function: str
    """What a program defines and is called by; empty where it reads standard input."""
    public: str = "[]"
    private: str = "[]"

    def tests(self) -> Sequence[ListedTest] | Fault:
        """Public tests, then private ones."""
        public = public_tests(self.public)
        if isinstance(public, Fault):
            return public
        private = private_tests(self.private)
        return private if isinstance(private, Fault) else [*public, *private]


def question_of(row: RawRow) -> Question | BrokenRow:
    """The problem of a row; what is wrong with it where a needed field is not what it must be."""
    fields = {name: _text(row.fields.get(name)) for name in (*_NEEDED, "question_id")}
    missing = [name for name in _NEEDED if fields[name] is None]
    if missing:
        detail = f"no {' and no '.join(missing)} that is text"
        return BrokenRow(place=row.place, check="row_incomplete", detail=detail)
    texts = {name: value for name, value in fields.items() if value is not None}
    if not texts["question_id"].strip():
        return BrokenRow(place=row.place, check="row_incomplete", detail="its question_id is blank")
    if not all(map(writable, texts.values())):
        detail = "half of a surrogate pair, which UTF-8 cannot write"
        return BrokenRow(place=row.place, check="row_not_utf8", detail=detail)
    try:
        metadata = json.loads(texts["metadata"] or "{}")
        function = metadata.get("func_name", "")
        if not isinstance(function, str) or (function and not function.isidentifier()):
            raise ValueError("func_name is no name")
    except (ValueError, AttributeError, RecursionError) as error:
        detail = f"its metadata cannot be read: {error}"
        return BrokenRow(place=row.place, check="row_mistyped", detail=detail)
    return Question(
        problem=problem_of(texts["question_id"], row, "functional" if function else "stdin"),
        function=function,
        public=texts["public_test_cases"],
        private=texts["private_test_cases"],
    )


def problem_of(identity: str, row: RawRow, kind: str) -> Problem:
    """What the row's other fields say of the problem, as far as they are there."""
    platform = str(row.fields.get("platform") or "").lower()
    day = (_text(row.fields.get("contest_date")) or "")[:10]
    tags = {
        "platform": platform,
        "difficulty": str(row.fields.get("difficulty") or "").lower(),
        "date": day,
        "kind": kind,
    }
    return Problem(
        id=identity,
        place=row.place,
        url=_url(platform, identity, row.fields),
        statement=str(row.fields.get("question_content") or ""),
        tags={name: value for name, value in tags.items() if value},
    )


def _text(value: Any) -> str | None:
    """Text as it is, and what Parquet makes of it: dates and numbers."""
    if isinstance(value, date | datetime):
        return value.isoformat()
    if type(value) is int:
        return str(value)
    return value if isinstance(value, str) else None


def _url(platform: str, identity: str, fields: Mapping[str, Any]) -> str:
    contest = str(fields.get("contest_id") or "")
    title = str(fields.get("question_title") or "")
    if platform == "atcoder" and contest.isalnum():
        return f"https://atcoder.jp/contests/{contest}/tasks/{identity}"
    if platform == "codeforces" and re.fullmatch(r"\d+_[A-Z]\d*", identity):
        return f"https://codeforces.com/problemset/problem/{identity.replace('_', '/')}"
    if platform == "leetcode" and re.fullmatch(r"[a-z0-9-]+", title):
        return f"https://leetcode.com/problems/{title}"
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which problems are asked for."""

    difficulties: frozenset[str]
    platforms: frozenset[str]
    since: str
    until: str

    def has(self, problem: Problem) -> bool:
        tags = problem.tags
        return (
            (not self.difficulties or tags.get("difficulty", "") in self.difficulties)
            and (not self.platforms or tags.get("platform", "") in self.platforms)
            and self.since <= tags.get("date", "") <= self.until
        )


def wanted(given: Mapping[str, str]) -> Wanted:
    """The filters among the options; PoolError for a date that is none."""
    return Wanted(
        difficulties=several(given, "difficulty"),
        platforms=several(given, "platform"),
        since=_day(given, "since", ""),
        until=_day(given, "until", "9999-12-31"),
    )


def _day(given: Mapping[str, str], option: str, default: str) -> str:
    if option not in given:
        return default
    try:
        return date.fromisoformat(given[option]).isoformat()
    except ValueError as error:
        hint = "write it as 2024-08-31"
        raise PoolError(f"option {option}={given[option]!r} is no date", hint) from error


def files_of_release(release: str) -> list[str]:
    """Names of the files that make up a release."""
    match = _RELEASE.fullmatch(release)
    low, high = 1, 0
    if match is not None:
        low = int(match["low"] or 1)
        high = int(match["last"] or match["high"] or low)
    if not 1 <= low <= high <= RELEASES:
        raise PoolError(
            f"option release={release!r} is unknown",
            f"give release_v1 to release_v{RELEASES}, or single files such as v4 or v4_v6",
        )
    return [
        "test.jsonl" if number == 1 else f"test{number}.jsonl" for number in range(low, high + 1)
    ]


def of_release(files: Sequence[Path], release: str) -> list[Path]:
    """Those of the local files that a release is made of; PoolError where one is not there."""
    names = files_of_release(release)
    found = {path.name: path for path in files}
    missing = [name for name in names if name not in found]
    if missing:
        raise PoolError(
            f"option release={release!r} needs {', '.join(missing)}",
            "releases are told by the files' names: leave the option out for files of other names",
        )
    return [found[name] for name in names]
