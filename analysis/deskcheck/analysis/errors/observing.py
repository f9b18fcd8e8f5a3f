"""Run the programs of a dataset again and read the states at other moments of their loops."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from deskcheck.analysis.errors.moments import REACH, Moments, Place, Seen
from deskcheck.builder.cases import ARMS, Answer, Case, Finding, StoredCase, Task
from deskcheck.builder.contents import Dataset
from deskcheck.builder.engines import Engine
from deskcheck.builder.judging import Judging
from deskcheck.builder.languages import Languages, Loop, Reading
from deskcheck.builder.languages.tools import compiler_for, languages
from deskcheck.builder.measure import PROFILE, LegalInput, Measurer
from deskcheck.builder.parameters import Parameters
from deskcheck.builder.progress import Progress
from deskcheck.builder.remeasure import candidate_of
from deskcheck.builder.syntax import UnreadableSourceError
from deskcheck.oracles.equivalence import compare
from deskcheck.oracles.errors import SandboxError
from deskcheck.oracles.expressions import Expressed, Json, compact_json
from deskcheck.oracles.observations import Activation, Moment, Snapshot, Watch
from deskcheck.oracles.runtimes.python import Interpreter
from deskcheck.oracles.sandbox import Sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A case with what is expected on its long input: the output, and both states."""

    stored: StoredCase
    output: str
    inside: str
    post: str


