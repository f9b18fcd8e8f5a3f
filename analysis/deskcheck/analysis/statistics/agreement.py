"""Do repeats of one question agree? Pairs of repeats, task by task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from deskcheck.analysis.frames import completed
from deskcheck.analysis.statistics.estimates import Estimate, proportion

if TYPE_CHECKING:
    import pandas as pd

Given = tuple[str | None, bool]
"""An extracted answer, None where there was none, and whether it is right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far repeats of the same question agree, over tasks with two completed ones or more."""

    tasks: int
    replies: int
    same_answer: Estimate
    """Two repeats of a task give the same answer."""
    flips: Estimate
    """Of two repeats of a task one is right and the other is not."""


def pair_shares(repeats: Sequence[Given]) -> tuple[float, float]:
    """Of all pairs of these repeats: the share with the same answer, and with one right of two.

    Answers are the same when both are right, or equal as text; no answer is like none. There must
    be two repeats at least.
    """
    pairs = list(combinations(repeats, 2))
    same = sum(
        (left_right and right_right) or (left is not None and left == right)
        for (left, left_right), (right, right_right) in pairs
    )
    flips = sum(left[1] != right[1] for left, right in pairs)
    return same / len(pairs), flips / len(pairs)


def agreement(cells: pd.DataFrame) -> Agreement:
    """The agreement over the repeats of each task, every task counting alike."""
    shares, clusters, replies = [], [], 0
    for _, of_task in completed(cells).groupby("task_id", sort=True):
        if len(of_task) < 2:
            continue
        answers = [None if missing(each) else str(each) for each in of_task["answer"]]
        right = [status == "correct" for status in of_task["status"]]
        shares.append(pair_shares(list(zip(answers, right, strict=True))))
        clusters.append(of_task["cluster"].iloc[0])
        replies += len(of_task)
    table = np.array(shares, dtype=np.float64).reshape(-1, 2)
    labels = np.array(clusters, dtype=object)
    return Agreement(
        tasks=len(table),
        replies=replies,
        same_answer=proportion(table[:, 0], labels),
        flips=proportion(table[:, 1], labels),
    )


REPLY = ["status", "answer", "finish_reason", "completion_tokens", "reasoning_characters"]
"""What cells tell of a reply; where two agree in all of it, they were hardly drawn apart."""


def all_identical(cells: pd.DataFrame) -> bool:
    """True when there are repeats, and no task has two completed replies that differ in anything
    that cells tell of them."""
    back = completed(cells)
    counts = back.groupby("task_id").size()
    if not (counts > 1).any():
        return False
    distinct = back[["task_id", *REPLY]].drop_duplicates()
    return len(distinct) == len(counts)


def missing(value: object) -> bool:
    """True for a value that a cell did not have."""
    import pandas as pd

    return value is None or value is pd.NA
