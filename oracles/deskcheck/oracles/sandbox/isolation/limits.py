"""The kernel's bounds on one process."""

from __future__ import annotations

import resource
import sys

from .wire import Request

_STACK = 8 * 1024**2


def impose(request: Request, *, processes: int | None) -> None:
    """Set the limits of `request` on this process; `processes` None leaves their number alone."""
    cpu = request["cpu_s"]
    # The soft limit's signal can be caught; the hard one's, a second later, cannot.
    _lower(resource.RLIMIT_CPU, cpu, cpu + 1)
    _lower(resource.RLIMIT_FSIZE, request["file_size"], request["file_size"])
    _lower(resource.RLIMIT_NOFILE, request["open_files"], request["open_files"])
    _lower(resource.RLIMIT_CORE, 0, 0)
    # Explicit, so that deep recursion ends in a segmentation fault at the same depth everywhere.
    # The hard limit stays: programs may ask for a larger stack, within their address space.
    _lower(resource.RLIMIT_STACK, _STACK, resource.RLIM_INFINITY)
    if processes is not None:
        _lower(resource.RLIMIT_NPROC, processes, processes)
    if sys.platform != "darwin":  # macOS refuses to bound address space
        _lower(resource.RLIMIT_AS, request["memory"], request["memory"])


def _lower(kind: int, soft: int, hard: int) -> None:
    _, ceiling = resource.getrlimit(kind)
    if ceiling != resource.RLIM_INFINITY:
        hard = ceiling if hard == resource.RLIM_INFINITY else min(hard, ceiling)
        soft = min(soft, ceiling)
    resource.setrlimit(kind, (soft, hard))
