"""Prompts from templates: whatever a task holds, it stands in its prompt exactly as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Literal

from jinja2 import DictLoader, StrictUndefined, TemplateError
from jinja2.sandbox import SandboxedEnvironment

from deskcheck.builder.cases import Task
from deskcheck.oracles.errors import SettingsError

TemplateName = Literal["final.j2", "state.j2"]
TEMPLATES: tuple[TemplateName, ...] = ("final.j2", "state.j2")

LANGUAGES = {"python": "Python", "cpp": "C++"}

_BACKTICKS = re.compile(r"`+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """The one message that a model is sent for a task."""

    task_id: str
    text: str


class Prompts:
    """Renders the prompts of a dataset's tasks from the texts of both templates.

    Templates see `source`, `stdin`, `language`, `fields`, `rule`, `arm` and `tag`, and the
    functions `fence` and `note`; expected answers are nowhere within reach. `where` names the
    templates' folder in errors.
    """

    def __init__(self, templates: Mapping[str, str], answer_tag: str, where: str = "") -> None:
        self.answer_tag = answer_tag
        self.where = where
        self._environment = SandboxedEnvironment(
            loader=DictLoader(dict(templates)),
            undefined=StrictUndefined,
            autoescape=False,  # a prompt is text, in which source and input stand as they are
        )
        self._environment.globals.update(fence=fence, note=note)

    def prompt(self, task: Task) -> Prompt:
        """The task's prompt; SettingsError where the template leaves source or input out."""
        name: TemplateName = "state.j2" if task.fields else "final.j2"
        try:
            text = self._environment.get_template(name).render(
                source=task.source,
                stdin=task.stdin,
                language=LANGUAGES[task.language],
                fields=task.fields,
                rule=task.rule,
                arm=task.arm,
                tag=self.answer_tag,
            )
        except TemplateError as error:
            raise SettingsError(f"template {self._where(name)}: {error}") from None
        for what, needed in (("source", task.source), ("stdin", task.stdin)):
            if needed not in text:
                raise SettingsError(
                    f"template {self._where(name)} does not show the {what} of {task.candidate} "
                    "as it is",
                    f"write {{{{ fence({what}) }}}} or {{{{ {what} }}}} in it",
                )
        if f"<{self.answer_tag}>" not in text:
            raise SettingsError(
                f"template {self._where(name)} does not ask for an answer in <{self.answer_tag}>",
                "write <{{ tag }}> and </{{ tag }}> in it",
            )
        return Prompt(task_id=task.id, text=text)

    def _where(self, name: str) -> str:
        return str(Path(self.where) / name)


def fence(text: str) -> str:
    """The text between two lines of backticks, more than any run of them inside it.

    A line end is added where the text lacks one; `note` says so.
    """
    longest = max((len(run[0]) for run in _BACKTICKS.finditer(text)), default=0)
    ticks = "`" * max(3, longest + 1)
    end = "" if text.endswith("\n") or not text else "\n"
    return f"{ticks}\n{text}{end}{ticks}"


def note(stdin: str) -> str:
    """What a fence cannot show of an input, as a remark in brackets."""
    if not stdin:
        return " (empty)"
    return "" if stdin.endswith("\n") else " (without a line break at its end)"


def read_templates(folder: str | None = None) -> Mapping[str, str]:
    """The text of both templates: the built-in ones, but for those that the folder replaces.

    SettingsError where there is no such folder, or it holds neither template.
    """
    built_in = files("deskcheck.evaluate.prompts")
    texts: dict[str, str] = {name: built_in.joinpath(name).read_text("utf-8") for name in TEMPLATES}
    if folder is None:
        return texts
    if not Path(folder).is_dir():
        raise SettingsError(f"no folder of templates at {folder}")
    own = [name for name in TEMPLATES if (Path(folder) / name).is_file()]
    if not own:
        raise SettingsError(f"{folder} holds neither {' nor '.join(TEMPLATES)}")
    try:
        return texts | {name: (Path(folder) / name).read_text("utf-8") for name in own}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"cannot read the templates in {folder}: {error}") from None
