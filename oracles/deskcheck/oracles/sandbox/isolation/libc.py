"""The few Linux calls that `os` lacks."""

from __future__ import annotations

import ctypes
import os
import sys

LINUX = sys.platform == "linux"

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_SIGKILL = 9

_libc = ctypes.CDLL(None, use_errno=True)


def syscall(number: int, *args: int | bytes | ctypes.Array[ctypes.c_char]) -> int:
    """The raw system call; OSError where it fails."""
    # Integers must be widened here: through a variadic call ctypes would pass them as C ints.
    wide = [ctypes.c_long(arg) if isinstance(arg, int) else arg for arg in args]
    return _checked(int(_libc.syscall(ctypes.c_long(number), *wide)))


def prctl(option: int, *args: int | bytes) -> int:
    """prctl(2), missing arguments zero; OSError where it fails."""
    padded = [*args, *[0] * (4 - len(args))]
    wide = [ctypes.c_ulong(arg) if isinstance(arg, int) else arg for arg in padded]
    return _checked(int(_libc.prctl(ctypes.c_int(option), *wide)))


def mount(source: str, target: str, kind: str, flags: int) -> None:
    """mount(2) without data; OSError where it fails."""
    _checked(
        int(
            _libc.mount(
                source.encode(),
                os.fsencode(target),
                kind.encode(),
                ctypes.c_ulong(flags),
                None,
            )
        )
    )


def no_new_privileges() -> None:
    """Make every later exec unable to gain privileges."""
    if LINUX:
        prctl(_PR_SET_NO_NEW_PRIVS, 1)


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent dies; a change of uid undoes it."""
    if LINUX:
        prctl(_PR_SET_PDEATHSIG, _SIGKILL)


def dumpable() -> None:
    """Own the files of this process in /proc again, as after an exec; a change of uid ends it."""
    if LINUX:
        prctl(_PR_SET_DUMPABLE, 1)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent dies."""
    if LINUX:
        prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _checked(result: int) -> int:
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
