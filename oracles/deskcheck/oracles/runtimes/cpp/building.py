"""From a source to a program: every compiler run in the sandbox, and what was built kept."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from deskcheck.oracles.identity import content_id
from deskcheck.oracles.outcomes import Ending, Limits, Outcome
from deskcheck.oracles.runtimes.cpp.driving import (
    EXPANDED,
    OBJECT,
    SOURCE,
    Step,
    compiling,
    linking,
)
from deskcheck.oracles.runtimes.cpp.headers import Precompiled, begins_with_header, precompiled
from deskcheck.oracles.runtimes.cpp.stored import BuildStore
from deskcheck.oracles.runtimes.cpp.toolchain import STANDARDS, Compiler, Toolchain
from deskcheck.oracles.runtimes.cpp.variants import Variant, variants
from deskcheck.oracles.runtimes.python import Runner

LIMITS = Limits(
    cpu_s=60, wall_s=180, memory=4 * 1024**3, output=256 * 1024**2, open_files=256, processes=32
)
"""Of one process of a build."""

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
_FORMAT = 1
"""Goes into every key; to be raised when builds are made otherwise from the same inputs."""

_PROGRAMS_HELD, _HEADERS_HELD = 64 * 1024**2, 256 * 1024**2
_MOST_FAILURES = 1000

_FOLDERS = re.compile(r"(?<![\w.])/[^\s:'\"]*/")
_ERROR = re.compile(r"(?:^|[\s:])(?:fatal )?error: |undefined reference|multiple definition")


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A program that can be run; `key` names all that it was made from."""

    binary: bytes
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unbuilt:
    """A source that does not compile, and the first thing that the compiler says of it."""

    reason: str
    passing: bool = False
    """Another time it might."""


