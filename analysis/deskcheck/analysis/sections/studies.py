"""Accuracy study by study: which programs are hard for whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deskcheck.analysis.blocks import Column, Section, Table, Text, Value
from deskcheck.analysis.results import Results
from deskcheck.analysis.statistics.estimates import Estimate
from deskcheck.analysis.statistics.rates import rates
from deskcheck.builder.cases import ARMS

if TYPE_CHECKING:
    import pandas as pd

ALL = "all arms"


def section(results: Results) -> Section:
    """A matrix of studies and settings, all arms together and each for itself."""
    selected = results.selected[["study", "setting", "arm", "status", "cluster"]]
    names = [each.name for each in results.settings]
    groups = dict(iter(selected.groupby(["study", "setting"], sort=False)))
    rows: list[tuple[Value, ...]] = []
    for study in results.studies:
        of_study = {name: groups.get((study, name)) for name in names}
        for arm in (ALL, *ARMS):
            values = [_rate(of_study[name], arm) for name in names]
            if any(value is not None for value in values):
                rows.append((study, arm, *values))
    return Section(
        name="studies",
        title="Studies",
        blocks=(
            Text(
                text="A study is one pool of programs in one language. “All arms” takes the four "
                "questions of a program together, in one cluster."
            ),
            Table(
                name="studies",
                title="C/R in percent, by study and setting",
                columns=(
                    Column(name="study", heading="study"),
                    Column(name="arm", heading="arm"),
                    *(Column(name=name, heading=name, kind="share") for name in names),
                ),
                rows=tuple(rows),
            ),
        ),
    )


def _rate(cells: pd.DataFrame | None, arm: str) -> Estimate | None:
    if cells is None:
        return None
    part = cells if arm == ALL else cells[cells["arm"] == arm]
    return rates(part).per_completed if len(part) else None
