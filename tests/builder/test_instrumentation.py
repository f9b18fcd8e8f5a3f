"""What is written into a program changes nothing of it, and stops it exactly where declared."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, get_args
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, seed, settings
from tests.builder.forked_runs import Forks, Ran, Visit
from tests.builder.generated_programs import FEATURES, FIELD_NAMES, Generated, programs

from deskcheck.builder.instrument import python as python_instrument
from deskcheck.builder.instrument.python import disarm, instrument, rebound_builtins
from deskcheck.builder.loops import LoopSite, find_loops
from deskcheck.builder.syntax import Source, read_source
from deskcheck.oracles.checkpoints import Checkpoint, Field, Place
from deskcheck.oracles.runtimes.python import AGENT
from deskcheck.oracles.values import decode

PLACES: tuple[Place, ...] = get_args(Place)
FIELDS = tuple(
    Field(name=name, expression="sorted(seen)" if name == "seen" else name) for name in FIELD_NAMES
)
BUILTINS = frozenset({"sorted"})
LEAST = 8
"""Programs that each construct must be in, over one quick run."""


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    """One process that forks for each program."""
    with Forks(sys.executable) as running:
        yield running


def armed(source: Source, site: LoopSite, place: Place, visit: int) -> bytes:
    checkpoint = Checkpoint(loop=site.offset, place=place, visit=visit)
    return instrument(source, site, checkpoint, FIELDS, BUILTINS)


def disarmed(source: Source, site: LoopSite, place: Place) -> bytes:
    checkpoint = Checkpoint(loop=site.offset, place=place, visit=1)
    return disarm(source, site, checkpoint, FIELDS, BUILTINS)


HEADER = re.compile(
    rb"(?:from builtins import \w+ as \w+\r?\n)*"
    rb"from itertools import count as (\w+)\r?\n"
    rb"from json import dumps as (\w+)\r?\n"
    rb"from os import _exit as (\w+)\r?\n"
    rb"from os import write as (\w+)\r?\n"
    rb"\r?\n"
    rb"(\w+) = \1\(1\)\r?\n"
    rb"\r?\n\r?\n"
    rb"def (\w+)\(\*\*(\w+)\):\r?\n"
    rb"[ \t]+\4\(1, \2\(\7, separators=\(\",\", \":\"\)\)\.encode\(\)\)\r?\n"
    rb"[ \t]+\3\(0\)\r?\n"
    rb"\r?\n\r?\n"
)
TEST = (
    rb"if (\w+)\(\w+\) == \d+:\r?\n"
    rb"[ \t]+\w+\(clock=clock, seen=(\w+)\(seen\), total=total, acc=acc\)"
)
AT_BODY_START = re.compile(TEST + rb"\r?\n[ \t]*")
OPENED_BODY = re.compile(rb"\r?\n[ \t]+" + TEST + rb"\r?\n[ \t]+")
AFTER_LOOP = re.compile(rb"[ \t]*" + TEST + rb"\r?\n")
AT_THE_END = re.compile(rb"\r?\n[ \t]*" + TEST + rb"\Z")


def every_byte_is_kept(clean: bytes, text: bytes) -> bool:
    """Taking out the header and the checkpoint leaves the program.

    Blanks after the colon of a one-line body may be gone, where it was opened up.
    """
    header = HEADER.search(text)
    assert header is not None, text
    text = text[: header.start()] + text[header.end() :]
    for pattern in (AT_BODY_START, OPENED_BODY, AFTER_LOOP, AT_THE_END):
        found = pattern.search(text)
        if found is None or text[: found.start()] != clean[: found.start()]:
            continue
        rest, after = clean[found.start() :], text[found.end() :]
        if after == rest or (pattern is OPENED_BODY and after == rest.lstrip(b" \t")):
            return True
    return False


def inserted_names(text: bytes) -> set[str]:
    header = HEADER.search(text)
    assert header is not None
    renamed = re.findall(rb"from builtins import \w+ as (\w+)", header[0])
    return {name.decode() for name in (*header.groups(), *renamed)}


def shown(visit: Visit) -> bytes:
    """The state of a visit as the armed program writes it."""
    state = {name: getattr(visit, name) for name in FIELD_NAMES}
    return json.dumps(state, separators=(",", ":")).encode()


def check_text(source: Source, texts: Sequence[bytes]) -> None:
    """The text keeps every byte and takes no name in use, nor one of two underscores."""
    clean = source.bom + source.code
    words = set(re.findall(r"\w+", clean.decode()))
    for text in texts:
        assert every_byte_is_kept(clean, text), text.decode()
        names = inserted_names(text)
        assert not names & words
        assert not any(name.startswith("_") for name in names)


def check_disarmed(forks: Forks, clean: Ran, texts: Sequence[bytes]) -> None:
    """With no visit to stop at, a program does what it always does."""
    for text, ran in zip(texts, forks.run_in_turn(texts), strict=True):
        assert (ran.stdout, ran.status) == (clean.stdout, clean.status), text.decode()


def check_armed(forks: Forks, clean: Ran, text: bytes, expected: Visit | None) -> None:
    """The program writes the state of that visit and nothing else, or goes on if there is none."""
    ran = forks.run(text)
    if expected is None:
        assert (ran.stdout, ran.status) == (clean.stdout, clean.status), text.decode()
    else:
        assert (ran.stdout, ran.status) == (shown(expected), 0), text.decode()


def check_observer(
    forks: Forks,
    program: bytes,
    sites: Sequence[LoopSite],
    visits: Sequence[Visit],
    chosen: Sequence[tuple[int, Visit]],
) -> None:
    """The second oracle counts the same visits and reads the same state at each chosen one."""
    wanted = [
        (sites[visit.loop].offset, visit.place, visit.activation, visit.iteration)
        for _, visit in chosen
    ]
    observed = forks.observe(program, AGENT, wanted, FIELD_NAMES).report
    assert [row["loop"] for row in observed["loops"]] == [site.offset for site in sites]
    for number, row in enumerate(observed["loops"]):
        del row["strides"]
        assert row == profile(sites[number].offset, [v for v in visits if v.loop == number])
    found = {
        (shot["loop"], shot["place"], shot["activation"], shot["iteration"] * inside(shot)): shot
        for shot in observed["snapshots"]
    }
    assert set(found) == set(wanted)
    for moment, (number, visit) in zip(wanted, chosen, strict=True):
        assert found[moment]["visit"] == number
        held = {name: decode(row["value"]) for name, row in found[moment]["variables"].items()}
        assert held == {
            "clock": visit.clock,
            "seen": set(visit.seen),
            "total": visit.total,
            "acc": visit.acc,
        }


def inside(shot: dict[str, Any]) -> bool:
    return bool(shot["place"] == "inside")


def profile(offset: int, visits: Sequence[Visit]) -> dict[str, Any]:
    """What the second oracle should say of one loop, from the calls in the syntax tree."""
    places = Counter(visit.place for visit in visits)
    ends = [visit.activation for visit in visits if visit.place == "post"]
    iterations = Counter(visit.activation for visit in visits if visit.place == "inside")
    ended = [[ordinal, iterations[ordinal], number] for number, ordinal in enumerate(ends, start=1)]
    return {
        "loop": offset,
        "visits": places["inside"],
        "exits": places["post"],
        "entries": places["before"],
        "most": max(iterations.values(), default=0),
        "activations": sorted(ended, key=lambda row: (-row[1], row[0])),
    }


def check_program(forks: Forks, program: bytes, one_in: int) -> int:
    """All of the above for every loop and both places; how many loops there were.

    Armed programs are run for one (loop, place) in `one_in`.
    """
    clean = forks.run(program)
    assert clean.status == 0 and clean.stdout, "the strategy makes programs that run"
    source = read_source(program)
    sites = find_loops(source)
    rebound = rebound_builtins(source)
    # A function of the source alone, and half of all the time if it is worked out for each text.
    with mock.patch.object(python_instrument, "rebound_builtins", lambda _source: rebound):
        spots: list[tuple[int, Place]] = [
            (number, place) for number in range(len(sites)) for place in PLACES
        ]
        texts = [disarmed(source, sites[number], place) for number, place in spots]
        check_text(source, texts)
        assert disarmed(source, sites[0], "inside") == texts[0]
        check_disarmed(forks, clean, texts)
        visits, ran = forks.count(program)
        assert (ran.stdout, ran.status) == (clean.stdout, clean.status)
        chosen: list[tuple[int, Visit]] = []
        for index, (number, place) in enumerate(spots):
            if (index + len(program)) % one_in:
                continue
            here = [visit for visit in visits if (visit.loop, visit.place) == (number, place)]
            at = len(here) * 2 // 3
            if here:
                chosen.append((at + 1, here[at]))
            text = armed(source, sites[number], place, at + 1)
            check_armed(forks, clean, text, here[at] if here else None)
    check_observer(forks, program, sites, visits, chosen)
    return len(sites)


def check_many(forks: Forks, numbers: range, examples: int, one_in: int, least: int) -> None:
    """Check `examples` programs of each number, and count what they are made of."""
    constructs: Counter[str] = Counter()
    loops = 0

    def check(program: Generated) -> None:
        nonlocal loops
        loops += check_program(forks, program.source, one_in)
        constructs.update(program.constructs)

    for number in numbers:
        some = settings(
            max_examples=examples,
            database=None,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        )
        seed(number)(some(given(programs(number))(check)))()
    print(f"\n{len(numbers) * examples} programs with {loops} loops; of the programs have")
    for construct, count in sorted(constructs.items()):
        print(f"{count:6} {construct}")
    assert len(constructs) == CONSTRUCTS
    assert min(constructs.values()) >= least


CONSTRUCTS = 64
"""Kinds that the strategy tells apart, counted so that none is lost."""


def test_disarmed_is_clean_and_armed_stops_where_both_counts_say(forks: Forks) -> None:
    """Over generated programs: every byte kept, the same output, the same visit and state."""
    check_many(forks, range(len(FEATURES)), examples=4, one_in=3, least=LEAST)


@pytest.mark.slow
def test_it_holds_for_hundreds_of_programs(forks: Forks) -> None:
    """The same over more mixtures, with more of the checkpoints armed."""
    check_many(forks, range(2 * len(FEATURES)), examples=11, one_in=2, least=4 * LEAST)
