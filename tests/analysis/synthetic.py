"""Made-up studies: a dataset, and a graded run on it whose answers follow a stated model.

Programs of one origin share their difficulty, settings differ in skill and arms in how hard they
are. No engine is asked; cells are written as `builder grade` writes them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from tests.builder.verdicts import admitted

from deskcheck.builder.cases import ARMS, Admitted, Answer, Arm, Task
from deskcheck.builder.contents import Build
from deskcheck.builder.dataset import read_manifest, write_dataset
from deskcheck.evaluate.cells import NAME, Cell, Status, write_cells
from deskcheck.evaluate.plan import RunConfig, config_json
from deskcheck.evaluate.settings import Setting
from deskcheck.evaluate.store import CONFIG
from deskcheck.oracles.equivalence import compare

HARDNESS: Mapping[Arm, float] = {
    "short-trace-final": -1.5,
    "long-trace-final": 0.0,
    "inside-loop-state": 0.3,
    "post-loop-state": 0.5,
}

STUDIES = ("textbook-python", "contest-python", "contest-cpp")


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """How one setting answers: its skill in logits, and what share goes wrong in other ways."""

    setting: Setting
    skill: float = 1.0
    lost: float = 0.0
    truncated: float = 0.0
    unparsed: float = 0.0
    pending: float = 0.0


def maker(name: str, skill: float = 1.0, **values: object) -> Maker:
    """A model of this name; `values` are fields of the setting, or of `Maker`."""
    own = {key: values.pop(key) for key in list(values) if key in Maker.__slots__}
    fields: dict[str, object] = {"model": f"openai/{name}", "name": name, **values}
    maker = Maker(setting=Setting.model_validate(fields, strict=False), skill=skill)
    return replace(maker, **own)  # type: ignore[arg-type]


def floor(name: str, skill: float = -3.0) -> Maker:
    """A baseline of this name."""
    return maker(f"baseline-{name}", skill, model=f"baseline/{name}")


def make_dataset(folder: Path, cases: int, per_origin: int = 2) -> list[Admitted]:
    """A dataset of so many small cases, with so many to an origin at most."""
    rng = np.random.default_rng(5)
    verdicts: list[Admitted] = []
    origin = 0
    while len(verdicts) < cases:
        for _ in range(min(int(rng.integers(1, per_origin + 1)), cases - len(verdicts))):
            number = len(verdicts)
            made = admitted(
                f"program-{number:03}",
                study=STUDIES[number % len(STUDIES)],
                long=f"{20 + number}\n",
                short=f"{3 + number % 5}\n",
                floor=number % 7 == 0,
            )
            case = replace(made.case, origin=f"origin {origin}")
            verdicts.append(replace(made, case=case))
        origin += 1
    write_dataset(folder, Build(name="made-up", config={}, toolchain={}), verdicts)
    return verdicts


def make_run(
    folder: Path,
    dataset: Path,
    verdicts: Sequence[Admitted],
    makers: Sequence[Maker],
    *,
    seed: int = 1,
    answers: Mapping[tuple[str, Arm], str] | None = None,
) -> Path:
    """A graded run in `folder`. `answers` replaces what is given, by candidate and arm."""
    manifest = read_manifest(dataset)
    config = RunConfig(
        dataset_id=manifest.id,
        dataset_name=manifest.name,
        dataset_path=str(dataset),
        seed=seed,
        settings=tuple(maker.setting for maker in makers),
        templates={"": {}},
    )
    folder.mkdir(parents=True)
    (folder / CONFIG).write_text(json.dumps(config_json(config)))
    write_cells(folder / NAME, _cells(verdicts, makers, seed, answers or {}))
    return folder


def _cells(
    verdicts: Sequence[Admitted],
    makers: Sequence[Maker],
    seed: int,
    answers: Mapping[tuple[str, Arm], str],
) -> Iterator[Cell]:
    rng = np.random.default_rng(seed)
    ease = {verdict.case.origin: rng.normal(0, 1.2) for verdict in verdicts}
    for maker in makers:
        chosen = verdicts[: maker.setting.limit or len(verdicts)]
        for repeat in range(maker.setting.repeats):
            for verdict in chosen:
                of_case = rng.normal(0, 0.8)
                for task, answer in zip(verdict.tasks, verdict.answers, strict=True):
                    if task.arm not in maker.setting.arms:
                        continue
                    logit = maker.skill + ease[verdict.case.origin] + of_case - HARDNESS[task.arm]
                    hit = bool(rng.random() < 1 / (1 + math.exp(-logit)))
                    given = answers.get((verdict.candidate, task.arm))
                    if given is None:
                        given = answer.text if hit else wrong(task, answer, int(rng.integers(3)))
                    yield make_cell(maker, verdict, task, answer, repeat, given, rng)


def wrong(task: Task, answer: Answer, kind: int) -> str:
    """An answer that differs: in a value, by an end that comes too early, or by more."""
    if task.rule == "json":
        value = json.loads(answer.text)
        changed = [{**value, "total": value["total"] + 7}, {}, {**value, "more": [1]}][kind]
        return json.dumps(changed)
    first, _, rest = answer.text.rstrip("\n").partition(" ")
    return [f"{first}1 {rest}\n", f"{first}\n", f"{first} {rest} 9\n"][kind]


def make_cell(
    maker: Maker,
    verdict: Admitted,
    task: Task,
    answer: Answer,
    repeat: int,
    given: str,
    rng: np.random.Generator,
    status: Status | None = None,
) -> Cell:
    """The cell of an answer; without a status, the maker's shares and a draw decide on it."""
    setting, case = maker.setting, verdict.case
    difference = compare(task.rule, answer.text, given)
    if status is None:
        status = _status(maker, difference is None, float(rng.random()))
    back = status in ("correct", "wrong", "unparsed", "truncated")
    read = status in ("correct", "wrong")
    is_floor = setting.backend == "baseline"
    thinking = 0 if setting.reasoning == "off" else int(rng.lognormal(6, 1))
    return Cell(
        setting=setting.name,
        model=setting.model,
        reasoning=setting.reasoning,
        floor_setting=is_floor,
        task_id=task.id,
        case_id=case.id,
        candidate=case.candidate,
        study=case.study,
        language=case.language,
        origin=case.origin,
        program_sha=case.program_sha,
        arm=task.arm,
        repeat=repeat,
        selected=repeat == 0,
        status=status,
        envelope_valid=bool(rng.random() < 0.9) if back else None,
        extraction="tag" if read else None,
        answer=given if read else None,
        first_answer=given if read else None,
        answers=1 if read else None,
        answer_correct=difference is None if read else None,
        field_credit=float(difference is None) if read and task.rule == "json" else None,
        difference_at=difference.where if read and difference else None,
        difference_expected=difference.expected if read and difference else None,
        difference_given=difference.given if read and difference else None,
        rule=task.rule,
        guessable=task.floor,
        key=f"{setting.name}-{task.id[:8]}-{repeat}",
        prompt_sha=task.id,
        finish_reason="length" if status == "truncated" else "stop" if back else None,
        prompt_tokens=400 if back and not is_floor else None,
        completion_tokens=thinking + 20 if back and not is_floor else None,
        reasoning_tokens=thinking if back and not is_floor else None,
        reasoning_characters=thinking * 4 if back and not is_floor else None,
        seconds=round(thinking / 90 + 0.4, 3) if back else None,
        attempts=1 if status != "pending" else None,
        error="timed out after 4 attempts" if status == "no_response" else None,
    )


def _status(maker: Maker, right: bool, draw: float) -> Status:
    shares: tuple[tuple[Status, float], ...] = (
        ("pending", maker.pending),
        ("no_response", maker.lost),
        ("truncated", maker.truncated),
        ("unparsed", maker.unparsed),
    )
    for status, share in shares:
        if draw < share:
            return status
        draw -= share
    return "correct" if right else "wrong"


def usual_makers() -> list[Maker]:
    """Seven models of different skill and two baselines."""
    return [
        maker("grand-70b-high", 3.0, reasoning="high"),
        maker("grand-70b-off", 0.3, reasoning="off", lost=0.01),
        maker("middle-14b-high", 2.0, reasoning="high", truncated=0.04),
        maker("middle-14b-off", -0.5, reasoning="off"),
        maker("small-4b-high", 1.0, reasoning="high", truncated=0.12, lost=0.03),
        maker("small-4b-off", -1.5, reasoning="off", unparsed=0.08),
        maker("tiny-135m", -5.0, unparsed=0.3),
        floor("short-answer", -3.2),
        floor("last-literal", -4.0),
    ]


assert set(HARDNESS) == set(ARMS)
