"""Names of files in a folder pool: their order, how they are shown, and ids made of them."""

from __future__ import annotations

import os
import re
from hashlib import sha256
from pathlib import PurePath

_ODD = re.compile(r"[^A-Za-z0-9._+-]")


def natural_key(path: PurePath) -> list[tuple[list[tuple[str, int]], str]]:
    """Sorts paths part by part with numbers by value: `t2.in` before `t10.in`."""
    return [(_pieces(part), part) for part in path.parts]


def _pieces(name: str) -> list[tuple[str, int]]:
    runs = re.findall(r"([^0-9]*)([0-9]*)", name)
    return [(text, int(digits) if digits else -1) for text, digits in runs]


def shown(path: PurePath) -> str:
    """The path on one line of valid text; paths that differ stay different."""
    return "".join(
        mark
        if mark.isprintable() and mark != "\\"
        else mark.encode("unicode_escape").decode("ascii")
        for mark in str(path)
    )


def identity(pool: str, place: PurePath) -> str:
    """`<pool>/<path>`, where a path with odd characters gets them replaced and a hash added.

    Odd is all but ASCII letters, digits and `._+-`. No plain path holds the `~` before the
    hash, so ids stay unique, and an id never depends on which other files there are.
    """
    plain = place.as_posix()
    safe = "/".join(_ODD.sub("_", part) for part in place.parts)
    if safe != plain:
        safe += f"~{sha256(os.fsencode(plain)).hexdigest()[:8]}"
    return f"{pool}/{safe}"
