"""`builder dataset verify`: is a dataset still what it says, on this machine?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from deskcheck.builder.commands.engine_option import engine_of, engine_options
from deskcheck.builder.listing import visible

if TYPE_CHECKING:
    from deskcheck.builder.stored import Drift
    from deskcheck.builder.verification import Verification

DRIFT = 4


@click.command()
@click.argument("dataset", required=False, type=click.Path(path_type=Path))
@click.option("--python", "python", metavar="EXE", help="The interpreter to measure with.")
@click.option("--cxx", metavar="EXE", help="The compiler for C++ programs.")
@engine_options
@click.option("--quick", is_flag=True, help="One repeat of each run, not all that were declared.")
@click.option(
    "--allow-unisolated",
    is_flag=True,
    help="Run programs even where this machine cannot shut them off.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
def verify(
    dataset: Path | None,
    python: str | None,
    cxx: str | None,
    engine: str,
    workers: int | None,
    quick: bool,
    allow_unisolated: bool,
    as_json: bool,
) -> None:
    """Look DATASET through and run every oracle again; each thing that has changed is one line.

    Ends with 0 when nothing has, with 4 when something has, with 3 when the folder cannot be read.
    Without DATASET, the only one in ./datasets or ./quickstart.
    """
    from deskcheck.builder.dataset import locate, require_answers
    from deskcheck.builder.verification import verify as verified
    from deskcheck.oracles.runtimes.python import find_interpreter

    folder = locate(dataset)
    require_answers(folder)
    found = verified(
        folder,
        find_interpreter(python),
        engine=engine_of(engine, workers),
        cxx=cxx,
        quick=quick,
        allow_unisolated=allow_unisolated,
    )
    if as_json:
        click.echo(json.dumps(_facts(found)))
    else:
        click.echo("\n".join(map(visible, _lines(found))))
    if found.drift:
        click.get_current_context().exit(DRIFT)


def _lines(found: Verification) -> Iterator[str]:
    for text in found.toolchain:
        yield f"toolchain: {text}"
    for drift in found.drift:
        because = "[toolchain] " if drift.toolchain else ""
        yield f"{drift.item} {drift.place}: {because}{drift.cause}: {drift.detail}"
    times = "once" if found.repeats == 1 else f"{found.repeats} times"
    run = f"{found.measured} of {found.cases} cases were run again, {times}"
    if not found.drift:
        yield f"{found.folder} (rows {found.id[:8]}) is what it says; {run}"
        return
    counts = Counter(drift.toolchain for drift in found.drift)
    because = f", {counts[True]} of them from the toolchain" if counts[True] else ""
    yield f"{found.folder} (rows {found.id[:8]}) has {_counted(found.drift)}{because}; {run}"


def _counted(drift: Sequence[Drift]) -> str:
    return f"{len(drift)} difference{'s' * (len(drift) > 1)}"


def _facts(found: Verification) -> dict[str, Any]:
    facts = asdict(found)
    return {**facts, "folder": str(found.folder), "same": not found.drift}
