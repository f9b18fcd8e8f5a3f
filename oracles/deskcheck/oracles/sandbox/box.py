"""The folders that runs happen in: one box per sandbox, one fresh scratch folder per run.

All boxes of a user lie under one root in the temporary directory. A lock that dies with its
owner marks the ones in use, so what a killed owner left behind is found and removed.
"""

# Plain names instead of Path objects: this stands in the way of every run.
# ruff: noqa: PTH101, PTH102, PTH104, PTH106, PTH108, PTH112, PTH116, PTH123, PTH208

from __future__ import annotations

import fcntl
import itertools
import os
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from deskcheck.oracles.errors import SandboxError

_MOST_BOXES = 1000


class Run:
    """The folder of one run: its three streams, and the scratch folder beside them.

    `scratch` is the program's working directory; the streams are regular files.
    """

    def __init__(self, folder: str) -> None:
        # Plain strings: a run makes, reads and removes only a few files, as fast as it can.
        self.folder = folder
        self.scratch = f"{folder}/scratch"
        self.stdin = f"{folder}/stdin"
        self.stdout = f"{folder}/stdout"
        self.stderr = f"{folder}/stderr"
        self._given: dict[str, int] = {}

    def fill(
        self, stdin: bytes, files: Mapping[str, bytes], *, executable: str, owner: int | None
    ) -> None:
        """Put everything in place for a program that runs as `owner`, None for ourselves."""
        os.mkdir(self.scratch, 0o700)
        _write(self.stdin, stdin, 0o444, None)  # nobody's to write
        _write(self.stdout, b"", 0o600, owner)
        _write(self.stderr, b"", 0o600, owner)
        program = PurePosixPath(executable)
        for name, data in files.items():
            self._make_folders(name, owner)
            mode = 0o755 if PurePosixPath(name) == program else 0o644
            path = f"{self.scratch}/{PurePosixPath(name)}"
            _write(path, data, mode, owner)
            self._given[path] = len(data)
        if owner is not None:
            os.chown(self.scratch, owner, owner)

    def _make_folders(self, name: str, owner: int | None) -> None:
        for parent in reversed(PurePosixPath(name).parents[:-1]):
            path = f"{self.scratch}/{parent}"
            if not os.path.isdir(path):
                os.mkdir(path, 0o755)
                if owner is not None:
                    os.chown(path, owner, owner)

    def collect(self, names: Sequence[str], most: int) -> dict[str, bytes]:
        """The regular files of these names, each cut at `most` bytes; links are not followed."""
        found: dict[str, bytes] = {}
        for name in names:
            data = _read_inside(self.scratch, PurePosixPath(name), most)
            if data is not None:
                found[name] = data
        return found

    def remove(self) -> None:
        """Remove the folder and all in it."""
        clear(self.folder)
        os.rmdir(self.folder)

    def largest(self) -> int:
        """Size of the largest regular file that the run wrote; those given to it count not."""
        written = (size for path, size in _sizes(self.scratch) if self._given.get(path) != size)
        return max(os.stat(self.stdout).st_size, os.stat(self.stderr).st_size, *written)


class Box:
    """A numbered folder that this process alone holds until it closes it or dies."""

    def __init__(self) -> None:
        self._root = _root()
        self.number, self._lock = _claim(self._root)
        self.folder = f"{self._root}/{self.number}"
        clear(self.folder)
        self._sweep()

    def new_run(self) -> Run:
        """An empty folder for one run; its name is never used twice."""
        run = Run(f"{self.folder}/{os.urandom(8).hex()}")
        os.mkdir(run.folder, _folder_mode())
        return run

    def close(self) -> None:
        """Remove the box and give its number back."""
        clear(self.folder)
        os.rmdir(self.folder)
        os.close(self._lock)

    def _sweep(self) -> None:
        """Remove the boxes of owners that died."""
        for name in filter(str.isdecimal, os.listdir(self._root)):
            lock = _try_lock(f"{self._root}/{name}")
            if lock is not None:
                # What cannot be removed is no reason not to work.
                with suppress(OSError):
                    clear(f"{self._root}/{name}")
                    os.rmdir(f"{self._root}/{name}")
                os.close(lock)


