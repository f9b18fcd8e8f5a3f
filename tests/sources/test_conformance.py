"""The contract of a pool: kept by the built-in ones, and each breach is found and named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest

from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.programs import Program
from deskcheck.sources.conformance import check_pool
from deskcheck.sources.pools import (
    Candidate,
    Input,
    PoolInfo,
    PoolOptions,
    Provenance,
    Unusable,
)
from deskcheck.sources.registry import load_pool

GOOD = Candidate(
    id="mine/echo",
    pool="mine",
    study="mine-python",
    program=Program(language="python", source=b"print(input())\n"),
    provenance=Provenance(licence="MIT", author="A. Author", origin="echo"),
    inputs=(Input(name="a", data=b"1\n"), Input(name="b", data=b"2\n", listed_output=b"2\n")),
)
LEFT_OUT = Unusable(
    id="mine/blob", pool="mine", study="mine-python", check="not_utf8", detail="byte 3 is 0xff"
)
INFO = PoolInfo(name="mine", title="Mine", description="Two programs.")


@dataclass
class Fake:
    """A pool of what it is given; `read` makes the candidates of one reading."""

    read: Callable[[], list[Any]]
    told: PoolInfo = INFO
    refuses: bool = True

    def info(self) -> PoolInfo:
        return self.told

    def candidates(self, options: PoolOptions) -> Iterator[Candidate | Unusable]:
        if self.refuses and options.options:
            raise PoolError(f"unknown options {sorted(options.options)}")
        return iter(self.read())


def names(pool: Fake) -> list[str]:
    return [problem.name for problem in check_pool(pool, PoolOptions())]


def test_a_sound_pool_has_no_problem() -> None:
    """A pool that keeps the contract passes every check."""
    assert check_pool(Fake(lambda: [GOOD, LEFT_OUT]), PoolOptions()) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"id": "mine/a b"}, "malformed_id"),
        ({"id": "mine/a:b"}, "malformed_id"),
        ({"id": "mine/a\x07"}, "malformed_id"),
        ({"id": "mine/../x"}, "malformed_id"),
        ({"id": "mine/"}, "malformed_id"),
        ({"id": "echo"}, "malformed_id"),
        ({"id": "other/echo"}, "malformed_id"),
        ({"pool": "other"}, "wrong_pool"),
        ({"study": " "}, "empty_study"),
        ({"provenance": replace(GOOD.provenance, licence="")}, "provenance_incomplete"),
        ({"provenance": replace(GOOD.provenance, author="")}, "provenance_incomplete"),
        ({"provenance": replace(GOOD.provenance, origin=" ")}, "provenance_incomplete"),
        ({"program": Program(language="python", source=b" \n")}, "empty_source"),
        ({"inputs": GOOD.inputs[:1]}, "too_few_inputs"),
        ({"inputs": (Input(name="a", data=b""), Input(name="b", data=b""))}, "equal_inputs"),
        ({"inputs": (Input(name="a", data=b""), Input(name="a", data=b"1"))}, "input_names"),
        ({"tags": {"difficulty": 1.5}}, "malformed"),
        ({"inputs": (Input(name="a", data=cast("bytes", "text")),)}, "malformed"),
    ],
)
def test_a_breach_is_named(changes: dict[str, Any], expected: str) -> None:
    """One thing wrong with one candidate gives exactly the problem of that name."""
    assert names(Fake(lambda: [replace(GOOD, **changes)])) == [expected]


def test_the_same_id_twice_is_found() -> None:
    """Ids are unique, those of left-out programs included."""
    pool = Fake(lambda: [GOOD, replace(LEFT_OUT, id=GOOD.id)])
    assert names(pool) == ["duplicate_id"]


def test_a_left_out_program_needs_a_reason() -> None:
    """`Unusable` says which check failed and how."""
    assert names(Fake(lambda: [replace(LEFT_OUT, check="", detail="")])) == [
        "unexplained_unusable",
        "unexplained_unusable",
    ]


def test_an_empty_pool_is_a_problem() -> None:
    """A pool without programs shows nothing."""
    assert names(Fake(list)) == ["no_candidates"]


def test_another_type_is_a_problem() -> None:
    """What is neither a candidate nor left out is reported, not raised."""
    assert names(Fake(lambda: [{"id": "mine/echo"}])) == ["malformed"]


def test_a_second_reading_must_agree() -> None:
    """A pool that remembers what it gave out is found."""
    readings: Iterator[list[Any]] = iter([[GOOD, LEFT_OUT], [LEFT_OUT, GOOD], [GOOD]])
    assert names(Fake(lambda: next(readings))) == ["not_repeatable"]


def test_an_unknown_option_must_be_refused() -> None:
    """An option that the pool does not know is an error, not a silence."""
    assert names(Fake(lambda: [GOOD], refuses=False)) == ["bad_option"]


def test_an_exception_of_the_pool_is_a_problem() -> None:
    """A pool that fails with anything but PoolError is reported."""
    assert names(Fake(lambda: [1 // 0])) == ["raises"]


def test_refused_options_are_passed_on() -> None:
    """Where the pool refuses the options given, nothing was checked, and that is said."""
    with pytest.raises(PoolError, match="unknown options"):
        check_pool(Fake(lambda: [GOOD]), PoolOptions(options={"x": "1"}))


def test_info_must_be_complete() -> None:
    """Title, description and the help of each option are what users read."""
    told = PoolInfo(name="mine", title="", description=" ", options={"x": ""})
    assert names(Fake(lambda: [GOOD], told=told)) == ["info_incomplete"] * 3


PLUGIN = """
from deskcheck.oracles.errors import PoolError
from deskcheck.oracles.programs import Program
from deskcheck.sources.pools import Candidate, Input, PoolInfo, Provenance

class Steady:
    name = "steady"
    def order(self):
        return ["a", "b", "c", "d", "e", "f", "g", "h"]
    def info(self):
        return PoolInfo(name=self.name, title="T", description="D")
    def candidates(self, options):
        if options.options:
            raise PoolError("no option is known")
        for word in self.order():
            yield Candidate(
                id=f"{self.name}/{word}", pool=self.name, study="s",
                program=Program(language="python", source=b"print(input())"),
                provenance=Provenance(licence="MIT", author="A", origin=word),
                inputs=(Input(name="1", data=b"1"), Input(name="2", data=b"2")))

class Shuffled(Steady):
    name = "shuffled"
    def order(self):
        return list(set(super().order()))
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed distribution with a pool that is steady and one that is not."""
    (tmp_path / "steady_pools.py").write_text(PLUGIN)
    facts = tmp_path / "steady_pools-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: steady-pools\nVersion: 1\n")
    (facts / "entry_points.txt").write_text(
        "[deskcheck.pools]\nsteady = steady_pools:Steady\nshuffled = steady_pools:Shuffled\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("plugin")
def test_an_installed_pool_passes() -> None:
    """A third party's pool is also read in new processes, and passes."""
    assert check_pool(load_pool("steady"), PoolOptions()) == []


@pytest.mark.usefixtures("plugin")
def test_dependence_on_the_hash_seed_is_found() -> None:
    """Set order repeats within a process, but not under another hash seed."""
    problems = check_pool(load_pool("shuffled"), PoolOptions())
    assert [problem.name for problem in problems] == ["hash_seed"]


def test_the_textbook_pool_keeps_the_contract() -> None:
    """The built-in pool passes what third parties are asked to pass."""
    assert check_pool(load_pool("textbook"), PoolOptions()) == []
