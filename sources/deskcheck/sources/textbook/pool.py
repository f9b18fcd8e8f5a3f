"""The pool of textbook algorithms: inputs made by seed and size, checked by a reference."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from deskcheck.oracles.equivalence import layout_sensitive
from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.identity import Draws
from deskcheck.oracles.programs import Program
from deskcheck.sources.pools import Candidate, Input, PoolInfo, PoolOptions, Provenance
from deskcheck.sources.textbook.algorithm import Algorithm
from deskcheck.sources.textbook.catalogue import ALGORITHMS, AREAS, source_of

SMALLEST, LARGEST = 2, 300
"""Sizes that every generator is tested with."""

OPTIONS = {
    "only": "names of the algorithms to take, separated by commas",
    "area": f"areas to take, separated by commas: {', '.join(AREAS)}",
    "short": f"size of the short input instead of the algorithm's own ({SMALLEST} to {LARGEST})",
    "long": f"size of the long input instead of the algorithm's own ({SMALLEST} to {LARGEST})",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choice:
    """One algorithm that is asked for, and the sizes of its inputs."""

    algorithm: Algorithm
    short: int
    long: int


class TextbookPool:
    """Thirty authored algorithms over seven areas, each with a short and a long input."""

    def info(self) -> PoolInfo:
        return PoolInfo(
            name="textbook",
            title="Thirty textbook algorithms with generated inputs",
            description=(
                "Stand-alone Python programs written for this pool, over dynamic programming, "
                "graphs, strings, sorting, numerical methods, geometry and simulation. Inputs "
                "follow from the seed; listed outputs come from an independent reference."
            ),
            options=OPTIONS,
        )

    def candidates(self, options: PoolOptions) -> Iterator[Candidate]:
        chosen = _choose(options)
        return (_candidate(each, options.seed) for each in chosen)


def _candidate(choice: _Choice, seed: int) -> Candidate:
    algorithm = choice.algorithm
    inputs = (
        _input(algorithm, "short", choice.short, seed),
        _input(algorithm, "long", choice.long, seed),
    )
    outputs = [each.listed_output.decode() for each in inputs if each.listed_output is not None]
    return Candidate(
        id=f"textbook/{algorithm.name}",
        pool="textbook",
        study="textbook-python",
        program=Program(language="python", source=source_of(algorithm)),
        provenance=Provenance(
            licence="Apache-2.0", author="Deskcheck authors", origin=algorithm.name
        ),
        inputs=inputs,
        final_rule="lines" if any(map(layout_sensitive, outputs)) else "tokens",
        tags={"area": algorithm.area, "title": algorithm.title},
    )


def _input(algorithm: Algorithm, name: str, size: int, seed: int) -> Input:
    text = algorithm.generate(Draws("textbook", algorithm.name, seed, size), size)
    return Input(name=name, data=text.encode(), listed_output=algorithm.reference(text).encode())


def _choose(options: PoolOptions) -> list[_Choice]:
    if options.data is not None:
        raise PoolError(
            f"pool 'textbook' reads no data, but was given {options.data!r}",
            "leave the data out, or name another pool",
        )
    given = options.options
    for option in given:
        if option not in OPTIONS:
            raise _unknown("option", option, OPTIONS)
    names = _listed(given, "only", "algorithm", [each.name for each in ALGORITHMS])
    areas = _listed(given, "area", "area", AREAS)
    chosen = [
        _Choice(
            algorithm=each,
            short=_size(given, "short", each.short),
            long=_size(given, "long", each.long),
        )
        for each in ALGORITHMS
        if each.name in names and each.area in areas
    ]
    if not chosen:
        raise PoolError(
            f"no textbook algorithm is both in only={given['only']!r} and area={given['area']!r}",
            "leave one of the two options out",
        )
    for each in chosen:
        if each.short >= each.long:
            raise PoolError(
                f"the short input of {each.algorithm.name} would have size {each.short} and the "
                f"long one {each.long}",
                "give `short` a smaller or `long` a larger size",
            )
    return chosen


def _listed(
    given: Mapping[str, str], option: str, kind: str, known: Collection[str]
) -> Collection[str]:
    """The names that the option lists, or all known ones where it is not given."""
    if option not in given:
        return known
    names = [name.strip() for name in given[option].split(",")]
    for name in names:
        if name not in known:
            raise _unknown(kind, name, known)
    return names


def _size(given: Mapping[str, str], option: str, own: int) -> int:
    if option not in given:
        return own
    text = given[option]
    if not (text.isascii() and text.isdigit() and SMALLEST <= int(text[:9]) <= LARGEST):
        raise PoolError(
            f"option {option}={text!r} is not a size", f"give a number from {SMALLEST} to {LARGEST}"
        )
    return int(text)


def _unknown(kind: str, name: str, known: Collection[str]) -> PoolError:
    close = get_close_matches(name, known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else f"known: {', '.join(known)}"
    return PoolError(f"pool 'textbook' has no {kind} {name!r}", hint)
