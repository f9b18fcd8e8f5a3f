"""Programs for LiveCodeBench problems: graded submissions, folders by problem, execution rows."""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.programs import Language
from deskcheck.sources.contest_problems import Fault, ListedTest, Submission, safe, writable
from deskcheck.sources.contest_rows import SUFFIXES, RawRow, listed, read_rows
from deskcheck.sources.folder_layout import LANGUAGES
from deskcheck.sources.folder_names import shown
from deskcheck.sources.json_rows import BrokenRow
from deskcheck.sources.livecodebench_driver import parameters
from deskcheck.sources.livecodebench_rows import Question, problem_of

UNSTATED = "unstated"
SUBMISSIONS_LICENCE = "MIT"
"""Of the public repository of submissions, whose layout this is."""
SOURCE_LIMIT = 1024**2

_GRADED = "*_eval_all*.json"
_EXECUTION = "execution*"
_CPP = re.compile(r"^[ \t]*#[ \t]*include\s*[<\"]", re.MULTILINE)


@dataclass(slots=True, kw_only=True)
class Programs:
    """All programs found, by problem; and what could not be read of their files."""

    by_problem: dict[str, list[Submission]] = field(default_factory=lambda: defaultdict(list))
    inspected: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """Problem -> its programs, those not graded as passing included."""
    questions: dict[str, Question] = field(default_factory=dict)
    """Problems as far as execution rows tell of them, which have no rows of their own perhaps."""
    broken: list[BrokenRow] = field(default_factory=list)

    def add(self, submission: Submission) -> None:
        """Take the program up; one whose name another has gets a hash of its place added."""
        others = self.by_problem[submission.problem]
        if any(each.name == submission.name for each in others):
            digest = sha256(submission.place.encode("utf-8", "surrogatepass")).hexdigest()
            submission = replace(submission, name=f"{submission.name}~{digest[:8]}")
        others.append(submission)


def is_execution(path: Path) -> bool:
    """Whether a file of rows holds programs rather than problems, by its name."""
    return path.suffix in SUFFIXES and path.match(_EXECUTION)


def find_programs(named: str | None, data: Path | None) -> Programs:
    """Every program in the file or folder named, else in the folder of the data, in file order."""
    top = Path(named) if named is not None else data
    if top is None:
        raise PoolError("no programs are named", "say where they are with --option programs=PATH")
    if not top.exists():
        raise PoolError(f"there is no {top}", "mend the option programs")
    programs = Programs()
    if named is not None and top.is_file():
        (_add_graded if top.suffix == ".json" else _add_execution)(programs, top, top.name)
    else:
        _add_folder(programs, *((top, f"**/{_GRADED}") if top.is_dir() else (top.parent, _GRADED)))
    if not programs.inspected and not programs.broken:
        raise PoolError(
            f"there are no programs in {top}",
            "put *_eval_all.json, folders named by question_id or execution*.jsonl there, "
            "or name them with --option programs=PATH",
        )
    return programs


def _add_folder(programs: Programs, top: Path, graded: str) -> None:
    for path in listed(top, graded):
        _add_graded(programs, path, shown(path.relative_to(top)))
    for folder in listed(top):
        if folder.is_dir() and not folder.name.startswith((".", "_")):
            for path in listed(folder):
                if path.suffix in LANGUAGES and path.name[0] not in "._" and path.is_file():
                    _add_file(programs, folder.name, path)
    for path in listed(top, _EXECUTION):
        if path.suffix in SUFFIXES:
            _add_execution(programs, path, path.name)


def _add_file(programs: Programs, problem: str, path: Path) -> None:
    if problem == "inputs":
        return
    programs.inspected[problem] += 1
    try:
        with path.open("rb") as file:
            source = file.read(SOURCE_LIMIT + 1)
        if len(source) > SOURCE_LIMIT:
            raise ValueError(f"more than {SOURCE_LIMIT:,} bytes")
        text = source.decode("utf-8")
    except OSError as error:
        what = f"{shown(path)} cannot be read: {error.strerror}"
        raise PoolError(what, "give yourself the right to read it") from error
    except ValueError as error:
        place = f"{problem}/{path.name}"
        said = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
        programs.broken.append(BrokenRow(place=place, check="program_unreadable", detail=said))
        return
    programs.add(
        Submission(
            problem=problem,
            name=safe(path.name),
            place=f"{shown(Path(problem))}/{shown(Path(path.name))}",
            language=LANGUAGES[path.suffix],
            source=text,
            licence=UNSTATED,
            author=UNSTATED,
        )
    )


def _add_graded(programs: Programs, path: Path, label: str) -> None:
    author = author_of(path)
    counts: dict[str, int] = defaultdict(int)
    for row in read_rows(path, label):
        read = row if isinstance(row, BrokenRow) else _graded(row)
        if isinstance(read, BrokenRow):
            programs.broken.append(read)
            continue
        problem, codes = read
        for code, passing in codes:
            counts[problem] += 1
            programs.inspected[problem] += 1
            if passing:
                number = counts[problem]
                programs.add(
                    Submission(
                        problem=problem,
                        name=f"{safe(author)}-{number}",
                        place=f"{row.place}, program {number}",
                        language=language_of(code),
                        source=code,
                        licence=SUBMISSIONS_LICENCE,
                        author=author,
                    )
                )


