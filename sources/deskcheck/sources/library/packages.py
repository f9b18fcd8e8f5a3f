"""The packages that routines come from: who wrote them, and which version is installed."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A package with routines in it."""

    name: str
    title: str
    licence: str
    """SPDX identifier."""
    author: str
    url: str
    extra: str = ""
    """What of Deskcheck must be installed for it; empty where it is always there."""

    def version(self) -> str | None:
        """The installed version, or None where there is none."""
        return platform.python_version() if self is CPYTHON else _installed(self.name)


@cache
def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


CPYTHON = Package(
    name="cpython",
    title="the standard library of CPython",
    licence="PSF-2.0",
    author="Python Software Foundation and contributors",
    url="https://github.com/python/cpython",
)
NETWORKX = Package(
    name="networkx",
    title="NetworkX",
    licence="BSD-3-Clause",
    author="NetworkX developers",
    url="https://networkx.org",
    extra="deskcheck[networkx]",
)
