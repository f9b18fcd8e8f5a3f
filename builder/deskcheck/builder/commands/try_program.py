"""`builder try`: one program and its inputs, a verdict in about a second."""

from __future__ import annotations

import json
from pathlib import Path

import click

from deskcheck.builder.admission import judge
from deskcheck.builder.cases import ARMS, Admitted, Finding, Verdict, verdict_to_json
from deskcheck.builder.languages import tools
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.errors import DeskcheckError
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.python import find_interpreter
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.folder_layout import LANGUAGES
from deskcheck.sources.pools import Candidate, Input, Provenance

LARGEST = 32 * 1024**2
SHOWN = 300
"""Characters of an answer that are shown."""


@click.command(name="try")
@click.argument("program", type=click.Path(path_type=Path))
@click.option(
    "--input",
    "inputs",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A file with one standard input; give at least two.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the iteration chosen.")
@click.option("--python", "python", metavar="EXE", help="The interpreter to measure with.")
@click.option("--cxx", metavar="EXE", help="The compiler for C++ programs.")
@click.option(
    "--allow-unisolated",
    is_flag=True,
    help="Run the program even where this machine cannot shut it off.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
def try_program(
    program: Path,
    inputs: tuple[Path, ...],
    seed: int,
    python: str | None,
    cxx: str | None,
    allow_unisolated: bool,
    as_json: bool,
) -> None:
    """Judge the one PROGRAM with inputs of yours and say at once what becomes of it.

    Ends with 0 when it is admitted and with 4 when it is not.
    """
    if len(inputs) < 2:
        raise click.UsageError("give at least two inputs, each as --input FILE")
    language = LANGUAGES.get(program.suffix, "python")
    candidate = Candidate(
        id=f"try/{program.stem}",
        pool="try",
        study=f"try-{language}",
        program=Program(language=language, source=_read(program)),
        provenance=Provenance(licence="unstated", author="unstated", origin=program.stem),
        inputs=tuple(Input(name=str(path), data=_read(path)) for path in _distinct(inputs)),
    )
    parameters = Parameters(seed=seed)
    with Sandbox(allow_unisolated=allow_unisolated) as sandbox:
        known = tools.languages(
            sandbox,
            parameters.limits(),
            find_interpreter(python),
            tools.compiler_for({language}, cxx),
        )
        verdict = judge(candidate, known, parameters)
    click.echo(json.dumps(verdict_to_json(verdict)) if as_json else _told(verdict))
    if not isinstance(verdict, Admitted):
        click.get_current_context().exit(4)


def _distinct(inputs: tuple[Path, ...]) -> list[Path]:
    """The files, of which no two may have the same bytes."""
    first: dict[bytes, Path] = {}
    for path in inputs:
        other = first.setdefault(_read(path), path)
        if other is not path:
            raise click.UsageError(f"{other} and {path} are the same input")
    return list(inputs)


def _read(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise DeskcheckError(f"{path} is no file", "name a file")
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise DeskcheckError(f"{path} is larger than {LARGEST} bytes", "name a smaller file")
        return data
    except OSError as error:
        raise DeskcheckError(f"cannot read {path}: {error.strerror}", "name a file") from error


def _told(verdict: Verdict) -> str:
    if not isinstance(verdict, Admitted):
        return "\n".join(["rejected", *map(_line, verdict.findings)])
    case = verdict.case
    unit = "opcodes" if case.language == "python" else "region counts"
    lines = [
        f"admitted: the {case.loop_kind} loop of line {case.loop_line}, stopped before iteration "
        f"{case.iteration} of {case.iterations} (visit {case.inside_visit} of its body) and right "
        "after its end",
        f"inputs: {case.short_input} (short, {case.short_iterations} iterations), "
        f"{case.long_input} (long, {case.long_iterations})",
    ]
    for arm, answer, measures in zip(ARMS, verdict.answers, verdict.measures, strict=True):
        text = answer.text.rstrip("\n")
        cut = text if len(text) <= SHOWN else text[:SHOWN] + " …"
        lines.append(f"\n{arm} ({measures.trace_length} {unit})\n{cut}")
    if verdict.passed_over:
        lines += ["\npassed over:", *map(_line, verdict.passed_over)]
    return "\n".join(lines)


def _line(finding: Finding) -> str:
    where = f" (line {finding.loop_line})" if finding.loop_line else ""
    return f"  {finding.check}: {finding.reason}{where}: {finding.detail}"
