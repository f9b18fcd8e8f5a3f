"""`--engine` and `--workers`: where a command's work is done, for every command that asks."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from deskcheck.builder.engines import Engine

NAMES = ("local", "ray")


def engine_options[Command: Callable[..., object]](command: Command) -> Command:
    """Give a command the parameters `engine: str` and `workers: int | None`."""
    engine = click.option(
        "--engine",
        type=click.Choice(NAMES),
        default="local",
        show_default=True,
        help="Processes of this machine, or a Ray cluster: that of RAY_ADDRESS, else the one "
        "running here, else one of this machine alone.",
    )
    workers = click.option(
        "--workers", type=click.IntRange(min=1), help="Processes.  [default: one per CPU]"
    )
    return workers(engine(command))


def engine_of(name: str, workers: int | None) -> Engine:
    """The engine of a name of NAMES, with so many workers, else one per CPU.

    DeskcheckError where it needs a package that is not installed.
    """
    if name == "ray":
        from deskcheck.builder.engines.ray import RayEngine

        return RayEngine(workers)
    from deskcheck.builder.engines.local import LocalEngine

    return LocalEngine(workers or os.cpu_count() or 1)
