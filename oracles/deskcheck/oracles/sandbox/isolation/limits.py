"""The kernel's bounds on one process."""

from __future__ import annotations

import math
import resource
import sys

from . import libc
from .wire import Request

_STACK = 8 * 1024**2


Limit = tuple[int, int, int]
"""Kind, soft, hard."""


def planned(request: Request, processes: int | None) -> list[Limit]:
    """The limits of `request`, none above ours; `processes` None leaves their number alone."""
    # On Linux the exact limit is kept by the watch, and this only stands behind it.
    cpu = math.ceil(request["cpu_s"]) * (2 if libc.LINUX else 1)
    plan = [
        # The soft limit's signal can be caught; the hard one's, a second later, cannot.
        (resource.RLIMIT_CPU, cpu, cpu + 1),
        (resource.RLIMIT_FSIZE, request["file_size"], request["file_size"]),
        (resource.RLIMIT_NOFILE, request["open_files"], request["open_files"]),
        # One byte: no dump is that small, and it alone keeps the kernel from starting the program
        # that a machine may have set to be given dumps.
        (resource.RLIMIT_CORE, 1, 1),
        # Explicit, so that deep recursion ends in a segmentation fault at the same depth
        # everywhere. The hard limit stays: programs may ask for a larger stack, within their
        # address space.
        (resource.RLIMIT_STACK, _STACK, resource.RLIM_INFINITY),
    ]
    if processes is not None:
        plan.append((resource.RLIMIT_NPROC, processes, processes))
    if sys.platform != "darwin":  # macOS refuses to bound address space
        plan.append((resource.RLIMIT_AS, request["memory"], request["memory"]))
    return [_lowered(*limit) for limit in plan]


def impose(plan: list[Limit]) -> None:
    """Set limits on this process."""
    for kind, soft, hard in plan:
        resource.setrlimit(kind, (soft, hard))


def _lowered(kind: int, soft: int, hard: int) -> Limit:
    _, ceiling = resource.getrlimit(kind)
    if ceiling != resource.RLIM_INFINITY:
        hard = ceiling if hard == resource.RLIM_INFINITY else min(hard, ceiling)
        soft = min(soft, ceiling)
    return kind, soft, hard
