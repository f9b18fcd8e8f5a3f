"""Imported by the process that workers are forked from: it loads the parser, and dies with us.

Importing it anywhere else would tie that process to its parent.
"""

from __future__ import annotations

from deskcheck.builder import admission
from deskcheck.oracles.sandbox.isolation.libc import die_with_parent

__all__ = ["admission"]

die_with_parent()
