"""Floors: each answers by its rule, from nothing that it may not know, in the right envelope."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from tests.builder.verdicts import admitted

from deskcheck.builder.admission import judge
from deskcheck.builder.cases import ARMS, Admitted, Answer, Arm, Task
from deskcheck.builder.contents import Build
from deskcheck.builder.dataset import read_answers, read_dataset, write_dataset
from deskcheck.builder.languages.python import PythonLanguage
from deskcheck.builder.parameters import Parameters
from deskcheck.evaluate.backends import Backend, BackendSpec
from deskcheck.evaluate.backends.baseline import FLOORS, BaselineBackend
from deskcheck.evaluate.backends.registry import make_backend
from deskcheck.evaluate.extraction import extract
from deskcheck.evaluate.requests import Reply, Request, make_request
from deskcheck.evaluate.settings import Setting
from deskcheck.oracles.checkpoints import Field
from deskcheck.oracles.errors import BackendError
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.python import PythonRuntime, find_interpreter
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.pools import Candidate, Input, Provenance

pytestmark = pytest.mark.xdist_group("baseline")  # one worker makes what all of these share

TAG = "answer"

RECURSIVE = """\
n = int(input())


def visit(depth):
    total = depth
    for i in range(3 * n if depth == 1 else n):
        MARK
        if depth and i % 4 == 3:
            total += visit(depth - 1)
        total = (total * 7 + i * n) % 1009
    return total


print(visit(2))
"""

GENERATORS = """\
from itertools import zip_longest

n = int(input())


def ticks(level, n):
    for i in range(n):
        MARK
        level = (level * 5 + i) % 1013
        yield level


print(sum(a * b for a, b in zip_longest(ticks(1, n), ticks(2, n + 5), fillvalue=3)))
"""

PROGRAMS = {"recursive": (RECURSIVE, "4\n", "12\n"), "generators": (GENERATORS, "4\n", "24\n")}
"""Programs with a mark at the start of a loop's body; a short and a long input."""

BOUND_LATER = """\
# {name}
for i in range(int(input())):
    total = total * 3 % 101 if i else 5
print(total)
"""


def write(folder: Path, verdicts: Sequence[Admitted]) -> Path:
    write_dataset(folder, Build(name="t", config={}, toolchain={}, answer_tag=TAG), verdicts)
    return folder


def request(task: Task, floor: str) -> Request:
    setting = Setting(name="floor", model=f"baseline/{floor}")
    return make_request(task_id=task.id, setting=setting, repeat=0, prompt="?", run_seed=0)


def replies(folder: Path, floor: str, **engine: Any) -> dict[tuple[str, Arm], Reply]:
    """Each reply of a floor, all tasks asked at once."""
    tasks = read_dataset(folder).tasks

    async def ask() -> dict[tuple[str, Arm], Reply]:
        backend = BaselineBackend(BackendSpec(model=floor, dataset=folder, engine=engine))
        await backend.open()
        asked = [task for task in tasks if task.arm in backend.arms]
        try:
            got = await asyncio.gather(*(backend.answer(request(task, floor)) for task in asked))
        finally:
            await backend.close()
        return {
            (task.candidate.partition("/")[2], task.arm): reply
            for task, reply in zip(asked, got, strict=True)
        }

    return asyncio.run(ask())


def inner(reply: Reply) -> str:
    """What a reply's tags enclose."""
    assert reply.outcome == "answered", reply.error
    assert reply.text.startswith(f"<{TAG}>\n"), reply
    assert reply.text.endswith(f"\n</{TAG}>"), reply
    return reply.text.removeprefix(f"<{TAG}>\n").removesuffix(f"\n</{TAG}>")


def answering(name: str, *answers: str, **more: Any) -> Admitted:
    """A case with these four answers."""
    return admitted(name, answers=(answers[0], answers[1], answers[2], answers[3]), **more)


