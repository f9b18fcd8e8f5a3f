"""`builder dataset diff`: which questions of two datasets differ, why, and what that outdates."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deskcheck.builder.listing import visible

if TYPE_CHECKING:
    from deskcheck.builder.differences import Difference, Outdated


@click.command()
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@click.option(
    "--runs",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A run on the first dataset, whose replies are counted; may be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
def diff(first: Path, second: Path, runs: tuple[Path, ...], as_json: bool) -> None:
    """Say what became of the dataset FIRST in the dataset SECOND, candidate by candidate.

    A reply is valid for as long as the id of its task is there: `builder evaluate --reuse` takes
    it over. Where the answer to a task has changed, `builder grade` grades it again.
    """
    from deskcheck.builder.dataset import locate
    from deskcheck.builder.differences import difference, outdated

    found = difference(locate(first), locate(second))
    counted = [outdated(found, run) for run in runs]
    if as_json:
        runs_json = [asdict(each) for each in counted]
        click.echo(json.dumps({**asdict(found), "runs": runs_json}))
        return
    click.echo("\n".join(map(visible, _lines(found, counted))))


def _lines(found: Difference, counted: list[Outdated]) -> Iterator[str]:
    if found.ids[0] == found.ids[1]:
        yield f"the rows are the same (id {found.ids[0][:8]})"
    for text in found.built:
        yield f"made otherwise: {text}"
    for each in found.changed:
        arms = f" [{', '.join(each.arms)}]" if 0 < len(each.arms) < 4 else ""
        yield f"{each.candidate}: {each.change}: {', '.join(each.why)}{arms}"
    yield (
        f"cases: {found.cases_unchanged} unchanged, {len(found.cases_removed)} gone, "
        f"{len(found.cases_added)} new"
    )
    answers = (
        f"{len(found.answers_changed)} of the unchanged ones with another answer"
        if found.answers_known
        else "answers not compared, as one copy has none"
    )
    yield (
        f"tasks: {len(found.tasks_unchanged)} unchanged, {len(found.tasks_removed)} gone, "
        f"{len(found.tasks_added)} new; {answers}"
    )
    for run in counted:
        yield (
            f"{run.run}: {run.valid} replies are valid, {run.regrade} of them to be graded again; "
            f"{run.outdated} are outdated"
            + (f"; {run.foreign} belong to neither dataset" if run.foreign else "")
        )
