"""`builder dataset export`: copy a dataset as the Hub wants it."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The new folder.",
)
@click.option("--with-answers", is_flag=True, help="Add the expected answers, under oracles/.")
def export(dataset: Path, output: Path, with_answers: bool) -> None:
    """Copy DATASET to a folder that can be published: tables, programs and a card.

    The expected answers stay behind, so that nobody trains on them by accident.
    """
    from deskcheck.builder.dataset import locate
    from deskcheck.builder.exporting import export as exported
    from deskcheck.builder.exporting import files

    found = exported(locate(dataset), output, answers=with_answers)
    click.echo(
        f"{output}: {len(files(found, answers=with_answers))} files, rows {found.manifest.id[:8]}"
    )
    click.echo(f'open it: datasets.load_dataset("{output}", "tasks", split="test")')
