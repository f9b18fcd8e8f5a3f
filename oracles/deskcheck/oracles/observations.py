"""What is asked of a measured run, and what it tells: the same records for every language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from deskcheck.oracles.checkpoints import Place
from deskcheck.oracles.outcomes import Outcome
from deskcheck.oracles.values import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A counted run. `trace_length` is None when the run left no report or `too_long`."""

    outcome: Outcome
    trace_length: int | None
    too_long: bool
    unread: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Activation:
    """One entry of a loop in one frame; `exit_visit` is the loop's count of normal ends then."""

    ordinal: int
    iterations: int
    exit_visit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopProfile:
    """One loop over one run; `activations` are the largest that ended normally, then by order."""

    loop: int
    visits: int
    exits: int
    entries: int
    most: int
    """Iterations of its largest activation, however that ended."""
    activations: tuple[Activation, ...]
    constant_strides: Mapping[int, tuple[str, ...]]
    """By watched activation: the names whose integer grew by one constant step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateSize:
    """|S| over the boundaries so far: its peak, its sum, and how many boundaries."""

    peak: int
    load: int
    boundaries: int


@dataclass(frozen=True, slots=True)
class Moment:
    """One boundary, addressed by activation: of its entry, one of its iterations, or its end.

    `iteration` counts from 1 within the activation, and is 0 for `before` and `post`.
    """

    loop: int
    place: Place | Literal["before"]
    activation: int
    iteration: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The wanted variables at one moment, read from the clean program's frame."""

    moment: Moment
    visit: int
    """The loop's count of such boundaries since the program began; of `before`, entries."""
    stdin: str
    """Where standard input stood; `iterated` while the program iterates over its lines."""
    printed: int
    """Bytes written to standard output so far."""
    variables: Mapping[str, Value]
    aliases: Mapping[str, str]
    """For each variable, the first wanted variable that is the very same object."""
    trace_length: int | None
    state: StateSize | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """A watched run; empty where the run left no report."""

    outcome: Outcome
    reported: bool
    problem: str = ""
    """Why there is no report, where that is no ending of the run: one line."""
    too_long: bool = False
    trace_length: int | None = None
    state: StateSize | None = None
    loops: tuple[LoopProfile, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()

    def loop(self, offset: int) -> LoopProfile | None:
        return next((loop for loop in self.loops if loop.loop == offset), None)

    def at(self, moment: Moment) -> Snapshot | None:
        """The snapshot at one moment, or None if it was not reached."""
        return next((shot for shot in self.snapshots if shot.moment == moment), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """What an observing run is asked for."""

    wanted: Sequence[Moment] = ()
    names: Mapping[int, Sequence[str]] = field(default_factory=dict)
    watch: Mapping[int, Sequence[int]] = field(default_factory=dict)
    keep: int = 3
    trace_lengths: bool = False
    state_budget: int = 0
    value_budget: int = 4_000
    boundary_limit: int = 2_000_000
    loops: Sequence[tuple[int, str, int]] = ()
    """Where the runtime is to find these very loops, in order: offset, kind and line of each."""
    records: Sequence[tuple[str, tuple[str, ...]]] = ()
    """Types of the program that are read field by field: name and fields."""
