"""From measured candidates to those that a study takes, and the record of how they were chosen."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import log10
from pathlib import Path
from typing import Any

from deskcheck.builder.measured import Measured
from deskcheck.oracles.errors import DatasetError
from deskcheck.sources.network_simplex.selection import RULE, Band, holders, select

UNIT = "opcodes of the run on the last input"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The chosen candidates, by their names in the pool, and all that the choice depends on."""

    chosen: Sequence[str]
    """Band by band, in ascending order within a band."""
    record: Mapping[str, Any]

    @property
    def text(self) -> str:
        """One name a line."""
        return "".join(f"{name}\n" for name in self.chosen)


def choose(measured: Measured, bands: Sequence[Band], per_band: int, seed: int) -> Selection:
    """`per_band` candidates of each band; PoolError where bands overlap or one has too few.

    Where all names in the pool are numbers, as graph seeds are, they are chosen and sorted as
    numbers.
    """
    pool = measured.manifest.config["pool"]["name"]
    named = [
        (each.candidate.removeprefix(f"{pool}/"), each.last)
        for each in measured.candidates
        if each.last is not None
    ]
    if all(name.isascii() and name.isdigit() for name, _ in named):
        numbers = select([(int(name), length) for name, length in named], bands, per_band, seed)
        chosen = [str(number) for number in numbers]
    else:
        chosen = select(named, bands, per_band, seed)
    taken = [chosen[at : at + per_band] for at in range(0, len(chosen), per_band)]
    lengths = dict(named)
    record = {
        "rule": RULE,
        "unit": UNIT,
        "seed": seed,
        "per_band": per_band,
        "bands": [
            {
                **asdict(band),
                "found": len(holders(named, band)),
                "chosen": [{"name": name, "trace_length": lengths[name]} for name in names],
            }
            for band, names in zip(bands, taken, strict=True)
        ],
        "measured": asdict(measured.manifest),
        "chosen_sha256": sha256("".join(f"{name}\n" for name in chosen).encode()).hexdigest(),
    }
    return Selection(chosen=chosen, record=record)


def write(selection: Selection, path: Path) -> Path:
    """Write the names to `path`, and the record beside it as JSON; the record's path.

    DatasetError where either stands there already with other content, or cannot be written.
    """
    beside = path.with_name(f"{path.name}.json")
    record = json.dumps(selection.record, indent=2, sort_keys=True) + "\n"
    texts = {path: selection.text, beside: record}
    for name, text in texts.items():
        if name.exists() and not (name.is_file() and name.read_bytes() == text.encode()):
            raise DatasetError(
                f"{name} exists and is something else", "use another -o or remove it"
            )
    try:
        for name, text in texts.items():
            name.write_text(text, "utf-8")
    except OSError as error:
        raise DatasetError(f"cannot write {path}: {error.strerror}", "use another -o") from error
    return beside


BAR, PER_DECADE = 50, 10


def histogram(lengths: Sequence[int], bands: Sequence[Band]) -> str:
    """How many candidates have about which length: ten bins to each power of ten, bands named.

    A bin is given to the band that its middle lies in.
    """
    bins: dict[int, int] = {}
    for length in lengths:
        number = int(log10(max(length, 1)) * PER_DECADE)
        bins[number] = bins.get(number, 0) + 1
    if not bins:
        return "no candidate was counted"
    most = max(bins.values())
    lines = []
    for number in range(min(bins), max(bins) + 1):
        low, count = round(10 ** (number / PER_DECADE)), bins.get(number, 0)
        middle = 10 ** ((number + 0.5) / PER_DECADE)
        name = next((band.name for band in bands if band.low <= middle < band.high), "")
        bar = "#" * -(-count * BAR // most)
        lines.append(f"{low:>11,} {count:>8,} {bar:{BAR}} {name}".rstrip())
    return "\n".join(lines)
