"""A seccomp filter: the system calls that no program in a benchmark needs.

What is refused gives EPERM, so that a Python program shows a PermissionError where it tried.
Sources: seccomp(2), linux/filter.h, linux/audit.h.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterator

from . import libc
from .syscalls import AARCH64, DENIED, X86_64

_ARCHITECTURES = {"x86_64": (0xC000003E, X86_64), "aarch64": (0xC00000B7, AARCH64)}

_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_AND = 0x54  # BPF_ALU | BPF_AND | BPF_K
_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_AT_LEAST = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16  # offsets into struct seccomp_data

_ALLOW = 0x7FFF0000
_KILL = 0x80000000
_DENY = 0x00050000 | errno.EPERM
_UNKNOWN = 0x00050000 | errno.ENOSYS
_X32_BIT = 0x40000000

_CLONE_THREAD = 0x00010000
_SOCKET_KIND_MASK = 0xF  # without SOCK_NONBLOCK and SOCK_CLOEXEC
_AF_UNIX, _SOCK_STREAM = 1, 1
_O_TRUNC, _O_ACCMODE = 0o1000, 0o3
# Commands of fcntl and ioctl by which the kernel sends signals for a program, to whom and which
# it likes; and the one that types into a terminal.
_F_SETOWN, _F_SETSIG, _F_SETOWN_EX = 8, 10, 15
_FIOSETOWN, _SIOCSPGRP, _TIOCSTI = 0x8901, 0x8902, 0x5412
_PRIO_PROCESS = 0

_SET_MODE_FILTER, _GET_ACTION_AVAIL = 1, 2
_SPEC_ALLOW = 4  # no mitigation that would slow programs down on older kernels

_RUN = 12  # numbers searched one by one
_SOME_PID = 0x7FFFDEAD  # stands for the id to come; larger than any that Linux gives
_INSTRUCTION = struct.Struct("=HBBI")
Instruction = tuple[int, int, int, int]
"""Code, jump if true, jump if false, constant: one struct sock_filter."""


def available() -> bool:
    """Whether this kernel filters by seccomp and we know the machine's system call numbers."""
    if not libc.LINUX or os.uname().machine not in _ARCHITECTURES:
        return False
    _, numbers = _ARCHITECTURES[os.uname().machine]
    action = struct.pack("=I", 0x00050000)
    try:
        libc.syscall(numbers["seccomp"], _GET_ACTION_AVAIL, 0, action)
    except OSError:
        return False
    return True


class Filter:
    """A filter made ready before the fork: only the process's own id is filled in after it.

    `guard_truncation` also refuses the ways to empty a file that need no right to write it.
    """

    def __init__(self, *, guard_truncation: bool) -> None:
        machine = os.uname().machine
        self._template = compiled(machine, _SOME_PID, guard_truncation=guard_truncation)
        self._buffer = ctypes.create_string_buffer(self._template, len(self._template))
        address = ctypes.addressof(self._buffer)
        self._program = struct.pack("@HP", len(self._template) // _INSTRUCTION.size, address)
        self._number = _ARCHITECTURES[machine][1]["seccomp"]

    def install(self) -> None:
        """Filter this process from here on; no_new_privs must be set."""
        code = self.code(os.getpid())
        ctypes.memmove(self._buffer, code, len(code))
        libc.syscall(self._number, _SET_MODE_FILTER, _SPEC_ALLOW, self._program)

    def code(self, pid: int) -> bytes:
        """The filter for process `pid`."""
        return self._template.replace(_SOME_PID.to_bytes(4, "little"), pid.to_bytes(4, "little"))


def compiled(machine: str, pid: int, *, guard_truncation: bool) -> bytes:
    """The filter for process `pid` on `machine`, as an array of struct sock_filter."""
    arch, numbers = _ARCHITECTURES[machine]
    rules: dict[str, list[Instruction]] = {
        "clone": _when_set(0, _CLONE_THREAD),
        "clone3": [_give(_UNKNOWN)],  # its flags lie in memory; C libraries fall back to clone
        "socketpair": _local_stream(),  # event loops wake themselves through one
        "kill": _when_equal(0, pid, 0),
        "tkill": _when_equal(0, pid),
        "tgkill": _when_equal(0, pid),
        "prlimit64": _when_equal(0, pid, 0),
        "fcntl": _unless_equal(1, _F_SETOWN, _F_SETSIG, _F_SETOWN_EX),
        "ioctl": _unless_equal(1, _FIOSETOWN, _SIOCSPGRP, _TIOCSTI),
        "setpriority": [*_require(0, _PRIO_PROCESS), *_when_equal(1, pid, 0)],
        "sched_setparam": _when_equal(0, pid, 0),
        "sched_setscheduler": _when_equal(0, pid, 0),
        "sched_setaffinity": _when_equal(0, pid, 0),
        "sched_setattr": _when_equal(0, pid, 0),
    }
    if guard_truncation:
        rules["truncate"] = [_give(_DENY)]
        rules["open"] = _unless_only_truncating(1)
        rules["openat"] = _unless_only_truncating(2)
        rules["openat2"] = [_give(_UNKNOWN)]
    code = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, arch),
        _give(_KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32_BIT),
        _give(_UNKNOWN),
        *_by_rule(rules, numbers),
        *_refusals(sorted(numbers[name] for name in DENIED if name in numbers)),
    ]
    return b"".join(_INSTRUCTION.pack(*instruction) for instruction in code)


