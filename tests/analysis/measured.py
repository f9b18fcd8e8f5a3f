"""Small made-up studies whose tasks have measures that errors depend on, in memory.

Log-odds of an error are those of the setting and arm, plus `slopes` times log2 of trace length,
peak state and cumulative load less their centres, plus a normal effect of the origin.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from tests.analysis.synthetic import HARDNESS, Maker, floor, make_cell, maker, wrong
from tests.builder.verdicts import admitted

from deskcheck.analysis.results import Options, Results, gather
from deskcheck.analysis.runs import Run
from deskcheck.builder.cases import Admitted, Measures
from deskcheck.builder.contents import Build, describe
from deskcheck.builder.dataset import dataset_of
from deskcheck.evaluate.cells import Cell
from deskcheck.evaluate.plan import RunConfig
from deskcheck.oracles.programs import Language

CENTRES = (8.0, 5.0, 10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """One study: `origins` programs of `cases` cases each."""

    name: str
    origins: int
    cases: int = 1
    largest: int = 0
    """Cases of the first program, where they are more."""
    language: Language = "python"
    with_state: bool = True


POOLS = (
    Pool(name="contest-python", origins=24),
    Pool(name="textbook-python", origins=12),
    Pool(name="routine-python", origins=2, cases=3),
    Pool(name="contest-cpp", origins=14, language="cpp", with_state=False),
)

MAKERS = (
    maker("grand-high", 1.5, reasoning="high", lost=0.04),
    maker("grand-off", 0.0, reasoning="off"),
    maker("small-off", -0.8, reasoning="off", unparsed=0.1),
    floor("short-answer", -2.0),
)


def measured_results(
    seed: int = 1,
    *,
    pools: Sequence[Pool] = POOLS,
    makers: Sequence[Maker] = MAKERS,
    slopes: tuple[float, float, float] = (0.3, 0.2, -0.1),
) -> Results:
    """A run of these makers on a dataset of these pools."""
    rng = np.random.default_rng(seed)
    verdicts = [each for pool in pools for each in _verdicts(pool, rng)]
    manifest = describe(Build(name="measured", config={}, toolchain={}), verdicts, {})
    config = RunConfig(
        dataset_id=manifest.id,
        dataset_name=manifest.name,
        dataset_path="made-up",
        seed=seed,
        settings=tuple(each.setting for each in makers),
        templates={"": {}},
    )
    cells = tuple(_cells(verdicts, makers, slopes, rng))
    run = Run(folder=Path("made-up"), config=config, cells=cells, cells_sha="")
    return gather([run], Options(), dataset_of(manifest, verdicts))


def _verdicts(pool: Pool, rng: np.random.Generator) -> Iterator[Admitted]:
    for origin in range(pool.origins):
        length, peak = rng.normal(CENTRES[0], 1.5), rng.normal(CENTRES[1], 1.0)
        for number in range(pool.cases if origin else max(pool.cases, pool.largest)):
            made = admitted(f"{pool.name}-{origin}-{number}", study=pool.name)
            yield replace(
                made,
                case=replace(made.case, origin=f"{pool.name} {origin}", language=pool.language),
                measures=tuple(
                    _measures(each, pool, rng.normal(length, 0.8), rng.normal(peak, 0.5), rng)
                    for each in made.measures
                ),
            )


def _measures(
    made: Measures, pool: Pool, length: float, peak: float, rng: np.random.Generator
) -> Measures:
    load = rng.normal(length + 0.6 * peak - 1, 0.6)
    return replace(
        made,
        trace_length=round(2**length) + 2,
        peak_state=round(2**peak) + 1 if pool.with_state else None,
        state_load=round(2**load) + 1 if pool.with_state else None,
    )


def _cells(
    verdicts: Sequence[Admitted],
    makers: Sequence[Maker],
    slopes: tuple[float, float, float],
    rng: np.random.Generator,
) -> Iterator[Cell]:
    effects = {each.case.origin: rng.normal(0, 0.7) for each in verdicts}
    for each in makers:
        for verdict in verdicts:
            for task, answer, own in zip(
                verdict.tasks, verdict.answers, verdict.measures, strict=True
            ):
                values = (own.trace_length, own.peak_state or 32, own.state_load or 1024)
                logit = effects[verdict.case.origin] + HARDNESS[task.arm] - each.skill
                for slope, value, centre in zip(slopes, values, CENTRES, strict=True):
                    logit += slope * (math.log2(value) - centre)
                failed = rng.random() < 1 / (1 + math.exp(-logit))
                given = wrong(task, answer, 0) if failed else answer.text
                yield make_cell(each, verdict, task, answer, 0, given, rng)
