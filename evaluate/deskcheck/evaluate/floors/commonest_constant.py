"""The floor of whoever gives the commonest answer of all other cases, whatever is asked.

Of a final arm that is the commonest output of the same study and arm, where outputs that the
task's rule does not tell apart count as one. Of a state arm it is put together field by field:
the commonest value among the other cases' fields of the same name and expression; where no value
occurs twice there, among those whose expression has the same form (`sorted(…)`, say, or a bare
variable); where none does there either, the commonest of all fields. Ties go to the text that
comes first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from deskcheck.builder.cases import Arm, Task
from deskcheck.builder.dataset import read_answers
from deskcheck.evaluate.floors import Abstained, Basis, Given
from deskcheck.oracles.checkpoints import Field
from deskcheck.oracles.equivalence import Rule
from deskcheck.oracles.expressions import compact_json
from deskcheck.oracles.replies import Read, read_json

_TOKEN = re.compile(r"[^ \t\r\v\f\n]+")
_FINAL_RULES: tuple[Rule, ...] = ("tokens", "lines", "bytes")
_ENOUGH = 2
"""A value that occurs less often is no common one, and more fields are looked at."""


class CommonestConstant:
    """Gives the commonest answer of the other cases; the case itself is left out of the count."""

    arms: tuple[Arm, ...] = (
        "short-trace-final",
        "long-trace-final",
        "inside-loop-state",
        "post-loop-state",
    )
    rule = "the commonest output, or value of such a field, among the other cases of study and arm"
    concurrency = 1
    arguments: Mapping[str, type] = {}

    def __init__(self, basis: Basis) -> None:
        answers = read_answers(basis.folder)
        self._tally = _Tally()
        for task in basis.dataset.tasks:
            self._count(task, answers[task.id].text)

    async def answer(self, task: Task) -> Given | Abstained:
        if task.fields:
            return self._state(task)
        found = self._tally.commonest((task.study, task.arm, task.rule), task.case_id)
        if found is None:
            return Abstained(reason="the study has no other case")
        return Given(text=found[0])

    async def close(self) -> None:
        """There is nothing to let go of."""

    def _count(self, task: Task, answer: str) -> None:
        if not task.fields:
            for rule in _FINAL_RULES:
                text = _as_told_apart(rule, answer)
                self._tally.add((task.study, task.arm, rule), task.case_id, text)
            return
        read = read_json(answer)
        if not isinstance(read, Read) or not isinstance(read.value, dict):
            return
        for field in task.fields:
            if field.name in read.value:
                value = compact_json(read.value[field.name])
                for group in _groups(task, field):
                    self._tally.add(group, task.case_id, value)

    def _state(self, task: Task) -> Given | Abstained:
        values = {field.name: self._value(task, field) for field in task.fields}
        if None in values.values():
            return Abstained(reason="the study has no other case")
        return Given(text=_joined(values))

    def _value(self, task: Task, field: Field) -> str | None:
        found = None
        for group in _groups(task, field):
            found = self._tally.commonest(group, task.case_id) or found
            if found is not None and found[1] >= _ENOUGH:
                break
        return None if found is None else found[0]


class _Tally:
    """How often each text occurs in each group, and how often by which case's doing."""

    def __init__(self) -> None:
        self._all: dict[tuple[str, ...], Counter[str]] = {}
        self._of_case: dict[tuple[str, ...], Counter[str]] = {}

    def add(self, group: tuple[str, ...], case_id: str, text: str) -> None:
        self._all.setdefault(group, Counter())[text] += 1
        self._of_case.setdefault((*group, case_id), Counter())[text] += 1

    def commonest(self, group: tuple[str, ...], without: str) -> tuple[str, int] | None:
        """The commonest text and its number, as if the case `without` were not there."""
        own = self._of_case.get((*group, without), Counter[str]())
        left = ((text, n - own[text]) for text, n in self._all.get(group, Counter[str]()).items())
        return min(
            ((text, n) for text, n in left if n), key=lambda pair: (-pair[1], pair[0]), default=None
        )


def _groups(task: Task, field: Field) -> tuple[tuple[str, ...], ...]:
    """The groups of fields in which a value may be common, the narrowest first."""
    form = re.sub(rf"\b{re.escape(field.name)}\b", "_", field.expression)
    where = (task.study, task.arm)
    return (
        (*where, "field", field.name, field.expression),
        (*where, "form", form),
        (*where, "any"),
    )


def _as_told_apart(rule: Rule, output: str) -> str:
    """One text for all outputs that are the same under the rule."""
    match rule:
        case "tokens":
            return " ".join(_TOKEN.findall(output))
        case "lines":
            return "\n".join(line.rstrip(" \t\r\v\f") for line in output.split("\n")).rstrip("\n")
        case _:
            return output


def _joined(values: dict[str, str | None]) -> str:
    """A JSON object of values that are JSON already."""
    return f"{{{','.join(f'{compact_json(name)}:{value}' for name, value in values.items())}}}"
