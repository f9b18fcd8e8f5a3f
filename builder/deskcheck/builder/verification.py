"""Is a dataset what it says? Its folder is looked through, then every oracle is run again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from deskcheck.builder import __version__
from deskcheck.builder.cases import (
    ARMS,
    Case,
    Finding,
    Measures,
    Rejected,
    StoredCase,
    Task,
    Verdict,
)
from deskcheck.builder.engines import Engine
from deskcheck.builder.hub import fetch_answers
from deskcheck.builder.integrity import examine
from deskcheck.builder.judging import Judging
from deskcheck.builder.languages import tools
from deskcheck.builder.ledger import differences
from deskcheck.builder.parameters import Parameters
from deskcheck.builder.progress import Progress
from deskcheck.builder.schemas import ANSWERS
from deskcheck.builder.stored import Drift, Stored, of_dataset, stored
from deskcheck.builder.toolchain import facts
from deskcheck.oracles.errors import SandboxError
from deskcheck.oracles.runtimes.python import Interpreter
from deskcheck.oracles.sandbox import Sandbox

DEPENDS: Mapping[str, frozenset[str]] = {
    "interpreter": frozenset({"trace_length", "trace_exact", "whole_trace_length"}),
    "compiler": frozenset({"trace_length", "trace_exact", "whole_trace_length"}),
    "libcst": frozenset({"cyclomatic", "nesting"}),
}
"""Measures that another toolchain may give otherwise without anything being wrong."""

NOT_COMPARED = frozenset({"id", "case_id", "task_id", "source", "listed_output"})
"""Ids are held against content elsewhere, sources apart; listed outputs are in no dataset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What was found. `toolchain` says how this one differs from the manifest's."""

    folder: Path
    id: str
    cases: int
    measured: int
    """Cases whose programs were run again."""
    repeats: int
    toolchain: Sequence[str]
    drift: Sequence[Drift]


def verify(
    folder: Path,
    interpreter: Interpreter,
    *,
    engine: Engine,
    cxx: str | None = None,
    quick: bool = False,
    allow_unisolated: bool = False,
) -> Verification:
    """Hold the folder against itself, and every case against new runs on this machine.

    `quick` runs one repeat in place of those that the manifest declares. DatasetError where the
    folder has no readable manifest, SandboxError where programs cannot be run safely here.
    """
    if not (folder / ANSWERS.path).exists():
        fetch_answers(folder)
    content, drift = stored(folder)
    drift = [*drift, *examine(content)]
    parameters = _parameters(content)
    whole = list(content.whole())
    if not isinstance(parameters, Parameters):
        drift.append(parameters)
        parameters, whole = Parameters(), []
    if quick:
        parameters = replace(parameters, repeats=1, order_repeats=0)
    judging = Judging(
        interpreter=interpreter,
        compiler=tools.compiler_for({each.case.language for each in whole}, cxx),
        parameters=parameters,
        allow_unisolated=allow_unisolated,
    )
    differing = _toolchain(content, judging)
    measured = list(_measured(content, whole, judging, engine))
    return Verification(
        folder=folder,
        id=content.manifest.id,
        cases=len(content.cases),
        measured=len(whole),
        repeats=parameters.repeats,
        toolchain=differing,
        drift=[*drift, *measured],
    )


def _parameters(content: Stored) -> Parameters | Drift:
    try:
        return Parameters.of(content.manifest.config["parameters"])
    except (KeyError, TypeError, ValueError):
        detail = "its config has no parameters of this version, so nothing was run again"
        return of_dataset("not_run", "manifest.json", detail)


def _toolchain(content: Stored, judging: Judging) -> list[str]:
    """Each fact in which this machine's toolchain is not the manifest's."""
    with Sandbox(allow_unisolated=judging.allow_unisolated) as sandbox:
        layers = sandbox.layers_for(judging.interpreter.executable).as_dict()
    here: dict[str, Any] = {
        **facts(measured=tools.facts(judging.interpreter, judging.compiler), sandbox=layers),
        "deskcheck": __version__,
    }
    there = {**content.manifest.toolchain, "deskcheck": content.manifest.deskcheck}
    words = ("in the manifest", "here")
    return list(differences(there, json.loads(json.dumps(here)), "", words))


def _measured(
    content: Stored, whole: Sequence[StoredCase], judging: Judging, engine: Engine
) -> Iterator[Drift]:
    """Drift between each case and what this machine makes of it, in the cases' order."""
    excused = {language: _excused(content, judging, language) for language in ("python", "cpp")}
    found: dict[int, list[Drift]] = {}
    if whole:
        with (
            Progress("verifying") as progress,
            closing(engine.results(whole, judging)) as judged,
        ):
            for index, verdict in judged:
                case = whole[index]
                found[index] = list(_compare(content, case, verdict, excused[case.case.language]))
                drifting = sum(bool(drift) for drift in found.values())
                progress.update(len(found), len(whole), f"{drifting} with drift")
    for index in sorted(found):
        yield from found[index]


