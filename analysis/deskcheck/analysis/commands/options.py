"""Parameters that commands on graded runs have in common."""

from __future__ import annotations

from pathlib import Path

import click

runs_argument = click.argument("run", nargs=-1, required=True, type=click.Path(path_type=Path))
"""`run: tuple[Path, ...]`."""

dataset_option = click.option(
    "-d",
    "--dataset",
    type=click.Path(path_type=Path),
    help="Where the dataset lies.  [default: where the first run found it]",
)
"""`dataset: Path | None`."""

cluster_option = click.option(
    "--cluster",
    type=click.Choice(["origin", "program"]),
    default="origin",
    show_default=True,
    help="What uncertainty clusters on.",
)
"""`cluster: Cluster`."""
