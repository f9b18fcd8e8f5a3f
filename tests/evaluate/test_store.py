"""A run's folder keeps every reply through whatever befalls it, or says what is wrong with it."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builder.verdicts import admitted
from tests.evaluate.scripted import planned, small_dataset, write_cases

from deskcheck.evaluate.plan import Plan
from deskcheck.evaluate.requests import OUTCOMES, Reply, Request
from deskcheck.evaluate.settings import make_setting
from deskcheck.evaluate.store import RunFolder, RunWriter, begin, locate_run
from deskcheck.oracles.errors import RunError

ONE = make_setting(model="openai/one")


def begun(folder: Path, **changes: object) -> tuple[Plan, Path]:
    plan = planned(small_dataset(folder / "data"), make_setting(model="openai/one", **changes))
    return plan, begin(folder / "runs", plan, "one")


def requests(plan: Plan) -> list[Request]:
    return [plan.request(each) for each in plan]


def store(run: Path, request: Request, reply: Reply) -> None:
    with RunWriter(run) as writer:
        writer.append(request, reply, rendered_sha="00", seconds=0.25)


def counting(run: Path) -> dict[str, Reply]:
    folder = RunFolder(run)
    return {key: folder.read(held.offset).reply for key, held in folder.index().items()}


texts = st.text(st.characters(codec=None)) | st.sampled_from(["\ud800", "\0", "\r\n", "\u2028"])
replies = st.builds(
    Reply,
    outcome=st.sampled_from(OUTCOMES),
    text=texts,
    reasoning=st.none() | texts,
    finish_reason=texts,
    prompt_tokens=st.none() | st.integers(0, 2**70),
    error=texts,
    token_ids=st.none() | st.lists(st.integers(0, 10**6)).map(tuple),
    facts=st.dictionaries(texts, st.integers() | st.floats(allow_nan=False) | texts),
)


with tempfile.TemporaryDirectory() as place:
    PLAN, RUN = begun(Path(place))
    REQUESTS = requests(PLAN)
    BEGUN = {path.name: path.read_bytes() for path in RUN.iterdir()}
    with RunWriter(RUN) as whole:
        for number, asked in enumerate(REQUESTS[:4]):
            odd = Reply(
                outcome="answered", text=f"reply {number}\r\n\udc80\0é", facts={"n": number}
            )
            whole.append(asked, odd, rendered_sha="ab", seconds=number)
    WHOLE = (RUN / "responses.jsonl").read_bytes()


def again(folder: Path, responses: bytes) -> Path:
    for name, content in BEGUN.items():
        (folder / name).write_bytes(content)
    (folder / "responses.jsonl").write_bytes(responses)
    return folder


@given(replies)
def test_a_reply_comes_back_as_it_was(reply: Reply) -> None:
    """Whatever text, numbers and facts a reply has, it is read as it was stored."""
    with tempfile.TemporaryDirectory() as folder:
        run = again(Path(folder), b"")
        store(run, REQUESTS[0], reply)
        assert counting(run) == {REQUESTS[0].key: reply}


def test_facts_of_any_depth_are_stored(tmp_path: Path) -> None:
    """What a server nests hundreds of levels deep is kept as it came, and stops no run."""
    _, run = begun(tmp_path)
    calls = json.loads("[" * 700 + "]" * 700)
    store(run, REQUESTS[0], Reply(outcome="answered", facts={"tool_calls": calls}))
    (reply,) = counting(run).values()
    assert json.dumps(reply.facts) == json.dumps({"tool_calls": calls})


@given(st.integers(0, len(WHOLE)))
@settings(max_examples=60)
def test_a_cut_at_any_byte_loses_at_most_the_last_reply(size: int) -> None:
    """Every reply whose line is whole stays, and going on gives what an undisturbed run has."""
    with tempfile.TemporaryDirectory() as folder:
        run = again(Path(folder), WHOLE[:size])
        kept = WHOLE[:size].count(b"\n")
        assert list(counting(run)) == [request.key for request in REQUESTS[:kept]]
        for request in REQUESTS[kept:4]:
            store(run, request, Reply(outcome="answered", text="again"))
        assert list(counting(run)) == [request.key for request in REQUESTS[:4]]
        assert (
            (run / "responses.jsonl")
            .read_bytes()
            .startswith(WHOLE[:size][: WHOLE[:size].rfind(b"\n") + 1])
        )


@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255))
@settings(max_examples=60)
def test_a_damaged_reply_is_lost_alone_and_counted(position: int, flip: int) -> None:
    """A changed byte costs the replies of its line, never changes one, and is told."""
    damaged = bytearray(WHOLE)
    damaged[position] ^= flip
    with tempfile.TemporaryDirectory() as folder:
        run = RunFolder(again(Path(folder), bytes(damaged)))
        found = [stored.reply.text for _, stored in run.placed()]
        assert set(found) <= {f"reply {number}\r\n\udc80\0é" for number in range(4)}
        assert len(found) >= 2
        if damaged.endswith(b"\n"):
            assert run.damaged >= 1


def test_one_process_at_a_time_holds_a_run(tmp_path: Path) -> None:
    """A second writer is told who holds the run; after kill -9 the run is free and complete."""
    plan, run = begun(tmp_path)
    code = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from deskcheck.builder.dataset import read_dataset\n"
        "from deskcheck.evaluate.plan import Plan\n"
        "from deskcheck.evaluate.requests import Reply\n"
        "from deskcheck.evaluate.store import RunFolder, RunWriter\n"
        "run = Path(sys.argv[1])\n"
        "plan = Plan(RunFolder(run).config, read_dataset(Path(sys.argv[2])))\n"
        "with RunWriter(run) as writer:\n"
        "    for each in plan:\n"
        "        reply = Reply(outcome='answered', text='x' * 1000)\n"
        "        writer.append(plan.request(each), reply, rendered_sha='', seconds=0)\n"
        "        print('stored', flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(run), plan.config.dataset_path],
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        for _ in range(5):
            assert holder.stdout.readline() == "stored\n"
        with pytest.raises(RunError, match=rf"is running as process {holder.pid} on \S+;"):
            RunWriter(run)
        holder.send_signal(signal.SIGKILL)
        reported = 5 + len(holder.stdout.read().splitlines())
    with RunWriter(run):
        assert len(counting(run)) >= reported


def test_the_first_reply_that_came_back_counts(tmp_path: Path) -> None:
    """A missing reply gives way to a later one; an answer, right or wrong, to none."""
    plan, run = begun(tmp_path)
    request = requests(plan)[0]
    story = ["no_response", "engine_error", "answered", "answered", "no_response"]
    for number, outcome in enumerate(story):
        store(run, request, Reply(outcome=outcome, text=str(number)))  # type: ignore[arg-type]
    assert counting(run)[request.key].text == "2"
    assert len(list(RunFolder(run).placed())) == len(story)


def test_the_same_plan_is_the_same_run(tmp_path: Path) -> None:
    """Begun again it goes on in its folder; with `fresh` another folder stands beside it."""
    plan, run = begun(tmp_path)
    assert begin(tmp_path / "runs", plan, "one") == run
    other = begin(tmp_path / "runs", plan, "one", fresh=True)
    assert other != run
    assert RunFolder(other).config == RunFolder(run).config == plan.config


def test_the_newest_of_many_runs_of_one_plan_goes_on(tmp_path: Path) -> None:
    """After the ninth comes the tenth, also where names are put in order."""
    plan, newest = begun(tmp_path)
    for _ in range(10):
        newest = begin(tmp_path / "runs", plan, "one", fresh=True)
    assert newest.name.endswith("-11")
    assert begin(tmp_path / "runs", plan, "one") == newest


def test_two_that_begin_a_run_at_once_share_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes second goes on with the run of the first, or waits for its lock."""
    plan = planned(small_dataset(tmp_path / "data"), ONE)
    rename = Path.rename

    def after_another(path: Path, target: Path) -> Path:
        shutil.copytree(path, target)
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", after_another)
    begun_too = begin(tmp_path / "runs", plan, "one")
    assert [begun_too] == list((tmp_path / "runs").iterdir())


