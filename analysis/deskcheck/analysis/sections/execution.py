"""Are answers wrong more often where the program ran longer or held more?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from deskcheck.analysis.blocks import Block, Column, Drawing, Figure, Section, Table, Text, Value
from deskcheck.analysis.drawing.curves import SHAPES, Curve, curve_chart
from deskcheck.analysis.execution_models import (
    ALL,
    FEWEST_SOURCES,
    Fitted,
    Language,
    by_language,
    by_reasoning,
    models,
    without_each_study,
)
from deskcheck.analysis.frames import labels, numbers
from deskcheck.analysis.measures import EXECUTION, MEASURES, UNITS, Measure, measured
from deskcheck.analysis.statistics.binned import BINS, Bin, binned
from deskcheck.analysis.statistics.estimates import FEWEST
from deskcheck.analysis.statistics.slopes import odds_per_doubling

if TYPE_CHECKING:
    import pandas as pd

    from deskcheck.analysis.results import Results

_SAID = {each.name: each.said for each in MEASURES}

_MODEL = (
    Column(name="odds_ratio", heading="odds ratio per doubling", kind="number"),
    Column(name="odds_ratio_sandwich", heading="with the plain sandwich", kind="number"),
    Column(name="freedom", heading="degrees of freedom", kind="number"),
    Column(name="inflation", heading="VIF", kind="number"),
    Column(name="condition", heading="condition number", kind="number"),
    Column(name="rows", heading="answers", kind="count"),
    Column(name="errors", heading="wrong", kind="count"),
    Column(name="clusters", heading="clusters", kind="count"),
    Column(name="effective_clusters", heading="effective", kind="number"),
)


def section(results: Results) -> Section | None:
    """Models, models without each study, and a descriptive view; None where no model was run."""
    if not results.models:
        return None
    found = measured(results)
    if found is None:
        text = "Not estimated: the dataset, which holds the measures, is not part of this report."
        return _section(Text(text=text))
    if not len(found.frame):
        return _section(Text(text="Nothing to estimate: no reply of a model came back."))
    languages = list(by_language(found.frame))
    fitted = [each for language in languages for each in models(language)]
    again = [each for language in languages for each in without_each_study(language)]
    return _section(
        Text(
            text="Each answer of a model is put beside measures of the execution that it is about: "
            "for a state arm, the run up to its checkpoint. Models are logistic regressions of "
            "wrong answers with an intercept for each study, arm and setting; they assume one "
            "slope on the log scale for all of these. An odds ratio above 1 means more errors with "
            "each doubling, all else in the model being equal. Measures come from what was built, "
            "not from an experiment: nothing here says why an answer is wrong."
        ),
        _studies(languages),
        *_left_out(found.left_out),
        _models(fitted, results.options.cluster),
        *_dropped([*fitted, *again]),
        *_again(again),
        *_pooled(languages),
    )


def _section(*blocks: Block) -> Section:
    return Section(name="execution", title="Errors and execution", blocks=blocks)


def _studies(languages: Sequence[Language]) -> Table:
    return Table(
        name="execution-studies",
        title="Studies by language, and whether models use them",
        columns=(
            Column(name="language", heading="language"),
            Column(name="study", heading="study"),
            Column(name="used", heading="used"),
            Column(name="rows", heading="answers", kind="count"),
            Column(name="clusters", heading="clusters", kind="count"),
            Column(name="effective_clusters", heading="effective", kind="number"),
        ),
        rows=tuple(
            (
                each.language,
                each.name,
                "yes" if each.kept else f"no: fewer than {FEWEST_SOURCES} clusters",
                each.rows,
                each.clusters,
                each.effective_clusters,
            )
            for language in languages
            for each in language.studies
        ),
        note="Completed, selected answers of models. Languages are measured in different ways, so "
        "they are never put together.",
    )


def _left_out(reasons: Mapping[str, int]) -> Iterator[Text]:
    if reasons:
        told = "; ".join(f"{why}, {count:,}" for why, count in reasons.items())
        yield Text(
            text=f"Planned answers that no model of state can use: {told}. A language without "
            "any state measure has a model of trace length alone."
        )


def _models(fitted: Sequence[Fitted], cluster: str) -> Table:
    return Table(
        name="execution-models",
        title="Odds of a wrong answer by execution measures",
        columns=(
            Column(name="language", heading="language"),
            Column(name="settings", heading="settings"),
            Column(name="model", heading="model"),
            Column(name="measure", heading="measure"),
            *_MODEL,
        ),
        rows=tuple(
            (each.language, _settings(each), _name(each), *row)
            for each in fitted
            for row in _rows(each)
        ),
        note=f"Fitted by statsmodels; errors of one {cluster} may depend on each other. The first "
        "interval has the bias-reduced variance CR2 (Bell and McCaffrey) with Satterthwaite's "
        "degrees of freedom, the second the usual sandwich (CR1) with the normal quantile, which "
        f"is too short for few clusters. Below {FEWEST} effective clusters, or {FEWEST} of wrong "
        "or of right answers, there is no interval. VIF and condition number (of columns scaled "
        "to one length) are those of the measures after the intercepts have taken their part: "
        "where they are large, measures tell much the same, and a slope beside the others says "
        "little.",
    )


def _again(fitted: Sequence[Fitted]) -> Iterator[Table]:
    if fitted:
        yield Table(
            name="execution-without-study",
            title="The same without any one study, all models",
            columns=(
                Column(name="language", heading="language"),
                Column(name="without", heading="without"),
                Column(name="model", heading="model"),
                Column(name="measure", heading="measure"),
                *_MODEL,
            ),
            rows=tuple(
                (each.language, each.without, _name(each), *row)
                for each in fitted
                for row in _rows(each)
            ),
        )


def _rows(fitted: Fitted) -> Iterator[tuple[Value, ...]]:
    model = fitted.model
    for each in model.slopes:
        yield (
            _SAID[each.predictor],
            each.reduced,
            each.sandwich,
            each.freedom,
            each.inflation,
            model.condition,
            model.rows,
            model.errors,
            model.clusters,
            model.effective_clusters,
        )


def _dropped(fitted: Sequence[Fitted]) -> Iterator[Table]:
    rows: list[tuple[Value, ...]] = []
    for each in fitted:
        about = _settings(each)
        if each.without is not None:
            about += f" without {each.without}"
        rows += [
            (
                each.language,
                about,
                _name(each),
                dropped.factor,
                dropped.level,
                "all wrong" if dropped.wrong else "all right",
                dropped.rows,
            )
            for dropped in each.model.dropped
        ]
    if rows:
        yield Table(
            name="execution-dropped",
            title="Answers that tell nothing of slopes",
            columns=(
                Column(name="language", heading="language"),
                Column(name="settings", heading="settings"),
                Column(name="model", heading="model"),
                Column(name="factor", heading="intercept"),
                Column(name="level", heading="of"),
                Column(name="outcome", heading="its answers are"),
                Column(name="rows", heading="answers", kind="count"),
            ),
            rows=tuple(rows),
            note="An intercept whose answers have one outcome fits them whatever the measures are. "
            "These answers are left out of the models, and of their numbers of answers and "
            "clusters.",
        )


def _settings(fitted: Fitted) -> str:
    return fitted.settings if fitted.settings == ALL else f"reasoning {fitted.settings}"


def _name(fitted: Fitted) -> str:
    return " + ".join(each.said for each in fitted.measures)


def _pooled(languages: Sequence[Language]) -> Iterator[Block]:
    used = [language for language in languages if len(language.frame)]
    if not used:
        return
    yield Text(
        text="Descriptive only: what follows puts arms, studies and settings of a language "
        "together, so a measure also stands for whatever else differs between them, such as the "
        "arm itself. Only studies that the models use are in it."
    )
    drawings = [drawing for language in used for drawing in _drawings(language)]
    if drawings:
        yield Figure(
            name="execution",
            title="Wrong answers along execution measures (descriptive)",
            caption=f"Percent of completed answers that are wrong, in up to {BINS} bins of about "
            "equally many answers; bars are clustered 95% intervals, which bins of few clusters "
            "have not. Axes are logarithmic.",
            drawings=tuple(drawings),
        )
    yield Table(
        name="execution-slopes",
        title="Odds of a wrong answer by one measure at a time, all arms (descriptive)",
        columns=(
            Column(name="language", heading="language"),
            Column(name="measure", heading="measure"),
            Column(name="odds_ratio", heading="odds ratio per doubling", kind="number"),
            Column(name="rows", heading="answers", kind="count"),
            Column(name="clusters", heading="clusters", kind="count"),
            Column(name="effective_clusters", heading="effective", kind="number"),
        ),
        rows=tuple(_slope(language, measure) for language in used for measure in MEASURES),
        note="Logistic regressions with one intercept and one measure. Intervals leave out one "
        "cluster at a time.",
    )


def _slope(language: Language, measure: Measure) -> tuple[Value, ...]:
    rows = _with(language.frame, measure.name)
    estimate = odds_per_doubling(
        numbers(rows, measure.name), numbers(rows, "error"), labels(rows, "cluster")
    )
    return (
        language.name,
        measure.said,
        estimate,
        estimate.n,
        estimate.clusters,
        estimate.effective_clusters,
    )


def _drawings(language: Language) -> Iterator[Drawing]:
    parts = list(by_reasoning(language.frame))
    if not 2 <= len(parts) <= len(SHAPES):
        parts = [(ALL, language.frame)]
    for measure in EXECUTION:
        unit = UNITS[measure.name].get(language.name)
        curves = [
            Curve(name=name if name == ALL else f"reasoning {name}", bins=bins)
            for name, rows in parts
            if (bins := _bins(_with(rows, measure.exponent), measure.exponent))
        ]
        if curves:
            yield curve_chart(
                f"execution-{language.name}-{measure.name}",
                f"{language.name}: wrong answers in percent",
                f"{measure.said} ({unit})" if unit else measure.said,
                curves,
            )


def _bins(rows: pd.DataFrame, column: str) -> tuple[Bin, ...]:
    return binned(numbers(rows, column), numbers(rows, "error"), labels(rows, "cluster"))


def _with(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    return rows[~np.isnan(numbers(rows, column))]
