"""Small programs that exercise every construct of Python, each with its verdict stated by hand.

Beside each program of `programs/constructs` lie its two inputs and `<name>.expected`, in TOML.
Of an admitted program it holds the loop's line, the iterations of the chosen activation, the
state before the body of iteration k as an expression in `k`, the state after the loop as JSON,
and both outputs; `inside_visit` and `post_visit` where they are not `k` and 1; `slow` where it
varies what another program has, so that it is left to the full suite. Of a rejected one: the
check, the reason, and the loop's line where the finding is about one.
"""

from __future__ import annotations

import ast
import json
import math
import os
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deskcheck.builder.admission import judge
from deskcheck.builder.cases import Admitted, Rejected
from deskcheck.builder.languages.python import PythonLanguage
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.python import PythonRuntime, find_interpreter
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.pools import Candidate, Input, Provenance

FOLDER = Path(__file__).parent / "programs" / "constructs"
OTHER_PYTHON = os.environ.get("DESKCHECK_OTHER_PYTHON")
FULL = Parameters(max_trace_length=100_000)
"""As users have it, but for a limit that lets the one program that is too long end sooner."""
QUICK = replace(FULL, repeats=1)


def _names(kind: str) -> list[str]:
    return sorted(path.stem for path in (FOLDER / kind).glob("*.py"))


ADMITTED, REJECTED = _names("admitted"), _names("rejected")


@pytest.fixture(scope="module")
def runtime() -> Iterator[PythonRuntime]:
    with Sandbox() as sandbox:
        yield PythonRuntime(sandbox, find_interpreter(), FULL.limits())


@pytest.fixture(scope="module")
def other_runtime() -> Iterator[PythonRuntime]:
    if OTHER_PYTHON is None:
        pytest.skip("DESKCHECK_OTHER_PYTHON does not name a second interpreter")
    with Sandbox() as sandbox:
        yield PythonRuntime(sandbox, find_interpreter(OTHER_PYTHON), FULL.limits())


def _candidate(kind: str, name: str) -> Candidate:
    path = FOLDER / kind / name
    return Candidate(
        id=f"constructs/{name}",
        pool="constructs",
        study="constructs-python",
        program=Program(language="python", source=path.with_suffix(".py").read_bytes()),
        provenance=Provenance(licence="Apache-2.0", author="Deskcheck", origin=name),
        inputs=tuple(
            Input(name=which, data=path.with_suffix(f".{which}.in").read_bytes())
            for which in ("short", "long")
        ),
    )


def _expected(kind: str, name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / kind / f"{name}.expected").read_text("utf-8"))


def _at(expression: str, k: int) -> Any:
    return eval(expression, {"k": k, "math": math})


def _assert_as_stated(name: str, runtime: PythonRuntime, parameters: Parameters) -> None:
    expected = _expected("admitted", name)

    verdict = judge(_candidate("admitted", name), {"python": PythonLanguage(runtime)}, parameters)

    assert isinstance(verdict, Admitted), verdict.findings
    case = verdict.case
    k, n = case.iteration, case.iterations
    assert (case.loop_line, n) == (expected["loop"], expected["iterations"])
    assert n <= 4 * k <= 3 * n
    assert case.inside_visit == _at(expected.get("inside_visit", "k"), k)
    assert case.post_visit == expected.get("post_visit", 1)
    inside, post = _at(expected["inside"], k), json.loads(expected["post"])
    # What happens to hold the same at both checkpoints is no field there.
    fields = [name for name in post if inside[name] != post[name]]
    assert fields
    finals_and_states = [answer.text for answer in verdict.answers]
    assert finals_and_states == [
        expected["short_output"],
        expected["long_output"],
        *(
            json.dumps({name: state[name] for name in fields}, separators=(",", ":"))
            for state in (inside, post)
        ),
    ]
    assert [field.name for field in case.fields] == fields
    assert case.printed_before == expected.get("printed_before", False)
    assert case.post_contains_output == expected.get("post_contains_output", False)
    passed_over = [finding.reason for finding in verdict.passed_over]
    assert expected.get("passed_over") in (None, *passed_over)


def _assert_rejected(name: str, runtime: PythonRuntime) -> None:
    expected = _expected("rejected", name)

    verdict = judge(_candidate("rejected", name), {"python": PythonLanguage(runtime)}, FULL)

    assert isinstance(verdict, Rejected), [answer.text for answer in verdict.answers]
    first = verdict.findings[0]
    assert (first.check, first.reason) == (expected["check"], expected["reason"]), first.detail
    assert first.loop_line == expected.get("loop")
    assert expected.get("says", "") in first.detail
    assert "\n" not in first.detail


def test_every_construct_occurs() -> None:
    """Each kind of statement, expression, pattern and operator is in a program that is admitted."""
    trees = [ast.parse((FOLDER / "admitted" / f"{name}.py").read_bytes()) for name in ADMITTED]
    occurring = {type(node).__name__ for tree in trees for node in ast.walk(tree)}
    kinds = (ast.stmt, ast.expr, ast.pattern, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)
    language = {construct.__name__ for kind in kinds for construct in kind.__subclasses__()}
    deprecated = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis"}
    newer_than_3_12 = {"TemplateStr", "Interpolation"}

    assert language - deprecated - newer_than_3_12 - occurring == set()


@pytest.mark.parametrize(
    ("name", "holds"),
    [
        ("crlf", b"\r\n"),
        ("lone_carriage_return", b"\rtotal"),
        ("tabs", b"\n\t\twhile"),
        ("byte_order_mark", b"\xef\xbb\xbfn"),
        ("form_feed", b"\x0c"),
    ],
)
def test_bytes_that_tools_like_to_tidy_are_still_there(name: str, holds: bytes) -> None:
    """A checkout or an editor that normalises files would empty these programs of their point."""
    source = (FOLDER / "admitted" / f"{name}.py").read_bytes()

    assert holds in source
    assert not (FOLDER / "admitted" / "no_final_newline.py").read_bytes().endswith(b"\n")


@pytest.mark.parametrize(
    "name",
    [
        # The quick suite has every eighth program, the whole has them all, twice.
        pytest.param(name, marks=[pytest.mark.slow] if number % 8 else [])
        for number, name in enumerate(
            sorted(ADMITTED, key=lambda name: ("slow" in _expected("admitted", name), name))
        )
    ],
)
def test_admitted_with_the_states_that_are_stated(name: str, runtime: PythonRuntime) -> None:
    """The loop, the visits, both states and both outputs are those worked out by hand."""
    _assert_as_stated(name, runtime, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("name", ADMITTED)
def test_states_at_other_iterations(name: str, runtime: PythonRuntime) -> None:
    """Another seed asks at other iterations, over all repeats, and the hand-made states hold."""
    _assert_as_stated(name, runtime, replace(FULL, seed=1))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if number % 3 else [])
        for number, name in enumerate(REJECTED)
    ],
)
def test_rejected_for_the_reason_that_is_stated(name: str, runtime: PythonRuntime) -> None:
    """The first finding names the check, the reason and the loop that are stated by hand."""
    _assert_rejected(name, runtime)


@pytest.mark.slow
@pytest.mark.parametrize("name", ADMITTED)
def test_states_are_the_same_on_another_interpreter(
    name: str, other_runtime: PythonRuntime
) -> None:
    """Another version of Python gives the same loop, iteration, states and outputs."""
    _assert_as_stated(name, other_runtime, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("name", REJECTED)
def test_rejections_are_the_same_on_another_interpreter(
    name: str, other_runtime: PythonRuntime
) -> None:
    """Another version of Python rejects for the same reason."""
    _assert_rejected(name, other_runtime)
