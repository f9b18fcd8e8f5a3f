"""Linux namespaces: a network with nothing in it, processes that see only each other."""

from __future__ import annotations

import os
import sys

from . import libc

_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC = 1, 2, 4, 8
_MS_BIND, _MS_REC, _MS_PRIVATE = 1 << 12, 1 << 14, 1 << 18
_MOUNT_SETATTR = 442
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_ATTR_READ_ONLY = 1


def new_user() -> None:
    """Enter a user namespace in which we keep our ids and have every capability."""
    if sys.platform == "linux":
        uid, gid = os.getuid(), os.getgid()
        os.unshare(os.CLONE_NEWUSER)
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{uid} {uid} 1")
        _write("/proc/self/gid_map", f"{gid} {gid} 1")


def new_network() -> None:
    """Enter a network namespace: no interface is up, not even loopback."""
    if sys.platform == "linux":
        os.unshare(os.CLONE_NEWNET)


def new_mounts() -> None:
    """Enter a mount namespace whose changes nobody else sees."""
    if sys.platform == "linux":
        os.unshare(os.CLONE_NEWNS)
        libc.mount("none", "/", "", _MS_REC | _MS_PRIVATE)


def new_processes() -> None:
    """Have the next child be process 1 of a namespace of its own."""
    if sys.platform == "linux":
        os.unshare(os.CLONE_NEWPID)


def own_processes() -> int:
    """An open file that stands for the process namespace we are in."""
    return os.open("/proc/self/ns/pid", os.O_RDONLY)


def return_to(processes: int) -> None:
    """Have the next child be an ordinary process of the namespace `processes`."""
    if sys.platform == "linux":
        os.setns(processes, os.CLONE_NEWPID)


def fresh_proc(*, read_only: bool = False) -> None:
    """Mount a /proc that shows this process namespace only.

    Writable, root's uid could set the kernel's parameters there, even without capabilities.
    """
    new_mounts()
    flags = _MS_NOSUID | _MS_NODEV | _MS_NOEXEC | (_MS_RDONLY if read_only else 0)
    libc.mount("proc", "/proc", "proc", flags)


def read_only_except(folder: str) -> None:
    """Make every mount read-only but `folder`; needs a mount namespace and Linux 5.12."""
    libc.mount(folder, folder, "", _MS_BIND)
    _set_attributes("/", _ATTR_READ_ONLY, 0)
    _set_attributes(folder, 0, _ATTR_READ_ONLY)


def narrow(folder: str, inner: str) -> None:
    """Make the mount `folder` read-only but for the folder `inner` of it."""
    libc.mount(inner, inner, "", _MS_BIND)
    _set_attributes(folder, _ATTR_READ_ONLY, 0)
    _set_attributes(inner, 0, _ATTR_READ_ONLY)


def _set_attributes(path: str, on: int, off: int) -> None:
    attributes = b"".join(value.to_bytes(8, "little") for value in (on, off, 0, 0))
    libc.syscall(
        _MOUNT_SETATTR, _AT_FDCWD, os.fsencode(path), _AT_RECURSIVE, attributes, len(attributes)
    )


def _write(path: str, text: str) -> None:
    file = os.open(path, os.O_WRONLY)
    try:
        os.write(file, text.encode())
    finally:
        os.close(file)
