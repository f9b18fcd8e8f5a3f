"""Collecting asks every planned question once, stores each reply at once, and can go on."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builder.verdicts import admitted
from tests.evaluate.scripted import (
    Scripted,
    by_key,
    group,
    planned,
    replying,
    small_dataset,
    write_cases,
)

from deskcheck.evaluate import runner
from deskcheck.evaluate.backends import Rendered
from deskcheck.evaluate.cells import NAME, Cell, read_cells, write_cells
from deskcheck.evaluate.collating import grade_run
from deskcheck.evaluate.plan import Plan
from deskcheck.evaluate.requests import Reply, Request
from deskcheck.evaluate.reuse import reuse
from deskcheck.evaluate.runner import Tally, collect
from deskcheck.evaluate.settings import Setting, make_setting
from deskcheck.evaluate.store import RunFolder, RunWriter, begin
from deskcheck.oracles.errors import BackendError, RunError, SettingsError

ONE = make_setting(model="openai/one")
TWO = make_setting(model="openai/two", repeats=2)


def run_of(plan: Plan, output: Path) -> Path:
    return begin(output, plan, "test")


def collected(
    plan: Plan,
    run: Path,
    backend: Scripted,
    *,
    retry_missing: bool = False,
    spend: float | None = None,
) -> Tally:
    groups = [group(backend, *plan.config.settings)]
    with RunWriter(run) as writer:
        return collect(plan, groups, writer, retry_missing=retry_missing, max_spend=spend)


def cells(run: Path, dataset: Path) -> list[Cell]:
    """The run's cells, without the one thing that no two runs share."""
    grade_run(RunFolder(run), dataset)
    return [replace(cell, seconds=None) for cell in read_cells(run / "cells.parquet")]


def test_every_planned_question_is_asked_once(tmp_path: Path) -> None:
    """Settings, arms, cases and repeats are all covered, and never more at once than allowed."""
    plan = planned(small_dataset(tmp_path / "data"), ONE, TWO)
    backend = Scripted(by_key, concurrency=3)
    tally = collected(plan, run_of(plan, tmp_path), backend)
    asked = [(each.setting.name, each.task_id, each.repeat) for each in backend.asked]
    assert len(asked) == len(set(asked)) == tally.planned == tally.done == 36
    assert backend.most_at_once == 3
    assert (backend.opened, backend.closed) == (1, 1)


def test_the_datasets_own_tag_is_asked_for_and_read(tmp_path: Path) -> None:
    """Where a program prints `</answer>`, prompts and grading go by the tag chosen instead."""
    told = "</answer>\n<answer>81\n"
    case = admitted("tags", answers=("9\n", told, '{"total":1}', '{"total":81}'))
    dataset = write_cases(tmp_path / "data", [case], tag="reply")
    plan = planned(dataset, make_setting(model="openai/one", arms=["long-trace-final"]))
    run = run_of(plan, tmp_path)
    backend = Scripted(replying(f"<reply>\n{told}</reply>"))
    collected(plan, run, backend)
    (asked,), (cell,) = backend.asked, cells(run, dataset)
    assert "between the tags <reply> and </reply>" in asked.prompt
    assert (cell.status, cell.envelope_valid) == ("correct", True)


def test_nothing_is_asked_twice(tmp_path: Path) -> None:
    """A run that is complete opens no engine, and its missing replies stay missing."""
    plan = planned(small_dataset(tmp_path / "data"), ONE)
    run = run_of(plan, tmp_path)
    collected(plan, run, Scripted(by_key))
    idle = Scripted(by_key)
    tally = collected(plan, run, idle)
    assert (idle.opened, tally.there, tally.done) == (0, 12, 0)


def test_missing_replies_are_asked_again_on_demand(tmp_path: Path) -> None:
    """What had no response or an engine error is put once more; a wrong answer never is."""
    plan = planned(small_dataset(tmp_path / "data"), ONE)
    run = run_of(plan, tmp_path)
    collected(plan, run, Scripted(by_key))
    missing = {each.key for _, each in RunFolder(run).placed() if each.reply.outcome != "answered"}
    later = Scripted(replying("<answer>late</answer>"))
    collected(plan, run, later, retry_missing=True)
    assert missing
    assert {each.key for each in later.asked} == missing
    assert {cell.status for cell in cells(run, tmp_path / "data")} <= {
        "wrong",
        "unparsed",
        "truncated",
    }


