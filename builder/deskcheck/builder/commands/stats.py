"""`builder dataset stats`: what a dataset is made of."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deskcheck.builder.cases import ARMS

if TYPE_CHECKING:
    from deskcheck.builder.composition import Profile, ReasonCount


@click.command()
@click.argument("dataset", required=False, type=click.Path(path_type=Path))
@click.option("--per-case", is_flag=True, help="One row for each case instead.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
def stats(dataset: Path | None, per_case: bool, as_json: bool) -> None:
    """Print what DATASET is made of, study by study, and what was rejected.

    Without DATASET, the only one in ./datasets or ./quickstart.
    """
    from deskcheck.builder import composition
    from deskcheck.builder.dataset import locate, read_dataset

    folder = locate(dataset)
    read = read_dataset(folder)
    if per_case:
        profiles = composition.profiles(read)
        if as_json:
            click.echo(json.dumps([asdict(profile) for profile in profiles]))
        else:
            click.echo(aligned(_case_rows(profiles)))
        return
    studies = composition.composition(read)
    reasons = composition.reasons(rejected.findings for rejected in read.rejections)
    if as_json:
        facts = {
            "folder": str(folder),
            "name": read.manifest.name,
            "id": read.manifest.id,
            "studies": [asdict(study) for study in studies],
            "reasons": [asdict(reason) for reason in reasons],
        }
        click.echo(json.dumps(facts))
        return
    click.echo(f"{folder} (rows {read.manifest.id[:8]}): medians (least to greatest)\n")
    click.echo(aligned(composition.composition_table(studies)))
    click.echo(f"\n{len(read.rejections)} rejected, by first finding")
    if reasons:
        click.echo(aligned(_reason_rows(reasons)))


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """The rows in columns, the first one on the left and the others on the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            text.rjust(width) if place else text.ljust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _reason_rows(reasons: Sequence[ReasonCount]) -> list[list[str]]:
    return [
        ["check: reason", "programs", "findings"],
        *(
            [f"{each.check}: {each.reason}", str(each.candidates), str(each.findings)]
            for each in reasons
        ),
    ]


def _case_rows(profiles: Sequence[Profile]) -> list[list[str]]:
    heading = ["candidate", "case", "study", "CC", "lines", "nest", "short", "long", "ratio"]
    heading += [
        "iter",
        "peak",
        "fields",
        *(f"ans {arm.partition('-')[0]}" for arm in ARMS),
        "flags",
    ]
    return [heading, *(_case_row(profile) for profile in profiles)]


def _case_row(profile: Profile) -> list[str]:
    flags = [f"floor {profile.floor}"] if profile.floor else []
    flags += ["printed_before"] if profile.printed_before else []
    flags += ["post_contains_output"] if profile.post_contains_output else []
    return [
        profile.candidate,
        profile.case[:8],
        profile.study,
        str(profile.cyclomatic),
        str(profile.source_lines),
        str(profile.nesting),
        str(profile.trace_short),
        str(profile.trace_long),
        str(profile.trace_ratio),
        str(profile.iterations),
        "-" if profile.peak_state is None else str(profile.peak_state),
        str(profile.fields),
        *(str(profile.answer_characters[arm]) for arm in ARMS),
        ", ".join(flags) or "-",
    ]
