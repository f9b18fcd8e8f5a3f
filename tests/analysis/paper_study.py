"""Made-up studies of the paper's shape: 7 settings, 400 cases of 371 programs, 4 arms, 49 missing.

The log-odds that setting s answers case i right in arm a are

    skill[s] - study - arm[a] - sum over measures m of slope[m] * (log2 measure[i, a, m] - centre)
    + origin effect + case effect + effect of setting and case,

the three effects being normal and independent. The origin's is shared by all its cases, settings
and arms: of the variance on the logistic scale it has `CORRELATION`. Repeats share everything but
the coin. Which replies are lost does not depend on anything. Static measures have no effect.

These log-odds are conditional on the random effects. Whatever an analysis estimates averages over
them, so truths are those of `paper_truth`, and not the constants here.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tests.analysis.synthetic import Maker, floor, make_cell, maker
from tests.builder.verdicts import admitted

from deskcheck.analysis.results import Options, Results, gather
from deskcheck.analysis.runs import Run
from deskcheck.builder.cases import ARMS, Admitted, Answer, Measures, Task, case_id, task_id
from deskcheck.builder.contents import Build, Manifest, describe
from deskcheck.builder.dataset import dataset_of, write_dataset
from deskcheck.evaluate.cells import NAME, Cell, Status, write_cells
from deskcheck.evaluate.plan import RunConfig, config_json
from deskcheck.evaluate.store import CONFIG
from deskcheck.oracles.checkpoints import Field
from deskcheck.oracles.programs import Language

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A pool in one language: `origins` programs with `inputs` cases each."""

    name: str
    language: Language
    origins: int
    inputs: int = 1
    hardness: float = 0.0
    """In logits."""
    length: float = 14.0
    """Mean of log2 of the long trace."""
    dated: bool = False
    """Its problems have a date of their contest."""


STUDIES = (
    Study(name="livecodebench-python", language="python", origins=283, dated=True),
    Study(
        name="livecodebench-cpp",
        language="cpp",
        origins=35,
        hardness=0.2,
        length=12.0,
        dated=True,
    ),
    Study(name="codecontests-cpp", language="cpp", origins=22, hardness=0.8, length=12.5),
    Study(name="textbook-python", language="python", origins=30, hardness=-1.0, length=13.0),
    Study(
        name="networkx-python",
        language="python",
        origins=1,
        inputs=30,
        hardness=7.0,
        length=17.0,
    ),
)

SKILLS = {
    "alder-high": 3.4,
    "alder-off": -1.0,
    "birch-high": 2.4,
    "birch-off": -2.6,
    "cedar-high": 0.8,
    "cedar-off": -3.0,
    "maple-high": 2.9,
}
"""In logits, of a study without hardness in the short arm at the centre of all measures."""

PAIRS = (("alder-high", "alder-off"), ("birch-high", "birch-off"), ("cedar-high", "cedar-off"))
"""One model, thinking and not."""

HARDNESS: Floats = np.array([0.0, 0.6, 1.6, 1.7])
"""Of the arms, in the order of `ARMS`, at equal measures."""

MEASURES = ("trace_length", "peak_state", "state_load")
SLOPES: Floats = np.array([0.30, 0.25, -0.15])
"""Log-odds of an error per doubling of each of `MEASURES`, the others held fixed."""
CENTRES: Floats = np.array([12.0, 6.0, 14.0])

ORIGIN, CASE, SETTING = 1.5, 0.5, 0.7
"""Standard deviations of the three random effects."""
VARIANCE = ORIGIN**2 + CASE**2 + SETTING**2
CORRELATION = ORIGIN**2 / (VARIANCE + math.pi**2 / 3)

LOST = {"cedar-high": 47, "maple-high": 2}
"""Cells without a reply."""

REPEATED, REPEATS = "cedar-off", 3