class CutShort(BaseException):
    """Stands for whatever ends a session."""


def breaking_after(count: int) -> Scripted:
    """A backend that takes the session down with its so-manieth answer."""
    backend = Scripted(by_key)

    def script(request: Request) -> Reply:
        if len(backend.asked) > count:
            raise CutShort
        return by_key(request)

    backend.script = script
    return backend


with tempfile.TemporaryDirectory() as place:
    DATASET_OF = small_dataset(Path(place) / "data")
    WHOLE_PLAN = planned(DATASET_OF, ONE, TWO)
    undisturbed = run_of(WHOLE_PLAN, Path(place))
    collected(WHOLE_PLAN, undisturbed, Scripted(by_key))
    UNDISTURBED = cells(undisturbed, DATASET_OF)


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(1, 9), st.integers(0, 300)), max_size=4),
    st.integers(1, 40),
)
@settings(max_examples=25, deadline=None)
def test_any_number_of_broken_sessions_gives_the_cells_of_one(
    sessions: Sequence[tuple[int, int, int]], concurrency: int
) -> None:
    """Ended after any reply, torn at any byte, gone on with at any concurrency: the same cells."""
    with tempfile.TemporaryDirectory() as folder:
        dataset = small_dataset(Path(folder) / "data")
        run = run_of(WHOLE_PLAN, Path(folder))
        for count, at_once, torn in sessions:
            backend = breaking_after(count)
            backend.concurrency = at_once
            with suppress(CutShort):
                collected(WHOLE_PLAN, run, backend)
            responses = run / "responses.jsonl"
            content = responses.read_bytes()
            responses.write_bytes(content[: max(0, len(content) - torn)])
        last = Scripted(by_key, concurrency=concurrency)
        collected(WHOLE_PLAN, run, last)
        assert cells(run, dataset) == UNDISTURBED


def test_a_reply_is_stored_as_soon_as_it_is_there(tmp_path: Path) -> None:
    """While one request still runs, the replies to all others lie in the file."""
    plan = planned(small_dataset(tmp_path / "data"), ONE)
    run = run_of(plan, tmp_path)
    first = plan.request(next(iter(plan)))
    seen: list[int] = []

    async def slow(request: Request) -> Reply:
        while len(list(RunFolder(run).placed())) < 11:
            await asyncio.sleep(0.001)
        seen.append(len(list(RunFolder(run).placed())))
        return by_key(request)

    backend = Scripted(
        lambda request: slow(request) if request.key == first.key else by_key(request)
    )
    collected(plan, run, backend)
    assert seen == [11]


def test_a_reply_that_never_comes_is_missing_in_bounded_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time limit ends the request, says so, and holds nobody else up."""
    monkeypatch.setattr(runner, "GRACE_S", 0.0)
    setting = make_setting(model="openai/one", timeout_s=0.05)
    plan = planned(small_dataset(tmp_path / "data"), setting)

    async def never(_: Request) -> Reply:
        await asyncio.sleep(3600)
        raise AssertionError

    first = plan.request(next(iter(plan)))
    backend = Scripted(
        lambda request: never(request) if request.key == first.key else by_key(request)
    )
    run = run_of(plan, tmp_path)
    collected(plan, run, backend)
    stored = {each.key: each.reply for _, each in RunFolder(run).placed()}
    assert len(stored) == 12
    assert stored[first.key] == Reply(outcome="no_response", error="no reply within 0.05 s")


def test_a_fault_of_a_backend_is_one_requests_engine_error(tmp_path: Path) -> None:
    """An exception from `answer` is kept as that cell's status, and the others go on."""
    plan = planned(small_dataset(tmp_path / "data"), ONE)
    first = plan.request(next(iter(plan)))

    def script(request: Request) -> Reply:
        if request.key == first.key:
            raise ZeroDivisionError("by zero\nand more")
        return replying("<answer>1</answer>")(request)  # type: ignore[return-value]

    run = run_of(plan, tmp_path)
    collected(plan, run, Scripted(script))
    stored = {each.key: each.reply for _, each in RunFolder(run).placed()}
    assert stored[first.key] == Reply(outcome="engine_error", error="ZeroDivisionError: by zero")
    assert sum(reply.outcome == "answered" for reply in stored.values()) == 11


