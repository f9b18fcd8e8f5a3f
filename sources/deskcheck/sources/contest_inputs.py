"""Which inputs a contest program gets: those added by the user first, then listed tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from deskcheck.oracles.errors import PoolError, SandboxError
from deskcheck.oracles.identity import Draws
from deskcheck.oracles.outcomes import Limits
from deskcheck.oracles.runtimes.python import FLAGS, find_interpreter, variation
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.contest_problems import Fault, ListedTest, safe
from deskcheck.sources.contest_rows import listed
from deskcheck.sources.folder_layout import INPUTS, OUTPUTS
from deskcheck.sources.folder_names import shown
from deskcheck.sources.pools import Input

MOST = 12
"""Inputs of one program: as many as the builder tries."""
LONGEST = 64_000
"""Characters of a listed test that is used: the builder takes no longer ones."""
FILE_LIMIT = 32 * 1024**2
GENERATOR = "generator.py"
REPEATS = 2
"""Times that each input is generated, each under a hash seed of its own."""
_LIMITS = Limits(cpu_s=10.0, wall_s=20.0, memory=1024**3, output=4 * 1024**2)


class AddedInputs:
    """Inputs that lie in `<folder>/<problem>/`, or that a generator there writes.

    Generators run in the sandbox, which is started when the first one is needed.
    """

    def __init__(self, folder: Path | None, pool: str, seed: int, generated: int) -> None:
        self._folder = folder
        self._pool = pool
        self._seed = seed
        self._generated = generated
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

    def of(self, problem: str) -> Sequence[Input] | Fault:
        """Files in natural order, then what the generator writes.

        PoolError where a file cannot be read, or the sandbox cannot run here.
        """
        if self._folder is None or "/" in problem or not problem.strip("."):
            return ()
        names = dict.fromkeys((problem, safe(problem)))
        folder = next(
            (self._folder / name for name in names if _is_folder(self._folder / name)), None
        )
        if folder is None:
            return ()
        found: list[Input] = []
        for path in listed(folder):
            if path.suffix in INPUTS and path.is_file() and not path.name.startswith((".", "_")):
                read = _file(path)
                if isinstance(read, Fault):
                    return read
                found.append(read)
        generator = folder / GENERATOR
        if generator.is_file():
            made = self._from_generator(problem, _read(generator))
            if isinstance(made, Fault):
                return made
            found += made
        return found

    def _from_generator(self, problem: str, source: bytes) -> Sequence[Input] | Fault:
        made: list[Input] = []
        for number in range(1, self._generated + 1):
            draws = Draws(self._pool, "generator", self._seed, problem, number)
            asked = f"{number} {draws.integer(0, 2**31 - 1)}\n".encode()
            texts = {self._run(source, asked, repeat) for repeat in range(REPEATS)}
            faults = sorted(text for text in texts if isinstance(text, str))
            if faults:
                detail = f"{GENERATOR} on {asked.decode().strip()!r}: {faults[0]}"
                return Fault(check="generator_fails", detail=detail)
            if len(texts) > 1:
                detail = f"{GENERATOR} on {asked.decode().strip()!r} depends on the hash seed"
                return Fault(check="generator_varies", detail=detail)
            made += [
                Input(name=f"generator-{number}", data=text)
                for text in texts
                if isinstance(text, bytes)
            ]
        return made

    def _run(self, source: bytes, asked: bytes, repeat: int) -> bytes | str:
        """What the generator writes, or why that is nothing."""
        try:
            self._sandbox = self._sandbox or Sandbox()
        except SandboxError as error:
            hint = f"take {GENERATOR} away and put its inputs there as files"
            raise PoolError(f"a generator cannot be run: {error.what}", hint) from error
        outcome = self._sandbox.run(
            [find_interpreter().executable, *FLAGS, GENERATOR],
            stdin=asked,
            files={GENERATOR: source},
            env=variation(repeat).env(),
            limits=_LIMITS,
        )
        if not outcome.clean:
            said = outcome.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            # The error's name alone: its text may hold an address, which is another one each time.
            return said[0].split(":")[0][:80] if said else str(outcome.ending)
        return outcome.stdout if outcome.stdout.strip() else "it writes nothing"


def choose(added: Sequence[Input], tests: Sequence[ListedTest]) -> tuple[Input, ...] | Fault:
    """At most `MOST` distinct inputs, each group in order of size; a reason where two are too many.

    Where there are more, those taken are spread over the sizes, smallest and largest included.
    """
    distinct: dict[bytes, Input] = {}
    for each in added:
        distinct.setdefault(each.data, each)
    mine = _spread(list(distinct.values()), MOST)
    seen = {each.data for each in mine}
    usable: list[Input] = []
    long = 0
    for test in tests:
        each = _listed(test)
        if len(test.input) > LONGEST:
            long += 1
        elif each.data not in seen:
            seen.add(each.data)
            usable.append(each)
    chosen = (*mine, *_spread(usable, MOST - len(mine)))
    if len(chosen) < 2:
        detail = (
            f"{len(chosen)} usable of {len(tests)} listed tests and {len(added)} added inputs, "
            f"where a case needs 2 that differ"
        )
        detail += f"; {long} have more than {LONGEST:,} characters" if long else ""
        return Fault(check="too_few_inputs", detail=detail)
    return chosen


def _listed(test: ListedTest) -> Input:
    """The test as an input: with the final line end that is often lost upstream."""
    text = test.input if test.input.endswith("\n") else test.input + "\n"
    output = None if test.output is None else test.output.encode("utf-8", "surrogatepass")
    return Input(name=test.name, data=text.encode("utf-8", "surrogatepass"), listed_output=output)


def _spread(inputs: list[Input], most: int) -> list[Input]:
    by_size = sorted(inputs, key=lambda each: len(each.data))  # stable: equal sizes keep order
    count = len(by_size)
    if count <= most:
        return by_size
    if most < 2:
        return by_size[:most]
    return [by_size[place * (count - 1) // (most - 1)] for place in range(most)]


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a name too long, a NUL character
        return False


def _file(path: Path) -> Input | Fault:
    data = _read(path)
    outputs = (path.with_suffix(suffix) for suffix in OUTPUTS)
    output = next((_read(each) for each in outputs if each.is_file()), None)
    if len(data) > FILE_LIMIT or (output is not None and len(output) > FILE_LIMIT):
        detail = f"added input {shown(path)} has more than {FILE_LIMIT:,} bytes"
        return Fault(check="too_large", detail=detail)
    return Input(name=shown(Path(path.name)), data=data, listed_output=output)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(FILE_LIMIT + 1)
    except OSError as error:
        what = f"{shown(path)} cannot be read: {error.strerror}"
        raise PoolError(what, "give yourself the right to read it") from error