FLOORS = {"short-answer": 0.03, "last-literal": 0.01}
"""How often each baseline is right, whatever it is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """The cases of one study or more: `study` and `origin` for each, and log2 of the measures.

    `measures` is of shape (cases, arms, measures).
    """

    study: Integers
    origin: Integers
    measures: Floats

    @property
    def fixed(self) -> Floats:
        """Log-odds of being right without random effects; of shape (settings, cases, arms)."""
        hardness = np.array([each.hardness for each in STUDIES])[self.study]
        tasks = hardness[:, None] + HARDNESS + (self.measures - CENTRES) @ SLOPES
        return np.array(list(SKILLS.values()))[:, None, None] - tasks


def draw_design(rng: np.random.Generator) -> Design:
    """The cases of a new study of the paper's shape.

    Long traces are lognormal, short ones two to six doublings shorter, and the state arms stop
    part of the way. Peak state grows with the root of the trace; load is boundaries (about one in
    eight steps) times a state of a little under the peak, so it hangs on both.
    """
    study = np.repeat(np.arange(len(STUDIES)), [each.origins * each.inputs for each in STUDIES])
    firsts = np.cumsum([0, *(each.origins for each in STUDIES)])
    origin = np.concatenate(
        [
            firsts[place] + np.repeat(np.arange(each.origins), each.inputs)
            for place, each in enumerate(STUDIES)
        ]
    )
    count = len(study)
    long = np.array([each.length for each in STUDIES])[study] + rng.normal(0, 1.8, count)
    short = long - 4 + rng.uniform(-2, 2, count)
    inside = long + np.log2(rng.uniform(0.25, 0.75, count))
    post = long + np.log2(rng.uniform(0.75, 1.0, count))
    length = np.stack([short, long, inside, post], axis=1)
    peak = 6 + 0.5 * (length - 12) + rng.normal(0, 1.2, count)[:, None]
    load = length - 3 + peak - 1 + rng.normal(0, 0.7, (count, 4))
    # As whole numbers, since those are what a dataset holds.
    counts = np.exp2(np.stack([length, peak, load], axis=2)).round().clip(1)
    return Design(study=study, origin=origin, measures=np.log2(counts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """What chance decided in one study.

    `right` is of shape (repeats, settings, cases, arms); `lost` is of (settings, cases, arms).
    """

    design: Design
    right: NDArray[np.bool_]
    lost: NDArray[np.bool_]


def draw(seed: int) -> Drawn:
    """The study of this seed as arrays."""
    rng = np.random.default_rng([seed, 1])
    design = draw_design(rng)
    count = len(design.study)
    origins = rng.normal(0, ORIGIN, design.origin.max() + 1)
    cases = origins[design.origin] + rng.normal(0, CASE, count)
    effects = cases + rng.normal(0, SETTING, (len(SKILLS), count))
    shares = 1 / (1 + np.exp(-(design.fixed + effects[:, :, None])))
    right = rng.random((REPEATS, *shares.shape)) < shares
    lost = np.zeros((len(SKILLS), count * len(ARMS)), dtype=np.bool_)
    for place, name in enumerate(SKILLS):
        lost[place, rng.permutation(lost.shape[1])[: LOST.get(name, 0)]] = True
    return Drawn(design=design, right=right, lost=lost.reshape(shares.shape))


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperStudy:
    """One study as records: a dataset and the cells of a graded run on it."""

    seed: int
    verdicts: tuple[Admitted, ...]
    cells: tuple[Cell, ...]

    def write(self, folder: Path) -> Path:
        """Write the dataset to `data` in the folder and the run to `run`, and name the run."""
        manifest = write_dataset(folder / "data", self._build, self.verdicts)
        run = folder / "run"
        run.mkdir()
        config = self._config(manifest, str(folder / "data"))
        (run / CONFIG).write_text(json.dumps(config_json(config)))
        write_cells(run / NAME, self.cells)
        return run

    def results(self) -> Results:
        """What `builder report` would read of the two, without writing them first."""
        manifest = describe(self._build, self.verdicts, {"seed": str(self.seed)})
        cells = sorted(self.cells, key=lambda cell: (cell.setting, cell.task_id, cell.repeat))
        run = Run(
            folder=Path("made-up"),
            config=self._config(manifest, "made-up"),
            cells=tuple(cells),
            cells_sha="",
        )
        answers = {each.task_id: each for verdict in self.verdicts for each in verdict.answers}
        return gather([run], Options(), dataset_of(manifest, self.verdicts), answers)

    @property
    def _build(self) -> Build:
        return Build(name="paper-shaped", config={"seed": self.seed}, toolchain={})

    def _config(self, manifest: Manifest, path: str) -> RunConfig:
        return RunConfig(
            dataset_id=manifest.id,
            dataset_name=manifest.name,
            dataset_path=path,
            seed=self.seed,
            settings=tuple(each.setting for each in makers()),
            templates={"": {}},
        )


def make_study(seed: int) -> PaperStudy:
    """The study of this seed."""
    drawn = draw(seed)
    # Looks of replies have a stream of their own, so that they never decide what is right.
    rng = np.random.default_rng([seed, 2])
    verdicts = tuple(_verdicts(drawn.design, rng))
    return PaperStudy(seed=seed, verdicts=verdicts, cells=tuple(_cells(drawn, verdicts, rng)))


def makers() -> list[Maker]:
    """The settings and the baselines."""
    models = [
        maker(
            name,
            model=f"openai/{name.partition('-')[0]}",
            reasoning=name.partition("-")[2],
            repeats=REPEATS if name == REPEATED else 1,
        )
        for name in SKILLS
    ]
    return [*models, *(floor(name) for name in FLOORS)]


FIELDS = (Field(name="limit", expression="limit"), Field(name="total", expression="total"))

PYTHON = """\
# {name}
limit = int(input())
total = {start}
for number in range(limit):
    total = (total * 5 + number) % 9973
