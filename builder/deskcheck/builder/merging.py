"""Shards of one build become the dataset that the build without shards gives, row for row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from deskcheck.builder.cases import Admitted, Verdict, verdict_from_json
from deskcheck.builder.contents import Build, Dataset, Manifest
from deskcheck.builder.dataset import SHARD, read_answers, read_dataset, write_dataset
from deskcheck.builder.ledger import differences, row_of
from deskcheck.builder.pipeline import Built, Shard, answer_tag, cut, place, without_duplicates
from deskcheck.oracles.errors import DatasetError


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One shard as it was built; its verdicts by their place in the order of the whole pool."""

    folder: Path
    manifest: Manifest
    shard: Shard
    verdicts: Mapping[int, Verdict]


def merge(folders: Sequence[Path], output: Path) -> Built:
    """Write the dataset of all shards into `output`, under the name that it has without shards.

    DatasetError where a folder is no shard, one is missing or comes twice, or they are not of one
    build: of the same pools, seed, parameters and toolchain.
    """
    parts = [read_part(folder) for folder in folders]
    _require_one_build(parts)
    _require_complete(parts)
    by_place: dict[int, Verdict] = {}
    for part in parts:
        by_place |= part.verdicts
    _require_distinct(parts, by_place)
    first = parts[0]
    config = {**first.manifest.config, "shard": [1, 1]}
    ordered = [by_place[number] for number in sorted(by_place)]
    merged = without_duplicates(cut(ordered, config["stop_after"]))
    name = first.manifest.name.removesuffix(first.shard.suffix)
    folder = place(output, name, config)
    manifest = write_dataset(
        folder,
        Build(
            name=name,
            config=config,
            toolchain=first.manifest.toolchain,
            answer_tag=answer_tag(merged),
        ),
        merged,
    )
    return Built(folder=folder, manifest=manifest, verdicts=merged)


def read_part(folder: Path) -> Part:
    """A shard with its answers; DatasetError where it is none or is damaged."""
    dataset = read_dataset(folder)
    number, of = dataset.manifest.config.get("shard", [1, 1])
    if of == 1:
        raise DatasetError(f"{folder} is no shard but a whole dataset", "merge shards alone")
    verdicts = {verdict.candidate: verdict for verdict in verdicts_of(dataset, folder)}
    placed: dict[int, Verdict] = {}
    for row in _lines(folder / SHARD):
        verdict = verdicts.pop(row["candidate"], None)
        if verdict is None or row["place"] in placed:
            raise _damaged(folder, f"its tables do not hold {row['candidate']} once")
        placed[row["place"]] = verdict_from_json(row["verdict"]) if "verdict" in row else verdict
    if verdicts:
        raise _damaged(folder, f"it gives {min(verdicts)} no place")
    return Part(
        folder=folder,
        manifest=dataset.manifest,
        shard=Shard(number=number, of=of),
        verdicts=placed,
    )


def verdicts_of(dataset: Dataset, folder: Path) -> list[Verdict]:
    """The verdicts that the dataset was written from, without their order."""
    answers = read_answers(folder)
    admitted: list[Verdict] = []
    for case in dataset.cases:
        tasks = tuple(dataset.tasks_of(case.id).values())
        admitted.append(
            Admitted(
                candidate=case.candidate,
                pool=case.pool,
                study=case.study,
                case=case,
                tasks=tasks,
                answers=tuple(answers[task.id] for task in tasks),
                measures=tuple(dataset.measures_of(case.id).values()),
                passed_over=dataset.passed_over.get(case.candidate, ()),
            )
        )
    return [*admitted, *dataset.rejections]


def _lines(path: Path) -> list[dict[str, Any]]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        detail = f"{path.name} is missing; one of an earlier version has none"
        raise _damaged(path.parent.parent, detail) from None
    rows = [row_of(line) for line in lines]
    if None in rows:
        raise _damaged(path.parent.parent, f"{path.name} line {rows.index(None) + 1}")
    return [row for row in rows if row is not None]


def _require_one_build(parts: Sequence[Part]) -> None:
    """Everything but the number of the shard is the same, the toolchain too."""
    first = parts[0]
    for other in parts[1:]:
        words = (f"in {first.folder}", f"in {other.folder}")
        differing = list(differences(_of_build(first), _of_build(other), "", words))
        if differing:
            raise DatasetError(
                f"these are no shards of one build: {'; '.join(differing)}",
                "build them with the same command and toolchain",
            )


def _of_build(part: Part) -> dict[str, Any]:
    manifest = asdict(part.manifest)
    same = ("deskcheck", "task_contract", "canary", "toolchain")
    return {
        "name": part.manifest.name.removesuffix(part.shard.suffix),
        "shards": part.shard.of,
        **{key: manifest[key] for key in same},
        "config": {**manifest["config"], "shard": None},
    }


def _require_complete(parts: Sequence[Part]) -> None:
    of = parts[0].shard.of
    numbers = Counter(part.shard.number for part in parts)
    doubled = [str(number) for number, count in numbers.items() if count > 1]
    missing = [str(number) for number in range(1, of + 1) if number not in numbers]
    if doubled:
        raise DatasetError(f"shard {', '.join(doubled)} of {of} comes twice", "name each once")
    if missing:
        raise DatasetError(f"shard {', '.join(missing)} of {of} is missing", "name all of them")


def _require_distinct(parts: Sequence[Part], by_place: Mapping[int, Verdict]) -> None:
    for part in parts:
        for number, verdict in part.verdicts.items():
            if by_place[number] is not verdict or not part.shard.has(verdict.candidate):
                raise _damaged(part.folder, f"{verdict.candidate} does not belong to this shard")


def _damaged(folder: Path, how: str) -> DatasetError:
    return DatasetError(f"the shard {folder} is damaged: {how}", "build it again")
