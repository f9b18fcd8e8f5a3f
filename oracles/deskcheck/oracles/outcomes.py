"""What became of one run of a program: every ending is a value, never an exception."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Ending(StrEnum):
    """How a run ended."""

    EXITED = "exited"
    SIGNALLED = "signalled"
    CPU_LIMIT = "cpu_limit"
    WALL_LIMIT = "wall_limit"
    OUTPUT_LIMIT = "output_limit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds on one run. Times in seconds, sizes in bytes."""

    cpu_s: float = 20.0
    wall_s: float = 40.0
    memory: int = 2 * 1024**3
    output: int = 16 * 1024**2
    """Largest size of any one file the run writes, standard output and error included."""
    open_files: int = 64
    processes: int = 32
    """Processes and threads together, the program's own included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One run, ended. Times are in seconds and outside every identity."""

    ending: Ending
    exit_code: int | None
    """Exit status where `ending` is EXITED, else None."""
    signal: int | None
    """Signal number where `ending` is SIGNALLED, else None."""
    stdout: bytes
    stderr: bytes
    """At most the last 64 KiB."""
    collected: dict[str, bytes] = field(default_factory=dict)
    """Files asked for with `collect` that the run left in its scratch folder."""
    cpu_s: float
    wall_s: float
    peak_rss: int
    """Bytes."""

    @property
    def clean(self) -> bool:
        """True when the run ended by itself with status 0."""
        return self.ending is Ending.EXITED and self.exit_code == 0