CASES = [
    answering("a", "yes\n", "no\n", '{"total":3}', '{"total":4}'),
    answering("b", "yes", "no\n", '{"total":3}', '{"total":5}'),
    answering("c", "no\n", "no \n", '{"total":7}', '{"total":5}'),
    answering("d", "no\n", "maybe\n", '{"total":7}', '{"total":-0.0}'),
]
"""Hand-made answers for programs that run; `a` to `d` are of one study."""


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("hand") / "made", CASES)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """PROGRAMS, really admitted."""
    parameters = Parameters(repeats=1)
    verdicts: list[Admitted] = []
    with Sandbox() as sandbox:
        runtime = PythonRuntime(sandbox, find_interpreter(), parameters.limits())
        for name, (template, *inputs) in PROGRAMS.items():
            verdict = judge(
                Candidate(
                    id=f"test/{name}",
                    pool="test",
                    study="test-python",
                    program=Program(language="python", source=clean(template).encode()),
                    provenance=Provenance(licence="CC0-1.0", author="tests", origin=name),
                    inputs=tuple(Input(name=text, data=text.encode()) for text in inputs),
                ),
                {"python": PythonLanguage(runtime)},
                parameters,
            )
            assert isinstance(verdict, Admitted), verdict
            verdicts.append(verdict)
    return write(tmp_path_factory.mktemp("programs") / "made", verdicts)


def clean(template: str) -> str:
    return "".join(line for line in template.splitlines(True) if line.strip() != "MARK")


def noted(template: str, line: str) -> list[tuple[FrameType, dict[str, Any]]]:
    """The frame and its variables at each visit of the marked body, in this very process."""
    notes: list[tuple[FrameType, dict[str, Any]]] = []

    def note() -> None:
        frame = sys._getframe(1)
        notes.append((frame, dict(frame.f_locals)))

    names = {"note": note, "input": lambda: line, "print": lambda _: None}
    exec(compile(template.replace("MARK", "note()"), "template", "exec"), names)
    return notes


@pytest.mark.parametrize("name", ["recursive", "generators"])
def test_the_entry_is_that_of_the_selected_activation(programs: Path, name: str) -> None:
    """Where activations of a loop take turns, both arms get the first state of the right one."""
    (case,) = [each for each in read_dataset(programs).cases if each.candidate == f"test/{name}"]
    assert all(field.name == field.expression for field in case.fields)
    template, _, long = PROGRAMS[name]
    notes = noted(template, long)
    frame, inside = notes[case.inside_visit - 1]
    of_activation = [(at, state) for at, (each, state) in enumerate(notes) if each is frame]
    first_visit, entry = of_activation[0]
    assert of_activation[case.iteration - 1][0] == case.inside_visit - 1
    assert first_visit > 0
    assert case.inside_visit - first_visit > case.iteration, "others come in between"
    got = replies(programs, "loop-entry")
    tasks = read_dataset(programs).tasks_of(case.id)
    truth = json.loads(read_answers(programs)[tasks["inside-loop-state"].id].text)
    assert truth == {field.name: inside[field.name] for field in case.fields}
    for arm in FLOORS["loop-entry"].arms:
        given = json.loads(inner(got[name, arm]))
        assert list(given) == [field.name for field in case.fields]
        assert given == {field.name: entry[field.name] for field in case.fields}


def test_a_state_that_is_not_there_yet_is_not_given(tmp_path: Path) -> None:
    """A variable that the first iteration binds has no value at entry, so the floor abstains."""
    folder = write(tmp_path / "made", [admitted("later", clean=BOUND_LATER)])
    for reply in replies(folder, "loop-entry").values():
        assert (reply.outcome, reply.text) == ("answered", "")
        assert reply.facts == {"abstained": "the fields cannot be shown at the loop's entry"}


def test_a_case_that_is_not_found_again_is_not_answered(tmp_path: Path) -> None:
    """Another loop, visit or language than the program's gives no answer, and no error."""
    changes: dict[str, dict[str, Any]] = {
        "offset": {"loop_offset": 1},
        "visit": {"inside_visit": 10},
        "end": {"post_visit": 2},
        "language": {"language": "cpp"},
    }
    made = {name: admitted(name) for name in changes}
    changed = [
        replace(made[name], case=replace(made[name].case, **change))
        for name, change in changes.items()
    ]
    got = replies(write(tmp_path / "made", changed), "loop-entry")
    assert len(got) == 8
    for reply in got.values():
        assert (reply.outcome, reply.text) == ("answered", "")
        assert reply.facts["abstained"]


