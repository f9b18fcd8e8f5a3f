"""The pool of functions with one known call each, in the layout of CRUXEval."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from deskcheck.oracles.errors import PoolError, SandboxError
from deskcheck.oracles.identity import Draws, canonical_json
from deskcheck.oracles.programs import Program
from deskcheck.sources.functions_arguments import (
    INPUT_LIMIT,
    Arguments,
    Evaluator,
    NoArguments,
    read_call,
    write_arguments,
)
from deskcheck.sources.functions_driver import NotDriven, drive
from deskcheck.sources.functions_rows import Row, find_file, read_rows
from deskcheck.sources.functions_scaling import derive
from deskcheck.sources.json_rows import BrokenRow
from deskcheck.sources.pools import Candidate, Input, PoolInfo, PoolOptions, Provenance, Unusable

POOL, STUDY = "functions", "functions-python"
LONGEST, LEAST, MOST = 32, 16, 400
"""Elements of the long derived inputs: by default, at least and at most."""

OPTIONS = {
    "licence": "licence of the functions, as an SPDX identifier",
    "author": "author of the functions",
    "url": "where the functions come from",
    "longest": f"elements of the long derived inputs, {LEAST} to {MOST} ({LONGEST})",
    "evaluate": "yes or no: work out arguments that are no literals, in the sandbox (yes)",
}
_DESCRIPTION = """\
Every function of a .jsonl or .parquet file, or of a folder that holds one, in the
layout of CRUXEval: a row has id, code (which defines a function f), input (the
arguments of one call) and output (what that call is said to return).
The program of a row is its code as it is, and a call of the function with the
literals that stand on standard input, one per line. The given call is one input;
longer and shorter ones are derived from it, and are legal if they run clean."""

# Of `_survey`, over CRUXEval's 800 rows at that revision.
_CRUXEVAL = "68650714ba7a6bf2fa2ada8848e0636680b2b0b1c1146d261a403bbfb9e9885f"
_PUBLISHED: Mapping[str, Mapping[str, str]] = {
    _CRUXEVAL: {
        "licence": "MIT",
        "author": "Meta (CRUXEval, Gu et al. 2024)",
        "url": "https://github.com/facebookresearch/cruxeval/tree/190faf16",
    }
}
"""What is known of published rows, whose licence need not be stated again."""

_ODD = re.compile(r"[^A-Za-z0-9._+-]")


class FunctionsPool:
    """Functions and one call of each, from a file that somebody else made."""

    def info(self) -> PoolInfo:
        return PoolInfo(
            name=POOL,
            title="Functions with a known call, in CRUXEval's layout",
            description=_DESCRIPTION,
            options=OPTIONS,
        )

    def candidates(self, options: PoolOptions) -> Iterator[Candidate | Unusable]:
        given = options.options
        for option in given:
            if option not in OPTIONS:
                known = ", ".join(OPTIONS)
                raise PoolError(f"pool 'functions' has no option {option!r}", f"known: {known}")
        evaluates = _yes(given.get("evaluate", "yes"))
        longest = _longest(given.get("longest", str(LONGEST)))
        path = find_file(options.data)
        stated = {"licence": "unstated", "author": "unstated", "url": ""}
        stated |= _PUBLISHED.get(_survey(path), {})
        stated |= {key: given[key] for key in stated if given.get(key, "").strip()}
        maker = _Maker(
            seed=options.seed, longest=longest, evaluates=evaluates, file=path.name, stated=stated
        )
        return _each(path, maker)


def _each(path: Path, maker: _Maker) -> Iterator[Candidate | Unusable]:
    """One candidate, or what is wrong, for each row; ids are the rows' own, where they have one."""
    places: dict[str, str] = {}
    with Evaluator() as evaluator:
        for row in read_rows(path):
            at = row.place.replace(" ", "-")
            if isinstance(row, BrokenRow):
                yield maker.unusable(f"~{at}", row, row)
            elif row.id in places:
                detail = f"its id {row.id} is that of {places[row.id]}"
                again = BrokenRow(place=row.place, check="duplicate_id", detail=detail)
                yield maker.unusable(f"{_safe(row.id)}~{at}", row, again)
            else:
                places[row.id] = row.place
                yield maker.candidate(row, evaluator)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Maker:
    """Makes candidates of rows under the pool's options."""

    seed: int
    longest: int
    evaluates: bool
    file: str
    stated: Mapping[str, str]

    def candidate(self, row: Row, evaluator: Evaluator) -> Candidate | Unusable:
        name = _safe(row.id)
        driven = drive(row.code)
        if isinstance(driven, NotDriven):
            return self.unusable(name, row, driven)
        given = self._arguments(row, evaluator)
        if isinstance(given, NoArguments):
            return self.unusable(name, row, given)
        program = Program(language="python", source=driven.source.encode())
        inputs = self._inputs(program, driven.texts, given, row.output)
        if len(inputs) < 2:
            few = NoArguments(
                check="too_few_inputs",
                detail="no other input can be derived: it has no argument that can be longer, "
                "shorter, larger or smaller",
            )
            return self.unusable(name, row, few)
        return Candidate(
            id=f"{POOL}/{name}",
            pool=POOL,
            study=STUDY,
            program=program,
            provenance=Provenance(
                licence=self.stated["licence"],
                author=self.stated["author"],
                origin=f"{POOL}/{name}",
                url=self.stated["url"],
            ),
            inputs=inputs,
            final_rule="lines",  # blanks count inside the text that a function returns
            tags={"arguments": ", ".join(type(value).__name__ for value in given)},
        )

    def unusable(
        self, name: str, row: Row | BrokenRow, why: BrokenRow | NotDriven | NoArguments
    ) -> Unusable:
        return Unusable(
            id=f"{POOL}/{name}",
            pool=POOL,
            study=STUDY,
            check=why.check,
            detail=" ".join(f"{row.place} of {self.file}: {why.detail}".split()),
        )

    def _arguments(self, row: Row, evaluator: Evaluator) -> Arguments | NoArguments:
        read = read_call(row.input)
        if not isinstance(read, ast.Tuple):
            return read
        if not self.evaluates:
            detail = f"the arguments {ast.unparse(read)} are no literals"
            return NoArguments(check="argument_not_literal", detail=detail)
        try:
            return evaluator.values(row.code, read)
        except SandboxError as error:
            raise PoolError(
                f"{row.place} of {self.file} has arguments to work out: {error.what}",
                "set the option evaluate=no to leave such rows out",
            ) from error

    def _inputs(
        self, program: Program, texts: Sequence[str], given: Arguments, output: str | None
    ) -> tuple[Input, ...]:
        """The given input, which has the listed output, and the distinct ones derived from it."""
        first = write_arguments(given)
        listed = None if output is None else f"{output}\n".encode()
        inputs = {first: Input(name="given", data=first.encode(), listed_output=listed)}

        def draws(name: str) -> Draws:  # by content, so that a row's name does not matter
            return Draws(POOL, self.seed, program.sha, first, name)

        for name, derived in derive(given, texts, self.longest, draws):
            text = write_arguments(derived)
            if text not in inputs and len(text) <= INPUT_LIMIT:
                inputs[text] = Input(name=name, data=text.encode())
        return tuple(inputs.values())


