"""`builder dataset merge`: make the whole dataset of its shards."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("shards", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default="datasets",
    show_default=True,
    help="The dataset appears in it as NAME-ID.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
def merge(shards: tuple[Path, ...], output_dir: Path, as_json: bool) -> None:
    """Make the dataset that `builder admit` gives without --shard of all its SHARDS.

    Rows, id and name are the same. Shards of other pools, seeds, limits or toolchains are refused,
    and so is a set of them that is not complete.
    """
    from deskcheck.builder.commands.admit import tell
    from deskcheck.builder.merging import merge as merged

    tell(merged(shards, output_dir), as_json)