def test_a_hopeless_engine_stops_the_run_early(tmp_path: Path) -> None:
    """Five engine errors of one kind and nothing else end the session in one line; mended, the
    run goes on."""
    plan = planned(small_dataset(tmp_path / "data", cases=20), ONE)
    run = run_of(plan, tmp_path)
    refusing = Scripted(
        lambda _: Reply(
            outcome="engine_error", error="404 no such model", facts={"http_status": 404}
        )
    )
    with pytest.raises(BackendError, match="the first 5 requests all failed: 404 no such model"):
        collected(plan, run, refusing)
    assert refusing.closed == 1
    assert len(refusing.asked) <= 5 + 2 * refusing.concurrency
    mended = Scripted(by_key)
    collected(plan, run, mended, retry_missing=True)
    assert len({each.key for each in mended.asked}) == 80


def test_engine_errors_among_replies_stop_nothing(tmp_path: Path) -> None:
    """A server that fails now and then is asked to the end."""
    plan = planned(small_dataset(tmp_path / "data", cases=20), ONE)
    counter = iter(range(10**6))

    def script(request: Request) -> Reply:
        if next(counter) % 7:
            return Reply(outcome="engine_error", error="500")
        return by_key(request)

    tally = collected(plan, run_of(plan, tmp_path), Scripted(script))
    assert tally.done == 80


def test_a_question_that_does_not_fit_is_never_sent(tmp_path: Path) -> None:
    """Nothing is cut to make room: the cell says over-length, and how many tokens it would be."""
    plan = planned(
        small_dataset(tmp_path / "data"), make_setting(model="openai/one", max_tokens=50)
    )
    backend = Scripted(by_key, window=60)
    run = run_of(plan, tmp_path)
    collected(plan, run, backend)
    assert backend.asked == []
    statuses = {cell.status: cell for cell in cells(run, tmp_path / "data")}
    assert set(statuses) == {"over_length"}
    assert "of prompt and 50 of reply, of 60 in all" in (statuses["over_length"].error or "")


def test_each_task_and_repeat_has_a_seed_of_its_own(tmp_path: Path) -> None:
    """Seeds follow from run seed, task and repeat; settings share them, so they differ in less."""
    dataset = small_dataset(tmp_path / "data")
    other = make_setting(model="openai/other", repeats=2)
    plan = planned(dataset, TWO, other)
    seeds: dict[str, dict[tuple[str, int], int]] = {"two": {}, "other": {}}
    for each in plan:
        seeds[each.setting.name][each.task.id, each.repeat] = plan.request(each).seed
    assert seeds["two"] == seeds["other"]
    assert len(set(seeds["two"].values())) == 24
    again = planned(dataset, TWO, seed=1)
    assert set(seeds["two"].values()).isdisjoint(again.request(each).seed for each in again)


def test_money_is_a_limit(tmp_path: Path) -> None:
    """Asking stops once so much is spent; what was answered stays, and the run can go on."""
    setting = make_setting(model="openai/one", price={"input": 0.0, "output": 1e6}, concurrency=1)
    plan = planned(small_dataset(tmp_path / "data"), setting)
    run = run_of(plan, tmp_path)
    backend = Scripted(replying("<answer>1</answer>", completion_tokens=1))
    tally = collected(plan, run, backend, spend=3.0)
    assert (tally.done, tally.spent) == (3, 3.0)
    assert "$3.00 are spent of $3.00" in tally.stopped
    assert [cell.status for cell in cells(run, tmp_path / "data")].count("pending") == 9


@pytest.mark.parametrize("mode", ["high", "off"])
def test_a_reasoning_switch_that_changes_nothing_is_refused(tmp_path: Path, mode: str) -> None:
    """Where the engine renders both modes alike, no question is asked and the line says so."""

    class Deaf(Scripted):
        async def render(self, prompt: str, setting: Setting) -> Rendered:
            return await super().render(prompt, ONE)

    plan = planned(
        small_dataset(tmp_path / "data"), make_setting(model="openai/one", reasoning=mode)
    )
    backend = Deaf(by_key)
    with pytest.raises(SettingsError, match="one-" + mode):
        collected(plan, run_of(plan, tmp_path), backend)
    assert backend.asked == []


