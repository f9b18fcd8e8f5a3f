"""The arguments of a call: read as literals, or worked out in the sandbox, and written again."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from deskcheck.oracles.outcomes import Limits
from deskcheck.oracles.runtimes.python import FLAGS, find_interpreter, variation
from deskcheck.oracles.sandbox import Sandbox

Arguments = tuple[Any, ...]
"""Values that `ast.literal_eval` can read back."""

INPUT_LIMIT = 32_000
"""Characters of the arguments of one call, written out."""
REPEATS = 3
"""Times that an argument is worked out, each under a hash seed of its own."""

_EVALUATE = """\
names = {"__name__": "function"}
exec(compile(open("function.py", "rb").read(), "function.py", "exec"), names)
values = eval(open("arguments.py", encoding="utf-8").read(), names)
with open("values.txt", "w", encoding="utf-8") as file:
    file.write("\\n".join(map(repr, values)))
"""
_LIMITS = Limits(cpu_s=5.0, wall_s=10.0, memory=1024**3, output=1024**2)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoArguments:
    """Why the arguments of a call cannot be given on standard input."""

    check: str
    detail: str


def read_call(text: str) -> Arguments | ast.Tuple | NoArguments:
    """The arguments as values; as expressions where they are no literals."""
    if len(text) > INPUT_LIMIT:
        detail = f"input has more than {INPUT_LIMIT:,} characters"
        return NoArguments(check="too_large", detail=detail)
    try:
        call = ast.parse(f"f({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return NoArguments(check="input_unreadable", detail=f"input cannot be parsed: {error}")
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return NoArguments(check="input_unreadable", detail="input is no list of arguments")
    if call.keywords:
        detail = "input gives arguments by keyword, and the driver takes them by position"
        return NoArguments(check="keyword_arguments", detail=detail)
    try:
        return tuple(ast.literal_eval(node) for node in call.args)
    except (ValueError, TypeError, RecursionError, MemoryError):
        return ast.Tuple(elts=call.args, ctx=ast.Load())


def write_arguments(arguments: Arguments) -> str:
    """One argument per line, the same text under any hash seed; ValueError where there is none."""
    return "".join(f"{_written(value)}\n" for value in arguments)


def _written(value: Any) -> str:
    match value:
        case list():
            return f"[{', '.join(map(_written, value))}]"
        case tuple():
            items = list(map(_written, value))
            return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
        case dict():
            entries = (f"{_written(key)}: {_written(held)}" for key, held in value.items())
            return f"{{{', '.join(entries)}}}"
        case set():
            return f"{{{', '.join(sorted(map(_written, value)))}}}" if value else "set()"
        case float() if value in (float("inf"), float("-inf")):
            return "1e999" if value > 0 else "-1e999"
        case None | bool() | int() | float() | complex() | str() | bytes():
            return repr(value)
    raise ValueError(f"a {type(value).__name__} has no literal")


class Evaluator:
    """Works arguments out in the sandbox, which is started when it is first needed."""

    def __init__(self) -> None:
        self._sandbox: Sandbox | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._sandbox is not None:
            self._sandbox.close()

    def values(self, code: str, expressions: ast.Tuple) -> Arguments | NoArguments:
        """What the expressions are worth after the code has run; SandboxError if it cannot run."""
        text = ast.unparse(expressions)
        found = [self._once(code, text, repeat) for repeat in range(REPEATS)]
        first = found[0]
        if isinstance(first, NoArguments):
            return first
        written = [
            other if isinstance(other, NoArguments) else write_arguments(other) for other in found
        ]
        if any(each != written[0] for each in written):
            detail = f"the arguments {text} are not the same under every hash seed"
            return NoArguments(check="argument_varies", detail=detail)
        return first

    def _once(self, code: str, text: str, repeat: int) -> Arguments | NoArguments:
        self._sandbox = self._sandbox or Sandbox()
        outcome = self._sandbox.run(
            [find_interpreter().executable, *FLAGS, "evaluate.py"],
            stdin=b"",
            files={
                "evaluate.py": _EVALUATE.encode(),
                "function.py": code.encode(),
                "arguments.py": text.encode(),
            },
            collect=["values.txt"],
            env=variation(repeat).env(),
            limits=_LIMITS,
        )
        values = outcome.collected.get("values.txt")
        if not outcome.clean or values is None:
            # The error's name alone: its text may hold an address, which is another one each time.
            said = outcome.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            why = said[0].split(":")[0][:80] if said else outcome.ending
            detail = f"the arguments {text} cannot be worked out: {why}"
            return NoArguments(check="argument_fails", detail=detail)
        return _literals(values, text)


def _literals(values: bytes, text: str) -> Arguments | NoArguments:
    """The values that the sandboxed process wrote, of which nothing is believed unread."""
    if len(values) > INPUT_LIMIT:
        detail = f"the arguments {text} come to more than {INPUT_LIMIT:,} bytes"
        return NoArguments(check="too_large", detail=detail)
    lines: Sequence[str] = values.decode("utf-8", "replace").split("\n") if values else ()
    found: list[Any] = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(ast.literal_eval(line))
            write_arguments((found[-1],))
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            detail = f"number {number} of the arguments {text} is nothing that a literal can write"
            return NoArguments(check="argument_not_literal", detail=detail)
    return tuple(found)
