"""Which mechanism gives each protection on this machine."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, fields

from deskcheck.oracles.errors import SandboxError
from deskcheck.oracles.sandbox.isolation.wire import Mechanisms


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
    """The mechanism behind each protection, None where there is none."""

    network: str | None
    """No connection to anything."""
    writes: str | None
    """No writing outside the scratch folder."""
    processes: str | None
    """No new processes."""
    identity: str | None
    """Whose rights a program runs with."""
    pids: str | None
    """How what a program started is found and killed."""

    def as_dict(self) -> dict[str, str | None]:
        """For a manifest."""
        return asdict(self)

    def lines(self) -> list[str]:
        """One line per protection, for people."""
        return [f"{item.name}: {getattr(self, item.name) or 'none'}" for item in fields(self)]

    def require(self) -> None:
        """Raise SandboxError when a protection is missing that runs need by default."""
        missing = [what for what, how in _required(self) if how is None]
        if missing:
            raise SandboxError(
                f"this machine cannot keep programs from {' and '.join(missing)}",
                "use Linux with seccomp and Landlock or user namespaces, "
                "or pass --allow-unisolated to run them anyway",
            )


def _required(layers: Layers) -> tuple[tuple[str, str | None], ...]:
    return (
        ("using the network", layers.network),
        ("writing outside their scratch folder", layers.writes),
    )


def layers_of(have: Mechanisms, identity: str) -> Layers:
    """What `have` amounts to."""
    seccomp = "seccomp" if have["seccomp"] else None
    return Layers(
        network=_joined("namespace" if have["net"] else None, seccomp),
        writes=_writes(have),
        processes=seccomp or "rlimit",
        identity=identity,
        pids=_pids(have),
    )


def _pids(have: Mechanisms) -> str:
    if have["pid"]:
        return "namespace"
    return "descendants" if sys.platform == "linux" else "process group"


def _writes(have: Mechanisms) -> str | None:
    # Early Landlock does not know of truncation; seccomp then has to refuse it.
    if have["landlock"] >= 3 or (have["landlock"] and have["seccomp"]):
        return _joined("landlock", "seccomp" if have["seccomp"] else None)
    return "read-only mounts" if have["mounts"] else None


def _joined(*mechanisms: str | None) -> str | None:
    return " and ".join(name for name in mechanisms if name) or None