def _excused(content: Stored, judging: Judging, language: str) -> frozenset[str]:
    """The measures whose drift follows from the toolchain.

    Opcodes belong to a minor version of the interpreter, region counts to one compiler.
    """
    from importlib.metadata import version

    toolchain = content.manifest.toolchain
    measured, packages = toolchain.get("measured", {}), toolchain.get("packages", {})
    if language == "cpp":
        here = judging.compiler.facts() if judging.compiler else None
        return frozenset() if measured.get("cpp") == here else DEPENDS["compiler"]
    names: frozenset[str] = frozenset()
    interpreter = judging.interpreter
    minor = ".".join(str(measured.get("version", "")).split(".")[:2])
    if (measured.get("implementation"), minor) != (interpreter.implementation, interpreter.minor):
        names |= DEPENDS["interpreter"]
    if packages.get("libcst") != version("libcst"):
        names |= DEPENDS["libcst"]
    return names


def _compare(
    content: Stored, kept: StoredCase, made: Verdict, excused: frozenset[str]
) -> Iterator[Drift]:
    item = kept.id
    if isinstance(made, Rejected):
        yield _refused(kept, made.findings[0])
        return
    yield from _record(item, "cases.parquet", "case_differs", kept.case, made.case)
    for place, arm in enumerate(ARMS):
        task, again = kept.tasks[place], made.tasks[place]
        yield from _record(item, arm, "task_differs", task, again)
        if task.fields and task.source != again.source:
            detail = f"shown is {_first_difference(task.source, again.source)}"
            yield Drift(cause="source_differs", item=item, place=arm, detail=detail)
        answer = content.answers.get(task.id)
        if answer is not None and answer.text != made.answers[place].text:
            detail = f"stored is {_first_difference(answer.text, made.answers[place].text)}"
            yield Drift(cause="answer_differs", item=item, place=arm, detail=detail)
        measures = content.measures.get(task.id)
        if measures is not None:
            yield from _measures(item, arm, measures, made.measures[place], excused)


def _refused(kept: StoredCase, finding: Finding) -> Drift:
    """A case that is none on this machine, by the first check that it fails."""
    if finding.reason == "sandbox_failed":
        raise SandboxError(f"{kept.id}: {finding.detail}")
    places = {
        "inside-loop-state": ("inside state", "inside checkpoint"),
        "post-loop-state": ("post state", "post checkpoint"),
        "short-trace-final": (f"input {kept.case.short_input}:",),
        "long-trace-final": (f"input {kept.case.long_input}:",),
    }
    found = [arm for arm, words in places.items() if any(word in finding.detail for word in words)]
    return Drift(
        cause=f"{finding.check}:{finding.reason}",
        item=kept.id,
        place=found[0] if found else "case",
        detail=finding.detail,
    )


def _record(
    item: str, place: str, cause: str, kept: Case | Task, made: Case | Task
) -> Iterator[Drift]:
    differing = [text for _, text in _named(kept, made)]
    if differing:
        yield Drift(cause=cause, item=item, place=place, detail="; ".join(differing))


def _measures(
    item: str, arm: str, kept: Measures, made: Measures, excused: frozenset[str]
) -> Iterator[Drift]:
    """Two lines at most: what follows from the toolchain, and what does not."""
    differing = dict(_named(kept, made))
    for toolchain in (False, True):
        said = [text for name, text in differing.items() if (name in excused) == toolchain]
        if said:
            yield Drift(
                cause="measure_differs",
                item=item,
                place=arm,
                detail="; ".join(said),
                toolchain=toolchain,
            )


def _named(kept: Any, made: Any) -> Iterator[tuple[str, str]]:
    """Each field in which two records of a kind differ, with both values."""
    for field in fields(kept):
        there, here = getattr(kept, field.name), getattr(made, field.name)
        if there != here and field.name not in NOT_COMPARED:
            yield field.name, f"{field.name} {_short(there)} stored, {_short(here)} here"


def _first_difference(there: str, here: str) -> str:
    """Both texts around the first character in which they differ."""
    same = 0
    while same < min(len(there), len(here)) and there[same] == here[same]:
        same += 1
    begin = max(0, same - 12)
    return f"{_short(there[begin:])} and here {_short(here[begin:])} (character {same})"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
