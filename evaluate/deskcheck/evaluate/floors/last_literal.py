"""The floor of whoever looks for the last text that a source prints as it stands."""

from __future__ import annotations

from collections.abc import Mapping

from deskcheck.builder.cases import Arm, Task
from deskcheck.evaluate.floors import Abstained, Basis, Given
from deskcheck.evaluate.floors.cpp_literals import printed_by_cpp
from deskcheck.evaluate.floors.python_literals import printed_by_python

_PRINTED = {"python": printed_by_python, "cpp": printed_by_cpp}


class LastLiteral:
    """Gives the last literal of the source that is printed and is more than blanks."""

    arms: tuple[Arm, ...] = ("short-trace-final", "long-trace-final")
    rule = "the last literal in the source that is printed as it stands"
    concurrency = 1
    arguments: Mapping[str, type] = {}

    def __init__(self, basis: Basis) -> None:
        """The source says it all."""

    async def answer(self, task: Task) -> Given | Abstained:
        literals = [text for text in _PRINTED[task.language](task.source) if _says(text)]
        if not literals:
            return Abstained(reason="the source prints no literal")
        return Given(text=literals[-1])

    async def close(self) -> None:
        """There is nothing to let go of."""


def _says(text: str) -> bool:
    """It is more than blanks, and an output could hold it."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate, which no output stream takes
        return False
    return bool(text.strip())
