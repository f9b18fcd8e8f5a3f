"""Options of the pools of library routines, read strictly: a wrong one is one line."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import get_close_matches

from deskcheck.oracles.errors import PoolError
from deskcheck.sources.library.packages import Package
from deskcheck.sources.pools import PoolOptions


def check_names(pool: str, options: PoolOptions, known: Collection[str]) -> None:
    """PoolError where data are given, or an option that the pool does not have."""
    if options.data is not None:
        raise PoolError(
            f"pool {pool!r} reads no data, but was given {options.data!r}",
            "leave the data out, or name another pool",
        )
    for option in options.options:
        if option not in known:
            raise unknown(pool, "option", option, known)


def unknown(pool: str, kind: str, name: str, known: Collection[str]) -> PoolError:
    close = get_close_matches(name, known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else f"known: {', '.join(known)}"
    return PoolError(f"pool {pool!r} has no {kind} {name!r}", hint)


def integer(given: Mapping[str, str], option: str, own: int, least: int, most: int) -> int:
    """The whole number that the option gives, or its own value where it is not given."""
    text = given.get(option, str(own))
    if not (text.isascii() and text.isdigit() and least <= int(text[:18]) <= most):
        raise PoolError(
            f"option {option}={text!r} is not a number of the kind",
            f"give one from {least} to {most}",
        )
    return int(text)


def missing(pool: str, package: Package, instead: str) -> PoolError:
    """What to say where a package is not installed."""
    return PoolError(
        f"pool {pool!r} takes its source from {package.title}, which is not installed",
        f"pip install '{package.extra}'{instead}",
    )
