"""`builder select`: choose the same number of measured candidates from each declared band."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click

from deskcheck.sources.network_simplex.selection import Band

_BAND = re.compile(r"([\w.+-]+)=(\d{1,15})-(\d{1,15})", re.ASCII)


def parse_bands(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> list[Band]:
    """`easy=40000-80000` holds trace lengths from 40,000 up to 79,999."""
    bands: list[Band] = []
    for text in value:
        match = _BAND.fullmatch(text)
        if match is None:
            raise click.BadParameter(f"{text!r} is not a band such as easy=40000-80000")
        name, low, high = match.groups()
        if any(band.name == name for band in bands):
            raise click.BadParameter(f"two bands are named {name!r}")
        bands.append(Band(name=name, low=int(low), high=int(high)))
    return bands


@click.command()
@click.argument("measured", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--band",
    "bands",
    multiple=True,
    required=True,
    callback=parse_bands,
    metavar="NAME=LOW-HIGH",
    help="Trace lengths from LOW up to, but not including, HIGH; may be repeated.",
)
@click.option(
    "--per-band",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Candidates to take from each band.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the choice.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The names of those chosen, one a line; FILE.json beside it says how.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
def select(
    measured: tuple[Path, ...],
    bands: list[Band],
    per_band: int,
    seed: int,
    output: Path,
    as_json: bool,
) -> None:
    """Choose as many candidates from each band of trace lengths, by a rule that is written down.

    MEASURED is the folder of a `builder measure`, or the folders of all its shards. The choice
    depends on the counts, the bands and the seed, and on nothing else.
    """
    from deskcheck.builder.measured import joined
    from deskcheck.builder.selecting import choose, histogram, write

    whole = joined(measured)
    selection = choose(whole, bands, per_band, seed)
    beside = write(selection, output)
    if as_json:
        click.echo(json.dumps(selection.record))
        return
    lengths = [each.last for each in whole.candidates if each.last is not None]
    click.echo(histogram(lengths, bands))
    for band in selection.record["bands"]:
        click.echo(
            f"{band['name']}: {per_band} of {band['found']:,}, "
            f"from {band['low']:,} to {band['high']:,}"
        )
    click.echo(f"chosen: {output}, with its record {beside}")
