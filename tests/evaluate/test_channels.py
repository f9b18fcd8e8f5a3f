"""Thinking is told from the answer before anything is looked for in either."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluate.specimens import THINK, envelope, graded

from deskcheck.evaluate.channels import Channels, split


def channels(text: str, reasoning: str | None = None) -> Channels:
    return split(text, reasoning, THINK, "answer")


ENVELOPED = envelope("</think>")


@pytest.mark.parametrize(
    ("text", "thinking", "answer"),
    [
        ("81", None, "81"),
        ("", None, ""),
        ("<think>so</think>\n81", "so", "\n81"),
        (" \n<think>so</think>81", "so", "81"),
        ("<think></think>81", "", "81"),
        ("<think>a <think> b</think>81", "a <think> b", "81"),
        ("<think>a</think> b</think>81", "a", " b</think>81"),
        ("<think>a</think>\n\n<think>b</think>81", "a\nb", "81"),
        ("so</think>81", "so", "81"),
        ("</think>81", "", "81"),
        ("so</think>\n<think>again</think>81", "so\nagain", "81"),
        ("a</think>b</think>81", "a", "b</think>81"),
        ("It prints <think> and 81", None, "It prints <think> and 81"),
        ("It prints <think> or so</think>81", "It prints <think> or so", "81"),
        ("<Think>so", None, "<Think>so"),
        (ENVELOPED, None, ENVELOPED),
        (f"Here:\n{ENVELOPED} done", None, f"Here:\n{ENVELOPED} done"),
        (
            f"{ENVELOPED} hm </think>{ENVELOPED}",
            "<answer>\n",
            f"\n</answer> hm </think>{ENVELOPED}",
        ),
        (f"<think>hm</think>{ENVELOPED}", "hm", ENVELOPED),
        (f"hm</think>{ENVELOPED}", "hm", ENVELOPED),
        (f"{envelope('80')} hm</think>{ENVELOPED}", f"{envelope('80')} hm", ENVELOPED),
        (
            "draft <answer>8 hm</think><answer>7</answer>",
            "draft <answer>8 hm",
            "<answer>7</answer>",
        ),
    ],
)
def test_a_reply_is_split_by_one_rule(text: str, thinking: str | None, answer: str) -> None:
    """Leading blocks are thinking, a lone end splits, and the answer's own content does not."""
    assert channels(text) == Channels(thinking=thinking, answer=answer)


@pytest.mark.parametrize("text", ["<think>", "\n<think>so <answer>5</answer>", "<think>\n</think"])
def test_an_opening_tag_without_its_end_leaves_no_answer(text: str) -> None:
    """All of it is thinking, so no draft in it can count."""
    found = channels(text)
    assert found.open_thinking
    assert found.answer == ""
    assert found.thinking == text.lstrip().removeprefix("<think>")


def test_a_second_block_that_never_ends_leaves_no_answer() -> None:
    """The rule holds for each block in turn."""
    found = channels("<think>a</think><think>b <answer>5</answer>")
    assert found == Channels(thinking="a\nb <answer>5</answer>", answer="", open_thinking=True)


@pytest.mark.parametrize(
    ("text", "reasoning", "thinking", "answer"),
    [
        ("81", "so", "so", "81"),
        ("81", "", None, "81"),
        ("", "so", "so", ""),
        ("</think>\n81", "so", "so\n", "\n81"),
        ("<think>more</think>81", "so", "so\nmore", "81"),
        (ENVELOPED, "so", "so", ENVELOPED),
    ],
)
def test_thinking_that_came_apart_is_kept(
    text: str, reasoning: str, thinking: str, answer: str
) -> None:
    """The backend's part comes first, and tags left in the text are still seen."""
    assert channels(text, reasoning) == Channels(thinking=thinking, answer=answer)


@pytest.mark.parametrize(
    ("tags", "text"),
    [
        (("[THINK]", "[/THINK]"), "[THINK]so[/THINK]81"),
        (
            ("<|channel|>analysis<|message|>", "<|end|>"),
            "<|channel|>analysis<|message|>so<|end|>81",
        ),
        (("((", "))"), "((so))81"),
    ],
)
def test_the_setting_says_what_encloses_thinking(tags: tuple[str, str], text: str) -> None:
    """Any two texts can be the tags; they are no patterns."""
    assert split(text, None, tags, "answer") == Channels(thinking="so", answer="81")


@pytest.mark.parametrize("tags", [("", ""), ("<think>", ""), ("", "</think>")])
def test_without_both_tags_nothing_is_split(tags: tuple[str, str]) -> None:
    """An empty tag stands nowhere, not everywhere."""
    text = "<think>so</think>81"
    assert split(text, None, tags, "answer") == Channels(thinking=None, answer=text)


PIECES = st.lists(
    st.sampled_from(["<think>", "</think>", "<answer>", "</answer>", " ", "\n", "a", "{}"]),
    max_size=12,
).map("".join)


@given(PIECES, st.none() | st.text(max_size=5))
def test_no_character_is_lost_or_made_up(text: str, reasoning: str | None) -> None:
    """The answer is an end of the text, and what is left out is thinking, tags and blanks."""
    found = channels(text, reasoning)
    assert text.endswith(found.answer)
    left_out = (reasoning or "") + text.removesuffix(found.answer)
    assert _bare(found.thinking or "") == _bare(left_out)
    assert not found.open_thinking or found.answer == ""


def _bare(text: str) -> str:
    for each in ("<think>", "</think>", " ", "\n"):
        text = text.replace(each, "")
    return text


def test_of_thinking_drafts_and_a_correction_the_last_answer_outside_counts() -> None:
    """What was thought is no answer, and both the first and the last outside are kept."""
    text = "<think><answer>5</answer></think><answer>7</answer> Wait, <answer>8</answer>"
    for expected, status in (("5", "wrong"), ("7", "wrong"), ("8", "correct")):
        found = graded(text, expected)
        assert found.status == status
        assert (found.first_answer, found.answer, found.answers) == ("7", "8", 2)
    bare = graded("<think>Answer: 5</think> Answer: 7. Wait, Answer: 8", "5")
    assert bare.status == "unparsed"
    assert bare.answer == " Answer: 7. Wait, Answer: 8"
    assert bare.reasoning_characters == len("Answer: 5")


def test_thinking_is_counted_however_it_came() -> None:
    """The same thinking has the same length in the text, apart from it, or opened by the prompt."""
    answer = envelope("81")
    for text, reasoning in (
        (f"<think>\nso be it\n</think>\n{answer}", None),
        (f"so be it\n</think>\n{answer}", None),
        (answer, "so be it\n"),
    ):
        assert graded(text, "81", reasoning=reasoning).reasoning_characters == len("so be it")
    for text in (answer, f"<think>\n\n</think>{answer}"):
        assert graded(text, "81").reasoning_characters == 0
