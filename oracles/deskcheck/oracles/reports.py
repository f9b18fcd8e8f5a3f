"""Reports of measured runs, as whatever runs beside a program writes them, read into records."""

from __future__ import annotations

from typing import Any

from deskcheck.oracles.observations import (
    Activation,
    LoopProfile,
    Moment,
    Observed,
    Snapshot,
    StateSize,
)
from deskcheck.oracles.outcomes import Outcome
from deskcheck.oracles.values import decode

MALFORMED = (TypeError, KeyError, ValueError, IndexError, AttributeError)
"""What reading a report raises that is missing, or in which the program has meddled."""


def observed(outcome: Outcome, report: dict[str, Any]) -> Observed:
    """What a watched run tells; raises one of MALFORMED where the report does not hold it."""
    return Observed(
        outcome=outcome,
        reported=True,
        too_long=report["too_long"],
        trace_length=report["opcodes"],
        state=_state_size(report["state"]),
        loops=tuple(loop_profile(row) for row in report["loops"]),
        snapshots=tuple(snapshot(row) for row in report["snapshots"]),
    )


def _state_size(row: list[int] | None) -> StateSize | None:
    return None if row is None else StateSize(peak=row[0], load=row[1], boundaries=row[2])


def loop_profile(row: dict[str, Any]) -> LoopProfile:
    return LoopProfile(
        loop=row["loop"],
        visits=row["visits"],
        exits=row["exits"],
        entries=row["entries"],
        most=row["most"],
        activations=tuple(
            Activation(ordinal=ordinal, iterations=iterations, exit_visit=exit_visit)
            for ordinal, iterations, exit_visit in row["activations"]
        ),
        constant_strides={int(k): tuple(names) for k, names in row["strides"].items()},
    )


def snapshot(row: dict[str, Any]) -> Snapshot:
    variables = row["variables"]
    return Snapshot(
        moment=Moment(
            row["loop"],
            row["place"],
            row["activation"],
            row["iteration"] if row["place"] == "inside" else 0,
        ),
        visit=row["visit"],
        stdin=row["stdin"],
        printed=row["printed"],
        variables={name: decode(held["value"]) for name, held in variables.items()},
        aliases={name: held["same_object_as"] for name, held in variables.items()},
        trace_length=row["opcodes"],
        state=_state_size(row["state"]),
    )
