"""Which models of errors on execution measures are fitted, and to which rows: one language each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from deskcheck.analysis.frames import labels, numbers
from deskcheck.analysis.measures import LOAD, PEAK, TRACE, Measure, complete
from deskcheck.analysis.statistics.estimates import clusters_of
from deskcheck.analysis.statistics.logistic import Model, logistic

if TYPE_CHECKING:
    import pandas as pd

FEWEST_SOURCES = 10
"""Clusters of a study below which it is left out: its intercept and a few programs would be the
same, and one program that is asked often could have the say."""

FACTORS = ("study", "arm", "setting")

ALL = "all models"

STEPS: tuple[tuple[Measure, ...], ...] = ((TRACE, PEAK), (TRACE, PEAK, LOAD))
"""Fitted to the same rows, those that have all measures of the last."""

WITHOUT_STATE: tuple[tuple[Measure, ...], ...] = ((TRACE,),)
"""In their place for a language whose state is never measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A study with the rows and clusters that it has; `kept` where these are enough."""

    language: str
    name: str
    rows: int
    clusters: int
    effective_clusters: float

    @property
    def kept(self) -> bool:
        """It takes part in models."""
        return self.clusters >= FEWEST_SOURCES


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The studies of one language, and the rows of those that are kept."""

    name: str
    studies: tuple[Study, ...]
    frame: pd.DataFrame
    """As in `Measured`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """One model: of some settings, by these measures, without one study or with all."""

    language: str
    settings: str
    """`ALL`, or a reasoning mode."""
    measures: tuple[Measure, ...]
    without: str | None
    model: Model


def by_language(frame: pd.DataFrame) -> Iterator[Language]:
    """Each language of the frame, by name."""
    for name, rows in frame.groupby("language", sort=True):
        studies = tuple(
            _study(str(name), str(study), labels(part, "cluster"))
            for study, part in rows.groupby("study", sort=True)
        )
        kept = rows["study"].isin([each.name for each in studies if each.kept])
        yield Language(name=str(name), studies=studies, frame=rows[kept.to_numpy(dtype=bool)])


def models(language: Language) -> Iterator[Fitted]:
    """Each step with all models, and with those of each reasoning mode where there are several."""
    yield from _steps(language, ALL, language.frame)
    for mode, rows in by_reasoning(language.frame):
        yield from _steps(language, mode, rows)


def by_reasoning(frame: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """The rows of each requested reasoning mode; nothing where all are of one."""
    if frame["reasoning"].nunique() > 1:
        for mode, rows in frame.groupby("reasoning", sort=True):
            yield str(mode), rows


def without_each_study(language: Language) -> Iterator[Fitted]:
    """Each step with all models, again without each study; nothing where there is only one."""
    kept = [each.name for each in language.studies if each.kept]
    if len(kept) < 2:
        return
    for study in kept:
        rows = language.frame[(language.frame["study"] != study).to_numpy(dtype=bool)]
        yield from _steps(language, ALL, rows, study)


def _steps(
    language: Language, settings: str, rows: pd.DataFrame, without: str | None = None
) -> Iterator[Fitted]:
    steps = STEPS if complete(language.frame, STEPS[-1]).any() else WITHOUT_STATE
    rows = rows[complete(rows, steps[-1])]
    for measures in steps:
        yield Fitted(
            language=language.name,
            settings=settings,
            measures=measures,
            without=without,
            model=logistic(
                numbers(rows, "error"),
                {each.name: numbers(rows, each.exponent) for each in measures},
                {name: labels(rows, name) for name in FACTORS},
                labels(rows, "cluster"),
            ),
        )


def _study(language: str, name: str, clusters: np.ndarray) -> Study:
    groups = clusters_of(clusters)
    return Study(
        language=language,
        name=name,
        rows=len(clusters),
        clusters=groups.count,
        effective_clusters=groups.effective,
    )
