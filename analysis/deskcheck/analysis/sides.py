"""Which two settings are compared: one run's, or one of each of two runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from deskcheck.analysis.frames import labels
from deskcheck.analysis.results import Named, Options, Results, gather
from deskcheck.oracles.errors import RunError

if TYPE_CHECKING:
    import pandas as pd

    from deskcheck.analysis.runs import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One setting of a run, and what came of it."""

    run: Run
    named: Named
    cells: pd.DataFrame
    """Of the selected repeat, with the column `cluster`."""

    @property
    def title(self) -> str:
        """As people read it."""
        return f"{self.named.name} of {self.run.folder}"


def choose_sides(
    runs: Sequence[Run], settings: Sequence[str], options: Options
) -> tuple[Side, Side]:
    """The two sides of one or two runs and of at most two names of settings.

    One name is looked for in both runs. Without a name they are the only two models of the run, or
    the only model of each. RunError where the settings are not there, or one is named twice.
    """
    found = [gather([run], options) for run in runs]
    if len(runs) == 1:
        names = tuple(settings) or _models(found[0], 2)
        if len(names) != 2:
            raise RunError(
                f"{runs[0].folder} is one run, and one setting is named",
                f"name two with -s; it has {_listed(found[0])}",
            )
        found *= 2
    else:
        names = tuple(settings) or tuple(_models(each, 1)[0] for each in found)
        if len(names) == 1:
            names *= 2
    first, second = (_side(each, name) for each, name in zip(found, names, strict=True))
    if first.run.folder.resolve() == second.run.folder.resolve() and names[0] == names[1]:
        raise RunError(
            f"both sides are setting {names[0]!r} of {first.run.folder}",
            f"name two that differ with -s; it has {_listed(found[0])}",
        )
    return first, second


def _models(results: Results, wanted: int) -> tuple[str, ...]:
    """The names of its models, which must be as many as are wanted."""
    names = tuple(each.name for each in results.models)
    if len(names) != wanted:
        raise RunError(
            f"{results.runs[0].folder} has {len(names)} models, and {wanted} would be compared",
            f"name settings with -s; it has {_listed(results)}",
        )
    return names


def _side(results: Results, name: str) -> Side:
    run, cells = results.runs[0], results.selected
    named = next((each for each in results.settings if each.name == name), None)
    if named is None:
        raise RunError(f"{run.folder} has no setting {name!r}", f"it has {_listed(results)}")
    return Side(run=run, named=named, cells=cells[labels(cells, "setting") == name])


def _listed(results: Results) -> str:
    return ", ".join(each.name for each in results.settings)
