"""`builder pools`: which pools there are, what each one offers, and whether it keeps its word."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from deskcheck.oracles.errors import DeskcheckError, PoolError
from deskcheck.sources.pools import PoolOptions, Unusable
from deskcheck.sources.registry import load_pool, pool_names

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")


@click.command(name="list")
@as_json
def list_pools(as_json: bool) -> None:
    """List the pools that can be named, built-in and third-party."""
    pools, broken = [], []
    for name in pool_names():
        try:
            pools.append((name, load_pool(name).info().title))
        except PoolError as error:  # one broken plugin must not hide the others
            broken.append(error)
    if as_json:
        click.echo(json.dumps([{"name": name, "title": title} for name, title in pools]))
    else:
        width = max(len(name) for name, _ in pools)
        for name, title in pools:
            click.echo(f"{name:{width}}  {title}")
    for each in broken:
        click.echo(f"builder: {each}", err=True)
    if broken:
        click.get_current_context().exit(3)


@click.command(name="show")
@click.argument("name")
@as_json
def show_pool(name: str, as_json: bool) -> None:
    """Describe the pool NAME and its options."""
    info = load_pool(name).info()
    if as_json:
        click.echo(json.dumps(asdict(info)))
        return
    click.echo(f"{info.name}: {info.title}\n\n{info.description}")
    if info.options:
        click.echo("\nOptions (--option KEY=VALUE):")
        width = max(len(option) for option in info.options)
        for option, text in info.options.items():
            click.echo(f"  {option:{width}}  {text}")


@click.command(name="check")
@click.argument("name")
@click.option("--data", type=click.Path(), help="Where the pool's data lie.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of generated inputs.")
@click.option(
    "--option", "settings", multiple=True, metavar="KEY=VALUE", help="A pool-specific option."
)
@as_json
def check_pool(
    name: str, data: str | None, seed: int, settings: tuple[str, ...], as_json: bool
) -> None:
    """Check that the pool NAME keeps its contract; ends with 3 where it does not."""
    from deskcheck.sources import conformance

    options = PoolOptions(seed=seed, data=data, options=dict(map(key_and_value, settings)))
    pool = load_pool(name)
    problems = conformance.check_pool(pool, options)
    if as_json:
        click.echo(json.dumps([asdict(problem) for problem in problems]))
    else:
        for problem in problems:
            click.echo(f"{problem.name}: {problem.candidate_id or name}: {problem.detail}")
    if problems:
        count = f"{len(problems)} problem{'s' * (len(problems) > 1)}"
        raise DeskcheckError(f"pool {name!r} breaks its contract: {count}")
    if not as_json:
        inspected = list(pool.candidates(options))
        left_out = [item for item in inspected if isinstance(item, Unusable)]
        click.echo(f"pool {name} keeps its contract: {len(inspected)} programs inspected")
        for item in left_out:
            click.echo(f"  left out: {item.id}: {item.check}: {item.detail}")


def key_and_value(text: str) -> tuple[str, str]:
    """The two sides of KEY=VALUE; a usage error where there is no KEY."""
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise click.BadParameter(f"{text!r} is not KEY=VALUE", param_hint="--option")
    return key, value
