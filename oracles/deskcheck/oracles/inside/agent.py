"""Run one program inside the interpreter that is measured, and report what was asked.

`python agent.py KEY REPORT PROGRAM count LIMIT` counts opcodes, up to a limit unless it is 0;
`python agent.py KEY REPORT PROGRAM count-fast 0` has the program count them itself, without limit;
`python agent.py KEY REPORT PROGRAM observe JOB` watches as the JSON file JOB says. The files KEY
and JOB are removed before the program starts.
`python agent.py serve SANDBOX MODE` forks runs in that mode, for a `ForkingSandbox`.
This file is compiled at every start, so it is short.
"""

from __future__ import annotations

import builtins
import sys
from _frozen_importlib_external import SourceFileLoader

SHOWN = frozenset(sys.modules) - {"__future__"}
# A copy, as the program may put anything in the place of a builtin.
BUILTINS = dict(vars(builtins))


def load(name: str) -> object:
    """A module beside this file, which no program finds among those imported."""
    qualified = f"_deskcheck_inside_{name}"
    loader = SourceFileLoader(qualified, f"{__file__.rpartition('/')[0]}/{name}.py")
    module = type(sys)(qualified)
    module.__dict__["__builtins__"] = BUILTINS
    loader.exec_module(module)
    return module


if __name__ == "__main__":
    inside, ready, arguments = load, None, sys.argv[1:]
    if arguments[0] == "serve":
        inside, ready, arguments = load("serving").serve(load, *arguments[1:])  # type: ignore[attr-defined]
    inside("session").main(inside, SHOWN, ready, *arguments)  # type: ignore[attr-defined]
