"""Replies as models write them, and as nobody should, each with the grade that it must get."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from tests.builder.verdicts import admitted

from deskcheck.builder.cases import Task
from deskcheck.builder.pipeline import answer_tag
from deskcheck.evaluate.cells import Status
from deskcheck.evaluate.grading import Grade, grade
from deskcheck.evaluate.requests import Reply
from deskcheck.oracles.checkpoints import Field
from deskcheck.oracles.equivalence import Rule

THINK = ("<think>", "</think>")

OUTPUT = "ways 81\ncoins 5\n22 + 22 + 9\n"
STATE = '{"i":5,"seen":[1,2.5,true,null],"name":"a<b"}'
SHUFFLED = '{"name":"a<b","seen":[1,2.5,true,null],"i":5}'


@cache
def task(rule: Rule = "tokens", fields: tuple[str, ...] = ()) -> Task:
    """A task of a state arm where there are fields, else of a final arm."""
    shown = tuple(Field(name=name, expression=name) for name in fields)
    template = admitted("specimen").tasks[2 if shown or rule == "json" else 0]
    return replace(template, rule=rule, fields=shown)


def task_for(rule: Rule, expected: str) -> Task:
    """The task whose answer is `expected`."""
    return task(rule, tuple(json.loads(expected)) if rule == "json" else ())


@cache
def tag_for(*expected: str) -> str:
    """The answer tag of a dataset that holds these answers."""
    return answer_tag(
        [
            admitted(f"of {number}", answers=(text, text, '{"total":1}', '{"total":2}'))
            for number, text in enumerate(expected)
        ]
    )


def graded(
    text: str,
    expected: str = OUTPUT,
    rule: Rule = "tokens",
    *,
    reasoning: str | None = None,
    finish: str = "stop",
    tag: str = "answer",
) -> Grade:
    """The grade of a reply that came back."""
    reply = Reply(outcome="answered", text=text, reasoning=reasoning, finish_reason=finish)
    return grade(task_for(rule, expected), expected, reply, tag=tag, thinking_tags=THINK)


def envelope(answer: str, tag: str = "answer") -> str:
    """The answer as the prompts ask for it."""
    return f"<{tag}>\n{answer}{'' if answer.endswith('\n') else '\n'}</{tag}>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Specimen:
    """A reply and what it must be worth."""

    name: str
    text: str
    status: Status
    valid: bool = False
    """The envelope follows the contract."""
    expected: str = OUTPUT
    rule: Rule = "tokens"
    reasoning: str | None = None
    finish: str = "stop"

    def grade(self) -> Grade:
        return graded(
            self.text, self.expected, self.rule, reasoning=self.reasoning, finish=self.finish
        )


def final(
    name: str,
    text: str,
    status: Status,
    *,
    valid: bool = False,
    expected: str = OUTPUT,
    reasoning: str | None = None,
    finish: str = "stop",
) -> Specimen:
    """A reply to a final arm."""
    return Specimen(
        name=name,
        text=text,
        status=status,
        valid=valid,
        expected=expected,
        reasoning=reasoning,
        finish=finish,
    )


def state(
    name: str, text: str, status: Status, *, valid: bool = False, finish: str = "stop"
) -> Specimen:
    """A reply to a state arm whose answer is STATE."""
    return Specimen(
        name=name,
        text=text,
        status=status,
        valid=valid,
        expected=STATE,
        rule="json",
        finish=finish,
    )


RIGHT, WRONG = envelope(OUTPUT), envelope("ways 80\ncoins 4\n")
RIGHT_STATE = envelope(STATE)

FINALS: Sequence[Specimen] = (
    final("as asked", RIGHT, "correct", valid=True),
    final("wrong as asked", WRONG, "wrong", valid=True),
    final("prose before", f"The loop runs 81 times, so:\n\n{RIGHT}\n", "correct", valid=True),
    final("on one line", f"<answer>{OUTPUT}</answer>", "correct", valid=True),
    final("prose after", f"{RIGHT}\n\nThat is all.", "correct"),
    final("twice", f"{RIGHT}\n{RIGHT}", "correct"),
    final("corrected", f"{WRONG}\nWait, the count is off.\n{RIGHT}", "correct"),
    final("changed for the worse", f"{RIGHT}\nNo:\n{WRONG}", "wrong"),
    final("nested tags", f"<answer>{RIGHT}</answer>", "correct"),
    final("never closed", RIGHT.removesuffix("</answer>"), "correct"),
    final("opened twice, closed never", f"<answer>\n{OUTPUT}<answer>\n", "correct"),
    final("closed, not opened", f"{OUTPUT}</answer>", "unparsed"),
    final("tags in capitals", f"<Answer>\n{OUTPUT}</Answer>", "correct"),
    final("blanks in the tags", f"< answer >\n{OUTPUT}</ answer>", "correct"),
    final("escaped tags", f"&lt;answer&gt;\n{OUTPUT}&lt;/answer&gt;", "unparsed"),
    final("tags named in prose", f"Between <answer> and </answer>:\n{RIGHT}", "correct"),
    final("fence inside", f"<answer>\n```\n{OUTPUT}```\n</answer>", "correct"),
    final("named fence inside", f"<answer>\n```text\n{OUTPUT}```\n</answer>", "correct"),
    final("fence outside", f"```\n{RIGHT}\n```", "correct"),
    final("fence alone", f"The output is\n\n```\n{OUTPUT}```\nas said.", "correct"),
    final("two fences", f"```python\nprint(1)\n```\n\n~~~\n{OUTPUT}~~~", "correct"),
    final("fence never closed", f"It prints:\n```\n{OUTPUT}", "correct"),
    final("fence of the program", f"{OUTPUT}\n```python\nprint(1)\n```", "wrong"),
    final("bare", f"\n\n{OUTPUT}\n", "correct"),
    final("bare and wrong", "ways 80", "unparsed"),
    final("bare in prose", f"It prints {OUTPUT}.", "unparsed"),
    final(
        "quoted", '<answer>\n"ways 81\\ncoins 5\\n22 + 22 + 9\\n"\n</answer>', "wrong", valid=True
    ),
    final("bold", f"**Answer:** {OUTPUT}", "unparsed"),
    final("boxed", r"$$\boxed{\text{ways 81 coins 5 22 + 22 + 9}}$$", "unparsed"),
    final("empty envelope", "<answer>\n</answer>", "wrong", valid=True),
    final("empty", "", "unparsed"),
    final("blank", " \n\t\r\n ", "unparsed"),
    final("refusal", "I'm sorry, but I can't run code.", "unparsed"),
    final("table", "| step | ways |\n|---|---|\n| 1 | 81 |\n\n" + RIGHT, "correct", valid=True),
    final("carriage returns", RIGHT.replace("\n", "\r\n"), "correct", valid=True),
    final("counting to a hundred", " ".join(map(str, range(101))), "unparsed", expected="42\n"),
    final("counting in tags", envelope("1 2 3"), "wrong", valid=True, expected="3\n"),
    final("comment inside", "<answer>81  # ways</answer>", "wrong", valid=True, expected="81"),
    final("full-width digits", envelope("\uff18\uff11"), "wrong", valid=True, expected="81"),
    final("no-break space", envelope("ways\u00a081"), "wrong", valid=True, expected="ways 81"),
    final("thought first", f"<think>\n{WRONG}\n</think>\n\n{RIGHT}", "correct", valid=True),
    final(
        "thought twice", f"<think>a</think>\n<think>{WRONG}</think>{RIGHT}", "correct", valid=True
    ),
    final("thought nothing", f"<think>\n\n</think>\n\n{RIGHT}", "correct", valid=True),
    final("thought by the prompt", f"Hm.\n{WRONG}\n</think>\n{RIGHT}", "correct", valid=True),
    final("right only in thinking", f"<think>{RIGHT}</think>It is as above.", "unparsed"),
    final("right in thinking, wrong after", f"{RIGHT}</think>{WRONG}", "wrong", valid=True),
    final("thinking never ends", f"<think>{RIGHT}", "unparsed"),
    final("thinking cut off", f"<think>{RIGHT}", "truncated", finish="length"),
    final("thinking only", f"<think>{RIGHT}</think>", "unparsed"),
    final("thinking apart", RIGHT, "correct", valid=True, reasoning=WRONG),
    final("stray end of thinking", f"</think>\n{RIGHT}", "correct", valid=True, reasoning="Hm."),
    final("thinking apart, no text", "", "unparsed", reasoning=RIGHT),
    final("cut off after it", RIGHT, "truncated", valid=True, finish="max_tokens"),
    final("cut off within it", RIGHT[:20], "truncated", finish="MAX_TOKENS"),
    final("filtered", "", "unparsed", finish="content_filter"),
)

STATES: Sequence[Specimen] = (
    state("as asked", RIGHT_STATE, "correct", valid=True),
    state("spread out", envelope(json.dumps(json.loads(STATE), indent=2)), "correct", valid=True),
    state("another order", envelope(SHUFFLED), "correct"),
    state("fence inside", f"<answer>\n```json\n{STATE}\n```\n</answer>", "correct"),
    state("fence alone", f"```json\n{STATE}\n```", "correct"),
    state("bare", STATE, "correct"),
    state("bare in prose", f"With {{i}} at 5 the set {{1, 2}} gives {STATE}, so {{}}.", "correct"),
    state("boxed", rf"\boxed{{{STATE}}}", "correct"),
    state("boxed with text", rf"$\boxed{{\text{{state}} = {STATE}}}$", "correct"),
    state("last of two", f'{{"i": 4}} then {STATE}', "correct"),
    state("an inch sign before", f'A 5" disk. {STATE}', "correct"),
    state("braces left open", f'{{"i": 5, then {STATE}', "correct"),
    state("integer as fraction", RIGHT_STATE.replace("5,", "5.0,", 1), "wrong", valid=True),
    state("true for 1", RIGHT_STATE.replace("[1,", "[true,"), "wrong", valid=True),
    state("1 for true", RIGHT_STATE.replace("true", "1"), "wrong", valid=True),
    state("text for a number", RIGHT_STATE.replace("5,", '"5",', 1), "wrong", valid=True),
    state("a key too many", RIGHT_STATE.replace("{", '{"k":1,'), "wrong"),
    state("a key missing", RIGHT_STATE.replace('"i":5,', ""), "wrong"),
    state("a key twice", RIGHT_STATE.replace("{", '{"i":4,'), "unparsed"),
    state("Python's literals", RIGHT_STATE.replace("true", "True"), "unparsed"),
    state("single quotes", RIGHT_STATE.replace('"', "'"), "unparsed"),
    state("an expression", RIGHT_STATE.replace("5,", "5 or 0,", 1), "unparsed"),
    state("a call", envelope('{"i":__import__("os").getpid()}'), "unparsed"),
    state("a tower of powers", envelope('{"i":9**9**9}'), "unparsed"),
    state("digits without end", envelope('{"i":' + "9" * 5000 + "}"), "unparsed"),
    state("a comment", RIGHT_STATE.replace(":5,", ":5, // i\n"), "unparsed"),
    state("an ellipsis", envelope('{"i": …, "seen": …, "name": …}'), "unparsed"),
    state("prose inside", f"<answer>It is {STATE}</answer>", "unparsed"),
    state("a list", envelope("[5]"), "wrong"),
    state("a number", envelope("5"), "wrong"),
    state("empty envelope", "<answer></answer>", "unparsed"),
    state("empty object", envelope("{}"), "wrong"),
    state("no object", "i is 5 and seen is [1, 2.5, true, null]", "unparsed"),
    state("NUL", RIGHT_STATE.replace("5", "5\0"), "unparsed"),
    state("NUL after", f"{RIGHT_STATE}\0", "correct"),
    state("lone surrogate", RIGHT_STATE.replace("a<b", "\udc80"), "wrong", valid=True),
    state("byte order mark", f"<answer>\ufeff{STATE}</answer>", "unparsed"),
    state("thought first", f"<think>{{}}</think>{RIGHT_STATE}", "correct", valid=True),
    state("thought by the prompt", f'{{"i": 4}}</think>\n\n{STATE}', "correct"),
    state("object only in thinking", f"<think>{STATE}</think>As above.", "unparsed"),
    state("cut off", RIGHT_STATE[:30], "truncated", finish="length"),
)

SPECIMENS: Sequence[Specimen] = (*FINALS, *STATES)


@cache
def hard_texts(size: int) -> Sequence[str]:
    """Deep brackets, towers and calls, and `size` characters of whatever might cost a lot."""
    return (
        "[" * 10_000 + "]" * 10_000,
        "<answer>" + "[" * 10_000 + "]" * 10_000 + "</answer>",
        '<answer>{"i":' + "[" * 10_000 + "</answer>",
        '{"a":' * 10_000 + "1" + "}" * 10_000,
        "<answer>9**9**9</answer>",
        "<answer>__import__('os').system('true')</answer>",
        *((piece * (size // len(piece) + 1))[:size] for piece in HARD_PIECES),
    )


HARD_PIECES: Sequence[str] = (
    *("x", " ", "\n", "1 ", "1\n", "\0", "\udc80", "\U0001f600", "`", "```\n", "~~~ x\n", "\r"),
    *("<answer>", "</answer>", "<answer>\n</answer>", "< answer", "<", "< \t", "<answer "),
    *("<think>", "</think>", "<think></think>", " </think>\n<think>"),
    *("{", "}", "{}", '{"', '{"a":', '{"a":1}', '{"a":{"b":1}', '{ "', '{\n"\\', '{"\\"', "{ "),
    *('"', "\\", '\\"', "[", "]", "[]", "9", "-", "1e", "0.", "{\t\n", "```{", "```a`\n"),
    *("<answer>{", '<answer>{"', "<answer>[", "```json\n{", "  ```\n"),
)