print(total)
"""

PYTHON_IMPORTS = """\
import itertools
import json
import os

visits = itertools.count(1)
"""

PYTHON_WRITE = """\
os.write(1, json.dumps({"limit": limit, "total": total}).encode())
os._exit(0)
"""

CPP = """\
// {name}
#include <cstdio>
#include <iostream>
#include <unistd.h>
int main() {{
    long limit, total = {start};
    std::cin >> limit;
    for (long number = 0; number < limit; ++number) {{
        total = (total * 5 + number) % 9973;
    }}
    std::cout << total << std::endl;
}}
"""

CPP_WRITE = """\
dprintf(1, "{\\"limit\\":%ld,\\"total\\":%ld}", limit, total); _exit(0);
"""


def sources(language: Language, name: str, start: int, visit: int) -> tuple[str, str, str, str]:
    """The program as each arm shows it; the inside checkpoint is before this visit's body."""
    if language == "python":
        clean = PYTHON.format(name=name, start=start)
        head, loop, body, foot = _parted(clean, "for ", "    total", "print")
        write = PYTHON_WRITE.splitlines()
        stop = "".join(f"        {line}\n" for line in write)
        inside = f"{head}{loop}    if next(visits) == {visit}:\n{stop}{body}{foot}"
        return (
            clean,
            clean,
            PYTHON_IMPORTS + inside,
            PYTHON_IMPORTS.replace("visits = itertools.count(1)\n", "").replace(
                "import itertools\n", ""
            )
            + f"{head}{loop}{body}{PYTHON_WRITE}{foot}",
        )
    clean = CPP.format(name=name, start=start)
    head, loop, body, foot = _parted(clean, "    for ", "        total", "    std::cout")
    inside = f"{loop}        if (number == {visit - 1}) {{ {CPP_WRITE.strip()} }}\n{body}"
    return clean, clean, f"{head}{inside}{foot}", f"{head}{loop}{body}    {CPP_WRITE}{foot}"


def _parted(text: str, *marks: str) -> list[str]:
    places = [0, *(text.index(f"\n{mark}") + 1 for mark in marks), len(text)]
    return [text[start:end] for start, end in pairwise(places)]


def total(start: int, rounds: int) -> int:
    """What the programs above hold after so many rounds of their loop."""
    value = start
    for number in range(rounds):
        value = (value * 5 + number) % 9973
    return value


