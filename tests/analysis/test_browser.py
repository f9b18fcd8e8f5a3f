"""A report in a real browser: it opens from the file system, reads well everywhere, and works.

axe-core is asked too where `DESKCHECK_AXE` names its `axe.min.js`, such as that of npm's package.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.analysis.browser import Browser, chromium, find_chromium
from tests.analysis.synthetic import make_dataset, make_run, usual_makers

from deskcheck.analysis.commands.report import report

PROGRAM = find_chromium()
AXE = os.environ.get("DESKCHECK_AXE")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(PROGRAM is None, reason="no Chromium here"),
    pytest.mark.xdist_group("browser"),
]

PAGES = ("report", "index", "case")
PHONE = 375
PAPER = 1031
"""A4 on its side less its margins, in CSS pixels."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The main page of a report, its index of cases, and one case."""
    folder = tmp_path_factory.mktemp("study")
    run = make_run(
        folder / "run", folder / "data", make_dataset(folder / "data", 40), usual_makers()
    )
    ended = CliRunner().invoke(report, [str(run), "-o", str(folder / "reports")])
    assert ended.exit_code == 0, ended.output
    main = Path(ended.stdout.strip())
    cases = sorted((main.parent / "cases").glob("[0-9a-f]*.html"))
    return {"report": main, "index": main.parent / "cases/index.html", "case": cases[0]}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert PROGRAM is not None
    with chromium(PROGRAM) as opened:
        yield opened


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [PHONE, 1280])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_pages_open_without_a_complaint(
    browser: Browser, pages: dict[str, Path], name: str, width: int, dark: bool
) -> None:
    """Nothing is logged, nothing but the file is asked for, and no page scrolls sideways."""
    with browser.open(pages[name], width=width, dark=dark) as page:
        assert page.complaints == []
        assert page.requests == [pages[name].resolve().as_uri()]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        ink, back = (
            sum(map(int, page.evaluate(f"getComputedStyle(document.body).{part}")[4:-1].split(",")))
            for part in ("color", "backgroundColor")
        )
        assert (ink > back) == dark


def test_a_console_error_would_be_heard(browser: Browser, tmp_path: Path) -> None:
    """The check above can fail: errors, refused scripts and requests are all noticed."""
    path = tmp_path / "bad.html"
    path.write_text(
        '<meta charset="utf-8"><img src="missing.png"><script>console.error("no")</script>'
        '<script>nothing()</script><div style="width:900px">wide</div>'
    )
    with browser.open(path, width=PHONE) as page:
        assert len(page.complaints) >= 3
        assert len(page.requests) == 2
        assert page.evaluate("document.documentElement.scrollWidth") > PHONE


def test_tables_sort(browser: Browser, pages: dict[str, Path]) -> None:
    """A click sorts by a column of numbers, another turns it round, a third brings all back."""
    column = (
        "Array.from(document.querySelectorAll('#table-accuracy tbody tr'), "
        "(row) => Number(row.cells[2].dataset.order))"
    )
    heading = "document.querySelectorAll('#table-accuracy thead th')[2]"
    with browser.open(pages["report"]) as page:
        before = page.evaluate(column)
        assert before != sorted(before)
        page.evaluate(f"{heading}.click()")
        assert page.evaluate(column) == sorted(before, reverse=True)
        assert page.evaluate(f"{heading}.getAttribute('aria-sort')") == "descending"
        page.evaluate(f"{heading}.focus()")
        for kind in ("rawKeyDown", "keyUp"):
            page.call("Input.dispatchKeyEvent", type=kind, key="Enter", windowsVirtualKeyCode=13)
        assert page.evaluate(column) == sorted(before)
        page.evaluate(f"{heading}.click()")
        assert page.evaluate(column) == before


def test_contents_stay_in_sight_and_say_where_one_is(
    browser: Browser, pages: dict[str, Path]
) -> None:
    """A link of the contents leads to its section, which is then marked, on any width."""
    for width in (PHONE, 1280):
        with browser.open(pages["report"], width=width) as page:
            page.evaluate("document.querySelector('.contents a[href=\"#effort\"]').click()")
            page.evaluate("new Promise((done) => setTimeout(done, 400))")
            top = page.evaluate("document.querySelector('#effort').getBoundingClientRect().top")
            assert -2 <= top <= 80
            assert page.evaluate("document.querySelector('.contents [aria-current]').hash") == (
                "#effort"
            )
            seen = page.evaluate("document.querySelector('.contents').getBoundingClientRect().top")
            assert seen == pytest.approx(0, abs=2)


def test_headings_of_long_tables_stay(browser: Browser, pages: dict[str, Path]) -> None:
    """However far one scrolls in a long table, its headings are at its top."""
    with browser.open(pages["report"]) as page:
        page.evaluate("document.querySelector('#table-accuracy .scroll').scrollTop = 200")
        tops = page.evaluate(
            "['.scroll', 'thead th'].map((each) => "
            "document.querySelector('#table-accuracy ' + each).getBoundingClientRect().top)"
        )
        assert tops[1] == pytest.approx(tops[0], abs=2)


@pytest.mark.parametrize("name", PAGES)
def test_pages_print(browser: Browser, pages: dict[str, Path], tmp_path: Path, name: str) -> None:
    """On paper there is no navigation, and tables fit on it, dark screen or not."""
    with browser.open(pages[name], width=PAPER, dark=True) as page:
        page.call("Emulation.setEmulatedMedia", media="print")
        widths = "Array.from(document.querySelectorAll('figure table'), (a) => a.scrollWidth)"
        assert max(page.evaluate(widths), default=0) <= PAPER
        hidden = "Array.from(document.querySelectorAll('nav'), (a) => getComputedStyle(a).display)"
        assert set(page.evaluate(hidden)) == {"none"}
        flow = (
            "Array.from(document.querySelectorAll('.scroll'), "
            "(each) => getComputedStyle(each).overflow)"
        )
        assert set(page.evaluate(flow)) == {"visible"}
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == (
            "rgb(255, 255, 255)"
        )
        page.pdf(tmp_path / "page.pdf")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.skipif(AXE is None, reason="DESKCHECK_AXE names no axe.min.js")
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [PHONE, 1280])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_no_serious_fault(
    browser: Browser, pages: dict[str, Path], name: str, width: int, dark: bool
) -> None:
    """No violation of any rule of axe-core is serious or critical, and rules were applied."""
    with browser.open(pages[name], width=width, dark=dark) as page:
        page.evaluate(f"{Path(AXE or '').read_text('utf-8')};1")
        found = page.evaluate(
            "axe.run(document).then((done) => ({passes: done.passes.length, faults: "
            "done.violations.map((each) => [each.impact, each.id, each.nodes[0].target[0]])}))"
        )
        assert found["passes"] > 10
        assert [each for each in found["faults"] if each[0] in ("serious", "critical")] == []
