"""Standard headers, parsed once per process and kept for the programs that include them."""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from clang.cindex import Diagnostic, Index, TranslationUnit, TranslationUnitLoadError

KEPT = 16
"""Sets of headers that are kept; one takes up to 16 MB of disk."""
_SERIALISE = 0x2
_SKIP_FUNCTION_BODIES = 0x40
_NAME = "headers.hpp"


@cache
def index() -> Index:
    return Index.create(excludeDecls=True)


def errors(unit: TranslationUnit) -> list[Diagnostic]:
    return [each for each in unit.diagnostics if each.severity >= Diagnostic.Error]


class PrecompiledHeaders:
    """A file without a name, so that nothing of it remains however the process ends."""

    def __init__(self, unit: TranslationUnit) -> None:
        with tempfile.TemporaryDirectory(prefix="deskcheck-headers-") as folder:
            path = Path(folder) / "headers.pch"
            unit.save(str(path))
            self._file = os.open(path, os.O_RDONLY)
        weakref.finalize(self, os.close, self._file)

    @property
    def path(self) -> str:
        return f"/dev/fd/{self._file}"


@lru_cache(maxsize=KEPT)
def precompiled(headers: tuple[str, ...], arguments: Sequence[str]) -> PrecompiledHeaders | None:
    """The headers without their functions' bodies; None where they do not parse by themselves."""
    text = "".join(f"#include {header}\n" for header in headers)
    try:
        unit = index().parse(
            _NAME,
            args=[each.replace("-xc++", "-xc++-header") for each in arguments],
            unsaved_files=[(_NAME, text)],
            options=_SERIALISE | _SKIP_FUNCTION_BODIES,
        )
    except TranslationUnitLoadError:
        return None
    return None if errors(unit) else PrecompiledHeaders(unit)
