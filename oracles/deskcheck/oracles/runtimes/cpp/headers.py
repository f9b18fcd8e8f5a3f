"""The header that includes everything, precompiled: most programs of contests begin with it.

It takes a compiler more than a second to read, and a tenth of that precompiled. The result is the
same only for a program that says nothing before it, and with the flags that it was made with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from deskcheck.oracles.runtimes.cpp.driving import Step, precompiling
from deskcheck.oracles.runtimes.cpp.variants import Variant

HEADER = "bits/stdc++.h"

# A comment that ends in a backslash goes on in the next line.
_FIRST = re.compile(
    rb"(?:\s|//[^\n]*(?<![\\\r])\r?\n|/\*.*?\*/)*"
    rb"#[ \t]*include[ \t]*<bits/stdc\+\+\.h>",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Precompiled:
    """How a precompiled header is made, and how a build takes it."""

    steps: tuple[Step, ...]
    file: str
    flags: tuple[str, ...]
    variant: Variant
    standard: str
    identity: bytes
    """Which header it is, and of which time: compilers compare that."""


def begins_with_header(source: bytes) -> bool:
    """Whether nothing but comments stands before a program's `#include <bits/stdc++.h>`."""
    return _FIRST.match(source) is not None


def precompiled(variant: Variant, standard: str, folders: tuple[str, ...]) -> Precompiled | None:
    """The header for builds of `variant`, found in `folders`; None where there is none."""
    place = _place(folders)
    if place is None:
        return None
    path, changed = place
    if variant.compiler.kind == "clang":
        file, use = "precompiled.pch", ("-include-pch", "precompiled.pch")
        # Whatever else a build adds makes no difference to the header.
        flags: tuple[str, ...] = ("-O1", "-fpch-instantiate-templates")
    else:
        file, use = "precompiled.h.gch", ("-include", "precompiled.h")
        flags = variant.flags
    made_as = Variant(
        name="header",
        compiler=variant.compiler,
        flags=flags,
        header_flags=variant.header_flags,
    )
    return Precompiled(
        steps=precompiling(variant.compiler, made_as.compile_flags(standard), path, file),
        file=file,
        flags=use,
        variant=made_as,
        standard=standard,
        identity=f"{path} {changed}".encode(),
    )


@cache
def _place(folders: tuple[str, ...]) -> tuple[str, int] | None:
    for folder in folders:
        path = Path(folder) / HEADER
        if path.is_file():
            return str(path), path.stat().st_mtime_ns
    return None
