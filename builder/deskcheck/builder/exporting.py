"""A dataset as it is published: the tables, the clean programs and a card, answers left out."""

from __future__ import annotations

from pathlib import Path

from deskcheck.builder.card import card
from deskcheck.builder.contents import Dataset
from deskcheck.builder.dataset import (
    CARD,
    MANIFEST,
    appear_whole,
    program_path,
    read_answers,
    read_dataset,
    require_absent,
)
from deskcheck.builder.schemas import ANSWERS, SHOWN
from deskcheck.oracles.errors import DatasetError


def export(folder: Path, out: Path, *, answers: bool = False) -> Dataset:
    """Write the copy that is to be published as the new folder `out`.

    `answers` adds the expected ones under `oracles/`, where no loader of tasks meets them.
    DatasetError where the dataset is damaged or a shard, or `out` exists and is not empty.
    """
    require_absent(out)
    dataset = read_dataset(folder)
    if dataset.manifest.config.get("shard") not in (None, [1, 1]):
        raise DatasetError(f"{folder} is a shard", "builder dataset merge makes the whole")
    if answers:
        read_answers(folder)
    appear_whole(out, lambda partial: _write(folder, partial, dataset, answers))
    return dataset


def files(dataset: Dataset, *, answers: bool = False) -> list[str]:
    """What a copy holds, relative to its folder."""
    tables = [table.path for table in (*SHOWN, *((ANSWERS,) if answers else ()))]
    return sorted([CARD, MANIFEST, *tables, *{program_path(case) for case in dataset.cases}])


def _write(folder: Path, partial: Path, dataset: Dataset, answers: bool) -> None:
    programs = {
        program_path(case): dataset.tasks_of(case.id)["short-trace-final"].source.encode("utf-8")
        for case in dataset.cases
    }
    text = card(dataset, answers=answers).encode("utf-8", "backslashreplace")
    for name in files(dataset, answers=answers):
        path = partial / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name == CARD:
            path.write_bytes(text)
        elif name in programs:
            path.write_bytes(programs[name])
        else:
            path.write_bytes((folder / name).read_bytes())
