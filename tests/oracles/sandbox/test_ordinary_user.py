"""The sandbox of an ordinary user, tried from a test run that is root's."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import deskcheck.oracles

NOBODY = 65534
SOURCES = Path(deskcheck.oracles.__file__).parents[2]
SCRIPT = """
import json, os, sys, threading
sys.path.insert(0, sys.argv[1])
from deskcheck.oracles.outcomes import Limits
from deskcheck.oracles.sandbox import Sandbox

PROGRAM = '''
import os, socket, subprocess, sys, threading
def answer(action):
    try: return repr(action())
    except OSError as error: return type(error).__name__
print(os.getuid())
print(answer(lambda: socket.socket()))
print(answer(lambda: os.fork()))
print(answer(lambda: open(sys.argv[1], "w")))
print(answer(lambda: os.chmod(sys.argv[1], 0)))
print(answer(lambda: os.kill(os.getppid(), 9)))
print(answer(lambda: open("mine", "w").write("x")))
print(input())
hold = threading.Event()
try:
    for started in range(1, 100): threading.Thread(target=hold.wait, daemon=True).start()
except RuntimeError:
    print("threads", started)
hold.set()
'''
LIBRARY = {"LD_LIBRARY_PATH": os.environ["LD_LIBRARY_PATH"]}
with Sandbox(without=sys.argv[3:]) as box:
    outcome = box.run([sys.executable, "-c", PROGRAM, sys.argv[2]], stdin=b"in", files={},
                      collect=["mine"], env=LIBRARY, limits=Limits(processes=16))
    print(json.dumps({"layers": box.layers.as_dict(), "out": outcome.stdout.decode().split("\\n"),
                      "err": outcome.stderr.decode(), "mine": outcome.collected["mine"].decode()}))
"""


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder of the ordinary user."""
    folder = Path(tempfile.mkdtemp(prefix="deskcheck-nobody-"))
    (folder / "python").mkdir()
    (folder / "precious").write_text("kept")
    for path in (folder, folder / "precious"):
        os.chown(path, NOBODY, NOBODY)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.skipif(os.getuid() != 0, reason="the other tests already run as an ordinary user")
@pytest.mark.parametrize("without", [[], ["namespaces"], ["landlock"]], ids=",".join)
def test_an_ordinary_user_has_every_protection(place: Path, without: list[str]) -> None:
    """Without root's rights the same promises hold, with namespaces and without."""
    prefix, name = Path(sys.base_prefix), f"python{sys.version_info[0]}.{sys.version_info[1]}"
    interpreter = place / "python" / "bin" / name
    # The interpreter may lie where only root can look, so it is shown elsewhere to this run.
    enter = f'mount --bind "{prefix}" "{place}/python" && exec setpriv --reuid={NOBODY}'
    enter += f' --regid={NOBODY} --clear-groups "$@"'
    command = ["unshare", "--mount", "/bin/sh", "-c", enter, "sh", str(interpreter), "-I", "-c"]
    done = subprocess.run(
        [*command, SCRIPT, str(SOURCES), str(place / "precious"), *without],
        capture_output=True,
        text=True,
        env={
            "PATH": os.environ["PATH"],
            "TMPDIR": str(place),
            "LD_LIBRARY_PATH": f"{place}/python/lib",
        },
        cwd="/",
        check=False,
    )
    if "unshare failed" in done.stderr or "mount:" in done.stderr:
        pytest.skip("this root cannot show a folder elsewhere: no mount namespaces here")
    if "Permission denied" in done.stderr and str(SOURCES) in done.stderr:
        pytest.skip("the sources lie where only root can look")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    refused = ["PermissionError"] * 5
    if result["layers"]["writes"] == "read-only mounts":
        refused[2] = "OSError"  # read-only file system
    assert result["out"][:8] == [str(NOBODY), *refused, "1", "in"], result
    assert result["mine"] == "x"
    assert (place / "precious").read_text() == "kept"
    assert result["layers"]["identity"] == "kept, without capabilities"
    if result["layers"]["pids"] == "namespace":
        assert result["out"][8] == "threads 16"  # the main thread is one of the sixteen
