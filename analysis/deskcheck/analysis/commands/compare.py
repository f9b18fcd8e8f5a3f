"""`builder compare`: two settings, or two versions of a model, on the same questions."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deskcheck.analysis.commands.options import cluster_option, runs_argument
from deskcheck.builder.listing import visible
from deskcheck.oracles.errors import RunError

if TYPE_CHECKING:
    from deskcheck.analysis.results import Cluster


@click.command()
@runs_argument
@click.option(
    "-s",
    "--setting",
    multiple=True,
    help="The first setting, then the second; given once, it is looked for in both runs.",
)
@click.option(
    "--margin",
    type=click.FloatRange(0, 100, min_open=True),
    default=5.0,
    show_default=True,
    help="Points of difference below which two settings pass for equivalent.",
)
@cluster_option
@click.option(
    "-o",
    "--output-dir",
    type=click.Path(path_type=Path),
    help="Write the comparison into this folder, as Markdown, CSV and JSON.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
def compare(
    run: tuple[Path, ...],
    setting: tuple[str, ...],
    margin: float,
    cluster: Cluster,
    output_dir: Path | None,
    as_json: bool,
) -> None:
    """Compare two settings of one graded RUN, or one setting of each of two, task by task.

    Tasks are matched by their ids, so the runs may be on different datasets. Without -s they are
    the only two models of the run, or the only model of each. Differences are first less second.
    """
    from deskcheck.analysis.comparison import compare as compared
    from deskcheck.analysis.report.comparison import facts, files, on_screen
    from deskcheck.analysis.results import Options
    from deskcheck.analysis.runs import read_run
    from deskcheck.analysis.sides import choose_sides

    if len(run) > 2 or len(setting) > 2:
        raise click.UsageError("Two settings are compared, of one run or of two.")
    if math.isnan(margin):  # which no range leaves out
        raise click.UsageError("A margin is a number of points.")
    runs = [read_run(folder) for folder in run]
    first, second = choose_sides(runs, setting, Options(cluster=cluster))
    found = compared(first.cells, second.cells, margin / 100)
    if len(found.only_first) == len(first.cells):
        raise RunError(
            f"no task was asked of both {first.title} and {second.title}",
            "compare runs on one dataset, or on two that share cases",
        )
    if output_dir is not None:
        try:
            output_dir.mkdir(parents=True, exist_ok=True)
            for name, text in files(found, (first, second), cluster):
                (output_dir / name).write_text(text, "utf-8", newline="")
        except OSError as error:
            raise RunError(f"cannot write into {output_dir}: {error.strerror}") from error
    if as_json:
        click.echo(json.dumps(facts(found, (first, second), cluster)))
    else:
        for line in on_screen(found, (first, second), cluster):
            click.echo(visible(line))