def test_a_correction_costs_only_the_corrected_case(tmp_path: Path) -> None:
    """On a corrected dataset, replies to unchanged tasks are taken over, the others asked for."""
    names = [admitted(f"squares{number}") for number in range(3)]
    before = write_cases(tmp_path / "before", names)
    corrected = admitted("squares1", long="21\n")
    after = write_cases(tmp_path / "after", [names[0], corrected, names[2]])
    old = planned(before, TWO)
    answering = replying("<answer>1</answer>")
    collected(old, run_of(old, tmp_path / "runs"), Scripted(answering))
    new = planned(after, TWO)
    run = run_of(new, tmp_path / "runs")
    with RunWriter(run) as writer:
        taken = reuse(new, writer, run_of(old, tmp_path / "runs"))
    backend = Scripted(answering)
    collected(new, run, backend)
    changed = {task.id for task in corrected.tasks} - {task.id for task in names[1].tasks}
    assert {each.task_id for each in backend.asked} == changed
    assert (taken, len(backend.asked)) == (24 - 2 * len(changed), 2 * len(changed))
    assert {stored.reused_from for _, stored in RunFolder(run).placed()} == {"", old.config.id}


def test_only_replies_that_came_back_are_taken_over(tmp_path: Path) -> None:
    """They stand under the new run's names; what was missing there is asked here."""
    dataset = small_dataset(tmp_path / "data", cases=6)
    old = planned(dataset, ONE)
    source = run_of(old, tmp_path)
    missing = collected(old, source, Scripted(by_key)).outcomes["no_response"]
    new = planned(dataset, make_setting(model="openai/one", name="renamed"))
    run = run_of(new, tmp_path)
    with RunWriter(run) as writer:
        assert reuse(new, writer, source) == 24 - missing
    assert 0 < missing < 24
    assert {stored.setting for _, stored in RunFolder(run).placed()} == {"renamed"}
    backend = Scripted(replying("<answer>0</answer>"))
    assert collected(new, run, backend).done == missing


def test_a_limit_keeps_all_arms_and_the_cases_of_a_smaller_one(tmp_path: Path) -> None:
    """So many cases are drawn by the seed, each whole; more of them contain the fewer."""
    dataset = small_dataset(tmp_path / "data", cases=8)
    asked = {}
    for limit in (2, 3, 8, 100):
        plan = planned(dataset, make_setting(model="openai/one", limit=limit))
        asked[limit] = [each.task for each in plan]
        assert len(asked[limit]) == 4 * min(limit, 8)
        assert len({task.case_id for task in asked[limit]}) == min(limit, 8)
    ids = {limit: {task.id for task in tasks} for limit, tasks in asked.items()}
    assert ids[2] < ids[3] < ids[8] == ids[100]


def test_an_unfinished_run_has_a_cell_for_everything_planned(tmp_path: Path) -> None:
    """What was not collected yet is pending; the denominator is the plan's from the start."""
    plan = planned(small_dataset(tmp_path / "data"), ONE)
    run = run_of(plan, tmp_path)
    assert [cell.status for cell in cells(run, tmp_path / "data")] == ["pending"] * 12


def test_an_engine_that_is_gone_ends_the_run_without_a_trace(tmp_path: Path) -> None:
    """Unanswered requests are no engine errors of theirs: the same command goes on with them."""
    plan = planned(small_dataset(tmp_path / "data"), ONE)
    run = run_of(plan, tmp_path)
    counter = iter(range(10**6))

    def script(request: Request) -> Reply:
        if next(counter) >= 3:
            raise BackendError("the engine died")
        return by_key(request)

    with pytest.raises(BackendError, match="the engine died"):
        collected(plan, run, Scripted(script))
    stored = [each.reply.outcome for _, each in RunFolder(run).placed()]
    assert len(stored) == 3
    assert "engine_error" not in stored
    assert collected(plan, run, Scripted(by_key)).done == 9


def test_a_setting_that_an_engine_does_not_take_is_refused_first(tmp_path: Path) -> None:
    """A field that the engine does not know ends the run in one line before anything is asked."""

    class Choosy(Scripted):
        async def render(self, prompt: str, setting: Setting) -> Rendered:
            if setting.sampling:
                raise SettingsError("setting 'one': there is no field 'temprature'")
            return await super().render(prompt, setting)

    odd = make_setting(model="openai/one", sampling={"temprature": 1})
    plan = planned(small_dataset(tmp_path / "data"), odd)
    backend = Choosy(by_key)
    with pytest.raises(SettingsError, match="temprature"):
        collected(plan, run_of(plan, tmp_path), backend)
    assert backend.asked == []


