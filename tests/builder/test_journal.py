"""The record of a build in progress survives what befalls it, or says what is wrong with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builder.verdicts import SHORT_LOOP, admitted, rejected

from deskcheck.builder.cases import Verdict
from deskcheck.builder.journal import Journal, discard_building, journal_path, read_journal
from deskcheck.oracles.errors import DatasetError

CONFIG = {"pool": "textbook", "seed": 1, "limits": {"trace": 2_000_000}}

VERDICTS: list[Verdict] = [
    admitted("first", passed_over=(SHORT_LOOP,)),
    rejected("second"),
    admitted("third", long="\r\n\udc80é\x00\u2028", clean="# {name}\r\nfor i in []: pass"),
    rejected("fourth"),
]


def written(path: Path, verdicts: Sequence[Verdict] = VERDICTS) -> bytes:
    with Journal.open(path, CONFIG) as journal:
        for verdict in verdicts:
            journal.append(verdict.candidate, verdict)
    return path.read_bytes()


def test_a_build_goes_on_where_it_was(tmp_path: Path) -> None:
    """What is appended is done, in that order, now and after reopening; odd text included."""
    path = journal_path(tmp_path / "data")
    written(path, VERDICTS[:2])
    with Journal.open(path, CONFIG) as journal:
        assert list(journal.done().values()) == VERDICTS[:2]
        for verdict in VERDICTS[2:]:
            journal.append(verdict.candidate, verdict)
        assert list(journal.done().items()) == [(each.candidate, each) for each in VERDICTS]
    assert read_journal(path).entries == {each.candidate: each for each in VERDICTS}
    assert read_journal(path).config == CONFIG


with tempfile.TemporaryDirectory() as folder:
    WHOLE = written(Path(folder, "journal"))


@given(st.integers(0, len(WHOLE)))
def test_a_cut_at_any_byte_loses_at_most_the_last_record(size: int) -> None:
    """Every record whose line is whole is kept, and the build then ends as if undisturbed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "journal")
        path.write_bytes(WHOLE[:size])
        whole = max(0, WHOLE[:size].count(b"\n") - 1)
        with Journal.open(path, CONFIG) as journal:
            assert list(journal.done().values()) == VERDICTS[:whole]
            for verdict in VERDICTS[whole:]:
                journal.append(verdict.candidate, verdict)
        assert path.read_bytes() == WHOLE


@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255))
def test_no_damaged_byte_goes_unseen(position: int, flip: int) -> None:
    """A changed byte drops the last line or is an error; no verdict ever comes out changed.

    The last line is two records where the byte was the newline between them.
    """
    damaged = bytearray(WHOLE)
    damaged[position] ^= flip
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "journal")
        path.write_bytes(damaged)
        try:
            with Journal.open(path, CONFIG) as journal:
                done = list(journal.done().values())
        except DatasetError as error:
            assert " is damaged" in str(error) or "is of another version" in str(error)
        else:
            assert done in (VERDICTS, VERDICTS[:-1], VERDICTS[:-2])


def test_a_failed_checksum_in_the_last_line_is_cut_off(tmp_path: Path) -> None:
    """A last line that is complete but was not all written counts as torn."""
    path = tmp_path / "journal"
    path.write_bytes(WHOLE.replace(b"origin of third", bytes(15)))
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join(lines[:4]) + b"\n")
    with Journal.open(path, CONFIG) as journal:
        assert list(journal.done().values()) == VERDICTS[:2]


def test_a_damaged_middle_line_is_named(tmp_path: Path) -> None:
    """Damage before the last line is an error with the line's number, and nothing is cut off."""
    path = tmp_path / "journal"
    damaged = WHOLE.replace(b"at most 5 iterations", b"at most 9 iterations", 1)
    path.write_bytes(damaged)
    for attempt in (lambda: Journal.open(path, CONFIG), lambda: read_journal(path)):
        with pytest.raises(DatasetError, match=r"journal line 2 is damaged; use another -o"):
            attempt()
    assert path.read_bytes() == damaged


def test_another_configuration_is_an_error_that_says_how(tmp_path: Path) -> None:
    """Each key that differs is named with both values, and the journal stays as it is."""
    path = tmp_path / "data.building" / "journal"
    before = written(path)
    asked = {"pool": "textbook", "seed": 2, "limits": {"trace": 5}, "shard": "1/2"}
    with pytest.raises(DatasetError) as error:
        Journal.open(path, asked)
    assert str(error.value) == (
        f"the build in {path.parent} has another configuration: "
        "limits.trace 2000000 there, 5 asked, seed 1 there, 2 asked, shard nothing there, "
        '"1/2" asked; use another -o or remove it'
    )
    assert path.read_bytes() == before


def test_types_count_when_configurations_are_compared(tmp_path: Path) -> None:
    """True is not 1, and the order of keys is no difference."""
    path = tmp_path / "journal"
    Journal.open(path, {"a": 1, "b": [1, 2]}).close()
    Journal.open(path, {"b": (1, 2), "a": 1}).close()
    with pytest.raises(DatasetError, match="a 1 there, true asked"):
        Journal.open(path, {"a": True, "b": [1, 2]})


def test_what_is_no_journal_is_not_overwritten(tmp_path: Path) -> None:
    """A file of another kind is an error and keeps its bytes."""
    path = tmp_path / "journal"
    path.write_text("dear diary\nnothing happened\n")
    with pytest.raises(DatasetError, match="line 1 is damaged, or of another version"):
        Journal.open(path, CONFIG)
    assert path.read_text() == "dear diary\nnothing happened\n"