def _verdicts(design: Design, rng: np.random.Generator) -> Iterator[Admitted]:
    first = date(2023, 6, 1)
    for place, (number, origin) in enumerate(zip(design.study, design.origin, strict=True)):
        study = STUDIES[number]
        start, visit = 7 + int(origin), 4 + int(origin) % 5
        short, long = 3 + place % 31, 16 + place
        name = f"{study.name}-{origin:03}"
        shown = sources(study.language, name, start, visit)
        answers = (
            f"{total(start, short)}\n",
            f"{total(start, long)}\n",
            json.dumps({"limit": long, "total": total(start, visit - 1)}),
            json.dumps({"limit": long, "total": total(start, long)}),
        )
        made = admitted(
            name if study.inputs == 1 else f"{name}-{place:03}",
            pool=study.name.rpartition("-")[0],
            study=study.name,
            short=f"{short}\n",
            long=f"{long}\n",
            fields=FIELDS,
            answers=answers,
        )
        tasks = [
            replace(
                task,
                language=study.language,
                source=source,
                floor=place % 10 == 0,
                id=task_id(
                    arm=task.arm,
                    language=study.language,
                    source=source,
                    stdin=task.stdin,
                    rule=task.rule,
                    fields=task.fields,
                ),
            )
            for task, source in zip(made.tasks, shown, strict=True)
        ]
        case = replace(
            made.case,
            id=case_id(tuple(task.id for task in tasks)),
            language=study.language,
            program_sha=sha256(shown[0].encode()).hexdigest(),
            origin=f"{study.name} {origin:03}",
            tags={"date": str(first + timedelta(int(rng.integers(900))))} if study.dated else {},
            loop_line=shown[0][: shown[0].index("for ")].count("\n") + 1,
            loop_offset=shown[0].index("for "),
            iteration=visit,
            iterations=long,
            short_iterations=short,
            long_iterations=long,
            inside_visit=visit,
        )
        static = (1 + int(rng.geometric(0.15)), 10 + int(rng.gamma(2, 20)), int(rng.integers(1, 6)))
        yield replace(
            made,
            case=case,
            tasks=tuple(replace(task, case_id=case.id) for task in tasks),
            answers=tuple(
                Answer(task_id=task.id, text=text)
                for task, text in zip(tasks, answers, strict=True)
            ),
            measures=tuple(
                _measures(each, case.id, task, np.exp2(design.measures[place]), static)
                for each, task in zip(made.measures, tasks, strict=True)
            ),
        )


def _measures(
    base: Measures, case_id: str, task: Task, counts: Floats, static: tuple[int, int, int]
) -> Measures:
    """Made-up counts: those of real programs are spread as widely, but not known beforehand."""
    place = ARMS.index(task.arm)
    trace, peak, load = (int(each) for each in counts[place].round())
    cyclomatic, lines, nesting = static
    more = 1 if task.arm == "inside-loop-state" else 0
    return replace(
        base,
        task_id=task.id,
        case_id=case_id,
        trace_length=trace,
        trace_exact=True,
        whole_trace_length=int(counts[min(place, 1), 0].round()),
        peak_state=peak,
        state_load=load,
        boundaries=max(1, trace // 8),
        cyclomatic=cyclomatic + more,
        source_lines=lines,
        source_characters=lines * 28,
        nesting=nesting,
        data_flow=nesting + 2,
    )


def _cells(drawn: Drawn, verdicts: Sequence[Admitted], rng: np.random.Generator) -> Iterator[Cell]:
    for place, each in enumerate(makers()):
        for repeat in range(each.setting.repeats):
            for case, verdict in enumerate(verdicts):
                for arm, (task, answer) in enumerate(
                    zip(verdict.tasks, verdict.answers, strict=True)
                ):
                    if place < len(SKILLS):
                        hit = bool(drawn.right[repeat, place, case, arm])
                        lost = repeat == 0 and bool(drawn.lost[place, case, arm])
                    else:
                        share = FLOORS[each.setting.name.removeprefix("baseline-")]
                        hit, lost = bool(rng.random() < share), False
                    given = answer.text if hit else _wrong(verdict, task, answer, rng)
                    chance = float(rng.random()) if place < len(SKILLS) else 1.0
                    status = _status(hit, lost, chance)
                    yield make_cell(each, verdict, task, answer, repeat, given, rng, status)


def _status(hit: bool, lost: bool, chance: float) -> Status:
    """Some of the errors are replies that were cut off, or in which no answer was found."""
    if lost:
        return "no_response"
    if hit:
        return "correct"
    return "truncated" if chance < 0.05 else "unparsed" if chance < 0.08 else "wrong"


def _wrong(verdict: Admitted, task: Task, answer: Answer, rng: np.random.Generator) -> str:
    """An answer of another moment, of the other input, or of no computation at all."""
    kind, case = int(rng.integers(4)), verdict.case
    start = 7 + int(case.origin.rpartition(" ")[2])
    strange = int(rng.integers(9973, 99_999))
    if task.rule != "json":
        other = verdict.answers[0 if task.arm == "long-trace-final" else 1].text
        near = total(start, case.short_iterations + 1)
        return [other, f"{near}\n", f"{strange}\n", f"{answer.text.strip()} {strange}\n"][kind]
    rounds = case.iteration - 1 if task.arm == "inside-loop-state" else case.iterations
    value = json.loads(answer.text)
    changed = [
        {**value, "total": total(start, rounds + 1)},
        {**value, "total": total(start, max(0, rounds - 1))},
        {**value, "total": strange},
        {"total": strange},
    ]
    return json.dumps(changed[kind])
