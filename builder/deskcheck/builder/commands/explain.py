"""`builder explain`: why a candidate was admitted or rejected."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from deskcheck.builder.cases import Admitted, Case, Finding, Rejected, Verdict
from deskcheck.builder.listing import source_lines, visible
from deskcheck.oracles.errors import DatasetError

QUOTED = "source_line"
"""Measured value in which a finding carries the text of its loop's line: the source of a rejected
program is in no dataset, and so cannot be looked up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """What there is to say of an admitted candidate."""

    candidate: str
    case: Case
    passed_over: Sequence[Finding]
    clean: str
    """The program's source."""


@click.command()
@click.argument("candidate")
@click.option(
    "-d",
    "--dataset",
    type=click.Path(path_type=Path),
    help="A dataset or an unfinished build.  [default: the only one in ./datasets or ./quickstart]",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
def explain(candidate: str, dataset: Path | None, as_json: bool) -> None:
    """Say why CANDIDATE was admitted or rejected, with what was measured."""
    found = _find(dataset, candidate)
    if as_json:
        click.echo(json.dumps(_facts(found)))
    else:
        click.echo("\n".join(map(visible, _lines(found))))


def _find(dataset: Path | None, candidate: str) -> Admission | Rejected:
    from deskcheck.builder.dataset import MANIFEST, locate, read_dataset
    from deskcheck.builder.journal import journal_path, read_journal

    folder = locate(dataset, unfinished=True)
    if not (folder / MANIFEST).is_file():
        verdicts = read_journal(journal_path(folder)).entries
        if candidate not in verdicts:
            raise _unknown(candidate, verdicts, f"judged so far in the unfinished {folder}")
        return _of_verdict(verdicts[candidate])
    read = read_dataset(folder)
    for rejected in read.rejections:
        if rejected.candidate == candidate:
            return rejected
    for case in read.cases:
        if case.candidate == candidate:
            return Admission(
                candidate=candidate,
                case=case,
                passed_over=read.passed_over.get(candidate, ()),
                clean=read.tasks_of(case.id)["short-trace-final"].source,
            )
    known = [*(case.candidate for case in read.cases), *(r.candidate for r in read.rejections)]
    raise _unknown(candidate, known, f"in {folder}")


def _of_verdict(verdict: Verdict) -> Admission | Rejected:
    if isinstance(verdict, Admitted):
        return Admission(
            candidate=verdict.candidate,
            case=verdict.case,
            passed_over=verdict.passed_over,
            clean=verdict.tasks[0].source,
        )
    return verdict


def _unknown(candidate: str, known: Iterable[str], where: str) -> DatasetError:
    from deskcheck.builder.dataset import close_names

    close = close_names(candidate, known)
    hint = (
        f"did you mean {' or '.join(close)}?"
        if close
        else "candidates are named POOL/NAME; -d names another dataset"
    )
    return DatasetError(f"no candidate {candidate!r} {where}", hint)


def _facts(found: Admission | Rejected) -> dict[str, Any]:
    if isinstance(found, Rejected):
        return {"admitted": False, **asdict(found)}
    return {
        "admitted": True,
        "candidate": found.candidate,
        "case": asdict(found.case),
        "loop_source": _quote(found.clean, found.case.loop_line),
        "passed_over": [
            {**asdict(finding), "source_line": _quote(found.clean, finding.loop_line)}
            for finding in found.passed_over
        ],
    }


def _lines(found: Admission | Rejected) -> Iterator[str]:
    if isinstance(found, Rejected):
        reason = found.findings[0]
        yield f"{found.candidate}: rejected, {reason.check}: {reason.reason}"
        for finding in found.findings:
            yield from _finding(finding, str(finding.measured.get(QUOTED, "")))
        return
    case = found.case
    yield f"{found.candidate}: admitted as case {case.id[:16]}"
    yield (
        f"  loop at line {case.loop_line} ({case.loop_kind}, depth {case.loop_depth}), stopped "
        f"before iteration {case.iteration} of {case.iterations} and after the loop"
    )
    yield f"    {_quote(found.clean, case.loop_line)}"
    yield (
        f"  runs {case.short_iterations} times on input {case.short_input}, "
        f"{case.long_iterations} times on {case.long_input}"
    )
    yield f"  asks for {', '.join(field.expression for field in case.fields)}"
    if found.passed_over:
        yield "passed over before it:"
    for finding in found.passed_over:
        yield from _finding(finding, _quote(found.clean, finding.loop_line))


def _finding(finding: Finding, quote: str) -> Iterator[str]:
    where = "" if finding.loop_line is None else f", loop at line {finding.loop_line}"
    yield f"  {finding.check}: {finding.reason}{where}"
    if quote:
        yield f"    {quote.strip()}"
    yield f"    {finding.detail}"
    measured = {name: value for name, value in finding.measured.items() if name != QUOTED}
    if measured:
        yield f"    measured: {', '.join(f'{name} {value}' for name, value in measured.items())}"


def _quote(source: str, line: int | None) -> str:
    """The source line, or nothing where there is no such line."""
    lines = source_lines(source)
    return lines[line - 1].strip() if line is not None and 0 < line <= len(lines) else ""
