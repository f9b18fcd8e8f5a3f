"""The documents hang together: links lead somewhere, entries are numbered and titled."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted(
        page
        for folder in ("docs", "changes", "benchmarks")
        for page in (ROOT / folder).rglob("*.md")
    ),
]
LINK = re.compile(r"\]\(([^)\s]+)\)")
ENTRY = re.compile(r"(\d{4})-[a-z0-9]+(?:-[a-z0-9]+)*\.md")


def anchors(page: Path) -> set[str]:
    """The names by which a page's headings can be linked to."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_resolve(page: Path) -> None:
    """Every link to a file of the repository, and to a heading in it, leads somewhere."""
    for link in LINK.findall(page.read_text("utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("folder", ["changes", "docs/decisions"])
def test_entries_are_numbered_and_titled(folder: str) -> None:
    """Beside its README a folder of entries holds `0001-some-words.md` and on, without gaps."""
    entries = sorted(path for path in (ROOT / folder).iterdir() if path.name != "README.md")
    numbers = []
    for path in entries:
        match = ENTRY.fullmatch(path.name)
        assert match, path.name
        numbers.append(int(match[1]))
        assert path.read_text("utf-8").startswith("# "), path.name
    assert numbers == list(range(1, len(numbers) + 1))
    assert numbers
