"""One candidate, one verdict: plan its case, measure it, and apply the admission checks.

The checks, each a named finding: legal inputs, determinism, ordering, reachability, agreement,
change, preservation, two oracles, bounds. Each measurement is a fresh process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from deskcheck.builder.cases import Check, Finding, Rejected, Verdict
from deskcheck.builder.construction import Plan, Planner, loop_finding
from deskcheck.builder.languages import Instrumented, Language, Languages, Loop, Reading
from deskcheck.builder.measure import PLAIN, LegalInput, Measurer, TracedInput, ending_of
from deskcheck.builder.parameters import Parameters
from deskcheck.builder.syntax import UnreadableSourceError
from deskcheck.builder.writing import Measured, Prefix, Shown, write_case
from deskcheck.oracles.checkpoints import Checkpoint, Place
from deskcheck.oracles.equivalence import compare
from deskcheck.oracles.expressions import json_type
from deskcheck.oracles.observations import Counted, Moment, Observed, Snapshot
from deskcheck.oracles.outcomes import Outcome
from deskcheck.oracles.programs import Program
from deskcheck.oracles.replies import Read, read_json
from deskcheck.oracles.values import same
from deskcheck.sources.pools import Candidate


class RefusedError(Exception):
    """Ends the admission of a candidate with its findings; caught in `judge`."""

    def __init__(self, *findings: Finding) -> None:
        self.findings = findings
        super().__init__("; ".join(finding.detail for finding in findings))


Planning = Callable[[Reading, Sequence[LegalInput], Measurer], Plan | tuple[Finding, ...]]
"""From a readable program and its legal inputs to a planned case, or the reasons against one."""


def judge(candidate: Candidate, languages: Languages, parameters: Parameters) -> Verdict:
    """The candidate's one verdict."""

    def choose(
        reading: Reading, inputs: Sequence[LegalInput], measurer: Measurer
    ) -> Plan | tuple[Finding, ...]:
        if not reading.loops:
            raise _refuse("loop", "no_loop", "the program has no `for` or `while` statement")
        return Planner(candidate.program, reading, measurer, parameters).plan(inputs)

    return judge_planned(candidate, languages, parameters, choose)


def judge_planned(
    candidate: Candidate,
    languages: Languages,
    parameters: Parameters,
    planning: Planning,
    armed: Mapping[Place, bytes] | None = None,
) -> Verdict:
    """The candidate's verdict as the case that `planning` makes of it.

    `armed` has sources that are run with their checkpoints, where they are to be others than those
    that would be written now; the verdict holds the latter all the same.
    """
    try:
        language = languages.get(candidate.program.language)
        if language is None:
            named = candidate.program.language
            raise _refuse("source", "language", f"{named} programs cannot be measured here")
        return _Admission(candidate, language, parameters, planning, armed or {}).verdict()
    except RefusedError as refused:
        return Rejected(
            candidate=candidate.id,
            pool=candidate.pool,
            study=candidate.study,
            findings=refused.findings,
        )


def _refuse(check: Check, reason: str, detail: str, loop: Loop | None = None) -> RefusedError:
    if loop is not None:
        return RefusedError(loop_finding(check, reason, detail, loop))
    return RefusedError(Finding(check=check, reason=reason, detail=detail))


def _length(counted: Counted | Finding) -> int:
    if isinstance(counted, Finding):
        raise RefusedError(counted)
    assert counted.trace_length is not None, "a count without a limit has no other end"
    return counted.trace_length


