"""A page for each case: expected and given answers side by side, and what was asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from deskcheck.analysis.casebook import CaseCells, casebook, page_of
from deskcheck.analysis.differences import locate
from deskcheck.analysis.report.html import render
from deskcheck.analysis.results import Named, Results
from deskcheck.analysis.texts import Marked, digits, excerpt
from deskcheck.builder.cases import ARMS, Answer, Arm, Case, Measures, Task
from deskcheck.builder.contents import Dataset
from deskcheck.builder.listing import inserted_lines, numbered, shortened
from deskcheck.evaluate.cells import Cell, Status
from deskcheck.oracles.equivalence import ABSENT

INDEX = "cases/index.html"

SYMBOLS: Mapping[Status, str] = {
    "correct": "✓",
    "wrong": "✗",
    "unparsed": "?",
    "truncated": "…",
    "over_length": "↕",
    "no_response": "∅",
    "engine_error": "!",
    "pending": "·",
}
"""So that a status is known without its colour."""

ANSWER = 1_500
"""Characters of an answer that are shown."""
INPUT_LINES = 20
ERROR = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A case as its page shows it, whatever was answered."""

    case: Case
    tasks: Mapping[Arm, Task]
    measures: Mapping[Arm, Measures]


def case_pages(results: Results) -> Iterator[tuple[str, str]]:
    """The path and text of every case's page, and of their index; none without the dataset."""
    if results.dataset is None:
        return
    book = casebook(results)
    asked = _asked(results.dataset)
    names = [page_of(each.case_id).rpartition("/")[2] for each in book]
    for place, each in enumerate(book):
        yield (
            page_of(each.case_id),
            _page(
                results,
                each,
                asked[each.case_id],
                before=names[place - 1] if place else "",
                after=names[place + 1] if place + 1 < len(names) else "",
            ),
        )
    yield INDEX, _index(results, book)


def _asked(dataset: Dataset) -> dict[str, Asked]:
    tasks: dict[str, dict[Arm, Task]] = {}
    measures: dict[str, dict[Arm, Measures]] = {}
    for task in dataset.tasks:
        tasks.setdefault(task.case_id, {})[task.arm] = task
    for each in dataset.measures:
        measures.setdefault(each.case_id, {})[each.arm] = each
    return {
        case.id: Asked(case=case, tasks=tasks[case.id], measures=measures[case.id])
        for case in dataset.cases
    }


def _page(results: Results, cells: CaseCells, asked: Asked, *, before: str, after: str) -> str:
    return render(
        "case.html.j2",
        case=asked.case,
        facts=_facts(asked.case),
        panels=[_panel(asked, arm, results.answers) for arm in ARMS],
        rows=[
            _row(named, cells, asked, results.answers)
            for named in results.settings
            if any((named.name, arm) in cells.cells for arm in ARMS)
        ],
        symbols=SYMBOLS,
        before=before,
        after=after,
    )


def _facts(case: Case) -> list[str]:
    facts = [
        f"case {case.id[:16]}",
        case.study,
        f"{case.loop_kind} loop at line {case.loop_line} (depth {case.loop_depth}), stopped before "
        f"iteration {case.iteration:,} of {case.iterations:,} and after the loop",
        f"origin {case.origin}",
        f"licence {case.licence}",
        case.author,
    ]
    facts += ["something is printed before the inside stop"] if case.printed_before else []
    facts += ["the state after the loop holds the output"] if case.post_contains_output else []
    return facts


def _panel(asked: Asked, arm: Arm, answers: Mapping[str, Answer]) -> dict[str, Any]:
    task, clean = asked.tasks[arm], asked.tasks["short-trace-final"].source
    same = arm == "long-trace-final" and task.source == clean
    short = arm == "short-trace-final"
    return {
        "arm": arm,
        "measures": _measures(asked, arm),
        "expected": excerpt(answers[task.id].text, None, ANSWER),
        "floor": task.floor,
        "same_source": same,
        "source": [] if same else numbered(task.source, inserted_lines(clean, task.source)),
        "same_input": bool(task.fields) and task.stdin == asked.tasks["long-trace-final"].stdin,
        "input_name": asked.case.short_input if short else asked.case.long_input,
        "input_size": f"{len(task.stdin):,}",
        "stdin": shortened(task.stdin, INPUT_LINES),
        "fields": [
            field.name if field.name == field.expression else f"{field.name} = {field.expression}"
            for field in task.fields
        ],
    }


