"""Write an admitted case down: its four tasks, their answers apart, and their measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from deskcheck.builder.cases import (
    Admitted,
    Answer,
    Arm,
    Case,
    Measures,
    Task,
    case_id,
    task_id,
)
from deskcheck.builder.construction import Plan
from deskcheck.builder.languages import Language
from deskcheck.builder.listing import source_lines
from deskcheck.builder.measure import TracedInput
from deskcheck.oracles.checkpoints import Checkpoint, Field
from deskcheck.oracles.equivalence import Rule, compare, layout_sensitive
from deskcheck.oracles.expressions import Json
from deskcheck.oracles.observations import Observed, StateSize
from deskcheck.oracles.replies import Read, read_json
from deskcheck.oracles.values import Opaque, Value
from deskcheck.sources.pools import Candidate

GUESSABLE = frozenset(
    {"yes", "no", "0", "1", "-1", "true", "false", "possible", "impossible", "none"}
)


_CODE = frozenset(("module", "function", "builtin_function_or_method", "method", "type"))
"""Types of what a program is made of, rather than works on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefix:
    """Trace length up to a checkpoint; `exact` as in `Measures.trace_exact`."""

    trace_length: int
    exact: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The source that a state arm shows, and what it printed."""

    checkpoint: Checkpoint
    source: bytes
    printed: bytes
    """All that an armed run prints: perhaps some output, then the answer."""
    answer: str
    prefix: Prefix | None
    """None where the observed run tells it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The clean program on one input: counted, and watched once more."""

    traced: TracedInput
    observed: Observed


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """One arm before it has an id."""

    arm: Arm
    source: str
    traced: TracedInput
    answer: str
    fields: tuple[Field, ...]
    rule: Rule
    floor: bool
    trace_length: int
    trace_exact: bool
    state: StateSize | None


def write_case(
    candidate: Candidate,
    language: Language,
    plan: Plan,
    *,
    inside: Shown,
    post: Shown,
    short: Measured,
    long: Measured,
    live: Sequence[str],
) -> Admitted:
    """The admitted verdict, with everything that a dataset holds of the case.

    `live` names what may still be read where an iteration of the selected loop begins.
    """
    questions = _questions(candidate, plan, (inside, post), short, long)
    ids = tuple(
        task_id(
            arm=question.arm,
            language=candidate.program.language,
            source=question.source,
            stdin=question.traced.stdin,
            rule=question.rule,
            fields=question.fields,
        )
        for question in questions
    )
    case = _case(candidate, plan, case_id(ids))
    variables = plan.moments.inside.variables
    data_flow = sum(name in variables and _is_data(variables[name]) for name in live)
    return Admitted(
        candidate=candidate.id,
        pool=candidate.pool,
        study=candidate.study,
        case=case,
        tasks=tuple(
            Task(
                id=id_,
                case_id=case.id,
                arm=question.arm,
                candidate=candidate.id,
                study=candidate.study,
                language=candidate.program.language,
                source=question.source,
                stdin=question.traced.stdin,
                rule=question.rule,
                fields=question.fields,
                floor=question.floor,
            )
            for id_, question in zip(ids, questions, strict=True)
        ),
        answers=tuple(
            Answer(task_id=id_, text=question.answer)
            for id_, question in zip(ids, questions, strict=True)
        ),
        measures=tuple(
            _measures(id_, case.id, question, language, data_flow)
            for id_, question in zip(ids, questions, strict=True)
        ),
        passed_over=plan.passed_over,
    )


def _questions(
    candidate: Candidate, plan: Plan, shown: tuple[Shown, Shown], short: Measured, long: Measured
) -> tuple[_Question, ...]:
    outputs = [measured.traced.stdout.decode("utf-8") for measured in (short, long)]
    rule = candidate.final_rule
    if rule == "tokens" and any(layout_sensitive(output) for output in outputs):
        rule = "lines"
    return (
        _final_question("short-trace-final", candidate, rule, short),
        _final_question("long-trace-final", candidate, rule, long),
        _state_question("inside-loop-state", plan, shown[0], long),
        _state_question("post-loop-state", plan, shown[1], long),
    )


def _final_question(arm: Arm, candidate: Candidate, rule: Rule, measured: Measured) -> _Question:
    output = measured.traced.stdout.decode("utf-8")
    return _Question(
        arm=arm,
        source=candidate.program.text,
        traced=measured.traced,
        answer=output,
        fields=(),
        rule=rule,
        floor=output.strip().lower() in GUESSABLE,
        trace_length=measured.traced.trace_length,
        trace_exact=True,
        state=measured.observed.state,
    )


def _state_question(arm: Arm, plan: Plan, shown: Shown, long: Measured) -> _Question:
    moments = plan.moments
    moment = moments.inside.moment if arm == "inside-loop-state" else moments.post.moment
    snapshot = long.observed.at(moment)
    assert snapshot is not None
    prefix = shown.prefix
    if prefix is None:
        assert snapshot.trace_length is not None, "one of the two tells it"
        exact = long.observed.trace_length == long.traced.trace_length
        prefix = Prefix(trace_length=snapshot.trace_length, exact=exact)
    return _Question(
        arm=arm,
        source=shown.source.decode("utf-8"),
        traced=long.traced,
        answer=shown.answer,
        fields=plan.projection.fields,
        rule="json",
        floor=False,
        trace_length=prefix.trace_length,
        trace_exact=prefix.exact,
        state=snapshot.state,
    )


def _case(candidate: Candidate, plan: Plan, id_: str) -> Case:
    provenance = candidate.provenance
    output = plan.long.stdout.decode("utf-8")
    return Case(
        id=id_,
        candidate=candidate.id,
        pool=candidate.pool,
        study=candidate.study,
        language=candidate.program.language,
        program_sha=candidate.program.sha,
        origin=provenance.origin,
        licence=provenance.licence,
        author=provenance.author,
        url=provenance.url,
        tags=dict(candidate.tags),
        short_input=plan.short.input.name,
        long_input=plan.long.input.name,
        loop_line=plan.loop.line,
        loop_offset=plan.loop.offset,
        loop_kind=plan.loop.kind,
        loop_depth=plan.loop.depth,
        iteration=plan.iteration,
        iterations=plan.activation.iterations,
        short_iterations=plan.short_iterations,
        long_iterations=plan.long_iterations,
        inside_visit=plan.inside.visit,
        post_visit=plan.post.visit,
        fields=plan.projection.fields,
        printed_before=plan.moments.inside.printed > 0,
        post_contains_output=contains_output(plan.projection.post, output),
    )


def _is_data(value: Value) -> bool:
    return not (isinstance(value, Opaque) and value.type_name in _CODE)


def contains_output(state: str, output: str) -> bool:
    """True when a value of the state, or an element of one, reads as the whole printed output."""
    read = read_json(state)
    return isinstance(read, Read) and any(text == output.split() for text in _readings(read.value))


def _readings(value: Json) -> Sequence[list[str]]:
    """Each value in a JSON tree as the tokens that `print` would most simply make of it."""
    if isinstance(value, dict):
        return [text for item in value.values() for text in _readings(item)]
    if isinstance(value, list):
        below = [text for item in value for text in _readings(item)]
        return [[str(item) for item in value], str(value).split(), *below]
    return [str(value).split()]


def _measures(
    id_: str, case: str, question: _Question, language: Language, data_flow: int
) -> Measures:
    complexity, nested = language.static(question.source)
    state = question.state
    return Measures(
        task_id=id_,
        case_id=case,
        arm=question.arm,
        trace_length=question.trace_length,
        trace_exact=question.trace_exact,
        whole_trace_length=question.traced.trace_length,
        peak_state=state.peak if state else None,
        state_load=state.load if state else None,
        boundaries=state.boundaries if state else None,
        cyclomatic=complexity,
        source_lines=len(source_lines(question.source)),
        source_characters=len(question.source),
        nesting=nested,
        data_flow=data_flow,
        stdin_characters=len(question.traced.stdin),
        unread_stdin=question.traced.unread,
        answer_characters=len(question.answer),
        answer_digits=sum(character.isdigit() for character in question.answer),
        listed_output=_listed(question),
    )


def _listed(question: _Question) -> Literal["none", "agrees", "differs"]:
    listed = question.traced.input.listed_output
    if question.fields or listed is None:
        return "none"
    same = compare("tokens", question.answer, listed.decode("utf-8", "replace")) is None
    return "agrees" if same else "differs"
