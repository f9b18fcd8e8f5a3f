"""A comparison of two settings as text, tables and numbers, for people and for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from deskcheck.analysis.blocks import Column, Section, Table, Text, Value
from deskcheck.analysis.comparison import Compared, Comparison
from deskcheck.analysis.report.markdown import markdown
from deskcheck.analysis.report.values import csv_rows, csv_value, rounded, shown
from deskcheck.analysis.sides import Side
from deskcheck.builder.commands.stats import aligned

TITLE = "Two settings compared"
ON_SCREEN = (
    "name",
    "pairs",
    "first_rate",
    "second_rate",
    "first_only",
    "second_only",
    "difference",
    "detectable",
    "verdict",
)
"""Columns of the table that fit beside each other on a terminal."""


def table(found: Comparison, cluster: str) -> Table:
    """Every number of the comparison, a row for all pairs, each arm and each study."""
    margin = found.parts[0].sensitivity.margin
    return Table(
        name="comparison",
        title="A less B",
        columns=(
            Column(name="part", heading="part"),
            Column(name="name", heading="which"),
            Column(name="pairs", heading="pairs", kind="count"),
            Column(name="first_rate", heading="A %", kind="share"),
            Column(name="second_rate", heading="B %", kind="share"),
            Column(name="first_only", heading="only A", kind="count"),
            Column(name="second_only", heading="only B", kind="count"),
            Column(name="both", heading="both", kind="count"),
            Column(name="neither", heading="neither", kind="count"),
            Column(name="difference", heading="A - B, points", kind="share"),
            Column(name="cluster_equal", heading="clusters alike", kind="share"),
            Column(name="missing", heading="pairs missing", kind="count"),
            Column(name="missing_as_wrong", heading="missing as wrong", kind="share"),
            Column(name="detectable", heading="detectable", kind="share"),
            Column(name="equivalence_p", heading="equivalence p", kind="p"),
            Column(name="verdict", heading="verdict"),
            Column(name="mcnemar_exact", heading="McNemar p, exact", kind="p"),
            Column(name="mcnemar_chi_square", heading="McNemar p, χ²", kind="p"),
            Column(name="clustered_p", heading="clustered p", kind="p"),
            Column(name="clusters", heading="clusters", kind="count"),
            Column(name="effective_clusters", heading="effective", kind="number"),
        ),
        rows=tuple(map(_row, found.parts)),
        note="Pairs are tasks with a reply from both; “missing as wrong” is of all that both were "
        f"asked. Intervals are of 95% and draw whole clusters ({cluster}); “clusters alike” gives "
        "each one vote. “Detectable” is the smallest true difference that 80% of such studies find "
        f"at 5%. The equivalence p is of two one-sided tests at a margin of {100 * margin:g} "
        "points. Both rest on the variance between clusters. McNemar's tests take tasks for "
        "independent, which those of one program are not; the clustered p is Obuchowski's.",
    )


def _row(part: Compared) -> tuple[Value, ...]:
    found, sensitivity = part.paired, part.sensitivity
    return (
        part.of,
        part.name,
        found.complete,
        found.first_rate,
        found.second_rate,
        found.first_only,
        found.second_only,
        found.both,
        found.neither,
        found.difference,
        found.cluster_equal,
        found.missing,
        found.missing_as_wrong,
        sensitivity.detectable,
        sensitivity.equivalence_p,
        part.verdict,
        found.tests.exact,
        found.tests.chi_square,
        found.tests.clustered,
        found.difference.clusters,
        found.difference.effective_clusters,
    )


def on_screen(found: Comparison, sides: tuple[Side, Side], cluster: str) -> Iterator[str]:
    """Lines that say who is compared, the chief numbers, and what was left out."""
    whole = table(found, cluster)
    places = [place for place, each in enumerate(whole.columns) if each.name in ON_SCREEN]
    rows = [[whole.columns[place].heading if place > 1 else "" for place in places]]
    for row in whole.rows:
        texts = []
        for place in places:
            seen = shown(row[place], whole.columns[place].kind)
            more = seen.interval or seen.note
            texts.append(f"{seen.text} ({more})" if more else seen.text or "all")
        rows.append(texts)
    yield from (f"{letter}: {side.title}" for letter, side in zip("AB", sides, strict=True))
    yield from ("", *aligned(rows).splitlines(), "", *_left_out(found))
    if found.only_first or found.only_second:
        yield "Their ids are in unmatched.csv (-o FOLDER), and in what --json prints."


def files(found: Comparison, sides: tuple[Side, Side], cluster: str) -> Iterator[tuple[str, str]]:
    """The names and texts of the files that hold a comparison."""
    whole = replace(table(found, cluster), title="The first setting (A) less the second (B)")
    text = Text(text=" ".join(_left_out(found)))
    section = Section(name="comparison", title="Numbers", blocks=(text, whole))
    told = [
        f"{letter}: {side.named.name} of run {side.run.config.id[:8]}"
        for letter, side in zip("AB", sides, strict=True)
    ]
    yield "comparison.md", markdown(TITLE, told, [section])
    yield "comparison.csv", _csv(csv_rows(whole))
    yield "unmatched.csv", _csv(_unmatched(found))
    yield "comparison.json", json.dumps(facts(found, sides, cluster), indent=1) + "\n"


def facts(found: Comparison, sides: tuple[Side, Side], cluster: str) -> Mapping[str, Any]:
    """The whole comparison as plain JSON; shares are from 0 to 1."""
    first, second = (
        {
            "setting": side.named.name,
            "model": side.named.setting.model,
            "reasoning": side.named.setting.reasoning,
            "run": side.run.config.id,
            "dataset": side.run.config.dataset_id,
        }
        for side in sides
    )
    parts = [{**_plain(asdict(part)), "verdict": part.verdict} for part in found.parts]
    unmatched = {"first": list(found.only_first), "second": list(found.only_second)}
    return {
        "first": first,
        "second": second,
        "cluster": cluster,
        "parts": parts,
        "unmatched": unmatched,
    }


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return rounded(value)


def _left_out(found: Comparison) -> list[str]:
    whole = found.parts[0].paired
    lines = [f"{whole.complete:,} pairs, and {whole.missing:,} with a side that has no reply."]
    for letter, ids in (("A", found.only_first), ("B", found.only_second)):
        if ids:
            lines.append(f"{len(ids):,} tasks were asked of {letter} alone.")
    return lines


def _unmatched(found: Comparison) -> Iterator[list[str]]:
    yield ["side", "task_id"]
    for letter, ids in (("A", found.only_first), ("B", found.only_second)):
        yield from ([letter, csv_value(each)] for each in ids)


def _csv(rows: Iterator[list[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
