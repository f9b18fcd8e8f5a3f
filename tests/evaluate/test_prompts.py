"""A prompt shows source and input exactly, asks by contract, and knows nothing of the answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builder.verdicts import admitted

from deskcheck.builder.cases import Task
from deskcheck.evaluate.prompts.rendering import Prompts, read_templates
from deskcheck.oracles.errors import SettingsError

PROMPTS = Prompts(read_templates(), "answer")
TASKS = {task.arm: task for task in admitted().tasks}

# What a dataset can hold is UTF-8.
texts = st.text(st.characters(codec="utf-8")) | st.sampled_from(
    [
        "```",
        "````python\n",
        "{{ tag }}",
        "{% raw %}",
        "a\r\nb\r",
        "\0",
        "\x0c",
        "</answer>",
        "`" * 99,
    ]
)


@given(texts, texts)
def test_source_and_input_stand_in_the_prompt_as_they_are(source: str, stdin: str) -> None:
    """Whatever they hold, line ends, backticks and template language included."""
    for task in TASKS.values():
        text = PROMPTS.prompt(replace(task, source=source, stdin=stdin)).text
        assert source in text
        assert stdin in text


@given(texts)
def test_a_fence_is_longer_than_any_run_of_backticks_inside(source: str) -> None:
    """So the line that closes the program cannot be a part of it."""
    text = PROMPTS.prompt(replace(TASKS["short-trace-final"], source=source)).text
    body = source if source.endswith("\n") or not source else source + "\n"
    opening = text.partition("Program:\n\n")[2].partition("\n")[0]
    assert set(opening) == {"`"}
    assert opening not in source
    assert f"{opening}\n{body}{opening}\n" in text


def test_nothing_of_the_answer_is_in_a_prompt() -> None:
    """An expected answer that occurs in neither source nor input occurs in no prompt."""
    secret = ("S3CRET-short\n", "S3CRET-long\n", '{"total":77777}', '{"total":88888}')
    verdict = admitted(answers=secret)
    for task in verdict.tasks:
        text = PROMPTS.prompt(task).text
        assert not any(mark in text for mark in ("S3CRET", "77777", "88888"))


def test_a_template_cannot_reach_an_answer() -> None:
    """The names that a template sees are the task's shown parts, and nothing else."""
    for name in ("answer", "answers", "expected", "task", "self", "oracles"):
        own = {**read_templates(), "final.j2": f"{{{{ {name} }}}}"}
        with pytest.raises(SettingsError, match=r"undefined|does not show"):
            Prompts(own, "answer").prompt(TASKS["short-trace-final"])


def test_both_final_arms_differ_in_the_input_alone() -> None:
    """Short and long ask the same words about the same program."""
    short, long = (
        PROMPTS.prompt(TASKS[arm]).text for arm in ("short-trace-final", "long-trace-final")
    )
    assert short.replace(f"```\n{TASKS['short-trace-final'].stdin}```", "") == long.replace(
        f"```\n{TASKS['long-trace-final'].stdin}```", ""
    )


def test_a_state_arm_names_its_fields_in_order() -> None:
    """Each field's name and expression is in the prompt, and the contract names the tag."""
    text = PROMPTS.prompt(TASKS["inside-loop-state"]).text
    assert "- `total`: the value of `total`" in text
    assert '<answer>\n{"total": …}\n</answer>' in text


@pytest.mark.parametrize(
    ("stdin", "said"),
    [("", "(empty)"), ("3", "(without a line break at its end)"), ("3\n", "Standard input:")],
)
def test_what_a_fence_cannot_show_is_said(stdin: str, said: str) -> None:
    """An empty input and a missing line end are told in words."""
    assert said in PROMPTS.prompt(replace(TASKS["long-trace-final"], stdin=stdin)).text


def own(folder: Path, final: str) -> Prompts:
    (folder / "final.j2").write_text(final, "utf-8")
    return Prompts(read_templates(str(folder)), "answer", str(folder))


def final_task() -> Task:
    return TASKS["long-trace-final"]


def test_a_template_of_ones_own_replaces_the_built_in_one(tmp_path: Path) -> None:
    """The named template is used, the other one stays built in."""
    prompts = own(tmp_path, "{{ source }}|{{ stdin }}|<{{ tag }}>")
    assert (
        prompts.prompt(final_task()).text == f"{final_task().source}|{final_task().stdin}|<answer>"
    )
    assert prompts.prompt(TASKS["post-loop-state"]) == PROMPTS.prompt(TASKS["post-loop-state"])


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{{ source | upper }}{{ stdin }}<{{ tag }}>", "does not show the source"),
        ("{{ source }}<{{ tag }}>", "does not show the stdin"),
        ("{{ source }}{{ stdin }}", "does not ask for an answer in <answer>"),
        ("{{ source }}{{ stdin }}{% if %}", "Expected an expression"),
        ("{{ ''.__class__.__mro__ }}", "unsafe|undefined"),
    ],
)
def test_a_template_that_would_spoil_the_question_is_refused(
    tmp_path: Path, template: str, said: str
) -> None:
    """One line names the template and what is wrong with it."""
    with pytest.raises(SettingsError, match=said) as error:
        own(tmp_path, template).prompt(final_task())
    assert "final.j2" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_folder_without_templates_is_named(tmp_path: Path) -> None:
    """Neither a missing folder nor an empty one is taken for the built-in templates."""
    with pytest.raises(SettingsError, match=r"holds neither final\.j2 nor"):
        read_templates(str(tmp_path))
    with pytest.raises(SettingsError, match="no folder of templates"):
        read_templates(str(tmp_path / "nowhere"))
