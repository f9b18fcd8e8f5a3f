"""The cells case by case, and the order in which a reader wants to see cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from deskcheck.analysis.results import Results
from deskcheck.builder.cases import Arm
from deskcheck.evaluate.cells import COMPLETED, Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseCells:
    """What became of one case: for each setting and arm, the cells of all repeats in order."""

    case_id: str
    candidate: str
    study: str
    cells: Mapping[tuple[str, Arm], tuple[Cell, ...]]
    flips: tuple[str, ...]
    """Settings that are right on the short trace and wrong on the long one."""
    rises: tuple[str, ...]
    """Settings that are wrong on the short trace and right on the long one."""

    def selected(self, setting: str, arm: Arm) -> Cell | None:
        """The reply that counts, where this was asked at all."""
        return next((cell for cell in self.cells.get((setting, arm), ()) if cell.selected), None)


def casebook(results: Results) -> tuple[CaseCells, ...]:
    """Every case that was asked, those first that most models flip on, then by candidate."""
    names = {(each.run, each.setting.name): each.name for each in results.settings}
    found: dict[str, dict[tuple[str, Arm], list[Cell]]] = {}
    for place, run in enumerate(results.runs):
        for cell in run.cells:
            of_case = found.setdefault(cell.case_id, {})
            of_case.setdefault((names[place, cell.setting], cell.arm), []).append(cell)
    cases = [_case(results, case_id, cells) for case_id, cells in found.items()]
    models = {each.name for each in results.models or results.floors}
    return tuple(
        sorted(
            cases,
            key=lambda each: (-len(models.intersection(each.flips)), each.candidate, each.case_id),
        )
    )


def page_of(case_id: str) -> str:
    """Where the case's page lies, relative to the report."""
    return f"cases/{case_id[:16]}.html"


def _case(results: Results, case_id: str, cells: Mapping[tuple[str, Arm], list[Cell]]) -> CaseCells:
    any_cell = next(iter(cells.values()))[0]
    turns = {each.name: _turn(cells, each.name) for each in results.settings}
    return CaseCells(
        case_id=case_id,
        candidate=any_cell.candidate,
        study=any_cell.study,
        cells={key: tuple(each) for key, each in cells.items()},
        flips=tuple(name for name, turn in turns.items() if turn == (True, False)),
        rises=tuple(name for name, turn in turns.items() if turn == (False, True)),
    )


def _turn(cells: Mapping[tuple[str, Arm], list[Cell]], setting: str) -> tuple[bool, bool] | None:
    """Right on the short and on the long trace; None where one of them has no reply."""
    arms: tuple[Arm, Arm] = ("short-trace-final", "long-trace-final")
    pair = [
        cell
        for arm in arms
        for cell in cells.get((setting, arm), ())
        if cell.selected and cell.status in COMPLETED
    ]
    if len(pair) < 2:
        return None
    short, long = (cell.status == "correct" for cell in pair)
    return short, long