def _measures(asked: Asked, arm: Arm) -> str:
    measures = asked.measures[arm]
    about = "" if measures.trace_exact else "about "
    said = f"Trace length {about}{measures.trace_length:,}"
    if asked.tasks[arm].fields:
        said += f" up to the stop, {measures.whole_trace_length:,} in all"
    if measures.peak_state is not None and measures.state_load is not None:
        said += f"; state: peak {measures.peak_state:,}, load {measures.state_load:,}"
    return f"{said}; answers compare by {asked.tasks[arm].rule}"


def _row(
    named: Named, cells: CaseCells, asked: Asked, answers: Mapping[str, Answer]
) -> dict[str, Any]:
    return {
        "name": named.name,
        "floor": named.floor,
        "flip": named.name in cells.flips,
        "given": [
            _given(cells.cells.get((named.name, arm), ()), answers[asked.tasks[arm].id].text)
            for arm in ARMS
        ],
    }


def _given(cells: tuple[Cell, ...], expected: str) -> dict[str, Any] | None:
    """What one setting made of one task; None where it was not asked."""
    if not cells:
        return None
    cell = cells[0]
    span = None
    if cell.answer is not None:
        absent = cell.difference_given == ABSENT
        span = locate(cell.difference_at, expected, cell.answer, absent=absent)
    differs = cell.difference_at is not None and cell.status != "correct"
    return {
        "status": cell.status,
        "flags": _flags(cell),
        "text": _answer(cell, span if differs else None),
        "marked": differs and span is not None,
        "where": cell.difference_at if differs else None,
        "wanted": cell.difference_expected,
        "got": cell.difference_given,
        "error": (cell.error or "")[:ERROR] if cell.status != "correct" else "",
        "repeats": [each.status for each in cells] if len(cells) > 1 else [],
    }


def _answer(cell: Cell, span: tuple[int, int] | None) -> Marked | None:
    return None if cell.answer is None else excerpt(cell.answer, span, ANSWER)


def _flags(cell: Cell) -> str:
    flags = []
    if cell.envelope_valid is False:
        flags.append("envelope broken")
    if cell.answers is not None and cell.answers > 1:
        flags.append(f"{cell.answers} answers")
    if cell.status == "truncated" and cell.answer_correct:
        flags.append("right before the cut")
    if cell.field_credit is not None and 0 < cell.field_credit < 1:
        flags.append(f"{100 * cell.field_credit:.0f}% of the fields right")
    if cell.completion_tokens is not None:
        flags.append(f"{digits(cell.completion_tokens)} tokens")
    return ", ".join(flags)


def _index(results: Results, book: tuple[CaseCells, ...]) -> str:
    models = {each.name for each in results.models or results.floors}
    return render(
        "index.html.j2",
        rows=[
            {
                "href": page_of(case.case_id).rpartition("/")[2],
                "candidate": case.candidate,
                "study": case.study,
                "flips": len(models.intersection(case.flips)),
                "given": [_grid(named.name, case) for named in results.settings],
            }
            for case in book
        ],
        settings=[each.name for each in results.settings],
        symbols=SYMBOLS,
        arms=ARMS,
    )


def _grid(setting: str, case: CaseCells) -> dict[str, Any]:
    cells = [case.selected(setting, arm) for arm in ARMS]
    statuses = [cell.status if cell else "" for cell in cells]
    return {
        "statuses": statuses,
        "order": sum(status == "correct" for status in statuses),
        "label": ", ".join(
            f"{arm} {status.replace('_', ' ') or 'not asked'}"
            for arm, status in zip(ARMS, statuses, strict=True)
        ),
    }