def test_a_sandbox_that_fails_is_an_engine_error(by_hand: Path, tmp_path: Path) -> None:
    """The reply says what failed, and asking again is another attempt."""
    python = tmp_path / "python"
    python.symlink_to(find_interpreter().executable)
    task = next(each for each in read_dataset(by_hand).tasks if each.arm == "post-loop-state")

    async def ask() -> list[Reply]:
        spec = BackendSpec(model="loop-entry", dataset=by_hand, engine={"python": str(python)})
        backend = BaselineBackend(spec)
        await backend.open()
        try:
            python.unlink()
            failed = await backend.answer(request(task, "loop-entry"))
            python.symlink_to(find_interpreter().executable)
            return [failed, await backend.answer(request(task, "loop-entry"))]
        finally:
            await backend.close()

    failed, again = asyncio.run(ask())
    assert (failed.outcome, failed.text) == ("engine_error", "")
    assert str(python) in failed.error
    assert inner(again) == '{"total":0}'


def test_whoever_stops_waiting_takes_the_state_from_nobody(by_hand: Path) -> None:
    """Two arms wait for one run; the second gets its answer though the first is cancelled."""
    tasks = read_dataset(by_hand).tasks_of(read_dataset(by_hand).cases[0].id)

    async def ask() -> Reply:
        backend = BaselineBackend(BackendSpec(model="loop-entry", dataset=by_hand))
        await backend.open()
        try:
            first, second = (
                asyncio.create_task(backend.answer(request(tasks[arm], "loop-entry")))
                for arm in backend.arms
            )
            await asyncio.sleep(0)
            first.cancel()
            return await second
        finally:
            await backend.close()

    assert inner(asyncio.run(ask())) == '{"total":0}'


def test_the_short_output_is_given_for_the_long_one(by_hand: Path) -> None:
    """Whatever the short arm's answer is, it is the long arm's, and no other arm has one."""
    got = replies(by_hand, "short-output")
    assert {key: inner(reply) for key, reply in got.items()} == {
        ("a", "long-trace-final"): "yes",
        ("b", "long-trace-final"): "yes",
        ("c", "long-trace-final"): "no",
        ("d", "long-trace-final"): "no",
    }


def test_the_last_literal_is_given_for_both_outputs(tmp_path: Path) -> None:
    """It is read from the clean source; a source that prints none is left unanswered."""
    source = "# {name}\nfor i in []: pass\nprint('YES' if i else 'NO')\nprint(i)\n"
    folder = write(tmp_path / "made", [admitted("one", clean=source), admitted("none")])
    got = replies(folder, "last-literal")
    for arm in FLOORS["last-literal"].arms:
        assert inner(got["one", arm]) == "NO"
        assert got["none", arm].text == ""
        assert got["none", arm].facts == {"abstained": "the source prints no literal"}


def test_the_commonest_answer_is_that_of_the_other_cases(by_hand: Path) -> None:
    """A case's own answers do not count; what the rule does not tell apart counts as one."""
    got = {key: inner(reply) for key, reply in replies(by_hand, "commonest-constant").items()}
    of_short = {name: got[name, "short-trace-final"] for name in "abcd"}
    # Without `a` there are one yes and two no, and so on.
    assert of_short == {"a": "no", "b": "no", "c": "yes", "d": "yes"}
    assert {got[name, "long-trace-final"] for name in "abcd"} == {"no"}
    of_inside = {name: got[name, "inside-loop-state"] for name in "abcd"}
    seven, three = '{"total":7}', '{"total":3}'
    assert of_inside == {"a": seven, "b": seven, "c": three, "d": three}
    # Nothing occurs twice without `b` or `c`, so the text that comes first is taken.
    of_post = {name: got[name, "post-loop-state"] for name in "abcd"}
    five, zero = '{"total":5}', '{"total":-0.0}'
    assert of_post == {"a": five, "b": zero, "c": zero, "d": five}


