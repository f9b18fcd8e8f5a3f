"""The declared limits and choices of a build; all of them stand in the dataset's manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from deskcheck.oracles.outcomes import Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """What decides admission. Limits are counts, so that the same seed gives the same dataset on
    any machine; times and memory are safety nets with verdicts of their own."""

    seed: int = 0
    repeats: int = 3
    """Measured runs per input and per armed checkpoint, each under another hash seed."""
    order_repeats: int = 6
    """Further runs, each under one more hash seed, of a program that handles sets or hashes."""
    min_iterations: int = 8
    """Of the selected activation on the long input."""
    iteration_ratio: int = 4
    """Least ratio of the selected loop's iterations, long over short."""
    iteration_draws: int = 8
    """Iterations tried per activation until the state there is distinct."""
    loops_tried: int = 12
    """Largest (loop, activation) pairs whose states are looked at."""
    max_fields: int = 6
    max_state_characters: int = 400
    max_output_characters: int = 2_000
    max_source_characters: int = 32_000
    max_input_characters: int = 64_000
    max_trace_length: int = 2_000_000
    """Opcodes of one run."""
    max_inputs: int = 12
    """Inputs of a candidate that are tried, in its pool's order."""
    state_budget: int = 10_000_000
    """Slots visited to measure one run's state load, after which it is not measured."""
    cpu_s: float = 10.0
    wall_s: float = 20.0
    memory: int = 2 * 1024**3

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """The parameters that `as_dict` wrote down. Raises TypeError or ValueError otherwise."""
        made = cls(**row)
        read = {name: type(value)(getattr(made, name)) for name, value in asdict(cls()).items()}
        return cls(**read)

    def limits(self) -> Limits:
        """The safety nets of one run."""
        return Limits(cpu_s=self.cpu_s, wall_s=self.wall_s, memory=self.memory)

    def as_dict(self) -> dict[str, int | str]:
        """For a manifest or a journal's header: no floats, as those have no canonical text."""
        return {
            name: str(value) if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }
