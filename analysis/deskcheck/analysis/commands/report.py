"""`builder report`: what the answers of graded runs show, as pages, tables and numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deskcheck.analysis.commands.options import cluster_option, dataset_option, runs_argument
from deskcheck.oracles.errors import DatasetError, RunError

if TYPE_CHECKING:
    from datetime import datetime

    from deskcheck.analysis.results import Cluster
    from deskcheck.analysis.runs import Run


@click.command()
@runs_argument
@dataset_option
@click.option(
    "-o",
    "--output-dir",
    type=click.Path(path_type=Path),
    default=Path("reports"),
    show_default=True,
    help="The report becomes a folder in this one.",
)
@cluster_option
@click.option(
    "--cutoff",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Compare programs published before this day with those from it on.",
)
@click.option("--no-cases", is_flag=True, help="No case pages; then no dataset is needed.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
def report(
    run: tuple[Path, ...],
    dataset: Path | None,
    output_dir: Path,
    cluster: Cluster,
    cutoff: datetime | None,
    no_cases: bool,
    as_json: bool,
) -> None:
    """Make a report of one or more graded RUNs on one dataset, and print where it is."""
    from deskcheck.analysis.errors.moments import moments_of
    from deskcheck.analysis.report.writing import write_report
    from deskcheck.analysis.results import Options, gather
    from deskcheck.analysis.runs import read_run, require_comparable
    from deskcheck.builder.dataset import read_answers, read_dataset

    if cutoff is not None and no_cases:
        raise click.UsageError("--cutoff needs the dataset's dates, and --no-cases leaves it out.")
    runs = [read_run(folder) for folder in run]
    require_comparable(runs)
    folder = None if no_cases else dataset_of(runs[0], dataset)
    results = gather(
        runs,
        Options(cluster=cluster, cutoff=cutoff.date().isoformat() if cutoff else None),
        read_dataset(folder) if folder else None,
        read_answers(folder) if folder else None,
        moments_of(runs) if folder else None,
    )
    written = write_report(results, output_dir)
    for notice in written.notices:
        if notice.warning:
            click.echo(notice.text, err=True)
    if as_json:
        facts = {
            "id": written.id,
            "folder": str(written.folder),
            "report": str(written.page),
            "warnings": [notice.text for notice in written.notices if notice.warning],
        }
        click.echo(json.dumps(facts))
        return
    click.echo(written.page)


def dataset_of(run: Run, given: Path | None) -> Path:
    """The folder of the run's dataset; RunError where another one lies there, or none."""
    from deskcheck.builder.dataset import locate, read_manifest

    wanted = f"dataset {run.config.dataset_name} ({run.config.dataset_id[:8]})"
    try:
        folder = locate(given or Path(run.config.dataset_path))
    except DatasetError as error:
        if given:
            raise
        raise RunError(
            f"the {wanted} of {run.folder} is not where it was: {error.what}",
            "say where it is (-d FOLDER), or leave the case pages out (--no-cases)",
        ) from None
    found = read_manifest(folder)
    if found.id != run.config.dataset_id:
        raise RunError(
            f"{run.folder} is on {wanted}, and {folder} is {found.name} ({found.id[:8]})",
            "name the right one (-d FOLDER)",
        )
    return folder
