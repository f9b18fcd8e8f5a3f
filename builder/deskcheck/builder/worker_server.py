"""Imported by the process that workers are forked from: it loads the parser, and dies with us.

Importing it anywhere else would tie that process to its parent.
"""

from __future__ import annotations

from deskcheck.builder.admission import judge as judge
from deskcheck.oracles.sandbox.isolation.libc import die_with_parent

die_with_parent()
