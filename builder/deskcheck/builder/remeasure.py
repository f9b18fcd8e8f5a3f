"""A stored case measured again: its plan is what the case says, and everything else is run."""

from __future__ import annotations

from collections.abc import Sequence

from deskcheck.builder.admission import judge_planned
from deskcheck.builder.cases import Finding, StoredCase, Verdict
from deskcheck.builder.construction import Pair, Plan, Planner
from deskcheck.builder.languages import Languages, Loop, Reading
from deskcheck.builder.measure import PROFILE, LegalInput, Measurer, TracedInput
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.observations import Activation, LoopProfile, Observed
from deskcheck.oracles.programs import Program
from deskcheck.sources.pools import Candidate, Input, Provenance


def judge_again(stored: StoredCase, languages: Languages, parameters: Parameters) -> Verdict:
    """What this machine makes of the case: the case itself where nothing has changed.

    Its inputs, loop, activation, iteration and fields are given and not chosen again. The sources
    that the state arms show are run as they stand; the verdict holds those that would be written
    now. What no run can tell is taken over (provenance, tags) or left open (listed outputs, loops
    passed over).
    """
    candidate = candidate_of(stored)

    def planned(
        reading: Reading, inputs: Sequence[LegalInput], measurer: Measurer
    ) -> Plan | tuple[Finding, ...]:
        planner = _Replanner(candidate.program, reading, measurer, parameters)
        result = planner.replan(stored, inputs)
        return (result,) if isinstance(result, Finding) else result

    armed = {task.arm: task.source.encode("utf-8") for task in stored.tasks}
    return judge_planned(
        candidate,
        languages,
        parameters,
        planned,
        {"inside": armed["inside-loop-state"], "post": armed["post-loop-state"]},
    )


def candidate_of(stored: StoredCase) -> Candidate:
    """The program that the final arms show, with the two inputs of the case."""
    case = stored.case
    short, long = stored.tasks[:2]
    return Candidate(
        id=case.candidate,
        pool=case.pool,
        study=case.study,
        program=Program(language=case.language, source=short.source.encode("utf-8")),
        provenance=Provenance(
            licence=case.licence, author=case.author, origin=case.origin, url=case.url
        ),
        inputs=(
            Input(name=case.short_input, data=short.stdin.encode("utf-8")),
            Input(name=case.long_input, data=long.stdin.encode("utf-8")),
        ),
        final_rule=short.rule,
        tags=case.tags,
    )


class _Replanner(Planner):
    """Plans a case that is chosen already, by the same observations."""

    def replan(self, stored: StoredCase, inputs: Sequence[LegalInput]) -> Plan | Finding:
        """The stored case's plan, or what it says that this machine does not find."""
        if len(inputs) < 2:
            return Finding(
                check="pair", reason="too_few_inputs", detail="one of its inputs is not legal here"
            )
        case = stored.case
        loop = next((loop for loop in self._reading.loops if loop.offset == case.loop_offset), None)
        if loop is None:
            return _unlike("loop_differs", f"no loop begins at byte {case.loop_offset}")
        short, given = inputs
        long = self._measurer.traced(self._program, given)
        if isinstance(long, Finding):
            return long
        profiles = [self._profile(legal, loop) for legal in (short, long)]
        for profile in profiles:
            if isinstance(profile, Finding):
                return profile
        shorter, longer = (each for each in profiles if isinstance(each, LoopProfile))
        activation = _activation(longer, case.post_visit, case.iterations)
        if activation is None:
            return _unlike(
                "activation_differs",
                f"end {case.post_visit} of the loop in line {loop.line} is not that of an "
                f"activation of {case.iterations} iterations",
            )
        pair = Pair(
            loop=loop,
            activation=activation,
            short=short,
            short_iterations=shorter.visits,
            long_iterations=longer.visits,
            draws=(case.iteration,),
        )
        return self._at_iteration(stored, pair, long)

    def _profile(self, legal: LegalInput, loop: Loop) -> LoopProfile | Finding:
        observed = self._measurer.observe(self._program, legal, PROFILE, self.profiling())
        if isinstance(observed, Finding):
            return observed
        profile = observed.loop(loop.offset)
        assert profile is not None, "both views of the program find the same loops"
        return profile

    def _at_iteration(self, stored: StoredCase, pair: Pair, long: TracedInput) -> Plan | Finding:
        case = stored.case
        names = {pair.loop.offset: [field.name for field in case.fields]}
        live = self._reading.live_at_heads([pair.loop])
        read = {loop: [*fields, *live[loop]] for loop, fields in names.items()}
        observed = self._measurer.observe(
            self._program, long, PROFILE, self.watch_for([pair], read)
        )
        if not isinstance(observed, Observed):
            return observed
        plan = self.eligible(long, pair, case.iteration, names, observed)
        if isinstance(plan, Plan) and plan.inside.visit != case.inside_visit:
            return _unlike(
                "visit_differs",
                f"iteration {case.iteration} is visit {plan.inside.visit} of the loop's body, "
                f"the case says {case.inside_visit}",
            )
        return plan


def _activation(profile: LoopProfile, end: int, iterations: int) -> Activation | None:
    for activation in profile.activations:
        if (activation.exit_visit, activation.iterations) == (end, iterations):
            return activation
    return None


def _unlike(reason: str, detail: str) -> Finding:
    return Finding(check="reachability", reason=reason, detail=detail)
