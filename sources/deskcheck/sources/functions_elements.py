"""Containers of a given kind and length: of given elements, of elements like them, or of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import Enum
from itertools import cycle, islice
from typing import Any

from deskcheck.oracles.identity import Draws

_LOWER = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"
_ANY = _LOWER + _LOWER.upper() + _DIGITS * 3 + "    ..,,--__!?"


class Guess(Enum):
    """What the elements of an empty container may be."""

    NUMBERS = (1, {"a": 1})
    TEXTS = ("ab", {"a": "ab"})
    CONTAINERS = ([1, 2], {"a": [1, 2]})


def cut(value: Any, length: int) -> Any:
    """The first elements alone."""
    match value:
        case dict():
            return dict(islice(value.items(), length))
        case set():
            return set(sorted(value, key=repr)[:length])
    return value[:length]


def repeated(value: Any, length: int, draws: Draws) -> Any:
    """The given elements over and over in their order; more entries where they must differ."""
    if not value or isinstance(value, dict | set):
        return fresh(value, length, draws, Guess.TEXTS)
    return (value * (length // len(value) + 1))[:length]


def alike(value: Any, length: int, draws: Draws) -> Any:
    """Elements like the first: what that one does not end early, these may not either."""
    return fresh(cut(value, 1), length, draws, Guess.CONTAINERS)


def fresh(value: Any, length: int, draws: Draws, guess: Guess = Guess.NUMBERS) -> Any:
    """About half of them given elements, the others like them; in order, if the given ones are."""
    element, entries = guess.value
    match value:
        case str():
            marks = islice(cycle(value or _LOWER), length)
            return "".join(draws.choice((mark, _respelt(mark, draws))) for mark in marks)
        case bytes():
            return bytes(draws.choice(value or b"abc") for _ in range(length))
        case dict():
            return _more_entries(value or entries, length, draws)
        case set():
            keys = dict.fromkeys(sorted(value, key=repr) or ["a"])
            return set(_more_entries(keys, length, draws))
    elements = list(value) or [element]
    made = [_one(elements, draws) for _ in range(length)]
    return type(value)(_in_order(made) if _is_ordered(elements) else made)


def mixed(value: Any, length: int, draws: Draws) -> Any:
    """As `fresh`, with marks of all kinds in a text and numbers of both signs in a sequence."""
    match value:
        case str():
            marks = islice(cycle(value or _LOWER), length)
            return "".join(draws.choice((mark, draws.choice(_ANY))) for mark in marks)
        case list() | tuple() if value:
            made = [_one(value, draws) for _ in range(length)]
            return type(value)(_turned(element, draws) for element in made)
    return fresh(value, length, draws, Guess.CONTAINERS)


def words(text: str, length: int, draws: Draws) -> str:
    """Twelve short words or more, with the separator that the text itself has, or a blank."""
    others = Counter(mark for mark in text if not mark.isalnum())
    mark = "\n" if "\n" in others else max(others, key=lambda each: others[each], default=" ")
    given = [word[:4] for word in text.split(mark) if word] or ["ab"]
    return mark.join(_one(given, draws) for _ in range(max(length // 6, 12)))


def joined(marks: Sequence[Any], value: Any, length: int, draws: Draws) -> Any:
    """One of the marks and elements of the value by turns, with a mark at both ends."""
    if isinstance(value, str):
        widest = max(map(len, marks))
        pairs = max(length // (2 + widest), 12 if widest <= 4 else 9)
        pieces = [fresh(value, draws.integer(1, 2), draws) for _ in range(pairs)]
        return "".join(draws.choice(marks) + piece for piece in pieces) + draws.choice(marks)
    return type(value)(
        _one(value, draws) if place % 2 else draws.choice(marks) for place in range(length | 1)
    )


def stacked(marks: Sequence[Any], value: Any, length: int, draws: Draws) -> Any:
    """One of the marks ten times or more, the value, and the mark as often again."""
    mark = draws.choice(marks)
    if isinstance(value, str):
        many = mark * max(length // (3 * len(mark)), 10)
        return many + value + many
    many = [mark] * max(length // 3, 10)
    return type(value)([*many, *value, *many])


def _one(elements: Sequence[Any], draws: Draws) -> Any:
    """A given element or, as often, another one like it."""
    return draws.choice((draws.choice(elements), _like(draws.choice(elements), draws)))


def _more_entries(value: dict[Any, Any], length: int, draws: Draws) -> dict[Any, Any]:
    """The given entries and then new ones, as far as their keys can be made to differ."""
    entries = dict(islice(value.items(), length))
    pairs = list(value.items())
    for _ in range(8 * length):
        if len(entries) >= length:
            break
        key, held = draws.choice(pairs)
        new = _like(key, draws)
        if new in entries:
            new = _another(key, new, length, draws)
        entries.setdefault(new, draws.choice((held, _like(held, draws))))
    return entries


def _another(key: Any, new: Any, length: int, draws: Draws) -> Any:
    """A key from a wider range."""
    match key:
        case bool():
            return new
        case int():
            return draws.integer(0, 3 * length) * (-1 if key < 0 else 1)
        case str():
            return new + (_like(key, draws) or draws.choice(_LOWER))
    return new


def _like(value: Any, draws: Draws) -> Any:
    """Another value of the same kind and about the same size."""
    match value:
        case bool():
            return draws.choice((False, True))
        case int():
            return draws.integer(0, max(9, 2 * abs(value))) * (-1 if value < 0 else 1)
        case float() if abs(value) < 1e9:
            tenths = draws.integer(1, max(99, int(20 * abs(value))))
            return tenths / 10 * (-1 if value < 0 else 1)
        case str():
            return "".join(_respelt(mark, draws) for mark in value)
        case list() | tuple():
            return type(value)([_like(element, draws) for element in value])
        case dict():
            return {key: _like(held, draws) for key, held in value.items()}
    return value


def _turned(value: Any, draws: Draws) -> Any:
    """A number with either sign, a text with one mark of any kind; others as they are."""
    match value:
        case bool():
            return value
        case int() | float():
            return draws.choice((value, -value))
        case str() if value:
            place = draws.integer(0, len(value) - 1)
            return value[:place] + draws.choice(_ANY) + value[place + 1 :]
    return value


def _respelt(mark: str, draws: Draws) -> str:
    """Another letter or digit for one; other marks stay what they are."""
    for kind in (_LOWER, _LOWER.upper(), _DIGITS):
        if mark in kind:
            return draws.choice(kind)
    return mark


def _is_ordered(elements: Sequence[Any]) -> bool:
    return len(elements) > 2 and _in_order(elements) == elements


def _in_order(elements: Sequence[Any]) -> Sequence[Any]:
    try:
        return sorted(elements)
    except TypeError:
        return elements
