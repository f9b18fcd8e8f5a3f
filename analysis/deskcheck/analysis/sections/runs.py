"""What was run: runs, dataset and settings."""

from __future__ import annotations

import json

from deskcheck.analysis.blocks import Column, Section, Table
from deskcheck.analysis.results import Results


def section(results: Results) -> Section:
    """The runs with their dataset, and what each setting asked for."""
    return Section(name="runs", title="What was run", blocks=(_runs(results), _settings(results)))


def _runs(results: Results) -> Table:
    return Table(
        name="runs",
        title="Runs",
        columns=(
            Column(name="run", heading="run"),
            Column(name="dataset", heading="dataset"),
            Column(name="dataset_id", heading="its id"),
            Column(name="seed", heading="seed", kind="count"),
            Column(name="settings", heading="settings", kind="count"),
            Column(name="cells", heading="cells", kind="count"),
            Column(name="deskcheck", heading="Deskcheck"),
        ),
        rows=tuple(
            (
                run.config.id[:8],
                run.config.dataset_name,
                run.config.dataset_id[:8],
                run.config.seed,
                len(run.config.settings),
                len(run.cells),
                run.config.deskcheck,
            )
            for run in results.runs
        ),
    )


def _settings(results: Results) -> Table:
    cases = results.cells.groupby("setting")["case_id"].nunique()
    return Table(
        name="settings",
        title="Settings",
        columns=(
            Column(name="setting", heading="setting"),
            Column(name="model", heading="model"),
            Column(name="reasoning", heading="reasoning"),
            Column(name="sampling", heading="sampling"),
            Column(name="max_tokens", heading="limit of tokens", kind="count"),
            Column(name="repeats", heading="repeats", kind="count"),
            Column(name="cases", heading="cases", kind="count"),
            Column(name="run", heading="run"),
        ),
        rows=tuple(
            (
                each.name,
                each.setting.model,
                each.setting.reasoning,
                json.dumps(dict(each.setting.sampling)) if each.setting.sampling else "no override",
                each.setting.max_tokens,
                each.setting.repeats,
                int(cases[each.name]),
                results.runs[each.run].config.id[:8],
            )
            for each in results.settings
        ),
    )