def test_a_password_in_a_base_url_is_in_no_file(tmp_path: Path) -> None:
    """The plan has the server's address, without the name and password that go with it."""
    _, run = begun(tmp_path, base_urls=["https://me:s3cr%40et@host.example:8000/v1"])
    assert not [file for file in run.iterdir() if b"s3cr" in file.read_bytes()]
    assert RunFolder(run).config.settings[0].base_urls == ("https://host.example:8000/v1",)


@pytest.mark.parametrize("name", ["LOCK", "responses.jsonl", "log.jsonl"])
def test_a_run_that_cannot_be_written_is_one_clear_line(tmp_path: Path, name: str) -> None:
    """A file that cannot be opened, here since a folder stands in its place, is named."""
    _, run = begun(tmp_path)
    (run / name).mkdir()
    with pytest.raises(RunError, match=r"cannot write to .*: Is a directory"), RunWriter(run) as it:
        it.log("session")


def test_how_a_run_is_carried_out_is_no_part_of_it(tmp_path: Path) -> None:
    """Servers, concurrency and prices may change without another run coming of it."""
    _, run = begun(tmp_path)
    changed = make_setting(
        model="openai/one",
        concurrency=9,
        base_urls=["http://localhost:1"],
        price={"input": 1.0, "output": 2.0},
    )
    plan = planned(tmp_path / "data", changed)
    assert begin(tmp_path / "runs", plan, "one") == run


