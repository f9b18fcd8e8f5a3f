"""Series: the completed answers of one setting to one arm of one study, with measures of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from deskcheck.analysis.frames import labels, numbers
from deskcheck.analysis.measures import Measure, measured
from deskcheck.analysis.results import Results
from deskcheck.analysis.statistics.estimates import Estimate, Floats, Labels
from deskcheck.analysis.statistics.multiplicity import Adjusted, adjusted
from deskcheck.analysis.statistics.slopes import odds_per_doubling
from deskcheck.analysis.statistics.theta import ALPHA, Association, associations
from deskcheck.builder.cases import ARMS, Arm
from deskcheck.oracles.identity import Draws


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One value for each completed, selected cell, by cluster and then by case."""

    setting: str
    study: str
    arm: Arm
    failed: Floats
    clusters: Labels
    measures: Mapping[str, Floats]
    """By name; nan where the measure is missing."""

    @property
    def seed(self) -> int:
        """Of its shuffles. It follows from its name, whatever other series there are."""
        return Draws("series", self.setting, self.study, self.arm).bits(32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one measure tells of one series; `adjusted` is None where there is no test."""

    setting: str
    study: str
    arm: Arm
    measure: str
    association: Association
    odds: Estimate
    """By how much the odds of a failure grow when the measure doubles."""
    adjusted: Adjusted | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How many series of one arm, or of all of them, were tested on one measure."""

    measure: str
    arm: Arm | None
    series: int
    tested: int
    reasons: Mapping[str, int]
    """Why the others were not, with their numbers, most first."""
    nominal: int
    """Theta > 0.5 and one-sided p < 0.05."""
    holm: int
    """Of these, with Holm's p < 0.05; the family is all tested series of the measure."""
    benjamini_hochberg: int
    """The same by Benjamini and Hochberg."""
    either: int
    """Two-sided p < 0.05, whichever way."""


def all_series(results: Results, measures: Sequence[Measure]) -> Iterator[Series]:
    """Every planned series of every model, by study, arm and setting; none without a dataset."""
    found = measured(results)
    if found is None:
        return
    groups = dict(iter(found.frame.groupby(["study", "arm", "setting"], sort=False)))
    planned = set(results.selected.groupby(["study", "arm", "setting"]).groups)
    for study in results.studies:
        for arm in ARMS:
            for named in results.models:
                key = (study, arm, named.name)
                if key in planned:
                    rows = groups.get(key, found.frame.iloc[:0])
                    yield Series(
                        setting=named.name,
                        study=study,
                        arm=arm,
                        failed=numbers(rows, "error"),
                        clusters=labels(rows, "cluster"),
                        measures={each.name: numbers(rows, each.name) for each in measures},
                    )


def examine(every: Sequence[Series]) -> tuple[Finding, ...]:
    """All measures of all series, p-values adjusted measure by measure."""
    findings = [each for series in every for each in _examined(series)]
    for measure in dict.fromkeys(each.measure for each in findings):
        places = [
            place
            for place, each in enumerate(findings)
            if each.measure == measure and each.association.above is not None
        ]
        family = [findings[place].association.above or 0.0 for place in places]
        for place, values in zip(places, adjusted(family), strict=True):
            findings[place] = replace(findings[place], adjusted=values)
    return tuple(findings)


def counts(findings: Sequence[Finding]) -> Iterator[Count]:
    """For each measure: all arms together, and each arm that has series."""
    for measure in dict.fromkeys(each.measure for each in findings):
        for arm in (None, *ARMS):
            chosen = [
                each for each in findings if each.measure == measure and arm in (None, each.arm)
            ]
            if chosen:
                yield _count(measure, arm, chosen)


def _count(measure: str, arm: Arm | None, findings: Sequence[Finding]) -> Count:
    tested = [each for each in findings if each.adjusted is not None]
    nominal = [each.adjusted for each in tested if each.association.nominal and each.adjusted]
    reasons = Counter(each.association.note for each in findings if each.adjusted is None)
    return Count(
        measure=measure,
        arm=arm,
        series=len(findings),
        tested=len(tested),
        reasons=dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0]))),
        nominal=len(nominal),
        holm=sum(each.holm < ALPHA for each in nominal),
        benjamini_hochberg=sum(each.benjamini_hochberg < ALPHA for each in nominal),
        either=sum((each.association.either or 0.0) < ALPHA for each in tested),
    )


def _examined(series: Series) -> Iterator[Finding]:
    """The series' findings, in the order of its measures."""
    found: dict[str, Finding] = {}
    # Measures that are missing in the same rows share their shuffles.
    together: dict[bytes, list[str]] = {}
    for name, values in series.measures.items():
        together.setdefault(np.isnan(values).tobytes(), []).append(name)
    for names in together.values():
        there = ~np.isnan(series.measures[names[0]])
        failed, clusters = series.failed[there], series.clusters[there]
        table = np.stack([series.measures[name][there] for name in names], axis=1)
        for name, column, association in zip(
            names, table.T, associations(table, failed, clusters, series.seed), strict=True
        ):
            found[name] = Finding(
                setting=series.setting,
                study=series.study,
                arm=series.arm,
                measure=name,
                association=association,
                odds=odds_per_doubling(column, failed, clusters),
            )
    return (found[name] for name in series.measures)
