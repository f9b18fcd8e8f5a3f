"""Small C++ programs that exercise every construct, each with its verdict stated by hand.

Beside each program of `programs/cpp` lie its two inputs and `<name>.expected`, in TOML. Of an
admitted program it holds the loop's line, the iterations of the chosen activation, the state
before the body of iteration k as an expression in `k`, the state after the loop as JSON, and both
outputs; `model` where the expression needs functions of its own, `inside_visit` and `post_visit`
where they are not `k` and 1. Of a rejected one: the check, the reason, and the loop's line where
the finding is about one.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.oracles.cpp.compilers import needs_clang

from deskcheck.builder.admission import judge
from deskcheck.builder.cases import Admitted, Rejected
from deskcheck.builder.languages import Languages
from deskcheck.builder.languages.tools import compiler_for
from deskcheck.builder.languages.tools import languages as languages_here
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.python import find_interpreter
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.pools import Candidate, Input, Provenance

pytestmark = needs_clang

FOLDER = Path(__file__).parent.parent / "programs" / "cpp"
FULL = Parameters(max_trace_length=200_000, cpu_s=3.0, wall_s=15.0)
"""As users have it, but for limits that let the programs which never end do so sooner."""
ONCE = replace(FULL, repeats=1)
QUICK = ("for_main", "signed_overflow")
"""One program that is admitted and one that is rejected; the rest is slow."""


def _names(kind: str) -> list[str]:
    return sorted(path.stem for path in (FOLDER / kind).glob("*.cpp"))


ADMITTED, REJECTED = _names("admitted"), _names("rejected")


def _each(names: list[str]) -> list[Any]:
    return [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in names]


@pytest.fixture(scope="module")
def languages() -> Iterator[Languages]:
    with Sandbox() as sandbox:
        yield languages_here(sandbox, FULL.limits(), find_interpreter(), compiler_for({"cpp"}))


def _candidate(kind: str, name: str) -> Candidate:
    path = FOLDER / kind / name
    return Candidate(
        id=f"cpp/{name}",
        pool="constructs",
        study="constructs-cpp",
        program=Program(language="cpp", source=path.with_suffix(".cpp").read_bytes()),
        provenance=Provenance(licence="Apache-2.0", author="Deskcheck", origin=name),
        inputs=tuple(
            Input(name=which, data=path.with_suffix(f".{which}.in").read_bytes())
            for which in ("short", "long")
        ),
    )


def _expected(kind: str, name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / kind / f"{name}.expected").read_text("utf-8"))


def _at(expected: dict[str, Any], formula: str, k: int) -> Any:
    names: dict[str, Any] = {"k": k, "math": math}
    exec(expected.get("model", ""), names)
    return eval(formula, names)


def _assert_as_stated(name: str, languages: Languages, parameters: Parameters) -> None:
    expected = _expected("admitted", name)

    verdict = judge(_candidate("admitted", name), languages, parameters)

    assert isinstance(verdict, Admitted), verdict.findings
    case = verdict.case
    k, n = case.iteration, case.iterations
    assert (case.loop_line, n) == (expected["loop"], expected["iterations"])
    assert n <= 4 * k <= 3 * n
    assert case.inside_visit == _at(expected, expected.get("inside_visit", "k"), k)
    assert case.post_visit == expected.get("post_visit", 1)
    inside, post = _at(expected, expected["inside"], k), json.loads(expected["post"])
    # What happens to hold the same at both checkpoints is no field there.
    fields = [name for name in post if _text(inside[name]) != _text(post[name])]
    assert fields
    assert [field.name for field in case.fields] == fields
    short, long, *states = (answer.text for answer in verdict.answers)
    assert (short, long) == (expected["short_output"], expected["long_output"])
    # Floating-point numbers are printed with all their six decimals.
    assert [_text(json.loads(state)) for state in states] == [
        _text({name: state[name] for name in fields}) for state in (inside, post)
    ]
    assert case.printed_before == expected.get("printed_before", False)
    assert case.post_contains_output == expected.get("post_contains_output", False)
    passed_over = [finding.reason for finding in verdict.passed_over]
    assert expected.get("passed_over") in (None, *passed_over)


def _text(value: Any) -> str:
    """Tells 1, 1.0 and true apart, and one order of fields from another."""
    return json.dumps(value)


def test_every_kind_of_value_occurs() -> None:
    """Each type that a field can have is a variable of a program that is admitted."""
    sources = " ".join(
        (FOLDER / "admitted" / f"{name}.cpp").read_text("utf-8") for name in ADMITTED
    )
    types = (
        *("bool", "char", "signed char", "unsigned char", "unsigned short", "int", "unsigned"),
        *("long", "long long", "uint32_t", "uint64_t", "size_t", "__int128", "unsigned __int128"),
        *("float", "double", "long double", "string", "vector", "array", "deque", "list"),
        *("pair", "tuple", "set", "multiset", "map", "multimap", "queue", "stack"),
        *("priority_queue", "bitset", "struct", "vector<bool>", "map<string, int>"),
    )
    missing = [name for name in types if not re.search(rf"\b{name}(?!\w)", sources)]

    assert missing == []


@pytest.mark.parametrize(
    ("name", "holds"),
    [
        ("crlf", b"\r\n"),
        ("tabs", b"\n\tfor\t("),
        ("byte_order_mark", b"\xef\xbb\xbf#include"),
        ("unicode", "größe".encode()),
    ],
)
def test_bytes_that_tools_like_to_tidy_are_still_there(name: str, holds: bytes) -> None:
    """A checkout or an editor that normalises files would empty these programs of their point."""
    assert holds in (FOLDER / "admitted" / f"{name}.cpp").read_bytes()
    assert not (FOLDER / "admitted" / "one_line_program.cpp").read_bytes().endswith(b"\n")


@pytest.mark.parametrize("name", _each(ADMITTED))
def test_admitted_with_the_states_that_are_stated(name: str, languages: Languages) -> None:
    """The loop, the visits, both states and both outputs are those worked out by hand."""
    _assert_as_stated(name, languages, ONCE)


@pytest.mark.slow
@pytest.mark.parametrize("name", ADMITTED[::10])
def test_states_at_other_iterations(name: str, languages: Languages) -> None:
    """Another seed asks at other iterations, over all repeats, and the hand-made states hold."""
    _assert_as_stated(name, languages, replace(FULL, seed=1))


@pytest.mark.parametrize("name", _each(REJECTED))
def test_rejected_for_the_reason_that_is_stated(name: str, languages: Languages) -> None:
    """The first finding names the check, the reason and the loop that are stated by hand."""
    expected = _expected("rejected", name)

    verdict = judge(_candidate("rejected", name), languages, FULL)

    assert isinstance(verdict, Rejected), [answer.text for answer in verdict.answers]
    first = verdict.findings[0]
    assert (first.check, first.reason) == (expected["check"], expected["reason"]), first.detail
    assert first.loop_line == expected.get("loop")
    assert expected.get("says", "") in first.detail
    assert "\n" not in first.detail
