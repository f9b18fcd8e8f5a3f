"""From a program and its legal inputs to one planned case: inputs, loop, iteration, fields.

Everything is chosen from iteration counts and observed state, never from opcode counts or from
any model's answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from deskcheck.builder.cases import Check, Finding
from deskcheck.builder.languages import Loop, Reading
from deskcheck.builder.measure import PROFILE, LegalInput, Measurer, TracedInput
from deskcheck.builder.parameters import Parameters
from deskcheck.builder.projection import Express, Moments, NoProjection, Projection, project
from deskcheck.oracles.checkpoints import Checkpoint
from deskcheck.oracles.expressions import Expressed, Inexpressible
from deskcheck.oracles.identity import Draws
from deskcheck.oracles.observations import (
    Activation,
    LoopProfile,
    Moment,
    Observed,
    Watch,
)
from deskcheck.oracles.programs import Program
from deskcheck.oracles.values import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A case as planned, before it is measured and checked."""

    short: LegalInput
    long: TracedInput
    loop: Loop
    activation: Activation
    iteration: int
    short_iterations: int
    long_iterations: int
    inside: Checkpoint
    post: Checkpoint
    moments: Moments
    projection: Projection
    passed_over: tuple[Finding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A loop activation on the long input that passes what can be told from counts."""

    loop: Loop
    activation: Activation
    short: LegalInput
    short_iterations: int
    long_iterations: int
    draws: tuple[int, ...]


_ONE_LEFT = "only one input is left that is within the limit on trace lengths"


class Planner:
    """Plans the case of one candidate."""

    def __init__(
        self,
        program: Program,
        reading: Reading,
        measurer: Measurer,
        parameters: Parameters,
    ) -> None:
        self._program = program
        self._reading = reading
        self._measurer = measurer
        self._parameters = parameters

    def plan(self, inputs: Sequence[LegalInput]) -> Plan | tuple[Finding, ...]:
        """The planned case, or every reason against each loop."""
        profiles: dict[str, Observed] = {}
        findings: list[Finding] = []
        for legal in inputs:
            profile = self._measurer.observe(self._program, legal, PROFILE, self.profiling())
            if isinstance(profile, Finding):
                findings.append(profile)
                if profile.reason != "trace_too_long":
                    return tuple(findings)
                continue
            profiles[legal.input.name] = profile
        by_size = sorted(
            (legal for legal in inputs if legal.input.name in profiles),
            key=lambda legal: _total(profiles[legal.input.name]),
        )
        long = self._longest(by_size, findings)
        if long is None:
            return tuple(findings)
        shorter = [legal for legal in by_size if legal.input.name != long.input.name]
        if not shorter:
            return (*findings, Finding(check="pair", reason="too_few_inputs", detail=_ONE_LEFT))
        pairs = self._pairs(long, shorter, profiles, findings)
        if not pairs:
            return tuple(findings)
        names = self._reading.live_at_heads([pair.loop for pair in pairs])
        observed = self._measurer.observe(
            self._program, long, PROFILE, self.watch_for(pairs, names)
        )
        if isinstance(observed, Finding):
            return (observed,)
        return self._choose(long, pairs, names, observed, findings)

    def profiling(self) -> Watch:
        # Each boundary takes more than one opcode, so this limit is never the stricter one.
        return Watch(boundary_limit=self._parameters.max_trace_length)

    def _longest(
        self, by_size: Sequence[LegalInput], findings: list[Finding]
    ) -> TracedInput | None:
        """The input with most loop iterations whose trace is within the limit, counted."""
        for legal in reversed(by_size):
            traced = self._measurer.traced(self._program, legal)
            if isinstance(traced, TracedInput):
                return traced
            findings.append(traced)
            if traced.reason != "trace_too_long":
                return None
        return None

    def _pairs(
        self,
        long: LegalInput,
        shorter: Sequence[LegalInput],
        profiles: Mapping[str, Observed],
        findings: list[Finding],
    ) -> list[Pair]:
        pairs: list[Pair] = []
        long_profile = profiles[long.input.name]
        for loop in self._reading.loops:
            profile = long_profile.loop(loop.offset)
            assert profile is not None, "both views of the program find the same loops"
            reason = self._against(loop, profile)
            if reason is not None:
                findings.append(reason)
                continue
            found = self._short_for(loop, profile.visits, long, shorter, profiles)
            if isinstance(found, Finding):
                findings.append(found)
                continue
            short, short_iterations = found
            pairs.extend(
                Pair(
                    loop=loop,
                    activation=activation,
                    short=short,
                    short_iterations=short_iterations,
                    long_iterations=profile.visits,
                    draws=self._draws(loop, activation, long.input.data),
                )
                for activation in profile.activations
                if activation.iterations >= self._parameters.min_iterations
            )
        pairs.sort(key=lambda pair: (-pair.activation.iterations, pair.loop.offset))
        return pairs[: self._parameters.loops_tried]

    def _against(self, loop: Loop, profile: LoopProfile) -> Finding | None:
        """What rules a loop out before its states are looked at."""
        least = self._parameters.min_iterations
        if profile.most < least:
            return _finding(
                loop,
                "too_few_iterations",
                f"at most {profile.most} iterations in one activation, {least} needed",
                iterations=profile.most,
            )
        if loop.uneditable:
            return _finding(loop, "not_editable", loop.uneditable)
        if loop.reads_stdin:
            return _finding(loop, "reads_stdin", "it reads standard input as it goes")
        if loop.iterates_set:
            return _finding(loop, "iterates_set", "it iterates over a set")
        if not any(activation.iterations >= least for activation in profile.activations):
            return _finding(
                loop,
                "left_abnormally",
                f"no activation of at least {least} iterations ends normally; "
                "a return, raise or exit leaves it",
            )
        return None

    def _short_for(
        self,
        loop: Loop,
        visits: int,
        long: LegalInput,
        shorter: Sequence[LegalInput],
        profiles: Mapping[str, Observed],
    ) -> tuple[LegalInput, int] | Finding:
        """The shortest input that runs this loop, by the declared ratio less than the long one."""
        ratio = self._parameters.iteration_ratio
        seen: list[int] = []
        for short in shorter:
            profile = profiles[short.input.name].loop(loop.offset)
            count = profile.visits if profile else 0
            seen.append(count)
            if count and count * ratio <= visits and short.stdout != long.stdout:
                return short, count
        return _finding(
            loop,
            "no_short_input",
            f"{visits} iterations on {long.input.name}, and no other input has 1 to "
            f"{visits // ratio} of them and another output; they have {seen}",
            long_iterations=visits,
        )

    def _draws(self, loop: Loop, activation: Activation, long: bytes) -> tuple[int, ...]:
        """Iterations to try, drawn from the middle half of the activation."""
        n = activation.iterations
        draws = Draws(  # by content, so that a program's name does not matter
            *("iteration", self._parameters.seed, self._program.sha, sha256(long).hexdigest()),
            *(loop.offset, activation.ordinal),
        )
        middle = range(-(-n // 4), 3 * n // 4 + 1)
        return tuple(draws.sample(middle, min(self._parameters.iteration_draws, len(middle))))

    def _choose(
        self,
        long: TracedInput,
        pairs: Sequence[Pair],
        names: Mapping[int, Sequence[str]],
        observed: Observed,
        findings: list[Finding],
    ) -> Plan | tuple[Finding, ...]:
        """The first pair that is eligible, preferring one before which nothing is printed."""
        second_choice: Plan | None = None
        for pair in pairs:
            reason: Finding | None = None
            for iteration in pair.draws:
                result = self.eligible(long, pair, iteration, names, observed)
                if isinstance(result, Finding):
                    reason = reason or result
                    continue
                plan = replace(result, passed_over=tuple(findings))
                if not plan.moments.inside.printed:
                    return plan
                second_choice = second_choice or plan
                reason = _finding(
                    pair.loop,
                    "prints_before",
                    f"{plan.moments.inside.printed} bytes are printed before iteration {iteration}",
                )
                break
            assert reason is not None
            findings.append(reason)
        return second_choice or tuple(findings)

    def eligible(
        self,
        long: TracedInput,
        pair: Pair,
        iteration: int,
        names: Mapping[int, Sequence[str]],
        observed: Observed,
    ) -> Plan | Finding:
        loop = pair.loop
        shots = [observed.at(moment) for moment in _moments(pair, iteration)]
        if any(shot is None for shot in shots):
            return _finding(loop, "not_reached", f"iteration {iteration} was not seen again")
        entry, before, inside, after, post = (shot for shot in shots if shot is not None)
        if "iterated" in (inside.stdin, post.stdin) or inside.stdin != post.stdin:
            return _finding(loop, "reads_stdin", "standard input is read between the checkpoints")
        ordered = self._reading.iterated_set(loop, entry.variables)
        if ordered is not None:
            return _finding(loop, "iterates_set", f"it iterates over {ordered}, which is a set")
        moments = Moments(entry=entry, before=before, inside=inside, after=after, post=post)
        profile = observed.loop(loop.offset)
        assert profile is not None
        strides = profile.constant_strides.get(pair.activation.ordinal, ())
        projection = project(
            moments,
            names[loop.offset],
            trivial=loop.targets | set(strides),
            express=self._expressing(loop),
            max_fields=self._parameters.max_fields,
            max_characters=self._parameters.max_state_characters,
        )
        if isinstance(projection, NoProjection):
            return loop_finding(
                projection.check,
                projection.reason,
                f"{projection.detail} (iteration {iteration} of {pair.activation.iterations})",
                loop,
            )
        return Plan(
            short=pair.short,
            long=long,
            loop=loop,
            activation=pair.activation,
            iteration=iteration,
            short_iterations=pair.short_iterations,
            long_iterations=pair.long_iterations,
            inside=Checkpoint(loop=loop.offset, place="inside", visit=inside.visit),
            post=Checkpoint(loop=loop.offset, place="post", visit=post.visit),
            moments=moments,
            projection=projection,
            passed_over=(),
        )

    def watch_for(self, pairs: Sequence[Pair], names: Mapping[int, Sequence[str]]) -> Watch:
        wanted = [moment for pair in pairs for k in pair.draws for moment in _moments(pair, k)]
        followed: dict[int, list[int]] = {}
        read: dict[int, Sequence[str]] = {}
        for pair in pairs:
            followed.setdefault(pair.loop.offset, []).append(pair.activation.ordinal)
            iterated = self._reading.iterated(pair.loop)
            read[pair.loop.offset] = list(dict.fromkeys([*names[pair.loop.offset], *iterated]))
        return Watch(wanted=list(dict.fromkeys(wanted)), names=read, watch=followed)

    def _expressing(self, loop: Loop) -> Express:
        def express(name: str, samples: Sequence[Value]) -> Expressed | Inexpressible:
            return self._reading.express(loop, name, samples)

        return express


def _total(profile: Observed) -> int:
    return sum(loop.visits for loop in profile.loops)


def _moments(pair: Pair, iteration: int) -> tuple[Moment, ...]:
    """Entry, k - 1, k, k + 1 and the end of one activation."""
    loop, ordinal = pair.loop.offset, pair.activation.ordinal
    return (
        Moment(loop, "before", ordinal),
        Moment(loop, "inside", ordinal, iteration - 1),
        Moment(loop, "inside", ordinal, iteration),
        Moment(loop, "inside", ordinal, iteration + 1),
        Moment(loop, "post", ordinal),
    )


def _finding(loop: Loop, reason: str, detail: str, **measured: int | str | bool) -> Finding:
    return loop_finding("loop", reason, detail, loop, **measured)


def loop_finding(
    check: Check, reason: str, detail: str, loop: Loop, **measured: int | str | bool
) -> Finding:
    """A finding about one loop, which it quotes."""
    return Finding(
        check=check,
        reason=reason,
        detail=detail,
        loop_line=loop.line,
        measured={"source_line": loop.text, **measured},
    )
