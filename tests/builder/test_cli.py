"""The command line as a whole: what it imports, how it ends, and what others may add to it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from deskcheck.builder.cli import COMMANDS, GROUPS, run

HEAVY = ["datasets", "libcst", "numpy", "pandas", "pyarrow", "rich", "statsmodels"]

PLUGIN = """
import sys
import click
from deskcheck.oracles.errors import DeskcheckError

@click.command()
@click.argument("how")
def end(how):
    if how == "known":
        raise DeskcheckError("file 'a\\nb' is odd", "rename it")
    if how == "fault":
        raise ZeroDivisionError("seven")
    if how == "interrupt":
        raise KeyboardInterrupt
    if how == "threshold":
        click.get_current_context().exit(4)
    if how == "usage":
        raise click.BadParameter("not that")
    click.echo("done")

not_a_command = 7
"""


@pytest.fixture(autouse=True)
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A distribution that adds three commands, of which two are wrong."""
    (tmp_path / "example_commands.py").write_text(PLUGIN)
    facts = tmp_path / "example_commands-2.1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: example-commands\nVersion: 2.1\n")
    (facts / "entry_points.txt").write_text(
        "[deskcheck.commands]\n"
        "end = example_commands:end\n"
        "gone = example_commands_missing:gone\n"
        "seven = example_commands:not_a_command\n"
        "doctor = example_commands:end\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "example_commands", raising=False)
    return tmp_path


def test_help_imports_nothing_heavy() -> None:
    """Asking for help loads none of the packages that take long to load."""
    script = (
        "import sys; from deskcheck.builder.cli import run; code = run(['--help'])\n"
        f"print([name for name in {HEAVY} if name in sys.modules], code)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert ended.stdout.splitlines()[-1] == "[] 0"


@pytest.mark.parametrize("full", COMMANDS)
def test_the_table_names_a_command(full: str) -> None:
    """Each target of the table is a click command with a help text of its own."""
    module, _, attribute = COMMANDS[full][0].partition(":")
    command = getattr(import_module(module), attribute)
    assert isinstance(command, click.Command)
    assert command.help


@pytest.mark.parametrize("full", [*COMMANDS, *GROUPS])
def test_help_lists_every_command(full: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A command stands with its line in the help of the group that it belongs to."""
    *group, name = full.split()
    assert run([*group, "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    text = GROUPS[full] if full in GROUPS else COMMANDS[full][1]
    assert f"{name} {text}" in shown


def test_help_lists_plugins_without_loading_them(capsys: pytest.CaptureFixture[str]) -> None:
    """A third party's command is listed with its distribution, and a broken one does no harm."""
    assert run(["--help"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"^  gone +\(from example-commands\)$", shown, re.MULTILINE)
    assert "example_commands" not in sys.modules


@pytest.mark.parametrize(
    ("how", "code", "said"),
    [
        ("known", 3, "builder: file 'a b' is odd; rename it\n"),
        ("interrupt", 130, "builder: interrupted; everything finished so far is kept\n"),
        ("threshold", 4, ""),
    ],
)
def test_endings_are_told_apart(
    how: str, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A known error is one line and 3, an interrupt 130, and a command may choose its own code."""
    assert run(["end", how]) == code
    assert capsys.readouterr().err == said


def test_a_fault_of_ours_shows_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    """An unexpected exception ends with 1, its traceback and a word on whose fault it is."""
    assert run(["end", "fault"]) == 1
    said = capsys.readouterr().err
    assert "ZeroDivisionError: seven" in said
    assert "a fault of ours" in said.splitlines()[-1]


@pytest.mark.parametrize("line", [["end", "usage"], ["end"], ["nix"], ["pools", "nix"], ["--nix"]])
def test_wrong_usage_ends_with_2(line: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A command line that cannot be understood ends with 2 and says so on standard error."""
    assert run(line) == 2
    captured = capsys.readouterr()
    assert "Error:" in captured.err
    assert captured.out == ""


@pytest.mark.parametrize("name", ["gone", "seven"])
def test_a_broken_plugin_is_named_when_used(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A plugin that cannot serve is a known error that names its distribution."""
    assert run([name]) == 3
    assert "example-commands 2.1" in capsys.readouterr().err


def test_a_built_in_command_wins(capsys: pytest.CaptureFixture[str]) -> None:
    """A plugin cannot take the name of a built-in command."""
    assert run(["doctor", "--help"]) == 0
    assert "--python" in capsys.readouterr().out


def test_a_reader_that_leaves_is_no_error(plugin: Path) -> None:
    """Output into a closed pipe ends quietly."""
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [sys.executable, "-m", "deskcheck.builder.cli", "end", "well"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(plugin), *sys.path])},
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, b"")


def test_shells_can_ask_for_completions(plugin: Path) -> None:
    """The environment variable by which shells ask is understood."""
    ended = subprocess.run(
        [sys.executable, "-m", "deskcheck.builder.cli"],
        env=os.environ
        | {"_BUILDER_COMPLETE": "zsh_complete", "COMP_WORDS": "builder po", "COMP_CWORD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "pools" in ended.stdout


@pytest.mark.parametrize(
    ("redirection", "code", "said"),
    [
        ("2>&-", 0, ""),
        (">&-", 0, ""),
        (
            ">/dev/full",
            3,
            "builder: cannot write: No space left on device; make room and run it again\n",
        ),
    ],
)
def test_closed_or_full_streams_are_no_fault_of_ours(
    redirection: str, code: int, said: str
) -> None:
    """Whoever closes a stream wants nothing on it; a full one is one line."""
    command = f"{sys.executable} -m deskcheck.builder.cli pools list {redirection}"
    ended = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert ended.returncode == code
    assert ended.stderr == said
