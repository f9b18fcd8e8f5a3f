"""Bank queue: inputs and an independent reference."""

from __future__ import annotations

from fractions import Fraction

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """`size` (at least three) customers for two tellers who are a little too slow.

    The third customer comes while the first two are still being served, so somebody waits.
    """
    count = max(size, 3)
    clock = draws.integer(0, 5)
    lines = []
    for customer in range(count):
        opening = customer < 3
        lines.append(f"{clock} {draws.integer(4 if opening else 2, 9)}")
        clock += 1 if opening else draws.integer(1, 4)
    return "\n".join([f"{count} 2", *lines]) + "\n"


def reference(stdin: str) -> str:
    """Customer by customer: each goes to the teller who is free first (Kiefer and Wolfowitz)."""
    (count, tellers), *rows = (tuple(map(int, line.split())) for line in stdin.splitlines())
    free = [rows[0][0]] * tellers
    starts: list[int] = []
    longest = 0
    for arrival, service in rows:
        starts.append(max(arrival, min(free)))
        free[free.index(min(free))] = starts[-1] + service
        longest = max(longest, sum(start > arrival for start in starts))
    waited = sum(start - row[0] for start, row in zip(starts, rows, strict=True))
    worked = sum(service for _, service in rows)
    return (
        f"mean wait: {Fraction(waited, count)}\n"
        f"busy: {100 * worked // (tellers * (max(free) - rows[0][0]))} percent\n"
        f"longest queue: {longest}\n"
    )


ALGORITHM = Algorithm(
    name="bank_queue",
    title="Event-driven queue with several tellers",
    area="simulation",
    source="J. Banks et al., Discrete-Event System Simulation, chapter 3",
    generate=generate,
    reference=reference,
    short=3,
    long=36,
)
