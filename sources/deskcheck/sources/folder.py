"""The pool of a user's own programs: a folder of sources with inputs beside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from deskcheck.oracles.equivalence import layout_sensitive
from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.programs import Program
from deskcheck.sources.folder_layout import list_folder
from deskcheck.sources.folder_names import shown
from deskcheck.sources.folder_plan import POOL, Content, Planned, PlannedInput, plan
from deskcheck.sources.pools import Candidate, Input, PoolInfo, PoolOptions, Unusable

SOURCE_LIMIT = 1024**2
INPUT_LIMIT = 32 * 1024**2
"""Bytes of one input, and of one listed output."""

_DESCRIPTION = """\
Every Python or C++ program below the folder given as data. For prog.py the inputs are
  prog.in, prog.*.in, prog.*.txt   beside it
  *.in, *.txt                      in prog/, prog.inputs/ or inputs/prog/ beside it
and an optional listed output has the input's name with .out or .ans at its end.
A TOML file describes one program instead: program (a path) or source, inputs,
licence, author, origin, url, study, language, final_rule, tags.
pool.toml at the top gives defaults: licence, author, study, origin.
Names that begin with a dot or an underscore are passed over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reason:
    """Why a program is left out."""

    check: str
    detail: str


class FolderPool:
    """Every program below one folder, with inputs found by name or listed in a TOML file."""

    def info(self) -> PoolInfo:
        return PoolInfo(
            name=POOL,
            title="A folder of your own programs",
            description=_DESCRIPTION,
        )

    def candidates(self, options: PoolOptions) -> Iterator[Candidate | Unusable]:
        for option in options.options:
            raise PoolError(f"pool 'folder' has no option {option!r}", "it takes none")
        planned = plan(list_folder(options.data))
        return (_judged(each) for each in planned)


def _judged(planned: Planned) -> Candidate | Unusable:
    source = _read(planned.source, SOURCE_LIMIT)
    reason = _source_fault(source)
    inputs: tuple[Input, ...] | _Reason = reason or _inputs(planned)
    if isinstance(inputs, _Reason):
        return Unusable(
            id=planned.id,
            pool=POOL,
            study=planned.study,
            check=inputs.check,
            detail=inputs.detail,
        )
    return Candidate(
        id=planned.id,
        pool=POOL,
        study=planned.study,
        program=Program(language=planned.language, source=source),
        provenance=planned.provenance,
        inputs=inputs,
        final_rule=planned.final_rule or ("lines" if _laid_out(inputs) else "tokens"),
        tags=planned.tags,
    )


def _source_fault(source: bytes) -> _Reason | None:
    if len(source) > SOURCE_LIMIT:
        return _too_large("the source", SOURCE_LIMIT)
    if not source.strip():
        return _Reason(check="empty_source", detail="the source is blank")
    return None


def _inputs(planned: Planned) -> tuple[Input, ...] | _Reason:
    """The distinct inputs, the first of equal ones kept; a reason where they make no case."""
    distinct: dict[bytes, Input] = {}
    for each in planned.inputs:
        read = _input(each)
        if isinstance(read, _Reason):
            return read
        distinct.setdefault(read.data, read)
    if len(distinct) < 2:
        count = f"{len(planned.inputs)} input{'s' * (len(planned.inputs) != 1)}"
        same = " with the same bytes" if len(planned.inputs) > 1 else ""
        detail = f"{count}{same}, where a case needs 2 that differ; {planned.looked_for}"
        return _Reason(check="too_few_inputs", detail=detail)
    return tuple(distinct.values())


def _input(planned: PlannedInput) -> Input | _Reason:
    data = _read(planned.data, INPUT_LIMIT)
    if len(data) > INPUT_LIMIT:
        return _too_large(f"input {planned.name}", INPUT_LIMIT)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        detail = f"input {planned.name}: byte {error.start} is not UTF-8"
        return _Reason(check="input_not_utf8", detail=detail)
    output = None if planned.listed_output is None else _read(planned.listed_output, INPUT_LIMIT)
    if output is not None and len(output) > INPUT_LIMIT:
        return _too_large(f"the listed output of input {planned.name}", INPUT_LIMIT)
    return Input(name=planned.name, data=data, listed_output=output)


def _read(content: Content, limit: int) -> bytes:
    """The bytes, of a larger file no more than show that it is larger."""
    if isinstance(content, bytes):
        return content
    try:
        with Path(content).open("rb") as file:
            return file.read(limit + 1)
    except OSError as error:
        what = f"{shown(PurePath(content))} cannot be read: {error.strerror}"
        raise PoolError(what, "leave the folder alone while it is read") from error


def _too_large(what: str, limit: int) -> _Reason:
    return _Reason(check="too_large", detail=f"{what} has more than {limit:,} bytes")


def _laid_out(inputs: tuple[Input, ...]) -> bool:
    """Whether a listed output says something by its spaces or empty lines."""
    outputs = [each.listed_output for each in inputs if each.listed_output is not None]
    return any(layout_sensitive(output.decode("utf-8", "replace")) for output in outputs)
