"""`builder grade`: grade a run's stored replies again; no model is asked anything."""

from __future__ import annotations

from pathlib import Path

import click

from deskcheck.evaluate.commands.telling import print_marks, tell_damage


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-d",
    "--dataset",
    type=click.Path(path_type=Path),
    help="The dataset, where it no longer lies where the run found it.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print JSON on standard output, a line for each run."
)
def grade(runs: tuple[Path, ...], dataset: Path | None, as_json: bool) -> None:
    """Grade the stored replies of RUNS again and rewrite their cells.

    The same replies always give the same cells, so this can be done at any time.
    """
    from deskcheck.evaluate.collating import dataset_of, grade_run
    from deskcheck.evaluate.store import RunFolder, locate_run

    for run in runs:
        folder = RunFolder(locate_run(run))
        place = dataset_of(folder.path, folder.config, dataset)
        print_marks(folder.path, grade_run(folder, place), as_json)
        tell_damage(folder)
