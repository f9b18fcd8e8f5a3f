"""The filter decides as its tables say, on every architecture, by a small interpreter of BPF."""

from __future__ import annotations

import errno
import os
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.oracles.sandbox.isolation import seccomp
from deskcheck.oracles.sandbox.isolation.seccomp import Filter, compiled
from deskcheck.oracles.sandbox.isolation.syscalls import AARCH64, DENIED, X86_64

MACHINES = {"x86_64": (0xC000003E, X86_64), "aarch64": (0xC00000B7, AARCH64)}
ALLOW, KILL = 0x7FFF0000, 0x80000000
DENY, UNKNOWN = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
PID = 4321


def verdict(code: bytes, arch: int, number: int, *arguments: int) -> int:
    """What the kernel would do: filter(4) for the six instructions that are used."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("=iIQ6Q", number, arch, 0, *(value % 2**64 for value in padded))
    program = [struct.unpack_from("=HBBI", code, at) for at in range(0, len(code), 8)]
    accumulator, at = 0, 0
    while True:
        operation, if_true, if_false, constant = program[at]
        at += 1
        if operation == 0x20:
            (accumulator,) = struct.unpack_from("=I", data, constant)
        elif operation == 0x54:
            accumulator &= constant
        elif operation == 0x15:
            at += if_true if accumulator == constant else if_false
        elif operation == 0x35:
            at += if_true if accumulator >= constant else if_false
        else:
            assert operation == 0x06
            return int(constant)


@pytest.mark.parametrize("machine", MACHINES)
def test_every_number_gets_its_verdict(machine: str) -> None:
    """All denied calls are refused; all that the tables do not name are allowed."""
    arch, numbers = MACHINES[machine]
    code = compiled(machine, PID, guard_truncation=False)
    denied = {numbers[name] for name in DENIED if name in numbers}
    special = {"clone", "clone3", "socketpair", "kill", "tkill", "tgkill", "prlimit64"}
    by_argument = {numbers[name] for name in special}
    for number in range(600):
        if number not in by_argument:
            expected = DENY if number in denied else ALLOW
            assert verdict(code, arch, number) == expected, number
    assert len(denied) > 80


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("call", "arguments", "expected"),
    [
        ("clone", (0x00010000 | 0x100,), ALLOW),
        ("clone", (17,), DENY),
        ("clone", (0x10000000 | 17,), DENY),
        ("clone3", (), UNKNOWN),
        ("socketpair", (1, 1 | 0o4000 | 0o2000000), ALLOW),
        ("socketpair", (1, 2), DENY),
        ("socketpair", (1, 5), DENY),
        ("socketpair", (2, 1), DENY),
        ("kill", (PID, 9), ALLOW),
        ("kill", (0, 9), ALLOW),
        ("kill", (-1, 9), DENY),
        ("kill", (1, 9), DENY),
        ("kill", (-PID, 9), DENY),
        ("tgkill", (PID, PID + 1, 6), ALLOW),
        ("tgkill", (1, 1, 6), DENY),
        ("tkill", (PID,), ALLOW),
        ("tkill", (1,), DENY),
        ("prlimit64", (0, 7), ALLOW),
        ("prlimit64", (1, 7), DENY),
        ("fcntl", (3, 4), ALLOW),
        ("fcntl", (3, 8, 1), DENY),
        ("fcntl", (3, 10, 9), DENY),
        ("fcntl", (3, 15, 0), DENY),
        ("ioctl", (0, 0x541B), ALLOW),
        ("ioctl", (0, 0x8901, 0), DENY),
        ("ioctl", (0, 0x8902, 0), DENY),
        ("ioctl", (0, 0x5412, 0), DENY),
        ("setpriority", (0, 0, 5), ALLOW),
        ("setpriority", (0, PID, 5), ALLOW),
        ("setpriority", (0, 1, 5), DENY),
        ("setpriority", (2, 0, 5), DENY),
        ("sched_setaffinity", (0, 8), ALLOW),
        ("sched_setaffinity", (1, 8), DENY),
        ("sched_setscheduler", (1, 5), DENY),
        ("sched_setparam", (1, 0), DENY),
        ("sched_setattr", (1, 0), DENY),
        ("ioprio_set", (1, 0), DENY),
        ("truncate", (), ALLOW),
        ("openat", (0, 0, 0o1000), ALLOW),
    ],
)
def test_arguments_decide(
    machine: str, call: str, arguments: tuple[int, ...], expected: int
) -> None:
    """Threads but no processes, own signals and priority but no others', local streams only."""
    arch, numbers = MACHINES[machine]
    code = compiled(machine, PID, guard_truncation=False)
    assert verdict(code, arch, numbers[call], *arguments) == expected


@pytest.mark.parametrize("machine", MACHINES)
@given(flags=st.integers(0, 2**23 - 1))
def test_truncation_needs_the_right_to_write(machine: str, flags: int) -> None:
    """With the guard, a file cannot be emptied by opening it for anything but writing."""
    arch, numbers = MACHINES[machine]
    code = compiled(machine, PID, guard_truncation=True)
    empties_unwritten = bool(flags & os.O_TRUNC) and flags & os.O_ACCMODE not in (1, 2)
    expected = DENY if empties_unwritten else ALLOW
    assert verdict(code, arch, numbers["openat"], 0, 0, flags) == expected
    if "open" in numbers:
        assert verdict(code, arch, numbers["open"], 0, flags) == expected
    assert verdict(code, arch, numbers["truncate"]) == DENY
    assert verdict(code, arch, numbers["openat2"]) == UNKNOWN


@pytest.mark.parametrize("machine", MACHINES)
def test_another_architectures_calls_end_the_program(machine: str) -> None:
    """Numbers mean something else there, so nothing of it is let through."""
    code = compiled(machine, PID, guard_truncation=False)
    assert verdict(code, 0x40000003, 1) == KILL
    assert verdict(code, MACHINES[machine][0], 0x40000000 | 57) == UNKNOWN


@given(pid=st.integers(1, 2**22))
def test_a_prepared_filter_is_the_compiled_one(pid: int) -> None:
    """Filling the process id in later changes nothing else."""
    if not seccomp.available():
        pytest.skip("this machine has no seccomp that we know")
    expected = compiled(os.uname().machine, pid, guard_truncation=False)
    assert Filter(guard_truncation=False).code(pid) == expected
