"""Every program of a folder with its inputs and provenance, before their contents are read."""

from __future__ import annotations

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
from deskcheck.sources.folder_names import identity, natural_key, shown
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
        (listing.top / place.parent / each.program).resolve()
        for place, each in described.items()
        if each.program is not None
    }
    planned = []
    for place in listing.paths:
        if place in described:
            planned.append(_described(listing, defaults, place, described[place]))
        elif place.suffix in LANGUAGES and listing.file(place).resolve() not in claimed:
            planned.append(_found(listing, defaults, place))
    if not planned:
        raise PoolError(
            f"there is no program in {shown(listing.top)}",
            "put prog.py with prog.1.in and prog.2.in there, or a TOML file that describes one",
        )
    return planned


def _descriptions(listing: Listing) -> Iterator[tuple[PurePath, Description]]:
    for place in listing.paths:
        if place.name == DEFAULTS and place.parent != PurePath():
            raise PoolError(
                f"{shown(listing.top / place)} is below the top folder",
                f"only the folder given as data may have a {DEFAULTS}",
            )
        if place.suffix == DESCRIPTION and place.name != DEFAULTS:
            yield place, read_description(listing.file(place))


def _found(listing: Listing, defaults: Defaults, place: PurePath) -> Planned:
    language = LANGUAGES[place.suffix]
    return Planned(
        id=identity(POOL, place),
        language=language,
        source=listing.file(place),
        inputs=_inputs_by_name(listing, place),
        looked_for=names_looked_for(place),
        provenance=Provenance(
            licence=defaults.licence or UNSTATED,
            author=defaults.author or UNSTATED,
            origin=_origin(defaults, place),
        ),
        study=defaults.study or f"{POOL}-{language}",
        final_rule=None,
        tags={"file": shown(place)},
    )


def _described(
    listing: Listing, defaults: Defaults, place: PurePath, description: Description
) -> Planned:
    language = description.language
    named_after = place  # the file beside which inputs are sought
    if description.program is None:
        assert description.source is not None
        source: Content = description.source.encode("utf-8")
        language = language or "python"
    else:
        named_after = place.parent / description.program
        source = listing.file(named_after)
        language = language or LANGUAGES.get(named_after.suffix)
        if language is None:
            raise PoolError(
                f"{shown(listing.top / place)}: the suffix of program "
                f"{shown(description.program)} tells no language",
                'add e.g. language = "python"',
            )
    if description.inputs is None:
        inputs = _inputs_by_name(listing, named_after)
        looked_for = names_looked_for(named_after)
    else:
        inputs = tuple(_listed(listing, place.parent, each) for each in description.inputs)
        looked_for = f"they are listed in {shown(place)}"
    return Planned(
        id=identity(POOL, place),
        language=language,
        source=source,
        inputs=inputs,
        looked_for=looked_for,
        provenance=Provenance(
            licence=description.licence or defaults.licence or UNSTATED,
            author=description.author or defaults.author or UNSTATED,
            origin=description.origin or _origin(defaults, place),
            url=description.url,
        ),
        study=description.study or defaults.study or f"{POOL}-{language}",
        final_rule=description.final_rule,
        tags={"file": shown(place), **description.tags},
    )


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


def _listed(listing: Listing, folder: PurePath, item: ListedInput) -> PlannedInput:
    def content(path: PurePath | None, text: str | None) -> Content | None:
        if path is not None:
            return listing.file(folder / path)
        return None if text is None else text.encode("utf-8")

    data = content(item.path, item.text)
    assert data is not None
    return PlannedInput(
        name=item.name, data=data, listed_output=content(item.output_path, item.output)
    )


def _origin(defaults: Defaults, place: PurePath) -> str:
    """Each program an origin of its own, or one for all of a folder."""
    if defaults.origin == "file":
        return identity(POOL, place)
    return POOL if place.parent == PurePath() else identity(POOL, place.parent)