def require_inside(name: str) -> None:
    """Raise ValueError unless `name` names a file inside the scratch folder."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(f"{name!r} does not name a file inside the scratch folder")


def read_head(path: str, most: int) -> bytes:
    """At most the first `most` bytes."""
    with open(path, "rb") as file:
        return file.read(most)


def read_tail(path: str, most: int) -> bytes:
    """At most the last `most` bytes."""
    with open(path, "rb") as file:
        file.seek(max(file.seek(0, os.SEEK_END) - most, 0))
        return file.read(most)


def clear(top: str) -> None:
    """Remove all that is in a folder, however deep and whatever its modes.

    Each folder further down is moved to just beneath `top` before it is emptied, so that no path
    grows too long to name.
    """
    mark = os.urandom(8).hex()
    numbers = itertools.count()
    pending = _emptied(top)
    while pending:
        folder = pending.pop()
        for inner in _emptied(folder):
            pending.append(f"{top}/{mark}.{next(numbers)}")
            os.rename(inner, pending[-1])
        os.rmdir(folder)


def _emptied(folder: str) -> list[str]:
    """The folders in `folder`, when all else in it has been removed."""
    with os.scandir(folder) as listing:
        entries = list(listing)
    folders: list[str] = []
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            os.chmod(entry.path, 0o700)  # it must be writable to be moved, readable to be emptied
            folders.append(entry.path)
        else:
            os.unlink(entry.path)
    return folders


def _root() -> str:
    root = Path(tempfile.gettempdir()) / f"deskcheck-{os.getuid()}"
    try:
        root.mkdir(mode=_folder_mode(), exist_ok=True)
        facts = root.lstat()
    except OSError as error:
        raise SandboxError(
            f"cannot make the sandbox folder {root}: {error.strerror}",
            "set TMPDIR to a folder that you can write",
        ) from error
    if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.getuid() or facts.st_mode & 0o022:
        raise SandboxError(
            f"the sandbox folder {root} is not a folder that only you can write",
            "remove it or set TMPDIR to another folder",
        )
    return str(root)


def _folder_mode() -> int:
    # Root's programs run under another uid and must get through, but need not list.
    return 0o711 if os.getuid() == 0 else 0o700


def _claim(root: str) -> tuple[int, int]:
    for number in range(_MOST_BOXES):
        path = f"{root}/{number}"
        with suppress(FileExistsError):
            os.mkdir(path, _folder_mode())
        lock = _try_lock(path)
        if lock is not None:
            return number, lock
    raise SandboxError(f"all {_MOST_BOXES} sandboxes under {root} are in use", "run fewer workers")


def _try_lock(folder: str) -> int | None:
    """The open and locked folder; None when another process has it or removed it meanwhile.

    The lock is on the folder itself, which also keeps cleaners of temporary folders away.
    """
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(lock), os.stat(folder)):
            return lock
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(lock)
    return None


def _write(path: str, data: bytes, mode: int, owner: int | None) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file, rest) :]
        os.fchmod(file, mode)
        if owner is not None:
            os.fchown(file, owner, owner)
    finally:
        os.close(file)


def _read_inside(folder: str, name: PurePosixPath, most: int) -> bytes | None:
    opened: list[int] = []
    try:
        opened.append(os.open(folder, os.O_RDONLY | os.O_DIRECTORY))
        for part in name.parts[:-1]:
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
            opened.append(os.open(part, flags, dir_fd=opened[-1]))
        # Not blocking: it might be a pipe that nobody writes to.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
        opened.append(os.open(name.name, flags, dir_fd=opened[-1]))
        if not stat.S_ISREG(os.fstat(opened[-1]).st_mode):
            return None
        with os.fdopen(opened.pop(), "rb") as stream:
            return stream.read(most)
    except OSError:
        return None
    finally:
        for file in opened:
            os.close(file)


def _sizes(top: str) -> Iterator[tuple[str, int]]:
    """Each regular file's path and size."""
    folders = [top]
    while folders:
        try:
            with os.scandir(folders.pop()) as listing:
                for entry in listing:
                    facts = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(facts.st_mode):
                        yield entry.path, facts.st_size
                    elif stat.S_ISDIR(facts.st_mode):
                        folders.append(entry.path)
        except OSError:
            continue  # too deep to name, or closed: its files were still bounded one by one