def _by_rule(rules: dict[str, list[Instruction]], numbers: dict[str, int]) -> Iterator[Instruction]:
    """Each rule ends in a verdict, so whatever follows still has the call's number loaded."""
    for name, rule in rules.items():
        if name in numbers:
            yield (_EQUAL, 0, len(rule), numbers[name])
            yield from rule


def _refusals(denied: list[int]) -> Iterator[Instruction]:
    """Refuse these numbers, in ascending order, and allow all others.

    In short runs of which only one is searched: for every new filter the kernel tries each of its
    system calls, so a long search is paid for some hundreds of times with every program.
    """
    for start in range(0, len(denied), _RUN):
        run = denied[start : start + _RUN]
        following = denied[start + _RUN : start + _RUN + 1]
        if following:
            yield (_AT_LEAST, len(run) + 2, 0, following[0])
        for index, number in enumerate(run):
            yield (_EQUAL, len(run) - index, 0, number)
        yield _give(_ALLOW)
        yield _give(_DENY)


def _give(action: int) -> Instruction:
    return (_RETURN, 0, 0, action)


def _argument(index: int) -> Instruction:
    # The low half: every argument looked at here is 32 bits wide to the kernel.
    return (_LOAD, 0, 0, _ARGUMENTS + 8 * index)


def _when_set(index: int, bit: int) -> list[Instruction]:
    masked = [_argument(index), (_AND, 0, 0, bit)]
    return [*masked, (_EQUAL, 0, 1, bit), _give(_ALLOW), _give(_DENY)]


def _when_equal(index: int, *values: int) -> list[Instruction]:
    code = [_argument(index)]
    for value in values:
        code += [(_EQUAL, 0, 1, value), _give(_ALLOW)]
    return [*code, _give(_DENY)]


def _unless_equal(index: int, *values: int) -> list[Instruction]:
    code = [_argument(index)]
    for value in values:
        code += [(_EQUAL, 0, 1, value), _give(_DENY)]
    return [*code, _give(_ALLOW)]


def _require(index: int, value: int) -> list[Instruction]:
    return [_argument(index), (_EQUAL, 1, 0, value), _give(_DENY)]


def _local_stream() -> list[Instruction]:
    return [
        *_require(0, _AF_UNIX),
        _argument(1),
        (_AND, 0, 0, _SOCKET_KIND_MASK),
        (_EQUAL, 0, 1, _SOCK_STREAM),
        _give(_ALLOW),
        _give(_DENY),
    ]


def _unless_only_truncating(flags: int) -> list[Instruction]:
    code = [_argument(flags), (_AND, 0, 0, _O_TRUNC | _O_ACCMODE)]
    for without_writing in (_O_TRUNC, _O_TRUNC | _O_ACCMODE):
        code += [(_EQUAL, 0, 1, without_writing), _give(_DENY)]
    return [*code, _give(_ALLOW)]
