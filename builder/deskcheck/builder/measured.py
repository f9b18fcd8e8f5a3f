"""Trace lengths of a pool's candidates as a folder: a line for each, and what counted them.

A folder appears whole or not at all, and is read only as it was written.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from deskcheck.builder.ledger import differences
from deskcheck.oracles.errors import DatasetError
from deskcheck.oracles.identity import canonical_json

FORMAT = 1
MANIFEST, COUNTS = "manifest.json", "counts.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedInput:
    """One run: its opcodes and the bytes that it prints, or why there is no count."""

    name: str
    trace_length: int | None = None
    output_bytes: int | None = None
    reason: str = ""
    """Short snake_case reason, as those of admission; nothing where the run was counted."""
    reference: str = ""
    """Why the reference counted in place of the fast counter; nothing where it did not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedCandidate:
    """One candidate and the runs that were asked for, in the order of its inputs."""

    candidate: str
    inputs: tuple[CountedInput, ...] = ()
    reason: str = ""
    """Why none of its inputs was run; nothing where they were."""
    checked: bool = False
    """Every count was made by the reference as well, and is the same."""

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """What `asdict` made a row of; KeyError or TypeError where it is none."""
        inputs = tuple(CountedInput(**each) for each in row["inputs"])
        return cls(**{**row, "inputs": inputs})

    @property
    def reasons(self) -> list[str]:
        """Its own reason and those of its runs, where there are any."""
        return [reason for reason in (self.reason, *(run.reason for run in self.inputs)) if reason]

    @property
    def last(self) -> int | None:
        """The trace length on its last input; None where it has none."""
        return self.inputs[-1].trace_length if self.inputs else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a folder's counts were made with, and what they add up to."""

    config: Mapping[str, Any]
    toolchain: Mapping[str, Any]
    summary: Mapping[str, Any]
    rows_sha256: str
    """Of the lines in ascending order, so that shards together have that of the whole."""
    format: int = FORMAT


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One folder, or all shards of one measurement together."""

    manifest: Manifest
    candidates: Sequence[CountedCandidate]


def summarise(candidates: Sequence[CountedCandidate]) -> dict[str, Any]:
    """How many candidates and runs, how each was counted, and reasons where it was not."""
    runs = [run for each in candidates for run in each.inputs]
    reasons = Counter(reason for each in candidates for reason in each.reasons)
    return {
        "candidates": len(candidates),
        "runs": len(runs),
        "counted": sum(each.trace_length is not None for each in runs),
        "counted_by_reference": sum(bool(each.reference) for each in runs),
        "checked_candidates": sum(each.checked for each in candidates),
        "reasons": dict(sorted(reasons.items())),
    }


def lines_of(candidates: Sequence[CountedCandidate]) -> list[bytes]:
    """A line of canonical JSON for each candidate."""
    return [canonical_json(asdict(each)) + b"\n" for each in candidates]


def rows_sha256(lines: Sequence[bytes]) -> str:
    """64 hexadecimal digits that name the lines, in whatever order they stand."""
    return sha256(b"".join(sorted(lines))).hexdigest()


def write_files(folder: Path, measured: Measured) -> None:
    """Make the folder and fill it; OSError where that cannot be done."""
    folder.mkdir()
    (folder / COUNTS).write_bytes(b"".join(lines_of(measured.candidates)))
    manifest = json.dumps(asdict(measured.manifest), indent=2, sort_keys=True)
    (folder / MANIFEST).write_text(f"{manifest}\n", "utf-8")


def read_measured(folder: Path) -> Measured:
    """DatasetError where the folder is no measurement, of another version, or damaged."""
    try:
        manifest = Manifest(**json.loads((folder / MANIFEST).read_bytes()))
        lines = (folder / COUNTS).read_bytes().splitlines(keepends=True)
        if manifest.format != FORMAT:
            raise ValueError(manifest.format)
    except (OSError, ValueError, TypeError) as error:
        raise DatasetError(
            f"{folder} holds no measurement of this version of Deskcheck",
            "name a folder that `builder measure` wrote",
        ) from error
    if rows_sha256(lines) != manifest.rows_sha256:
        raise DatasetError(
            f"{folder / COUNTS} is not as it was written", "measure again with another -o"
        )
    candidates = [CountedCandidate.of(json.loads(line)) for line in lines]
    return Measured(manifest=manifest, candidates=candidates)


def joined(folders: Sequence[Path]) -> Measured:
    """One measurement of all its shards, in ascending order of ids; one folder is its only shard.

    DatasetError where a folder is damaged, or they are not all the shards of one measurement.
    """
    parts = [read_measured(folder) for folder in folders]
    first = parts[0].manifest
    for folder, part in zip(folders[1:], parts[1:], strict=True):
        words = (f"in {folders[0]}", f"in {folder}")
        differing = list(differences(_of_whole(first), _of_whole(part.manifest), "", words))
        if differing:
            raise DatasetError(
                f"these are no shards of one measurement: {'; '.join(differing)}",
                "measure them with the same command and toolchain",
            )
    of = first.config["shard"][1]
    numbers = sorted(part.manifest.config["shard"][0] for part in parts)
    if numbers != list(range(1, of + 1)):
        have = ", ".join(map(str, numbers))
        raise DatasetError(f"of {of} shards these are given: {have}", "name each of them once")
    candidates = [each for part in parts for each in part.candidates]
    candidates.sort(key=lambda each: each.candidate)
    manifest = Manifest(
        **_of_whole(first),
        summary=summarise(candidates),
        rows_sha256=rows_sha256(lines_of(candidates)),
    )
    return Measured(manifest=manifest, candidates=candidates)


def _of_whole(manifest: Manifest) -> dict[str, Any]:
    config = {key: value for key, value in manifest.config.items() if key != "shard"}
    return {"config": config, "toolchain": manifest.toolchain}