def test_a_field_takes_the_value_of_fields_written_like_it(tmp_path: Path) -> None:
    """Same name and expression first, then the same form of expression, then any field."""
    names = ["kept", "queue", "seen", "other"]
    shown = {name: Field(name=name, expression=f"sorted({name})") for name in names}
    plain = {name: Field(name=name, expression=name) for name in names}

    def case(name: str, state: str, *fields: Field) -> Admitted:
        return answering(name, f"{name}\n", f"{name}\n", state, state, fields=fields)

    folder = write(
        tmp_path / "made",
        [
            case("a", '{"kept":5,"other":5}', plain["kept"], plain["other"]),
            case("b", '{"kept":5,"other":0}', plain["kept"], plain["other"]),
            case("c", '{"queue":[],"other":0}', shown["queue"], plain["other"]),
            case("d", '{"seen":[],"other":0}', shown["seen"], plain["other"]),
            case("e", '{"kept":9,"other":[1]}', plain["kept"], shown["other"]),
            case("f", '{"queue":"x"}', Field(name="queue", expression="str(queue)")),
        ],
    )
    got = replies(folder, "commonest-constant")
    assert inner(got["e", "post-loop-state"]) == '{"kept":5,"other":[]}'
    assert inner(got["f", "post-loop-state"]) == '{"queue":0}'


def test_a_study_of_one_case_has_no_commonest_answer(tmp_path: Path) -> None:
    """Answers of another study say nothing, so the floor abstains in all four arms."""
    folder = write(tmp_path / "made", [admitted("a"), admitted("b", study="other-python")])
    got = replies(folder, "commonest-constant")
    assert [reply.text for reply in got.values()] == [""] * 8
    assert all(reply.facts["abstained"] for reply in got.values())


def test_the_short_output_depends_on_no_other_answer(by_hand: Path, tmp_path: Path) -> None:
    """Every answer but those of the short arm may be anything, the graded one among them."""
    changed = [with_other_answers(verdict, ARMS[1:]) for verdict in CASES]
    folder = write(tmp_path / "changed", changed)
    assert replies(folder, "short-output") == replies(by_hand, "short-output")


@pytest.mark.parametrize("at", range(len(CASES)))
def test_the_commonest_answer_depends_on_no_answer_of_its_case(
    by_hand: Path, tmp_path: Path, at: int
) -> None:
    """All four answers of one case may be anything: its own replies stay, others may change."""
    changed = [*CASES[:at], with_other_answers(CASES[at], ARMS), *CASES[at + 1 :]]
    before = replies(by_hand, "commonest-constant")
    after = replies(write(tmp_path / "changed", changed), "commonest-constant")
    own = [key for key in before if key[0] == "abcd"[at]]
    assert [after[key] for key in own] == [before[key] for key in own]
    assert before != after


def with_other_answers(verdict: Admitted, arms: Sequence[Arm]) -> Admitted:
    other = {True: '{"total":7}', False: "yes\n"}
    return replace(
        verdict,
        answers=tuple(
            Answer(task_id=task.id, text=other[bool(task.fields)]) if task.arm in arms else answer
            for task, answer in zip(verdict.tasks, verdict.answers, strict=True)
        ),
    )


@pytest.mark.parametrize("floor", ["last-literal", "loop-entry"])
def test_what_needs_no_answers_reads_none(tmp_path: Path, floor: str) -> None:
    """Source and loop are enough: there are replies where the answers are gone."""
    clean = "# {name}\ntotal = 0\nfor i in range(int(input())):\n    total += i\nprint(0, total)\n"
    folder = write(tmp_path / "made", [admitted("one", clean=clean)])
    shutil.rmtree(folder / "oracles")
    got = [inner(reply) for reply in replies(folder, floor).values()]
    assert got == ["0" if floor == "last-literal" else '{"total":0}'] * 2


@pytest.mark.parametrize("floor", FLOORS)
def test_every_reply_follows_the_response_contract(programs: Path, floor: str) -> None:
    """To the letter: one pair of tags, and in a state arm one object with the fields in order."""
    tasks = {(each.candidate, each.arm): each for each in read_dataset(programs).tasks}
    answered = 0
    for (name, arm), reply in replies(programs, floor).items():
        assert reply.outcome == "answered"
        if not reply.text:
            assert reply.facts["abstained"]
            continue
        fields = [field.name for field in tasks[f"test/{name}", arm].fields]
        found = extract(reply.text, TAG, fields)
        assert (found.rule, found.answers) == ("envelope", 1)
        assert all(reading.to_the_letter for reading in found.readings)
        answered += 1
    assert answered or floor == "last-literal"


