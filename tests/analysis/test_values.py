"""Values are written for people, spreadsheets and programs, and lose nothing that matters."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.analysis.blocks import Column, Link, Section, Table
from deskcheck.analysis.drawing.charts import Dot, dot_chart
from deskcheck.analysis.report.html import standalone
from deskcheck.analysis.report.markdown import plain
from deskcheck.analysis.report.values import DASH, csv_rows, csv_value, estimates_of, shown
from deskcheck.analysis.statistics.estimates import proportion

HALF = proportion(np.array([1.0, 0.0] * 20), np.arange(40))
FEW = proportion(np.array([1.0, 0.0]), np.arange(2))
NONE = proportion(np.empty(0), np.empty(0))


def test_an_estimate_is_shown_with_its_interval_or_the_reason() -> None:
    """Percent with one digit; a reason stands where the interval would."""
    assert (shown(HALF, "share").text, shown(HALF, "share").interval) == ("50.0", "34.6\u201365.4")
    assert (shown(FEW, "share").text, shown(FEW, "share").note) == ("50.0", "too few clusters")
    assert (shown(NONE, "share").text, shown(NONE, "share").note) == (DASH, "nothing to estimate")


def test_numbers_are_written_with_the_digits_that_are_of_use() -> None:
    """Counts in full with thousands apart, other numbers shortened; what is missing is a dash."""
    assert shown(11_200, "count").text == "11,200"
    assert shown(1_234.56, "number").text == "1,235"
    assert shown(12.34, "number").text == "12.3"
    assert shown(0.456, "number").text == "0.46"
    assert shown(None, "share").text == DASH
    assert shown(Link(text="a case", href="cases/x.html"), "text").href == "cases/x.html"


def test_p_values_and_negative_intervals_can_be_read() -> None:
    """Small p-values are told as a bound, and no dash stands beside a minus."""
    assert [shown(each, "p").text for each in (0.04567, 0.0004, 1.0)] == [
        "0.046",
        "<0.001",
        "1.000",
    ]
    estimate = replace(proportion(np.repeat([1.0, 0.0], 20), np.arange(40)), low=-0.052, high=-0.01)
    assert shown(estimate, "share").interval == "-5.2 to -1.0"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+1+1", "'+1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-2+3", "'-2+3"),
        ("-1", "-1"),
        ("+5.25", "+5.25"),
        ("007", "007"),
        ("a\x00b", r"a\x00b"),
        ("\tcmd", r"\tcmd"),
        ("", ""),
    ],
)
def test_no_text_is_a_formula_to_a_spreadsheet(text: str, written: str) -> None:
    """What a spreadsheet would run gets an apostrophe in front; a plain number is left alone."""
    assert csv_value(text) == written


@given(st.text(st.characters(exclude_categories=()), max_size=30))
def test_any_text_makes_one_csv_value(text: str) -> None:
    """Whatever an answer holds, a reader finds one row with one value, and no formula."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(["before", csv_value(text), "after"])
    out.getvalue().encode("utf-8")
    (row,) = csv.reader(io.StringIO(out.getvalue(), newline=""))
    assert row == ["before", csv_value(text), "after"]
    assert row[1][:1] not in ("=", "@", "\t", "\r")


TABLE = Table(
    name="rates",
    title="Rates",
    columns=(Column(name="setting", heading="setting"), Column(name="rate", heading="rate %")),
    rows=(("a", HALF), ("b", None)),
)


def test_an_estimate_takes_its_columns_in_a_file() -> None:
    """Value, ends, n, clusters, method and note each have one; a row without any stays as wide."""
    heading, first, second = csv_rows(TABLE)
    assert heading == [
        "setting",
        "rate",
        *("rate_low", "rate_high", "rate_n", "rate_clusters", "rate_effective_clusters"),
        *("rate_method", "rate_note"),
    ]
    assert dict(zip(heading, first, strict=True))["rate_n"] == "40"
    assert second == ["b", *[""] * 8]


def test_the_list_of_estimates_says_what_each_is_about() -> None:
    """Section, table, column and the texts of the row name an estimate."""
    (found,) = estimates_of([Section(name="s", title="S", blocks=(TABLE,))])
    assert (found["section"], found["table"], found["column"]) == ("s", "rates", "rate")
    assert found["about"]["setting"] == "a"
    assert found["value"] == 0.5


def test_rows_are_as_wide_as_their_table() -> None:
    """A row that misses a value is a fault that shows at once."""
    with pytest.raises(ValueError, match="table odd"):
        Table(name="odd", title="", columns=TABLE.columns, rows=(("a",),))


def test_markdown_reads_no_markup_in_a_text() -> None:
    """Bars, brackets, backticks, HTML and line ends of a text mean nothing."""
    assert plain("a|b\n<b>`x`[y](z) & *") == r"a\|b \<b\>\`x\`\[y\](z) \& \*"


def test_a_chart_takes_odd_names_and_missing_numbers() -> None:
    """Names are escaped, and a row without an estimate says why."""
    dots = [Dot(name='<script>"&\x00', estimate=HALF), Dot(name="none", estimate=NONE)]
    text = standalone(dot_chart("odd", "odd <title>", dots, 0.25))
    assert "<script>" not in text
    assert "&lt;script&gt;&quot;&amp;\\x00" in text
    assert ">nothing to estimate<" in text
