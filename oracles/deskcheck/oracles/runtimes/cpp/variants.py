"""The builds of one program: what each is for, and the flags that make it that."""

from __future__ import annotations

from dataclasses import dataclass

from deskcheck.oracles.runtimes.cpp.observer import WRAPPED
from deskcheck.oracles.runtimes.cpp.toolchain import Compiler, Toolchain

ALWAYS = ("-w", "-ffp-contract=off", "-fno-diagnostics-color")
"""Contracted products would round otherwise on machines that have the instruction."""

_CLANG = ("-ferror-limit=1", "-fno-caret-diagnostics")
_GNU = ("-fmax-errors=1", "-fno-diagnostics-show-caret")

STACK, COUNTED = "stack.cpp", "counted.cpp"
"""Sources of ours that are linked into some builds."""

SOURCE_FOLDER = "/program"
"""Where coverage mappings say that the source lies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One way to build a program."""

    name: str
    compiler: Compiler
    flags: tuple[str, ...]
    header_flags: tuple[str, ...] = ()
    """Those that a precompiled header must have been made with too."""
    link: tuple[str, ...] = ()
    support: tuple[str, ...] = ()

    def compile_flags(self, standard: str) -> tuple[str, ...]:
        own = _CLANG if self.compiler.kind == "clang" else _GNU
        return (f"-std={standard}", *ALWAYS, *own, *self.header_flags, *self.flags)


@dataclass(frozen=True, slots=True, kw_only=True)
class Variants:
    """All builds, by what they are for.

    Only `plain` has the stack that anybody has: frames of the others are larger, and a recursion
    that fits there must not overflow here.
    """

    plain: Variant
    """What the program prints."""
    filled: Variant
    """Its uninitialised variables hold a pattern."""
    zeroed: Variant
    """They hold zero; by the other compiler where there is one."""
    coverage: Variant
    sanitized: Variant
    observer: Variant


def variants(toolchain: Toolchain) -> Variants:
    """The builds with these tools."""
    main, clang = toolchain.main, toolchain.clang
    position_free = ("-fPIE",)
    return Variants(
        plain=Variant(
            name="plain",
            compiler=main,
            flags=("-O2",),
            header_flags=position_free,
            link=("-pie",),
        ),
        filled=Variant(
            name="filled",
            compiler=main,
            flags=("-O1",),
            header_flags=(*position_free, *_initialising(main, "pattern")),
            link=("-pie",),
            support=(STACK,),
        ),
        zeroed=Variant(
            name="zeroed",
            compiler=toolchain.other or main,
            flags=("-O1",),
            header_flags=(*position_free, *_initialising(toolchain.other or main, "zero")),
            link=("-pie",),
            support=(STACK,),
        ),
        coverage=Variant(
            name="coverage",
            compiler=clang,
            flags=(
                *("-O1", "-fprofile-instr-generate", "-fcoverage-mapping"),
                f"-fcoverage-compilation-dir={SOURCE_FOLDER}",
            ),
            header_flags=position_free,
            # At fixed addresses the profiles of equal runs are equal bytes.
            link=(
                *("-no-pie", "-fprofile-instr-generate"),
                *("-Wl,--wrap=_Exit", "-Wl,--wrap=_exit"),
            ),
            support=(STACK, COUNTED),
        ),
        sanitized=Variant(
            name="sanitized",
            compiler=clang,
            flags=("-O1", "-fno-omit-frame-pointer"),
            header_flags=(
                *position_free,
                *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
                *("-D_GLIBCXX_ASSERTIONS", "-D_GLIBCXX_SANITIZE_VECTOR"),
            ),
            # Some kernels place what may lie anywhere where the sanitizer keeps its heap.
            link=("-no-pie", "-fsanitize=address,undefined"),
            support=(STACK,),
        ),
        observer=Variant(
            name="observer",
            compiler=clang,
            flags=("-O1",),
            header_flags=position_free,
            link=("-pie", *WRAPPED),
            support=(STACK,),
        ),
    )


def _initialising(compiler: Compiler, how: str) -> tuple[str, ...]:
    flags = [f"-ftrivial-auto-var-init={how}"]
    if compiler.kind == "clang" and how == "zero" and int(compiler.major) < 16:
        flags.append("-enable-trivial-auto-var-init-zero-knowing-it-will-be-removed-from-clang")
    return tuple(flags)
