"""The TOML files of a folder pool, read strictly: each fault is one line that names the file."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path, PurePath
from typing import Any, cast, get_args

from deskcheck.oracles.equivalence import Rule
from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.programs import Language
from deskcheck.sources.folder_names import shown

DEFAULTS = "pool.toml"
"""The file at the top of a folder that holds defaults for all its programs."""

_TEXT, _ARRAY, _TABLE = "a string", "an array", "a table"
_TYPES: dict[type, str] = {
    str: _TEXT,
    list: _ARRAY,
    dict: _TABLE,
    bool: "a boolean",
    int: "an integer",
    float: "a float",
}
# Key -> the type it must have.
DEFAULT_KEYS: dict[str, str] = dict.fromkeys(("licence", "author", "study", "origin"), _TEXT)
PROGRAM_KEYS: dict[str, str] = {
    **dict.fromkeys(("program", "source", "language"), _TEXT),
    "inputs": _ARRAY,
    **dict.fromkeys(("licence", "author", "origin", "url", "study", "final_rule"), _TEXT),
    "tags": _TABLE,
}
INPUT_KEYS: dict[str, str] = dict.fromkeys(("name", "path", "text", "output", "output_path"), _TEXT)
_MAY_BE_BLANK = ("text", "output", "url")


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """What `pool.toml` says for all programs; None where it is silent."""

    licence: str | None = None
    author: str | None = None
    study: str | None = None
    origin: str = "file"
    """`file`: each program is an origin of its own; `directory`: all of one folder share one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedInput:
    """One input: either `path` or `text`; at most one of `output` and `output_path`."""

    name: str
    path: PurePath | None = None
    text: str | None = None
    output: str | None = None
    output_path: PurePath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """One program: either `program` or `source`. Paths are relative to the TOML file's folder."""

    program: PurePath | None = None
    source: str | None = None
    language: Language | None = None
    inputs: tuple[ListedInput, ...] | None = None
    """None where none are listed, so that they are found by name."""
    licence: str | None = None
    author: str | None = None
    origin: str | None = None
    url: str = ""
    study: str | None = None
    final_rule: Rule | None = None
    tags: Mapping[str, str] = field(default_factory=dict)


def read_defaults(file: Path) -> Defaults:
    """`pool.toml`, or PoolError."""
    table = _read(file)
    _check(file, "", table, DEFAULT_KEYS)
    if "origin" in table:
        _check_choice(file, "origin", table["origin"], ("file", "directory"))
    return Defaults(**table)


def read_description(file: Path) -> Description:
    """The description of one program, or PoolError."""
    table = _read(file)
    _check(file, "", table, PROGRAM_KEYS)
    _check_one_of(file, "", table, ("program", "source"))
    if "language" in table:
        _check_choice(file, "language", table["language"], get_args(Language))
    if "final_rule" in table:
        _check_choice(file, "final_rule", table["final_rule"], get_args(Rule))
    tags = table.get("tags", {})
    _check(file, "tags.", tags, dict.fromkeys(tags, _TEXT))
    inputs = table.get("inputs")
    return Description(
        program=_path(table.get("program")),
        source=table.get("source"),
        language=cast(Language | None, table.get("language")),
        inputs=None if inputs is None else _inputs(file, inputs),
        licence=table.get("licence"),
        author=table.get("author"),
        origin=table.get("origin"),
        url=table.get("url", ""),
        study=table.get("study"),
        final_rule=cast(Rule | None, table.get("final_rule")),
        tags=tags,
    )


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise _fault(file, f"byte {error.start} is not UTF-8", "save it as UTF-8") from error
    except (ValueError, RecursionError) as error:  # also of numbers too long, nesting too deep
        raise _fault(file, f"not TOML: {error}", "mend it") from error
    except OSError as error:
        hint = "give yourself the right to read it"
        raise _fault(file, f"cannot be read: {error.strerror}", hint) from error


def _inputs(file: Path, items: list[Any]) -> tuple[ListedInput, ...]:
    inputs = tuple(_input(file, number, item) for number, item in enumerate(items, 1))
    for name, times in Counter(each.name for each in inputs).items():
        if times > 1:
            raise _fault(file, f"{times} inputs are named {name!r}", "give each another name")
    return inputs


def _input(file: Path, number: int, item: object) -> ListedInput:
    where = f"inputs[{number}]"
    if isinstance(item, str):
        return ListedInput(name=str(number), text=item)
    if not isinstance(item, dict):
        what = f"{where} is {_type(item)}"
        raise _fault(file, what, "give the input's text, or a table with `path` or `text`")
    table = cast(dict[str, Any], item)
    _check(file, f"{where}.", table, INPUT_KEYS)
    _check_one_of(file, f"{where}.", table, ("path", "text"))
    if "output" in table and "output_path" in table:
        raise _fault(file, f"{where} has both `output` and `output_path`", "keep one of them")
    return ListedInput(
        name=table.get("name", table.get("path", str(number))),
        path=_path(table.get("path")),
        text=table.get("text"),
        output=table.get("output"),
        output_path=_path(table.get("output_path")),
    )


def _path(text: str | None) -> PurePath | None:
    return None if text is None else PurePath(text)


def _check(file: Path, where: str, table: Mapping[str, object], keys: Mapping[str, str]) -> None:
    for key, value in table.items():
        if key not in keys:
            close = get_close_matches(key, keys, n=3, cutoff=0.5)
            hint = f"did you mean {' or '.join(close)}?" if close else f"keys: {', '.join(keys)}"
            raise _fault(file, f"unknown key {where + key!r}", hint)
        if _type(value) != keys[key]:
            raise _fault(file, f"{where}{key} is {_type(value)}", f"it must be {keys[key]}")
        if isinstance(value, str) and not value.strip() and key not in _MAY_BE_BLANK:
            raise _fault(file, f"{where}{key} is blank", "give it a value or leave it out")


def _check_one_of(
    file: Path, where: str, table: Mapping[str, object], keys: tuple[str, str]
) -> None:
    one, other = keys
    if one in table and other in table:
        raise _fault(file, f"both {where}{one} and {where}{other} are given", "keep one of them")
    if one not in table and other not in table:
        raise _fault(file, f"neither {where}{one} nor {where}{other} is given", "give one of them")


def _check_choice(file: Path, key: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise _fault(file, f"{key} is {value!r}", f"it must be one of {', '.join(known)}")


def _type(value: object) -> str:
    return _TYPES.get(type(value), f"a {type(value).__name__}")


def _fault(file: Path, what: str, hint: str) -> PoolError:
    return PoolError(f"{shown(file)}: {what}", hint)
