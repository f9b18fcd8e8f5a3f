"""Worlds to run the corpus in: who runs it, and which layers of the sandbox there are."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

ROOT = Path(__file__).parents[2]
ROOTS = ("builder", "sources", "oracles", "evaluate", "analysis")
USER = 64990
"""An ordinary user whom no machine has, so that nobody else's processes count as its own."""

NO_LAYERS = ("namespaces", "landlock", "seccomp")

# A namespace of everything that a program could reach: processes, network, shared memory, and
# mounts, by which the interpreter and this checkout are shown where everybody may look.
SETUP = """
mount -t tmpfs -o mode=0755 none "$1" && mount -t tmpfs -o mode=1777 none /dev/shm || exit 99
mkdir -p "$1/python" "$1/checkout" "$1/packages" "$1/tmp" "$1/closed/python" || exit 99
chmod 1777 "$1/tmp" && chmod 700 "$1/closed" || exit 99
mount --bind "$2" "$1/python" && mount --bind "$2" "$1/closed/python" || exit 99
mount --bind "$3" "$1/checkout" && mount --bind "$4" "$1/packages" || exit 99
if [ -n "$5" ]; then
    mount -t tmpfs -o mode=0755 none "$5" && mkdir -p "$2" || exit 99
    mount --bind "$1/python" "$2" || exit 99
fi
shift 5
exec "$@"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """`root` gives programs another uid, `kept` cannot, as their interpreter is root's alone."""

    who: Literal["root", "kept", "user"]
    without: Sequence[str] = ()

    def __str__(self) -> str:
        lacking = "no layers" if len(self.without) == 3 else "no " + " ".join(self.without)
        return f"{self.who}, {lacking if self.without else 'all layers'}"

    @property
    def isolated(self) -> bool:
        return len(self.without) < 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What came of a corpus in a world."""

    facts: dict[str, Any]
    results: dict[str, dict[str, Any]]
    end: dict[str, Any]


def run_in(world: World, names: Sequence[str]) -> Told:
    """Judge the programs of these names; skips the test where this machine has no such world."""
    if os.getuid() != 0:
        pytest.skip("only root can be root and an ordinary user in turn")
    if not all(map(shutil.which, ("unshare", "setpriv", "mount"))):
        pytest.skip("unshare, setpriv or mount is not installed")
    place = Path(tempfile.mkdtemp(prefix="deskcheck-world-"))
    try:
        done = subprocess.run(
            _command(world, place, names), capture_output=True, text=True, cwd="/", check=False
        )
    finally:
        place.rmdir()
    if done.returncode == 99 or "unshare failed" in done.stderr:
        pytest.skip("this root may not make namespaces and mounts")
    assert done.returncode == 0, done.stderr
    facts, *results, end = map(json.loads, done.stdout.splitlines())
    return Told(facts=facts, results={result["name"]: result for result in results}, end=end)


def _command(world: World, place: Path, names: Sequence[str]) -> list[str]:
    binary = f"bin/python{sys.version_info[0]}.{sys.version_info[1]}"
    measured = place / ("closed/python" if world.who == "kept" else "python") / binary
    checkout = place / "checkout"
    path = [checkout, *(checkout / root for root in ROOTS), place / "packages"]
    environment = {
        "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
        "HOME": str(place / "tmp"),
        "TMPDIR": str(place / "tmp"),
        "PYTHONPATH": ":".join(map(str, path)),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    job = {"python": str(measured), "without": list(world.without), "names": list(names)}
    ordinary = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
    return [
        *("unshare", "--mount", "--pid", "--net", "--ipc", "--fork", "--kill-child"),
        *("--mount-proc", "/bin/sh", "-c", SETUP, "sh", str(place), sys.base_prefix, str(ROOT)),
        sysconfig.get_path("purelib"),
        _closed_above(Path(sys.base_prefix)),
        *("env", "-i", *(f"{name}={value}" for name, value in environment.items())),
        *(ordinary if world.who == "user" else []),
        *(f"{place}/python/{binary}", "-m", "tests.hostile.arena", json.dumps(job)),
    ]


def _closed_above(folder: Path) -> str:
    """The folder that keeps others from `folder`, or "": an interpreter finds its parts by name."""
    closed = [parent for parent in reversed(folder.parents) if not parent.stat().st_mode & 0o001]
    return str(closed[0]) if closed else ""
