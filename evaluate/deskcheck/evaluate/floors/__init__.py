"""Floors: what may be answered without working a program out. A model's score stands above them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from deskcheck.builder.cases import Arm, Task
from deskcheck.builder.contents import Dataset


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """What a floor is made from."""

    folder: Path
    """Of the dataset, answers included."""
    dataset: Dataset
    engine: Mapping[str, Any]
    """Arguments, as a model's engine is given them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a floor gives as a task's answer."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstained:
    """A floor has no answer to a task, and why, in one line."""

    reason: str


class Floor(Protocol):
    """One strategy on one dataset. No answer depends on the expected one of the same task."""

    arms: tuple[Arm, ...]
    rule: str
    """What it answers, in one line."""
    concurrency: int
    """Tasks that it can answer at once with some gain."""
    arguments: Mapping[str, type]
    """Those that it knows, and what each must be."""

    def __init__(self, basis: Basis) -> None: ...

    async def answer(self, task: Task) -> Given | Abstained:
        """Its answer to a task of one of its arms; SandboxError where a program could not run."""
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...
