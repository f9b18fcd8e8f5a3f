"""Which cases to look at: those where a longer run of the same program turns right into wrong."""

from __future__ import annotations

from deskcheck.analysis.blocks import Block, Column, Link, Section, Table, Value
from deskcheck.analysis.casebook import CaseCells, casebook, page_of
from deskcheck.analysis.results import Results
from deskcheck.builder.cases import ARMS
from deskcheck.evaluate.cells import COMPLETED

SHOWN = 20
"""Cases that are listed; all of them are in the index of case pages."""


def section(results: Results) -> Section:
    """Flips between the two traces by setting, and the cases with most of them."""
    book = casebook(results)
    paged = results.dataset is not None
    blocks: list[Block] = [_turns(results, book)]
    flipped = [case for case in book if case.flips]
    if flipped:
        blocks.append(_flipped(flipped[:SHOWN], len(flipped), paged))
    return Section(name="cases", title="Cases", blocks=tuple(blocks))


def _turns(results: Results, book: tuple[CaseCells, ...]) -> Table:
    rows: list[tuple[Value, ...]] = []
    for named in results.settings:
        both = all_right = asked = 0
        for case in book:
            cells = [case.selected(named.name, arm) for arm in ARMS]
            back = [cell is not None and cell.status in COMPLETED for cell in cells]
            both += all(back[:2])
            asked += all(cell is not None for cell in cells)
            all_right += all(cell is not None and cell.status == "correct" for cell in cells)
        rows.append(
            (
                named.name,
                both,
                sum(named.name in case.flips for case in book),
                sum(named.name in case.rises for case in book),
                asked,
                all_right,
            )
        )
    return Table(
        name="turns",
        title="The same program on its short and its long input",
        columns=(
            Column(name="setting", heading="setting"),
            Column(name="pairs", heading="pairs completed", kind="count"),
            Column(name="right_to_wrong", heading="right to wrong", kind="count"),
            Column(name="wrong_to_right", heading="wrong to right", kind="count"),
            Column(name="all_arms", heading="asked in all four arms", kind="count"),
            Column(name="right_in_all", heading="right in all four", kind="count"),
        ),
        rows=tuple(rows),
    )


def _flipped(cases: list[CaseCells], count: int, paged: bool) -> Table:
    more = f"The first {SHOWN} of {count} are listed. " if count > len(cases) else ""
    index = "Every case has a page: see the index of cases." if paged else ""
    return Table(
        name="flips",
        title="Cases that are right on the short input and wrong on the long one, most first",
        columns=(
            Column(name="case", heading="case"),
            Column(name="study", heading="study"),
            Column(name="flips", heading="flips", kind="count"),
            Column(name="settings", heading="settings"),
        ),
        rows=tuple(
            (
                Link(text=case.candidate, href=page_of(case.case_id)) if paged else case.candidate,
                case.study,
                len(case.flips),
                ", ".join(case.flips),
            )
            for case in cases
        ),
        note=f"{more}{index}",
    )
