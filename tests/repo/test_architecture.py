"""The plan of the house shows what stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("oracles", "sources", "builder", "evaluate", "analysis")


def standing(room: str) -> set[str]:
    """The modules of a room, and its subpackages with a slash behind them."""
    folder = ROOT / room / "deskcheck" / room
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    packages = {f"{path.parent.name}/" for path in folder.glob("*/*.py")}
    return modules | packages


def shown(room: str) -> set[str]:
    """The modules that the room's table has a row for."""
    text = (ROOT / "docs/architecture.md").read_text("utf-8")
    _, found, section = text.partition(f"### {room}:")
    assert found, room
    return set(re.findall(r"^\| `([^`]+)` \|", re.split(r"^##", section, flags=re.M)[0], re.M))


@pytest.mark.parametrize("room", ROOMS)
def test_each_module_has_a_row(room: str) -> None:
    """Each module and subpackage has one row in docs/architecture.md, and each row is one."""
    assert shown(room) == standing(room)
