"""`builder measure`: the trace length of every candidate of a pool, without admission."""

from __future__ import annotations

import json
from pathlib import Path

import click

from deskcheck.builder.commands.admit import parse_shard
from deskcheck.builder.commands.engine_option import engine_of, engine_options
from deskcheck.builder.commands.pools import key_and_value
from deskcheck.builder.measuring import Measuring, Which
from deskcheck.builder.parameters import Parameters
from deskcheck.builder.pipeline import PoolRequest, Shard
from deskcheck.builder.survey import FaultError, Surveyed, SurveyRequest, survey
from deskcheck.oracles.runtimes.python import find_interpreter
from deskcheck.sources.pools import PoolOptions


@click.command()
@click.option("--pool", required=True, help="The pool. See `builder pools list`.")
@click.option("--data", type=click.Path(), help="Where the pool's data lie.")
@click.option(
    "--option", "settings", multiple=True, metavar="KEY=VALUE", help="A pool-specific option."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of generated inputs.")
@click.option(
    "--inputs",
    "which",
    type=click.Choice(("last", "all")),
    default="last",
    show_default=True,
    help="Of each candidate: the last, which is the longest where inputs are generated, or all.",
)
@click.option(
    "--sample-check",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    metavar="N",
    help="Count one candidate in N, chosen by its id, by the reference too; 0 for none.",
)
@click.option(
    "-o",
    "--output-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default="measured",
    show_default=True,
    help="The counts appear in it as POOL-ID.",
)
@click.option("--python", "python", metavar="EXE", help="The interpreter to measure with.")
@engine_options
@click.option(
    "--shard", callback=parse_shard, default="1/1", help="Measure part I of N only, as I/N."
)
@click.option(
    "--allow-unisolated",
    is_flag=True,
    help="Run programs even where this machine cannot shut them off; recorded.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
def measure(
    pool: str,
    data: str | None,
    settings: tuple[str, ...],
    seed: int,
    which: Which,
    sample_check: int,
    output_dir: Path,
    python: str | None,
    engine: str,
    workers: int | None,
    shard: Shard,
    allow_unisolated: bool,
    as_json: bool,
) -> None:
    """Count the opcodes of every candidate's run, exactly and near native speed.

    Nothing is judged: a program that ends badly has a reason in place of a count. Interrupted at
    any moment, the same command goes on where it stopped. `builder select` chooses from the folder.
    """
    options = PoolOptions(seed=seed, data=data, options=dict(map(key_and_value, settings)))
    request = SurveyRequest(
        pool=PoolRequest(name=pool, options=options),
        job=Measuring(
            pool=pool,
            interpreter=find_interpreter(python),
            limits=Parameters().limits(),
            which=which,
            sample_check=sample_check,
            sample=None,
            allow_unisolated=allow_unisolated,
        ),
        engine=engine_of(engine, workers),
        output=output_dir,
        shard=shard,
    )
    try:
        surveyed = survey(request)
    except FaultError as error:
        click.echo(f"builder: {error}; this is a fault of ours, please report it", err=True)
        click.get_current_context().exit(1)
    _tell(surveyed, as_json)


def _tell(surveyed: Surveyed, as_json: bool) -> None:
    summary = surveyed.manifest.summary
    if as_json:
        click.echo(json.dumps({"folder": str(surveyed.folder), **summary}))
        return
    click.echo(f"{summary['counted']} of {summary['runs']} runs counted")
    for reason, count in summary["reasons"].items():
        click.echo(f"  {count:5}  {reason}")
    if summary["counted_by_reference"]:
        click.echo(f"{summary['counted_by_reference']} of them by the reference alone")
    if summary["checked_candidates"]:
        click.echo(f"counted by the reference too, and equal: {summary['checked_candidates']}")
    click.echo(f"counts: {surveyed.folder}")
