"""States of a case's program at other moments of its loop, observed once and kept beside a run."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from deskcheck.analysis.runs import Run
from deskcheck.oracles.errors import RunError
from deskcheck.oracles.expressions import Json
from deskcheck.oracles.identity import content_id
from deskcheck.oracles.replies import Read, read_json

NAME = "moments.json"
LAYOUT = 1
REACH = 16
"""Iterations on either side of a checkpoint that are observed, beside the first and the last."""

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"))

Place = Literal["before", "inside", "post"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """The projection at one moment: before the loop, as an iteration begins, or after the loop.

    `iteration` counts from 1 and is 0 for `before` and `post`; `state` is compact JSON.
    """

    place: Place
    iteration: int
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """What was observed of a dataset's cases, by case id."""

    dataset_id: str
    states: Mapping[str, tuple[Seen, ...]]
    unseen: Mapping[str, str]
    """Cases that could not be observed here, and why: one line each."""

    @property
    def id(self) -> str:
        """A name that follows from what was observed."""
        return content_id("moments", asdict(self))


def canonical(value: Json) -> str:
    """A text that is the same for values that the rule `json` calls the same, and for no others."""
    return repr(value) if type(value) is int else _ENCODER.encode(value)


def by_state(seen: Sequence[Seen]) -> dict[str, tuple[Seen, ...]]:
    """The moments of each state, by its canonical text."""
    found: dict[str, list[Seen]] = {}
    for each in seen:
        read = read_json(each.state)
        if isinstance(read, Read):
            found.setdefault(canonical(read.value), []).append(each)
    return {state: tuple(moments) for state, moments in found.items()}


def write_moments(folder: Path, moments: Moments) -> Path:
    """Put them into a run's folder, in place of any that lie there; RunError where it cannot be."""
    path = folder / NAME
    partial = path.with_name(f".{NAME}.{os.getpid()}.partial")
    try:
        partial.write_text(json.dumps({"layout": LAYOUT, **asdict(moments)}) + "\n", "utf-8")
        partial.replace(path)
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}") from error
    finally:
        partial.unlink(missing_ok=True)
    return path


def moments_of(runs: Sequence[Run]) -> Moments | None:
    """Those of the first of the runs beside which any lie."""
    for run in runs:
        found = read_moments(run.folder, run.config.dataset_id)
        if found is not None:
            return found
    return None


def read_moments(folder: Path, dataset_id: str) -> Moments | None:
    """Those of a run's folder; None where there are none.

    RunError where the file is damaged or of another dataset.
    """
    path = folder / NAME
    try:
        row = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise _damaged(path, str(error).partition("\n")[0]) from None
    if not isinstance(row, dict) or row.get("layout") != LAYOUT:
        raise _damaged(path, f"it is not of layout {LAYOUT}")
    try:
        moments = _moments(row)
    except (KeyError, TypeError, AttributeError) as error:
        raise _damaged(path, f"{type(error).__name__}: {error}") from None
    if moments.dataset_id != dataset_id:
        raise _damaged(path, f"it is of dataset {moments.dataset_id[:8]}")
    return moments


def _moments(row: dict[str, Any]) -> Moments:
    return Moments(
        dataset_id=str(row["dataset_id"]),
        states={
            str(case): tuple(_seen(each) for each in seen) for case, seen in row["states"].items()
        },
        unseen={str(case): str(why) for case, why in row["unseen"].items()},
    )


def _seen(row: dict[str, Any]) -> Seen:
    seen = Seen(**row)
    if seen.place not in get_args(Place) or type(seen.iteration) is not int:
        raise TypeError(f"no moment: {row}")
    if type(seen.state) is not str:
        raise TypeError(f"no state: {row}")
    return seen


def _damaged(path: Path, how: str) -> RunError:
    return RunError(f"cannot use {path}: {how}", "delete it, or run builder errors --observe again")
