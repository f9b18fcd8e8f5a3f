"""What a dataset was made with, for its manifest."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Mapping
from typing import Any

PACKAGES = ("libcst", "pyarrow")
"""Those whose version may change which programs are admitted, or the bytes of a file."""


def facts(
    *, measured: Mapping[str, Any], sandbox: Mapping[str, str | None]
) -> dict[str, Mapping[str, Any]]:
    """The facts that a manifest records; none of them is a time, a path or a host's name.

    `measured` describes the interpreter or compiler that programs were run with, `sandbox` the
    mechanism of each protection.
    """
    return {
        "measured": dict(measured),
        "builder": {
            "implementation": platform.python_implementation(),
            "python": platform.python_version(),
        },
        "packages": {name: importlib.metadata.version(name) for name in PACKAGES},
        "platform": {"system": platform.system(), "machine": platform.machine()},
        "sandbox": dict(sandbox),
    }
