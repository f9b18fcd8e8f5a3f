"""What a reader must know before any number: unfinished runs, replies cut off, replies lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from deskcheck.analysis.blocks import Notice, Section
from deskcheck.analysis.frames import labels
from deskcheck.analysis.results import Named, Results
from deskcheck.analysis.statistics.agreement import all_identical
from deskcheck.analysis.statistics.estimates import FEWEST, clusters_of
from deskcheck.analysis.texts import percent
from deskcheck.evaluate.cells import COMPLETED

UNPARSED = 0.05
"""Share of a setting's planned cells from which unparsed ones are told of here."""


def section(results: Results) -> Section | None:
    """The notices, the gravest first; None where there are none."""
    counts = {
        each.name: Counter(results.cells["status"][results.cells["setting"] == each.name])
        for each in results.settings
    }
    notices = (
        *_pending(counts),
        *_truncated(counts),
        *_lost(counts),
        *_unparsed({each.name: counts[each.name] for each in results.models}),
        *(notice for each in results.settings for notice in _identical(results, each)),
        *(notice for each in results.models for notice in _thinking(results, each)),
        *_unequal(results),
        *_few_clusters(results),
    )
    if not notices:
        return None
    return Section(name="notices", title="Read this first", blocks=notices)


def _pending(counts: dict[str, Counter[str]]) -> Iterator[Notice]:
    pending = sum(count["pending"] for count in counts.values())
    if pending:
        planned = sum(count.total() for count in counts.values())
        open_settings = [name for name, count in counts.items() if count["pending"]]
        yield Notice(
            text=f"Unfinished: {pending:,} of {planned:,} planned cells are not collected yet "
            f"({_names(open_settings)}). They count in N, so C/N is too low. Resume the run, grade "
            "it, and make this report again."
        )


def _truncated(counts: dict[str, Counter[str]]) -> Iterator[Notice]:
    found = _shares(counts, "truncated")
    if found:
        yield Notice(
            text=f"Truncated, cut off at a limit of tokens: {found}. These count as wrong, "
            "whatever would have followed."
        )


def _lost(counts: dict[str, Counter[str]]) -> Iterator[Notice]:
    words = {
        "engine_error": "Engine errors, where engine or server failed",
        "no_response": "No response",
        "over_length": "Over length, more than the context holds and so never sent",
    }
    for status, said in words.items():
        found = _shares(counts, status)
        if found:
            yield Notice(
                text=f"{said}: {found}. These are outside R and inside N, so C/R is about fewer "
                "questions."
            )


def _unparsed(counts: dict[str, Counter[str]]) -> Iterator[Notice]:
    found = _shares(counts, "unparsed", UNPARSED)
    if found:
        yield Notice(text=f"Unparsed, no answer could be read: {found}. These count as wrong.")


def _shares(counts: dict[str, Counter[str]], status: str, least: float = 0.0) -> str:
    """What became so, of the planned cells of each setting where it is not too little."""
    return "; ".join(
        f"{name} {count[status]:,} of {count.total():,} ({percent(count[status] / count.total())}%)"
        for name, count in counts.items()
        if count[status] and count[status] / count.total() >= least
    )


def _identical(results: Results, named: Named) -> Iterator[Notice]:
    temperature = named.setting.sampling.get("temperature")
    drawn = not isinstance(temperature, int | float) or temperature > 0
    if named.floor or not drawn:
        return
    if all_identical(results.cells[results.cells["setting"] == named.name]):
        said = "at no temperature of its own" if temperature is None else f"at {temperature}"
        yield Notice(
            text=f"Identical repeats: all repeats of {named.name} are the same, though it samples "
            f"{said}. Perhaps its temperature or its seeds do not reach the engine; then the "
            "repeats tell nothing of its spread."
        )


def _thinking(results: Results, named: Named) -> Iterator[Notice]:
    """What the replies show of a reasoning mode that was asked for."""
    cells = results.cells
    part = cells[(cells["setting"] == named.name) & cells["status"].isin(COMPLETED)]
    measured = part[["reasoning_tokens", "reasoning_characters"]].fillna(0).max(axis=1) > 0
    thought, mode = int(measured.sum()), named.setting.reasoning
    if mode == "high" and len(part) and not thought:
        yield Notice(
            text=f"No thinking seen: {named.name} asks for it, and none of its {len(part):,} "
            "replies shows any. Perhaps the switch is not the model's own, or its server keeps "
            "the thinking to itself."
        )
    if mode == "off" and thought:
        yield Notice(
            text=f"Thinking seen: {named.name} asks for none, and {thought:,} of its "
            f"{len(part):,} replies think ({percent(thought / len(part))}%)."
        )


def _unequal(results: Results) -> Iterator[Notice]:
    counts = results.cells.groupby("setting")["case_id"].nunique()
    by_count: dict[int, list[str]] = {}
    for each in results.settings:
        by_count.setdefault(int(counts[each.name]), []).append(each.name)
    if len(by_count) > 1:
        told = "; ".join(
            f"{number:,} to {_names(by_count[number])}" for number in sorted(by_count, reverse=True)
        )
        yield Notice(
            text=f"Settings were asked different numbers of cases: {told}. Their rates are about "
            "different questions; the floors beside each model are of its own questions.",
            warning=False,
        )


def _few_clusters(results: Results) -> Iterator[Notice]:
    few = {
        named.name: None
        for named, _, part in results.parts(results.selected)
        if clusters_of(labels(part, "cluster")).effective < FEWEST
    }
    if few:
        yield Notice(
            text=f"Too few clusters for intervals: {_names(list(few))}. An interval needs {FEWEST} "
            f"effective clusters (by {results.options.cluster}).",
            warning=False,
        )


def _names(names: list[str]) -> str:
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
