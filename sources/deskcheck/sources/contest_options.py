"""Options of contest pools, read strictly: a wrong one is one line that says what may stand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.programs import Language
from deskcheck.sources.pools import PoolOptions

HUB = "hub"
MOST_GENERATED = 12

COMMON = {
    "problems": "a file or folder of problem rows, or `hub` (those in data)",
    "revision": "commit of the rows on the Hub (the one that is built in)",
    "language": "python, cpp, or all (python)",
    "per_problem": "programs of each problem and language, or all (1)",
    "inputs": "folder with further inputs, or a generator, per problem (inputs in data)",
    "generated": f"inputs that a generator is asked for, 2 to {MOST_GENERATED} (6)",
    "licence": "licence of the programs, as an SPDX identifier",
    "author": "author of the programs",
}
_LANGUAGES: Mapping[str, Sequence[Language]] = {
    "python": ("python",),
    "cpp": ("cpp",),
    "all": ("python", "cpp"),
}
_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """What every contest pool is asked for."""

    pool: str
    seed: int
    data: Path | None
    problems: Path | None
    """None where they are on the Hub."""
    revision: str
    languages: Sequence[Language]
    per_problem: int | None
    inputs: Path | None
    generated: int
    licence: str
    author: str


def read_common(pool: str, options: PoolOptions, known: Mapping[str, str], pinned: str) -> Common:
    """The options that contest pools share; PoolError for one that is not `known` or is wrong."""
    given = options.options
    for option in given:
        if option not in known:
            hint = f"known: {', '.join(known)}"
            raise PoolError(f"pool {pool!r} has no option {option!r}", hint)
    data = None if options.data is None else Path(options.data)
    if data is not None and not data.exists():
        raise PoolError(f"there is no {data}", "name the file or folder of the data with --data")
    named = given.get("problems")
    if named is None and data is None:
        hint = "name a file or folder with --data, or set --option problems=hub"
        raise PoolError(f"pool {pool!r} needs data", hint)
    problems = None if named == HUB else Path(named) if named is not None else data
    revision = given.get("revision", pinned)
    if not _COMMIT.fullmatch(revision):
        hint = "name a commit by its 40 hexadecimal digits: branches and tags move"
        raise PoolError(f"option revision={revision!r} pins nothing", hint)
    return Common(
        pool=pool,
        seed=options.seed,
        data=data,
        problems=problems,
        revision=revision,
        languages=_LANGUAGES[one_of(given, "language", "python", _LANGUAGES)],
        per_problem=_per_problem(given.get("per_problem", "1")),
        inputs=_inputs(given.get("inputs"), data),
        generated=number(given, "generated", 6, 2, MOST_GENERATED),
        licence=given.get("licence", "").strip(),
        author=given.get("author", "").strip(),
    )


def one_of(given: Mapping[str, str], option: str, default: str, known: Mapping[str, object]) -> str:
    """The option's value, which must be one of those known."""
    value = given.get(option, default)
    if value not in known:
        raise PoolError(f"option {option}={value!r} is unknown", f"known: {', '.join(known)}")
    return value


def several(given: Mapping[str, str], option: str) -> frozenset[str]:
    """`hard,medium` as lower-case words; none where the option is not given."""
    if option not in given:
        return frozenset()
    words = frozenset(word.strip().lower() for word in given[option].split(",")) - {""}
    if not words:
        raise PoolError(f"option {option} is blank", "leave it out to take everything")
    return words


def number(given: Mapping[str, str], option: str, default: int, low: int, high: int) -> int:
    """The option as a whole number between two bounds."""
    text = given.get(option, str(default))
    if not (text.isascii() and text.isdigit() and low <= int(text[:9]) <= high):
        raise PoolError(f"option {option}={text!r} is wrong", f"give a number from {low} to {high}")
    return int(text)


def _per_problem(text: str) -> int | None:
    if text == "all":
        return None
    return number({"per_problem": text}, "per_problem", 1, 1, 100_000)


def _inputs(named: str | None, data: Path | None) -> Path | None:
    """The folder of extra inputs: the one named, or `inputs` beside the data, if there is one."""
    if named is not None:
        if not Path(named).is_dir():
            raise PoolError(f"there is no folder {named}", "mend the option inputs")
        return Path(named)
    if data is None:
        return None
    beside = (data if data.is_dir() else data.parent) / "inputs"
    return beside if beside.is_dir() else None
