"""`builder pools` on pools that a third party installed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from deskcheck.builder.cli import run
from deskcheck.sources.registry import BUILT_IN

PLUGIN = """
from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.programs import Program
from deskcheck.sources.pools import Candidate, Input, PoolInfo, Provenance

class Echo:
    def info(self):
        return PoolInfo(name="echo", title="Echoes", description="What goes in comes out.",
                        options={"times": "how often"})

    def candidates(self, options):
        for key in options.options:
            if key != "times":
                raise PoolError(f"there is no option {key!r}", "options: times")
        for number in range(int(options.options.get("times", "1"))):
            yield Candidate(
                id=f"echo/{number}", pool="echo", study="echo-python",
                program=Program(language="python", source=b"print(input())"),
                provenance=Provenance(licence="MIT", author="A", origin="echo"),
                inputs=(Input(name="1", data=b"1"), Input(name="2", data=b"2")))
"""


@pytest.fixture(autouse=True)
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution with one pool that works and one that is gone."""
    (tmp_path / "echo_pools.py").write_text(PLUGIN)
    facts = tmp_path / "echo_pools-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: echo-pools\nVersion: 1\n")
    (facts / "entry_points.txt").write_text(
        "[deskcheck.pools]\necho = echo_pools:Echo\ngone = echo_pools_missing:Gone\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "echo_pools", raising=False)


def test_a_broken_plugin_does_not_hide_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    """The list shows every pool that loads, and names the distribution of the one that does not."""
    assert run(["pools", "list"]) == 3
    captured = capsys.readouterr()
    shown = [line.split()[0] for line in captured.out.splitlines()]
    assert shown == [*BUILT_IN, "echo"]
    assert "'gone' of echo-pools 1 cannot be loaded" in captured.err


def test_a_pool_is_described_with_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    """The description for people and the one for programs hold the same."""
    assert run(["pools", "show", "echo"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("echo: Echoes\n\nWhat goes in comes out.\n")
    assert "times  how often" in shown
    assert run(["pools", "show", "echo", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["options"] == {"times": "how often"}


def test_a_pool_that_keeps_its_contract_passes(capsys: pytest.CaptureFixture[str]) -> None:
    """Ends with 0 and says so."""
    assert run(["pools", "check", "echo", "--option", "times=2"]) == 0
    assert capsys.readouterr().out == "pool echo keeps its contract: 2 programs inspected\n"


def test_a_breach_ends_with_3(capsys: pytest.CaptureFixture[str]) -> None:
    """Each problem is a line of the output, and the error counts them."""
    assert run(["pools", "check", "echo", "--option", "times=0"]) == 3
    captured = capsys.readouterr()
    assert captured.out.startswith("no_candidates: echo: ")
    assert captured.err == "builder: pool 'echo' breaks its contract: 1 problem\n"


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        (["check", "echo", "--option", "x=1"], 3, "there is no option 'x'; options: times"),
        (["check", "echo", "--option", "x"], 2, "'x' is not KEY=VALUE"),
        (["show", "eco"], 3, "there is no pool 'eco'; did you mean echo?"),
    ],
)
def test_bad_input_is_one_clear_line(
    line: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unknown pool or option is named, with what there is."""
    assert run(["pools", *line]) == code
    assert said in capsys.readouterr().err
