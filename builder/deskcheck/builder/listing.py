"""How program and input text is shown to people: numbered, shortened, and harmless."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

_LINE_END = re.compile(r"\r\n|\r|\n")

LONGEST_LINE = 400


def source_lines(text: str) -> list[str]:
    """The lines as Python and compilers number them: form feeds and the like end none."""
    lines = _LINE_END.split(text)
    if lines[-1] == "":
        lines.pop()
    return lines


def visible(line: str) -> str:
    """The line with control and formatting characters escaped, so that no terminal obeys them."""
    expanded = line.expandtabs(4)
    if expanded.isprintable():
        return expanded
    return "".join(
        character
        if character.isprintable()
        else character.encode("unicode_escape", "surrogatepass").decode("ascii")
        for character in expanded
    )


def shortened(text: str, limit: int) -> list[str]:
    """At most `limit` lines of the text, and as many characters of each as are of use.

    What is left out of the middle is said in its place. All of the text where the limit is 0.
    """
    lines = source_lines(text)
    if not limit:
        return [visible(line) for line in lines]
    if len(lines) > limit:
        head = (limit + 1) // 2
        tail = limit - head
        said = f"… {len(lines) - limit:,} of {len(lines):,} lines left out …"
        return [*map(_short, lines[:head]), said, *map(_short, lines[len(lines) - tail :])]
    return [_short(line) for line in lines]


def inserted_lines(clean: str, shown: str) -> frozenset[int]:
    """Numbers, from 1, of the lines of `shown` that are not the clean program's."""
    matcher = SequenceMatcher(None, source_lines(clean), source_lines(shown), autojunk=False)
    return frozenset(
        number + 1
        for kind, _, _, start, end in matcher.get_opcodes()
        if kind != "equal"
        for number in range(start, end)
    )


def numbered(text: str, marked: frozenset[int] = frozenset()) -> Sequence[tuple[str, bool]]:
    """Each line with its number, a `>` before marked ones, and whether it is marked."""
    lines = source_lines(text)
    width = len(str(len(lines)))
    return [
        (f"{'>' if number in marked else ' '}{number:{width}} {visible(line)}", number in marked)
        for number, line in enumerate(lines, start=1)
    ]


def _short(line: str) -> str:
    if len(line) <= LONGEST_LINE:
        return visible(line)
    half = LONGEST_LINE // 2
    said = f" … {len(line) - 2 * half:,} of {len(line):,} characters left out … "
    return visible(line[:half]) + said + visible(line[-half:])