def _survey(path: Path) -> str:
    """64 hexadecimal digits that name the rows, however they are laid out.

    PoolError where there is no row that could be read.
    """
    rows, broken = 0, None
    digest = sha256()
    for row in read_rows(path):
        if isinstance(row, BrokenRow):
            broken = broken or row
            digest.update(row.place.encode())
            continue
        rows += 1
        digest.update(canonical_json([row.id, row.code, row.input, row.output]) + b"\n")
    if rows:
        return digest.hexdigest()
    if broken is None:
        raise PoolError(f"{path} holds no rows", "name another file with --data")
    raise PoolError(
        f"{path} is not in the layout of CRUXEval; {broken.place}: {broken.detail}",
        "each row has id, code, input and output",
    )


def _safe(identity: str) -> str:
    """The row's id as the end of a candidate's: one with odd characters gets a hash added."""
    safe = _ODD.sub("_", identity)
    if safe == identity and set(safe) != {"."}:
        return safe
    return f"{safe}~{sha256(identity.encode()).hexdigest()[:8]}"


def _yes(text: str) -> bool:
    if text not in ("yes", "no"):
        raise PoolError(f"option evaluate={text!r} is neither yes nor no")
    return text == "yes"


def _longest(text: str) -> int:
    if not (text.isascii() and text.isdigit() and LEAST <= int(text[:9]) <= MOST):
        raise PoolError(
            f"option longest={text!r} is not a length", f"give a number from {LEAST} to {MOST}"
        )
    return int(text)
