"""`builder errors`: the kinds of wrong answers, proved by machine and judged by people."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from deskcheck.analysis.commands.options import dataset_option, runs_argument
from deskcheck.builder.commands.engine_option import engine_of, engine_options
from deskcheck.oracles.errors import RunError

if TYPE_CHECKING:
    from deskcheck.analysis.errors.kappa import Agreed
    from deskcheck.analysis.errors.kinds import Kind
    from deskcheck.analysis.errors.wrong import Error


@click.command()
@runs_argument
@dataset_option
@click.option(
    "--observe",
    is_flag=True,
    help="Run the dataset's programs and keep their states at other iterations beside each RUN.",
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="All wrong answers, as a CSV file."
)
@click.option(
    "--annotate",
    type=click.Path(path_type=Path),
    help="A sample for annotators, as a CSV file whose last column is to be filled in.",
)
@click.option(
    "--sample",
    "size",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Wrong answers in that sample.",
)
@click.option(
    "--seed", default=0, show_default=True, help="Of the sample, and of kappa's interval."
)
@click.option(
    "--agreement",
    nargs=2,
    type=click.Path(path_type=Path),
    metavar="A B",
    help="Compare two filled-in files with each other and with the automatic kinds.",
)
@click.option("--python", "python", metavar="EXE", help="The interpreter to observe with.")
@click.option("--cxx", metavar="EXE", help="The compiler for C++ programs.")
@engine_options
@click.option(
    "--allow-unisolated",
    is_flag=True,
    help="Run programs even where this machine cannot shut them off.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
def errors(
    run: tuple[Path, ...],
    dataset: Path | None,
    observe: bool,
    output: Path | None,
    annotate: Path | None,
    size: int,
    seed: int,
    agreement: tuple[Path, Path] | None,
    python: str | None,
    cxx: str | None,
    engine: str,
    workers: int | None,
    allow_unisolated: bool,
    as_json: bool,
) -> None:
    """Say of what kind the wrong answers of graded RUNs are, as far as it can be proved.

    With --observe, programs are run again once, so that a state of another iteration is known for
    what it is; builder report then uses that too.
    """
    from deskcheck.analysis.commands.report import dataset_of
    from deskcheck.analysis.errors.annotation import annotation_csv, read_annotations, sample
    from deskcheck.analysis.errors.moments import moments_of, write_moments
    from deskcheck.analysis.errors.wrong import errors_of
    from deskcheck.analysis.results import Options, gather
    from deskcheck.analysis.runs import read_run, require_comparable
    from deskcheck.builder.dataset import read_answers, read_dataset

    judged = [read_annotations(path) for path in agreement or ()]
    runs = [read_run(folder) for folder in run]
    require_comparable(runs)
    folder = dataset_of(runs[0], dataset)
    content, answers = read_dataset(folder), read_answers(folder)
    if observe:
        from deskcheck.analysis.errors.observing import observe as observed
        from deskcheck.oracles.runtimes.python import find_interpreter

        moments = observed(
            content,
            answers,
            find_interpreter(python),
            engine_of(engine, workers),
            cxx=cxx,
            allow_unisolated=allow_unisolated,
        )
        for each in runs:
            write_moments(each.folder, moments)
    found = errors_of(gather(runs, Options(), content, answers, moments_of(runs)))
    if annotate is not None or agreement is not None:
        _require_distinct(found)
    if output is not None:
        _write(output, _all_csv(found))
    if annotate is not None:
        of_models = [error for error in found if not error.cell.floor_setting]
        _write(annotate, annotation_csv(sample(of_models, size, seed), content, answers))
    if agreement is not None:
        _say_agreement(found, judged[0], judged[1], agreement, seed, as_json)
    elif as_json:
        click.echo(json.dumps(_facts(found)))
    else:
        click.echo("\n".join(_lines(found)))


def _require_distinct(found: Sequence[Error]) -> None:
    """RunError where replies cannot be told apart by their ids: runs of one plan share them."""
    settings: dict[str, str] = {}
    for error in found:
        other = settings.setdefault(error.id, error.setting)
        if other != error.setting:
            raise RunError(
                f"{other} and {error.setting} are one setting of one plan, run twice: their "
                "replies cannot be told apart in a sheet",
                "annotate such runs one by one",
            )


def _write(path: Path, text: str) -> None:
    """Write a new file: one that is there may hold an annotator's work."""
    try:
        with path.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
    except FileExistsError:
        raise RunError(f"{path} exists", "remove it, or name another file") from None
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}") from error
    click.echo(f"written: {path}", err=True)


