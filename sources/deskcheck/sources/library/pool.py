"""The pool of library routines: programs taken from installed packages, inputs by seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from deskcheck.oracles.equivalence import layout_sensitive
from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.identity import Draws
from deskcheck.oracles.programs import Program
from deskcheck.sources.library.catalogue import ROUTINES
from deskcheck.sources.library.options import check_names, integer, missing, unknown
from deskcheck.sources.library.packages import CPYTHON, NETWORKX
from deskcheck.sources.library.routine import Routine, program_of
from deskcheck.sources.pools import Candidate, Input, Part, PoolInfo, PoolOptions, Provenance

NAME = "library"
SMALLEST = 4
"""Size of input from which on every generator works."""
PARTS = (8, 4, 2, 1)
"""What the largest size is divided by, input by input."""
PACKAGES = {package.name: package for package in (CPYTHON, NETWORKX)}

OPTIONS = {
    "only": "names of the routines to take, separated by commas",
    "package": f"take routines of this package only: {' or '.join(PACKAGES)}",
    "cases": "candidates of each routine, of rising difficulty in turn (default 3)",
    "first": "the number of the first of them (default 1)",
}


class LibraryPool:
    """Routines of installed packages, each with several candidates that differ in their inputs."""

    def info(self) -> PoolInfo:
        return PoolInfo(
            name=NAME,
            title="Routines of the standard library and of NetworkX with generated inputs",
            description=(
                "Each program is one file: the routine's own source as it is installed, what it "
                "needs of its package, and a small driver. Inputs follow from the seed; listed "
                "outputs come from calling the installed routine."
            ),
            options=OPTIONS,
        )

    def candidates(self, options: PoolOptions) -> Iterator[Candidate]:
        chosen, numbers = _choose(options), _numbers(options)
        return (
            _candidate(routine, number, options.seed) for routine in chosen for number in numbers
        )

    def parts(self, options: PoolOptions, size: int) -> Sequence[Part]:
        chosen, numbers = _choose(options), _numbers(options)
        return [
            _part(options, routine, numbers[at : at + size])
            for routine in chosen
            for at in range(0, len(numbers), size)
        ]


def sizes(routine: Routine, number: int) -> list[int]:
    """Sizes of the inputs of the candidate of this number, small to large."""
    largest = routine.sizes[(number - 1) % len(routine.sizes)]
    return sorted({max(SMALLEST, largest // part) for part in PARTS})


def _candidate(routine: Routine, number: int, seed: int) -> Candidate:
    inputs = tuple(_input(routine, number, size, seed) for size in sizes(routine, number))
    outputs = [each.listed_output.decode() for each in inputs if each.listed_output is not None]
    package = routine.package
    module, name = routine.takes[0].module, routine.takes[0].names[0]
    return Candidate(
        id=f"{NAME}/{routine.name}-{number}",
        pool=NAME,
        study="library-python",
        program=Program(language="python", source=program_of(routine)),
        provenance=Provenance(
            licence=package.licence,
            author=package.author,
            origin=routine.name,
            url=package.url,
        ),
        inputs=inputs,
        final_rule="lines" if any(map(layout_sensitive, outputs)) else "tokens",
        tags={
            "title": routine.title,
            "package": package.name,
            "version": package.version() or "",
            "routine": f"{module}.{name}",
            "level": str((number - 1) % len(routine.sizes) + 1),
        },
    )


def _input(routine: Routine, number: int, size: int, seed: int) -> Input:
    text = routine.generate(Draws(NAME, routine.name, seed, number, size), size)
    return Input(
        name=f"size-{size}", data=text.encode(), listed_output=routine.reference(text).encode()
    )


def _numbers(options: PoolOptions) -> range:
    first = integer(options.options, "first", 1, 1, 10**9)
    return range(first, first + integer(options.options, "cases", 3, 1, 10**6))


def _part(options: PoolOptions, routine: Routine, numbers: range) -> Part:
    given = {"only": routine.name, "first": str(numbers.start), "cases": str(len(numbers))}
    return Part(options=replace(options, options=given), count=len(numbers))


def _choose(options: PoolOptions) -> Sequence[Routine]:
    check_names(NAME, options, OPTIONS)
    given = options.options
    named = [routine.name for routine in ROUTINES]
    wanted = [name.strip() for name in given["only"].split(",")] if "only" in given else named
    for name in wanted:
        if name not in named:
            raise unknown(NAME, "routine", name, named)
    package = given.get("package")
    if package is not None and package not in PACKAGES:
        raise unknown(NAME, "package", package, PACKAGES)
    chosen = [
        routine
        for routine in ROUTINES
        if routine.name in wanted and package in (None, routine.package.name)
    ]
    if not chosen:
        raise PoolError(
            f"no routine is both in only={given['only']!r} and of package={package!r}",
            "leave one of the two options out",
        )
    for routine in chosen:
        if routine.package.version() is None:
            raise missing(
                NAME, routine.package, f", or leave it out by --option package={CPYTHON.name}"
            )
    return chosen
