"""What is reported as protection, and what is demanded."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from deskcheck.oracles.errors import SandboxError
from deskcheck.oracles.outcomes import Outcome
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.oracles.sandbox.isolation.wire import Mechanisms
from deskcheck.oracles.sandbox.layers import layers_of

Run = Callable[..., Outcome]


def test_a_missing_protection_is_an_error_that_names_the_flag() -> None:
    """Without it, programs run only on demand."""
    with pytest.raises(SandboxError, match=r"network.*--allow-unisolated") as caught:
        Sandbox(without=["namespaces", "seccomp"])
    assert "\n" not in str(caught.value)


def test_the_flag_relaxes_the_demand_and_is_recorded() -> None:
    """What is missing shows in the manifest and in the lines for people."""
    with Sandbox(allow_unisolated=True, without=["namespaces", "seccomp", "landlock"]) as box:
        layers = box.layers.as_dict()
        assert (layers["network"], layers["writes"]) == (None, None)
        assert (layers["processes"], layers["pids"]) == ("rlimit", "descendants")
        assert "network: none" in box.layers.lines()


def test_programs_run_with_no_protection_at_all(run_in: Run) -> None:
    """The mandatory bounds need nothing of the kernel but what POSIX has."""
    with Sandbox(allow_unisolated=True, without=["namespaces", "seccomp", "landlock"]) as box:
        assert run_in(box, "print(input())", stdin=b"7").stdout == b"7\n"
        assert run_in(box, "import os; os.kill(os.getpid(), 9)").signal == 9


@pytest.mark.parametrize(
    ("present", "writes"),
    [
        ({"landlock": 7}, "landlock"),
        ({"landlock": 1, "seccomp": True}, "landlock and seccomp"),
        ({"landlock": 2}, None),
        ({"mounts": True}, "read-only mounts"),
        ({}, None),
    ],
)
def test_early_landlock_needs_help_against_truncation(
    present: dict[str, int | bool], writes: str | None
) -> None:
    """Before its third version it lets files be emptied; a filter must stand in for that."""
    have = Mechanisms(
        user=False, net=True, mounts=False, pid=True, proc=True, landlock=0, seccomp=False
    )
    have.update(present)  # type: ignore[typeddict-item]
    assert layers_of(have, "kept").writes == writes


def test_read_only_mounts_stand_in_for_landlock(run_in: Run, tmp_path: Path) -> None:
    """A machine without Landlock keeps writes inside by mounting all else read-only."""
    with Sandbox(allow_unisolated=True, without=["landlock"]) as box:
        if box.layers.writes != "read-only mounts":
            pytest.skip("this machine cannot mount read-only without Landlock")
        file = tmp_path / "file"
        outcome = run_in(box, "import sys\nopen(sys.argv[1], 'w')", str(file))
        assert b"Read-only file system" in outcome.stderr or b"Permission" in outcome.stderr
        assert not file.exists()
        assert run_in(box, "open('x', 'w').write('in')", collect=["x"]).collected == {"x": b"in"}


def test_without_namespaces_the_filter_keeps_all_promises(run_in: Run, tmp_path: Path) -> None:
    """As in a container that may make no namespaces."""
    with Sandbox(without=["namespaces"]) as box:
        assert box.layers.network == "seccomp"
        assert b"PermissionError" in run_in(box, "import socket; socket.socket()").stderr
        outcome = run_in(
            box, "import os; os.kill(int(input()), 0)", stdin=str(os.getpid()).encode()
        )
        assert b"PermissionError" in outcome.stderr
        assert run_in(box, f"open({str(tmp_path / 'x')!r}, 'w')").exit_code == 1
        assert run_in(box, "print(sum(range(10)))").stdout == b"45\n"
