"""The folders that runs happen in: one box per sandbox, one fresh scratch folder per run.

All boxes of a user lie under one root in the temporary directory. A lock that dies with its
owner marks the ones in use, so what a killed owner left behind is found and removed.
"""

from __future__ import annotations

import fcntl
import itertools
import os
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from deskcheck.oracles.errors import SandboxError

_MOST_BOXES = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The folder of one run: its three streams, and the scratch folder beside them."""

    folder: Path

    @property
    def scratch(self) -> Path:
        """The program's working directory."""
        return self.folder / "scratch"

    @property
    def stdin(self) -> Path:
        """Regular file, read-only to the program."""
        return self.folder / "stdin"

    @property
    def stdout(self) -> Path:
        """Regular file."""
        return self.folder / "stdout"

    @property
    def stderr(self) -> Path:
        """Regular file."""
        return self.folder / "stderr"


class Box:
    """A numbered folder that this process alone holds until it closes it or dies."""

    def __init__(self) -> None:
        self._root = _root()
        self.number, self._lock = _claim(self._root)
        self.folder = self._root / str(self.number)
        remove_tree(self.folder)
        self.folder.mkdir(mode=_folder_mode())
        self._sweep()

    def new_run(
        self, stdin: bytes, files: Mapping[str, bytes], executable: str, uid: int | None
    ) -> Run:
        """A fresh folder, its scratch part owned by `uid`; `executable` may be run from there."""
        run = Run(folder=self.folder / os.urandom(8).hex())
        run.folder.mkdir(mode=_folder_mode())
        run.scratch.mkdir(mode=0o700)
        _write(run.stdin, stdin, 0o444)
        for stream in (run.stdout, run.stderr):
            _write(stream, b"", 0o600)
        program = PurePosixPath(executable)
        for name, data in files.items():
            path = run.scratch / _inside(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, data, 0o755 if PurePosixPath(name) == program else 0o644)
        if uid is not None:
            for stream in (run.stdout, run.stderr):
                os.chown(stream, uid, uid)
            for path in (run.scratch, *run.scratch.rglob("*")):
                os.chown(path, uid, uid)
        return run

    def close(self) -> None:
        """Remove the box and give its number back."""
        remove_tree(self.folder)
        os.close(self._lock)

    def _sweep(self) -> None:
        for path in self._root.glob("*.lock"):
            if path.stem != str(self.number) and (lock := _try_lock(path)) is not None:
                remove_tree(path.with_suffix(""))
                os.close(lock)


def collect(scratch: Path, names: Sequence[str], most: int) -> dict[str, bytes]:
    """The regular files of these names, each cut at `most` bytes; links are not followed."""
    found: dict[str, bytes] = {}
    for name in names:
        data = _read_inside(scratch, _inside(name), most)
        if data is not None:
            found[name] = data
    return found


def read_file(path: Path, most: int) -> bytes:
    """At most the first `most` bytes of one of a run's streams."""
    return _read_inside(path.parent, PurePosixPath(path.name), most) or b""


def read_tail(path: Path, most: int) -> bytes:
    """At most the last `most` bytes of one of a run's streams."""
    with path.open("rb") as file:
        file.seek(max(file.seek(0, os.SEEK_END) - most, 0))
        return file.read(most)


def over(run: Run, size: int) -> bool:
    """Whether any regular file that the run wrote is larger than `size` bytes."""
    return any(facts.st_size > size for facts in _regular_files(run.folder))


def remove_tree(top: Path) -> None:
    """Remove a folder, if it exists, however deep and whatever its modes.

    Each sub-folder is moved up beside `top` before it is emptied, so that no path grows long.
    """
    if not top.exists():
        return
    numbers = itertools.count()
    pending = [top]
    while pending:
        folder = pending.pop()
        folder.chmod(0o700)
        with os.scandir(folder) as listing:
            entries = list(listing)
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                moved = top.with_name(f"{top.name}.{next(numbers)}")
                Path(entry.path).chmod(0o700)  # moving a folder needs the right to write it
                Path(entry.path).rename(moved)
                pending.append(moved)
            else:
                Path(entry.path).unlink()
        folder.rmdir()


def _root() -> Path:
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
    return root


def _folder_mode() -> int:
    # Root's programs run under another uid and must get through, but need not list.
    return 0o711 if os.getuid() == 0 else 0o700


def _claim(root: Path) -> tuple[int, int]:
    for number in range(_MOST_BOXES):
        lock = _try_lock(root / f"{number}.lock")
        if lock is not None:
            return number, lock
    raise SandboxError(f"all {_MOST_BOXES} sandboxes under {root} are in use", "run fewer workers")


def _try_lock(path: Path) -> int | None:
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    return file


def _inside(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(f"{name!r} does not name a file inside the scratch folder")
    return path


def _write(path: Path, data: bytes, mode: int) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(file, "wb") as stream:
        stream.write(data)
        os.fchmod(file, mode)


def _read_inside(folder: Path, name: PurePosixPath, most: int) -> bytes | None:
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


def _regular_files(top: Path) -> Iterator[os.stat_result]:
    folders = [top]
    while folders:
        try:
            with os.scandir(folders.pop()) as listing:
                for entry in listing:
                    facts = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(facts.st_mode):
                        yield facts
                    elif stat.S_ISDIR(facts.st_mode):
                        folders.append(Path(entry.path))
        except OSError:
            continue
