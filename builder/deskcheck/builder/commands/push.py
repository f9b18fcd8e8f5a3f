"""`builder dataset push`: put a dataset on the Hugging Face Hub."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import click


@click.command()
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option("--repo", required=True, metavar="ORG/NAME", help="Made where it is not there.")
@click.option("--private", is_flag=True, help="Where it is made: for you and ORG alone.")
@click.option("--with-answers", is_flag=True, help="Add the expected answers, under oracles/.")
@click.option("--dry-run", is_flag=True, help="List the files and ask the Hub nothing.")
def push(dataset: Path, repo: str, private: bool, with_answers: bool, dry_run: bool) -> None:
    """Put DATASET on the Hub as `builder dataset export` copies it, without the answers.

    The repository then holds this and nothing else; its earlier commits stay. Log in first with
    `hf auth login`, or set HF_TOKEN.
    """
    from deskcheck.builder import hub
    from deskcheck.builder.dataset import locate
    from deskcheck.builder.exporting import export, files

    folder = locate(dataset)
    if dry_run:
        with TemporaryDirectory() as temporary:
            out = Path(temporary) / "dataset"
            found = export(folder, out, answers=with_answers)
            for name in files(found, answers=with_answers):
                click.echo(f"{(out / name).stat().st_size:>12,}  {name}")
        kind = "private" if private else "public"
        click.echo(f"to {repo} ({kind} where it is made now); nothing was sent")
        return
    click.echo(hub.push(folder, repo, private=private, answers=with_answers))
