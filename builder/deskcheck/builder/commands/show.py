"""`builder show`: a case of a dataset, its four arms side by side."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from deskcheck.builder.cases import ARMS, Answer, Arm, Case, Measures, Task
from deskcheck.builder.listing import inserted_lines, numbered, shortened, visible
from deskcheck.oracles.errors import DatasetError

if TYPE_CHECKING:
    from rich.console import Console

    from deskcheck.builder.contents import Dataset

WIDE = 120
"""Columns of a terminal from which on two arms stand side by side."""

ID_SHOWN = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A case as it is shown; `answers` is empty where they are hidden."""

    case: Case
    tasks: Mapping[Arm, Task]
    measures: Mapping[Arm, Measures]
    answers: Mapping[str, Answer]

    def checkpoint_lines(self, arm: Arm) -> frozenset[int]:
        """Lines of the arm's source that are not the clean program's."""
        return inserted_lines(self.tasks["short-trace-final"].source, self.tasks[arm].source)


@click.command()
@click.argument("case")
@click.option(
    "-d",
    "--dataset",
    type=click.Path(path_type=Path),
    help="The dataset.  [default: the only one in ./datasets or ./quickstart]",
)
@click.option("--hide-answers", is_flag=True, help="Leave the expected answers out.")
@click.option(
    "--lines",
    type=click.IntRange(min=0),
    default=12,
    show_default=True,
    help="Lines of an input or answer that are shown; 0 shows all.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output, in full.")
def show(case: str, dataset: Path | None, hide_answers: bool, lines: int, as_json: bool) -> None:
    """Show CASE: a candidate such as textbook/dijkstra, a case's id, or the beginning of one."""
    from deskcheck.builder.dataset import locate, read_answers, read_dataset

    folder = locate(dataset)
    read = read_dataset(folder)
    found = find_case(read, case, folder)
    shown = Shown(
        case=found,
        tasks=read.tasks_of(found.id),
        measures=read.measures_of(found.id),
        answers={} if hide_answers else read_answers(folder),
    )
    if as_json:
        click.echo(json.dumps(_facts(shown)))
        return
    if sys.stdout.isatty():
        from rich.console import Console

        print_panels(shown, lines, Console(highlight=False))
        return
    click.echo("\n".join(plain(shown, lines)))


