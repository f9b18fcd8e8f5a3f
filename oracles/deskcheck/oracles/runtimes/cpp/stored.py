"""Built programs on disk, under the hash of all that they were made from."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

MOST_BYTES = 2 * 1024**3
_DIGEST = 32
_SWEEP_EVERY = 64


class BuildStore:
    """A folder of builds, shared by all processes of a user and kept below `most` bytes.

    What cannot be read whole counts as absent, and a folder that cannot be written keeps nothing:
    a build is then made again.
    """

    def __init__(self, folder: Path, most: int = MOST_BYTES) -> None:
        self._folder = folder
        self._most = most
        self._written = 0
        self._checked: set[tuple[int, int]] = set()

    def get(self, key: str) -> bytes | None:
        """What was put under `key`, None where there is nothing or it is damaged."""
        try:
            with self._path(key).open("rb") as file:
                digest, data = file.read(_DIGEST), file.read()
                facts = os.fstat(file.fileno())
                # A large one is read many times; a file is never written to again.
                identity = facts.st_ino, facts.st_size
                if identity not in self._checked and _digest(data) != digest:
                    return None
                self._checked.add(identity)
                os.utime(file.fileno())  # what is used stays
        except OSError:
            return None
        return data

    def put(self, key: str, data: bytes) -> bool:
        """Keep `data`, or say that it cannot be; another process sees all of it or nothing."""
        if self._written % _SWEEP_EVERY == 0:
            self._sweep()
        self._written += 1
        path = self._path(key)
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file, name = tempfile.mkstemp(dir=path.parent, prefix=".")
            try:
                with os.fdopen(file, "wb") as stream:
                    stream.write(_digest(data))
                    stream.write(data)
                Path(name).replace(path)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError:
            return False
        return True

    def _sweep(self) -> None:
        """Remove the builds that were used longest ago, until the rest has room."""
        kept = sorted(self._entries(), reverse=True)
        total = 0
        for _, size, path in kept:
            total += size
            if total > self._most:
                with contextlib.suppress(OSError):
                    Path(path).unlink()

    def _entries(self) -> Iterator[tuple[float, int, str]]:
        """When each was used last, its size and its path."""
        folders = [str(self._folder)]
        while folders:
            try:
                with os.scandir(folders.pop()) as listing:
                    for entry in listing:
                        facts = entry.stat(follow_symlinks=False)
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(entry.path)
                        else:
                            yield facts.st_mtime, facts.st_size, entry.path
            except OSError:
                continue  # another process was quicker

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / key


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=_DIGEST).digest()


def default_folder() -> Path:
    """Where builds are kept: `DESKCHECK_CACHE`, or the user's folder for such things."""
    named = os.environ.get("DESKCHECK_CACHE")
    if named:
        return Path(named) / "cpp"
    base = os.environ.get("XDG_CACHE_HOME") or ""
    root = Path(base) if Path(base).is_absolute() else Path.home() / ".cache"
    return root / "deskcheck" / "cpp"
