"""What answering took: tokens and time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deskcheck.analysis.blocks import Column, Section, Table, Text, Value
from deskcheck.analysis.frames import labels, numbers
from deskcheck.analysis.results import Results
from deskcheck.analysis.statistics.estimates import Estimate, mean

if TYPE_CHECKING:
    import pandas as pd

SPREAD = (0.5, 0.9)
"""Quantiles that are shown."""


def section(results: Results) -> Section | None:
    """Tokens and seconds by setting and arm; None where no backend counted any."""
    rows: list[tuple[Value, ...]] = []
    for named, arm, part in results.parts(results.cells):
        if part["completion_tokens"].isna().all():
            continue
        rows.append(
            (
                named.name,
                arm,
                int(part["completion_tokens"].notna().sum()),
                *_quantiles(part, "prompt_tokens", SPREAD[:1]),
                *_quantiles(part, "completion_tokens", SPREAD),
                _mean(part, "completion_tokens"),
                *_quantiles(part, "reasoning_tokens", SPREAD[:1]),
                *_quantiles(part, "reasoning_characters", SPREAD[:1]),
                *_quantiles(part, "seconds", SPREAD),
                int(part["prompt_tokens"].sum()),
                int(part["completion_tokens"].sum()),
            )
        )
    if not rows:
        return None
    return Section(
        name="effort",
        title="Tokens and time",
        blocks=(
            Text(
                text="Over all replies whose tokens were counted, repeats included. Completion "
                "tokens contain those of reasoning where the backend counts both. Seconds are from "
                "sending a request to its reply, retries included; they depend on the machine and "
                "on what else it did."
            ),
            Table(
                name="effort",
                title="Tokens and seconds of one reply, and tokens in all",
                columns=(
                    Column(name="setting", heading="setting"),
                    Column(name="arm", heading="arm"),
                    Column(name="replies", heading="replies", kind="count"),
                    Column(name="prompt_median", heading="prompt, median", kind="number"),
                    Column(name="completion_median", heading="completion, median", kind="number"),
                    Column(name="completion_p90", heading="90%", kind="number"),
                    Column(name="completion_mean", heading="mean", kind="number"),
                    Column(name="reasoning_median", heading="reasoning, median", kind="number"),
                    Column(
                        name="reasoning_characters_median",
                        heading="its characters, median",
                        kind="number",
                    ),
                    Column(name="seconds_median", heading="seconds, median", kind="number"),
                    Column(name="seconds_p90", heading="90%", kind="number"),
                    Column(name="prompt_total", heading="prompt, in all", kind="count"),
                    Column(name="completion_total", heading="completion, in all", kind="count"),
                ),
                rows=tuple(rows),
                note="The mean's interval is Student's over clusters; where replies differ much in "
                "length, the median tells more.",
            ),
        ),
    )


def _quantiles(part: pd.DataFrame, column: str, at: tuple[float, ...]) -> list[float | None]:
    known = part[part[column].notna()]
    if not len(known):
        return [None] * len(at)
    return [float(each) for each in np.quantile(numbers(known, column), at)]


def _mean(part: pd.DataFrame, column: str) -> Estimate:
    known = part[part[column].notna()]
    return mean(numbers(known, column), labels(known, "cluster"))