def author_of(path: Path) -> str:
    """`o1-mini` of `o1-mini_eval_all.json`; of `Scenario.…_eval_all.json` the folder's name."""
    stem = path.name.partition("_eval_all")[0]
    return path.parent.name or stem if stem.startswith("Scenario.") else stem or UNSTATED


def language_of(code: str) -> Language:
    """C++ where something is included, else Python: the layout does not say it."""
    return "cpp" if _CPP.search(code) else "python"


def _graded(row: RawRow) -> tuple[str, Sequence[tuple[str, bool]]] | BrokenRow:
    """The problem of an entry, and each of its programs with its grade."""
    fields = row.fields
    problem, codes, grades = (
        fields.get(name) for name in ("question_id", "code_list", "graded_list")
    )
    if type(problem) is int:
        problem = str(problem)
    if not isinstance(problem, str) or not problem.strip() or not writable(problem):
        return _broken(row, "row_incomplete", "no question_id that is text")
    if not isinstance(codes, list) or not isinstance(grades, list):
        return _broken(row, "row_incomplete", f"no code_list or no graded_list ({problem})")
    if len(codes) != len(grades):
        detail = f"{len(codes)} programs and {len(grades)} grades ({problem})"
        return _broken(row, "row_mistyped", detail)
    if not all(isinstance(code, str) for code in codes) or not all(
        isinstance(grade, bool) for grade in grades
    ):
        return _broken(row, "row_mistyped", f"a program is no text or a grade no truth ({problem})")
    return problem, list(zip(codes, grades, strict=True))


def _add_execution(programs: Programs, path: Path, label: str) -> None:
    """Rows of one function and one call; rows of the same function become one program."""
    found: dict[tuple[str, str, str], list[tuple[RawRow, ListedTest]]] = {}
    for row in read_rows(path, label):
        if isinstance(row, BrokenRow):
            programs.broken.append(row)
            continue
        read = _execution(row)
        if isinstance(read, BrokenRow):
            programs.broken.append(read)
            continue
        key, test = read
        found.setdefault(key, []).append((row, test))
    for (problem, function, code), calls in found.items():
        first, _ = calls[0]
        programs.questions.setdefault(
            problem,
            Question(problem=problem_of(problem, first, "functional"), function=function),
        )
        programs.inspected[problem] += 1
        programs.add(
            Submission(
                problem=problem,
                name=safe(str(first.fields.get("id") or first.place)),
                place=first.place,
                language="python",
                source=code,
                licence=UNSTATED,
                author=UNSTATED,
                tests=[test for _, test in calls],
            )
        )


def _execution(row: RawRow) -> tuple[tuple[str, str, str], ListedTest] | BrokenRow:
    names = ("question_id", "function_name", "code", "input", "output")
    fields = {name: row.fields.get(name) for name in names}
    if type(fields["question_id"]) is int:
        fields["question_id"] = str(fields["question_id"])
    missing = [name for name, value in fields.items() if not isinstance(value, str) or not value]
    if missing:
        return _broken(row, "row_incomplete", f"no {' and no '.join(missing)} that is text")
    problem, function, code, call, output = (str(fields[name]) for name in names)
    if not all(map(writable, (problem, function, code, call, output))):
        return _broken(row, "row_not_utf8", "half of a surrogate pair, which UTF-8 cannot write")
    known = parameters(code, function)
    if known is None:
        return _broken(row, "no_function", f"its code defines no function {function}")
    arguments = _arguments(call, function, known)
    if isinstance(arguments, Fault):
        return _broken(row, arguments.check, arguments.detail)
    test = ListedTest(
        name=f"call-{safe(str(row.fields.get('id') or row.place))}",
        input=arguments,
        output=_json_of(output),
    )
    return (problem, function, code), test


def _arguments(call: str, function: str, known: Sequence[str]) -> str | Fault:
    """`f(a = [1], k = 2)` as one JSON value per line, in the order of the parameters."""
    try:
        node = ast.parse(call.strip(), mode="eval").body
        if not isinstance(node, ast.Call) or ast.unparse(node.func) != function:
            raise ValueError("it is no call of the function")
        values: dict[str, Any] = dict(zip(known, map(ast.literal_eval, node.args), strict=False))
        values |= {str(each.arg): ast.literal_eval(each.value) for each in node.keywords}
        if set(values) != set(known[: len(values)]) or len(node.args) > len(known):
            raise ValueError("its arguments are not those of the function")
        return "".join(f"{json.dumps(values[name])}\n" for name in known[: len(values)])
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        return Fault(check="input_unreadable", detail=f"its call cannot be read: {error}")


def _json_of(output: str) -> str | None:
    """A Python value's text as JSON; None where it has none."""
    try:
        return json.dumps(ast.literal_eval(output))
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None


def _broken(row: RawRow, check: str, detail: str) -> BrokenRow:
    return BrokenRow(place=row.place, check=check, detail=detail)


def unclaimed(programs: Programs, seen: set[str]) -> Iterator[str]:
    """Problems that there are programs for and no rows, in the order of their programs."""
    for problem, submissions in programs.by_problem.items():
        if submissions and problem not in seen:
            yield problem