class _Admission:
    """The stages of one candidate's admission, in order; each refuses or passes on."""

    def __init__(
        self,
        candidate: Candidate,
        language: Language,
        parameters: Parameters,
        planning: Planning,
        armed: Mapping[Place, bytes],
    ) -> None:
        self._candidate = candidate
        self._planning = planning
        self._armed = armed
        self._program = candidate.program
        self._parameters = parameters
        self._language = language
        self._reading = self._readable()
        self._measurer = Measurer(language, self._reading, parameters)

    def verdict(self) -> Verdict:
        inputs = self._legal_inputs()
        plan = self._planned(inputs)
        self._sound(plan)
        short = self._short(plan)
        self._ordered(plan, self._same_over_repeats(short), self._same_over_repeats(plan.long))
        inside = self._shown(plan, plan.inside)
        post = self._shown(plan, plan.post)
        if self._reading.handles_order:
            self._same_over_orders(plan, (inside, post))
        observed = self._observed(plan)
        self._oracles_agree(plan, inside, plan.moments.inside, plan.projection.inside, observed)
        self._oracles_agree(plan, post, plan.moments.post, plan.projection.post, observed)
        self._states_sound(plan, inside, post)
        return write_case(
            self._candidate,
            self._language,
            plan,
            inside=inside,
            post=post,
            short=Measured(traced=short, observed=self._measured(short)),
            long=Measured(traced=plan.long, observed=observed),
            live=self._reading.live_at_heads([plan.loop])[plan.loop.offset],
        )

    def _readable(self) -> Reading:
        # Before it is parsed, which takes memory without bound.
        limit = self._parameters.max_source_characters
        length = len(self._program.source.decode("utf-8", "replace"))
        if length > limit:
            raise _refuse("bounds", "source_too_long", f"{length} characters, limit {limit}")
        try:
            return self._language.read(self._program.source)
        except UnreadableSourceError as error:
            raise _refuse("source", error.reason, error.detail) from error

    def _legal_inputs(self) -> Sequence[LegalInput]:
        legal: list[LegalInput] = []
        findings: list[Finding] = []
        for given in self._candidate.inputs[: self._parameters.max_inputs]:
            result = self._measurer.legal(self._program, given)
            if isinstance(result, LegalInput):
                legal.append(result)
                continue
            findings.append(result)
            if result.reason in _HOPELESS:
                raise RefusedError(*findings)
        if len(legal) < 2:
            raise RefusedError(
                *findings
                or [
                    Finding(
                        check="pair",
                        reason="too_few_inputs",
                        detail=f"{len(legal)} input, two are needed",
                    )
                ]
            )
        return legal

    def _planned(self, inputs: Sequence[LegalInput]) -> Plan:
        plan = self._planning(self._reading, inputs, self._measurer)
        if isinstance(plan, tuple):
            raise RefusedError(*plan)
        return plan

    def _sound(self, plan: Plan) -> None:
        """What a program does on an input where its behaviour is undefined is no ground truth."""
        for legal in (plan.short, plan.long):
            for unsound in (self._measurer.sound, self._measurer.other_builds):
                finding = unsound(self._program, legal)
                if finding is not None:
                    raise RefusedError(finding)

    def _short(self, plan: Plan) -> TracedInput:
        short = self._measurer.traced(self._program, plan.short)
        if isinstance(short, Finding):
            raise RefusedError(short)
        return short

    def _same_over_repeats(self, traced: TracedInput) -> list[int]:
        """Check 2: output and trace length are the same under every hash seed.

        The first repeat is by the reference and has been counted; the others are by the second
        counter.
        """
        lengths = [traced.trace_length]
        for repeat in range(1, self._parameters.repeats):
            counted = _length(self._measurer.recount(self._program, traced, repeat))
            if counted != traced.trace_length:
                self._counters_agree(traced, repeat, counted)
            lengths.append(counted)
        if len(set(lengths)) > 1:
            raise _refuse(
                "determinism",
                "trace_varies",
                f"input {traced.input.name}: trace lengths {lengths}",
            )
        return lengths

    def _counters_agree(self, traced: TracedInput, repeat: int, counted: int) -> None:
        """Where both counters keep to what they say and it is not the same, one is wrong."""
        count, recount = self._measurer.count, self._measurer.recount
        reference = {_length(count(self._program, traced, repeat)) for _ in range(2)}
        second = {counted, _length(recount(self._program, traced, repeat))}
        if len(reference) == len(second) == 1 and reference != second:
            raise _refuse(
                "internal",
                "counters_disagree",
                f"input {traced.input.name}, repeat {repeat}: {reference.pop()} "
                f"{self._language.unit} by the reference, {counted} by the second counter",
            )

    def _ordered(self, plan: Plan, short: Sequence[int], long: Sequence[int]) -> None:
        """Check 3: every short trace is below every long one."""
        if max(short) >= min(long):
            raise _refuse(
                "ordering",
                "short_not_shorter",
                f"short traces reach {max(short)} {self._language.unit}, long ones begin at "
                f"{min(long)}",
                plan.loop,
            )

    def _shown(self, plan: Plan, checkpoint: Checkpoint) -> Shown:
        """Checks 4 and 7: the armed program reaches its checkpoint, the disarmed is the clean."""
        written = self._written(plan, checkpoint, armed=True)
        armed = self._armed.get(checkpoint.place, written.source)
        broken = self._reading.broken(armed)
        if broken is not None:
            detail = f"with its checkpoint written in it does not parse: {broken}"
            raise _refuse("source", "parser_limit", detail)
        outcomes = [
            self._measurer.run(self._like(armed), plan.long, repeat)
            for repeat in range(self._language.plain_runs(self._parameters.repeats))
        ]
        answers = [self._answer(plan, checkpoint, outcome) for outcome in outcomes]
        counted = self._counted(written, plan.long)
        if counted is not None:
            answers.append(self._answer(plan, checkpoint, counted.outcome))
        if len(set(answers)) > 1:
            raise _refuse(
                "determinism",
                "state_varies",
                f"the {checkpoint.place} state is not the same over repeats",
                plan.loop,
            )
        whole = self._disarmed(plan, checkpoint)
        prefix = None
        if counted and whole and counted.trace_length is not None:
            prefix = Prefix(
                trace_length=counted.trace_length,
                exact=whole.trace_length == plan.long.trace_length,
            )
        return Shown(
            checkpoint=checkpoint,
            source=written.source,
            printed=outcomes[0].stdout,
            answer=answers[0],
            prefix=prefix,
        )

    def _disarmed(self, plan: Plan, checkpoint: Checkpoint) -> Counted | None:
        """Check 7; the run on the long input, where it is a counted one."""
        disarmed = self._written(plan, checkpoint, armed=False)
        counted = None
        for legal in (plan.short, plan.long):
            counted = self._counted(disarmed, legal)
            outcome = (
                counted.outcome
                if counted
                else self._measurer.run(self._like(disarmed.source), legal, PLAIN)
            )
            if not outcome.clean or outcome.stdout != legal.stdout:
                raise _refuse(
                    "preservation",
                    "instrumentation_changes_output",
                    f"with its {checkpoint.place} checkpoint disarmed, the program does not print "
                    f"on {legal.input.name} what the clean one does",
                    plan.loop,
                )
        return counted

    def _counted(self, shown: Instrumented, legal: LegalInput) -> Counted | None:
        counted = self._measurer.counted(shown, legal)
        if isinstance(counted, Finding):
            raise RefusedError(counted)
        return counted

    def _written(self, plan: Plan, checkpoint: Checkpoint, *, armed: bool) -> Instrumented:
        fields, needs = plan.projection.fields, plan.projection.needs
        return self._reading.write(plan.loop, checkpoint, fields, needs, armed=armed)

    def _like(self, source: bytes) -> Program:
        """Another text of the candidate's language."""
        return Program(language=self._program.language, source=source)

    def _answer(self, plan: Plan, checkpoint: Checkpoint, outcome: Outcome) -> str:
        """The state that an armed run prints, after what had been flushed by then."""
        names = [field.name for field in plan.projection.fields]
        problem = ending_of(outcome)
        if problem is not None and problem[0] == "compile_error":
            detail = f"with its checkpoint written in it does not compile: {problem[1]}"
            raise _refuse("source", "parser_limit", detail, plan.loop)
        found = [] if problem else list(_states(outcome.stdout, plan.long.stdout, names))
        if len(found) == 1:
            return found[0]
        said = "it cannot be told from what is printed before it" if found else "it is not reached"
        raise _refuse(
            "reachability",
            "checkpoint_not_reached",
            f"the {checkpoint.place} checkpoint at visit {checkpoint.visit}: "
            + (problem[1] if problem else said),
            plan.loop,
        )

    def _same_over_orders(self, plan: Plan, states: Sequence[Shown]) -> None:
        """Check 2 again, harder: a set of two texts has one order under half of all hash seeds."""
        runs = [
            *((self._program, traced, traced.stdout) for traced in (plan.short, plan.long)),
            *((self._like(shown.source), plan.long, shown.printed) for shown in states),
        ]
        first = self._parameters.repeats
        for repeat in range(first, first + self._parameters.order_repeats):
            for program, legal, printed in runs:
                if self._measurer.run(program, legal, repeat).stdout != printed:
                    what = "output" if program is self._program else "state"
                    raise _refuse(
                        "determinism",
                        f"{what}_varies",
                        f"its {what} on {legal.input.name} is not the same under every hash seed",
                    )

    def _observed(self, plan: Plan) -> Observed:
        """The long run once more, under another hash seed, read at both checkpoints."""
        moments = (plan.moments.inside.moment, plan.moments.post.moment)
        names = [field.name for field in plan.projection.fields]
        return self._measured(plan.long, moments, names)

    def _measured(
        self, traced: TracedInput, moments: Sequence[Moment] = (), names: Sequence[str] = ()
    ) -> Observed:
        observed = self._measurer.measure(self._program, traced, moments, names)
        if isinstance(observed, Finding):
            raise RefusedError(observed)
        return observed

    def _oracles_agree(
        self, plan: Plan, shown: Shown, planned: Snapshot, expected: str, observed: Observed
    ) -> None:
        """Check 8: what the shown source prints is what the clean program holds there."""
        place = shown.checkpoint.place
        seen = observed.at(planned.moment)
        if seen is None or seen.visit != shown.checkpoint.visit:
            raise _refuse(
                "reachability",
                "visit_differs",
                f"under another hash seed the clean program is not at its {place} checkpoint at "
                f"visit {shown.checkpoint.visit}",
                plan.loop,
            )
        whole = plan.long.trace_length
        if seen.trace_length is not None and seen.trace_length > whole + max(64, whole // 100):
            raise _refuse(
                "determinism",
                "trace_contradicts_itself",
                f"{seen.trace_length} {self._language.unit} up to the {place} checkpoint, "
                f"and {whole} in all",
                plan.loop,
            )
        for name, value in seen.variables.items():
            if not same(value, planned.variables[name]):
                raise _refuse(
                    "determinism",
                    "state_varies",
                    f"{name} is not the same over repeats at the {place} checkpoint",
                    plan.loop,
                )
        difference = compare("json", expected, shown.answer)
        if difference is not None:
            where = difference.where
            raise _refuse(
                "two_oracles",
                "states_differ",
                f"{place} state, at {where}: the shown source prints {shown.answer[:120]}, "
                f"the clean program holds {expected[:120]}",
                plan.loop,
            )

    def _states_sound(self, plan: Plan, inside: Shown, post: Shown) -> None:
        """Checks 5, 6 and 9 once more, on what was really printed."""
        states = [read_json(shown.answer) for shown in (inside, post)]
        kinds = [
            [(name, json_type(value)) for name, value in state.value.items()]
            for state in states
            if isinstance(state, Read) and isinstance(state.value, dict)
        ]
        if len(kinds) < 2 or kinds[0] != kinds[1]:
            raise _refuse(
                "agreement",
                "fields_disagree",
                f"names, order or types of the fields: {kinds}",
                plan.loop,
            )
        if inside.answer == post.answer:
            raise _refuse("change", "nothing_changes", "both states are equal", plan.loop)
        longest = max(len(inside.answer), len(post.answer))
        if longest > self._parameters.max_state_characters:
            limit = self._parameters.max_state_characters
            raise _refuse(
                "bounds", "state_too_long", f"{longest} characters, limit {limit}", plan.loop
            )


def _states(printed: bytes, clean: bytes, names: Sequence[str]) -> Iterator[str]:
    """Every reading of `printed` as a beginning of the clean output and then one state."""
    at = -1
    while (at := printed.find(b"{", at + 1)) >= 0 and clean.startswith(printed[:at]):
        text = printed[at:].decode("utf-8", "replace")
        state = read_json(text)
        if isinstance(state, Read) and isinstance(state.value, dict) and list(state.value) == names:
            yield text


_HOPELESS = frozenset({"cpu_limit", "wall_limit", "missing_module", "memory_limit"})
"""Reasons on one input that make trying the others pointless."""
