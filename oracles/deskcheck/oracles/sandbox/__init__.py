"""Running programs that are not trusted: bounded, shut off, and gone when the run is over."""

from __future__ import annotations

from deskcheck.oracles.sandbox.forking import ForkingSandbox
from deskcheck.oracles.sandbox.layers import Layers
from deskcheck.oracles.sandbox.runner import Sandbox

__all__ = ["ForkingSandbox", "Layers", "Sandbox"]
