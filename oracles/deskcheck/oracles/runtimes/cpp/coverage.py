"""Trace lengths of C++ programs: the execution counts of their code regions, added up.

A code region is one of kind 0 of clang's source-based coverage that lies in the program's own
file. Each instantiation of a template has its own, and what a macro of the file expands to counts
at each expansion.
"""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from deskcheck.oracles.outcomes import Limits
from deskcheck.oracles.runtimes.cpp.building import ENVIRONMENT, Built
from deskcheck.oracles.runtimes.cpp.driving import PROGRAM, SOURCE
from deskcheck.oracles.runtimes.cpp.toolchain import Toolchain
from deskcheck.oracles.runtimes.cpp.variants import SOURCE_FOLDER
from deskcheck.oracles.runtimes.python import Runner

PROFILE, UNREAD = "deskcheck.profraw", "deskcheck.unread"
"""Files that `counted.cpp` writes."""

_LIMITS = Limits(cpu_s=60, wall_s=180, output=256 * 1024**2, processes=32)
_MERGED = "merged.profdata"
_CODE = 0
_MOST = 256
_LINE_END = re.compile(rb"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Region:
    """One code region of one function: where it begins, counted from 1, and how often it ran.

    Columns are in bytes.
    """

    line: int
    column: int
    count: int


class RegionCounts:
    """Reads profiles with LLVM's own tools, in the sandbox.

    Equal profiles of one program are read only once.
    """

    def __init__(self, sandbox: Runner, toolchain: Toolchain) -> None:
        self._sandbox = sandbox
        self._toolchain = toolchain
        self._known: OrderedDict[tuple[str, bytes], tuple[Region, ...]] = OrderedDict()

    def total(
        self, built: Built, profile: bytes, source: bytes, ignoring: Sequence[tuple[int, int]] = ()
    ) -> int | None:
        """The trace length that a profile tells, or None where it is not whole.

        Regions that begin inside one of the spans `ignoring` of `source`, as byte offsets, are
        left out.
        """
        regions = self.regions(built, profile)
        if regions is None:
            return None
        if not ignoring:
            return sum(region.count for region in regions)
        starts = line_starts(source)
        return sum(
            region.count
            for region in regions
            if not _within(starts[region.line - 1] + region.column - 1, ignoring)
        )

    def regions(self, built: Built, profile: bytes) -> tuple[Region, ...] | None:
        """The code regions of the program's own file, of all functions."""
        if not profile:
            return None
        key = built.key, blake2b(profile).digest()
        regions = self._known.get(key)
        if regions is None:
            regions = self._read(built, profile)
            if regions is None:  # not kept: it may be our tools that failed
                return None
            self._known[key] = regions
            if len(self._known) > _MOST:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        return regions

    def _read(self, built: Built, profile: bytes) -> tuple[Region, ...] | None:
        merged = self._sandbox.run(
            [self._toolchain.profdata, "merge", "-sparse", PROFILE, "-o", _MERGED],
            stdin=b"",
            files={PROFILE: profile},
            collect=[_MERGED],
            env=ENVIRONMENT,
            limits=_LIMITS,
        )
        if not merged.clean or _MERGED not in merged.collected:
            return None
        exported = self._sandbox.run(
            [
                *(self._toolchain.cov, "export", "-format=text", "-num-threads=1"),
                *("-skip-expansions", f"-instr-profile={_MERGED}", PROGRAM),
            ],
            stdin=b"",
            files={_MERGED: merged.collected[_MERGED], PROGRAM: built.binary},
            env=ENVIRONMENT,
            limits=_LIMITS,
        )
        # It still exits with 0 where the profile is of another program, and warns.
        if not exported.clean or b"mismatched data" in exported.stderr:
            return None
        return code_regions(json.loads(exported.stdout), f"{SOURCE_FOLDER}/{SOURCE}")


def code_regions(exported: Any, file: str) -> tuple[Region, ...]:
    """The code regions of `file` in what `llvm-cov export` prints, of every function record."""
    found: list[Region] = []
    for unit in exported["data"]:
        for function in unit["functions"]:
            own = [name == file for name in function["filenames"]]
            for line, column, _, _, count, of_file, _, kind in function["regions"]:
                if kind == _CODE and own[of_file]:
                    found.append(Region(line, column, count))
    return tuple(found)


def line_starts(source: bytes) -> list[int]:
    """The offset at which each line begins, as clang counts lines."""
    return [0, *(end.end() for end in _LINE_END.finditer(source))]


def _within(offset: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= offset < end for start, end in spans)