@dataclass(frozen=True, slots=True, kw_only=True)
class States:
    """A case's states, in the order of their moments."""

    seen: tuple[Seen, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unseen:
    """Why no state of a case is used: one line. `sandbox` where that is no word on the case."""

    why: str
    sandbox: bool = False


Observation = States | Unseen


@dataclass(frozen=True, slots=True, kw_only=True)
class Observing:
    """A job of `engines`: cases are observed with what `judging` would judge them with."""

    judging: Judging

    def toolchain(self) -> Mapping[str, Any]:
        """What on this machine decides states."""
        return self.judging.toolchain()

    def open(self) -> Callable[[Known], Observation]:
        """What observes one case after the other, in a sandbox that lasts as long as we."""
        judging = self.judging
        sandbox = Sandbox(allow_unisolated=judging.allow_unisolated)
        atexit.register(sandbox.close)
        limits = judging.parameters.limits()
        known = languages(sandbox, limits, judging.interpreter, judging.compiler)
        return lambda case: observe_case(case, known, judging.parameters)

    def died(self, case: Known) -> Observation:
        """What is said of a case that its worker died of."""
        return Unseen(why=f"the worker died twice on {case.stored.id}")


def observe(
    dataset: Dataset,
    answers: Mapping[str, Answer],
    interpreter: Interpreter,
    engine: Engine,
    *,
    cxx: str | None = None,
    allow_unisolated: bool = False,
) -> Moments:
    """The states of every case of the dataset; SandboxError where programs cannot be run here."""
    cases = known_cases(dataset, answers)
    judging = Judging(
        interpreter=interpreter,
        compiler=compiler_for({each.stored.case.language for each in cases}, cxx),
        parameters=_parameters(dataset),
        allow_unisolated=allow_unisolated,
    )
    judging.toolchain()  # what is missing here is said now, and not once for each case
    job = Observing(judging=judging)
    states: dict[str, tuple[Seen, ...]] = {}
    unseen: dict[str, str] = {}
    observed: Generator[tuple[int, Observation]] = engine.results(cases, job)
    with Progress("observing") as progress, closing(observed) as results:
        for index, result in results:
            case_id = cases[index].stored.case.id
            if isinstance(result, Unseen):
                if result.sandbox:
                    raise SandboxError(f"{cases[index].stored.id}: {result.why}")
                unseen[case_id] = result.why
            else:
                states[case_id] = result.seen
            progress.update(len(states) + len(unseen), len(cases), f"{len(unseen)} not observed")
    return Moments(
        dataset_id=dataset.manifest.id,
        states=dict(sorted(states.items())),
        unseen=dict(sorted(unseen.items())),
    )


def known_cases(dataset: Dataset, answers: Mapping[str, Answer]) -> list[Known]:
    """The cases of a dataset whose answers are all there, in its order."""
    tasks: dict[str, dict[str, Task]] = {}
    for task in dataset.tasks:
        tasks.setdefault(task.case_id, {})[task.arm] = task
    found = []
    for case in dataset.cases:
        of_case = [tasks.get(case.id, {}).get(arm) for arm in ARMS]
        whole = tuple(task for task in of_case if task is not None and task.id in answers)
        if len(whole) == len(ARMS):
            _, output, inside, post = (answers[task.id].text for task in whole)
            stored = StoredCase(case=case, tasks=whole)
            found.append(Known(stored=stored, output=output, inside=inside, post=post))
    return found


def observe_case(known: Known, languages: Languages, parameters: Parameters) -> Observation:
    """The case's projection at the moments around its checkpoints, as far as it can be shown.

    Unseen where the program does not do here what the dataset says of it.
    """
    try:
        language = languages.get(known.stored.case.language)
        if language is None:
            return Unseen(why=f"{known.stored.case.language} programs cannot be measured here")
        candidate = candidate_of(known.stored)
        reading = language.read(candidate.program.source)
        return _Watching(known, reading, Measurer(language, reading, parameters)).seen()
    except UnreadableSourceError as error:
        return Unseen(why=error.detail)
    except SandboxError as error:
        return Unseen(why=str(error), sandbox=True)


class _Watching:
    """One case's runs: one to find the activation again, one to read its states."""

    def __init__(self, known: Known, reading: Reading, measurer: Measurer) -> None:
        self._known = known
        self._case: Case = known.stored.case
        self._reading = reading
        self._measurer = measurer
        candidate = candidate_of(known.stored)
        self._program = candidate.program
        long = candidate.inputs[1]
        self._long = LegalInput(
            input=long,
            stdin=known.stored.tasks[1].stdin,
            stdout=known.output.encode("utf-8"),
        )

    def seen(self) -> Observation:
        case = self._case
        loop = next((each for each in self._reading.loops if each.offset == case.loop_offset), None)
        if loop is None:
            return Unseen(why=f"no loop begins at byte {case.loop_offset}")
        ordinal = self._activation(loop)
        if isinstance(ordinal, Unseen):
            return ordinal
        wanted = _moments(case, ordinal)
        names = {loop.offset: [field.name for field in case.fields]}
        observed = self._measurer.observe(
            self._program, self._long, PROFILE, Watch(wanted=wanted, names=names)
        )
        if isinstance(observed, Finding):
            return Unseen(why=observed.detail)
        inside = observed.at(Moment(loop.offset, "inside", ordinal, case.iteration))
        post = observed.at(Moment(loop.offset, "post", ordinal))
        if inside is None or post is None:
            return Unseen(why="a checkpoint was not reached again")
        for checkpoint, expected in ((inside, self._known.inside), (post, self._known.post)):
            state = self._state(loop, checkpoint, inside, post)
            if state is None or compare("json", expected, state) is not None:
                return Unseen(why="the state at a checkpoint is not the expected one here")
        found = []
        for moment in wanted:
            shot = observed.at(moment)
            state = None if shot is None else self._state(loop, shot, inside, post)
            if state is not None:
                found.append(_seen(moment, state))
        return States(seen=tuple(found))

    def _activation(self, loop: Loop) -> int | Unseen:
        case = self._case
        observed = self._measurer.observe(self._program, self._long, PROFILE, Watch())
        if isinstance(observed, Finding):
            return Unseen(why=observed.detail)
        profile = observed.loop(loop.offset)
        activations: Sequence[Activation] = profile.activations if profile else ()
        for each in activations:
            if (each.exit_visit, each.iterations) == (case.post_visit, case.iterations):
                return each.ordinal
        return Unseen(why=f"end {case.post_visit} of the loop is not that of its activation")

    def _state(self, loop: Loop, shot: Snapshot, inside: Snapshot, post: Snapshot) -> str | None:
        """The projection at a moment; None where the case's expressions do not show it there."""
        state: dict[str, Json] = {}
        for field in self._case.fields:
            samples = [each.variables.get(field.name, _MISSING) for each in (inside, post, shot)]
            if any(sample is _MISSING for sample in samples):
                return None
            shown = self._reading.express(loop, field.name, samples)
            if not isinstance(shown, Expressed) or shown.expression != field.expression:
                return None
            state[field.name] = shown.answers[-1]
        return compact_json(state)


_MISSING = object()


def _moments(case: Case, ordinal: int) -> list[Moment]:
    """Before the loop, its first and last iterations, those around both checkpoints, its end."""
    k, n, loop = case.iteration, case.iterations, case.loop_offset
    numbers = {1, n, *range(k - REACH, k + REACH + 1), *range(n + 1 - REACH, n + 1)}
    inside = [Moment(loop, "inside", ordinal, i) for i in sorted(numbers) if 1 <= i <= n]
    return [Moment(loop, "before", ordinal), *inside, Moment(loop, "post", ordinal)]


def _seen(moment: Moment, state: str) -> Seen:
    place: Place = moment.place
    return Seen(place=place, iteration=moment.iteration, state=state)


def _parameters(dataset: Dataset) -> Parameters:
    try:
        return Parameters.of(dataset.manifest.config["parameters"])
    except (KeyError, TypeError, ValueError):
        return Parameters()
