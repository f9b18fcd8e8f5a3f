"""`builder admit`: judge the programs of pools and write the dataset of the sound cases."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import click

from deskcheck.builder.cases import Admitted
from deskcheck.builder.commands.engine_option import engine_of, engine_options
from deskcheck.builder.commands.pools import key_and_value
from deskcheck.builder.judging import Judging
from deskcheck.builder.parameters import Parameters
from deskcheck.builder.pipeline import BuildRequest, Built, PoolRequest, Shard, build
from deskcheck.oracles.runtimes.python import find_interpreter
from deskcheck.sources.pools import PoolOptions

BELOW_THRESHOLD = 4


def parse_shard(ctx: click.Context, param: click.Parameter, value: str) -> Shard:
    """`2/8` is the second of eight."""
    number, _, of = value.partition("/")
    if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
        raise click.BadParameter(f"{value!r} is not a shard such as 2/8")
    return Shard(number=int(number), of=int(of))


@click.command()
@click.option(
    "--pool",
    "pools",
    multiple=True,
    help="A pool to take programs from; may be repeated. See `builder pools list`.",
)
@click.option("--data", type=click.Path(), help="Where the pool's data lie.")
@click.option(
    "--option", "settings", multiple=True, metavar="KEY=VALUE", help="A pool-specific option."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of inputs and iterations.")
@click.option(
    "-o",
    "--output-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default="datasets",
    show_default=True,
    help="The dataset appears in it as NAME-ID.",
)
@click.option("--name", default="", help="Of the dataset.  [default: the pools' names]")
@click.option("--python", "python", metavar="EXE", help="The interpreter to measure with.")
@click.option("--cxx", metavar="EXE", help="The compiler for C++ programs.")
@engine_options
@click.option(
    "--shard", callback=parse_shard, default="1/1", help="Judge part I of N only, as I/N."
)
@click.option(
    "--stop-after", type=click.IntRange(min=1), help="Stop at so many admitted, in pool order."
)
@click.option(
    "--min-admitted",
    type=click.IntRange(min=0),
    default=0,
    help="End with status 4 when fewer are admitted.",
)
@click.option(
    "--max-trace-length",
    type=click.IntRange(min=1),
    default=Parameters().max_trace_length,
    show_default=True,
    help="Opcodes of one run, or region counts in C++, at most.",
)
@click.option(
    "--max-state-characters",
    type=click.IntRange(min=1),
    default=Parameters().max_state_characters,
    show_default=True,
    help="Of a state answer, at most.",
)
@click.option(
    "--state-budget",
    type=click.IntRange(min=0),
    default=Parameters().state_budget,
    show_default=True,
    help="Slots walked to measure one run's state load; past it the load is not measured.",
)
@click.option(
    "--iteration-ratio",
    type=click.IntRange(min=1),
    default=Parameters().iteration_ratio,
    show_default=True,
    help="Iterations of the selected loop, long over short, at least.",
)
@click.option(
    "--wall-s",
    type=click.FloatRange(min=0.1),
    default=Parameters().wall_s,
    show_default=True,
    help="Wall-clock seconds of one run: a safety net.",
)
@click.option(
    "--cpu-s",
    type=click.FloatRange(min=0.1),
    default=Parameters().cpu_s,
    show_default=True,
    help="CPU seconds of one run: a safety net.",
)
@click.option(
    "--allow-unisolated",
    is_flag=True,
    help="Run programs even where this machine cannot shut them off; recorded.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
def admit(
    pools: tuple[str, ...],
    data: str | None,
    settings: tuple[str, ...],
    seed: int,
    output_dir: Path,
    name: str,
    python: str | None,
    cxx: str | None,
    engine: str,
    workers: int | None,
    shard: Shard,
    stop_after: int | None,
    min_admitted: int,
    max_trace_length: int,
    max_state_characters: int,
    state_budget: int,
    iteration_ratio: int,
    wall_s: float,
    cpu_s: float,
    allow_unisolated: bool,
    as_json: bool,
) -> None:
    """Judge the programs of pools and write the dataset of those that make sound cases.

    Every program gets a verdict, with a reason for each that is left out. Interrupted at any
    moment, the same command goes on where it stopped.
    """
    if not pools:
        raise click.UsageError("name a pool with --pool; `builder pools list` lists them")
    options = PoolOptions(seed=seed, data=data, options=dict(map(key_and_value, settings)))
    parameters = Parameters(
        seed=seed,
        max_trace_length=max_trace_length,
        max_state_characters=max_state_characters,
        state_budget=state_budget,
        iteration_ratio=iteration_ratio,
        wall_s=wall_s,
        cpu_s=cpu_s,
    )
    built = build(
        BuildRequest(
            pools=[PoolRequest(name=pool, options=options) for pool in pools],
            judging=Judging(
                interpreter=find_interpreter(python),
                parameters=parameters,
                allow_unisolated=allow_unisolated,
            ),
            engine=engine_of(engine, workers),
            output=output_dir,
            cxx=cxx,
            name=name,
            shard=shard,
            stop_after=stop_after,
        )
    )
    tell(built, as_json)
    for verdict in built.internal:
        click.echo(f"builder: {verdict.candidate}: {verdict.findings[0].detail}", err=True)
    context = click.get_current_context()
    if built.internal:
        context.exit(1)
    if _admitted(built) < min_admitted:
        click.echo(f"builder: fewer than {min_admitted} admitted", err=True)
        context.exit(BELOW_THRESHOLD)


def _admitted(built: Built) -> int:
    return sum(isinstance(verdict, Admitted) for verdict in built.verdicts)


def tell(built: Built, as_json: bool) -> None:
    reasons = Counter(
        f"{verdict.findings[0].check}: {verdict.findings[0].reason}"
        for verdict in built.verdicts
        if not isinstance(verdict, Admitted)
    )
    by_number = sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
    if as_json:
        click.echo(
            json.dumps(
                {
                    "folder": str(built.folder),
                    "id": built.manifest.id,
                    "judged": len(built.verdicts),
                    "admitted": _admitted(built),
                    "rejected": dict(by_number),
                }
            )
        )
        return
    click.echo(f"{_admitted(built)} of {len(built.verdicts)} programs admitted")
    for reason, count in by_number:
        click.echo(f"  {count:5}  {reason}")
    differing = sorted(
        {
            verdict.candidate
            for verdict in built.verdicts
            if isinstance(verdict, Admitted)
            and any(each.listed_output == "differs" for each in verdict.measures)
        }
    )
    if differing:
        shown = ", ".join(differing[:5]) + (", …" if len(differing) > 5 else "")
        click.echo(f"{len(differing)} print something other than the pool lists: {shown}")
    click.echo(f"dataset: {built.folder}")
    click.echo(f"look into it: builder dataset stats {built.folder}")
