"""How a run's outcome is told on the command line: counts first, doubts loudly."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deskcheck.builder.commands.stats import aligned
from deskcheck.evaluate.cells import COMPLETED, STATUSES, Status

if TYPE_CHECKING:
    from deskcheck.evaluate.collating import Marks
    from deskcheck.evaluate.store import RunFolder

_MISSING: tuple[Status, ...] = ("over_length", "no_response", "engine_error")


def print_marks(folder: Path, marks: Mapping[str, Marks], as_json: bool) -> None:
    """A row for each setting: N, each status, C/R and C/N."""
    if as_json:
        click.echo(json.dumps({"run": str(folder), "settings": _facts(marks)}))
        return
    used: list[Status] = [
        name for name in STATUSES if any(each.statuses[name] for each in marks.values())
    ]
    rows = [["setting", "planned", *(name.replace("_", " ") for name in used), "C/R", "C/N"]]
    for setting, each in marks.items():
        completed = sum(each.statuses[status] for status in COMPLETED)
        rows.append(
            [
                setting,
                str(each.planned),
                *(str(each.statuses[name]) for name in used),
                _percent(each.statuses["correct"], completed),
                _percent(each.statuses["correct"], each.planned),
            ]
        )
    click.echo(aligned(rows))
    click.echo(f"run: {folder}")
    click.echo(f"look into it: builder report {folder}")


def tell_damage(folder: RunFolder) -> None:
    """A loud line where the last reading of the run's replies met damaged ones."""
    if folder.damaged:
        lines = "line is" if folder.damaged == 1 else "lines are"
        click.echo(
            f"builder: {folder.damaged} {lines} damaged in {folder.responses} and left out; "
            "builder evaluate asks again what has no other reply",
            err=True,
        )


def over_thresholds(marks: Mapping[str, Marks], thresholds: Mapping[str, float]) -> list[str]:
    """A loud line for each share of a model's replies that is above its threshold."""
    lines = []
    for setting, each in marks.items():
        if each.floor:
            continue
        shares = {
            "truncated": (each.share("truncated"), "replies were cut off"),
            "unparsed": (each.share("unparsed"), "replies give no readable answer"),
            "missing": (each.share(*_MISSING), "questions have no reply"),
        }
        for name, (share, what) in shares.items():
            if share > thresholds[name]:
                why = ""
                if name == "missing" and each.errors:
                    why = (
                        f" (mostly: {each.errors.most_common(1)[0][0]}); --retry-missing asks again"
                    )
                lines.append(
                    f"{setting}: {share:.0%} of its {what}, more than --max-{name} "
                    f"{thresholds[name]:g} allows{why}"
                )
    return lines


def _facts(marks: Mapping[str, Marks]) -> dict[str, object]:
    return {
        setting: {"planned": each.planned, "statuses": dict(each.statuses)}
        for setting, each in marks.items()
    }


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "-"