def find_case(dataset: Dataset, name: str, folder: Path) -> Case:
    """The one case that is meant; DatasetError with what comes close where there is not one."""
    for case in dataset.cases:
        if name in (case.candidate, case.id):
            return case
    fitting = [case for case in dataset.cases if name and case.id.startswith(name)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        names = ", ".join(f"{case.id[:ID_SHOWN]} ({case.candidate})" for case in fitting[:5])
        more = f" and {len(fitting) - 5} more" if len(fitting) > 5 else ""
        raise DatasetError(
            f"{len(fitting)} cases begin with {name!r}: {names}{more}", "give more of the id"
        )
    if any(rejected.candidate == name for rejected in dataset.rejections):
        raise DatasetError(
            f"{name} was rejected, so it has no case", f"see builder explain {name} -d {folder}"
        )
    from deskcheck.builder.dataset import close_names

    close = close_names(name, [case.candidate for case in dataset.cases])
    raise DatasetError(
        f"no case {name!r} in {folder}",
        f"did you mean {' or '.join(close)}?"
        if close
        else f"builder dataset stats {folder} --per-case lists them; -d names another dataset",
    )


def plain(shown: Shown, limit: int) -> Iterator[str]:
    """The case as lines of text, one arm under the other."""
    yield from _heading(shown)
    for arm in ARMS:
        yield ""
        yield f"=== {_title(shown, arm)} ==="
        for text, _ in _panel(shown, arm, limit):
            yield text


def print_panels(shown: Shown, limit: int, console: Console) -> None:
    """The case on a terminal: two arms by two where it is wide, else one under the other."""
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    console.print("\n".join(_heading(shown)), markup=False)
    panels = [
        Panel(
            Text("\n").join(
                Text(text, style="bold reverse" if marked else "")
                for text, marked in _panel(shown, arm, limit)
            ),
            title=Text(_title(shown, arm)),
            title_align="left",
        )
        for arm in ARMS
    ]
    columns = 2 if console.width >= WIDE else 1
    grid = Table.grid(expand=True)
    for _ in range(columns):
        grid.add_column(ratio=1, overflow="fold")  # else long answers are cut
    for start in range(0, len(panels), columns):
        grid.add_row(*panels[start : start + columns])
    console.print(grid)


def _heading(shown: Shown) -> Sequence[str]:
    case = shown.case
    flags = [name for name in ("printed_before", "post_contains_output") if getattr(case, name)]
    lines = [
        f"case {case.id}",
        f"{case.candidate} ({case.study}), {case.licence}, {case.author}, origin: {case.origin}",
        f"loop at line {case.loop_line} of the clean source ({case.loop_kind}, depth "
        f"{case.loop_depth}), before iteration {case.iteration} of {case.iterations}",
        f"flags: {', '.join(flags) or 'none'}",
    ]
    return [visible(line) for line in lines]


def _title(shown: Shown, arm: Arm) -> str:
    return f"{arm} {shown.tasks[arm].id[:ID_SHOWN]}"


def _panel(shown: Shown, arm: Arm, limit: int) -> Iterator[tuple[str, bool]]:
    """Lines of one arm, and whether each belongs to the checkpoint."""
    for text in _measures(shown, arm):
        yield text, False
    if arm == "long-trace-final":
        yield "source: that of short-trace-final, byte for byte", False
    else:
        marked = shown.checkpoint_lines(arm)
        yield f"source{', the checkpoint marked >' if marked else ''}:", False
        yield from numbered(shown.tasks[arm].source, marked)
    stdin = shown.tasks[arm].stdin
    if arm in ("inside-loop-state", "post-loop-state"):
        yield "input: that of long-trace-final", False
    else:
        name = shown.case.short_input if arm == "short-trace-final" else shown.case.long_input
        yield f"input {visible(name)} ({len(stdin):,} characters):", False
        for line in shortened(stdin, limit):
            yield f"  {line}", False
    for text in _answer(shown, shown.tasks[arm], limit):
        yield text, False


def _measures(shown: Shown, arm: Arm) -> Iterator[str]:
    measures, case = shown.measures[arm], shown.case
    exact = "" if measures.trace_exact else "about "
    up_to = ""
    if arm in ("inside-loop-state", "post-loop-state"):
        up_to = f" up to the checkpoint, {measures.whole_trace_length:,} in all"
    iterations = case.short_iterations if arm == "short-trace-final" else case.long_iterations
    yield f"trace length: {exact}{measures.trace_length:,}{up_to}"
    yield f"iterations of the loop in the whole run: {iterations:,}"
    if measures.peak_state is None or measures.state_load is None:
        yield "state: not measured, its budget was spent"
    else:
        yield f"state: peak {measures.peak_state:,}, load {measures.state_load:,}"


def _answer(shown: Shown, task: Task, limit: int) -> Iterator[str]:
    fields = ", ".join(f"{field.name} = {field.expression}" for field in task.fields)
    if fields:
        yield visible(f"fields: {fields}")
    floor = ", a guess may hit it" if task.floor else ""
    if not shown.answers:
        yield f"expected answer: hidden (rule {task.rule}{floor})"
        return
    yield f"expected answer (rule {task.rule}{floor}):"
    for line in shortened(shown.answers[task.id].text, limit):
        yield f"  {line}"


def _facts(shown: Shown) -> dict[str, Any]:
    arms = {}
    for arm in ARMS:
        task = shown.tasks[arm]
        facts = asdict(task)
        facts["checkpoint_lines"] = sorted(shown.checkpoint_lines(arm))
        facts["measures"] = asdict(shown.measures[arm])
        if shown.answers:
            facts["answer"] = shown.answers[task.id].text
        arms[arm] = facts
    return {"case": asdict(shown.case), "arms": arms}
