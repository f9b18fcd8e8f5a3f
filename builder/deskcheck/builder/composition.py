"""What a dataset is made of, in numbers: study by study, case by case, reason by reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import median

from deskcheck.builder.cases import ARMS, Arm, Case, Finding, Measures
from deskcheck.builder.contents import Dataset


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Least, median and greatest of some counts."""

    low: float
    median: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One case in numbers. Texts are in characters; final answers as printed, line end included.

    `cyclomatic`, `source_lines` and `nesting` are of the clean source, `iterations` and `data_flow`
    of the selected activation, trace lengths of whole runs. `peak_state` is None where it was not
    measured.
    """

    case: str
    candidate: str
    study: str
    language: str
    cyclomatic: int
    source_lines: int
    nesting: int
    data_flow: int
    trace_short: int
    trace_long: int
    trace_ratio: float
    iterations: int
    peak_state: int | None
    fields: int
    answer_characters: Mapping[Arm, int]
    floor: int
    """How many of the four answers a guess may hit."""
    printed_before: bool
    post_contains_output: bool
    listed_agree: int
    """Final answers that agree with an output that the pool lists."""
    listed_differ: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """One study in numbers: counts, and the spreads of its cases' profiles where there are any."""

    study: str
    candidates: int
    cases: int
    programs: int
    origins: int
    spreads: Mapping[str, Spread]
    floor_tasks: int
    printed_before: int
    post_contains_output: int
    listed_agree: int
    """Final answers that agree with an output that the pool lists."""
    listed_differ: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonCount:
    """How often one reason was found."""

    check: str
    reason: str
    candidates: int
    """Candidates of which it is the first finding, by which they count as rejected."""
    findings: int
    """All findings of rejected candidates, such as one for each loop."""


SPREADS: Mapping[str, str] = {
    "cyclomatic": "cyclomatic complexity",
    "source_lines": "source lines",
    "nesting": "nesting depth",
    "data_flow": "live variables at the loop",
    "trace_short": "trace length, short",
    "trace_long": "trace length, long",
    "trace_ratio": "long over short",
    "iterations": "iterations of the loop",
    "peak_state": "peak state, long",
    "fields": "fields",
    **{arm: f"answer characters, {arm}" for arm in ARMS},
}
"""The spreads of a composition, in the order of tables, and what tables call them."""


def profiles(dataset: Dataset) -> tuple[Profile, ...]:
    """Every case in numbers, in the dataset's order."""
    measures: dict[str, dict[Arm, Measures]] = {}
    for each in dataset.measures:
        measures.setdefault(each.case_id, {})[each.arm] = each
    floors = Counter(task.case_id for task in dataset.tasks if task.floor)
    return tuple(_profile(case, measures[case.id], floors[case.id]) for case in dataset.cases)


def composition(dataset: Dataset) -> tuple[Composition, ...]:
    """Every study in numbers, by name.

    There is no total: trace lengths of different languages are of different units.
    """
    of_cases = profiles(dataset)
    inspected: Mapping[str, Mapping[str, int]] = dataset.manifest.counts["by_study"]
    return tuple(
        _compose(
            study,
            sum(counts.values()),
            [case for case in dataset.cases if case.study == study],
            [profile for profile in of_cases if profile.study == study],
        )
        for study, counts in sorted(inspected.items())
    )


def reasons(findings: Iterable[Sequence[Finding]]) -> tuple[ReasonCount, ...]:
    """Every reason with its counts, the most frequent first, from each candidate's findings."""
    of_candidates = [tuple(each) for each in findings]
    first = Counter((each[0].check, each[0].reason) for each in of_candidates)
    every = Counter((found.check, found.reason) for found in chain(*of_candidates))
    return tuple(
        ReasonCount(
            check=check,
            reason=reason,
            candidates=first[check, reason],
            findings=every[check, reason],
        )
        for check, reason in sorted(every, key=lambda key: (-first[key], -every[key], key))
    )


def composition_table(studies: Sequence[Composition]) -> list[list[str]]:
    """Rows of text for people: a heading, then one row per figure and one column per study."""
    rows = [
        ["", *(study.study for study in studies)],
        ["candidates", *(str(study.candidates) for study in studies)],
        ["cases", *(str(study.cases) for study in studies)],
        ["programs", *(str(study.programs) for study in studies)],
        ["origins", *(str(study.origins) for study in studies)],
    ]
    for name, label in SPREADS.items():
        rows.append([label, *(_spread_text(study.spreads.get(name)) for study in studies)])
    rows += [
        ["answers a guess may hit", *(str(study.floor_tasks) for study in studies)],
        ["printed before checkpoint", *(str(study.printed_before) for study in studies)],
        ["post state holds output", *(str(study.post_contains_output) for study in studies)],
        [
            "agree with a listed output",
            *(
                f"{study.listed_agree} of {study.listed_agree + study.listed_differ}"
                for study in studies
            ),
        ],
    ]
    return rows


def number(value: float) -> str:
    """Whole numbers without a fraction, others with one digit; thousands set apart."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def _spread_text(spread: Spread | None) -> str:
    if spread is None:
        return "-"
    return f"{number(spread.median)} ({number(spread.low)} to {number(spread.high)})"


def _profile(case: Case, measures: Mapping[Arm, Measures], floor: int) -> Profile:
    short, long = measures["short-trace-final"], measures["long-trace-final"]
    return Profile(
        case=case.id,
        candidate=case.candidate,
        study=case.study,
        language=case.language,
        cyclomatic=short.cyclomatic,
        source_lines=short.source_lines,
        nesting=short.nesting,
        data_flow=short.data_flow,
        trace_short=short.trace_length,
        trace_long=long.trace_length,
        trace_ratio=round(long.trace_length / short.trace_length, 2),
        iterations=case.iterations,
        peak_state=long.peak_state,
        fields=len(case.fields),
        answer_characters={arm: measures[arm].answer_characters for arm in ARMS},
        floor=floor,
        printed_before=case.printed_before,
        post_contains_output=case.post_contains_output,
        listed_agree=sum(each.listed_output == "agrees" for each in measures.values()),
        listed_differ=sum(each.listed_output == "differs" for each in measures.values()),
    )


def _compose(
    study: str, candidates: int, cases: Sequence[Case], of_cases: Sequence[Profile]
) -> Composition:
    columns: dict[str, list[float]] = {
        name: [value for each in of_cases if (value := getattr(each, name)) is not None]
        for name in SPREADS
        if name not in ARMS
    }
    for arm in ARMS:
        columns[arm] = [each.answer_characters[arm] for each in of_cases]
    return Composition(
        study=study,
        candidates=candidates,
        cases=len(cases),
        programs=len({case.program_sha for case in cases}),
        origins=len({case.origin for case in cases}),
        spreads={name: _spread(values) for name, values in columns.items() if values},
        floor_tasks=sum(each.floor for each in of_cases),
        printed_before=sum(each.printed_before for each in of_cases),
        post_contains_output=sum(each.post_contains_output for each in of_cases),
        listed_agree=sum(each.listed_agree for each in of_cases),
        listed_differ=sum(each.listed_differ for each in of_cases),
    )


def _spread(values: Sequence[float]) -> Spread:
    return Spread(low=min(values), median=median(values), high=max(values))
