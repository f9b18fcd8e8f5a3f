"""Bad programs and bad requests: one clear line each, and nothing else is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from deskcheck.builder.cases import Finding
from deskcheck.builder.dataset import read_dataset

# One worker makes the builds that these tests share.
pytestmark = pytest.mark.xdist_group("bad input")

GOOD = """\
n = int(input())
a, b = 1, 2
for _ in range(n):
    a, b = b, (3 * a + b) % 101
print(a * 1000 + b)
"""

BAD: dict[str, tuple[str, str, str | bytes]] = {
    "does_not_parse": ("source", "does_not_parse", "for x in:\n    pass\n"),
    "not_utf8": ("source", "not_utf8", b"# caf\xe9\n" + GOOD.encode()),
    "other_encoding": ("source", "not_utf8", b"# -*- coding: latin-1 -*-\n" + GOOD.encode()),
    "reads_past_input": ("legal_inputs", "reads_past_input", GOOD + "input()\n"),
    "interactive": (
        "legal_inputs",
        "reads_past_input",
        "low, high = 0, int(input())\nwhile low < high:\n    middle = (low + high) // 2\n"
        "    print('?', middle, flush=True)\n    if input() == '<':\n        high = middle\n"
        "    else:\n        low = middle + 1\nprint('!', low)\n",
    ),
    "prints_nothing": ("legal_inputs", "no_output", GOOD.replace("print", "str")),
    "prints_blanks": ("legal_inputs", "no_output", GOOD.replace("a * 1000 + b", "' '")),
    "missing_module": ("legal_inputs", "missing_module", "import sortedcontainers\n" + GOOD),
    "sleeps": ("legal_inputs", "wall_limit", "import time\ntime.sleep(1000)\n" + GOOD),
    "spins": ("legal_inputs", "cpu_limit", "while True:\n    pass\n" + GOOD),
    "spins_in_c": (
        "legal_inputs",
        "cpu_limit",
        "from itertools import product\nlist(map(len, product(range(99), repeat=9)))\n" + GOOD,
    ),
    "forks": ("source", "reaches_for_other_processes", "import os\nos.fork()\n" + GOOD),
    "floods_output": (
        "legal_inputs",
        "output_limit",
        "try:\n    while True:\n        print('x' * 100000)\nexcept BaseException:\n    pass\n"
        "while True:\n    try:\n        print('x' * 100000)\n    except BaseException:\n"
        "        break\n" + GOOD,
    ),
    "eats_memory": (
        "legal_inputs",
        "memory_limit",
        "held = []\nwhile True:\n    held.append(bytearray(2**31))\n" + GOOD,
    ),
    "opens_sockets": (
        "source",
        "uses_the_network",
        "import socket\nsocket.socket(socket.AF_INET).connect(('127.0.0.1', 9))\n" + GOOD,
    ),
    "writes_outside": (
        "source",
        "depends_on_its_surroundings",
        "open('{outside}/written', 'w').write('x')\n" + GOOD,
    ),
    "exits_with_3": ("legal_inputs", "exit_status", GOOD + "raise SystemExit(3)\n"),
    "crashes": ("legal_inputs", "runtime_error", GOOD + "print(1 // 0)\n"),
    "leaves_early": (
        "legal_inputs",
        "left_early",
        GOOD + "import os, sys\nsys.stdout.flush()\nos._exit(0)\n",
    ),
    "unstable_hash_order": ("determinism", "output_varies", GOOD + "print(*set('abcdefghijkl'))\n"),
    "reads_the_clock": (
        "source",
        "reads_the_clock",
        "import time\n" + GOOD + "print(time.time_ns())\n",
    ),
    "unstable_random": (
        "determinism",
        "output_varies",
        "import random\n" + GOOD + "print(random.random())\n",
    ),
    "too_long": ("bounds", "source_too_long", GOOD + "# " + "x" * 40_000 + "\n"),
}


def builder(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command as users run it, from a folder of its own."""
    return subprocess.run(
        [sys.executable, "-m", "deskcheck.builder.cli", *arguments],
        cwd=cwd,
        env={"PATH": os.environ["PATH"], "HOME": str(cwd), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every bad program beside good ones, each with a short and a long input."""
    base = tmp_path_factory.mktemp("bad")
    (base / "programs").mkdir()
    (base / "outside").mkdir()
    sources: dict[str, str | bytes] = {name: source for name, (_, _, source) in BAD.items()}
    for name, source in {"a_good": GOOD, **sources, "z_good": GOOD.replace("101", "103")}.items():
        text = source if isinstance(source, bytes) else source.encode()
        text = text.replace(b"{outside}", str(base / "outside").encode())
        (base / "programs" / f"{name}.py").write_bytes(text)
        (base / "programs" / f"{name}.1.in").write_text("3\n")
        (base / "programs" / f"{name}.2.in").write_text("40\n")
    return base


@pytest.fixture(scope="module")
def verdicts(folder: Path) -> dict[str, Finding | None]:
    """Each program's first finding, none for an admitted one, from one build with short nets."""
    done = builder(
        *("admit", "--pool", "folder", "--data", "programs", "-o", "out", "--json"),
        *("--wall-s", "4", "--cpu-s", "0.7"),
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["judged"] == len(BAD) + 2
    dataset = read_dataset(folder / told["folder"])
    rejected = {each.candidate: each.findings[0] for each in dataset.rejections}
    return rejected | {case.candidate: None for case in dataset.cases}


@pytest.mark.parametrize("name", sorted(BAD))
def test_a_bad_program_is_rejected_with_its_own_reason(
    verdicts: dict[str, Finding | None], name: str
) -> None:
    """The first finding names the check and reason that a reader would give."""
    check, reason, _ = BAD[name]
    first = verdicts[f"folder/{name}.py"]
    assert first is not None
    assert (first.check, first.reason) == (check, reason), first
    assert "\n" not in first.detail


def test_good_programs_beside_bad_ones_are_admitted(
    verdicts: dict[str, Finding | None], folder: Path
) -> None:
    """A hostile neighbour costs a good program nothing, and leaves nothing outside."""
    assert verdicts["folder/a_good.py"] is None
    assert verdicts["folder/z_good.py"] is None
    assert list((folder / "outside").iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("admit", "--pool", "folder", "--data", "empty"), "empty"),
        (("admit", "--pool", "folder", "--data", "nowhere"), "nowhere"),
        (("admit", "--pool", "textbok"), "textbook"),
        (("admit", "--pool", "textbook", "--option", "onyl=dijkstra"), "onyl"),
        (("admit", "--pool", "textbook", "--python", "/no/such/python"), "/no/such/python"),
        (("try", "nowhere.py", "--input", "a", "--input", "b"), "nowhere.py"),
        (("admit", "--pool", "textbook", "--name", "../x"), "../x"),
        (("admit", "--pool", "textbook", "-o", "/proc/x"), "/proc/x"),
        (("try", "empty", "--input", "a", "--input", "b"), "empty"),
        (("explain", "textbook/x", "-d", "empty"), "empty"),
        (("dataset", "stats", "empty"), "empty"),
        (("show", "abc", "-d", "nowhere"), "nowhere"),
    ],
)
def test_a_bad_request_ends_with_3_and_one_line(
    tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    """The line names the thing that is wrong, and nothing is made."""
    (tmp_path / "empty").mkdir()
    done = builder(*arguments, cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert says in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty"]


def test_a_finished_dataset_is_not_overwritten(tmp_path: Path) -> None:
    """The same command again ends with 3, names the folder, and leaves every byte of it."""
    (tmp_path / "p.py").write_text(GOOD)
    (tmp_path / "p.1.in").write_text("3\n")
    (tmp_path / "p.2.in").write_text("40\n")
    command = ("admit", "--pool", "folder", "--data", ".", "-o", "../out", "--workers", "1")
    first = builder(*command, cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    (made,) = (tmp_path / "../out").resolve().iterdir()
    before = {path: path.read_bytes() for path in made.rglob("*") if path.is_file()}
    second = builder(*command, cwd=tmp_path)
    assert second.returncode == 3
    assert made.name in second.stderr
    assert before == {path: path.read_bytes() for path in made.rglob("*") if path.is_file()}
