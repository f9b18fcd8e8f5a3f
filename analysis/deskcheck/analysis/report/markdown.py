"""The report as Markdown, for a pull request or a model card: the same texts and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deskcheck.analysis.blocks import Block, Figure, Notice, Section, Table, Text
from deskcheck.analysis.report.values import is_number, shown
from deskcheck.analysis.texts import harmless

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&])")


def markdown(title: str, facts: Sequence[str], sections: Sequence[Section]) -> str:
    """The whole report; nothing of a text is read as markup or HTML."""
    lines = [f"# {plain(title)}", "", plain(", ".join(facts)), ""]
    for section in sections:
        lines += [f"## {plain(section.title)}", ""]
        for block in section.blocks:
            lines += [*_block(block), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def plain(text: str) -> str:
    """One line on which no character means anything to Markdown."""
    return _SPECIAL.sub(r"\\\1", harmless(text).replace("\n", " "))


def _block(block: Block) -> Iterator[str]:
    match block:
        case Text():
            yield plain(block.text)
        case Notice():
            yield f"- {'**Warning.** ' if block.warning else ''}{plain(block.text)}"
        case Figure():
            yield f"*{plain(block.title)}: see the figures of the report.*"
        case Table():
            yield from _table(block)


def _table(table: Table) -> Iterator[str]:
    yield f"**{plain(table.title)}**"
    yield ""
    yield _row([plain(column.heading) for column in table.columns])
    yield _row(["---:" if is_number(column) else "---" for column in table.columns])
    for row in table.rows:
        cells = []
        for column, value in zip(table.columns, row, strict=True):
            seen = shown(value, column.kind)
            more = seen.interval or seen.note
            cells.append(plain(f"{seen.text} ({more})" if more else seen.text))
        yield _row(cells)
    if table.note:
        yield ""
        yield plain(table.note)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
