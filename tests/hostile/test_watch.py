"""The watch over a program's time and disk, where a program would have it look away."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskcheck.oracles.sandbox.isolation.watch import Watch
from deskcheck.oracles.sandbox.isolation.wire import Request

DISK = 100_000


@pytest.fixture(autouse=True)
def alarm() -> Iterator[None]:
    """What stood for the alarm before stands for it again."""
    before = signal.getsignal(signal.SIGALRM)
    yield
    signal.signal(signal.SIGALRM, before)


def watch(child: int, scratch: Path) -> Watch:
    request = Request(
        argv=[],
        env={},
        scratch=str(scratch),
        stdin="",
        stdout="",
        stderr="",
        uid=None,
        cpu_s=50.0,
        wall_s=50.0,
        memory=0,
        file_size=0,
        disk=DISK,
        open_files=0,
        processes=0,
    )
    return Watch(child, time.monotonic(), request)


def test_a_program_that_is_collected_as_its_disk_is_full_is_no_fault(tmp_path: Path) -> None:
    """The timer may strike between its end and the end of the watch; nobody is left to kill."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    (tmp_path / "full").write_bytes(b"x" * 2 * DISK)
    watching = watch(child, tmp_path)
    watching.start()
    deadline = time.monotonic() + 10
    while not watching.out_of_disk and time.monotonic() < deadline:
        time.sleep(0.05)
    watching.stop()
    assert watching.out_of_disk


@pytest.mark.parametrize("size", [DISK // 2, 2 * DISK])
def test_what_lies_too_deep_to_be_named_is_counted(tmp_path: Path, size: int) -> None:
    """Folders are opened one from another, so no path has to name them."""
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(60):
        os.mkdir("d" * 100, dir_fd=here)
        inner = os.open("d" * 100, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    file = os.open("large", os.O_WRONLY | os.O_CREAT, dir_fd=here)
    os.write(file, b"x" * size)
    os.close(file)
    os.close(here)
    # The folders themselves take room too, on some file systems.
    watching = watch(os.getpid(), tmp_path)
    watching._disk += 60 * 4096
    watching.stop()
    assert watching.out_of_disk == (size > DISK)


def test_folders_nested_without_end_count_as_too_much(tmp_path: Path) -> None:
    """Nobody can say what is in them."""
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(300):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    watching = watch(os.getpid(), tmp_path)
    watching._disk = 10**9
    watching.stop()
    assert watching.out_of_disk


def test_a_folder_that_is_closed_to_its_owner_is_opened_and_counted(tmp_path: Path) -> None:
    """Its mode says who may list it, not what it holds."""
    shut = tmp_path / "shut"
    shut.mkdir(0o700)
    (shut / "large").write_bytes(b"x" * 2 * DISK)
    shut.chmod(0o300)
    watching = watch(os.getpid(), tmp_path)
    watching.stop()
    assert watching.out_of_disk
