"""What reasoning gains: settings of one model that differ in their reasoning mode, pair by pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deskcheck.analysis.frames import labels
from deskcheck.analysis.pairs import Paired, paired, setting_pairs
from deskcheck.analysis.results import Named, Results
from deskcheck.builder.cases import ARMS, Arm

OFF = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """A model in a mode with reasoning, the first side, against the same model without."""

    model: str
    on: Named
    off: Named
    arm: Arm | None
    """None for all arms together."""
    paired: Paired


def mode_pairs(settings: Sequence[Named]) -> Iterator[tuple[Named, Named]]:
    """Every setting that reasons with every one of the same model whose mode is `off`."""
    for on in settings:
        for off in settings:
            same = on.setting.model == off.setting.model
            if same and on.setting.reasoning != OFF and off.setting.reasoning == OFF:
                yield on, off


def gains(results: Results) -> list[Gain]:
    """The gains over all arms and in each, for every pair of modes that has a task in common."""
    cells = results.selected
    names, found = labels(cells, "setting"), []
    for on, off in mode_pairs(results.models):
        pairs = setting_pairs(cells[names == on.name], cells[names == off.name])
        arms = labels(pairs, "arm")
        for arm in (None, *ARMS):
            own = pairs if arm is None else pairs[arms == arm]
            if len(own):
                found.append(
                    Gain(model=on.setting.model, on=on, off=off, arm=arm, paired=paired(own))
                )
    return found
