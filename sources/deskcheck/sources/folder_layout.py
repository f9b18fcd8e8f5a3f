"""Which files lie in a folder of programs, and which of them are inputs of which program."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path, PurePath

from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.programs import Language
from deskcheck.sources.folder_names import natural_key, shown

LANGUAGES: dict[str, Language] = {".py": "python", ".cpp": "cpp", ".cc": "cpp", ".cxx": "cpp"}
"""Suffix of a program -> its language."""
DESCRIPTION = ".toml"
INPUTS = (".in", ".txt")
OUTPUTS = (".out", ".ans")
"""Suffixes of listed outputs; the first that exists counts."""
LEFT_OUT = (".", "_")
"""How the names of files and folders begin that are passed over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The files of a folder; every path but `top` is relative to `top`, lists in natural order."""

    top: Path
    paths: list[PurePath]
    known: frozenset[PurePath]
    """The same paths, to look one up."""
    beside: dict[PurePath, list[PurePath]]
    """Program without its suffix -> inputs that lie beside it and carry its name."""
    inside: dict[PurePath, list[PurePath]]
    """Folder -> inputs in it that carry no program's name."""

    def file(self, path: PurePath, named_in: PurePath | None = None) -> Path:
        """The regular, readable file at this path; PoolError if it leads out of `top` or is none.

        `named_in` is the TOML file that names it, for the error.
        """
        full = self.top / path
        what = shown(full) if named_in is None else f"{shown(self.top / named_in)}: {shown(full)}"
        try:
            if not full.resolve().is_relative_to(self.top.resolve()):
                hint = f"copy the file into {shown(self.top)}"
                raise PoolError(f"{what} leads out of the folder", hint)
            if not full.exists():
                raise PoolError(f"{what} does not exist", "mend its name or put the file there")
            if not full.is_file():
                raise PoolError(f"{what} is not a regular file", "put a regular file there")
        except (OSError, ValueError) as error:  # a name too long, a NUL byte, a locked folder
            raise PoolError(f"{what} cannot be reached: {error}", "mend its name") from error
        except RuntimeError as error:  # a loop of links, before Python 3.13
            raise PoolError(f"{what} is a link to itself", "remove it") from error
        if not os.access(full, os.R_OK):
            raise PoolError(f"{what} cannot be read", "give yourself the right to read it")
        return full


def list_folder(data: str | None) -> Listing:
    """All files below a folder but those left out by name; links to folders are not followed.

    PoolError where there is no such folder or it cannot be read.
    """
    if not data:
        raise PoolError("pool 'folder' was given no folder", "name one with `--data FOLDER`")
    top = Path(data)
    hint = "give the folder that holds the programs"
    try:
        if not top.exists():
            raise PoolError(f"there is no folder {shown(top)}", hint)
        if not top.is_dir():
            raise PoolError(f"{shown(top)} is not a folder", hint)
    except OSError as error:  # a name too long, a locked folder above it
        raise PoolError(f"{shown(top)} cannot be reached: {error.strerror}", hint) from error
    paths: list[PurePath] = []
    beside: dict[PurePath, list[PurePath]] = defaultdict(list)
    inside: dict[PurePath, list[PurePath]] = defaultdict(list)
    for name, folders, files in os.walk(top, onerror=_refuse):
        folders[:] = [each for each in folders if not each.startswith(LEFT_OUT)]
        folder = PurePath(name).relative_to(top)
        here = [folder / each for each in files if not each.startswith(LEFT_OUT)]
        here.sort(key=natural_key)
        paths += here
        programs = {path.stem for path in here if path.suffix in (*LANGUAGES, DESCRIPTION)}
        for path in here:
            if path.suffix in INPUTS:
                owner = _owner(path, programs)
                (inside[folder] if owner is None else beside[folder / owner]).append(path)
    paths.sort(key=natural_key)
    return Listing(
        top=top,
        paths=paths,
        known=frozenset(paths),
        beside=dict(beside),
        inside=dict(inside),
    )


def _refuse(error: OSError) -> None:
    raise PoolError(
        f"{shown(PurePath(error.filename))} cannot be listed: {error.strerror}",
        "give yourself the right to read it",
    )


def _owner(path: PurePath, programs: Collection[str]) -> str | None:
    """The program of the folder whose input this is by name: the longest name that fits.

    `a.b.1.in` goes to `a.b.py` rather than to `a.py`; of `a.in` and `a.txt` only the first is
    an input of `a.py`, since a text of the program's name is more often notes.
    """
    stem = path.stem
    if stem in programs and path.suffix == INPUTS[0]:
        return stem
    while "." in stem:
        stem = stem.rpartition(".")[0]
        if stem in programs:
            return stem
    return None


def inputs_of(listing: Listing, program: PurePath) -> list[PurePath]:
    """The program's inputs by their names alone: place by place, each in natural order."""
    home, stem = program.parent, program.stem
    found = list(listing.beside.get(home / stem, []))
    for place in (home / stem, home / f"{stem}.inputs", home / "inputs" / stem):
        found += listing.inside.get(place, [])
    return found


def names_looked_for(program: PurePath) -> str:
    """What `inputs_of` looks for, in words."""
    stem = shown(PurePath(program.stem))
    return (
        f"looked beside {shown(program)} for {stem}.in, {stem}.*.in and {stem}.*.txt, "
        f"and for *.in and *.txt in {stem}/, {stem}.inputs/ and inputs/{stem}/"
    )


def output_of(listing: Listing, given: PurePath) -> PurePath | None:
    """The listed output of an input: the same name but for the suffix."""
    named = (given.with_suffix(suffix) for suffix in OUTPUTS)
    return next((path for path in named if path in listing.known), None)