@pytest.mark.parametrize("floor", FLOORS)
def test_only_the_arms_that_it_names_are_answered(by_hand: Path, floor: str) -> None:
    """Another arm, or a task of another dataset, is an error of its own that names the thing."""

    async def ask() -> Iterator[tuple[Task, Reply]]:
        backend = make_backend("baseline", BackendSpec(model=floor, dataset=by_hand))
        assert isinstance(backend, Backend)
        assert not backend.exclusive
        await backend.open()
        try:
            tasks = read_dataset(by_hand).tasks[:4]
            unknown = replace(tasks[0], id="0" * 64)
            got = [await backend.answer(request(each, floor)) for each in (*tasks, unknown)]
            return zip((*tasks, unknown), got, strict=True)
        finally:
            await backend.close()

    for task, reply in asyncio.run(ask()):
        known = task.arm in FLOORS[floor].arms and task.id != "0" * 64
        assert reply.outcome == ("answered" if known else "engine_error")
        assert known or "baseline" in reply.error


def test_a_reasoning_mode_makes_no_difference_to_a_floor(by_hand: Path) -> None:
    """The prompt is rendered alike under every mode, without a token."""

    async def ask(setting: Setting) -> Any:
        backend = BaselineBackend(BackendSpec(model="short-output", dataset=by_hand))
        await backend.open()
        return await backend.render("prompt", setting)

    plain, high = (
        asyncio.run(ask(Setting(name="s", model="baseline/short-output", reasoning=mode)))
        for mode in ("default", "high")
    )
    assert plain == high
    assert (plain.text, plain.tokens) == ("prompt", 0)


def test_opening_says_what_the_floor_does(by_hand: Path) -> None:
    """The record gets the rule in one line and the dataset's id; closing twice does no harm."""

    async def ask(floor: str) -> dict[str, Any]:
        backend = BaselineBackend(BackendSpec(model=floor, dataset=by_hand))
        facts = await backend.open()
        await backend.close()
        await backend.close()
        return dict(facts)

    for floor in FLOORS:
        facts = asyncio.run(ask(floor))
        assert facts["dataset"] == read_dataset(by_hand).manifest.id
        assert facts["rule"]
        assert "\n" not in json.loads(json.dumps(facts))["rule"]


def tagless(folder: Path) -> Path:
    write_dataset(folder, Build(name="t", config={}, toolchain={}), CASES[:1])
    return folder


@pytest.mark.parametrize(
    ("dataset", "said"),
    [
        (lambda _: None, "none is given"),
        (lambda folder: folder / "nothing", "no dataset at"),
        (lambda folder: tagless(folder / "tagless"), "declares no answer tag"),
    ],
)
def test_without_a_dataset_there_is_no_floor(
    tmp_path: Path, dataset: Callable[[Path], Path | None], said: str
) -> None:
    """A missing or unusable one is a known error at opening, and closing is safe after it."""

    async def ask() -> None:
        backend = BaselineBackend(BackendSpec(model="loop-entry", dataset=dataset(tmp_path)))
        try:
            await backend.open()
        finally:
            await backend.close()

    with pytest.raises(BackendError, match=said):
        asyncio.run(ask())


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (BackendSpec(model="median"), "no floor 'median'.*baseline/commonest-constant"),
        (BackendSpec(model="short-output", engine={"dtype": "x"}), "no argument 'dtype'.*none"),
        (BackendSpec(model="loop-entry", engine={"dtype": "x"}), "'dtype'.*allow_unisolated"),
        (BackendSpec(model="loop-entry", engine={"allow_unisolated": "yes"}), "is 'yes'.*bool"),
    ],
)
def test_an_unknown_floor_or_argument_is_told_at_once(spec: BackendSpec, said: str) -> None:
    """The error names what was given, and what there is."""
    with pytest.raises(BackendError, match=said):
        BaselineBackend(spec)


def test_an_interpreter_that_is_none_is_told_at_opening(by_hand: Path) -> None:
    """It is a known error of the backend, before any task is asked."""
    spec = BackendSpec(model="loop-entry", dataset=by_hand, engine={"python": "/bin/cat"})
    with pytest.raises(BackendError, match="/bin/cat"):
        asyncio.run(BaselineBackend(spec).open())
