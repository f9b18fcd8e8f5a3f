"""Which pools are there: the built-in ones by table, third-party ones by entry point."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from deskcheck.oracles.errors import DeskcheckError, PoolError
from deskcheck.sources.pools import Pool

BUILT_IN = {
    "codecontests": "deskcheck.sources.codecontests:CodeContestsPool",
    "folder": "deskcheck.sources.folder:FolderPool",
    "functions": "deskcheck.sources.functions:FunctionsPool",
    "library": "deskcheck.sources.library.pool:LibraryPool",
    "livecodebench": "deskcheck.sources.livecodebench:LiveCodeBenchPool",
    "network-simplex": "deskcheck.sources.network_simplex.pool:NetworkSimplexPool",
    "textbook": "deskcheck.sources.textbook.pool:TextbookPool",
}
"""Pool name -> class, called without arguments. A built-in wins over a plugin of its name."""

GROUP = "deskcheck.pools"


def pool_names() -> list[str]:
    """Every pool that can be named, built-in ones first; nothing is imported."""
    third_party = sorted({point.name for point in entry_points(group=GROUP)} - BUILT_IN.keys())
    return [*BUILT_IN, *third_party]


def load_pool(name: str) -> Pool:
    """The pool of this name; PoolError if there is none or its plugin cannot be loaded."""
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        pool: object = getattr(import_module(module), attribute)()
        assert isinstance(pool, Pool)
        return pool
    points = plugins(GROUP, name)
    if not points:
        raise PoolError(f"there is no pool {name!r}", _suggestion(name))
    factory = load_plugin(points, PoolError)
    try:
        pool = factory() if callable(factory) else factory
    except Exception as error:
        raise _unloadable(points[0], error, PoolError) from error
    if not isinstance(pool, Pool):
        raise PoolError(
            f"pool {name!r} of {distribution(points[0])} is a {type(pool).__name__} without "
            "`info` and `candidates`",
            "its entry point must name a class that follows deskcheck.sources.pools.Pool",
        )
    return pool


def plugins(group: str, name: str) -> list[EntryPoint]:
    """The entry points of this name, in order of their distribution; nothing is imported."""
    return sorted(entry_points(group=group, name=name), key=distribution)


def load_plugin(points: list[EntryPoint], error_type: type[DeskcheckError]) -> object:
    """What the one entry point names; an `error_type` that names the distribution otherwise."""
    point = points[0]
    if len(points) > 1:
        owners = ", ".join(distribution(each) for each in points)
        raise error_type(
            f"{point.name!r} in {point.group} is offered by {owners}", "uninstall all but one"
        )
    try:
        return point.load()
    except Exception as error:
        raise _unloadable(point, error, error_type) from error


def distribution(point: EntryPoint) -> str:
    """Name and version of the distribution that brings this entry point."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else "an unnamed distribution"


def _unloadable(
    point: EntryPoint, error: Exception, error_type: type[DeskcheckError]
) -> DeskcheckError:
    return error_type(
        f"{point.name!r} of {distribution(point)} cannot be loaded from {point.value}: "
        f"{type(error).__name__}: {error}",
        "repair or uninstall that distribution",
    )


def _suggestion(name: str) -> str:
    known = pool_names()
    close = get_close_matches(name, known, n=3, cutoff=0.5)
    listed = f"pools: {', '.join(known)}"
    return f"did you mean {' or '.join(close)}? ({listed})" if close else listed
