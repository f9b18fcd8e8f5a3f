"""Write a report's folder: it appears whole, and the same inputs give the same bytes."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

from deskcheck.analysis import registry
from deskcheck.analysis.blocks import Figure, Notice, Section, Table
from deskcheck.analysis.report.html import render_report, standalone
from deskcheck.analysis.report.markdown import markdown
from deskcheck.analysis.report.pages import INDEX, case_pages
from deskcheck.analysis.report.values import csv_rows, csv_value, estimates_of
from deskcheck.analysis.results import Results
from deskcheck.builder import __version__
from deskcheck.evaluate.cells import Cell
from deskcheck.oracles.errors import RunError
from deskcheck.oracles.identity import content_id

REPORT, INPUTS = "report.html", "inputs.json"

PACKAGES = ("jinja2", "numpy", "pandas", "pyarrow", "scipy")
"""Those whose version may change a digit or a byte."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A report that stands."""

    folder: Path
    id: str
    notices: tuple[Notice, ...]

    @property
    def page(self) -> Path:
        """The file to open."""
        return self.folder / REPORT


def write_report(results: Results, output: Path) -> Written:
    """Make the report of the results in a folder of `output` that is named by what went in.

    An earlier report of the same inputs is replaced. RunError where something else stands there,
    or it cannot be written.
    """
    facts = inputs(results)
    folder = output / facts["id"][:8]
    _require_report(folder, facts["id"])
    sections = tuple(registry.sections(results))
    _require_distinct(sections)
    partial = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
    old = folder.with_name(f".{folder.name}.{os.getpid()}.old")
    try:
        for name, text in _files(results, facts, sections):
            path = partial / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8", newline="")
        if folder.exists():
            folder.rename(old)
        partial.rename(folder)
    except OSError as error:
        raise RunError(f"cannot write the report {folder}: {error.strerror}") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
    return Written(
        folder=folder,
        id=facts["id"],
        notices=tuple(
            block for section in sections for block in section.blocks if isinstance(block, Notice)
        ),
    )


def inputs(results: Results) -> dict[str, Any]:
    """What a report is made from, by content: no path and no date is among it."""
    made_from = {
        "runs": [
            {
                "id": run.config.id,
                "cells": len(run.cells),
                "cells_sha256": run.cells_sha,
                "settings": [setting.name for setting in run.config.settings],
                "seed": run.config.seed,
                "deskcheck": run.config.deskcheck,
            }
            for run in results.runs
        ],
        "dataset": {
            "id": results.runs[0].config.dataset_id,
            "name": results.runs[0].config.dataset_name,
        },
        "case_pages": results.dataset is not None,
        "moments": results.moments.id if results.moments else None,
        "options": asdict(results.options),
        "sections": registry.origins(),
        "deskcheck": __version__,
    }
    versions = {package: version(package) for package in PACKAGES}
    return {"id": content_id("report", made_from), **made_from, "packages": versions}


def _files(
    results: Results, facts: dict[str, Any], sections: Sequence[Section]
) -> Iterator[tuple[str, str]]:
    title = f"Deskcheck report: {results.runs[0].config.dataset_name}"
    told = _told(results, facts["id"])
    index = INDEX if results.dataset is not None else ""
    yield REPORT, render_report(title, told, sections, index=index)
    yield "report.md", markdown(title, told, sections)
    yield INPUTS, json.dumps(facts, indent=1) + "\n"
    estimates = {"id": facts["id"], "estimates": list(estimates_of(sections))}
    yield "estimates.json", json.dumps(estimates, indent=1, allow_nan=False) + "\n"
    yield "tables/cells.csv", _csv(_cell_rows(results))
    for section in sections:
        for block in section.blocks:
            if isinstance(block, Table):
                yield f"tables/{block.name}.csv", _csv(csv_rows(block))
            elif isinstance(block, Figure):
                for drawing in block.drawings:
                    yield f"figures/{drawing.name}.svg", standalone(drawing)
    yield from case_pages(results)


def _told(results: Results, id: str) -> list[str]:
    cells = results.cells
    return [
        _count(len(results.models), "model setting"),
        _count(len(results.floors), "baseline"),
        _count(cells["case_id"].nunique(), "case"),
        _count(cells["cluster"].nunique(), results.options.cluster),
        _count(len(cells), "cell"),
        _count(len(results.runs), "run"),
        f"report {id[:8]}",
    ]


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _cell_rows(results: Results) -> Iterator[list[str]]:
    names = [each.name for each in fields(Cell)]
    yield ["run", *names]
    named = {(each.run, each.setting.name): each.name for each in results.settings}
    for place, run in enumerate(results.runs):
        id8 = run.config.id[:8]
        for cell in run.cells:
            values = {name: getattr(cell, name) for name in names}
            values["setting"] = named[place, cell.setting]
            yield [id8, *(csv_value(value) for value in values.values())]


def _csv(rows: Iterator[list[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _require_report(folder: Path, id: str) -> None:
    try:
        if not folder.exists():
            return
    except OSError as error:  # a folder above it may not be entered
        raise RunError(f"cannot write the report {folder}: {error.strerror}") from error
    try:
        same = json.loads((folder / INPUTS).read_bytes())["id"][:8] == id[:8]
    except (OSError, ValueError, TypeError, KeyError):
        same = False
    if not same:
        raise RunError(f"{folder} exists and is no report of these runs", "use another -o")


def _require_distinct(sections: Sequence[Section]) -> None:
    """Names of tables and drawings are those of files."""
    seen: set[str] = {"table cells"}
    for section in sections:
        names = [f"section {section.name}"]
        for block in section.blocks:
            if isinstance(block, Table):
                names.append(f"table {block.name}")
            elif isinstance(block, Figure):
                names += [f"drawing {drawing.name}" for drawing in block.drawings]
        for name in names:
            if name in seen:
                raise RunError(
                    f"two parts of the report are called {name!r}",
                    "rename the one of your own section",
                )
            seen.add(name)
