"""What goes in and what comes back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from deskcheck.oracles.outcomes import Limits, Outcome
from deskcheck.oracles.sandbox import Sandbox

Run = Callable[..., Outcome]


def test_streams_are_regular_files(run: Run, python: str) -> None:
    """Programs ask for the size of their input and read that many bytes."""
    outcome = run(
        """
        import os, stat
        print([stat.S_ISREG(os.fstat(fd).st_mode) for fd in (0, 1, 2)])
        print(os.read(0, os.fstat(0).st_size))
        """,
        stdin=b"0123456789",
        python=python,
    )
    assert outcome.stdout == b"[True, True, True]\nb'0123456789'\n"


@pytest.mark.parametrize("action", ["os.write(0, b'x')", "open('/dev/stdin', 'w')"])
def test_input_cannot_be_written(run: Run, python: str, action: str) -> None:
    """Neither through the descriptor nor by opening it anew."""
    outcome = run(f"import os\n{action}", stdin=b"kept", python=python)
    assert outcome.exit_code == 1
    assert b"Error: [Errno" in outcome.stderr


@pytest.mark.parametrize(
    "data",
    [b"", b"no newline", b"a\r\nb\r\n", b"\xef\xbb\xbfbom", b"\0\xff\xfe", b"x" * 10_000_000],
    ids=["empty", "no newline", "crlf", "bom", "not text", "long line"],
)
def test_bytes_pass_unchanged(run: Run, data: bytes) -> None:
    """Input and output are bytes; nothing decodes, translates or cuts them."""
    outcome = run(
        "import sys\nsys.stdout.buffer.write(sys.stdin.buffer.read())",
        stdin=data,
        output=20_000_000,
    )
    assert outcome.stdout == data


def test_only_the_tail_of_stderr_is_kept(run: Run) -> None:
    """The end of a long traceback is what says what happened."""
    outcome = run("import sys\nsys.stderr.write('x' * 100_000 + 'end')")
    assert outcome.clean
    assert outcome.stderr == b"x" * (65_536 - 3) + b"end"


def test_files_are_there_and_collected(sandbox: Sandbox, python: str) -> None:
    """Files come with sane modes, in folders too, and can be read back."""
    outcome = sandbox.run(
        [python, "p.py"],
        stdin=b"",
        files={
            "p.py": b"import os\nprint(oct(os.stat('in/data').st_mode))\n"
            b"with open('in/data', 'ab') as f: f.write(b' more')\n",
            "in/data": b"given",
        },
        collect=["in/data", "missing", "p.py/x"],
        env={},
        limits=Limits(),
    )
    assert outcome.stdout == b"0o100644\n"
    assert outcome.collected == {"in/data": b"given more"}


def test_a_large_given_file_is_not_output(sandbox: Sandbox, python: str) -> None:
    """The limit on output is on what the program writes."""
    outcome = sandbox.run(
        [python, "-c", "print(len(open('large').read()))"],
        stdin=b"x" * 100_000,
        files={"large": b"x" * 100_000},
        env={},
        limits=Limits(output=1000),
    )
    assert outcome.stdout == b"100000\n"
    assert outcome.clean


def test_links_and_special_files_are_not_collected(run: Run, python: str) -> None:
    """A program cannot have us read for it, nor make us wait."""
    outcome = run(
        """
        import os
        os.symlink('/etc/passwd', 'link'); os.mkdir('folder'); os.mkfifo('pipe')
        os.symlink('/etc', 'elsewhere'); os.symlink('/etc/passwd', 'folder/passwd')
        open('plain', 'w').close()
        """,
        collect=["link", "folder", "pipe", "elsewhere/passwd", "folder/passwd", "plain"],
        python=python,
    )
    assert outcome.clean
    assert outcome.collected == {"plain": b""}


def test_a_compiled_program_runs_from_the_folder(sandbox: Sandbox) -> None:
    """The program itself may be one of the files."""
    outcome = sandbox.run(
        ["./prog", "a b"],
        stdin=b"in",
        files={"prog": b'#!/bin/sh\nread x; echo "$1 $x"\n'},
        env={},
        limits=Limits(),
    )
    assert outcome.stdout == b"a b in\n"


def test_arguments_and_environment_keep_odd_bytes(sandbox: Sandbox, python: str) -> None:
    """Lone surrogates stand for bytes that are no UTF-8, as everywhere in Python."""
    outcome = sandbox.run(
        [
            python,
            "-c",
            "import os, sys\nprint(os.fsencode(sys.argv[1]), os.environb[b'K'])",
            "\udcff",
        ],
        stdin=b"",
        files={},
        env={"K": "\udcfe", "LC_ALL": "C.UTF-8"},
        limits=Limits(),
    )
    assert outcome.stdout == b"b'\\xff' b'\\xfe'\n"