class Builder:
    """Builds programs with one toolchain under one sandbox."""

    def __init__(self, sandbox: Runner, toolchain: Toolchain, store: BuildStore | None) -> None:
        self.variants = variants(toolchain)
        self._sandbox = sandbox
        self._toolchain = toolchain
        self._store = store
        self._recent = _Recent(_PROGRAMS_HELD)
        self._headers = _Recent(_HEADERS_HELD)
        self._failed: OrderedDict[str, Unbuilt] = OrderedDict()

    def standard(self, source: bytes) -> str:
        """The standard that a source is of: the first under which it compiles, or the first."""
        for standard in STANDARDS:
            if isinstance(self.build(source, self.variants.plain, standard), Built):
                return standard
        return STANDARDS[0]

    def build(
        self,
        source: bytes,
        variant: Variant,
        standard: str | None = None,
        *,
        begun_as: bytes | None = None,
    ) -> Built | Unbuilt:
        """The program made of `source`, of `standard` or else of its own.

        Where the source was made from another program, `begun_as` is that one: it decides
        whether a precompiled header is the same.
        """
        standard = standard or self.standard(source)
        key = self._key(variant, standard, source)
        if key in self._failed:
            return self._failed[key]
        binary = self._kept(key)
        if binary is None:
            made = self._made(source, variant, standard, begun_as or source)
            if isinstance(made, Unbuilt):
                if made.passing:
                    return made
                self._failed[key] = made
                if len(self._failed) > _MOST_FAILURES:
                    self._failed.popitem(last=False)
                return made
            binary = made
            self._keep(key, binary)
        return Built(binary=binary, key=key)

    def preprocessed(
        self, source: bytes, variant: Variant, standard: str, flags: tuple[str, ...]
    ) -> bytes | Unbuilt:
        """What the compiler of `variant` reads, as it writes it under `flags`."""
        words = (variant.compiler.path, *variant.compile_flags(standard), *flags)
        step = Step(argv=(*words, SOURCE, "-o", EXPANDED), makes=EXPANDED)
        return self._done([step], {SOURCE: source})

    def _made(
        self, source: bytes, variant: Variant, standard: str, begun_as: bytes
    ) -> bytes | Unbuilt:
        made = self._object(source, variant, standard, begun_as)
        if isinstance(made, Unbuilt):
            return made
        objects = {OBJECT: made}
        for name in variant.support:
            objects[f"{name}.o"] = self._support(name)
        step = linking(variant.compiler, self._toolchain.linker, variant.link, tuple(objects))
        return self._done([step], objects)

    def _object(
        self, source: bytes, variant: Variant, standard: str, begun_as: bytes
    ) -> bytes | Unbuilt:
        flags = variant.compile_flags(standard)
        files = {SOURCE: source}
        if begins_with_header(begun_as):
            header = precompiled(variant, standard, self._toolchain.includes)
            if header is not None and (data := self._header(header)) is not None:
                quick = compiling(variant.compiler, (*flags, *header.flags))
                made = self._done(quick, {**files, header.file: data})
                if isinstance(made, bytes):
                    return made
        return self._done(compiling(variant.compiler, flags), files)

    def _header(self, header: Precompiled) -> bytes | None:
        """A header as a compiler reads it, None where it cannot be made."""
        key = self._key(header.variant, header.standard, header.identity)
        data = self._headers.get(key) or (self._store.get(key) if self._store else None)
        if data is None and key not in self._failed:
            made = self._done(header.steps, {})
            if isinstance(made, Unbuilt):
                self._failed[key] = made
                return None
            data = made
            # They are large, so that all processes read them from one file where that is possible.
            if self._store is None or not self._store.put(key, data):
                self._headers.put(key, data)
        return data

    def _support(self, name: str) -> bytes:
        """A source of ours, compiled; always by clang++, and never instrumented."""
        source = _own(name)
        variant = Variant(
            name=name, compiler=self._toolchain.clang, flags=("-O2",), header_flags=("-fPIE",)
        )
        key = self._key(variant, STANDARDS[0], source)
        made = self._kept(key)
        if made is None:
            built = self._done(
                compiling(variant.compiler, variant.compile_flags(STANDARDS[0])), {SOURCE: source}
            )
            if isinstance(built, Unbuilt):
                raise RuntimeError(f"{name} does not compile: {built.reason}")
            made = built
            self._keep(key, made)
        return made

    def _done(self, steps: Sequence[Step], files: Mapping[str, bytes]) -> bytes | Unbuilt:
        """What the last step makes."""
        made = b""
        have = dict(files)
        for step in steps:
            outcome = self._sandbox.run(
                step.argv,
                stdin=b"",
                files=have,
                collect=[step.makes],
                env=ENVIRONMENT,
                limits=LIMITS,
            )
            if not outcome.clean or step.makes not in outcome.collected:
                return Unbuilt(
                    reason=_reason(step, outcome), passing=outcome.ending is Ending.WALL_LIMIT
                )
            made = outcome.collected[step.makes]
            have = {step.makes: made}
        return made

    def _key(self, variant: Variant, standard: str, source: bytes) -> str:
        support = [sha256(_own(name)).hexdigest() for name in variant.support]
        return content_id(
            "build",
            {
                "format": _FORMAT,
                "compiler": _facts(variant.compiler),
                "support_compiler": _facts(self._toolchain.clang),
                "library": [self._toolchain.library, self._toolchain.libc],
                "flags": variant.compile_flags(standard),
                "link": variant.link,
                "support": support,
                "source": sha256(source).hexdigest(),
            },
        )

    def _kept(self, key: str) -> bytes | None:
        data = self._recent.get(key)
        if data is None and self._store is not None:
            data = self._store.get(key)
            if data is not None:
                self._recent.put(key, data)
        return data

    def _keep(self, key: str, data: bytes) -> None:
        self._recent.put(key, data)
        if self._store is not None:
            self._store.put(key, data)


class _Recent:
    """What was used last, up to so many bytes altogether."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._total = 0
        self._held: OrderedDict[str, bytes] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        if key in self._held:
            self._held.move_to_end(key)
        return self._held.get(key)

    def put(self, key: str, data: bytes) -> None:
        self._total += len(data) - len(self._held.pop(key, b""))
        self._held[key] = data
        while self._total > self._most:
            _, dropped = self._held.popitem(last=False)
            self._total -= len(dropped)


@cache
def _own(name: str) -> bytes:
    return (Path(__file__).parent / name).read_bytes()


def _facts(compiler: Compiler) -> list[str]:
    # With its path: two builds of one version may be set up otherwise.
    return [compiler.kind, compiler.version, compiler.path]


def _reason(step: Step, outcome: Outcome) -> str:
    """Why a step of a build failed, in one line."""
    if outcome.ending is not Ending.EXITED:
        tool = Path(step.argv[0]).name
        ending = f"signal {outcome.signal}" if outcome.signal else outcome.ending.replace("_", " ")
        return f"{tool} ended by {ending}"
    lines = outcome.stderr.decode("utf-8", "replace").splitlines()
    telling = [line.strip() for line in lines if _ERROR.search(line)] or lines[-1:]
    # Where the system's headers lie is nothing of the program's.
    return _FOLDERS.sub("", telling[0]) if telling else f"exit status {outcome.exit_code}"