@pytest.mark.parametrize(
    "change",
    [
        {"max_tokens": 99},
        {"sampling": {"temperature": 0.5}},
        {"reasoning": "high"},
        {"engine": {"dtype": "float32"}},
        {"model": "openai/other"},
        {"send_seed": False},
        {"request": {"top_k": 3}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_no_reply_is_served_to_another_setting(tmp_path: Path, change: dict[str, object]) -> None:
    """What may change an answer changes every request's key, and the run."""
    before, _ = begun(tmp_path)
    changed = make_setting(**{"model": "openai/one", "name": "one", **change})
    after = planned(tmp_path / "data", changed)
    assert {each.key for each in requests(before)}.isdisjoint(map(key, requests(after)))
    assert before.config.id != after.config.id


def key(request: Request) -> str:
    return request.key


def test_another_template_seed_or_dataset_is_another_run(tmp_path: Path) -> None:
    """The prompt's text, the run's seed and the dataset's rows are parts of the identity."""
    plan, _ = begun(tmp_path)
    own = tmp_path / "own"
    own.mkdir()
    (own / "final.j2").write_text("{{ source }}{{ stdin }}<{{ tag }}>")
    template = planned(tmp_path / "data", make_setting(model="openai/one", template=str(own)))
    seed = planned(tmp_path / "data", ONE, seed=1)
    more = planned(small_dataset(tmp_path / "more", cases=4), ONE)
    assert len({each.config.id for each in (plan, template, seed, more)}) == 4
    assert set(map(key, requests(plan))).isdisjoint(map(key, requests(seed)))
    final = [each for each in template if not each.task.fields]
    assert {template.request(each).key for each in final}.isdisjoint(map(key, requests(plan)))


def test_a_run_on_another_dataset_is_refused(tmp_path: Path) -> None:
    """A plan is never carried on with other rows than it was made for."""
    _, run = begun(tmp_path)
    from deskcheck.builder.dataset import read_dataset

    other = write_cases(tmp_path / "other", [admitted("other")])
    with pytest.raises(RunError, match=r"planned on dataset \w+, and this is"):
        Plan(RunFolder(run).config, read_dataset(other))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda text: text[:50], "is damaged: it is not JSON"),
        (lambda text: text.replace("one", "\xff"), "is damaged: it is not JSON"),
        (lambda _: "[" * 100_000, "is damaged: it is not JSON"),
        (lambda text: text.replace('"seed": 0', '"seed": 1'), "its id does not follow"),
        (lambda text: text.replace('"format": 1', '"format": 9'), "is of format 9"),
        (lambda text: json.dumps(["no", "run"]), "is damaged, or of another version"),
        (lambda text: text.replace('"repeats": 1', '"repeats": 0'), "damaged, or of another"),
    ],
)
def test_a_damaged_plan_is_one_clear_line(tmp_path: Path, damage, said: str) -> None:  # type: ignore[no-untyped-def]
    """What no longer says what was planned is named, and nothing is made of it."""
    _, run = begun(tmp_path)
    text = damage((run / "run.json").read_text())
    (run / "run.json").write_text(text, encoding="latin-1")
    with pytest.raises(RunError, match=said) as error:
        RunFolder(run)
    assert "\n" not in str(error.value)


def test_every_prompt_is_written_down_with_its_hash(tmp_path: Path) -> None:
    """prompts.jsonl has each prompt once, under the hash that its requests carry."""
    plan, run = begun(tmp_path, repeats=2)
    rows = [json.loads(line) for line in (run / "prompts.jsonl").read_text().splitlines()]
    asked = {(each.task_id, each.prompt_sha, each.prompt) for each in requests(plan)}
    assert {(row["task_id"], row["sha256"], row["prompt"]) for row in rows} == asked
    assert len(rows) == len(asked) == 12


def test_the_one_run_in_a_folder_is_found(tmp_path: Path) -> None:
    """A folder stands for its only run; none or several are an error that says so."""
    plan, run = begun(tmp_path)
    assert locate_run(tmp_path / "runs") == locate_run(run) == run
    begin(tmp_path / "runs", plan, "one", fresh=True)
    with pytest.raises(RunError, match="2 runs in"):
        locate_run(tmp_path / "runs")
    with pytest.raises(RunError, match="no run at"):
        locate_run(tmp_path / "nowhere")


@pytest.mark.slow
def test_a_full_disk_is_said_and_leaves_whole_replies(tmp_path: Path) -> None:
    """A reply that does not fit is an error of one line, and nothing of it stays."""
    plan, run = begun(tmp_path)
    first, second = requests(plan)[:2]
    store(run, first, Reply(outcome="answered", text="kept"))
    code = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from tests.evaluate.test_store import planned, requests, store, ONE\n"
        "from deskcheck.evaluate.requests import Reply\n"
        "from deskcheck.oracles.errors import RunError\n"
        "run = Path(sys.argv[1])\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "limit = (run / 'responses.jsonl').stat().st_size + 100\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))\n"
        "request = requests(planned(Path(sys.argv[2]), ONE))[1]\n"
        "try:\n"
        "    store(run, request, Reply(outcome='answered', text='x' * 1000))\n"
        "except RunError as error:\n"
        "    print(error)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, str(run), str(tmp_path / "data")],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        timeout=60,
    )
    assert ended.stdout.startswith("cannot write to ")
    assert list(counting(run)) == [first.key] != [second.key]
