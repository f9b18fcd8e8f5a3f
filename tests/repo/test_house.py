"""Rules of the repository that no other tool enforces."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from deskcheck.builder.cli import COMMANDS
from deskcheck.sources.registry import BUILT_IN

ROOT = Path(__file__).parents[2]

TOP_LEVEL = {
    *("builder", "sources", "oracles", "evaluate", "analysis", "tests"),
    *("docs", "benchmarks", "changes", "requirements"),
    *("README.md", "LICENSE", "Makefile", "pyproject.toml"),
}

# A path of one machine, or the host of a package registry: neither means anything elsewhere.
OF_ONE_MACHINE = re.compile(
    r"(?<![\w.])/(?:work|opt)/|/root/\.|/home/\w+/"
    r"|pypi\.org|pythonhosted\.org|npmjs\.org|debian\.org|pytorch\.org"
)

ROOTS = ("builder", "sources", "oracles", "evaluate", "analysis")


def files() -> list[Path]:
    """Every file that is or would be committed, relative to the root."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no git, or no clone")
    return [Path(name) for name in ended.stdout.split("\0") if (ROOT / name).is_file() and name]


def documentation() -> str:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return "\n".join(page.read_text("utf-8") for page in pages)


def test_top_level_holds_what_is_agreed() -> None:
    """Nothing but the agreed folders, files and dotfiles lies at the top."""
    top = {path.parts[0] for path in files()}
    assert {name for name in top if not name.startswith(".")} <= TOP_LEVEL


def test_no_version_is_fixed_for_version_managers() -> None:
    """A `.python-version` would break tools that a version manager installed for another one."""
    assert Path(".python-version") not in files()


@pytest.mark.parametrize("root", ROOTS)
def test_the_namespace_stays_open(root: str) -> None:
    """No root has `deskcheck/__init__.py`, which would hide the other roots and plugins."""
    assert (ROOT / root / "deskcheck" / root / "__init__.py").exists()
    assert not (ROOT / root / "deskcheck" / "__init__.py").exists()


def test_nothing_names_one_machine() -> None:
    """No file holds an absolute path of one machine or the host of a registry."""
    found = []
    for path in files():
        if ROOT / path == Path(__file__):
            continue
        text = (ROOT / path).read_bytes().decode("utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), 1):
            if OF_ONE_MACHINE.search(line):
                found.append(f"{path}:{number}: {line.strip()[:100]}")
    assert found == []


@pytest.mark.parametrize("full", COMMANDS)
def test_every_command_is_documented(full: str) -> None:
    """README or docs say something of each command."""
    assert re.search(rf"`builder {full}\b", documentation())


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_built_in_pool_is_documented(name: str) -> None:
    """README or docs say something of each pool."""
    assert f"`{name}`" in documentation()


def test_imports_go_one_way() -> None:
    """The import contract holds."""
    lint = Path(sys.executable).with_name("lint-imports")
    ended = subprocess.run(
        [lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout
    assert "1 kept, 0 broken" in ended.stdout
