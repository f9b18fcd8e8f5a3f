"""From pools to a dataset folder: collect, shard, judge, record, write. Resumable anywhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from deskcheck.builder import __version__
from deskcheck.builder.cases import (
    TASK_CONTRACT,
    Admitted,
    Finding,
    Rejected,
    Verdict,
    verdict_to_json,
)
from deskcheck.builder.contents import Build, Manifest
from deskcheck.builder.dataset import require_absent, write_dataset
from deskcheck.builder.engines import Engine
from deskcheck.builder.journal import Journal, building_folder, discard_building, journal_path
from deskcheck.builder.judging import Judging
from deskcheck.builder.languages import tools
from deskcheck.builder.ledger import line_of
from deskcheck.builder.progress import Progress, summary
from deskcheck.builder.toolchain import facts
from deskcheck.oracles.errors import DatasetError, PoolError
from deskcheck.oracles.identity import content_id
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.pools import Candidate, PoolOptions, Unusable
from deskcheck.sources.registry import load_pool


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """Part `number` of `of`, from 1; a candidate's part follows from its id alone."""

    number: int = 1
    of: int = 1

    @property
    def suffix(self) -> str:
        """What is added to the name of a dataset that is this part of one."""
        return f"-shard{self.number}of{self.of}"

    def has(self, candidate: str) -> bool:
        digest = sha256(candidate.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big") % self.of == self.number - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolRequest:
    """One pool, as the user asks for it."""

    name: str
    options: PoolOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRequest:
    """Everything that `builder admit` is asked for."""

    pools: Sequence[PoolRequest]
    judging: Judging
    engine: Engine
    output: Path
    """The folder in which the dataset folder appears."""
    name: str = ""
    """Of the dataset; the pools' names where it is empty."""
    shard: Shard = Shard()
    cxx: str | None = None
    """The compiler for C++ programs; the one found here where it is None."""
    stop_after: int | None = None
    """Admitted cases, counted in candidate order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What became of a build. `verdicts` stand in candidate order."""

    folder: Path
    manifest: Manifest
    verdicts: Sequence[Verdict]

    @property
    def internal(self) -> Sequence[Rejected]:
        """Verdicts that are faults of ours or of the machine, not of the program."""
        return [
            verdict
            for verdict in self.verdicts
            if isinstance(verdict, Rejected) and verdict.findings[0].check == "internal"
        ]


def build(request: BuildRequest) -> Built:
    """Judge every candidate and write the dataset.

    The same request goes on where an interrupted one stopped. Raises PoolError for pools,
    DatasetError for the folder, SandboxError where programs cannot be run safely here, and
    CompilerError where there are C++ programs that nothing here can compile and measure.
    """
    everything = collect(request.pools)
    spoken = {item.program.language for item in everything if isinstance(item, Candidate)}
    judging = replace(request.judging, compiler=tools.compiler_for(spoken, request.cxx))
    request = replace(request, judging=judging)
    inspected = [item for item in everything if request.shard.has(item.id)]
    with Sandbox(allow_unisolated=request.judging.allow_unisolated) as sandbox:
        layers = sandbox.layers_for(request.judging.interpreter.executable).as_dict()
    config = _config(request, everything)
    name = request.name or "+".join(pool.name for pool in request.pools)
    if request.shard.of > 1:
        name = f"{name}{request.shard.suffix}"
    folder = place(request.output, name, config)
    begin(folder)
    with Journal.open(journal_path(folder), config) as journal:
        ordered = _judge_all(inspected, journal, request)
        judged = without_duplicates(ordered)
        manifest = write_dataset(
            folder,
            Build(
                name=name,
                config=config,
                toolchain=facts(
                    measured=tools.facts(judging.interpreter, judging.compiler),
                    sandbox=layers,
                ),
                answer_tag=answer_tag(judged),
            ),
            judged,
            shard=shard_lines(everything, ordered, judged) if request.shard.of > 1 else None,
        )
        discard_building(folder)
    return Built(folder=folder, manifest=manifest, verdicts=judged)


def place(output: Path, name: str, config: Mapping[str, Any]) -> Path:
    """The folder in which the dataset of this name and configuration is to appear.

    DatasetError where it cannot be named so, or something stands there.
    """
    name = f"{name}-{content_id('build', dict(config))[:8]}"
    if not _NAME.fullmatch(name):
        raise DatasetError(
            f"{name!r} cannot name a dataset", "use at most 100 letters, digits and ._+- for --name"
        )
    require_absent(output / name)
    return output / name


def begin(folder: Path) -> None:
    """Make the folder in which work on `folder` keeps its state; DatasetError where it cannot."""
    try:
        building_folder(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatasetError(
            f"cannot write in {folder.parent}: {error.strerror}", "name another folder with -o"
        ) from error


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,120}")


def shard_lines(
    everything: Sequence[Candidate | Unusable], ordered: Sequence[Verdict], kept: Sequence[Verdict]
) -> bytes:
    """What a merge needs beside the tables: each candidate's place in the pool's order, and the
    verdicts that fell to an earlier case of this shard, which another shard's may oust in turn."""
    places = {item.id: number for number, item in enumerate(everything)}
    lines = []
    for before, after in zip(ordered, kept, strict=True):
        row: dict[str, Any] = {"place": places[before.candidate], "candidate": before.candidate}
        if before is not after:
            row["verdict"] = verdict_to_json(before)
        lines.append(line_of(row))
    return b"".join(lines)


def collect(pools: Sequence[PoolRequest]) -> Sequence[Candidate | Unusable]:
    """Everything that the pools inspect, in order; PoolError where an id comes twice."""
    inspected: list[Candidate | Unusable] = []
    seen: set[str] = set()
    for pool in pools:
        for item in load_pool(pool.name).candidates(pool.options):
            if item.id in seen:
                raise PoolError(f"pool {pool.name} gives {item.id} twice", "ids must be unique")
            seen.add(item.id)
            inspected.append(item)
    return inspected


def unusable(item: Unusable) -> Rejected:
    """The verdict of a program that its pool could not make a candidate of."""
    return Rejected(
        candidate=item.id,
        pool=item.pool,
        study=item.study,
        findings=(Finding(check="pool", reason=item.check, detail=item.detail),),
    )


def answer_tag(judged: Sequence[Verdict]) -> str:
    """A word that no source, input or answer of the dataset contains, to mark answers with."""
    texts = [
        text
        for verdict in judged
        if isinstance(verdict, Admitted)
        for group in (
            (task.source for task in verdict.tasks),
            (task.stdin for task in verdict.tasks),
            (answer.text for answer in verdict.answers),
        )
        for text in group
    ]
    tag, number = "answer", 1
    while any(f"{tag}>" in text for text in texts):
        number += 1
        tag = f"answer{number}"
    return tag


def _judge_all(
    inspected: Sequence[Candidate | Unusable], journal: Journal, request: BuildRequest
) -> Sequence[Verdict]:
    """Every verdict in candidate order, up to where enough are admitted, duplicates among them."""
    done: dict[str, Verdict] = dict(journal.done())
    done |= {item.id: unusable(item) for item in inspected if isinstance(item, Unusable)}
    with Progress("admitting") as progress:
        # Once more for what failed through no fault of its own: the cause may have passed.
        for _attempt in range(2):
            waiting = [
                item
                for item in inspected
                if isinstance(item, Candidate)
                and (item.id not in done or _is_internal(done[item.id]))
            ]
            with closing(request.engine.results(waiting, request.judging)) as judged:
                counts = Counter(map(_outcome, done.values()))
                progress.update(len(done), len(inspected), summary(counts))
                while not _enough(inspected, done, request.stop_after):
                    index, verdict = next(judged, (-1, None))
                    if verdict is None:
                        break
                    if not _is_internal(verdict):
                        journal.append(waiting[index].id, verdict)
                    if waiting[index].id in done:
                        counts[_outcome(done[waiting[index].id])] -= 1
                    done[waiting[index].id] = verdict
                    counts[_outcome(verdict)] += 1
                    progress.update(len(done), len(inspected), summary(counts))
    ordered = [done[item.id] for item in inspected if item.id in done]
    return cut(ordered, request.stop_after)


def without_duplicates(ordered: Sequence[Verdict]) -> Sequence[Verdict]:
    """The verdicts with every case rejected that asks what an earlier one asks already."""
    owners: dict[str, str] = {}
    kept: list[Verdict] = []
    for verdict in ordered:
        if isinstance(verdict, Admitted):
            same = [owners[task.id] for task in verdict.tasks if task.id in owners]
            if same:
                kept.append(_duplicate(verdict, same[0]))
                continue
            owners |= {task.id: verdict.candidate for task in verdict.tasks}
        kept.append(verdict)
    return kept


def _duplicate(verdict: Admitted, owner: str) -> Rejected:
    return Rejected(
        candidate=verdict.candidate,
        pool=verdict.pool,
        study=verdict.study,
        findings=(
            Finding(
                check="duplicate",
                reason="same_task",
                detail=f"it asks a question that {owner} asks already",
            ),
        ),
    )


def _is_internal(verdict: Verdict) -> bool:
    return isinstance(verdict, Rejected) and verdict.findings[0].check == "internal"


def _outcome(verdict: Verdict) -> str:
    return "admitted" if isinstance(verdict, Admitted) else verdict.findings[0].reason


def _enough(
    inspected: Sequence[Candidate | Unusable],
    done: Mapping[str, Verdict],
    stop_after: int | None,
) -> bool:
    """True once the first candidates, all of them judged, hold enough admitted ones."""
    if stop_after is None:
        return False
    admitted = 0
    for item in inspected:
        if admitted >= stop_after:
            break
        if item.id not in done:
            return False
        admitted += isinstance(done[item.id], Admitted)
    return admitted >= stop_after


def cut(ordered: Sequence[Verdict], stop_after: int | None) -> Sequence[Verdict]:
    """Verdicts up to the one that makes the last case wanted."""
    if stop_after is None:
        return ordered
    admitted = 0
    for place, verdict in enumerate(ordered):
        admitted += isinstance(verdict, Admitted)
        if admitted >= stop_after:
            return ordered[: place + 1]
    return ordered


def _config(request: BuildRequest, inspected: Sequence[Candidate | Unusable]) -> dict[str, Any]:
    """What decides the rows: no path, no count of workers. `inspected` is that of all shards."""
    return {
        "deskcheck": __version__,
        "task_contract": TASK_CONTRACT,
        "pools": [pool_facts(pool) for pool in request.pools],
        "inspected": {
            "count": len(inspected),
            "sha256": content_id("inspected", [_content(item) for item in inspected]),
        },
        "parameters": request.judging.parameters.as_dict(),
        "interpreter": request.judging.interpreter.facts(),
        **_compiler(request.judging),
        "shard": [request.shard.number, request.shard.of],
        "stop_after": request.stop_after,
        "allow_unisolated": request.judging.allow_unisolated,
    }


def pool_facts(pool: PoolRequest) -> dict[str, Any]:
    """How a pool was asked for: of a file its name and hash, of other data the name."""
    files = load_pool(pool.name).info().files
    return {
        "name": pool.name,
        "seed": pool.options.seed,
        "data": Path(pool.options.data).name if pool.options.data else None,
        "options": {
            option: _file_facts(Path(value)) if option in files else value
            for option, value in pool.options.options.items()
        },
    }


def _file_facts(path: Path) -> dict[str, str]:
    return {"file": path.name, "sha256": sha256(path.read_bytes()).hexdigest()}


def _compiler(judging: Judging) -> dict[str, Any]:
    return {} if judging.compiler is None else {"compiler": judging.compiler.facts()}


def _content(item: Candidate | Unusable) -> list[str]:
    if isinstance(item, Unusable):
        return [item.id, item.check, item.detail]
    texts = [given.data for given in item.inputs]
    return [item.id, item.program.sha, *(sha256(text).hexdigest() for text in texts)]