def _all_csv(found: Sequence[Error]) -> str:
    from deskcheck.analysis.report.values import csv_value

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = ("setting", "arm", "candidate", "status", "kind", "sub_kind", "evidence", "answer")
    writer.writerow(("id", *names))
    for error in found:
        cell, kind = error.cell, error.found
        row = (error.setting, cell.arm, cell.candidate, cell.status)
        told = (kind.kind, kind.sub_kind, kind.evidence, cell.answer)
        writer.writerow([error.id, *(csv_value(each) for each in (*row, *told))])
    return out.getvalue()


def _counts(found: Sequence[Error]) -> dict[str, Counter[str]]:
    from deskcheck.analysis.errors.kinds import KINDS

    counts: dict[str, Counter[str]] = {}
    for error in found:
        of_setting = counts.setdefault(error.setting, Counter(dict.fromkeys(KINDS, 0)))
        of_setting[error.found.kind] += 1
    return counts


def _facts(found: Sequence[Error]) -> dict[str, Any]:
    return {
        "wrong": len(found),
        "settings": {name: dict(counts) for name, counts in _counts(found).items()},
        "sub_kinds": dict(
            sorted(Counter(f"{e.found.kind}/{e.found.sub_kind}" for e in found).items())
        ),
    }


def _lines(found: Sequence[Error]) -> list[str]:
    from deskcheck.analysis.texts import harmless

    lines = [f"{len(found)} replies that are not right"]
    for name, counts in _counts(found).items():
        shares = ", ".join(f"{kind} {count}" for kind, count in counts.items() if count)
        lines.append(f"{harmless(name)}: {shares}")
    return lines


def _say_agreement(
    found: Sequence[Error],
    first: Mapping[str, Kind],
    second: Mapping[str, Kind],
    paths: tuple[Path, Path],
    seed: int,
    as_json: bool,
) -> None:
    from deskcheck.analysis.errors.kappa import agreed

    automatic: dict[str, Kind] = {error.id: error.found.kind for error in found}
    for path, kinds in zip(paths, (first, second), strict=True):
        strange = next((each for each in kinds if each not in automatic), None)
        if strange is not None:
            raise RunError(
                f"{path}: {strange[:40]} is no wrong answer of these runs",
                "name the runs that the sample was taken from",
            )
    if first.keys() != second.keys():
        alone = sorted(first.keys() ^ second.keys())
        raise RunError(
            f"{len(alone)} answers stand in only one of {paths[0]} and {paths[1]}, "
            f"such as {alone[0]}",
            "both must judge the same sample",
        )
    clusters = {error.id: error.cell.origin for error in found}
    compared = {
        "annotators": agreed(first, second, clusters, seed),
        "first and automatic": agreed(first, automatic, clusters, seed),
        "second and automatic": agreed(second, automatic, clusters, seed),
    }
    if as_json:
        click.echo(json.dumps({name: _agreement(each) for name, each in compared.items()}))
        return
    for name, each in compared.items():
        click.echo(f"{name}: {_sentence(each)}")
    click.echo("\n".join(_table(compared["annotators"])))


def _agreement(each: Agreed) -> dict[str, Any]:
    from dataclasses import asdict

    from deskcheck.analysis.errors.kinds import KINDS

    return {**asdict(each), "kinds": KINDS}


def _sentence(each: Agreed) -> str:
    kappa = each.kappa
    same = f"{each.same} of {kappa.n} alike"
    if kappa.value is None:
        return f"{same}, no kappa: {kappa.note}"
    if kappa.low is None or kappa.high is None:
        return f"{same}, kappa {kappa.value:.2f} ({kappa.note})"
    return f"{same}, kappa {kappa.value:.2f} ({kappa.low:.2f} to {kappa.high:.2f})"


def _table(each: Agreed) -> list[str]:
    """The confusion of the two annotators: the first in rows, the second in columns."""
    from deskcheck.analysis.errors.kinds import KINDS

    lines = ["", "first \\ second".ljust(14) + "".join(kind[:12].rjust(14) for kind in KINDS)]
    for kind, row in zip(KINDS, each.table, strict=True):
        lines.append(kind.ljust(14) + "".join(str(count).rjust(14) for count in row))
    return lines
