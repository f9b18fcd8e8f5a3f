"""The card tells people and loaders what is in the folder."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.builder.verdicts import SHORT_LOOP, admitted, rejected

from deskcheck.builder.card import LEFT_OUT, card
from deskcheck.builder.cases import ARMS, Finding, Verdict
from deskcheck.builder.contents import Build, describe
from deskcheck.builder.dataset import dataset_of
from deskcheck.builder.schemas import CANARY, SHOWN, TABLES

yaml: Any = pytest.importorskip("yaml")

BUILD = Build(
    name="sums: a 'first' try",
    config={"pools": ["textbook"], "parameters": {"max_trace_length": 2_000_000}},
    toolchain={"measured": {"version": "3.12.1"}},
)

VERDICTS: list[Verdict] = [
    admitted("one", passed_over=(SHORT_LOOP, SHORT_LOOP)),
    admitted("two", licence="CC | <odd>", author="A\nB"),
    rejected("three"),
    rejected("four", Finding(check="loop", reason="no_loop", detail="no loop")),
]


def made(verdicts: list[Verdict]) -> str:
    manifest = describe(BUILD, verdicts, {table.name: "0" * 64 for table in TABLES})
    return card(dataset_of(manifest, verdicts))


def section(text: str, title: str) -> str:
    _, found, rest = text.partition(f"\n## {title}\n")
    assert found, title
    return rest.partition("\n## ")[0]


def front_matter(text: str) -> dict[str, object]:
    facts = yaml.safe_load(text.split("---\n")[1])
    assert isinstance(facts, dict)
    return facts


def test_loaders_are_told_of_every_table_but_the_answers() -> None:
    """Each table is a config with one split, `tasks` the default; answers are none."""
    facts = front_matter(made(VERDICTS))
    assert facts["configs"] == [
        {"config_name": table.name}
        | ({"default": True} if table.name == "tasks" else {})
        | {"data_files": [{"split": "test", "path": table.path}]}
        for table in SHOWN
    ]
    assert facts["pretty_name"] == BUILD.name


@pytest.mark.parametrize(
    ("licences", "said"),
    [(["MIT", "MIT"], "mit"), (["MIT", "Apache-2.0"], "other"), (["my own"], "other")],
)
def test_the_hub_is_told_a_licence_that_it_knows(licences: list[str], said: str) -> None:
    """One known licence is named; several, or one of other words, are `other`."""
    verdicts: list[Verdict] = [
        admitted(str(number), licence=licence) for number, licence in enumerate(licences)
    ]
    assert front_matter(made(verdicts))["license"] == said


def test_counts_of_cases_and_programs_are_said() -> None:
    """How many were inspected, admitted and rejected, and how many questions there are."""
    text = made(VERDICTS)
    assert "2 of 4 inspected programs make one case each" in text
    assert "four questions, 8 in all" in text
    assert section(text, "What was rejected").startswith("\n2 programs. ")
    for arm in ARMS:
        assert f"| {arm} | " in text


def test_sources_are_credited_with_counts() -> None:
    """Licence, author, pool and origin are listed, and odd text leaves the table whole."""
    programs = section(made(VERDICTS), "Where the programs come from")
    assert "| Apache-2.0 | The authors | textbook | 1 |" in programs
    assert r"| CC \| &lt;odd> | A B | textbook | 1 |" in programs
    assert "2 origins" in programs
    assert "| origin of two | 1 |" in programs


def test_reasons_are_counted_once_by_the_first_finding() -> None:
    """The first finding counts the program; the others only count as findings."""
    rows = section(made(VERDICTS), "What was rejected")
    assert "| loop | no_loop | 1 | 1 |" in rows
    assert "| loop | too_few_iterations | 1 | 1 |" in rows
    assert "| loop | reads_stdin | 0 | 1 |" in rows


def test_what_is_left_out_is_said_with_counts() -> None:
    """Each kind that admission leaves out has a line, counted in rejected and admitted programs."""
    rows = section(made(VERDICTS), "What admission leaves out by construction")
    assert re.search(r"^\| no `for` or `while` statement: recursion.* \| 1 \| 0 \|$", rows, re.M)
    assert "| loops of few iterations in one activation | 1 | 2 |" in rows
    assert "| state too large to ask for | 0 | 0 |" in rows
    assert rows.count("\n| ") == len(LEFT_OUT) + 2


def test_a_program_counts_once_in_a_line_of_several_reasons() -> None:
    """Two reasons of one kind against one program are one program."""
    findings = [
        Finding(check="change", reason=reason, detail="")
        for reason in ("only_counters", "nothing_changes", "only_counters")
    ]
    rows = section(made([rejected("x", *findings)]), "What admission leaves out by construction")
    assert re.search(r"^\| loops that change nothing but counters.* \| 1 \| 0 \|$", rows, re.M)


def test_reasons_named_by_the_card_are_given_by_the_builder() -> None:
    """Each reason that the coverage table looks for stands in the builder's source."""
    root = Path(__file__).parents[2] / "builder" / "deskcheck" / "builder"
    source = "\n".join(
        path.read_text("utf-8") for path in sorted(root.glob("*.py")) if path.name != "card.py"
    )
    for reasons in LEFT_OUT.values():
        for reason in reasons:
            assert f'"{reason}"' in source, reason


def test_rules_of_comparison_are_said_with_counts() -> None:
    """The rules that occur, with how many tasks each has; those that do not occur are left out."""
    rows = section(made(VERDICTS), "How answers compare")
    assert re.search(r"\| json \| .* \| inside-loop-state, post-loop-state \| 4 \|", rows)
    assert re.search(r"\| tokens \| .* \| short-trace-final, long-trace-final \| 4 \|", rows)
    assert "| lines |" not in rows
    assert "In 2 cases the state after the loop also holds the printed answer" in rows


def test_toolchain_limits_and_canary_are_said() -> None:
    """What it was made with and asked for stand as JSON, the canary on a line of its own."""
    text = made(VERDICTS)
    assert '"max_trace_length": 2000000' in section(text, "How it was made")
    assert '"version": "3.12.1"' in section(text, "How it was made")
    assert f"\n`{CANARY}`\n" in text


def test_no_answer_stands_in_the_card() -> None:
    """Neither an expected output nor a state."""
    first = admitted("one", answers=("OUT-1", "OUT-2", '{"total":"IN"}', '{"total":"POST"}'))
    text = made([replace(first), *VERDICTS[2:]])
    assert not re.search(r"OUT-|\"IN\"|\"POST\"", text)


def test_a_dataset_of_nothing_has_a_card() -> None:
    """Empty tables read `None.` instead of a heading without rows."""
    text = made([])
    assert "None." in section(text, "What was rejected")
    assert "configs" not in front_matter(text)
