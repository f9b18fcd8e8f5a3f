"""Answers that programs might have, none of them easy, and scraps of what models write."""

from __future__ import annotations

from random import Random

from tests.evaluate.specimens import tag_for

from deskcheck.oracles.expressions import Json, compact_json

PIECES = (
    *("<answer>", "</answer>", "<think>", "</think>", "<answer2>", "</answer2>", "< /answer >"),
    *("```", "```json\n", "~~~", "{", "}", "[", "]", '"', "\\", '{"i":', ":", ",", "\n", "\r\n"),
    *("\t", " ", "\0", "\udc80", "\ufeff", "\u2028", "\U0001f600", "0", "1", "-", ".", "e9"),
    *("1.0", "true", "True", "NaN", "null", "None", "__import__('os')", "$$\\boxed{", "}$$", "</"),
    *("<answer>\n", "\n</answer>", '{"i":5}', "Answer: 5", "I'm sorry", "|---|", "&lt;answer&gt;"),
)

WORDS = (
    *("so", "the loop ends", "i = 4,", "it's", 'a 5" disk', "\n", "\n\n", "$x_i$", "| a | b |"),
    *("`i`", "{1, 2}", "{}", "[0]", "81", "**Answer:**", "\\boxed{80}", "\u00e9\u65e5", "\0"),
    *("---", "```\nprint(5)\n```\n", "(a < b)", "a > b", "{x | x > 0}", "1. ", "- ", "9**9**9"),
)

OUTPUTS = (
    "ways 81\ncoins 5\n22 + 22 + 9\n",
    "17\n",
    "a == 5; b = 6\n",
    "```\n3\n```\n4\n",
    "<answer>7</answer>\n",
    "</answer> 8\n",
    "</think> 9\n",
    "<think> 10\n</think>\n",
    '{"i": 11}\n',
    "  12 |  13\n\n\n 14  \n",
    "é日本\U0001f600 15 \u2028 \0 16\n",
    "17 " * 40 + "no line break",
)

STATES: tuple[dict[str, Json], ...] = (
    {"i": 5},
    {"i": 5, "seen": [1, 2.5, True, None], "name": "a<b"},
    {"grid": [[0, 1], [2, 3]], "best": -40, "done": False},
    {"text": 'quote " brace } {" tag </answer> <answer> </think> \\ end', "n": 6},
    {"d": {"a": {"b": [{}]}}, "x": 1e-07, "k": 7},
    {"é": "日本\U0001f600\u2028\0", "n": 8},
)


def _any_output(rng: Random) -> str:
    text = "".join(rng.choices((*PIECES, *WORDS), k=rng.randint(1, 12)))
    return text.replace("\udc80", "") + rng.choice(("1", "23\n", " 4  \n\n"))


def _any_state(rng: Random) -> dict[str, Json]:
    keys = [rng.choice((*PIECES, *WORDS)) for _ in range(rng.randint(1, 5))]
    return {"n": rng.randrange(100), **{key: _any_value(rng) for key in keys}}


def _any_value(rng: Random, depth: int = 3) -> Json:
    match rng.randrange(9 if depth else 6):
        case 0:
            return rng.choice((None, True, False))
        case 1 | 2:
            return rng.choice((0, 1, -1, 7, 40, 2**53 + 1, -(10**30)))
        case 3:
            return rng.choice((0.0, -0.5, 2.5, 1e16, 1e-07))
        case 4 | 5:
            return rng.choice((*PIECES, *WORDS))
        case 6 | 7:
            return [_any_value(rng, depth - 1) for _ in range(rng.randrange(4))]
        case _:
            return {rng.choice(WORDS): _any_value(rng, depth - 1)}


ALL_OUTPUTS = (*OUTPUTS, *(_any_output(Random(number)) for number in range(300)))
ALL_STATES = (
    *map(compact_json, STATES),
    *(compact_json(_any_state(Random(number))) for number in range(300)),
)

TAGS = {text: tag_for(text) for text in (*ALL_OUTPUTS, *ALL_STATES)}
"""The answer tag of a dataset that holds this answer."""
