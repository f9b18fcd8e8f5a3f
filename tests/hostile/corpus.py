"""The hostile programs, each with what it tries and what must come of it, as its head says.

`# Tries:` and `# Comes to:` are for readers. `# Verdict:` is `admitted`, a `check/reason`, or
`!admitted` for a program that races; `# Unisolated:` the verdict where no optional layer is there,
`*` where nothing is promised of it, `-` for one that is not run there. `# Inputs:`, `# Cpu:` and
`# Wall:` are given to it; `# Shows:` must be in what it prints and `# Forbidden:` must not.
`# Leaves:` is what may be left where no layer is there; `# Reach: outside` marks programs that try
to change something outside their folder.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"
INPUTS = (b"4\n", b"48\n")
NOT_ADMITTED, ANYTHING, NOT_RUN = "!admitted", "*", "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hostile:
    """One program of the corpus."""

    name: str
    source: bytes
    verdict: str
    unisolated: str
    inputs: tuple[bytes, ...]
    cpu_s: float
    wall_s: float
    shows: str
    forbidden: str
    leaves: str
    outside: bool

    def allows(self, verdict: str, *, isolated: bool) -> bool:
        """Whether `verdict`, a check and a reason, is what must come of it."""
        expected = self.verdict if isolated else self.unisolated
        if expected == NOT_ADMITTED:
            return verdict != "admitted"
        return expected in (ANYTHING, verdict)


def corpus() -> list[Hostile]:
    """All programs, by name."""
    return [_read(path) for path in sorted(PROGRAMS.glob("*.py"))]


def _read(path: Path) -> Hostile:
    head: dict[str, str] = {}
    for line in path.read_text("utf-8").splitlines():
        if not line.startswith("# "):
            break
        name, _, value = line.removeprefix("# ").partition(": ")
        head[name] = value
    inputs = head.get("Inputs")
    return Hostile(
        name=path.stem,
        source=path.read_bytes(),
        verdict=head["Verdict"],
        unisolated=head.get("Unisolated", head["Verdict"]).partition(" -- ")[0],
        inputs=tuple(map(str.encode, ast.literal_eval(inputs))) if inputs else INPUTS,
        cpu_s=float(head.get("Cpu", "0.8")),
        wall_s=float(head.get("Wall", "8")),
        shows=head.get("Shows", ""),
        forbidden=head.get("Forbidden", ""),
        leaves=head.get("Leaves", ""),
        outside=head.get("Reach") == "outside",
    )
