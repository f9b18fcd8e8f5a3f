"""Nothing that a model is shown, or a task loader opens, gives an answer away: in every pool."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from deskcheck.builder.cases import Answer, Task
from deskcheck.builder.dataset import read_answers, read_dataset
from deskcheck.evaluate.prompts.rendering import Prompts, read_templates
from deskcheck.sources.registry import BUILT_IN

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("datasets of pools")]

FOLDERS = {
    "textbook": "textbook_folder",
    "functions": "functions_folder",
    "folder": "own_folder",
    "livecodebench": "livecodebench_folder",
    "codecontests": "codecontests_folder",
    "library": "library_folder",
    "network-simplex": "network_simplex_folder",
}
TELLING = 6
"""Characters from which on an answer does not stand somewhere by accident."""


@pytest.fixture(params=sorted(FOLDERS))
def folder(request: pytest.FixtureRequest) -> Path:
    """A dataset of each pool that there is."""
    found = request.getfixturevalue(FOLDERS[request.param])
    assert isinstance(found, Path)
    return found


def test_every_pool_is_looked_at() -> None:
    """A pool that comes to the table must come to these tests as well."""
    assert FOLDERS.keys() == BUILT_IN.keys()


def parts(answer: Answer, task: Task) -> Iterator[str]:
    """An answer, its lines, and of a state each field and each text in it."""
    yield answer.text.strip()
    yield from (line.strip() for line in answer.text.splitlines())
    if task.fields:
        state = json.loads(answer.text)
        for name, value in state.items():
            for separators in ((",", ":"), (", ", ": ")):
                yield json.dumps(value, ensure_ascii=False, separators=separators)
                yield json.dumps({name: value}, ensure_ascii=False, separators=separators)[1:-1]
        yield from texts(state)


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, str):
        yield value


def given_away(prompt: str, task: Task, answer: Answer) -> list[str]:
    """What of the answer stands in the prompt, though neither source nor input holds it."""
    return [
        part
        for part in parts(answer, task)
        if len(part) >= TELLING
        and part in prompt
        and part not in task.source
        and part not in task.stdin
    ]


def test_no_prompt_gives_an_answer_away(folder: Path) -> None:
    """No answer, line or field of it stands in its prompt, unless source or input holds it."""
    dataset, answers = read_dataset(folder), read_answers(folder)
    prompts = Prompts(read_templates(), dataset.manifest.answer_tag)
    for task in dataset.tasks:
        assert given_away(prompts.prompt(task).text, task, answers[task.id]) == [], task.id


def test_a_planted_answer_is_found(folder: Path, tmp_path: Path) -> None:
    """A prompt or a file that tells an answer, or a field of one, would not pass these tests."""
    dataset, answers = read_dataset(folder), read_answers(folder)
    secret = secrets(dataset.tasks, answers)
    found = 0
    for task in dataset.tasks:
        for part in parts(answers[task.id], task):
            if len(part) >= TELLING and part not in task.source + task.stdin:
                prompt = f"{task.source}{task.stdin}It is {part}."
                assert part in given_away(prompt, task, answers[task.id])
                found += 1
        if (text := answers[task.id].text.strip()) in secret:
            (tmp_path / "notes.md").write_text(f"It is {text}.\n", "utf-8")
            assert [*told(tmp_path, {text: task.id})] == [("notes.md", task.id)]
    assert found >= len(dataset.tasks)


def test_prompts_are_made_without_the_answers(folder: Path, tmp_path: Path) -> None:
    """With `oracles/` gone every prompt is the same, so nothing of it can be in one."""
    bare = tmp_path / "bare"
    shutil.copytree(folder, bare, ignore=shutil.ignore_patterns("oracles"))
    assert not (bare / "oracles").exists()

    def made(place: Path) -> list[str]:
        dataset = read_dataset(place)
        prompts = Prompts(read_templates(), dataset.manifest.answer_tag)
        return [prompts.prompt(task).text for task in dataset.tasks]

    assert made(bare) == made(folder)


def secrets(tasks: Sequence[Task], answers: Mapping[str, Answer]) -> dict[str, str]:
    """Whole answers that no source and no input of the dataset holds, and their tasks."""
    shown = "\n".join(f"{task.source}\n{task.stdin}" for task in tasks)
    return {
        text: task.id
        for task in tasks
        if len(text := answers[task.id].text.strip()) >= TELLING and text not in shown
    }


def told(folder: Path, secret: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each file outside the oracles that holds an answer, and the task whose answer that is."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.relative_to(folder).parts[0] != "oracles":
            for cell in cells(path):
                yield from ((path.name, task) for text, task in secret.items() if text in cell)


def test_no_file_outside_the_oracles_holds_an_answer(folder: Path) -> None:
    """Neither a cell of a table nor a text file, but for sources and inputs that hold it too."""
    dataset, answers = read_dataset(folder), read_answers(folder)
    secret = secrets(dataset.tasks, answers)
    assert len(secret) > len(dataset.tasks) // 2
    assert {"tasks.parquet", "manifest.json", "README.md"} <= {
        path.name for path in folder.rglob("*")
    }
    assert [*told(folder, secret)] == []


def cells(path: Path) -> Iterator[str]:
    """The texts in a file: the distinct cells of a table, or the whole of anything else."""
    if path.suffix != ".parquet":
        yield path.read_bytes().decode("utf-8", "replace")
        return
    table = pq.read_table(path)
    for name in table.column_names:
        yield from {str(value) for value in table.column(name).to_pylist()}
    yield str(table.schema.metadata)
