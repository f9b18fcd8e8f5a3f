"""Giving up who we are: another uid where one is given, and every capability."""

from __future__ import annotations

import errno
import os
import struct

from . import libc
from .syscalls import AARCH64, X86_64

_PR_CAPBSET_DROP = 24
_PR_SET_SECUREBITS = 28
_PR_CAP_AMBIENT, _CLEAR_ALL = 47, 4
_CAPSET = {"x86_64": X86_64["capset"], "aarch64": AARCH64["capset"]}
_CAPABILITY_VERSION = 0x20080522
# NOROOT, NO_SETUID_FIXUP and NO_CAP_AMBIENT_RAISE, these and KEEP_CAPS locked: root's uid alone
# gives nothing back.
_UID_ZERO_IS_NOBODY = 0b11101111


def renounce() -> None:
    """Have nothing that this process and its children execute ever gain a capability.

    What they have already they keep until `shed`.
    """
    if not libc.LINUX:
        return
    capability = 0
    try:
        while True:
            libc.prctl(_PR_CAPBSET_DROP, capability)
            capability += 1
    except OSError as error:
        # EINVAL: past the last capability. EPERM: we have none to bound others with; then
        # no_new_privs and the sets emptied below are what holds.
        if error.errno not in (errno.EINVAL, errno.EPERM):
            raise
    try:
        libc.prctl(_PR_SET_SECUREBITS, _UID_ZERO_IS_NOBODY)
    except OSError as error:
        if error.errno != errno.EPERM:
            raise


def shed(uid: int | None) -> None:
    """Take `uid` as user and only group, None keeps ours; give up all capabilities."""
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    if libc.LINUX:
        _clear_capabilities()


def _clear_capabilities() -> None:
    libc.prctl(_PR_CAP_AMBIENT, _CLEAR_ALL)
    number = _CAPSET.get(os.uname().machine)
    if number is not None:
        libc.syscall(number, struct.pack("=Ii", _CAPABILITY_VERSION, 0), bytes(24))
    elif os.getuid() == 0:
        raise OSError(errno.ENOSYS, "capset is not known on this architecture")
