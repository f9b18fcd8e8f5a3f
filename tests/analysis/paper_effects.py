"""The known effects of a made-up study beside what the analysis makes of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from tests.analysis.paper_study import PaperStudy
from tests.analysis.paper_truth import Truth, truth

from deskcheck.analysis.execution_models import ALL, by_language, models
from deskcheck.analysis.frames import labels
from deskcheck.analysis.measures import measured
from deskcheck.analysis.pairs import arm_pairs, paired
from deskcheck.analysis.reasoning import gains
from deskcheck.analysis.results import Results
from deskcheck.analysis.statistics.estimates import Estimate
from deskcheck.analysis.statistics.rates import rates


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """A known effect: of which kind, its name, its true value, and its estimate."""

    kind: str
    name: str
    truth: float
    estimate: Estimate

    @property
    def inside(self) -> bool:
        """The interval, which must be there, holds the truth."""
        low, high = self.estimate.low, self.estimate.high
        assert low is not None and high is not None, f"{self.name}: {self.estimate.note}"
        return low <= self.truth <= high


def effects(study: PaperStudy) -> Iterator[Effect]:
    """Every known effect of the study."""
    known, results = truth(), study.results()
    yield from _accuracy(known, results)
    yield from _paired(known, results)
    yield from _gains(known, results)
    yield from _slopes(known, results)


def _accuracy(known: Truth, results: Results) -> Iterator[Effect]:
    for named, arm, part in results.parts(results.selected):
        if not named.floor:
            yield Effect(
                kind="accuracy",
                name=f"{named.name}, {arm}",
                truth=known.accuracy[named.name, arm],
                estimate=rates(part).per_completed,
            )


def _paired(known: Truth, results: Results) -> Iterator[Effect]:
    cells = results.selected
    cells = cells[~cells["floor_setting"].to_numpy(dtype=bool)]
    pairs = arm_pairs(cells, "short-trace-final", "long-trace-final")
    for (language, which), value in known.lost.items():
        own = pairs[labels(pairs, "language") == language]
        if which == "without networkx":
            own = own[labels(own, "study") != "networkx-python"]
        elif which != "all":
            own = own[labels(own, "reasoning") == which]
        yield Effect(
            kind="paired difference",
            name=f"short less long trace, {language}, {which}",
            truth=value,
            estimate=paired(own).difference,
        )


def _gains(known: Truth, results: Results) -> Iterator[Effect]:
    for gain in gains(results):
        if gain.arm is not None:
            yield Effect(
                kind="reasoning gain",
                name=f"{gain.on.name} over {gain.off.name}, {gain.arm}",
                truth=known.gain[gain.on.name, gain.off.name, gain.arm],
                estimate=gain.paired.difference,
            )


def _slopes(known: Truth, results: Results) -> Iterator[Effect]:
    found = measured(results)
    assert found is not None
    for language in by_language(found.frame):
        for fitted in takewhile(lambda each: each.settings == ALL, models(language)):
            name = "joint" if len(fitted.measures) == 2 else "load"
            truths = known.slopes["python" if language.name == "python" else "cpp", name]
            for slope, value in zip(fitted.model.slopes, truths, strict=True):
                yield Effect(
                    kind="slope per doubling",
                    name=f"{slope.predictor}, {language.name}, {len(fitted.measures)} measures",
                    truth=math.exp(value),
                    estimate=slope.reduced,
                )
