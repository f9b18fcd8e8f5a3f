"""From a pool to the trace lengths of all its candidates: divide, count, record, write.

Resumable anywhere. The same request gives the same bytes for any number of workers, on any engine,
however often it was interrupted; shards together hold the lines of the whole.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from deskcheck.builder import __version__
from deskcheck.builder.dataset import appear_whole
from deskcheck.builder.engines import Engine
from deskcheck.builder.journal import JournalOf, building_folder, discard_building
from deskcheck.builder.measured import (
    COUNTS,
    FORMAT,
    MANIFEST,
    CountedCandidate,
    Manifest,
    Measured,
    lines_of,
    rows_sha256,
    summarise,
    write_files,
)
from deskcheck.builder.measuring import Failure, Measuring, Portion
from deskcheck.builder.pipeline import PoolRequest, Shard, begin, collect, pool_facts
from deskcheck.builder.progress import Progress, pace
from deskcheck.oracles.errors import DatasetError, DeskcheckError, PoolError
from deskcheck.oracles.identity import content_id
from deskcheck.sources.conformance import digest
from deskcheck.sources.pools import DivisiblePool, Part
from deskcheck.sources.registry import load_pool

PORTION = 50
"""Candidates that are handed out, and recorded, together."""

Counts = tuple[CountedCandidate, ...]


class FaultError(Exception):
    """Candidates that were not counted through a fault of ours: one line about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyRequest:
    """Everything that `builder measure` is asked for."""

    pool: PoolRequest
    job: Measuring
    engine: Engine
    output: Path
    """The folder in which the measurement's own folder appears."""
    shard: Shard


@dataclass(frozen=True, slots=True, kw_only=True)
class Surveyed:
    """A measurement that stands."""

    folder: Path
    manifest: Manifest


class CountsJournal(JournalOf[Counts]):
    """The counts of each portion, by its number in the whole pool."""

    entry = "a portion of counts"

    @staticmethod
    def to_json(entry: Counts, /) -> list[dict[str, Any]]:
        return [asdict(each) for each in entry]

    @staticmethod
    def from_json(row: Any, /) -> Counts:
        return tuple(CountedCandidate.of(each) for each in row)


def survey(request: SurveyRequest) -> Surveyed:
    """Count every candidate and write the folder.

    The same request goes on where an interrupted one stopped. PoolError for the pool, DatasetError
    for the folder, SandboxError where programs cannot be run safely here, FaultError for a fault
    of ours.
    """
    portions, content = _divided(request)
    job = replace(request.job, sample=portions[0] if isinstance(portions[0], Part) else None)
    toolchain = {key: value for key, value in job.toolchain().items() if key != "deskcheck"}
    sample = toolchain.pop("sample")
    known = {"first_candidate": sample} if sample else {"candidates": content}
    config = _config(request, known)
    folder = _place(request, config)
    begin(folder)
    mine = range(request.shard.number - 1, len(portions), request.shard.of)
    with CountsJournal.open(building_folder(folder) / COUNTS, config) as journal:
        done = _count_all(replace(request, job=job), portions, mine, journal)
        candidates = [each for number in mine for each in done[number]]
        _require_distinct(candidates)
        manifest = Manifest(
            config=config,
            toolchain=toolchain,
            summary=summarise(candidates),
            rows_sha256=rows_sha256(lines_of(candidates)),
        )
        measured = Measured(manifest=manifest, candidates=candidates)
        appear_whole(folder, lambda partial: write_files(partial, measured))
        discard_building(folder)
    return Surveyed(folder=folder, manifest=manifest)


def _divided(request: SurveyRequest) -> tuple[Sequence[Portion], str]:
    """The pool's portions in order, and what names its content where they are all of it."""
    pool, asked = load_pool(request.pool.name), request.pool.options
    portions: Sequence[Portion]
    content = ""
    if isinstance(pool, DivisiblePool):
        portions = pool.parts(asked, PORTION)
    else:
        found = collect([request.pool])
        content = content_id("inspected", list(map(digest, found)))
        portions = [tuple(found[at : at + PORTION]) for at in range(0, len(found), PORTION)]
    if not portions:
        raise PoolError(f"pool {request.pool.name!r} yields nothing under these options")
    return portions, content