def test_a_verdict_of_another_version_is_an_error(tmp_path: Path) -> None:
    """A whole line whose verdict has other fields is named, not taken for damage."""
    path = tmp_path / "journal"
    with Journal.open(path, CONFIG) as journal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "deskcheck.builder.journal.verdict_to_json", lambda _: {"admitted": False, "odd": 1}
        )
        journal.append("textbook/odd", rejected())
    with pytest.raises(DatasetError, match="line 2 is a verdict of another version of Deskcheck"):
        Journal.open(path, CONFIG)


def test_a_candidate_has_one_verdict(tmp_path: Path) -> None:
    """A second verdict for one candidate is refused."""
    with Journal.open(tmp_path / "journal", CONFIG) as journal:
        journal.append("textbook/grid", rejected())
        with pytest.raises(ValueError, match="'textbook/grid' has a verdict already"):
            journal.append("textbook/grid", rejected())


def test_a_full_disk_is_said_and_leaves_whole_records(tmp_path: Path) -> None:
    """A record that does not fit is an error of one line, and nothing of it stays."""
    path = tmp_path / "journal"
    written(path, VERDICTS[:1])
    code = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from deskcheck.builder.journal import Journal\n"
        "from deskcheck.oracles.errors import DatasetError\n"
        "from tests.builder.verdicts import rejected\n"
        "from tests.builder.test_journal import CONFIG\n"
        "path = Path(sys.argv[1])\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "limit = path.stat().st_size + 100\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))\n"
        "with Journal.open(path, CONFIG) as journal:\n"
        "    try:\n"
        "        journal.append('a', rejected())\n"
        "    except DatasetError as error:\n"
        "        print(error)\n"
    )
    ended = run(code, str(path))
    assert ended.stdout.startswith(f"cannot write to {path}: ")
    assert ended.stdout.endswith("; what was recorded before is kept\n")
    assert list(read_journal(path).entries.values()) == VERDICTS[:1]
    assert path.read_bytes().endswith(b"\n")


def test_an_interrupted_append_leaves_nothing_behind(tmp_path: Path) -> None:
    """A record that was written but never counted is overwritten whole by the next one."""
    path = tmp_path / "journal"
    with Journal.open(path, CONFIG) as journal:
        with path.open("ab") as file:
            file.write(b'{"key": "much longer than what comes next' + b"." * 10_000)
        journal.append(VERDICTS[1].candidate, VERDICTS[1])
    assert list(read_journal(path).entries.values()) == [VERDICTS[1]]


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        timeout=60,
    )


WRITER = """
import sys
from pathlib import Path
from deskcheck.builder.journal import Journal
from tests.builder.verdicts import admitted
with Journal.open(Path(sys.argv[1]), {"seed": 1}) as journal:
    for number in range(10**6):
        journal.append(f"textbook/{number}", admitted(str(number)))
        print(number, flush=True)
"""


def test_a_killed_build_keeps_every_verdict_it_reported(tmp_path: Path) -> None:
    """After kill -9 the lock is free, and all that `append` returned from is there and equal."""
    path = tmp_path / "journal"
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as writer:
        assert writer.stdout is not None
        for _ in range(20):
            writer.stdout.readline()
        with pytest.raises(DatasetError, match=rf"is running as process {writer.pid} on \S+;"):
            Journal.open(path, {"seed": 1})
        assert len(read_journal(path).entries) >= 20
        writer.send_signal(signal.SIGKILL)
        reported = 20 + len(writer.stdout.read().splitlines())
    with Journal.open(path, {"seed": 1}) as journal:
        done = journal.done()
    assert reported <= len(done) <= reported + 1
    assert list(done.values()) == [admitted(str(number)) for number in range(len(done))]


def test_a_forked_worker_does_not_keep_the_lock(tmp_path: Path) -> None:
    """A worker that outlives its killed build does not stop the next one."""
    code = (
        "import os, sys, time\n"
        "from pathlib import Path\n"
        "from deskcheck.builder.journal import Journal\n"
        "journal = Journal.open(Path(sys.argv[1]), {})\n"
        "worker = os.fork()\n"
        "if worker:\n"
        "    print(worker, flush=True)\n"
        "    os._exit(0)\n"
        "os.closerange(1, 3)\n"
        "time.sleep(60)\n"
    )
    worker = int(run(code, str(tmp_path / "journal")).stdout)
    try:
        Journal.open(tmp_path / "journal", {}).close()
    finally:
        os.kill(worker, signal.SIGKILL)


def test_a_build_without_a_record_yet_is_told_apart(tmp_path: Path) -> None:
    """No journal, and a journal without a whole header, each get a line of their own."""
    path = journal_path(tmp_path / "data")
    with pytest.raises(DatasetError, match="no journal of a build at"):
        read_journal(path)
    path.parent.mkdir()
    path.write_bytes(WHOLE[:20])
    with pytest.raises(DatasetError, match="has just begun"):
        read_journal(path)
    discard_building(tmp_path / "data")
    assert not path.parent.exists()


def test_lines_are_plain_json(tmp_path: Path) -> None:
    """Any tool can read a journal: a header, then objects of key, checksum and verdict."""
    lines = [json.loads(line) for line in WHOLE.splitlines()]
    assert lines[0].keys() == {"deskcheck_journal", "sha", "config"}
    assert all(line.keys() == {"key", "sha", "row"} for line in lines[1:])
    assert [line["key"] for line in lines[1:]] == [each.candidate for each in VERDICTS]
