"""Landlock: a process that gives up writing anywhere but in places that it names.

Source: the kernel's userspace-api/landlock documentation. Reading and executing stay free.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from . import libc

_CREATE_RULESET = 444  # these three numbers are the same on every architecture
_ADD_RULE = 445
_RESTRICT_SELF = 446
_VERSION_FLAG = 1
_RULE_PATH_BENEATH = 1

_WRITE_FILE = 1 << 1
_DIRECTORY_RIGHTS = sum(1 << bit for bit in range(4, 13))  # remove and make entries of each kind
_REFER = 1 << 13
_TRUNCATE = 1 << 14
_IOCTL_DEVICE = 1 << 15

ABI_WITH_TRUNCATE = 3
"""Before this version a file can be emptied without the right to write it."""


def abi() -> int:
    """The kernel's Landlock version, 0 where it has none or refuses it to us."""
    if not libc.LINUX:
        return 0
    try:
        return libc.syscall(_CREATE_RULESET, 0, 0, _VERSION_FLAG)
    except OSError:
        return 0


def border(version: int, folder: int, files: Sequence[int]) -> int:
    """A ruleset, as an open file, that allows writes only to what is given and to /dev/null.

    `folder` and `files` are open; beneath the folder all is allowed.
    """
    whole_files = _WRITE_FILE | (_TRUNCATE if version >= ABI_WITH_TRUNCATE else 0)
    whole_files |= _IOCTL_DEVICE if version >= 5 else 0
    everything = whole_files | _DIRECTORY_RIGHTS | (_REFER if version >= 2 else 0)
    ruleset = libc.syscall(_CREATE_RULESET, everything.to_bytes(8, "little"), 8, 0)
    os.set_inheritable(ruleset, False)
    _allow(ruleset, folder, everything)
    for file in files:
        _allow(ruleset, file, whole_files)
    try:
        null = os.open(os.devnull, os.O_PATH)
    except FileNotFoundError:
        return ruleset
    _allow(ruleset, null, whole_files)
    os.close(null)
    return ruleset


def stay_within(ruleset: int) -> None:
    """Give up, for good, what `ruleset` does not allow; no_new_privs must be set."""
    libc.syscall(_RESTRICT_SELF, ruleset, 0)


def _allow(ruleset: int, parent: int, rights: int) -> None:
    rule = rights.to_bytes(8, "little") + parent.to_bytes(4, "little", signed=True)
    libc.syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0)