def _config(request: SurveyRequest, sha256: Mapping[str, str]) -> dict[str, Any]:
    """What decides the rows: no path, no count of workers. `sha256` is of what was read here."""
    job = request.job
    return {
        "deskcheck": __version__,
        "format": FORMAT,
        "pool": {**pool_facts(request.pool), "sha256": dict(sha256)},
        "inputs": job.which,
        "sample_check": job.sample_check,
        "limits": {name: str(value) for name, value in asdict(job.limits).items()},
        "interpreter": job.interpreter.facts(),
        "allow_unisolated": job.allow_unisolated,
        "shard": [request.shard.number, request.shard.of],
    }


def _place(request: SurveyRequest, config: Mapping[str, Any]) -> Path:
    suffix = request.shard.suffix if request.shard.of > 1 else ""
    identity = content_id("measurement", dict(config))[:8]
    folder = request.output / f"{request.pool.name}{suffix}-{identity}"
    if (folder / MANIFEST).is_file():
        raise DatasetError(f"this is measured already: {folder}", "remove it to measure again")
    return folder


def _count_all(
    request: SurveyRequest, portions: Sequence[Portion], mine: Sequence[int], journal: CountsJournal
) -> Mapping[int, Counts]:
    """The counts of each portion of `mine`; those that failed were tried twice."""
    done = {int(number): counts for number, counts in journal.done().items()}
    failures: dict[int, Failure] = {}
    with Progress("measuring") as progress:
        meter = _Meter(progress, sum(_size(portions[number]) for number in mine), done)
        for _attempt in range(2):
            waiting = [number for number in mine if number not in done]
            failures = {}
            for number, result in _results(request, portions, waiting):
                if isinstance(result, Failure):
                    if result.kind == "counts_differ":
                        raise FaultError(result.detail)
                    failures[number] = result
                else:
                    journal.append(str(number), result)
                    done[number] = result
                    meter.add(result)
    for failure in failures.values():
        left = sum(_size(portions[number]) for number in failures)
        text = f"{left} candidates were not counted: {failure.detail}"
        if failure.kind == "known":
            raise DeskcheckError(text, "the same command goes on with them")
        raise FaultError(text)
    return done


def _results(
    request: SurveyRequest, portions: Sequence[Portion], waiting: Sequence[int]
) -> Iterator[tuple[int, Counts | Failure]]:
    items = [portions[number] for number in waiting]
    with closing(request.engine.results(items, request.job)) as results:
        for index, result in results:
            yield waiting[index], result


def _size(portion: Portion) -> int:
    return portion.count if isinstance(portion, Part) else len(portion)


class _Meter:
    """Says how far the work is, how fast it goes and when it will be done."""

    def __init__(self, progress: Progress, total: int, done: Mapping[int, Counts]) -> None:
        self._progress = progress
        self._total = total
        self._began = time.monotonic()
        self._reasons: Counter[str] = Counter()
        self._done = self._before = 0
        for counts in done.values():
            self.add(counts)
        self._before = self._done

    def add(self, counts: Counts) -> None:
        self._done += len(counts)
        self._reasons.update(reason for each in counts for reason in each.reasons)
        reasons = [f"{reason} {n}" for reason, n in self._reasons.most_common(3)]
        speed = pace(
            self._done - self._before, self._total - self._done, time.monotonic() - self._began
        )
        said = [
            *([speed] if speed else []),
            *([f"not counted: {', '.join(reasons)}"] * bool(reasons)),
        ]
        self._progress.update(self._done, self._total, "; ".join(said))


def _require_distinct(candidates: Sequence[CountedCandidate]) -> None:
    seen: set[str] = set()
    for each in candidates:
        if each.candidate in seen:
            raise PoolError(f"the pool gives {each.candidate} twice", "ids must be unique")
        seen.add(each.candidate)
