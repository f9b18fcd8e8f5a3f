"""Further arguments for a function, made of the given ones: longer, shorter, of the same kind.

What the arguments mean to each other is not known, so each derived input keeps something: the
given elements in their order, the marks and numbers that occur, or all arguments but the longest.
Those that a function cannot take are left for its run to show.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from deskcheck.oracles.identity import Draws
from deskcheck.sources.functions_arguments import Arguments, write_arguments
from deskcheck.sources.functions_elements import (
    Guess,
    alike,
    cut,
    fresh,
    joined,
    mixed,
    repeated,
    stacked,
    words,
)

FEW, SOME = 2, 5
"""Elements of the short inputs."""
SPREAD = 8
"""A long input is written in about so many characters for each element asked for."""
FEWEST = 16
"""Elements of a long input, however long each of them is."""
DERIVED = 11
"""Inputs derived from one call, at most."""
_LEAST_NEEDED = ("first", "words", "alike", "low", "repeated", "quoted")
"""What is left out first where there would be more."""

_CONTAINERS = (str, bytes, list, tuple, dict, set)

Change = Callable[[Any, Draws], Any]
Step = tuple[Collection[int], Change]
"""The places of arguments, and what is done to each of them."""


def derive(
    given: Arguments, texts: Sequence[str], longest: int, draws: Callable[[str], Draws]
) -> Iterator[tuple[str, Arguments]]:
    """Named arguments, short ones first; `draws` gives the stream of choices of each name.

    Some may be equal to others. `texts` are those that the function's code holds, and `longest`
    is the number of elements of the long inputs.
    """
    plans = _plans(given, texts, longest)
    for name in _LEAST_NEEDED:
        if len(plans) > DERIVED:
            plans.pop(name, None)
    for name, steps in plans.items():
        stream = draws(name)
        derived = list(given)
        for places, change in steps:
            for place in sorted(places):
                derived[place] = change(derived[place], stream)
        yield name, tuple(derived)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """The places of the arguments that can be changed."""

    main: Sequence[int]
    """Of the longest container, if there is one."""
    others: Collection[int]
    """Of further containers; marks and separators are none."""
    integers: Collection[int]


def _parts(given: Arguments) -> _Parts:
    places = [place for place, value in enumerate(given) if isinstance(value, _CONTAINERS)]
    main = sorted(places, key=lambda place: -len(given[place]))[:1]
    others = [
        place
        for place in places
        if place not in main and not (isinstance(given[place], str) and len(given[place]) < 2)
    ]
    integers = [place for place, value in enumerate(given) if type(value) is int]
    return _Parts(main=main, others=others, integers=integers)


def _plans(given: Arguments, texts: Sequence[str], longest: int) -> dict[str, list[Step]]:
    """What makes sense for these arguments, by name; the richest of the long ones come last."""

    def long(change: Callable[[Any, int, Draws], Any]) -> Change:
        return lambda value, stream: change(value, _elements(value, longest), stream)

    def short(change: Callable[[Any, int, Draws], Any], length: int = SOME) -> Change:
        return lambda value, stream: change(value, length, stream)

    parts = _parts(given)
    main, others, integers = parts.main, parts.others, parts.integers
    low, high = (integers, _low), (integers, _high)
    plans: dict[str, list[Step]] = {}
    if main:
        size = len(given[main[0]])
        if FEW < size <= longest // 4:  # short itself, and no shorter one shall take its place
            plans["some"] = [(main, short(_some, size))]
            plans["odd"] = [(main, short(_odd, size))]
        else:
            plans["first"] = [(main, short(_first))]
            plans["few"] = [([*main, *others], short(_first, FEW)), low]
            plans["some"] = [(main, short(_some))]
            plans["odd"] = [(main, short(_odd))]
    if integers:
        plans |= {"low": [low], "high": [high]}
    if main:
        plans["alike"] = [(main, long(alike))]
        plans["repeated"] = [(main, long(repeated))]
        plans |= _joining(given, main[0], texts, long)
        if integers:
            plans["many-low"] = [(main, long(fresh)), low]
            plans["many-high"] = [([*main, *others], long(fresh)), high]
        plans["many"] = [([*main, *others], long(fresh))]
        plans["mixed"] = [(main, long(mixed))]
    return plans


def _joining(
    given: Arguments,
    main: int,
    texts: Sequence[str],
    long: Callable[[Callable[[Any, int, Draws], Any]], Change],
) -> dict[str, list[Step]]:
    """Inputs in which other arguments, texts of the code, or separators occur in the longest."""
    value = given[main]
    others = [other for place, other in enumerate(given) if place != main]
    plans: dict[str, list[Step]] = {}
    if isinstance(value, str):
        plans["words"] = [([main], long(words))]
        if texts:
            plans["quoted"] = [([main], long(lambda *rest: joined(texts, *rest)))]
        marks = [other for other in others if isinstance(other, str) and other]
    elif isinstance(value, list | tuple):
        kinds = {type(element) for element in value}
        marks = [other for other in others if type(other) in kinds]
    else:
        return plans
    if marks:
        plans["joined"] = [([main], long(lambda *rest: joined(marks, *rest)))]
        plans["stacked"] = [([main], long(lambda *rest: stacked(marks, *rest)))]
    return plans


def _elements(value: Any, longest: int) -> int:
    """How many elements make this container long, so that it can still be read."""
    if isinstance(value, str | bytes) or not value:
        return max(longest, len(value))
    width = len(write_arguments((value,))) // len(value)
    return max(min(longest, SPREAD * longest // width), FEWEST, len(value))


def _first(value: Any, length: int, draws: Draws) -> Any:
    """The first elements; of an empty container, guessed ones."""
    return cut(value, length) if value else fresh(value, length, draws, Guess.TEXTS)


def _some(value: Any, length: int, draws: Draws) -> Any:
    return fresh(cut(value, FEW if isinstance(value, dict | set) else length), length, draws)


def _odd(value: Any, length: int, draws: Draws) -> Any:
    return mixed(cut(value, 1) if isinstance(value, dict | set) else value, length, draws)


def _low(value: int, draws: Draws) -> int:
    return draws.integer(1, 3) * (-1 if value < 0 else 1)


def _high(value: int, draws: Draws) -> int:
    if abs(value) >= 64:
        return value
    return (max(abs(value), 16) + draws.integer(0, 8)) * (-1 if value < 0 else 1)
