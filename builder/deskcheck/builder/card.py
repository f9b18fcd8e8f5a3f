"""The dataset card: what somebody who finds the folder needs to know."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from itertools import chain
from typing import Any

from deskcheck.builder.cases import ARMS, Arm
from deskcheck.builder.composition import composition, composition_table, reasons
from deskcheck.builder.contents import Dataset
from deskcheck.builder.schemas import (
    ANSWERS,
    CASES,
    MEASUREMENTS,
    PASSED_OVER,
    REJECTIONS,
    SHOWN,
    TASKS,
    Table,
)

HUB_LICENCES = ("Apache-2.0", "MIT", "BSD-3-Clause", "CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0")
"""SPDX names that the Hub knows in lower case; everything else is `other` there."""

ORIGINS_LISTED = 40

QUESTIONS: Mapping[Arm, str] = {
    "short-trace-final": "what the program prints on the short input",
    "long-trace-final": "what the same program prints on the long input",
    "inside-loop-state": "some variables, before the body of one iteration of a loop runs",
    "post-loop-state": "the same variables, right after that loop has ended",
}

_WHERE_ANSWERS = {
    True: f"those lie apart in `{ANSWERS.path}`, one text by task id.",
    False: "those were left out of this copy.",
}

RULES = {
    "json": "as JSON it has the same structure, values and types: 1, 1.0 and true differ, the "
    "order of keys does not count",
    "tokens": "the words between white space are the same",
    "lines": "the lines are the same, but for white space at their ends and blank lines at the end",
    "bytes": "it is the same byte for byte",
}

LEFT_OUT: Mapping[str, tuple[str, ...]] = {
    "no `for` or `while` statement: recursion, comprehensions and library calls alone": (
        "no_loop",
    ),
    "loops of few iterations in one activation": ("too_few_iterations",),
    "loops that read standard input as they go": ("reads_stdin",),
    "loops over sets": ("iterates_set",),
    "loops that a return, raise or exit leaves": ("left_abnormally",),
    "loops that change nothing but counters, or nothing that can be shown": (
        "only_counters",
        "nothing_changes",
        "state_repeats",
    ),
    "state too large to ask for": ("state_too_long",),
    "long or large runs": ("trace_too_long", "cpu_limit", "wall_limit", "memory_limit"),
    "long sources, inputs and outputs": ("source_too_long", "input_too_long", "output_too_long"),
    "loops without an input on which they run much shorter": ("no_short_input",),
}
"""What the rules of construction and the limits leave out -> the reasons that say so."""


def card(dataset: Dataset, *, answers: bool = True) -> str:
    """The card as Markdown, its first lines YAML that tells loaders which table lies where.

    `answers` is False for a copy that leaves the expected answers out.
    """
    sections = (
        _what(dataset),
        _loading(dataset, answers),
        _composition(dataset),
        _programs(dataset),
        _comparing(dataset),
        _rejections(dataset),
        _coverage(dataset),
        _making(dataset),
        _canary(dataset),
    )
    text = "\n".join(chain(_front_matter(dataset), *sections))
    return re.sub(r"\n{3,}", "\n\n", text) + "\n"


def _front_matter(dataset: Dataset) -> Iterator[str]:
    licences = list(dataset.manifest.licences)
    known = len(licences) == 1 and licences[0] in HUB_LICENCES
    yield "---"
    yield f"pretty_name: {json.dumps(dataset.manifest.name)}"  # JSON text is YAML text too
    yield f"license: {licences[0].lower() if known else 'other'}"
    yield "task_categories: [text-generation]"
    yield "tags: [code, program-execution, deskcheck]"
    offered = _offered(dataset)
    if offered:
        yield "configs:"
    for table in offered:
        yield f"- config_name: {table.name}"
        if table is TASKS:
            yield "  default: true"
        yield "  data_files:"
        yield "  - split: test"
        yield f"    path: {table.path}"
    yield "---"


def _offered(dataset: Dataset) -> Sequence[Table]:
    """The tables that have rows: `datasets` opens no other, so none is promised."""
    rows: Mapping[str, Sized] = {
        CASES.name: dataset.cases,
        TASKS.name: dataset.tasks,
        REJECTIONS.name: dataset.rejections,
        MEASUREMENTS.name: dataset.measures,
        PASSED_OVER.name: dataset.passed_over,
    }
    return [table for table in SHOWN if rows[table.name]]


def _what(dataset: Dataset) -> Iterator[str]:
    counts = dataset.manifest.counts
    yield f"# {_cell(dataset.manifest.name)}"
    yield ""
    yield (
        "A benchmark that asks a language model to work out what programs do, without running "
        f"them. {counts['admitted']} of {counts['candidates']} inspected programs make one case "
        f"each, and each case asks four questions, {counts['tasks']} in all:"
    )
    yield ""
    yield from _table([["arm", "asks for"], *([arm, QUESTIONS[arm]] for arm in ARMS)])
    yield (
        "Every expected answer was made by running the program; every state was read in two "
        "independent ways that agree. No model's answers had a part in the choice of cases."
    )
    yield ""
    yield f"Dataset id: `{dataset.manifest.id}`"


def _loading(dataset: Dataset, answers: bool) -> Iterator[str]:
    names = ", ".join(f"`{table.name}`" for table in _offered(dataset))
    empty = [f"`{table.path}`" for table in SHOWN if table not in _offered(dataset)]
    yield from _heading("Load it")
    yield "```python"
    yield "from datasets import load_dataset"
    yield ""
    yield f'tasks = load_dataset("DIR", "{TASKS.name}", split="test")'
    yield "```"
    yield ""
    yield (
        f"`DIR` is this folder or its name on the Hub. The tables are {names or 'empty'}. None "
        f"holds an expected answer: {_WHERE_ANSWERS[answers]} "
        "`programs/` has the clean sources by hash, `manifest.json` these facts as JSON."
    )
    if empty:
        yield ""
        yield f"Without rows, and so not offered to `load_dataset`: {', '.join(empty)}."


def _composition(dataset: Dataset) -> Iterator[str]:
    yield from _heading("What is in it")
    yield "Medians, with least and greatest in brackets."
    yield ""
    yield from _table(composition_table(composition(dataset)))
    yield (
        "Complexity, lines and nesting are of the clean source, iterations of the activation that "
        "is asked about. Trace lengths are exact counts of one language's own unit (Python: "
        "executed opcodes) and are not to be compared between languages."
    )


def _programs(dataset: Dataset) -> Iterator[str]:
    yield from _heading("Where the programs come from")
    by_author = Counter((case.licence, case.author, case.pool) for case in dataset.cases)
    yield from _table(
        [
            ["licence", "author", "pool", "cases"],
            *([*key, str(count)] for key, count in sorted(by_author.items())),
        ]
    )
    origins = Counter(case.origin for case in dataset.cases)
    yield (
        f"{len(origins)} origins (what uncertainty clusters on by default); the `cases` table has "
        "each case's origin, address and tags."
    )
    yield ""
    most = sorted(origins.items(), key=lambda each: (-each[1], each[0]))
    yield from _table(
        [["origin", "cases"], *([name, str(count)] for name, count in most[:ORIGINS_LISTED])]
    )
    if len(most) > ORIGINS_LISTED:
        yield f"and {len(most) - ORIGINS_LISTED} more origins."


def _comparing(dataset: Dataset) -> Iterator[str]:
    yield from _heading("How answers compare")
    yield "Nothing tolerates a difference between numbers. Each task names its rule:"
    yield ""
    rows = []
    for rule, meaning in RULES.items():
        arms = [task.arm for task in dataset.tasks if task.rule == rule]
        if arms:
            named = ", ".join(arm for arm in ARMS if arm in arms)
            rows.append([rule, meaning, named, str(len(arms))])
    yield from _table([["rule", "the answer is right when", "arms", "tasks"], *rows])
    floors = sum(task.floor for task in dataset.tasks)
    yield (
        f"{floors} tasks are marked `floor`: a guess such as 0 or No may hit their answers. In "
        f"{sum(case.post_contains_output for case in dataset.cases)} cases the state after the "
        f"loop also holds the printed answer, and in "
        f"{sum(case.printed_before for case in dataset.cases)} something is printed before the "
        "checkpoint inside the loop; the `cases` table marks both."
    )


def _rejections(dataset: Dataset) -> Iterator[str]:
    yield from _heading("What was rejected")
    yield (
        f"{dataset.manifest.counts['rejected']} programs. Each counts once, by its first finding; "
        "`findings` counts all, such as one for each loop. The `rejections` table has them with "
        "what was measured."
    )
    yield ""
    counts = reasons(rejected.findings for rejected in dataset.rejections)
    yield from _table(
        [
            ["check", "reason", "programs", "findings"],
            *([c.check, c.reason, str(c.candidates), str(c.findings)] for c in counts),
        ]
    )


def _coverage(dataset: Dataset) -> Iterator[str]:
    rejected = [{finding.reason for finding in each.findings} for each in dataset.rejections]
    passed_over = Counter(found.reason for found in chain(*dataset.passed_over.values()))
    rows = [
        [
            what,
            str(sum(not found.isdisjoint(names) for found in rejected)),
            str(sum(passed_over[reason] for reason in names)),
        ]
        for what, names in LEFT_OUT.items()
    ]
    yield from _heading("What admission leaves out by construction")
    yield (
        "Results on this dataset say nothing of programs and loops of these kinds. Counted are the "
        "rejected programs in which each was found (one may be in several lines), and the loops "
        "that were passed over for another one in admitted programs."
    )
    yield ""
    yield from _table([["left out", "rejected programs", "loops passed over"], *rows])


def _making(dataset: Dataset) -> Iterator[str]:
    manifest = dataset.manifest
    yield from _heading("How it was made")
    yield f"Deskcheck {manifest.deskcheck}, task contract {manifest.task_contract}."
    yield ""
    yield "Toolchain:"
    yield from _json(manifest.toolchain)
    yield "Pools, seed and limits:"
    yield from _json(manifest.config)


def _canary(dataset: Dataset) -> Iterator[str]:
    yield from _heading("Keep it out of training data")
    yield (
        "This is test data. Text that holds the following line should be left out of any training "
        "corpus, and models can be asked for it:"
    )
    yield ""
    yield f"`{dataset.manifest.canary}`"


def _heading(title: str) -> Iterable[str]:
    return "", f"## {title}", ""


def _json(value: Any) -> Iterable[str]:
    return "", "```json", json.dumps(value, indent=1), "```", ""


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A Markdown table with a blank line after it, or a word where it has no rows."""
    if len(rows) < 2:
        yield "None."
        yield ""
        return
    for number, row in enumerate(rows):
        yield f"| {' | '.join(map(_cell, row))} |"
        if number == 0:
            yield f"|{' --- |' * len(row)}"
    yield ""


def _cell(text: str) -> str:
    """Text from elsewhere, such as an author's name, that leaves the table whole."""
    for character, written in (("\\", "\\\\"), ("|", "\\|"), ("<", "&lt;")):
        text = text.replace(character, written)
    return " ".join(text.split())
