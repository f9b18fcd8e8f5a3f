"""Data frames change no number and no text of a cell."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from tests.analysis.synthetic import make_dataset, make_run, maker

from deskcheck.analysis.frames import cells_frame
from deskcheck.analysis.statistics.agreement import missing
from deskcheck.evaluate.cells import NAME, Cell, read_cells

ODD = ("007", "1e3", "nan", "None", "NA", "", " true", "-0.0", "9007199254740993", "\x00\u202eé\n")


@pytest.fixture
def cells(tmp_path: Path) -> list[Cell]:
    verdicts = make_dataset(tmp_path / "data", 3)
    makers = [maker("a", lost=0.3)]
    return list(read_cells(make_run(tmp_path / "run", tmp_path / "data", verdicts, makers) / NAME))


def test_every_value_comes_back_as_it_was(cells: list[Cell]) -> None:
    """Whatever a cell holds, its row holds the same value of the same type, or NA for None."""
    cells = [
        replace(cell, answer=ODD[place % len(ODD)], prompt_tokens=2**53 + 1 if place else None)
        for place, cell in enumerate(cells)
    ]
    frame = cells_frame(cells)
    for place, cell in enumerate(cells):
        for each in fields(Cell):
            kept, value = frame[each.name].iloc[place], getattr(cell, each.name)
            if value is None:
                assert missing(kept), each.name
            else:
                assert kept == value, each.name
                assert isinstance(kept.item() if hasattr(kept, "item") else kept, type(value))


def test_a_missing_count_makes_no_float_of_the_others(cells: list[Cell]) -> None:
    """An integer beyond 2**53 beside a missing one is exact."""
    first, second = cells[:2]
    frame = cells_frame(
        [replace(first, prompt_tokens=2**53 + 1), replace(second, prompt_tokens=None)]
    )
    assert int(frame["prompt_tokens"].iloc[0]) == 2**53 + 1
