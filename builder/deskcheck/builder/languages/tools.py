"""What programs are measured with on this machine, and the languages that follow from it."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from deskcheck.oracles.outcomes import Limits
from deskcheck.oracles.runtimes.cpp.toolchain import Toolchain, find_toolchain
from deskcheck.oracles.runtimes.python import Interpreter, PythonRuntime
from deskcheck.oracles.sandbox import Sandbox

if TYPE_CHECKING:
    from deskcheck.builder.languages import Language, Languages


def compiler_for(languages: Collection[str], wanted: str | None = None) -> Toolchain | None:
    """The compiler asked for, or the one found here, where any program is in C++.

    Raises CompilerError where C++ cannot be measured here.
    """
    return find_toolchain(wanted) if "cpp" in languages else None


def facts(interpreter: Interpreter, compiler: Toolchain | None) -> dict[str, object]:
    """For a manifest; of the compiler only where there are programs for it."""
    return {
        **interpreter.facts(),
        "counters": interpreter.counters,
        **({"cpp": compiler.facts()} if compiler is not None else {}),
    }


def languages(
    sandbox: Sandbox, limits: Limits, interpreter: Interpreter, compiler: Toolchain | None = None
) -> Languages:
    """Python, and C++ where there is a compiler; parsers are loaded only now."""
    from deskcheck.builder.languages.python import PythonLanguage

    known: dict[str, Language] = {
        "python": PythonLanguage(PythonRuntime(sandbox, interpreter, limits))
    }
    if compiler is not None:
        from deskcheck.builder.languages.cpp import CppLanguage
        from deskcheck.oracles.runtimes.cpp.runtime import CppRuntime

        known["cpp"] = CppLanguage(CppRuntime(sandbox, compiler, limits))
    return known