def test_cells_that_cannot_be_made_leave_the_earlier_ones(tmp_path: Path) -> None:
    """Whatever breaks off the grading, the cells' file is the one before, and no other is left."""
    plan = planned(small_dataset(tmp_path / "data"), ONE)
    run = run_of(plan, tmp_path)
    made = cells(run, tmp_path / "data")
    before = sorted(path.name for path in run.iterdir())

    def broken() -> Iterator[Cell]:
        yield made[0]
        raise RunError("the disk is gone")

    with pytest.raises(RunError, match="the disk is gone"):
        write_cells(run / NAME, broken())
    assert list(read_cells(run / NAME)) == made
    assert sorted(path.name for path in run.iterdir()) == before


def test_replies_under_way_are_kept_when_another_engine_fails(tmp_path: Path) -> None:
    """A setting whose engine cannot be used stops the session; what others were asked, they get."""
    two = make_setting(model="openai/two")
    plan = planned(small_dataset(tmp_path / "data"), ONE, two)
    asked = asyncio.Event()

    async def slow(request: Request) -> Reply:
        asked.set()
        await asyncio.sleep(0.05)
        return by_key(request)

    class Unusable(Scripted):
        async def open(self, *, only_to_render: bool = False) -> Mapping[str, Any]:
            await asked.wait()
            raise BackendError("nothing answers")

    run = run_of(plan, tmp_path)
    working = Scripted(slow, concurrency=3)
    with RunWriter(run) as writer, pytest.raises(BackendError, match="nothing answers"):
        collect(plan, [group(working, ONE), group(Unusable(by_key), two)], writer)
    stored = [each.setting for _, each in RunFolder(run).placed()]
    assert stored == ["one"] * len(working.asked)
    assert 3 <= len(stored) < 12


def test_an_engine_that_changed_between_sessions_is_told(tmp_path: Path) -> None:
    """A file, version or dtype that is not that of the earlier replies is named."""

    class Versioned(Scripted):
        version = "1.0"

        async def open(self, *, only_to_render: bool = False) -> Mapping[str, Any]:
            return {"version": self.version, "servers": [id(self)], "dtype": "float32"}

    plan = planned(small_dataset(tmp_path / "data"), ONE)
    run = run_of(plan, tmp_path)
    numbers = iter(range(10**6))

    def broken_off(request: Request) -> Reply:
        if next(numbers) == 3:
            raise CutShort
        return by_key(request)

    with pytest.raises(CutShort):
        collected(plan, run, Versioned(broken_off))
    other = Versioned(by_key)
    other.version = "2.0"
    told = collected(plan, run, other).doubts
    assert told == [
        "one: its engine is not what it was in this run's last session: "
        'version "1.0" then, "2.0" now'
    ]


def test_an_error_that_holds_an_id_is_still_one_kind(tmp_path: Path) -> None:
    """Numbers in an engine's words do not hide that it fails at everything."""
    plan = planned(small_dataset(tmp_path / "data", cases=20), ONE)
    numbers = iter(range(10**6))
    failing = Scripted(
        lambda _: Reply(outcome="engine_error", error=f"no weights (request req-{next(numbers)}a)")
    )
    with pytest.raises(BackendError, match="the first 5 requests all failed: no weights"):
        collected(plan, run_of(plan, tmp_path), failing)


def test_a_larger_context_can_be_tried_on_what_did_not_fit(tmp_path: Path) -> None:
    """Over-length questions stay so on resuming, and are asked again on demand."""
    plan = planned(small_dataset(tmp_path / "data"), ONE)
    run = run_of(plan, tmp_path)
    collected(plan, run, Scripted(by_key, window=60))
    larger = Scripted(replying("<answer>1</answer>"), window=10**6)
    assert collected(plan, run, larger).done == 0
    assert collected(plan, run, larger, retry_missing=True).done == 12
    assert {cell.status for cell in cells(run, tmp_path / "data")} <= {"wrong", "unparsed"}


def test_uncounted_tokens_cost_what_they_are_estimated_at() -> None:
    """A server that counts no tokens does not make a run free of charge."""
    plan_setting = make_setting(model="openai/one", price={"input": 3e6, "output": 3e6})
    request = Request(
        key="k", task_id="t", setting=plan_setting, repeat=0, prompt="x" * 30, prompt_sha="", seed=0
    )
    tally = Tally()
    tally.count(request, Reply(outcome="answered", text="y" * 9, reasoning="z" * 6))
    assert tally.spent == 3 * (10 + 5)
