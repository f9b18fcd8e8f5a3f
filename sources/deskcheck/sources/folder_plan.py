"""Every program of a folder with its inputs and provenance, before their contents are read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

from deskcheck.oracles.equivalence import Rule
from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.programs import Language
from deskcheck.sources.folder_layout import (
    DESCRIPTION,
    LANGUAGES,
    Listing,
    inputs_of,
    names_looked_for,
    output_of,
)
from deskcheck.sources.folder_names import identity, shown
from deskcheck.sources.folder_toml import (
    DEFAULTS,
    Defaults,
    Description,
    ListedInput,
    read_defaults,
    read_description,
)
from deskcheck.sources.pools import Provenance

POOL = "folder"
UNSTATED = "unstated"

type Content = Path | bytes
"""A file to be read when its turn comes, or what a TOML file holds itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedInput:
    """One input of a planned program."""

    name: str
    data: Content
    listed_output: Content | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A program found, with all that is known before its files are read."""

    id: str
    language: Language
    source: Content
    inputs: tuple[PlannedInput, ...]
    looked_for: str
    """Where inputs were sought, in words."""
    provenance: Provenance
    study: str
    final_rule: Rule | None
    """None where it is not stated."""
    tags: Mapping[str, str]


def plan(listing: Listing) -> list[Planned]:
    """Every program, in natural order of its file; PoolError if there is none or a file is bad."""
    defaults = Defaults()
    if PurePath(DEFAULTS) in listing.known:
        defaults = read_defaults(listing.file(PurePath(DEFAULTS)))
    described = dict(_descriptions(listing))
    claimed = {
        listing.file(place.parent / each.program, place).resolve()
        for place, each in described.items()
        if each.program is not None
    }
    planned = []
    for place in listing.paths:
        if place in described:
            planned.append(_planned(listing, defaults, place, described[place]))
        elif place.suffix in LANGUAGES and listing.file(place).resolve() not in claimed:
            alone = Description(program=PurePath(place.name))
            planned.append(_planned(listing, defaults, place, alone))
    if not planned:
        raise PoolError(
            f"there is no program in {shown(listing.top)}",
            "put prog.py with prog.1.in and prog.2.in there, or a TOML file that describes one",
        )
    return planned


def _descriptions(listing: Listing) -> Iterator[tuple[PurePath, Description]]:
    for place in listing.paths:
        if place.name == DEFAULTS and place.parent != PurePath():
            what = f"{shown(listing.top / place)} is not at the top of {shown(listing.top)}"
            raise PoolError(what, f"move what it says into one {DEFAULTS} at the top")
        if place.suffix == DESCRIPTION and place.name != DEFAULTS:
            yield place, read_description(listing.file(place))


def _planned(listing: Listing, defaults: Defaults, place: PurePath, told: Description) -> Planned:
    language = _language(listing, place, told)
    program, source = _program(listing, place, told)
    if told.inputs is None:
        inputs, looked_for = _inputs_by_name(listing, program), names_looked_for(program)
    else:
        inputs = tuple(_listed(listing, place, each) for each in told.inputs)
        looked_for = f"they are listed in {shown(place)}"
    return Planned(
        id=identity(POOL, place),
        language=language,
        source=source,
        inputs=inputs,
        looked_for=looked_for,
        provenance=Provenance(
            licence=told.licence or defaults.licence or UNSTATED,
            author=told.author or defaults.author or UNSTATED,
            origin=told.origin or _origin(defaults, place),
            url=told.url,
        ),
        study=told.study or defaults.study or f"{POOL}-{language}",
        final_rule=told.final_rule,
        tags={"file": shown(place), **told.tags},
    )


def _program(listing: Listing, place: PurePath, told: Description) -> tuple[PurePath, Content]:
    """The file after which inputs are named, and the source."""
    if told.program is None:
        assert told.source is not None
        return place, told.source.encode()
    program = PurePath(os.path.normpath(place.parent / told.program))
    return program, listing.file(program, place)


def _language(listing: Listing, place: PurePath, told: Description) -> Language:
    if told.language is not None:
        return told.language
    if told.program is None:
        return "python"
    if told.program.suffix not in LANGUAGES:
        raise PoolError(
            f"{shown(listing.top / place)}: the name of program {shown(told.program)} does not "
            "tell its language",
            'add language = "python"',
        )
    return LANGUAGES[told.program.suffix]


def _inputs_by_name(listing: Listing, program: PurePath) -> tuple[PlannedInput, ...]:
    found = []
    for path in inputs_of(listing, program):
        output = output_of(listing, path)
        found.append(
            PlannedInput(
                name=shown(path.relative_to(program.parent)),
                data=listing.file(path),
                listed_output=None if output is None else listing.file(output),
            )
        )
    return tuple(found)


def _listed(listing: Listing, place: PurePath, item: ListedInput) -> PlannedInput:
    def content(path: PurePath | None, text: str | None) -> Content | None:
        if path is not None:
            return listing.file(place.parent / path, place)
        return None if text is None else text.encode()

    data = content(item.path, item.text)
    assert data is not None
    output = content(item.output_path, item.output)
    return PlannedInput(name=item.name, data=data, listed_output=output)


def _origin(defaults: Defaults, place: PurePath) -> str:
    """Each program an origin of its own, or one for all of a folder."""
    if defaults.origin == "file":
        return identity(POOL, place)
    return POOL if place.parent == PurePath() else identity(POOL, place.parent)
